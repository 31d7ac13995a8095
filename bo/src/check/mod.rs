//! Check: what a tune does before anyone flies it.
//!
//! The gains are flown in simulation together with a baseline, in the same winds with the same sensors and
//! vehicles, until a sequential test knows whether flights are lost rarely or too often; margins and
//! a few recorded flights say the rest. Every reason of the verdict has its number.
//!
//! * [`sequential`]: when to stop flying, and the interval of the crash probability after that
//! * [`task`]: what is flown
//! * [`figures`]: what the flights and the margins say
//! * [`verdict`]: what follows
//! * `words`: the card, the tables and the page of one tune, or of two in the same winds
//! * [`defects`]: what is seeded to measure how many a check finds

pub mod defects;
pub mod figures;
pub mod sequential;
pub mod task;
pub mod verdict;
mod words;

pub use figures::{Figures, Side};
pub use task::{Pilot, Task};
pub use verdict::{Reason, Verdict, judge};
pub use words::{Candidate, Judged};

use crate::Error;
use crate::flights::trust;
use crate::interrupt::Interrupt;
use serde::Serialize;
use sim::Airframe;
use sim::autopilot::tune::{Origins, Tune};

/// What is not in the simulation, whatever the tune.
pub const NOT_MODELLED: &str = "Not modelled: the firmware's estimator, its own loop rates and anti-windup; vibration; the battery's \
     sag in flight. Wind is the same over the whole vehicle.";

/// A checked tune.
#[derive(Debug, Clone, Serialize)]
pub struct Checked {
    /// Whether to fly it.
    pub verdict: Verdict,
    /// Why, the gravest first.
    pub reasons: Vec<Reason>,
    /// What was judged: where the gains come from and how late the vehicle is; one sentence each.
    pub judged: Vec<String>,
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
    baseline: &Baseline,
    most: u64,
    interrupt: &Interrupt,
) -> Result<Checked, Error> {
    let flown = Side::of_baseline(task, baseline, most, interrupt)?;
    check_against(task, tune, (baseline, flown), most, interrupt)
}

/// [`check`] with figures of the baseline that are known already ([`Side::of_baseline`]): several tunes
/// that are checked on one task may have one.
///
/// # Errors
/// [`Error::Interrupted`].
pub fn check_against(
    task: &Task,
    tune: &Tune,
    (baseline, flown): (&Baseline, Side),
    most: u64,
    interrupt: &Interrupt,
) -> Result<Checked, Error> {
    let can_fly = tune.can_fly();
    let pilot = task.pilot(tune);
    let figures = Figures::of(task, &pilot, can_fly, flown, most, interrupt)?;
    let concerns = task.concerns(&pilot, &task.pilot(&baseline.tune), most);
    let mut tune = tune.clone();
    tune.acting.extend(tune.too_fast(task.trajectory.as_ref()));
    let tune = &tune;
    let reasons = judge(tune, &task.setup.airframe, &figures, baseline, &concerns);
    let verdict = reasons.iter().map(|reason| reason.asks).max();
    let mut said = Vec::new();
    said.extend((tune.origins != Origins::default()).then(|| tune.origins.to_string()));
    said.extend(tune.notes.iter().cloned());
    said.push(task.delay_said(tune, &pilot));
    said.extend(task.taken.iter().cloned());
    said.extend(task.without_a_rotor(&pilot).filter(|_| can_fly));
    let mut notes = vec![NOT_MODELLED.to_owned()];
    notes.extend(task.not_flown());
    notes.extend(tune.left_out.iter().cloned());
    notes.extend(tune.beyond_said());
    Ok(Checked {
        verdict: verdict.unwrap_or(Verdict::Fly),
        reasons,
        judged: said,
        not_modelled: notes,
        concerns: trust::said(&concerns),
        figures,
    })
}

/// What flies now, besides the tune.
#[derive(Debug, Clone)]
pub struct Baseline {
    /// It.
    pub tune: Tune,
    /// Where it comes from.
    pub kind: Yardstick,
}

impl Baseline {
    /// The gains of the airframe file, with sensors and speed controllers as `tune` has them.
    pub fn own(airframe: &Airframe, tune: &Tune) -> Baseline {
        let mut own = Tune::of_gains("gains", airframe.gains, airframe);
        own.delay.clone_from(&tune.delay);
        Baseline {
            tune: own,
            kind: Yardstick::Airframe,
        }
    }
}

/// Where a baseline comes from: it decides what it is a yardstick for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Yardstick {
    /// The gains that the airframe file happens to hold: shown, and compared with nothing.
    Airframe,
    /// What the user said flies now.
    Given,
    /// What an autopilot comes with.
    Defaults,
}

impl Yardstick {
    const BASELINE: &str = "baseline";
    const OWN: &str = "airframe's gains";

    /// What tables call it.
    fn name(self) -> &'static str {
        match self {
            Yardstick::Airframe => Yardstick::OWN,
            Yardstick::Given | Yardstick::Defaults => Yardstick::BASELINE,
        }
    }
}
