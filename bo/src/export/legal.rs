//! Legal: what a file for a vehicle may hold. Every value of a new file and of a rollback passes here:
//! rounded to what the autopilot stores, finite, not negative, not absurd, and, of a new file, within
//! the autopilot's ranges as far as these bind.

use super::ExportError;
use super::autopilot::{Autopilot, Parameter, Part, Setting};

/// Relative rounding above which a parameter's is reported.
const NOTABLE_ROUNDING: f64 = 1e-6;

/// Greatest value that is ever written: far above any gain of any autopilot, and far below what a
/// 32-bit float holds.
const MOST: f64 = 1e6;

/// `parameter` as the autopilot stores it: the one place through which every value of a new file and
/// of a rollback passes. What is not finite there, negative, or absurdly large is never written.
fn held(autopilot: &dyn Autopilot, parameter: Parameter) -> Result<Parameter, ExportError> {
    let value = autopilot.stored(parameter.value);
    if sane(value) {
        return Ok(Parameter { value, ..parameter });
    }
    Err(ExportError::Absurd {
        name: parameter.name,
        value: parameter.value,
        most: MOST,
    })
}

fn sane(value: f64) -> bool {
    (0.0..=MOST).contains(&value)
}

/// As [`held`], each.
pub(super) fn stored(
    autopilot: &dyn Autopilot,
    parameters: Vec<Parameter>,
) -> Result<Vec<Parameter>, ExportError> {
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

/// Rounds and checks. Limits are rounded as well: a value at a limit is legal.
pub(super) fn legal(
    autopilot: &dyn Autopilot,
    wanted: Vec<Parameter>,
    clamp: bool,
    warnings: &mut Vec<String>,
) -> Result<Legal, ExportError> {
    let mut illegal: Vec<(String, bool)> = Vec::new();
    let mut legal = Legal {
        parameters: Vec::new(),
        clamped: false,
    };
    for wanted in wanted {
        let exact = wanted.value;
        let mut parameter = held(autopilot, wanted)?;
        warnings.extend(rounded(&parameter, exact));
        let [low, high] = parameter.range.map(|limit| autopilot.stored(limit));
        if !(low..=high).contains(&parameter.value) {
            let said = out_of_range(&parameter);
            if parameter.fixed {
                warnings.push(format!(
                    "{said}: the mapping holds at this value only; the firmware may raise it"
                ));
            } else if clamp {
                parameter.value = parameter.value.clamp(low, high);
                legal.clamped = true;
                warnings.push(format!("{said}: clamped to {}", short(parameter.value)));
            } else if autopilot.strict() {
                illegal.push((said, of_position(&parameter)));
            } else {
                warnings.push(format!("{said}; the range is advice"));
            }
        }
        legal.parameters.push(parameter);
    }
    if illegal.is_empty() {
        return Ok(legal);
    }
    let only_position = illegal.iter().all(|(_, of_position)| *of_position);
    let said: Vec<String> = illegal.into_iter().map(|(said, _)| said).collect();
    Err(ExportError::OutOfRange {
        list: said.join(", "),
        tip: match only_position {
            true => ", a run with --exportable stays within them",
            false => "; --exportable keeps gains of the position loop within them, and no others",
        },
    })
}

fn out_of_range(parameter: &Parameter) -> String {
    let Parameter { name, value, .. } = parameter;
    let range = in_words(parameter.range);
    format!("{name} is {} (range {range})", short(*value))
}

fn of_position(parameter: &Parameter) -> bool {
    let part = parameter.stands_for.map(|stands_for| stands_for.0);
    matches!(part, Some(Part::Position { .. }))
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
) -> Result<Vec<Parameter>, ExportError> {
    // Of a setting that stands twice the last counts, as it does for the vehicle.
    let found = |name: &str| settings.iter().rfind(|setting| setting.name == name);
    let lacking: Vec<&str> = parameters
        .iter()
        .map(|parameter| parameter.name.as_str())
        .filter(|name| found(name).is_none())
        .collect();
    if !lacking.is_empty() {
        return Err(ExportError::BaselineLacks {
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
        Some(old.map_err(|_| ExportError::BaselineValue {
            line: setting.line,
            name: setting.name.clone(),
            value,
            most: MOST,
        }))
    });
    old.collect()
}
