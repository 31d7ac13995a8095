//! Parameter file: the settings in a file of an autopilot's, in whatever form its tools write them.
//!
//! Whose file it is, is decided by the names that stand in it and not by its ending or its columns.
//! What stands there is kept as it is: `reading` says what it means. Nothing is guessed: a line
//! that names a parameter and gives it no plain number, a name with two values and a file of two
//! vehicles are errors, and lines that are no settings are counted.
//!
//! * `entries`: what stands in one file
//! * `lines`: files of one setting a line
//! * `tree`: YAML and JSON
//! * `names`: whose a name is

mod entries;
mod lines;
mod names;
mod tree;

use crate::FRAMES;
use crate::autopilot::{AutopilotError, TARGETS};
use entries::{Entries, Entry, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// One setting in a file of an autopilot's.
#[derive(Debug, Clone, PartialEq)]
pub struct Setting {
    /// The line that it stands in, from 1.
    pub line: usize,
    /// Its name.
    pub name: String,
    /// Its value, as it stands there.
    pub value: f64,
}

/// The settings in a file, or in a folder of numbered ones.
#[derive(Debug, Clone, PartialEq)]
pub struct ParameterFile {
    /// Whose they are: px4, ardupilot, betaflight, crazyflie or json.
    pub autopilot: &'static str,
    /// Those with a number, in the order of the file; of a name that stands twice the last counts.
    pub settings: Vec<Setting>,
    /// Those with a word: line, name, word.
    pub words: Vec<(usize, String, String)>,
    /// How many lines are no setting.
    pub skipped: usize,
    /// The first of those lines, with their numbers.
    pub first_skipped: Vec<(usize, String)>,
    /// The firmware's version, where the file says it.
    pub version: Option<String>,
    /// What was left out or read as something else; one sentence each.
    pub notes: Vec<String>,
    /// Whether the file plainly holds only what differs from the firmware's own values: a diff, a frame
    /// file, a start-up script, what a Crazyflie has stored, steps of a tuning.
    pub is_difference: bool,
    /// Whether it is a log, which holds all parameters in use.
    pub is_log: bool,
    /// Why settings may be others than it says; one sentence each.
    pub doubts: Vec<String>,
    /// Why it is no multirotor's; one sentence each.
    pub foreign: Vec<String>,
    /// What changed in the log that it is, and its first value.
    pub changed: Vec<(String, String)>,
}

/// How comments begin in the parameters of a log: that they are such, why they may be others, why the vehicle is another,
/// and what has changed.
pub(crate) const OF_LOG: &str = "parameters of a log";
/// See [`OF_LOG`].
pub(crate) const DOUBT: &str = "in doubt: ";
/// See [`OF_LOG`].
pub(crate) const FOREIGN: &str = "another vehicle: ";
/// See [`OF_LOG`].
pub(crate) const CHANGED: &str = "changed: ";

/// The command of Betaflight's that says which mixer flies; of the one that is set, the place in [`FRAMES`], -1 for none of these.
pub(super) const MIXER: &str = "mixer";

/// Endings of the numbered files of a folder that are applied one after another.
pub const STEPS: [&str; 2] = ["param", "parm"];

/// A longer line is in no parameter file [bytes].
const LONGEST_LINE: usize = 1 << 16;

/// A dump of Betaflight's has more settings than this; a file with fewer is a diff.
const FEWEST_OF_A_DUMP: usize = 200;

impl ParameterFile {
    /// Reads the file at `path`, or the numbered files `steps` of that folder, those with an ending of [`STEPS`],
    /// in their order; `bytes` are those of a file. `from` says whose it is where that cannot be seen,
    /// `vehicle` which one is meant in a file of several.
    ///
    /// # Errors
    /// Those of `bytes`, and of [`ParameterFile::of`].
    pub fn read<E: From<AutopilotError>>(
        path: &Path,
        steps: Option<&[PathBuf]>,
        from: Option<&str>,
        vehicle: Option<u32>,
        bytes: impl Fn(&Path) -> Result<Vec<u8>, E>,
    ) -> Result<ParameterFile, E> {
        let paths = steps.map_or(vec![path], |steps| {
            steps.iter().map(PathBuf::as_path).collect()
        });
        let mut files = Vec::new();
        for path in paths {
            let name = path.display().to_string();
            files.push(entries(&text(bytes(path)?, &name)?, &name, from)?);
        }
        let names = steps
            .into_iter()
            .flatten()
            .filter_map(|path| path.file_name());
        let names: Vec<_> = names.map(|name| name.to_string_lossy()).collect();
        let mut read = whole(files, &path.display().to_string(), from, vehicle)?;
        if !names.is_empty() {
            read.is_difference = true;
            let said = format!("Read in this order: {}.", names.join(", "));
            read.notes.insert(0, said);
        }
        Ok(read)
    }

    /// Reads the text of the file `name`; `from` and `vehicle` are those of [`ParameterFile::read`].
    ///
    /// # Errors
    /// [`AutopilotError::Line`], [`AutopilotError::File`] or [`AutopilotError::Unrecognised`].
    pub fn of(
        text: &str,
        name: &str,
        from: Option<&str>,
        vehicle: Option<u32>,
    ) -> Result<ParameterFile, AutopilotError> {
        whole(vec![entries(text, name, from)?], name, from, vehicle)
    }

    /// The numbers by name; of a name that stands twice the last.
    pub fn values(&self) -> BTreeMap<String, f64> {
        let pair = |setting: &Setting| (setting.name.clone(), setting.value);
        self.settings.iter().map(pair).collect()
    }
}

/// `bytes` as text.
fn text(bytes: Vec<u8>, name: &str) -> Result<String, AutopilotError> {
    let text = String::from_utf8(bytes).ok();
    text.filter(|text| !text.contains('\0')).ok_or_else(|| {
        let said =
            "is no text in UTF-8, and no log of PX4's, ArduPilot's or Betaflight's with parameters";
        AutopilotError::File {
            name: name.to_owned(),
            said: said.to_owned(),
        }
    })
}

/// What stands in the text of the file `name`.
fn entries(text: &str, name: &str, from: Option<&str>) -> Result<Entries, AutopilotError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut file = Entries {
        name: name.to_owned(),
        ..Entries::default()
    };
    let long = (1..)
        .zip(text.lines())
        .find(|(_, line)| line.len() > LONGEST_LINE);
    if let Some((line, content)) = long {
        let said = format!(
            "{} bytes, which no parameter file has in a line",
            content.len()
        );
        return Err(file.wrong(line, said));
    }
    match from {
        Some("json") => tree::json(text, &mut file)?,
        None if text.trim_start().starts_with('{') => tree::json(text, &mut file)?,
        Some("crazyflie") => tree::yaml(text, &mut file)?,
        None if tree::is_crazyflie(text) => tree::yaml(text, &mut file)?,
        _ => lines::read(text, &mut file)?,
    }
    Ok(file)
}

