//! The tables against the firmwares' own numbers, by hand.

use super::*;
use crate::control::thrust_curve;
use std::collections::BTreeMap;

fn structure_of(target: &str, file: &[(&str, f64)], airframe: &Airframe) -> Structure {
    let firmware = of(target).expect("a firmware");
    firmware.structure(&settings_of(target, file), airframe)
}

fn settings_of(target: &str, file: &[(&str, f64)]) -> Settings {
    let file: BTreeMap<String, f64> = file.iter().map(|(n, x)| ((*n).to_owned(), *x)).collect();
    Settings::of(&file, of(target).expect("a firmware").stock())
}

fn hummingbird() -> Airframe {
    Airframe::by_name("hummingbird").expect("shipped")
}

fn near_to(one: f64, other: f64) {
    assert!((one - other).abs() <= 1e-9 * other.abs(), "{one} {other}");
}

#[test]
fn px4_s_limits_filters_and_feed_forward_are_those_of_its_parameters() {
    let vehicle = hummingbird();
    let file = [
        ("MC_ROLLRATE_MAX", 90.0),
        ("MC_ROLLRATE_I", 0.2),
        ("MC_RR_INT_LIM", 0.3),
        ("MC_ROLLRATE_FF", 0.5),
        ("MPC_TILTMAX_AIR", 30.0),
        ("MPC_THR_MAX", 0.5),
        ("IMU_GYRO_CUTOFF", 90.0),
        ("IMU_DGYRO_CUTOFF", 20.0),
        ("IMU_GYRO_RATEMAX", 1000.0),
        ("MC_YAW_TQ_CUTOFF", 3.0),
        ("THR_MDL_FAC", 1.0),
    ];
    let of = structure_of("px4", &file, &vehicle);
    let law = of.controller.law();
    near_to(
        of.controller.rate_setpoint_limit_rad_s[0],
        90f64.to_radians(),
    );
    near_to(of.controller.rate_integral_limit_rad[0], 1.5);
    near_to(of.controller.max_tilt_deg, 30.0);
    // Half of the full thrust of four rotors of 5.57e-6 · 1500² N where it is linear in the command.
    near_to(
        of.controller.max_thrust_n,
        0.5 * 4.0 * 5.57e-6 * 1500.0 * 1500.0,
    );
    near_to(of.delay_ms, 225.0 / 90.0 + 1.0 + 2.0);
    near_to(
        of.controller.rate_filter_s,
        1.0 / (40.0 * std::f64::consts::PI),
    );
    assert_eq!(law.torque_filter_hz, [0.0, 0.0, 3.0]);
    // A full roll command is 2 √2 T l.
    let full = 2.0 * 2f64.sqrt() * 5.57e-6 * 1500.0 * 1500.0 * 0.1202081528;
    near_to((law.rate_feedforward[0] / full * 1e6).round(), 0.5e6);
    near_to(of.slopes.rate, 1.0);
    near_to(of.slopes.vertical, 1.0);
}

#[test]
fn px4_s_yaw_filter_is_its_version_s_where_the_file_says_nothing() {
    let vehicle = hummingbird();
    let hz = |file: &[(&str, f64)]| {
        let of = structure_of("px4", file, &vehicle);
        of.controller.law().torque_filter_hz[2]
    };
    assert_eq!(hz(&[("MC_YAWRATE_P", 0.2)]), 2.0, "nobody knows");
    let whole = [
        ("MC_YAWRATE_P", 0.2),
        ("MC_YAWRATE_I", 0.1),
        ("MC_YAWRATE_FF", 0.0),
        ("MC_YR_INT_LIM", 0.3),
    ];
    assert_eq!(hz(&whole), 0.0, "before 1.16");
    assert_eq!(hz(&[("MC_YAW_TQ_CUTOFF", 0.0)]), 0.0);
}

