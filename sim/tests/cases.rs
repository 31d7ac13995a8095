//! Reference cases recorded with another simulator (RotorPy 3.0.0, integrated to 1e-11), where
//! they are at hand.

use sim::replay::case::Case;
use sim::replay::{replay_flight, replay_mixer, replay_wrenches};

/// The text of a shared case, or nothing (with a message) in a clone that has none.
fn shared(name: &str) -> Option<Case> {
    let path = format!(
        "{}/../../shared/cases/{name}.json",
        env!("CARGO_MANIFEST_DIR")
    );
    match std::fs::read_to_string(&path) {
        Ok(text) => Some(Case::from_json(&text).expect("a shared case is legal")),
        Err(_) => {
            eprintln!("skipped: the reference case {name} is not at hand");
            None
        }
    }
}

/// Gates: ten times what an independent RK4 at 1 ms reaches, with floors where that is 0.
fn check_flight(name: &str, position: f64, attitude: f64, rates: f64, rotors: f64) {
    let Some(Case::Flight(case)) = shared(name) else {
        return;
    };
    let (errors, states) = replay_flight(&case, 1e-3).expect("short");
    assert_eq!(states.position.len() as u64, case.n_intervals + 1);
    assert!(errors.position <= position, "{errors:?}");
    assert!(errors.attitude_rad <= attitude, "{errors:?}");
    assert!(errors.body_rates <= rates, "{errors:?}");
    assert!(errors.rotor_speeds <= rotors, "{errors:?}");
}

#[test]
fn a_collective_step_with_rotor_drag() {
    check_flight("01_cf_collective_step", 1.5e-10, 1e-12, 1e-12, 4.1e-7);
}

#[test]
fn free_fall_with_quadratic_drag() {
    check_flight("04_hb_freefall_quadratic_drag", 1.8e-12, 1e-12, 1e-12, 1e-6);
}

#[test]
fn a_torque_free_tumble_with_a_full_inertia_tensor() {
    check_flight("05_torque_free_tumbling", 4.8e-10, 4.5e-10, 1.1e-10, 1e-6);
}

#[test]
fn forces_moments_and_derivatives_of_eighty_random_states() {
    let Some(Case::Wrenches(table)) = shared("09_static_wrench_table") else {
        return;
    };
    assert_eq!(table.rows.len(), 80);
    let error = replay_wrenches(&table).expect("finite").max_relative_error;
    assert!(error <= 1e-12, "{error:e}");
}

const MIXER: &str = r#"{"schema": "quad-mixer-table/1", "name": "made here", "parameters": {"a": {
    "mass": 0.5, "gravity": 9.81, "inertia": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    "rotor_positions": [[0.2, 0.1, 0], [0.2, -0.1, 0], [-0.2, -0.1, 0], [-0.2, 0.1, 0]],
    "rotor_yaw_torque_sign": [1, -1, 1, -1], "k_eta": 2.0, "k_m": 0.1, "tau_m": 0.01,
    "rotor_speed_min": 0, "rotor_speed_max": 100, "controller": "ignored"}},
    "rows": [{"vehicle": "a", "thrust_moment": [THRUST, 0.4, -0.8, 0.2], "rotor_thrusts": [5, 1, 1, 1]}]}"#;

#[test]
fn numbers_of_a_table_that_overflow_are_no_error_of_zero() {
    let Ok(Case::Mixer(table)) = Case::from_json(&MIXER.replace("THRUST", "1e308")) else {
        panic!("legal");
    };
    let message = replay_mixer(&table).expect_err("overflows").to_string();
    assert_eq!(message, "row 0 (from 0) gives numbers that are not finite");
    let row = r#"{"vehicle": "a", "velocity": [1e300, 0, 0], "quaternion_xyzw": [0, 0, 0, 1],
        "body_rates": [1e300, 1e300, 0], "wind": [0, 0, 0], "rotor_speeds": [0, 0, 0, 0],
        "motor_speed_command": [0, 0, 0, 0], "force_body": [0, 0, 0], "moment_body": [0, 0, 0],
        "velocity_dot": [0, 0, -9.81], "quaternion_dot_xyzw": [0, 0, 0, 0],
        "body_rates_dot": [0, 0, 0], "rotor_speed_dot": [0, 0, 0, 0]}"#;
    let (head, _) = MIXER.split_once("\"rows\"").expect("a table");
    let text = head.replace("quad-mixer-table", "quad-wrench-table");
    let text = text.replace("\"k_eta\"", "\"k_d\": 1.0, \"k_eta\"");
    let Ok(Case::Wrenches(table)) = Case::from_json(&format!("{text}\"rows\": [{row}]}}")) else {
        panic!("legal");
    };
    let message = replay_wrenches(&table).expect_err("overflows").to_string();
    assert_eq!(message, "row 0 (from 0) gives numbers that are not finite");
}

