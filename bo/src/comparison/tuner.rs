//! Tuner: how a cell is worked out: tune by the cell's method, then test what it recommends.

use super::cell::{Candidate, Cell, Finished, Flown, Recommender, TrialLine};
use super::method::Method;
use super::plan::Budget;
use crate::Error;
use crate::comparison::floor::FloorGains;
use crate::flights::environments::Environments;
use crate::flights::held_out;
use crate::flights::tuning;
use crate::interrupt::Interrupt;
use crate::run::perform::{Bench, Tuned, tune};
use crate::search::algorithm2::{Ending, Watcher};
use crate::search::cma_es::{CmaEs, usual_population};
use crate::search::history::{History, Origin, Trial};
use crate::search::recommend;
use crate::streams::{Stream, Study};
use crate::study::settings::Settings;
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sim::Gains;

/// Standard deviation of CMA-ES's first generation on each axis of the unit cube.
const FIRST_STEP: f64 = 0.25;

/// The surrogate by whose belief random search recommends.
const JUDGE_OF_RANDOM: &str = "gp";

/// Works a cell out. `floors` are the floor's gains of the cell's trajectory, one for each domain,
/// which only the floor's own cells need.
///
/// # Errors
/// [`Error::Interrupted`], or a name that does not exist.
pub fn work_out(
    cell: &Cell,
    budget: &Budget,
    floors: &[FloorGains],
    interrupt: &Interrupt,
    watcher: &mut dyn Watcher,
) -> Result<Finished, Error> {
    let settings = settings(cell, budget)?;
    let mut bench = Bench::of(&settings, budget.airframe.clone())?;
    if let Some(training) = cell.training {
        let share = training.gusty_share();
        bench.tuning.shares = vec![share, 1.0 - share];
    }
    let work = Work {
        settings,
        bench,
        interrupt,
    };
    let (trials, chosen) = match cell.method {
        Method::DefaultGains => (Vec::new(), vec![work.default_gains()]),
        Method::Floor => (Vec::new(), floors.iter().map(Chosen::floor).collect()),
        Method::RandomSearch => work.random_search(watcher)?,
        Method::CmaEs => work.evolution(watcher)?,
        Method::Surrogate(_) | Method::Environments => work.surrogate(watcher)?,
    };
    let candidates = chosen.into_iter().map(|chosen| work.test(chosen));
    Ok(Finished {
        key: cell.key(),
        candidates: candidates.collect::<Result<_, _>>()?,
        trials,
    })
}

fn settings(cell: &Cell, budget: &Budget) -> Result<Settings, Error> {
    let surrogate = match cell.method {
        Method::Surrogate(name) => name,
        Method::Environments => "gp-informed",
        _ => JUDGE_OF_RANDOM,
    };
    let environments = match cell.method {
        Method::Environments => Environments::Telemetry,
        _ => Environments::None,
    };
    let usual = Settings::of_paper(cell.trajectory, surrogate, cell.seed)?;
    Ok(Settings {
        initial: budget.initial,
        iterations: budget.iterations,
        kappa: budget.kappa,
        flights_per_evaluation: budget.flights,
        environments,
        held_out_winds: budget.held_out_winds,
        lambda: usual.lambda.map(|own| budget.lambda.unwrap_or(own)),
        ..usual
    })
}

/// Gains that a method chose, to be tested in all domains or in one.
struct Chosen {
    recommender: Recommender,
    gains: Gains,
    only_in: Option<usize>,
}

impl Chosen {
    fn floor(floor: &FloorGains) -> Chosen {
        Chosen {
            recommender: Recommender::Recommended,
            gains: floor.gains,
            only_in: Some(floor.domain),
        }
    }
}

type Outcome = (Vec<TrialLine>, Vec<Chosen>);

/// A cell being worked out.
struct Work<'a> {
    settings: Settings,
    bench: Bench,
    interrupt: &'a Interrupt,
}

