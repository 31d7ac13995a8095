//! Legal: what a file for a vehicle may hold. Every value of a new file and of a rollback passes here:
//! rounded to what the autopilot stores, finite, not negative, not absurd, and, of a new file, within
//! the autopilot's ranges as far as these bind.

use super::AutopilotError;
use crate::autopilot::parameter_file::Setting;
use crate::autopilot::targets::common::{Autopilot, Parameter};

/// Relative rounding above which a parameter's is reported.
const NOTABLE_ROUNDING: f64 = 1e-6;

/// Greatest value that is ever written: far above any gain of any autopilot, and far below what a
/// 32-bit float holds.
pub const MOST: f64 = 1e6;

/// `parameter` as the autopilot stores it: the one place through which every value of a new file and
/// of a rollback passes. What is not finite there, negative, or absurdly large is never written.
fn held(autopilot: &dyn Autopilot, parameter: Parameter) -> Result<Parameter, AutopilotError> {
    let value = autopilot.stored(parameter.value);
    if sane(value) {
        return Ok(Parameter { value, ..parameter });
    }
    Err(AutopilotError::Absurd {
        name: parameter.name,
        value: parameter.value,
        most: MOST,
    })
}

/// Whether `value` can be a gain at all.
pub(super) fn sane(value: f64) -> bool {
    (0.0..=MOST).contains(&value)
}

/// As [`held`], each.
pub(super) fn stored(
    autopilot: &dyn Autopilot,
    parameters: Vec<Parameter>,
) -> Result<Vec<Parameter>, AutopilotError> {
    let parameters = parameters.into_iter();
    parameters.map(|p| held(autopilot, p)).collect()
}

/// Parameters within their ranges, as far as these bind.
pub(super) struct Legal {
    /// They, as they are written.
    pub(super) parameters: Vec<Parameter>,
    /// Whether any was brought into its range.
    pub(super) clamped: bool,
}

/// Rounds and checks. `asked` is what the gains are in the autopilot's terms, `nearest` the same
/// parameters of the gains nearest to them that it can hold. Values out of range are brought into it
/// where the ranges bind, or where it is asked to `clamp`; else they are advised against. Limits are
/// rounded as well: a value at a limit is legal.
pub(super) fn legal(
    autopilot: &dyn Autopilot,
    asked: Vec<Parameter>,
    nearest: Vec<Parameter>,
    clamp: bool,
    warnings: &mut Vec<String>,
) -> Result<Legal, AutopilotError> {
    let mut legal = Legal {
        parameters: Vec::new(),
        clamped: false,
    };
    for (asked, nearest) in asked.into_iter().zip(nearest) {
        let exact = asked.value;
        let asked = held(autopilot, asked)?;
        let mut parameter = held(autopilot, nearest)?;
        let [low, high] = asked.range.map(|limit| autopilot.stored(limit));
        let outside = !(low..=high).contains(&asked.value);
        if !asked.fixed && (clamp || autopilot.strict()) {
            parameter.value = parameter.value.clamp(low, high);
        }
        let Parameter { name, value, .. } = &asked;
        warnings.extend(match parameter.value {
            new if new != *value => {
                legal.clamped = true;
                let new = short(new);
                Some(match outside {
                    true => format!("{}: clamped to {new}", out_of_range(&asked)),
                    false => format!("{name} is {}: {new} with its loop", short(*value)),
                })
            }
            _ if outside && asked.fixed => Some(format!(
                "{}: the mapping holds at this value only; the firmware may raise it",
                out_of_range(&asked)
            )),
            _ if outside => Some(format!("{}; the range is advice", out_of_range(&asked))),
            _ => rounded(&asked, exact),
        });
        legal.parameters.push(parameter);
    }
    Ok(legal)
}

fn out_of_range(parameter: &Parameter) -> String {
    let Parameter { name, value, .. } = parameter;
    let range = in_words(parameter.range);
    format!("{name} is {} (range {range})", short(*value))
}

/// That a parameter was rounded so much that somebody should know.
fn rounded(parameter: &Parameter, exact: f64) -> Option<String> {
    let Parameter { name, value, .. } = parameter;
    ((value - exact).abs() > NOTABLE_ROUNDING * exact.abs()).then(|| {
        let relative = 100.0 * (value / exact - 1.0);
        format!("{name}: {exact:.4} rounded to {value} ({relative:+.1} %)")
    })
}

/// Four decimals at most.
pub(super) fn short(value: f64) -> String {
    format!("{}", (value * 1e4).round() / 1e4)
}

fn in_words([low, high]: [f64; 2]) -> String {
    if high.is_finite() {
        format!("{low} to {high}")
    } else {
        format!("at least {low}")
    }
}

