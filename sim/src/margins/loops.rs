//! Loops: the cascade around the linear vehicle, and every loop of it opened in turn.

use super::POSITION_PERIOD_S;
use super::cascade::{Cascade, Lifted, LoopGains};
use super::crossings::{Margins, Response};
use super::linear::{INPUTS, OUTPUTS};
use super::trim::Trim;
use crate::vehicle::airframe::Gains;
use crate::{Airframe, CONTROL_PERIOD_S, POSITION_TICKS};
use nalgebra::{Complex, Matrix3, SMatrix, Vector3};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::f64::consts::{PI, TAU};
use std::sync::OnceLock;
use trajectories::Trajectory;

/// One loop of the cascade; each has three axes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Loop {
    /// Body rates, opened at the torque command.
    Rate,
    /// Attitude, opened at the rate setpoint.
    Attitude,
    /// The vertical acceleration, opened at the thrust, where the controller's law has such a loop; about z alone.
    Thrust,
    /// What kd asks for, opened alone.
    Velocity,
    /// The position PID, opened at the acceleration setpoint.
    Position,
}

/// From the innermost to the outermost.
pub const LOOPS: [Loop; 5] = [
    Loop::Rate,
    Loop::Attitude,
    Loop::Thrust,
    Loop::Velocity,
    Loop::Position,
];

impl Loop {
    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Loop::Rate => "rate",
            Loop::Attitude => "attitude",
            Loop::Thrust => "thrust",
            Loop::Velocity => "velocity",
            Loop::Position => "position",
        }
    }

    /// Whether it runs every control period.
    fn is_inner(self) -> bool {
        matches!(self, Loop::Rate | Loop::Attitude | Loop::Thrust)
    }

    /// The period at which it runs [s].
    fn period_s(self) -> f64 {
        match self.is_inner() {
            true => CONTROL_PERIOD_S,
            false => POSITION_PERIOD_S,
        }
    }
}

/// Least frequency that is looked at [rad/s].
const LEAST_RAD_S: f64 = 0.02;

/// The vehicle with its cascade, linear about one point.
#[derive(Debug, Clone)]
pub struct Linearised {
    pub(super) cascade: Cascade,
    /// What the outer loops see of the inner ones, once it is asked for.
    lifted: OnceLock<Option<Lifted>>,
}

type Plant = SMatrix<Complex<f64>, OUTPUTS, INPUTS>;
type Complex3 = Matrix3<Complex<f64>>;
type Sensitivities = SMatrix<Complex<f64>, 6, 6>;

/// The open loop from the sensitivities of its clock's two, the outer one of them first.
fn opened(sensitivities: &Sensitivities, which: Loop, axis: usize) -> Complex<f64> {
    let is_inner_one = matches!(which, Loop::Rate | Loop::Velocity);
    let place = axis + 3 * usize::from(is_inner_one);
    sensitivities[(place, place)].inv() - 1.0
}

impl Linearised {
    /// At rest in air that moves with `wind_m_s`, with sensors that see `delay_periods` [ms] into
    /// the past.
    pub fn hover(
        airframe: &Airframe,
        gains: &Gains,
        delay_periods: u32,
        wind_m_s: Vector3<f64>,
    ) -> Linearised {
        let trim = Trim::hover(airframe, wind_m_s);
        Linearised::about(&trim, airframe, gains, delay_periods)
    }

    /// On `trajectory` at `t_s`, as if it went on as it does at that instant.
    pub fn along(
        airframe: &Airframe,
        gains: &Gains,
        delay_periods: u32,
        wind_m_s: Vector3<f64>,
        (trajectory, t_s): (&dyn Trajectory, f64),
    ) -> Linearised {
        let trim = Trim::along(airframe, trajectory, t_s, wind_m_s);
        Linearised::about(&trim, airframe, gains, delay_periods)
    }

    fn about(trim: &Trim, airframe: &Airframe, gains: &Gains, delay_periods: u32) -> Linearised {
        Linearised {
            cascade: Cascade::about(trim, airframe, gains, delay_periods),
            lifted: OnceLock::new(),
        }
    }

    /// The same vehicle, about the same point, with other gains.
    pub fn with(&self, airframe: &Airframe, gains: &Gains) -> Linearised {
        let mut cascade = self.cascade.clone();
        cascade.gains = LoopGains::of(airframe, gains);
        Linearised {
            cascade,
            lifted: OnceLock::new(),
        }
    }

