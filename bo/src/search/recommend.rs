//! Recommend: which point to deploy once the evaluations are spent.
//!
//! By belief an average of good points is recommended, as far as the model believes it to be no
//! worse than the best visited point by more than is tolerated ([`crate::search::belief::incumbent`]).

use crate::search::belief::incumbent::{Centre, Incumbent};
use crate::search::belief::view::means;
use crate::search::climb::level_set::LevelSet;
use crate::search::observations::{Observation, Observations};
use dilgp::Model;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// Visited points over whose centroid the default recommender averages.
const CENTROID_OF: usize = 10;

/// A rule that names the point to deploy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recommender {
    /// The paper's: the finished evaluation with the least value.
    Observed,
    /// The visited point with the least posterior mean.
    Believed,
    /// The centroid of the visited points that the surrogate believes best, unless it believes the
    /// baseline to be no worse. Averaging takes out most of the luck that picks a single noisy
    /// evaluation. Where the centroid is believed to be worse than is tolerated, that of those
    /// points nearest to the one believed best.
    Centroid,
    /// The centre of the points that one evaluation could hardly tell from the best, likewise.
    LevelSet,
}

/// A recommended point and where it came from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Recommendation {
    /// The point.
    pub x: Vec<f64>,
    /// How it was chosen.
    pub choice: Choice,
}

/// How a recommended point was chosen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
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
        /// Posterior mean of the log cost at the baseline, where there is one.
        #[serde(skip_serializing_if = "Option::is_none")]
        baseline_posterior_mean: Option<f64>,
    },
    /// Centre of the points that one flight could hardly tell from the best: the level set of
    /// [`crate::search::climb::level_set`].
    LevelSet {
        /// Posterior mean of the log cost there.
        posterior_mean: f64,
        /// Posterior mean of the log cost at the baseline, where there is one.
        #[serde(skip_serializing_if = "Option::is_none")]
        baseline_posterior_mean: Option<f64>,
    },
    /// Average of those of these points that lie nearest to the visited point believed best,
    /// because the average of all is believed to be worse than is tolerated.
    NearBest {
        /// Points averaged; 1 where it is the point believed best itself.
        averaged: usize,
        /// Posterior mean of the log cost there.
        posterior_mean: f64,
        /// Posterior mean of the log cost at the baseline, where there is one.
        #[serde(skip_serializing_if = "Option::is_none")]
        baseline_posterior_mean: Option<f64>,
    },
    /// The baseline, which the surrogate believes to be at least as good as the centroid.
    BaselineByBelief {
        /// Posterior mean of the log cost at the centroid, or at the level set's centre.
        centroid_posterior_mean: f64,
        /// Posterior mean of the log cost at the baseline.
        baseline_posterior_mean: f64,
    },
    /// The visited point that the surrogate believes best.
    Believed {
        /// Its posterior mean.
        posterior_mean: f64,
    },
    /// The baseline, because every trial crashed.
    BaselineByDefault,
}

/// What there is to choose from.
pub struct Case<'a> {
    /// What was told.
    pub seen: &'a Observations,
    /// The user's starting point in the unit cube.
    pub baseline: Option<&'a [f64]>,
    /// The point that is really evaluated for a point of the cube.
    pub settle: &'a dyn Fn(&[f64]) -> Vec<f64>,
    /// Random numbers of the recommendation.
    pub seed: u64,
}

