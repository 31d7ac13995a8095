//! What is asked, predicted and recommended.

use super::*;

#[test]
fn what_was_met_outside_the_box_is_learnt_and_neither_asked_nor_recommended() {
    let init = r#"{"type":"init","space":[{"name":"x","low":0,"high":5},{"name":"y","low":0,"high":5}],"noise":false,"seed":1,"initial":1}"#;
    let asked = |outside: bool| {
        let mut session = Session::default();
        say(&mut session, init);
        let all = [
            [8.0, 2.0],
            [6.0, 2.0],
            [5.5, 1.0],
            [7.0, 4.0],
            [4.0, 2.0],
            [1.0, 3.0],
            [2.0, 1.0],
        ];
        for [x, y] in all {
            if outside || x <= 5.0 {
                let value = (x - 8.0f64).powi(2) + (y - 2.0f64).powi(2);
                let tell = format!(r#"{{"type":"tell","x":[{x},{y}],"y":{value}}}"#);
                assert_eq!(say(&mut session, &tell), "");
            }
        }
        let best = r#"{"x":[4.0,2.0]}"#;
        assert_eq!(say(&mut session, r#"{"type":"recommend"}"#), best);
        let x = answered(&mut session, r#"{"type":"ask"}"#);
        [0, 1].map(|k| x["x"][k].as_f64().expect("a number"))
    };
    let [x, y] = asked(true);
    assert!(
        x > 4.9 && (y - 2.0).abs() < 0.3,
        "on the edge towards what was met: {x} {y}"
    );
    assert_ne!(asked(false), [x, y], "it was learnt from");
}

#[test]
fn what_is_asked_keeps_linear_constraints_and_finds_the_optimum_on_their_edge() {
    for seed in 0..3 {
        let mut session = Session::default();
        let space = r#"[{"name":"x1","low":0,"high":1},{"name":"x2","low":0,"high":1}]"#;
        let init = format!(
            r#"{{"type":"init","space":{space},"noise":false,"seed":{seed},"constraints":[{{"sum":{{"x1":1,"x2":1}},"most":1}},{{"sum":{{"x1":1,"x2":-1}},"most":0}}]}}"#
        );
        assert_eq!(say(&mut session, &init), "");
        for _ in 0..40 {
            let asked = answered(&mut session, r#"{"type":"ask"}"#);
            let [a, b] = [0, 1].map(|k| asked["x"][k].as_f64().expect("a number"));
            assert!(a + b <= 1.0 && a <= b, "{a} {b}");
            let y = (a - 0.6).powi(2) + (b - 0.7).powi(2);
            say(
                &mut session,
                &json!({"type": "tell", "x": asked["x"], "y": y}).to_string(),
            );
        }
        // The nearest to (0.6, 0.7) of x1 + x2 <= 1.
        let best = answered(&mut session, r#"{"type":"recommend"}"#);
        let [a, b] = [0, 1].map(|k| best["x"][k].as_f64().expect("a number"));
        assert!((a - 0.45).abs() < 0.01 && (b - 0.55).abs() < 0.01, "{best}");
    }
    let mut session = Session::default();
    let none = r#"{"type":"init","space":[{"name":"a","low":0,"high":1}],"constraints":[{"sum":{"a":1},"most":-1}]}"#;
    let refusal = answered(&mut session, none);
    assert!(
        refusal["error"]
            .as_str()
            .is_some_and(|said| said.starts_with("no point between the bounds"))
    );
}

#[test]
fn what_is_predicted_is_the_posterior_of_the_process() {
    use dilgp::Model;
    let mut session = Session::default();
    let init = r#"{"type":"init","space":[{"name":"a","low":0,"high":2},{"name":"b","low":0,"high":1}],"noise":false,"seed":4,"transform":"linear","direction":"max","initial":4}"#;
    say(&mut session, init);
    let points: Vec<[f64; 2]> = (0..9)
        .map(|k| [(f64::from(k) * 0.61) % 2.0, (f64::from(k) * 0.37) % 1.0])
        .collect();
    let value = |[a, b]: &[f64; 2]| (2.0 * a).sin() + b * b;
    for point in &points {
        let tell = json!({"type": "tell", "x": point, "y": value(point)});
        say(&mut session, &tell.to_string());
    }
    let predicted = answered(
        &mut session,
        r#"{"type":"predict","x":[[0.3,0.4],[1.7,0.9]]}"#,
    );
    let values: Vec<f64> = points.iter().map(|p| -value(p)).collect();
    // The same values, standardised twice as the search does, at the hyper-parameters of the same fit.
    let mean = values.iter().sum::<f64>() / 9.0;
    let sd = (values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / 9.0).sqrt();
    let x = nalgebra::DMatrix::from_fn(9, 2, |i, j| points[i][j] / [2.0, 1.0][j]);
    let y = nalgebra::DVector::from_fn(9, |i, _| (values[i] - mean) / sd);
    let data = dilgp::Dataset::new(x, y).expect("finite");
    let search = session.search.as_mut().expect("begun");
    let process = ::search::surrogates::growing("matern", false).expect("one");
    let eta: Vec<f64> = search.optimiser.hyperparameters().expect("fitted");
    let fitted = process.condition(&data, &eta).expect("positive definite");
    let at = nalgebra::DMatrix::from_row_slice(2, 2, &[0.15, 0.4, 0.85, 0.9]);
    let expected = fitted.predict(&at);
    let std = expected.std.expect("a process has one");
    for k in 0..2 {
        let said = |what: &str| predicted[what][k].as_f64().expect("a number");
        assert!((said("mean") + (mean + sd * expected.mean[k])).abs() < 1e-9);
        assert!((said("std") - sd * std[k]).abs() < 1e-9);
    }
    let importance = answered(&mut session, r#"{"type":"importance"}"#);
    let of = |name: &str| importance["importance"][name].as_f64().expect("a number");
    assert!(of("a") > of("b") && of("b") > 0.0, "{importance}");
}

#[test]
fn a_space_without_another_point_and_values_without_a_difference_are_noted() {
    let mut session = Session::default();
    say(
        &mut session,
        r#"{"type":"init","space":[{"name":"n","low":1,"high":3,"type":"int"}],"noise":false}"#,
    );
    for n in 1..=3 {
        let tell = format!(r#"{{"type":"tell","x":[{n}],"y":{n}}}"#);
        say(&mut session, &tell);
    }
    let asked = answered(&mut session, r#"{"type":"ask"}"#);
    assert_eq!(asked["note"], "all 3 points of the space were told");
    let mut session = Session::default();
    say(
        &mut session,
        r#"{"type":"init","space":[{"name":"a","low":0,"high":1}]}"#,
    );
    for k in 0..5 {
        assert!(answered(&mut session, r#"{"type":"ask"}"#)["note"].is_null());
        say(
            &mut session,
            &format!(r#"{{"type":"tell","x":[0.{k}],"y":4}}"#),
        );
    }
    let asked = answered(&mut session, r#"{"type":"ask"}"#);
    assert_eq!(
        asked["note"],
        "all 5 values told are equal: they say nothing"
    );
}

#[test]
fn with_one_value_among_losses_the_next_point_goes_near_it_whatever_the_surrogate() {
    for surrogate in ["matern", "rf", "gp", "mlp"] {
        let mut session = Session::default();
        say(
            &mut session,
            &format!(
                r#"{{"type":"init","space":[{{"name":"a","low":0,"high":1}},{{"name":"b","low":0,"high":1}}],"noise":false,"seed":5,"surrogate":"{surrogate}"}}"#
            ),
        );
        for k in 0..20 {
            let (a, b) = ((f64::from(k) * 0.618) % 1.0, f64::from(k) / 20.0);
            say(
                &mut session,
                &format!(r#"{{"type":"tell","x":[{a},{b}],"crashed":true}}"#),
            );
        }
        say(&mut session, r#"{"type":"tell","x":[0.93,0.91],"y":1}"#);
        let asked = answered(&mut session, r#"{"type":"ask"}"#);
        let [a, b] = [0, 1].map(|k| asked["x"][k].as_f64().expect("a number"));
        assert!(
            (a - 0.93).abs() < 0.15 && (b - 0.91).abs() < 0.15,
            "{surrogate}: {a} {b}"
        );
    }
}

#[test]
fn a_value_without_what_a_limit_is_on_keeps_no_limit() {
    for noise in [true, false] {
        let mut session = Session::default();
        let init = r#"{"type":"init","space":[{"name":"kp","low":0.1,"high":30,"log":true}],"outputs":[{"name":"over","most":0.05},{"name":"effort","traded":true}]"#;
        say(&mut session, &format!("{init},\"noise\":{noise}}}"));
        say(
            &mut session,
            r#"{"type":"tell","x":[5],"y":2,"outputs":[0.01,2]}"#,
        );
        say(
            &mut session,
            r#"{"type":"tell","x":[7],"y":1,"outputs":[NaN,1]}"#,
        );
        let front = answered(&mut session, r#"{"type":"front"}"#);
        assert_eq!(front["front"].as_array().map(Vec::len), Some(1), "{front}");
        let measured = match front["front"][0]["told"].is_object() {
            true => &front["front"][0]["told"]["y"],
            false => &front["front"][0]["y"],
        };
        assert_eq!(*measured, 2.0);
        let best = answered(&mut session, r#"{"type":"recommend"}"#);
        assert!(
            (best["x"][0].as_f64().expect("a number") - 5.0).abs() < 0.1,
            "{best}"
        );
    }
}

/// A noise whose standard deviation is nearly 1.
fn shaken(random: &mut impl rand::Rng) -> f64 {
    use rand::RngExt;
    (0..12).map(|_| random.random_range(-0.5..0.5)).sum()
}

#[test]
fn in_noise_the_front_is_that_of_the_posterior_means() {
    use rand::SeedableRng;
    let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(1);
    let mut session = Session::default();
    let space = r#"[{"name":"a","low":0,"high":1},{"name":"b","low":-1,"high":1}]"#;
    let outputs = r#"[{"name":"e","traded":true},{"name":"lim","most":0.8}]"#;
    say(
        &mut session,
        &format!(r#"{{"type":"init","seed":2,"space":{space},"outputs":{outputs}}}"#),
    );
    let mut lucky = f64::INFINITY;
    for k in 0..40 {
        let (a, b) = (
            (0.618 * f64::from(k)) % 1.0,
            2.0 * ((0.755 * f64::from(k)) % 1.0) - 1.0,
        );
        let y = 1.0 + (a - 0.2).powi(2) + b * b + 0.3 * shaken(&mut random);
        let e = 2.0 + (a - 0.8).powi(2) + b * b + 0.3 * shaken(&mut random);
        lucky = lucky.min(y);
        say(
            &mut session,
            &json!({"type": "tell", "x": [a, b], "y": y, "outputs": [e, a]}).to_string(),
        );
    }
    assert!(lucky < 0.7, "{lucky}");
    let answer = answered(&mut session, r#"{"type":"front"}"#);
    let front = answer["front"].as_array().expect("a list");
    let number = |value: &Value| value.as_f64().expect("a number");
    let pairs: Vec<[f64; 2]> = (front.iter())
        .map(|one| [number(&one["y"]), number(&one["outputs"][0])])
        .collect();
    assert!(!pairs.is_empty());
    for ([y, e], one) in pairs.iter().zip(front) {
        assert!(*y > 0.8 && *e > 1.8, "{one}");
        assert!(!pairs.iter().any(|other| other[0] < *y && other[1] < *e));
        for std in [&one["std"], &one["outputs_std"][0]] {
            assert!((0.001..0.3).contains(&number(std)), "{one}");
        }
        assert!(number(&one["told"]["outputs"][1]) < 0.9, "{one}");
    }
    // `predict` says the same of the same point.
    let predict = json!({"type": "predict", "x": [front[0]["x"]]}).to_string();
    let predicted = answered(&mut session, &predict);
    assert!((number(&predicted["median"][0]) - pairs[0][0]).abs() < 1e-9);
}
