//! Risk: what a point costs where it may be lost: (1 - p) m + p c, with the posterior mean m of the
//! evaluations that finish, the probability p of a loss and what a lost one costs, c.
//!
//! The deviation of the mean is (1 - p) times that of m: how sure p is does not enter, beyond the
//! caution that p has of its own ([`Loss`]).

use super::loss::Loss;
use super::view::View;
use dilgp::{Model, Prediction, Slope, Summary};
use nalgebra::{DMatrix, DVector};

/// A model of what finishes, with the probability of a loss.
pub struct Risk<'a> {
    /// What finishes.
    pub finishing: View<'a>,
    /// The probability of a loss; none where nothing was lost.
    pub loss: Option<&'a Loss>,
    /// Caution of that probability, in standard deviations.
    pub caution: f64,
    /// What a lost evaluation costs, in the model's units.
    pub lost: f64,
}

impl Risk<'_> {
    /// The probability of a loss at each row of `x`.
    fn probabilities(&self, x: &DMatrix<f64>) -> Option<Vec<f64>> {
        self.loss.map(|loss| loss.probabilities(x, self.caution))
    }

    /// The probability that an evaluation finishes at each row of `x`.
    pub fn finishing_probabilities(&self, x: &DMatrix<f64>) -> Vec<f64> {
        match self.loss {
            Some(loss) => loss
                .probabilities(x, self.caution)
                .iter()
                .map(|p| 1.0 - p)
                .collect(),
            None => vec![1.0; x.nrows()],
        }
    }

    fn mixed(&self, mean: f64, p: f64) -> f64 {
        (1.0 - p) * mean + p * self.lost
    }
}

impl Model for Risk<'_> {
    fn predict(&self, x: &DMatrix<f64>) -> Prediction {
        let mut believed = self.finishing.predict(x);
        let Some(p) = self.probabilities(x) else {
            return believed;
        };
        for (mean, p) in believed.mean.iter_mut().zip(&p) {
            *mean = self.mixed(*mean, *p);
        }
        // The noise of an evaluation that finishes stays what it is.
        let deviations = believed.std.as_mut().zip(believed.observation_std.as_mut());
        if let Some((of_mean, of_observation)) = deviations {
            for row in 0..p.len() {
                let noise = of_observation[row].powi(2) - of_mean[row].powi(2);
                of_mean[row] *= 1.0 - p[row];
                of_observation[row] = (of_mean[row].powi(2) + noise.max(0.0)).sqrt();
            }
        }
        believed
    }

    fn slope(&self, x: &[f64]) -> Option<Slope> {
        let slope = self.finishing.slope(x)?;
        let Some(loss) = self.loss else {
            return Some(slope);
        };
        let (p, by_x) = loss.slope(x, self.caution)?;
        let finishing = slope.mean_gradient.iter().zip(&by_x);
        let mean_gradient =
            finishing.map(|(mean, p_k)| (1.0 - p) * mean + p_k * (self.lost - slope.mean));
        let std_gradient = slope.std.zip(slope.std_gradient).map(|(std, gradient)| {
            let pairs = gradient.iter().zip(&by_x);
            pairs.map(|(g, p_k)| (1.0 - p) * g - p_k * std).collect()
        });
        Some(Slope {
            mean: self.mixed(slope.mean, p),
            std: slope.std.map(|std| (1.0 - p) * std),
            mean_gradient: mean_gradient.collect(),
            std_gradient,
        })
    }

    fn draw(&self, x: &DMatrix<f64>, seed: u64) -> Option<DVector<f64>> {
        let mut drawn = self.finishing.draw(x, seed)?;
        for (value, p) in drawn
            .iter_mut()
            .zip(self.probabilities(x).unwrap_or_default())
        {
            *value = self.mixed(*value, p);
        }
        Some(drawn)
    }

    fn joint(&self, x: &DMatrix<f64>) -> Option<(DVector<f64>, DMatrix<f64>)> {
        let (mut mean, mut covariance) = self.finishing.joint(x)?;
        if let Some(p) = self.probabilities(x) {
            for (mean, p) in mean.iter_mut().zip(&p) {
                *mean = self.mixed(*mean, *p);
            }
            for ((row, column), entry) in covariance_entries(&mut covariance) {
                *entry *= (1.0 - p[row]) * (1.0 - p[column]);
            }
        }
        Some((mean, covariance))
    }

    fn summary(&self) -> &Summary {
        self.finishing.summary()
    }
}

