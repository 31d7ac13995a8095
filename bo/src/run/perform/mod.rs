//! Run: tune, recommend, test. One surrogate, one trajectory, one seed. Each evaluation and each
//! test is in the run's journal before the next one begins; what is in there already is not made
//! again.

mod told;

use crate::Error;
use crate::export::Limits;
use crate::flights::environments::Environments;
use crate::flights::held_out::{Test, test_in};
use crate::flights::space::Space;
use crate::flights::tuning::{Flown, Tuning, Weather};
use crate::interrupt::Interrupt;
use crate::run::journal::{Entry, Journal, Tested, TrialEntry};
use crate::run::record::{Candidate, Problem, Record, SCHEMA, TrialRecord, Versions};
use crate::search::algorithm2::{Ending, Study, Time, Watcher};
use crate::search::belief::learning::Learner;
use crate::search::history::{History, Trial};
use crate::search::recommend::{self, Recommendation};
use crate::streams::{self, Stream};
use crate::study::settings::Settings;
use crate::study::warm_start::WarmStart;
use sim::Airframe;
use sim::Flight;
use sim::Gains;
use sim::Setup;
use std::cell::RefCell;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};
use told::{Logged, environments, learner};

/// Index of the domain in which a run's recommended gains are shown: steady.
const SHOWN_DOMAIN: usize = 1;

/// A finished run: what is written down, and what is only looked at.
pub struct Run {
    /// What is written down.
    pub record: Record,
    /// Where the time went.
    pub time: Time,
    /// Time of the held-out flights.
    pub testing: Duration,
}

/// A tuning problem with its search space.
pub struct Bench {
    /// Vehicle, trajectory and winds.
    pub tuning: Tuning,
    /// What is tuned.
    pub space: Space,
    /// What an earlier run knew.
    pub warm_start: Option<WarmStart>,
}

impl Bench {
    /// The problem that `settings` name.
    ///
    /// # Errors
    /// When the trajectory does not exist.
    pub fn new(settings: &Settings) -> Result<Bench, Error> {
        Bench::of(settings, Airframe::omac())
    }

    /// The problem that `settings` name, for another vehicle than the paper's.
    ///
    /// # Errors
    /// When the trajectory does not exist.
    pub fn of(settings: &Settings, airframe: Airframe) -> Result<Bench, Error> {
        let trajectory = trajectories::by_name(&settings.trajectory)?;
        let tuning = Tuning {
            setup: Setup::new(airframe),
            ..Tuning::of_paper(trajectory, settings.seed)
        };
        let mut space = Space::position_loop(tuning.setup.airframe.gains);
        match settings.exportable {
            Some("px4") => space = space.within(Limits::px4()),
            Some(_) => space = space.within(Limits::ardupilot(None)?),
            None => {}
        }
        Ok(Bench {
            tuning,
            space,
            warm_start: None,
        })
    }

    /// What makes the answer mean less than it seems to, a sentence each.
    pub fn concerns(&self) -> Vec<String> {
        let tuning = &self.tuning;
        let mut domains: Vec<&sim::Domain> = Vec::new();
        for domain in tuning.training.iter().chain(&tuning.domains) {
            if !domains.contains(&domain) {
                domains.push(domain);
            }
        }
        let found = sim::concerns(&tuning.setup, tuning.trajectory.as_ref(), &domains);
        found.iter().map(ToString::to_string).collect()
    }

    /// The point of the search space that stands for the default gains.
    pub fn baseline(&self) -> Vec<f64> {
        self.space.unit_of(&self.tuning.setup.airframe.gains)
    }

    /// The flights of evaluation `number` with the gains at `x`.
    pub fn evaluate(&self, settings: &Settings, number: u64, x: &[f64]) -> Vec<Flown> {
        let weathers = self
            .tuning
            .weathers(number, settings.flights_per_evaluation);
        let sensed = settings.environments == Environments::Telemetry;
        self.tuning
            .evaluate(&self.space.gains_at(x), weathers, sensed)
    }

