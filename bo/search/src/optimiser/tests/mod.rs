//! What an optimiser promises whatever the surrogate: sound recommendations, questions that differ,
//! answers that find their question.

mod auto;
mod constraint;
mod covariates;
mod limits;
mod losses;

use super::*;
use crate::maximise::{Region, Surface};
use crate::model::incumbent::Incumbent;
use crate::shapes::{NOISE, SHAPES, Shape, observed};
use crate::surrogates::{NAMES, abilities};
use crate::{Parameter, Range, Recommender, Span, Transform};
use dilgp::Model;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};
use shell::statistics::median;

fn cube(dimensions: usize) -> Space {
    Space::cube(dimensions).expect("legal")
}

fn surrogates() -> impl Iterator<Item = &'static str> {
    NAMES.into_iter()
}

fn optimiser(space: Space, surrogate: &str, noisy: bool, rule: Option<Acquisition>) -> Optimiser {
    let settings = Settings {
        surrogate: surrogate.to_owned(),
        acquisition: rule,
        noisy,
        ..Settings::noisy(3)
    };
    Optimiser::new(space, settings).expect("legal")
}

#[test]
fn no_shape_makes_any_recommendation_unsound() {
    for (shape, value) in SHAPES {
        for name in surrogates() {
            let sets = abilities(name)
                .has_noise
                .then_some(Some(Acquisition::LevelSet));
            for rule in [None].into_iter().chain(sets) {
                let mut optimiser = optimiser(cube(2), name, true, rule);
                for (x, y) in observed(value, 50, 4) {
                    optimiser.tell_at(&x, y).expect("inside");
                }
                let x = optimiser.recommend().expect("finished");
                let posterior = optimiser.posterior_now().expect("learnt");
                let best = optimiser.incumbent(posterior, &optimiser.deployable(&[])).0;
                let view = posterior.view();
                let incumbent = Incumbent::at(&view, &best).expect("finite");
                assert!(incumbent.tolerates(&x), "{shape}, {name}, {rule:?}: {x:?}");
            }
        }
    }
}

#[test]
fn the_importances_of_a_known_function_are_its_total_effects() {
    let mut optimiser = optimiser(cube(3), "matern", false, None);
    for x in crate::maximise::points::sobol(3, 0, 60, 4) {
        let [a, b] = [x[0] - 0.5, x[1] - 0.5];
        optimiser
            .tell_at(&x, 3.0 * a + b + 2.0 * a * b)
            .expect("inside");
    }
    // With a and b uniform about 0, and with a from 0 to 1/2: what the variance of a, 1/12 or 1/48, and that of b,
    // 1/12, make of the terms.
    for (low, mean, variance) in [(0.0, 0.0, 1.0 / 12.0), (0.5, 0.25, 1.0 / 48.0)] {
        let low = vec![low, 0.0, 0.0];
        let high = vec![1.0; 3];
        let found = optimiser.importance(&Region { low, high }).expect("learnt");
        let (of_a, slope) = (9.0 * variance, 1.0 + 2.0 * mean);
        let (of_b, both) = (slope * slope / 12.0, 4.0 * variance / 12.0);
        let whole = of_a + of_b + both;
        let expected = [(of_a + both) / whole, (of_b + both) / whole, 0.0];
        for (found, expected) in found.into_iter().zip(expected) {
            let found = found.expect("it varies");
            assert!((found - expected).abs() < 0.03, "{found} {expected}");
        }
    }
}

#[test]
fn importances_are_shares_of_the_value_whatever_its_transform() {
    for transform in [Transform::Warp, Transform::Linear, Transform::Log] {
        let settings = Settings {
            transform,
            ..Settings::deterministic(3)
        };
        let mut optimiser = Optimiser::new(cube(2), settings).expect("legal");
        for x in crate::maximise::points::sobol(2, 0, 40, 4) {
            let value = (x[0] - 0.3).powi(2) + 3.0 * (x[1] - 0.7).powi(2) + 1.0;
            optimiser.tell_at(&x, value).expect("inside");
        }
        let found = optimiser.importance(&Region::cube(2)).expect("learnt");
        // A sum has no interaction; the variances of both terms are as 1 to 9.
        for (found, expected) in found.into_iter().zip([0.1, 0.9]) {
            let found = found.expect("it varies");
            assert!(
                (found - expected).abs() < 0.02,
                "{transform:?}: {found} {expected}"
            );
        }
    }
}

