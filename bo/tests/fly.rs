//! The word FLY: settings with which vehicles fell or flew wrong, and what a check names of each.

use crate::check::BesideOwn;
use bo::check::{Baseline, Checked, Task, Verdict, check};
use bo::interrupt::Interrupt;
use sim::autopilot::reading;
use sim::autopilot::tune::Tune;
use sim::{Airframe, Domain, Setup};
use std::collections::BTreeMap;

/// A quadrotor of 1.5 kg that hovers at a little more than half of its thrust, of our own making.
const VEHICLE: &str = r#"
name = "middling"
mass_kg = 1.5
inertia_kg_m2 = [0.029, 0.029, 0.055]
[rotors]
positions_m = [[0.13, 0.21, 0.0], [0.13, -0.21, 0.0], [-0.13, -0.21, 0.0], [-0.13, 0.21, 0.0]]
yaw_torque_signs = [1.0, -1.0, 1.0, -1.0]
thrust_n_s2_per_rad2 = 5.7e-6
torque_n_m_s2_per_rad2 = 3.4e-7
lag_s = 0.0125
min_speed_rad_s = 100.0
max_speed_rad_s = 1100.0
[rotor_drag]
in_plane_n_s2_per_rad_m = 1.7e-4
axial_n_s2_per_rad_m = 1.7e-4
translational_lift_n_s2_per_m2 = 0.0
flapping_n_s2_per_rad = 0.0
[controller]
max_thrust_n = 26.0
max_tilt_deg = 45.0
position_integral_limit_m_s = 2.0
rate_setpoint_limit_rad_s = [3.84, 3.84, 3.49]
rate_integral_limit_rad = [2.0, 2.0, 0.3]
torque_setpoint_limit_n_m = [2.0, 2.0, 0.5]
rate_filter_s = 5.3e-3
[gains]
position_xy = { kp = 2.11, ki = 0.38, kd = 1.8 }
position_z = { kp = 6.0, ki = 2.0, kd = 4.0 }
attitude_kp = [6.5, 6.5, 2.8]
rate_kp = [0.39, 0.39, 0.34]
rate_ki = [0.52, 0.52, 0.17]
rate_kd = [7.8e-3, 7.8e-3, 0.0]
"#;

/// PX4 as it comes, whole.
const STOCK: [(&str, f64); 25] = [
    ("MPC_XY_P", 0.95),
    ("MPC_XY_VEL_P_ACC", 1.8),
    ("MPC_XY_VEL_I_ACC", 0.4),
    ("MPC_XY_VEL_D_ACC", 0.2),
    ("MPC_Z_P", 1.0),
    ("MPC_Z_VEL_P_ACC", 4.0),
    ("MPC_Z_VEL_I_ACC", 2.0),
    ("MC_ROLL_P", 6.5),
    ("MC_PITCH_P", 6.5),
    ("MC_YAW_P", 2.8),
    ("MC_ROLLRATE_P", 0.15),
    ("MC_ROLLRATE_I", 0.2),
    ("MC_ROLLRATE_D", 0.003),
    ("MC_ROLLRATE_K", 1.0),
    ("MC_PITCHRATE_P", 0.15),
    ("MC_PITCHRATE_I", 0.2),
    ("MC_PITCHRATE_D", 0.003),
    ("MC_PITCHRATE_K", 1.0),
    ("MC_YAWRATE_P", 0.2),
    ("MC_YAWRATE_I", 0.1),
    ("MC_YAWRATE_FF", 0.0),
    ("MC_YR_INT_LIM", 0.3),
    ("MC_ROLLRATE_MAX", 220.0),
    ("MPC_THR_MAX", 1.0),
    ("THR_MDL_FAC", 0.0),
];

