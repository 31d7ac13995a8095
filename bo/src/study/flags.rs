//! Flags: a study as a command line says it: a file or the defaults, with what was typed in its
//! place.

use super::field::{Field, Legal};
use super::{Baseline, Config, ConfigError, Fault, Named, field, form, place, print};
use crate::run::disk::{archive, journal};
use crate::{Error, choice};
use shell::Failure;
use sim::{Airframe, Domain, SensorNoise};
use std::path::{Path, PathBuf};
use toml::Value;
use trajectories::Trajectory;

/// The key, and the flag, of the vehicle.
const VEHICLE: &str = "airframe";

/// The key of the autopilot that is to hold the gains.
const AUTOPILOT: &str = "gains.exportable";

/// The vehicle that a flag names: a shipped one, or one in a file.
///
/// # Errors
/// [`Error::Airframe`], [`Error::File`] or [`Error::Config`].
pub fn vehicle(given: &str) -> Result<Airframe, Error> {
    Ok(named_vehicle(given)?.get().clone())
}

/// The wind that a flag names: a shipped domain, or one in a file.
///
/// # Errors
/// As [`vehicle`].
pub fn wind(given: &str) -> Result<Domain, Error> {
    let given = Value::from(given);
    let found = place::domain(Path::new(""), &given);
    let found = found.map_err(|fault| refused("domain", &given, fault))?;
    Ok(found.get().clone())
}

/// The trajectory that a flag names: a shipped one, or waypoints in a file.
///
/// # Errors
/// As [`vehicle`], and [`Error::Trajectory`].
pub fn path(given: &str) -> Result<Box<dyn Trajectory>, Error> {
    let given = Value::from(given);
    let found = place::route(Path::new(""), &given);
    found
        .map_err(|fault| refused("traj", &given, fault))?
        .trajectory()
}

/// The sensors in a file.
///
/// # Errors
/// As [`vehicle`].
pub fn sensors(file: &Path) -> Result<SensorNoise, Error> {
    let given = Value::from(file.to_string_lossy().as_ref());
    SensorNoise::from_toml(&place::read(file)?)
        .map_err(|error| refused("sensors", &given, error.into()))
}

fn named_vehicle(given: &str) -> Result<Named<Airframe>, Error> {
    let given = Value::from(given);
    place::airframe(Path::new(""), &given).map_err(|fault| refused(VEHICLE, &given, fault))
}

impl Config {
    /// The default study for the vehicle `airframe`, a shipped name or a file, with its bounds and starts.
    ///
    /// # Errors
    /// [`Error::Airframe`] for a name that does not exist, [`Error::Config`] for a file that is faulty.
    pub fn read_for(airframe: &str) -> Result<Config, Error> {
        let vehicle = field(VEHICLE).expect("a field");
        Config::of_flags(None, &[(vehicle, airframe.into())], false)
    }

    /// The study file at `path`, or the default study, with what was typed behind `flags` in its place.
    /// Where a file, a vehicle or an autopilot is named, it may be `careful` ([`Config::set_careful`])
    /// unless the file says otherwise.
    ///
    /// # Errors
    /// A file that cannot be read; those of [`Config::from_toml`], [`Field::apply`] and [`Config::check`].
    pub fn of_flags(path: Option<&Path>, flags: &[Typed], careful: bool) -> Result<Config, Error> {
        if let Some(path) = path {
            let mut usual = usual_at(path);
            if !careful {
                usual.set_careful(false);
            }
            return Config::of_text(&place::read(path)?, path, usual, flags);
        }
        let mut usual = Config::default();
        let named = |(field, _): &Typed| [VEHICLE, AUTOPILOT].contains(&field.key);
        usual.set_careful(careful && flags.iter().any(named));
        Config::of_text("", Path::new(""), usual, flags)
    }

    /// The study file at `path`, or one that sets nothing, with what was typed behind `flags` in its place;
    /// and the file that says so, where every other key stands as a comment with its default.
    ///
    /// # Errors
    /// As [`Config::of_flags`].
    pub fn drafted(path: Option<&Path>, flags: &[Typed]) -> Result<(Config, String), Error> {
        let text = path.map(place::read).transpose()?.unwrap_or_default();
        let (path, usual) = match path {
            Some(path) => (path, usual_at(path)),
            None => (Path::new(""), Config::of_study()),
        };
        let pinned = usual != Config::of_study();
        let config = Config::of_text(&text, path, usual, flags)?;
        let set = print::Set {
            file: text.parse().unwrap_or_default(),
            typed: flags.iter().map(|(field, _)| field.key).collect(),
        };
        let text = match pinned {
            true => config.to_toml(),
            false => print::print(&config, Some(&set)),
        };
        Ok((config, text))
    }

