//! Autopilot: gains as the parameter files that autopilots' own tools read and write, and such files as
//! gains.
//!
//! Only parameters of loops that were tuned are written, with a rollback file of their old values. Values
//! are rounded to what the autopilot stores and checked against its ranges. The gains were found in
//! simulation only, which every file says in its heading. Nothing here reads or writes a file: the caller
//! has the bytes.
//!
//! * [`source`]: what is exported
//! * [`targets`]: one file a target, and what all of them have in common
//! * [`cascade`]: the position PID as a cascade of P and PI
//! * [`limits`]: gains that an autopilot can hold
//! * [`firmware`]: what parameters do besides the gains
//! * [`parameter_file`]: the settings in a file, in every dialect
//! * [`reading`]: what such settings mean
//! * [`tune`]: the gains and the controller that they stand for

pub mod cascade;
mod error;
pub mod firmware;
mod legal;
pub mod limits;
pub mod parameter_file;
pub mod reading;
pub mod source;
pub mod targets;
pub mod tune;

pub use cascade::Cascade;
pub use error::AutopilotError;
pub use legal::MOST;
pub use limits::Limits;
pub(crate) use parameter_file::{CHANGED, DOUBT, FOREIGN, OF_LOG};
pub use parameter_file::{ParameterFile, Setting};
pub use source::{Judged, Origin, Source, Tuned};
pub use targets::common::{Autopilot, Parameter};
pub use targets::{ArduPilot, Betaflight, Crazyflie, Json, Px4, TARGETS, by_name};

use crate::{Airframe, Gains};
use firmware::Slopes;
use legal::{Legal, from_baseline, legal, short, stored};
use std::collections::BTreeMap;

/// Said where there is no rollback file.
const NO_ROLLBACK: &str = "No rollback file: the old gains have no equivalent here; save the vehicle's \
                           own parameters first and give them as --baseline.";

/// Relative difference of the attitude loops above which gains of the position loop are called in
/// question.
const ATTITUDE_APART: f64 = 0.25;

/// Parameters as they are to be written, before anything is.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    /// The parameters.
    pub parameters: Vec<Parameter>,
    /// Their old values, in the same order; `None` if the default gains have no equivalent.
    pub old: Option<Vec<Parameter>>,
    /// What the user should know; one sentence each.
    pub warnings: Vec<String>,
    /// The gains that an autopilot has with these parameters.
    pub gains: Gains,
    /// Whether these are other gains than the source's, beyond rounding.
    pub clamped: bool,
    /// Whether the old values are a baseline's.
    from_baseline: bool,
}

/// Two files and what there is to say about them.
#[derive(Debug, Clone, PartialEq)]
pub struct Export {
    /// The parameters as written.
    pub parameters: Vec<Parameter>,
    /// Their old values, in the same order; `None` if the default gains have no equivalent.
    pub old: Option<Vec<Parameter>>,
    /// The file's text.
    pub text: String,
    /// The rollback file's.
    pub rollback: Option<String>,
    /// What the user should know; one sentence each.
    pub warnings: Vec<String>,
}

/// Works out what `source` is for `autopilot`: its gains, or the nearest that the autopilot can hold. They are written
/// so that a check reads these gains from them: thrust by command is as `baseline` says, or as the autopilot comes.
/// Old values come from `baseline`, a file of the target's, or else from the source's old gains. Where ranges are advice a value out of range is a warning, unless `clamp` is set.
///
/// # Errors
/// See [`AutopilotError`].
pub fn draft(
    source: &Source,
    autopilot: &dyn Autopilot,
    baseline: Option<&ParameterFile>,
    clamp: bool,
) -> Result<Draft, AutopilotError> {
    if source.tuned == Tuned::default() {
        return Err(AutopilotError::NothingTuned);
    }
    if let Some(other) = baseline.filter(|file| file.autopilot != autopilot.name()) {
        return Err(AutopilotError::OtherBaseline {
            is: other.autopilot,
            target: autopilot.name(),
        });
    }
    let given = baseline.map(ParameterFile::values).unwrap_or_default();
    let slopes = reading::slopes(autopilot, &given, &source.airframe);
    let [recommended, default] =
        [&source.recommended, &source.default].map(|gains| slopes.written(gains));
    let mapped = |written| autopilot.parameters(&source.airframe, written, &source.tuned);
    let within_reach = nearest(&recommended, autopilot, clamp);
    let nearest = mapped(&within_reach)?;
    if nearest.is_empty() {
        return Err(AutopilotError::NothingToExport {
            target: autopilot.name(),
            loops: autopilot.loops(),
            tuned: source.tuned.to_string(),
        });
    }
    let mut warnings: Vec<String> = source.verdicts.iter().map(|j| j.said.clone()).collect();
    if autopilot.loops() == targets::betaflight::RATE_LOOP && !source.tuned.rates_alone() {
        let (name, loops, tuned) = (autopilot.name(), autopilot.loops(), source.tuned);
        warnings.push(format!(
            "{name} has a {loops} only: of {tuned} the file holds that one, and no flight was judged without the others"
        ));
    }
    let asked = mapped(&recommended).map_err(|none| {
        warnings.push(format!("{none}; the nearest gains that have one are taken"));
    });
    let equivalent = asked.is_ok();
    let asked = asked.unwrap_or_else(|()| nearest.clone());
    let Legal {
        parameters,
        clamped,
    } = legal(autopilot, asked, nearest, clamp, &mut warnings)?;
    let old = match baseline {
        Some(file) => Some(from_baseline(autopilot, &parameters, &file.settings)?),
        None => mapped(&default)
            .ok()
            .map(|old| stored(autopilot, old))
            .transpose()?,
    };
    warnings.extend(old.is_none().then(|| NO_ROLLBACK.to_owned()));
    warnings.extend(at_limits(&parameters));
    warnings.extend(attitude_mismatch(source, autopilot, baseline));
    warnings.extend(autopilot.notes(source));
    warnings.extend(slopes_said(&slopes, &source.tuned, baseline.is_some()));
    Ok(Draft {
        gains: slopes.acting(&targets::common::gains_of(&recommended, &parameters)),
        from_baseline: baseline.is_some(),
        parameters,
        old,
        warnings,
        clamped: clamped || !equivalent,
    })
}