/// Sixty evaluations by level sets; the recommendation's value without noise.
fn searched(shape: &Shape, seed: u64) -> f64 {
    let settings = Settings {
        acquisition: Some(Acquisition::LevelSet),
        ..Settings::noisy(seed)
    };
    let mut optimiser = Optimiser::new(cube(2), settings).expect("legal");
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    for _ in 0..60 {
        let x = optimiser.ask().x;
        let z: f64 = StandardNormal.sample(&mut random);
        optimiser
            .tell_at(&x, shape.1(&x) + NOISE * z)
            .expect("inside");
    }
    shape.1(&optimiser.recommend().expect("finished"))
}

#[test]
fn level_sets_search_two_valleys_and_a_ring_without_ending_between_them() {
    for shape in &SHAPES[1..3] {
        for seed in 0..3 {
            // The ridge is at 0.72 and the middle of the ring at 0.735.
            let value = searched(shape, seed);
            assert!(value < 0.25, "{}, seed {seed}: {value}", shape.0);
        }
    }
}

fn bowl(x: &[f64]) -> f64 {
    x.iter().map(|x| (x - 0.3) * (x - 0.3)).sum()
}

/// Least distance of any two of `asks` questions after twelve answers.
fn least_distance(mut optimiser: Optimiser, asks: usize) -> f64 {
    for x in crate::maximise::points::sobol(3, 0, 12, 8) {
        optimiser.tell_at(&x, bowl(&x)).expect("inside");
    }
    let mut points = Pending::default();
    let mut least = f64::INFINITY;
    for _ in 0..asks {
        let x = optimiser.ask().x;
        least = least.min(points.distance(&x));
        points.push(0, x);
    }
    least
}

#[test]
fn a_search_rebuilt_from_what_was_told_repeats_no_point_of_its_design() {
    let fresh = || optimiser(cube(2), "matern", false, None);
    let mut first = fresh();
    let design: Vec<Vec<f64>> = (0..10).map(|_| first.ask().x).collect();
    // A rig that writes down four digits.
    let round = |x: &[f64]| -> Vec<f64> { x.iter().map(|x| (x * 1e4).round() / 1e4).collect() };
    let mut again = fresh();
    for x in &design[..5] {
        again.tell_at(&round(x), bowl(x)).expect("inside");
    }
    let rest: Vec<Vec<f64>> = (0..5).map(|_| again.ask().x).collect();
    assert_eq!(rest, design[5..]);
}

#[test]
fn an_answer_written_with_few_digits_settles_its_question() {
    let mut optimiser = optimiser(cube(2), "matern", true, None);
    for _ in 0..3 {
        let x: Vec<f64> = optimiser.ask().x;
        let x: Vec<f64> = x.iter().map(|x| (x * 1e4).round() / 1e4).collect();
        optimiser.tell_at(&x, bowl(&x)).expect("inside");
        assert!(optimiser.state.pending.points().is_empty());
        assert_eq!(optimiser.state.seen.all().last().expect("told").x, x);
    }
}

#[test]
fn the_baseline_is_asked_first_and_what_was_known_before_is_none_of_the_evaluations() {
    let settings = Settings {
        baseline: Some(vec![0.9, 0.1]),
        initial: 3,
        ..Settings::noisy(3)
    };
    let mut optimiser = Optimiser::new(cube(2), settings).expect("legal");
    for x in crate::maximise::points::sobol(2, 0, 8, 8) {
        optimiser.add_earlier(&x, Some(bowl(&x))).expect("inside");
    }
    let origins = (0..4).map(|_| {
        let asked = optimiser.ask();
        optimiser.tell_at(&asked.x, bowl(&asked.x)).expect("inside");
        asked.origin
    });
    let origins: Vec<Origin> = origins.collect();
    assert_eq!(
        origins[..3],
        [Origin::Baseline, Origin::Initial, Origin::Initial]
    );
    assert!(matches!(origins[3], Origin::Acquisition { .. }));
    assert_eq!((optimiser.seen().own(), optimiser.seen().count()), (4, 12));
}

