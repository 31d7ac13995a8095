//! Every row of the four targets, computed by hand from the firmware's definitions.
//!
//! On `hummingbird`, of which a rotor at full speed has 5.57e-6 · 1500² = 12.5325 N (T) and 1.36e-7 · 1500² = 0.306 N m (M);
//! hubs lie at 0.1202081528 m (l) and it has 0.5 kg. A full command is
//!
//! * PX4 (`ControlAllocationPseudoInverse.cpp`, updateControlAllocationMatrixScale): 2 √2 T l, 4 M
//! * ArduPilot (`AP_MotorsMatrix.cpp`, normalise_rpy_factors): 2 T l, 2 M
//! * Betaflight (`mixer.c`, mixTable; `pid.h`, PTERM_SCALE, ITERM_SCALE, DTERM_SCALE over PID_MIXER_SCALING 1000;
//!   `pid_init.c`, Ki of yaw times 2.5): 4 T l, 4 M, for deg/s
//! * Crazyflie (`power_distribution_quadrotor.c`): 2 T l, 4 M of 65535 counts, for deg/s; tilts in degrees for an
//!   acceleration over 9.81 m/s²; thrust in thousands of counts (`position_controller_pid.c`, thrustScale)

use super::{by_name, full_torques_of};
use crate::autopilot::{Cascade, Tuned};
use crate::{Airframe, Frame, Gains};
use approx::assert_relative_eq;

const PX4: [(&str, f64); 23] = [
    ("MPC_XY_P", 0.95),
    ("MPC_XY_VEL_P_ACC", 1.8),
    ("MPC_XY_VEL_I_ACC", 0.4),
    ("MPC_XY_VEL_D_ACC", 0.0),
    ("MPC_Z_P", 1.0),
    ("MPC_Z_VEL_P_ACC", 4.0),
    ("MPC_Z_VEL_I_ACC", 2.0),
    ("MPC_Z_VEL_D_ACC", 0.0),
    ("MC_ROLL_P", 5.0),
    ("MC_PITCH_P", 6.0),
    ("MC_YAW_P", 3.0),
    ("MC_ROLLRATE_P", 0.0704051818),
    ("MC_ROLLRATE_I", 0.0938735758),
    ("MC_ROLLRATE_D", 0.00140810364),
    ("MC_ROLLRATE_K", 1.0),
    ("MC_PITCHRATE_P", 0.0586709849),
    ("MC_PITCHRATE_I", 0.0821393788),
    ("MC_PITCHRATE_D", 0.0011734197),
    ("MC_PITCHRATE_K", 1.0),
    ("MC_YAWRATE_P", 0.0816993464),
    ("MC_YAWRATE_I", 0.0408496732),
    ("MC_YAWRATE_D", 0.000816993464),
    ("MC_YAWRATE_K", 1.0),
];

const ARDUPILOT: [(&str, f64); 20] = [
    ("PSC_POSXY_P", 0.95),
    ("PSC_VELXY_P", 1.8),
    ("PSC_VELXY_I", 0.4),
    ("PSC_VELXY_D", 0.0),
    ("PSC_POSZ_P", 1.0),
    ("PSC_VELZ_P", 4.0),
    ("PSC_VELZ_I", 2.0),
    ("PSC_VELZ_D", 0.0),
    ("ATC_ANG_RLL_P", 5.0),
    ("ATC_ANG_PIT_P", 6.0),
    ("ATC_ANG_YAW_P", 3.0),
    ("ATC_RAT_RLL_P", 0.099567963),
    ("ATC_RAT_RLL_I", 0.132757284),
    ("ATC_RAT_RLL_D", 0.00199135926),
    ("ATC_RAT_PIT_P", 0.0829733025),
    ("ATC_RAT_PIT_I", 0.116162623),
    ("ATC_RAT_PIT_D", 0.00165946605),
    ("ATC_RAT_YAW_P", 0.163398693),
    ("ATC_RAT_YAW_I", 0.0816993464),
    ("ATC_RAT_YAW_D", 0.00163398693),
];

const BETAFLIGHT: [(&str, f64); 9] = [
    ("p_roll", 27.1283647),
    ("i_roll", 4.74065437),
    ("d_roll", 32.8504496),
    ("p_pitch", 22.6069706),
    ("i_pitch", 4.14807257),
    ("d_pitch", 27.3753747),
    ("p_yaw", 44.519735),
    ("i_yaw", 1.16696682),
    ("d_yaw", 26.9550584),
];

