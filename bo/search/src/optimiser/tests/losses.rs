//! What becomes of lost evaluations: kept away from by a model of their own, or, where they are a matter
//! of place, no reason to stay away from what finished beside them.

use super::*;
use crate::maximise::points;
use rand::RngExt;

#[test]
fn losses_apart_leave_the_values_alone_and_are_kept_away_from() {
    // The best lies at 0.75, but what lies right of 0.7 is lost.
    let value = |x: &[f64]| (x[0] <= 0.7).then(|| 1.0 + 4.0 * (x[0] - 0.75).powi(2));
    let searched = |loss_model: LossModel| {
        let settings = Settings {
            surrogate: "auto".to_owned(),
            acquisition: Some(Acquisition::ByNoise),
            loss_model: Some(loss_model),
            lost_value: Some(3.0),
            transform: Transform::Linear,
            ..Settings::noisy(3)
        };
        let mut optimiser = Optimiser::new(cube(2), settings).expect("legal");
        for _ in 0..40 {
            let x = optimiser.ask().x;
            optimiser.tell_at(&x, value(&x)).expect("inside");
        }
        optimiser
    };
    let mut apart = searched(LossModel::Apart);
    let x = apart.recommend().expect("finished");
    assert!(x[0] > 0.5 && x[0] <= 0.7, "{x:?}");
    // Beyond the edge, where what finishes is best, a loss is likely and costs what the caller said.
    let believed = apart.posterior(&[vec![0.95, 0.5], vec![0.5, 0.5]]);
    let mean = believed.expect("of the cube").expect("fitted").mean;
    let posterior = apart.posterior_now().expect("learnt");
    // 1.16 beyond and 1.25 within, were it not for losses.
    let dearer = posterior.image(1.2) - posterior.image(1.0);
    assert!(
        mean[0] > posterior.image(1.6) && mean[0] > mean[1] + dearer,
        "{mean}"
    );
    assert!(apart.seen().crashed() < 20, "{}", apart.seen().crashed());
    assert!(searched(LossModel::Worst).recommend().expect("finished")[0] <= 0.7);
}

/// A search by `loss_model` that was told sixty points of a bowl with its bottom at (0.75, 0.5), through
/// noise, those of which were lost that are `lost`.
fn told(loss_model: LossModel, seed: u64, mut lost: impl FnMut(&[f64]) -> bool) -> Optimiser {
    let settings = Settings {
        loss_model: Some(loss_model),
        ..Settings::noisy(seed)
    };
    let mut optimiser = Optimiser::new(cube(2), settings).expect("legal");
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    for x in points::sobol(2, 0, 60, seed) {
        let z: f64 = StandardNormal.sample(&mut random);
        let value = bowl(&x) + 0.02 * z;
        let value = (!lost(&x)).then_some(value);
        optimiser.tell_at(&x, value).expect("inside");
    }
    optimiser
}

fn bowl(x: &[f64]) -> f64 {
    4.0 * (x[0] - 0.75).powi(2) + (x[1] - 0.5).powi(2)
}

#[test]
fn losses_by_place_are_no_reason_to_stay_away_from_the_edge() {
    let beyond = |x: &[f64]| x[0] > 0.65;
    let recommended = |loss_model| -> f64 {
        let value = |seed| {
            let x = told(loss_model, seed, beyond)
                .recommend()
                .expect("finished");
            assert!(!beyond(&x), "{x:?} is lost");
            bowl(&x)
        };
        (0..8).map(value).sum::<f64>() / 8.0
    };
    let (by_place, worst) = (
        recommended(LossModel::ByPlace),
        recommended(LossModel::Worst),
    );
    // Beside the edge the bowl is .04 deep.
    assert!(
        by_place < 0.08 && by_place < 0.7 * worst,
        "{by_place} {worst}"
    );
    let mut optimiser = told(LossModel::ByPlace, 1, beyond);
    assert_eq!(optimiser.usual_recommender(), Recommender::Believed);
}

#[test]
fn losses_by_chance_keep_the_belief_that_counts_them_and_no_losses_change_nothing() {
    for (probability, seed) in [(0.0, 0), (0.0, 1), (0.3, 0), (0.3, 1), (0.3, 2)] {
        let recommended = |loss_model| {
            let mut chance = ChaCha8Rng::seed_from_u64(100 + seed);
            let lost = |_: &[f64]| chance.random::<f64>() < probability;
            let mut optimiser = told(loss_model, seed, lost);
            let usual = (probability == 0.0).then(|| optimiser.recommend());
            (usual, optimiser.recommend_by(Recommender::Believed))
        };
        assert_eq!(
            recommended(LossModel::ByPlace),
            recommended(LossModel::Worst)
        );
    }
}

#[test]
fn where_something_was_lost_what_finished_is_recommended_and_no_average() {
    let check = |lost: fn(&[f64]) -> bool, of_place: bool| {
        let mut optimiser = told(LossModel::ByPlace, 4, lost);
        assert!(optimiser.seen().crashed() > 0);
        assert_eq!(optimiser.loses_by_place(), of_place);
        assert_eq!(optimiser.usual_recommender(), Recommender::Believed);
        let x = optimiser.recommend().expect("finished");
        let mut finished = optimiser.seen().finished();
        assert!(finished.any(|known| known.0 == x), "{x:?}");
    };
    check(|x| x[0] > 0.65, true);
    let by_digits = |x: &[f64]| ((1000.0 * (x[0] + x[1])) as usize).is_multiple_of(3);
    check(by_digits, false);
}

#[test]
fn what_goes_with_a_surrogate_depends_on_noise_and_baseline() {
    let usual = |surrogate: &str, noisy, baseline: bool| {
        let settings = Settings {
            surrogate: surrogate.to_owned(),
            noisy,
            baseline: baseline.then(|| vec![0.5, 0.5]),
            ..Settings::noisy(1)
        };
        let learner = Learner::by_name(settings.learns_with(), noisy).expect("legal");
        settings.loses_by(&learner)
    };
    assert_eq!(usual("matern", true, false), LossModel::ByPlace);
    assert_eq!(usual("auto", true, false), LossModel::ByPlace);
    assert_eq!(usual("auto", true, true), LossModel::Apart);
    for (surrogate, noisy, baseline) in [
        ("matern", false, false),
        ("matern", true, true),
        ("auto", false, false),
        ("gp", true, false),
        ("gp-level-set", true, false),
    ] {
        assert_eq!(usual(surrogate, noisy, baseline), LossModel::Worst);
    }
}

#[test]
fn from_the_first_loss_on_the_search_is_by_the_knowledge_gradient_unless_another_is_named() {
    let asked = |acquisition, lost: bool| {
        let settings = Settings {
            acquisition,
            ..Settings::noisy(1)
        };
        let mut optimiser = Optimiser::new(cube(2), settings).expect("legal");
        for x in points::sobol(2, 0, 30, 1) {
            let value = (!lost || x[0] < 0.65).then(|| bowl(&x));
            optimiser.tell_at(&x, value).expect("inside");
        }
        optimiser.ask().x
    };
    let gradient = Some(Acquisition::KnowledgeGradient);
    let bound = Some(Acquisition::Bound { kappa: 2.0 });
    assert_eq!(asked(None, true), asked(gradient, true));
    assert_ne!(asked(bound, true), asked(gradient, true));
    assert_eq!(asked(None, false), asked(bound, false));
}