impl Draft {
    /// The two files.
    pub fn export(self, source: &Source, autopilot: &dyn Autopilot) -> Export {
        let text = autopilot.write(&heading(source, &self.warnings), &self.parameters);
        let about = rollback_heading(source, autopilot, self.from_baseline);
        let rollback = self.old.as_ref().map(|old| autopilot.write(&about, old));
        Export {
            parameters: self.parameters,
            old: self.old,
            text,
            rollback,
            warnings: self.warnings,
        }
    }
}

/// The position gains of `airframe` that `autopilot` can hold, as it comes; `None` where it has no such loop.
pub fn position_limits(autopilot: &dyn Autopilot, airframe: &Airframe) -> Option<Limits> {
    let slopes = reading::slopes(autopilot, &BTreeMap::new(), airframe);
    let limits = autopilot.position_limits()?;
    Some(limits.acting(slopes.vertical))
}

/// By what gains act otherwise than their numbers say, which is allowed for.
fn slopes_said(slopes: &Slopes, tuned: &Tuned, has_baseline: bool) -> Option<String> {
    let rate = ("rate gains", slopes.rate, tuned.rate.contains(&true));
    let vertical = ("vertical gains", slopes.vertical, tuned.position_z);
    let other = |(name, slope, is_tuned): (&str, f64, bool)| {
        let differs = is_tuned && (slope - 1.0).abs() > 5e-3;
        differs.then(|| format!("{name} act {slope:.2} times"))
    };
    let said: Vec<String> = [rate, vertical].into_iter().filter_map(other).collect();
    let (curve, other) = match has_baseline {
        true => ("of the baseline", ""),
        false => (
            "with which the autopilot comes",
            " Where the vehicle's curve is another, give its file as --baseline.",
        ),
    };
    (!said.is_empty()).then(|| {
        format!(
            "Near hover {} as strongly as their numbers say, by the thrust curve {curve}; the numbers allow for it.{other}",
            said.join(" and ")
        )
    })
}

/// The gains nearest to `gains` whose position loop `autopilot` can hold; see [`draft`].
fn nearest(gains: &Gains, autopilot: &dyn Autopilot, clamp: bool) -> Gains {
    let limits = autopilot.position_limits();
    let bind = clamp || autopilot.strict();
    let limits = limits.map(|limits| if bind { limits } else { Limits::CASCADE });
    limits.map_or(*gains, |limits| limits.nearest(gains))
}

/// The parameters that lie at a limit of the autopilot's: the search may have wanted more.
fn at_limits(parameters: &[Parameter]) -> Option<String> {
    let at = |parameter: &&Parameter| {
        let Parameter { value, range, .. } = parameter;
        let at = |limit: f64| limit.is_finite() && (value - limit).abs() <= 1e-6 * limit.abs();
        !parameter.fixed && *value > 0.0 && range.iter().any(|limit| at(*limit))
    };
    let listed: Vec<String> = parameters
        .iter()
        .filter(at)
        .map(|parameter| format!("{} ({})", parameter.name, short(parameter.value)))
        .collect();
    (!listed.is_empty()).then(|| {
        format!(
            "At a limit of the autopilot's: {}. The run may have wanted to go beyond it.",
            listed.join(", ")
        )
    })
}

/// Where the vehicle's attitude loop is another one than the simulated, and was not tuned.
fn attitude_mismatch(
    source: &Source,
    autopilot: &dyn Autopilot,
    baseline: Option<&ParameterFile>,
) -> Option<String> {
    let name = autopilot.attitude_gain()?;
    let own = baseline?
        .settings
        .iter()
        .rfind(|setting| setting.name == name)?;
    let simulated = source.default.attitude_kp[0];
    let apart = (own.value / simulated - 1.0).abs() > ATTITUDE_APART;
    (apart && !source.tuned.attitude[0]).then(|| {
        format!(
            "The vehicle's {name} is {}, the simulated attitude loop's {}: the gains were found for \
             another vehicle than this one. Put {} into the airframe file as attitude_kp, and the \
             rates and motors that go with it, and tune again.",
            short(own.value),
            short(simulated),
            short(own.value)
        )
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

fn rollback_heading(
    source: &Source,
    autopilot: &dyn Autopilot,
    from_baseline: bool,
) -> Vec<String> {
    let whose = match (&source.default_of, &source.origin) {
        (Some(file), _) => &format!("the gains of {file}"),
        (None, Origin::Run { .. }) => "the run's default gains",
        (None, Origin::File { .. }) => "the airframe's own gains",
    };
    let old = if from_baseline {
        "Old values, from the baseline file.".to_owned()
    } else {
        format!(
            "Old values: {whose} in {}, NOT read from a vehicle. \
             Save your vehicle's own parameters, or give them as --baseline.",
            autopilot.terms()
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