impl Case<'_> {
    /// The point of the cube that `recommender` chooses by what `model` believes; by what was
    /// observed where there is no model or it finds nothing; the baseline where nothing finished,
    /// and nothing where there is none.
    pub fn recommend(
        &self,
        recommender: Recommender,
        model: Option<&dyn Model>,
    ) -> Option<Recommendation> {
        let by_belief = model.and_then(|model| {
            let (x, mean) = best_believed(model, self.seen)?;
            let incumbent = Incumbent::at(model, &x)?;
            match recommender {
                Recommender::Observed => None,
                Recommender::Believed => Some(Recommendation {
                    choice: Choice::Believed {
                        posterior_mean: mean,
                    },
                    x,
                }),
                Recommender::Centroid => Some(self.centroid(incumbent)),
                Recommender::LevelSet => self.centre_of_level_set(incumbent),
            }
        });
        by_belief.or_else(|| self.observed())
    }

    fn observed(&self) -> Option<Recommendation> {
        let Some(best) = self.seen.best() else {
            let baseline = self.baseline?.to_vec();
            return Some(Recommendation {
                x: baseline,
                choice: Choice::BaselineByDefault,
            });
        };
        let alike = self.seen.all().iter().filter(|o| o.earlier == best.earlier);
        let before = alike.take_while(|o| !std::ptr::eq(*o, best)).count();
        let trial = before as u64;
        Some(Recommendation {
            x: best.x.clone(),
            choice: match best.earlier {
                true => Choice::ObservedBefore { trial },
                false => Choice::Observed { trial },
            },
        })
    }

    fn centroid(&self, incumbent: Incumbent) -> Recommendation {
        let members = least_posterior_means(incumbent.model(), self.seen, CENTROID_OF);
        let found = incumbent.centre(&members, self.settle);
        self.unless_the_baseline(incumbent.model(), found, |posterior_mean, baseline| {
            Choice::Centroid {
                posterior_mean,
                baseline_posterior_mean: baseline,
            }
        })
    }

    fn centre_of_level_set(&self, incumbent: Incumbent) -> Option<Recommendation> {
        let found = LevelSet(incumbent).centre(self.seed, self.settle)?;
        let choice = |posterior_mean, baseline| Choice::LevelSet {
            posterior_mean,
            baseline_posterior_mean: baseline,
        };
        Some(self.unless_the_baseline(incumbent.model(), found, choice))
    }

    /// `found`, chosen as `choice` says where it is the average of all good points, or the baseline
    /// where `model` believes it to be no worse.
    fn unless_the_baseline(
        &self,
        model: &dyn Model,
        found: Centre,
        choice: impl Fn(f64, Option<f64>) -> Choice,
    ) -> Recommendation {
        let posterior_mean = means(model, &[&found.x])[0];
        let baseline_posterior_mean = self.baseline.map(|x| means(model, &[x])[0]);
        if let (Some(x), Some(mean)) = (self.baseline, baseline_posterior_mean)
            // Of a mean that is not a number nothing can be said.
            && posterior_mean.partial_cmp(&mean) != Some(Ordering::Less)
        {
            return Recommendation {
                x: x.to_vec(),
                choice: Choice::BaselineByBelief {
                    centroid_posterior_mean: posterior_mean,
                    baseline_posterior_mean: mean,
                },
            };
        }
        let choice = match found.is_of_all() {
            true => choice(posterior_mean, baseline_posterior_mean),
            false => Choice::NearBest {
                averaged: found.averaged,
                posterior_mean,
                baseline_posterior_mean,
            },
        };
        Recommendation { x: found.x, choice }
    }
}

/// The finished observation of the target with the least posterior mean, and that mean: what there
/// is to improve on under noise. Nothing where none finished.
pub fn best_believed(model: &dyn Model, seen: &Observations) -> Option<(Vec<f64>, f64)> {
    let points: Vec<&[f64]> = seen.finished().map(|known| known.0).collect();
    let believed = means(model, &points);
    let least = (0..points.len()).min_by(|a, b| believed[*a].total_cmp(&believed[*b]))?;
    Some((points[least].to_vec(), believed[least]))
}

