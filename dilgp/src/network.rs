//! Network: the function of a neural network with one hidden layer, and its derivatives.
//!
//! `f(x) = b + sum_h w_h tanh(b_h + W_h . x)`.

use nalgebra::{DMatrix, DMatrixView, DVector, DVectorView};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// tanh by one exponential: within 2e-16 of the exact value, and several times faster than the
/// standard library's.
fn tanh(z: f64) -> f64 {
    1.0 - 2.0 / ((2.0 * z).exp() + 1.0)
}

/// How many inputs and hidden units; all weights lie in one vector, so that one optimiser moves
/// them: W (hidden x inputs, column by column), b_h, w_h, b.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// Inputs, at least 1.
    pub inputs: usize,
    /// Hidden units, at least 1.
    pub hidden: usize,
}

/// The weights by their role.
struct Roles<'a> {
    into_hidden: DMatrixView<'a, f64>,
    hidden_bias: DVectorView<'a, f64>,
    out_of_hidden: DVectorView<'a, f64>,
    bias: f64,
}

impl Shape {
    fn weights(self) -> usize {
        self.hidden * (self.inputs + 2) + 1
    }

    fn roles(self, weights: &[f64]) -> Roles<'_> {
        let (into_hidden, rest) = weights.split_at(self.hidden * self.inputs);
        let (hidden_bias, rest) = rest.split_at(self.hidden);
        let (out_of_hidden, bias) = rest.split_at(self.hidden);
        Roles {
            into_hidden: DMatrixView::from_slice(into_hidden, self.hidden, self.inputs),
            hidden_bias: DVectorView::from_slice(hidden_bias, self.hidden),
            out_of_hidden: DVectorView::from_slice(out_of_hidden, self.hidden),
            bias: bias[0],
        }
    }

    /// Even on +-sqrt(6 / (fan in + fan out)) of each layer, biases included.
    pub fn initial_weights(self, seed: u64) -> Vec<f64> {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let bound = |inputs: usize, outputs: usize| (6.0 / (inputs + outputs) as f64).sqrt();
        let first = bound(self.inputs, self.hidden);
        let second = bound(self.hidden, 1);
        let in_first = self.hidden * (self.inputs + 1);
        (0..self.weights())
            .map(|i| {
                let bound = if i < in_first { first } else { second };
                random.random_range(-bound..bound)
            })
            .collect()
    }

    /// tanh(b_h + W_h . x): hidden units by points.
    fn activations(self, roles: &Roles, x: &DMatrix<f64>) -> DMatrix<f64> {
        let mut activations = roles.into_hidden * x.transpose();
        for mut column in activations.column_iter_mut() {
            column += roles.hidden_bias;
            column.apply(|z| *z = tanh(*z));
        }
        activations
    }

    /// f at each row of `x`.
    pub fn means(self, weights: &[f64], x: &DMatrix<f64>) -> DVector<f64> {
        let roles = self.roles(weights);
        let means = self.activations(&roles, x).tr_mul(&roles.out_of_hidden);
        means.add_scalar(roles.bias)
    }

    /// The loss of all points and its gradient by all weights, in their order.
    pub fn loss(
        self,
        weights: &[f64],
        x: &DMatrix<f64>,
        y: &DVector<f64>,
        decay: f64,
    ) -> (f64, Vec<f64>) {
        let n = x.nrows() as f64;
        let roles = self.roles(weights);
        let activations = self.activations(&roles, x);
        let error = (activations.tr_mul(&roles.out_of_hidden)).add_scalar(roles.bias) - y;
        let squared_weights = roles.into_hidden.norm_squared() + roles.out_of_hidden.norm_squared();
        let loss = 0.5 * (error.norm_squared() + decay * squared_weights) / n;

        let by_output = &error / n;
        let mut by_sum = roles.out_of_hidden * by_output.transpose();
        by_sum.zip_apply(&activations, |slope, a| *slope *= 1.0 - a * a);
        let by_into = &by_sum * x + roles.into_hidden * (decay / n);
        let by_out = &activations * &by_output + roles.out_of_hidden * (decay / n);
        let mut gradient = Vec::with_capacity(self.weights());
        gradient.extend_from_slice(by_into.as_slice());
        gradient.extend_from_slice(by_sum.column_sum().as_slice());
        gradient.extend_from_slice(by_out.as_slice());
        gradient.push(by_output.sum());
        (loss, gradient)
    }

    /// f at one point and its gradient by the inputs.
    pub fn slope(self, weights: &[f64], x: &[f64]) -> (f64, Vec<f64>) {
        let roles = self.roles(weights);
        let mut sums = roles.hidden_bias.into_owned();
        for (x, into) in x.iter().zip(roles.into_hidden.column_iter()) {
            sums.axpy(*x, &into, 1.0);
        }
        let activations = sums.map(tanh);
        let out = roles.out_of_hidden;
        let by_sum = out.zip_map(&activations, |w, a| w * (1.0 - a * a));
        let columns = roles.into_hidden.column_iter();
        (
            roles.bias + out.dot(&activations),
            columns.map(|into| by_sum.dot(&into)).collect(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gradient_agrees_with_central_differences() {
        let shape = Shape {
            inputs: 3,
            hidden: 7,
        };
        let x = DMatrix::from_fn(9, 3, |i, j| ((5 * i + 3 * j) as f64 * 0.7).sin());
        let y = DVector::from_fn(9, |i, _| (i as f64).cos());
        let weights = shape.initial_weights(4);
        let (_, gradient) = shape.loss(&weights, &x, &y, 0.3);
        assert_eq!(gradient.len(), shape.weights());
        let h = 1e-5;
        for (i, slope) in gradient.iter().enumerate() {
            let at = |by: f64| {
                let mut moved = weights.clone();
                moved[i] += by;
                shape.loss(&moved, &x, &y, 0.3).0
            };
            approx::assert_abs_diff_eq!(*slope, (at(h) - at(-h)) / (2.0 * h), epsilon = 1e-9);
        }
    }

    #[test]
    fn tanh_is_the_hyperbolic_tangent() {
        for z in [-800.0, -20.0, -1.0, -1e-9, 0.0, 0.3, 5.0, 800.0_f64] {
            approx::assert_abs_diff_eq!(tanh(z), z.tanh(), epsilon = 3e-16);
        }
    }
}
