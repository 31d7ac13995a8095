//! Crazyflie: persistent parameters in the YAML form that its client and Python library read
//! (`ParamFileManager`, type `persistent_param_state`, version 1).
//!
//! Velocity errors become angles in degrees: to first order an acceleration a needs a tilt of
//! a/g rad. The vertical velocity loop's output is thousands of PWM counts of thrust, 65535 being
//! full (`position_controller_pid.c`). The rate loop's output is PWM counts, of which each motor
//! takes half in roll and pitch and all in yaw (`power_distribution_quadrotor.c`): full roll and
//! pitch stand for 2 T l, full yaw for 4 M, where T and M are thrust and reaction torque of one
//! motor at full speed and thrust is linear in the command.

use super::common::{
    Autopilot, Parameter, Parameters, Part, all_thrust_n, all_torque_n_m, comments, digits,
    full_thrust_n, inner_loops, known_frame, levers,
};
use crate::autopilot::{Cascade, Limits, Source, Tuned};
use crate::{Airframe, GRAVITY_M_S2, Gains};

/// The PID controller of the Crazyflie firmware.
#[derive(Debug, Clone, Copy, Default)]
pub struct Crazyflie;

/// PWM counts of a full command.
pub(in crate::autopilot) const FULL_COUNTS: f64 = 65535.0;

/// Unit of the vertical velocity loop's output [PWM counts].
const THRUST_SCALE_COUNTS: f64 = 1000.0;

/// The firmware states no ranges; negative gains are never meant.
const NOT_NEGATIVE: [f64; 2] = [0.0, f64::INFINITY];

pub(in crate::autopilot) const AXES: [&str; 3] = ["roll", "pitch", "yaw"];

/// Above this mass a vehicle is none that flies with the firmware's PWM scale unchanged [kg].
const GREATEST_MASS_KG: f64 = 0.1;

/// The firmware's own values (`platform_defaults_cf2.h`), which its files carry along.
const FIRMWARE_DEFAULTS: [(&str, f64); 36] = [
    ("posCtlPid.xKp", 2.0),
    ("posCtlPid.xKd", 0.0),
    ("posCtlPid.xKi", 0.0),
    ("posCtlPid.yKp", 2.0),
    ("posCtlPid.yKd", 0.0),
    ("posCtlPid.yKi", 0.0),
    ("posCtlPid.zKp", 2.0),
    ("posCtlPid.zKd", 0.0),
    ("posCtlPid.zKi", 0.5),
    ("velCtlPid.vxKp", 25.0),
    ("velCtlPid.vxKi", 1.0),
    ("velCtlPid.vxKd", 0.0),
    ("velCtlPid.vyKp", 25.0),
    ("velCtlPid.vyKi", 1.0),
    ("velCtlPid.vyKd", 0.0),
    ("velCtlPid.vzKp", 25.0),
    ("velCtlPid.vzKi", 15.0),
    ("velCtlPid.vzKd", 0.0),
    ("pid_attitude.roll_kp", 6.0),
    ("pid_attitude.roll_ki", 3.0),
    ("pid_attitude.roll_kd", 0.0),
    ("pid_attitude.pitch_kp", 6.0),
    ("pid_attitude.pitch_ki", 3.0),
    ("pid_attitude.pitch_kd", 0.0),
    ("pid_attitude.yaw_kp", 6.0),
    ("pid_attitude.yaw_ki", 1.0),
    ("pid_attitude.yaw_kd", 0.35),
    ("pid_rate.roll_kp", 250.0),
    ("pid_rate.roll_ki", 500.0),
    ("pid_rate.roll_kd", 2.5),
    ("pid_rate.pitch_kp", 250.0),
    ("pid_rate.pitch_ki", 500.0),
    ("pid_rate.pitch_kd", 2.5),
    ("pid_rate.yaw_kp", 120.0),
    ("pid_rate.yaw_ki", 16.7),
    ("pid_rate.yaw_kd", 0.0),
];

/// Torques [N m] that full roll, pitch and yaw commands stand for.
pub fn full_torques_n_m(airframe: &Airframe) -> [f64; 3] {
    let full_n = full_thrust_n(airframe);
    let [roll, pitch] = levers(airframe).map(|levers| 0.5 * full_n * levers.sum_m);
    [roll, pitch, all_torque_n_m(airframe)]
}

