//! Allowed: where points may lie, as an acquisition that is maximised there needs it: inside the set of a
//! constraint that needs no evaluation, and where limits of measured outputs are likely to hold
//! ([`super::outputs`]).
//!
//! The slack is at least 0 where the constraint holds and the less the more it is broken. It is smooth
//! and without noise, but a value may take longer than a fit: the process stands in for it among
//! thousands of points, and the slack itself is asked for the one that is chosen.

use super::context::{matrix, means};
use super::normal::log_normal_below;
use super::outputs::Limited;
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

    /// Whether the slack at `x` is predicted far better than a climb needs it.
    pub fn predicts(&self, x: &[f64], slack: f64) -> bool {
        (means(&self.0, &[x.to_vec()])[0] - slack).abs() < 0.1 * INSET
    }

    /// Whether each of `points` is predicted to be allowed.
    pub fn holds(&self, points: &[Vec<f64>]) -> Vec<bool> {
        let slacks = means(&self.0, points);
        slacks.iter().map(|slack| *slack >= INSET).collect()
    }

    /// How the slack is predicted to grow at `x`.
    pub fn gradient(&self, x: &[f64]) -> Option<Vec<f64>> {
        let slope = dilgp::Model::slope(&self.0, x)?;
        Some(slope.mean_gradient.to_vec())
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

/// Where points may lie.
#[derive(Default)]
pub struct Allowed<'a> {
    /// The set of the constraint, if there is one.
    pub set: Option<&'a AllowedSet>,
    /// The outputs that have a limit.
    pub limits: Vec<Limited<'a>>,
}

impl Allowed<'_> {
    /// Whether it is everywhere.
    pub fn is_everywhere(&self) -> bool {
        self.set.is_none() && self.limits.is_empty()
    }

    /// Whether each of `points` is predicted to be allowed: inside the set, and each limit more likely kept
    /// than not.
    pub fn holds(&self, points: &[Vec<f64>]) -> Vec<bool> {
        let mut holds = match self.set {
            Some(set) => set.holds(points),
            None => vec![true; points.len()],
        };
        for limit in &self.limits {
            let kept = limit.means_below(points);
            holds.iter_mut().zip(kept).for_each(|(h, kept)| *h &= kept);
        }
        holds
    }

    /// What each of `points` is to lose: outside the set, and by the logarithm of the probability that a
    /// limit is kept.
    pub fn penalties(&self, points: &[Vec<f64>]) -> Vec<f64> {
        let mut penalties = match self.set {
            Some(set) => set.penalties(points),
            None => vec![0.0; points.len()],
        };
        for limit in &self.limits {
            let scores = limit.scores(points);
            let pairs = penalties.iter_mut().zip(scores);
            pairs.for_each(|(penalty, score)| *penalty -= log_normal_below(score).0);
        }
        penalties
    }

    /// The same at `x`, with its gradient; `None` if a model has none.
    pub fn penalty(&self, x: &[f64]) -> Option<(f64, Vec<f64>)> {
        let (mut penalty, mut gradient) = match self.set {
            Some(set) => set.penalty(x)?,
            None => (0.0, vec![0.0; x.len()]),
        };
        for limit in &self.limits {
            let (score, slope) = limit.slope(x)?;
            let (log, by_score) = log_normal_below(score);
            penalty -= log;
            let pairs = gradient.iter_mut().zip(slope);
            pairs.for_each(|(g, s)| *g -= by_score * s);
        }
        Some((penalty, gradient))
    }
}
