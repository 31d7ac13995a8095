//! Reading: the gains that a file for an autopilot stands for, by the same tables that write one.

use super::firmware::{self, Firmware, Settings, Slopes, betaflight};
use super::legal::sane;
use super::parameter_file::ParameterFile;
use super::targets::common::{Autopilot, Parameter, Part, gains_of};
use super::tune::{Origins, Tune};
use super::{AutopilotError, TARGETS, Tuned, by_name};
use crate::{Airframe, Gains, Pid};
use std::collections::BTreeMap;

/// Reads the text of a file of `target`'s, as [`read_file`].
///
/// # Errors
/// Those of [`ParameterFile::of`] and of [`read_file`].
pub fn read(
    target: &str,
    text: &str,
    airframe: &Airframe,
    base: &Gains,
) -> Result<Tune, AutopilotError> {
    let file = ParameterFile::of(text, "the file", Some(target), None)?;
    read_file(&file, None, airframe, base)
}

/// What a parameter file means for `airframe`. What it does not say is as its firmware comes, and what
/// that has no place for as in `base`. `version` says whose names count in a file with those of several.
///
/// # Errors
/// [`AutopilotError::TwoGenerations`], [`AutopilotError::NothingRead`] or [`AutopilotError::HalfCascade`].
pub fn read_file(
    file: &ParameterFile,
    version: Option<&str>,
    airframe: &Airframe,
    base: &Gains,
) -> Result<Tune, AutopilotError> {
    let target = file.autopilot;
    let mut values = file.values();
    let unsure = match target {
        "betaflight" => betaflight::calm_d(&mut values, file.version.as_deref()),
        _ => None,
    };
    let renamed = target == "ardupilot";
    // Its parameters were renamed; the names that are there say which it is.
    let generations = [
        ["PSC_POS", "PSC_VEL", "PSC_ACC"],
        ["PSC_NE_", "PSC_D_", "PSC_D_"],
    ];
    let held = generations.map(|of| values.keys().any(|n| of.iter().any(|p| n.starts_with(p))));
    if renamed && version.is_none() && held == [true, true] {
        return Err(AutopilotError::TwoGenerations);
    }
    let firmwares = match (renamed, version) {
        (true, None) => vec![Some("4.6"), Some("4.8")],
        (true, said) => vec![said],
        _ => vec![None],
    };
    let mut best: Option<Tune> = None;
    for firmware in &firmwares {
        let autopilot = by_name(target, *firmware)?;
        let tune = meant(autopilot.as_ref(), &values, Some(file), airframe, base);
        let better = |known: &Tune, new: &Tune| new.tuned.loops() > known.tuned.loops();
        match (&best, tune) {
            (None, Err(error)) if firmware == &firmwares[firmwares.len() - 1] => return Err(error),
            (_, Err(_)) => {}
            (Some(known), Ok(new)) if !better(known, &new) => {}
            (_, Ok(new)) => best = Some(new),
        }
    }
    let mut tune = best.ok_or(AutopilotError::NothingRead(by_name(target, None)?.name()))?;
    tune.notes.splice(0..0, file.notes.iter().cloned());
    tune.acting.extend(unsure);
    Ok(tune)
}

/// The gains that `target` comes with, for `airframe`; what it has no place for is as in `base`.
///
/// # Errors
/// [`AutopilotError::NoDefaults`].
pub fn defaults(target: &str, airframe: &Airframe, base: &Gains) -> Result<Tune, AutopilotError> {
    let none = || AutopilotError::NoDefaults(target.to_owned());
    let known = TARGETS.contains(&target).then(|| by_name(target, None));
    let autopilot = known.ok_or_else(none)??;
    let values = autopilot.defaults().into_iter();
    let values: BTreeMap<String, f64> = values.map(|(name, x)| (name.to_owned(), x)).collect();
    if values.is_empty() {
        return Err(none());
    }
    meant(autopilot.as_ref(), &values, None, airframe, base)
}

/// By what gains act aboard `airframe` more strongly than their numbers say, with the values `given` of `autopilot`'s
/// and all others as it comes.
pub(super) fn slopes(
    autopilot: &dyn Autopilot,
    given: &BTreeMap<String, f64>,
    airframe: &Airframe,
) -> Slopes {
    let Some(firmware) = firmware::of(autopilot.name()) else {
        return Slopes::NONE;
    };
    let own = autopilot.defaults();
    let settings = Settings::of(given, own.into_iter().chain(firmware.stock()));
    firmware.structure(&settings, airframe).slopes
}

