//! Config: the study file. It says everything that decides a run: vehicle, trajectory, winds, what
//! is tuned between which bounds, by which surrogate, for how long, at what cost.
//!
//! A file says what differs from the defaults; flags override it; the whole of it, with every file
//! that it names taken in, is kept with the run and makes the identical run again.

mod field;
mod fields;
mod flags;
mod form;
mod gains;
mod parts;
mod place;
mod print;
mod remarks;
pub mod tunes;
mod winds;

pub use crate::error::study::{ConfigError, Fault};
pub use field::{Field, Flag, Legal, Set};
pub use fields::{PARTS, TABLES, field, fields};
pub use flags::{Typed, path, sensors, vehicle, wind};
pub use parts::{Baseline, Bounds, Conditions, Limits, Named, Route, Share};
use shell::Failure;

use crate::Error;
use crate::flights::margins::SOUND_DELAY_MS;
use crate::flights::problem::Problem;
use crate::flights::space::{POSITION, Space};
use crate::flights::tuning::Tuning;
use crate::flights::warm_start::WarmStart;
use crate::run::disk::archive::{self, Read};
pub use crate::run::settings::EXPORTABLE;
use crate::run::settings::{MOST_EVALUATIONS, Settings};
use crate::terminal;
use parts::usual_bounds;
use search::surrogates;
use sim::Airframe;
use sim::Domain;
use sim::Gains;
use sim::SensorNoise;
use sim::Setup;
use sim::Start;
use sim::World;
use std::path::Path;
use trajectories::{FromGround, Trajectory};

/// Records of wind that a study may hold: with them it can still be read again.
const MOST_WIND_BYTES: usize = 14 << 20;

/// A study in full: nothing in it is left to a default.
#[derive(Debug, Clone, PartialEq)]
pub struct Config {
    /// Names, seed, budget, cost.
    pub settings: Settings,
    /// The vehicle.
    pub airframe: Named<Airframe>,
    /// What is flown.
    pub route: Route,
    /// Under which conditions.
    pub conditions: Conditions,
    /// The gains that are tuned.
    pub gains: Vec<Bounds>,
    /// What tuned gains are compared with.
    pub baseline: Baseline,
    /// The winds of the training flights.
    pub training: Vec<Share>,
    /// The winds of the test flights.
    pub tests: Vec<Named<Domain>>,
    /// Forms in which the flight that is shown is logged.
    pub logs: Vec<sim::log::Format>,
    /// Evaluations of an earlier run that are taken as data.
    pub warm_start: Option<WarmStart>,
    /// What a run may take.
    pub limits: Limits,
}

impl Default for Config {
    /// The paper's problem: fig8 with the default airframe in its two domains, the position loop
    /// tuned by DIL-GP with 110 flights.
    fn default() -> Config {
        let settings = Settings::of_paper("fig8", "dil-gp", 1).expect("both names are shipped");
        let airframe = Airframe::omac();
        let shipped = [Domain::gusty(), Domain::steady()].map(Named::Shipped);
        Config {
            gains: usual_bounds(&POSITION, &airframe.gains),
            baseline: Baseline::Airframe,
            training: shipped
                .iter()
                .zip([100.0, 15.0])
                .map(|(domain, share)| Share {
                    domain: domain.clone(),
                    share,
                })
                .collect(),
            tests: shipped.to_vec(),
            airframe: Named::Shipped(airframe),
            route: Route::Shipped("fig8"),
            conditions: Conditions {
                world: Named::Shipped(World::ground()),
                from_ground: false,
                uncertain: false,
                sensors: SensorNoise::default(),
                start: Start::Rest,
                settle_s: 0.0,
            },
            logs: Vec::new(),
            warm_start: None,
            limits: Limits {
                threads: 0,
                flight_s: 600.0,
            },
            settings,
        }
    }
}

impl Config {
    /// What a study file leaves out: the default problem, tuned by `auto` in rounds of evaluations side by
    /// side, with sound margins and flights that begin in equilibrium.
    pub fn of_study() -> Config {
        let mut config = Config::default();
        config.settings.set_surrogate(surrogates::AUTO);
        config.settings.set_side_by_side();
        config.set_careful(true);
        config
    }

    /// Reads the text of a study file; files that it names are looked for in the folder of `path`.
    ///
    /// # Errors
    /// [`Error::Config`] with line and column, or [`Error::File`].
    pub fn from_toml(text: &str, path: &Path) -> Result<Config, Error> {
        Config::of_text(text, path, Config::of_study(), &[])
    }

