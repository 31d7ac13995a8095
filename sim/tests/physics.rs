//! The rigid body and its integrator against closed forms.

use nalgebra::{UnitQuaternion, Vector3};
use sim::{Airframe, BodyDrag, GRAVITY_M_S2, Integrator, Multirotor, RotorDrag, State};

fn omac_with_inertia(inertia: [[f64; 3]; 3]) -> Multirotor {
    let mut airframe = Airframe::omac();
    airframe.inertia_kg_m2 = inertia;
    Multirotor::new(&airframe)
}

/// The vehicle without the side force, so that the closed forms hold exactly.
fn without_side_force() -> (Multirotor, Airframe) {
    let mut airframe = Airframe::omac();
    airframe.side_force = None;
    (Multirotor::new(&airframe), airframe)
}

fn at_rest(rotors_rad_s: f64) -> State {
    State {
        position_m: Vector3::zeros(),
        velocity_m_s: Vector3::zeros(),
        attitude: UnitQuaternion::identity(),
        rates_rad_s: Vector3::zeros(),
        rotors_rad_s: [rotors_rad_s; 4].into(),
    }
}

#[test]
fn at_hover_speed_in_still_air_nothing_moves() {
    let airframe = Airframe::omac();
    let multirotor = Multirotor::new(&airframe);
    let hover = airframe.hover_speed_rad_s();
    let mut state = at_rest(hover);
    for _ in 0..10_000 {
        multirotor.step(&mut state, &[hover; 4].into(), &Vector3::zeros(), 1e-3);
    }
    assert!(state.position_m.norm() < 1e-12, "{}", state.position_m);
    assert_eq!(state.attitude, UnitQuaternion::identity());
    // 4 · 7.3938e-5 · n² = 2.4 · 9.81 gives n = 282.148 rad/s.
    assert!((hover - 282.148).abs() < 1e-3, "{hover}");
}

