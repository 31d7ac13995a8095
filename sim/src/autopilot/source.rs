//! Source: what is exported, read from the record of a run or from a file of gains.

use super::AutopilotError;
use crate::{Airframe, Gains};

/// Gains with all that an export says about them.
#[derive(Debug, Clone, PartialEq)]
pub struct Source {
    /// The vehicle in simulation.
    pub airframe: Airframe,
    /// Old gains: those that the run started from, or the airframe's own.
    pub default: Gains,
    /// The file that the old gains are from, if they are neither the run's nor the airframe's.
    pub default_of: Option<String>,
    /// New gains: those that the run recommends, or those of the file.
    pub recommended: Gains,
    /// Which loops were tuned; of a file, those whose gains are not the airframe's.
    pub tuned: Tuned,
    /// Where the new gains come from.
    pub origin: Origin,
    /// Version of the program that made the run, or that reads the file.
    pub version: String,
    /// What held-out flights say of the new gains against the old ones, domain by domain; empty for a
    /// file.
    pub verdicts: Vec<Judged>,
}

/// What held-out flights in one domain said of new gains.
#[derive(Debug, Clone, PartialEq)]
pub struct Judged {
    /// Whether they are better than the old ones.
    pub better: bool,
    /// The verdict with its figures, as a sentence.
    pub said: String,
}

/// Where gains come from.
#[derive(Debug, Clone, PartialEq)]
pub enum Origin {
    /// A run.
    Run {
        /// Its trajectory.
        trajectory: String,
        /// Its surrogate.
        surrogate: String,
        /// Its seed.
        seed: u64,
    },
    /// A file of gains.
    File {
        /// Its name.
        name: String,
    },
}

/// Which loops a run tuned, axis by axis (x, y, z or roll, pitch, yaw).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tuned {
    /// Position loop, x and y.
    pub position_xy: bool,
    /// Position loop, z.
    pub position_z: bool,
    /// Attitude loop.
    pub attitude: [bool; 3],
    /// Rate loop.
    pub rate: [bool; 3],
}

impl Source {
    /// Reads the text of the gains file `name`, as `sim fly --gains` reads it, for `airframe`.
    ///
    /// # Errors
    /// [`AutopilotError::Gains`], or [`AutopilotError::NothingChanged`] where they are the airframe's own.
    pub fn from_gains(
        text: &str,
        name: &str,
        airframe: Airframe,
    ) -> Result<Source, AutopilotError> {
        let gains = Gains::from_toml(text).map_err(|source| AutopilotError::Gains {
            name: name.to_owned(),
            source: Box::new(source),
        })?;
        let tuned = Tuned::by_change(&airframe.gains, &gains);
        if tuned == Tuned::default() {
            return Err(AutopilotError::NothingChanged {
                name: name.to_owned(),
                airframe: airframe.name,
            });
        }
        Ok(Source {
            default: airframe.gains,
            default_of: None,
            recommended: gains,
            tuned,
            airframe,
            origin: Origin::File {
                name: name.to_owned(),
            },
            version: env!("CARGO_PKG_VERSION").to_owned(),
            verdicts: Vec::new(),
        })
    }
}

impl Tuned {
    /// Every loop about every axis.
    pub fn everything() -> Tuned {
        Tuned {
            position_xy: true,
            position_z: true,
            attitude: [true; 3],
            rate: [true; 3],
        }
    }

    /// How many loops these are.
    pub(super) fn loops(&self) -> usize {
        let flags = [self.position_xy, self.position_z].into_iter();
        flags
            .chain(self.attitude)
            .chain(self.rate)
            .filter(|on| *on)
            .count()
    }

    /// Whether rate loops alone.
    pub fn rates_alone(&self) -> bool {
        let above = self.position_xy || self.position_z || self.attitude.contains(&true);
        self.rate.contains(&true) && !above
    }

