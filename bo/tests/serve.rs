//! `bo serve --jsonl` as another program meets it.

use serde_json::Value;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

const INIT: &str = r#"{"type":"init","space":[{"name":"kp","low":0.02,"high":2.0,"log":true},{"name":"n","low":1,"high":9,"integer":true},{"name":"mass","value":1.5}],"seed":3,"noise":false,"budget":30,"direction":"min"}"#;

struct Served {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Served {
    fn start() -> Served {
        Served::on(0)
    }

    /// On so many threads; 0 for one a core.
    fn on(threads: usize) -> Served {
        let mut child = Command::new(env!("CARGO_BIN_EXE_bo"))
            .args(["serve", "--jsonl"])
            .env("RAYON_NUM_THREADS", threads.to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        let input = child.stdin.take().expect("piped");
        let output = BufReader::new(child.stdout.take().expect("piped"));
        Served {
            child,
            input,
            output,
        }
    }

    fn say(&mut self, line: &str) {
        self.input.write_all(line.as_bytes()).expect("it reads");
        self.input.write_all(b"\n").expect("it reads");
    }

    fn hear(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("it answers");
        serde_json::from_str(&line).expect("JSON")
    }

    fn ask(&mut self, line: &str) -> Value {
        self.say(line);
        self.hear()
    }

    fn tell(&mut self, x: &[f64], y: f64) {
        let y = if y.is_nan() {
            "NaN".to_owned()
        } else {
            y.to_string()
        };
        self.say(&format!(r#"{{"type":"tell","x":{x:?},"y":{y}}}"#));
    }

    fn point(&mut self, kind: &str) -> Vec<f64> {
        let reply = self.ask(&format!(r#"{{"type":"{kind}"}}"#));
        let x = reply["x"].as_array().expect("a point");
        x.iter().map(|x| x.as_f64().expect("a number")).collect()
    }

    /// The exit code after the input ends; also that nothing more was said.
    fn end(self) -> Option<i32> {
        let Served {
            mut child,
            input,
            mut output,
        } = self;
        drop(input);
        let mut rest = String::new();
        output.read_line(&mut rest).expect("readable");
        assert_eq!(rest, "");
        child.wait().expect("it ends").code()
    }
}

fn value(x: &[f64]) -> f64 {
    (x[0].ln() + 1.0).powi(2) + 0.1 * (x[1] - 6.0).powi(2) + x[2]
}

#[test]
fn a_loop_in_another_program_finds_the_minimum() {
    let mut served = Served::start();
    served.say(INIT);
    for number in 0..30 {
        let x = served.point("ask");
        assert_eq!((x.len(), x[1].fract(), x[2]), (3, 0.0, 1.5));
        served.tell(&x, if number == 4 { f64::NAN } else { value(&x) });
    }
    let best = served.point("recommend");
    assert!(
        (best[0].ln() + 1.0).abs() < 0.05 && best[1] == 6.0,
        "{best:?}"
    );
    served.say(r#"{"type":"quit"}"#);
    assert_eq!(served.end(), Some(0));
}

#[test]
fn hostile_lines_get_one_error_each_and_change_nothing() {
    let mut served = Served::start();
    let long = format!(r#"{{"type":"tell","x":[{}"#, "1,".repeat(600_000));
    let deep = "[".repeat(100_000);
    let hostile = [
        "",
        "hello",
        "{",
        "[]",
        "null",
        "{}",
        r#"{"type":7}"#,
        r#"{"type":"shutdown"}"#,
        r#"{"type":"tell","x":[0.5,3,1.5]}"#,
        r#"{"type":"tell","y":1}"#,
        r#"{"type":"tell","x":[0.5],"y":1}"#,
        r#"{"type":"tell","x":[-5,3,1.5],"y":1}"#,
        r#"{"type":"tell","x":[NaN,3,1.5],"y":1}"#,
        r#"{"type":"tell","x":[0.5,Infinity,1.5],"y":1}"#,
        r#"{"type":"tell","x":[0.5,3.5,1.5],"y":1}"#,
        r#"{"type":"tell","x":[0.5,3,1.5],"y":1e999}"#,
        r#"{"type":"tell","x":[0.5,3,1.5],"y":"low"}"#,
        r#"{"type":"tell","x":[0.5,3,1.5],"y":null}"#,
        r#"{"type":"tell","x":[0.5,3,1.5],"y":1,"crashed":"no"}"#,
        "\u{0}\u{1}",
        &long,
        &deep,
        r#"{"type":"init","space":[],"seed":1}"#,
        r#"{"type":"init","space":[{"name":"a","low":0,"high":1}],"surrogate":"oracle"}"#,
        r#"{"type":"init","space":[{"name":"a","low":0,"high":1}],"surrogate":"mlp","acquisition":"ei"}"#,
        r#"{"type":"init","space":[{"name":"a","low":-1,"high":1,"log":true}]}"#,
    ];
    for line in [r#"{"type":"ask"}"#, r#"{"type":"recommend"}"#]
        .iter()
        .chain(&hostile)
    {
        assert!(served.ask(line)["error"].is_string(), "{line:.60}");
    }
    served.say(INIT);
    assert!(served.ask(INIT)["error"].is_string());
    let mut quiet = Served::start();
    quiet.say(INIT);
    for _ in 0..14 {
        for line in hostile {
            assert!(served.ask(line)["error"].is_string(), "{line:.60}");
        }
        let (x, same) = (served.point("ask"), quiet.point("ask"));
        assert_eq!(x, same);
        served.tell(&x, value(&x));
        quiet.tell(&x, value(&x));
    }
    served.input.write_all(b"\xff\xfe\n").expect("it reads");
    assert!(served.hear()["error"].is_string());
    assert_eq!((served.end(), quiet.end()), (Some(0), Some(0)));
}

#[test]
fn questions_without_answers_get_different_points() {
    let mut served = Served::start();
    served.say(INIT);
    for _ in 0..11 {
        let x = served.point("ask");
        served.tell(&x, value(&x));
    }
    let points: Vec<Vec<f64>> = (0..4).map(|_| served.point("ask")).collect();
    for (index, x) in points.iter().enumerate() {
        assert!(!points[..index].contains(x), "{points:?}");
    }
    assert_eq!(served.end(), Some(0));
}

#[test]
fn a_reader_that_goes_away_ends_it_quietly() {
    let mut served = Served::start();
    served.say(INIT);
    served.point("ask");
    drop(served.output);
    // The first answer after that finds the pipe closed; later questions may find no reader.
    for _ in 0..50 {
        if served.input.write_all(b"{\"type\":\"ask\"}\n").is_err() {
            break;
        }
    }
    drop(served.input);
    assert_eq!(served.child.wait().expect("it ends").code(), Some(0));
}

#[test]
fn the_form_must_be_named() {
    let output = Command::new(env!("CARGO_BIN_EXE_bo"))
        .arg("serve")
        .output()
        .expect("starts");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(String::from_utf8_lossy(&output.stderr).lines().count(), 1);
}

#[test]
fn answers_are_the_same_on_one_thread_and_on_many() {
    let points = |threads| -> Vec<Vec<f64>> {
        let mut served = Served::on(threads);
        served.say(&INIT.replace("false", "true"));
        let told = (0..24).map(|_| {
            let x = served.point("ask");
            served.tell(&x, value(&x));
            x
        });
        let mut points: Vec<Vec<f64>> = told.collect();
        points.push(served.point("recommend"));
        assert_eq!(served.end(), Some(0));
        points
    };
    let alone = points(1);
    assert_eq!(alone, points(3));
}
