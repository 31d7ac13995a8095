//! Search: Bayesian optimisation of any costly function, asked and told. Nothing here knows a
//! vehicle.
//!
//! [`Space`] says what may be tuned, in natural units; [`Settings`] how; an [`Optimiser`] is both
//! and the observations so far. It is asked for a point, the caller evaluates it wherever and
//! however it likes, and tells the value; at the end it recommends a point. Values are minimised.
//!
//! What is done, and why (each figure with its command in the README):
//! * scrambled Sobol' points first; then an exact Gaussian process (Matern 5/2, a length for each
//!   parameter), its hyper-parameters refitted from where they were with a cold start as guard, and
//!   extended by a row of its Cholesky factor between refits; or any surrogate of `dilgp`;
//! * values warped by Yeo and Johnson's transform, because costs are skewed;
//! * a crashed or non-finite evaluation is believed to have the worst finished value, or values are
//!   learnt from what finished alone, losses by a model of their own or, for the recommendation, as a
//!   matter of place ([`LossModel`]);
//! * log expected improvement (or another [`Acquisition`]), climbed along analytic gradients; what
//!   weighs whole functions chooses among candidates ([`maximise::points`]);
//! * for a deterministic objective, local search in a trust region for the last third of the
//!   budget, or at every third step where no budget was told in a trust region.
//!
//! ```
//! use search::{Optimiser, Parameter, Range, Settings, Space, Span};
//!
//! let gain = |name: &str| Parameter::new(name, Range::Real(Span::log(0.1, 10.0)));
//! let space = Space::new(vec![gain("kp")?, gain("kd")?])?;
//! let settings = Settings { budget: Some(20), ..Settings::deterministic(7) };
//! let mut optimiser = Optimiser::new(space, settings)?;
//! for _ in 0..20 {
//!     let x = optimiser.ask().x;
//!     let value = (x[0].ln() - 0.3).powi(2) + (x[1].ln() + 0.5).powi(2);
//!     optimiser.tell_at(&x, value)?;
//! }
//! let best = optimiser.recommend()?;
//! assert!((best[0].ln() - 0.3).abs() < 0.05 && (best[1].ln() + 0.5).abs() < 0.05);
//! # Ok::<(), search::Refusal>(())
//! ```

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
pub use model::surrogate::{Abilities, Learner};
pub use model::transform::{TRANSFORMS, Transform};
pub use observations::{Observation, Observations};
pub use optimiser::settings::Settings;
pub use optimiser::{
    Constraint, Evaluated, Judged, Judgement, Optimiser, Origin, Outcome, Predicate, Predicted,
    Suggestion, Time,
};
pub use recommend::{Choice, RECOMMENDERS, Recommendation, Recommender};
pub use space::{MOST_PARAMETERS, Parameter, Range, Scale, Space, Span};