    /// The whole study that a run keeps, as [`Config::kept`], with what was typed behind `flags` in its place.
    ///
    /// # Errors
    /// As [`Config::of_flags`].
    pub fn kept_with(text: &str, path: &Path, flags: &[Typed]) -> Result<Config, Error> {
        Config::of_text(text, path, earlier(), flags)
    }

    /// The study file `text` at `path`, of which what it leaves out is as in `usual`, with what was typed
    /// behind `flags` in its place.
    ///
    /// # Errors
    /// As [`Config::of_flags`].
    pub(super) fn of_text(
        text: &str,
        path: &Path,
        usual: Config,
        flags: &[Typed],
    ) -> Result<Config, Error> {
        // The bounds of the gains are the vehicle's: it stands before the file is read.
        let typed = flags.iter().find(|(field, _)| field.key == VEHICLE);
        let typed = typed.and_then(|(_, given)| given.as_str());
        let vehicle = typed.map(named_vehicle).transpose()?;
        let mut config = form::read(text, path, usual, vehicle).map_err(|error| match error {
            // Without a text what can be wrong is wrong with the vehicle.
            Error::Config(ConfigError::At { fault, .. }) if text.is_empty() => {
                let path = typed.unwrap_or_default().into();
                ConfigError::File { path, fault }.into()
            }
            other => other,
        })?;
        for (field, given) in flags.iter().filter(|(field, _)| field.key != VEHICLE) {
            field.apply(&mut config, given)?;
        }
        config.check()?;
        Ok(config)
    }
}

/// A setting and what was typed behind its flag.
pub type Typed = (&'static Field, Value);

/// What the study file at `path` leaves out: the one that a run keeps is whole, but for keys of later
/// versions, which then say what was so before.
fn usual_at(path: &Path) -> Config {
    let kept = path.ends_with(archive::STUDY) && path.with_file_name(journal::NAME).is_file();
    match kept {
        true => earlier(),
        false => Config::of_study(),
    }
}

/// What was so in earlier versions where they have no key.
fn earlier() -> Config {
    Config {
        baseline: Baseline::Start,
        ..Config::default()
    }
}

impl Field {
    /// Puts what was typed behind its flag into `config`.
    ///
    /// # Errors
    /// A value out of range, a name that does not exist, a file that is missing or faulty.
    pub fn apply(&self, config: &mut Config, value: &Value) -> Result<(), Error> {
        let flag = self.flag.map_or(self.key, |flag| flag.name);
        let done = self.put(config, value, Path::new(""));
        done.map_err(|fault| match (fault, self.legal) {
            (Fault::Unknown { given, known, .. }, Legal::Words(_)) => {
                choice::unknown(flag, &given, &format!("{known}, all"))
            }
            (fault, _) => refused(flag, value, fault),
        })
    }
}

/// What is wrong with the `value` behind `flag`.
fn refused(flag: &'static str, value: &Value, fault: Fault) -> Error {
    let path = || PathBuf::from(value.as_str().unwrap_or_default());
    match fault {
        Fault::OutOfRange { value, wanted, .. } => {
            Failure::out_of_range(flag, value, wanted).into()
        }
        Fault::Unknown { given, known, .. } => choice::unknown(flag, &given, &known),
        Fault::Kind { wanted, .. } => Failure::usage(format!("--{flag} must be {wanted}")).into(),
        Fault::Twice { name, .. } => choice::named_twice(flag, &name),
        Fault::Trajectory(error) => error.into(),
        Fault::Choice(error) | Fault::WarmStart(error) | Fault::Baseline(error) => *error,
        Fault::Read(error) => error.into(),
        // These name the file themselves.
        Fault::Sim(error @ sim::Error::Record { .. })
            if path().extension().is_some_and(|ending| ending == "csv") =>
        {
            ConfigError::Wind(error).into()
        }
        Fault::Waypoints { path, source } => ConfigError::WaypointFile { path, source }.into(),
        Fault::Sim(error @ sim::Error::UnknownAirframe { .. }) => Error::Airframe(error),
        fault => ConfigError::File {
            path: path(),
            fault: Box::new(fault),
        }
        .into(),
    }
}
