//! Integrator: moves vehicles through time in steps of one length.
//!
//! Rotor speeds have an exact solution under a held command; body motion is integrated by the
//! classical fourth-order Runge-Kutta method with the wind held over the step.

use crate::lanes::Real;
use crate::lanes::axes::Axes;
use crate::vehicle::contact::{Contact, Touch};
use crate::vehicle::plant::{Motion, Plant, RotorEffect};
use crate::vehicle::quadrotor::Quadrotor;
use crate::vehicle::state::State;
use nalgebra::Vector3;

/// Integration of one vehicle, or of one in each lane, in steps of one length. It remembers what
/// the rotors did at the end of the last step, which is what they do at the start of the next.
#[derive(Debug, Clone)]
pub(crate) struct Stepper<R> {
    dt_s: f64,
    /// What is left of a rotor's distance from its command after half a step.
    decay: R,
    rotors: RotorEffect<R>,
}

impl<R: Real> Stepper<R> {
    /// Steps of `dt_s` [s] for `plant`, whose rotors turn at `speeds` [rad/s].
    pub(crate) fn new(plant: &Plant<R>, dt_s: f64, speeds: &[R; 4]) -> Stepper<R> {
        let lag_s = plant.lag_s;
        Stepper {
            dt_s,
            decay: lag_s.fill(|k| (-0.5 * dt_s / lag_s.lane(k)).exp()),
            rotors: plant.rotor_effect(speeds),
        }
    }

    /// Speed of each rotor [rad/s].
    #[inline(always)]
    pub(crate) fn speeds(&self) -> &[R; 4] {
        &self.rotors.speeds
    }

    /// Length of a step [s].
    pub(crate) fn dt_s(&self) -> f64 {
        self.dt_s
    }

    /// One step: the body's motion and the rotor speeds at its end.
    #[inline(always)]
    pub(crate) fn step(
        &mut self,
        plant: &Plant<R>,
        body: &Motion<R>,
        command: &[R; 4],
        wind: Axes<R>,
    ) -> (Motion<R>, [R; 4]) {
        let (dt_s, half_s) = (self.dt_s, 0.5 * self.dt_s);
        let start = &plant.spinning_up(self.rotors, command);
        let middle_speeds = plant.lagged(&start.speeds, command, self.decay);
        let end_speeds = plant.lagged(&middle_speeds, command, self.decay);

        // In this order the rotors' share, which waits for nothing, fills the processor while it
        // waits for a stage to end.
        let (k1, near) = plant.rate(body, start, wind);
        let middle = plant.spinning_up(plant.rotor_effect(&middle_speeds), command);
        let k2 = plant.rate_near(&body.advanced(&k1, half_s), &middle, wind, &near);
        let end = plant.rotor_effect(&end_speeds);
        let k3 = plant.rate_near(&body.advanced(&k2, half_s), &middle, wind, &near);
        let last = plant.spinning_up(end, command);
        let k4 = plant.rate_near(&body.advanced(&k3, dt_s), &last, wind, &near);
        let sum = (k1 + k4).advanced(&(k2 + k3), 2.0);
        let mut moved = body.advanced(&sum, dt_s / 6.0);
        moved.attitude = moved.attitude.normalised();
        self.rotors = end;
        (moved, end_speeds)
    }

    /// One step of a vehicle that touches things or may do so: the rotors as in free flight, the
    /// body by the contact solver, under the forces at the start of the step with the rotors of
    /// its middle. For a single lane.
    pub(crate) fn step_in_contact(
        &mut self,
        plant: &Plant<R>,
        contact: &mut Contact,
        state: &mut State,
        command: &[R; 4],
        wind: Axes<R>,
    ) -> Option<Touch> {
        let speeds = plant.lagged(&self.rotors.speeds, command, self.decay);
        let rotors = plant.spinning_up(plant.rotor_effect(&speeds), command);
        let wrench = plant.body_wrench(&Motion::of(wind.x, state), &rotors, wind);
        let force_world_n = state.attitude * wrench.force.lane(0);
        let touch = contact.step(state, &force_world_n, &wrench.moment.lane(0));
        self.rotors = plant.rotor_effect(&plant.lagged(&speeds, command, self.decay));
        state.rotors_rad_s = self.rotors.speeds.map(|n| n.lane(0));
        touch
    }
}

/// Integration of one vehicle in steps of one length, with the portable instructions: the flights
/// of [`Instructions::Portable`](crate::Instructions::Portable) to the last bit, all others but for
/// rounding.
#[derive(Debug, Clone)]
pub struct Integrator<'a> {
    quadrotor: &'a Quadrotor,
    stepper: Stepper<f64>,
}

impl<'a> Integrator<'a> {
    /// Steps of `dt_s` [s] for `quadrotor`.
    pub fn new(quadrotor: &'a Quadrotor, dt_s: f64) -> Integrator<'a> {
        Integrator {
            quadrotor,
            stepper: Stepper::new(&quadrotor.plant, dt_s, &[0.0; 4]),
        }
    }

    /// One step: see [`Quadrotor::step`].
    #[inline(always)]
    pub fn step(&mut self, state: &mut State, command_rad_s: &[f64; 4], wind_m_s: &Vector3<f64>) {
        let (plant, stepper) = (&self.quadrotor.plant, &mut self.stepper);
        // Whoever changed the rotor speeds in between gets them evaluated afresh.
        if stepper.rotors.speeds != state.rotors_rad_s {
            stepper.rotors = plant.rotor_effect(&state.rotors_rad_s);
        }
        let body = Motion::of(0.0, state);
        let (moved, speeds) = stepper.step(plant, &body, command_rad_s, Axes::from(wind_m_s));
        *state = moved.state(&speeds, 0);
    }
}

impl Quadrotor {
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
}
