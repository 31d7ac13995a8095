//! AllowedSet: where a constraint that needs no evaluation holds, as a process of its slack predicts, so
//! that an acquisition is maximised inside the set however small it is.
//!
//! The slack is at least 0 where the constraint holds and the less the more it is broken. It is smooth
//! and without noise, but a value may take longer than a fit: the process stands in for it among
//! thousands of points, and the slack itself is asked for the one that is chosen.

use super::context::{matrix, means};
use super::processes;
use dilgp::process::FittedProcess;
use dilgp::{Dataset, Error};
use nalgebra::DVector;

/// Slack that a point is to have by the process: a rounding error of a climb more than none.
const INSET: f64 = 1e-3;

/// What a slack of 1 too little costs, in units of the acquisition: a climb ends within about 1e-4 of
/// the edge.
const PENALTY: f64 = 1e4;

/// The posterior of the slack.
pub struct AllowedSet(FittedProcess);

impl AllowedSet {
    /// Fitted to the slacks at `points`, from the hyper-parameters of `before` if there are some.
    ///
    /// # Errors
    /// Numbers that defeat the process.
    pub fn fitted(
        points: &[Vec<f64>],
        slacks: &[f64],
        before: Option<&AllowedSet>,
    ) -> Result<AllowedSet, Error> {
        let data = Dataset::new(matrix(points), DVector::from_row_slice(slacks))?;
        let process = processes::slack();
        let fitted = match before {
            Some(before) => process.fit_from(&data, before.0.eta(), false, 0)?,
            None => process.train(&data, 0)?,
        };
        Ok(AllowedSet(fitted))
    }

    /// The same with one slack more, and the hyper-parameters that it has.
    ///
    /// # Errors
    /// Numbers that defeat the process.
    pub fn with(&self, x: &[f64], slack: f64) -> Result<AllowedSet, Error> {
        self.0.append(x, slack).map(AllowedSet)
    }

    /// Whether each of `points` is predicted to be allowed.
    pub fn holds(&self, points: &[Vec<f64>]) -> Vec<bool> {
        let slacks = means(&self.0, points);
        slacks.iter().map(|slack| *slack >= INSET).collect()
    }

    /// What each of `points` is to lose by lying outside: 0 inside.
    pub fn penalties(&self, points: &[Vec<f64>]) -> Vec<f64> {
        let missing = |slack: &f64| (INSET - slack).max(0.0);
        let slacks = means(&self.0, points);
        slacks
            .iter()
            .map(|s| PENALTY * missing(s).powi(2))
            .collect()
    }

    /// The same at `x`, with its gradient.
    pub fn penalty(&self, x: &[f64]) -> Option<(f64, Vec<f64>)> {
        let slope = dilgp::Model::slope(&self.0, x)?;
        let missing = (INSET - slope.mean).max(0.0);
        let gradient = slope.mean_gradient.iter();
        let gradient = gradient.map(|g| -2.0 * PENALTY * missing * g).collect();
        Some((PENALTY * missing.powi(2), gradient))
    }
}
