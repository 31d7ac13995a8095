//! Outcome: how a flight ended, as data.

use serde::{Deserialize, Serialize};

/// How a flight ended.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(tag = "end", rename_all = "snake_case")]
pub enum Outcome {
    /// The whole trajectory was flown.
    Completed,
    /// The vehicle was lost; `diverged` to who reads the record.
    #[serde(rename = "diverged")]
    Lost {
        /// When [s].
        at_s: f64,
        /// Why.
        why: Loss,
    },
}

/// Why a vehicle was lost.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Loss {
    /// More than 5 m from the reference.
    FarFromReference,
    /// Body rates above 100 rad/s.
    Spinning,
    /// It hit something.
    Hit(Collision),
    /// A number overflowed.
    NotFinite,
}

/// What was hit, where and how hard.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Collision {
    /// Index of the obstacle in the world's list; absent for the ground.
    pub obstacle: Option<usize>,
    /// Where, in the world frame [m].
    pub point_m: [f64; 3],
    /// Normal impulse [N s].
    pub impulse_n_s: f64,
}

impl std::fmt::Display for Loss {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Loss::FarFromReference => f.write_str("more than 5 m from the reference"),
            Loss::Spinning => f.write_str("body rates above 100 rad/s"),
            Loss::NotFinite => f.write_str("a number overflowed"),
            Loss::Hit(collision) => {
                let [x, y, z] = collision.point_m;
                let impulse = collision.impulse_n_s;
                match collision.obstacle {
                    None => f.write_str("hit the ground")?,
                    Some(index) => write!(f, "hit obstacle {index}")?,
                }
                write!(f, " at ({x:.2}, {y:.2}, {z:.2}) m with {impulse:.2} N s")
            }
        }
    }
}
