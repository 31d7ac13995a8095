//! Export: tuned gains as parameter files that autopilots' own tools read.
//!
//! Only parameters of loops that the run tuned are written, beside a rollback file with their old
//! values. Values are rounded to what the autopilot stores and checked against its ranges. The
//! gains were found in simulation only, which every file says in its heading.
//!
//! * [`source`]: what is exported
//! * [`cascade`]: the position PID as a cascade of P and PI
//! * [`autopilot`]: what the targets have in common; one file a target
//! * [`limits`]: gains that an autopilot can hold

mod ardupilot;
pub mod autopilot;
mod betaflight;
pub mod cascade;
mod crazyflie;
mod error;
mod json;
pub mod limits;
mod px4;
pub mod source;

pub use ardupilot::ArduPilot;
pub use autopilot::{Autopilot, Parameter};
pub use betaflight::Betaflight;
pub use cascade::Cascade;
pub use crazyflie::Crazyflie;
pub use error::ExportError;
pub use json::Json;
pub use limits::Limits;
pub use px4::Px4;
pub use source::{Origin, Source, Tuned};

use std::collections::BTreeMap;

/// The targets.
pub const TARGETS: [&str; 5] = ["px4", "ardupilot", "betaflight", "crazyflie", "json"];

/// Relative rounding above which a parameter's is reported.
const NOTABLE_ROUNDING: f64 = 1e-6;

/// Two files and what there is to say about them.
#[derive(Debug, Clone, PartialEq)]
pub struct Export {
    /// The parameters as written.
    pub parameters: Vec<Parameter>,
    /// Their old values, in the same order; nothing where the default gains have no equivalent.
    pub old: Option<Vec<Parameter>>,
    /// The file's text.
    pub text: String,
    /// The rollback file's.
    pub rollback: Option<String>,
    /// What the user should know; one sentence each.
    pub warnings: Vec<String>,
}

/// The target of that name. `firmware` is its version, where that matters.
///
/// # Errors
/// [`ExportError::Firmware`] or [`ExportError::FirmwareNotAsked`].
///
/// # Panics
/// When `name` is none of [`TARGETS`].
pub fn by_name(name: &str, firmware: Option<&str>) -> Result<Box<dyn Autopilot>, ExportError> {
    let autopilot: Box<dyn Autopilot> = match name {
        "px4" => Box::new(Px4),
        "ardupilot" => return Ok(Box::new(ArduPilot::new(firmware)?)),
        "betaflight" => Box::new(Betaflight),
        "crazyflie" => Box::new(Crazyflie),
        "json" => Box::new(Json),
        _ => panic!("{name} is no target"),
    };
    match firmware {
        None => Ok(autopilot),
        Some(_) => Err(ExportError::FirmwareNotAsked {
            target: autopilot.name(),
        }),
    }
}

/// Writes `source` for `autopilot`. Old values come from `baseline`, the text of a file of the
/// target's, or else from the source's old gains. Values out of range are an error unless `clamp`
/// is set; where the ranges are advice they are a warning.
///
/// # Errors
/// See [`ExportError`].
pub fn export(
    source: &Source,
    autopilot: &dyn Autopilot,
    baseline: Option<&str>,
    clamp: bool,
) -> Result<Export, ExportError> {
    let mapped = |gains| autopilot.parameters(&source.airframe, gains, &source.tuned);
    if source.tuned == Tuned::default() {
        return Err(ExportError::NothingTuned);
    }
    let wanted = mapped(&source.recommended)?;
    if wanted.is_empty() {
        return Err(ExportError::NothingToExport {
            target: autopilot.name(),
            loops: autopilot.loops(),
            tuned: source.tuned.to_string(),
        });
    }
    let mut warnings = Vec::new();
    let parameters = legal(autopilot, wanted, clamp, &mut warnings)?;
    let old = match baseline {
        Some(text) => Some(from_baseline(autopilot, &parameters, text)?),
        None => mapped(&source.default)
            .ok()
            .map(|old| stored(autopilot, old)),
    };
    if old.is_none() {
        warnings.push(
            "No rollback file: the old gains have no equivalent here; save the vehicle's own \
             parameters first and give them as --baseline."
                .to_owned(),
        );
    }
    warnings.extend(autopilot.notes(&source.tuned));
    let text = autopilot.write(&heading(source, &warnings), &parameters);
    let about = rollback_heading(source, baseline.is_some());
    let rollback = old.as_ref().map(|old| autopilot.write(&about, old));
    Ok(Export {
        parameters,
        old,
        text,
        rollback,
        warnings,
    })
}

