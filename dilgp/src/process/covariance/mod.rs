//! Covariance: how strongly the values at two points vary together, for one point and a run of others.
//!
//! Everything a Gaussian process needs of a kernel is a weighed sum over such a run, so a
//! covariance gives sums and never a matrix of derivatives: the likelihood weighs a column of the
//! covariance matrix at a time, the posterior a test point against the training points. Composite
//! forms (scaled, summed) then cost no memory. Parameters are positive; `theta` holds
//! their values, and every gradient "by parameters" is by their natural logarithms.

mod columns;
mod composed;
mod polynomial;
mod profile;
mod radial;

pub use columns::{Columns, View};
pub(crate) use composed::add;
pub use composed::{Part, Scaled, Sum, WithPrior};
pub use polynomial::{Dot, Level, Linear, Trend};
pub use profile::{Matern52, Profile, RationalQuadratic, Rbf};
pub(crate) use radial::held;
pub use radial::{Lengths, Radial};

use std::borrow::Cow;

use crate::process::prior::Prior;

/// A positive parameter of a covariance.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    /// Its name, unique within one covariance.
    pub name: Cow<'static, str>,
    /// The prior of its logarithm.
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

    /// How many they are, without naming them.
    fn count(&self, dimensions: usize) -> usize {
        self.parameters(dimensions).len()
    }

    /// k(x, X_i) for each point of the view, into `value`.
    fn values(&self, theta: &[f64], view: View, value: &mut [f64]);

    /// Returns the sum of `k(x, X_i)` by the view's weights, and writes its gradient by the logarithms
    /// of the parameters into `gradient`.
    fn weigh_by_parameters(&self, theta: &[f64], view: View, gradient: &mut [f64]) -> f64;

    /// Returns the same sum, and writes its gradient by x into `gradient`. A covariance has to give this
    /// or [`Covariance::values_and_weigh_by_input`].
    fn weigh_by_input(&self, theta: &[f64], view: View, gradient: &mut [f64]) -> f64 {
        self.values_and_weigh_by_input(theta, view, &mut [], gradient)
    }

    /// [`Covariance::weigh_by_input`] and, into `value` unless it is empty, [`Covariance::values`]:
    /// for a covariance that has both from one pass over the points.
    fn values_and_weigh_by_input(
        &self,
        theta: &[f64],
        view: View,
        value: &mut [f64],
        gradient: &mut [f64],
    ) -> f64 {
        if !value.is_empty() {
            self.values(theta, view, value);
        }
        self.weigh_by_input(theta, view, gradient)
    }

    /// k(x, x); its gradient by x goes into `gradient`.
    fn at_itself(&self, theta: &[f64], x: &[f64], gradient: &mut [f64]) -> f64;
}
