//! Settings of Betaflight, as the header of a blackbox log holds them, written as commands of its CLI. What a header
//! calls them is in the firmware's `blackbox.c`, the words that its numbers stand for in `settings.c`.

use super::FlightLogError;
use std::collections::BTreeMap;

/// Settings that a header never holds and that act on the loop.
const MISSING: &str = "mixer yaw_motors_reversed iterm_limit iterm_rotation use_integrated_yaw crash_recovery rpm_limit";

/// Lines of several numbers, and the setting that each is.
const LISTS: [(&str, &str); 10] = [
    ("rollPID", "p_roll i_roll d_roll"),
    ("pitchPID", "p_pitch i_pitch d_pitch"),
    ("yawPID", "p_yaw i_yaw d_yaw"),
    ("ff_weight", "f_roll f_pitch f_yaw"),
    ("d_min", "d_min_roll d_min_pitch d_min_yaw"),
    ("d_max", "d_max_roll d_max_pitch d_max_yaw"),
    (
        "gyro_lpf1_dyn_hz",
        "gyro_lpf1_dyn_min_hz gyro_lpf1_dyn_max_hz",
    ),
    (
        "dterm_lpf1_dyn_hz",
        "dterm_lpf1_dyn_min_hz dterm_lpf1_dyn_max_hz",
    ),
    ("gyro_notch_hz", "gyro_notch1_hz gyro_notch2_hz"),
    ("gyro_notch_cutoff", "gyro_notch1_cutoff gyro_notch2_cutoff"),
];

/// Lines whose number stands for a word of a setting, and these words from 0.
const WORDS: [(&str, &str); 9] = [
    (
        "gyro_lpf1_type gyro_lpf2_type dterm_lpf1_type dterm_lpf2_type",
        "PT1 BIQUAD PT2 PT3",
    ),
    ("gyro_hardware_lpf", "NORMAL OPTION_1 OPTION_2"),
    ("iterm_relax", "OFF RP RPY RP_INC RPY_INC"),
    ("iterm_relax_type", "GYRO SETPOINT"),
    ("tpa_mode", "PD D"),
    ("tpa_curve_type", "CLASSIC HYPERBOLIC"),
    ("feedforward_averaging", "OFF 2_POINT 3_POINT 4_POINT"),
    ("pid_at_min_throttle tpa_low_always", "OFF ON"),
    (
        "motor_pwm_protocol",
        "PWM ONESHOT125 ONESHOT42 MULTISHOT BRUSHED DSHOT150 DSHOT300 DSHOT600 PROSHOT1000",
    ),
];

/// What a header says of the log and of sensors, named as settings are.
const NONE: &str = "gyro_scale gyro_sync_denom gyro_debug_axis";

/// The settings in the lines of a header as a file of Betaflight's; `None` where there is no gain.
///
/// # Errors
/// [`FlightLogError::Firmware`].
pub(super) fn commands(
    headers: &BTreeMap<String, String>,
) -> Result<Option<String>, FlightLogError> {
    if !headers.contains_key("rollPID") {
        return Ok(None);
    }
    let revision = headers.get("Firmware revision").map_or("", String::as_str);
    let version = revision.split_whitespace().nth(1).unwrap_or_default();
    let mut parts = version
        .split('.')
        .map_while(|part| part.parse::<u32>().ok());
    let numbers = (parts.next().unwrap_or(0), parts.next().unwrap_or(0));
    if !revision.starts_with("Betaflight ") || numbers < (4, 3) {
        return Err(FlightLogError::Firmware(revision.to_owned()));
    }
    let mut text = format!("# Betaflight {version}\n");
    for (name, value) in headers {
        for (setting, value) in settings(name, value) {
            text += &format!("set {setting} = {value}\n");
        }
    }
    text += &format!("# not logged: {MISSING}\n");
    Ok(Some(text))
}

/// The settings in a line of a header, each with its value as the CLI has it.
fn settings<'l>(name: &'l str, value: &'l str) -> Vec<(&'l str, &'l str)> {
    let among = |names: &str| names.split_whitespace().any(|one| one == name);
    if let Some((_, settings)) = LISTS.iter().find(|(list, _)| *list == name) {
        return settings.split_whitespace().zip(value.split(',')).collect();
    }
    let known = WORDS.iter().find(|(names, _)| among(names));
    let place = value.parse::<usize>().ok();
    let word = known
        .zip(place)
        .and_then(|((_, words), place)| words.split_whitespace().nth(place));
    let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    let is_list = value.contains(',') && name != "rpm_filter_weights";
    match name.chars().all(is_name) && !among(NONE) && !is_list {
        true => vec![(name, word.unwrap_or(value))],
        false => Vec::new(),
    }
}
