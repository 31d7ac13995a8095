//! ArduPilot Copter (3.6 to 4.8): `AC_AttitudeControl`, `AC_PosControl`, `AP_MotorsMulticopter`.
//!
//! Where a parameter was renamed after 4.6 both names are read. The stability controller takes errors
//! back at half of `ATC_ACCEL_x_MAX`, between 40 and 720 deg/s² in roll and pitch and between 10 and 120
//! in yaw (`update_ang_vel_target_from_att_error`); the vertical acceleration loop is a PID around the
//! learned hover throttle (`update_z_controller`).

use super::{
    Firmware, Settings, Slopes, Structure, all_thrust_n, below_weight, first_order_s,
    full_torques_of, hover_share, hover_throttle, integral_limit_rad, open_filters,
    second_order_ms,
};
use crate::autopilot::legal::{MOST, sane};
use crate::control::thrust_curve;
use crate::{Airframe, AttitudeLaw, ControllerLimits, FRAMES, Frame, Law, VerticalLoop};
use std::f64::consts::TAU;

const AXES: [&str; 3] = ["RLL", "PIT", "YAW"];

/// Speed controllers and outputs [ms].
const OUTPUT_MS: f64 = 2.0;

/// The low-pass on the throttle that the vertical loop asks for [Hz] (`AC_PosControl.h`,
/// `POSCONTROL_THROTTLE_CUTOFF_FREQ_HZ`; `AP_MotorsMulticopter::update_throttle_filter`).
const THROTTLE_FILTER_HZ: f64 = 2.0;

/// cm/s² for which the old vertical acceleration loop asks for a thousandth of the throttle, by m/s².
const OLD_ACCELERATION: f64 = 0.1;

