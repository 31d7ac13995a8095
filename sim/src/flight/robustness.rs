//! Robustness: what many flights allow one to state about the next.

use crate::flight::Flight;
use crate::flight::score::ACE_CAP_M;
use serde::Serialize;
use statrs::distribution::{Beta, Binomial, ContinuousCDF, DiscreteCDF};

/// Confidence of every bound stated.
pub const CONFIDENCE: f64 = 0.95;

/// Quantiles of the ACE that are reported.
const QUANTILES: [f64; 4] = [0.5, 0.9, 0.95, 0.99];

/// One flight in short.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct FlightResult {
    /// Seed of wind, sensors and vehicle.
    pub seed: u64,
    /// ACE over the time flown [m].
    pub ace_m: f64,
    /// Whether the vehicle was lost.
    pub crashed: bool,
}

impl FlightResult {
    /// The result of `flight`, which was flown with `seed`.
    pub fn of(seed: u64, flight: &Flight) -> FlightResult {
        FlightResult {
            seed,
            ace_m: flight.score.ace_m,
            crashed: !flight.completed(),
        }
    }

    /// The ACE, capped, with a crash counted as the cap [m].
    pub fn capped_m(&self) -> f64 {
        if self.crashed {
            ACE_CAP_M
        } else {
            self.ace_m.min(ACE_CAP_M)
        }
    }

    /// The ACE with a crash counted as worse than any number.
    fn cost(&self) -> f64 {
        if self.crashed {
            f64::INFINITY
        } else {
            self.ace_m
        }
    }
}

/// A statement about flights of one kind.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Statement {
    /// Flights flown.
    pub flights: usize,
    /// Flights lost.
    pub crashes: usize,
    /// 95 % interval of the crash probability (Clopper and Pearson 1934).
    pub crash_probability: [f64; 2],
    /// Quantiles with their distribution-free upper bounds.
    pub quantiles: Vec<Quantile>,
    /// Seed of the worst flight: the earliest crash, else the greatest ACE.
    pub worst_seed: u64,
}

/// A quantile of the ACE, a lost flight counted as worse than any number.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Quantile {
    /// The probability p.
    pub p: f64,
    /// Sample quantile [m]; absent where it falls among the lost flights.
    pub ace_m: Option<f64>,
    /// x such that P(ACE < x) ≥ p with 95 % confidence [m]; absent where the flights are too few
    /// to say, or too many are lost.
    pub bound_m: Option<f64>,
}

impl Statement {
    /// What `results` allow one to state.
    ///
    /// # Panics
    /// When there is no result.
    pub fn of(results: &[FlightResult]) -> Statement {
        let crashes = results.iter().filter(|result| result.crashed).count();
        let mut costs: Vec<f64> = results.iter().map(FlightResult::cost).collect();
        costs.sort_by(f64::total_cmp);
        let at = |rank: usize| costs.get(rank).copied().filter(|cost| cost.is_finite());
        let quantiles = QUANTILES.map(|p| Quantile {
            p,
            ace_m: at(((p * results.len() as f64).ceil() as usize).max(1) - 1),
            bound_m: bound_rank(results.len(), p).and_then(at),
        });
        let worst = results.iter().reduce(|worst, next| {
            if next.cost() > worst.cost() {
                next
            } else {
                worst
            }
        });
        Statement {
            flights: results.len(),
            crashes,
            crash_probability: clopper_pearson(crashes, results.len()),
            quantiles: quantiles.to_vec(),
            worst_seed: worst.expect("at least one result").seed,
        }
    }
}

/// Exact 95 % interval of a probability after `hits` in `count` trials.
pub fn clopper_pearson(hits: usize, count: usize) -> [f64; 2] {
    let tail = 0.5 * (1.0 - CONFIDENCE);
    let low = if hits == 0 {
        0.0
    } else {
        beta_quantile(hits as f64, (count - hits) as f64 + 1.0, tail)
    };
    [low, exceeded_with(tail, hits, count)]
}

