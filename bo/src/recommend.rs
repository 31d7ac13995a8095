//! Recommend: which point to deploy once the evaluations are spent.

use crate::history::History;
use dilgp::{Model, Surrogate};
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
    /// Centroid of the ten visited points with the least posterior mean.
    Centroid {
        /// Posterior mean of the log cost there.
        posterior_mean: f64,
        /// Posterior mean of the log cost at the baseline.
        baseline_posterior_mean: f64,
    },
    /// The baseline, which the surrogate believes to be at least as good as the centroid.
    BaselineByBelief {
        /// Posterior mean of the log cost at the centroid.
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
        Some(trial) => Recommendation {
            x: trial.x.clone(),
            choice: Choice::Observed {
                trial: trial.number,
            },
        },
        None => Recommendation {
            x: baseline.to_vec(),
            choice: Choice::BaselineByDefault,
        },
    }
}

/// The default recommender: the centroid of the visited points that the surrogate believes best,
/// unless it believes the baseline to be no worse. Averaging takes out most of the luck that picks
/// a single noisy flight. Where the surrogate cannot be fitted, the best observed point.
pub fn centroid(
    surrogate: &dyn Surrogate,
    history: &History,
    baseline: &[f64],
    seed: u64,
) -> Recommendation {
    if history.best().is_none() {
        return observed(history, baseline);
    }
    let fitted = history
        .dataset()
        .and_then(|data| surrogate.fit(&data, seed));
    let Ok(model) = fitted else {
        return observed(history, baseline);
    };
    let nearest = least_posterior_means(model.as_ref(), history, CENTROID_OF);
    let count = nearest.len() as f64;
    let middle: Vec<f64> = (0..baseline.len())
        .map(|k| nearest.iter().map(|x| x[k]).sum::<f64>() / count)
        .collect();
    let candidates = DMatrix::from_fn(2, baseline.len(), |row, k| [&middle, baseline][row][k]);
    let mean = model.predict(&candidates).mean;
    if mean[0] < mean[1] {
        Recommendation {
            x: middle,
            choice: Choice::Centroid {
                posterior_mean: mean[0],
                baseline_posterior_mean: mean[1],
            },
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

/// The `count` visited points with the least posterior mean, best first; fewer where there are
/// not as many trials.
pub fn least_posterior_means(model: &dyn Model, history: &History, count: usize) -> Vec<Vec<f64>> {
    let mean = model.predict(&history.points()).mean;
    let mut order: Vec<usize> = (0..history.trials.len()).collect();
    order.sort_by(|a, b| mean[*a].total_cmp(&mean[*b]));
    let best = order.into_iter().take(count);
    best.map(|i| history.trials[i].x.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::{Observation, Origin, Trial};
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
        }
    }

    #[test]
    fn the_centroid_lies_amid_the_points_believed_best() {
        let gp = by_name("gp").expect("legal");
        let recommendation = centroid(gp.as_ref(), &history(0.4, false), &[0.95], 1);
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
    fn nothing_believed_worse_than_the_baseline_is_recommended() {
        let gp = by_name("gp").expect("legal");
        let recommendation = centroid(gp.as_ref(), &history(0.95, false), &[0.95], 1);
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
    fn when_everything_crashed_both_recommend_the_baseline() {
        let gp = by_name("gp").expect("legal");
        let history = history(0.4, true);
        for recommendation in [
            observed(&history, &[0.95]),
            centroid(gp.as_ref(), &history, &[0.95], 1),
        ] {
            assert_eq!(recommendation.x, [0.95]);
            assert_eq!(recommendation.choice, Choice::BaselineByDefault);
        }
    }
}
