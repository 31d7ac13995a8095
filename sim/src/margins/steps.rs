//! Steps: how the linear cascade answers a step of a setpoint.

use super::cascade::Setpoint;
use super::loops::{Linearised, Loop};
use crate::{CONTROL_PERIOD_S, POSITION_TICKS};
use nalgebra::{DVector, Vector3};
use serde::Serialize;

/// Within this of the step an answer has settled.
pub const SETTLED: f64 = 0.02;

/// The answer to a unit step of one axis of a setpoint, the loops outside of it open.
#[derive(Debug, Clone, PartialEq)]
pub struct StepResponse {
    /// Every millisecond from the step on, which is at 0 s, as a share of the step.
    pub values: Vec<f64>,
}

/// What is said of an answer to a step.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct StepFigures {
    /// Time from a tenth to nine tenths of the step [s]; `None` if it gets not so far.
    pub rise_s: Option<f64>,
    /// How far beyond the step it goes, as a share of it.
    pub overshoot: f64,
    /// From when on it stays within [`SETTLED`] of the step [s]; `None` if it does not.
    pub settling_s: Option<f64>,
}

impl Linearised {
    /// The answer of position, attitude or rate to a step of its setpoint, for so long; `None` for the
    /// velocity loop, which has no setpoint of its own.
    pub fn step_response(&self, which: Loop, axis: usize, duration_s: f64) -> Option<StepResponse> {
        let (setpoint, output) = unit(which, axis)?;
        let periods = (duration_s / CONTROL_PERIOD_S).round() as usize;
        let cascade = &self.cascade;
        let mut all = DVector::zeros(cascade.size());
        let mut values = Vec::with_capacity(periods + 1);
        // What is fed back is late; the cascade delays commands in place of measurements, so that its
        // output comes as much later.
        let late = cascade.delay_periods as usize;
        for period in 0..=periods + late {
            if period >= late {
                values.push(all[output]);
            }
            let positions = which == Loop::Position && period % POSITION_TICKS as usize == 0;
            cascade.step_towards(&mut all, positions, &setpoint);
        }
        Some(StepResponse { values })
    }
}

impl StepResponse {
    /// Its figures.
    pub fn figures(&self) -> StepFigures {
        figures(&self.values, CONTROL_PERIOD_S)
    }
}

/// The figures of an answer with these values, one each `period_s`.
pub(crate) fn figures(values: &[f64], period_s: f64) -> StepFigures {
    let first = |share: f64| values.iter().position(|value| *value >= share);
    let time_s = |period: usize| period as f64 * period_s;
    let rise = first(0.1).zip(first(0.9));
    let greatest = values.iter().copied().fold(0.0, f64::max);
    let last_off = values
        .iter()
        .rposition(|value| (value - 1.0).abs() > SETTLED);
    let settled = last_off.map_or(0, |period| period + 1);
    StepFigures {
        rise_s: rise.map(|(low, high)| time_s(high - low)),
        overshoot: (greatest - 1.0).max(0.0),
        settling_s: (settled < values.len()).then(|| time_s(settled)),
    }
}

/// A unit step of one axis of a loop's setpoint, and which state follows it; `None` for a loop without a
/// setpoint of its own.
fn unit(which: Loop, axis: usize) -> Option<(Setpoint, usize)> {
    let mut step = Vector3::zeros();
    step[axis] = 1.0;
    let mut setpoint = Setpoint::default();
    let from = match which {
        Loop::Position => {
            setpoint.position = step;
            0
        }
        Loop::Attitude => {
            setpoint.attitude = step;
            6
        }
        Loop::Rate => {
            setpoint.rate = Some(step);
            9
        }
        Loop::Thrust | Loop::Velocity => return None,
    };
    Some((setpoint, from + axis))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Airframe;

    /// A rate loop with a proportional gain alone around rotors that lag: τ s² + s + k.
    fn second_order(damping: f64, delay_periods: u32) -> (StepResponse, impl Fn(f64) -> f64) {
        let mut airframe = Airframe::omac();
        let (lag_s, moment) = (0.4, airframe.inertia()[(0, 0)]);
        airframe.rotors.lag_s = lag_s;
        // In still air a side force has no slope that a difference could measure.
        airframe.side_force = None;
        let gain_per_s = 1.0 / (4.0 * damping * damping * lag_s);
        airframe.gains.rate_kp[0] = gain_per_s * moment;
        airframe.gains.rate_ki = [0.0; 3];
        airframe.gains.rate_kd = [0.0; 3];
        let gains = airframe.gains;
        let linear = Linearised::hover(&airframe, &gains, delay_periods, Vector3::zeros());
        let response = linear
            .step_response(Loop::Rate, 0, 12.0)
            .expect("a setpoint");
        let natural = (gain_per_s / lag_s).sqrt();
        let turning = natural * (1.0 - damping * damping).sqrt();
        let exact = move |t_s: f64| {
            let decay = (-damping * natural * t_s).exp();
            let (sin, cos) = (turning * t_s).sin_cos();
            1.0 - decay * (cos + damping * natural / turning * sin)
        };
        (response, exact)
    }

    #[test]
    fn a_rate_loop_answers_as_a_system_of_second_order_does() {
        for damping in [0.3f64, 0.5, 0.7] {
            let (response, exact) = second_order(damping, 0);
            assert_eq!(response.values.len(), 12_001);
            for (period, value) in response.values.iter().enumerate() {
                let exact = exact(1e-3 * period as f64);
                // A command is held for a millisecond.
                let off = (value - exact).abs();
                assert!(off < 0.005, "{damping}, {period} ms: {value} {exact}");
            }
            let figures = response.figures();
            let ratio = std::f64::consts::PI * damping / (1.0 - damping * damping).sqrt();
            let overshoot = (-ratio).exp();
            assert!(
                (figures.overshoot - overshoot).abs() < 0.005,
                "{figures:?} {overshoot}"
            );
            let settled =
                (0..12_000).rfind(|k| (exact(1e-3 * f64::from(*k)) - 1.0).abs() > SETTLED);
            let settled_s = 1e-3 * f64::from(settled.expect("begins at 0"));
            let found_s = figures.settling_s.expect("settles");
            assert!(
                (found_s - settled_s).abs() < 0.02 * settled_s,
                "{found_s} {settled_s}"
            );
            assert!(figures.rise_s.expect("gets there") > 0.0);
        }
    }

    #[test]
    fn a_late_measurement_delays_no_answer_but_makes_it_overshoot() {
        let [prompt, late] = [0, 100].map(|delay| second_order(0.5, delay).0);
        // Nothing is fed back before the delay is over.
        let answered = |response: &StepResponse| response.values[100];
        assert!(answered(&prompt) > 0.0 && (answered(&late) / answered(&prompt) - 1.0).abs() < 0.1);
        assert!(late.figures().overshoot > prompt.figures().overshoot + 0.05);
        let linear = Linearised::hover(
            &Airframe::omac(),
            &Airframe::omac().gains,
            0,
            Vector3::zeros(),
        );
        assert!(linear.step_response(Loop::Velocity, 0, 1.0).is_none());
        // The cascade ends on the setpoint, its integral last.
        for (which, axis) in [
            (Loop::Position, 0),
            (Loop::Position, 2),
            (Loop::Attitude, 1),
        ] {
            let response = linear.step_response(which, axis, 20.0).expect("a setpoint");
            let last = response.values.last().expect("some");
            assert!((last - 1.0).abs() < 0.05, "{which:?} {axis}: {last}");
        }
    }
}
