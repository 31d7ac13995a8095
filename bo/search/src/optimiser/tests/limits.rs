//! What measured limits and trade-offs promise.

use super::*;
use crate::Role;
use crate::maximise::points;
use crate::model::allowed::Allowed;
use crate::model::outputs::Output;
use crate::recommend::Choice;

/// Gramacy's problem: a value and two outputs that are to be at most 0; the least allowed value is .5998.
fn gramacy(x: &[f64]) -> (f64, [f64; 2]) {
    let (a, b) = (x[0], x[1]);
    let wave = (std::f64::consts::TAU * (a * a - 2.0 * b)).sin();
    let outputs = [1.5 - a - 2.0 * b - 0.5 * wave, a * a + b * b - 1.5];
    (a + b, outputs)
}

const LEAST: f64 = 0.5998;

fn search(surrogate: &str, noisy: bool, outputs: Vec<Role>, seed: u64) -> Optimiser {
    let settings = Settings {
        surrogate: surrogate.to_owned(),
        noisy,
        initial: 8,
        outputs,
        ..Settings::noisy(seed)
    };
    Optimiser::new(cube(2), settings).expect("legal")
}

fn tell(search: &mut Optimiser, x: &[f64], value: f64, outputs: &[f64]) {
    let id = search.pending_near(x).expect("inside");
    let outcome = Outcome::Value(value);
    search
        .tell_evaluated(Evaluated {
            id,
            outputs,
            ..Evaluated::at(x, outcome)
        })
        .expect("told");
}

#[test]
fn the_least_value_within_two_measured_limits_is_found_with_noise_and_without() {
    let log_ei = Some(Acquisition::LogImprovement);
    let cases = [
        ("matern", 0.0, None, 0.002),
        ("matern", 0.02, log_ei, 0.03),
        ("gp-level-set", 0.02, None, 0.03),
        ("gp", 0.02, None, 0.1),
        ("rf", 0.02, None, 0.1),
        ("mlp", 0.02, None, 0.3),
    ];
    for (surrogate, spread, acquisition, most) in cases {
        let settings = Settings {
            surrogate: surrogate.to_owned(),
            noisy: spread > 0.0,
            initial: 8,
            acquisition,
            outputs: vec![Role::AtMost(0.0); 2],
            ..Settings::noisy(3)
        };
        let mut search = Optimiser::new(cube(2), settings).expect("legal");
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let mut noise = || -> f64 {
            let z: f64 = StandardNormal.sample(&mut random);
            spread * z
        };
        for _ in 0..60 {
            let x = search.ask().x;
            let (value, outputs) = gramacy(&x);
            let outputs = outputs.map(|output| output + noise());
            tell(&mut search, &x, value + noise(), &outputs);
        }
        let (value, outputs) = gramacy(&search.recommend().expect("finished"));
        let broken = outputs[0].max(outputs[1]);
        assert!(broken <= 1.5 * spread, "{surrogate} {spread}: {broken}");
        assert!(
            (value - LEAST).abs() < most,
            "{surrogate} {spread}: {value}"
        );
    }
}

#[test]
fn where_no_evaluation_keeps_the_limits_the_nearest_is_recommended_and_that_is_known() {
    // Only a hundredth of the square keeps it.
    let output = |x: &[f64]| (x[0] - 0.9).hypot(x[1] - 0.2) - 0.056;
    let mut search = search("matern", false, vec![Role::AtMost(0.0)], 2);
    for _ in 0..6 {
        let x = search.ask().x;
        tell(&mut search, &x, x[1], &[output(&x)]);
    }
    let seen = search.seen().all();
    let nearest = seen.iter().map(|o| o.outputs[0]).reduce(f64::min);
    assert!(nearest.expect("six") > 0.0, "one keeps it already");
    let found = search
        .recommend_by(Recommender::Believed)
        .expect("finished");
    assert_eq!(found.choice, Choice::OutsideLimits);
    assert_eq!(Some(output(&found.x)), nearest);
    // From then on the search goes where the limit is likely to be kept.
    let mut kept = 0;
    for _ in 0..24 {
        let x = search.ask().x;
        kept += usize::from(output(&x) <= 0.0);
        tell(&mut search, &x, x[1], &[output(&x)]);
    }
    assert!(kept >= 5, "{kept}");
    let best = search
        .recommend_by(Recommender::Believed)
        .expect("finished")
        .x;
    assert!(output(&best) <= 0.0 && best[1] < 0.16, "{best:?}");
}