struct Unfittable;

impl dilgp::Surrogate for Unfittable {
    fn name(&self) -> &'static str {
        "unfittable"
    }

    fn fit(&self, data: &dilgp::Dataset, _: u64) -> Result<Box<dyn Model>, dilgp::Error> {
        Err(dilgp::Error::EmptyDataset {
            rows: data.len(),
            columns: 0,
        })
    }
}

#[test]
fn a_surrogate_that_cannot_be_fitted_is_replaced_by_the_design_and_the_reason_recorded() {
    let learner = Learner::Other(Box::new(Unfittable));
    let settings = Settings::noisy(3);
    let mut optimiser = Optimiser::learning_with(learner, cube(2), settings).expect("legal");
    let mut points = Vec::new();
    for number in 0..14 {
        let asked = optimiser.ask();
        optimiser.tell_at(&asked.x, bowl(&asked.x)).expect("inside");
        match asked.origin {
            Origin::Initial => assert!(number < 10),
            Origin::Fallback { reason } => {
                assert!(
                    reason.contains("at least one row and one column"),
                    "{reason}"
                );
            }
            other => panic!("{other:?}"),
        }
        assert!(
            !points.contains(&asked.x),
            "the design goes on, it does not repeat"
        );
        points.push(asked.x);
    }
    let recommended = optimiser.recommend().expect("finished");
    let best = optimiser.seen().best().expect("finished");
    assert_eq!(recommended, best.x, "of what was observed");
}

#[test]
fn a_search_that_is_fitted_anew_resumes_with_the_same_question() {
    let mut first = optimiser(cube(2), "gp-level-set", true, None);
    let mut again = optimiser(cube(2), "gp-level-set", true, None);
    for _ in 0..14 {
        let asked = first.ask();
        first.tell_at(&asked.x, bowl(&asked.x)).expect("inside");
        again.replay(&asked.x).expect("inside");
        again.tell_at(&asked.x, bowl(&asked.x)).expect("inside");
    }
    assert_eq!(again.ask(), first.ask());
}

#[test]
fn eight_questions_at_once_differ_for_every_surrogate() {
    for name in surrogates() {
        for noisy in [true, false] {
            let least = least_distance(optimiser(cube(3), name, noisy, None), 8);
            assert!(least > 1e-3, "{name}, noisy {noisy}: {least}");
        }
    }
}

#[test]
fn eight_questions_at_once_differ_for_every_acquisition() {
    for name in crate::ACQUISITIONS {
        let rule = Acquisition::by_name(name).expect("legal");
        let least = least_distance(optimiser(cube(3), "matern", true, Some(rule)), 8);
        assert!(least > 1e-3, "{name}: {least}");
    }
}

#[test]
fn a_space_of_few_points_is_asked_through_before_it_repeats() {
    let range = Range::Integer(Span::linear(1.0, 4.0));
    let space = Space::new(vec![Parameter::new("n", range).expect("legal")]).expect("legal");
    for name in ["matern", "gp", "rf", "mlp"] {
        let settings = Settings {
            surrogate: name.to_owned(),
            initial: 2,
            ..Settings::noisy(3)
        };
        let mut optimiser = Optimiser::new(space.clone(), settings).expect("legal");
        for n in [1.0, 3.0] {
            optimiser.tell_at(&[n], n).expect("inside");
        }
        let mut asked: Vec<f64> = (0..4).map(|_| optimiser.ask().x[0]).collect();
        asked.sort_by(f64::total_cmp);
        assert_eq!(asked, [1.0, 2.0, 3.0, 4.0], "{name}");
        assert!((1.0..=4.0).contains(&optimiser.ask().x[0]), "{name}");
    }
}

