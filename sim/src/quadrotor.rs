//! The quadrotor: a rigid body with four lagging rotors, and what acts on it.
//!
//! Newton's and Euler's equations with a unit quaternion:
//!
//! ṗ = v, m v̇ = R(q) f + (0, 0, −m g), q̇ = ½ q ⊗ (0, ω), J ω̇ = τ − ω × J ω.
//!
//! Rotor speeds follow ṅ = (n_command − n) / τ_rotor.

use crate::aero::{BodyDrag, BodyWrench, CrosswindPull, RotorDrag, RotorPull};
use crate::integrator::{Integrator, Motion};
use crate::{Airframe, GRAVITY_M_S2};
use nalgebra::{Matrix3, Quaternion, UnitQuaternion, Vector3};

/// Where the vehicle is and how it moves: everything that evolves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct State {
    /// Centre of mass in the world frame, relative to the start of the flight [m].
    pub position_m: Vector3<f64>,
    /// Velocity of the centre of mass in the world frame [m/s].
    pub velocity_m_s: Vector3<f64>,
    /// Turns body vectors into world vectors.
    pub attitude: UnitQuaternion<f64>,
    /// Angular velocity of the body against the world, in body axes [rad/s].
    pub rates_rad_s: Vector3<f64>,
    /// Speed of each rotor [rad/s].
    pub rotors_rad_s: [f64; 4],
}

impl State {
    /// Whether every number is finite.
    pub fn is_finite(&self) -> bool {
        self.position_m.iter().all(|x| x.is_finite())
            && self.velocity_m_s.iter().all(|x| x.is_finite())
            && self.attitude.coords.iter().all(|x| x.is_finite())
            && self.rates_rad_s.iter().all(|x| x.is_finite())
            && self.rotors_rad_s.iter().all(|x| x.is_finite())
    }
}

/// How fast a state changes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Derivative {
    /// Acceleration of the centre of mass in the world frame [m/s²].
    pub acceleration_m_s2: Vector3<f64>,
    /// Derivative of the attitude quaternion [1/s].
    pub attitude_per_s: Quaternion<f64>,
    /// Angular acceleration in body axes [rad/s²].
    pub angular_acceleration_rad_s2: Vector3<f64>,
    /// Derivative of the rotor speeds [rad/s²].
    pub rotors_rad_s2: [f64; 4],
}

/// One vehicle's constants, ready for integration; nothing in it changes during a flight.
#[derive(Debug, Clone)]
pub struct Quadrotor {
    mass_inverse: f64,
    inertia: Matrix3<f64>,
    inertia_inverse: Matrix3<f64>,
    hubs_m: [Vector3<f64>; 4],
    yaw_arms: [f64; 4],
    thrust_coefficient: f64,
    lag_s: f64,
    speed_range_rad_s: [f64; 2],
    gravity_m_s2: f64,
    crosswind: Option<CrosswindPull>,
    rotor_drag: Option<RotorDrag>,
    body_drag: Option<BodyDrag>,
}

/// What the rotors do to the body at one instant, before the air moves across them.
#[derive(Debug, Clone)]
pub(crate) struct RotorEffect {
    pub(crate) speeds_rad_s: [f64; 4],
    wrench: BodyWrench,
    pull: Option<RotorPull>,
}

impl Quadrotor {
    /// The vehicle that `airframe` describes.
    ///
    /// # Panics
    /// When the inertia is singular, which [`Airframe::check`] excludes.
    pub fn new(airframe: &Airframe) -> Quadrotor {
        let rotors = &airframe.rotors;
        Quadrotor {
            mass_inverse: 1.0 / airframe.mass_kg,
            inertia: airframe.inertia(),
            inertia_inverse: airframe
                .inertia()
                .try_inverse()
                .expect("a checked airframe has a positive definite inertia"),
            hubs_m: rotors.positions(),
            yaw_arms: rotors
                .yaw_torque_signs
                .map(|s| s * rotors.torque_n_m_s2_per_rad2),
            thrust_coefficient: rotors.thrust_n_s2_per_rad2,
            lag_s: rotors.lag_s,
            speed_range_rad_s: [rotors.min_speed_rad_s, rotors.max_speed_rad_s],
            gravity_m_s2: GRAVITY_M_S2,
            crosswind: airframe
                .side_force
                .map(|force| CrosswindPull::new(&force, rotors)),
            rotor_drag: airframe.rotor_drag,
            body_drag: airframe.body_drag,
        }
    }

    /// Moves `state` on by `dt_s`, with the commanded rotor speeds [rad/s] and the wind velocity
    /// in the world frame [m/s] held. A command outside the rotors' range is clipped before the
    /// lag. For many steps of one length an [`Integrator`] does the same with less work.
    pub fn step(
        &self,
        state: &mut State,
        command_rad_s: &[f64; 4],
        wind_m_s: &Vector3<f64>,
        dt_s: f64,
    ) {
        Integrator::new(self, dt_s).step(state, command_rad_s, wind_m_s);
    }

