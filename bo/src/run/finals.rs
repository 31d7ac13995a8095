//! Finals: the gains that the search recommends against those of the best observed evaluation, flown in
//! the same winds.
//!
//! A surrogate takes every difference between winds for noise and smooths it away, and with it some of
//! what is true; the best observed evaluation is lucky in part. Where one flight tells much, either may be
//! the better. Flown in the same winds, what a wind does to both falls out of their difference, so a few
//! pairs decide. Where one flight tells little they do not, and none are held ([`Bayesian`]).
//!
//! [`Bayesian`]: super::bayesian::Bayesian

use crate::flights::evaluation::Evaluation;
use crate::search::{Choice, Origin, Recommendation, Suggestion};

/// Standard errors by which the best observed has to be better: it was lucky once.
const CAUTION: f64 = 1.0;

/// What is recommended by the search, and the best observed.
pub(super) type Finalists = [Recommendation; 2];

/// Whether they are two.
pub(super) fn differ([recommended, observed]: &Finalists) -> bool {
    recommended.x != observed.x
}

/// Evaluations `first` to `first + count` of finals that begin with evaluation `from`: the finalists in
/// turn, each pair in the conditions of the first of it.
pub(super) fn evaluations(
    finalists: &Finalists,
    from: usize,
    first: usize,
    count: usize,
) -> Vec<Suggestion> {
    let suggestion = |number: usize| {
        let side = (number - from) % 2;
        let with = (number - side) as u64;
        Suggestion::new(finalists[side].x.clone(), Origin::Final { with })
    };
    (first..first + count).map(suggestion).collect()
}

/// Whether `made` is one of them.
pub fn is_one(made: &Evaluation) -> bool {
    matches!(made.origin, Origin::Final { .. })
}

/// The best observed where its mean log cost in the pairs among `costs_m`, those of the finals in their
/// order \[m\], a lost one at the cap, is lower by more than its standard error; else what is recommended.
/// Nothing where there is no pair.
pub(super) fn won(finalists: &Finalists, costs_m: &[f64]) -> Option<Recommendation> {
    let pairs = costs_m.chunks_exact(2);
    let differences: Vec<f64> = pairs.map(|pair| (pair[1] / pair[0]).ln()).collect();
    if differences.is_empty() {
        return None;
    }
    let count = differences.len() as f64;
    let mean = differences.iter().sum::<f64>() / count;
    let squares: f64 = differences.iter().map(|d| (d - mean) * (d - mean)).sum();
    let standard_error = (count > 1.0).then(|| (squares / (count - 1.0) / count).sqrt());
    let observed = standard_error.is_some_and(|error| mean + CAUTION * error < 0.0);
    Some(Recommendation {
        x: finalists[usize::from(observed)].x.clone(),
        choice: Choice::Final {
            observed,
            pairs: differences.len() as u64,
            difference: mean,
            standard_error,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finalists() -> Finalists {
        [0.25, 0.75].map(|x| Recommendation {
            x: vec![x],
            choice: Choice::BaselineByDefault,
        })
    }

    #[test]
    fn both_are_flown_in_turn_and_share_what_the_first_of_each_pair_meets() {
        let named = evaluations(&finalists(), 7, 8, 4);
        let points: Vec<f64> = named.iter().map(|named| named.x[0]).collect();
        assert_eq!(points, [0.75, 0.25, 0.75, 0.25]);
        let with = named.iter().map(|named| named.origin.with(u64::MAX));
        assert_eq!(with.collect::<Vec<_>>(), [7, 9, 9, 11]);
    }

    #[test]
    fn the_best_observed_wins_by_more_than_a_standard_error_in_whole_pairs() {
        let won = |costs_m: &[f64]| won(&finalists(), costs_m);
        let last = won(&[0.4, 0.1, 0.1, 0.05, 1e-9]).expect("two pairs");
        assert_eq!(last.x, [0.75]);
        let Choice::Final {
            observed,
            pairs,
            difference,
            standard_error,
        } = last.choice
        else {
            panic!("{last:?}");
        };
        // The logarithms of 1/4 and of 1/2: 1.5 times the latter, give or take half of it.
        let half = 0.5 * 2f64.ln();
        assert!(observed && pairs == 2 && (difference + 3.0 * half).abs() < 1e-12);
        assert!((standard_error.expect("two pairs") - half).abs() < 1e-12);
        // Those of 1/4 and of 1: as much give or take as much.
        assert_eq!(won(&[0.4, 0.1, 0.3, 0.301]).expect("two pairs").x, [0.25]);
        assert_eq!(won(&[0.4, 0.1, 0.3, 0.299]).expect("two pairs").x, [0.75]);
    }

    #[test]
    fn of_one_pair_what_is_recommended_stays() {
        assert_eq!(won(&finalists(), &[0.3]), None);
        let one = won(&finalists(), &[0.3, 0.1]).expect("a pair");
        assert_eq!(one.x, [0.25]);
        assert!(matches!(
            one.choice,
            Choice::Final {
                observed: false,
                pairs: 1,
                standard_error: None,
                ..
            }
        ));
    }
}
