//! Betaflight (4.3 to 2025.12): the rate loop of `pid.c`, with its filters.
//!
//! Filters of type PT1 delay by 1/(2π f), PT2 and PT3 by two and three of these at a higher cut-off
//! (`common/filter.c`), a biquad by .225/f. Dynamic low-passes are taken at their lower end.

use super::{
    Firmware, Settings, Slopes, Structure, all_thrust_n, full_torques_of, hover_share,
    integral_limit_rad, unknown_frame,
};
use crate::autopilot::parameter_file::MIXER;
use crate::autopilot::targets::betaflight::{AXES, FEEDFORWARD_PER_DEG, per_rad};
use crate::{Airframe, AttitudeLaw, ControllerLimits, FRAMES, Frame, Law};
use std::collections::BTreeMap;
use std::f64::consts::TAU;

/// The loop, the output and the speed controllers [ms].
const OUTPUT_MS: f64 = 0.75;

/// The notches of the RPM filter at the motors' rate around 150 Hz and its harmonics, four motors of three
/// each (`rpm_filter.c`, on with `dshot_bidir`) [ms].
const RPM_FILTER_MS: f64 = 1.5;

/// One dynamic notch of the usual width around 150 Hz [ms].
const NOTCH_MS: f64 = 0.35;

pub(super) const FIRMWARE: Firmware = Firmware {
    stock: &[
        ("gyro_lpf1_static_hz", 250.0),
        ("gyro_lpf1_dyn_min_hz", 250.0),
        ("gyro_lpf2_static_hz", 500.0),
        ("dyn_notch_count", 3.0),
        ("dterm_lpf1_static_hz", 75.0),
        ("dterm_lpf1_dyn_min_hz", 75.0),
        ("dterm_lpf2_static_hz", 150.0),
        ("dshot_bidir", 0.0),
        ("pidsum_limit", 500.0),
        ("pidsum_limit_yaw", 400.0),
        ("iterm_limit", 400.0),
        ("thrust_linear", 0.0),
        ("f_roll", 120.0),
        ("f_pitch", 125.0),
        ("f_yaw", 120.0),
    ],
    acting: &[
        (&[65.0], "tpa_rate"),
        (&[1350.0], "tpa_breakpoint"),
        (&[20.0], "tpa_low_rate"),
        (&[1050.0], "tpa_low_breakpoint"),
        (&[80.0, 3500.0], "anti_gravity_gain"),
        (
            &[100.0],
            "anti_gravity_p_gain yaw_lowpass_hz motor_output_limit rpm_filter_min_hz \
             feedforward_yaw_hold_time",
        ),
        (&[100.0, 150.0], "dyn_notch_min_hz"),
        (&[50.0], "rpm_filter_fade_range_hz"),
        (&[150.0], "rpm_filter_lpf_hz"),
        (&[14.0], "motor_poles"),
        (&[15.0], "feedforward_boost feedforward_yaw_hold_gain"),
        (&[25.0, 37.0], "feedforward_smooth_factor"),
        (&[7.0], "feedforward_jitter_factor"),
        (&[90.0], "feedforward_max_rate_limit"),
        (&[5.0], "anti_gravity_cutoff_hz throttle_boost"),
        (&[85.0, 80.0], "iterm_windup"),
        (&[15.0], "iterm_relax_cutoff throttle_boost_cutoff"),
        (
            &[0.0],
            "abs_control_gain dterm_notch_hz dyn_idle_min_rpm vbat_sag_compensation \
             gyro_notch1_hz gyro_notch2_hz gyro_offset_yaw acc_limit acc_limit_yaw \
             transient_throttle_limit feedforward_transition",
        ),
        (&[37.0, 0.0], "d_max_gain"),
        (&[20.0, 35.0], "d_max_advance"),
        (&[1.0, 2.0, 4.0, 8.0], "pid_process_denom"),
        (&[3.0], "rpm_filter_harmonics"),
        (&[500.0], "rpm_filter_q"),
        (&[300.0], "dyn_notch_q"),
        (&[600.0], "dyn_notch_max_hz"),
    ],
    harmless: &[
        // sliders, whose gains stand in the file: config/simplified_tuning.c
        "simplified_*",
        // angle mode: pid.c, pidLevel
        "level_* angle_*",
        // horizon mode: pid.c, calcHorizonLevelStrength
        "horizon_*",
        // launch control: pid.c, applyLaunchControl
        "launch_*",
        // off as it comes: pid.c, detectAndSetCrashRecovery
        "crash_*",
        // calibration: sensors/gyro.c
        "gyro_calib_* gyro_cal_on_first_arm",
        // after an overflow: sensors/gyro.c
        "gyro_overflow_detect",
        // logging: sensors/gyro.c
        "gyro_filter_debug_axis",
        // which sensor is used: sensors/gyro.c
        "gyro_to_use",
        // the upper end, of which the lower is taken: dynLpfGyroUpdate
        "gyro_lpf1_dyn_max_hz",
        // between the ends, of which the lower is taken: dynLpfGyroUpdate
        "gyro_lpf1_dyn_expo",
        // off with a notch at 0 Hz: sensors/gyro_init.c
        "gyro_notch*_cutoff",
        // the upper end, of which the lower is taken: dynLpfDTermUpdate
        "dterm_lpf1_dyn_max_hz",
        // between the ends, of which the lower is taken: dynLpfDTermUpdate
        "dterm_lpf1_dyn_expo",
        // off with dterm_notch_hz 0: pid_init.c
        "dterm_notch_cutoff",
        // off with dyn_idle_min_rpm 0: mixer.c
        "dyn_idle_*_gain dyn_idle_max_increase",
        // the wiring, and the rate of outputs that are not digital: drivers
        "motor_pwm_rate motor_pwm_inversion",
        // off with rpm_limit OFF: mixer.c
        "rpm_limit_* motor_kv",
        // off with tpa_curve_type CLASSIC: pid_init.c
        "tpa_curve_*",
    ],
    control: "p_ i_ d_ f_ dterm_ gyro_ tpa_ iterm_ pid dyn_ rpm_filter anti_gravity throttle_boost \
        thrust_ motor_ mixer yaw_lowpass yaw_motors abs_control use_integrated vbat_sag \
        integrated_yaw rpm_limit acc_limit transient_throttle feedforward_ dshot_bidir \
        crash_recovery",
    words: &[
        ("iterm_relax", "RP"),
        ("iterm_relax_type", "SETPOINT"),
        ("iterm_rotation use_integrated_yaw", "OFF"),
        ("tpa_mode", "D"),
        ("gyro_hardware_lpf", "NORMAL"),
        (
            "gyro_lpf1_type gyro_lpf2_type dterm_lpf1_type dterm_lpf2_type",
            "PT1",
        ),
        ("mixer_type", "LEGACY"),
        ("pid_at_min_throttle", "ON"),
        ("crash_recovery rpm_limit tpa_low_always", "OFF"),
        ("feedforward_averaging", "OFF"),
        ("rpm_filter_weights", "100,100,100"),
        // A channel of the transmitter that changes a gain in flight.
        ("adjrange", "none"),
        ("tpa_curve_type", "CLASSIC"),
        (
            "motor_pwm_protocol",
            "DSHOT600 DSHOT300 DSHOT150 PROSHOT1000",
        ),
    ],
    structure,
};