    /// Time constant of the rotors [s].
    pub(crate) fn lag_s(&self) -> f64 {
        self.lag_s
    }

    /// The same vehicle on another planet, or in another data set's rounding of gravity.
    pub fn with_gravity(self, gravity_m_s2: f64) -> Quadrotor {
        Quadrotor {
            gravity_m_s2,
            ..self
        }
    }

    /// Time derivative of the state at one instant, with the rotors commanded to `command_rad_s`
    /// and the wind velocity in the world frame.
    pub fn derivative(
        &self,
        state: &State,
        command_rad_s: &[f64; 4],
        wind_m_s: &Vector3<f64>,
    ) -> Derivative {
        let rotors = self.rotor_effect(&state.rotors_rad_s);
        let rate = self.rate(&Motion::of(state), &rotors, wind_m_s);
        let [least, greatest] = self.speed_range_rad_s;
        Derivative {
            acceleration_m_s2: rate.velocity,
            attitude_per_s: rate.attitude,
            angular_acceleration_rad_s2: rate.rates,
            rotors_rad_s2: std::array::from_fn(|i| {
                (command_rad_s[i].clamp(least, greatest) - state.rotors_rad_s[i]) / self.lag_s
            }),
        }
    }

    /// Everything that acts on the body at one instant except gravity.
    pub fn wrench(&self, state: &State, wind_m_s: &Vector3<f64>) -> BodyWrench {
        let rotors = self.rotor_effect(&state.rotors_rad_s);
        self.body_wrench(&Motion::of(state), &rotors, wind_m_s)
    }

    /// Speeds after the command was held for −lag · ln(decay) seconds.
    pub(crate) fn lagged(&self, speeds: &[f64; 4], command: &[f64; 4], decay: f64) -> [f64; 4] {
        let [least, greatest] = self.speed_range_rad_s;
        std::array::from_fn(|i| {
            let target = command[i].clamp(least, greatest);
            target + (speeds[i] - target) * decay
        })
    }

    #[inline]
    pub(crate) fn rotor_effect(&self, speeds_rad_s: &[f64; 4]) -> RotorEffect {
        let mut wrench = BodyWrench::zero();
        for ((speed, hub), yaw_arm) in speeds_rad_s.iter().zip(&self.hubs_m).zip(self.yaw_arms) {
            let square = speed * speed;
            let force_n = self.thrust_coefficient * square;
            wrench.force_n.z += force_n;
            wrench.moment_n_m += Vector3::new(hub.y * force_n, -hub.x * force_n, yaw_arm * square);
        }
        RotorEffect {
            speeds_rad_s: *speeds_rad_s,
            wrench,
            pull: self
                .crosswind
                .as_ref()
                .map(|crosswind| crosswind.pull(speeds_rad_s)),
        }
    }

    #[inline]
    pub(crate) fn rate(
        &self,
        body: &Motion,
        rotors: &RotorEffect,
        wind_m_s: &Vector3<f64>,
    ) -> Motion {
        let wrench = self.body_wrench(body, rotors, wind_m_s);
        let gravity = Vector3::new(0.0, 0.0, self.gravity_m_s2);
        let spin = Quaternion::from_parts(0.0, body.rates);
        // Off the unit sphere by O(h²) inside a step, which leaves the method's order intact.
        let attitude = UnitQuaternion::new_unchecked(body.attitude);
        let gyroscopic = body.rates.cross(&(self.inertia * body.rates));
        Motion {
            position: body.velocity,
            velocity: attitude * (wrench.force_n * self.mass_inverse) - gravity,
            attitude: body.attitude * spin * 0.5,
            rates: self.inertia_inverse * (wrench.moment_n_m - gyroscopic),
        }
    }

    #[inline]
    pub(crate) fn body_wrench(
        &self,
        body: &Motion,
        rotors: &RotorEffect,
        wind_m_s: &Vector3<f64>,
    ) -> BodyWrench {
        let attitude = UnitQuaternion::new_unchecked(body.attitude);
        let air_velocity = attitude.inverse_transform_vector(&(body.velocity - wind_m_s));
        let mut wrench = rotors.wrench;
        if let (Some(crosswind), Some(pull)) = (&self.crosswind, &rotors.pull) {
            wrench += crosswind.wrench(pull, &-air_velocity);
        }
        if let Some(drag) = &self.rotor_drag {
            wrench += drag.wrench(
                &self.hubs_m,
                &rotors.speeds_rad_s,
                &air_velocity,
                &body.rates,
            );
        }
        if let Some(drag) = &self.body_drag {
            wrench.force_n += drag.force_n(&air_velocity);
        }
        wrench
    }
}
