//! Tuned gains: what a run gives to an exporter, why it should not, and how the gains fly that were
//! written. Values that were clamped or rounded belong to gains that no flight of the run ever tried.

use crate::Error;
use crate::flights::held_out::{Test, test};
use crate::flights::space::Knob;
use crate::flights::tuning::Tuning;
use crate::flights::verdict::{Judgement, Verdict, any_better, in_each};
use crate::interrupt::Interrupt;
use crate::run::disk::record::Record;
use crate::run::settings::FLIGHTS;
use crate::statistics::MedianInterval;
use crate::terminal::{printable, word};
use serde::Serialize;
use shell::{Failure, exit};
use sim::Gains;
use sim::autopilot::{self, Judged, Origin, Source, TARGETS, Tuned};
use std::path::Path;

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

/// What gains are called that a run recommends.
pub const RECOMMENDED: &str = "the recommended gains";

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

    /// What each target of [`TARGETS`] can do with the recommended gains.
    pub fn holders(&self) -> Vec<(&'static str, Holds)> {
        let source = self.source();
        let asked = TARGETS.map(|target| {
            let draft = autopilot::by_name(target, None)
                .and_then(|autopilot| autopilot::draft(&source, autopilot.as_ref(), None, false));
            let holds = match draft {
                Ok(draft) if draft.clamped => Holds::Nearest,
                Ok(_) => Holds::AsTheyAre,
                Err(_) => Holds::Not,
            };
            (target, holds)
        });
        asked.into()
    }

    /// The verdict of the held-out test in each domain.
    pub fn verdicts(&self) -> Vec<(String, Verdict)> {
        let tests = self.recommended.tests.iter().enumerate();
        let verdict = |domain| self.judgement(&self.recommended, domain).verdict;
        tests
            .map(|(domain, test)| (printable(&test.domain), verdict(domain)))
            .collect()
    }

    /// Whether every evaluation, or every held-out flight of the recommended gains, was lost.
    pub fn never_flown(&self) -> bool {
        let mut tests = self.recommended.tests.iter();
        self.lost() == self.trials.len() || tests.all(|test| test.crashes == test.ace_m.len())
    }

    /// Why the recommendation of the run in `folder` should not be flown, by its own flights; `None` if
    /// its held-out test calls the recommended gains, named `whose`, better and nowhere worse.
    pub fn caveat(&self, folder: &Path, whose: &str) -> Option<Failure> {
        let (evaluations, tests) = (self.trials.len(), &self.recommended.tests);
        if self.lost() == evaluations {
            let line = format!(
                "each of the run's {evaluations} evaluations is lost in simulation, so its gains mean nothing; tune again from gains that hover, within narrower [gains.bounds], or write them all the same with --anyway"
            );
            return Some(Failure::new(line, exit::ALL_LOST));
        }
        if self.never_flown() {
            let flights: usize = tests.iter().map(|test| test.ace_m.len()).sum();
            let line = format!(
                "{whose} lost each of their {flights} held-out flights in simulation; tune again from gains that hover, within narrower [gains.bounds], or write them all the same with --anyway"
            );
            return Some(Failure::new(line, exit::ALL_LOST));
        }
        let verdicts = self.verdicts();
        (!any_better(&verdicts)).then(|| {
            Failure::data(format!(
                "in simulation {whose} are no better than the default ones ({}), so nothing is written; average more winds an evaluation, {}, or write them all the same with --anyway",
                in_each(&verdicts), self.with_more_winds(folder)
            ))
        })
    }

    /// The command of a run like the one in `folder` of which each evaluation averages more winds.
    pub fn with_more_winds(&self, folder: &Path) -> String {
        let flights = (4 * self.settings.flights_per_evaluation).min(FLIGHTS.most as u64);
        format!(
            "bo tune --config {}/config.toml --flights {flights}",
            word(folder)
        )
    }

    /// What it recommends, for an exporter.
    pub fn source(&self) -> Source {
        let (old, new) = (self.default.gains, self.recommended.gains);
        let names = self.problem.tuned.iter().map(|gain| gain.name.as_str());
        Source {
            tuned: Tuned::by_names(names).or(&Tuned::by_change(&old, &new)),
            airframe: self.problem.airframe.clone(),
            default: old,
            default_of: None,
            recommended: new,
            origin: Origin::Run {
                trajectory: self.settings.trajectory.clone(),
                surrogate: self.settings.surrogate.to_owned(),
                seed: self.settings.seed,
            },
            version: self.versions.windhover.clone(),
            verdicts: verdicts(self),
        }
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
            "In {} wind these gains were, beside the old ones: {} (in simulation: median ACE {error} m where both \
             completed; {} of {} held-out flights lost, the old ones {}; probability of a loss below {:.1} %).",
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

/// What an autopilot can do with gains.
#[derive(Debug)]
pub enum Holds {
    /// Hold them, but for rounding.
    AsTheyAre,
    /// Hold others that are near.
    Nearest,
    /// Nothing.
    Not,
}

/// How gains as written fly in the run's own held-out winds of one domain, compared with others in the same.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Flown {
    /// The domain.
    pub domain: String,
    /// Held-out winds.
    pub winds: usize,
    /// The gains as written.
    pub written: Figure,
    /// The run's recommended gains.
    pub recommended: Figure,
    /// The old gains.
    pub old: Figure,
    /// Median over winds of the difference of the ACE, as written minus recommended, where both completed,
    /// with its 95 % interval [m].
    pub difference_m: Option<MedianInterval>,
    /// The gains as written compared with the old ones.
    pub verdict: Verdict,
}

