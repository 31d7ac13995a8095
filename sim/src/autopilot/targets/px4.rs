//! PX4: `.params` files as QGroundControl reads and writes them.
//!
//! Tab-separated vehicle id, component id, name, value and type (9 = 32-bit float, 6 = 32-bit
//! integer). Names, units and ranges are those of the firmware's parameter definitions
//! (`mc_pos_control`, `mc_att_control` and `mc_rate_control`).
//!
//! The rate loop's output is a normalised torque. The firmware divides the columns of the mixer's
//! pseudo-inverse by √(Σ m²/2) for roll and pitch, taking the larger of the two for both, and by
//! the largest entry for yaw (`ControlAllocationPseudoInverse.cpp`). A full command therefore
//! stands for T √(k Σ l²/2) in roll and pitch, with the k levers l that are not 0 about the axis for
//! which that is less (2√2 T l of a quad-X), and for n M in yaw, where T and M are thrust and reaction
//! torque of one of n motors at full speed and thrust is linear in the command.

use super::common::{
    Autopilot, Named, Parameter, Parameters, all_torque_n_m, attitude, comments, digits,
    frame_said, full_thrust_n, inner_loops, known_frame, levers, multiplied, position, rate,
};
use crate::autopilot::{Limits, Source, Tuned};
use crate::{Airframe, Gains};
use std::collections::BTreeMap;

/// The multicopter controllers of PX4 1.12 and later.
#[derive(Debug, Clone, Copy, Default)]
pub struct Px4;

/// Ranges of P on position, and P, I and D on velocity.
const HORIZONTAL: [[f64; 2]; 4] = [[0.0, 2.0], [1.2, 5.0], [0.0, 60.0], [0.1, 2.0]];
const VERTICAL: [[f64; 2]; 4] = [[0.1, 1.5], [2.0, 15.0], [0.2, 3.0], [0.0, 2.0]];

const AXES: [&str; 3] = ["ROLL", "PITCH", "YAW"];
const ATTITUDE_GREATEST: [f64; 3] = [12.0, 12.0, 5.0];
const RATE_P_RANGES: [[f64; 2]; 3] = [[0.01, 0.5], [0.01, 0.6], [0.0, 0.6]];
// The firmware states a maximum for roll alone.
const RATE_D_GREATEST: [f64; 3] = [0.01, f64::INFINITY, f64::INFINITY];
const RATE_K_RANGE: [f64; 2] = [0.01, 5.0];

/// The defaults of the parameter definitions (PX4 1.12 to 1.15); those of an airframe may differ.
const DEFAULTS: [(&str, f64); 23] = [
    ("MPC_XY_P", 0.95),
    ("MPC_XY_VEL_P_ACC", 1.8),
    ("MPC_XY_VEL_I_ACC", 0.4),
    ("MPC_XY_VEL_D_ACC", 0.2),
    ("MPC_Z_P", 1.0),
    ("MPC_Z_VEL_P_ACC", 4.0),
    ("MPC_Z_VEL_I_ACC", 2.0),
    ("MPC_Z_VEL_D_ACC", 0.0),
    ("MC_ROLL_P", 6.5),
    ("MC_PITCH_P", 6.5),
    ("MC_YAW_P", 2.8),
    ("MC_ROLLRATE_P", 0.15),
    ("MC_ROLLRATE_I", 0.2),
    ("MC_ROLLRATE_D", 0.003),
    ("MC_ROLLRATE_K", 1.0),
    ("MC_PITCHRATE_P", 0.15),
    ("MC_PITCHRATE_I", 0.2),
    ("MC_PITCHRATE_D", 0.003),
    ("MC_PITCHRATE_K", 1.0),
    ("MC_YAWRATE_P", 0.2),
    ("MC_YAWRATE_I", 0.1),
    ("MC_YAWRATE_D", 0.0),
    ("MC_YAWRATE_K", 1.0),
];

/// Torques [N m] that full roll, pitch and yaw commands stand for.
pub fn full_torques_n_m(airframe: &Airframe) -> [f64; 3] {
    let lengths_m = levers(airframe).map(|levers| match levers.alike {
        true => levers.sum_m,
        false => (levers.off_axis * levers.square_m2).sqrt(),
    });
    let tilt = 0.5 * 2f64.sqrt() * full_thrust_n(airframe) * lengths_m[0].min(lengths_m[1]);
    [tilt, tilt, all_torque_n_m(airframe)]
}

/// Names and ranges of P on position, and P, I and D on velocity.
fn position_names(vertical: bool) -> [Named; 4] {
    let (prefix, ranges) = match vertical {
        true => ("MPC_Z", VERTICAL),
        false => ("MPC_XY", HORIZONTAL),
    };
    let terms = ["P", "VEL_P_ACC", "VEL_I_ACC", "VEL_D_ACC"];
    std::array::from_fn(|k| (format!("{prefix}_{}", terms[k]), ranges[k]))
}

