//! Baselines: the ways to tune besides Bayesian optimisation, and the floor, the best that tuning can
//! reach in one domain, found with a budget that no rig could afford.
//!
//! The floor's CMA-ES minimises the mean cost over the winds of the test domain. All points of a
//! generation fly in the same winds, so that their gains are compared and not their luck; each
//! generation meets new winds, so that nothing is tuned to a few.

use crate::Error;
use crate::comparison::plan::cell::OracleGains;
use crate::flights::evaluation::Evaluation;
use crate::flights::problem::Problem;
use crate::interrupt::Interrupt;
use crate::run::tune::Searcher;
use crate::streams::{Stream, Study};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use search::cma_es::{CmaEs, usual_population};
use search::{Origin, Suggestion};

/// Standard deviation of CMA-ES's first generation on each axis of the unit cube.
const FIRST_STEP: f64 = 0.25;

/// Uniform points, the default gains first.
pub struct RandomSearch {
    baseline: Vec<f64>,
    random: ChaCha8Rng,
}

impl RandomSearch {
    /// Of `problem`, by a study's seed.
    pub fn new(problem: &Problem, seed: u64) -> RandomSearch {
        RandomSearch {
            baseline: problem.baseline(),
            random: ChaCha8Rng::seed_from_u64(Study::RandomSearch.of(seed)),
        }
    }
}

impl Searcher for RandomSearch {
    fn next(&mut self, history: &[Evaluation], count: usize) -> Result<Vec<Suggestion>, Error> {
        let named = (history.len()..history.len() + count).map(|number| {
            if number == 0 {
                return Suggestion::new(self.baseline.clone(), Origin::Baseline);
            }
            let coordinates = 0..self.baseline.len();
            let x = coordinates.map(|_| self.random.random()).collect();
            Suggestion::new(x, Origin::Initial)
        });
        Ok(named.collect())
    }
}

/// CMA-ES from the default gains, a generation as large as usual, or so much larger that evaluations
/// side by side are of one; the last generation may be cut short by the budget.
pub struct Evolution {
    strategy: CmaEs,
    /// Points of the generation under way.
    generation: Vec<Vec<f64>>,
    /// Evaluations made before it.
    before: usize,
}

impl Evolution {
    /// Of `problem`, so many evaluations side by side, by a study's seed.
    pub fn new(problem: &Problem, together: u64, seed: u64) -> Evolution {
        let baseline = problem.baseline();
        let population = usual_population(baseline.len()).next_multiple_of(together as usize);
        let seed = Study::Evolution.of(seed);
        let mut strategy = CmaEs::new(&baseline, FIRST_STEP, population, seed);
        Evolution {
            generation: strategy.ask(),
            strategy,
            before: 0,
        }
    }

    /// Takes in the generation under way where it is whole.
    pub fn learn(&mut self, history: &[Evaluation]) {
        let (population, own) = (self.generation.len(), &history[self.before..]);
        if own.len() < population {
            return;
        }
        let cost = |evaluation: &Evaluation| (evaluation.x.clone(), evaluation.cost_m);
        self.strategy
            .tell(&own.iter().map(cost).collect::<Vec<_>>());
        self.generation = self.strategy.ask();
        self.before += population;
    }

    /// The centre of the search.
    pub fn mean(&self) -> Vec<f64> {
        self.strategy.mean()
    }
}

impl Searcher for Evolution {
    fn next(&mut self, history: &[Evaluation], count: usize) -> Result<Vec<Suggestion>, Error> {
        self.learn(history);
        let first = history.len() - self.before;
        let due = self.generation[first..].iter().take(count);
        let named = due.zip(history.len()..).map(|(x, number)| {
            let origin = match number {
                0 => Origin::Baseline,
                _ => Origin::Initial,
            };
            Suggestion::new(x.clone(), origin)
        });
        Ok(named.collect())
    }
}

/// Points in a generation and winds that each flies in: with few winds a gain that is lost in one
/// of thirty looks like a good one.
const POPULATION: usize = 14;
const WINDS: usize = 24;

/// Flights of one generation.
pub const GENERATION: u64 = (POPULATION * WINDS) as u64;

/// Tunes in the winds of `domain` with whole generations, at least one and about `flights`
/// flights. `flown` is called after each generation with the number of its flights.
///
/// # Errors
/// [`Error::Interrupted`].
pub fn tune_in(
    problem: &Problem,
    domain: usize,
    flights: u64,
    interrupt: &Interrupt,
    mut flown: impl FnMut(u64),
) -> Result<OracleGains, Error> {
    let generations = (flights / GENERATION).max(1);
    let seed = Study::FloorEvolution.at(problem.tuning.seed, domain as u64);
    let mut strategy = CmaEs::new(&problem.baseline(), FIRST_STEP, POPULATION, seed);
    for generation in 0..generations {
        if interrupt.raised() {
            return Err(Error::Interrupted(generation * GENERATION));
        }
        let points = strategy.ask();
        let first_wind = generation * WINDS as u64;
        let costs: Vec<f64> = points
            .par_iter()
            .map(|x| mean_cost_m(problem, domain, x, first_wind))
            .collect();
        strategy.tell(&points.into_iter().zip(costs).collect::<Vec<_>>());
        flown(GENERATION);
    }
    Ok(OracleGains {
        trajectory: problem.tuning.trajectory.name().to_owned(),
        domain,
        flights: generations * GENERATION,
        gains: problem.space.gains_at(&strategy.mean()),
    })
}

/// Mean cost of the gains at `x` in a generation's winds [m].
fn mean_cost_m(problem: &Problem, domain: usize, x: &[f64], first_wind: u64) -> f64 {
    let gains = problem.space.gains_at(x);
    let winds = first_wind..first_wind + WINDS as u64;
    let seeds: Vec<u64> = winds
        .map(|number| problem.tuning.floor_weather(domain, number).seed)
        .collect();
    let flights = problem.tuning.fly_batch(&[gains], domain, &seeds);
    let costs_m = flights.iter().flatten().map(sim::Flight::cost_m);
    costs_m.sum::<f64>() / WINDS as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::settings::Settings;
    use sim::Gains;

    #[test]
    fn the_floor_follows_its_seed_whatever_the_threads_and_lies_below_the_default() {
        let settings = Settings::of_paper("hover", "gp", 0).expect("legal");
        let problem = settings.problem().expect("legal");
        let tune = || tune_in(&problem, 1, 5 * GENERATION, &Interrupt::default(), |_| {});
        let floor = tune().expect("not interrupted");
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
        let alone = pool.expect("one thread").install(tune);
        assert_eq!(floor, alone.expect("not interrupted"));
        assert_eq!(floor.flights, 5 * GENERATION);
        let mean = |gains: &Gains| {
            let costs = (0..10).map(|number| {
                let weather = problem.tuning.held_out_weather(1, number);
                problem.tuning.fly(gains, &weather, 0).cost_m()
            });
            costs.sum::<f64>() / 10.0
        };
        let default = mean(&problem.tuning.setup.airframe.gains);
        assert!(mean(&floor.gains) < 0.7 * default);
    }

    #[test]
    fn an_interrupt_ends_the_search() {
        let settings = Settings::of_paper("hover", "gp", 0).expect("legal");
        let problem = settings.problem().expect("legal");
        let interrupt = Interrupt::default();
        interrupt.raise();
        let ended = tune_in(&problem, 0, 1_000, &interrupt, |_| {});
        assert!(matches!(ended, Err(Error::Interrupted(0))));
    }
}
