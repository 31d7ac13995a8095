//! The cascade as a whole: position at 50 Hz, attitude and body rates at 1 kHz, and a mixer.
//!
//! The structure and the default gains are those of Shi et al. 2021 (OMAC); unlike there the
//! position integral is clamped and saturation follows a stated order.

use super::attitude::{AttitudeLoop, attitude_for};
use super::position::{PositionLoop, Vertical, VerticalBalance};
use super::rate::RateLoop;
use super::{CONTROL_PERIOD_S, Mixer, POSITION_TICKS};
use crate::lanes::Real;
use crate::lanes::axes::{Axes, Turn};
use crate::vehicle::airframe::Gains;
use crate::vehicle::per_rotor::PerRotor;
use crate::vehicle::rotors::of_lane;
use crate::{Airframe, GRAVITY_M_S2, Measurement};
use nalgebra::{Quaternion, UnitQuaternion, Vector3};
use trajectories::Reference;

/// What the autopilot sends to the rotors.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RotorCommand {
    /// Commanded speed of each rotor [rad/s].
    pub speeds_rad_s: PerRotor,
    /// Body rates that the attitude loop asked for [rad/s].
    pub rate_setpoint_rad_s: Vector3<f64>,
    /// Whether the rotors' range forced a compromise between thrust and moments.
    pub rotors_saturated: bool,
    /// Whether the position loop's thrust or tilt limit was active.
    pub force_limited: bool,
}

/// What the position loop asks of the inner loops.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Aim {
    pub(crate) attitude: UnitQuaternion<f64>,
    pub(crate) thrust_n: f64,
    /// The vertical part of the force over the mass [m/s²].
    pub(crate) vertical_m_s2: f64,
    pub(crate) force_limited: bool,
}

/// What the inner loops have to give for a vehicle to stay as it is.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Balance {
    pub(crate) torque_n_m: Vector3<f64>,
    pub(crate) rates_rad_s: Vector3<f64>,
    pub(crate) vertical: VerticalBalance,
}

/// What the inner loops send to the rotors.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Commands<R: Real, const N: usize> {
    /// Speed of each rotor [rad/s].
    pub(crate) speeds: [R; N],
    /// Body rates that the attitude loop asked for, with what was added [rad/s].
    pub(crate) rate_setpoint: Axes<R>,
    /// Where the rotors' range forced no compromise.
    pub(crate) unsaturated: R::Mask,
    /// 1 where the position loop's limits were active, else 0.
    pub(crate) force_limited: R,
}

/// The loops at 1 kHz, of one vehicle or of one in each lane: attitude, rates and mixer.
#[derive(Debug, Clone)]
pub(crate) struct InnerLoops<R, const N: usize> {
    attitude: AttitudeLoop<R>,
    rate: RateLoop<R>,
    vertical: Option<Vertical<R>>,
    mixer: Mixer<N>,
    wanted_attitude: Turn<R>,
    wanted_thrust_n: R,
    wanted_vertical_m_s2: R,
    force_limited: R,
}

impl<R: Real, const N: usize> InnerLoops<R, N> {
    /// What is commanded in a single lane.
    pub(crate) fn single(&self, commands: &Commands<R, N>) -> RotorCommand {
        let of_all = commands.force_limited;
        RotorCommand {
            speeds_rad_s: of_lane(&commands.speeds, self.mixer.count, 0),
            rate_setpoint_rad_s: commands.rate_setpoint.lane(0),
            rotors_saturated: !of_all.all(commands.unsaturated),
            force_limited: of_all.lane(0) > 0.0,
        }
    }
}

impl PositionLoop {
    /// Runs the position loop on what the sensors say.
    pub(crate) fn aim(&mut self, reference: &Reference, measured: &Measurement) -> Aim {
        let period_s = POSITION_TICKS as f64 * CONTROL_PERIOD_S;
        let (force, force_limited) = self.force(reference, measured, period_s);
        Aim {
            attitude: attitude_for(&force, reference.yaw_rad),
            thrust_n: force.norm(),
            vertical_m_s2: self.per_mass(force.z),
            force_limited,
        }
    }
}