    /// The trials that `journal` holds, which this bench and these settings made.
    fn history(&self, settings: &Settings, journal: &Journal) -> Result<History, Error> {
        let trials = &journal.contents().trials;
        for kept in trials {
            let weathers = self
                .tuning
                .weathers(kept.number, settings.flights_per_evaluation);
            let what = if !kept.flights.iter().map(|f| &f.weather).eq(&weathers) {
                "the weather"
            } else if kept.x.len() != self.space.dimensions() {
                "the number of gains"
            } else if kept.number >= settings.evaluations() {
                "the number of evaluations"
            } else if settings.cost.observation(&kept.flights) != kept.trial().observation {
                "the cost"
            } else {
                continue;
            };
            return Err(journal.foreign(kept.number, what).into());
        }
        Ok(History {
            trials: trials.iter().map(TrialEntry::trial).collect(),
            ..self.known()
        })
    }
}

/// Performs the run that `settings` describe, or what is left of it after what `journal` holds.
///
/// # Errors
/// A name that does not exist, a journal that cannot be written or holds another run's
/// evaluations, or [`Error::Interrupted`].
pub fn perform(
    settings: &Settings,
    bench: &Bench,
    journal: &mut Journal,
    interrupt: &Interrupt,
    watcher: &mut dyn Watcher,
) -> Result<Run, Error> {
    let surrogate = bench.surrogate(settings)?;
    let logbook = bench.logbook(settings)?;
    let study = study(
        settings,
        bench,
        learner(surrogate.as_ref(), logbook.as_ref()),
    )?;
    let logged = Logged {
        bench,
        logbook: logbook.as_ref(),
    };
    let (history, time, ending) = tune_on(&study, settings, &logged, journal, watcher)?;
    let interrupted = || Error::Interrupted {
        flights: history.trials.len() as u64,
    };
    if ending == Ending::BrokenOff {
        return Err(interrupted());
    }
    let started = Instant::now();
    let seed = streams::Study::Recommendation.of(bench.tuning.study_seed);
    let centroid = recommend::by_belief(
        study.acquisition,
        study.learner,
        &history,
        &study.baseline,
        seed,
    );
    let observed = recommend::observed(&history, &study.baseline);

    let mut tests = |name: &str, gains: &Gains| -> Result<Vec<Test>, Error> {
        let domains = 0..bench.tuning.domains.len();
        let tests = domains.map(|domain| {
            let name_of_domain = &bench.tuning.domains[domain].name;
            let winds = settings.held_out_winds;
            if let Some(made) = journal.contents().test(name, name_of_domain) {
                let fault = made.fault(winds);
                let foreign = |what| journal.foreign_test(made, what).into();
                return fault.map_or_else(|| Ok(made.test.clone()), |what| Err(foreign(what)));
            }
            let test =
                test_in(&bench.tuning, gains, domain, winds, interrupt).ok_or_else(interrupted)?;
            journal.append(Entry::Test(Tested {
                gains: name.to_owned(),
                test: test.clone(),
            }))?;
            Ok(test)
        });
        tests.collect()
    };
    let default_gains = bench.tuning.setup.airframe.gains;
    let default = Candidate::default_gains(default_gains, tests("default", &default_gains)?);
    let mut candidate = |name: &str, recommendation: Recommendation| {
        let gains = bench.space.gains_at(&recommendation.x);
        let tests = tests(name, &gains)?;
        Ok::<_, Error>(Candidate::recommended(
            recommendation,
            gains,
            tests,
            &default,
        ))
    };
    let recommended = candidate("recommended", centroid)?;
    let observed = candidate("observed", observed)?;
    if !journal.contents().ended {
        let trials = history.trials.len() as u64;
        journal.append(Entry::End { trials })?;
    }
    let kept = &journal.contents().trials;
    let trials = kept
        .iter()
        .map(|kept| TrialRecord::of(&kept.trial(), &bench.space, kept.flights.clone()))
        .collect();
    Ok(Run {
        record: Record {
            schema: SCHEMA,
            versions: Versions {
                windhover: env!("CARGO_PKG_VERSION"),
            },
            settings: settings.clone(),
            problem: Problem::of(&bench.tuning, &bench.space),
            concerns: bench.concerns(),
            warm_start: bench.warm_start.clone(),
            environments: environments(settings, bench, kept),
            trials,
            default,
            recommended,
            observed,
        },
        time,
        testing: started.elapsed(),
    })
}