    /// Reads the whole study that a run keeps. Earlier versions did not write every key: what is left out
    /// is as it was before there was such a key.
    ///
    /// # Errors
    /// As [`Config::from_toml`].
    pub fn kept(text: &str, path: &Path) -> Result<Config, Error> {
        Config::kept_with(text, path, &[])
    }

    /// Takes what is careful for a vehicle of one's own where nothing else is stated, sound margins and
    /// flights that begin in equilibrium; or what the command alone takes.
    pub fn set_careful(&mut self, careful: bool) {
        self.settings.margins.sound = careful;
        self.conditions.start = match careful {
            true => Start::Equilibrium,
            false => Start::Rest,
        };
    }

    /// The commented study file that says all this.
    pub fn to_toml(&self) -> String {
        print::print(self, None)
    }

    /// Checks what concerns several parts of it.
    ///
    /// # Errors
    /// Numbers out of range, a flight that takes too long, a warm start of another problem.
    pub fn check(&self) -> Result<(), Error> {
        self.settings.check()?;
        let duration_s = self.trajectory()?.duration_s();
        if duration_s > self.limits.flight_s {
            return Err(ConfigError::LongFlight {
                trajectory: self.settings.trajectory.clone(),
                duration_s,
                limit_s: self.limits.flight_s,
            }
            .into());
        }
        let settle_s = self.conditions.settle_s;
        if settle_s >= duration_s {
            return Err(ConfigError::Settle {
                settle_s,
                duration_s,
            }
            .into());
        }
        let texts = self
            .winds()
            .filter_map(|domain| domain.record.as_ref()?.text());
        let bytes = texts.map(str::len).sum();
        if bytes > MOST_WIND_BYTES {
            let most = MOST_WIND_BYTES;
            return Err(ConfigError::LongRecords { bytes, most }.into());
        }
        self.winds().try_for_each(|domain| {
            let fits = domain.fits(duration_s);
            fits.map_err(|error| Error::from(ConfigError::Wind(error)))
        })?;
        let Some(start) = &self.warm_start else {
            return Ok(());
        };
        let (known, budget) = (start.trials.len(), self.settings.evaluations());
        if known as u64 + budget > MOST_EVALUATIONS {
            let line = format!(
                "--warm-start gives {known} evaluations and the budget {budget}; together at most {MOST_EVALUATIONS}"
            );
            return Err(Failure::usage(line).into());
        }
        start.check(self.problem()?.in_common(&start.tuned))
    }

    /// The domains of the training flights and of the test flights.
    fn winds(&self) -> impl Iterator<Item = &Domain> {
        let training = self.training.iter().map(|share| &share.domain);
        training.chain(&self.tests).map(Named::get)
    }

    /// The gains that the run starts from.
    pub fn start_gains(&self) -> Gains {
        let mut gains = self.airframe.get().gains;
        for bounds in &self.gains {
            bounds.gain().set(&mut gains, bounds.start);
        }
        gains
    }

    /// The gains that tuned ones are compared with.
    pub fn baseline_gains(&self) -> Gains {
        match &self.baseline {
            Baseline::Airframe => self.airframe.get().gains,
            Baseline::Start => self.start_gains(),
            Baseline::Given { gains, .. } => *gains,
        }
    }

    /// The sensors; where the study says nothing of their delay, they are as late as the autopilot that is
    /// to hold the gains, or as the airframe says, whichever is later.
    fn sensors(&self) -> SensorNoise {
        let mut sensors = self.conditions.sensors;
        if sensors.delay_periods == 0 {
            let late_ms = self.settings.exportable.and_then(sim::autopilot_delay_ms);
            sensors.delay_periods = match (late_ms, self.airframe.get().delay_periods()) {
                (None, 0) => 0,
                // What a log shows of the delay need not be all of it.
                (None, own_ms) => own_ms.max(SOUND_DELAY_MS),
                (Some(late_ms), own_ms) => own_ms.max(late_ms),
            };
        }
        sensors
    }

    /// What is flown, from the ground where it is asked for.
    fn trajectory(&self) -> Result<Box<dyn Trajectory>, Error> {
        let trajectory = self.route.trajectory()?;
        if !self.conditions.from_ground {
            return Ok(trajectory);
        }
        let ground_z_m = self.conditions.world.get().ground_z_m();
        let ground_z_m = ground_z_m.ok_or(ConfigError::NoGround)?;
        let standing_m = sim::rest_height_m(self.airframe.get());
        let flight = FromGround::new(trajectory, ground_z_m, standing_m);
        Ok(Box::new(flight.map_err(ConfigError::FromGround)?))
    }

