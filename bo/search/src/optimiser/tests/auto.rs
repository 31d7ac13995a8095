//! What a search by noise promises: it is the level set's search where one evaluation tells little, and
//! the knowledge gradient's where it tells much, where the centre is told from the minimiser, and where
//! losses are frequent.

use super::*;
use crate::optimiser::auto::{Auto, Judgement, VOTES};

fn vote(signal: f64, contrast: f64, lost: f64) -> Judgement {
    Judgement {
        signal,
        contrast,
        lost,
    }
}

#[test]
fn loud_is_what_tells_little_in_every_way() {
    assert!(vote(2.0, 1.0, 0.05).noise_dominates());
    assert!(!vote(5.0, 1.0, 0.05).noise_dominates());
    assert!(!vote(2.0, 2.5, 0.05).noise_dominates());
    assert!(!vote(2.0, 1.0, 0.25).noise_dominates());
}

#[test]
fn three_of_the_last_five_judgements_count_and_none_is_made_of_few_evaluations() {
    let (loud, quiet) = (vote(1.0, 0.0, 0.0), vote(9.0, 3.0, 0.0));
    let mut auto = Auto::new("auto", 2, 0);
    assert!(!auto.is_due(29, 1) && auto.is_due(30, 1));
    let told = [(loud, false), (loud, false), (quiet, false), (loud, true)];
    let and_then = [(quiet, true), (quiet, false), (loud, false), (loud, true)];
    for (k, (vote, expected)) in told.into_iter().chain(and_then).enumerate() {
        auto.add(Some(vote), 30 + k);
        assert_eq!(auto.noise_dominates(), expected, "{k}");
    }
    assert_eq!(auto.judgements.last().copied(), Some(loud));
    // What says nothing is no vote.
    auto.add(None, 38);
    assert!(auto.noise_dominates() && auto.judgements.len() == VOTES);
}

#[test]
fn once_it_is_quiet_it_is_judged_anew_as_seldom_as_hyper_parameters_are() {
    let mut auto = Auto::new("auto", 2, 0);
    auto.add(Some(vote(9.0, 3.0, 0.0)), 100);
    assert!(!auto.is_due(100, 5) && !auto.is_due(104, 5) && auto.is_due(105, 5));
    for observations in 105..108 {
        auto.add(Some(vote(1.0, 0.0, 0.0)), observations);
    }
    assert!(auto.noise_dominates() && !auto.is_due(107, 5) && auto.is_due(108, 5));
}

#[test]
fn any_process_is_recommended_from_as_the_noise_asks() {
    let usual = |surrogate: &str, noise: f64, evaluations: usize| {
        let mut search = optimiser(cube(2), surrogate, true, None);
        let mut random = ChaCha8Rng::seed_from_u64(7);
        for x in crate::maximise::points::sobol(2, 0, evaluations, 5) {
            let z: f64 = StandardNormal.sample(&mut random);
            search.tell_at(&x, inside(&x) + noise * z).expect("inside");
        }
        search.usual_recommender()
    };
    for process in ["gp", "dil-gp", "matern"] {
        assert_eq!(usual(process, 0.3, 40), Recommender::LevelSet, "{process}");
        assert_eq!(
            usual(process, 0.005, 40),
            Recommender::Centroid,
            "{process}"
        );
        assert_eq!(usual(process, 0.3, 29), Recommender::Centroid, "{process}");
    }
    for other in ["rf", "mlp", "dil-gp-released"] {
        assert_eq!(usual(other, 0.3, 40), Recommender::Centroid, "{other}");
    }
}

fn judgements(optimiser: &mut Optimiser) -> &mut Vec<Judgement> {
    let auto = optimiser.state.auto.as_mut();
    &mut auto.expect("by noise").judgements
}

/// A search of `value` through so much noise; a value that is not finite is lost.
fn search(surrogate: &str, value: fn(&[f64]) -> f64, noise: f64, asks: usize) -> Optimiser {
    let mut optimiser = optimiser(cube(2), surrogate, true, Some(Acquisition::ByNoise));
    let mut random = ChaCha8Rng::seed_from_u64(7);
    for _ in 0..asks {
        let x = optimiser.ask().x;
        let z: f64 = StandardNormal.sample(&mut random);
        optimiser
            .tell_at(&x, value(&x) + noise * z)
            .expect("inside");
    }
    optimiser
}

/// A bowl with its bottom inside, at most 0.5 deep.
fn inside(x: &[f64]) -> f64 {
    (x[0] - 0.4).powi(2) + (x[1] - 0.6).powi(2)
}

#[test]
fn in_noise_and_without_a_baseline_auto_searches_as_matern_does_unless_a_rule_is_named() {
    let settings = |surrogate: &str, noisy| Settings {
        surrogate: surrogate.to_owned(),
        noisy,
        ..Settings::noisy(3)
    };
    let baseline = Some(vec![0.5, 0.5]);
    let of = |settings: Settings| {
        let mut optimiser = Optimiser::new(cube(2), settings).expect("legal");
        for (x, y) in observed(inside, 40, 4) {
            optimiser.tell_at(&x, y).expect("inside");
        }
        (optimiser.ask().x, optimiser.recommend().expect("finished"))
    };
    assert_eq!(of(settings("auto", true)), of(settings("matern", true)));
    assert_ne!(of(settings("auto", false)), of(settings("matern", false)));
    let with_baseline = |surrogate| Settings {
        baseline: baseline.clone(),
        ..settings(surrogate, true)
    };
    assert_ne!(of(with_baseline("auto")), of(with_baseline("matern")));
    let by_noise = Settings {
        acquisition: Some(Acquisition::ByNoise),
        ..settings("auto", true)
    };
    assert_eq!(by_noise.learns_with(), "auto");
    assert_ne!(of(by_noise), of(settings("auto", true)));
}