#[test]
fn ardupilot_s_vertical_loop_is_a_throttle_for_an_acceleration() {
    let mut vehicle = hummingbird();
    vehicle.rotors.rotor_inertia_kg_m2 = 0.0;
    let linear = [
        ("MOT_THST_EXPO", 1.0),
        ("MOT_SPIN_MIN", 0.0),
        ("MOT_SPIN_MAX", 1.0),
    ];
    let with = |more: &[(&str, f64)]| {
        let file: Vec<(&str, f64)> = linear.iter().chain(more).copied().collect();
        let law = structure_of("ardupilot", &file, &vehicle).controller.law();
        law.vertical.expect("there")
    };
    // 4 · 5.57e-6 · 1500² N over 0.5 kg for the whole throttle.
    let per_throttle = 4.0 * 5.57e-6 * 1500.0 * 1500.0 / 0.5;
    // 0.5 of a thousandth of the throttle for each cm/s².
    near_to(with(&[("PSC_ACCZ_P", 0.5)]).kp, 0.05 * per_throttle);
    near_to(with(&[("PSC_D_ACC_P", 0.05)]).kp, 0.05 * per_throttle);
    assert_eq!(with(&[]).thrust_filter_hz, 2.0);
    near_to(
        with(&[("PSC_ACCZ_IMAX", 800.0)]).integral_limit_m_s2,
        0.8 * per_throttle,
    );
}

#[test]
fn ardupilot_s_accelerations_tilt_and_filters_are_those_of_either_generation() {
    let vehicle = hummingbird();
    let old = [
        ("ATC_ACCEL_R_MAX", 110_000.0),
        ("ANGLE_MAX", 4500.0),
        ("ATC_RAT_YAW_FLTE", 2.0),
    ];
    let of = structure_of("ardupilot", &old, &vehicle);
    let law = of.controller.law();
    near_to(law.attitude_acceleration_rad_s2[0], 550f64.to_radians());
    near_to(law.attitude_acceleration_rad_s2[2], 120f64.to_radians());
    near_to(of.controller.max_tilt_deg, 45.0);
    assert_eq!(law.torque_filter_hz, [0.0, 0.0, 2.0]);
    assert_eq!(law.rate_setpoint_filter_hz, [20.0; 3]);
    let new = [("ATC_ACC_R_MAX", 1100.0), ("ATC_ANGLE_MAX", 45.0)];
    let of = structure_of("ardupilot", &new, &vehicle);
    near_to(
        of.controller.law().attitude_acceleration_rad_s2[0],
        550f64.to_radians(),
    );
    near_to(of.controller.max_tilt_deg, 45.0);
    let none = structure_of("ardupilot", &[("ATC_ACCEL_R_MAX", 0.0)], &vehicle);
    assert_eq!(none.controller.law().attitude_acceleration_rad_s2[0], 0.0);
    let first = structure_of("ardupilot", &[("ATC_RAT_RLL_FILT", 10.0)], &vehicle);
    assert_eq!(first.controller.law().torque_filter_hz, [10.0, 20.0, 5.0]);
    assert_eq!(first.controller.law().rate_setpoint_filter_hz, [0.0; 3]);
}

#[test]
fn betaflight_s_feed_forward_acts_on_the_derivative_of_the_setpoint() {
    let vehicle = hummingbird();
    let of = structure_of("betaflight", &[("f_roll", 100.0)], &vehicle);
    // FEEDFORWARD_SCALE · F / 100 for each deg/s², of 1000, of 4 T l.
    let full = 4.0 * 5.57e-6 * 1500.0 * 1500.0 * 0.12020815280060002;
    let expected = 0.013754 * 1.0 / 1000.0 * 180.0 / std::f64::consts::PI * full;
    let law = of.controller.law();
    near_to(
        law.rate_feedforward_derivative[0],
        expected * of.slopes.rate,
    );
    assert_eq!(law.rate_feedforward, [0.0; 3]);
    // 400 of 1000 over I in radians: 0.244381 · 80 / 1000 · 57.3, and 2.5 times that in yaw.
    let file = [("i_roll", 80.0), ("i_yaw", 80.0)];
    let limits = structure_of("betaflight", &file, &vehicle)
        .controller
        .rate_integral_limit_rad;
    let per_rad = 0.244381e-3 * 80.0 * 180.0 / std::f64::consts::PI;
    near_to(limits[0], 0.4 / per_rad);
    near_to(limits[2], 0.4 / (2.5 * per_rad));
}

