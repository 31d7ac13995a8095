//! Several questions at once: they differ, and what is under way is supposed.

use super::*;

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
            optimiser.tell(&[n], n).expect("inside");
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
        for x in crate::climb::sobol::points(3, 0, 12, 8) {
            optimiser.tell(&x, bowl(&x)).expect("inside");
        }
        optimiser.learn().expect("fits");
        let belief = optimiser.belief().expect("learnt");
        let under_way = [vec![0.31, 0.29, 0.3]];
        let supposed = belief.supposing(&under_way, &optimiser.state.seen, &optimiser.lesson());
        let mean = |learnt: &crate::belief::learner::Learnt| {
            let surface = Surface {
                model: learnt.model(),
                criterion: &crate::criterion::LeastMean,
            };
            -surface.values(&under_way)[0]
        };
        let (with, without) = (mean(&supposed.expect("fits")), mean(belief.learnt()));
        assert!((with - without).abs() < 0.3, "{name}: {with} {without}");
    }
}
