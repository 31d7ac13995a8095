//! Crazyflie: the PID controller of its firmware (`attitude_pid_controller.c`,
//! `position_controller_pid.c`, `platform_defaults_cf2.h`).
//!
//! Thrust is taken as linear in the counts, as its gains are. The gyro passes a filter of 116 Hz of its own
//! and a low-pass of 80 Hz (`sensors_bmi088_bmp3xx.c`), the attitude loops run at 500 Hz.

use super::{Firmware, Settings, Slopes, Structure, all_thrust_n, full_torques_of};
use crate::autopilot::targets::crazyflie::{AXES, FULL_COUNTS};
use crate::{Airframe, AttitudeLaw, ControllerLimits, Law};

/// The gyro's filter of 116 Hz, its low-pass of 80 Hz and the loop at 500 Hz [ms].
const DELAY_MS: f64 = 225.0 / 116.0 + 225.0 / 80.0 + 1.0;

/// Clamps of the rate errors' integrals [deg].
const INTEGRAL_LIMITS_DEG: [f64; 3] = [33.3, 33.3, 166.7];

pub(super) const FIRMWARE: Firmware = Firmware {
    stock: &[("posCtlPid.rLimit", 20.0), ("posCtlPid.pLimit", 20.0)],
    acting: &[
        (
            &[0.0],
            "posCtlPid.*Kd posCtlPid.xKi posCtlPid.yKi posCtlPid.*Kff velCtlPid.*Kd \
             velCtlPid.*KFF velCtlPid.*Kff pid_attitude.roll_kd pid_attitude.pitch_kd \
             pid_attitude.*_kff pid_attitude.yawMaxDelta pid_attitude.attFiltEn \
             pid_rate.rateFiltEn powerDist.idleThrust motorPowerSet.enable",
        ),
        (&[0.5], "posCtlPid.zKi"),
        (&[1.0], "posCtlPid.*VelMax pid_attitude.yaw_ki"),
        (&[36_000.0], "posCtlPid.thrustBase"),
        (&[20_000.0], "posCtlPid.thrustMin"),
        (&[3.0], "pid_attitude.roll_ki pid_attitude.pitch_ki"),
        (&[0.35], "pid_attitude.yaw_kd"),
        (&[1.0, 0.0], "stabilizer.controller"),
    ],
    harmless: &[
        // off with attFiltEn 0: pid.c
        "pid_attitude.*Cutoff pid_attitude.*Cut",
        // off with rateFiltEn 0: pid.c
        "pid_rate.*Cutoff pid_rate.*Cut",
        // off with enable 0: motorsSetRatio
        "motorPowerSet.m*",
        // the estimator, which is not modelled: estimator.c
        "stabilizer.estimator",
        // an emergency stop: stabilizer.c
        "stabilizer.stop",
    ],
    control: "posCtlPid. velCtlPid. pid_attitude. pid_rate. stabilizer. powerDist. \
        motorPowerSet.",
    words: &[],
    structure,
};

/// Limits of the speed across, upwards and downwards, as the firmware comes [m/s].
const SPEEDS: [(&str, f64); 3] = [
    ("posCtlPid.xVelMax", 1.0),
    ("posCtlPid.zVelMax", 1.0),
    ("posCtlPid.zVelMax", 1.0),
];

fn structure(settings: &Settings, airframe: &Airframe) -> Structure {
    let full = full_torques_of("crazyflie", airframe);
    let feedforward = AXES.map(|axis| settings.value(&format!("pid_rate.{axis}_kff")));
    let tilt_deg = settings
        .value("posCtlPid.rLimit")
        .min(settings.value("posCtlPid.pLimit"));
    Structure {
        controller: ControllerLimits {
            max_thrust_n: all_thrust_n(airframe),
            max_tilt_deg: tilt_deg.clamp(0.1, 89.0),
            rate_integral_limit_rad: INTEGRAL_LIMITS_DEG.map(f64::to_radians),
            // Commands are 16-bit integers with a sign.
            torque_setpoint_limit_n_m: full.map(|full| full * 32767.0 / FULL_COUNTS),
            law: Some(Law {
                attitude: AttitudeLaw::Angles,
                rate_feedforward: std::array::from_fn(|k| {
                    feedforward[k] * 1f64.to_degrees() / FULL_COUNTS * full[k]
                }),
                ..Law::default()
            }),
            ..airframe.controller.clone()
        },
        delay_ms: DELAY_MS,
        delay_said: "gyro low-passes of 116 and 80 Hz, loops at 500 Hz".to_owned(),
        slopes: Slopes::NONE,
        speeds_m_s: settings.speeds_m_s(SPEEDS),
        mismatches: Vec::new(),
        foreign: Vec::new(),
        forbidding: Vec::new(),
    }
}