#[test]
fn what_acts_is_named_unless_it_is_as_the_firmware_comes() {
    let unread = |target: &str, file: &[(&str, f64)]| {
        let settings = settings_of(target, file);
        let firmware = of(target).expect("a firmware");
        let _ = firmware.structure(&settings, &hummingbird());
        firmware.unread(&settings, &[])
    };
    for (target, stock, other) in [
        ("px4", ("MPC_XY_VEL_D_ACC", 0.2), ("MPC_XY_VEL_MAX", 0.1)),
        ("px4", ("MC_AIRMODE", 0.0), ("IMU_GYRO_DNF_EN", 3.0)),
        (
            "ardupilot",
            ("ATC_RAT_RLL_SMAX", 0.0),
            ("INS_HNTCH_ENABLE", 1.0),
        ),
        ("betaflight", ("tpa_rate", 65.0), ("dyn_idle_min_rpm", 20.0)),
        (
            "crazyflie",
            ("pid_attitude.roll_ki", 3.0),
            ("posCtlPid.zKi", 2.0),
        ),
    ] {
        let found = unread(target, &[stock]);
        assert_eq!(
            (found.acting.len(), &found.at_stock[..]),
            (0, &[stock.0.to_owned()][..])
        );
        let found = unread(target, &[other]);
        assert!(found.acting[0].starts_with(other.0), "{found:?}");
    }
    // A dump holds every place that the firmware has, of which four have a rotor.
    let places = [("CA_ROTOR4_AZ", -1.0), ("CA_ROTOR11_PZ", 0.1)];
    let found = unread("px4", &[("CA_ROTOR_COUNT", 4.0), places[0], places[1]]);
    assert!(found.acting.is_empty(), "{found:?}");
    let found = unread(
        "px4",
        &[
            ("MC_NEW_THING", 1.0),
            ("BAT1_CAPACITY", 5.0),
            ("MPC_LAND_SPEED", 0.7),
        ],
    );
    assert_eq!(
        found.acting,
        ["MC_NEW_THING 1 is not known, and names like it act on the loop"]
    );
    assert_eq!(found.unknown, 1);
}

#[test]
fn words_that_act_are_named_too() {
    let firmware = of("betaflight").expect("a firmware");
    let words = [
        (1, "tpa_mode".to_owned(), "PD".to_owned()),
        (2, "gyro_lpf1_type".to_owned(), "pt1".to_owned()),
        (3, "motor_pwm_protocol".to_owned(), "DSHOT600".to_owned()),
    ];
    let found = firmware.unread(&settings_of("betaflight", &[]), &words);
    assert_eq!(found.acting.len(), 1);
    assert!(found.acting[0].starts_with("tpa_mode PD"), "{found:?}");
    for on in ["crash_recovery", "rpm_limit", "motor_pwm_protocol"] {
        let words = [(1, on.to_owned(), "ON".to_owned())];
        let found = firmware.unread(&settings_of("betaflight", &[]), &words);
        assert!(found.acting[0].starts_with(on), "{found:?}");
    }
}

#[test]
fn betaflight_s_rpm_filter_is_late_and_a_d_of_quick_turns_is_named() {
    let vehicle = hummingbird();
    let of = |file: &[(&str, f64)]| structure_of("betaflight", file, &vehicle);
    let later_ms = of(&[("dshot_bidir", 1.0)]).delay_ms - of(&[]).delay_ms;
    // A notch at f with Q 5 delays by 1/(2π f Q): four motors at 150, 300 and 450 Hz.
    let notches: f64 = [150.0, 300.0, 450.0].iter().map(|f| 4e3 / (5.0 * f)).sum();
    assert!(
        (later_ms - notches / std::f64::consts::TAU).abs() < 0.1,
        "{later_ms}"
    );
    let named = |file: &[(&str, f64)]| of(file).mismatches.len();
    assert_eq!(named(&[("d_roll", 40.0), ("d_min_roll", 30.0)]), 0);
    assert_eq!(named(&[("d_roll", 90.0), ("d_min_roll", 30.0)]), 1);
    assert_eq!(named(&[("d_roll", 90.0), ("d_min_roll", 0.0)]), 0);
    assert_eq!(named(&[("d_pitch", 34.0), ("d_max_pitch", 46.0)]), 0);
    assert_eq!(named(&[("d_pitch", 34.0), ("d_max_pitch", 80.0)]), 1);
}

/// What does not fit the airframe, surely or perhaps.
fn all_of(structure: Structure) -> Vec<String> {
    [structure.foreign, structure.mismatches].concat()
}