const CRAZYFLIE: [(&str, f64); 36] = [
    ("posCtlPid.xKp", 0.95),
    ("posCtlPid.xKi", 0.0),
    ("posCtlPid.xKd", 0.0),
    ("velCtlPid.vxKp", 10.5129871),
    ("velCtlPid.vxKi", 2.33621935),
    ("velCtlPid.vxKd", 0.0),
    ("posCtlPid.yKp", 0.95),
    ("posCtlPid.yKi", 0.0),
    ("posCtlPid.yKd", 0.0),
    ("velCtlPid.vyKp", 10.5129871),
    ("velCtlPid.vyKi", 2.33621935),
    ("velCtlPid.vyKd", 0.0),
    ("posCtlPid.zKp", 1.0),
    ("posCtlPid.zKi", 0.0),
    ("posCtlPid.zKd", 0.0),
    ("velCtlPid.vzKp", 2.61460203),
    ("velCtlPid.vzKi", 1.30730102),
    ("velCtlPid.vzKd", 0.0),
    ("pid_attitude.roll_kp", 5.0),
    ("pid_attitude.roll_ki", 0.0),
    ("pid_attitude.roll_kd", 0.0),
    ("pid_attitude.pitch_kp", 6.0),
    ("pid_attitude.pitch_ki", 0.0),
    ("pid_attitude.pitch_kd", 0.0),
    ("pid_attitude.yaw_kp", 3.0),
    ("pid_attitude.yaw_ki", 0.0),
    ("pid_attitude.yaw_kd", 0.0),
    ("pid_rate.roll_kp", 113.885988),
    ("pid_rate.roll_ki", 151.847984),
    ("pid_rate.roll_kd", 2.27771976),
    ("pid_rate.pitch_kp", 94.90499),
    ("pid_rate.pitch_ki", 132.866986),
    ("pid_rate.pitch_kd", 1.8980998),
    ("pid_rate.yaw_kp", 93.447837),
    ("pid_rate.yaw_ki", 46.7239185),
    ("pid_rate.yaw_kd", 0.93447837),
];

#[test]
fn every_row_of_every_target_is_what_the_firmware_s_definition_gives() {
    let airframe = Airframe::by_name("hummingbird").expect("shipped");
    assert_eq!(airframe.mass_kg, 0.5);
    let cascade = |position_p, velocity_p, velocity_i| Cascade {
        position_p,
        velocity_p,
        velocity_i,
    };
    let gains = Gains {
        position_xy: cascade(0.95, 1.8, 0.4).pid(),
        position_z: cascade(1.0, 4.0, 2.0).pid(),
        attitude_kp: [5.0, 6.0, 3.0],
        rate_kp: [0.3, 0.25, 0.1],
        rate_ki: [0.4, 0.35, 0.05],
        rate_kd: [0.006, 0.005, 0.001],
    };
    for (target, rows) in [
        ("px4", &PX4[..]),
        ("ardupilot", &ARDUPILOT),
        ("betaflight", &BETAFLIGHT),
        ("crazyflie", &CRAZYFLIE),
    ] {
        let autopilot = by_name(target, None).expect("a target");
        let written = autopilot.parameters(&airframe, &gains, &Tuned::everything());
        let written = written.expect("an equivalent");
        let names: Vec<&str> = written.iter().map(|own| own.name.as_str()).collect();
        let expected: Vec<&str> = rows.iter().map(|row| row.0).collect();
        assert_eq!(names, expected, "{target}");
        for (own, (_, value)) in written.iter().zip(rows) {
            assert_relative_eq!(own.value, *value, max_relative = 1e-8, epsilon = 1e-12);
        }
    }
}

/// ArduPilot's `normalise_rpy_factors`: every motor takes half of a full command, one way or the other;
/// Betaflight's takes all of it.
#[test]
fn a_full_command_moves_every_motor_by_its_share() {
    for (target, share) in [("ardupilot", 0.5), ("betaflight", 1.0)] {
        for name in crate::AIRFRAME_NAMES {
            let airframe = Airframe::by_name(name).expect("shipped");
            let rotors = &airframe.rotors;
            let squared = share * rotors.max_speed_rad_s * rotors.max_speed_rad_s;
            let mut expected = [0.0, 0.0, 4.0 * rotors.torque_n_m_s2_per_rad2 * squared];
            for [x, y, _] in &rotors.positions_m {
                expected[0] += rotors.thrust_n_s2_per_rad2 * squared * y.abs();
                expected[1] += rotors.thrust_n_s2_per_rad2 * squared * x.abs();
            }
            let ours = full_torques_of(target, &airframe);
            for (ours, theirs) in ours.into_iter().zip(expected) {
                assert_relative_eq!(ours, theirs, max_relative = 1e-12);
            }
        }
    }
}