    /// By the names of the tuned gains: `position_xy.kp`, `rate_kp.xy`, `attitude_kp.z`, …; a name
    /// without an axis stands for all three.
    pub fn by_names<'a>(names: impl Iterator<Item = &'a str>) -> Tuned {
        let mut tuned = Tuned::default();
        for name in names {
            let (field, axes) = name.split_once('.').unwrap_or((name, "xyz"));
            let axes = ['x', 'y', 'z'].map(|axis| axes.contains(axis));
            match field {
                "position_xy" => tuned.position_xy = true,
                "position_z" => tuned.position_z = true,
                "attitude_kp" => tuned.attitude = either(tuned.attitude, axes),
                "rate_kp" | "rate_ki" | "rate_kd" => tuned.rate = either(tuned.rate, axes),
                // A gain of a later version; what it changed is seen by `by_change`.
                _ => {}
            }
        }
        tuned
    }

    /// By what differs between two sets of gains.
    pub fn by_change(before: &Gains, after: &Gains) -> Tuned {
        let differs = |one: [f64; 3], other: [f64; 3]| std::array::from_fn(|k| one[k] != other[k]);
        Tuned {
            position_xy: before.position_xy != after.position_xy,
            position_z: before.position_z != after.position_z,
            attitude: differs(before.attitude_kp, after.attitude_kp),
            rate: [
                differs(before.rate_kp, after.rate_kp),
                differs(before.rate_ki, after.rate_ki),
                differs(before.rate_kd, after.rate_kd),
            ]
            .into_iter()
            .fold([false; 3], either),
        }
    }

    /// What either of the two names.
    pub fn or(&self, other: &Tuned) -> Tuned {
        Tuned {
            position_xy: self.position_xy || other.position_xy,
            position_z: self.position_z || other.position_z,
            attitude: either(self.attitude, other.attitude),
            rate: either(self.rate, other.rate),
        }
    }
}

impl std::fmt::Display for Origin {
    /// As in "fig8 tuned with gp, seed 7".
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Origin::Run {
                trajectory,
                surrogate,
                seed,
            } => write!(f, "{trajectory} tuned with {surrogate}, seed {seed}"),
            Origin::File { name } => write!(f, "gains of the file {name}"),
        }
    }
}

impl std::fmt::Display for Tuned {
    /// The loops in words, as in "the position and rate loops".
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let loops = [
            ("position", self.position_xy || self.position_z),
            ("attitude", self.attitude.contains(&true)),
            ("rate", self.rate.contains(&true)),
        ];
        let named: Vec<&str> = loops.iter().filter(|l| l.1).map(|l| l.0).collect();
        match named.as_slice() {
            [] => f.write_str("nothing"),
            [one] => write!(f, "the {one} loop"),
            [most @ .., last] => write!(f, "the {} and {last} loops", most.join(", ")),
        }
    }
}

fn either(one: [bool; 3], other: [bool; 3]) -> [bool; 3] {
    std::array::from_fn(|k| one[k] || other[k])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_changes_tell_which_loops_were_tuned() {
        let by_names = Tuned::by_names(["position_xy.kp", "rate_kp.xy", "attitude_kp"].into_iter());
        let expected = Tuned {
            position_xy: true,
            position_z: false,
            attitude: [true; 3],
            rate: [true, true, false],
        };
        assert_eq!(by_names, expected);
        assert_eq!(
            by_names.to_string(),
            "the position, attitude and rate loops"
        );
        assert_eq!(Tuned::default().to_string(), "nothing");

        let before = Airframe::omac().gains;
        let mut after = before;
        after.rate_kd[2] *= 2.0;
        let expected = Tuned {
            rate: [false, false, true],
            ..Tuned::default()
        };
        assert_eq!(Tuned::by_change(&before, &after), expected);
        assert_eq!(expected.to_string(), "the rate loop");
    }

    #[test]
    fn a_loop_is_tuned_that_either_names() {
        let xy = Tuned {
            position_xy: true,
            attitude: [true, false, false],
            ..Tuned::default()
        };
        let z = Tuned {
            position_z: true,
            rate: [false, true, false],
            ..Tuned::default()
        };
        let both = Tuned {
            position_xy: true,
            position_z: true,
            attitude: [true, false, false],
            rate: [false, true, false],
        };
        assert_eq!((xy.or(&z), z.or(&xy)), (both, both));
        assert_eq!((xy.or(&xy), z.or(&z)), (xy, z));
    }
}
