//! Body: who moves the vehicle, our integrator in free flight or the contact solver near a surface.

use super::Setup;
use super::outcome::{Collision, Loss, Outcome, time_s};
use crate::lanes::Real;
use crate::lanes::axes::Axes;
use crate::vehicle::contact::{Contact, Hull, Part, Surface, Touch};
use crate::vehicle::integrator::Stepper;
use crate::vehicle::per_rotor::PerRotor;
use crate::vehicle::plant::{Motion, Plant};
use crate::vehicle::rotors::of_lane;
use crate::vehicle::state::State;
use crate::{Airframe, World};
use nalgebra::Vector3;
use trajectories::Footing;

/// The vehicle's body: in free flight our integrator moves it, near a surface the contact solver.
pub(super) struct Body<'a, R, const N: usize> {
    plant: Plant<R, N>,
    stepper: Stepper<R, N>,
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

impl<'a, R: Real, const N: usize> Body<'a, R, N> {
    /// That of `vehicle`, which begins in `state`, in a single lane.
    pub(super) fn new(
        setup: &'a Setup,
        vehicle: &'a Airframe,
        state: &State,
        zero: R,
    ) -> Body<'a, R, N> {
        let dt_s = setup.step_s();
        let hull = Hull::of(vehicle);
        let nominal = Plant::new(vehicle);
        let plant = Plant::fill(zero, |_| &nominal);
        let speeds = in_all_lanes(&state.rotors_rad_s, zero);
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
    pub(super) fn advance(&mut self, state: &mut State, command: &[R; N], wind_m_s: &Vector3<f64>) {
        self.hand_over(state);
        let wind = Axes::fill(command[0], |_| *wind_m_s);
        let (plant, stepper) = (&self.plant, &mut self.stepper);
        let Some(contact) = &mut self.contact else {
            let body = Motion::of(command[0], state);
            let (moved, speeds) = stepper.step(plant, &body, command, wind);
            *state = moved.state(of_lane(&speeds, plant.count, 0), 0);
            return;
        };
        let touch = stepper.step_in_contact(plant, contact, state, command, wind);
        let hardest = self.touch.map_or(0.0, |touch| touch.impulse_n_s);
        self.touch = touch
            .filter(|touch| touch.impulse_n_s > hardest)
            .or(self.touch);
    }

    /// From now on `rotor` stands still and gives nothing.
    pub(super) fn stop(&mut self, rotor: usize) {
        self.stepper.stop(&mut self.plant, rotor);
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

/// `numbers`, the same in every lane.
#[inline(always)]
pub(super) fn in_all_lanes<R: Real, const N: usize>(numbers: &PerRotor, zero: R) -> [R; N] {
    numbers.padded().map(|n| zero.like(n))
}

// Impact: whether touching something was a landing or ends the flight.

/// Change of speed by an impact on the landing gear that a vehicle survives where it may touch the
/// ground: a fall from 20 cm [m/s].
const HARD_LANDING_M_S: f64 = 2.0;

/// Control periods over which the impulses of one impact are summed; the contact solver spreads an
/// impact over two to five.
const IMPACT_PERIODS: u64 = 10;

/// The touches of one impact, until it is clear what they amount to.
#[derive(Debug, Default)]
pub(super) struct Impact {
    /// Control tick of the first touch.
    since: u64,
    impulse_n_s: f64,
    hardest: Option<Touch>,
    /// Whether it is more than a landing.
    destructive: bool,
}

impl Impact {
    /// Takes in a touch at control tick `tick`.
    pub(super) fn add(&mut self, tick: u64, touch: &Touch, footing: Footing, vehicle: &Airframe) {
        if self.hardest.is_none() || (!self.destructive && tick >= self.since + IMPACT_PERIODS) {
            *self = Impact {
                since: tick,
                ..Impact::default()
            };
        }
        self.impulse_n_s += touch.impulse_n_s;
        let hardest = self.hardest.get_or_insert(*touch);
        if touch.impulse_n_s > hardest.impulse_n_s {
            *hardest = *touch;
        }
        let gentle = touch.part == Part::Gear
            && touch.surface == Surface::Ground
            && self.impulse_n_s <= HARD_LANDING_M_S * vehicle.mass_kg;
        self.destructive |= footing == Footing::Air || !gentle;
    }

    /// The end of the flight, once an impact that is no landing has spent its impulse.
    pub(super) fn end(&self, tick: u64) -> Option<Outcome> {
        let touch = self
            .hardest
            .filter(|_| self.destructive && tick >= self.since + IMPACT_PERIODS)?;
        Some(Outcome::Lost {
            at_s: time_s(self.since),
            why: Loss::Hit(Collision {
                obstacle: match touch.surface {
                    Surface::Ground => None,
                    Surface::Obstacle(index) => Some(index),
                },
                point_m: touch.point_m.into(),
                impulse_n_s: self.impulse_n_s,
            }),
        })
    }
}