/// Tunes on after the evaluations that `journal` holds.
fn tune_on(
    study: &Study,
    settings: &Settings,
    logged: &Logged,
    journal: &mut Journal,
    watcher: &mut dyn Watcher,
) -> Result<(History, Time, Ending), Error> {
    let bench = logged.bench;
    let history = bench.history(settings, journal)?;
    for kept in &journal.contents().trials {
        logged.write(&kept.flights);
    }
    let flown = RefCell::new(Vec::new());
    let objective = |number: u64, x: &[f64]| {
        let flights = bench.evaluate(settings, number, x);
        let observed = settings.cost.observation(&flights);
        logged.write(&flights);
        *flown.borrow_mut() = flights;
        observed
    };
    let mut keeping = Keeping {
        flown: &flown,
        journal,
        watcher,
        failed: None,
    };
    let tuned = study.go_on(history, objective, &mut keeping);
    match keeping.failed {
        Some(error) => Err(error),
        None => Ok(tuned),
    }
}

/// Puts each trial into the journal before anybody else hears of it.
struct Keeping<'a> {
    /// The flights of the trial under way.
    flown: &'a RefCell<Vec<Flown>>,
    journal: &'a mut Journal,
    watcher: &'a mut dyn Watcher,
    failed: Option<Error>,
}

impl Watcher for Keeping<'_> {
    fn trial(&mut self, trial: &Trial, history: &History) -> ControlFlow<()> {
        let entry = TrialEntry::of(trial, self.flown.take());
        if let Err(error) = self.journal.append(Entry::Trial(entry)) {
            self.failed = Some(error.into());
            return ControlFlow::Break(());
        }
        self.watcher.trial(trial, history)
    }
}

/// What tuning gave, before any test.
pub struct Tuned {
    /// Every trial.
    pub history: History,
    /// The flight of each.
    pub flown: Vec<Flown>,
    /// Where the time went.
    pub time: Time,
    /// Whether it ran to its end.
    pub ending: Ending,
    /// The default recommender's choice.
    pub centroid: Recommendation,
    /// The paper's recommender's choice.
    pub observed: Recommendation,
}

/// Tunes with the surrogate that `settings` name, one flight an evaluation, and keeps nothing on
/// disk.
///
/// # Errors
/// A surrogate that does not exist.
pub fn tune(settings: &Settings, bench: &Bench, watcher: &mut dyn Watcher) -> Result<Tuned, Error> {
    let surrogate = bench.surrogate(settings)?;
    let logbook = bench.logbook(settings)?;
    let study = study(
        settings,
        bench,
        learner(surrogate.as_ref(), logbook.as_ref()),
    )?;
    let logged = Logged {
        bench,
        logbook: logbook.as_ref(),
    };
    let mut flown = Vec::new();
    let objective = |number: u64, x: &[f64]| {
        let flights = bench.evaluate(settings, number, x);
        let observed = settings.cost.observation(&flights);
        logged.write(&flights);
        flown.extend(flights);
        observed
    };
    let (history, time, ending) = study.go_on(bench.known(), objective, watcher);
    let seed = streams::Study::Recommendation.of(bench.tuning.study_seed);
    Ok(Tuned {
        centroid: recommend::by_belief(
            study.acquisition,
            study.learner,
            &history,
            &study.baseline,
            seed,
        ),
        observed: recommend::observed(&history, &study.baseline),
        history,
        flown,
        time,
        ending,
    })
}

fn study<'a>(settings: &Settings, bench: &Bench, learner: Learner<'a>) -> Result<Study<'a>, Error> {
    Ok(Study {
        learner,
        baseline: bench.baseline(),
        initial: settings.initial,
        iterations: settings.iterations,
        acquisition: settings.rule()?,
        seed: bench.tuning.study_seed,
    })
}

/// The weather in which a run's recommended gains are shown: the first held-out wind of the second
/// domain, which is steady in the paper's problem, or of the only one.
pub fn shown_weather(bench: &Bench) -> Weather {
    let domain = SHOWN_DOMAIN.min(bench.tuning.domains.len() - 1);
    bench.tuning.held_out_weather(domain, 0)
}

/// The flight of the recommended gains in that weather, with a sample every `record_every` control
/// periods.
pub fn shown_flight(bench: &Bench, record: &Record, record_every: u32) -> Flight {
    let gains = &record.recommended.gains;
    bench.tuning.fly(gains, &shown_weather(bench), record_every)
}
