//! Reading: the gains that a file for an autopilot stands for, by the same tables that write one.

use super::ExportError;
use super::inverse::gains_of;
use super::legal::sane;
use super::parameter_file::ParameterFile;
use super::targets::autopilot::{Autopilot, Parameter, Part};
use super::{TARGETS, Tuned, by_name};
use sim::{Airframe, Gains, Pid};
use std::collections::BTreeMap;

/// A tune as it was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Tune {
    /// Whose parameters they are: a target's name, or "gains".
    pub kind: &'static str,
    /// The base gains with those of the file in their place.
    pub gains: Gains,
    /// Which loops the file has.
    pub tuned: Tuned,
    /// Values that are no gain: not finite, below 0, or beyond any gain of any autopilot.
    pub impossible: Vec<(String, f64)>,
    /// Values beyond the autopilot's ranges, each with its range.
    pub beyond: Vec<(String, f64, [f64; 2])>,
    /// What the file says and the simulated cascade has no place for; one sentence each.
    pub left_out: Vec<String>,
}

/// Reads the text of a file of `target`'s, as [`read_file`].
///
/// # Errors
/// Those of [`ParameterFile::of`] and of [`read_file`].
pub fn read(
    target: &str,
    text: &str,
    airframe: &Airframe,
    base: &Gains,
) -> Result<Tune, ExportError> {
    let file = ParameterFile::of(text, "the file", Some(target), None)?;
    read_file(&file, airframe, base)
}

/// What a parameter file means for `airframe`; what it does not say is as in `base`.
///
/// # Errors
/// [`ExportError::NothingRead`] or [`ExportError::HalfCascade`].
pub fn read_file(
    file: &ParameterFile,
    airframe: &Airframe,
    base: &Gains,
) -> Result<Tune, ExportError> {
    let target = file.autopilot;
    let firmwares: &[Option<&str>] = match target {
        // Its parameters were renamed; the names that are there say which it is.
        "ardupilot" => &[Some("4.6"), Some("4.8")],
        _ => &[None],
    };
    let mut best: Option<Tune> = None;
    for firmware in firmwares {
        let autopilot = by_name(target, *firmware)?;
        let tune = meant(autopilot.as_ref(), file.values(), airframe, base);
        let better = |known: &Tune, new: &Tune| new.tuned.loops() > known.tuned.loops();
        match (&best, tune) {
            (None, Err(error)) if firmware == &firmwares[firmwares.len() - 1] => return Err(error),
            (_, Err(_)) => {}
            (Some(known), Ok(new)) if !better(known, &new) => {}
            (_, Ok(new)) => best = Some(new),
        }
    }
    best.ok_or(ExportError::NothingRead {
        target: by_name(target, None)?.name(),
    })
}

/// The gains that `target` comes with, for `airframe`; what it has no place for is as in `base`.
///
/// # Errors
/// [`ExportError::NoDefaults`].
pub fn defaults(target: &str, airframe: &Airframe, base: &Gains) -> Result<Tune, ExportError> {
    let none = || ExportError::NoDefaults {
        target: target.to_owned(),
    };
    let known = TARGETS.contains(&target).then(|| by_name(target, None));
    let autopilot = known.ok_or_else(none)??;
    let settings = autopilot.defaults().into_iter();
    let settings: BTreeMap<String, f64> = settings
        .map(|(name, value)| (name.to_owned(), value))
        .collect();
    if settings.is_empty() {
        return Err(none());
    }
    meant(autopilot.as_ref(), settings, airframe, base)
}

