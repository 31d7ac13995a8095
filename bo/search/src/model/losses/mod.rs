//! RiskModel: what a point costs where it may be lost: (1 - p) (m + u) + p c, with the posterior mean m of
//! the evaluations that finish, their mean absolute deviation u from it ([`DeviationModel`]), the probability
//! p of a loss ([`CrashModel`]) and what a lost one costs, c.
//!
//! That is the mean and the mean absolute deviation of one evaluation: what is wanted is a point
//! that is good in an evaluation that turns out badly. Where nothing was lost, nothing is added.
//! The deviation of the mean is (1 - p) times that of m: how sure p and u are does not enter,
//! beyond the caution that they have of their own.

mod crash;
mod place;
mod smooth;

pub use crash::{LOSS_MODELS, LossModel, crashes, deviations};
pub use place::is_of_place;
pub use smooth::SmoothProcess;

use super::context::View;
use dilgp::{Model, Prediction, Slope, Summary};
use nalgebra::{DMatrix, DVector};

/// A model of what finishes, with the probability of a loss.
pub struct RiskModel<'a> {
    /// What finishes.
    pub finishing: View<'a>,
    /// The probability of a loss; none where nothing was lost.
    pub loss: Option<&'a SmoothProcess>,
    /// Mean absolute deviation of what finishes; `None` if nothing was lost.
    pub spread: Option<&'a SmoothProcess>,
    /// What a lost evaluation costs, in the model's units.
    pub lost: f64,
}

impl RiskModel<'_> {
    /// The probability of a loss at each row of `x`.
    fn probabilities(&self, x: &DMatrix<f64>) -> Option<Vec<f64>> {
        self.loss.map(|loss| loss.cautious(x))
    }

    /// The probability that an evaluation finishes at each row of `x`.
    pub fn finishing_probabilities(&self, x: &DMatrix<f64>) -> Vec<f64> {
        match self.loss {
            Some(loss) => loss.cautious(x).iter().map(|p| 1.0 - p).collect(),
            None => vec![1.0; x.nrows()],
        }
    }

    /// The deviation of what finishes at each row of `x`.
    fn deviations(&self, x: &DMatrix<f64>) -> Vec<f64> {
        let nothing = || vec![0.0; x.nrows()];
        self.spread
            .map_or_else(nothing, |spread| spread.cautious(x))
    }

    /// Makes of `values` of what finishes at the rows of `x` what they cost, with the probabilities
    /// `p` of a loss.
    fn weigh(&self, values: &mut DVector<f64>, p: &[f64], x: &DMatrix<f64>) {
        let u = self.deviations(x);
        for (row, value) in values.iter_mut().enumerate() {
            *value = self.mixed(*value + u[row], p[row]);
        }
    }

    fn mixed(&self, finishing: f64, p: f64) -> f64 {
        (1.0 - p) * finishing + p * self.lost
    }
}

