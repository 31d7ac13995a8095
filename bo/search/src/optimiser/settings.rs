//! Settings: how an optimiser works, with the defaults.

use super::limits::Role;
use crate::model::losses::LossModel;
use crate::model::names;
use crate::model::surrogate::Learner;
use crate::model::transform::Transform;
use crate::{Acquisition, Recommender};

/// How to optimise; does not change.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// Name of the surrogate: one of [`crate::model::names::NAMES`].
    pub surrogate: String,
    /// The rule that chooses the next point; where none is named, see [`Settings::searches_by`].
    pub acquisition: Option<Acquisition>,
    /// The rule that names the point to deploy under noise; where none is named, see
    /// [`super::Optimiser::recommend`] and [`super::Optimiser::usual_recommender`].
    pub recommender: Option<Recommender>,
    /// How lost evaluations are learnt; if `None`, see [`Settings::loses_by`].
    pub loss_model: Option<LossModel>,
    /// What a lost evaluation costs, where the caller knows.
    pub lost_value: Option<f64>,
    /// Whether evaluating a point twice may give two values.
    pub noisy: bool,
    /// Where the search begins, in natural units: what the user has today. It is evaluated first,
    /// and is recommended unless a point has a lower posterior mean.
    pub baseline: Option<Vec<f64>>,
    /// Evaluations before the surrogate is first used, including the baseline's and those told at the
    /// start.
    pub initial: usize,
    /// Evaluations in all, where the caller knows.
    pub budget: Option<usize>,
    /// What becomes of values before the surrogate sees them.
    pub transform: Transform,
    /// Numbers measured of each evaluation and not chosen, with mean 0 and variance 1, whose effect is
    /// added to the point's ([`super::Optimiser::set_contexts`]). Predictions are for 0. Only with
    /// noise.
    pub covariates: usize,
    /// What evaluations measure beside their value, and what becomes of it. In noise only with a surrogate
    /// that has a standard deviation.
    pub outputs: Vec<Role>,
    /// Whether a deterministic objective is also searched locally.
    pub local: bool,
    /// Decides the design, the fits and the climbs. The design depends on nothing else, so searches
    /// that share a seed share it.
    pub seed: u64,
}

impl Settings {
    /// The default for an objective with noise.
    pub fn noisy(seed: u64) -> Settings {
        Settings {
            surrogate: "matern".to_owned(),
            acquisition: None,
            recommender: None,
            loss_model: None,
            lost_value: None,
            noisy: true,
            baseline: None,
            initial: 10,
            budget: None,
            transform: Transform::Warp,
            covariates: 0,
            outputs: Vec::new(),
            local: true,
            seed,
        }
    }

    /// The default for an objective without noise.
    pub fn deterministic(seed: u64) -> Settings {
        Settings {
            noisy: false,
            ..Settings::noisy(seed)
        }
    }

    /// The name of the surrogate in use: the one named, or the one that takes its place in noise if
    /// there is no baseline, no acquisition is named and there are no covariates. A baseline says that
    /// the box was drawn around something that works.
    pub fn learns_with(&self) -> &str {
        let unnamed = self.baseline.is_none() && self.acquisition.is_none();
        let unaided = self.noisy && unnamed && self.covariates == 0;
        let left_to = names::without_baseline(&self.surrogate);
        left_to.filter(|_| unaided).unwrap_or(&self.surrogate)
    }

    /// The rule that chooses the next point by what `learner` learns: the one named, or what goes with
    /// the surrogate. With losses by place that is the knowledge gradient from the first one on
    /// ([`LossModel::ByPlace`]).
    pub fn searches_by(&self, learner: &Learner) -> Acquisition {
        let usual = || Acquisition::usual(&learner.abilities(), self.noisy);
        self.acquisition.unwrap_or_else(usual)
    }

    /// How lost evaluations are learnt: as named, or as `learner` is meant for.
    pub fn loses_by(&self, learner: &Learner) -> LossModel {
        let (noisy, baseline) = (self.noisy, self.baseline.is_some());
        let usual = || names::usual_loss_model(learner.name(), noisy, baseline);
        self.loss_model.unwrap_or_else(usual)
    }
}
