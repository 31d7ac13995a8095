//! Sequential: Wald's test of a probability of loss (A. Wald, Ann. Math. Statist. 16, 1945).
//!
//! Flights are taken one by one; the logarithm of the likelihood ratio of [`BAD`] over [`GOOD`] ends the
//! test where it leaves (ln β, ln 1/α) = (-5.3, 5.3): a tune that loses [`BAD`] of its flights or more
//! passes with a probability of at most [`ERROR`], one that loses [`GOOD`] or less is refused with at
//! most as much. 555 flights without a loss pass; two losses in the first 75 refuse.

use serde::Serialize;

/// Probability of loss that must be found out.
pub const BAD: f64 = 0.01;

/// Probability of loss that must not be mistaken for it.
pub const GOOD: f64 = 0.0005;

/// Either error's probability: Wald's bounds hold for ERROR / (1 - ERROR), a hair more.
pub const ERROR: f64 = 0.005;

/// What the test found, from few losses to many.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Finding {
    /// Rather [`GOOD`] than [`BAD`].
    Rare,
    /// Not known yet.
    Open,
    /// Rather [`BAD`] than [`GOOD`].
    Often,
}

/// A test under way.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Sequential {
    /// Flights so far.
    pub flights: usize,
    /// Of them lost.
    pub lost: usize,
}

impl Sequential {
    /// Takes in a flight.
    pub fn add(&mut self, lost: bool) {
        self.flights += 1;
        self.lost += usize::from(lost);
    }

    /// Flights that pass where none is lost; fewer never do.
    pub fn least() -> u64 {
        let mut test = Sequential::default();
        while test.finding() == Finding::Open {
            test.add(false);
        }
        test.flights as u64
    }

    /// What is known by now.
    pub fn finding(&self) -> Finding {
        let kept = (self.flights - self.lost) as f64;
        let ratio = self.lost as f64 * (BAD / GOOD).ln() + kept * ((1.0 - BAD) / (1.0 - GOOD)).ln();
        let end = ((1.0 - ERROR) / ERROR).ln();
        match ratio {
            _ if ratio >= end => Finding::Often,
            _ if ratio <= -end => Finding::Rare,
            _ => Finding::Open,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::interval::ends;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// One test with flights lost by chance, of `most` at most.
    fn run(probability: f64, most: usize, rng: &mut ChaCha8Rng) -> Sequential {
        let mut test = Sequential::default();
        while test.finding() == Finding::Open && test.flights < most {
            test.add(rng.random_range(0.0..1.0) < probability);
        }
        test
    }

    #[test]
    fn the_stated_numbers_of_flights_decide() {
        let after = |flights, lost| Sequential { flights, lost }.finding();
        assert_eq!(
            (after(554, 0), after(555, 0)),
            (Finding::Open, Finding::Rare)
        );
        assert_eq!(
            (after(75, 2), after(76, 2)),
            (Finding::Often, Finding::Open)
        );
        assert_eq!(after(1, 1), Finding::Open);
    }

    /// Both error rates are as stated, and chance ends as often as the exact programme says.
    #[test]
    fn the_errors_are_as_stated_and_chance_agrees_with_the_exact_programme() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let runs = 4_000;
        for probability in [0.0001, GOOD, 0.002, 0.005, BAD, 0.03, 0.1, 0.5] {
            let found = (0..runs).map(|_| run(probability, 4_000, &mut rng).finding());
            let found: Vec<Finding> = found.collect();
            let exact = ends(probability, 4_000);
            for finding in [Finding::Rare, Finding::Open, Finding::Often] {
                let count = found.iter().filter(|one| **one == finding).count();
                let share = count as f64 / f64::from(runs);
                let those = exact.iter().filter(|(end, _)| end.finding() == finding);
                let exact: f64 = those.map(|(_, mass)| mass).sum();
                let is_wrong = (finding == Finding::Rare && probability >= BAD)
                    || (finding == Finding::Often && probability <= GOOD);
                assert!(!is_wrong || exact < ERROR, "{probability}: {exact}");
                // Four standard errors, and what one run makes of a share near 0.
                let near = 4.0 * (exact * (1.0 - exact) / f64::from(runs)).abs().sqrt() + 1e-3;
                assert!(
                    (share - exact).abs() < near,
                    "{probability}: {share}, {exact}"
                );
            }
        }
    }
}
