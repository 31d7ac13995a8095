use super::*;

const INIT: &str = r#"{"type":"init","space":[{"name":"a","low":0,"high":1},{"name":"n","low":1,"high":9,"integer":true}],"initial":2,"seed":4,"noise":false,"direction":"max"}"#;

fn say(session: &mut Session, text: &str) -> String {
    match session.answer(&Line::Text(text.to_owned()), &mut |_| {}) {
        Reply::Nothing => String::new(),
        Reply::Json(value) => value.to_string(),
        Reply::Quit => "quit".to_owned(),
    }
}

#[test]
fn the_best_of_a_maximised_objective_is_recommended() {
    let mut session = Session::default();
    assert_eq!(say(&mut session, INIT), "");
    for (a, n, y) in [(0.1, 2, 1.0), (0.5, 4, 3.0), (0.9, 7, 2.0)] {
        let tell = format!(r#"{{"type":"tell","x":[{a},{n}],"y":{y}}}"#);
        assert_eq!(say(&mut session, &tell), "");
    }
    assert_eq!(
        say(&mut session, r#"{"type":"tell","x":[0.3,3],"y":NaN}"#),
        ""
    );
    assert_eq!(
        say(&mut session, r#"{"type":"recommend"}"#),
        r#"{"x":[0.5,4]}"#
    );
    assert!(say(&mut session, r#"{"type":"ask"}"#).starts_with(r#"{"x":["#));
    assert_eq!(say(&mut session, r#"{"type":"quit"}"#), "quit");
}

#[test]
fn complaints_change_nothing() {
    let answers = |hostile: bool| {
        let mut session = Session::default();
        let bad = [
            r#"{"type":"init","space":[{"name":"a","low":2,"high":1}]}"#,
            r#"{"type":"tell","x":[0.5],"y":1}"#,
            r#"{"type":"tell","x":[7e9,3],"y":1}"#,
            r#"{"type":"tell","x":[NaN,3],"y":1}"#,
            "null",
        ];
        let mut replies = Vec::new();
        let good = [
            INIT,
            r#"{"type":"tell","x":[0.5,3],"y":1}"#,
            r#"{"type":"tell","x":[0.2,8],"y":2}"#,
            r#"{"type":"ask"}"#,
            r#"{"type":"ask"}"#,
            r#"{"type":"recommend"}"#,
        ];
        for line in good {
            if hostile {
                for bad in bad {
                    assert!(say(&mut session, bad).starts_with(r#"{"error":""#), "{bad}");
                }
            }
            replies.push(say(&mut session, line));
        }
        replies
    };
    assert_eq!(answers(false), answers(true));
}

#[test]
fn the_order_of_messages_is_kept() {
    let mut session = Session::default();
    let before = r#"{"error":"`ask` before `init`"}"#;
    assert_eq!(say(&mut session, r#"{"type":"ask"}"#), before);
    say(&mut session, INIT);
    assert!(say(&mut session, INIT).contains("`init` was already said"));
    let nothing = say(&mut session, r#"{"type":"recommend"}"#);
    assert_eq!(
        nothing,
        r#"{"error":"nothing to recommend: 0 evaluations told, 0 of them crashed"}"#
    );
}

/// The space of a search that may be told covariates, and more of its `init`.
fn noisy(more: &str) -> String {
    let space = r#"[{"name":"a","low":0,"high":1},{"name":"b","low":0,"high":1}]"#;
    format!(r#"{{"type":"init","space":{space},"seed":4,"surrogate":"gp-level-set"{more}}}"#)
}

/// So many deviations from their mean were the covariates of the evaluations, one after the other; in
/// binary digits no operation rounds them.
const MET: [f64; 7] = [-1.5, 0.5, 1.0, -0.5, 0.0, 1.5, -1.0];

/// What is answered after thirty evaluations of a bowl, to whose values each added three halves of its
/// covariate's deviations, one of them lost; `told` says its covariates of an evaluation.
fn believed(init: &str, told: impl Fn(f64, bool) -> String) -> [String; 3] {
    let mut session = Session::default();
    assert_eq!(say(&mut session, init), "");
    for k in 0..30 {
        let (a, b) = ((0.37 * k as f64).fract(), (0.2 + 0.61 * k as f64).fract());
        let (met, lost) = (MET[k % MET.len()], k == 11);
        let y = 4.0 * ((a - 0.3).powi(2) + (b - 0.6).powi(2)) + 1.5 * met;
        let y = if lost { f64::NAN } else { y };
        let covariates = told(met, lost);
        let tell = format!(r#"{{"type":"tell","x":[{a},{b}],"y":{y}{covariates}}}"#);
        assert_eq!(say(&mut session, &tell), "");
    }
    ["recommend", "ask", "ask"].map(|what| say(&mut session, &format!(r#"{{"type":"{what}"}}"#)))
}

const WIND: &str = r#","covariates":[{"name":"wind_rms","mean":4,"deviation":1.5}]"#;

#[test]
fn covariates_are_learnt_from_in_the_units_that_init_declares() {
    let told = |value: f64| format!(r#","covariates":[{value}]"#);
    let in_units = believed(&noisy(WIND), |met, _| told(4.0 + 1.5 * met));
    let standard = WIND.replace("4", "0").replace("1.5", "1");
    assert_eq!(
        in_units,
        believed(&noisy(&standard), |met, _| told(met)),
        "the same in deviations"
    );
    assert!(in_units.iter().all(|said| said.starts_with(r#"{"x":["#)));
    let at_the_mean = believed(&noisy(WIND), |_, _| told(4.0));
    assert_ne!(in_units[0], at_the_mean[0], "it is told more");
    assert_ne!(in_units[0], believed(&noisy(""), |_, _| String::new())[0]);
}

#[test]
fn a_lost_evaluation_may_leave_its_covariates_out_and_counts_at_their_means() {
    let told = |out: bool| {
        believed(&noisy(WIND), |met, lost| match (lost, out) {
            (true, true) => String::new(),
            (true, false) => r#","covariates":[4.0]"#.to_owned(),
            _ => format!(r#","covariates":[{}]"#, 4.0 + 1.5 * met),
        })
    };
    assert_eq!(told(true), told(false));
    let elsewhere = believed(&noisy(WIND), |met, lost| {
        format!(
            r#","covariates":[{}]"#,
            if lost { 9.0 } else { 4.0 + 1.5 * met }
        )
    });
    assert_ne!(told(true), elsewhere, "what is said of it counts");
}

#[test]
fn covariates_other_than_init_declares_are_refused_and_change_nothing() {
    let refused = [
        ("", "`covariates`: expected 1, as `init` declares, given 0"),
        (
            r#","covariates":[]"#,
            "`covariates`: expected 1, as `init` declares, given 0",
        ),
        (
            r#","covariates":[5.2,1]"#,
            "`covariates`: expected 1, as `init` declares, given 2",
        ),
        (
            r#","covariates":5.2"#,
            "`covariates` is 5.2; it must be an array of numbers",
        ),
        (
            r#","covariates":[NaN]"#,
            "covariates[0] (`wind_rms`) is NaN, not a finite number",
        ),
        (
            r#","covariates":[-1497]"#,
            "covariates[0] (`wind_rms`) is -1497, more than 1000 deviations of 1.5 from its mean of 4",
        ),
    ];
    let answers = |hostile: bool| {
        let mut session = Session::default();
        say(&mut session, &noisy(WIND));
        for k in 0..14 {
            let x = format!("[{},{}]", 0.07 * k as f64, 1.0 - 0.05 * k as f64);
            for (covariates, why) in refused.iter().filter(|_| hostile) {
                let tell = format!(r#"{{"type":"tell","x":{x},"y":9{covariates}}}"#);
                let expected = format!(r#"{{"error":"{why}"}}"#);
                assert_eq!(say(&mut session, &tell), expected);
            }
            let y = (k as f64 - 6.0).powi(2);
            let met = 4.0 + MET[k % MET.len()];
            let tell = format!(r#"{{"type":"tell","x":{x},"y":{y},"covariates":[{met}]}}"#);
            assert_eq!(say(&mut session, &tell), "");
        }
        let lost = r#"{"type":"tell","x":[0.5,0.5],"crashed":true,"covariates":[1,2]}"#;
        if hostile {
            assert!(say(&mut session, lost).contains("expected 1, as `init` declares, given 2"));
        }
        ["ask", "recommend"].map(|what| say(&mut session, &format!(r#"{{"type":"{what}"}}"#)))
    };
    assert_eq!(answers(true), answers(false));
    let mut none = Session::default();
    say(&mut none, &noisy(""));
    assert_eq!(
        say(
            &mut none,
            r#"{"type":"tell","x":[0.5,0.5],"y":1,"covariates":[5.2]}"#
        ),
        r#"{"error":"`covariates`: expected 0, as `init` declares, given 1"}"#
    );
}

#[test]
fn an_init_whose_covariates_nothing_could_learn_is_refused() {
    let error = |init: &str| {
        let mut session = Session::default();
        let said = say(&mut session, init);
        // It may be said again as it should be.
        assert_eq!(say(&mut session, &noisy(WIND)), "");
        said
    };
    let able = "these do: gp-level-set, auto";
    assert_eq!(
        error(&noisy(WIND).replace("gp-level-set", "matern")),
        format!(r#"{{"error":"surrogate matern takes no covariates; {able}"}}"#)
    );
    assert_eq!(
        error(&noisy(&format!(r#"{WIND},"noise":false"#))),
        r#"{"error":"covariates belong to an objective with noise; 1 are given for one without"}"#
    );
    assert_eq!(
        error(&noisy(&format!(r#"{WIND},"target_domain":"gusty""#))),
        r#"{"error":"covariates and a `target_domain` are not learnt together; leave one of them out"}"#
    );
    let auto = noisy(WIND).replace("gp-level-set", "auto");
    assert_eq!(
        say(&mut Session::default(), &auto),
        "",
        "itself, not matern"
    );
}

fn answered(session: &mut Session, text: &str) -> Value {
    serde_json::from_str(&say(session, text)).expect("JSON")
}

#[test]
fn points_are_told_by_name_and_answered_in_their_own_kinds() {
    let mut session = Session::default();
    let space = r#"[{"name":"kernel","choices":["rbf","linear",3]},{"name":"layers","low":1,"high":9,"type":"int"},{"name":"rate","low":0,"high":1,"step":0.25},{"name":"seed","value":7}]"#;
    let init = format!(r#"{{"type":"init","space":{space},"noise":false,"initial":3,"seed":2}}"#);
    assert_eq!(say(&mut session, &init), "");
    for (kernel, layers, rate, y) in [
        ("\"rbf\"", 3, 0.25, 2),
        ("\"linear\"", 4, 0.5, 1),
        ("3", 4, 1.0, 3),
    ] {
        let x = format!(r#"{{"kernel":{kernel},"layers":{layers},"rate":{rate}}}"#);
        assert_eq!(
            say(
                &mut session,
                &format!(r#"{{"type":"tell","x":{x},"y":{y}}}"#)
            ),
            ""
        );
    }
    let best = r#"{"x":["linear",4,0.5,7.0]}"#;
    assert_eq!(say(&mut session, r#"{"type":"recommend"}"#), best);
    for _ in 0..12 {
        let asked = answered(&mut session, r#"{"type":"ask"}"#);
        let x = asked["x"].as_array().expect("a point");
        assert!(
            [json!("rbf"), json!("linear"), json!(3)].contains(&x[0]),
            "{x:?}"
        );
        assert!((1..=9).contains(&x[1].as_i64().expect("whole")));
        assert_eq!(x[2].as_f64().expect("a number") % 0.25, 0.0);
        let tell = json!({"type": "tell", "x": x, "y": x[1]});
        assert_eq!(say(&mut session, &tell.to_string()), "");
    }
    for (x, expected) in [
        (r#"{"kernel":"rbf","layers":3}"#, "`x` has no `rate`"),
        (
            r#"{"kernel":"rbf","layers":3,"rate":0,"ratte":1}"#,
            "`x` names `ratte`, which is no parameter; did you mean `rate`?",
        ),
        (
            r#"["cubic",3,0,7]"#,
            r#"`kernel` is "cubic", none of ["rbf","linear",3]"#,
        ),
        (
            r#"["rbf",3,0.3,7]"#,
            "x[2] (`rate`) is 0.3, which is no whole number of steps of 0.25 above 0",
        ),
        (
            r#"["rbf",2.5,0,7]"#,
            "x[1] (`layers`) is 2.5, not an integer",
        ),
        (r#"["rbf",3,0]"#, "x has 3 numbers; the space has 4"),
    ] {
        let refusal = answered(&mut session, &format!(r#"{{"type":"tell","x":{x},"y":1}}"#));
        assert_eq!(refusal["error"], expected, "{x}");
    }
    let history = answered(&mut session, r#"{"type":"history"}"#);
    assert_eq!(history["history"].as_array().map(Vec::len), Some(15));
    assert_eq!(
        history["history"][0],
        json!({"id": 0, "x": ["rbf", 3, 0.25, 7.0], "y": 2.0})
    );
}

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
fn another_study_is_refused_by_its_name() {
    let mut session = Session::with_leases(LeaseConfig {
        secret: [1; 32],
        lease_s: Some(10),
    });
    let init = |name: &str| {
        format!(r#"{{"type":"init"{name},"space":[{{"name":"a","low":0,"high":1}}]}}"#)
    };
    let ours = init(r#","name":"set A""#);
    assert_eq!(say(&mut session, &ours), r#"{"ready":true}"#);
    assert_eq!(say(&mut session, &ours), r#"{"ready":true}"#);
    for (name, theirs) in [
        (r#","name":"set B""#, "the study `set B`"),
        ("", "a study without a name"),
    ] {
        let refusal = answered(&mut session, &init(name));
        let expected = format!(
            "this server has the study `set A`, not {theirs}; start another server for another study"
        );
        assert_eq!(refusal["error"], expected);
    }
}

#[test]
fn an_evaluation_from_elsewhere_counts_once_and_a_second_answer_beside_the_budget() {
    let mut session = Session::with_leases(LeaseConfig {
        secret: [1; 32],
        lease_s: Some(10),
    });
    say(
        &mut session,
        r#"{"type":"init","space":[{"name":"a","low":0,"high":1}],"budget":3}"#,
    );
    for _ in 0..2 {
        let known = r#"{"type":"tell","x":[0.5],"y":1,"once":"trial 7"}"#;
        assert_eq!(answered(&mut session, known)["told"], true);
    }
    let mut at = |at_ms: u64, text: &str| {
        let line = Line::Text(text.to_owned());
        let request = Request {
            line: &line,
            at_ms,
            asked: None,
        };
        match session.handle(&request, &mut |_| {}).0 {
            Reply::Json(value) => value,
            other => panic!("{other:?}"),
        }
    };
    let first = at(0, r#"{"type":"ask"}"#);
    let second = at(10_001, r#"{"type":"ask"}"#);
    assert_eq!(first["id"], second["id"], "it ran out");
    let of = |lease: &Value, kind: &str, y: f64| {
        json!({"type": kind, "id": lease["id"], "key": lease["key"], "y": y}).to_string()
    };
    assert_eq!(at(10_002, &of(&first, "renew", 0.0))["renewed"], false);
    assert_eq!(at(10_003, &of(&second, "renew", 0.0))["renewed"], true);
    assert_eq!(
        at(10_004, &of(&second, "tell", 2.0)),
        json!({"id": 1, "told": true})
    );
    let late = json!({"id": 1, "told": true, "late": true});
    assert_eq!(at(10_005, &of(&first, "tell", 2.5)), late);
    assert_eq!(
        at(10_006, &of(&first, "tell", 2.5)),
        json!({"id": 1, "told": true})
    );
    let other = at(10_006, &of(&first, "tell", 9.0));
    assert_eq!(
        other["note"],
        "evaluation 1 keeps what it was told, 2: what differs is not taken"
    );
    let last = at(10_007, r#"{"type":"ask"}"#);
    assert_eq!(last["id"], 2, "one of three is left");
    at(10_008, &of(&last, "tell", 3.0));
    assert_eq!(at(10_009, r#"{"type":"ask"}"#), json!({"done": true}));
    let history = at(10_010, r#"{"type":"history"}"#);
    let values: Vec<&Value> = history["history"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|o| &o["y"])
        .collect();
    assert_eq!(values, [1.0, 2.0, 2.5, 3.0], "no value is lost");
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
fn what_is_withdrawn_is_no_data_and_what_is_noted_is_kept() {
    let asked = |withdrawn: bool| {
        let mut session = Session::default();
        let init = r#"{"type":"init","space":[{"name":"a","low":0,"high":1},{"name":"b","low":0,"high":1}],"noise":false,"seed":2,"initial":3}"#;
        say(&mut session, init);
        for k in 0..6 {
            if k == 2 && !withdrawn {
                continue;
            }
            let y = if k == 2 { -50 } else { k };
            say(
                &mut session,
                &format!(r#"{{"type":"tell","x":[0.{k},0.{}],"y":{y}}}"#, 9 - k),
            );
        }
        if withdrawn {
            let wrong = answered(&mut session, r#"{"type":"withdraw","id":9,"why":"?"}"#);
            assert_eq!(wrong["error"], "no evaluation 9 was told");
            // It is learnt from before.
            answered(&mut session, r#"{"type":"recommend"}"#);
            say(
                &mut session,
                r#"{"type":"note","id":2,"text":"prop \"3\""}"#,
            );
            let done = answered(
                &mut session,
                r#"{"type":"withdraw","id":2,"why":"cracked"}"#,
            );
            assert_eq!(done, json!({"id": 2, "withdrawn": true}));
            let history = answered(&mut session, r#"{"type":"history"}"#);
            assert_eq!(history["history"].as_array().map(Vec::len), Some(5));
            let gone = json!({"id": 2, "x": [0.2, 0.7], "y": -50.0, "note": "prop \"3\"", "withdrawn": "cracked"});
            assert_eq!(history["withdrawn"], json!([gone]));
        }
        let best = say(&mut session, r#"{"type":"recommend"}"#);
        assert_eq!(best, r#"{"x":[0.0,0.9]}"#);
        answered(&mut session, r#"{"type":"predict","x":[[0.2,0.7]]}"#)["mean"][0].as_f64()
    };
    let [with, without] = [true, false].map(|withdrawn| asked(withdrawn).expect("a number"));
    assert!((with - without).abs() < 1e-6, "{with} {without}");
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

#[test]
fn a_budget_ends_a_pipe_too_and_a_withdrawn_evaluation_gives_its_place_back() {
    let leased = Session::with_leases(LeaseConfig {
        secret: [1; 32],
        lease_s: Some(10),
    });
    for mut session in [Session::default(), leased] {
        let init =
            r#"{"type":"init","space":[{"name":"a","low":0,"high":1}],"noise":false,"budget":3}"#;
        say(&mut session, init);
        let evaluated = |session: &mut Session| {
            let asked = answered(session, r#"{"type":"ask"}"#);
            if asked["done"] == true {
                return false;
            }
            let mut tell = json!({"type": "tell", "x": asked["x"], "y": asked["x"][0]});
            if asked["id"].is_u64() {
                (tell["id"], tell["key"]) = (asked["id"].clone(), asked["key"].clone());
            }
            say(session, &tell.to_string());
            true
        };
        assert!((0..3).all(|_| evaluated(&mut session)));
        assert!(!evaluated(&mut session), "the budget is spent");
        answered(&mut session, r#"{"type":"withdraw","id":1,"why":"loose"}"#);
        assert_eq!(answered(&mut session, r#"{"type":"status"}"#)["told"], 2);
        assert!(evaluated(&mut session), "one is left");
        assert!(!evaluated(&mut session));
    }
}

#[test]
fn a_value_that_is_not_taken_is_noted() {
    let mut session = Session::with_leases(LeaseConfig {
        secret: [1; 32],
        lease_s: Some(10),
    });
    let space = r#"[{"name":"a","low":0,"high":1}]"#;
    say(
        &mut session,
        &format!(r#"{{"type":"init","space":{space},"noise":false}}"#),
    );
    let mut at = |at_ms: u64, message: Value| {
        let line = Line::Text(message.to_string());
        let request = Request {
            line: &line,
            at_ms,
            asked: None,
        };
        match session.handle(&request, &mut |_| {}).0 {
            Reply::Json(value) => value,
            other => panic!("{other:?}"),
        }
    };
    let ask = || json!({"type": "ask"});
    let first = at(0, ask());
    let second = at(10_001, ask());
    let of = |lease: &Value, y: f64| json!({"type": "tell", "id": lease["id"], "key": lease["key"], "y": y});
    assert_eq!(
        at(10_002, of(&second, 9.55)),
        json!({"id": 0, "told": true})
    );
    let note = "evaluation 0 keeps what it was told, 9.55: what differs is not taken";
    let late = json!({"id": 0, "told": true, "late": true, "note": note});
    assert_eq!(at(10_003, of(&first, 5.0)), late);
    let agreed = at(10_004, of(&first, 9.55));
    assert!(agreed["note"].is_null(), "{agreed}");

    let once = |y: f64| json!({"type": "tell", "x": [0.5], "y": y, "once": "trial 7"});
    assert!(at(10_005, once(2.0))["note"].is_null());
    assert_eq!(at(10_006, once(2.0)), json!({"told": true}));
    let note = "evaluation 1 keeps what it was told, 2: what differs is not taken";
    assert_eq!(at(10_007, once(3.0)), json!({"told": true, "note": note}));

    let third = at(10_008, ask());
    let mut misspelt = of(&third, 1.0);
    misspelt["ouputs"] = json!([3]);
    let note = "field `ouputs` is not known and was ignored";
    let answer = json!({"id": 2, "told": true, "note": note});
    assert_eq!(at(10_009, misspelt), answer);
}
