//! Tunes: gains that a person names: an autopilot's parameter file, a file of gains, or the folder of a run.

use crate::Error;
use crate::files::{self, FileError};
use crate::run::disk::archive;
use crate::terminal;
use shell::{Failure, manifest};
use sim::autopilot::parameter_file::STEPS;
use sim::autopilot::tune::Tune;
use sim::autopilot::{AutopilotError, ParameterFile, reading};
use sim::{Airframe, Gains};
use std::path::Path;

/// A file or folder that holds gains.
pub enum Form {
    /// A run.
    Run {
        /// The gains that it recommends.
        recommended: Gains,
        /// Those that it compared them with.
        baseline: Gains,
        /// How late its study says that the sensors are, where it does [ms].
        delay_ms: Option<f64>,
        /// The vehicle that flew.
        airframe: Box<Airframe>,
    },
    /// Gains as we write them.
    Own(Gains),
    /// A file for an autopilot, and the version whose names count.
    Of(ParameterFile, Option<String>),
}

/// What cannot be seen of a parameter file.
#[derive(Debug, Clone, Copy, Default)]
pub struct Hints<'a> {
    /// Whose file it is.
    pub from: Option<&'a str>,
    /// The vehicle that is meant in a file of several.
    pub vehicle: Option<u32>,
    /// The version whose names count in a file with those of several.
    pub firmware: Option<&'a str>,
}

impl Form {
    /// Of what lies at `path`.
    ///
    /// # Errors
    /// What cannot be read, is none of gains, or is not what its run wrote.
    pub fn of(path: &Path, hints: Hints) -> Result<Form, Error> {
        if is_run(path) {
            let record = archive::read(path)?.record;
            return Ok(Form::Run {
                recommended: record.recommended.gains,
                baseline: record.default.gains,
                delay_ms: Some(f64::from(record.problem.sensors.delay_periods))
                    .filter(|late_ms| *late_ms > 0.0),
                airframe: Box::new(record.problem.airframe),
            });
        }
        if hints.from.is_some() || path.extension().is_none_or(|ending| ending != "toml") {
            let file = parameter_file(path, hints.from, hints.vehicle)?;
            return Ok(Form::Of(file, hints.firmware.map(str::to_owned)));
        }
        let text = files::read_text(path, files::MOST_TEXT).map_err(FileError::read(path))?;
        manifest::vouches(path, text.as_bytes())?;
        // An airframe file holds gains too.
        let of_airframe = || Airframe::from_toml(&text).map(|airframe| airframe.gains);
        let gains = Gains::from_toml(&text).or_else(|source| {
            of_airframe().map_err(|_| AutopilotError::Gains {
                name: path.display().to_string(),
                source: Box::new(source),
            })
        })?;
        Ok(Form::Own(gains))
    }

    /// Whose it is: an autopilot's, "gains" or "run".
    pub fn kind(&self) -> &'static str {
        match self {
            Form::Run { .. } => "run",
            Form::Own(_) => "gains",
            Form::Of(file, _) => file.autopilot,
        }
    }

    /// The tune; what it does not say is as in `base`.
    ///
    /// # Errors
    /// A parameter file that holds no gains.
    pub fn tune(&self, airframe: &Airframe, base: &Gains) -> Result<Tune, Error> {
        match self {
            Form::Run {
                recommended,
                delay_ms,
                airframe: own,
                ..
            } => Ok(Tune {
                delay: delay_ms.map(|late_ms| (late_ms, "as its study says".to_owned())),
                foreign: Vec::from_iter(is_another(own, airframe)),
                ..Tune::of_gains(self.kind(), *recommended, airframe)
            }),
            Form::Own(gains) => Ok(Tune::of_gains(self.kind(), *gains, airframe)),
            Form::Of(file, firmware) => Ok(reading::read_file(
                file,
                firmware.as_deref(),
                airframe,
                base,
            )?),
        }
    }
}

/// How far mass and inertia of one vehicle may be apart, as a factor.
const ONE_VEHICLE: f64 = 1.5;

/// That the vehicle that a run flew is not `airframe`.
fn is_another(own: &Airframe, airframe: &Airframe) -> Option<String> {
    let apart = |one: f64, other: f64| (one / other).max(other / one) > ONE_VEHICLE;
    let inertia = |k: usize| apart(own.inertia_kg_m2[k][k], airframe.inertia_kg_m2[k][k]);
    let other = own.rotors.count() != airframe.rotors.count()
        || apart(own.mass_kg, airframe.mass_kg)
        || (0..3).any(inertia);
    other.then(|| {
        format!(
            "the run flew {} ({} kg), and {} ({} kg) flies here",
            own.name, own.mass_kg, airframe.name, airframe.mass_kg
        )
    })
}

/// Whether `path` is the folder of a run, not one of numbered parameter files.
pub fn is_run(path: &Path) -> bool {
    path.join("run.json").exists()
        || files::numbered(path, &STEPS).is_some_and(|steps| steps.is_empty())
}

/// The autopilot's file at `path`, or the numbered files of that folder; see [`ParameterFile::read`].
///
/// # Errors
/// What cannot be read or is no autopilot's.
pub fn parameter_file(
    path: &Path,
    from: Option<&str>,
    vehicle: Option<u32>,
) -> Result<ParameterFile, Error> {
    let bytes = |path: &Path| {
        let bytes = files::read_log_or(path, files::MOST_TEXT, sim::flight_log::parameters);
        Ok(bytes.map_err(FileError::read(path))?)
    };
    let steps = files::numbered(path, &STEPS);
    ParameterFile::read(path, steps.as_deref(), from, vehicle, bytes)
}

/// Refuses the tune in `path` as a baseline if it is one of another vehicle than `airframe`, or of none that
/// can lift its weight.
///
/// # Errors
/// Why.
pub fn fits(path: &Path, tune: &Tune, airframe: &Airframe) -> Result<(), Error> {
    let name = path.display();
    let all = [&tune.foreign, &tune.mismatches, &tune.forbidding];
    match all.into_iter().flatten().next() {
        None => Ok(()),
        Some(said) => Err(Failure::data(format!(
            "{name} cannot be a baseline for {}: {said}",
            airframe.name
        ))
        .into()),
    }
}

/// The gains in `path` with which tuned ones of `airframe` are compared; what else the file says is not
/// flown, which is said.
///
/// # Errors
/// Those of [`Form::of`] and [`fits`].
pub(super) fn baseline(path: &Path, airframe: &Airframe) -> Result<Gains, Error> {
    let tune = Form::of(path, Hints::default())?.tune(airframe, &airframe.gains)?;
    fits(path, &tune, airframe)?;
    tune.flyable(&path.display().to_string())?;
    if tune.delay.is_some() && tune.kind != "run" {
        terminal::note(&format!("Of the baseline: {}", tune.origins));
        terminal::note(
            "Of the baseline the gains alone are flown, with limits, filters, law and delay of this study",
        );
        let acting = tune.acting.iter().chain(&tune.left_out);
        acting.for_each(|said| terminal::note(&format!("Of the baseline: {said}")));
    }
    Ok(tune.gains)
}
