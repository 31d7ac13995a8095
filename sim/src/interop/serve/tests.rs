use super::*;
use std::io::{Error, ErrorKind};

const INIT: &str = r#"{"type":"init","airframe":"hummingbird"}"#;

/// What is answered to the lines, one after the other; the file `gone.toml` cannot be read.
fn answers(lines: &[&str]) -> Vec<Value> {
    let find = |word: &str, _: &[&str]| {
        let gone = || Err(Error::new(ErrorKind::NotFound, "it is gone"));
        (word == "gone.toml").then(gone)
    };
    let mut output = Vec::new();
    serve(lines.join("\n").as_bytes(), &mut output, &find).expect("memory does not fail");
    let output = String::from_utf8(output).expect("UTF-8");
    let answers = output.lines().map(serde_json::from_str);
    answers.collect::<Result<_, _>>().expect("JSON")
}

/// The message in the answer to `line`, after which the rig is where it was.
fn refused(line: &str) -> String {
    let reset = r#"{"type":"reset"}"#;
    let answers = answers(&[INIT, reset, line, reset]);
    assert_eq!(answers.len(), 4, "{line}");
    assert_eq!(answers[1], answers[3], "{line}");
    answers[2]["error"].as_str().expect("an error").to_owned()
}

/// The same for an `init` of the hummingbird with `fields`.
fn init_refused(fields: &str) -> String {
    refused(&format!(
        r#"{{"type":"init","airframe":"hummingbird",{fields}}}"#
    ))
}

#[test]
fn a_line_that_is_too_long_or_no_text() {
    let long = " ".repeat(shell::lines::LONGEST_LINE + 1);
    assert_eq!(refused(&long), "the line is longer than 1000000 bytes");
    let mut output = Vec::new();
    serve(&b"\xff\xfe\n"[..], &mut output, &no_files).expect("memory does not fail");
    assert_eq!(output, b"{\"error\":\"the line is not UTF-8 text\"}\n");
}

#[test]
fn a_line_that_is_no_request() {
    let cases = [
        ("{", "EOF while parsing an object at line 1 column 1"),
        ("[1,2]", "a request is a JSON object"),
        ("{}", "a request needs a type: init, step, reset or quit"),
        (
            r#"{"type":7}"#,
            "a request needs a type: init, step, reset or quit",
        ),
        (
            r#"{"type":"jump"}"#,
            "unknown type `jump`; known: init, step, reset, quit",
        ),
        (r#"{"type":"init"}"#, "init: missing field `airframe`"),
        (
            r#"{"type":"step","rotors_rad_s":[1,2,3]}"#,
            "rotors_rad_s holds 3 speeds, and the vehicle has 4 rotors",
        ),
        (
            r#"{"type":"reset","seed":-1}"#,
            "reset: invalid value: integer `-1`, expected u64",
        ),
        (
            r#"{"type":"quit","now":true}"#,
            "quit: unknown field `now`, there are no fields",
        ),
    ];
    for (line, message) in cases {
        assert_eq!(refused(line), message);
    }
}

#[test]
fn a_request_before_init() {
    for line in [r#"{"type":"reset"}"#, r#"{"type":"step"}"#] {
        let answers = answers(&[line]);
        assert_eq!(
            answers,
            [json!({"error": "the first request must be init"})]
        );
    }
}

#[test]
fn an_airframe_that_is_none() {
    let of = |airframe: &str| refused(&format!(r#"{{"type":"init","airframe":{airframe}}}"#));
    assert_eq!(of("4"), "airframe is a name, a path or an object");
    assert_eq!(of("{}"), "airframe: missing field `name`");
    assert_eq!(of(r#""gone.toml""#), "cannot read gone.toml: it is gone");
    assert!(of(r#""omak""#).contains("did you mean `omac`"));
}

#[test]
fn a_wind_that_is_none() {
    let cases = [
        ("4", "wind is a name, a path, three numbers or an object"),
        (
            "[1,2]",
            "wind: invalid length 2, expected an array of length 3",
        ),
        (
            "[0,-1e7,0]",
            "wind holds -10000000; at most 1e6 is simulated",
        ),
        (r#""gone.toml""#, "cannot read gone.toml: it is gone"),
    ];
    for (wind, message) in cases {
        assert_eq!(init_refused(&format!(r#""wind":{wind}"#)), message);
    }
    let unknown = init_refused(r#""wind":"breezy""#);
    assert!(
        unknown.starts_with("unknown wind domain `breezy`"),
        "{unknown}"
    );
}

#[test]
fn a_clock_that_cannot_be_kept() {
    let cases = [
        (r#""dt_s":0"#, "dt_s is 0; it must be 1e-4 to 1 s"),
        (r#""dt_s":1.5"#, "dt_s is 1.5; it must be 1e-4 to 1 s"),
        (
            r#""dt_s":0.0015,"sensors":{"delay_periods":1}"#,
            "a delay is counted in ms: dt_s must be a whole number of them",
        ),
        (
            r#""sensors":{"position_m":-1}"#,
            "sensors.position_m is -1; it must be between 0 and 1e6",
        ),
    ];
    for (fields, message) in cases {
        assert_eq!(init_refused(fields), message);
    }
}

#[test]
fn a_start_that_is_none() {
    let cases = [
        (
            r#""trajectory":"fig8","start":{}"#,
            "give a trajectory or a start, not both",
        ),
        (
            r#""start":{"attitude_wxyz":[0,0,0,0]}"#,
            "attitude_wxyz is no rotation",
        ),
        (
            r#""start":{"rotors_rad_s":[0,0,0,-1]}"#,
            "rotors_rad_s holds -1; the range is 0 to 1500",
        ),
        (
            r#""start":{"rates_rad_s":[0,2e6,0]}"#,
            "rates_rad_s holds 2000000; at most 1e6 is simulated",
        ),
    ];
    for (fields, message) in cases {
        assert_eq!(init_refused(fields), message);
    }
    let unknown = init_refused(r#""trajectory":"fig9""#);
    assert!(
        unknown.starts_with("unknown trajectory `fig9`: did you mean `fig8`?"),
        "{unknown}"
    );
}

#[test]
fn a_command_that_is_none() {
    let cases = [
        (
            r#"{"type":"step","thrust_n":1}"#,
            "a step needs rotors_rad_s, or thrust_n and moment_n_m",
        ),
        (
            r#"{"type":"step","thrust_n":-1e9,"moment_n_m":[0,0,0]}"#,
            "thrust_n holds -1000000000; at most 1e6 is simulated",
        ),
    ];
    for (line, message) in cases {
        assert_eq!(refused(line), message);
    }
}

#[test]
fn a_step_that_would_overflow() {
    let init = r#"{"type":"init","airframe":"crazyflie","dt_s":1,"start":{"rates_rad_s":[1e6,-1e6,1e6],"velocity_m_s":[1e6,0,0]}}"#;
    let step = r#"{"type":"step","rotors_rad_s":[2500,0,0,0]}"#;
    let answers = answers(&[&[init][..], &[step; 50]].concat());
    let message = json!({"error": "the state would overflow; nothing has changed"});
    assert!(answers.contains(&message));
}
