//! Frame: the arrangements of rotors that autopilots know by name.
//!
//! Sources: ArduPilot's `AP_MotorsMatrix.cpp` (`setup_quad_matrix` and so on), Betaflight's `mixer_init.c`, PX4's
//! airframes 4001 to 12001. Which way a rotor turns at one place differs between them for three of these frames.

use crate::vehicle::per_rotor::PerRotor;
use crate::vehicle::rotors::Rotors;

/// Furthest that an arm may be from its angle and still count as it [degrees].
const OFF_DEG: f64 = 5.0;

/// A frame: arms at equal angles. Its rotors are counted clockwise seen from above, the upper one of a pair first.
#[derive(Debug)]
pub struct Frame {
    /// Its name here.
    pub name: &'static str,
    arms: usize,
    /// Angle of the first arm, clockwise from forward [degrees].
    first_deg: f64,
    spins: Spins,
    /// ArduPilot's `FRAME_CLASS` and `FRAME_TYPE`.
    pub ardupilot: [u32; 2],
    /// Betaflight's mixer, where it has one whose rotors turn this way with `yaw_motors_reversed` as it comes.
    pub betaflight: Option<&'static str>,
}

/// Which way the rotors turn.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Spins {
    /// By turns, the first clockwise seen from above.
    First,
    /// By turns, the second clockwise.
    Second,
    /// Pairs one above the other: the upper ones by turns, the first clockwise, the lower ones against them.
    Pairs,
    /// Pairs of which all upper ones turn clockwise.
    Upper,
}

