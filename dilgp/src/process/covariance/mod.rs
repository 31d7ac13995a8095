//! Covariance: how strongly the values at two points are believed to vary together, for one point
//! beside a run of others.
//!
//! Everything a Gaussian process needs of a kernel is a weighed sum over such a run, so a
//! covariance gives sums and never a matrix of derivatives: the likelihood weighs a column of the
//! covariance matrix at a time, the posterior a test point beside the training points. Composite
//! forms (scaled, summed, multiplied) then cost no memory. Parameters are positive; `theta` holds
//! their values, and every gradient "by parameters" is by their natural logarithms.

mod belief;
mod columns;
mod dot;
mod level;
mod linear;
mod part;
mod product;
mod radial;
mod scaled;
mod sum;
mod trend;

pub use belief::Believed;
pub use columns::{Columns, View};
pub use dot::Dot;
pub use level::Level;
pub use linear::Linear;
pub use part::Part;
pub use product::Product;
pub(crate) use radial::held;
pub use radial::{Lengths, Matern52, Profile, Radial, RationalQuadratic, Rbf};
pub use scaled::Scaled;
pub use sum::Sum;
pub use trend::Trend;

use std::borrow::Cow;

use crate::process::prior::Prior;

/// A positive parameter of a covariance.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    /// Its name, unique within one covariance.
    pub name: Cow<'static, str>,
    /// What is believed of its logarithm before any data.
    pub prior: Prior,
}

impl Parameter {
    /// A named parameter.
    pub fn new(name: impl Into<Cow<'static, str>>, prior: Prior) -> Self {
        Self {
            name: name.into(),
            prior,
        }
    }
}

/// A positive semi-definite function k of two points.
pub trait Covariance: std::fmt::Debug + Send + Sync {
    /// The parameters, in the order of `theta`, for points of so many coordinates that span a
    /// unit cube or have unit variance, and standardised targets.
    fn parameters(&self, dimensions: usize) -> Vec<Parameter>;

    /// How many they are: for a covariance that knows without naming them.
    fn count(&self, dimensions: usize) -> usize {
        self.parameters(dimensions).len()
    }

    /// k(x, X_i) for each point of the view, into `value`.
    fn values(&self, theta: &[f64], view: View, value: &mut [f64]);

    /// Returns the sum of `weight_i k(x, X_i)`, and writes its gradient by the logarithms of the
    /// parameters into `gradient`.
    fn weigh_by_parameters(
        &self,
        theta: &[f64],
        view: View,
        weight: &[f64],
        gradient: &mut [f64],
    ) -> f64;

    /// Returns the sum of `weight_i k(x, X_i)`, and writes its gradient by x into `gradient`.
    fn weigh_by_input(
        &self,
        theta: &[f64],
        view: View,
        weight: &[f64],
        gradient: &mut [f64],
    ) -> f64;

    /// [`Covariance::weigh_by_input`] and, into `value`, [`Covariance::values`]: for a covariance
    /// that has both from one pass over the points.
    fn values_and_weigh_by_input(
        &self,
        theta: &[f64],
        view: View,
        weight: &[f64],
        value: &mut [f64],
        gradient: &mut [f64],
    ) -> f64 {
        self.values(theta, view, value);
        self.weigh_by_input(theta, view, weight, gradient)
    }

    /// k(x, x); its gradient by x goes into `gradient`.
    fn at_itself(&self, theta: &[f64], x: &[f64], gradient: &mut [f64]) -> f64;
}
