mod covariates;
mod leases;
mod optimiser;

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
