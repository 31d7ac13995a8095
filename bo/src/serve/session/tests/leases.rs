//! Leases, the budget, and values that come twice or late or are withdrawn.

use super::*;

/// With leases of 10 s.
fn leased() -> Session {
    Session::with_leases(LeaseConfig {
        secret: [1; 32],
        lease_s: Some(10),
    })
}

/// The answer to `text` at that time.
fn answer_at(session: &mut Session, at_ms: u64, text: &str) -> Value {
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
}

#[test]
fn an_evaluation_from_elsewhere_counts_once_and_a_second_answer_beside_the_budget() {
    let mut session = leased();
    say(
        &mut session,
        r#"{"type":"init","space":[{"name":"a","low":0,"high":1}],"budget":3}"#,
    );
    for _ in 0..2 {
        let known = r#"{"type":"tell","x":[0.5],"y":1,"once":"trial 7"}"#;
        assert_eq!(answered(&mut session, known)["told"], true);
    }
    let mut at = |at_ms: u64, text: &str| answer_at(&mut session, at_ms, text);
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
fn a_budget_ends_a_pipe_too_and_a_withdrawn_evaluation_gives_its_place_back() {
    for mut session in [Session::default(), leased()] {
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
    let mut session = leased();
    let space = r#"[{"name":"a","low":0,"high":1}]"#;
    say(
        &mut session,
        &format!(r#"{{"type":"init","space":{space},"noise":false}}"#),
    );
    let mut at = |at_ms: u64, message: Value| answer_at(&mut session, at_ms, &message.to_string());
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
