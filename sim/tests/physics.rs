//! The rigid body and its integrator against closed forms.

use nalgebra::{UnitQuaternion, Vector3};
use sim::Airframe;
use sim::GRAVITY_M_S2;
use sim::Quadrotor;
use sim::State;

fn omac_with_inertia(inertia: [[f64; 3]; 3]) -> Quadrotor {
    let mut airframe = Airframe::omac();
    airframe.inertia_kg_m2 = inertia;
    Quadrotor::new(&airframe)
}

/// The vehicle without the side force, so that the closed forms hold exactly.
fn without_side_force() -> (Quadrotor, Airframe) {
    let mut airframe = Airframe::omac();
    airframe.side_force = None;
    (Quadrotor::new(&airframe), airframe)
}

fn at_rest(rotors_rad_s: f64) -> State {
    State {
        position_m: Vector3::zeros(),
        velocity_m_s: Vector3::zeros(),
        attitude: UnitQuaternion::identity(),
        rates_rad_s: Vector3::zeros(),
        rotors_rad_s: [rotors_rad_s; 4],
    }
}

#[test]
fn at_hover_speed_in_still_air_nothing_moves() {
    let airframe = Airframe::omac();
    let quadrotor = Quadrotor::new(&airframe);
    let hover = airframe.hover_speed_rad_s();
    let mut state = at_rest(hover);
    for _ in 0..10_000 {
        quadrotor.step(&mut state, &[hover; 4], &Vector3::zeros(), 1e-3);
    }
    assert!(state.position_m.norm() < 1e-12, "{}", state.position_m);
    assert_eq!(state.attitude, UnitQuaternion::identity());
    // 4 · 7.3938e-5 · n² = 2.4 · 9.81 gives n = 282.148 rad/s.
    assert!((hover - 282.148).abs() < 1e-3, "{hover}");
}

#[test]
fn with_stopped_rotors_it_falls_as_every_body_falls() {
    let quadrotor = Quadrotor::new(&Airframe::omac());
    let mut state = at_rest(0.0);
    state.velocity_m_s = Vector3::new(1.0, -2.0, 3.0);
    for _ in 0..2_000 {
        quadrotor.step(&mut state, &[0.0; 4], &Vector3::new(9.0, 9.0, 9.0), 1e-3);
    }
    let expected = Vector3::new(2.0, -4.0, 6.0 - 0.5 * GRAVITY_M_S2 * 4.0);
    assert!(
        (state.position_m - expected).norm() < 1e-11,
        "{}",
        state.position_m
    );
}

#[test]
fn a_torque_free_tumble_keeps_its_angular_momentum_and_energy() {
    let inertia = [[2e-3, 1e-4, 0.0], [1e-4, 3e-3, -2e-4], [0.0, -2e-4, 4e-3]];
    let quadrotor = omac_with_inertia(inertia);
    let j = nalgebra::Matrix3::from_fn(|r, c| inertia[r][c]);
    let mut state = at_rest(0.0);
    // Close to the unstable middle axis, so that the body turns over again and again.
    state.rates_rad_s = Vector3::new(0.05, 8.0, 0.05);
    let momentum = |s: &State| s.attitude * (j * s.rates_rad_s);
    let energy = |s: &State| 0.5 * s.rates_rad_s.dot(&(j * s.rates_rad_s));
    let (l0, e0) = (momentum(&state), energy(&state));
    let mut turned_over = false;
    for _ in 0..10_000 {
        quadrotor.step(&mut state, &[0.0; 4], &Vector3::zeros(), 1e-3);
        turned_over |= state.rates_rad_s.y < -4.0;
    }
    assert!(turned_over, "the tumble must be a real one");
    let momentum_error = (momentum(&state) - l0).norm() / l0.norm();
    let energy_error = (energy(&state) - e0).abs() / e0;
    // Measured: 9.1e-12 and 4.0e-14; the gates leave a factor of ten and more for other machines.
    assert!(momentum_error < 1e-10, "momentum {momentum_error:e}");
    assert!(energy_error < 1e-12, "energy {energy_error:e}");
}

