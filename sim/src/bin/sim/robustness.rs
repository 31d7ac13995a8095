//! Robustness: what many flights allow one to state about the next.

use serde::Serialize;
use shell::statistics::{bound_rank, clopper_pearson};
use sim::{Concern, Flight};

/// Quantiles of the ACE that are reported.
const QUANTILES: [f64; 4] = [0.5, 0.9, 0.95, 0.99];

/// One flight in short.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FlightResult {
    /// Seed of wind, sensors and vehicle.
    pub seed: u64,
    /// ACE over the time flown [m].
    pub ace_m: f64,
    /// Whether the vehicle was lost.
    pub lost: bool,
}

impl FlightResult {
    /// The result of `flight`, which was flown with `seed`.
    pub fn of(seed: u64, flight: &Flight) -> FlightResult {
        FlightResult {
            seed,
            ace_m: flight.score.ace_m,
            lost: !flight.completed(),
        }
    }

    /// The ACE with a lost flight counted as worse than any number.
    fn cost(&self) -> f64 {
        if self.lost { f64::INFINITY } else { self.ace_m }
    }
}

/// A statement about flights of one kind.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Statement {
    /// Flights flown.
    pub flights: usize,
    /// Flights lost.
    #[serde(rename = "crashes")]
    pub lost: usize,
    /// 95 % interval of the probability of a loss (Clopper and Pearson 1934).
    #[serde(rename = "crash_probability")]
    pub loss_probability: [f64; 2],
    /// Quantiles with their distribution-free upper bounds.
    pub quantiles: Vec<Quantile>,
    /// Seed of the worst flight: the earliest lost one, else the greatest ACE.
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
        let lost = results.iter().filter(|result| result.lost).count();
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
            lost,
            loss_probability: clopper_pearson(lost, results.len()),
            quantiles: quantiles.to_vec(),
            worst_seed: worst.expect("at least one result").seed,
        }
    }
}

/// Says that so many flights bound not even the median.
pub fn too_few(flights: u64) -> Option<Concern> {
    let bounded = |count: &usize| bound_rank(*count, QUANTILES[0]).is_some();
    let least = (1..).find(bounded).unwrap_or_default() as u64;
    (flights < least).then_some(Concern::TooFewFlights { flights, least })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lost_flight_is_worse_than_any_error() {
        let result = |seed, ace_m, lost| FlightResult { seed, ace_m, lost };
        let mut results: Vec<FlightResult> = (0..100)
            .map(|seed| result(seed, 0.01 * seed as f64, false))
            .collect();
        assert_eq!(Statement::of(&results).worst_seed, 99);
        results[3].lost = true;
        let statement = Statement::of(&results);
        assert_eq!((statement.worst_seed, statement.lost), (3, 1));
        assert_eq!(statement.quantiles[0].ace_m, Some(0.5));
        assert_eq!(statement.quantiles[3].ace_m, Some(0.99));
        assert_eq!(statement.quantiles[2].bound_m, Some(0.99));
        assert_eq!(
            statement.quantiles[3].bound_m, None,
            "100 flights cannot bound 99 %"
        );
    }
}