impl Work<'_> {
    fn interrupted(&self, history: &History) -> Error {
        Error::Interrupted {
            flights: history.trials.len() as u64,
        }
    }

    fn default_gains(&self) -> Chosen {
        Chosen {
            recommender: Recommender::Recommended,
            gains: self.bench.tuning.setup.airframe.gains,
            only_in: None,
        }
    }

    fn surrogate(&self, watcher: &mut dyn Watcher) -> Result<Outcome, Error> {
        let Tuned {
            history,
            flown,
            ending,
            centroid,
            observed,
            ..
        } = tune(&self.settings, &self.bench, watcher)?;
        if ending == Ending::BrokenOff {
            return Err(self.interrupted(&history));
        }
        let flights = self.settings.flights_per_evaluation as usize;
        let domains = flown.chunks(flights).map(domains);
        Ok(self.outcome(&history, domains, &centroid.x, &observed.x))
    }

    /// Uniform points, the default gains first.
    fn random_search(&self, watcher: &mut dyn Watcher) -> Result<Outcome, Error> {
        let seed = self.settings.seed;
        let mut random = ChaCha8Rng::seed_from_u64(Study::RandomSearch.of(seed));
        let mut search = Search::new(&self.settings, &self.bench);
        search.fly(self.bench.baseline(), watcher);
        while search.wants(self.settings.evaluations()) {
            search.fly(uniform(&mut random, self.bench.space.dimensions()), watcher);
        }
        let Search {
            history,
            domains,
            broken_off,
            ..
        } = search;
        if broken_off {
            return Err(self.interrupted(&history));
        }
        let baseline = self.bench.baseline();
        let judge = crate::search::belief::surrogates::by_name(JUDGE_OF_RANDOM)?;
        let seed = Study::RandomRecommendation.of(seed);
        let centroid = recommend::centroid(judge.as_ref().into(), &history, &baseline, seed);
        let observed = recommend::observed(&history, &baseline);
        Ok(self.outcome(&history, domains, &centroid.x, &observed.x))
    }

    /// CMA-ES from the default gains; the last generation may be cut short by the budget.
    fn evolution(&self, watcher: &mut dyn Watcher) -> Result<Outcome, Error> {
        let baseline = self.bench.baseline();
        let population = usual_population(baseline.len());
        let seed = Study::Evolution.of(self.settings.seed);
        let mut strategy = CmaEs::new(&baseline, FIRST_STEP, population, seed);
        let mut search = Search::new(&self.settings, &self.bench);
        let budget = self.settings.evaluations();
        while search.wants(budget) {
            let mut evaluated = Vec::new();
            for x in strategy.ask() {
                if search.wants(budget) {
                    let cost = search.fly(x.clone(), watcher);
                    evaluated.push((x, cost));
                }
            }
            if evaluated.len() == population {
                strategy.tell(&evaluated);
            }
        }
        let Search {
            history,
            domains,
            broken_off,
            ..
        } = search;
        if broken_off {
            return Err(self.interrupted(&history));
        }
        let observed = recommend::observed(&history, &baseline);
        Ok(self.outcome(&history, domains, &strategy.mean(), &observed.x))
    }

    fn outcome(
        &self,
        history: &History,
        domains: impl IntoIterator<Item = String>,
        recommended: &[f64],
        observed: &[f64],
    ) -> Outcome {
        let trials = history.trials.iter().zip(domains);
        let lines = trials.map(|(trial, domain)| TrialLine {
            x: trial.x.clone(),
            domain,
            cost_m: trial.observation.cost,
            crashed: trial.observation.crashed,
        });
        let chosen = |recommender, x| Chosen {
            recommender,
            gains: self.bench.space.gains_at(x),
            only_in: None,
        };
        let both = vec![
            chosen(Recommender::Recommended, recommended),
            chosen(Recommender::Observed, observed),
        ];
        (lines.collect(), both)
    }

    fn test(&self, chosen: Chosen) -> Result<Candidate, Error> {
        let tuning = &self.bench.tuning;
        let domains = match chosen.only_in {
            Some(domain) => domain..domain + 1,
            None => 0..tuning.domains.len(),
        };
        let winds = self.settings.held_out_winds;
        let tests = domains.map(|domain| {
            let test = held_out::test_in(tuning, &chosen.gains, domain, winds, self.interrupt)
                .ok_or(Error::Interrupted { flights: 0 })?;
            Ok(Flown {
                domain: test.domain,
                ace_m: test.ace_m,
                crashes: test.crashes,
            })
        });
        Ok(Candidate {
            recommender: chosen.recommender,
            gains: chosen.gains,
            tests: tests.collect::<Result<_, Error>>()?,
        })
    }
}

/// Evaluations of a method that needs no surrogate, in order.
struct Search<'a> {
    settings: &'a Settings,
    bench: &'a Bench,
    history: History,
    domains: Vec<String>,
    broken_off: bool,
}

impl<'a> Search<'a> {
    fn new(settings: &'a Settings, bench: &'a Bench) -> Search<'a> {
        Search {
            settings,
            bench,
            history: History::default(),
            domains: Vec::new(),
            broken_off: false,
        }
    }

    /// Whether another of `budget` evaluations is due.
    fn wants(&self, budget: u64) -> bool {
        !self.broken_off && (self.history.trials.len() as u64) < budget
    }

    /// Flies the next evaluation at `x`; its cost.
    fn fly(&mut self, x: Vec<f64>, watcher: &mut dyn Watcher) -> f64 {
        let number = self.history.trials.len() as u64;
        let flights = self.bench.evaluate(self.settings, number, &x);
        self.domains.push(domains(&flights));
        let observation = self.settings.cost.observation(&flights);
        let origin = if number == 0 {
            Origin::Baseline
        } else {
            Origin::Initial
        };
        self.history.trials.push(Trial {
            number,
            x,
            origin,
            observation,
        });
        let trial = &self.history.trials[number as usize];
        self.broken_off = watcher.trial(trial, &self.history).is_break();
        observation.cost
    }
}

/// The domains that the flights of one evaluation met, each once.
fn domains(flights: &[tuning::Flown]) -> String {
    let mut met: Vec<&str> = flights.iter().map(|f| f.weather.domain.as_str()).collect();
    met.sort_unstable();
    met.dedup();
    met.join(" and ")
}

fn uniform(random: &mut impl Rng, dimensions: usize) -> Vec<f64> {
    (0..dimensions).map(|_| random.random()).collect()
}
