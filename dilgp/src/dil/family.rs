//! Family: the covariances whose second derivatives DIL-GP's objective has.
//!
//! Each depends on two points through one number, their squared distance or their inner product,
//! and has positive parameters handled by their logarithms `eta`: the amplitude a, the squared
//! length l2 (or the constant of the dot product), and the exponent alpha of the
//! rational-quadratic one. [`Family::covariance`] is what predicts; [`Family::parts`] gives, for a
//! whole slice of such numbers, the derivatives that the likelihood and the invariance penalty
//! need.
//!
//! The penalty's dummy weight w scales a and l2 but not alpha, so with `K_j` the derivative by
//! eta_j the one along w is `K' = K + K_l`, and since a is a factor, `K'_j = K_j + K_lj` for every j.

use std::sync::Arc;

use crate::matrix::lanes::{exp, wide};
use crate::process::prior::Prior;
use crate::process::{
    Covariance, Lengths, Linear, Matern52, Parameter, Profile, Radial, RationalQuadratic, Rbf,
    Scaled, WithPrior, held,
};

/// A family of covariances, all with one length scale.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// `a exp(-|x - y|^2 / (2 l2))`. (The DIL-GP paper prints it without the sign and the square;
    /// its code has them.)
    Rbf,
    /// `a (1 + z + z^2 / 3) exp(-z)`, `z = sqrt(5 |x - y|^2 / l2)`.
    Matern52,
    /// `a (1 + |x - y|^2 / (2 alpha l2))^-alpha`.
    RationalQuadratic,
    /// `a (x . y + c)`, Bayesian linear regression: a is the variance of each slope and a c that of
    /// the intercept.
    DotProduct,
}

/// Covariances and their derivatives, entry by entry for a slice of compared pairs.
#[derive(Debug, Clone, PartialEq)]
pub struct Parts {
    /// k.
    pub value: Vec<f64>,
    /// d k / d eta_j, one vector a parameter.
    pub by_parameter: Vec<Vec<f64>>,
    /// The derivative along the dummy weight.
    pub along_weight: AlongWeight,
}

/// The derivative of k(w theta) by w at w = 1, and how it changes with the parameters: along the dummy
/// weight of invariant risk minimisation, which multiplies the amplitude and the squared length (or the
/// constant of the dot product).
#[derive(Debug, Clone, PartialEq)]
pub struct AlongWeight {
    /// k' = d k(w theta) / d w at w = 1.
    pub value: Vec<f64>,
    /// d k' / d eta_j, one vector a parameter.
    pub by_parameter: Vec<Vec<f64>>,
}

impl Family {
    /// The covariance with which the family predicts, its parameters in the order of `eta`.
    pub fn covariance(self) -> Arc<dyn Covariance> {
        match self {
            Self::Rbf => Arc::new(isotropic(Rbf)),
            Self::Matern52 => Arc::new(isotropic(Matern52)),
            Self::RationalQuadratic => Arc::new(isotropic(RationalQuadratic)),
            Self::DotProduct => Arc::new(WithPrior::with_all(Scaled(Linear), of_dot_product)),
        }
    }

    /// Number of parameters.
    pub fn parameters(self) -> usize {
        match self {
            Self::Rbf | Self::Matern52 | Self::DotProduct => 2,
            Self::RationalQuadratic => 3,
        }
    }

    /// The number through which the covariance sees `x` and `y`.
    pub fn compare(self, x: &[f64], y: &[f64]) -> f64 {
        let pairs = x.iter().zip(y);
        match self {
            Self::DotProduct => pairs.map(|(a, b)| a * b).sum(),
            _ => pairs.map(|(a, b)| (a - b) * (a - b)).sum(),
        }
    }

    /// k and its derivatives by the parameters and along the dummy weight.
    ///
    /// # Panics
    /// If `eta` has not one entry for each parameter.
    pub fn parts(self, eta: &[f64], compared: &[f64]) -> Parts {
        assert_eq!(eta.len(), self.parameters(), "one entry a parameter");
        let mut table = Table::new(self.parameters(), compared.len());
        match self {
            Self::Rbf => table.fill_radial(Rbf, eta, compared),
            Self::Matern52 => table.fill_radial(Matern52, eta, compared),
            Self::RationalQuadratic => table.fill_radial(RationalQuadratic, eta, compared),
            Self::DotProduct => table.fill_dot_product(eta, compared),
        }
        table.parts()
    }
}

fn isotropic<P: Profile>(profile: P) -> Scaled<Radial<P>> {
    Scaled(Radial::new(profile, Lengths::SharedSquare))
}

/// log a ~ N(-log d, 2^2): d slopes share the unit variance. log c ~ N(0, 2^2).
fn of_dot_product(dimensions: usize) -> Vec<Parameter> {
    let around = |centre| Prior {
        centre,
        deviation: 2.0,
    };
    vec![
        Parameter::new("amplitude", around(-(dimensions as f64).ln())),
        Parameter::new("constant", around(0.0)),
    ]
}

