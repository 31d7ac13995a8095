//! Adam: gradient steps scaled by running means of the gradient and of its square.
//!
//! Kingma and Ba, "Adam: A Method for Stochastic Optimization", ICLR 2015, algorithm 1, with the
//! authors' decay rates.

const DECAY_MEAN: f64 = 0.9;
const DECAY_SQUARE: f64 = 0.999;
const SMALLEST_ROOT: f64 = 1e-8;

/// The running means of one descent.
#[derive(Debug, Clone)]
pub struct Adam {
    rate: f64,
    mean: Vec<f64>,
    square: Vec<f64>,
    steps: i32,
}

impl Adam {
    /// At rest, for `variables` variables; no variable moves by much more than `rate` in a step.
    pub fn new(rate: f64, variables: usize) -> Self {
        Self {
            rate,
            mean: vec![0.0; variables],
            square: vec![0.0; variables],
            steps: 0,
        }
    }

    /// Moves `variables` one step against `gradient`.
    pub fn step(&mut self, variables: &mut [f64], gradient: &[f64]) {
        self.steps += 1;
        let of_mean = 1.0 / (1.0 - DECAY_MEAN.powi(self.steps));
        let of_square = 1.0 / (1.0 - DECAY_SQUARE.powi(self.steps));
        let means = self.mean.iter_mut().zip(&mut self.square);
        for ((variable, slope), (mean, square)) in variables.iter_mut().zip(gradient).zip(means) {
            *mean += (1.0 - DECAY_MEAN) * (slope - *mean);
            *square += (1.0 - DECAY_SQUARE) * (slope * slope - *square);
            let root = (*square * of_square).sqrt() + SMALLEST_ROOT;
            *variable -= self.rate * *mean * of_mean / root;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_step_is_as_long_as_the_rate_and_downhill() {
        let mut variables = [1.0, 1.0];
        Adam::new(0.1, 2).step(&mut variables, &[1e-3, -40.0]);
        approx::assert_relative_eq!(variables[0], 0.9, max_relative = 1e-5);
        approx::assert_relative_eq!(variables[1], 1.1, max_relative = 1e-5);
    }

    #[test]
    fn a_bowl_is_descended_to_its_bottom() {
        let mut at = [3.0, -2.0];
        let mut adam = Adam::new(0.05, 2);
        for _ in 0..2000 {
            let gradient = [2.0 * (at[0] - 1.0), 20.0 * (at[1] - 0.5)];
            adam.step(&mut at, &gradient);
        }
        approx::assert_abs_diff_eq!(at[0], 1.0, epsilon = 1e-3);
        approx::assert_abs_diff_eq!(at[1], 0.5, epsilon = 1e-3);
    }
}
