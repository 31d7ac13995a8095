use super::*;
use crate::model::incumbent::TOLERATED;
use crate::model::incumbent::least_means;
use crate::model::losses::LossModel;
use crate::model::names::{NAMES, abilities};
use crate::model::surrogate::{Fitted, Learner};
use crate::model::transform::Transform;
use crate::model::{FitOptions, Posterior};
use crate::observations::Observation;
use crate::shapes::{self, NOISE, SHAPES};

fn told(points: impl IntoIterator<Item = (Vec<f64>, Option<f64>)>) -> Observations {
    let mut seen = Observations::default();
    for (x, value) in points {
        seen.push(Observation {
            x,
            value,
            domain: 0,
            outputs: Vec::new(),
            error: 0.0,
            earlier: false,
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

fn learnt(name: &str, seen: &Observations, seed: u64) -> Fitted {
    let learner = Learner::by_name(name, true).expect("legal");
    let options = FitOptions {
        learner: &learner,
        transform: Transform::Log,
        noisy: true,
        loss_model: LossModel::Worst,
        lost_value: None,
        contexts: None,
        seed,
    };
    let posterior = Posterior::updated(None, seen, &options).expect("fits");
    posterior.into_learnt()
}

fn by(name: &str, seen: &Observations, recommender: Recommender) -> Recommendation {
    let learnt = learnt(name, seen, 1);
    let case = Case {
        seen,
        within: None,
        baseline: Some(&[0.95])
            .filter(|_| seen.all()[0].x.len() == 1)
            .map(|x| x.as_slice()),
        snap: &<[f64]>::to_vec,
        settled: &<[f64]>::to_vec,
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
    let visited: Vec<&[f64]> = seen.of_target().map(|o| o.x.as_slice()).collect();
    let best = least_means(learnt.model(), &visited, 3);
    let mut nearest: Vec<f64> = best.iter().map(|x| x[0]).collect();
    nearest.sort_by(f64::total_cmp);
    assert_eq!(nearest, [0.35, 0.4, 0.45]);
    let believed = posterior_minimiser(learnt.model(), &seen).expect("finished");
    assert_eq!(best[0], believed.0);
    let ten = least_means(learnt.model(), &visited, 10);
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
    let (best, least) = posterior_minimiser(learnt.model(), &seen).expect("finished");
    points
        .iter_mut()
        .filter(|(x, _)| *x == best)
        .for_each(|(_, value)| *value = None);
    let (next, mean) = posterior_minimiser(learnt.model(), &told(points)).expect("finished");
    assert!(next != best && mean > least);
    let crashed = told(line(0.4, true));
    assert_eq!(posterior_minimiser(learnt.model(), &crashed), None);
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

/// Few or loud evaluations on a slope towards a face, or many quiet ones.
fn slope(count: usize, noise: f64) -> Observations {
    let seen = shapes::observed(|x| 1.5 * x[0], count, 5);
    let truth = |x: &[f64]| 1.5 * x[0];
    let at = |(x, y): (Vec<f64>, f64)| {
        let value = truth(&x) + noise / NOISE * (y - truth(&x));
        (x, Some(value.exp()))
    };
    told(seen.into_iter().map(at))
}

#[test]
fn what_few_loud_evaluations_cannot_tell_is_recommended_towards_the_middle_and_the_best_of_many_quiet_ones()
 {
    let share = |seen: &Observations| match by("auto", seen, Recommender::Centre).choice {
        Choice::Centre { share, .. } => share,
        other => panic!("{other:?}"),
    };
    let quiet = slope(80, 0.02);
    let found = by("auto", &quiet, Recommender::Centre);
    assert!(found.x[0] < 0.05, "{found:?}");
    let loud = slope(16, 0.8);
    assert!(share(&loud) > share(&quiet), "{loud:?}");
    let Choice::Centre {
        ends,
        noise,
        deviation,
        ..
    } = found.choice
    else {
        panic!("{found:?}");
    };
    assert!(ends[1] >= ends[0] && noise > 0.0 && deviation > 0.0);
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
            outputs: Vec::new(),
            error: 0.0,
            earlier: true,
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
        within: None,
        baseline: None,
        snap: &<[f64]>::to_vec,
        settled: &<[f64]>::to_vec,
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
                Recommender::Centre,
            ];
            let abilities = abilities(name);
            let able = 2 + usize::from(abilities.has_noise) + usize::from(abilities.has_joint);
            let rules = &rules[..able];
            for seed in [0, 1] {
                let seen = told(of_shape(value, seed));
                let learnt = learnt(name, &seen, seed);
                let case = Case {
                    seen: &seen,
                    within: None,
                    baseline: Some(&[0.45, 0.55]),
                    snap: &<[f64]>::to_vec,
                    settled: &<[f64]>::to_vec,
                    seed,
                };
                let model = learnt.model();
                let best = posterior_minimiser(model, &seen).expect("finished").0;
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

/// Whether the error of the posterior is less than the noise of an observation: that of a plane
/// is not where there are valleys.
fn follows(model: &dyn Model, value: fn(&[f64]) -> f64) -> bool {
    let points = crate::maximise::points::sobol(2, 0, 200, 77);
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
