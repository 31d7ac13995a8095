//! `sim serve --jsonl` as a controller meets it.

use assert_cmd::cargo::cargo_bin;
use nalgebra::Vector3;
use serde_json::{Value, json};
use sim::{Airframe, Domain, Dryden, Integrator, Mixer, Multirotor, State, Wind, Wrench};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A simulation of the program's own.
struct Session {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Session {
    fn start() -> Session {
        let mut child = Command::new(cargo_bin("sim"))
            .args(["serve", "--jsonl"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let output = BufReader::new(child.stdout.take().expect("piped"));
        Session {
            input: child.stdin.take(),
            child,
            output,
        }
    }

    fn send(&mut self, line: &[u8]) {
        let input = self.input.as_mut().expect("open");
        input.write_all(line).expect("the program reads");
        input.flush().expect("the program reads");
    }

    fn receive(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("a reply");
        serde_json::from_str(&line).expect("a JSON object")
    }

    fn ask(&mut self, request: &Value) -> Value {
        self.send(format!("{request}\n").as_bytes());
        self.receive()
    }

    fn error(&mut self, line: &str) -> String {
        self.send(format!("{line}\n").as_bytes());
        let reply = self.receive();
        let object = reply.as_object().expect("an object");
        assert_eq!(object.len(), 1, "{line} was answered by {reply}");
        object["error"].as_str().expect("an error").to_owned()
    }

    fn end(mut self) -> Option<i32> {
        drop(self.input.take());
        self.child.wait().expect("ends").code()
    }
}

fn vector(state: &Value, field: &str) -> Vec<f64> {
    let numbers = state[field].as_array().expect(field).iter();
    numbers.map(|x| x.as_f64().expect("a number")).collect()
}

fn hover() -> [f64; 4] {
    [Airframe::by_name("hummingbird")
        .expect("shipped")
        .hover_speed_rad_s(); 4]
}

#[test]
fn the_rig_is_the_plant_in_the_wind_that_flights_meet() {
    let airframe = Airframe::by_name("hummingbird").expect("shipped");
    let mut session = Session::start();
    let init = json!({"type": "init", "airframe": "hummingbird", "dt_s": 0.005,
        "trajectory": "fig8", "wind": "gusty", "seed": 9});
    let first = session.ask(&init);
    assert_eq!(first["airframe"]["mass_kg"], 0.5);

    let multirotor = Multirotor::new(&airframe);
    let mut integrator = Integrator::new(&multirotor, 1e-3);
    let mut wind = Dryden::new(&Domain::gusty(), 9);
    let mixer = Mixer::new(&airframe.rotors).expect("can be mixed");
    let reference = trajectories::by_name("fig8").expect("known").at(0.0);
    let mut state = State {
        position_m: reference.position_m,
        velocity_m_s: reference.velocity_m_s,
        attitude: Default::default(),
        rates_rad_s: Vector3::zeros(),
        rotors_rad_s: hover().into(),
    };
    assert_eq!(
        vector(&first, "velocity_m_s"),
        state.velocity_m_s.as_slice()
    );
    for k in 0..200 {
        let wrench = Wrench {
            thrust_n: 4.9 + 0.1 * f64::from(k % 7),
            moment_n_m: Vector3::new(0.01, -0.02, 0.001) * f64::from(k % 3 - 1),
        };
        let (speeds, _) = mixer.speeds(&wrench);
        // Both forms of a command, in turn.
        let told = if k % 2 == 0 {
            let moment: [f64; 3] = wrench.moment_n_m.into();
            json!({"type": "step", "thrust_n": wrench.thrust_n, "moment_n_m": moment})
        } else {
            json!({"type": "step", "rotors_rad_s": speeds})
        };
        let reply = session.ask(&told);
        for _ in 0..5 {
            integrator.step(&mut state, &speeds, &wind.step());
        }
        assert_eq!(
            vector(&reply, "position_m"),
            state.position_m.as_slice(),
            "step {k}"
        );
        assert_eq!(vector(&reply, "rates_rad_s"), state.rates_rad_s.as_slice());
        assert_eq!(vector(&reply, "rotors_rad_s"), state.rotors_rad_s[..]);
        assert_eq!(vector(&reply, "command_rad_s"), speeds[..]);
        let time_s = reply["t_s"].as_f64().expect("a time");
        assert!((time_s - 0.005 * f64::from(k + 1)).abs() < 1e-12);
    }
    // The same seed after a reset is the same flight; another is not.
    let again = session.ask(&json!({"type": "reset"}));
    assert_eq!(again["wind_m_s"], first["wind_m_s"]);
    assert_eq!(again["position_m"], first["position_m"]);
    let other = session.ask(&json!({"type": "reset", "seed": 10}));
    assert_ne!(other["wind_m_s"], first["wind_m_s"]);
    session.send(b"{\"type\":\"quit\"}\n");
    assert_eq!(session.child.wait().expect("ends").code(), Some(0));
}

#[test]
fn sensors_are_noisy_late_and_drawn_anew_at_every_step() {
    let mut session = Session::start();
    let first = session.ask(
        &json!({"type": "init", "airframe": "hummingbird", "dt_s": 0.01,
        "start": {"velocity_m_s": [2.0, 0.0, 0.0]},
        "sensors": {"position_m": 0.0, "velocity_m_s": 0.1, "delay_periods": 20}}),
    );
    assert_eq!(first["measured"]["position_m"], json!([0.0, 0.0, 0.0]));
    let mut noise = Vec::new();
    let mut positions = vec![0.0];
    for _ in 0..200 {
        let reply = session.ask(&json!({"type": "step", "rotors_rad_s": hover()}));
        positions.push(vector(&reply, "position_m")[0]);
        // 20 ms are two steps.
        let seen = vector(&reply["measured"], "position_m")[0];
        assert_eq!(seen, positions[positions.len().saturating_sub(3)]);
        noise.push(vector(&reply["measured"], "velocity_m_s")[1]);
    }
    let variance = noise.iter().map(|x| x * x).sum::<f64>() / 200.0;
    // The standard error of 200 samples' variance is 10 %.
    assert!((variance / 0.01 - 1.0).abs() < 0.4, "{variance}");
    assert_eq!(session.end(), Some(0));
}

#[test]
fn an_inline_airframe_and_a_file_are_the_shipped_one() {
    let folder = temp_dir::TempDir::new().expect("temporary folder");
    let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("airframes/hummingbird.toml");
    let path = folder.path().join("mine.toml");
    std::fs::copy(shipped, &path).expect("copied");
    let inline = serde_json::to_value(Airframe::by_name("hummingbird").expect("shipped"));
    let mut session = Session::start();
    let mut ends = Vec::new();
    for airframe in [json!("hummingbird"), json!(path), inline.expect("JSON")] {
        let wind = json!({"name": "mine", "mean_m_s": [1, 0, 0], "sigma_m_s": [1, 1, 1],
            "length_m": [10, 10, 10], "reference_speed_m_s": 5});
        session.ask(&json!({"type": "init", "airframe": airframe, "wind": wind}));
        ends.push(session.ask(&json!({"type": "step", "rotors_rad_s": hover()})));
    }
    assert_eq!(ends[0], ends[1]);
    assert_eq!(ends[0], ends[2]);
    assert_eq!(session.end(), Some(0));
}

#[test]
fn a_bad_line_is_answered_by_one_error_and_changes_nothing() {
    let mut session = Session::start();
    let step = format!("{}", json!({"type": "step", "rotors_rad_s": hover()}));
    assert_eq!(session.error(&step), "the first request must be init");
    session.ask(&json!({"type": "init", "airframe": "hummingbird", "wind": "gusty"}));
    let cases = [
        ("", "EOF while parsing"),
        ("step", "expected value"),
        ("[1,2]", "a request is a JSON object"),
        ("{}", "a request needs a type"),
        (r#"{"type":7}"#, "a request needs a type"),
        (
            r#"{"type":"jump"}"#,
            "unknown type `jump`; known: init, step, reset, quit",
        ),
        (
            r#"{"type":"step"}"#,
            "a step needs rotors_rad_s, or thrust_n and moment_n_m",
        ),
        (
            r#"{"type":"step","rotors_rad_s":[1,2,3]}"#,
            "holds 3 speeds, and the vehicle has 4 rotors",
        ),
        (
            r#"{"type":"step","rotors_rad_s":[1,2,3,"4"]}"#,
            "step: invalid type: string",
        ),
        (
            r#"{"type":"step","rotors_rad_s":[1,2,3,1e300]}"#,
            "rotors_rad_s holds",
        ),
        (
            r#"{"type":"step","thrust_n":1e999,"moment_n_m":[0,0,0]}"#,
            "number out of range",
        ),
        (
            r#"{"type":"step","thrust_n":NaN,"moment_n_m":[0,0,0]}"#,
            "expected value",
        ),
        (r#"{"type":"step","thrust_n":1}"#, "a step needs"),
        (
            r#"{"type":"step","rotors_rad_s":[1,2,3,4],"thrust_n":1}"#,
            "a step needs",
        ),
        (
            r#"{"type":"step","speeds":[1,2,3,4]}"#,
            "step: unknown field `speeds`",
        ),
        (
            r#"{"type":"reset","seed":-1}"#,
            "reset: invalid value: integer `-1`",
        ),
        (r#"{"type":"init"}"#, "init: missing field `airframe`"),
        (
            r#"{"type":"init","airframe":"omak"}"#,
            "did you mean `omac`",
        ),
        (
            r#"{"type":"init","airframe":"none.toml"}"#,
            "cannot read none.toml",
        ),
        (
            r#"{"type":"init","airframe":{"name":"x"}}"#,
            "airframe: missing field",
        ),
        (
            r#"{"type":"init","airframe":4}"#,
            "airframe is a name, a path or an object",
        ),
        (
            r#"{"type":"init","airframe":"omac","dt_s":0}"#,
            "dt_s is 0; it must be 1e-4 to 1 s",
        ),
        (
            r#"{"type":"init","airframe":"omac","dt_s":1e9}"#,
            "dt_s is 1000000000",
        ),
        (
            r#"{"type":"init","airframe":"omac","wind":"breezy"}"#,
            "unknown wind domain",
        ),
        (
            r#"{"type":"init","airframe":"omac","wind":[1,2]}"#,
            "wind: invalid length 2",
        ),
        (
            r#"{"type":"init","airframe":"omac","trajectory":"fig9"}"#,
            "did you mean `fig8`",
        ),
        (
            r#"{"type":"init","airframe":"omac","trajectory":"fig8","start":{}}"#,
            "give a trajectory or a start, not both",
        ),
        (
            r#"{"type":"init","airframe":"omac","start":{"attitude_wxyz":[0,0,0,0]}}"#,
            "attitude_wxyz is no rotation",
        ),
        (
            r#"{"type":"init","airframe":"omac","start":{"rotors_rad_s":[0,0,0,-1]}}"#,
            "rotors_rad_s holds -1; the range is 0 to 1000",
        ),
        (
            r#"{"type":"init","airframe":"omac","sensors":{"position_m":-1}}"#,
            "sensors.position_m is -1",
        ),
        (
            r#"{"type":"init","airframe":"omac","sensors":{"rates_rad_s":1e308}}"#,
            "sensors.rates_rad_s is 1000",
        ),
        (
            r#"{"type":"init","airframe":"omac","wind":{"name":"a b","mean_m_s":[0,0,0],"sigma_m_s":[1,1,1],"length_m":[1,1,1],"reference_speed_m_s":1}}"#,
            "the name `a b` of the wind domain cannot be used",
        ),
        (
            r#"{"type":"init","airframe":"omac","dt_s":0.0015,"sensors":{"delay_periods":1}}"#,
            "dt_s must be a whole number of them",
        ),
    ];
    for (line, part) in cases {
        let message = session.error(line);
        assert!(message.contains(part), "{line}: {message}");
        assert!(!message.contains('\n'));
    }
    session.send(b"\xff\xfe\n");
    assert!(session.receive()["error"].is_string());
    // Nothing has moved: the next step is the first of the same flight.
    let next = session.ask(&serde_json::from_str(&step).expect("JSON"));
    let mut fresh = Session::start();
    fresh.ask(&json!({"type": "init", "airframe": "hummingbird", "wind": "gusty"}));
    assert_eq!(next, fresh.ask(&serde_json::from_str(&step).expect("JSON")));
    assert_eq!((session.end(), fresh.end()), (Some(0), Some(0)));
}

#[test]
fn a_line_above_a_megabyte_is_refused_and_the_next_one_answered() {
    let mut session = Session::start();
    session.ask(&json!({"type": "init", "airframe": "omac"}));
    let mut long = vec![b' '; shell::lines::LONGEST_LINE + 1];
    long.push(b'\n');
    session.send(&long);
    let message = session.receive()["error"]
        .as_str()
        .expect("an error")
        .to_owned();
    assert_eq!(message, "the line is longer than 1000000 bytes");
    assert_eq!(session.ask(&json!({"type": "reset"}))["t_s"], 0.0);
    assert_eq!(session.end(), Some(0));
}

#[test]
fn an_overflow_is_refused_before_it_happens() {
    let mut session = Session::start();
    session.ask(
        &json!({"type": "init", "airframe": "crazyflie", "dt_s": 1.0,
        "start": {"rates_rad_s": [1e6, -1e6, 1e6], "velocity_m_s": [1e6, 0, 0]}}),
    );
    let step = json!({"type": "step", "rotors_rad_s": [2500, 0, 0, 0]});
    let mut refused = false;
    for _ in 0..50 {
        let reply = session.ask(&step);
        refused |= reply["error"] == "the state would overflow; nothing has changed";
        if reply["error"].is_null() {
            let finite = vector(&reply, "position_m").iter().all(|x| x.is_finite());
            assert!(finite && vector(&reply, "attitude_wxyz").len() == 4);
        }
    }
    assert!(refused, "such a spin cannot be integrated at 1 ms");
    assert_eq!(session.end(), Some(0));
}

#[test]
fn a_controller_from_a_public_package_flies_our_plant_as_it_flies_its_own() {
    let Some(python) = crate::others::python("rotorpy", "rotorpy.txt") else {
        return;
    };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/others/figure8.py");
    for (airframe, form, wind) in [
        ("hummingbird", "rotors", ["0", "0", "0"]),
        ("hummingbird", "wrench", ["3", "0", "1"]),
        ("crazyflie", "rotors", ["0", "0", "0"]),
    ] {
        let output = Command::new(&python)
            .arg(&script)
            .arg(cargo_bin("sim"))
            .args([airframe, form])
            .args(wind)
            .output()
            .expect("python starts");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{said}");
        let flown: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let number = |name: &str| flown[name].as_f64().expect("a number");
        println!("{airframe} {form} {wind:?}: {flown}");
        let ratio = number("rmse_windhover_m") / number("rmse_rotorpy_m");
        assert!((ratio - 1.0).abs() < 0.05, "{flown}");
        assert!(number("greatest_distance_m") < 0.01, "{flown}");
        assert!(number("extent_m") > 1.5, "it flew a figure-8: {flown}");
        assert_eq!(flown["exit_code"], 0);
    }
}