/// The same parameters with the values of the baseline.
pub(super) fn from_baseline(
    autopilot: &dyn Autopilot,
    parameters: &[Parameter],
    settings: &[Setting],
) -> Result<Vec<Parameter>, AutopilotError> {
    // Of a setting that stands twice the last counts, as it does for the vehicle.
    let found = |name: &str| settings.iter().rfind(|setting| setting.name == name);
    let lacking: Vec<&str> = parameters
        .iter()
        .map(|parameter| parameter.name.as_str())
        .filter(|name| found(name).is_none())
        .collect();
    if !lacking.is_empty() {
        return Err(AutopilotError::BaselineLacks {
            names: lacking.join(", "),
            target: autopilot.name(),
        });
    }
    let old = parameters.iter().filter_map(|parameter| {
        let setting = found(&parameter.name)?;
        let value = setting.value;
        let old = held(
            autopilot,
            Parameter {
                value,
                ..parameter.clone()
            },
        );
        Some(old.map_err(|_| AutopilotError::BaselineValue {
            line: setting.line,
            name: setting.name.clone(),
            value,
            most: MOST,
        }))
    });
    old.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::autopilot::{ArduPilot, Betaflight, Px4};

    fn parameter(value: f64, range: [f64; 2]) -> Parameter {
        Parameter::new("P", "", value, range)
    }

    /// The value as it is written, whether it was clamped, and the warnings.
    fn checked(
        autopilot: &dyn Autopilot,
        wanted: Parameter,
        clamp: bool,
    ) -> Result<(f64, bool, Vec<String>), String> {
        let mut warnings = Vec::new();
        let (asked, nearest) = (vec![wanted.clone()], vec![wanted]);
        let legal = legal(autopilot, asked, nearest, clamp, &mut warnings);
        let legal = legal.map_err(|refused| refused.to_string())?;
        Ok((legal.parameters[0].value, legal.clamped, warnings))
    }

    #[test]
    fn a_legal_value_is_written_without_a_word_but_for_notable_rounding() {
        let wanted = |value| parameter(value, [0.1, 0.7]);
        for value in [0.1, 0.3, 0.7] {
            let stored = f64::from(value as f32);
            assert_eq!(
                checked(&Px4, wanted(value), false),
                Ok((stored, false, vec![]))
            );
        }
        let wanted = parameter(44.6, [0.0, 250.0]);
        let said = "P: 44.6000 rounded to 45 (+0.9 %)".to_owned();
        assert_eq!(
            checked(&Betaflight, wanted, false),
            Ok((45.0, false, vec![said]))
        );
    }

    #[test]
    fn a_value_out_of_range_is_clamped_where_the_range_binds_or_advised_against() {
        let wanted = || parameter(2.5, [0.0, 2.0]);
        let said = "P is 2.5 (range 0 to 2)";
        for clamp in [false, true] {
            let clamped = format!("{said}: clamped to 2");
            assert_eq!(
                checked(&Px4, wanted(), clamp),
                Ok((2.0, true, vec![clamped]))
            );
        }
        let low = checked(&Px4, parameter(0.25, [0.5, f64::INFINITY]), false);
        let clamped = "P is 0.25 (range at least 0.5): clamped to 0.5".to_owned();
        assert_eq!(low, Ok((0.5, true, vec![clamped])));
        let ardupilot = ArduPilot::new(None).expect("no version needed");
        let advice = format!("{said}; the range is advice");
        let written = checked(&ardupilot, wanted(), false);
        assert_eq!(written, Ok((2.5, false, vec![advice])));
        let written = checked(&ardupilot, wanted(), true);
        let clamped = format!("{said}: clamped to 2");
        assert_eq!(written, Ok((2.0, true, vec![clamped])));
        for clamp in [false, true] {
            let fixed = Parameter {
                fixed: true,
                ..wanted()
            };
            let (value, clamped, warnings) = checked(&Px4, fixed, clamp).expect("written as it is");
            assert_eq!((value, clamped), (2.5, false));
            assert!(warnings[0].starts_with(said) && warnings[0].contains("this value only"));
        }
    }

    #[test]
    fn a_legal_value_goes_with_the_rest_of_its_loop() {
        let (asked, nearest) = (parameter(1.0, [0.0, 2.0]), parameter(1.5, [0.0, 2.0]));
        let mut warnings = Vec::new();
        let legal = legal(&Px4, vec![asked], vec![nearest], false, &mut warnings);
        let legal = legal.map_err(|refused| refused.to_string()).expect("legal");
        assert_eq!((legal.parameters[0].value, legal.clamped), (1.5, true));
        assert_eq!(warnings, ["P is 1: 1.5 with its loop"]);
    }

    #[test]
    fn no_absurd_value_passes_whatever_the_range() {
        let wide = [f64::NEG_INFINITY, f64::INFINITY];
        for value in [0.0, MOST] {
            assert!(checked(&Px4, parameter(value, wide), true).is_ok());
        }
        for value in [-0.001, MOST + 1.0, f64::NAN, f64::INFINITY] {
            let refused = checked(&Px4, parameter(value, wide), true);
            let refused = refused.expect_err("absurd");
            assert!(refused.starts_with("P would be "), "{refused}");
        }
    }

    #[test]
    fn old_values_are_the_last_of_their_name_and_none_may_lack() {
        let setting = |line, name: &str, value| Setting {
            line,
            name: name.to_owned(),
            value,
        };
        let settings = [
            setting(1, "P", 3.0),
            setting(2, "I", 4.0),
            setting(3, "P", 5.0),
        ];
        let old = from_baseline(&Px4, &[parameter(1.0, [0.0, 2.0])], &settings);
        let old = old.map_err(|refused| refused.to_string()).expect("there");
        // The ranges are those of new values.
        assert_eq!(old, [parameter(5.0, [0.0, 2.0])]);
        let message = |settings: &[Setting]| {
            let wanted = [parameter(1.0, [0.0, 2.0])];
            let refused = from_baseline(&Px4, &wanted, settings);
            refused.expect_err("refused").to_string()
        };
        assert!(message(&settings[1..2]).starts_with("the baseline has no P:"));
        let absurd = message(&[setting(7, "P", -3.0)]);
        assert!(
            absurd.starts_with("the parameter file's line 7 gives P the value -3e0"),
            "{absurd}"
        );
    }
}