/// What the files of one tune say together.
fn whole(
    files: Vec<Entries>,
    name: &str,
    from: Option<&str>,
    vehicle: Option<u32>,
) -> Result<ParameterFile, AutopilotError> {
    let autopilot = autopilot(&files, name, from)?;
    let mut read = ParameterFile {
        autopilot,
        settings: Vec::new(),
        words: Vec::new(),
        skipped: 0,
        first_skipped: Vec::new(),
        version: None,
        notes: Vec::new(),
        is_difference: false,
        is_log: false,
        doubts: Vec::new(),
        foreign: Vec::new(),
        changed: Vec::new(),
    };
    let mut all = Vec::new();
    for mut file in files {
        let found = file.all.len();
        // What a file of another form holds has letters of the other case.
        let own = |entry: &Entry| match autopilot {
            "px4" | "ardupilot" => entry.name.starts_with(|c: char| c.is_ascii_uppercase()),
            _ => entry.name.starts_with(|c: char| c.is_ascii_lowercase()),
        };
        file.all.retain(own);
        read.skipped += file.skipped + found - file.all.len();
        one_vehicle(&mut file, vehicle)?;
        if autopilot == "betaflight" {
            let few = !file.is_dump && file.all.len() < FEWEST_OF_A_DUMP;
            file.is_difference |= few;
            one_profile(&mut file);
        } else {
            one_value(&file)?;
        }
        read.first_skipped.append(&mut file.first_skipped);
        read.notes.append(&mut file.notes);
        read.version = read.version.or(file.version);
        read.is_difference |= file.is_difference;
        read.is_log |= file.is_log;
        read.doubts.append(&mut file.doubts);
        read.foreign.append(&mut file.foreign);
        read.changed.append(&mut file.changed);
        all.append(&mut file.all);
    }
    if autopilot == "ardupilot" {
        read.notes.extend(names::unified(&mut all));
        if let Some((entry, said)) = names::old(&all) {
            if !all.iter().any(|entry| entry.name.starts_with("ATC_")) {
                return Err(AutopilotError::Line {
                    name: name.to_owned(),
                    line: entry.line,
                    said: format!("{said}; only these are read"),
                });
            }
            read.notes.push(format!("{said}: it is not read."));
        }
    }
    for Entry {
        line, name, value, ..
    } in all
    {
        match value {
            Value::Number(value) => read.settings.push(Setting { line, name, value }),
            // Switches that decide how late the gyro is and which way yaw is pushed.
            Value::Word(word) if ["dshot_bidir", "yaw_motors_reversed"].contains(&&name[..]) => {
                let value = f64::from(u8::from(word.eq_ignore_ascii_case("on")));
                read.settings.push(Setting { line, name, value });
            }
            // The frame of the mixer that the command sets; one of the file's own is not known.
            Value::Word(word) if name == MIXER && word != "CUSTOM" => {
                let word = word.trim_end_matches("_1234");
                let known = FRAMES
                    .iter()
                    .position(|frame| frame.betaflight == Some(word));
                let value = known.map_or(-1.0, |known| known as f64);
                if known.is_none() {
                    read.words.push((line, name.clone(), word.to_owned()));
                }
                read.settings.push(Setting { line, name, value });
            }
            Value::Word(word) => read.words.push((line, name, word)),
        }
    }
    if let (Some((line, text)), "px4" | "ardupilot") = (read.first_skipped.first(), autopilot) {
        let lines = read.skipped;
        let said = format!("Lines that are no settings: {lines}, the first line {line}, `{text}`.");
        read.notes.push(said);
    }
    Ok(read)
}