fn heading(source: &Source, warnings: &[String]) -> Vec<String> {
    let mut lines = vec![
        "Gains found in SIMULATION ONLY. Check them, keep the rollback file at hand, and test with \
         care."
            .to_owned(),
        format!(
            "Airframe {}, {}, Windhover {}. Tuned: {}.",
            source.airframe.name, source.origin, source.version, source.tuned
        ),
    ];
    lines.extend(warnings.iter().cloned());
    lines.iter().map(|line| one_line(line)).collect()
}

fn rollback_heading(source: &Source, from_baseline: bool) -> Vec<String> {
    let whose = match source.origin {
        Origin::Run { .. } => "the run's default gains",
        Origin::File { .. } => "the airframe's own gains",
    };
    let old = if from_baseline {
        "Old values, from the baseline file.".to_owned()
    } else {
        format!(
            "Old values: {whose} in the autopilot's terms, NOT read from a vehicle. \
             Save your vehicle's own parameters, or give them as --baseline."
        )
    };
    let made = format!(
        "Rollback for airframe {}, {}, Windhover {}.",
        source.airframe.name, source.origin, source.version
    );
    vec![one_line(&made), old]
}

/// `line` without anything that could end a comment.
fn one_line(line: &str) -> String {
    line.replace(|c: char| c.is_control(), " ")
}

fn stored(autopilot: &dyn Autopilot, parameters: Vec<Parameter>) -> Vec<Parameter> {
    let round = |parameter: Parameter| Parameter {
        value: autopilot.stored(parameter.value),
        ..parameter
    };
    parameters.into_iter().map(round).collect()
}

/// Rounds and checks. Limits are rounded as well: a value at a limit is legal.
fn legal(
    autopilot: &dyn Autopilot,
    wanted: Vec<Parameter>,
    clamp: bool,
    warnings: &mut Vec<String>,
) -> Result<Vec<Parameter>, ExportError> {
    let mut illegal = Vec::new();
    let mut written = Vec::new();
    for mut parameter in wanted {
        let exact = parameter.value;
        parameter.value = autopilot.stored(exact);
        if (parameter.value - exact).abs() > NOTABLE_ROUNDING * exact.abs() {
            let relative = 100.0 * (parameter.value / exact - 1.0);
            let Parameter { name, value, .. } = &parameter;
            warnings.push(format!(
                "{name}: {exact:.4} rounded to {value} ({relative:+.1} %)"
            ));
        }
        let [low, high] = parameter.range.map(|limit| autopilot.stored(limit));
        if !(low..=high).contains(&parameter.value) {
            let range = in_words(parameter.range);
            let said = format!(
                "{} is {} (range {range})",
                parameter.name,
                short(parameter.value)
            );
            if parameter.fixed {
                warnings.push(format!(
                    "{said}: the mapping holds at this value only; the firmware may raise it"
                ));
            } else if clamp {
                parameter.value = parameter.value.clamp(low, high);
                warnings.push(format!("{said}: clamped to {}", short(parameter.value)));
            } else if autopilot.strict() {
                illegal.push(said);
            } else {
                warnings.push(format!("{said}; the range is advice"));
            }
        }
        written.push(parameter);
    }
    if illegal.is_empty() {
        Ok(written)
    } else {
        Err(ExportError::OutOfRange {
            list: illegal.join(", "),
        })
    }
}

fn short(value: f64) -> String {
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
fn from_baseline(
    autopilot: &dyn Autopilot,
    parameters: &[Parameter],
    text: &str,
) -> Result<Vec<Parameter>, ExportError> {
    let values: BTreeMap<String, f64> = autopilot.read(text)?;
    let lacking: Vec<&str> = parameters
        .iter()
        .map(|parameter| parameter.name.as_str())
        .filter(|name| !values.contains_key(*name))
        .collect();
    if !lacking.is_empty() {
        return Err(ExportError::BaselineLacks {
            names: lacking.join(", "),
            target: autopilot.name(),
        });
    }
    let old = |parameter: &Parameter| Parameter {
        value: autopilot.stored(values[&parameter.name]),
        ..parameter.clone()
    };
    Ok(parameters.iter().map(old).collect())
}