const fn frame(
    (name, arms, first_deg): (&'static str, usize, f64),
    spins: Spins,
    ardupilot: [u32; 2],
    betaflight: Option<&'static str>,
) -> Frame {
    Frame {
        name,
        arms,
        first_deg,
        spins,
        ardupilot,
        betaflight,
    }
}

/// The frames that are known.
pub const FRAMES: [Frame; 8] = [
    frame(("quad-x", 4, -45.0), Spins::First, [1, 1], Some("QUADX")),
    frame(("quad-plus", 4, 0.0), Spins::First, [1, 0], Some("QUADP")),
    frame(("hexa-x", 6, -30.0), Spins::First, [2, 1], Some("HEX6X")),
    frame(("hexa-plus", 6, 0.0), Spins::First, [2, 0], None),
    frame(("octo-x", 8, -22.5), Spins::Second, [3, 1], None),
    frame(
        ("octo-plus", 8, 0.0),
        Spins::First,
        [3, 0],
        Some("OCTOFLATP"),
    ),
    frame(
        ("coaxial-x8", 4, -45.0),
        Spins::Pairs,
        [4, 1],
        Some("OCTOX8"),
    ),
    frame(("coaxial-y6", 3, -60.0), Spins::Upper, [5, 10], None),
];

/// Their names.
pub const FRAME_NAMES: [&str; 8] = {
    let mut names = [""; 8];
    let mut k = 0;
    while k < names.len() {
        names[k] = FRAMES[k].name;
        k += 1;
    }
    names
};

impl Frame {
    /// The one called `name`, one of [`FRAME_NAMES`].
    pub fn by_name(name: &str) -> Option<&'static Frame> {
        FRAMES.iter().find(|frame| frame.name == name)
    }

    /// The frame of `rotors`, counted in any order: rotors that are at its angles, seen from above, and turn its
    /// way, and pull upwards. Four may be as far from the middle as they like, more are equally far.
    pub fn of(rotors: &Rotors) -> Option<&'static Frame> {
        FRAMES.iter().find(|frame| frame.is_of(rotors))
    }

    /// The frame of rotors that stand as these and all turn the other way, which are in none themselves.
    pub fn turned(rotors: &Rotors) -> Option<&'static Frame> {
        let signs = rotors.yaw_torque_signs.iter().map(|sign| -sign).collect();
        let turned = Rotors {
            yaw_torque_signs: signs,
            ..rotors.clone()
        };
        Frame::of(&turned).filter(|_| Frame::of(rotors).is_none())
    }

    fn is_of(&self, rotors: &Rotors) -> bool {
        let places = self.places();
        let arms_m = rotors.positions().map(|hub| hub.xy().norm());
        let (least_m, most_m) = arms_m.fold((f64::INFINITY, 0.0f64), |(least, most), arm| {
            (least.min(arm), most.max(arm))
        });
        if places.len() != rotors.count()
            || !rotors.directions.is_empty()
            || (places.len() > 4 && least_m < 0.97 * most_m)
        {
            return false;
        }
        let off_deg = match places.len() {
            // Oblong ones are X too.
            4 => 22.5,
            _ => OFF_DEG,
        };
        let heights_m = rotors.positions().map(|hub| hub.z);
        let middle_m = heights_m.sum::<f64>() / places.len() as f64;
        // Of a pair the upper one is counted first.
        let level =
            |k: usize, z_m: f64| self.on_an_arm() == 1 || (z_m > middle_m) == k.is_multiple_of(2);
        let mut free: Vec<bool> = vec![true; places.len()];
        let found = |hub: [f64; 3], sign: f64, free: &mut [bool]| {
            let angle = -hub[1].atan2(hub[0]).to_degrees();
            let place = (0..places.len()).find(|k| {
                let off = (angle - places[*k].0 + 540.0).rem_euclid(360.0) - 180.0;
                free[*k] && off.abs() < off_deg && places[*k].1 == sign && level(*k, hub[2])
            });
            place.is_some_and(|k| std::mem::take(&mut free[k]))
        };
        let mut hubs = rotors.positions_m.iter().zip(&rotors.yaw_torque_signs);
        hubs.all(|(hub, sign)| found(*hub, *sign, &mut free))
    }

    /// How many arms it has.
    pub fn arms(&self) -> usize {
        self.arms
    }

    /// How many rotors it has.
    pub fn count(&self) -> usize {
        self.arms * self.on_an_arm()
    }

    fn on_an_arm(&self) -> usize {
        match self.spins {
            Spins::First | Spins::Second => 1,
            Spins::Pairs | Spins::Upper => 2,
        }
    }

    /// Angle of each rotor [degrees], and the sign of its reaction torque: 1 where it turns clockwise.
    fn places(&self) -> Vec<(f64, f64)> {
        let place = |k: usize| {
            let (arm, level) = (k / self.on_an_arm(), k % self.on_an_arm());
            let against = match self.spins {
                Spins::First => arm,
                Spins::Second => arm + 1,
                Spins::Pairs => arm + level,
                Spins::Upper => level,
            };
            let angle_deg = self.first_deg + 360.0 / self.arms as f64 * arm as f64;
            (angle_deg, if against % 2 == 0 { 1.0 } else { -1.0 })
        };
        (0..self.count()).map(place).collect()
    }

    /// Rotors of `like` at the ends of arms of `arm_m` in this frame; pairs are `gap_m` apart, and the lower one
    /// gives `lower` of the thrust of the upper [m].
    pub fn rotors(&self, like: &Rotors, arm_m: f64, gap_m: f64, lower: f64) -> Rotors {
        let (places, pairs) = (self.places(), self.on_an_arm() == 2);
        let lower_one = |k: usize| pairs && k % 2 == 1;
        let hub = |(k, (angle, _)): (usize, &(f64, f64))| {
            let (sine, cosine) = angle.to_radians().sin_cos();
            let height_m = match (pairs, lower_one(k)) {
                (false, _) => 0.0,
                (true, false) => 0.5 * gap_m,
                (true, true) => -0.5 * gap_m,
            };
            // To a micrometre.
            [arm_m * cosine, -arm_m * sine, height_m].map(|x| (1e6 * x).round() / 1e6 + 0.0)
        };
        let factors = |k: usize| if lower_one(k) { lower } else { 1.0 };
        let factors = PerRotor::new(places.len(), factors).to_vec();
        Rotors {
            positions_m: places.iter().enumerate().map(hub).collect(),
            yaw_torque_signs: places.iter().map(|place| place.1).collect(),
            directions: Vec::new(),
            thrust_factors: if pairs { factors } else { Vec::new() },
            torque_factors: Vec::new(),
            ..like.clone()
        }
    }
}