impl Model for RiskModel<'_> {
    fn predict(&self, x: &DMatrix<f64>) -> Prediction {
        let mut believed = self.finishing.predict(x);
        let Some(p) = self.probabilities(x) else {
            return believed;
        };
        self.weigh(&mut believed.mean, &p, x);
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

    fn means(&self, x: &DMatrix<f64>) -> DVector<f64> {
        let mut believed = self.finishing.means(x);
        if let Some(p) = self.probabilities(x) {
            self.weigh(&mut believed, &p, x);
        }
        believed
    }

    fn slope(&self, x: &[f64]) -> Option<Slope> {
        let slope = self.finishing.slope(x)?;
        let Some(loss) = self.loss else {
            return Some(slope);
        };
        let (p, by_x) = loss.slope(x)?;
        let (u, of_u) = match self.spread {
            Some(spread) => spread.slope(x)?,
            None => (0.0, vec![0.0; x.len()]),
        };
        let finishing = slope.mean_gradient.iter().zip(&of_u).zip(&by_x);
        let mean_gradient = finishing.map(|((mean, u_k), p_k)| {
            (1.0 - p) * (mean + u_k) + p_k * (self.lost - slope.mean - u)
        });
        let std_gradient = slope.std.zip(slope.std_gradient).map(|(std, gradient)| {
            let pairs = gradient.iter().zip(&by_x);
            pairs.map(|(g, p_k)| (1.0 - p) * g - p_k * std).collect()
        });
        Some(Slope {
            mean: self.mixed(slope.mean + u, p),
            std: slope.std.map(|std| (1.0 - p) * std),
            mean_gradient: mean_gradient.collect(),
            std_gradient,
        })
    }

    fn joint(&self, x: &DMatrix<f64>) -> Option<(DVector<f64>, DMatrix<f64>)> {
        let (mut mean, mut covariance) = self.finishing.joint(x)?;
        if let Some(p) = self.probabilities(x) {
            self.weigh(&mut mean, &p, x);
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
    use crate::model::context::{matrix, means};
    use approx::assert_abs_diff_eq;
    use dilgp::{Dataset, Process};

    struct Fitted {
        cost: dilgp::process::FittedProcess,
        loss: SmoothProcess,
        spread: SmoothProcess,
    }

    /// A bowl about 0.3 whose right side is lost, and louder where it is high.
    fn learnt() -> Fitted {
        let points: Vec<Vec<f64>> = crate::maximise::points::sobol(2, 0, 60, 4);
        let lost: Vec<bool> = points.iter().map(|x| x[0] > 0.7).collect();
        let finished: Vec<&Vec<f64>> = points.iter().filter(|x| x[0] <= 0.7).collect();
        let bowl = finished
            .iter()
            .map(|x| (x[0] - 0.3).powi(2) + (x[1] - 0.3).powi(2));
        let bowl = DVector::from_iterator(finished.len(), bowl);
        let x = matrix(&finished);
        let loud = DVector::from_fn(bowl.len(), |k, _| {
            bowl[k] + 0.5 * finished[k][1] * if k % 2 == 0 { 1.0 } else { -1.0 }
        });
        let data = Dataset::new(x.clone(), bowl.clone()).expect("finite");
        let loss = crashes(&matrix(&points), &lost, None, true).expect("fits");
        Fitted {
            cost: Process::matern().train(&data, 1).expect("fits"),
            loss: loss.expect("some were lost"),
            spread: deviations(&x, &loud, &bowl, None).expect("fits"),
        }
    }

    fn risk(learnt: &Fitted) -> RiskModel<'_> {
        RiskModel {
            finishing: View::new(&learnt.cost, Vec::new()),
            loss: Some(&learnt.loss),
            spread: Some(&learnt.spread),
            lost: 2.0,
        }
    }

    #[test]
    fn what_is_lost_costs_what_a_loss_does_and_what_is_not_what_it_costs() {
        let learnt = learnt();
        let risk = risk(&learnt);
        let x = [[0.98, 0.5], [0.15, 0.5]];
        let p = learnt.loss.cautious(&matrix(&x));
        let u = learnt.spread.cautious(&matrix(&x));
        assert!(p[0] > 0.8 && p[1] < 0.2 && u[1] > 0.1, "{p:?}, {u:?}");
        let (risky, finishing) = (means(&risk, &x), means(&learnt.cost, &x));
        assert_eq!(risk.predict(&matrix(&x)).mean.as_slice(), risky);
        for row in 0..2 {
            let expected = (1.0 - p[row]) * (finishing[row] + u[row]) + 2.0 * p[row];
            assert_abs_diff_eq!(risky[row], expected, epsilon = 1e-12);
        }
    }

    #[test]
    fn where_nothing_was_lost_there_is_no_loss() {
        let x = DMatrix::from_fn(4, 2, |row, column| (row + column) as f64 / 5.0);
        assert!(
            crashes(&x, &[false; 4], None, true)
                .expect("fits")
                .is_none()
        );
        assert!(crashes(&x, &[true; 4], None, true).expect("fits").is_some());
    }

    #[test]
    fn slopes_agree_with_differences() {
        let learnt = learnt();
        let risk = risk(&learnt);
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
        let learnt = learnt();
        let risk = risk(&learnt);
        let x = matrix(&[[0.5, 0.5], [0.8, 0.1], [0.2, 0.7]]);
        let (mean, covariance) = Model::joint(&risk, &x).expect("a process");
        let (alone, whole) = (risk.predict(&x), learnt.cost.predict(&x));
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
