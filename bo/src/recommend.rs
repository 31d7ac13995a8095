//! Recommend: which point to deploy once the evaluations are spent.

use crate::engine::Acquisition;
use crate::engine::level_set::LevelSet;
use crate::history::{History, Trial};
use crate::learning::Learner;
use dilgp::Model;
use nalgebra::DMatrix;
use serde::Serialize;

/// Visited points over whose centroid the default recommender averages.
const CENTROID_OF: usize = 10;

/// A recommended point and where it came from.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Recommendation {
    /// The point in the unit cube.
    pub x: Vec<f64>,
    /// How it was chosen.
    pub choice: Choice,
}

/// How a recommended point was chosen.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "by", rename_all = "snake_case")]
pub enum Choice {
    /// Least observed cost: the paper's recommender. One lucky wind can decide it.
    Observed {
        /// The trial.
        trial: u64,
    },
    /// As `Observed`, but the trial is one of the run's warm start.
    ObservedBefore {
        /// The trial of the earlier run.
        trial: u64,
    },
    /// Centroid of the ten visited points with the least posterior mean.
    Centroid {
        /// Posterior mean of the log cost there.
        posterior_mean: f64,
        /// Posterior mean of the log cost at the baseline.
        baseline_posterior_mean: f64,
    },
    /// Centre of the points that one flight could hardly tell from the best: the level set of
    /// [`crate::engine::level_set`].
    LevelSet {
        /// Posterior mean of the log cost there.
        posterior_mean: f64,
        /// Posterior mean of the log cost at the baseline.
        baseline_posterior_mean: f64,
    },
    /// The baseline, which the surrogate believes to be at least as good as the centroid.
    BaselineByBelief {
        /// Posterior mean of the log cost at the centroid, or at the level set's centre.
        centroid_posterior_mean: f64,
        /// Posterior mean of the log cost at the baseline.
        baseline_posterior_mean: f64,
    },
    /// The baseline, because every trial crashed.
    BaselineByDefault,
}

/// The paper's recommender: the completed trial with the least cost. The baseline competes as the
/// first trial; it is also the answer where everything crashed.
pub fn observed(history: &History, baseline: &[f64]) -> Recommendation {
    match history.best() {
        Some(best) => {
            let trial = best.number;
            let before = history.known.iter().any(|known| std::ptr::eq(known, best));
            Recommendation {
                x: best.x.clone(),
                choice: if before {
                    Choice::ObservedBefore { trial }
                } else {
                    Choice::Observed { trial }
                },
            }
        }
        None => Recommendation {
            x: baseline.to_vec(),
            choice: Choice::BaselineByDefault,
        },
    }
}

/// The recommender that goes with a rule of choosing points: the centre of its own set with level
/// sets, with every other rule the [`centroid`].
pub fn by_belief(
    acquisition: Acquisition,
    learner: Learner,
    history: &History,
    baseline: &[f64],
    seed: u64,
) -> Recommendation {
    match acquisition {
        Acquisition::LevelSet => level_set(learner, history, baseline, seed),
        _ => centroid(learner, history, baseline, seed),
    }
}

/// The default recommender: the centroid of the visited points that the surrogate believes best,
/// unless it believes the baseline to be no worse. Averaging takes out most of the luck that picks
/// a single noisy flight. Where the surrogate cannot be fitted, the best observed point.
pub fn centroid(
    learner: Learner,
    history: &History,
    baseline: &[f64],
    seed: u64,
) -> Recommendation {
    if history.best().is_none() {
        return observed(history, baseline);
    }
    let Ok(model) = learner.learn(history, seed) else {
        return observed(history, baseline);
    };
    let nearest = least_posterior_means(model.as_ref(), history, CENTROID_OF);
    let count = nearest.len() as f64;
    let middle: Vec<f64> = (0..baseline.len())
        .map(|k| nearest.iter().map(|x| x[k]).sum::<f64>() / count)
        .collect();
    unless_baseline(model.as_ref(), middle, baseline, |means| Choice::Centroid {
        posterior_mean: means[0],
        baseline_posterior_mean: means[1],
    })
}

/// The centre of the points that one flight could hardly tell from the best, unless the surrogate
/// believes the baseline to be no worse; the best observed point where the surrogate cannot be
/// fitted or claims no noise.
fn level_set(learner: Learner, history: &History, baseline: &[f64], seed: u64) -> Recommendation {
    if history.best().is_none() {
        return observed(history, baseline);
    }
    let Ok(model) = learner.learn(history, seed) else {
        return observed(history, baseline);
    };
    let incumbent = least_posterior_means(model.as_ref(), history, 1).remove(0);
    let set = LevelSet {
        model: model.as_ref(),
        incumbent: &incumbent,
        contexts: 0,
    };
    let Some(centre) = set.centre(seed) else {
        return observed(history, baseline);
    };
    unless_baseline(model.as_ref(), centre, baseline, |means| Choice::LevelSet {
        posterior_mean: means[0],
        baseline_posterior_mean: means[1],
    })
}

