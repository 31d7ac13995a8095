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

/// Probability beyond either end of the interval.
const TAIL: f64 = 0.025;

/// Halvings of [0, 1], beyond the last digit of every end.
const HALVINGS: usize = 64;

/// The exact 95 % interval of the probability of a loss after a test that ended with `end`.
pub fn interval(end: Sequential) -> [f64; 2] {
    // The lowest end is never rare however seldom flights are lost, nor the highest however often.
    let low = match end.lost {
        0 => 0.0,
        _ => turn(|p| tails(end, p)[1] > TAIL)[0],
    };
    let high = match end.flights - end.lost {
        0 => 1.0,
        _ => turn(|p| tails(end, p)[0] < TAIL)[1],
    };
    [low, high]
}

/// Two neighbouring probabilities: at the first and below it does not hold, at the second and above it does.
fn turn(holds: impl Fn(f64) -> bool) -> [f64; 2] {
    let mut between = [0.0, 1.0];
    for _ in 0..HALVINGS {
        let middle = 0.5 * (between[0] + between[1]);
        between[usize::from(holds(middle))] = middle;
    }
    between
}

/// Probabilities of `end` or a lower one, and of `end` or a higher one. Only the flights up to `end` decide
/// them: what continues after those ends between what had passed and what was refused by then.
fn tails(end: Sequential, probability: f64) -> [f64; 2] {
    let mut tails = [0.0; 2];
    for (other, mass) in ends(probability, end.flights) {
        let order = other.place().cmp(&end.place());
        tails[0] += if order.is_le() { mass } else { 0.0 };
        tails[1] += if order.is_ge() { mass } else { 0.0 };
    }
    tails
}

/// What a test of at most `most` flights can end with, each with its probability.
pub fn ends(probability: f64, most: usize) -> Vec<(Sequential, f64)> {
    // Those under way, by the number of losses; few numbers lie between the boundaries.
    let mut open = vec![(Sequential::default(), 1.0)];
    let mut ends = Vec::new();
    for _ in 0..most {
        let mut next: Vec<(Sequential, f64)> = Vec::with_capacity(open.len() + 1);
        for (test, mass) in open {
            for (lost, share) in [(false, 1.0 - probability), (true, probability)] {
                let mut test = test;
                test.add(lost);
                match next.last_mut() {
                    Some((same, so_far)) if *same == test => *so_far += mass * share,
                    _ => next.push((test, mass * share)),
                }
            }
        }
        open = Vec::with_capacity(next.len());
        for (test, mass) in next {
            match test.finding() {
                Finding::Open => open.push((test, mass)),
                _ => ends.push((test, mass)),
            }
        }
    }
    ends.extend(open);
    ends
}

impl Sequential {
    /// Its place among the ends of a test, lowest first.
    pub fn place(&self) -> (Finding, i64) {
        let flights = self.flights as i64;
        let within = match self.finding() {
            Finding::Rare => flights,
            Finding::Open => self.lost as i64,
            Finding::Often => -flights,
        };
        (self.finding(), within)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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

    fn sum(of: &[(Sequential, f64)], which: impl Fn(Sequential) -> bool) -> f64 {
        let those = of.iter().filter(|(end, _)| which(*end));
        those.map(|(_, mass)| mass).sum()
    }

    /// How often the interval holds `probability`. Both its ends rise with the place, so those that hold it
    /// follow one another.
    fn coverage(probability: f64, most: usize) -> f64 {
        let mut ends = ends(probability, most);
        ends.sort_by_key(|(end, _)| end.place());
        let from = ends.partition_point(|(end, _)| interval(*end)[1] < probability);
        let to = ends.partition_point(|(end, _)| interval(*end)[0] <= probability);
        sum(&ends[from..to], |_| true)
    }

    #[test]
    fn the_interval_holds_the_truth_with_95_percent_however_many_flights_are_allowed() {
        let probabilities = [
            0.0002, GOOD, 0.0015, 0.003, 0.0066, 0.007, BAD, 0.015, 0.03, 0.1, 0.3,
        ];
        for most in [300, 4000] {
            for p in probabilities {
                let covered = coverage(p, most);
                assert!((0.95..=1.0 + 1e-9).contains(&covered), "{p}: {covered}");
            }
        }
    }

    #[test]
    fn the_ends_of_the_interval_rise_with_the_place() {
        let mut all = ends(0.01, 700);
        all.sort_by_key(|(end, _)| end.place());
        let intervals: Vec<[f64; 2]> = all.iter().map(|(end, _)| interval(*end)).collect();
        for pair in intervals.windows(2) {
            assert!(
                pair[0][0] <= pair[1][0] && pair[0][1] <= pair[1][1],
                "{pair:?}"
            );
        }
        assert_eq!(
            (intervals[0][0], intervals[intervals.len() - 1][1]),
            (0.0, 1.0)
        );
    }

    /// Flights, losses and what `python bo/oracle/interval.py --of` says of them.
    #[test]
    fn the_interval_is_that_of_the_second_programme() {
        for (flights, lost, said) in [
            (555, 0, [0.0, 0.00662458966179]),
            (869, 1, [4.56166315736e-05, 0.00724328343057]),
            (300, 3, [0.00187410180219, 0.0237431620627]),
            (75, 2, [0.00324593092897, 0.0730073885097]),
            (2, 2, [0.158113883008, 1.0]),
            (4000, 13, [0.00117530110766, 0.00754258811213]),
        ] {
            let found = interval(Sequential { flights, lost });
            let differences = [0, 1].map(|k| (found[k] - said[k]).abs());
            assert!(
                differences[0].max(differences[1]) < 1e-11,
                "{flights}: {found:?}"
            );
        }
    }

    /// The rows of `docs/your-vehicle.md`: passed without a loss, passed with one or undecided, refused.
    #[test]
    fn what_is_answered_between_the_hypotheses_is_as_the_page_says() {
        let page = include_str!("../../../docs/your-vehicle.md");
        for percent in [0.05, 0.3] {
            let ends = ends(percent / 100.0, 4000);
            let passed = sum(&ends, |end| end.finding() == Finding::Rare && end.lost == 0);
            let refused = sum(&ends, |end| end.finding() == Finding::Often);
            let care = sum(&ends, |_| true) - passed - refused;
            let row = format!("| {percent} % | {passed:.3} | {care:.3} | {refused:.3} |");
            assert!(page.contains(&row), "{row}");
        }
    }
}