/// A smooth manoeuvre with every term of the model at work.
fn manoeuvre(steps: u32) -> State {
    let airframe = Airframe::omac();
    let quadrotor = Quadrotor::new(&airframe);
    let mut state = at_rest(airframe.hover_speed_rad_s());
    state.rates_rad_s = Vector3::new(1.0, -2.0, 0.5);
    let dt_s = 0.4 / f64::from(steps);
    for _ in 0..steps {
        let command = [300.0, 302.0, 297.0, 301.0];
        quadrotor.step(&mut state, &command, &Vector3::new(4.0, -3.0, 1.0), dt_s);
    }
    state
}

#[test]
fn halving_the_step_divides_the_error_by_sixteen() {
    let exact = manoeuvre(6_400).position_m;
    let errors: Vec<f64> = [100, 200, 400]
        .iter()
        .map(|&n| (manoeuvre(n).position_m - exact).norm())
        .collect();
    for pair in errors.windows(2) {
        let ratio = pair[0] / pair[1];
        assert!(
            (ratio - 16.0).abs() < 2.0,
            "errors {errors:?}, ratio {ratio}"
        );
    }
}

#[test]
fn the_rotors_follow_a_step_with_their_lag_and_stop_at_their_range() {
    let (quadrotor, airframe) = without_side_force();
    let mut state = at_rest(100.0);
    for _ in 0..7 {
        quadrotor.step(&mut state, &[400.0; 4], &Vector3::zeros(), 1e-3);
    }
    let expected = 400.0 - 300.0 * (-7e-3 / airframe.rotors.lag_s).exp();
    assert!((state.rotors_rad_s[0] - expected).abs() < 1e-10);
    for _ in 0..100 {
        quadrotor.step(
            &mut state,
            &[5_000.0, -10.0, 5_000.0, -10.0],
            &Vector3::zeros(),
            1e-3,
        );
    }
    let [fast, slow, ..] = state.rotors_rad_s;
    assert!(
        (fast - 1000.0).abs() < 1e-6 && slow.abs() < 1e-6,
        "{fast} {slow}"
    );
}

#[test]
fn more_thrust_on_the_left_rolls_right_and_signs_follow_the_axes() {
    let (quadrotor, _) = without_side_force();
    let angular_acceleration = |rotors: [f64; 4]| {
        let mut state = at_rest(0.0);
        state.rotors_rad_s = rotors;
        let rate = quadrotor.derivative(&state, &rotors, &Vector3::zeros());
        rate.angular_acceleration_rad_s2
    };
    let (fast, slow) = (300.0, 260.0);
    // Front left, front right, rear right, rear left.
    let roll = angular_acceleration([fast, slow, slow, fast]);
    assert!(roll.x > 0.0 && roll.y.abs() < 1e-9 && roll.z.abs() < 1e-9);
    let pitch = angular_acceleration([slow, slow, fast, fast]);
    assert!(pitch.y > 0.0 && pitch.x.abs() < 1e-9 && pitch.z.abs() < 1e-9);
    let yaw = angular_acceleration([fast, slow, fast, slow]);
    assert!(yaw.z > 0.0 && yaw.x.abs() < 1e-9 && yaw.y.abs() < 1e-9);
}

#[test]
fn wind_pushes_along_itself_in_the_world_frame_whatever_the_heading() {
    let airframe = Airframe::omac();
    let quadrotor = Quadrotor::new(&airframe);
    let wind = Vector3::new(3.0, 0.0, 0.0);
    for yaw in [0.0, 1.0, 2.5] {
        let mut state = at_rest(airframe.hover_speed_rad_s());
        state.attitude = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), yaw);
        let rotors = state.rotors_rad_s;
        let acceleration = quadrotor
            .derivative(&state, &rotors, &wind)
            .acceleration_m_s2;
        assert!(acceleration.x > 0.5, "{acceleration}");
        assert!(acceleration.yz().norm() < 1e-9, "{acceleration}");
    }
}