    /// The same vehicle, hovering, with an autopilot that takes it for `over` times as heavy as it is.
    pub fn taken_for(&self, over: f64) -> Linearised {
        Linearised {
            cascade: self.cascade.taken_for(over),
            lifted: OnceLock::new(),
        }
    }

    /// The open loop at a frequency [rad/s], with all others closed.
    pub fn response(&self, which: Loop, axis: usize, frequency_rad_s: f64) -> Complex<f64> {
        match which {
            Loop::Thrust if !self.has(which, axis) => Complex::ZERO,
            Loop::Thrust => self.commands(frequency_rad_s)[(0, 0)].inv() - 1.0,
            _ => opened(&self.sensitivities(which, frequency_rad_s), which, axis),
        }
    }

    /// Whether there is such a loop about an axis.
    pub fn has(&self, which: Loop, axis: usize) -> bool {
        which != Loop::Thrust || (axis == 2 && self.cascade.gains.vertical.is_some())
    }

    fn sensitivities(&self, which: Loop, frequency_rad_s: f64) -> Sensitivities {
        match which.is_inner() {
            true => self.inner(frequency_rad_s),
            false => self.outer(frequency_rad_s),
        }
    }

    /// Frequencies from the least that is looked at to the loop's Nyquist frequency [rad/s].
    pub fn range_rad_s(which: Loop) -> [f64; 2] {
        [LEAST_RAD_S, PI / which.period_s()]
    }

    /// The margins of the loops `of` about each axis, in their order: those of [`Linearised::margins`] for
    /// a fraction of the work, since all loops of one clock have their sensitivities from one inverse.
    pub fn all_margins(&self, of: &[Loop]) -> Vec<(Loop, usize, Margins)> {
        let known = RefCell::new(BTreeMap::new());
        let response = |which: Loop, axis: usize, frequency: f64| {
            if which == Loop::Thrust {
                return self.response(which, axis, frequency);
            }
            let mut known = known.borrow_mut();
            let key = (which.is_inner(), frequency.to_bits());
            let sensitivities = known
                .entry(key)
                .or_insert_with(|| self.sensitivities(which, frequency));
            opened(sensitivities, which, axis)
        };
        let loops = of.iter().flat_map(|l| [0, 1, 2].map(|axis| (*l, axis)));
        let margins = |(which, axis): (Loop, usize)| {
            let at = |frequency: f64| response(which, axis, frequency);
            (which, axis, Margins::of(&self.as_response(which, &at)))
        };
        loops.map(margins).collect()
    }

    /// The margins of a loop, which mean something where the vehicle is stable
    /// ([`Linearised::mode`]).
    pub fn margins(&self, which: Loop, axis: usize) -> Margins {
        let at = |frequency: f64| self.response(which, axis, frequency);
        Margins::of(&self.as_response(which, &at))
    }

