//! Ways to learn y from x with uncertainty: DIL-GP and the surrogates beside it.
//!
//! DIL-GP comes in three modes, each documented where it is built: [`GradientDescent`] is what the
//! authors' released code computes, to the letter; [`DilGp`] is the paper's Algorithm 1 with its
//! element-wise masks and a true inner maximisation; [`Hierarchical`] is ours. [`by_name`] gives
//! the six surrogates that are compared in flight; [`Process`] is the exact Gaussian process with a
//! length scale for each input, composed covariances and O(n^2) growth; the tables of the `dilgp` program compare all.
//!
//! ```
//! use dilgp::{Dataset, by_name};
//! use nalgebra::{DMatrix, DVector};
//!
//! let x = DMatrix::from_column_slice(4, 1, &[0.0, 0.3, 0.6, 1.0]);
//! let y = DVector::from_row_slice(&[1.0, 1.8, 2.1, 1.4]);
//! let model = by_name("gp")?.fit(&Dataset::new(x, y)?, 7)?;
//! let predicted = model.predict(&DMatrix::from_element(1, 1, 0.45));
//! assert!(predicted.mean[0] > 1.5 && predicted.std.is_some());
//! # Ok::<(), dilgp::Error>(())
//! ```

mod adam;
mod cholesky;
mod cluster_mean;
mod cross_validation;
mod descent;
mod dil;
mod environments;
mod error;
pub mod evidence;
mod forest;
mod gp;
mod hierarchical;
mod invariance;
pub mod kernel;
mod kmeans;
mod lanes;
mod lbfgs;
mod mlp;
mod network;
pub mod penalty;
pub mod points;
mod posterior;
mod prior;
pub mod process;
pub mod score;
mod standardise;
mod summary;
mod surrogate;
pub mod synthetic;
mod training;
mod tree;

pub use cluster_mean::ClusterMean;
pub use cross_validation::{Validated, choose_lambda};
pub use descent::{Factor, GradientDescent, Loss};
pub use dil::{DilGp, PenaltyScale};
pub use environments::Environments;
pub use error::{Error, MOST_POINTS};
pub use forest::RandomForest;
pub use gp::GaussianProcess;
pub use hierarchical::Hierarchical;
pub use invariance::{Invariance, Masks};
pub use lbfgs::{Effort, Evaluation, Minimum, minimise};
pub use mlp::Mlp;
pub use prior::Prior;
pub use process::Process;
pub use score::Score;
pub use summary::{Ending, Hyperparameter, Summary};
pub use surrogate::{Dataset, Model, Prediction, Slope, Surrogate};

/// Every legal name of a surrogate.
pub const NAMES: [&str; 6] = ["rf", "mlp", "gp", "gp-rq", "gp-dp", "dil-gp"];

/// The surrogate of that name, with its default settings.
///
/// # Errors
/// [`Error::UnknownSurrogate`], which lists the legal names and the nearest.
pub fn by_name(name: &str) -> Result<Box<dyn Surrogate>, Error> {
    Ok(match name {
        "rf" => Box::new(RandomForest::default()),
        "mlp" => Box::new(Mlp::default()),
        "gp" => Box::new(GaussianProcess::rbf()),
        "gp-rq" => Box::new(GaussianProcess::rational_quadratic()),
        "gp-dp" => Box::new(GaussianProcess::dot_product()),
        "dil-gp" => Box::new(DilGp::default()),
        _ => return Err(unknown(name)),
    })
}

fn unknown(given: &str) -> Error {
    let distance = |known: &&&str| strsim::damerau_levenshtein(given, known);
    Error::UnknownSurrogate {
        given: given.to_owned(),
        nearest: NAMES.iter().min_by_key(distance).unwrap_or(&NAMES[0]),
        known: &NAMES,
    }
}
