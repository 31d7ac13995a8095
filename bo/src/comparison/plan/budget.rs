//! Budget: the numbers that every cell of a comparison shares.

use crate::Error;
use crate::flights::context::Context;
use crate::flights::problem::Problem;
use crate::run::settings::{Settings, is_one, one};
use crate::study::Config;
use serde::{Deserialize, Serialize};
use shell::cells::PLAN;
use sim::Airframe;
use std::path::Path;

/// The settings of a study that every cell shares, by their keys: those of a [`Budget`].
pub const SHARED: [&str; 9] = [
    "airframe",
    "budget.initial",
    "budget.iterations",
    "budget.flights",
    "budget.together",
    "budget.held_out",
    "acquisition.kappa",
    "lambda",
    "environments",
];

/// The numbers that every cell shares. Cells of different budgets never share a folder.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Budget {
    /// Version of the program.
    pub windhover: String,
    /// The vehicle.
    #[serde(default = "Airframe::omac")]
    pub airframe: Airframe,
    /// Tuning flights before a surrogate is first asked.
    pub initial: u64,
    /// Tuning flights that the surrogate chooses.
    pub iterations: u64,
    /// Flights of one evaluation, each in a wind of its own.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub flights: u64,
    /// Evaluations flown side by side.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub together: u64,
    /// Weight of the standard deviation in the acquisition.
    pub kappa: f64,
    /// Weight of the penalty in every form of DIL-GP; `None`: each one's default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lambda: Option<f64>,
    /// Context of the surrogates that can use one; `None`: each one's default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub environments: Option<Context>,
    /// Held-out winds in each domain.
    pub held_out_winds: u64,
    /// The study, whole, whose flight, winds and tuned gains stand in the place of the paper's.
    #[serde(
        default,
        rename = "config",
        alias = "own-study",
        skip_serializing_if = "Option::is_none"
    )]
    pub own_study: Option<String>,
}

impl Budget {
    /// What the cells of a comparison share of `study`, by this version of the program.
    pub fn of(study: &Config) -> Budget {
        let settings = &study.settings;
        Budget {
            windhover: env!("CARGO_PKG_VERSION").to_owned(),
            airframe: study.airframe.get().clone(),
            initial: settings.initial,
            iterations: settings.iterations,
            flights: settings.flights_per_evaluation,
            together: settings.together,
            kappa: settings.kappa,
            lambda: settings.lambda,
            environments: None,
            held_out_winds: settings.held_out_winds,
            own_study: None,
        }
    }

    /// The settings of `surrogate` on `trajectory`, all but these numbers.
    ///
    /// # Errors
    /// A name that does not exist, or a study that cannot be read.
    pub fn usual(&self, trajectory: &str, surrogate: &str, seed: u64) -> Result<Settings, Error> {
        let Some(own) = self.own()? else {
            return Settings::of_paper(trajectory, surrogate, seed);
        };
        Ok(Settings {
            trajectory: own.settings.trajectory,
            cost: own.settings.cost,
            exportable: own.settings.exportable,
            ..Settings::of_paper("fig8", surrogate, seed)?
        })
    }

    /// The problem that `settings`, made of these, tune.
    ///
    /// # Errors
    /// As [`Budget::usual`].
    pub fn problem(&self, settings: &Settings) -> Result<Problem, Error> {
        let settings = settings.clone();
        match self.own()? {
            None => settings.problem_of(self.airframe.clone()),
            Some(own) => Config { settings, ..own }.problem(),
        }
    }

    fn own(&self) -> Result<Option<Config>, Error> {
        let own = self.own_study.as_ref();
        own.map(|text| Config::kept(text, Path::new(PLAN)))
            .transpose()
    }

    /// `usual` with these numbers; a surrogate with a penalty has its own weight where none is given
    /// here, and one that cannot use the winds has no context.
    pub fn given_to(&self, usual: Settings) -> Settings {
        let able = |told: &Context| told.able().contains(&usual.surrogate);
        let given = |told: Context| Some(told).filter(able).unwrap_or_default();
        Settings {
            environments: self.environments.map_or(usual.environments, given),
            initial: self.initial,
            iterations: self.iterations,
            flights_per_evaluation: self.flights,
            together: self.together,
            kappa: self.kappa,
            lambda: usual.lambda.map(|own| self.lambda.unwrap_or(own)),
            held_out_winds: self.held_out_winds,
            ..usual
        }
    }

    /// Tuning flights of one cell.
    pub fn tuning_flights(&self) -> u64 {
        self.evaluations() * self.flights
    }

    /// Evaluations of one cell.
    pub fn evaluations(&self) -> u64 {
        self.initial + self.iterations
    }
}
