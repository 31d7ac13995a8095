//! Frame: the arrangements of rotors that autopilots know by name.
//!
//! Sources: ArduPilot's `AP_MotorsMatrix.cpp` (`setup_quad_matrix` and so on), Betaflight's `mixer_init.c`, PX4's
//! airframes 4001 to 12001. Which way a rotor turns at one place differs between them for three of these frames.

use crate::vehicle::per_rotor::PerRotor;
use crate::vehicle::rotors::Rotors;

/// Furthest that an arm may be from its angle and still count as it [degrees].
const OFF_DEG: f64 = 5.0;

/// A frame. Its rotors are counted clockwise seen from above, the upper one of a pair first.
#[derive(Debug)]
pub struct Frame {
    /// Its name here.
    pub name: &'static str,
    /// Angle of each arm, clockwise from forward [degrees], and the sign of the reaction torque of its rotor, or of
    /// the upper one of a pair.
    arms: &'static [(f64, f64)],
    /// Whether a second rotor turns below each, the other way.
    coaxial: bool,
    /// ArduPilot's `FRAME_CLASS` and `FRAME_TYPE`.
    pub ardupilot: [u32; 2],
    /// Betaflight's mixer, where it has one whose rotors turn this way with `yaw_motors_reversed` as it comes.
    pub betaflight: Option<&'static str>,
}

/// Clockwise seen from above, which turns the body the other way, and anticlockwise.
const CW: f64 = 1.0;
const CCW: f64 = -1.0;

/// The frames that are known.
pub const FRAMES: [Frame; 8] = [
    Frame {
        name: "quad-x",
        arms: &[(-45.0, CW), (45.0, CCW), (135.0, CW), (-135.0, CCW)],
        coaxial: false,
        ardupilot: [1, 1],
        betaflight: Some("QUADX"),
    },
    Frame {
        name: "quad-plus",
        arms: &[(0.0, CW), (90.0, CCW), (180.0, CW), (-90.0, CCW)],
        coaxial: false,
        ardupilot: [1, 0],
        betaflight: Some("QUADP"),
    },
    Frame {
        name: "hexa-x",
        arms: &[
            (-30.0, CW),
            (30.0, CCW),
            (90.0, CW),
            (150.0, CCW),
            (-150.0, CW),
            (-90.0, CCW),
        ],
        coaxial: false,
        ardupilot: [2, 1],
        betaflight: Some("HEX6X"),
    },
    Frame {
        name: "hexa-plus",
        arms: &[
            (0.0, CW),
            (60.0, CCW),
            (120.0, CW),
            (180.0, CCW),
            (-120.0, CW),
            (-60.0, CCW),
        ],
        coaxial: false,
        ardupilot: [2, 0],
        betaflight: None,
    },
    Frame {
        name: "octo-x",
        arms: &[
            (-22.5, CCW),
            (22.5, CW),
            (67.5, CCW),
            (112.5, CW),
            (157.5, CCW),
            (-157.5, CW),
            (-112.5, CCW),
            (-67.5, CW),
        ],
        coaxial: false,
        ardupilot: [3, 1],
        betaflight: None,
    },
    Frame {
        name: "octo-plus",
        arms: &[
            (0.0, CW),
            (45.0, CCW),
            (90.0, CW),
            (135.0, CCW),
            (180.0, CW),
            (-135.0, CCW),
            (-90.0, CW),
            (-45.0, CCW),
        ],
        coaxial: false,
        ardupilot: [3, 0],
        betaflight: Some("OCTOFLATP"),
    },
    Frame {
        name: "coaxial-x8",
        arms: &[(-45.0, CW), (45.0, CCW), (135.0, CW), (-135.0, CCW)],
        coaxial: true,
        ardupilot: [4, 1],
        betaflight: Some("OCTOX8"),
    },
    Frame {
        name: "coaxial-y6",
        arms: &[(-60.0, CW), (60.0, CW), (180.0, CW)],
        coaxial: true,
        ardupilot: [5, 10],
        betaflight: None,
    },
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

    fn is_of(&self, rotors: &Rotors) -> bool {
        let places: Vec<(f64, f64)> = self.places().collect();
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
        let mut free: Vec<bool> = vec![true; places.len()];
        let found = |hub: [f64; 3], sign: f64, free: &mut [bool]| {
            let angle = -hub[1].atan2(hub[0]).to_degrees();
            let place = (0..places.len()).find(|k| {
                let off = (angle - places[*k].0 + 540.0).rem_euclid(360.0) - 180.0;
                free[*k] && off.abs() < off_deg && places[*k].1 == sign
            });
            place.is_some_and(|k| std::mem::take(&mut free[k]))
        };
        let mut hubs = rotors.positions_m.iter().zip(&rotors.yaw_torque_signs);
        hubs.all(|(hub, sign)| found(*hub, *sign, &mut free))
    }

    /// How many arms it has.
    pub fn arms(&self) -> usize {
        self.arms.len()
    }

    /// How many rotors it has.
    pub fn count(&self) -> usize {
        self.places().count()
    }

    /// Angle and sign of each rotor.
    fn places(&self) -> impl Iterator<Item = (f64, f64)> {
        let lower = if self.coaxial {
            &[1.0, -1.0][..]
        } else {
            &[1.0]
        };
        let arms = self.arms.iter();
        arms.flat_map(move |(angle, sign)| lower.iter().map(move |level| (*angle, sign * level)))
    }

    /// Rotors of `like` at the ends of arms of `arm_m` in this frame; pairs are `gap_m` apart, and the lower one
    /// gives `lower` of the thrust of the upper [m].
    pub fn rotors(&self, like: &Rotors, arm_m: f64, gap_m: f64, lower: f64) -> Rotors {
        let places: Vec<(f64, f64)> = self.places().collect();
        let lower_one = |k: usize| self.coaxial && k % 2 == 1;
        let hub = |(k, (angle, _)): (usize, &(f64, f64))| {
            let (sine, cosine) = angle.to_radians().sin_cos();
            let height_m = match (self.coaxial, lower_one(k)) {
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
            thrust_factors: if self.coaxial { factors } else { Vec::new() },
            torque_factors: Vec::new(),
            ..like.clone()
        }
    }
}