fn structure(settings: &Settings, airframe: &Airframe) -> Structure {
    let full = full_torques_of("betaflight", airframe);
    // At hover strong motors have less slope than a line, in a climb more: the line is the careful one.
    let linearised = settings.value("thrust_linear") / 100.0;
    let slope = slope(linearised, hover_share(airframe)).max(1.0);
    let share = |name: &str| (settings.value(name) / 1000.0).max(0.0);
    let (most, most_yaw) = (share("pidsum_limit"), share("pidsum_limit_yaw"));
    let integral: [f64; 3] = std::array::from_fn(|k| {
        let ki = settings.value(&format!("i_{}", AXES[k])) * per_rad(1, k);
        integral_limit_rad(share("iterm_limit"), ki)
    });
    let feedforward = AXES.map(|axis| settings.value(&format!("f_{axis}")));
    // The dynamic low-pass, where it is on, takes the place of the fixed one.
    let first = |dynamic: &str, fixed: &str| match (settings.value(dynamic), settings.value(fixed))
    {
        (0.0, hz) | (hz, _) => hz,
    };
    let gyro = [
        first("gyro_lpf1_dyn_min_hz", "gyro_lpf1_static_hz"),
        settings.value("gyro_lpf2_static_hz"),
    ];
    let d_term = [
        first("dterm_lpf1_dyn_min_hz", "dterm_lpf1_static_hz"),
        settings.value("dterm_lpf2_static_hz"),
    ];
    let delay_of = |hz: f64| if hz > 0.0 { 1.0 / (TAU * hz) } else { 0.0 };
    let by_rpm = settings.value("dshot_bidir");
    let notches = settings.value("dyn_notch_count").clamp(0.0, 5.0);
    Structure {
        controller: ControllerLimits {
            max_thrust_n: all_thrust_n(airframe),
            rate_integral_limit_rad: integral,
            torque_setpoint_limit_n_m: [full[0] * most, full[1] * most, full[2] * most_yaw],
            rate_filter_s: d_term.map(delay_of).iter().sum::<f64>().max(1e-4),
            law: Some(Law {
                attitude: AttitudeLaw::TiltFirst,
                rate_feedforward_derivative: std::array::from_fn(|k| {
                    feedforward[k] * FEEDFORWARD_PER_DEG.to_degrees() * full[k] * slope
                }),
                ..Law::default()
            }),
            ..airframe.controller.clone()
        },
        delay_ms: 1e3 * gyro.map(delay_of).iter().sum::<f64>()
            + notches * NOTCH_MS
            + by_rpm * RPM_FILTER_MS
            + OUTPUT_MS,
        delay_said: format!(
            "gyro low-passes at {} and {} Hz, {notches} notches, RPM filter {}, {OUTPUT_MS} ms of loop and \
             output",
            gyro[0],
            gyro[1],
            if by_rpm > 0.0 { "on" } else { "off" }
        ),
        slopes: Slopes {
            rate: slope,
            vertical: 1.0,
        },
        speeds_m_s: Vec::new(),
        mismatches: [
            unknown_frame("Betaflight", airframe),
            reversed(settings, airframe).filter(|_| !settings.says(&[REVERSED])),
        ]
        .into_iter()
        .flatten()
        .chain((0..3).filter_map(|k| quick_d(settings, k)))
        .collect(),
        foreign: (other_mixer(settings, airframe).into_iter())
            .chain(reversed(settings, airframe).filter(|_| settings.says(&[REVERSED])))
            .collect(),
        forbidding: Vec::new(),
    }
}