/// The outcome of a test.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figure {
    /// Median ACE of the completed flights with its 95 % interval [m]; absent where all were lost.
    pub completed_m: Option<MedianInterval>,
    /// Flights lost.
    pub lost: usize,
}

/// Flies `gains` in the held-out winds of the run `recorded`, whose problem is `tuning`, domain by
/// domain. Gains that are the recommended ones to the last bit flew already.
///
/// # Errors
/// [`Error::Interrupted`].
pub fn fly(recorded: &Record, tuning: &Tuning, gains: &Gains) -> Result<Vec<Flown>, Error> {
    let known = (*gains == recorded.recommended.gains).then(|| recorded.recommended.tests.clone());
    let winds = recorded.settings.held_out_winds;
    let interrupted = || Error::Interrupted(0);
    let tests = known.or_else(|| test(tuning, gains, winds, &Interrupt::default()));
    let tests = tests.ok_or_else(interrupted)?;
    let flown = tests.iter().enumerate().map(|(domain, written)| {
        let (old, recommended) = (
            &recorded.default.tests[domain],
            &recorded.recommended.tests[domain],
        );
        Flown {
            domain: printable(&written.domain),
            winds: written.ace_m.len(),
            difference_m: Judgement::of(recommended, written).error_m,
            verdict: Judgement::of(old, written).verdict,
            written: Figure::of(written),
            recommended: Figure::of(recommended),
            old: Figure::of(old),
        }
    });
    Ok(flown.collect())
}

impl Figure {
    fn of(test: &Test) -> Figure {
        Figure {
            completed_m: test.completed_m,
            lost: test.crashes,
        }
    }
}

impl std::fmt::Display for Figure {
    /// "0.301 [0.290, 0.312] m, 0 lost".
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.completed_m {
            Some(error) => write!(f, "{} m, {} lost", error.plain(), self.lost),
            None => f.write_str("none, all lost"),
        }
    }
}

impl std::fmt::Display for Flown {
    /// As a sentence.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Flown {
            domain,
            winds,
            written,
            recommended,
            old,
            ..
        } = self;
        let apart = self.difference_m.as_ref();
        let apart = apart.map_or("-".to_owned(), MedianInterval::signed);
        write!(
            f,
            "Flown as written in {winds} held-out {domain} winds, in simulation: median ACE of completed \
             flights {written} ({}); before rounding {recommended} (written minus before, \
             wind by wind: {apart} m); the old ones {old}.",
            self.verdict.words()
        )
    }
}