#[test]
fn another_frame_and_another_vehicle_are_told_from_this_one() {
    let vehicle = hummingbird();
    let said = |target: &str, file: &[(&str, f64)]| all_of(structure_of(target, file, &vehicle));
    let is_foreign = |target: &str, file: &[(&str, f64)]| {
        let found = structure_of(target, file, &vehicle);
        !found.foreign.is_empty()
    };
    // What the file says itself of another frame is known; what only stands in it beside, may be.
    assert!(is_foreign("px4", &[("CA_ROTOR_COUNT", 6.0)]));
    assert!(is_foreign("px4", &[("CA_AIRFRAME", 2.0)]));
    assert!(is_foreign("px4", &[("MAV_TYPE", 13.0)]));
    assert!(!is_foreign(
        "px4",
        &[("MAV_TYPE", 13.0), ("CA_ROTOR_COUNT", 4.0)]
    ));
    assert!(is_foreign(
        "px4",
        &[("CA_ROTOR0_PX", 0.1), ("CA_ROTOR0_PY", 0.0)]
    ));
    assert!(!is_foreign(
        "px4",
        &[("CA_ROTOR0_CT", 6.5), ("CA_ROTOR1_CT", 7.0)]
    ));
    assert!(is_foreign("ardupilot", &[("FRAME_CLASS", 2.0)]));
    assert!(is_foreign("ardupilot", &[("FRAME_TYPE", 0.0)]));
    assert!(!is_foreign("ardupilot", &[("FRAME_CLASS", 1.0)]));
    assert!(
        is_foreign("betaflight", &[("mixer", 2.0)]) && !is_foreign("betaflight", &[("mixer", 0.0)])
    );
    assert!(said("px4", &[("CA_ROTOR_COUNT", 4.0), ("MAV_TYPE", 2.0)]).is_empty());
    assert_eq!(said("px4", &[("CA_ROTOR_COUNT", 6.0)]).len(), 1);
    assert_eq!(said("px4", &[("MAV_TYPE", 13.0)]).len(), 1);
    assert_eq!(said("px4", &[("MPC_THR_HOVER", 0.9)]).len(), 1);
    assert_eq!(said("ardupilot", &[("FRAME_CLASS", 2.0)]).len(), 1);
    assert_eq!(said("ardupilot", &[("FRAME_TYPE", 0.0)]).len(), 1);
    assert!(said("ardupilot", &[("FRAME_TYPE", 1.0)]).is_empty());
    assert!(said("px4", &[("CA_ROTOR0_PX", 0.1), ("CA_ROTOR0_PY", -0.1)]).is_empty());
    // A dump holds every place that the firmware has.
    let unused = [("CA_ROTOR4_PX", 0.0), ("CA_ROTOR4_PY", 0.0)];
    let counted = [("CA_ROTOR_COUNT", 4.0), unused[0], unused[1]];
    assert_eq!(
        [said("px4", &unused).len(), said("px4", &counted).len()],
        [1, 0]
    );
    assert_eq!(
        said("px4", &[("CA_ROTOR0_PX", 0.1), ("CA_ROTOR0_PY", 0.0)]).len(),
        1
    );
    // Hub 0 lies ahead on the left, PX4's y points to the right; a positive KM turns anticlockwise, against
    // which the vehicle is pushed.
    let [x, y, _] = vehicle.rotors.positions_m[0];
    let km = -0.05 * vehicle.rotors.yaw_torque_signs[0];
    let at = |km: f64, ct: f64| {
        let place = [("CA_ROTOR0_PX", x), ("CA_ROTOR0_PY", -y)];
        let turn = [("CA_ROTOR0_KM", km), ("CA_ROTOR1_KM", -km)];
        let pull = [("CA_ROTOR0_CT", 6.5), ("CA_ROTOR1_CT", ct)];
        said("px4", &[place, turn, pull].concat())
    };
    assert!(at(km, 6.5).is_empty());
    assert!(at(-km, 6.5)[0].contains("turns the other way"));
    assert!(at(0.0, 6.5)[0].starts_with("CA_ROTOR0_KM 0 "));
    assert!(at(km, 7.0)[0].starts_with("CA_ROTOR1_CT 7 "));
    let of = structure_of("px4", &[("MPC_THR_MAX", 0.0)], &vehicle);
    assert!(
        of.forbidding[0].contains("MPC_THR_MAX 0"),
        "{:?}",
        of.forbidding
    );
}

#[test]
fn the_simulator_s_delays_are_those_of_stock_parameters() {
    for (target, late_ms) in crate::AUTOPILOT_DELAYS_MS {
        let stock = structure_of(target, &[], &Airframe::omac());
        assert_eq!(stock.delay_ms.round(), f64::from(late_ms), "{target}");
    }
}

