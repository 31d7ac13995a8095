//! Radial: a covariance that depends on the distance of two points, measured in length scales.
//!
//! `k(x, y) = p(s)`, `s = sum_k (x_k - y_k)^2 / l_k^2`, with p one of the profiles. One length for
//! each coordinate (automatic relevance determination: a long one means that the coordinate does
//! not matter) or one for all. Distances come from differences, not from the cheaper expansion
//! `|x|^2 + |y|^2 - 2 x'y`, which loses all digits where points lie close together far from the
//! origin.

mod distances;
mod lengths;
mod matern;
mod rational_quadratic;
mod rbf;

pub(crate) use distances::held;
pub use lengths::Lengths;
pub use matern::Matern52;
pub use rational_quadratic::RationalQuadratic;
pub use rbf::Rbf;

use super::{Covariance, Parameter, View};
use crate::matrix::lanes::{weighed, wide};
use crate::process::prior::Prior;
use distances::{LANES, Rates, squares};

/// How covariance falls with the squared distance s: p(0) = 1, written without branches so that
/// loops over it can be vectorised.
pub trait Profile: std::fmt::Debug + Clone + Copy + Send + Sync + 'static {
    /// A further positive parameter, if the profile has one.
    fn shape(self) -> Option<Parameter>;

    /// p(s); `shape` is 1 for a profile that has none.
    fn value(self, shape: f64, s: f64) -> f64;

    /// p(s), dp/ds and dp/d log shape.
    fn derivatives(self, shape: f64, s: f64) -> (f64, f64, f64);
}

/// The covariance of a profile; `theta` is the length or lengths, then the shape if there is one.
#[derive(Debug, Clone, Copy)]
pub struct Radial<P> {
    profile: P,
    lengths: Lengths,
    prior: Option<Prior>,
}

/// Points handled together: their distances stay in the first-level cache.
const BLOCK: usize = 64;

/// Points in the widest registers; [`BLOCK`] holds a whole number of them.
const WIDE: usize = 8;

/// Coordinates whose rates need no memory of their own.
const FEW: usize = 16;

/// What a block of points is visited with.
#[derive(Clone, Copy)]
struct Block<'a> {
    /// Weighed dp/ds.
    slopes: &'a [f64],
    /// s.
    squares: &'a [f64],
    /// p.
    values: &'a [f64],
}

impl<P: Profile> Radial<P> {
    /// `profile` with one length a coordinate or one for all, and the default belief about the
    /// lengths: log l ~ N(log(sqrt(d) / 2), 1). The mean squared distance of two points is d/6 in
    /// the unit cube and 2d for z-scored inputs; half of either is within 0.6 deviations of it.
    pub fn new(profile: P, lengths: Lengths) -> Self {
        Self {
            profile,
            lengths,
            prior: None,
        }
    }

    /// The same with another belief about the logarithm of each length.
    pub fn with_length_prior(mut self, prior: Prior) -> Self {
        self.prior = Some(prior);
        self
    }

    #[inline(always)]
    fn shape(&self, theta: &[f64], dimensions: usize) -> f64 {
        let at = self.lengths.count(dimensions);
        if at < theta.len() { theta[at] } else { 1.0 }
    }

    /// The rates of all coordinates, in `few` where they fit.
    #[inline(always)]
    fn rates<'a>(
        &self,
        theta: &[f64],
        dimensions: usize,
        few: &'a mut [f64; FEW],
        many: &'a mut Vec<f64>,
    ) -> Rates<'a> {
        if self.lengths == Lengths::SharedSquare {
            return Rates::Common(self.lengths.rate(theta, 0));
        }
        let rates = if dimensions <= FEW {
            &mut few[..dimensions]
        } else {
            many.resize(dimensions, 0.0);
            many.as_mut_slice()
        };
        for (k, rate) in rates.iter_mut().enumerate() {
            *rate = self.lengths.rate(theta, k);
        }
        Rates::Each(rates)
    }

    /// Visits the view block by block with `weight_i dp/ds`, s and p for the points `from..to`;
    /// returns the weighed sums of p and of dp/d log shape.
    #[inline(always)]
    fn blocks(
        &self,
        theta: &[f64],
        view: View,
        weight: &[f64],
        mut visit: impl FnMut(usize, usize, Block),
    ) -> (f64, f64) {
        let shape = self.shape(theta, view.x.len());
        let (mut few, mut many) = ([0.0; FEW], Vec::new());
        let rates = self.rates(theta, view.x.len(), &mut few, &mut many);
        let has_shape = self.lengths.count(view.x.len()) < theta.len();
        let mut squared = [0.0; BLOCK];
        let mut slopes = [0.0; BLOCK];
        let mut values = [0.0; BLOCK];
        let mut by_shape = [0.0; BLOCK];
        let (mut sum, mut shape_sum) = (0.0, 0.0);
        for from in (0..view.len()).step_by(BLOCK) {
            let to = (from + BLOCK).min(view.len());
            let count = to - from;
            let whole = count.next_multiple_of(LANES);
            squares(rates, view, from, &mut squared[..whole]);
            // What stands beyond `count` is computed and not read: no loop has a remainder.
            let padded = count.next_multiple_of(WIDE);
            let outputs = values[..padded].iter_mut().zip(&mut by_shape[..padded]);
            let outputs = outputs.zip(&mut slopes[..padded]);
            for (s, ((value, by_shape), slope)) in squared[..padded].iter().zip(outputs) {
                (*value, *slope, *by_shape) = self.profile.derivatives(shape, *s);
            }
            let weight = &weight[from..to];
            sum += weighed(weight, &values[..count], |p| p);
            if has_shape {
                shape_sum += weighed(weight, &by_shape[..count], |p| p);
            }
            for (slope, weight) in slopes[..count].iter_mut().zip(weight) {
                *slope *= weight;
            }
            let block = Block {
                slopes: &slopes[..count],
                squares: &squared[..count],
                values: &values[..count],
            };
            visit(from, to, block);
        }
        (sum, shape_sum)
    }

    /// The weighed sum and its gradient by x; p as well, unless `value` is empty.
    fn by_input(
        &self,
        theta: &[f64],
        view: View,
        weight: &[f64],
        value: &mut [f64],
        gradient: &mut [f64],
    ) -> f64 {
        wide(
            #[inline(always)]
            || {
                gradient.fill(0.0);
                let (sum, _) = self.blocks(theta, view, weight, |from, to, block| {
                    if !value.is_empty() {
                        value[from..to].copy_from_slice(block.values);
                    }
                    for (k, entry) in gradient.iter_mut().enumerate() {
                        let x = view.x[k];
                        let others = view.coordinate(k, from, to);
                        let along = weighed(block.slopes, others, |y| x - y);
                        *entry += 2.0 * self.lengths.rate(theta, k) * along;
                    }
                });
                sum
            },
        )
    }
}

