//! Tune: the gains and the controller that a file stands for, with what is to be said of them.

use super::Tuned;
use crate::{Airframe, ControllerLimits, Gains};
use serde::Serialize;

/// A tune as it was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Tune {
    /// Whose parameters they are: a target's name, "gains" or "run".
    pub kind: &'static str,
    /// The gains that fly.
    pub gains: Gains,
    /// What flies beside them: limits, filters and law.
    pub controller: ControllerLimits,
    /// What all measurements are late by [ms] and where that comes from; nothing where no autopilot is
    /// named.
    pub delay: Option<(f64, String)>,
    /// Which loops the file has.
    pub tuned: Tuned,
    /// Where the gains come from.
    pub origins: Origins,
    /// Values that are no gain: not finite, below 0, or beyond any gain of any autopilot.
    pub impossible: Vec<(String, f64)>,
    /// Values beyond the autopilot's ranges, each with its range.
    pub beyond: Vec<(String, f64, [f64; 2])>,
    /// What acts on the loop, is not simulated and is not as the firmware comes; one sentence each.
    pub acting: Vec<String>,
    /// What does not fit the airframe; one sentence each.
    pub mismatches: Vec<String>,
    /// What alone forbids a flight; one sentence each.
    pub forbidding: Vec<String>,
    /// What was chosen or passed over in the file; one sentence each.
    pub notes: Vec<String>,
    /// What else there is to know of it; one sentence each.
    pub left_out: Vec<String>,
}

/// Where the gains of a tune come from.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Origins {
    /// Names that stand in the file.
    pub file: Vec<String>,
    /// Names that it leaves out, which are as the firmware comes.
    pub stock: Vec<String>,
    /// Loops that the autopilot has no gains of, which are the airframe's.
    pub airframe: Vec<&'static str>,
}

impl Tune {
    /// Gains as we write them, beside the controller of `airframe`.
    pub fn of_gains(kind: &'static str, gains: Gains, airframe: &Airframe) -> Tune {
        Tune {
            kind,
            gains,
            controller: airframe.controller.clone(),
            delay: None,
            tuned: Tuned::by_change(&airframe.gains, &gains),
            origins: Origins::default(),
            impossible: Vec::new(),
            beyond: Vec::new(),
            acting: Vec::new(),
            mismatches: Vec::new(),
            forbidding: Vec::new(),
            notes: Vec::new(),
            left_out: Vec::new(),
        }
    }
}

impl std::fmt::Display for Origins {
    /// As in "Gains: 22 from the file, 1 as the firmware comes (MC_YAWRATE_D)."
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Gains: {} from the file", self.file.len())?;
        if !self.stock.is_empty() {
            let names = self.stock.join(", ");
            write!(f, ", {} as the firmware comes ({names})", self.stock.len())?;
        }
        if !self.airframe.is_empty() {
            let names = self.airframe.join(", ");
            write!(f, "; from the airframe: {names}")?;
        }
        f.write_str(".")
    }
}
