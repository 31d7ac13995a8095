//! Baselines: the ways to tune besides Bayesian optimisation.

use crate::Error;
use crate::flights::evaluation::Evaluation;
use crate::flights::problem::Problem;
use crate::run::tune::Searcher;
use crate::streams::{Stream, Study};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
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
        // No point of a generation is its centre, the default gains.
        let named = due.map(|x| Suggestion::new(x.clone(), Origin::Initial));
        Ok(named.collect())
    }
}
