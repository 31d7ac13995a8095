//! Place: where the parts of a study are found: shipped under a name, in a file, or in the study
//! file itself.

use super::field::NONE;
use super::{Baseline, Fault, Named, Route, known_by, tunes};
use crate::Error;
use crate::files::{self, FileError};
use crate::flights::warm_start::WarmStart;
use crate::terminal;
use serde::{Deserialize, Serialize};
use shell::names::is_file;
use sim::AIRFRAME_NAMES;
use sim::Airframe;
use sim::DOMAIN_NAMES;
use sim::Domain;
use sim::Gains;
use sim::WindFile;
use sim::World;
use std::path::Path;
use toml::Value;
use trajectories::Waypoints;

/// What the shipped world is called.
pub(super) const GROUND: &str = "ground";

/// The text of a file that the user named.
pub(super) fn read(path: &Path) -> Result<String, Error> {
    Ok(files::read_text(path, files::MOST_TEXT).map_err(FileError::read(path))?)
}

/// As [`read`], for a file that the study file in `folder` names.
fn read_in(folder: &Path, given: &str) -> Result<String, Fault> {
    let path = folder.join(given);
    Ok(files::read_text(&path, files::MOST_TEXT).map_err(FileError::read(path))?)
}

/// The flight that is named or given: a shipped one, waypoints in a file in `folder`, or in full.
pub(super) fn route(folder: &Path, given: &Value) -> Result<Route, Fault> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Given {
        name: String,
        csv: String,
    }
    match given {
        Value::String(file) if is_file(file, &trajectories::NAMES, folder) => {
            route_of(file, read_in(folder, file)?, folder)
        }
        Value::String(name) => {
            trajectories::by_name(name)?;
            let legal = trajectories::NAMES.into_iter().find(|known| known == name);
            Ok(Route::Shipped(legal.expect("by_name knows it")))
        }
        Value::Table(table) => {
            let Given { name, csv } = table.clone().try_into().map_err(Fault::Syntax)?;
            let name = legal_name(&name)?;
            Waypoints::from_csv(&name, &csv).map_err(|source| Fault::Waypoints {
                path: name.clone().into(),
                source,
            })?;
            Ok(Route::Given { name, csv })
        }
        _ => kind(
            "trajectory",
            "a name, a waypoint file or a table with name and csv",
        ),
    }
}

/// That what is given is not of the kind that is wanted.
pub(super) fn kind<T>(key: &'static str, wanted: &'static str) -> Result<T, Fault> {
    Err(Fault::Kind { key, wanted })
}

fn route_of(file: &str, csv: String, folder: &Path) -> Result<Route, Fault> {
    let path = folder.join(file);
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let name = legal_name(&stem)?;
    Waypoints::from_csv(&name, &csv).map_err(|source| Fault::Waypoints { path, source })?;
    Ok(Route::Given { name, csv })
}

/// A name that may become part of a path, of a table of commas and of what a terminal shows: letters
/// and digits of any script, and blanks within.
pub(super) fn legal_name(given: &str) -> Result<String, Fault> {
    // Accents may stand as marks of their own behind their letter.
    let mark = |c: char| ('\u{300}'..='\u{36f}').contains(&c);
    let legal = |c: char| c.is_alphanumeric() || mark(c) || "._- ".contains(c);
    let length = (1..=64).contains(&given.chars().count()) && given.len() <= 128;
    let begins_well = !given.starts_with(['.', '-', ' ']) && !given.ends_with(' ');
    if length && begins_well && given.chars().all(legal) {
        return Ok(given.to_owned());
    }
    Err(Fault::Name(given.to_owned()))
}

/// The vehicle that a study file in `folder` names or gives.
pub(super) fn airframe(folder: &Path, given: &Value) -> Result<Named<Airframe>, Fault> {
    let text = match given {
        Value::String(name) if !is_file(name, &AIRFRAME_NAMES, folder) => {
            return Ok(Named::Shipped(Airframe::by_name(name)?));
        }
        Value::String(file) => read_in(folder, file)?,
        Value::Table(table) => table.to_string(),
        _ => return kind("airframe", "a name, a file or a table"),
    };
    let airframe = Airframe::from_toml(&text)?;
    legal_name(&airframe.name)?;
    Ok(Named::Given(airframe))
}

/// The world that a study file in `folder` names or gives.
pub(super) fn world(folder: &Path, given: &Value) -> Result<Named<World>, Fault> {
    let text = match given {
        Value::String(name) if name == GROUND => return Ok(Named::Shipped(World::ground())),
        Value::String(name) if !is_file(name, &[GROUND], folder) => {
            return Err(Fault::Unknown {
                key: "flight.world".to_owned(),
                given: name.clone(),
                known: format!("{GROUND}, or a world file"),
            });
        }
        Value::String(file) => read_in(folder, file)?,
        Value::Table(table) => table.to_string(),
        _ => return kind("flight.world", "ground, a file or a table"),
    };
    Ok(Named::Given(World::from_toml(&text)?))
}

