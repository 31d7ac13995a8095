//! Recommend: which point to deploy once the evaluations are spent.
//!
//! By belief an average of good points is recommended, as far as the model believes it to be no
//! worse than the best visited point by more than is tolerated ([`crate::search::belief::incumbent`]).

use crate::search::Acquisition;
use crate::search::belief::incumbent::{Centre, Incumbent, View};
use crate::search::belief::learning::Learner;
use crate::search::climb::level_set::LevelSet;
use crate::search::history::{History, Trial};
use dilgp::Model;
use serde::Serialize;
use std::cmp::Ordering;

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
    /// [`crate::search::climb::level_set`].
    LevelSet {
        /// Posterior mean of the log cost there.
        posterior_mean: f64,
        /// Posterior mean of the log cost at the baseline.
        baseline_posterior_mean: f64,
    },
    /// Average of those of these points that lie nearest to the visited point believed best,
    /// because the average of all is believed to be worse than is tolerated.
    NearBest {
        /// Points averaged; 1 where it is the point believed best itself.
        averaged: usize,
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
/// a single noisy flight. Where the centroid is believed to be worse than is tolerated, that of
/// those points nearest to the one believed best; where the surrogate cannot be fitted, the best
/// observed point.
pub fn centroid(
    learner: Learner,
    history: &History,
    baseline: &[f64],
    seed: u64,
) -> Recommendation {
    let of_ten = |incumbent: Incumbent| {
        let members = least_posterior_means(incumbent.view().model, history, CENTROID_OF);
        Some(incumbent.centre(&members, <[f64]>::to_vec))
    };
    let choice = |means: [f64; 2]| Choice::Centroid {
        posterior_mean: means[0],
        baseline_posterior_mean: means[1],
    };
    average(learner, history, baseline, seed, of_ten, choice)
}

/// The centre of the points that one flight could hardly tell from the best, unless the surrogate
/// believes the baseline to be no worse; where that centre is believed to be worse than is
/// tolerated, that of those points nearest to the one believed best; the best observed point where
/// the surrogate cannot be fitted or claims no noise.
fn level_set(learner: Learner, history: &History, baseline: &[f64], seed: u64) -> Recommendation {
    let of_set = |incumbent: Incumbent| LevelSet(incumbent).centre(seed, <[f64]>::to_vec);
    let choice = |means: [f64; 2]| Choice::LevelSet {
        posterior_mean: means[0],
        baseline_posterior_mean: means[1],
    };
    average(learner, history, baseline, seed, of_set, choice)
}

/// The `centre` that is found from the incumbent, chosen as `choice` says where it is that of all
/// good points, or the baseline where the model believes it to be no worse.
fn average(
    learner: Learner,
    history: &History,
    baseline: &[f64],
    seed: u64,
    centre: impl Fn(Incumbent) -> Option<Centre>,
    choice: impl Fn([f64; 2]) -> Choice,
) -> Recommendation {
    if history.best().is_none() {
        return observed(history, baseline);
    }
    let Ok(model) = learner.learn(history, seed) else {
        return observed(history, baseline);
    };
    let view = View {
        model: model.as_ref(),
        contexts: 0,
    };
    let (best, _) = best_believed(view.model, history);
    let Some(found) = Incumbent::at(view, &best.x).and_then(centre) else {
        return observed(history, baseline);
    };
    let means = view.means(&[found.x.as_slice(), baseline]);
    let [posterior_mean, baseline_posterior_mean] = [means[0], means[1]];
    // Of a mean that is not a number nothing can be said.
    if posterior_mean.partial_cmp(&baseline_posterior_mean) != Some(Ordering::Less) {
        return Recommendation {
            x: baseline.to_vec(),
            choice: Choice::BaselineByBelief {
                centroid_posterior_mean: posterior_mean,
                baseline_posterior_mean,
            },
        };
    }
    let choice = if found.is_of_all() {
        choice([posterior_mean, baseline_posterior_mean])
    } else {
        Choice::NearBest {
            averaged: found.averaged,
            posterior_mean,
            baseline_posterior_mean,
        }
    };
    Recommendation { x: found.x, choice }
}

/// The completed trial with the least posterior mean, or of all where none completed, and that
/// mean: what there is to improve on under noise.
///
/// # Panics
/// When there is no trial yet.
pub fn best_believed<'a>(model: &dyn Model, history: &'a History) -> (&'a Trial, f64) {
    let mean = model.predict(&history.points()).mean;
    let least = |completed: bool| {
        let rows = history.rows().enumerate();
        let rows = rows.filter(|(_, trial)| !completed || !trial.observation.crashed);
        let means = rows.map(|(row, trial)| (trial, mean[row]));
        means.min_by(|a, b| a.1.total_cmp(&b.1))
    };
    let best = least(true).or_else(|| least(false));
    best.expect("a model was fitted to at least one trial")
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
    use crate::search::belief::incumbent::TOLERATED;
    use crate::search::history::{Observation, Origin};
    use crate::search::shapes::{self, NOISE, SHAPES};
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
    fn the_centroid_is_the_average_of_the_ten_points_believed_best() {
        let gp = by_name("gp").expect("legal");
        let history = history(0.4, false);
        let model = gp
            .fit(&history.dataset().expect("trials"), 1)
            .expect("fits");
        let best = least_posterior_means(model.as_ref(), &history, 3);
        let mut nearest: Vec<f64> = best.iter().map(|x| x[0]).collect();
        nearest.sort_by(f64::total_cmp);
        assert_eq!(nearest, [0.35, 0.4, 0.45]);
        assert_eq!(best[0], best_believed(model.as_ref(), &history).0.x);
        let ten = least_posterior_means(model.as_ref(), &history, 10);
        let middle = ten.iter().map(|x| x[0]).sum::<f64>() / 10.0;
        let found = centroid(gp.as_ref().into(), &history, &[0.95], 1);
        assert!(matches!(found.choice, Choice::Centroid { .. }), "{found:?}");
        assert_eq!(found.x, [middle]);
    }

    #[test]
    fn a_crashed_trial_is_never_the_one_believed_best_while_another_completed() {
        let gp = by_name("gp").expect("legal");
        let mut history = history(0.4, false);
        let model = gp
            .fit(&history.dataset().expect("trials"), 1)
            .expect("fits");
        let (best, least) = best_believed(model.as_ref(), &history);
        let best = best.number as usize;
        history.trials[best].observation.crashed = true;
        let (next, mean) = best_believed(model.as_ref(), &history);
        assert!(next.number as usize != best && mean > least);
        let all = history.trials.iter_mut();
        all.for_each(|trial| trial.observation.crashed = true);
        assert_eq!(best_believed(model.as_ref(), &history).1, least);
    }

    #[test]
    fn level_sets_recommend_the_centre_of_theirs() {
        let surrogate = crate::search::belief::surrogates::by_name("gp-level-set").expect("legal");
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

    /// The recommended point is believed to be no worse than the best visited one by more than is
    /// tolerated, whatever the shape, the rule and the surrogate; where the surrogate follows the
    /// shape, neither is it in truth, but for the surrogate's error.
    #[test]
    fn no_shape_makes_any_recommender_unsound() {
        let mut followed = 0;
        for (shape, value) in SHAPES {
            for name in crate::search::belief::surrogates::NAMES {
                let surrogate = crate::search::belief::surrogates::by_name(name).expect("legal");
                let learner = Learner::from(surrogate.as_ref());
                let sets = crate::search::belief::surrogates::claims_noise(name);
                let rules = [Acquisition::LeastMean, Acquisition::LevelSet];
                for (rule, seed) in rules[..1 + usize::from(sets)]
                    .iter()
                    .flat_map(|rule| [(rule, 0), (rule, 1)])
                {
                    let history = of_shape(value, seed);
                    let found = by_belief(*rule, learner, &history, &[0.45, 0.55], seed);
                    let of = format!("{shape}, {name}, {rule:?}, seed {seed}: {found:?}");
                    let model = learner.learn(&history, seed).expect("fits");
                    let view = View {
                        model: model.as_ref(),
                        contexts: 0,
                    };
                    let best = best_believed(view.model, &history).0;
                    let incumbent = Incumbent::at(view, &best.x).expect("finite");
                    assert!(incumbent.tolerates(&found.x), "{of}");
                    if follows(view, value) {
                        followed += 1;
                        let worse = value(&found.x) - value(&best.x);
                        // A surrogate may claim more noise than there is.
                        let noise = claimed_noise(view.model, &best.x).max(NOISE);
                        assert!(worse < TOLERATED * noise + NOISE, "{worse} {of}");
                    }
                }
            }
        }
        assert!(followed > 100, "{followed}");
    }

    /// Standard deviation of the noise that the model claims at `x`; 0 where it claims none.
    fn claimed_noise(model: &dyn dilgp::Model, x: &[f64]) -> f64 {
        let believed = model.predict(&nalgebra::DMatrix::from_row_slice(1, x.len(), x));
        let square = |of: &Option<nalgebra::DVector<f64>>| of.as_ref().map_or(0.0, |s| s[0] * s[0]);
        (square(&believed.observation_std) - square(&believed.std))
            .max(0.0)
            .sqrt()
    }

    /// Whether the error of the belief is less than the noise of an observation: that of a plane
    /// is not where there are valleys.
    fn follows(view: View, value: fn(&[f64]) -> f64) -> bool {
        let points = crate::search::climb::sobol::points(2, 0, 200, 77);
        let means = view.means(&points);
        let pairs = points.iter().zip(means);
        let squares: f64 = pairs.map(|(x, mean)| (mean - value(x)).powi(2)).sum();
        (squares / 200.0).sqrt() < NOISE
    }

    /// Sixty evaluations whose costs' logarithms are the shape seen through noise, the baseline
    /// first.
    fn of_shape(value: fn(&[f64]) -> f64, seed: u64) -> History {
        let mut points = shapes::observed(value, 60, seed);
        points[0].0 = vec![0.45, 0.55];
        points[0].1 = value(&points[0].0);
        let trials = points
            .into_iter()
            .enumerate()
            .map(|(number, (x, y))| Trial {
                number: number as u64,
                x,
                origin: Origin::Initial,
                observation: Observation {
                    cost: y.exp(),
                    crashed: false,
                },
            });
        History {
            trials: trials.collect(),
            ..History::default()
        }
    }
}