/// The position and velocity loops of one axis; `scale` turns an acceleration into the velocity
/// loop's output.
fn position(axis: &str, cascade: &Cascade, scale: f64, unit: [&'static str; 3]) -> [Parameter; 6] {
    let vertical = axis == "z";
    let part = |term| Part::Position { vertical, term };
    let outer = |what: &str| format!("posCtlPid.{axis}{what}");
    let inner = |what: &str| format!("velCtlPid.v{axis}{what}");
    let [p, i] = [cascade.velocity_p, cascade.velocity_i].map(|gain| gain * scale);
    [
        Parameter::new(outer("Kp"), "m/s per m", cascade.position_p, NOT_NEGATIVE).of(part(0), 1.0),
        Parameter::zero(outer("Ki"), "m/s per m s", NOT_NEGATIVE),
        Parameter::zero(outer("Kd"), "m/s per m/s", NOT_NEGATIVE),
        Parameter::new(inner("Kp"), unit[0], p, NOT_NEGATIVE).of(part(1), scale),
        Parameter::new(inner("Ki"), unit[1], i, NOT_NEGATIVE).of(part(2), scale),
        Parameter::zero(inner("Kd"), unit[2], NOT_NEGATIVE),
    ]
}

impl Autopilot for Crazyflie {
    fn name(&self) -> &'static str {
        "crazyflie"
    }

    fn extension(&self) -> &'static str {
        "yaml"
    }

    fn notes(&self, source: &Source) -> Vec<String> {
        let tuned = &source.tuned;
        let mut notes = vec![
            "Velocity gains assume small tilts and thrust linear in the PWM command; the \
             firmware's default filters and limits stay."
                .to_owned(),
        ];
        notes.extend(inner_loops(
            source,
            "The Crazyflie comes with pid_attitude.roll_kp 6 (1/s)",
        ));
        if tuned.position_xy || tuned.position_z {
            notes.push(
                "As it comes the firmware limits velocity to 1 m/s (posCtlPid.xVelMax and the \
                 others) and tilt to 20 deg (posCtlPid.rLimit, pLimit): faster flights, such as a \
                 figure-8 of 4 m/s, cannot be flown with any gains before these are raised."
                    .to_owned(),
            );
        }
        let vehicle = &source.airframe;
        if vehicle.mass_kg > GREATEST_MASS_KG {
            notes.push(format!(
                "The airframe {} has {} kg: gains in PWM counts hold for its own thrust at 65535 \
                 counts, which is no Crazyflie's.",
                vehicle.name, vehicle.mass_kg
            ));
        }
        notes
    }

    fn attitude_gain(&self) -> Option<&'static str> {
        Some("pid_attitude.roll_kp")
    }

    fn defaults(&self) -> Vec<(&'static str, f64)> {
        FIRMWARE_DEFAULTS.to_vec()
    }

    fn position_limits(&self) -> Option<Limits> {
        Some(Limits::CASCADE)
    }

    fn parameters(&self, airframe: &Airframe, gains: &Gains, tuned: &Tuned) -> Parameters {
        known_frame(self.name(), airframe, |_| false)?;
        let mut all = Vec::new();
        if tuned.position_xy {
            let cascade = Cascade::of(&gains.position_xy, "position_xy")?;
            let scale = 1f64.to_degrees() / GRAVITY_M_S2;
            let unit = ["deg per m/s", "deg per m", "deg per m/s²"];
            all.extend(position("x", &cascade, scale, unit));
            all.extend(position("y", &cascade, scale, unit));
        }
        if tuned.position_z {
            let cascade = Cascade::of(&gains.position_z, "position_z")?;
            let counts_per_n = FULL_COUNTS / all_thrust_n(airframe);
            let scale = airframe.mass_kg * counts_per_n / THRUST_SCALE_COUNTS;
            let unit = ["1000 PWM per m/s", "1000 PWM per m", "1000 PWM per m/s²"];
            all.extend(position("z", &cascade, scale, unit));
        }
        for (k, axis) in AXES.iter().enumerate().filter(|(k, _)| tuned.attitude[*k]) {
            let name = |what: &str| format!("pid_attitude.{axis}_{what}");
            let kp = gains.attitude_kp[k];
            let parameter = Parameter::new(name("kp"), "deg/s per deg", kp, NOT_NEGATIVE);
            all.push(parameter.of(Part::Attitude(k), 1.0));
            all.push(Parameter::zero(name("ki"), "deg/s per deg s", NOT_NEGATIVE));
            all.push(Parameter::zero(name("kd"), "deg/s per deg/s", NOT_NEGATIVE));
        }
        let full = full_torques_n_m(airframe);
        for (k, axis) in AXES.iter().enumerate().filter(|(k, _)| tuned.rate[*k]) {
            let scale = FULL_COUNTS / (full[k] * 1f64.to_degrees());
            let terms = [
                ("kp", "PWM per deg/s", gains.rate_kp[k]),
                ("ki", "PWM per deg", gains.rate_ki[k]),
                ("kd", "PWM per deg/s²", gains.rate_kd[k]),
            ];
            for (term, (what, unit, gain)) in terms.into_iter().enumerate() {
                let name = format!("pid_rate.{axis}_{what}");
                let parameter = Parameter::new(name, unit, gain * scale, NOT_NEGATIVE);
                all.push(parameter.of(Part::Rate { term, axis: k }, scale));
            }
        }
        Ok(all)
    }

    fn write(&self, heading: &[String], parameters: &[Parameter]) -> String {
        let mut text = comments(heading) + "params:\n";
        for parameter in parameters {
            let name = &parameter.name;
            let default = FIRMWARE_DEFAULTS.iter().find(|known| known.0 == name);
            let default = default.map_or(0.0, |known| known.1);
            text += &format!(
                "  {name}:\n    default_value: {}\n    is_stored: true\n    stored_value: {}\n",
                digits(default),
                digits(parameter.value)
            );
        }
        text + "type: persistent_param_state\nversion: '1'\n"
    }
}

#[cfg(test)]
mod tests;