/// Parameters that are changed, the verdict, and what a reason for it is about.
type Case<'a> = (&'a [(&'a str, f64)], Verdict, &'a str);

fn vehicle() -> Airframe {
    Airframe::from_toml(VEHICLE).expect("legal")
}

/// PX4's parameters with some changed, as its ground station writes them.
fn px4(changed: &[(&str, f64)]) -> String {
    let mut all: BTreeMap<&str, f64> = STOCK.into_iter().collect();
    all.extend(changed.iter().copied());
    let line = |(name, value): (&str, f64)| format!("1\t1\t{name}\t{value}\t9\n");
    all.into_iter().map(line).collect()
}

fn tune(target: &str, text: &str) -> Tune {
    let airframe = vehicle();
    reading::read(target, text, &airframe, &airframe.gains).expect("read")
}

/// What forty flights, the margins and the file itself say of PX4's parameters.
fn checked(own: &mut BesideOwn, text: &str) -> Checked {
    let tune = tune("px4", text);
    let mut task = Task {
        setup: Setup::new(vehicle()),
        trajectory: trajectories::by_name("hover").expect("shipped"),
        domain: Domain::gusty(),
        seed: 1,
        delay_ms: None,
        rotor_out: None,
        taken: Vec::new(),
    };
    task.take_rotor_inertia(&tune);
    own.check(&task, &vehicle(), &tune, 40)
}

/// Reasons but for the flights, of which forty never do.
fn reasons(checked: &Checked) -> Vec<&bo::check::Reason> {
    let all = checked.reasons.iter();
    all.filter(|r| !r.said.contains("too few flights"))
        .collect()
}

#[test]
fn stock_parameters_have_nothing_against_them() {
    let found = checked(&mut BesideOwn::default(), &px4(&[]));
    assert!(reasons(&found).is_empty(), "{:?}", found.reasons);
}

fn are_judged(cases: &[Case]) {
    let mut own = BesideOwn::default();
    for (changed, verdict, about) in cases {
        let found = checked(&mut own, &px4(changed));
        let said = reasons(&found);
        assert!(
            said.iter().any(|r| r.about == *about),
            "{changed:?}: {said:?}"
        );
        assert_eq!(found.verdict, *verdict, "{changed:?}: {said:?}");
    }
}

#[test]
fn settings_with_which_vehicles_fell_are_not_to_be_flown() {
    const NO: Verdict = Verdict::DoNotFly;
    let cases: [Case; 20] = [
        (&[("CA_ROTOR_COUNT", 6.0)], NO, "vehicle"),
        (&[("MAV_TYPE", 13.0)], NO, "vehicle"),
        (&[("MC_PITCHRATE_D", 0.05)], NO, "stability"),
        (&[("MC_ROLL_P", 0.1)], NO, "stability"),
        (&[("MC_ROLL_P", 0.0)], NO, "loss"),
        (&[("MC_ROLL_P", -0.9)], NO, "gain"),
        (&[("MC_ROLLRATE_K", 0.01)], NO, "stability"),
        (&[("MC_ROLLRATE_P", 0.03)], NO, "stability"),
        (&[("MC_YAW_P", 100.0)], NO, "stability"),
        (&[("MC_YAWRATE_P", 0.0)], NO, "stability"),
        (&[("MPC_XY_P", 17.0)], NO, "stability"),
        (&[("MPC_Z_VEL_P_ACC", 0.0)], NO, "stability"),
        (&[("MPC_XY_VEL_I_ACC", 60.0)], NO, "stability"),
        (&[("MPC_XY_VEL_P_ACC", 50.0)], NO, "stability"),
        (
            &[("MC_PITCHRATE_K", 4.0), ("MC_PITCHRATE_P", 0.45)],
            NO,
            "stability",
        ),
        (
            &[("MC_PITCHRATE_K", 5.0), ("MC_PITCHRATE_D", 0.006)],
            NO,
            "stability",
        ),
        (&[("MC_ROLLRATE_FF", 4.0)], NO, "stability"),
        (&[("MC_YAWRATE_FF", 10.0)], NO, "stability"),
        (&[("MC_ROLLRATE_MAX", 0.0)], NO, "loss"),
        (&[("MPC_THR_MAX", 0.0)], NO, "limit"),
    ];
    are_judged(&cases);
}

#[test]
fn settings_with_which_vehicles_flew_wrong_are_named() {
    const CARE: Verdict = Verdict::WithCare;
    let cases: [Case; 14] = [
        (&[("MC_PITCH_P", 21.5)], CARE, "phase-margin"),
        (&[("MC_PITCHRATE_FF", 0.8)], CARE, "phase-margin"),
        (&[("MC_ROLLRATE_P", 0.5)], CARE, "gain-margin"),
        (&[("MC_YAW_P", 0.01)], CARE, "slow"),
        (&[("MC_YAWRATE_MAX", 0.0)], CARE, "slow"),
        (&[("MC_YAW_WEIGHT", 0.0)], CARE, "slow"),
        (&[("MC_RR_INT_LIM", 0.0)], CARE, "limit"),
        (&[("MPC_Z_P", 0.0)], CARE, "not-simulated"),
        (&[("MPC_XY_VEL_D_ACC", 1.8)], CARE, "not-simulated"),
        (&[("MPC_XY_VEL_MAX", 0.1)], CARE, "not-simulated"),
        (&[("MC_AIRMODE", 1.0)], CARE, "not-simulated"),
        (&[("IMU_GYRO_DNF_EN", 3.0)], CARE, "not-simulated"),
        (&[("MC_SOMETHING_NEW", 1.0)], CARE, "not-simulated"),
        (
            &[("CA_ROTOR_COUNT", 4.0), ("MAV_TYPE", 13.0)],
            CARE,
            "vehicle",
        ),
    ];
    are_judged(&cases);
}

#[test]
fn ardupilot_s_and_betaflight_s_parameters_that_act_are_named() {
    let ardupilot = |more: &str| tune("ardupilot", &format!("ATC_RAT_RLL_P,0.1\n{more}\n"));
    let betaflight = |more: &str| tune("betaflight", &format!("set p_roll = 45\n{more}\n"));
    assert!(ardupilot("LOG_BITMASK,1").acting.is_empty());
    for line in [
        "ATC_RAT_RLL_SMAX,20",
        "INS_HNTCH_ENABLE,1",
        "MOT_YAW_HEADROOM,50",
        "PSC_VELXY_D,2",
        "ATC_ANYTHING_NEW,1",
    ] {
        let (name, _) = line.split_once(',').expect("a setting");
        assert!(ardupilot(line).acting[0].starts_with(name), "{line}");
    }
    assert!(betaflight("set osd_units = METRIC").acting.is_empty());
    for line in [
        "set tpa_rate = 90",
        "set iterm_relax = OFF",
        "set dterm_anything_new = 3",
        "set use_integrated_yaw = ON",
    ] {
        let name = line.split(' ').nth(1).expect("a name");
        assert!(betaflight(line).acting[0].starts_with(name), "{line}");
    }
}

#[test]
fn a_file_of_differences_is_completed_from_the_firmware_and_says_so() {
    let tune = tune("betaflight", "set d_roll = 40\nset d_pitch = 46\n");
    assert_eq!(tune.origins.file, ["d_roll", "d_pitch"]);
    assert!(tune.origins.stock.contains(&"p_roll".to_owned()));
    assert_eq!(tune.origins.airframe, ["position loop", "attitude loop"]);
    let said = tune.origins.to_string();
    assert!(
        said.starts_with("Gains: 2 from the file, 7 as the firmware comes ("),
        "{said}"
    );
    let whole = reading::defaults("betaflight", &vehicle(), &vehicle().gains).expect("known");
    assert_eq!(tune.gains.rate_kp, whole.gains.rate_kp);
}

#[test]
fn a_heading_that_is_not_held_is_a_reason_of_its_own() {
    let points = "t,x,y,z,yaw\n0,0,0,0,0\n5,0,0,0,2\n10,0,0,0,-1\n15,0,0,0,2\n20,0,0,0,0\n";
    let airframe = vehicle();
    let tune = tune("px4", &px4(&[("MC_YAW_P", 0.01)]));
    let task = Task {
        setup: Setup::new(airframe.clone()),
        trajectory: Box::new(trajectories::Waypoints::from_csv("turns", points).expect("legal")),
        domain: Domain::steady(),
        seed: 1,
        delay_ms: None,
        rotor_out: None,
        taken: Vec::new(),
    };
    let baseline = Baseline::own(&airframe, &tune);
    let found = check(&task, &tune, &baseline, 10, &Interrupt::default()).expect("flown");
    assert!(
        found.reasons.iter().any(|r| r.about == "heading"),
        "{:?}",
        found.reasons
    );
    assert!(found.figures.tune.heading_deg > 60.0 && found.figures.baseline.heading_deg < 20.0);
}
