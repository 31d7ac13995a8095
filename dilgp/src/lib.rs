//! Ways to learn y from x with uncertainty: DIL-GP and other surrogates.
//!
//! DIL-GP comes in four forms, each documented where it is built. With g_0 and g_1 the slopes of
//! [`penalty`], on n points they minimise
//!
//! | name | objective | built by |
//! |---|---|---|
//! | `dil-gp` | `-log p + lambda (g_0^2 + g_1^2)`, the paper's Algorithm 1 | [`DilGp::printed`] |
//! | `dil-gp-released` | `(-log p + lambda 1/2 (g_0^2 + g_1^2)) / n`, the authors' code to the letter | [`GradientDescent::released_dil`] |
//! | `dil-gp-per-point` | `-log p + lambda / n * 1/2 (g_0^2 + g_1^2)`, ours | [`DilGp::per_point`] |
//! | hierarchical | ours, see there | [`Hierarchical`] |
//!
//! [`by_name`] gives the surrogates that are compared in flight; [`Process`] is the exact Gaussian
//! process with a length scale for each input, composed covariances and O(n^2) growth; the tables
//! of the `dilgp` program compare all.
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

mod baselines;
pub mod dil;
mod error;
mod matrix;
mod minimise;
pub mod process;
mod surrogate;
pub mod threads;
pub mod validation;

pub use baselines::forest::RandomForest;
pub use baselines::mlp::Mlp;
pub use dil::descent::{Factor, GradientDescent, Loss, Targets};
pub use dil::environments::{self, Environments};
pub use dil::family::Family;
pub use dil::hierarchical::Hierarchical;
pub use dil::penalty::{Invariance, Masks};
pub use dil::{DilGp, LAMBDA_GRID, Weighting};
pub use error::{Error, MOST_POINTS};
pub use minimise::{Effort, Evaluation, Guarded, Lbfgs, Minimum, minimise};
pub use process::Process;
pub use process::prior::Prior;
pub use surrogate::{
    Dataset, Ending, Hyperparameter, Model, Prediction, Slope, Summary, Surrogate,
};
pub use validation::{ClusterMean, Score, Validated, choose_lambda};

/// Every legal name of a surrogate: the paper's six, then the other objectives of DIL-GP.
pub const NAMES: [&str; 8] = [
    "rf",
    "mlp",
    "gp",
    "gp-rq",
    "gp-dp",
    "dil-gp",
    "dil-gp-released",
    "dil-gp-per-point",
];

/// The surrogate of that name, with its default settings.
///
/// # Errors
/// [`Error::UnknownSurrogate`], which lists the legal names and the nearest.
pub fn by_name(name: &str) -> Result<Box<dyn Surrogate>, Error> {
    with_lambda(name, None)
}

/// The weight of the invariance penalty if none is given; `None` for a surrogate without one.
pub fn default_lambda(name: &str) -> Option<f64> {
    match name {
        "dil-gp" => Some(DilGp::printed().lambda),
        "dil-gp-released" => released_dil().invariance.map(|i| i.lambda),
        "dil-gp-per-point" => Some(DilGp::per_point().lambda),
        _ => None,
    }
}

/// The surrogate of that name with `lambda` as the weight of its invariance penalty, or the
/// default weight; a surrogate without a penalty leaves it unread.
///
/// # Errors
/// [`Error::UnknownSurrogate`], which lists the legal names and the nearest.
pub fn with_lambda(name: &str, lambda: Option<f64>) -> Result<Box<dyn Surrogate>, Error> {
    let lambda = lambda.or(default_lambda(name)).unwrap_or_default();
    Ok(match name {
        "rf" => Box::new(RandomForest::default()),
        "mlp" => Box::new(Mlp::default()),
        "gp" => Box::new(Process::with("gp", Family::Rbf.covariance())),
        "gp-rq" => Box::new(Process::with(
            "gp-rq",
            Family::RationalQuadratic.covariance(),
        )),
        "gp-dp" => Box::new(Process::with("gp-dp", Family::DotProduct.covariance())),
        "dil-gp" => Box::new(DilGp {
            lambda,
            ..DilGp::printed()
        }),
        "dil-gp-released" => {
            let mut released = released_dil();
            released
                .invariance
                .iter_mut()
                .for_each(|i| i.lambda = lambda);
            Box::new(released)
        }
        "dil-gp-per-point" => Box::new(DilGp {
            lambda,
            ..DilGp::per_point()
        }),
        _ => return Err(Error::unknown(name, &NAMES)),
    })
}

/// The authors' DIL-GP for targets of any scale: it takes them as they are, and starts from
/// parameters of 1.
fn released_dil() -> GradientDescent {
    GradientDescent {
        surrogate: "dil-gp-released",
        targets: Targets::Standardised,
        ..GradientDescent::released_dil(Family::Rbf)
    }
}
