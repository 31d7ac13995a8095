use super::*;
use crate::Pid;
use approx::assert_relative_eq;
use std::collections::BTreeMap;

const ALL: Tuned = Tuned {
    position_xy: true,
    position_z: true,
    attitude: [true; 3],
    rate: [true; 3],
};

/// The parameters of `gains` by name.
fn written(gains: &Gains) -> BTreeMap<String, f64> {
    let airframe = Airframe::by_name("crazyflie").expect("shipped");
    let parameters = Crazyflie.parameters(&airframe, gains, &ALL);
    let parameters = parameters.expect("mapped").into_iter();
    parameters.map(|p| (p.name, p.value)).collect()
}

/// The airframe's default gains are the firmware's own, as far as ours have a place for them.
#[test]
fn the_shipped_gains_are_the_firmware_s_defaults() {
    let airframe = Airframe::by_name("crazyflie").expect("shipped");
    let left_out = [
        "posCtlPid.zKi",
        "pid_attitude.roll_ki",
        "pid_attitude.pitch_ki",
        "pid_attitude.yaw_ki",
        "pid_attitude.yaw_kd",
    ];
    let written = written(&airframe.gains);
    assert_eq!(written.len(), FIRMWARE_DEFAULTS.len());
    for (name, value) in FIRMWARE_DEFAULTS {
        let expected = if left_out.contains(&name) { 0.0 } else { value };
        assert_relative_eq!(written[name], expected, max_relative = 1e-6);
    }
}

/// Worked out on paper: four motors of T = 2.3e-8 · 2500² = 0.14375 N and
/// M = 7.8e-10 · 2500² = 0.004875 N m at l = 0.0304056 m, 0.03 kg, g = 9.81 m/s².
#[test]
fn gains_give_the_numbers_worked_out_by_hand() {
    let pid = |kp, ki, kd| Pid { kp, ki, kd };
    let written = written(&Gains {
        position_xy: pid(3.0, 0.3, 2.5),
        position_z: pid(3.0, 0.5, 3.0),
        attitude_kp: [5.0, 5.0, 1.0],
        rate_kp: [3.0e-4, 3.0e-4, 1.5e-4],
        rate_ki: [3.0e-4, 3.0e-4, 2.0e-5],
        rate_kd: [1.2e-5, 1.2e-5, 0.0],
    });
    let expected = [
        // 2.5 x² − 3 x + 0.3 = 0: x = (3 + √6) / 5.
        ("posCtlPid.xKp", 1.089898),
        ("posCtlPid.yKp", 1.089898),
        // 3 x² − 3 x + 0.5 = 0: x = (3 + √3) / 6.
        ("posCtlPid.zKp", 0.788675),
        // A tilt of Kd / g rad: 2.5 / 9.81 · 57.2958; Ki / x = 0.275255, likewise.
        ("velCtlPid.vxKp", 14.60137),
        ("velCtlPid.vyKi", 1.607641),
        // 0.03 · 3 N for 1 m/s, of 0.575 N in all, 65.535 thousand counts; Ki / x = 0.633975.
        ("velCtlPid.vzKp", 10.25765),
        ("velCtlPid.vzKi", 2.167697),
        ("pid_attitude.roll_kp", 5.0),
        ("pid_attitude.yaw_kp", 1.0),
        // K = kp · 57.2958 / 2 / 65535 · 4 T l, where 4 T l = 0.01748322 N m: 7.642591e-6 kp.
        ("pid_rate.roll_kp", 39.25370),
        ("pid_rate.pitch_ki", 39.25370),
        ("pid_rate.roll_kd", 1.570148),
        // In yaw each motor takes all counts: K = kp · 57.2958 / 65535 · 4 M, 4 M = 0.0195.
        ("pid_rate.yaw_kp", 8.798473),
        ("pid_rate.yaw_ki", 1.173130),
    ];
    for (name, value) in expected {
        assert_relative_eq!(written[name], value, max_relative = 1e-6);
    }
    for (name, value) in &written {
        let ours = FIRMWARE_DEFAULTS.iter().any(|known| known.0 == name);
        assert!(ours, "{name} is a parameter of the firmware");
        assert!(value.is_finite(), "{name}");
    }
    // What the cascade and the attitude loop do without is switched off.
    for name in [
        "posCtlPid.xKi",
        "posCtlPid.zKd",
        "velCtlPid.vzKd",
        "pid_attitude.pitch_ki",
        "pid_attitude.roll_kd",
    ] {
        assert_eq!(written[name], 0.0, "{name}");
    }
}

/// The way back: the firmware's own rate gains as torques, by hand, export to themselves.
#[test]
fn the_firmware_s_own_rate_gains_come_back() {
    let airframe = Airframe::by_name("crazyflie").expect("shipped");
    let mut gains = airframe.gains;
    gains.rate_kp[0] = 1.910648e-3;
    gains.rate_ki[0] = 3.821296e-3;
    gains.rate_kd[0] = 1.910648e-5;
    let written = written(&gains);
    for (name, firmware) in [("kp", 250.0), ("ki", 500.0), ("kd", 2.5)] {
        let name = format!("pid_rate.roll_{name}");
        assert_relative_eq!(written[&name], firmware, max_relative = 1e-6);
    }
}