pub(super) const FIRMWARE: Firmware = Firmware {
    stock: &[
        ("INS_GYRO_FILTER", 20.0),
        ("SCHED_LOOP_RATE", 400.0),
        ("ATC_RAT_RLL_FLTT", 20.0),
        ("ATC_RAT_PIT_FLTT", 20.0),
        ("ATC_RAT_YAW_FLTT", 20.0),
        ("ATC_RAT_RLL_FLTE", 0.0),
        ("ATC_RAT_PIT_FLTE", 0.0),
        ("ATC_RAT_YAW_FLTE", 2.5),
        ("ATC_RAT_RLL_FLTD", 20.0),
        ("ATC_RAT_PIT_FLTD", 20.0),
        ("ATC_RAT_YAW_FLTD", 0.0),
        ("ATC_RAT_RLL_IMAX", 0.5),
        ("ATC_RAT_PIT_IMAX", 0.5),
        ("ATC_RAT_YAW_IMAX", 0.5),
        ("ATC_ACCEL_R_MAX", 110_000.0),
        ("ATC_ACCEL_P_MAX", 110_000.0),
        ("ATC_ACCEL_Y_MAX", 27_000.0),
        ("ATC_RATE_R_MAX", 0.0),
        ("ATC_RATE_P_MAX", 0.0),
        ("ATC_RATE_Y_MAX", 0.0),
        ("ANGLE_MAX", 3_000.0),
        ("MOT_THST_EXPO", 0.65),
        ("MOT_SPIN_MIN", 0.15),
        ("MOT_SPIN_MAX", 0.95),
        ("PSC_ACCZ_P", 0.5),
        ("PSC_ACCZ_I", 1.0),
        ("PSC_ACCZ_IMAX", 800.0),
        ("PSC_ACCZ_FLTE", 20.0),
        ("FRAME_CLASS", 1.0),
        ("FRAME_TYPE", 1.0),
    ],
    acting: &[
        (
            &[0.0],
            "ATC_RAT_*_SMAX ATC_RAT_*_PDMX ATC_RAT_*_D_FF ATC_RAT_*_NTF ATC_RAT_*_NEF \
             ATC_THR_G_BOOST ATC_HOVR_* ATC_RATE_WPY_MAX PSC_VELXY_FF PSC_VELZ_D PSC_VELZ_FF PSC_ACCZ_D \
             PSC_ACCZ_FF PSC_ACCZ_FLTT PSC_ACCZ_FLTD PSC_ACCZ_SMAX PSC_ACCZ_PDMX PSC_ACCZ_D_FF \
             PSC_ACCZ_NTF PSC_ACCZ_NEF PSC_NE_VEL_FF PSC_D_VEL_D PSC_D_VEL_FF PSC_D_ACC_D \
             PSC_D_ACC_FF PSC_D_ACC_FLTT PSC_D_ACC_FLTD PSC_D_ACC_SMAX PSC_D_ACC_PDMX \
             PSC_D_ACC_D_FF PSC_D_ACC_NTF PSC_D_ACC_NEF PSC_ANGLE_MAX MOT_BAT_CURR_MAX \
             MOT_SLEW_UP_TIME MOT_SLEW_DN_TIME MOT_BOOST_SCALE INS_NOTCH_ENABLE INS_HNTC*_ENABLE \
             TUNE CC_TYPE FSTRATE_ENABLE",
        ),
        // The attitude that the position loop asks for is shaped with these
        // (`input_thrust_vector_heading_rad`).
        (&[INPUT_S], "ATC_INPUT_TC"),
        (&[1.0], "ATC_RATE_FF_ENAB ATC_ANGLE_BOOST ATC_LAND_*_MULT"),
        (&[0.1], "ATC_THR_MIX_MIN"),
        (&[0.1, 0.5], "ATC_THR_MIX_MAN"),
        (&[0.5], "ATC_THR_MIX_MAX"),
        (&[0.5, 0.25], "PSC_VELXY_D"),
        (
            &[5.0],
            "PSC_VELXY_FLTE PSC_VELXY_FLTD PSC_VELZ_FLTE PSC_VELZ_FLTD PSC_NE_VEL_FLTE \
             PSC_NE_VEL_FLTD PSC_D_VEL_FLTE PSC_D_VEL_FLTD",
        ),
        (&[1000.0], "PSC_VELXY_IMAX PSC_VELZ_IMAX"),
        (&[0.5, 0.25], "PSC_NE_VEL_D"),
        (&[1000.0, 10.0], "PSC_NE_VEL_IMAX PSC_D_VEL_IMAX"),
        (&[200.0], "MOT_YAW_HEADROOM"),
        (&[490.0, 400.0], "RC_SPEED"),
        (&[20.0, 10.0], "INS_ACCEL_FILTER"),
    ],
    harmless: &[
        // how slowly the lean that the throttle leaves changes: update_althold_lean_angle_max
        "ATC_ANG_LIM_TC",
        // setpoints of the heading: get_slew_yaw_cds
        "ATC_SLEW_YAW",
        // tests of acro mode
        "ATC_TEST_*",
        // setpoints: AC_PosControl, input_pos_vel_accel_xy
        "PSC_JERK_*",
        // setpoints until 3.6: AC_PosControl
        "PSC_ACC_XY_FILT",
        // the scale of the outputs: AP_MotorsMulticopter, output_to_pwm
        "MOT_PWM_*",
        // before arming: AP_MotorsMulticopter
        "MOT_SAFE_*",
        // before take-off: AP_MotorsMulticopter, output_logic
        "MOT_SPOOL_TIME MOT_IDLE_*",
        // after landing: AP_MotorsMulticopter, output_logic
        "MOT_SPOOL_TIM_DN",
        // on the ground: AP_MotorsMulticopter, output_logic
        "MOT_SPIN_ARM",
        // learns the hover throttle, which is taken for learned
        "MOT_HOVER_LEARN",
        // holds the thrust as the battery sags: update_lift_max_from_batt_voltage
        "MOT_BAT_VOLT_M*",
        // which battery is looked at: AP_MotorsMulticopter
        "MOT_BAT_IDX",
        // off with MOT_BAT_CURR_MAX 0: get_current_limit_max_throttle
        "MOT_BAT_CURR_TC",
        // which battery voltage is taken: AP_MotorsMulticopter
        "MOT_OPTIONS",
        // off with its _ENABLE 0: HarmonicNotchFilter
        "INS_HNTC*_*",
        // off with its _ENABLE 0: NotchFilter
        "INS_NOTCH_*",
        // calibration: AP_InertialSensor
        "INS_ACC* INS_GYR*_* INS_GYR_CAL INS_GYROFFS_* INS_TRIM_OPTION",
        // the sampling before the filter: AP_InertialSensor
        "INS_GYRO_RATE INS_FAST_SAMPLE",
        // which sensors are used: AP_InertialSensor
        "INS_USE* INS_ENABLE_MASK",
        // where the sensors are: AP_InertialSensor
        "INS_POS*",
        // logging: AP_InertialSensor, BatchSampler
        "INS_LOG_*",
        // calibration: AP_InertialSensor_tempcal
        "INS_TCAL*",
        // before take-off: AP_InertialSensor
        "INS_STILL_THRESH",
        // which sensor it is: AP_InertialSensor
        "INS_PRODUCT_ID",
        // logging: AP_InertialSensor
        "INS_RAW_LOG_OPT",
    ],
    control: "ATC_ PSC_ MOT_ INS_ RATE_ STB_ THR_ POS_ VEL_ ACCEL_",
    words: &[],
    structure,
};

