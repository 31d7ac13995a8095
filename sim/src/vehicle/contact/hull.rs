//! The hull: the shape with which a vehicle touches things, worked out from its rotor geometry.
//!
//! An airframe's file gives no outer shape, so one is assumed. With d the least distance between
//! two distinct rotor hubs:
//!
//! * the *rotors* are one slab that covers all four propeller discs: the rectangle around the
//!   hubs, widened by the disc radius 0.4 d on each side (discs that nearly meet), 0.1 d thick
//!   around the height of the hubs;
//! * the *gear* is one block below it: the rectangle around the hubs, from the slab down to the
//!   soles, 0.25 d below the lower of the centre of mass and the lowest hub. The soles are level
//!   in body axes, so the vehicle stands level.
//!
//! Both are solid and convex: the model ignores that something thin could pass between the arms,
//! and corners of the rectangles that no disc fills.

use crate::Airframe;
use nalgebra::Vector3;

/// Radius of a propeller disc over the least hub distance.
const DISC_OVER_SPACING: f64 = 0.4;

/// Depth of the soles over the least hub distance.
const LEG_OVER_SPACING: f64 = 0.25;

/// Thickness of the rotor slab over the least hub distance.
const SLAB_OVER_SPACING: f64 = 0.1;

/// Two boxes in body axes, relative to the centre of mass.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hull {
    /// Landing gear and everything between it and the rotors.
    pub gear: Block,
    /// The slab that covers the propeller discs.
    pub rotors: Block,
}

/// A box along the body axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Block {
    /// Corner with the least coordinates, relative to the centre of mass [m].
    pub low_m: Vector3<f64>,
    /// Corner with the greatest coordinates [m].
    pub high_m: Vector3<f64>,
}

impl Hull {
    /// The hull of `airframe`, by the rules of this file.
    pub fn of(airframe: &Airframe) -> Hull {
        let hubs = airframe.hubs();
        let spacing = least_spacing(&hubs);
        let low = hubs.iter().fold(hubs[0], |low, hub| low.inf(hub));
        let high = hubs.iter().fold(hubs[0], |high, hub| high.sup(hub));
        let soles = low.z.min(0.0) - LEG_OVER_SPACING * spacing;
        let disc = DISC_OVER_SPACING * spacing;
        let half_slab = 0.5 * SLAB_OVER_SPACING * spacing;
        Hull {
            gear: Block {
                low_m: Vector3::new(low.x, low.y, soles),
                high_m: Vector3::new(high.x, high.y, low.z),
            },
            rotors: Block {
                low_m: low - Vector3::new(disc, disc, half_slab),
                high_m: high + Vector3::new(disc, disc, half_slab),
            },
        }
    }

    /// Height of the centre of mass above level ground on which the vehicle stands [m].
    pub fn rest_height_m(&self) -> f64 {
        -self.gear.low_m.z
    }

    /// Radius of the sphere around the centre of mass that the hull never leaves, whatever the
    /// attitude [m]. Where the clearance is greater, nothing is touched.
    pub fn reach_m(&self) -> f64 {
        self.gear.reach_m().max(self.rotors.reach_m())
    }

    /// Clearance of the centre of mass below which the contact solver must own the body: the
    /// reach, a margin of a tenth of it, and the way covered in two steps of `dt_s` at
    /// `speed_m_s` [m].
    pub fn take_over_m(&self, speed_m_s: f64, dt_s: f64) -> f64 {
        1.1 * self.reach_m() + 2.0 * dt_s * speed_m_s
    }

    /// Clearance above which a vehicle at rest is certainly left to free flight in steps of `dt_s`:
    /// a millimetre more, for the rounding [m].
    pub(crate) fn surely_clear_m(&self, dt_s: f64) -> f64 {
        self.take_over_m(0.0, dt_s) + 1e-3
    }

    /// Clearance above which the body goes back to free flight: a further tenth of the reach, so
    /// that a vehicle at the boundary does not change hands at every step [m].
    pub fn give_back_m(&self, speed_m_s: f64, dt_s: f64) -> f64 {
        self.take_over_m(speed_m_s, dt_s) + 0.1 * self.reach_m()
    }
}

impl Block {
    /// Middle of the box in body axes [m].
    pub fn centre_m(&self) -> Vector3<f64> {
        (self.low_m + self.high_m) * 0.5
    }

    /// Half of each edge [m].
    pub fn half_m(&self) -> Vector3<f64> {
        (self.high_m - self.low_m) * 0.5
    }

    fn reach_m(&self) -> f64 {
        self.low_m.abs().sup(&self.high_m.abs()).norm()
    }
}

/// Height of the centre of mass when `airframe` stands on level ground [m].
pub fn rest_height_m(airframe: &Airframe) -> f64 {
    Hull::of(airframe).rest_height_m()
}

/// Least distance between two hubs that are not one above the other's place [m]. Coaxial rotors
/// count as one; a geometry that can be mixed has at least two distinct hubs.
fn least_spacing(hubs: &[Vector3<f64>]) -> f64 {
    let pairs = || (0..hubs.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
    let distance = |(i, j): (usize, usize)| (hubs[i] - hubs[j]).xy().norm();
    let greatest = pairs().map(distance).fold(0.0, f64::max);
    pairs()
        .map(distance)
        .filter(|&d| d > 0.05 * greatest)
        .fold(greatest, f64::min)
}
