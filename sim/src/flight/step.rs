//! Step: how a flight answers a step of its position setpoint, with all that limits it: tilt, thrust, rates and
//! integrals of the controller, and rotors that reach their ends. The loops' linear answer knows none of these.

use super::{Setup, Start, fly};
use crate::control::CONTROL_PERIOD_S;
use crate::control::sensors::SensorNoise;
use crate::margins::{StepFigures, figures};
use crate::vehicle::airframe::Gains;
use crate::wind::Steady;
use crate::world::World;
use nalgebra::Vector3;
use trajectories::{Reference, Trajectory};

/// When the setpoint steps: at a sample of the position loop [s].
const AT_S: f64 = 0.1;

/// Control periods from one sample to the next.
const EVERY: u32 = 10;

/// Hover, and from [`AT_S`] on hover elsewhere.
struct Step {
    to_m: Vector3<f64>,
    lasts_s: f64,
}

impl Trajectory for Step {
    fn name(&self) -> &str {
        "step"
    }

    fn duration_s(&self) -> f64 {
        AT_S + self.lasts_s
    }

    fn at(&self, t_s: f64) -> Reference {
        let stepped = t_s > AT_S - 0.5 * CONTROL_PERIOD_S;
        Reference {
            position_m: if stepped { self.to_m } else { Vector3::zeros() },
            velocity_m_s: Vector3::zeros(),
            acceleration_m_s2: Vector3::zeros(),
            yaw_rad: 0.0,
        }
    }
}

/// What is said of the answer of the nominal vehicle of `setup`, in still air and seen without noise, to a step of
/// its position setpoint by `step_m` [m], for `lasts_s` [s]; `None` if that loses the vehicle.
pub fn step_in_flight(
    setup: &Setup,
    gains: &Gains,
    step_m: Vector3<f64>,
    lasts_s: f64,
) -> Option<StepFigures> {
    let setup = Setup {
        sensors: SensorNoise {
            delay_periods: setup.sensors.delay_periods,
            ..SensorNoise::NONE
        },
        world: World::empty(),
        record_every: EVERY,
        start: Start::Equilibrium,
        instructions: setup.instructions,
        ..Setup::new(setup.airframe.clone())
    };
    let step = Step {
        to_m: step_m,
        lasts_s,
    };
    let flight = fly(&setup, &step, gains, &mut Steady(Vector3::zeros()), 0);
    let answers = flight.samples.iter().filter(|s| s.time_s >= AT_S);
    let share = |at: Vector3<f64>| at.dot(&step_m) / step_m.norm_squared();
    let values: Vec<f64> = answers.map(|s| share(s.state.position_m)).collect();
    let every_s = f64::from(EVERY) * CONTROL_PERIOD_S;
    flight.completed().then(|| figures(&values, every_s))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Airframe;
    use crate::margins::{Linearised, Loop};

    /// Figures of the flown and of the linear answer to a step of `height_m` upwards.
    fn both(airframe: &Airframe, gains: &Gains, height_m: f64) -> [StepFigures; 2] {
        let mut setup = Setup::new(airframe.clone());
        setup.sensors.delay_periods = 3;
        let flown = step_in_flight(&setup, gains, Vector3::z() * height_m, 8.0);
        let linear = Linearised::hover(airframe, gains, 3, Vector3::zeros());
        let linear = linear.step_response(Loop::Position, 2, 8.0);
        [
            flown.expect("completed"),
            linear.expect("has a setpoint").figures(),
        ]
    }

    #[test]
    fn a_small_step_is_that_of_the_linear_loops_and_a_large_one_goes_further() {
        let airframe = Airframe::by_name("crazyflie").expect("shipped");
        let [flown, linear] = both(&airframe, &airframe.gains, 0.02);
        assert!(
            (flown.overshoot - linear.overshoot).abs() < 2e-3,
            "{flown:?} {linear:?}"
        );
        let apart = flown.settling_s.expect("settles") - linear.settling_s.expect("settles");
        assert!(apart.abs() < 0.03, "{flown:?} {linear:?}");
        // The thrust and its integral reach their ends.
        let [flown, _] = both(&airframe, &airframe.gains, 3.0);
        assert!(flown.overshoot > 2.0 * linear.overshoot, "{flown:?}");
    }

    #[test]
    fn a_step_that_loses_the_vehicle_has_no_figures() {
        let airframe = Airframe::omac();
        let setup = Setup::new(airframe.clone());
        let step = |gains: &Gains| step_in_flight(&setup, gains, Vector3::x(), 8.0);
        assert!(step(&airframe.gains).is_some());
        let mut away = airframe.gains;
        away.position_xy.kp = -6.0;
        assert_eq!(step(&away), None);
    }
}