    /// Calls the flight by what is flown.
    fn name_flight(&mut self) {
        let from = if self.conditions.from_ground {
            "-from-ground"
        } else {
            ""
        };
        self.settings.trajectory = format!("{}{from}", self.route.name());
    }

    fn study_seed(&self) -> u64 {
        let seed = self.settings.seed;
        let start = self.warm_start.as_ref();
        start.map_or(seed, |start| start.study_seed(seed))
    }

    /// The tuning problem.
    ///
    /// # Errors
    /// As [`Config::check`].
    pub fn problem(&self) -> Result<Problem, Error> {
        let base = self.start_gains();
        let airframe = Airframe {
            gains: base,
            ..self.airframe.get().clone()
        };
        let total: f64 = self.training.iter().map(|share| share.share).sum();
        let tuning = Tuning {
            setup: Setup {
                uncertain: self.conditions.uncertain,
                sensors: self.sensors(),
                start: self.conditions.start,
                settle_s: self.conditions.settle_s,
                world: self.conditions.world.get().clone(),
                ..Setup::new(airframe)
            },
            trajectory: self.trajectory()?,
            domains: self.tests.iter().map(|d| d.get().clone()).collect(),
            training: self
                .training
                .iter()
                .map(|s| s.domain.get().clone())
                .collect(),
            shares: self.training.iter().map(|s| s.share / total).collect(),
            seed: self.settings.seed,
            study_seed: self.study_seed(),
        };
        let knobs = self.gains.iter().map(|own| own.gain().within(own.span));
        let space = Space::new(base, knobs.collect::<Result<_, _>>()?);
        Ok(Problem {
            warm_start: self.warm_start.clone(),
            yardstick: self.baseline_gains(),
            ..self.settings.problem_in(tuning, space)?
        })
    }

    /// The study that made the run `read`, where it lies beside the run's record.
    ///
    /// # Errors
    /// Those of [`Config::kept`], and a study file that the run did not write.
    pub fn of_run(read: &Read) -> Result<Option<Config>, Error> {
        let text = read.study()?;
        let retired = read.record.settings.is_retired();
        text.map(|(text, path)| Config::kept(&without_retired(&text, retired), &path))
            .transpose()
    }
}

/// The study `text` of an earlier version without what is gone and flies nothing; where the search is
/// `retired` without its choices.
fn without_retired(text: &str, retired: bool) -> String {
    let Ok(mut table) = text.parse::<toml::Table>() else {
        return text.to_owned();
    };
    let finals = table.get_mut("budget").and_then(toml::Value::as_table_mut);
    let finals = finals.and_then(|budget| budget.remove("finals"));
    if !retired && finals.is_none() {
        return text.to_owned();
    }
    if retired {
        let choices = ["lambda", "environments", "target", "acquisition"];
        for key in choices {
            table.remove(key);
        }
        table.insert("surrogate".to_owned(), "gp".into());
    }
    table.to_string()
}

/// The problem in which the held-out flights of the run `read` can be flown again, and its own
/// study, where there is one.
///
/// # Errors
/// A trajectory that is not there, a study that cannot be flown, or
/// [`ConfigError::Wind`] where a wind stands in a record and the study does not have its rows.
pub fn flown_by(read: &Read) -> Result<(Tuning, Option<Config>), Error> {
    let study = Config::of_run(read)?;
    let trajectory = match &study {
        Some(study) => study.problem()?.tuning.trajectory,
        None => read.trajectory()?,
    };
    let mut tuning = read.record.tuning(trajectory);
    // The run's record describes a record of wind; the rows stand in its study.
    for domain in tuning.domains.iter_mut().chain(&mut tuning.training) {
        let mut held = study.iter().flat_map(Config::winds);
        if let Some(held) = held.find(|held| *held == domain) {
            domain.clone_from(held);
        }
        domain
            .fits(tuning.trajectory.duration_s())
            .map_err(ConfigError::Wind)?;
    }
    Ok((tuning, study))
}

/// The evaluations of the run whose folder or `run.json` is at `path`, as another can take them.
///
/// # Errors
/// Those of [`archive::read`]: no run there, a damaged or altered one, one of a newer form.
pub fn known_by(path: &Path) -> Result<WarmStart, Error> {
    let read = archive::read(path)?;
    if let Some(remark) = read.remark() {
        terminal::note(&remark);
    }
    Ok(read.record.as_warm_start())
}
