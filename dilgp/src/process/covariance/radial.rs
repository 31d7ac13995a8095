//! Radial: a covariance that depends on the distance of two points, measured in length scales.
//!
//! `k(x, y) = p(s)`, `s = sum_k (x_k - y_k)^2 / l_k^2`, with p one of the profiles. One length for
//! each coordinate (automatic relevance determination: a long one means that the coordinate does
//! not matter) or one for all. Distances come from differences, not from the cheaper expansion
//! `|x|^2 + |y|^2 - 2 x'y`, which loses all digits where points lie close together far from the
//! origin.

use super::{Covariance, Parameter, Profile, View};
use crate::matrix::lanes::{weighed, wide};
use crate::process::prior::Prior;

/// How many length scales a radial covariance has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lengths {
    /// One for each coordinate: automatic relevance determination.
    Each,
    /// One for all coordinates.
    Shared,
    /// One for all coordinates, the parameter being its square: twice the logarithm, so that a
    /// descent takes other steps than along the length itself.
    SharedSquare,
}

impl Lengths {
    /// Parameters of points of so many coordinates.
    fn count(self, dimensions: usize) -> usize {
        match self {
            Lengths::Each => dimensions,
            Lengths::Shared | Lengths::SharedSquare => 1,
        }
    }

    /// 1 / l_k^2.
    #[inline(always)]
    fn rate(self, theta: &[f64], k: usize) -> f64 {
        match self {
            Lengths::Each => 1.0 / (theta[k] * theta[k]),
            Lengths::Shared => 1.0 / (theta[0] * theta[0]),
            Lengths::SharedSquare => 1.0 / theta[0],
        }
    }

    /// The parameters, with `prior` for the logarithm of each length.
    fn parameters(self, dimensions: usize, prior: Prior) -> Vec<Parameter> {
        match self {
            Lengths::Shared => vec![Parameter::new("length", prior)],
            Lengths::SharedSquare => {
                let of_square = Prior {
                    centre: 2.0 * prior.centre,
                    deviation: 2.0 * prior.deviation,
                };
                vec![Parameter::new("length_squared", of_square)]
            }
            Lengths::Each => (1..=dimensions)
                .map(|k| Parameter::new(format!("length_{k}"), prior))
                .collect(),
        }
    }
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
    /// `profile` with one length a coordinate or one for all, and the default prior of the
    /// lengths: log l ~ N(log(sqrt(d) / 2), 1). The mean squared distance of two points is d/6 in
    /// the unit cube and 2d for z-scored inputs; half of either is within 0.6 deviations of it.
    pub fn new(profile: P, lengths: Lengths) -> Self {
        Self {
            profile,
            lengths,
            prior: None,
        }
    }

    /// The same with another prior of the logarithm of each length.
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
            let weight = &view.weight[from..to];
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

    fn weigh_by_parameters(&self, theta: &[f64], view: View, gradient: &mut [f64]) -> f64 {
        wide(
            #[inline(always)]
            || {
                gradient.fill(0.0);
                let (sum, shape_sum) = self.blocks(theta, view, |from, to, block| {
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

    fn values_and_weigh_by_input(
        &self,
        theta: &[f64],
        view: View,
        value: &mut [f64],
        gradient: &mut [f64],
    ) -> f64 {
        wide(
            #[inline(always)]
            || {
                gradient.fill(0.0);
                let (sum, _) = self.blocks(theta, view, |from, to, block| {
                    if !value.is_empty() {
                        value[from..to].copy_from_slice(block.values);
                    }
                    for (k, entry) in gradient.iter_mut().enumerate() {
                        let x = view.x[k];
                        let others = view.coordinate(k, from, to);
                        let sum = weighed(block.slopes, others, |y| x - y);
                        *entry += 2.0 * self.lengths.rate(theta, k) * sum;
                    }
                });
                sum
            },
        )
    }

    fn at_itself(&self, _theta: &[f64], _x: &[f64], gradient: &mut [f64]) -> f64 {
        gradient.fill(0.0);
        1.0
    }
}

/// Squared distances beyond this are held here; every profile is constant to rounding there.
const LARGEST_SQUARE: f64 = 1e100;

/// Distances computed side by side; what is asked for is a multiple of it.
const LANES: usize = 16;

/// A squared distance, not beyond the largest.
#[inline(always)]
pub(crate) fn held(square: f64) -> f64 {
    if square < LARGEST_SQUARE {
        square
    } else {
        LARGEST_SQUARE
    }
}

/// The rates 1 / l_k^2.
#[derive(Clone, Copy)]
enum Rates<'a> {
    /// One for each coordinate.
    Each(&'a [f64]),
    /// One for all.
    Common(f64),
}

/// s for the points from `from` on, as many as there is room for in `out`: whole blocks of [`LANES`].
#[inline(always)]
fn squares(rates: Rates, view: View, from: usize, out: &mut [f64]) {
    match rates {
        Rates::Each(rates) => {
            let rates = rates.iter().copied();
            sums(rates, view, from, out, |rate, square| rate * square);
        }
        Rates::Common(rate) => {
            let ones = view.x.iter().map(|_| 1.0);
            sums(ones, view, from, out, |_, square| square);
            out.iter_mut().for_each(|s| *s *= rate);
        }
    }
    out.iter_mut().for_each(|s| *s = held(*s));
}

/// The sum over the coordinates of `term(rate, (x - y)^2)`.
#[inline(always)]
fn sums(
    rates: impl Iterator<Item = f64> + Clone,
    view: View,
    from: usize,
    out: &mut [f64],
    term: impl Fn(f64, f64) -> f64,
) {
    let end = from + out.len();
    for (index, block) in out.as_chunks_mut::<LANES>().0.iter_mut().enumerate() {
        let mut sums = [0.0; LANES];
        for (k, (x, rate)) in view.x.iter().zip(rates.clone()).enumerate() {
            let others = view.coordinate(k, from, end).as_chunks::<LANES>().0;
            let others = &others[index];
            for lane in 0..LANES {
                let gap = x - others[lane];
                sums[lane] += term(rate, gap * gap);
            }
        }
        *block = sums;
    }
}