/// What `settings` of `autopilot`'s mean.
fn meant(
    autopilot: &dyn Autopilot,
    mut settings: BTreeMap<String, f64>,
    airframe: &Airframe,
    base: &Gains,
) -> Result<Tune, ExportError> {
    let mut left_out = autopilot.unified(&mut settings);
    let all = autopilot.parameters(airframe, &sample(), &Tuned::everything())?;
    let own = autopilot.parameters(airframe, base, &Tuned::everything());
    let found: Vec<Parameter> = all
        .iter()
        .filter_map(|parameter| {
            let value = *settings.get(&parameter.name)?;
            Some(Parameter {
                value,
                ..parameter.clone()
            })
        })
        .collect();
    let (fixed, mut gains): (Vec<_>, Vec<_>) = found
        .into_iter()
        .partition(|parameter| parameter.stands_for.is_none());
    if gains.is_empty() {
        let target = autopilot.name();
        return Err(ExportError::NothingRead { target });
    }
    let tuned = tuned_by(&gains);
    gains.extend(completed(autopilot, &gains, &all, own.ok().as_deref())?);
    let fixed_at = |name: &str| all.iter().find(|p| p.name == name).map_or(0.0, |p| p.value);
    let ignored = fixed.iter().filter(|p| p.value != fixed_at(&p.name));
    left_out.extend(ignored.map(|p| {
        let (name, value) = (&p.name, p.value);
        format!("{name} {value}: the simulated cascade has no place for it")
    }));
    let impossible = gains.iter().filter(|p| !sane(p.value));
    let impossible = impossible.map(|p| (p.name.clone(), p.value)).collect();
    let within = |p: &&Parameter| {
        let [low, high] = p.range.map(|limit| autopilot.stored(limit));
        sane(p.value) && (p.value < low || p.value > high)
    };
    let beyond = gains.iter().filter(within);
    let beyond = beyond.map(|p| (p.name.clone(), p.value, p.range)).collect();
    left_out.extend(two_meanings(&gains));
    Ok(Tune {
        kind: autopilot.name(),
        gains: gains_of(base, &gains),
        tuned,
        impossible,
        beyond,
        left_out,
    })
}

/// Gains that every target has names for.
fn sample() -> Gains {
    let pid = Pid {
        kp: 4.0,
        ki: 1.0,
        kd: 2.0,
    };
    Gains {
        position_xy: pid,
        position_z: pid,
        attitude_kp: [1.0; 3],
        rate_kp: [1.0; 3],
        rate_ki: [1.0; 3],
        rate_kd: [1.0; 3],
    }
}

fn tuned_by(parameters: &[Parameter]) -> Tuned {
    let mut tuned = Tuned::default();
    for (part, _) in parameters.iter().filter_map(|p| p.stands_for) {
        match part {
            Part::Position {
                vertical: false, ..
            } => tuned.position_xy = true,
            Part::Position { vertical: true, .. } => tuned.position_z = true,
            Part::Attitude(axis) => tuned.attitude[axis] = true,
            Part::Rate { axis, .. } => tuned.rate[axis] = true,
        }
    }
    tuned
}

/// What the file lacks of cascades that it has a part of, from the base gains.
fn completed(
    autopilot: &dyn Autopilot,
    found: &[Parameter],
    all: &[Parameter],
    own: Option<&[Parameter]>,
) -> Result<Vec<Parameter>, ExportError> {
    let has = |part: Part| {
        found
            .iter()
            .any(|p| p.stands_for.is_some_and(|s| s.0 == part))
    };
    let mut more = Vec::new();
    for parameter in all {
        let Some((part @ Part::Position { vertical, .. }, _)) = parameter.stands_for else {
            continue;
        };
        let begun = (0..3).any(|term| has(Part::Position { vertical, term }));
        if !begun || has(part) {
            continue;
        }
        let same = |p: &&Parameter| p.name == parameter.name;
        match own.and_then(|own| own.iter().find(same)) {
            Some(own) => more.push(own.clone()),
            None => {
                return Err(ExportError::HalfCascade {
                    name: parameter.name.clone(),
                    target: autopilot.name(),
                });
            }
        }
    }
    Ok(more)
}

/// Parameters that stand for one gain here and differ there.
fn two_meanings(gains: &[Parameter]) -> Vec<String> {
    let mut said = Vec::new();
    for (k, one) in gains.iter().enumerate() {
        let part = |p: &Parameter| p.stands_for.map(|s| s.0);
        let later = gains[k + 1..].iter().find(|p| part(p) == part(one));
        if let Some(other) = later.filter(|other| other.value != one.value) {
            said.push(format!(
                "{} {} and {} {}: the simulated cascade has one gain for both, and flies the latter",
                one.name, one.value, other.name, other.value
            ));
        }
    }
    said
}

impl Tuned {
    /// Every loop about every axis.
    pub fn everything() -> Tuned {
        Tuned {
            position_xy: true,
            position_z: true,
            attitude: [true; 3],
            rate: [true; 3],
        }
    }

    /// How many loops these are.
    fn loops(&self) -> usize {
        let flags = [self.position_xy, self.position_z].into_iter();
        flags
            .chain(self.attitude)
            .chain(self.rate)
            .filter(|on| *on)
            .count()
    }

    /// Whether rate loops alone.
    pub fn rates_alone(&self) -> bool {
        let above = self.position_xy || self.position_z || self.attitude.contains(&true);
        self.rate.contains(&true) && !above
    }
}

#[cfg(test)]
mod tests;