impl<R: Real, const N: usize> InnerLoops<R, N> {
    /// Loops at rest, with the gains of each lane; `zero` is 0 in every lane.
    ///
    /// # Panics
    /// When the rotor geometry cannot be mixed, which [`Airframe::check`] excludes.
    pub(crate) fn new<'a>(
        airframe: &Airframe,
        gains: impl Fn(usize) -> &'a Gains,
        zero: R,
    ) -> InnerLoops<R, N> {
        let law = airframe.controller.law();
        InnerLoops {
            attitude: AttitudeLoop::new(
                &airframe.controller,
                Axes::fill(zero, |k| Vector3::from(gains(k).attitude_kp)),
            ),
            vertical: law.vertical.map(|law| Vertical::new(law, zero)),
            rate: RateLoop::new(airframe, &gains, CONTROL_PERIOD_S, zero),
            mixer: Mixer::of(&airframe.rotors, law.rotor_speed_share.unwrap_or(1.0))
                .expect("a checked airframe can be mixed"),
            wanted_attitude: Turn::fill(zero, |_| Quaternion::identity()),
            wanted_thrust_n: zero,
            wanted_vertical_m_s2: zero.like(GRAVITY_M_S2),
            force_limited: zero,
        }
    }

    /// Lets the loops of lane k hold what `balance(k)` says.
    pub(crate) fn hold(&mut self, balance: impl Fn(usize) -> Balance) {
        (self.rate).hold(|k| [balance(k).torque_n_m, balance(k).rates_rad_s]);
        if let Some(vertical) = &mut self.vertical {
            vertical.hold(|k| balance(k).vertical);
        }
    }

    /// Takes over what the position loop asks for, lane by lane.
    #[inline(always)]
    pub(crate) fn aim(&mut self, aim: impl Fn(usize) -> Aim) {
        let like = self.wanted_thrust_n;
        self.wanted_attitude = Turn::fill(like, |k| aim(k).attitude.into_inner());
        self.wanted_thrust_n = like.fill(|k| aim(k).thrust_n);
        if self.vertical.is_some() {
            self.wanted_vertical_m_s2 = like.fill(|k| aim(k).vertical_m_s2);
        }
        self.force_limited = like.fill(|k| f64::from(aim(k).force_limited));
    }

    /// One control period; `climb` is the vertical velocity [m/s].
    #[inline(always)]
    pub(crate) fn command(
        &mut self,
        attitude: Turn<R>,
        rates: Axes<R>,
        climb: R,
    ) -> Commands<R, N> {
        self.command_added(attitude, rates, climb, None)
    }

    /// The same with `added` body rates and thrust [N] on top of what the loops ask for.
    #[inline(always)]
    pub(crate) fn command_added(
        &mut self,
        attitude: Turn<R>,
        rates: Axes<R>,
        climb: R,
        added: Option<(Axes<R>, R)>,
    ) -> Commands<R, N> {
        let mut setpoint = (self.attitude).rate_setpoint(attitude, self.wanted_attitude);
        if let Some((rates, _)) = added {
            setpoint = setpoint + rates;
        }
        let torque = self.rate.torque(setpoint, rates);
        let mut thrust_n = self.wanted_thrust_n;
        if let Some(vertical) = &mut self.vertical {
            let wanted = self.wanted_vertical_m_s2;
            // The thrust leans with the wanted force, so its vertical part is a share of it.
            thrust_n = thrust_n / wanted * vertical.force(wanted, climb);
        }
        if let Some((_, added_n)) = added {
            thrust_n = thrust_n + added_n;
        }
        let (speeds, unsaturated) = self.mixer.mix(thrust_n, torque);
        Commands {
            speeds,
            rate_setpoint: setpoint,
            unsaturated,
            force_limited: self.force_limited,
        }
    }
}