/// The `count` visited points with the least posterior mean, best first; fewer where there are
/// not as many.
fn least_posterior_means(model: &dyn Model, seen: &Observations, count: usize) -> Vec<Vec<f64>> {
    let visited: Vec<&Observation> = seen.of_target().collect();
    let points: Vec<&[f64]> = visited.iter().map(|o| o.x.as_slice()).collect();
    let believed = means(model, &points);
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by(|a, b| believed[*a].total_cmp(&believed[*b]));
    let best = order.into_iter().take(count);
    best.map(|row| points[row].to_vec()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::belief::image::Transform;
    use crate::search::belief::incumbent::TOLERATED;
    use crate::search::belief::learner::{Learner, Learnt};
    use crate::search::belief::surrogates::{NAMES, claims_noise};
    use crate::search::belief::{Belief, Lesson};
    use crate::search::shapes::{self, NOISE, SHAPES};

    fn told(points: impl IntoIterator<Item = (Vec<f64>, Option<f64>)>) -> Observations {
        let mut seen = Observations::default();
        for (x, value) in points {
            seen.push(Observation {
                x,
                value,
                domain: 0,
                earlier: false,
                gain_nats: 0.0,
            });
        }
        seen
    }

    /// Twenty evaluations on a line with the least cost at `bottom`, and the baseline at 0.95.
    fn line(bottom: f64, crashed: bool) -> Vec<(Vec<f64>, Option<f64>)> {
        let at = |number: u32| match number {
            0 => 0.95,
            _ => f64::from(number) / 20.0,
        };
        let cost = |x: f64| (!crashed).then_some(0.1 + (x - bottom).abs());
        (0..20).map(at).map(|x| (vec![x], cost(x))).collect()
    }

    fn learnt(name: &str, seen: &Observations, seed: u64) -> Learnt {
        let learner = Learner::by_name(name, true).expect("legal");
        let lesson = Lesson {
            learner: &learner,
            transform: Transform::Log,
            circumstances: None,
            seed,
        };
        let belief = Belief::updated(None, seen, &lesson).expect("fits");
        belief.into_learnt()
    }

    fn by(name: &str, seen: &Observations, recommender: Recommender) -> Recommendation {
        let learnt = learnt(name, seen, 1);
        let case = Case {
            seen,
            baseline: Some(&[0.95]),
            settle: &<[f64]>::to_vec,
            seed: 1,
        };
        case.recommend(recommender, Some(learnt.model()))
            .expect("there is a baseline")
    }

    #[test]
    fn the_centroid_lies_amid_the_points_believed_best() {
        let found = by("gp", &told(line(0.4, false)), Recommender::Centroid);
        assert!((found.x[0] - 0.4).abs() < 0.06, "{found:?}");
        let Choice::Centroid {
            posterior_mean,
            baseline_posterior_mean: Some(baseline),
        } = found.choice
        else {
            panic!("{found:?}");
        };
        assert!(posterior_mean < baseline);
    }

    #[test]
    fn the_centroid_is_the_average_of_the_ten_points_believed_best() {
        let seen = told(line(0.4, false));
        let learnt = learnt("gp", &seen, 1);
        let best = least_posterior_means(learnt.model(), &seen, 3);
        let mut nearest: Vec<f64> = best.iter().map(|x| x[0]).collect();
        nearest.sort_by(f64::total_cmp);
        assert_eq!(nearest, [0.35, 0.4, 0.45]);
        let believed = best_believed(learnt.model(), &seen).expect("finished");
        assert_eq!(best[0], believed.0);
        let ten = least_posterior_means(learnt.model(), &seen, 10);
        let middle = ten.iter().map(|x| x[0]).sum::<f64>() / 10.0;
        let found = by("gp", &seen, Recommender::Centroid);
        assert!(matches!(found.choice, Choice::Centroid { .. }), "{found:?}");
        assert_eq!(found.x, [middle]);
    }

    #[test]
    fn a_crash_is_never_the_point_believed_best() {
        let mut points = line(0.4, false);
        let seen = told(points.clone());
        let learnt = learnt("gp", &seen, 1);
        let (best, least) = best_believed(learnt.model(), &seen).expect("finished");
        points
            .iter_mut()
            .filter(|(x, _)| *x == best)
            .for_each(|(_, value)| *value = None);
        let (next, mean) = best_believed(learnt.model(), &told(points)).expect("finished");
        assert!(next != best && mean > least);
        let crashed = told(line(0.4, true));
        assert_eq!(best_believed(learnt.model(), &crashed), None);
    }

    #[test]
    fn level_sets_recommend_the_centre_of_theirs_and_belief_alone_a_visited_point() {
        let seen = told(line(0.4, false));
        let found = by("gp-level-set", &seen, Recommender::LevelSet);
        assert!(matches!(found.choice, Choice::LevelSet { .. }));
        assert!((found.x[0] - 0.4).abs() < 0.06, "{found:?}");
        let found = by("gp-level-set", &seen, Recommender::Believed);
        assert!(matches!(found.choice, Choice::Believed { .. }));
        assert!(seen.all().iter().any(|o| o.x == found.x));
    }

    #[test]
    fn nothing_believed_worse_than_the_baseline_is_recommended() {
        let found = by("gp", &told(line(0.95, false)), Recommender::Centroid);
        assert_eq!(found.x, [0.95]);
        assert!(matches!(found.choice, Choice::BaselineByBelief { .. }));
    }

    #[test]
    fn the_observed_recommender_takes_the_least_cost() {
        let found = by("gp", &told(line(0.4, false)), Recommender::Observed);
        assert_eq!(found.choice, Choice::Observed { trial: 8 });
        assert_eq!(found.x, [0.4]);
    }

    #[test]
    fn what_was_known_before_is_recommended_where_it_is_best() {
        let mut seen = Observations::default();
        for (x, value) in line(0.4, false) {
            seen.push(Observation {
                x,
                value: value.map(|value| 0.5 * value),
                domain: 0,
                earlier: true,
                gain_nats: 0.0,
            });
        }
        told(line(0.9, true))
            .all()
            .iter()
            .for_each(|own| seen.push(own.clone()));
        let found = by("gp", &seen, Recommender::Observed);
        assert_eq!(found.choice, Choice::ObservedBefore { trial: 8 });
        let found = by("gp", &seen, Recommender::Centroid);
        assert!((found.x[0] - 0.4).abs() < 0.1, "{found:?}");
    }

    #[test]
    fn when_everything_crashed_the_baseline_is_recommended_or_nothing() {
        let seen = told(line(0.4, true));
        for recommender in [Recommender::Observed, Recommender::Centroid] {
            let found = by("gp", &seen, recommender);
            assert_eq!(found.x, [0.95]);
            assert_eq!(found.choice, Choice::BaselineByDefault);
        }
        let case = Case {
            seen: &seen,
            baseline: None,
            settle: &<[f64]>::to_vec,
            seed: 1,
        };
        assert_eq!(case.recommend(Recommender::Observed, None), None);
    }

    /// The recommended point is believed to be no worse than the best visited one by more than is
    /// tolerated, whatever the shape, the rule and the surrogate; where the surrogate follows the
    /// shape, neither is it in truth, but for the surrogate's error.
    #[test]
    fn no_shape_makes_any_recommender_unsound() {
        let mut followed = 0;
        for (shape, value) in SHAPES {
            for name in NAMES {
                let rules = [
                    Recommender::Believed,
                    Recommender::Centroid,
                    Recommender::LevelSet,
                ];
                let rules = &rules[..2 + usize::from(claims_noise(name))];
                for seed in [0, 1] {
                    let seen = told(of_shape(value, seed));
                    let learnt = learnt(name, &seen, seed);
                    let case = Case {
                        seen: &seen,
                        baseline: Some(&[0.45, 0.55]),
                        settle: &<[f64]>::to_vec,
                        seed,
                    };
                    let model = learnt.model();
                    let best = best_believed(model, &seen).expect("finished").0;
                    let incumbent = Incumbent::at(model, &best).expect("finite");
                    for rule in rules {
                        let found = case.recommend(*rule, Some(model)).expect("finished");
                        let of = format!("{shape}, {name}, seed {seed}: {found:?}");
                        assert!(incumbent.tolerates(&found.x), "{of}");
                        if follows(model, value) {
                            followed += 1;
                            let worse = value(&found.x) - value(&best);
                            // A surrogate may claim more noise than there is.
                            let noise = claimed_noise(model, &best).max(NOISE);
                            assert!(worse < TOLERATED * noise + NOISE, "{worse} {of}");
                        }
                    }
                }
            }
        }
        assert!(followed > 100, "{followed}");
    }

    /// Standard deviation of the noise that the model claims at `x`; 0 where it claims none.
    fn claimed_noise(model: &dyn Model, x: &[f64]) -> f64 {
        let believed = model.predict(&nalgebra::DMatrix::from_row_slice(1, x.len(), x));
        let square = |of: &Option<nalgebra::DVector<f64>>| of.as_ref().map_or(0.0, |s| s[0] * s[0]);
        (square(&believed.observation_std) - square(&believed.std))
            .max(0.0)
            .sqrt()
    }

    /// Whether the error of the belief is less than the noise of an observation: that of a plane
    /// is not where there are valleys.
    fn follows(model: &dyn Model, value: fn(&[f64]) -> f64) -> bool {
        let points = crate::search::climb::sobol::points(2, 0, 200, 77);
        let pairs = points.iter().zip(means(model, &points));
        let squares: f64 = pairs.map(|(x, mean)| (mean - value(x)).powi(2)).sum();
        (squares / 200.0).sqrt() < NOISE
    }

    /// Sixty evaluations whose costs' logarithms are the shape seen through noise, the baseline
    /// first.
    fn of_shape(value: fn(&[f64]) -> f64, seed: u64) -> Vec<(Vec<f64>, Option<f64>)> {
        let mut points = shapes::observed(value, 60, seed);
        points[0].0 = vec![0.45, 0.55];
        points[0].1 = value(&points[0].0);
        let points = points.into_iter();
        points.map(|(x, y)| (x, Some(y.exp()))).collect()
    }
}