/// A profile p(s) whose second derivatives are known.
trait TwiceDifferentiable: Profile {
    /// d^2 p / d s^2 and d^2 p / (d s d log shape).
    fn second(self, shape: f64, s: f64) -> (f64, f64);
}

impl TwiceDifferentiable for Rbf {
    #[inline(always)]
    fn second(self, shape: f64, s: f64) -> (f64, f64) {
        (0.25 * self.value(shape, s), 0.0)
    }
}

impl TwiceDifferentiable for Matern52 {
    /// `p'' = 25/12 exp(-z)`.
    #[inline(always)]
    fn second(self, _shape: f64, s: f64) -> (f64, f64) {
        (25.0 / 12.0 * exp(-(5.0 * s).sqrt()), 0.0)
    }
}

impl TwiceDifferentiable for RationalQuadratic {
    /// With t = s / (2 alpha), B = 1 + t: `p'' = p (1 + 1 / alpha) / (4 B^2)`, and from
    /// `p' = -p / (2 B)` the mixed one is `-(dp/d log alpha + p t / B) / (2 B)`.
    #[inline(always)]
    fn second(self, alpha: f64, s: f64) -> (f64, f64) {
        let (value, slope, by_alpha) = self.derivatives(alpha, s);
        let t = 0.5 * s / alpha;
        let half_over_base = 0.5 / (1.0 + t);
        (
            -slope * half_over_base * (1.0 + 1.0 / alpha),
            -(by_alpha + value * (t / (1.0 + t))) * half_over_base,
        )
    }
}

/// k, its derivatives by eta, and those of its derivative by the logarithm of the length. The
/// derivative by that of the amplitude is k itself.
struct Table {
    parameters: usize,
    value: Vec<f64>,
    by_length: Vec<f64>,
    by_shape: Vec<f64>,
    by_length_twice: Vec<f64>,
    by_length_and_shape: Vec<f64>,
}

impl Table {
    fn new(parameters: usize, pairs: usize) -> Self {
        let zeros = || vec![0.0; pairs];
        Self {
            parameters,
            value: zeros(),
            by_length: zeros(),
            by_shape: zeros(),
            by_length_twice: zeros(),
            by_length_and_shape: zeros(),
        }
    }

    /// With `s = |x - y|^2 / l2`: `K = a p`, `K_l = -a s p'`, `K_ll = a (s p' + s^2 p'')`.
    fn fill_radial<P: TwiceDifferentiable>(&mut self, profile: P, eta: &[f64], compared: &[f64]) {
        let (amplitude, rate) = (eta[0].exp(), (-eta[1]).exp());
        let shape = eta.get(2).map_or(1.0, |eta| eta.exp());
        let first = self.value.iter_mut().zip(&mut self.by_length);
        let by_length = self.by_length_twice.iter_mut();
        let by_length = by_length.zip(&mut self.by_length_and_shape);
        let entries = first.zip(&mut self.by_shape).zip(by_length).zip(compared);
        wide(
            #[inline(always)]
            || {
                for ((((value, by_length), by_shape), (twice, both)), compared) in entries {
                    let s = held(rate * compared);
                    let (p, slope, along_shape) = profile.derivatives(shape, s);
                    let (curvature, mixed) = profile.second(shape, s);
                    *value = amplitude * p;
                    *by_length = -amplitude * (s * slope);
                    *by_shape = amplitude * along_shape;
                    *twice = amplitude * (s * slope + s * s * curvature);
                    *both = -amplitude * (s * mixed);
                }
            },
        );
    }

    /// `K = a (x . y + c)`, `K_c = K_cc = a c`.
    fn fill_dot_product(&mut self, eta: &[f64], compared: &[f64]) {
        let (amplitude, constant) = (eta[0].exp(), eta[1].exp());
        for (value, product) in self.value.iter_mut().zip(compared) {
            *value = amplitude * (product + constant);
        }
        self.by_length.fill(amplitude * constant);
        self.by_length_twice.fill(amplitude * constant);
    }

    fn parts(self) -> Parts {
        let mixed = |one: &[f64], two: &[f64]| -> Vec<f64> {
            let both = one.iter().zip(two);
            both.map(|(one, two)| one + two).collect()
        };
        let value = mixed(&self.value, &self.by_length);
        let mut along = vec![
            value.clone(),
            mixed(&self.by_length, &self.by_length_twice),
            mixed(&self.by_shape, &self.by_length_and_shape),
        ];
        along.truncate(self.parameters);
        let mut by_parameter = vec![self.value.clone(), self.by_length, self.by_shape];
        by_parameter.truncate(self.parameters);
        Parts {
            value: self.value,
            by_parameter,
            along_weight: AlongWeight {
                value,
                by_parameter: along,
            },
        }
    }
}