/// `ATC_INPUT_TC` as the firmware comes [s], and how much quicker than that the attitude loop may be before the margins of
/// the position loop are clearly smaller.
const INPUT_S: f64 = 0.15;
const SHAPED: f64 = 1.5;

/// Throttle at which nothing is left to lean with (`AC_ATTITUDE_CONTROL_ANGLE_LIMIT_THROTTLE_MAX`), and the tilt that is
/// always left [deg] (`AC_ATTITUDE_CONTROL_ANGLE_LIMIT_MIN`).
const LEANING: f64 = 0.8;
const LEAST_LEAN_DEG: f64 = 10.0;

fn structure(settings: &Settings, airframe: &Airframe) -> Structure {
    let full = full_torques_of("ardupilot", airframe);
    let at_hover = hover_share(airframe);
    let curve = Motors::of(settings);
    let slope = curve.slope(at_hover);
    let rate = |what: &str| AXES.map(|axis| settings.value(&format!("ATC_RAT_{axis}_{what}")));
    let (feedforward, gain_i, most_i) = (rate("FF"), rate("I"), rate("IMAX"));
    let rate_d = rate("D");
    // Until 3.6 one filter served the error, and with it the derivative; there was none on the target.
    let of_error = AXES.map(|axis| settings.own(&format!("ATC_RAT_{axis}_FILT")));
    let old = of_error.iter().any(Option::is_some);
    let (mut on_target, mut on_error, mut on_d) = (rate("FLTT"), rate("FLTE"), rate("FLTD"));
    if old {
        (on_target, on_d) = ([0.0; 3], [0.0; 3]);
        let usual = [20.0, 20.0, 5.0];
        on_error = std::array::from_fn(|k| of_error[k].unwrap_or(usual[k]));
    }
    // One filter serves all axes: the slowest of those that have a D.
    let filters = on_d.into_iter().zip(rate_d);
    let slowest_hz = filters
        .filter(|(hz, d)| *hz > 0.0 && *d > 0.0)
        .map(|(hz, _)| hz)
        .fold(f64::INFINITY, f64::min);
    let gyro_hz = settings.value("INS_GYRO_FILTER");
    let loop_hz = settings.value("SCHED_LOOP_RATE").max(50.0);
    let given = settings.own("MOT_THST_HOVER");
    let (mut foreign, mut odd) = (Vec::new(), Vec::new());
    match frame(settings, airframe) {
        Some((said, true)) => foreign.push(said),
        may_be => odd.extend(may_be.map(|found| found.0)),
    }
    let (asked, most_n) = (
        curve.asked(at_hover),
        all_thrust_n(airframe) * curve.share(1.0),
    );
    odd.extend(shaped(settings));
    let filters = ["ATC_RAT_RLL_FLTD", "ATC_RAT_PIT_FLTD"].map(|name| (name, 80.0));
    odd.extend(open_filters(
        settings,
        &[("INS_GYRO_FILTER", 150.0), filters[0], filters[1]],
    ));
    odd.extend(hover_throttle("MOT_THST_HOVER", given, asked, airframe));
    Structure {
        controller: ControllerLimits {
            max_thrust_n: most_n,
            max_tilt_deg: tilt_deg(settings).min(leans_deg(asked)),
            rate_setpoint_limit_rad_s: ["R", "P", "Y"].map(|axis| {
                match settings.value(&format!("ATC_RATE_{axis}_MAX")) {
                    // No limit.
                    0.0 => 35.0,
                    limit => limit.max(0.0).to_radians(),
                }
            }),
            rate_integral_limit_rad: std::array::from_fn(|k| {
                integral_limit_rad(most_i[k], gain_i[k])
            }),
            torque_setpoint_limit_n_m: full,
            rate_filter_s: first_order_s(if slowest_hz.is_finite() {
                slowest_hz
            } else {
                0.0
            }),
            law: Some(Law {
                attitude: AttitudeLaw::TiltFirst,
                attitude_acceleration_rad_s2: accelerations_rad_s2(settings),
                rate_setpoint_filter_hz: on_target,
                rate_feedforward: std::array::from_fn(|k| feedforward[k] * full[k] * slope),
                torque_filter_hz: on_error,
                vertical: Some(vertical(settings, airframe, slope)),
                rotor_speed_share: Some(curve.spin_max),
                ..Law::default()
            }),
            ..airframe.controller.clone()
        },
        delay_ms: second_order_ms(gyro_hz) + 1000.0 / loop_hz + OUTPUT_MS,
        delay_said: format!(
            "INS_GYRO_FILTER {gyro_hz} Hz, SCHED_LOOP_RATE {loop_hz} Hz, {OUTPUT_MS} ms of output"
        ),
        // The loop on the acceleration below makes up for the thrust's slope.
        slopes: Slopes {
            rate: slope,
            vertical: 1.0,
        },
        speeds_m_s: Vec::new(),
        mismatches: odd,
        foreign,
        forbidding: ["PSC_ACCZ_P", "PSC_ACCZ_I", "PSC_D_ACC_P", "PSC_D_ACC_I"]
            .iter()
            .filter_map(|name| no_gain(settings, name))
            .chain(below_weight(
                "MOT_SPIN_MAX",
                settings.value("MOT_SPIN_MAX"),
                most_n,
                airframe,
            ))
            .collect(),
    }
}