#[test]
fn with_stopped_rotors_it_falls_as_every_body_falls() {
    let multirotor = Multirotor::new(&Airframe::omac());
    let mut state = at_rest(0.0);
    state.velocity_m_s = Vector3::new(1.0, -2.0, 3.0);
    for _ in 0..2_000 {
        multirotor.step(
            &mut state,
            &[0.0; 4].into(),
            &Vector3::new(9.0, 9.0, 9.0),
            1e-3,
        );
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
    let multirotor = omac_with_inertia(inertia);
    let j = nalgebra::Matrix3::from_fn(|r, c| inertia[r][c]);
    let mut state = at_rest(0.0);
    // Close to the unstable middle axis, so that the body turns over again and again.
    state.rates_rad_s = Vector3::new(0.05, 8.0, 0.05);
    let momentum = |s: &State| s.attitude * (j * s.rates_rad_s);
    let energy = |s: &State| 0.5 * s.rates_rad_s.dot(&(j * s.rates_rad_s));
    let (l0, e0) = (momentum(&state), energy(&state));
    let mut turned_over = false;
    for _ in 0..10_000 {
        multirotor.step(&mut state, &[0.0; 4].into(), &Vector3::zeros(), 1e-3);
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
    let multirotor = Multirotor::new(&airframe);
    let mut state = at_rest(airframe.hover_speed_rad_s());
    state.rates_rad_s = Vector3::new(1.0, -2.0, 0.5);
    let dt_s = 0.4 / f64::from(steps);
    for _ in 0..steps {
        let command = [300.0, 302.0, 297.0, 301.0];
        multirotor.step(
            &mut state,
            &command.into(),
            &Vector3::new(4.0, -3.0, 1.0),
            dt_s,
        );
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
    let (multirotor, airframe) = without_side_force();
    let mut state = at_rest(100.0);
    for _ in 0..7 {
        multirotor.step(&mut state, &[400.0; 4].into(), &Vector3::zeros(), 1e-3);
    }
    let expected = 400.0 - 300.0 * (-7e-3 / airframe.rotors.lag_s).exp();
    assert!((state.rotors_rad_s[0] - expected).abs() < 1e-10);
    for _ in 0..100 {
        multirotor.step(
            &mut state,
            &[5_000.0, -10.0, 5_000.0, -10.0].into(),
            &Vector3::zeros(),
            1e-3,
        );
    }
    let (fast, slow) = (state.rotors_rad_s[0], state.rotors_rad_s[1]);
    assert!(
        (fast - 1000.0).abs() < 1e-6 && slow.abs() < 1e-6,
        "{fast} {slow}"
    );
}

#[test]
fn more_thrust_on_the_left_rolls_right_and_signs_follow_the_axes() {
    let (multirotor, _) = without_side_force();
    let angular_acceleration = |rotors: [f64; 4]| {
        let mut state = at_rest(0.0);
        state.rotors_rad_s = rotors.into();
        let rate = multirotor.derivative(&state, &rotors.into(), &Vector3::zeros());
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
    let multirotor = Multirotor::new(&airframe);
    let wind = Vector3::new(3.0, 0.0, 0.0);
    for yaw in [0.0, 1.0, 2.5] {
        let mut state = at_rest(airframe.hover_speed_rad_s());
        state.attitude = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), yaw);
        let rotors = state.rotors_rad_s;
        let acceleration = multirotor
            .derivative(&state, &rotors, &wind)
            .acceleration_m_s2;
        assert!(acceleration.x > 0.5, "{acceleration}");
        assert!(acceleration.yz().norm() < 1e-9, "{acceleration}");
    }
}

#[test]
fn with_body_drag_a_fall_is_the_textbook_s() {
    let mut airframe = Airframe::omac();
    let drag = 0.6;
    airframe.body_drag = Some(BodyDrag {
        quadratic_n_s2_per_m2: [0.1, 0.2, drag],
    });
    let multirotor = Multirotor::new(&airframe);
    let mut state = at_rest(0.0);
    // The air rises: it is the speed against the air that tends to the terminal one.
    let updraught = 1.5;
    state.velocity_m_s.z = updraught;
    let (steps, dt_s) = (1_500, 1e-3);
    for _ in 0..steps {
        let wind = Vector3::new(0.0, 0.0, updraught);
        multirotor.step(&mut state, &[0.0; 4].into(), &wind, dt_s);
    }
    // m dv/dt = -m g + c v^2: v = -v_t tanh(g t / v_t), fallen v_t^2 / g log cosh(g t / v_t).
    let terminal = (airframe.mass_kg * GRAVITY_M_S2 / drag).sqrt();
    let time_s = f64::from(steps) * dt_s;
    let turns = GRAVITY_M_S2 * time_s / terminal;
    let speed = updraught - terminal * turns.tanh();
    let fallen = terminal * terminal / GRAVITY_M_S2 * turns.cosh().ln();
    assert!((state.velocity_m_s.z - speed).abs() < 1e-11);
    assert!((state.position_m.z - (updraught * time_s - fallen)).abs() < 1e-11);
}

#[test]
fn with_rotor_drag_alone_a_level_vehicle_slows_down_as_an_exponential() {
    let (_, mut airframe) = without_side_force();
    let in_plane = 1e-3;
    airframe.rotor_drag = Some(RotorDrag {
        in_plane_n_s2_per_rad_m: in_plane,
        ..RotorDrag::NONE
    });
    for hub in &mut airframe.rotors.positions_m {
        hub[2] = 0.0;
    }
    let multirotor = Multirotor::new(&airframe);
    let hover = airframe.hover_speed_rad_s();
    let mut state = at_rest(hover);
    let (start, wind) = (Vector3::new(2.0, -1.0, 0.0), Vector3::new(-0.5, 0.3, 0.0));
    state.velocity_m_s = start;
    for _ in 0..1_000 {
        multirotor.step(&mut state, &[hover; 4].into(), &wind, 1e-3);
    }
    let left = (-4.0 * hover * in_plane / airframe.mass_kg).exp();
    let expected = wind + (start - wind) * left;
    assert!((state.velocity_m_s - expected).norm() < 1e-11);
    assert!(left < 0.9, "the drag must be felt");
}

/// The default vehicle with every aerodynamic model at work, in no particular state.
fn with_all_models() -> (Multirotor, Airframe, State) {
    let mut airframe = Airframe::omac();
    airframe.body_drag = Some(BodyDrag {
        quadratic_n_s2_per_m2: [0.05, 0.07, 0.09],
    });
    airframe.rotor_drag = Some(RotorDrag {
        in_plane_n_s2_per_rad_m: 1e-3,
        axial_n_s2_per_rad_m: 2e-3,
        translational_lift_n_s2_per_m2: 1e-2,
        flapping_n_s2_per_rad: 1e-4,
    });
    let state = State {
        position_m: Vector3::new(1.0, 2.0, 3.0),
        velocity_m_s: Vector3::new(2.0, -1.0, 0.5),
        attitude: UnitQuaternion::from_euler_angles(0.2, -0.3, 1.1),
        rates_rad_s: Vector3::new(0.7, -1.2, 2.0),
        rotors_rad_s: [260.0, 300.0, 280.0, 310.0].into(),
    };
    (Multirotor::new(&airframe), airframe, state)
}

#[test]
fn what_acts_on_the_body_is_what_newton_and_euler_answer_to() {
    let (multirotor, airframe, state) = with_all_models();
    let wind = Vector3::new(-3.0, 2.0, 1.0);
    let command = [250.0, 310.0, 2_000.0, -5.0];
    let moon = 1.62;
    for gravity in [GRAVITY_M_S2, moon] {
        let multirotor = multirotor.clone().with_gravity(gravity);
        let wrench = multirotor.wrench(&state, &wind);
        let rate = multirotor.derivative(&state, &command.into(), &wind);
        let felt = rate.acceleration_m_s2 + Vector3::z() * gravity;
        let force = state.attitude.inverse_transform_vector(&felt) * airframe.mass_kg;
        assert!((force - wrench.force_n).norm() < 1e-12 * force.norm());
        let (inertia, turning) = (airframe.inertia(), state.rates_rad_s);
        let moment =
            inertia * rate.angular_acceleration_rad_s2 + turning.cross(&(inertia * turning));
        assert!((moment - wrench.moment_n_m).norm() < 1e-12 * force.norm());
        let lag_s = airframe.rotors.lag_s;
        let most = airframe.rotors.max_speed_rad_s;
        let towards = [-10.0, 10.0, most - 280.0, -310.0].map(|n| n / lag_s);
        assert_eq!(rate.rotors_rad_s2, towards.into());
    }
}

#[test]
fn an_integrator_steps_from_whatever_state_it_is_given() {
    let (multirotor, _, mut state) = with_all_models();
    let (command, wind) = ([290.0; 4], Vector3::new(-3.0, 2.0, 1.0));
    let mut integrator = Integrator::new(&multirotor, 1e-3);
    integrator.step(&mut state, &command.into(), &wind);
    // Its own rotor speeds from before are not those of this state.
    state.rotors_rad_s = [200.0, 210.0, 220.0, 230.0].into();
    let mut afresh = state;
    integrator.step(&mut state, &command.into(), &wind);
    multirotor.step(&mut afresh, &command.into(), &wind, 1e-3);
    assert_eq!(state, afresh);
}