#[test]
fn what_is_under_way_is_supposed_by_surrogates_that_cannot_grow() {
    for name in ["gp", "rf", "mlp"] {
        let mut optimiser = optimiser(cube(3), name, true, None);
        for x in crate::maximise::points::sobol(3, 0, 12, 8) {
            optimiser.tell_at(&x, bowl(&x)).expect("inside");
        }
        optimiser.learn().expect("fits");
        let posterior = optimiser.posterior_now().expect("learnt");
        let pending = [vec![0.31, 0.29, 0.3]];
        let with_pending =
            posterior.with_pending(&pending, &optimiser.state.seen, &optimiser.options());
        let mean = |learnt: &crate::model::surrogate::Fitted| {
            let surface = Surface {
                model: learnt.model(),
                criterion: &crate::acquisition::LeastMean,
                within: None,
            };
            -surface.values(&pending)[0]
        };
        let (with, without) = (mean(&with_pending.expect("fits")), mean(posterior.learnt()));
        assert!((with - without).abs() < 0.3, "{name}: {with} {without}");
    }
}

#[test]
fn an_outcome_is_told_once_and_of_a_suggestion_that_was_made() {
    let mut search = optimiser(cube(2), "matern", true, None);
    let (first, second) = (search.ask(), search.ask());
    search.tell(second.id, 0.5).expect("pending");
    for id in [second.id, 7] {
        let error = search.tell(id, 0.5).expect_err("not pending");
        assert_eq!(error.to_string(), format!("suggestion {id} is not pending"));
    }
    let evaluated = Evaluated {
        id: Some(second.id),
        ..Evaluated::at(&second.x, Outcome::Lost)
    };
    assert!(search.tell_evaluated(evaluated).is_err());
    assert_eq!(search.seen().count(), 1, "nothing has changed");
    search.tell(first.id, f64::NAN).expect("pending");
    assert_eq!((search.seen().crashed(), search.pending().len()), (1, 0));
    // What was not suggested takes a number of its own.
    search.tell_at(&[0.1, 0.2], 0.7).expect("inside");
    assert_eq!(search.ask().id, 3);
}

/// Over 60 seeds the intervals held 93 % of the values without noise with the logarithm, which suits
/// them, 90 % warped and 88 % as they are: hyper-parameters and transform count as known.
#[test]
fn predictions_are_in_the_units_of_the_values_and_their_intervals_hold() {
    let truth = |x: &[f64]| (1.0 + 3.0 * bowl(x)).exp();
    let points = crate::maximise::points::sobol(2, 40, 60, 8);
    for transform in [Transform::Log, Transform::Warp, Transform::Linear] {
        let (mut inside, mut of, mut widths) = (0, 0, Vec::new());
        for seed in 0..30 {
            let settings = Settings {
                transform,
                ..Settings::noisy(seed)
            };
            let mut search = Optimiser::new(cube(2), settings).expect("legal");
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            for x in crate::maximise::points::sobol(2, 0, 40, seed) {
                let z: f64 = StandardNormal.sample(&mut random);
                let noisy = truth(&x) * (0.1 * z).exp();
                search.tell_at(&x, noisy).expect("inside");
            }
            let predicted = search.predict(&points).expect("inside").expect("fitted");
            for (x, predicted) in points.iter().zip(predicted) {
                let [low, high] = predicted.interval.expect("a process");
                assert!(low <= predicted.median && predicted.median <= high);
                inside += u32::from((low..=high).contains(&truth(x)));
                widths.push(high - low);
                of += 1;
            }
        }
        let share = f64::from(inside) / f64::from(of);
        let least = if transform == Transform::Log {
            0.9
        } else {
            0.82
        };
        assert!(share > least, "{transform:?}: {share}");
        // The values lie between 2.7 and 51.
        assert!(median(&widths) < 4.0, "{transform:?}");
    }
}
