//! Rotor out: a rotor that stops in flight, and what the others can still hold.

use crate::{Airframe, CONTROL_PERIOD_S, GRAVITY_M_S2};
use nalgebra::Vector4;

/// An equilibrium is held where each rotor can give way by this share of a hovering rotor's thrust.
const ROOM: f64 = 0.05;

/// What of the weight, and of it times the longest arm, may be missing from a balance.
const MISSING: f64 = 1e-3;

/// Sweeps over the rotors in search of a balance.
const SWEEPS: usize = 20_000;

/// A rotor that stops at once and gives nothing from then on; the autopilot does not know.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RotorOut {
    /// Which one, from 0, in the order of the airframe.
    pub rotor: usize,
    /// When, from the start of the flight [s].
    pub at_s: f64,
}

/// What rotors can hold against gravity, if the autopilot makes the best of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Held {
    /// Height, attitude and heading.
    Heading,
    /// Height and attitude; the vehicle turns about the vertical.
    Attitude,
    /// Not even that.
    Nothing,
}

impl RotorOut {
    /// Reads `N@T`: the rotor's number from 1, and seconds.
    pub fn parse(text: &str) -> Option<RotorOut> {
        let (number, at_s) = text.split_once('@')?;
        let rotor = number.trim().parse::<usize>().ok()?.checked_sub(1)?;
        let at_s = at_s.trim().parse::<f64>().ok()?;
        (at_s.is_finite() && at_s >= 0.0).then_some(RotorOut { rotor, at_s })
    }

    /// The rotor, if it stops at this control tick.
    pub(super) fn at(&self, tick: u64) -> Option<usize> {
        let due = (self.at_s / CONTROL_PERIOD_S).round() as u64;
        (tick == due).then_some(self.rotor)
    }

    /// What the others can hold, in one sentence.
    pub fn said(&self, airframe: &Airframe) -> String {
        let (number, at_s) = (self.rotor + 1, self.at_s);
        let held = match Held::without(airframe, self.rotor) {
            Held::Heading => "the others can hold height, attitude and heading",
            Held::Attitude => {
                "the others can hold height and attitude, and the heading is lost: the vehicle turns about the vertical"
            }
            Held::Nothing => "the others cannot hold the attitude",
        };
        format!(
            "Rotor {number} of {} stops after {at_s} s: {held}; the autopilot is not told",
            airframe.name
        )
    }
}

impl Held {
    /// By the rotors of `airframe` but `rotor`, with room to give way.
    pub fn without(airframe: &Airframe, rotor: usize) -> Held {
        match [4, 3].map(|rows| balances(airframe, rotor, rows)) {
            [true, _] => Held::Heading,
            [false, true] => Held::Attitude,
            [false, false] => Held::Nothing,
        }
    }
}

/// Whether thrusts within the range of the other rotors balance the weight and, of the moments, the first
/// `rows` − 1: by least squares within the range, one rotor after the other.
fn balances(airframe: &Airframe, out: usize, rows: usize) -> bool {
    let rotors = &airframe.rotors;
    let weight_n = airframe.mass_kg * GRAVITY_M_S2;
    let allocation = rotors.allocation(&airframe.centre_of_mass());
    // Each row in its own size.
    let sizes: Vec<f64> = (0..rows)
        .map(|row| allocation.row(row).amax().max(f64::MIN_POSITIVE))
        .collect();
    let entry = |row: usize, i: usize| {
        let size = sizes.get(row);
        size.map_or(0.0, |size| allocation[(row, i)] / size)
    };
    let column = |i: usize| Vector4::from_fn(|row, _| entry(row, i));
    let thrust_n = |speed: f64| rotors.thrust_n_s2_per_rad2 * speed * speed;
    let room_n = ROOM * weight_n / rotors.lift_factor();
    let least_n = thrust_n(rotors.min_speed_rad_s) + room_n;
    let most_n = (thrust_n(rotors.max_speed_rad_s) - room_n).max(least_n);
    let others = (0..rotors.count()).filter(|i| *i != out);
    let columns: Vec<Vector4<f64>> = others.map(column).collect();
    let mut thrusts = vec![least_n; columns.len()];
    let mut missing = Vector4::x() * (weight_n / sizes[0]);
    for column in &columns {
        missing -= column * least_n;
    }
    for _ in 0..SWEEPS {
        for (thrust, column) in thrusts.iter_mut().zip(&columns) {
            let wanted = *thrust + column.dot(&missing) / column.norm_squared();
            let now = wanted.clamp(least_n, most_n);
            missing -= column * (now - *thrust);
            *thrust = now;
        }
    }
    missing.norm() < MISSING * weight_n / sizes[0]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Frame;

    /// What stops a rotor of each frame: of a hexacopter whose spins alternate the opposite one would have to
    /// push down for the heading to be held.
    #[test]
    fn four_rotors_hold_nothing_six_the_attitude_and_eight_the_heading() {
        let omac = Airframe::omac();
        for (name, held) in [
            ("quad-x", Held::Nothing),
            ("quad-plus", Held::Nothing),
            ("hexa-x", Held::Attitude),
            ("hexa-plus", Held::Attitude),
            ("octo-x", Held::Heading),
            ("octo-plus", Held::Heading),
            ("coaxial-x8", Held::Heading),
        ] {
            let frame = Frame::by_name(name).expect("known");
            let vehicle = Airframe {
                rotors: frame.rotors(&omac.rotors, 0.42, 0.06, 0.85),
                ..omac.clone()
            };
            for rotor in 0..frame.count() {
                assert_eq!(Held::without(&vehicle, rotor), held, "{name} {rotor}");
            }
        }
    }

    #[test]
    fn a_rotor_and_a_time_are_read_and_nothing_else() {
        let read = RotorOut {
            rotor: 2,
            at_s: 1.5,
        };
        assert_eq!(RotorOut::parse("3@1.5"), Some(read));
        for wrong in [
            "", "3", "@", "0@1", "3@", "3@-1", "3@nan", "a@1", "3@1@1", "1.5@3",
        ] {
            assert_eq!(RotorOut::parse(wrong), None, "{wrong}");
        }
    }
}
