//! Interval: the probability of a loss after a test that decided itself how many flights it took.
//!
//! What a test may end with is put in order: passed, the earlier the fewer are lost; then undecided, by the
//! number of losses; then refused, the later the fewer (D. Siegmund, Biometrika 65, 1978; C. Jennison and
//! B. W. Turnbull, Group Sequential Methods, 2000, section 8.4). With a greater probability of a loss every
//! test ends as high or higher, so the interval holds each probability at which neither this end or a lower
//! one, nor this end or a higher one, is as rare as 2.5 %. It holds the truth with 95 % or more, whatever the
//! truth and however many flights are allowed; that of a fixed number of flights does not.

use super::sequential::{Finding, Sequential};

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
/// them: what goes on after those ends between what had passed and what was refused by then.
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
    use crate::check::sequential::{BAD, GOOD};

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
            let apart = [0, 1].map(|k| (found[k] - said[k]).abs());
            assert!(apart[0].max(apart[1]) < 1e-11, "{flights}: {found:?}");
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
