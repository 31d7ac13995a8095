//! Flags of a tuning run. What is not typed stays as the study file has it, or the default.

use super::OutputArgs;
use bo::Error;
use bo::flights::environments::{Environments, Target};
use bo::run::settings::{acquisition_name, surrogate_name};
use bo::study::{Config, EXPORTABLE, known_by};
use clap::Args;
use sim::log::Format;
use std::path::{Path, PathBuf};

/// Every form of log.
const LOGS: [Format; 3] = [Format::Csv, Format::Mcap, Format::Ulog];

/// Flags of a tuning run.
#[derive(Debug, Args)]
pub struct TuneArgs {
    /// Study file; flags override it (`bo config --print` writes one)
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// hover, fig8, sin-forward, spiral-up, or a waypoint file [default: fig8]
    #[arg(long, value_name = "NAME|CSV")]
    pub traj: Option<String>,
    /// omac, crazyflie, hummingbird, or an airframe file [default: omac]
    #[arg(long, value_name = "NAME")]
    pub airframe: Option<String>,
    /// rf, mlp, gp, gp-rq, gp-dp, dil-gp, dil-gp-released, dil-gp-per-point, gp-informed, gp-matern, gp-level-set [default: dil-gp]
    #[arg(long, value_name = "NAME")]
    pub surrogate: Option<String>,
    /// L in -log p + L G (dil-gp; G = g0²+g1²), (-log p + L/2 G)/n (-released), -log p + L/2n G (-per-point) [default: 1]
    #[arg(long, value_name = "L", allow_negative_numbers = true)]
    pub lambda: Option<f64>,
    /// Decides the initial design, every wind and every fit [default: 1]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub seed: Option<u64>,
    /// Evaluations that the surrogate chooses [default: 100]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub iterations: Option<i64>,
    /// Evaluations before it is asked, the default gains first [default: 10]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub initial: Option<i64>,
    /// Flights of one evaluation, each in its own wind [default: 1]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub flights: Option<i64>,
    /// ucb, ucb-theory (Theorem 2 without its guarantee), ei, log-ei, mean, thompson or level-set [default: ucb, or the surrogate's own]
    #[arg(long, value_name = "NAME")]
    pub acquisition: Option<String>,
    /// Weight of the standard deviation in ucb [default: 2]
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    pub kappa: Option<f64>,
    /// What gp-informed, -matern, -level-set know of winds: telemetry, labels
    #[arg(long, value_name = "NAME")]
    pub environments: Option<String>,
    /// With environments: gusty, steady, worst or mean [default: mean]
    #[arg(long, value_name = "NAME")]
    pub target: Option<String>,
    /// Take an earlier run's evaluations as data, beside the budget
    #[arg(long, value_name = "RUN")]
    pub warm_start: Option<PathBuf>,
    /// Held-out winds in each domain [default: 200]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub held_out: Option<i64>,
    /// Keep position gains within what px4 or ardupilot can hold
    #[arg(long, value_name = "TARGET", value_parser = EXPORTABLE, hide_possible_values = true)]
    pub exportable: Option<String>,
    /// Log the drawn flight: csv, mcap (Foxglove), ulog (PX4's tools) or all
    #[arg(long, value_name = "FORMS")]
    pub log: Option<String>,
    /// Folder, new or empty [default: runs/TRAJ-SURROGATE-SEED]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Go on with the run in DIR or in --out
    #[arg(long, value_name = "DIR", num_args = 0..=1)]
    pub resume: Option<Option<PathBuf>>,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub output: OutputArgs,
}

impl TuneArgs {
    /// The run that was asked for.
    ///
    /// # Errors
    /// A name that does not exist, a number out of range, or a faulty study file.
    pub fn study(&self) -> Result<Config, Error> {
        let mut config = match (&self.config, &self.airframe) {
            (path, Some(airframe)) => Config::read_for(path.as_deref(), airframe)?,
            (Some(path), None) => Config::read(path)?,
            (None, None) => Config::default(),
        };
        if let Some(given) = &self.traj {
            config.fly(given)?;
        }
        if let Some(given) = &self.log {
            config.logs = super::compare::listed("log", given, &LOGS, log_format)?;
        }
        let settings = &mut config.settings;
        if let Some(given) = &self.surrogate {
            settings.set_surrogate(surrogate_name(given)?);
        }
        if let Some(given) = &self.exportable {
            settings.exportable = EXPORTABLE.into_iter().find(|name| name == given);
        }
        if let Some(given) = &self.acquisition {
            settings.acquisition = acquisition_name(given)?;
        }
        if let Some(given) = &self.environments {
            settings.environments = Environments::by_name(given)?;
        }
        if let Some(given) = &self.target {
            settings.target = Some(Target::by_name(given)?);
        }
        if let Some(path) = &self.warm_start {
            config.warm_start = Some(known_by(path)?);
        }
        settings.seed = self.seed.unwrap_or(settings.seed);
        settings.lambda = self.lambda.or(settings.lambda);
        settings.kappa = self.kappa.unwrap_or(settings.kappa);
        let counts = [
            ("initial", self.initial, &mut settings.initial),
            ("iterations", self.iterations, &mut settings.iterations),
            (
                "flights",
                self.flights,
                &mut settings.flights_per_evaluation,
            ),
            ("held-out", self.held_out, &mut settings.held_out_winds),
        ];
        for (flag, given, target) in counts {
            if let Some(given) = given {
                // A negative count is as far out of range as zero; the check names the rest.
                *target = u64::try_from(given).map_err(|_| Error::OutOfRange {
                    flag,
                    value: given as f64,
                    wanted: "a whole number, at least 1",
                })?;
            }
        }
        config.check()?;
        Ok(config)
    }

    /// Whether anything was typed that decides what run this is.
    pub fn says_what(&self) -> bool {
        self.config.is_some()
            || self.traj.is_some()
            || self.airframe.is_some()
            || self.surrogate.is_some()
            || self.seed.is_some()
            || self.iterations.is_some()
            || self.initial.is_some()
            || self.flights.is_some()
            || self.acquisition.is_some()
            || self.environments.is_some()
            || self.target.is_some()
            || self.warm_start.is_some()
            || self.kappa.is_some()
            || self.lambda.is_some()
            || self.held_out.is_some()
            || self.exportable.is_some()
            || self.log.is_some()
    }

    /// The folder of the run to be resumed, if one is.
    ///
    /// # Errors
    /// [`Error::ResumeWhat`] where it is not said which, or said twice.
    pub fn resumed(&self) -> Result<Option<&Path>, Error> {
        match (&self.resume, &self.out) {
            (None, _) => Ok(None),
            (Some(Some(path)), None) | (Some(None), Some(path)) => Ok(Some(path)),
            (Some(None), None) | (Some(Some(_)), Some(_)) => Err(Error::ResumeWhat),
        }
    }
}

fn log_format(given: &str) -> Result<Format, Error> {
    Format::by_name(given).map_err(|_| Error::UnknownChoice {
        flag: "log",
        given: given.to_owned(),
        known: "csv, mcap, ulog, all",
    })
}
