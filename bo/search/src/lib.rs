//! Bayesian optimisation of a costly function: ask for points, evaluate them anywhere, tell the
//! outcomes, ask for a recommendation. Values are minimised. Nothing here knows a vehicle.
//!
//! [`Space`] says what may be varied, in natural units; [`Settings`] how to search; an
//! [`Optimiser`] is both and the observations so far.
//!
//! * The initial design: scrambled Sobol' points ([`maximise::points`]).
//! * The surrogate: an exact Gaussian process (Matern 5/2, a length for each parameter), refitted
//!   from its last hyper-parameters with a cold start as a guard and extended by a row of its
//!   Cholesky factor between refits ([`model::refit`]); or any surrogate of `dilgp`.
//! * Values are made more nearly normal by Yeo and Johnson's transform, because costs are skewed.
//! * A lost evaluation counts as the worst finished value, or losses have a model of their own
//!   ([`LossModel`]).
//! * The acquisition: log expected improvement or another [`Acquisition`], maximised along its
//!   gradients; the knowledge gradient and level sets choose among candidates.
//! * A deterministic objective is also searched in a trust region about its best point.
//!
#![doc = include_str!("../README.md")]

pub mod acquisition;
pub mod cma_es;
mod error;
pub mod maximise;
pub mod model;
mod observations;
mod optimiser;
pub mod recommend;
#[cfg(test)]
pub(crate) mod shapes;
mod space;
pub mod streams;
mod trust_region;

pub use acquisition::{ACQUISITIONS, Acquisition};
pub use error::Refusal;
pub use model::context::Contexts;
pub use model::losses::{LOSS_MODELS, LossModel};
pub use model::names as surrogates;
pub use model::names::Abilities;
pub use model::surrogate::Learner;
pub use model::transform::{TRANSFORMS, Transform};
pub use observations::{Observation, Observations};
pub use optimiser::settings::Settings;
pub use optimiser::{
    Constraint, Evaluated, FrontMember, FrontPrediction, Judged, Judgement, Optimiser, Origin,
    Outcome, Predicted, Role, Slack, Suggestion, Time,
};
pub use recommend::{Choice, RECOMMENDERS, Recommendation, Recommender};
pub use space::{MOST_PARAMETERS, Parameter, Range, Scale, Space, Span};
