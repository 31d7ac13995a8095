//! Place: where the parts of a study are found: shipped under a name, in a file, or in the study
//! file itself.

use super::{ConfigError, Fault, Named, Route};
use crate::Error;
use crate::files;
use shell::names::is_file;
use sim::AIRFRAME_NAMES;
use sim::Airframe;
use sim::DOMAIN_NAMES;
use sim::Domain;
use std::path::Path;
use trajectories::Waypoints;

/// The text of a file that the user named.
pub(super) fn read(path: &Path) -> Result<String, Error> {
    files::read_text(path, files::MOST_TEXT).map_err(|source| Error::Read {
        path: path.to_owned(),
        source,
    })
}

/// As [`read`], for a file that the study file in `folder` names.
fn read_in(folder: &Path, given: &str) -> Result<String, Fault> {
    let path = folder.join(given);
    files::read_text(&path, files::MOST_TEXT).map_err(|source| Fault::Read { path, source })
}

/// The flight that a flag names.
pub(super) fn route(given: &str, folder: &Path) -> Result<Route, Error> {
    if !is_file(given, &trajectories::NAMES, folder) {
        return Ok(Route::Shipped(crate::run::settings::trajectory_name(
            given,
        )?));
    }
    let path = folder.join(given);
    let csv = read(&path)?;
    let named = route_of(given, csv, folder);
    named.map_err(|fault| {
        let error = match fault {
            // It names the file itself.
            Fault::Waypoints { path, source } => ConfigError::WaypointFile { path, source },
            fault => ConfigError::File {
                path,
                fault: Box::new(fault),
            },
        };
        error.into()
    })
}

/// The flight that a study file in `folder` names.
pub(super) fn route_in(folder: &Path, given: &str) -> Result<Route, Fault> {
    if is_file(given, &trajectories::NAMES, folder) {
        return route_of(given, read_in(folder, given)?, folder);
    }
    trajectories::by_name(given)?;
    let legal = trajectories::NAMES.into_iter().find(|name| *name == given);
    Ok(Route::Shipped(legal.expect("by_name knows it")))
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
    Err(Fault::Name {
        name: given.to_owned(),
    })
}

/// The vehicle that a study file in `folder` names or gives.
pub(super) fn airframe(folder: &Path, given: &toml::Value) -> Result<Named<Airframe>, Fault> {
    let text = match given {
        toml::Value::String(name) if !is_file(name, &AIRFRAME_NAMES, folder) => {
            return Ok(Named::Shipped(Airframe::by_name(name)?));
        }
        toml::Value::String(file) => read_in(folder, file)?,
        toml::Value::Table(table) => table.to_string(),
        _ => {
            return Err(Fault::Kind {
                key: "airframe",
                wanted: "a name, a file or a table",
            });
        }
    };
    let airframe = Airframe::from_toml(&text)?;
    legal_name(&airframe.name)?;
    Ok(Named::Given(airframe))
}

/// The vehicle that a flag names: shipped, or in a file.
pub(super) fn airframe_of_flag(given: &str) -> Result<Named<Airframe>, Error> {
    if !is_file(given, &AIRFRAME_NAMES, Path::new("")) {
        return Ok(Named::Shipped(
            Airframe::by_name(given).map_err(Error::Airframe)?,
        ));
    }
    // The text of a file is read here, so that a missing one is no fault of its contents.
    let text = read(Path::new(given))?;
    let faulty = |fault: Fault| ConfigError::File {
        path: given.into(),
        fault: Box::new(fault),
    };
    let airframe = Airframe::from_toml(&text).map_err(|error| faulty(error.into()))?;
    legal_name(&airframe.name).map_err(faulty)?;
    Ok(Named::Given(airframe))
}

/// The wind domain that a study file in `folder` names or gives.
pub(super) fn domain(folder: &Path, given: &toml::Value) -> Result<Named<Domain>, Fault> {
    let text = match given {
        toml::Value::String(name) if !is_file(name, &DOMAIN_NAMES, folder) => {
            return Ok(Named::Shipped(Domain::by_name(name)?));
        }
        toml::Value::String(file) => read_in(folder, file)?,
        toml::Value::Table(table) => table.to_string(),
        _ => {
            return Err(Fault::Kind {
                key: "domain",
                wanted: "a name, a file or a table",
            });
        }
    };
    let domain = Domain::from_toml(&text)?;
    legal_name(&domain.name)?;
    Ok(Named::Given(domain))
}
