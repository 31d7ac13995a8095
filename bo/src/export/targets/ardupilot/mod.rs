//! ArduPilot (Copter): `.param` files of `NAME,value`.
//!
//! Ranges are those of the firmware's `@Range` lines (`AC_PosControl`, `AC_AttitudeControl`); they
//! are advice, which shipped files break, so a value outside is a warning. The position
//! controller's parameters were renamed after 4.6 (`PSC_POSXY_P` became `PSC_NE_POS_P`), and names
//! that a firmware does not know are ignored without a word.
//!
//! The mixer normalises each motor's roll, pitch and yaw factors to ±0.5
//! (`AP_MotorsMatrix::normalise_rpy_factors`), so a full command stands for 2 T l in roll and
//! pitch and 2 M in yaw, where T and M are thrust and reaction torque of one motor at full speed,
//! and thrust is linear in the command (`MOT_THST_EXPO` set for your motors).

#[cfg(test)]
mod tests;

use super::autopilot::{
    Autopilot, Parameter, Part, Setting, comments, digits, full_thrust_n, full_torque_n_m,
    inner_loops, levers_m, lines,
};
use crate::export::{Cascade, ExportError, Source, Tuned};
use sim::{Airframe, Gains};

/// Copter with the names of one firmware.
#[derive(Debug, Clone, Copy)]
pub struct ArduPilot {
    names: Names,
    /// Whether the user said which firmware it is.
    said: bool,
}

/// Which names the position controller's parameters have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Names {
    /// Up to 4.6: POSXY, VELXY, POSZ, VELZ.
    Until46,
    /// Since 4.7: NE_POS, NE_VEL, D_POS, D_VEL.
    Since47,
}

const AXES: [&str; 3] = ["RLL", "PIT", "YAW"];
const RATE_RANGES: [[[f64; 2]; 3]; 3] = [
    [[0.01, 0.5], [0.01, 2.0], [0.0, 0.05]],
    [[0.01, 0.5], [0.01, 2.0], [0.0, 0.05]],
    [[0.1, 2.5], [0.01, 1.0], [0.0, 0.02]],
];

impl ArduPilot {
    /// For firmware `version`, as in `4.6` or `4.8.1`; without one, the names of 4.6.
    ///
    /// # Errors
    /// [`ExportError::Firmware`].
    pub fn new(version: Option<&str>) -> Result<ArduPilot, ExportError> {
        let Some(given) = version else {
            return Ok(ArduPilot {
                names: Names::Until46,
                said: false,
            });
        };
        let numbers: Option<Vec<u32>> = given.split('.').map(|part| part.parse().ok()).collect();
        match numbers.as_deref() {
            Some([major, minor] | [major, minor, _]) => Ok(ArduPilot {
                names: if (*major, *minor) <= (4, 6) {
                    Names::Until46
                } else {
                    Names::Since47
                },
                said: true,
            }),
            _ => Err(ExportError::Firmware {
                given: given.to_owned(),
            }),
        }
    }

    /// Names of P on position and P, I, D on velocity, each with its range.
    fn position(&self, vertical: bool) -> [(&'static str, [f64; 2]); 4] {
        match (self.names, vertical) {
            (Names::Until46, false) => [
                ("PSC_POSXY_P", [0.5, 2.0]),
                ("PSC_VELXY_P", [0.1, 6.0]),
                ("PSC_VELXY_I", [0.02, 1.0]),
                ("PSC_VELXY_D", [0.0, 1.0]),
            ],
            (Names::Until46, true) => [
                ("PSC_POSZ_P", [1.0, 3.0]),
                ("PSC_VELZ_P", [1.0, 8.0]),
                ("PSC_VELZ_I", [0.02, 1.0]),
                ("PSC_VELZ_D", [0.0, 1.0]),
            ],
            (Names::Since47, false) => [
                ("PSC_NE_POS_P", [0.5, 4.0]),
                ("PSC_NE_VEL_P", [0.1, 10.0]),
                ("PSC_NE_VEL_I", [0.1, 10.0]),
                ("PSC_NE_VEL_D", [0.0, 1.0]),
            ],
            (Names::Since47, true) => [
                ("PSC_D_POS_P", [0.5, 4.0]),
                ("PSC_D_VEL_P", [1.0, 10.0]),
                ("PSC_D_VEL_I", [0.0, 10.0]),
                ("PSC_D_VEL_D", [0.0, 2.0]),
            ],
        }
    }

    /// Range of the position loop's parameters: P on position, P and I on velocity.
    pub(in crate::export) fn cascade_ranges(&self, vertical: bool) -> [[f64; 2]; 3] {
        let [position, p, i, _] = self.position(vertical).map(|named| named.1);
        [position, p, i]
    }
}

/// Torques [N m] that full roll, pitch and yaw commands stand for.
pub fn full_torques_n_m(airframe: &Airframe) -> [f64; 3] {
    let [roll, pitch] = levers_m(airframe).map(|lever| 2.0 * full_thrust_n(airframe) * lever);
    [roll, pitch, 2.0 * full_torque_n_m(airframe)]
}

impl Autopilot for ArduPilot {
    fn name(&self) -> &'static str {
        "ardupilot"
    }