/// Whose parameters most of the names in `files` are, unless `from` says it.
fn autopilot(
    files: &[Entries],
    name: &str,
    from: Option<&str>,
) -> Result<&'static str, AutopilotError> {
    let entries = || files.iter().flat_map(|file| &file.all);
    let wrong = |said: String| AutopilotError::File {
        name: name.to_owned(),
        said,
    };
    let count = |target: &str| {
        entries()
            .filter(|e| names::autopilot(&e.name) == Some(target))
            .count()
    };
    let mut counts = TARGETS.map(|target| (count(target), target));
    if files.iter().any(|file| file.is_json) {
        counts = TARGETS.map(|target| (usize::from(target == "json"), target));
    }
    counts.sort();
    let [.., (second, _), (most, by_names)] = counts;
    let said = from.and_then(|from| TARGETS.into_iter().find(|target| *target == from));
    let nothing = || wrong("holds nothing that is a setting".to_owned());
    match said {
        Some(target) if most > 0 && !counts.iter().any(|c| c.1 == target && c.0 > 0) => Err(wrong(
            format!("holds parameters of {by_names}, not of {target}"),
        )),
        Some(_) if entries().next().is_none() => Err(nothing()),
        Some(target) => Ok(target),
        None if most == second => Err(AutopilotError::Unrecognised(name.to_owned())),
        None if entries().next().is_none() => Err(nothing()),
        None => Ok(by_names),
    }
}

