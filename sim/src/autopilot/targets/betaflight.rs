//! Betaflight: commands for its CLI. It has a rate loop only, with gains as whole numbers.
//!
//! P, I and D are the numbers times 0.032029, 0.244381 and 0.000529 per deg/s (`pid.h`:
//! `PTERM_SCALE` and so on) over 1000 (`PID_MIXER_SCALING`), in units of the full command; the I of yaw
//! acts 2.5 times as strongly (`pid_init.c`). Each
//! motor of a quad-X takes the whole command, so full roll and pitch stand for 4 T l, full yaw for
//! 4 M, where T and M are thrust and reaction torque of one motor at full speed and thrust is
//! linear in the command; of other frames (`mixer_init.c`) each takes its lever over the greatest of all (`thrust_linear` set for your motors).

use super::common::{
    Autopilot, Parameter, Parameters, Part, all_torque_n_m, comments, frame_said, full_thrust_n,
    known_frame, levers,
};
use crate::autopilot::{Source, Tuned};
use crate::{Airframe, Gains};
use std::collections::BTreeMap;

/// Betaflight 4.
#[derive(Debug, Clone, Copy, Default)]
pub struct Betaflight;

/// Normalised command per unit of P, I, D, for rates in deg/s (`pid.h`: PTERM_SCALE, ITERM_SCALE,
/// DTERM_SCALE).
const SCALES_PER_DEG: [f64; 3] = [0.032029e-3, 0.244381e-3, 0.000529e-3];

/// By what the I of yaw acts more strongly than that of roll and pitch (`pid_init.c`, pidInitConfig:
/// `pidCoefficient[FD_YAW].Ki`), unless `use_integrated_yaw` is on.
const YAW_I_FACTOR: f64 = 2.5;

/// Normalised command per unit of F and deg/s² (`pid.h`: FEEDFORWARD_SCALE, over 100 in `pid_init.c`).
pub(in crate::autopilot) const FEEDFORWARD_PER_DEG: f64 = 0.013754e-5;

/// Normalised command per unit of P, I or D, by 0, 1, 2, for rates in rad/s about an axis.
pub(in crate::autopilot) fn per_rad(term: usize, axis: usize) -> f64 {
    let yaw_i = if (term, axis) == (1, 2) {
        YAW_I_FACTOR
    } else {
        1.0
    };
    SCALES_PER_DEG[term] * yaw_i * 1f64.to_degrees()
}

pub(in crate::autopilot) const AXES: [&str; 3] = ["roll", "pitch", "yaw"];
const LETTERS: [&str; 3] = ["p", "i", "d"];

/// What an autopilot with rate gains alone has.
pub(in crate::autopilot) const RATE_LOOP: &str = "rate loop";

/// The defaults of `pid.h`, alike from 4.3 on but for D, which is that of calm flight: `d_min` until
/// 4.5, `d` since.
const DEFAULTS: [(&str, f64); 9] = [
    ("p_roll", 45.0),
    ("i_roll", 80.0),
    ("d_roll", 30.0),
    ("p_pitch", 47.0),
    ("i_pitch", 84.0),
    ("d_pitch", 34.0),
    ("p_yaw", 45.0),
    ("i_yaw", 80.0),
    ("d_yaw", 0.0),
];

/// Torques [N m] that full roll, pitch and yaw commands stand for.
pub fn full_torques_n_m(airframe: &Airframe) -> [f64; 3] {
    let (full_n, both) = (full_thrust_n(airframe), levers(airframe));
    let whole_m = both[0].greatest_m.max(both[1].greatest_m);
    let [roll, pitch] = both.map(|levers| full_n * levers.shared_m(whole_m));
    [roll, pitch, all_torque_n_m(airframe)]
}

impl Autopilot for Betaflight {
    fn name(&self) -> &'static str {
        "betaflight"
    }

    fn extension(&self) -> &'static str {
        "txt"
    }

    fn loops(&self) -> &'static str {
        RATE_LOOP
    }

    fn defaults(&self) -> Vec<(&'static str, f64)> {
        DEFAULTS.to_vec()
    }

    fn notes(&self, source: &Source) -> Vec<String> {
        let frame = frame_said(&source.airframe, |frame| {
            format!("mixer {}", frame.betaflight.unwrap_or("CUSTOM"))
        });
        vec![
            format!("Gains assume {frame}."),
            "Gains are whole numbers; the rounding is listed. Only profile 0 is written, and its \
             sliders are switched off, which would compute P, I and D anew."
                .to_owned(),
            "Betaflight adds feed-forward, dynamic D (d_min or d_max) and throttle-dependent \
             attenuation (tpa_rate), which the simulation has not."
                .to_owned(),
            "The meaning of d_roll and d_pitch changed with 4.6: before, they are the greatest D and \
             d_min_roll the least; since then they are the least D and d_max_roll the greatest. Set \
             the other one to the same value, or the D that was judged does not fly: as 4.5 \
             comes, calm flight has at most 30 (roll) and 34 (pitch)."
                .to_owned(),
        ]
    }

    fn parameters(&self, airframe: &Airframe, gains: &Gains, tuned: &Tuned) -> Parameters {
        known_frame(self.name(), airframe, |frame| frame.betaflight.is_some())?;
        let full = full_torques_n_m(airframe);
        let pid = [gains.rate_kp, gains.rate_ki, gains.rate_kd];
        let mut all = Vec::new();
        for (k, axis) in AXES.iter().enumerate().filter(|(k, _)| tuned.rate[*k]) {
            for (term, letter) in LETTERS.iter().enumerate() {
                let scale = 1.0 / (full[k] * per_rad(term, k));
                let value = pid[term][k] * scale;
                let parameter = Parameter::new(format!("{letter}_{axis}"), "", value, [0.0, 250.0]);
                all.push(parameter.of(Part::Rate { term, axis: k }, scale));
            }
        }
        Ok(all)
    }

    fn unified(&self, settings: &mut BTreeMap<String, f64>, file: &BTreeMap<String, f64>) {
        // Until 4.5 d_roll is the D of quick turns and d_min_roll that of calm flight; 40 and 46 are what
        // those versions come with.
        for (axis, greatest) in [("roll", 40.0), ("pitch", 46.0)] {
            let name = format!("d_{axis}");
            let Some(calm) = file.get(&format!("d_min_{axis}")) else {
                continue;
            };
            let most = file.get(&name).copied().unwrap_or(greatest);
            let d = if *calm > 0.0 { most.min(*calm) } else { most };
            settings.insert(name, d);
        }
    }

    fn stored(&self, value: f64) -> f64 {
        value.round()
    }

    fn write(&self, heading: &[String], parameters: &[Parameter]) -> String {
        let mut text =
            comments(heading) + "batch start\nprofile 0\nset simplified_pids_mode = OFF\n";
        for parameter in parameters {
            text += &format!("set {} = {:.0}\n", parameter.name, parameter.value);
        }
        text + "batch end\nsave\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_sets_whole_numbers_in_the_first_profile_and_saves() {
        let parameters = [
            Parameter::new("p_roll", "", Betaflight.stored(44.6), [0.0, 250.0]),
            Parameter::new("i_roll", "", Betaflight.stored(0.4), [0.0, 250.0]),
        ];
        let text = Betaflight.write(&["gusty".to_owned()], &parameters);
        assert_eq!(
            text,
            "# gusty\nbatch start\nprofile 0\nset simplified_pids_mode = OFF\nset p_roll = 45\nset i_roll = 0\nbatch end\nsave\n"
        );
    }
}