/// What the values `given` of `autopilot`'s mean; with the words of the `file` that holds them, where they are not
/// the firmware's own.
fn meant(
    autopilot: &dyn Autopilot,
    given: &BTreeMap<String, f64>,
    file: Option<&ParameterFile>,
    airframe: &Airframe,
    base: &Gains,
) -> Result<Tune, AutopilotError> {
    let firmware = firmware::of(autopilot.name());
    let own = autopilot.defaults();
    let beside = firmware.into_iter().flat_map(Firmware::stock);
    let settings = Settings::of(given, own.iter().copied().chain(beside));
    let mut values: BTreeMap<String, f64> = own
        .iter()
        .map(|(n, value)| ((*n).to_owned(), *value))
        .collect();
    values.extend(given.iter().map(|(name, value)| (name.clone(), *value)));
    autopilot.unified(&mut values, given);
    let all = autopilot.parameters(airframe, &sample(), &Tuned::everything())?;
    // What has to be 0 for the cascade to be ours is flown where it is.
    for parameter in all.iter().filter(|p| p.stands_for.is_none()) {
        if given.get(&parameter.name) == Some(&0.0) && parameter.value == 0.0 {
            let _ = settings.own(&parameter.name);
        }
    }
    let mut gains = Vec::new();
    let mut origins = Origins::default();
    for parameter in all.iter().filter(|p| p.stands_for.is_some()) {
        let name = &parameter.name;
        let Some(value) = values.get(name).copied() else {
            continue;
        };
        let from = match settings.own(name) {
            Some(_) => &mut origins.file,
            None => &mut origins.stock,
        };
        from.push(name.clone());
        gains.push(Parameter {
            value,
            ..parameter.clone()
        });
    }
    // A list of differences may hold no gain.
    let may_lack = file.is_some_and(|file| file.is_difference) && !origins.stock.is_empty();
    if origins.file.is_empty() && !may_lack {
        let target = autopilot.name();
        return Err(AutopilotError::NothingRead(target));
    }
    // Where every gain is the firmware's own, all of them are the tune.
    let in_file = |p: &&Parameter| origins.file.is_empty() || origins.file.contains(&p.name);
    let tuned = tuned_by(gains.iter().filter(in_file));
    origins.airframe = lacking(&gains);
    let base_has = autopilot.parameters(airframe, base, &Tuned::everything());
    gains.extend(completed(
        autopilot,
        &gains,
        &all,
        base_has.ok().as_deref(),
    )?);
    let impossible = gains.iter().filter(|p| !sane(p.value));
    let impossible = impossible.map(|p| (p.name.clone(), p.value)).collect();
    // Ranges are of what stands in the file, whatever it is multiplied with.
    let outside = |p: &Parameter| {
        let [low, high] = p.range.map(|limit| autopilot.stored(limit));
        let value = *given.get(&p.name)?;
        let outside = sane(value) && (value < low || value > high);
        outside.then(|| (p.name.clone(), value, p.range))
    };
    let beyond = gains.iter().filter_map(outside).collect();
    let mut tune = Tune {
        beyond,
        impossible,
        tuned,
        acting: two_meanings(&gains)
            .chain(never_corrected(&gains))
            .collect(),
        origins,
        ..Tune::of_gains(autopilot.name(), gains_of(base, &gains), airframe)
    };
    if let Some(firmware) = firmware {
        let words = file.map_or(&[][..], |file| &file.words);
        structured(&mut tune, firmware, &settings, words, airframe);
    }
    if let Some(file) = file {
        logged(&mut tune, file, &settings);
    }
    Ok(tune)
}

/// What a log says of its parameters besides their values.
fn logged(tune: &mut Tune, file: &ParameterFile, settings: &Settings) {
    let mut doubts = file.doubts.clone();
    let missing = tune.origins.stock.join(", ");
    if file.is_log && !missing.is_empty() {
        doubts.push(format!(
            "the log holds no {missing}, and a log holds all gains in use: they are taken as the firmware comes"
        ));
    }
    tune.acting.splice(0..0, doubts);
    tune.foreign.extend(file.foreign.iter().cloned());
    let acts = |name: &str| settings.is_read(name);
    let changed = file.changed.iter().filter(|(name, _)| acts(name));
    tune.notes.extend(changed.map(|(name, first)| {
        format!("{name} changed in the log, from {first}: its last value is judged.")
    }));
}