    fn extension(&self) -> &'static str {
        "param"
    }

    fn loops(&self) -> &'static str {
        "position, attitude and rate loops"
    }

    fn strict(&self) -> bool {
        false
    }

    fn attitude_gain(&self) -> Option<&'static str> {
        Some("ATC_ANG_RLL_P")
    }

    fn notes(&self, source: &Source) -> Vec<String> {
        let tuned = &source.tuned;
        let mut notes = Vec::new();
        notes.extend(inner_loops(
            source,
            "ArduPilot comes with ATC_ANG_RLL_P 4.5 (1/s)",
        ));
        if tuned.position_xy || tuned.position_z {
            if !self.said {
                notes.push(
                    "Names are those of firmware up to 4.6; later ones ignore them without a \
                     word: give --firmware 4.8 for those."
                        .to_owned(),
                );
            }
            notes.push(
                "ArduPilot's position loop is linear near the setpoint only (square-root law \
                 beyond), and its vertical acceleration loop below is not tuned."
                    .to_owned(),
            );
        }
        if tuned.position_z {
            notes.push(
                "Vertical gains act through the hover throttle and assume thrust linear in the \
                 command: with MOT_THST_EXPO 0 and thrust that grows with the square of the command \
                 they act twice as strongly near hover. Set MOT_THST_EXPO for your motors."
                    .to_owned(),
            );
        }
        if tuned.rate.contains(&true) {
            notes.push(
                "Rate gains assume a quad-X and thrust linear in the command (MOT_THST_EXPO set \
                 for your motors)."
                    .to_owned(),
            );
        }
        notes
    }

    fn parameters(
        &self,
        airframe: &Airframe,
        gains: &Gains,
        tuned: &Tuned,
    ) -> Result<Vec<Parameter>, ExportError> {
        let mut all = Vec::new();
        let axes = [
            (tuned.position_xy, "position_xy", gains.position_xy, false),
            (tuned.position_z, "position_z", gains.position_z, true),
        ];
        for (_, name, pid, vertical) in axes.into_iter().filter(|axis| axis.0) {
            let cascade = Cascade::of(&pid, name)?;
            let [position, p, i, d] = self.position(vertical);
            let part = |term| Part::Position { vertical, term };
            let Cascade {
                position_p,
                velocity_p,
                velocity_i,
            } = cascade;
            let outer = Parameter::new(position.0, "m/s per m", position_p, position.1);
            let inner = Parameter::new(p.0, "m/s² per m/s", velocity_p, p.1);
            let integral = Parameter::new(i.0, "m/s² per m", velocity_i, i.1);
            all.push(outer.of(part(0), 1.0));
            all.push(inner.of(part(1), 1.0));
            all.push(integral.of(part(2), 1.0));
            all.push(Parameter::zero(d.0, "m/s² per m/s²", d.1));
        }
        for (k, axis) in AXES.iter().enumerate().filter(|(k, _)| tuned.attitude[*k]) {
            let name = format!("ATC_ANG_{axis}_P");
            let kp = gains.attitude_kp[k];
            let parameter = Parameter::new(name, "rad/s per rad", kp, [3.0, 12.0]);
            all.push(parameter.of(Part::Attitude(k), 1.0));
        }
        let full = full_torques_n_m(airframe);
        for (k, axis) in AXES.iter().enumerate().filter(|(k, _)| tuned.rate[*k]) {
            let [p, i, d] = [gains.rate_kp, gains.rate_ki, gains.rate_kd].map(|g| g[k] / full[k]);
            let values = [
                ("P", "1 per rad/s", p),
                ("I", "1 per rad", i),
                ("D", "1 per rad/s²", d),
            ];
            for (term, (what, unit, value)) in values.into_iter().enumerate() {
                let name = format!("ATC_RAT_{axis}_{what}");
                let parameter = Parameter::new(name, unit, value, RATE_RANGES[k][term]);
                all.push(parameter.of(Part::Rate { term, axis: k }, 1.0 / full[k]));
            }
        }
        Ok(all)
    }

    fn write(&self, heading: &[String], parameters: &[Parameter]) -> String {
        let mut text = comments(heading);
        for parameter in parameters {
            text += &format!("{},{}\n", parameter.name, digits(parameter.value));
        }
        text
    }

    fn settings(&self, text: &str) -> Result<Vec<Setting>, ExportError> {
        let setting = |(line, content): (usize, &str)| {
            // Ground stations write a comma, a tab or blanks, and comments at the end of a line.
            let bare = content.split('#').next().unwrap_or_default();
            let fields: Vec<&str> = bare
                .split([',', ' ', '\t'])
                .filter(|field| !field.is_empty())
                .collect();
            let value = match fields.as_slice() {
                [_, value] => value.parse::<f64>().ok(),
                _ => None,
            };
            let value = value.ok_or_else(|| ExportError::BaselineLine {
                line,
                target: "ardupilot",
                text: content.to_owned(),
            })?;
            let name = fields[0].to_owned();
            Ok(Setting { line, name, value })
        };
        lines(text).map(setting).collect()
    }
}