#[test]
fn the_slope_is_that_of_the_share_by_what_is_asked_for() {
    for e in [0.0, 0.3, 0.65, 1.0] {
        for at in [0.05, 0.29, 0.536, 0.9] {
            let u = thrust_curve::asked(e, at);
            let h = 1e-6;
            let by_difference =
                (thrust_curve::share(e, u + h) - thrust_curve::share(e, u - h)) / (2.0 * h);
            assert!((thrust_curve::share(e, u) - at).abs() < 1e-9, "{e} {at}");
            assert!(
                (thrust_curve::slope(e, at) - by_difference).abs() < 1e-6,
                "{e} {at}"
            );
        }
    }
    // Iris: hover at 0.536 of full thrust; a rotor commanded to 0.732 of its range.
    assert!((thrust_curve::slope(0.0, 0.536) - 1.464).abs() < 1e-3);
    assert!((thrust_curve::slope(1.0, 0.536) - 1.0).abs() < 1e-12);
}

#[test]
fn a_file_of_another_frame_is_named_whatever_the_number_of_rotors() {
    let of = |frame: &str| {
        let vehicle = hummingbird();
        let frame = Frame::by_name(frame).expect("known");
        Airframe {
            rotors: frame.rotors(&vehicle.rotors, 0.3, 0.06, 1.0),
            ..vehicle
        }
    };
    let mut unknown = of("hexa-x");
    unknown.rotors.positions_m[0][0] *= 2.0;
    for (target, vehicle, file, named) in [
        (
            "px4",
            of("hexa-x"),
            [("MAV_TYPE", 13.0), ("CA_ROTOR_COUNT", 6.0)],
            "",
        ),
        (
            "px4",
            of("hexa-x"),
            [("MAV_TYPE", 2.0), ("CA_ROTOR_COUNT", 6.0)],
            "MAV_TYPE 2",
        ),
        (
            "px4",
            of("octo-x"),
            [("MAV_TYPE", 14.0), ("CA_ROTOR_COUNT", 6.0)],
            "CA_ROTOR_COUNT 6",
        ),
        (
            "px4",
            unknown,
            [("MAV_TYPE", 13.0), ("CA_ROTOR_COUNT", 6.0)],
            "are no frame",
        ),
        (
            "ardupilot",
            of("hexa-x"),
            [("FRAME_CLASS", 2.0), ("FRAME_TYPE", 1.0)],
            "",
        ),
        (
            "ardupilot",
            of("hexa-x"),
            [("FRAME_CLASS", 2.0), ("FRAME_TYPE", 0.0)],
            "FRAME_CLASS 2",
        ),
        (
            "ardupilot",
            of("coaxial-x8"),
            [("FRAME_CLASS", 3.0), ("FRAME_TYPE", 1.0)],
            "FRAME_CLASS 3",
        ),
        (
            "ardupilot",
            hummingbird(),
            [("FRAME_CLASS", 2.0), ("FRAME_TYPE", 1.0)],
            "FRAME_CLASS 2",
        ),
        (
            "betaflight",
            of("hexa-x"),
            [("mixer", 0.0), ("p_roll", 40.0)],
            "mixer QUADX",
        ),
    ] {
        let found = all_of(structure_of(target, &file, &vehicle));
        match named {
            "" => assert!(found.is_empty(), "{target}: {found:?}"),
            _ => assert!(
                found.iter().any(|said| said.contains(named)),
                "{target} {named}: {found:?}"
            ),
        }
    }
}

#[test]
fn a_quadrotor_whose_rotors_turn_the_other_way_is_not_the_file_s() {
    let (own, mut turned) = (hummingbird(), hummingbird());
    for sign in &mut turned.rotors.yaw_torque_signs {
        *sign = -*sign;
    }
    let plus = own.rotors.positions_m[0][1].abs() < 1e-9;
    let (usual, reversed) = if plus { (0.0, 6.0) } else { (1.0, 18.0) };
    let said = |target: &str, vehicle: &Airframe, kind: f64| {
        let file = [("FRAME_CLASS", 1.0), ("FRAME_TYPE", kind)];
        let found = all_of(structure_of(target, &file, vehicle)).join(" ");
        found.contains("turn the other way") || found.contains("turn against")
    };
    assert!(!said("ardupilot", &own, usual) && said("ardupilot", &turned, usual));
    assert!(said("ardupilot", &own, reversed) && !said("ardupilot", &turned, reversed));
    assert!(!said("betaflight", &own, usual) && said("betaflight", &turned, usual));
    let frame = Frame::by_name("hexa-x").expect("known");
    let six = Airframe {
        rotors: frame.rotors(&own.rotors, 0.3, 0.06, 1.0),
        ..own
    };
    let found = structure_of("ardupilot", &[("ATC_ANG_RLL_P", 4.5)], &six).mismatches;
    assert!(found[0].contains("sets no FRAME_CLASS"), "{found:?}");
}