/// That the attitude which is asked for is shaped more slowly than the attitude loop follows it, which is not simulated.
fn shaped(settings: &Settings) -> Option<String> {
    // Another value than the firmware's is named as acting, too.
    let time_s = settings
        .file
        .get("ATC_INPUT_TC")
        .copied()
        .unwrap_or(INPUT_S);
    let gains = ["RLL", "PIT"].map(|axis| settings.own(&format!("ATC_ANG_{axis}_P")));
    let gain = gains.into_iter().flatten().fold(0.0, f64::max);
    (time_s * gain > SHAPED).then(|| {
        format!("ATC_INPUT_TC {time_s} shapes what the position loop asks for and is not simulated: at ATC_ANG_RLL_P or ATC_ANG_PIT_P {gain} the position loop has smaller margins than these")
    })
}

/// That the value of a gain of the vertical acceleration loop is none.
fn no_gain(settings: &Settings, name: &str) -> Option<String> {
    let value = settings.own(name).filter(|value| !sane(*value))?;
    Some(format!("{name} {value}: a gain is from 0 to {MOST:e}"))
}

/// The thrust of a rotor by what is asked for (`AP_MotorsMulticopter::thr_lin.thrust_to_actuator`).
struct Motors {
    expo: f64,
    spin_min: f64,
    spin_max: f64,
}

