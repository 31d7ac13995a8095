//! Settings: what a run is, checked. The table by which they are read and printed is `crate::study::fields`.

mod limit;
mod words;

use super::tune::Budget;
use crate::error::choice::retired;
use crate::flights::context::Context;
use crate::flights::margins::MarginLimits;
use crate::flights::problem::Problem;
use crate::flights::space::Space;
use crate::flights::tuning::limits::MeasuredLimits;
use crate::flights::tuning::{Cost, Tuning};
use crate::{Error, choice};
pub use limit::{
    COST_WEIGHT, DELAY, FLIGHT_S, FLIGHTS, HELD_OUT, INITIAL, ITERATIONS, KAPPA, LAMBDA, Limit,
    MARGIN_DB, MARGIN_DEG, MARGIN_DISK, MARGIN_MS, MOST_ACTIVITY, MOST_EVALUATIONS, MOST_OVERSHOOT,
    MOST_SETTLING_S, MOST_SHARE, SENSOR_NOISE, SETTLE_S, SHARE, STEP_M, THREADS, TOGETHER,
};
use search::{Acquisition, LossModel, Recommender, surrogates};
use serde::{Deserialize, Serialize};
use shell::Failure;
use sim::autopilot::{by_name, position_limits};
use sim::{Airframe, Setup};
pub use words::{EXPORTABLE, USUAL_ACQUISITION, acquisition_name, surrogate_name, trajectory_name};
pub(crate) use words::{is_one, one};

/// The name of something that is shipped.
type Name = &'static str;

/// Evaluations of a round where a study leaves their number to the program: the lanes of the widest
/// registers.
pub const SIDE_BY_SIDE: u64 = 8;

/// What a round of so many single flights costs, in flights flown one after the other: measured 3.0
/// with AVX2, 2.8 with AVX-512 and 7.8 with neither (`cargo bench -p sim -- side_by_side`). A constant,
/// so that no result depends on the machine; flights that the simulator takes one by one (late sensors,
/// ground) cost as many as they are.
pub const PRICE_SIDE_BY_SIDE: f64 = 3.0;

/// Everything that decides the result of one run, together with the version of the program.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Name of the trajectory.
    pub trajectory: String,
    /// Name of the surrogate.
    #[serde(deserialize_with = "words::surrogate_read")]
    pub surrogate: Name,
    /// Weight of the invariance penalty; none for a surrogate without one. What it multiplies stands
    /// at [`dilgp`]'s table of objectives.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lambda: Option<f64>,
    /// Decides the initial design, every wind, every fit.
    #[serde(with = "crate::flights::tuning::seed")]
    pub seed: u64,
    /// Evaluations before the surrogate is first asked, the default gains' among them.
    pub initial: u64,
    /// Evaluations that the surrogate chooses.
    pub iterations: u64,
    /// Weight of the standard deviation in the upper confidence bound.
    pub kappa: f64,
    /// Name of the rule that chooses the next point, one of [`ACQUISITIONS`].
    #[serde(
        default = "words::usual_acquisition",
        deserialize_with = "words::acquisition_read",
        skip_serializing_if = "words::is_usual"
    )]
    pub acquisition: Name,
    /// Name of the rule that chooses the gains to recommend, one of [`RECOMMENDERS`]; without one
    /// that which goes with the acquisition.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recommender: Option<Recommender>,
    /// What becomes of lost evaluations, one of [`LOSS_MODELS`]; without one what goes with the surrogate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loss_model: Option<LossModel>,
    /// What the surrogate has as context of each flight.
    #[serde(default, skip_serializing_if = "words::is_none")]
    pub environments: Context,
    /// Held-out winds in each domain.
    pub held_out_winds: u64,
    /// Flights of one evaluation, each in a wind of its own.
    #[serde(default = "one")]
    pub flights_per_evaluation: u64,
    /// Evaluations flown side by side, which are chosen before any of them is known.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub together: u64,
    /// What an evaluation costs.
    #[serde(default)]
    pub cost: Cost,
    /// Autopilot in whose ranges the position gains stay, `px4` or `ardupilot`, if any.
    #[serde(
        default,
        deserialize_with = "words::autopilot_read",
        skip_serializing_if = "Option::is_none"
    )]
    pub exportable: Option<Name>,
    /// What the margins of gains must keep.
    #[serde(default, skip_serializing_if = "MarginLimits::is_none")]
    pub margins: MarginLimits,
    /// What flights must keep of what they measure, and what is traded with the error.
    #[serde(default, skip_serializing_if = "MeasuredLimits::is_none")]
    pub measured: MeasuredLimits,
}

