//! Outputs: what an evaluation measures beside its value, each learnt by a process of its own, and the
//! probability that a limit on it is kept.
//!
//! The logarithm of that probability is added to an acquisition; to log expected improvement that is
//! expected improvement with constraints (Gardner et al., "Bayesian optimization with inequality
//! constraints", ICML 2014).

use super::context::{matrix, means};
use super::processes;
use super::transform::{FittedTransform, Transform};
use dilgp::process::FittedProcess;
use dilgp::{Dataset, Error, Model, Prediction};
use nalgebra::DVector;

/// How much the values must have grown in number before hyper-parameters are searched for again.
const GROWN: f64 = 1.2;

/// A standard deviation below which an output counts as known, as standardised numbers have it.
const SMALLEST: f64 = 1e-9;

/// One output over the cube. It depends on the values and their order alone, so that a search that was
/// rebuilt from its evaluations predicts the same.
#[derive(Default)]
pub struct Output {
    points: Vec<Vec<f64>>,
    values: Vec<f64>,
    /// `None` before there is a value, or if the values defeat the process.
    posterior: Option<(FittedTransform, FittedProcess)>,
    /// Values when hyper-parameters were last searched for.
    fitted: usize,
}

impl Output {
    /// Takes in a value, which is finite; `noisy` if evaluating a point twice may give two.
    pub fn add(&mut self, x: &[f64], value: f64, noisy: bool) {
        self.points.push(x.to_vec());
        self.values.push(value);
        let due = self.values.len() as f64 >= GROWN * self.fitted as f64;
        let before = self.posterior.take();
        self.posterior = match before {
            Some((image, process)) if !due => {
                let grown = process.append(x, image.apply(value));
                grown.ok().map(|process| (image, process))
            }
            before => self.refitted(before, noisy).ok(),
        };
    }

    fn refitted(
        &mut self,
        before: Option<(FittedTransform, FittedProcess)>,
        noisy: bool,
    ) -> Result<(FittedTransform, FittedProcess), Error> {
        self.fitted = self.values.len();
        let image = Transform::Warp.of(&self.values, noisy);
        let images = self.values.iter().map(|value| image.apply(*value));
        let y = DVector::from_iterator(self.values.len(), images);
        let data = Dataset::new(matrix(&self.points), y)?;
        let process = processes::output(noisy);
        let fitted = match before {
            Some((_, before)) => process.fit_from(&data, before.eta(), true, 0)?,
            None => process.train(&data, 0)?,
        };
        Ok((image, fitted))
    }

    /// The map of its values under which it is learnt, if there is a posterior.
    pub fn image(&self) -> Option<&FittedTransform> {
        self.posterior.as_ref().map(|(image, _)| image)
    }

    /// The posterior at `points`, of which there is one at least, with the map of values under which it is learnt; `None`
    /// where there is no posterior.
    pub fn predict(&self, points: &[Vec<f64>]) -> Option<(Prediction, &FittedTransform)> {
        let (image, process) = self.posterior.as_ref()?;
        Some((process.predict(&matrix(points)), image))
    }

    /// This output with the limit `most`, if there is a posterior.
    pub fn limited(&self, most: f64) -> Option<Limited<'_>> {
        let (image, process) = self.posterior.as_ref()?;
        let most = image.apply(most);
        Some(Limited { process, most })
    }
}

/// An output that is to be at most a limit.
pub struct Limited<'a> {
    process: &'a FittedProcess,
    /// The image of the limit.
    most: f64,
}

impl Limited<'_> {
    /// Whether the posterior mean at each of `points` keeps the limit.
    pub fn means_below(&self, points: &[Vec<f64>]) -> Vec<bool> {
        let predicted = means(self.process, points);
        predicted.iter().map(|mean| *mean <= self.most).collect()
    }

    /// How many standard deviations the limit lies above the posterior mean at each of `points`.
    pub fn scores(&self, points: &[Vec<f64>]) -> Vec<f64> {
        if points.is_empty() {
            return Vec::new();
        }
        let predicted = self.process.predict(&matrix(points));
        let std = |row: usize| predicted.std.as_ref().map_or(0.0, |std| std[row]);
        let means = predicted.mean.iter().enumerate();
        means
            .map(|(row, mean)| (self.most - mean) / std(row).max(SMALLEST))
            .collect()
    }

    /// The same at `x`, with its gradient; `None` if the process has none.
    pub fn slope(&self, x: &[f64]) -> Option<(f64, Vec<f64>)> {
        let slope = self.process.slope(x)?;
        let std = slope.std?.max(SMALLEST);
        let of_std = slope.std_gradient?;
        let score = (self.most - slope.mean) / std;
        let pairs = slope.mean_gradient.iter().zip(&of_std);
        let gradient = pairs.map(|(mean, deviation)| -(mean + score * deviation) / std);
        Some((score, gradient.collect()))
    }
}
