//! Run: tune, recommend, test. One surrogate, one trajectory, one seed.

use crate::Error;
use crate::held_out::{Test, test};
use crate::history::History;
use crate::interrupt::Interrupt;
use crate::recommend::{self, Recommendation};
use crate::record::{Candidate, Problem, Record, SCHEMA, TrialRecord, Versions};
use crate::settings::Settings;
use crate::space::Space;
use crate::study::{Ending, Study, Time, Watcher};
use crate::tuning::{Tuning, Weather, observation};
use sim::{Flight, Gains};
use std::time::{Duration, Instant};

/// Stream of random numbers for the recommender's fit.
const RECOMMENDATION: u64 = 4;

/// Index of the domain in which a run's recommended gains are drawn: steady.
const DRAWN_DOMAIN: usize = 1;

/// Control periods between two recorded samples of the flight that is drawn.
const DRAWN_EVERY: u32 = 10;

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
}

impl Bench {
    /// The problem that `settings` name.
    ///
    /// # Errors
    /// When the trajectory does not exist.
    pub fn new(settings: &Settings) -> Result<Bench, Error> {
        let trajectory = trajectories::by_name(settings.trajectory)?;
        let tuning = Tuning::of_paper(trajectory, settings.seed);
        let space = Space::position_loop(tuning.setup.airframe.gains);
        Ok(Bench { tuning, space })
    }

    /// The point of the search space that stands for the default gains.
    pub fn baseline(&self) -> Vec<f64> {
        self.space.unit_of(&self.tuning.setup.airframe.gains)
    }

    /// Tuning flight `number`, with the gains at `x` in the weather that is its own.
    pub fn training_flight(&self, number: u64, x: &[f64]) -> (Weather, Flight) {
        let weather = self.tuning.training_weather(number);
        let flight = self.tuning.fly(&self.space.gains_at(x), &weather, 0);
        (weather, flight)
    }

    /// The default gains in the held-out winds.
    ///
    /// # Errors
    /// [`Error::Interrupted`].
    pub fn test_default(&self, winds: u64, interrupt: &Interrupt) -> Result<Vec<Test>, Error> {
        let gains = self.tuning.setup.airframe.gains;
        test(&self.tuning, &gains, winds, interrupt).ok_or(Error::Interrupted { flights: 0 })
    }
}

/// Performs the run that `settings` describe. `default_tests` are the default gains' tests on the
/// same bench, where they are known already.
///
/// # Errors
/// A name that does not exist, or [`Error::Interrupted`].
pub fn perform(
    settings: &Settings,
    bench: &Bench,
    default_tests: Option<Vec<Test>>,
    interrupt: &Interrupt,
    watcher: &mut dyn Watcher,
) -> Result<Run, Error> {
    let Bench { tuning, space } = bench;
    let default_gains = tuning.setup.airframe.gains;
    let Tuned {
        history,
        flown,
        time,
        ending,
        centroid,
        observed,
    } = tune(settings, bench, watcher)?;
    let interrupted = Error::Interrupted {
        flights: history.trials.len() as u64,
    };
    if ending == Ending::BrokenOff {
        return Err(interrupted);
    }
    let trials = history.trials.iter().zip(flown);
    let trials: Vec<TrialRecord> = trials
        .map(|(trial, (weather, flight))| TrialRecord::of(trial, space, weather, &flight))
        .collect();

    let started = Instant::now();
    let winds = settings.held_out_winds;
    let tests = |gains: &Gains| test(tuning, gains, winds, interrupt);
    let Some(default) = default_tests.or_else(|| tests(&default_gains)) else {
        return Err(interrupted);
    };
    let default = Candidate::default_gains(default_gains, default);
    let candidate = |recommendation: Recommendation| {
        let gains = space.gains_at(&recommendation.x);
        let tests = tests(&gains)?;
        Some(Candidate::recommended(
            recommendation,
            gains,
            tests,
            &default,
        ))
    };
    let (Some(recommended), Some(observed)) = (candidate(centroid), candidate(observed)) else {
        return Err(interrupted);
    };
    Ok(Run {
        record: Record {
            schema: SCHEMA,
            versions: Versions {
                windhover: env!("CARGO_PKG_VERSION"),
            },
            settings: settings.clone(),
            problem: Problem::of(tuning, space),
            trials,
            default,
            recommended,
            observed,
        },
        time,
        testing: started.elapsed(),
    })
}

/// What tuning gave, before any test.
pub struct Tuned {
    /// Every trial.
    pub history: History,
    /// The weather and the flight of each.
    pub flown: Vec<(Weather, Flight)>,
    /// Where the time went.
    pub time: Time,
    /// Whether it ran to its end.
    pub ending: Ending,
    /// The default recommender's choice.
    pub centroid: Recommendation,
    /// The paper's recommender's choice.
    pub observed: Recommendation,
}

/// Tunes with the surrogate that `settings` name.
///
/// # Errors
/// A surrogate that does not exist.
pub fn tune(settings: &Settings, bench: &Bench, watcher: &mut dyn Watcher) -> Result<Tuned, Error> {
    let surrogate = crate::surrogates::by_name(settings.surrogate)?;
    let study = Study {
        surrogate: surrogate.as_ref(),
        baseline: bench.baseline(),
        initial: settings.initial,
        iterations: settings.iterations,
        kappa: settings.kappa,
        seed: settings.seed,
    };
    let mut flown = Vec::new();
    let objective = |number: u64, x: &[f64]| {
        let (weather, flight) = bench.training_flight(number, x);
        let observed = observation(&flight);
        flown.push((weather, flight));
        observed
    };
    let (history, time, ending) = study.run(objective, watcher);
    let seed = sim::mix(&[settings.seed, RECOMMENDATION]);
    Ok(Tuned {
        centroid: recommend::centroid(study.surrogate, &history, &study.baseline, seed),
        observed: recommend::observed(&history, &study.baseline),
        history,
        flown,
        time,
        ending,
    })
}

/// The flight of the recommended gains in the first held-out wind of the steady domain, with its
/// samples, for drawing.
pub fn drawn_flight(bench: &Bench, record: &Record) -> sim::Flight {
    let weather = bench.tuning.held_out_weather(DRAWN_DOMAIN, 0);
    bench
        .tuning
        .fly(&record.recommended.gains, &weather, DRAWN_EVERY)
}
