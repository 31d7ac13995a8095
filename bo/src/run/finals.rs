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
use crate::statistics::mean_and_standard_error;

/// Standard errors by which the best observed has to be better: it was lucky once.
const CAUTION: f64 = 1.0;

/// What is recommended by the search, and the best observed.
pub(super) type Finalists = [Recommendation; 2];

/// The finals of one run.
pub(super) struct Finals {
    /// The first evaluation of them, where some are asked for.
    from: Option<usize>,
    /// Who is in them, once that is known.
    pub(super) finalists: Option<Finalists>,
    /// What they cost so far, in their order, a lost one the cap [m].
    costs_m: Vec<f64>,
}

impl Finals {
    /// Those that begin with that evaluation.
    pub(super) fn from(from: Option<usize>) -> Finals {
        Finals {
            from,
            finalists: None,
            costs_m: Vec::new(),
        }
    }

    /// The first evaluation of them, where what follows `made` may be one.
    pub(super) fn due_after(&self, made: &[Evaluation]) -> Option<usize> {
        let from = self.from.filter(|from| *from <= made.len())?;
        // Without the first none are held.
        made.get(from).is_none_or(is_one).then_some(from)
    }

    /// Evaluations `first` to `first + count`: the finalists in turn, each pair in the conditions of the
    /// first of it. Nothing where the finalists are one.
    pub(super) fn evaluations(&self, first: usize, count: usize) -> Option<Vec<Suggestion>> {
        let (from, finalists) = (self.from?, self.finalists.as_ref()?);
        let suggestion = |number: usize| {
            let side = (number - from) % 2;
            let with = (number - side) as u64;
            Suggestion::new(finalists[side].x.clone(), Origin::Final { with })
        };
        let differ = finalists[0].x != finalists[1].x;
        differ.then(|| (first..first + count).map(suggestion).collect())
    }

    /// Takes in an evaluation, where it is of the finals.
    pub(super) fn hear(&mut self, made: &Evaluation) {
        if is_one(made) {
            self.costs_m.push(made.cost_m);
        }
    }

    /// The best observed where its mean log cost in the pairs is lower by more than a standard error; else
    /// what is recommended. Nothing where there is no pair.
    pub(super) fn won(&self) -> Option<Recommendation> {
        let finalists = self.finalists.as_ref()?;
        let pairs = self.costs_m.chunks_exact(2);
        let differences: Vec<f64> = pairs.map(|pair| (pair[1] / pair[0]).ln()).collect();
        if differences.is_empty() {
            return None;
        }
        let (mean, standard_error) = mean_and_standard_error(&differences);
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
}

/// Whether `made` is an evaluation of finals.
pub fn is_one(made: &Evaluation) -> bool {
    matches!(made.origin, Origin::Final { .. })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finals(points: [f64; 2], costs_m: &[f64]) -> Finals {
        let finalists = points.map(|x| Recommendation {
            x: vec![x],
            choice: Choice::BaselineByDefault,
        });
        Finals {
            from: Some(7),
            finalists: Some(finalists),
            costs_m: costs_m.to_vec(),
        }
    }

    fn won(costs_m: &[f64]) -> Option<Recommendation> {
        finals([0.25, 0.75], costs_m).won()
    }

    #[test]
    fn both_are_flown_in_turn_and_share_what_the_first_of_each_pair_meets() {
        assert_eq!(finals([0.5; 2], &[]).evaluations(8, 4), None);
        let named = finals([0.25, 0.75], &[]).evaluations(8, 4).expect("two");
        let points: Vec<f64> = named.iter().map(|named| named.x[0]).collect();
        assert_eq!(points, [0.75, 0.25, 0.75, 0.25]);
        let with = named.iter().map(|named| named.origin.with(u64::MAX));
        assert_eq!(with.collect::<Vec<_>>(), [7, 9, 9, 11]);
    }

    #[test]
    fn the_best_observed_wins_by_more_than_a_standard_error_in_whole_pairs() {
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
        assert_eq!(won(&[0.3]), None);
        let one = won(&[0.3, 0.1]).expect("a pair");
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