#[test]
fn where_one_evaluation_tells_little_auto_suggests_and_recommends_as_the_level_set() {
    let mut auto = search("auto", inside, 0.5, 40);
    let mut sets = optimiser(cube(2), "gp-level-set", true, None);
    for seen in auto.seen().all() {
        let value = seen.value.expect("none is lost");
        sets.tell_at(&seen.x, value).expect("inside");
    }
    assert_eq!(auto.usual_recommender(), Recommender::LevelSet);
    assert_eq!(auto.recommend(), sets.recommend());
    assert_eq!(auto.ask().x, sets.ask().x);
    let judged = auto.judged().expect("judged");
    assert!(judged.loud && judged.last.signal < 5.0, "{judged:?}");
}

#[test]
fn where_one_evaluation_tells_much_the_minimiser_is_looked_for() {
    let mut auto = search("auto", inside, 0.005, 40);
    assert_eq!(auto.usual_recommender(), Recommender::Centre);
    assert!(auto.judged().expect("judged").last.signal > 5.0);
    // One judgement that says otherwise is outvoted.
    let mut doubted = search("auto", inside, 0.005, 40);
    *judgements(&mut doubted).last_mut().expect("judged") = vote(1.0, 0.0, 0.0);
    assert_eq!(doubted.usual_recommender(), Recommender::Centre);
    let x = auto.recommend().expect("finished");
    assert!(inside(&x) < 0.002, "{x:?}");
}

#[test]
fn where_the_evaluations_tell_the_corner_from_the_centre_it_is_looked_for_through_loud_noise() {
    let corner = |x: &[f64]| x[0] + 1.0 - x[1];
    let mut auto = search("auto", corner, 0.35, 80);
    assert_eq!(auto.usual_recommender(), Recommender::Centre);
    let last = auto.judged().expect("judged").last;
    assert!(last.contrast > 2.5, "{last:?}");
    let (x, centre) = (auto.recommend(), auto.recommend_by(Recommender::LevelSet));
    let (x, centre) = (x.expect("finished"), centre.expect("finished").x);
    assert!(corner(&x) < corner(&centre), "{x:?} {centre:?}");
}

#[test]
fn where_losses_are_frequent_their_own_model_keeps_counting() {
    let told = |lost_below: f64| {
        let mut auto = optimiser(cube(2), "auto", true, Some(Acquisition::ByNoise));
        for (number, (x, y)) in observed(inside, 40, 4).into_iter().enumerate() {
            let value = (x[0] >= lost_below).then_some(3.0 * y);
            auto.tell_at(&x, value).expect("inside");
            if number >= 30 {
                let _ = auto.learn();
            }
        }
        auto.usual_recommender();
        auto.judged().expect("judged")
    };
    let (rare, frequent) = (told(0.05), told(0.3));
    assert!(rare.loud && rare.last.lost < 0.1, "{rare:?}");
    assert!(!frequent.loud && frequent.last.lost > 0.25, "{frequent:?}");
}

#[test]
fn any_process_may_be_searched_by_noise_with_its_own_belief() {
    let mut own = optimiser(cube(2), "gp", true, Some(Acquisition::ByNoise));
    for (x, y) in observed(SHAPES[0].1, 32, 4) {
        own.tell_at(&x, y).expect("inside");
    }
    let origin = own.ask().origin;
    let Origin::Acquisition { regime, .. } = origin else {
        panic!("{origin:?}");
    };
    assert_eq!(regime, own.judged());
    assert!(
        own.state
            .auto
            .as_ref()
            .is_some_and(|auto| auto.in_noise.is_none())
    );
    let exact = Learner::by_name("matern", false).expect("legal");
    let error = Acquisition::ByNoise.check(&exact.abilities());
    assert!(matches!(error, Err(Refusal::NoNoise { .. })));
}

#[test]
fn a_search_by_noise_that_was_interrupted_judges_as_it_would_have() {
    for (surrogate, noise) in [("auto", 0.5), ("auto", 0.01), ("gp", 0.1)] {
        let rule = Some(Acquisition::ByNoise);
        let mut first = optimiser(cube(2), surrogate, true, rule);
        let mut again = optimiser(cube(2), surrogate, true, rule);
        let mut random = ChaCha8Rng::seed_from_u64(2);
        for _ in 0..36 {
            let asked = first.ask();
            let z: f64 = StandardNormal.sample(&mut random);
            let value = inside(&asked.x) + noise * z;
            first.tell_at(&asked.x, value).expect("inside");
            again.replay(&asked.x).expect("inside");
            again.tell_at(&asked.x, value).expect("inside");
        }
        assert_eq!(again.ask(), first.ask(), "{surrogate}, {noise}");
        assert_eq!(judgements(&mut again), judgements(&mut first));
        assert!(first.judged().is_some());
    }
}

#[test]
fn of_many_evaluations_the_minimiser_is_looked_for() {
    let mut auto = optimiser(cube(2), "auto", true, Some(Acquisition::ByNoise));
    for observations in 30..33 {
        let loud = vote(1.0, 0.0, 0.0);
        let of_noise = auto.state.auto.as_mut().expect("by noise");
        of_noise.add(Some(loud), observations);
    }
    for (x, y) in observed(SHAPES[0].1, 501, 4) {
        assert_eq!(auto.rule(), Acquisition::LevelSet);
        auto.tell_at(&x, y).expect("inside");
    }
    assert_eq!(auto.rule(), Acquisition::KnowledgeGradient);
}
