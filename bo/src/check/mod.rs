//! Check: what a tune does before anyone flies it.
//!
//! The gains are flown in simulation beside a baseline, in the same winds with the same sensors and
//! vehicles, until a sequential test knows whether flights are lost rarely or too often; margins and
//! a few recorded flights say the rest. Every reason of the verdict has its number.
//!
//! * [`sequential`]: when to stop flying
//! * [`task`]: what is flown
//! * [`figures`]: what the flights and the margins say
//! * [`verdict`]: what follows
//! * [`defects`]: what is seeded to measure how many a check finds

pub mod defects;
pub mod figures;
pub mod sequential;
pub mod task;
pub mod verdict;
mod words;

pub use figures::{Figures, Side};
pub use task::Task;
pub use verdict::{Reason, Verdict, judge};

use crate::Error;
use crate::export::reading::Tune;
use crate::flights::trust;
use crate::interrupt::Interrupt;
use serde::Serialize;
use sim::Gains;

/// What is not in the simulation, whatever the tune.
pub const NOT_MODELLED: &str = "Not modelled: the firmware's estimator, its filters beside one low-pass on the rates, its own loop \
     rates, limits and anti-windup; vibration; the battery's sag in flight. Wind is the same over \
     the whole vehicle.";

/// A checked tune.
#[derive(Debug, Clone, Serialize)]
pub struct Checked {
    /// Whether to fly it.
    pub verdict: Verdict,
    /// Why, the gravest first.
    pub reasons: Vec<Reason>,
    /// What was not modelled or not flown; one sentence each.
    pub not_modelled: Vec<String>,
    /// What makes the answer mean less than it seems to.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub concerns: Vec<String>,
    /// What is known of the tune and the baseline.
    pub figures: Figures,
}

/// Flies `tune` and `baseline`, and judges. `most` flights are flown where the answer is not clear
/// before.
///
/// # Errors
/// [`Error::Interrupted`].
pub fn check(
    task: &Task,
    tune: &Tune,
    baseline: &Gains,
    most: u64,
    interrupt: &Interrupt,
) -> Result<Checked, Error> {
    let figures = Figures::of(task, tune, baseline, most, interrupt)?;
    let reasons = judge(tune, &figures);
    let verdict = reasons.iter().map(|reason| reason.asks).max();
    let mut not_modelled = vec![NOT_MODELLED.to_owned()];
    not_modelled.extend(task.not_flown());
    let concerns = trust::said(&task.concerns(baseline, most));
    not_modelled.extend(tune.left_out.iter().cloned());
    Ok(Checked {
        verdict: verdict.unwrap_or(Verdict::Fly),
        reasons,
        not_modelled,
        concerns,
        figures,
    })
}
