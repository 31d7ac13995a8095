//! JSON: the tuned gains under our own names in SI units, for any other tool.

use super::common::{Autopilot, Parameter, Parameters};
use crate::autopilot::{Source, Tuned};
use crate::{Airframe, Gains};
use serde::Serialize;

/// Name and version of the form.
const SCHEMA: &str = "windhover-gains/1";

/// Any tool.
#[derive(Debug, Clone, Copy, Default)]
pub struct Json;

#[derive(Serialize)]
struct File {
    schema: String,
    about: Vec<String>,
    gains: Vec<Gain>,
}

#[derive(Serialize)]
struct Gain {
    name: String,
    unit: String,
    value: f64,
}

const NOT_NEGATIVE: [f64; 2] = [0.0, f64::INFINITY];

impl Autopilot for Json {
    fn name(&self) -> &'static str {
        "json"
    }

    fn extension(&self) -> &'static str {
        "json"
    }

    fn notes(&self, _: &Source) -> Vec<String> {
        Vec::new()
    }

    fn terms(&self) -> &'static str {
        "SI units"
    }

    fn parameters(&self, _: &Airframe, gains: &Gains, tuned: &Tuned) -> Parameters {
        let mut all = Vec::new();
        let mut add = |name: String, unit, value| {
            all.push(Parameter::new(name, unit, value, NOT_NEGATIVE));
        };
        for (_, name, pid) in [
            (tuned.position_xy, "position_xy", gains.position_xy),
            (tuned.position_z, "position_z", gains.position_z),
        ]
        .into_iter()
        .filter(|axis| axis.0)
        {
            add(format!("{name}.kp"), "1/s²", pid.kp);
            add(format!("{name}.ki"), "1/s³", pid.ki);
            add(format!("{name}.kd"), "1/s", pid.kd);
        }
        let axes = || ["x", "y", "z"].into_iter().enumerate();
        for (k, axis) in axes().filter(|(k, _)| tuned.attitude[*k]) {
            let gain = gains.attitude_kp[k];
            add(format!("attitude_kp.{axis}"), "1/s", gain);
        }
        for (k, axis) in axes().filter(|(k, _)| tuned.rate[*k]) {
            let [p, i, d] = [gains.rate_kp[k], gains.rate_ki[k], gains.rate_kd[k]];
            add(format!("rate_kp.{axis}"), "N m per rad/s", p);
            add(format!("rate_ki.{axis}"), "N m per rad", i);
            add(format!("rate_kd.{axis}"), "N m per rad/s²", d);
        }
        Ok(all)
    }

    fn stored(&self, value: f64) -> f64 {
        value
    }

    fn write(&self, heading: &[String], parameters: &[Parameter]) -> String {
        let gain = |parameter: &Parameter| Gain {
            name: parameter.name.clone(),
            unit: parameter.unit.to_owned(),
            value: parameter.value,
        };
        let file = File {
            schema: SCHEMA.to_owned(),
            about: heading.to_vec(),
            gains: parameters.iter().map(gain).collect(),
        };
        serde_json::to_string_pretty(&file).expect("finite numbers and text are representable")
            + "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::autopilot::ParameterFile;

    #[test]
    fn a_gain_is_found_again_with_its_value_and_its_line() {
        let parameters = [
            Parameter::new("rate_kp.x", "N m per rad/s", 0.1, NOT_NEGATIVE),
            Parameter::new("rate_ki.x", "N m per rad", 0.2, NOT_NEGATIVE),
        ];
        let text = Json.write(&["gusty".to_owned()], &parameters);
        let lines: Vec<&str> = text.lines().collect();
        let file = ParameterFile::of(&text, "its own", None, None).expect("ours");
        let settings = file.settings;
        assert_eq!(settings.len(), 2);
        for (setting, parameter) in settings.iter().zip(&parameters) {
            assert_eq!(
                (&setting.name, setting.value),
                (&parameter.name, parameter.value)
            );
            assert!(lines[setting.line - 1].contains(&setting.name));
        }
    }
}