    /// A loop that answers so at a frequency [rad/s].
    pub(super) fn as_response<'a>(
        &self,
        which: Loop,
        at: &'a dyn Fn(f64) -> Complex<f64>,
    ) -> Response<'a> {
        Response {
            at,
            delay_s: f64::from(self.cascade.delay_periods) * CONTROL_PERIOD_S,
            range_rad_s: Linearised::range_rad_s(which),
            ends_at_nyquist: true,
        }
    }

    /// Sensitivities of rate setpoints and torques, the position loop's samples by their
    /// fundamental.
    fn inner(&self, frequency: f64) -> Sensitivities {
        let z = Complex::from_polar(1.0, frequency * CONTROL_PERIOD_S);
        let plant = self.seen(z);
        let hold = held(z) / POSITION_TICKS as f64;
        let [on_position, on_velocity] = self.cascade.gains.outer(frequency);
        let aim = self.aim(z);
        // Acceleration a = C y, thrust and attitude from it, y = P_T T + P_τ τ.
        let by_output = |input: usize| {
            let position = plant
                .fixed_view::<3, 1>(0, input)
                .component_mul(&on_position);
            let velocity = plant
                .fixed_view::<3, 1>(3, input)
                .component_mul(&on_velocity);
            -(position + velocity) * hold
        };
        let thrust = by_output(0) * aim.fixed_view::<1, 3>(3, 0);
        let torque = Complex3::from_columns(&[by_output(1), by_output(2), by_output(3)]);
        let closed = (Complex3::identity() - thrust).try_inverse();
        let acceleration = closed.unwrap_or_else(Complex3::zeros) * torque;
        // y by torque with the position loop closed.
        let lift =
            plant.fixed_view::<OUTPUTS, 1>(0, 0) * (aim.fixed_view::<1, 3>(3, 0) * acceleration);
        let by_torque = plant.fixed_view::<OUTPUTS, 3>(0, 1) + lift;
        let wanted = aim.fixed_view::<3, 3>(0, 0) * acceleration;
        let [on_setpoint, on_rate] = self.cascade.gains.inner(z);
        let setpoint = self.attitude() * (wanted - by_torque.fixed_view::<3, 3>(6, 0));
        let damping = -diagonal(&on_rate) * by_torque.fixed_view::<3, 3>(9, 0);
        let mut open = Sensitivities::identity();
        open.fixed_view_mut::<3, 3>(0, 3).copy_from(&-setpoint);
        open.fixed_view_mut::<3, 3>(3, 0)
            .copy_from(&-diagonal(&on_setpoint));
        let mut own = open.fixed_view_mut::<3, 3>(3, 3);
        own -= damping;
        open.try_inverse().unwrap_or_else(SMatrix::zeros)
    }

    /// Sensitivities of thrust and torques with all loops closed, the position loop's samples by their fundamental.
    fn commands(&self, frequency: f64) -> SMatrix<Complex<f64>, INPUTS, INPUTS> {
        let z = Complex::from_polar(1.0, frequency * CONTROL_PERIOD_S);
        let delay = z.powi(-i32::try_from(self.cascade.delay_periods).unwrap_or(i32::MAX));
        let plant = self.cascade.plant.at(z) * delay;
        let hold = held(z) / POSITION_TICKS as f64;
        let [on_position, on_velocity] = self.cascade.gains.outer(frequency);
        let mut wish = SMatrix::<Complex<f64>, 3, OUTPUTS>::zeros();
        wish.fixed_view_mut::<3, 3>(0, 0)
            .copy_from(&(-diagonal(&on_position) * hold));
        wish.fixed_view_mut::<3, 3>(0, 3)
            .copy_from(&(-diagonal(&on_velocity) * hold));
        let asked = self.aim(z) * wish;
        let mut thrust = asked.fixed_rows::<1>(3).into_owned();
        if let Some([on_error, felt]) = self.cascade.gains.vertical(z) {
            thrust[5] -= on_error * felt * self.cascade.lean[1];
        }
        let mut turn = asked.fixed_rows::<3>(0).into_owned();
        let mut seen = turn.fixed_view_mut::<3, 3>(0, 6);
        seen -= Complex3::identity();
        let [on_setpoint, on_rate] = self.cascade.gains.inner(z);
        let mut torque = diagonal(&on_setpoint) * self.attitude() * turn;
        let mut damping = torque.fixed_view_mut::<3, 3>(0, 9);
        damping -= diagonal(&on_rate);
        let mut feedback = SMatrix::<Complex<f64>, INPUTS, OUTPUTS>::zeros();
        feedback.fixed_rows_mut::<1>(0).copy_from(&thrust);
        feedback.fixed_rows_mut::<3>(1).copy_from(&torque);
        let open = SMatrix::identity() - feedback * plant;
        open.try_inverse().unwrap_or_else(SMatrix::zeros)
    }

    /// Sensitivities of accelerations, whole and by kd, at the position loop's samples.
    fn outer(&self, frequency: f64) -> Sensitivities {
        let sampled = match self.lifted() {
            Some(lifted) => lifted.at(Complex::from_polar(1.0, frequency * POSITION_PERIOD_S)),
            None => self.aliased(frequency),
        };
        let [on_position, on_velocity] = self.cascade.gains.outer(frequency);
        let position = diagonal(&on_position) * sampled.fixed_view::<3, 3>(0, 0);
        let velocity = diagonal(&on_velocity) * sampled.fixed_view::<3, 3>(3, 0);
        let mut open = Sensitivities::identity();
        let mut whole = open.fixed_view_mut::<3, 3>(0, 0);
        whole += position;
        open.fixed_view_mut::<3, 3>(0, 3)
            .copy_from(&-Complex3::identity());
        open.fixed_view_mut::<3, 3>(3, 0).copy_from(&velocity);
        open.try_inverse().unwrap_or_else(SMatrix::zeros)
    }

    /// What the position loop sees of the others; `None` where that has too many states.
    pub(super) fn lifted(&self) -> Option<&Lifted> {
        let lifted = self.lifted.get_or_init(|| Lifted::of(&self.cascade));
        lifted.as_ref()
    }

    /// Measured position and velocity at the position loop's samples for a wanted acceleration: all the
    /// frequencies that look alike there.
    fn aliased(&self, frequency: f64) -> SMatrix<Complex<f64>, 6, 3> {
        let ticks = POSITION_TICKS as f64;
        let at = |alias: usize| {
            let turn = frequency * CONTROL_PERIOD_S + TAU * alias as f64 / ticks;
            let z = Complex::from_polar(1.0, turn);
            self.closed_inner(z) * (held(z) / ticks)
        };
        (0..POSITION_TICKS as usize).map(at).sum()
    }

    /// Measured position and velocity for a wanted acceleration, with the inner loops closed.
    fn closed_inner(&self, z: Complex<f64>) -> SMatrix<Complex<f64>, 6, 3> {
        let plant = self.seen(z);
        let aim = self.aim(z);
        let [on_setpoint, on_rate] = self.cascade.gains.inner(z);
        let on_attitude = diagonal(&on_setpoint) * self.attitude();
        let feedback = |y: SMatrix<Complex<f64>, OUTPUTS, 3>| {
            on_attitude * y.fixed_view::<3, 3>(6, 0)
                + diagonal(&on_rate) * y.fixed_view::<3, 3>(9, 0)
        };
        let by_thrust = plant.fixed_view::<OUTPUTS, 1>(0, 0) * aim.fixed_view::<1, 3>(3, 0);
        let by_torque = plant.fixed_view::<OUTPUTS, 3>(0, 1).into_owned();
        let closed = (Complex3::identity() + feedback(by_torque)).try_inverse();
        let asked = on_attitude * aim.fixed_view::<3, 3>(0, 0) - feedback(by_thrust);
        let torque = closed.unwrap_or_else(Complex3::zeros) * asked;
        (by_thrust + by_torque * torque)
            .fixed_view::<6, 3>(0, 0)
            .into_owned()
    }

    /// Rate setpoints by turns of the vehicle.
    fn attitude(&self) -> Complex3 {
        let gains = Matrix3::from_diagonal(&self.cascade.gains.attitude);
        (gains * self.cascade.errors).map(Complex::from)
    }

    /// Turn and thrust by wanted acceleration, the loop on the vertical acceleration with them.
    fn aim(&self, z: Complex<f64>) -> SMatrix<Complex<f64>, 4, 3> {
        let mut aim = self.cascade.aim.map(Complex::from);
        if let Some([on_error, _]) = self.cascade.gains.vertical(z) {
            let [of_wish, of_law] = self.cascade.lean;
            aim[(3, 2)] += on_error * of_law - of_wish;
        }
        aim
    }

    /// The vehicle as its sensors see it, with the loop on the vertical acceleration closed.
    fn seen(&self, z: Complex<f64>) -> Plant {
        let delay = z.powi(-i32::try_from(self.cascade.delay_periods).unwrap_or(i32::MAX));
        let plant = self.cascade.plant.at(z) * delay;
        let Some([on_error, felt]) = self.cascade.gains.vertical(z) else {
            return plant;
        };
        // The thrust is what is asked for less C times the climb, which thrust and torques move.
        let on_climb = on_error * felt * self.cascade.lean[1];
        let climb = plant.fixed_view::<1, INPUTS>(5, 0).into_owned();
        let by_thrust = plant.fixed_view::<OUTPUTS, 1>(0, 0).into_owned();
        plant - by_thrust * climb * (on_climb / (climb[0] * on_climb + 1.0))
    }
}

/// A sample held over the periods of the position loop.
fn held(z: Complex<f64>) -> Complex<f64> {
    (0..POSITION_TICKS as i32).map(|k| z.powi(-k)).sum()
}

fn diagonal(values: &Vector3<Complex<f64>>) -> Complex3 {
    Complex3::from_diagonal(values)
}

#[cfg(test)]
mod tests;