/// `x`, chosen as `choice` makes of the posterior means there and at the baseline, or the baseline
/// where the model believes it to be no worse.
fn unless_baseline(
    model: &dyn Model,
    x: Vec<f64>,
    baseline: &[f64],
    choice: impl Fn([f64; 2]) -> Choice,
) -> Recommendation {
    let candidates = DMatrix::from_fn(2, baseline.len(), |row, k| [x.as_slice(), baseline][row][k]);
    let mean = model.predict(&candidates).mean;
    if mean[0] < mean[1] {
        Recommendation {
            x,
            choice: choice([mean[0], mean[1]]),
        }
    } else {
        Recommendation {
            x: baseline.to_vec(),
            choice: Choice::BaselineByBelief {
                centroid_posterior_mean: mean[0],
                baseline_posterior_mean: mean[1],
            },
        }
    }
}

/// The least posterior mean of the completed trials, or of all where none completed: what there is
/// to improve on under noise.
pub fn least_believed(model: &dyn Model, history: &History) -> f64 {
    let mean = model.predict(&history.points()).mean;
    let least = |completed: bool| {
        let rows = history.rows().enumerate();
        let means = rows.filter(|(_, trial)| !completed || !trial.observation.crashed);
        means.map(|(row, _)| mean[row]).reduce(f64::min)
    };
    least(true).or_else(|| least(false)).unwrap_or(0.0)
}

/// The `count` visited points with the least posterior mean, best first; fewer where there are
/// not as many trials.
pub fn least_posterior_means(model: &dyn Model, history: &History, count: usize) -> Vec<Vec<f64>> {
    let mean = model.predict(&history.points()).mean;
    let mut order: Vec<(usize, &Trial)> = history.rows().enumerate().collect();
    order.sort_by(|(a, _), (b, _)| mean[*a].total_cmp(&mean[*b]));
    let best = order.into_iter().take(count);
    best.map(|(_, trial)| trial.x.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::{Observation, Origin};
    use dilgp::by_name;

    /// Twenty trials on a line with the least cost at `bottom`, and the baseline at 0.95.
    fn history(bottom: f64, crashed: bool) -> History {
        let trials = (0..20u64).map(|number| {
            let x = if number == 0 {
                0.95
            } else {
                number as f64 / 20.0
            };
            Trial {
                number,
                x: vec![x],
                origin: Origin::Initial,
                observation: Observation {
                    cost: 0.1 + (x - bottom).abs(),
                    crashed,
                },
            }
        });
        History {
            trials: trials.collect(),
            ..History::default()
        }
    }

    #[test]
    fn the_centroid_lies_amid_the_points_believed_best() {
        let gp = by_name("gp").expect("legal");
        let recommendation = centroid(gp.as_ref().into(), &history(0.4, false), &[0.95], 1);
        assert!(
            (recommendation.x[0] - 0.4).abs() < 0.06,
            "{recommendation:?}"
        );
        let Choice::Centroid {
            posterior_mean,
            baseline_posterior_mean,
        } = recommendation.choice
        else {
            panic!("{recommendation:?}");
        };
        assert!(posterior_mean < baseline_posterior_mean);
    }

    #[test]
    fn level_sets_recommend_the_centre_of_theirs() {
        let surrogate = crate::surrogates::by_name("gp-level-set").expect("legal");
        let learner = Learner::from(surrogate.as_ref());
        let history = history(0.4, false);
        let by = |acquisition| by_belief(acquisition, learner, &history, &[0.95], 1);
        let recommendation = by(Acquisition::LevelSet);
        assert!(matches!(recommendation.choice, Choice::LevelSet { .. }));
        assert!(
            (recommendation.x[0] - 0.4).abs() < 0.06,
            "{recommendation:?}"
        );
        assert!(matches!(
            by(Acquisition::Thompson).choice,
            Choice::Centroid { .. }
        ));
    }

    #[test]
    fn nothing_believed_worse_than_the_baseline_is_recommended() {
        let gp = by_name("gp").expect("legal");
        let recommendation = centroid(gp.as_ref().into(), &history(0.95, false), &[0.95], 1);
        assert_eq!(recommendation.x, [0.95]);
        assert!(matches!(
            recommendation.choice,
            Choice::BaselineByBelief { .. }
        ));
    }

    #[test]
    fn the_observed_recommender_takes_the_least_cost() {
        let recommendation = observed(&history(0.4, false), &[0.95]);
        assert_eq!(recommendation.choice, Choice::Observed { trial: 8 });
        assert_eq!(recommendation.x, [0.4]);
    }

    #[test]
    fn what_was_known_before_is_recommended_where_it_is_best() {
        let gp = by_name("gp").expect("legal");
        let own = history(0.9, true);
        let mut known = history(0.4, false).trials;
        known.iter_mut().for_each(|t| t.observation.cost *= 0.5);
        let both = History { known, ..own };
        let recommendation = observed(&both, &[0.95]);
        assert_eq!(recommendation.choice, Choice::ObservedBefore { trial: 8 });
        let recommendation = centroid(gp.as_ref().into(), &both, &[0.95], 1);
        assert!(
            (recommendation.x[0] - 0.4).abs() < 0.1,
            "{recommendation:?}"
        );
    }

    #[test]
    fn when_everything_crashed_both_recommend_the_baseline() {
        let gp = by_name("gp").expect("legal");
        let history = history(0.4, true);
        for recommendation in [
            observed(&history, &[0.95]),
            centroid(gp.as_ref().into(), &history, &[0.95], 1),
        ] {
            assert_eq!(recommendation.x, [0.95]);
            assert_eq!(recommendation.choice, Choice::BaselineByDefault);
        }
    }
}
