//! Named: what a flight is made of, by its name or from a file.

use crate::args::{OMAC, VehicleArgs, WhoseArgs, WindArgs};
use shell::files::{self, FileError};
use shell::{Failure, manifest, names, terminal};
use sim::autopilot::parameter_file::STEPS;
use sim::autopilot::reading::read_file;
use sim::autopilot::tune::Tune;
use sim::autopilot::{AutopilotError, ParameterFile};
use sim::flight_log::parameters;
use sim::{
    AIRFRAME_NAMES, Airframe, DOMAIN_NAMES, Domain, Gains, Manoeuvre, Profile, SensorNoise,
    WindFile,
};
use std::error::Error;
use std::path::Path;
use trajectories::{NAMES, Trajectory, Waypoints};

/// The weather asked for.
pub(super) enum Weather {
    Still,
    Gusts(Box<Domain>),
}

impl Weather {
    pub(super) fn gusts(domain: Domain) -> Weather {
        Weather::Gusts(Box::new(domain))
    }

    /// What it is called.
    pub(super) fn name(&self) -> &str {
        match self {
            Weather::Still => "still",
            Weather::Gusts(domain) => &domain.name,
        }
    }
}

/// A shipped thing by its name, or the user's own from a file. What is neither a name nor an
/// existing file is taken for a mistyped name.
pub(super) fn named_or_read<T>(
    given: &str,
    names: &[&str],
    by_name: impl Fn(&str) -> Result<T, sim::Error>,
    from_text: impl Fn(&str) -> Result<T, sim::Error>,
) -> Result<T, Failure> {
    if !names::is_file(given, names, Path::new("")) {
        return by_name(given).map_err(Failure::usage);
    }
    let path = Path::new(given);
    from_text(&read(path)?).map_err(Failure::in_file(path))
}

pub(super) fn airframe(given: &str) -> Result<Airframe, Failure> {
    named_or_read(
        given,
        &AIRFRAME_NAMES,
        Airframe::by_name,
        Airframe::from_toml,
    )
}

/// The vehicle asked for, and its gains: those of a run, a file or an autopilot's parameter file, or else the
/// airframe's. What else a parameter file says is not taken, which is said.
pub(super) fn vehicle(args: &VehicleArgs) -> Result<(Airframe, Gains), Failure> {
    let Some(given) = &args.gains else {
        let airframe = airframe(args.airframe.as_deref().unwrap_or(OMAC))?;
        return Ok((airframe.clone(), airframe.gains));
    };
    let (tune, airframe) = tune(given, args.airframe.as_deref(), &args.whose)?;
    if tune.delay.is_some() {
        terminal::note(&tune.origins.to_string());
        let remark = "limits, filters, law and delay of the parameter file are not flown; `sim template airframe --from` prints an airframe that has them";
        terminal::note(remark);
    }
    Ok((airframe, tune.gains))
}

/// The tune in `given`, and the airframe that it is for.
///
/// # Errors
/// A file that is none of gains, or an autopilot's without an airframe.
pub(super) fn tune(
    given: &Path,
    named: Option<&str>,
    whose: &WhoseArgs,
) -> Result<(Tune, Airframe), Failure> {
    let steps = files::numbered(given, &STEPS).filter(|steps| !steps.is_empty());
    let path = match steps {
        Some(_) => given.to_owned(),
        None => names::gains_file(given),
    };
    let bytes = |path: &Path| -> Result<_, Box<dyn Error>> {
        let bytes = files::read_log_or(path, files::MOST_TEXT, parameters);
        Ok(bytes
            .map_err(FileError::read(path))
            .map_err(Failure::from)?)
    };
    // Gains may lie in a file of any name.
    let text = files::read_text(&path, files::MOST_TEXT).unwrap_or_default();
    let is_own = path.extension().is_some_and(|ending| ending == "toml");
    if is_own || Gains::from_toml(&text).is_ok() {
        let airframe = airframe(named.unwrap_or(OMAC))?;
        let text = read(&path)?;
        manifest::vouches(&path, text.as_bytes())?;
        // An airframe file holds gains too.
        let gains = Gains::from_toml(&text)
            .or_else(|error| Airframe::from_toml(&text).map_or(Err(error), |own| Ok(own.gains)))
            .map_err(Failure::in_file(&path))?;
        return Ok((Tune::of_gains("gains", gains, &airframe), airframe));
    }
    let name = path.display().to_string();
    let file = ParameterFile::read(&path, steps.as_deref(), None, whose.vehicle, bytes);
    let file = file.map_err(|error| of_either(error, of_parameters))?;
    let Some(named) = named else {
        return Err(AutopilotError::NoVehicle(name).into());
    };
    let airframe = airframe(named)?;
    let tune = read_file(&file, whose.firmware.as_deref(), &airframe, &airframe.gains)?;
    tune.flyable(&name)?;
    Ok((tune, airframe))
}