#[test]
fn a_mixer_table_is_allocated_exactly_and_without_clipping() {
    // Worked by hand: thrusts (f1..f4) with sum 8, Σ y f = 0.1 (f1 − f2 − f3 + f4) = 0.4,
    // −Σ x f = 0.2 (−f1 − f2 + f3 + f4) = −0.8, 0.05 (f1 − f2 + f3 − f4) = 0.2: (5, 1, 1, 1).
    let text = MIXER.replace("THRUST", "8");
    let Ok(Case::Mixer(table)) = Case::from_json(&text) else {
        panic!("legal");
    };
    let error = replay_mixer(&table).expect("mixable").max_relative_error;
    assert!(error < 1e-14, "{error:e}");
    let Ok(Case::Mixer(table)) = Case::from_json(&MIXER.replace("THRUST", "9")) else {
        panic!("legal");
    };
    let error = replay_mixer(&table).expect("mixable").max_relative_error;
    assert!(error > 0.05, "another thrust must be seen: {error:e}");
}

/// A case of two intervals, made here.
fn small(change: &str, to: &str) -> String {
    r#"{"schema": "quad-case/1", "name": "small", "parameters": {
    "mass": 0.5, "gravity": 9.81, "inertia": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    "rotor_positions": [[0.2, 0.1, 0], [0.2, -0.1, 0], [-0.2, -0.1, 0], [-0.2, 0.1, 0]],
    "rotor_yaw_torque_sign": [1, -1, 1, -1], "k_eta": 2.0, "k_m": 0.1, "tau_m": 0.01,
    "rotor_speed_min": 0, "rotor_speed_max": 100},
    "aero_enabled": false, "initial_state": {"position": [0, 0, 0], "velocity": [0, 0, 0],
    "quaternion_xyzw": [0, 0, 0, 1], "body_rates": [0, 0, 0], "rotor_speeds": [0, 0, 0, 0]},
    "command_interval_s": 0.01, "n_intervals": 2, "inputs": {
    "motor_speed_commands": [[200, 0, -5, 0], [200, 0, -5, 0]], "wind_world": [[0, 0, 0], [0, 0, 0]]},
    "states": {"position": [[0, 0, 0], [0, 0, 0], [0, 0, 0]], "velocity": [[0, 0, 0], [0, 0, 0], [0, 0, 0]],
    "quaternion_xyzw": [[0, 0, 0, 1], [0, 0, 0, 1], [0, 0, 0, 1]],
    "body_rates": [[0, 0, 0], [0, 0, 0], [0, 0, 0]],
    "rotor_speeds": [[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]}}"#
        .replace(change, to)
}

#[test]
fn commands_are_clipped_before_the_lag() {
    let Ok(Case::Flight(case)) = Case::from_json(&small("", "")) else {
        panic!("legal");
    };
    let (_, states) = replay_flight(&case, 1e-3).expect("short");
    let expected = 100.0 * (1.0 - (-2.0f64).exp());
    let [first, _, third, _] = states.rotor_speeds[2];
    assert!(
        (first - expected).abs() < 1e-10,
        "{first} against {expected}"
    );
    assert_eq!(third, 0.0);
}

#[test]
fn a_faulty_case_is_refused_with_the_place() {
    let message = |change: &str, to: &str| {
        Case::from_json(&small(change, to))
            .expect_err("faulty")
            .to_string()
    };
    assert_eq!(
        message("quad-case/1", "quad-case/9"),
        "unknown schema `quad-case/9`; known: quad-case/1, quad-wrench-table/1, quad-mixer-table/1"
    );
    assert_eq!(
        message("\"n_intervals\": 2", "\"n_intervals\": 1000000000"),
        "inputs.motor_speed_commands has 2 entries; n_intervals calls for 1000000000"
    );
    assert_eq!(
        message("\"mass\": 0.5", "\"mass\": -0.5"),
        "mass_kg is -0.5; it must be positive"
    );
    let missing = message("\"states\"", "\"stats\"");
    assert!(
        missing.starts_with("the case cannot be read: missing field `states`"),
        "{missing}"
    );
    assert!(missing.contains("line"), "{missing}");
    let quaternion = message(
        "\"quaternion_xyzw\": [0, 0, 0, 1], \"body",
        "\"quaternion_xyzw\": [0, 0, 0, 2], \"body",
    );
    assert_eq!(
        quaternion,
        "length of initial_state.quaternion_xyzw is 2; it must be 1 within 1e-3"
    );
    let lost = Case::from_json(
        &MIXER
            .replace("THRUST", "8")
            .replace("\"vehicle\": \"a\"", "\"vehicle\": \"b\""),
    );
    assert_eq!(
        lost.expect_err("faulty").to_string(),
        "row 0 (from 0) names the vehicle `b`, which `parameters` lacks"
    );
}

#[test]
fn a_case_that_would_take_for_ever_is_refused() {
    let Ok(Case::Flight(case)) = Case::from_json(&small("", "")) else {
        panic!("legal");
    };
    let error = replay_flight(&case, 1e-12)
        .expect_err("too long")
        .to_string();
    assert_eq!(
        error,
        "the case takes 20000000000 integration steps; the limit is 200000000"
    );
}