impl Settings {
    /// The paper's budget: 10 initial evaluations and 100 more, κ = 2, and 200 held-out winds.
    ///
    /// # Errors
    /// When the trajectory or the surrogate does not exist.
    pub fn of_paper(trajectory: &str, surrogate: &str, seed: u64) -> Result<Settings, Error> {
        Ok(Settings {
            trajectory: trajectory_name(trajectory)?.to_owned(),
            surrogate: surrogate_name(surrogate)?,
            lambda: dilgp::default_lambda(surrogate),
            seed,
            initial: 10,
            iterations: 100,
            kappa: Acquisition::KAPPA,
            acquisition: surrogates::usual_acquisition(surrogate),
            recommender: None,
            loss_model: None,
            environments: Context::usual(surrogate),
            held_out_winds: 200,
            flights_per_evaluation: 1,
            together: 1,
            cost: Cost::default(),
            exportable: None,
            margins: MarginLimits::default(),
            measured: MeasuredLimits::default(),
        })
    }

    /// The same, evaluations side by side, as many rounds as cost what its evaluations cost one after
    /// the other.
    pub fn set_side_by_side(&mut self) {
        let rounds = (self.evaluations() as f64 / PRICE_SIDE_BY_SIDE) as u64;
        self.together = SIDE_BY_SIDE;
        self.iterations = (rounds * SIDE_BY_SIDE).saturating_sub(self.initial).max(1);
    }

    /// The problem that these settings name, with the paper's vehicle.
    ///
    /// # Errors
    /// When the trajectory does not exist.
    pub fn problem(&self) -> Result<Problem, Error> {
        self.problem_of(Airframe::omac())
    }

    /// The problem that these settings name, for another vehicle than the paper's.
    ///
    /// # Errors
    /// When the trajectory does not exist.
    pub fn problem_of(&self, airframe: Airframe) -> Result<Problem, Error> {
        let trajectory = trajectories::by_name(&self.trajectory)?;
        let tuning = Tuning {
            setup: Setup::new(airframe),
            ..Tuning::of_paper(trajectory, self.seed)
        };
        let space = Space::position_loop(tuning.setup.airframe.gains);
        self.problem_in(tuning, space)
    }

    /// The problem of these settings' evaluations in the winds of `tuning`, where `space` is
    /// searched as far as the autopilot in whose ranges it is to stay can hold its gains.
    ///
    /// # Errors
    /// None that the autopilots of this version meet.
    pub fn problem_in(&self, tuning: Tuning, space: Space) -> Result<Problem, Error> {
        let autopilot = self
            .exportable
            .map(|name| by_name(name, None))
            .transpose()?;
        let airframe = &tuning.setup.airframe;
        let limits = autopilot.and_then(|of| position_limits(of.as_ref(), airframe));
        let space = match limits {
            Some(limits) => space.within(limits),
            None => space,
        };
        Ok(Problem {
            margins: self.margins.check(&tuning, &space),
            yardstick: tuning.setup.airframe.gains,
            tuning,
            space,
            cost: self.cost,
            flights: self.flights_per_evaluation,
            warm_start: None,
        })
    }

