use super::*;
use approx::assert_relative_eq;
use std::collections::BTreeMap;

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
    let written = Crazyflie.parameters(&airframe, &airframe.gains, &Tuned::everything());
    let written = written.expect("mapped").into_iter();
    let written: BTreeMap<String, f64> = written.map(|p| (p.name, p.value)).collect();
    assert_eq!(written.len(), FIRMWARE_DEFAULTS.len());
    for (name, value) in FIRMWARE_DEFAULTS {
        let expected = if left_out.contains(&name) { 0.0 } else { value };
        assert_relative_eq!(written[name], expected, max_relative = 1e-6);
    }
}