impl Autopilot for Px4 {
    fn name(&self) -> &'static str {
        "px4"
    }

    fn extension(&self) -> &'static str {
        "params"
    }

    fn notes(&self, source: &Source) -> Vec<String> {
        let tuned = &source.tuned;
        let mut notes = Vec::new();
        notes.extend(inner_loops(source, "PX4 comes with MC_ROLL_P 6.5 (1/s)"));
        if tuned.position_xy || tuned.position_z {
            notes.push(
                "PX4 keeps its own limits of velocity, acceleration and tilt, its own anti-windup \
                 and feed-forward; after a step of the setpoint it differs by -I_v (r - p0)."
                    .to_owned(),
            );
        }
        if tuned.position_xy {
            notes.push(
                "With MPC_ACC_DECOUPLE set, as it comes, PX4 tilts for the horizontal acceleration \
                 alone and scales the thrust by (g + a_z) / g: horizontal gains act 1 + a_z / g \
                 times as strongly while it accelerates upwards by a_z."
                    .to_owned(),
            );
        }
        if tuned.rate.contains(&true) {
            let frame = frame_said(&source.airframe, |frame| {
                format!("CA_AIRFRAME 0, CA_ROTOR_COUNT {}", frame.count())
            });
            notes.push(format!(
                "Rate gains assume {frame} with CA_ROTORn as the vehicle's, which this file leaves as they are, and a yaw torque that passes no filter: MC_YAW_TQ_CUTOFF is 2 Hz as \
                 1.16 comes. `bo check` flies with both."
            ));
        }
        notes
    }

    fn attitude_gain(&self) -> Option<&'static str> {
        Some("MC_ROLL_P")
    }

    fn defaults(&self) -> Vec<(&'static str, f64)> {
        DEFAULTS.to_vec()
    }

    fn position_limits(&self) -> Option<Limits> {
        Some(Limits::of([HORIZONTAL, VERTICAL]))
    }

    fn parameters(&self, airframe: &Airframe, gains: &Gains, tuned: &Tuned) -> Parameters {
        let mut all = position(gains, tuned, position_names)?;
        all.extend(attitude(gains, tuned, |k| {
            (format!("MC_{}_P", AXES[k]), [0.0, ATTITUDE_GREATEST[k]])
        }));
        if tuned.rate.contains(&true) {
            known_frame(self.name(), airframe, |_| true)?;
        }
        let full = full_torques_n_m(airframe);
        for (k, axis) in AXES.iter().enumerate().filter(|(k, _)| tuned.rate[*k]) {
            let ranges = [
                RATE_P_RANGES[k],
                [0.0, f64::INFINITY],
                [0.0, RATE_D_GREATEST[k]],
            ];
            let name = |what: &str| format!("MC_{axis}RATE_{what}");
            let named = |term: usize, letter: &str| (name(letter), ranges[term]);
            all.extend(rate(gains, k, full[k], named));
            all.push(Parameter {
                fixed: true,
                ..Parameter::new(name("K"), "", 1.0, RATE_K_RANGE)
            });
        }
        Ok(all)
    }

    fn write(&self, heading: &[String], parameters: &[Parameter]) -> String {
        let mut text = comments(heading);
        text += "# Vehicle-Id\tComponent-Id\tName\tValue\tType\n";
        for parameter in parameters {
            let value = digits(parameter.value);
            text += &format!("1\t1\t{}\t{value}\t9\n", parameter.name);
        }
        text
    }

    fn unified(&self, settings: &mut BTreeMap<String, f64>, _: &BTreeMap<String, f64>) {
        for axis in AXES {
            let name = |what: &str| format!("MC_{axis}RATE_{what}");
            multiplied(settings, &name("K"), ["P", "I", "D"].map(name).into_iter());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_relative_eq;
    use nalgebra::DMatrix;

    /// The firmware's own normalisation, carried out numerically.
    fn torques_by_the_firmware_s_mixer(airframe: &Airframe) -> [f64; 3] {
        let rotors = &airframe.rotors;
        let (t, m) = (full_thrust_n(airframe), all_torque_n_m(airframe) / 4.0);
        let effectiveness = DMatrix::from_fn(4, 4, |row, rotor| {
            let [x, y, _] = rotors.positions_m[rotor];
            [y * t, -x * t, rotors.yaw_torque_signs[rotor] * m, t][row]
        });
        let mix = effectiveness
            .clone()
            .pseudo_inverse(1e-12)
            .expect("regular");
        let norm = |column: usize| (mix.column(column).norm_squared() / 2.0).sqrt();
        let tilt = norm(0).max(norm(1));
        let scale = [tilt, tilt, mix.column(2).max()];
        std::array::from_fn(|axis| {
            let motors = mix.column(axis) / scale[axis];
            (&effectiveness * motors)[axis]
        })
    }

    #[test]
    fn a_full_command_is_the_torque_that_the_firmware_s_mixer_gives() {
        let mut oblong = Airframe::omac();
        for hub in &mut oblong.rotors.positions_m {
            hub[0] *= 0.6;
        }
        let mut wide = Airframe::omac();
        for hub in &mut wide.rotors.positions_m {
            hub[1] *= 0.4;
        }
        for airframe in [Airframe::omac(), oblong, wide] {
            let expected = torques_by_the_firmware_s_mixer(&airframe);
            for (ours, theirs) in full_torques_n_m(&airframe).iter().zip(expected) {
                assert_relative_eq!(*ours, theirs, max_relative = 1e-9);
            }
        }
    }
}