    /// The same with another surrogate, and with the rule, lambda and context that go with it where
    /// those so far were the ones that went with the surrogate so far.
    pub fn set_surrogate(&mut self, surrogate: &'static str) {
        if self.lambda == dilgp::default_lambda(self.surrogate) {
            self.lambda = dilgp::default_lambda(surrogate);
        }
        if self.acquisition == surrogates::usual_acquisition(self.surrogate) {
            self.acquisition = surrogates::usual_acquisition(surrogate);
        }
        if self.environments == Context::usual(self.surrogate) {
            self.environments = Context::usual(surrogate);
        }
        self.surrogate = surrogate;
    }

    /// The rule that chooses the next point, with its constants. The bound of a surrogate that claims
    /// no standard deviation is its mean: so the paper's network was tuned.
    ///
    /// # Errors
    /// A name that does not exist.
    pub fn rule(&self) -> Result<Acquisition, Error> {
        let certain = !surrogates::abilities(self.surrogate).has_deviation;
        let named = words::acquisition_name(self.acquisition)?;
        Ok(match Acquisition::by_name(named)? {
            Acquisition::Bound { .. } if certain => Acquisition::LeastMean,
            Acquisition::Bound { .. } => Acquisition::Bound { kappa: self.kappa },
            other => other,
        })
    }

    /// Whether an earlier version searched by what this one has not: its runs are shown, and no more is
    /// learnt from them.
    pub fn is_retired(&self) -> bool {
        let named = [
            ("acquisition", self.acquisition),
            ("surrogate", self.surrogate),
            ("environments", self.environments.name()),
        ];
        named
            .iter()
            .any(|(setting, name)| retired(setting, name).is_some())
    }

    /// Evaluations in all.
    pub fn evaluations(&self) -> u64 {
        self.initial + self.iterations
    }

    /// The evaluations, and how many of them are flown side by side: at least one, whatever a damaged record says.
    pub fn budget(&self) -> Budget {
        Budget {
            evaluations: self.evaluations(),
            batch_size: self.together.max(1),
        }
    }
}

impl Settings {
    /// Checks the numbers, and that the surrogate has what acquisition and winds need.
    ///
    /// # Errors
    /// Settings that do not go together, a number out of range naming the flag, or [`Error::Engine`].
    pub fn check(&self) -> Result<(), Error> {
        INITIAL.check(self.initial as f64)?;
        ITERATIONS.check(self.iterations as f64)?;
        FLIGHTS.check(self.flights_per_evaluation as f64)?;
        TOGETHER.check(self.together as f64)?;
        HELD_OUT.check(self.held_out_winds as f64)?;
        KAPPA.check(self.kappa)?;
        if let Some(lambda) = self.lambda {
            LAMBDA.check(lambda)?;
            if dilgp::default_lambda(self.surrogate).is_none() {
                let line = format!(
                    "--lambda does not apply to surrogate {}, which has no invariance penalty; use dil-gp, dil-gp-released or dil-gp-per-point",
                    self.surrogate
                );
                return Err(Failure::usage(line).into());
            }
        }
        self.check_acquisition()?;
        if !self.environments.able().contains(&self.surrogate) {
            return Err(self.unable());
        }
        Ok(())
    }

    /// That the surrogate cannot have this context.
    pub fn unable(&self) -> Error {
        let gone = choice::refuse_retired("environments", self.environments.name());
        gone.err().unwrap_or_else(|| {
            Failure::usage(format!(
                "surrogate {} cannot use the winds as context; use --surrogate {}, or --environments none",
                self.surrogate,
                surrogates::CONTEXTUAL.join(" or ")
            ))
            .into()
        })
    }

    fn check_acquisition(&self) -> Result<(), Error> {
        let abilities = surrogates::abilities(self.surrogate);
        self.rule()?.check(&abilities)?;
        if let Some(recommender) = self.recommender {
            recommender.check(&abilities)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
