//! What is measured beside the value: through the conversation a search with limits, and one with a trade-off,
//! asks the very points that the optimiser of tuning asks by itself.

use super::*;
use ::search::{Evaluated, Optimiser, Outcome, Role, Settings, Space};

/// A value and two outputs.
fn measured(x: &[f64]) -> (f64, [f64; 2]) {
    let wave = (std::f64::consts::TAU * (x[0] * x[0] - 2.0 * x[1])).sin();
    let outputs = [
        1.5 - x[0] - 2.0 * x[1] - 0.5 * wave,
        x[0] * x[0] + x[1] * x[1],
    ];
    (x[0] + x[1], outputs)
}

#[test]
fn limits_and_a_front_are_searched_as_in_tuning() {
    for (declared, role) in [
        ("\"most\":1.5", Role::AtMost(1.5)),
        ("\"traded\":true", Role::Traded),
    ] {
        let settings = Settings {
            outputs: vec![Role::AtMost(0.0), role],
            ..Settings::deterministic(7)
        };
        let mut alone = Optimiser::new(Space::cube(2).expect("legal"), settings).expect("legal");
        let mut session = Session::default();
        let mut say = |line: String| match session.answer(&Line::Text(line), &mut |_| {}) {
            Reply::Json(answer) => answer,
            _ => Value::Null,
        };
        let init = r#"{"type":"init","noise":false,"seed":7,"space":[{"name":"a","low":0,"high":1},{"name":"b","low":0,"high":1}],"outputs":[{"name":"c","most":0},{"name":"d",ROLE}]}"#;
        assert!(say(init.replace("ROLE", declared)).is_null());
        for number in 0..24 {
            let x = alone.ask().x;
            let served = say(json!({"type": "ask"}).to_string());
            assert_eq!(served, json!({ "x": x }), "question {number}, {declared}");
            let (y, outputs) = measured(&x);
            say(json!({"type": "tell", "x": x, "y": y, "outputs": outputs}).to_string());
            let id = alone.pending_near(&x).expect("inside");
            let told = Evaluated {
                id,
                outputs: &outputs,
                ..Evaluated::at(&x, Outcome::Value(y))
            };
            alone.tell_evaluated(told).expect("told");
        }
        let recommended = say(json!({"type": "recommend"}).to_string());
        assert_eq!(
            recommended["x"],
            json!(alone.recommended().expect("finished").x)
        );
        let front = say(json!({"type": "front"}).to_string());
        let of_front = front["front"].as_array().map_or(0, Vec::len);
        assert_eq!(of_front, alone.front().len());
    }
}
