//! Tuned gains: what a run gives to an exporter, and how the gains fly that were written. Values that
//! were clamped or rounded belong to gains that no flight of the run ever tried.

use crate::Error;
use crate::export::{self, ExportError, Judged, Origin, Source, TARGETS, Tuned};
use crate::flights::held_out::{Test, test};
use crate::flights::space::Knob;
use crate::flights::tuning::Tuning;
use crate::flights::verdict::{Judgement, Verdict};
use crate::interrupt::Interrupt;
use crate::run::disk::record::Record;
use crate::statistics::MedianInterval;
use sim::Gains;

/// Nearer to a bound than this share of the range, on the gain's scale, is at the bound.
const AT_BOUND: f64 = 0.01;

/// An end of the range in which a gain is searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// The least value.
    Lower,
    /// The greatest one.
    Upper,
}

impl End {
    /// The end at which `value` of the gain `knob` lies: the best value may lie beyond.
    pub fn of(knob: &Knob, value: f64) -> Option<End> {
        match knob.parameter.unit(value) {
            unit if unit < AT_BOUND => Some(End::Lower),
            unit if unit > 1.0 - AT_BOUND => Some(End::Upper),
            _ => None,
        }
    }

    /// "lower" or "upper".
    pub fn word(self) -> &'static str {
        match self {
            End::Lower => "lower",
            End::Upper => "upper",
        }
    }
}

impl Record {
    /// The recommended gains that lie at a bound of the search.
    pub fn at_bounds(&self) -> Vec<(Knob, End)> {
        let tuned = self
            .problem
            .tuned
            .iter()
            .filter_map(|gain| gain.knob()?.ok());
        let ends = tuned.filter_map(|knob| {
            let end = End::of(&knob, knob.gain.value(&self.recommended.gains))?;
            Some((knob, end))
        });
        ends.collect()
    }

    /// What each target of [`TARGETS`] says to the recommended gains as they are: nothing where it
    /// holds them.
    ///
    /// # Errors
    /// As [`Record::source`].
    pub fn holders(&self) -> Result<Vec<(&'static str, Option<ExportError>)>, ExportError> {
        let source = self.source()?;
        let asked = TARGETS.map(|target| {
            let autopilot = export::by_name(target, None);
            let draft = autopilot
                .and_then(|autopilot| export::draft(&source, autopilot.as_ref(), None, false));
            (target, draft.err())
        });
        Ok(asked.into())
    }

    /// What it recommends, for an exporter.
    ///
    /// # Errors
    /// [`ExportError::AllLost`] where no flight says anything for those gains.
    pub fn source(&self) -> Result<Source, ExportError> {
        let evaluations = self.trials.len();
        if self.lost() == evaluations {
            return Err(ExportError::AllLost { evaluations });
        }
        let tests = &self.recommended.tests;
        if tests.iter().all(|test| test.crashes == test.ace_m.len()) {
            let flights = tests.iter().map(|test| test.ace_m.len()).sum();
            return Err(ExportError::AllTestsLost { flights });
        }
        let (old, new) = (self.default.gains, self.recommended.gains);
        let names = self.problem.tuned.iter().map(|gain| gain.name.as_str());
        Ok(Source {
            tuned: Tuned::by_names(names).or(&Tuned::by_change(&old, &new)),
            airframe: self.problem.airframe.clone(),
            default: old,
            recommended: new,
            origin: Origin::Run {
                trajectory: self.settings.trajectory.clone(),
                surrogate: self.settings.surrogate.to_owned(),
                seed: self.settings.seed,
            },
            version: self.versions.windhover.clone(),
            verdicts: verdicts(self),
        })
    }
}

fn verdicts(recorded: &Record) -> Vec<Judged> {
    let tests = recorded.recommended.tests.iter().enumerate();
    let judged = tests.map(|(domain, test)| {
        let Judgement {
            error_m,
            before,
            after,
            verdict,
        } = recorded.judgement(&recorded.recommended, domain);
        let error = error_m.as_ref().map_or("-".to_owned(), MedianInterval::signed);
        let said = format!(
            "In {} wind the new gains were, beside the old ones: {} (median ACE {error} m where both completed; \
             {} of {} held-out flights lost, the old ones {}; probability of a loss below {:.1} %).",
            test.domain,
            verdict.words(),
            after.lost,
            after.flights,
            before.lost,
            100.0 * after.at_most
        );
        Judged {
            better: verdict == Verdict::Better,
            said,
        }
    });
    judged.collect()
}

/// How gains as written fly in the run's own held-out winds.
#[derive(Debug, Clone, PartialEq)]
pub struct Flown {
    /// One sentence a domain: what they cost beside the recommended and the old gains.
    pub said: Vec<String>,
    /// Domains in which they are worse than the old gains, or lose more flights.
    pub worse_in: Vec<String>,
}

/// Flies `gains` in the held-out winds of the run `recorded`, whose problem is `tuning`.
///
/// # Errors
/// [`Error::Interrupted`].
pub fn fly(recorded: &Record, tuning: &Tuning, gains: &Gains) -> Result<Flown, Error> {
    let winds = recorded.settings.held_out_winds;
    let interrupted = || Error::Interrupted { flights: 0 };
    let tests = test(tuning, gains, winds, &Interrupt::default()).ok_or_else(interrupted)?;
    Ok(Flown::of(recorded, &tests))
}

impl Flown {
    fn of(recorded: &Record, tests: &[Test]) -> Flown {
        let mut flown = Flown {
            said: Vec::new(),
            worse_in: Vec::new(),
        };
        for (domain, ours) in tests.iter().enumerate() {
            let old = &recorded.default.tests[domain];
            let verdict = Judgement::of(old, ours).verdict;
            flown.said.push(format!(
                "Flown as written in {} held-out {} winds: median ACE of completed flights {} ({}); the \
                 recommended gains {}, the old ones {}.",
                ours.ace_m.len(),
                ours.domain,
                figures(ours),
                verdict.words(),
                figures(&recorded.recommended.tests[domain]),
                figures(old)
            ));
            if !matches!(
                verdict,
                Verdict::Better | Verdict::Unclear | Verdict::Unchanged
            ) {
                flown.worse_in.push(ours.domain.clone());
            }
        }
        flown
    }
}

/// "0.301 m, 0 lost".
fn figures(test: &Test) -> String {
    match &test.completed_m {
        Some(error) => format!("{:.3} m, {} lost", error.median, test.crashes),
        None => "none, all lost".to_owned(),
    }
}