/// An earlier run by the path of its record in `folder`, or its evaluations in full.
pub(super) fn warm_start(folder: &Path, given: &Value) -> Result<Option<WarmStart>, Fault> {
    match given {
        Value::String(none) if none == NONE => Ok(None),
        Value::String(path) => match known_by(&folder.join(path)) {
            Ok(start) => Ok(Some(start)),
            Err(error) => Err(Fault::WarmStart(Box::new(error))),
        },
        Value::Table(table) => table.clone().try_into().map(Some).map_err(Fault::Syntax),
        _ => kind(
            "warm_start",
            "none, a run's folder or run.json, or a table with its evaluations",
        ),
    }
}

/// The words for gains that are not a file's.
const BASELINES: [(&str, Baseline); 2] =
    [("airframe", Baseline::Airframe), ("start", Baseline::Start)];

/// The gains that a study file in `folder` names or gives for a comparison with those of `airframe`.
pub(super) fn baseline(
    folder: &Path,
    given: &Value,
    airframe: &Airframe,
) -> Result<Baseline, Fault> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Given {
        from: String,
        gains: Gains,
    }
    match given {
        Value::String(word) => {
            let known = BASELINES
                .into_iter()
                .find(|(name, _)| *name == word.as_str());
            if let Some((_, known)) = known {
                return Ok(known);
            }
            if !is_file(word, &[], folder) {
                return Err(Fault::Unknown {
                    key: "gains.baseline".to_owned(),
                    given: word.clone(),
                    known: "airframe, start, or a file that bo check reads".to_owned(),
                });
            }
            let gains = tunes::baseline(&folder.join(word), airframe);
            let gains = gains.map_err(|error| Fault::Baseline(Box::new(error)))?;
            let from = word.clone();
            Ok(Baseline::Given { from, gains })
        }
        Value::Table(table) => {
            let Given { from, gains } = table.clone().try_into().map_err(Fault::Syntax)?;
            // Checks the numbers as those of a file are.
            let text = toml::to_string(&gains).expect("numbers");
            let gains = Gains::from_toml(&text)?;
            Ok(Baseline::Given { from, gains })
        }
        _ => kind(
            "gains.baseline",
            "airframe, start, a file, or a table with from and gains",
        ),
    }
}

/// The baseline as a study file has it.
pub(super) fn baseline_in_short(baseline: &Baseline) -> Value {
    if let Baseline::Given { from, gains } = baseline {
        let gains = Value::try_from(gains).expect("its numbers were read from TOML");
        let keys = [("from", from.as_str().into()), ("gains", gains)];
        let keys = keys.map(|(key, value)| (key.to_owned(), value));
        return Value::Table(keys.into_iter().collect());
    }
    let named = BASELINES.into_iter().find(|(_, known)| known == baseline);
    named.map_or("", |(name, _)| name).into()
}

/// The wind domain that a study file in `folder` names or gives.
pub(super) fn domain(folder: &Path, given: &Value) -> Result<Named<Domain>, Fault> {
    let text = match given {
        Value::String(name) if !is_file(name, &DOMAIN_NAMES, folder) => {
            return Ok(Named::Shipped(Domain::by_name(name)?));
        }
        Value::String(file) if file.ends_with(".csv") => {
            let stem = Path::new(file).file_stem().unwrap_or_default();
            let read = wind_file(folder, file)?;
            let domain = Domain::of_wind_file(&stem.to_string_lossy(), read)?;
            return Ok(Named::Given(domain));
        }
        Value::String(file) => read_in(folder, file)?,
        Value::Table(table) => table.to_string(),
        _ => return kind("domain", "a name, a file or a table"),
    };
    // A domain's own file names its wind relative to itself.
    let beside = match given {
        Value::String(file) => folder.join(file).parent().map(Path::to_owned),
        _ => None,
    };
    let beside = beside.as_deref().unwrap_or(folder);
    let domain = Domain::read(&text, |file| wind_file(beside, file))?;
    legal_name(&domain.name)?;
    Ok(Named::Given(domain))
}

/// A record of wind, whose file is named in `folder`.
fn wind_file(folder: &Path, given: &str) -> Result<WindFile, Fault> {
    let file = WindFile::from_csv(given, &read_in(folder, given)?)?;
    file.understood()
        .iter()
        .for_each(|said| terminal::note(said));
    Ok(file)
}

/// A domain as a study file has it: its name where it is shipped, else the whole of it.
pub(super) fn domain_in_short(domain: &Named<Domain>) -> Value {
    match domain {
        // What is read back is the record itself, not what it says of its own wind.
        Named::Given(domain) if domain.record.is_some() => {
            let table = domain.to_toml().parse::<toml::Table>();
            Value::Table(table.expect("it was written as TOML"))
        }
        _ => in_short(domain, |domain| &domain.name),
    }
}

/// The name of what is shipped; the whole of what is given.
pub(super) fn in_short<T: Serialize>(thing: &Named<T>, name: fn(&T) -> &String) -> Value {
    match thing {
        Named::Shipped(thing) => name(thing).as_str().into(),
        Named::Given(thing) => Value::try_from(thing).expect("its numbers were read from TOML"),
    }
}
