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
        r#"{"x":[0.5,4.0]}"#
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
            r#"{"type":"tell","x":[7,3],"y":1}"#,
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