/// The switch of motors that turn against those of the mixer, which turns the sign of yaw (`mixer.c`, mixTable).
const REVERSED: &str = "yaw_motors_reversed";

/// That the rotors do not turn as [`REVERSED`] says.
fn reversed(settings: &Settings, airframe: &Airframe) -> Option<String> {
    let (name, is_on) = (&airframe.name, settings.value(REVERSED) != 0.0);
    let is_turned = Frame::turned(&airframe.rotors).is_some();
    match (is_on, is_turned) {
        (true, false) => Some(format!(
            "{REVERSED} ON: the rotors of {name} do not turn against those of its mixer; if they do, turn every sign of yaw_torque_signs in the airframe file"
        )),
        (false, true) => Some(format!(
            "the rotors of {name} turn against those of its mixer: is {REVERSED} ON?"
        )),
        _ => None,
    }
}

/// D of roll and pitch in calm flight with which versions until 4.5 come (`pid.h`, D_MIN_DEFAULT).
const CALM_D: [(&str, f64); 2] = [("roll", 30.0), ("pitch", 34.0)];

/// Adds D of calm flight to the values of a file of a `version` that comes with one; where the version is not known,
/// says what a D without it may be.
pub(in crate::autopilot) fn calm_d(
    values: &mut BTreeMap<String, f64>,
    version: Option<&str>,
) -> Option<String> {
    let numbers = |version: &str| {
        let mut parts = version
            .split('.')
            .map_while(|part| part.parse::<u32>().ok());
        Some((parts.next()?, parts.next()?))
    };
    let Some(version) = version.and_then(numbers) else {
        let tells = |name: &String| name.starts_with("d_min_") || name.starts_with("d_max_");
        if values.keys().any(tells) {
            return None;
        }
        let quick = CALM_D.iter().filter_map(|(axis, calm)| {
            let name = format!("d_{axis}");
            let d = values.get(&name).filter(|d| *d > calm)?;
            Some(format!("{name} {d} (calm {calm})"))
        });
        let quick: Vec<String> = quick.collect();
        return (!quick.is_empty()).then(|| {
            format!(
                "{}: the file says no version, and until 4.5 this is the D of quick turns; calm flight has the other",
                quick.join(" and ")
            )
        });
    };
    if version < (4, 6) {
        for (axis, calm) in CALM_D {
            values.entry(format!("d_min_{axis}")).or_insert(calm);
        }
    }
    None
}