/// What the settings say besides the gains of `tune`.
fn structured(
    tune: &mut Tune,
    firmware: &Firmware,
    settings: &Settings,
    words: &[(usize, String, String)],
    airframe: &Airframe,
) {
    let structure = firmware.structure(settings, airframe);
    tune.gains = structure.slopes.acting(&tune.gains);
    let unread = firmware.unread(settings, words);
    tune.acting.extend(unread.acting);
    if !unread.at_stock.is_empty() {
        let names = unread.at_stock.join(", ");
        let said = format!("At the firmware's own values, acting and not simulated: {names}.");
        tune.left_out.push(said);
    }
    if unread.unknown > 0 {
        let count = unread.unknown;
        let said = format!(
            "{count} other parameters are not looked at: none has the name of a control loop's."
        );
        tune.left_out.push(said);
    }
    tune.controller = structure.controller;
    // With a weight of 0 PX4 leaves the heading alone (`AttitudeControl::update`).
    if tune.kind == "px4" && tune.controller.law().heading_weight == 0.0 {
        tune.gains.attitude_kp[2] = 0.0;
    }
    tune.delay = Some((structure.delay_ms, structure.delay_said));
    tune.mismatches = structure.mismatches;
    tune.speeds_m_s = structure.speeds_m_s;
    tune.foreign = structure.foreign;
    tune.forbidding = structure.forbidding;
    let [no_numbers, negative] = settings.senseless();
    // Of gains this is said elsewhere.
    let is_gain = |setting: &str| {
        let mut gains = tune.impossible.iter();
        gains.any(|(name, _)| setting.split(' ').next() == Some(name))
    };
    let no_numbers = no_numbers.into_iter().filter(|setting| !is_gain(setting));
    let no_numbers = no_numbers.map(|setting| format!("{setting}: this is no number"));
    tune.forbidding.extend(no_numbers);
    let is_forbidden =
        |setting: &String| tune.forbidding.iter().any(|said| said.starts_with(setting));
    let negative = negative
        .into_iter()
        .filter(|setting| !is_gain(setting) && !is_forbidden(setting))
        .map(|setting| {
            format!("{setting}: what the firmware makes of less than 0 is not simulated")
        });
    tune.acting.extend(negative);
}

/// The loops of which `gains` hold nothing.
fn lacking(gains: &[Parameter]) -> Vec<&'static str> {
    let has = |of: &dyn Fn(&Part) -> bool| {
        let mut parts = gains.iter().filter_map(|p| p.stands_for);
        parts.any(|(part, _)| of(&part))
    };
    let position = has(&|p| matches!(p, Part::Position { .. }));
    let found = [
        ("position loop", position),
        ("attitude loop", has(&|p| matches!(p, Part::Attitude(_)))),
        ("rate loop", has(&|p| matches!(p, Part::Rate { .. }))),
    ];
    let lacking = found.into_iter().filter(|(_, has)| !has);
    lacking.map(|(name, _)| name).collect()
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

fn tuned_by<'a>(parameters: impl Iterator<Item = &'a Parameter>) -> Tuned {
    let mut tuned = Tuned::default();
    for (part, _) in parameters.filter_map(|p| p.stands_for) {
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
) -> Result<Vec<Parameter>, AutopilotError> {
    let is = |p: &Parameter, part: Part| p.stands_for.is_some_and(|s| s.0 == part);
    let has = |part: Part| found.iter().any(|p| is(p, part));
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
                return Err(AutopilotError::HalfCascade {
                    name: parameter.name.clone(),
                    target: autopilot.name(),
                });
            }
        }
    }
    Ok(more)
}

/// Parameters that stand for one gain here and differ there.
fn two_meanings(gains: &[Parameter]) -> impl Iterator<Item = String> {
    let part = |p: &Parameter| p.stands_for.map(|s| s.0);
    (0..gains.len()).filter_map(move |k| {
        let one = &gains[k];
        let later = gains[k + 1..].iter().find(|p| part(p) == part(one));
        let other = later.filter(|other| other.value != one.value)?;
        Some(format!(
            "{} {} and {} {}: the simulated cascade has one gain for both, and flies the latter",
            one.name, one.value, other.name, other.value
        ))
    })
}

/// Position loops that correct no error of position, which the simulated cascade has no gain for.
fn never_corrected(gains: &[Parameter]) -> impl Iterator<Item = String> {
    let outer = |p: &&Parameter| matches!(p.stands_for, Some((Part::Position { term: 0, .. }, _)));
    let zero = gains.iter().filter(outer).filter(|p| p.value == 0.0);
    zero.map(|p| format!("{} 0: no error of that position is ever corrected", p.name))
}

#[cfg(test)]
mod tests;
