use super::*;
use proptest::prelude::*;

fn of(line: &str) -> Result<Message, String> {
    read(line, &mut |_| {}).map_err(|fault| fault.0)
}

proptest! {
    #[test]
    fn no_line_panics(line in ".*") {
        let _ = of(&line);
    }

    #[test]
    fn no_tell_panics(x in ".{0,12}", y in ".{0,12}") {
        let _ = of(&format!("{{\"type\":\"tell\",\"x\":{x},\"y\":{y}}}"));
    }
}

#[test]
fn numbers_without_a_word_in_json_are_crashes() {
    for y in ["NaN", "Infinity", "-Infinity"] {
        let Ok(Message::Tell(tell)) = of(&format!(r#"{{"type":"tell","x":[1],"y":{y}}}"#)) else {
            panic!("{y}");
        };
        assert_eq!((tell.x, tell.y), (Some(serde_json::json!([1])), None));
    }
    let quoted = of(r#"{"type":"tell","x":[1],"y":"NaN"}"#);
    assert_eq!(quoted, Err("`y` is \"NaN\"; it must be a number".into()));
    let name = of(r#"{"type":"tell","x":[1],"y":2,"domain":"a \" NaN Infinity"}"#);
    let Ok(Message::Tell(tell)) = name else {
        panic!("{name:?}")
    };
    assert_eq!(tell.domain.as_deref(), Some("a \" NaN Infinity"));
}

#[test]
fn each_fault_has_its_line() {
    let line = |text: &str| of(text).expect_err("faulty");
    assert!(line("").starts_with("not JSON: EOF"));
    assert!(line("{").starts_with("not JSON"));
    assert_eq!(line("[1]"), "a message is a JSON object, not an array");
    assert_eq!(line("{}"), "`type` is missing");
    assert_eq!(line(r#"{"type":3}"#), "`type` is 3; it must be a string");
    assert_eq!(
        line(r#"{"type":"aks"}"#),
        "unknown type `aks`; known: init, tell, ask, renew, note, withdraw, predict, importance, history, recommend, front, status, study, quit"
    );
    assert_eq!(line(r#"{"type":"tell","x":[1]}"#), "`y` is missing");
    assert_eq!(
        line(r#"{"type":"tell","x":"one","y":1}"#),
        "`x` is \"one\"; it must be an array of numbers, or an object of numbers by name"
    );
    assert_eq!(line(r#"{"type":"init"}"#), "`space` is missing");
    assert_eq!(
        line(r#"{"type":"init","space":[]}"#),
        "the space has no parameter to tune"
    );
    assert_eq!(
        line(r#"{"type":"init","space":[{"name":"a","low":1}]}"#),
        "`high` of `a` is missing: a parameter is a number from `low` to `high`, one of `choices`, or fixed at `value`"
    );
    assert_eq!(
        line(r#"{"type":"init","space":[{"name":"a","low":1,"high":1}]}"#),
        "`a` runs from 1 to 1; low must be below high"
    );
    assert_eq!(
        line(r#"{"type":"init","space":[{"name":"a","low":0,"high":NaN}]}"#),
        "a bound of `a` is NaN, not a finite number"
    );
    assert_eq!(
        line(r#"{"type":"init","space":[{"name":"a","low":0,"high":1}],"budget":-3}"#),
        "`budget` is -3; it must be a whole number, not negative"
    );
    assert_eq!(
        line(r#"{"type":"init","space":[{"name":"a","low":0,"high":1}],"direction":"up"}"#),
        "`direction` is \"up\"; it must be \"min\" or \"max\""
    );
}

#[test]
fn a_field_that_is_not_known_is_named() {
    let mut remarks = Vec::new();
    let line = r#"{"type":"tell","x":[1],"y":1,"why":2}"#;
    read(line, &mut |remark| remarks.push(remark)).expect("legal");
    assert_eq!(remarks, ["field `why` is not known and was ignored"]);
    let remarked = |acquisition: &str| {
        let line = format!(
            r#"{{"type":"init","space":[{{"name":"a","low":0,"high":1}}],"kappa":1{acquisition}}}"#
        );
        let mut remarks = Vec::new();
        read(&line, &mut |remark| remarks.push(remark)).expect("legal");
        remarks
    };
    assert_eq!(
        remarked(""),
        ["`kappa` belongs to the acquisition ucb, which was not named: ignored"]
    );
    assert!(remarked(r#","acquisition":"ucb""#).is_empty());
}

#[test]
fn covariates_that_cannot_be_are_refused_with_what_may_be() {
    let line = |covariates: &str| {
        let space = r#""space":[{"name":"a","low":0,"high":1}]"#;
        let init = format!(r#"{{"type":"init",{space},"covariates":{covariates}}}"#);
        of(&init).expect_err("faulty")
    };
    let wind = r#"{"name":"wind","mean":4,"deviation":1.5}"#;
    for (covariates, expected) in [
        ("3", "`covariates` is 3; it must be an array of objects"),
        ("[3]", "`covariates` is [3]; it must be an array of objects"),
        (r#"[{"mean":4,"deviation":1}]"#, "`name` is missing"),
        (
            r#"[{"name":"","mean":4,"deviation":1}]"#,
            "`name` is \"\"; it must be the name of a covariate, not empty",
        ),
        (
            r#"[{"name":"wind","deviation":1}]"#,
            "`mean` of covariate `wind` is missing; it must be a finite number",
        ),
        (
            r#"[{"name":"wind","mean":NaN,"deviation":1}]"#,
            "`mean` of covariate `wind` is NaN; it must be a finite number",
        ),
        (
            r#"[{"name":"wind","mean":4,"deviation":0}]"#,
            "`deviation` of covariate `wind` is 0; it must be finite and above 0",
        ),
        (
            r#"[{"name":"wind","mean":4,"deviation":Infinity}]"#,
            "`deviation` of covariate `wind` is inf; it must be finite and above 0",
        ),
        (&format!("[{wind},{wind}]"), "covariate `wind` stands twice"),
        (
            &format!("[{}]", vec![wind; 65].join(",")),
            "65 covariates are declared; the limit is 64",
        ),
    ] {
        assert_eq!(line(covariates), expected);
    }
}

#[test]
fn outputs_that_cannot_be_are_refused_with_what_may_be() {
    let line = |outputs: &str| {
        let space = r#""space":[{"name":"a","low":0,"high":1}]"#;
        let init = format!(r#"{{"type":"init",{space},"outputs":{outputs}}}"#);
        of(&init).expect_err("faulty")
    };
    let either = "must have either `most`, a finite number, or `traded`: true";
    for (outputs, expected) in [
        (
            "3",
            "`outputs` is 3; it must be an array of objects".to_owned(),
        ),
        (r#"[{"most":1}]"#, "`name` is missing".to_owned()),
        (r#"[{"name":"g"}]"#, format!("output `g` {either}")),
        (
            r#"[{"name":"g","most":1,"traded":true}]"#,
            format!("output `g` {either}"),
        ),
        (
            r#"[{"name":"g","most":NaN}]"#,
            format!("output `g` {either}"),
        ),
        (
            r#"[{"name":"g","most":1,"least":0}]"#,
            "field `least` of output `g` is not known".to_owned(),
        ),
        (
            r#"[{"name":"g","most":1},{"name":"g","most":2}]"#,
            "output `g` stands twice".to_owned(),
        ),
    ] {
        assert_eq!(line(outputs), expected);
    }
    let many: Vec<String> = (0..17)
        .map(|k| format!(r#"{{"name":"g{k}","most":1}}"#))
        .collect();
    let many = format!("[{}]", many.join(","));
    assert_eq!(line(&many), "17 outputs are declared; the limit is 16");
}

#[test]
fn what_other_tools_say_of_a_parameter_is_understood_or_refused_with_the_nearest_name() {
    let ranges = |parameter: &str| {
        let space = format!(r#"{{"type":"init","space":[{{"name":"a",{parameter}}}]}}"#);
        let Ok(Message::Init(init)) = of(&space) else {
            return Err(of(&space).expect_err("faulty"));
        };
        Ok(init.points.space().parameters()[0].range())
    };
    use search::{Range, Span};
    let (unit, nine) = (Span::linear(0.0, 1.0), Span::linear(1.0, 9.0));
    for (parameter, range) in [
        (r#""low":0,"high":1,"type":"float""#, Range::Real(unit)),
        (r#""low":1,"high":9,"type":"int""#, Range::Integer(nine)),
        (
            r#""low":1,"high":9,"type":"int","step":1"#,
            Range::Integer(nine),
        ),
        (
            r#""low":1,"high":9,"integer":true,"step":2"#,
            Range::Stepped(nine, 2.0),
        ),
        (r#""low":0,"high":1,"step":0.1"#, Range::Stepped(unit, 0.1)),
        (
            r#""low":1,"high":9,"scale":"log""#,
            Range::Real(Span::log(1.0, 9.0)),
        ),
        (r#""choices":["a",1,true,null]"#, Range::Choice(4)),
        (
            r#""type":"categorical","choices":["a","b"]"#,
            Range::Choice(2),
        ),
    ] {
        assert_eq!(ranges(parameter), Ok(range), "{parameter}");
    }
    for (parameter, expected) in [
        (
            r#""low":0,"high":1,"stpe":1"#,
            "field `stpe` of parameter `a` is not known; did you mean `step`?",
        ),
        (
            r#""low":0,"hihg":1"#,
            "field `hihg` of parameter `a` is not known; did you mean `high`?",
        ),
        (
            r#""type":"categorical","low":0,"high":1"#,
            "`choices` of `a` is missing: it is of type categorical",
        ),
        (
            r#""type":"int","choices":[1,2]"#,
            "`a` is said to be of type int, and to be choice by its fields",
        ),
        (
            r#""low":0,"high":1,"log":false,"scale":"log""#,
            "`scale` and `log` of `a` differ",
        ),
        (
            r#""low":0,"high":1,"step":0.3"#,
            "`a` runs from 0 to 1 by 0.3: whole steps of a linear scale must lead from low to high",
        ),
        (
            r#""low":0,"high":1,"integer":true,"step":0.5"#,
            "`a` is an integer; its bounds and its step must be whole",
        ),
        (r#""choices":["x"]"#, "`a` has fewer than 2 choices"),
        (
            r#""choices":["x","x"]"#,
            "`choices` is [\"x\",\"x\"]; it must be different strings, numbers, truth values or null",
        ),
    ] {
        assert_eq!(ranges(parameter), Err(expected.to_owned()), "{parameter}");
    }
    let init = r#"{"type":"init","space":[{"name":"a","low":0,"high":1}],"bugdet":3}"#;
    let expected = "field `bugdet` of init is not known; did you mean `budget`?";
    assert_eq!(of(init), Err(expected.to_owned()));
}

#[test]
fn linear_constraints_that_cannot_be_are_refused() {
    let line = |constraints: &str| {
        let space =
            r#"[{"name":"x1","low":0,"high":1},{"name":"n","low":1,"high":3,"integer":true}]"#;
        of(&format!(
            r#"{{"type":"init","space":{space},"constraints":{constraints}}}"#
        ))
        .expect_err("faulty")
    };
    for (constraints, expected) in [
        (
            r#"[3]"#,
            "`constraints` is 3; it must be an array of objects",
        ),
        (r#"[{"most":1}]"#, "`sum` is missing"),
        (r#"[{"sum":{"x1":1}}]"#, "`most` is missing"),
        (
            r#"[{"sum":{"x2":1},"most":1}]"#,
            "`sum` names `x2`, which is no parameter; did you mean `x1`?",
        ),
        (
            r#"[{"sum":{"n":1},"most":1}]"#,
            "`sum` names `n`; linear constraints are for parameters that are real",
        ),
        (
            r#"[{"sum":{"x1":0},"most":1}]"#,
            "a constraint needs a finite `most` and a coefficient that is not 0",
        ),
        (
            r#"[{"sum":{"x1":1},"most":1,"least":0}]"#,
            "field `least` of a constraint is not known; did you mean `most`?",
        ),
    ] {
        assert_eq!(line(constraints), expected, "{constraints}");
    }
}
