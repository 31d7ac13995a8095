//! Flags: a study as a command line says it: a file or the defaults, with what was typed in its
//! place.

use super::field::{Field, Legal};
use super::{Config, ConfigError, Fault, Named, form, place};
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
    /// Reads the study file at `path`, or takes the defaults, for the vehicle `airframe` (a shipped
    /// name or a file) in place of the study's own. Bounds and starts that the study does not say
    /// are those of that vehicle.
    ///
    /// # Errors
    /// Those of [`Config::read`]; [`Error::Airframe`] for a name that does not exist,
    /// [`Error::Config`] for a file that is faulty.
    pub fn read_for(path: Option<&Path>, airframe: &str) -> Result<Config, Error> {
        Config::read_with(path, airframe, &[], false)
    }

    /// The same where the settings of the keys `typed` will be put in their place.
    fn read_with(
        path: Option<&Path>,
        airframe: &str,
        typed: &[&str],
        careful: bool,
    ) -> Result<Config, Error> {
        let vehicle = Some(named_vehicle(airframe)?);
        let Some(path) = path else {
            // What can be wrong is wrong with the vehicle: there is no other text.
            return form::read("", Path::new(""), vehicle, typed, careful).map_err(|error| {
                match error {
                    Error::Config(ConfigError::At { fault, .. }) => ConfigError::File {
                        path: airframe.into(),
                        fault,
                    }
                    .into(),
                    other => other,
                }
            });
        };
        form::read(&place::read(path)?, path, vehicle, typed, careful)
    }

    /// The study file at `path`, or the defaults, with what was typed behind `flags` in its place. Where
    /// a file, a vehicle or an autopilot is named, it may be `careful` ([`Config::be_careful`]).
    ///
    /// # Errors
    /// Those of [`Config::read_for`], [`Field::apply`] and [`Config::check`].
    pub fn of_flags(
        path: Option<&Path>,
        flags: &[(&'static Field, Value)],
        careful: bool,
    ) -> Result<Config, Error> {
        // The bounds of the gains are the vehicle's: it stands before the file is read.
        let vehicle = flags.iter().find(|(field, _)| field.key == VEHICLE);
        let typed: Vec<&str> = flags.iter().map(|(field, _)| field.key).collect();
        let mut config = match (vehicle.and_then(|(_, given)| given.as_str()), path) {
            (Some(vehicle), path) => Config::read_with(path, vehicle, &typed, careful)?,
            (None, Some(path)) => form::read(&place::read(path)?, path, None, &typed, careful)?,
            (None, None) => Config::default(),
        };
        if path.is_none() && typed.contains(&AUTOPILOT) && careful {
            config.be_careful();
        }
        for (field, given) in flags.iter().filter(|(field, _)| field.key != VEHICLE) {
            field.apply(&mut config, given)?;
        }
        config.check()?;
        Ok(config)
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
        Fault::Twice { name, .. } => choice::named_twice(flag, &name),
        Fault::Trajectory(error) => error.into(),
        Fault::Choice(error) | Fault::WarmStart(error) => *error,
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
