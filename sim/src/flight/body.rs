//! Body: who moves the vehicle, our integrator in free flight or the contact solver near a surface.

use super::Setup;
use crate::lanes::Real;
use crate::lanes::axes::Axes;
use crate::vehicle::contact::{Contact, Hull, Touch};
use crate::vehicle::integrator::Stepper;
use crate::vehicle::plant::{Motion, Plant};
use crate::vehicle::state::State;
use crate::{Airframe, World};
use nalgebra::Vector3;

/// The vehicle's body: in free flight our integrator moves it, near a surface the contact solver.
pub(super) struct Body<'a, R> {
    plant: Plant<R>,
    stepper: Stepper<R>,
    vehicle: &'a Airframe,
    world: &'a World,
    hull: Hull,
    dt_s: f64,
    /// Clearance at which a vehicle at rest is certainly left to the integrator [m].
    surely_clear_m: f64,
    contact: Option<Contact>,
    /// The hardest touch since it was last looked at.
    pub(super) touch: Option<Touch>,
}

impl<'a, R: Real> Body<'a, R> {
    /// That of `vehicle`, which begins in `state`, in a single lane.
    pub(super) fn new(
        setup: &'a Setup,
        vehicle: &'a Airframe,
        state: &State,
        zero: R,
    ) -> Body<'a, R> {
        let dt_s = setup.step_s();
        let hull = Hull::of(vehicle);
        let nominal = Plant::new(vehicle);
        let plant = Plant::fill(zero, |_| &nominal);
        let speeds = state.rotors_rad_s.map(|n| zero.like(n));
        Body {
            stepper: Stepper::new(&plant, dt_s, &speeds),
            plant,
            vehicle,
            world: &setup.world,
            surely_clear_m: hull.surely_clear_m(dt_s),
            hull,
            dt_s,
            contact: None,
            touch: None,
        }
    }

    #[inline(always)]
    pub(super) fn advance(&mut self, state: &mut State, command: &[R; 4], wind_m_s: &Vector3<f64>) {
        self.hand_over(state);
        let wind = Axes::fill(command[0], |_| *wind_m_s);
        let (plant, stepper) = (&self.plant, &mut self.stepper);
        let Some(contact) = &mut self.contact else {
            let body = Motion::of(command[0], state);
            let (moved, speeds) = stepper.step(plant, &body, command, wind);
            *state = moved.state(&speeds, 0);
            return;
        };
        let touch = stepper.step_in_contact(plant, contact, state, command, wind);
        let hardest = self.touch.map_or(0.0, |touch| touch.impulse_n_s);
        self.touch = touch
            .filter(|touch| touch.impulse_n_s > hardest)
            .or(self.touch);
    }

    /// Gives the body to the contact solver on approach and takes it back when it is clear.
    #[inline(always)]
    fn hand_over(&mut self, state: &State) {
        let around = state.velocity_m_s.abs().sum() * (2.0 * self.dt_s) + self.surely_clear_m;
        if self.contact.is_none() && self.world.is_clear_by(&state.position_m, around) {
            return;
        }
        self.look_for_surfaces(state);
    }

    #[inline(never)]
    fn look_for_surfaces(&mut self, state: &State) {
        let clearance_m = self.world.clearance_m(&state.position_m);
        let speed_m_s = state.velocity_m_s.norm();
        let dt_s = self.dt_s;
        if self.contact.is_none() {
            if clearance_m < self.hull.take_over_m(speed_m_s, dt_s) && state.is_finite() {
                self.contact = Some(Contact::new(self.world, self.vehicle, state, dt_s));
            }
        } else if clearance_m > self.hull.give_back_m(speed_m_s, dt_s) {
            self.contact = None;
        }
    }
}