pub(super) fn sensors(path: &Path) -> Result<SensorNoise, Failure> {
    SensorNoise::from_toml(&read(path)?).map_err(Failure::in_file(path))
}

pub(super) fn manoeuvre(path: &Path) -> Result<Manoeuvre, Failure> {
    Manoeuvre::from_csv(&read(path)?).map_err(Failure::in_file(path))
}

/// The wind that is asked for, with the gusts.
pub(super) fn weather(args: &WindArgs) -> Result<Weather, Failure> {
    let weather = weather_without_gusts(args)?;
    if args.gust.is_empty() {
        return Ok(weather);
    }
    let domain = match weather {
        Weather::Still => Domain::calm(args.speed),
        Weather::Gusts(domain) => *domain,
    };
    let domain = domain.with_gusts(&args.gust);
    Ok(Weather::gusts(domain.map_err(Failure::usage)?))
}

/// A domain by its name, in a file or by its altitude, or none.
fn weather_without_gusts(args: &WindArgs) -> Result<Weather, Failure> {
    if let (Some(altitude_m), Some(w20_kt)) = (args.altitude_m, args.w20_kt) {
        let name = format!("{altitude_m:.1}m-{w20_kt:.1}kt");
        let profile = args.profile.as_deref().and_then(Profile::by_name);
        let domain = Domain::low_altitude(&name, altitude_m, w20_kt, args.speed, profile);
        return Ok(Weather::gusts(domain.map_err(Failure::usage)?));
    }
    let given = args.domain.as_deref().unwrap_or("steady");
    let names = [&DOMAIN_NAMES[..], &["still"]].concat();
    if !names::is_file(given, &names, Path::new("")) {
        let domain = Domain::by_name_or_still(given).map_err(Failure::usage)?;
        return Ok(domain.map_or(Weather::Still, Weather::gusts));
    }
    domain_in(Path::new(given)).map(Weather::gusts)
}

/// The domain in a file: its text, or a record of wind as CSV.
pub(super) fn domain_in(path: &Path) -> Result<Domain, Failure> {
    if path.extension().is_some_and(|ending| ending == "csv") {
        let file = wind_file(path, &path.display().to_string());
        let file = file.map_err(|error| of_either(error, |own: sim::Error| own.into()))?;
        return Ok(Domain::of_wind_file(&shown_name(path), file)?);
    }
    let open = |file: &str| wind_file(&path.with_file_name(file), file);
    let domain = Domain::read(&read(path)?, open);
    domain.map_err(|error| of_either(error, Failure::in_file::<sim::Error>(path)))
}

/// The failure of a file that a library had opened here, or what `of` makes of the library's own error.
fn of_either<E: Error + 'static>(error: Box<dyn Error>, of: impl Fn(E) -> Failure) -> Failure {
    let own = |error: Box<dyn Error>| match error.downcast::<E>() {
        Ok(own) => of(*own),
        Err(other) => Failure::data(other),
    };
    error
        .downcast::<Failure>()
        .map_or_else(own, |failure| *failure)
}

/// Why a parameter file cannot be used.
fn of_parameters(error: AutopilotError) -> Failure {
    match error {
        AutopilotError::Unrecognised(name) => Failure::data(format!(
            "{name} holds no gains: neither those of a run or of `sim template gains` nor parameters of px4, ardupilot, betaflight or crazyflie"
        )),
        error => error.into(),
    }
}

/// The record of wind in a file; what is wrong with it is the library's error.
fn wind_file(path: &Path, name: &str) -> Result<WindFile, Box<dyn Error>> {
    let file = WindFile::from_csv(name, &read(path)?)?;
    file.understood()
        .iter()
        .for_each(|said| terminal::note(said));
    Ok(file)
}

pub(super) fn trajectory(given: &str) -> Result<Box<dyn Trajectory>, Failure> {
    if !names::is_file(given, &NAMES, Path::new("")) {
        return Ok(trajectories::by_name(given)?);
    }
    let path = Path::new(given);
    let waypoints = Waypoints::from_csv(&shown_name(path), &read(path)?);
    Ok(Box::new(waypoints.map_err(Failure::in_file(path))?))
}

/// What a flight through the waypoints of a file is called in texts, titles and logs: the file's
/// name without its extension, at most 64 letters of it, with no control characters.
pub(super) fn shown_name(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or(path.as_os_str());
    let letters = stem.to_string_lossy();
    let shown = letters
        .chars()
        .map(|c| if c.is_control() { '\u{fffd}' } else { c });
    shown.take(64).collect()
}

/// The text of a file that describes something.
pub(super) fn read(path: &Path) -> Result<String, Failure> {
    read_at_most(path, files::MOST_TEXT)
}

pub(super) fn read_at_most(path: &Path, most: u64) -> Result<String, Failure> {
    Ok(files::read_text(path, most).map_err(FileError::read(path))?)
}
