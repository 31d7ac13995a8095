//! ArduPilot (Copter): `.param` files of `NAME,value`.
//!
//! Ranges are those of the firmware's `@Range` lines (`AC_PosControl`, `AC_AttitudeControl`); they
//! are advice, which shipped files break, so a value outside is a warning. The position
//! controller's parameters were renamed after 4.6 (`PSC_POSXY_P` became `PSC_NE_POS_P`), and names
//! that a firmware does not know are ignored without a word.
//!
//! The mixer normalises each motor's roll, pitch and yaw factors to ±0.5
//! (`AP_MotorsMatrix::normalise_rpy_factors`), each axis by itself, so a full command stands for
//! T Σ l² / 2 L in roll and pitch, with the levers l and the greatest of them L (2 T l of a quad-X), and
//! for n M / 2 in yaw, where T and M are thrust and reaction torque of one of n motors at full speed,
//! and thrust is linear in the command (`MOT_THST_EXPO` set for your motors).

use super::common::{
    Autopilot, Named, Parameter, Parameters, all_torque_n_m, attitude, comments, digits,
    frame_said, full_thrust_n, inner_loops, known_frame, levers, position, rate,
};
use crate::autopilot::{AutopilotError, Limits, Source, Tuned};
use crate::{Airframe, Gains};

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

/// Copter's defaults of P on position and P, I, D on velocity, of x and y and of z
/// (`AC_PosControl.cpp`, 4.6).
const POSITION_DEFAULTS: [[f64; 4]; 2] = [[1.0, 2.0, 1.0, 0.5], [1.0, 5.0, 0.0, 0.0]];

/// Copter's defaults of attitude and rates (`AC_AttitudeControl.h`, `AC_AttitudeControl_Multi.h`, 4.6).
const INNER_DEFAULTS: [(&str, f64); 12] = [
    ("ATC_ANG_RLL_P", 4.5),
    ("ATC_ANG_PIT_P", 4.5),
    ("ATC_ANG_YAW_P", 4.5),
    ("ATC_RAT_RLL_P", 0.135),
    ("ATC_RAT_RLL_I", 0.135),
    ("ATC_RAT_RLL_D", 0.0036),
    ("ATC_RAT_PIT_P", 0.135),
    ("ATC_RAT_PIT_I", 0.135),
    ("ATC_RAT_PIT_D", 0.0036),
    ("ATC_RAT_YAW_P", 0.18),
    ("ATC_RAT_YAW_I", 0.018),
    ("ATC_RAT_YAW_D", 0.0),
];

impl ArduPilot {
    /// For firmware `version`, as in `4.6` or `4.8.1`; without one, the names of 4.6.
    ///
    /// # Errors
    /// [`AutopilotError::Firmware`].
    pub fn new(version: Option<&str>) -> Result<ArduPilot, AutopilotError> {
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
            _ => Err(AutopilotError::Firmware(given.to_owned())),
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

    /// The same with names of their own.
    fn position_names(&self, vertical: bool) -> [Named; 4] {
        let own = |(name, range): (&str, [f64; 2])| (name.to_owned(), range);
        self.position(vertical).map(own)
    }
}

/// Torques [N m] that full roll, pitch and yaw commands stand for.
pub fn full_torques_n_m(airframe: &Airframe) -> [f64; 3] {
    let full_n = full_thrust_n(airframe);
    let [roll, pitch] =
        levers(airframe).map(|levers| 0.5 * full_n * levers.shared_m(levers.greatest_m));
    [roll, pitch, 0.5 * all_torque_n_m(airframe)]
}

impl Autopilot for ArduPilot {
    fn name(&self) -> &'static str {
        "ardupilot"
    }

    fn extension(&self) -> &'static str {
        "param"
    }

    fn strict(&self) -> bool {
        false
    }

    fn attitude_gain(&self) -> Option<&'static str> {
        Some("ATC_ANG_RLL_P")
    }

    fn defaults(&self) -> Vec<(&'static str, f64)> {
        let both = [false, true].into_iter().zip(POSITION_DEFAULTS);
        let position = both.flat_map(|(vertical, values)| {
            let names = self.position(vertical).map(|named| named.0);
            names.into_iter().zip(values)
        });
        position.chain(INNER_DEFAULTS).collect()
    }

    fn position_limits(&self) -> Option<Limits> {
        let ranges = [false, true].map(|vertical| self.position(vertical).map(|named| named.1));
        Some(Limits::of(ranges))
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
                "ArduPilot makes the thrust for a vertical acceleration by a loop of its own, which a run \
                 does not fly: until PSC_ACCZ_P (PSC_D_ACC_P since 4.7) is the hover throttle, in \
                 its unit, and its I twice that, vertical gains act about half as strongly as here. \
                 `bo check` flies that loop."
                    .to_owned(),
            );
        }
        if tuned.rate.contains(&true) {
            let frame = frame_said(&source.airframe, |frame| {
                let [class, kind] = frame.ardupilot;
                format!("FRAME_CLASS {class}, FRAME_TYPE {kind}")
            });
            notes.push(format!(
                "Rate gains assume {frame} and a yaw error that passes no filter: ATC_RAT_YAW_FLTE is 2.5 Hz \
                 as it comes. `bo check` flies with both."
            ));
        }
        notes
    }

    fn parameters(&self, airframe: &Airframe, gains: &Gains, tuned: &Tuned) -> Parameters {
        let mut all = position(gains, tuned, |vertical| self.position_names(vertical))?;
        all.extend(attitude(gains, tuned, |k| {
            (format!("ATC_ANG_{}_P", AXES[k]), [3.0, 12.0])
        }));
        if tuned.rate.contains(&true) {
            known_frame(self.name(), airframe, |_| true)?;
        }
        let full = full_torques_n_m(airframe);
        for (k, axis) in AXES.iter().enumerate().filter(|(k, _)| tuned.rate[*k]) {
            let named = |term: usize, letter: &str| {
                let range = RATE_RANGES[k][term];
                (format!("ATC_RAT_{axis}_{letter}"), range)
            };
            all.extend(rate(gains, k, full[k], named));
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
}

#[cfg(test)]
mod tests;
