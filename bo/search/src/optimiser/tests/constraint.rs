//! What a constraint promises: what is asked and recommended keeps it, and the acquisition is as great as
//! anywhere in the set, however small it is.

use super::*;
use crate::maximise::points;

/// Centre and radius of what is allowed: 1.2 and .04 of a hundred of the cube of four dimensions.
const CENTRE: [f64; 4] = [0.25, 0.7, 0.6, 0.3];
const RADII: [f64; 2] = [0.225, 0.095];

fn slack(x: &[f64], radius: f64) -> f64 {
    let sides = x.iter().zip(CENTRE).map(|(x, c)| (x - c).powi(2));
    // With an edge in it, as the least of several margins has, and flat where nothing is stable.
    (1.0 - sides.sum::<f64>().sqrt() / radius).clamp(-1.0, 0.5)
}

/// The lowest value lies outside, at 0.8 in every coordinate.
fn value(x: &[f64]) -> f64 {
    0.05 + x.iter().map(|x| (x - 0.8).powi(2)).sum::<f64>()
}

fn within(radius: f64, surrogate: &str, rule: Option<Acquisition>, seed: u64) -> Optimiser {
    let settings = Settings {
        surrogate: surrogate.to_owned(),
        acquisition: rule,
        noisy: true,
        initial: 8,
        baseline: Some(CENTRE.to_vec()),
        ..Settings::noisy(seed)
    };
    let mut optimiser = Optimiser::new(cube(4), settings).expect("legal");
    let slack = Box::new(move |x: &[f64]| slack(x, radius));
    optimiser.restrict(Constraint::new(slack, CENTRE.to_vec()));
    optimiser
}

fn noise(random: &mut ChaCha8Rng) -> f64 {
    let z: f64 = StandardNormal.sample(random);
    0.01 * z
}

/// Random allowed points, as many as fit into the ball's box and lie in it.
fn allowed(radius: f64, count: usize) -> Vec<Vec<f64>> {
    let cubes = points::sobol(4, 0, 16 * count, 9).into_iter();
    let near = cubes.map(|u| -> Vec<f64> {
        let sides = u.iter().zip(CENTRE);
        sides.map(|(u, c)| c + radius * (2.0 * u - 1.0)).collect()
    });
    near.filter(|x| slack(x, radius) >= 0.0)
        .take(count)
        .collect()
}

#[test]
fn in_a_small_set_the_acquisition_is_as_great_as_at_any_of_4096_allowed_points() {
    let (mut rounds, mut behind) = (0, 0);
    for (radius, seed) in RADII.into_iter().cycle().zip(1..=4) {
        let others = allowed(radius, 4096);
        assert_eq!(others.len(), 4096);
        let rules = [
            Acquisition::Bound { kappa: 2.0 },
            Acquisition::LogImprovement,
        ];
        for rule in rules {
            let mut random = ChaCha8Rng::seed_from_u64(5);
            let mut optimiser = within(radius, "matern", Some(rule), seed);
            for _ in 0..40 {
                let best = (optimiser.evaluations() >= 8).then(|| {
                    optimiser.learn().expect("fits");
                    let posterior = optimiser.posterior_now().expect("learnt");
                    let (_, best) = optimiser.incumbent(posterior, &optimiser.deployable(&[]));
                    let criterion = optimiser.rule().criterion(best);
                    let surface = Surface {
                        model: &posterior.view(),
                        criterion: &*criterion,
                        within: None,
                    };
                    surface.values(&others).into_iter().fold(f64::MIN, f64::max)
                });
                let asked = optimiser.ask();
                assert!(slack(&asked.x, radius) >= 0.0, "{:?}", asked.x);
                if let (Some(best), Origin::Acquisition { value, .. }) = (best, &asked.origin) {
                    rounds += 1;
                    behind += usize::from(*value < best - 1e-6);
                }
                let y = value(&asked.x) + noise(&mut random);
                optimiser.tell(asked.id, y).expect("pending");
            }
        }
    }
    assert_eq!(rounds, 256);
    assert!(behind <= rounds / 16, "behind in {behind} of {rounds}");
}