impl<P: Profile> Covariance for Radial<P> {
    fn parameters(&self, dimensions: usize) -> Vec<Parameter> {
        let prior = self.prior.unwrap_or(Prior {
            centre: 0.5 * (dimensions as f64 / 4.0).ln(),
            deviation: 1.0,
        });
        let lengths = self.lengths.parameters(dimensions, prior);
        lengths.into_iter().chain(self.profile.shape()).collect()
    }

    fn count(&self, dimensions: usize) -> usize {
        self.lengths.count(dimensions) + usize::from(self.profile.shape().is_some())
    }

    fn values(&self, theta: &[f64], view: View, value: &mut [f64]) {
        wide(
            #[inline(always)]
            || {
                let shape = self.shape(theta, view.x.len());
                let (mut few, mut many) = ([0.0; FEW], Vec::new());
                let rates = self.rates(theta, view.x.len(), &mut few, &mut many);
                let mut block = [0.0; BLOCK];
                for from in (0..view.len()).step_by(BLOCK) {
                    let to = (from + BLOCK).min(view.len());
                    let count = to - from;
                    let whole = count.next_multiple_of(LANES);
                    squares(rates, view, from, &mut block[..whole]);
                    for s in &mut block[..count.next_multiple_of(WIDE)] {
                        *s = self.profile.value(shape, *s);
                    }
                    value[from..to].copy_from_slice(&block[..count]);
                }
            },
        );
    }

    fn weigh_by_parameters(
        &self,
        theta: &[f64],
        view: View,
        weight: &[f64],
        gradient: &mut [f64],
    ) -> f64 {
        wide(
            #[inline(always)]
            || {
                gradient.fill(0.0);
                let (sum, shape_sum) = self.blocks(theta, view, weight, |from, to, block| {
                    if self.lengths == Lengths::SharedSquare {
                        // d s / d log l^2 = -s
                        gradient[0] -= weighed(block.slopes, block.squares, |s| s);
                        return;
                    }
                    for k in 0..view.x.len() {
                        let x = view.x[k];
                        let others = view.coordinate(k, from, to);
                        // d s / d log l_k = -2 (x_k - y_k)^2 / l_k^2
                        let squares = weighed(block.slopes, others, |y| (x - y) * (x - y));
                        let entry = if self.lengths == Lengths::Each { k } else { 0 };
                        gradient[entry] -= 2.0 * self.lengths.rate(theta, k) * squares;
                    }
                });
                let at = self.lengths.count(view.x.len());
                if at < theta.len() {
                    gradient[at] = shape_sum;
                }
                sum
            },
        )
    }

    fn weigh_by_input(
        &self,
        theta: &[f64],
        view: View,
        weight: &[f64],
        gradient: &mut [f64],
    ) -> f64 {
        self.by_input(theta, view, weight, &mut [], gradient)
    }

    fn values_and_weigh_by_input(
        &self,
        theta: &[f64],
        view: View,
        weight: &[f64],
        value: &mut [f64],
        gradient: &mut [f64],
    ) -> f64 {
        self.by_input(theta, view, weight, value, gradient)
    }

    fn at_itself(&self, _theta: &[f64], _x: &[f64], gradient: &mut [f64]) -> f64 {
        gradient.fill(0.0);
        1.0
    }
}
