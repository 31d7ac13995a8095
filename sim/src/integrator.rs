//! Integrator: moves one vehicle through time in steps of one length.
//!
//! Rotor speeds have an exact solution under a held command; body motion is integrated by the
//! classical fourth-order Runge-Kutta method with the wind held over the step.

use crate::contact::{Contact, Touch};
use crate::quadrotor::{Quadrotor, RotorEffect, State};
use nalgebra::{Quaternion, UnitQuaternion, Vector3};

/// Integration of one vehicle in steps of one length. It remembers what the rotors did at the end
/// of the last step, which is what they do at the start of the next.
#[derive(Debug, Clone)]
pub struct Integrator<'a> {
    quadrotor: &'a Quadrotor,
    dt_s: f64,
    /// What is left of a rotor's distance from its command after half a step.
    decay: f64,
    last: Option<RotorEffect>,
}

impl<'a> Integrator<'a> {
    /// Steps of `dt_s` [s] for `quadrotor`.
    pub fn new(quadrotor: &'a Quadrotor, dt_s: f64) -> Integrator<'a> {
        Integrator {
            quadrotor,
            dt_s,
            decay: (-0.5 * dt_s / quadrotor.lag_s()).exp(),
            last: None,
        }
    }

    /// One step: see [`Quadrotor::step`].
    pub fn step(&mut self, state: &mut State, command_rad_s: &[f64; 4], wind_m_s: &Vector3<f64>) {
        let (plant, dt_s) = (self.quadrotor, self.dt_s);
        let half_s = 0.5 * dt_s;
        let middle_rad_s = plant.lagged(&state.rotors_rad_s, command_rad_s, self.decay);
        let end_rad_s = plant.lagged(&middle_rad_s, command_rad_s, self.decay);
        // Whoever changed the rotor speeds in between gets them evaluated afresh.
        let start = match self.last.take() {
            Some(last) if last.speeds_rad_s == state.rotors_rad_s => last,
            _ => plant.rotor_effect(&state.rotors_rad_s),
        };
        let middle = plant.rotor_effect(&middle_rad_s);
        let end = plant.rotor_effect(&end_rad_s);

        let body = Motion::of(state);
        let k1 = plant.rate(&body, &start, wind_m_s);
        let k2 = plant.rate(&body.advanced(&k1, half_s), &middle, wind_m_s);
        let k3 = plant.rate(&body.advanced(&k2, half_s), &middle, wind_m_s);
        let k4 = plant.rate(&body.advanced(&k3, dt_s), &end, wind_m_s);
        let moved = body.combined(&k1, &k2, &k3, &k4, dt_s);

        state.position_m = moved.position;
        state.velocity_m_s = moved.velocity;
        state.attitude = UnitQuaternion::new_normalize(moved.attitude);
        state.rates_rad_s = moved.rates;
        state.rotors_rad_s = end_rad_s;
        self.last = Some(end);
    }
}

impl Integrator<'_> {
    /// One step of a vehicle that touches things or may do so: the rotors as in free flight, the
    /// body by the contact solver, under the forces at the start of the step with the rotors of
    /// its middle.
    pub fn step_in_contact(
        &mut self,
        contact: &mut Contact,
        state: &mut State,
        command_rad_s: &[f64; 4],
        wind_m_s: &Vector3<f64>,
    ) -> Option<Touch> {
        let plant = self.quadrotor;
        let middle_rad_s = plant.lagged(&state.rotors_rad_s, command_rad_s, self.decay);
        let rotors = plant.rotor_effect(&middle_rad_s);
        let wrench = plant.body_wrench(&Motion::of(state), &rotors, wind_m_s);
        let force_world_n = state.attitude * wrench.force_n;
        let touch = contact.step(state, &force_world_n, &wrench.moment_n_m);
        state.rotors_rad_s = plant.lagged(&middle_rad_s, command_rad_s, self.decay);
        touch
    }
}

/// Body part of the state, or its time derivative.
#[derive(Clone, Copy)]
pub(crate) struct Motion {
    pub(crate) position: Vector3<f64>,
    pub(crate) velocity: Vector3<f64>,
    pub(crate) attitude: Quaternion<f64>,
    pub(crate) rates: Vector3<f64>,
}

impl Motion {
    pub(crate) fn of(state: &State) -> Motion {
        Motion {
            position: state.position_m,
            velocity: state.velocity_m_s,
            attitude: state.attitude.into_inner(),
            rates: state.rates_rad_s,
        }
    }

    /// self + h (k₁ + 2 k₂ + 2 k₃ + k₄) / 6
    #[inline]
    fn combined(&self, k1: &Motion, k2: &Motion, k3: &Motion, k4: &Motion, h: f64) -> Motion {
        let sixth = h / 6.0;
        Motion {
            position: self.position
                + (k1.position + (k2.position + k3.position) * 2.0 + k4.position) * sixth,
            velocity: self.velocity
                + (k1.velocity + (k2.velocity + k3.velocity) * 2.0 + k4.velocity) * sixth,
            attitude: self.attitude
                + (k1.attitude + (k2.attitude + k3.attitude) * 2.0 + k4.attitude) * sixth,
            rates: self.rates + (k1.rates + (k2.rates + k3.rates) * 2.0 + k4.rates) * sixth,
        }
    }

    /// self + h · rate
    #[inline]
    fn advanced(&self, rate: &Motion, h: f64) -> Motion {
        Motion {
            position: self.position + rate.position * h,
            velocity: self.velocity + rate.velocity * h,
            attitude: self.attitude + rate.attitude * h,
            rates: self.rates + rate.rates * h,
        }
    }
}
