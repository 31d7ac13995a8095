//! Impact: whether touching something was a landing or ends the flight.

use super::mission::time_s;
use super::outcome::{Collision, Loss, Outcome};
use crate::Airframe;
use crate::vehicle::contact::{Part, Surface, Touch};
use trajectories::Footing;

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