impl Motors {
    fn of(settings: &Settings) -> Motors {
        // What is no number forbids the flight.
        let finite = |name: &str| Some(settings.value(name)).filter(|x| x.is_finite());
        let spin_max = finite("MOT_SPIN_MAX").unwrap_or(1.0).clamp(0.5, 1.0);
        Motors {
            expo: settings.value("MOT_THST_EXPO").clamp(-1.0, 1.0),
            spin_min: settings.value("MOT_SPIN_MIN").clamp(0.0, spin_max - 0.1),
            spin_max,
        }
    }

    /// What of the range between the two spins carries the share of full thrust.
    fn within(&self, share: f64) -> f64 {
        ((share.sqrt() - self.spin_min) / (self.spin_max - self.spin_min)).clamp(1e-3, 1.0)
    }

    /// As [`super::slope`].
    fn slope(&self, share: f64) -> f64 {
        let within = self.within(share);
        let by_asked = 1.0 / (2.0 * self.expo * within + 1.0 - self.expo);
        2.0 * share.sqrt() * (self.spin_max - self.spin_min) * by_asked
    }

    /// As [`super::asked`].
    fn asked(&self, share: f64) -> f64 {
        thrust_curve::asked(self.expo, self.within(share).powi(2))
    }

    /// As [`super::share`].
    fn share(&self, asked: f64) -> f64 {
        let within = thrust_curve::share(self.expo, asked).sqrt();
        (self.spin_min + (self.spin_max - self.spin_min) * within).powi(2)
    }
}

/// The greatest tilt [deg]: hundredths of a degree until 4.6.
fn tilt_deg(settings: &Settings) -> f64 {
    let given = match settings.own("ATC_ANGLE_MAX") {
        Some(degrees) => degrees,
        None => settings.value("ANGLE_MAX") / 100.0,
    };
    given.clamp(0.1, 80.0)
}

/// The greatest tilt that the throttle in hover leaves a position mode [deg]
/// (`AC_AttitudeControl_Multi::update_althold_lean_angle_max`).
fn leans_deg(throttle: f64) -> f64 {
    (throttle / LEANING)
        .min(1.0)
        .acos()
        .to_degrees()
        .max(LEAST_LEAN_DEG)
}

/// Accelerations at which attitude errors are taken back [rad/s²]: hundredths of a degree until 4.6.
fn accelerations_rad_s2(settings: &Settings) -> [f64; 3] {
    let limits = [[40.0, 720.0], [40.0, 720.0], [10.0, 120.0]];
    std::array::from_fn(|k| {
        let axis = ["R", "P", "Y"][k];
        let given = match settings.own(&format!("ATC_ACC_{axis}_MAX")) {
            Some(degrees) => degrees,
            None => settings.value(&format!("ATC_ACCEL_{axis}_MAX")) / 100.0,
        };
        let [low, high] = limits[k];
        match given > 0.0 {
            true => (0.5 * given).clamp(low, high).to_radians(),
            false => 0.0,
        }
    })
}

