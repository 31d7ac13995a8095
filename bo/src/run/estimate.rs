//! Estimate: about how long a run will take on this machine, for display only. No result depends on
//! it.

use super::bayesian::Bayesian;
use super::perform::CANDIDATES;
use super::settings::Settings;
use super::tune::Searcher;
use crate::Error;
use crate::flights::evaluation::Evaluation;
use crate::flights::held_out::Planned;
use crate::flights::problem::Problem;
use crate::interrupt::Interrupt;
use search::{Origin, Suggestion};
use std::time::{Duration, Instant};

/// Held-out flights that are timed, on all cores as those of a test are.
const TIMED: u64 = 16;

/// Where the suggestion stands that is timed: fits grow with the evaluations so far, and a run takes
/// about as long as if all its fits were those of its middle.
const MIDDLE: f64 = 0.5;

/// About how long a run will take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Estimate {
    /// The flights of its evaluations.
    pub flights: Duration,
    /// Fits and acquisitions.
    pub search: Duration,
    /// The flights of its tests.
    pub tests: Duration,
}

impl Estimate {
    /// Times one round of evaluations, a few test flights and one round of suggestions of the run that
    /// `settings` describe.
    ///
    /// # Errors
    /// A search that cannot be made.
    pub fn of(settings: &Settings, problem: &Problem) -> Result<Estimate, Error> {
        let started = Instant::now();
        let origin = Origin::Initial;
        let x = problem.baseline();
        let round = vec![Suggestion::new(x, origin); settings.together as usize];
        let first = problem.evaluate_batch(0, round).swap_remove(0);
        let one = started.elapsed();

        let started = Instant::now();
        let timed = settings.held_out_winds.min(TIMED);
        let gains = [problem.tuning.setup.airframe.gains];
        let interrupt = Interrupt::default();
        let planned = Planned {
            tuning: &problem.tuning,
            gains: &gains,
            domain: 0,
            winds: timed,
        };
        planned.fly(&interrupt, &|_| ());
        let tested = CANDIDATES * problem.tuning.domains.len() as u64 * settings.held_out_winds;
        let tests = started.elapsed().mul_f64(tested as f64 / timed as f64);

        let started = Instant::now();
        let (made, round) = (made_up(settings, problem, &first), settings.together);
        Bayesian::new(problem, settings)?.next(&made, round as usize)?;
        let rounds = |evaluations: u64| evaluations.div_ceil(round) as f64;
        Ok(Estimate {
            flights: one.mul_f64(rounds(settings.evaluations())),
            search: started.elapsed().mul_f64(rounds(settings.iterations)),
            tests,
        })
    }

    /// All together.
    pub fn total(&self) -> Duration {
        self.flights + self.search + self.tests
    }
}

/// Evaluations as many as the middle of the run has, never flown: their points fill the cube, and
/// their costs rise from its middle.
fn made_up(settings: &Settings, problem: &Problem, like: &Evaluation) -> Vec<Evaluation> {
    let count = settings.initial + (MIDDLE * settings.iterations as f64) as u64;
    let count = count - count % settings.together;
    // Multiples of powers of the golden ratio modulo 1 spread over a cube.
    let coordinate = |number: u64, k: i32| (number as f64 * 0.618_033_988_75_f64.powi(k)).fract();
    let one = |number: u64| {
        let x: Vec<f64> = (1..=problem.space.dimensions() as i32)
            .map(|k| coordinate(number + 1, k))
            .collect();
        let away: f64 = x.iter().map(|u| (u - 0.5).powi(2)).sum();
        Evaluation {
            number,
            cost_m: 0.2 + 0.3 * away,
            lost: false,
            x,
            ..like.clone()
        }
    };
    (0..count).map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_of_a_run_takes_time() {
        let settings = Settings {
            iterations: 5,
            held_out_winds: 3,
            ..Settings::of_paper("hover", "gp", 1).expect("legal")
        };
        let problem = settings.problem().expect("legal");
        let estimate = Estimate::of(&settings, &problem).expect("legal");
        let parts = [estimate.flights, estimate.search, estimate.tests];
        assert!(parts.iter().all(|part| !part.is_zero()), "{estimate:?}");
        assert_eq!(estimate.total(), parts.iter().sum());
    }
}