/// Exact upper bound that a probability keeps below with 95 % confidence after `hits` in `count`
/// trials: the one-sided bound of Clopper and Pearson, 1 − 0.05^(1/n) after none.
pub fn upper_bound(hits: usize, count: usize) -> f64 {
    exceeded_with(1.0 - CONFIDENCE, hits, count)
}

/// The probability of a hit at which `hits` or fewer in `count` trials have the probability `tail`.
fn exceeded_with(tail: f64, hits: usize, count: usize) -> f64 {
    if hits == count {
        return 1.0;
    }
    beta_quantile(hits as f64 + 1.0, (count - hits) as f64, 1.0 - tail)
}

fn beta_quantile(a: f64, b: f64, p: f64) -> f64 {
    Beta::new(a, b)
        .expect("both parameters are positive")
        .inverse_cdf(p)
}

/// Index (from 0) of the least order statistic of `count` values that exceeds the p-quantile with
/// the stated confidence: the r-th value does so with probability P(Bin(n, p) ≤ r − 1).
fn bound_rank(count: usize, p: f64) -> Option<usize> {
    let successes = Binomial::new(p, count as u64).expect("p is a probability");
    // The cumulative probability grows with the rank: bisection.
    let enough = |rank: usize| successes.cdf(rank as u64) >= CONFIDENCE;
    let last = count.checked_sub(1).filter(|last| enough(*last))?;
    let (mut low, mut high) = (0, last);
    while low < high {
        let middle = (low + high) / 2;
        if enough(middle) {
            high = middle
        } else {
            low = middle + 1
        }
    }
    Some(high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_of_clopper_and_pearson_is_the_tabulated_one() {
        // 0 of n: 1 − 0.025^(1/n); and the textbook value for 4 of 20.
        let [low, high] = clopper_pearson(0, 1000);
        assert_eq!(low, 0.0);
        assert!((high - (1.0 - 0.025f64.powf(1e-3))).abs() < 1e-9, "{high}");
        let [low, high] = clopper_pearson(4, 20);
        assert!(
            (low - 0.0573).abs() < 5e-5 && (high - 0.4366).abs() < 5e-5,
            "{low} {high}"
        );
        assert_eq!(clopper_pearson(7, 7)[1], 1.0);
    }

    #[test]
    fn the_upper_bound_is_the_one_sided_one() {
        // The rule of three made exact, and its defining equation after two losses.
        assert!((upper_bound(0, 200) - (1.0 - 0.05f64.powf(1.0 / 200.0))).abs() < 1e-9);
        let p = upper_bound(2, 40);
        let at_most_two = Binomial::new(p, 40).expect("a probability").cdf(2);
        assert!((at_most_two - 0.05).abs() < 1e-6, "{at_most_two}");
        assert_eq!(upper_bound(3, 3), 1.0);
    }

    #[test]
    fn the_bound_is_wilks_formula() {
        // Wilks 1941: 59 values are the least number whose maximum exceeds the 95 % quantile with
        // 95 % confidence; 93 for the second largest.
        assert_eq!(bound_rank(58, 0.95), None);
        assert_eq!(bound_rank(59, 0.95), Some(58));
        assert_eq!(bound_rank(93, 0.95), Some(91));
        assert_eq!(bound_rank(299, 0.99), Some(298));
    }

    #[test]
    fn a_crash_is_worse_than_any_error() {
        let result = |seed, ace_m, crashed| FlightResult {
            seed,
            ace_m,
            crashed,
        };
        let mut results: Vec<FlightResult> = (0..100)
            .map(|seed| result(seed, 0.01 * seed as f64, false))
            .collect();
        assert_eq!(Statement::of(&results).worst_seed, 99);
        results[3].crashed = true;
        let statement = Statement::of(&results);
        assert_eq!((statement.worst_seed, statement.crashes), (3, 1));
        assert_eq!(statement.quantiles[0].ace_m, Some(0.5));
        assert_eq!(statement.quantiles[3].ace_m, Some(0.99));
        assert_eq!(statement.quantiles[2].bound_m, Some(0.99));
        assert_eq!(
            statement.quantiles[3].bound_m, None,
            "100 flights cannot bound 99 %"
        );
    }
}