/// The loop on the vertical acceleration: a throttle for each m/s², by the thrust for a throttle.
fn vertical(settings: &Settings, airframe: &Airframe, slope: f64) -> VerticalLoop {
    let per_throttle_m_s2 = all_thrust_n(airframe) * slope / airframe.mass_kg;
    let gain = |new: &str, old: &str, by: f64| match settings.own(new) {
        Some(value) => value,
        None => settings.value(old) * by,
    };
    let filter_hz = settings.first(&["PSC_D_ACC_FLTE", "PSC_ACCZ_FLTE"]);
    let most = gain("PSC_D_ACC_IMAX", "PSC_ACCZ_IMAX", 1e-3);
    let of = |value: f64| value.max(0.0) * per_throttle_m_s2;
    VerticalLoop {
        kp: of(gain("PSC_D_ACC_P", "PSC_ACCZ_P", OLD_ACCELERATION)),
        ki: of(gain("PSC_D_ACC_I", "PSC_ACCZ_I", OLD_ACCELERATION)),
        filter_hz: filter_hz.max(0.0),
        thrust_filter_hz: THROTTLE_FILTER_HZ,
        integral_limit_m_s2: of(most),
    }
}

const CLASS: [&str; 2] = ["FRAME_CLASS", "Q_FRAME_CLASS"];
const TYPE: [&str; 2] = ["FRAME_TYPE", "Q_FRAME_TYPE"];

/// The same of more than four rotors: both numbers are those of the frame.
fn frame_of_many(settings: &Settings, airframe: &Airframe, class: f64) -> Option<(String, bool)> {
    let Some(frame) = Frame::of(&airframe.rotors) else {
        let of_class = FRAMES
            .iter()
            .find(|frame| f64::from(frame.ardupilot[0]) == class);
        let other = of_class.is_some_and(|frame| frame.count() != airframe.rotors.count());
        let sure = other && settings.says(&CLASS);
        return super::unknown_frame("ArduPilot", airframe).map(|said| (said, sure));
    };
    if !settings.says(&CLASS) {
        let said = format!(
            "the file sets no FRAME_CLASS: whether its mixer is that of {} is not known",
            frame.name
        );
        return Some((said, false));
    }
    let kind = settings.first(&TYPE);
    let own = frame.ardupilot.map(f64::from);
    // Types 13 and 14 number the motors of a hexa-x another way.
    let renumbered = frame.name == "hexa-x" && [13.0, 14.0].contains(&kind);
    (class != own[0] || (kind != own[1] && !renumbered)).then(|| {
        let said = format!(
            "FRAME_CLASS {class}, FRAME_TYPE {kind}: the frame of {}, {}, has {} and {}",
            airframe.name, frame.name, own[0], own[1]
        );
        (said, class != own[0] || settings.says(&TYPE))
    })
}

/// That the file is of another frame, `FRAME_CLASS` 1 being a quad and `FRAME_TYPE` 0 a plus, and whether it says so
/// itself.
fn frame(settings: &Settings, airframe: &Airframe) -> Option<(String, bool)> {
    let class = settings.first(&CLASS);
    let count = airframe.rotors.count();
    if count != 4 {
        return frame_of_many(settings, airframe, class);
    }
    if ![0.0, 1.0].contains(&class) {
        let said =
            format!("FRAME_CLASS {class}: the file is of no quad, and {count} rotors fly here");
        return Some((said, true));
    }
    let kind = settings.first(&TYPE);
    // Hubs of a plus lie on the axes.
    let [x, y, _] = airframe.rotors.positions_m[0];
    let on_axis = (y.abs().atan2(x.abs()) * 8.0 / TAU).round() % 2.0 == 0.0;
    let plus = kind == 0.0;
    // H, plus reversed and BF_X reversed.
    let reversed = [3.0, 6.0, 18.0].contains(&kind);
    let wrong = match reversed {
        true => Frame::of(&airframe.rotors).is_some(),
        false => Frame::turned(&airframe.rotors).is_some(),
    };
    let (name, sure) = (&airframe.name, settings.says(&TYPE));
    if wrong {
        let said = format!("FRAME_TYPE {kind}: the rotors of {name} turn the other way");
        return Some((said, sure));
    }
    let what = if plus { "a plus" } else { "no plus" };
    let said = || format!("FRAME_TYPE {kind} is {what}, and the rotors of {name} are not");
    (plus != on_axis).then(|| (said(), sure))
}
