//! Ways to learn y from x with uncertainty: DIL-GP and the surrogates beside it.
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
mod dil;
mod error;
pub mod evidence;
mod forest;
mod gp;
pub mod kernel;
mod kmeans;
mod lbfgs;
mod mlp;
mod network;
pub mod penalty;
pub mod points;
mod posterior;
mod prior;
mod standardise;
mod summary;
mod surrogate;
mod training;
mod tree;

pub use dil::{DilGp, PenaltyScale};
pub use error::Error;
pub use forest::RandomForest;
pub use gp::GaussianProcess;
pub use lbfgs::{Effort, Evaluation, Minimum, minimise};
pub use mlp::Mlp;
pub use prior::Prior;
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