/// That the file's mixer is that of another frame than the airframe's, or of another number of rotors.
fn other_mixer(settings: &Settings, airframe: &Airframe) -> Option<String> {
    let place = settings.own(MIXER)?;
    let known = FRAMES.get(place as usize).filter(|_| place >= 0.0);
    let Some(frame) = known else {
        let name = &airframe.name;
        return Some(format!(
            "{MIXER}: the file is of a frame that is not known here, and {name} is another"
        ));
    };
    let own = Frame::of(&airframe.rotors).or(Frame::turned(&airframe.rotors));
    let (count, fly) = (frame.count(), airframe.rotors.count());
    (count != fly || own.is_some_and(|own| own.name != frame.name)).then(|| {
        let (mixer, name) = (frame.betaflight.unwrap_or_default(), &airframe.name);
        let own = own.map_or("another frame", |own| own.name);
        format!(
            "mixer {mixer}: the file is of {count} rotors, {}, and {name} has {fly}, {own}",
            frame.name
        )
    })
}

/// That activity raises D above that of calm flight, which flies here, to other than the firmware's own
/// (`pid.c`, dMaxMultiplier): from `d_min` to `d` until 4.5, from `d` to `d_max` since.
fn quick_d(settings: &Settings, axis: usize) -> Option<String> {
    let name = AXES[axis];
    let d = settings.own(&format!("d_{name}"));
    let [least, most] = ["min", "max"].map(|end| settings.own(&format!("d_{end}_{name}")));
    let (calm, quick) = match (least, most) {
        (Some(least), _) if least > 0.0 => (least, d?),
        (_, Some(most)) => (d.unwrap_or(0.0), most),
        _ => return None,
    };
    let stock = [40.0, 46.0, 0.0][axis];
    (quick > calm && quick != stock).then(|| {
        format!("D of {name} rises from {calm} to {quick} in quick turns: {calm} flies here")
    })
}

/// The slope of the thrust by the output u, where the motor command is u (1 + e (1 − u)²)
/// (`pidApplyThrustLinearization`) and gives the square of it.
fn slope(e: f64, share: f64) -> f64 {
    let told = |u: f64| u * (1.0 + e * (1.0 - u) * (1.0 - u));
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        match told(middle) < share.sqrt() {
            true => low = middle,
            false => high = middle,
        }
    }
    let u = 0.5 * (low + high);
    2.0 * share.sqrt() * (1.0 + e * (1.0 - u) * (1.0 - 3.0 * u))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slope_is_the_derivative_of_the_thrust_by_the_output() {
        for e in [0.0, 0.2, 0.4] {
            for at in [0.05, 0.111, 0.4] {
                let told = |u: f64| u * (1.0 + e * (1.0 - u) * (1.0 - u));
                let u = (0..100_000)
                    .map(|k| f64::from(k) / 1e5)
                    .find(|u| told(*u) >= f64::sqrt(at))
                    .expect("within the range");
                let h = 1e-5;
                let expected = (told(u + h).powi(2) - told(u - h).powi(2)) / (2.0 * h);
                assert!((slope(e, at) - expected).abs() < 1e-3, "{e} {at}");
            }
        }
    }
}