/// Rolling and pitching torques of a full command over T R, worked out by hand from each firmware's table: thrust T
/// of one motor, arms R, factors times levers added up. PX4's come from its scaling of the pseudo-inverse, whose
/// larger one serves both axes; ArduPilot makes the greatest factor of each axis a half by itself, Betaflight's
/// factors are sines and cosines with a greatest of 1 (`OCTOX8`: 1 everywhere).
#[test]
fn a_full_command_of_more_rotors_is_what_the_firmware_s_table_gives() {
    let (half_root_3, eighth) = (0.75f64.sqrt(), 22.5f64.to_radians().cos());
    let both = |torque: f64| [torque, torque];
    let cases: [(&str, &str, [f64; 2]); 15] = [
        ("px4", "hexa-x", both(6f64.sqrt())),
        ("px4", "hexa-plus", both(6f64.sqrt())),
        ("px4", "octo-x", both(4.0)),
        ("px4", "octo-plus", both(12f64.sqrt())),
        ("px4", "coaxial-x8", both(4.0)),
        ("px4", "coaxial-y6", both(6f64.sqrt())),
        ("ardupilot", "hexa-x", [1.5, 2.0 * half_root_3]),
        ("ardupilot", "hexa-plus", [2.0 * half_root_3, 1.5]),
        ("ardupilot", "octo-x", both(2.0 / eighth)),
        ("ardupilot", "octo-plus", both(2.0)),
        ("ardupilot", "coaxial-x8", both(8f64.sqrt())),
        ("ardupilot", "coaxial-y6", [2.0 * half_root_3, 1.5]),
        ("betaflight", "hexa-x", both(3.0)),
        ("betaflight", "octo-plus", both(4.0)),
        ("betaflight", "coaxial-x8", both(32f64.sqrt())),
    ];
    for (target, name, expected) in cases {
        let frame = Frame::by_name(name).expect("known");
        let omac = Airframe::omac();
        let airframe = Airframe {
            rotors: frame.rotors(&omac.rotors, 0.5, 0.1, 1.0),
            ..omac
        };
        let rotors = &airframe.rotors;
        let squared = rotors.max_speed_rad_s.powi(2);
        let one = 0.5 * rotors.thrust_n_s2_per_rad2 * squared;
        let [roll, pitch, yaw] = full_torques_of(target, &airframe);
        // Hubs are given to a micrometre.
        assert_relative_eq!(roll / one, expected[0], max_relative = 1e-5);
        assert_relative_eq!(pitch / one, expected[1], max_relative = 1e-5);
        let share = if target == "ardupilot" { 0.5 } else { 1.0 };
        let whole = share * frame.count() as f64 * rotors.torque_n_m_s2_per_rad2 * squared;
        assert_relative_eq!(yaw, whole, max_relative = 1e-12);
    }
}

/// A weaker rotor below gives less of a command than the one above.
#[test]
fn a_pair_with_a_weaker_rotor_gives_their_mean() {
    let omac = Airframe::omac();
    let frame = Frame::by_name("coaxial-x8").expect("known");
    let with = |lower: f64| {
        let rotors = frame.rotors(&omac.rotors, 0.5, 0.1, lower);
        let airframe = Airframe {
            rotors,
            ..omac.clone()
        };
        full_torques_of("px4", &airframe)[0]
    };
    assert_relative_eq!(with(0.8) / with(1.0), 0.9, max_relative = 1e-12);
}

#[test]
fn rotors_without_a_known_mixer_are_not_exported() {
    let omac = Airframe::omac();
    let of = |name: &str| Airframe {
        rotors: Frame::by_name(name)
            .expect("known")
            .rotors(&omac.rotors, 0.5, 0.1, 1.0),
        ..omac.clone()
    };
    let mut odd = of("hexa-x");
    odd.rotors.positions_m[0][0] *= 1.5;
    let mut turned = of("hexa-x");
    for sign in &mut turned.rotors.yaw_torque_signs {
        *sign = -*sign;
    }
    let everything = Tuned {
        position_xy: true,
        position_z: true,
        attitude: [true; 3],
        rate: [true; 3],
    };
    for (target, airframe, exported) in [
        ("px4", of("hexa-x"), true),
        ("ardupilot", of("octo-x"), true),
        ("betaflight", of("coaxial-x8"), true),
        ("betaflight", of("hexa-plus"), false),
        ("crazyflie", of("hexa-x"), false),
        ("px4", odd.clone(), false),
        ("ardupilot", odd, false),
        ("px4", turned.clone(), false),
        ("crazyflie", turned.clone(), false),
    ] {
        let autopilot = by_name(target, None).expect("known");
        let mut gains = airframe.gains;
        gains.position_z.ki = 0.1;
        match autopilot.parameters(&airframe, &gains, &everything) {
            Ok(_) => assert!(exported, "{target}"),
            Err(error) => {
                assert!(!exported, "{target}: {error}");
                let said = error.to_string();
                assert!(said.contains("rotors of omac that is known here"), "{said}");
                let reversed = said.contains("as in hexa-x and all turn the other way");
                assert_eq!(reversed, airframe == turned && target == "px4", "{said}");
            }
        }
    }
}