/// Leaves the entries of one vehicle, of its autopilot where there are several components.
fn one_vehicle(file: &mut Entries, vehicle: Option<u32>) -> Result<(), AutopilotError> {
    let of: BTreeSet<(u32, u32)> = file.all.iter().filter_map(|entry| entry.of).collect();
    let vehicles: BTreeSet<u32> = of.iter().map(|of| of.0).collect();
    let listed = |ids: &BTreeSet<u32>| {
        let ids: Vec<String> = ids.iter().map(u32::to_string).collect();
        ids.join(", ")
    };
    let wrong = |said| {
        Err(AutopilotError::File {
            name: file.name.clone(),
            said,
        })
    };
    let ids = listed(&vehicles);
    match vehicle {
        Some(_) if vehicles.is_empty() => {
            let said = format!(
                "{} does not say of which vehicle it is: --vehicle changes nothing.",
                file.name
            );
            file.notes.push(said);
        }
        Some(number) if !vehicles.contains(&number) => {
            return wrong(format!("has no vehicle {number}; it has {ids}"));
        }
        None if vehicles.len() > 1 => {
            return wrong(format!(
                "has the parameters of vehicles {ids}; choose one with --vehicle"
            ));
        }
        _ => {}
    }
    let chosen = |of: &(u32, u32)| vehicle.is_none_or(|number| of.0 == number);
    let components: BTreeSet<u32> = of.iter().filter(|of| chosen(of)).map(|of| of.1).collect();
    // The autopilot is component 1 of its vehicle.
    let alone = components.len() > 1 && components.contains(&1);
    if alone {
        let others = components.into_iter().filter(|component| *component != 1);
        let others = listed(&others.collect());
        file.notes.push(format!(
            "Parameters of the vehicle's component {others} are left out."
        ));
    }
    let kept = |of: (u32, u32)| chosen(&of) && (!alone || of.1 == 1);
    file.all.retain(|entry| entry.of.is_none_or(kept));
    Ok(())
}

/// Refuses a name with two values.
fn one_value(file: &Entries) -> Result<(), AutopilotError> {
    let mut known: BTreeMap<&str, &Entry> = BTreeMap::new();
    for entry in &file.all {
        let before = known.insert(&entry.name, entry);
        if let Some(before) = before.filter(|before| !before.value.is(&entry.value)) {
            let (name, line) = (&entry.name, before.line);
            let said = format!("{name} has another value than in line {line}; leave one of them");
            return Err(file.wrong(entry.line, said));
        }
    }
    Ok(())
}

/// Leaves what flies of a file with several profiles: what holds for all, and the profile that the file
/// selects last.
fn one_profile(file: &mut Entries) {
    let Some(flown) = file.profile else {
        return;
    };
    let gains = |of: Option<u32>| {
        let gain = |entry: &Entry| entry.profile == of && names::betaflight_gain(&entry.name);
        file.all.iter().any(gain)
    };
    let profiles: BTreeSet<u32> = file.all.iter().filter_map(|entry| entry.profile).collect();
    let others = profiles
        .into_iter()
        .filter(|other| *other != flown && gains(Some(*other)));
    let others: Vec<String> = others.map(|other| other.to_string()).collect();
    if !others.is_empty() {
        let how = match gains(Some(flown)) {
            true => "",
            false => " with the firmware's own gains",
        };
        file.notes.push(format!(
            "Profile {flown}, which the file selects last, is judged{how}; gains that are not judged stand in \
             profile {}.",
            others.join(", ")
        ));
    }
    if gains(None) {
        let said = format!("Gains outside of any profile are taken as those of profile {flown}.");
        file.notes.push(said);
    }
    file.all
        .retain(|entry| entry.profile.is_none_or(|of| of == flown));
}

#[cfg(test)]
mod tests;