#[test]
fn the_penalty_has_the_gradient_of_differences_and_holds_where_means_do() {
    let mut output = Output::default();
    for x in points::sobol(2, 0, 12, 3) {
        output.add(&x, gramacy(&x).1[0], false);
    }
    let allowed = Allowed {
        set: None,
        limits: output.limited(0.0).into_iter().collect(),
    };
    for x in points::sobol(2, 0, 20, 8) {
        let (penalty, gradient) = allowed.penalty(&x).expect("smooth");
        assert!((allowed.penalties(std::slice::from_ref(&x))[0] - penalty).abs() < 1e-9);
        // Half of the probability is a penalty of ln 2.
        let holds = allowed.holds(std::slice::from_ref(&x))[0];
        assert_eq!(holds, penalty <= std::f64::consts::LN_2, "{x:?}");
        for k in 0..2 {
            let at = |h: f64| {
                let mut moved = x.clone();
                moved[k] += h;
                allowed.penalties(&[moved])[0]
            };
            let slope = (at(1e-6) - at(-1e-6)) / 2e-6;
            let size = 1.0 + slope.abs();
            assert!(
                (slope - gradient[k]).abs() < 1e-3 * size,
                "{slope} {gradient:?}"
            );
        }
    }
}

/// The area that the front dominates below the corner (1.1, 1.1).
fn dominated(points: &[[f64; 2]]) -> f64 {
    let mut points: Vec<[f64; 2]> = points
        .iter()
        .copied()
        .filter(|p| p[0] < 1.1 && p[1] < 1.1)
        .collect();
    points.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let (mut area, mut height) = (0.0, 1.1);
    for [x, y] in points {
        area += (1.1 - x) * (height - y).max(0.0);
        height = f64::min(height, y);
    }
    area
}

/// Two objectives in six parameters whose front is concave: no weighted sum finds its middle.
fn concave(x: &[f64]) -> [f64; 2] {
    let away = |sign: f64| {
        x.iter()
            .map(|x| (x - 0.5 - sign * 0.2).powi(2))
            .sum::<f64>()
    };
    [1.0, -1.0].map(|sign| 1.0 - (-4.0 * away(sign)).exp())
}

#[test]
fn the_front_of_a_trade_off_dominates_more_than_random_points_and_has_its_middle() {
    for seed in 0..2 {
        let settings = Settings {
            noisy: false,
            initial: 12,
            outputs: vec![Role::Traded],
            ..Settings::noisy(seed)
        };
        let mut search = Optimiser::new(cube(6), settings).expect("legal");
        for _ in 0..60 {
            let x = search.ask().x;
            let [value, output] = concave(&x);
            tell(&mut search, &x, value, &[output]);
        }
        let front = search.front();
        let front: Vec<[f64; 2]> = (front.iter())
            .map(|member| concave(&member.observation.x))
            .collect();
        let random = points::sobol(6, 0, 240, seed)
            .iter()
            .map(|x| concave(x))
            .collect::<Vec<_>>();
        let (ours, theirs) = (dominated(&front), dominated(&random));
        assert!(
            ours > 1.2 * theirs,
            "{ours} of {} for {theirs}",
            front.len()
        );
        assert!(front.len() >= 8, "{}", front.len());
        // No member betters another.
        for a in &front {
            assert!(!front.iter().any(|b| b[0] < a[0] && b[1] < a[1]), "{a:?}");
        }
        let middle = front.iter().filter(|p| p[0] > 0.3 && p[1] > 0.3).count();
        assert!(middle >= 2, "{front:?}");
    }
}

#[test]
fn a_search_with_outputs_that_is_rebuilt_asks_and_recommends_the_same() {
    for surrogate in ["matern", "auto"] {
        let run = |told: &mut Vec<Vec<f64>>, until: usize| -> [Vec<f64>; 2] {
            let mut search = search(surrogate, true, vec![Role::AtMost(0.0), Role::Traded], 3);
            for x in told.iter() {
                search.replay(x).expect("inside");
                let (value, outputs) = gramacy(x);
                tell(&mut search, x, value, &outputs);
            }
            while told.len() < until {
                let x = search.ask().x;
                let (value, outputs) = gramacy(&x);
                told.push(x.clone());
                tell(&mut search, &x, value, &outputs);
            }
            [search.recommend().expect("finished"), search.ask().x]
        };
        let mut told = Vec::new();
        for until in [5, 13, 22] {
            let straight = run(&mut told, until);
            assert_eq!(straight, run(&mut told, until), "{surrogate} at {until}");
        }
    }
}

#[test]
fn outputs_that_the_search_does_not_have_are_refused_and_nothing_changes() {
    let mut limited = search("matern", false, vec![Role::AtMost(1.0)], 1);
    let asked = limited.ask();
    let error = limited
        .tell(asked.id, 1.0)
        .expect_err("no output")
        .to_string();
    assert_eq!(error, "0 outputs are told; the search has 1");
    assert_eq!(limited.seen().count(), 0);
    tell(&mut limited, &asked.x, 1.0, &[f64::NAN]);
    let settings = Settings {
        outputs: vec![Role::Traded; 2],
        ..Settings::noisy(1)
    };
    let error = Optimiser::new(cube(2), settings).err().expect("twice");
    assert_eq!(
        error.to_string(),
        "2 outputs are traded with the value; at most 1 is"
    );
}