/// The entries of a square matrix with where they stand.
fn covariance_entries(
    matrix: &mut DMatrix<f64>,
) -> impl Iterator<Item = ((usize, usize), &mut f64)> {
    let rows = matrix.nrows();
    let entries = matrix.iter_mut().enumerate();
    entries.map(move |(k, entry)| ((k % rows, k / rows), entry))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::belief::loss::Before;
    use crate::search::belief::view::{matrix, means};
    use approx::assert_abs_diff_eq;
    use dilgp::{Dataset, Process};

    /// A bowl about 0.3 whose right side is lost.
    fn learnt() -> (dilgp::process::FittedProcess, Loss) {
        let points: Vec<Vec<f64>> = crate::search::climb::sobol::points(2, 0, 60, 4);
        let lost: Vec<bool> = points.iter().map(|x| x[0] > 0.7).collect();
        let finished: Vec<&Vec<f64>> = points.iter().filter(|x| x[0] <= 0.7).collect();
        let y = finished
            .iter()
            .map(|x| (x[0] - 0.3).powi(2) + (x[1] - 0.3).powi(2));
        let data = Dataset::new(matrix(&finished), DVector::from_iterator(finished.len(), y));
        let cost = Process::matern()
            .train(&data.expect("finite"), 1)
            .expect("fits");
        let loss = Loss::learnt(&matrix(&points), &lost, Before::From(None)).expect("fits");
        (cost, loss.expect("some were lost"))
    }

    fn risk<'a>(cost: &'a dyn Model, loss: &'a Loss) -> Risk<'a> {
        Risk {
            finishing: View::new(cost, vec![Vec::new()]),
            loss: Some(loss),
            caution: 2.0,
            lost: 2.0,
        }
    }

    #[test]
    fn what_is_lost_costs_what_a_loss_does_and_what_is_not_what_it_costs() {
        let (cost, loss) = learnt();
        let risk = risk(&cost, &loss);
        let x = [[0.98, 0.5], [0.15, 0.5]];
        let p = loss.probabilities(&matrix(&x), 2.0);
        assert!(p[0] > 0.8 && p[1] < 0.2, "{p:?}");
        let (risky, finishing) = (means(&risk, &x), means(&cost, &x));
        for row in 0..2 {
            let expected = (1.0 - p[row]) * finishing[row] + 2.0 * p[row];
            assert_abs_diff_eq!(risky[row], expected, epsilon = 1e-12);
        }
    }

    #[test]
    fn where_nothing_was_lost_there_is_no_loss() {
        let x = DMatrix::from_fn(4, 2, |row, column| (row + column) as f64 / 5.0);
        assert!(
            Loss::learnt(&x, &[false; 4], Before::From(None))
                .expect("fits")
                .is_none()
        );
        assert!(
            Loss::learnt(&x, &[true; 4], Before::From(None))
                .expect("fits")
                .is_some()
        );
    }

    #[test]
    fn slopes_agree_with_differences() {
        let (cost, loss) = learnt();
        let risk = risk(&cost, &loss);
        for x in [[0.62, 0.4], [0.75, 0.2], [0.1, 0.9], [0.97, 0.6]] {
            let slope = risk.slope(&x).expect("differentiable");
            for k in 0..2 {
                let at = |h: f64| {
                    let mut moved = x;
                    moved[k] += h;
                    let believed = risk.predict(&matrix(&[moved]));
                    (believed.mean[0], believed.std.expect("a process")[0])
                };
                let (up, down) = (at(1e-5), at(-1e-5));
                let by_mean = (up.0 - down.0) / 2e-5;
                let by_std = (up.1 - down.1) / 2e-5;
                assert_abs_diff_eq!(slope.mean_gradient[k], by_mean, epsilon = 1e-4);
                let of_std = slope.std_gradient.as_ref().expect("a process");
                assert_abs_diff_eq!(of_std[k], by_std, epsilon = 1e-4);
            }
        }
    }

    #[test]
    fn jointly_it_says_what_it_says_of_each_and_the_noise_stays() {
        let (cost, loss) = learnt();
        let risk = risk(&cost, &loss);
        let x = matrix(&[[0.5, 0.5], [0.8, 0.1], [0.2, 0.7]]);
        let (mean, covariance) = Model::joint(&risk, &x).expect("a process");
        let (alone, whole) = (risk.predict(&x), cost.predict(&x));
        let deviation =
            |of: &Option<DVector<f64>>, row: usize| of.as_ref().expect("a process")[row];
        for row in 0..3 {
            assert_abs_diff_eq!(mean[row], alone.mean[row], epsilon = 1e-9);
            let std = deviation(&alone.std, row);
            assert_abs_diff_eq!(covariance[(row, row)].sqrt(), std, epsilon = 1e-6);
            let noise = |of: &Prediction| {
                deviation(&of.observation_std, row).powi(2) - deviation(&of.std, row).powi(2)
            };
            assert_abs_diff_eq!(noise(&alone), noise(&whole), epsilon = 1e-12);
        }
        assert_abs_diff_eq!(covariance[(0, 1)], covariance[(1, 0)], epsilon = 1e-15);
    }
}
