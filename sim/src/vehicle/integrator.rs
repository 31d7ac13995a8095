//! Integrator: moves vehicles through time in steps of one length.
//!
//! Rotor speeds have an exact solution under a held command; body motion is integrated by the
//! classical fourth-order Runge-Kutta method with the wind held over the step.

use crate::lanes::Real;
use crate::lanes::axes::Axes;
use crate::vehicle::contact::{Contact, Touch};
use crate::vehicle::multirotor::Multirotor;
use crate::vehicle::per_rotor::{MOST_ROTORS, PerRotor};
use crate::vehicle::plant::{Motion, Plant, RotorEffect};
use crate::vehicle::rotors::of_lane;
use crate::vehicle::state::State;
use nalgebra::Vector3;

/// Integration of one vehicle, or of one in each lane, in steps of one length. It remembers what
/// the rotors did at the end of the last step, which is what they do at the start of the next.
#[derive(Debug, Clone)]
pub(crate) struct Stepper<R, const N: usize> {
    dt_s: f64,
    /// What is left of a rotor's distance from its command after half a step.
    decay: R,
    rotors: RotorEffect<R, N>,
}

impl<R: Real, const N: usize> Stepper<R, N> {
    /// Steps of `dt_s` [s] for `plant`, whose rotors turn at `speeds` [rad/s].
    pub(crate) fn new(plant: &Plant<R, N>, dt_s: f64, speeds: &[R; N]) -> Stepper<R, N> {
        let lag_s = plant.lag_s;
        Stepper {
            dt_s,
            decay: lag_s.fill(|k| (-0.5 * dt_s / lag_s.lane(k)).exp()),
            rotors: plant.rotor_effect(speeds),
        }
    }

    /// Speed of each rotor [rad/s].
    #[inline(always)]
    pub(crate) fn speeds(&self) -> &[R; N] {
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
        plant: &Plant<R, N>,
        body: &Motion<R>,
        command: &[R; N],
        wind: Axes<R>,
    ) -> (Motion<R>, [R; N]) {
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
        plant: &Plant<R, N>,
        contact: &mut Contact,
        state: &mut State,
        command: &[R; N],
        wind: Axes<R>,
    ) -> Option<Touch> {
        let speeds = plant.lagged(&self.rotors.speeds, command, self.decay);
        let rotors = plant.spinning_up(plant.rotor_effect(&speeds), command);
        let wrench = plant.body_wrench(&Motion::of(wind.x, state), &rotors, wind);
        let force_world_n = state.attitude * wrench.force.lane(0);
        let touch = contact.step(state, &force_world_n, &wrench.moment.lane(0));
        self.rotors = plant.rotor_effect(&plant.lagged(&speeds, command, self.decay));
        state.rotors_rad_s = of_lane(&self.rotors.speeds, plant.count, 0);
        touch
    }

    /// From now on `rotor` stands still and gives nothing.
    pub(crate) fn stop(&mut self, plant: &mut Plant<R, N>, rotor: usize) {
        plant.stopped = Some(rotor);
        let mut speeds = self.rotors.speeds;
        speeds[rotor] = plant.lag_s.like(0.0);
        self.rotors = plant.rotor_effect(&speeds);
    }
}

/// Integration of one vehicle in steps of one length, with the portable instructions: the flights
/// of [`Instructions::Portable`](crate::Instructions::Portable) to the last bit, all others but for
/// rounding.
#[derive(Debug, Clone)]
pub struct Integrator<'a> {
    multirotor: &'a Multirotor,
    stepper: Stepper<f64, MOST_ROTORS>,
}

impl<'a> Integrator<'a> {
    /// Steps of `dt_s` [s] for `multirotor`.
    pub fn new(multirotor: &'a Multirotor, dt_s: f64) -> Integrator<'a> {
        Integrator {
            multirotor,
            stepper: Stepper::new(&multirotor.plant, dt_s, &[0.0; MOST_ROTORS]),
        }
    }

    /// One step: see [`Multirotor::step`].
    #[inline(always)]
    pub fn step(&mut self, state: &mut State, command_rad_s: &PerRotor, wind_m_s: &Vector3<f64>) {
        let (plant, stepper) = (&self.multirotor.plant, &mut self.stepper);
        // Whoever changed the rotor speeds in between gets them evaluated afresh.
        let speeds = state.rotors_rad_s.padded();
        if stepper.rotors.speeds != speeds {
            stepper.rotors = plant.rotor_effect(&speeds);
        }
        let (body, command) = (Motion::of(0.0, state), command_rad_s.padded());
        let (moved, speeds) = stepper.step(plant, &body, &command, Axes::from(wind_m_s));
        *state = moved.state(of_lane(&speeds, plant.count, 0), 0);
    }
}

impl Multirotor {
    /// Moves `state` on by `dt_s`, with the commanded rotor speeds [rad/s] and the wind velocity
    /// in the world frame [m/s] held. A command outside the rotors' range is clipped before the
    /// lag. For many steps of one length an [`Integrator`] does the same with less work.
    pub fn step(
        &self,
        state: &mut State,
        command_rad_s: &PerRotor,
        wind_m_s: &Vector3<f64>,
        dt_s: f64,
    ) {
        Integrator::new(self, dt_s).step(state, command_rad_s, wind_m_s);
    }
}