/// Hover throttles and leans of vehicles by thrust over weight, with an expo of .65 and spins of .15 and .95.
#[test]
fn ardupilot_leans_as_far_as_the_throttle_in_hover_leaves() {
    let mut vehicle = Airframe::by_name("hummingbird").expect("shipped");
    let weight_n = vehicle.mass_kg * GRAVITY_M_S2;
    for (over, lean_deg) in [
        (1.39, 10.0),
        (1.42, 11.5),
        (1.45, 16.3),
        (1.5, 21.8),
        (1.6, 29.4),
        (2.5, 30.0),
    ] {
        let speed = vehicle.rotors.max_speed_rad_s;
        vehicle.rotors.thrust_n_s2_per_rad2 = over * weight_n / (4.0 * speed * speed);
        let given = [
            ("MOT_THST_EXPO", 0.65),
            ("MOT_SPIN_MIN", 0.15),
            ("MOT_SPIN_MAX", 0.95),
        ];
        let of = structure_of("ardupilot", &given, &vehicle);
        let found = of.controller.max_tilt_deg;
        assert!((found - lean_deg).abs() < 0.06, "{over}: {found}");
        assert_eq!(of.controller.law().rotor_speed_share, Some(0.95));
        assert!(of.forbidding.is_empty());
        let mut aboard = vehicle.clone();
        aboard.controller = of.controller;
        // Whatever the position loop may ask for, the rotors give no more.
        aboard.controller.max_thrust_n = 1e6;
        assert!((aboard.thrust_to_weight() / over - 0.9025).abs() < 1e-9);
        // .7² of the thrust is below the weight up to 2.04 times it.
        let weak = structure_of("ardupilot", &[("MOT_SPIN_MAX", 0.7)], &vehicle).forbidding;
        assert_eq!(
            weak.iter().any(|said| said.contains("MOT_SPIN_MAX 0.7")),
            over < 2.0,
            "{over}"
        );
    }
}

#[test]
fn a_motor_ceiling_that_is_no_number_is_an_answer() {
    let vehicle = Airframe::by_name("hummingbird").expect("shipped");
    for ceiling in [f64::NAN, f64::INFINITY, -1.0, 0.0] {
        let of = structure_of("ardupilot", &[("MOT_SPIN_MAX", ceiling)], &vehicle);
        let share = of.controller.law().rotor_speed_share.expect("stated");
        assert!((0.5..=1.0).contains(&share), "{ceiling}: {share}");
    }
}

#[test]
fn px4_s_airframe_number_and_a_hover_throttle_that_is_not_learned_are_named() {
    let vehicle = Airframe::by_name("hummingbird").expect("shipped");
    let of = |number: f64| structure_of("px4", &[("SYS_AUTOSTART", number)], &vehicle).foreign;
    for (number, foreign) in [
        (4001.0, false),
        (5001.0, true),
        (6001.0, true),
        (13_000.0, true),
        (10_016.0, false),
    ] {
        assert_eq!(!of(number).is_empty(), foreign, "{number}");
    }
    let both = [("SYS_AUTOSTART", 6001.0), ("CA_ROTOR_COUNT", 4.0)];
    assert!(structure_of("px4", &both, &vehicle).foreign.is_empty());
    let hover = |given: f64, learns: f64| {
        let given = [("MPC_THR_HOVER", given), ("MPC_USE_HTE", learns)];
        structure_of("px4", &given, &vehicle).mismatches
    };
    let own = crate::control::thrust_curve::asked(0.0, hover_share(&vehicle));
    assert!(hover(own, 0.0).is_empty() && hover(1.3 * own, 1.0).is_empty());
    assert!(
        hover(1.3 * own, 0.0)[0].contains("with MPC_USE_HTE 0"),
        "{:?}",
        hover(1.3 * own, 0.0)
    );
}
