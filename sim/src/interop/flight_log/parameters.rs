//! Parameters of an autopilot in a log of its flight. Betaflight's stand in the header of a blackbox log and become
//! commands of its CLI: what a header calls them is in the firmware's `blackbox.c`, the words that its numbers stand for
//! in `settings.c`.

use super::bytes::Bytes;
use super::samples::Samples;
use super::{FlightLogError, LogFormat};
use crate::autopilot::{CHANGED, DOUBT, FOREIGN, OF_LOG};
use std::collections::BTreeMap;
use std::io::Read;

/// Settings that a header never holds and that act on the loop.
const MISSING: &str = "mixer, yaw_motors_reversed, iterm_limit, iterm_rotation, use_integrated_yaw, crash_recovery, rpm_limit, adjrange";

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

/// The parameters in a log of PX4's, ArduPilot's or Betaflight's, a line each, as a parameter file has them, and in
/// comments what is to be said of them; `None` where `input` is no such log or holds none.
///
/// # Errors
/// [`FlightLogError`].
pub fn parameters(mut input: impl Read) -> Result<Option<String>, FlightLogError> {
    let mut file = Bytes::new(&mut input);
    let Ok(format @ (LogFormat::Ulog | LogFormat::Dataflash | LogFormat::Blackbox)) =
        super::format(file.peek(4096)?)
    else {
        return Ok(None);
    };
    let mut none = |_: &_| {};
    let mut samples = Samples::new(format, &mut none);
    super::samples_of(&mut file, &mut samples)?;
    let headers = std::mem::take(&mut samples.headers);
    let first = std::mem::take(&mut samples.first);
    let (named_at_s, adjusted) = (samples.named_at_s, samples.adjusted);
    let about = samples.finish(file.at())?;
    if about.is_own() {
        return Err(FlightLogError::Own);
    }
    let (mut text, changed) = match format {
        LogFormat::Blackbox => commands(&headers)?,
        // Both firmwares keep single precision, of which these are the digits.
        _ => {
            let digits = |(name, value): (String, f64)| (name, (value as f32).to_string());
            let lines = about.parameters.iter().cloned().map(digits);
            let lines = lines.map(|(name, value)| format!("{name},{value}\n"));
            (lines.collect(), first.into_iter().map(digits).collect())
        }
    };
    if text.is_empty() {
        return Ok(None);
    }
    text += &format!("# {OF_LOG}\n");
    for (name, value) in changed {
        text += &format!("# {CHANGED}{name} {value}\n");
    }
    let mut doubt = |said: &str| text += &format!("# {DOUBT}{said}\n");
    let damaged = about.left_out.damaged;
    if damaged > 0 {
        let records = if damaged == 1 { "record" } else { "records" };
        doubt(&format!(
            "the log has {damaged} damaged {records}: parameters may be missing in it or be others, so check a file of the autopilot's own"
        ));
    }
    if format == LogFormat::Dataflash && about.duration_s - named_at_s < COMPLETE_S {
        doubt("the log ends while its parameters are written: check a longer one");
    }
    if adjusted {
        doubt(
            "the transmitter changed settings in flight, and those that the log's header holds are judged",
        );
    }
    if format == LogFormat::Blackbox {
        doubt(&format!(
            "the log holds no {MISSING}, which act on the loop: they are taken as the firmware comes"
        ));
    }
    let vehicle = about.vehicle.unwrap_or_default();
    if format == LogFormat::Dataflash
        && vehicle.starts_with("Ardu")
        && !["ArduCopter", "ArduPlane"]
            .iter()
            .any(|of| vehicle.starts_with(of))
    {
        text += &format!("# {FOREIGN}the log is of {vehicle}, which flies no multirotor\n");
    }
    Ok(Some(text))
}

/// What follows the last new parameter of a log in which all are [s].
const COMPLETE_S: f64 = 1.0;

/// The settings in the header of the last flight as a file of Betaflight's, and those of the first that differ; nothing
/// where there is no gain.
fn commands(
    headers: &[BTreeMap<String, String>],
) -> Result<(String, BTreeMap<String, String>), FlightLogError> {
    let Some(last) = headers.last().filter(|of| of.contains_key("rollPID")) else {
        return Ok(Default::default());
    };
    let revision = last.get("Firmware revision").map_or("", String::as_str);
    let version = revision.split_whitespace().nth(1).unwrap_or_default();
    let mut parts = version
        .split('.')
        .map_while(|part| part.parse::<u32>().ok());
    let numbers = (parts.next().unwrap_or(0), parts.next().unwrap_or(0));
    if !revision.starts_with("Betaflight ") || numbers < (4, 3) {
        return Err(FlightLogError::Firmware(revision.to_owned()));
    }
    let all = |of: &BTreeMap<String, String>| -> BTreeMap<String, String> {
        let each = of.iter().flat_map(|(name, value)| settings(name, value));
        each.map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect()
    };
    let own = all(last);
    let mut changed = BTreeMap::new();
    for (name, value) in headers.iter().flat_map(all) {
        if own.get(&name).is_some_and(|last| *last != value) {
            changed.entry(name).or_insert(value);
        }
    }
    let lines = own
        .iter()
        .map(|(name, value)| format!("set {name} = {value}\n"));
    let lines: String = lines.collect();
    Ok((format!("# Betaflight {version}\n{lines}"), changed))
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