#[test]
fn the_lowest_allowed_value_is_found_on_an_edge() {
    for seed in 0..3 {
        let settings = Settings::deterministic(seed);
        let mut optimiser = Optimiser::new(cube(2), settings).expect("legal");
        let slack = |x: &[f64]| (1.0 - x[0] - x[1]).min(x[1] - x[0]);
        optimiser.restrict(Constraint::new(Box::new(slack), vec![0.2, 0.6]));
        for _ in 0..40 {
            let asked = optimiser.ask();
            assert!(slack(&asked.x) >= 0.0, "{:?}", asked.x);
            let y = (asked.x[0] - 0.6).powi(2) + (asked.x[1] - 0.7).powi(2);
            optimiser.tell(asked.id, y).expect("pending");
        }
        let best = optimiser.recommend().expect("evaluated");
        assert!(
            (best[0] - 0.45).abs() < 1e-3 && (best[1] - 0.55).abs() < 1e-3,
            "{best:?}"
        );
    }
}

#[test]
fn every_surrogate_asks_and_recommends_what_is_allowed_and_comes_near_the_best_of_it() {
    // The best allowed point lies on the way from the centre to the lowest value.
    let best = |radius: f64| {
        let away: f64 = CENTRE.iter().map(|c| (0.8 - c).powi(2)).sum::<f64>().sqrt();
        0.05 + (away - radius).powi(2)
    };
    let named = ["gp", "dil-gp", "rf", "gp-level-set", "auto"];
    for (surrogate, radius) in named.into_iter().zip(RADII.into_iter().cycle()) {
        let mut random = ChaCha8Rng::seed_from_u64(8);
        let mut optimiser = within(radius, surrogate, None, 3);
        for _ in 0..6 {
            let batch: Vec<Suggestion> = (0..8).map(|_| optimiser.ask()).collect();
            for asked in batch {
                assert!(slack(&asked.x, radius) >= 0.0, "{surrogate}: {:?}", asked.x);
                let y = value(&asked.x) + noise(&mut random);
                optimiser.tell(asked.id, y).expect("pending");
            }
        }
        let x = optimiser.recommend().expect("finished");
        assert!(slack(&x, radius) >= 0.0, "{surrogate}: {x:?}");
        let (start, found) = (value(&CENTRE), value(&x));
        let share = (found - best(radius)) / (start - best(radius));
        // Averages stay inside a ball; a forest's steps see no slope.
        assert!(share < 0.6, "{surrogate}: {share}");
    }
}

#[test]
fn a_search_that_is_rebuilt_from_its_evaluations_asks_and_recommends_the_same() {
    for surrogate in ["matern", "auto"] {
        // The next point, and the one recommended before that was asked for.
        let run = |told: &mut Vec<(Vec<f64>, f64)>, until: usize| -> [Vec<f64>; 2] {
            let mut random = ChaCha8Rng::seed_from_u64(told.len() as u64);
            let mut optimiser = within(RADII[0], surrogate, None, 3);
            for (x, y) in told.iter() {
                optimiser.replay(x).expect("inside");
                optimiser.tell_at(x, *y).expect("inside");
            }
            while told.len() < until {
                let asked = optimiser.ask();
                // So noisy that it is judged whether noise dominates.
                let y = value(&asked.x) + 20.0 * noise(&mut random);
                told.push((asked.x.clone(), y));
                optimiser.tell(asked.id, y).expect("pending");
            }
            let recommended = optimiser.recommend().expect("finished");
            [recommended, optimiser.ask().x]
        };
        let mut told = Vec::new();
        for until in [5, 13, 36] {
            let straight = run(&mut told, until);
            assert_eq!(straight, run(&mut told, until), "{surrogate} at {until}");
        }
    }
}

#[test]
fn a_knowledge_gradient_without_an_allowed_candidate_is_no_suggestion() {
    let settings = Settings {
        surrogate: "gp".to_owned(),
        acquisition: Some(Acquisition::KnowledgeGradient),
        noisy: true,
        initial: 4,
        baseline: Some(CENTRE.to_vec()),
        ..Settings::noisy(3)
    };
    let mut optimiser = Optimiser::new(cube(4), settings).expect("legal");
    // One point alone, and that without any room.
    let slack = Box::new(|x: &[f64]| if x == CENTRE { 0.0 } else { -1.0 });
    optimiser.restrict(Constraint::new(slack, CENTRE.to_vec()));
    let mut random = ChaCha8Rng::seed_from_u64(5);
    for _ in 0..7 {
        let asked = optimiser.ask();
        assert_eq!(asked.x, CENTRE);
        let y = value(&asked.x) + noise(&mut random);
        optimiser.tell(asked.id, y).expect("pending");
    }
}
