//! History: the trials of a study so far, and the regression problem they pose.

use dilgp::Dataset;
use nalgebra::{DMatrix, DVector};
use serde::{Deserialize, Serialize};

/// Where a trial's point came from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "origin", rename_all = "snake_case")]
pub enum Origin {
    /// The user's starting point.
    Baseline,
    /// The initial design.
    Initial,
    /// The maximum of the acquisition.
    Acquisition {
        /// Its value: −(mean − κ std) in the surrogate's units of log cost.
        value: f64,
        /// What had to be added to the surrogate's covariance so that it could be factorised, on
        /// standardised targets; 0 where nothing was.
        jitter: f64,
    },
    /// The next point of the initial design's sequence, because no acquisition could be maximised.
    Fallback {
        /// Why.
        reason: String,
    },
}

/// What one evaluation gave.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Observation {
    /// The cost, positive; meaningless when `crashed` [m].
    pub cost: f64,
    /// Whether the evaluation failed, so that there is no cost.
    pub crashed: bool,
}

/// One evaluation of a study.
#[derive(Debug, Clone, PartialEq)]
pub struct Trial {
    /// Its number, from 0.
    pub number: u64,
    /// The point in the unit cube.
    pub x: Vec<f64>,
    /// Where the point came from.
    pub origin: Origin,
    /// What came of it.
    pub observation: Observation,
}

/// The trials of a study in order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct History {
    /// Every trial, in order of its number.
    pub trials: Vec<Trial>,
}

impl History {
    /// The completed trial with the least cost; the earliest of equals.
    pub fn best(&self) -> Option<&Trial> {
        self.trials
            .iter()
            .filter(|trial| !trial.observation.crashed)
            .min_by(|a, b| a.observation.cost.total_cmp(&b.observation.cost))
    }

    /// Number of failed trials.
    pub fn crashes(&self) -> usize {
        self.trials
            .iter()
            .filter(|trial| trial.observation.crashed)
            .count()
    }

    /// Points, one a row.
    ///
    /// # Panics
    /// When there is no trial yet.
    pub fn points(&self) -> DMatrix<f64> {
        let dimensions = self.trials[0].x.len();
        DMatrix::from_fn(self.trials.len(), dimensions, |row, column| {
            self.trials[row].x[column]
        })
    }

    /// The regression problem: points against the logarithm of the cost. A crash has no cost of
    /// its own; it is given the worst one seen, which keeps the surrogate away without a cliff
    /// that would dominate its length scales. Where every trial crashed all targets are 0.
    ///
    /// # Errors
    /// When there is no trial yet, or a number is not finite.
    pub fn dataset(&self) -> Result<Dataset, dilgp::Error> {
        if self.trials.is_empty() {
            return Dataset::new(DMatrix::zeros(0, 0), DVector::zeros(0));
        }
        let completed = self
            .trials
            .iter()
            .filter(|trial| !trial.observation.crashed);
        let worst = completed
            .map(|trial| trial.observation.cost.ln())
            .reduce(f64::max);
        let targets = self.trials.iter().map(|trial| match trial.observation {
            Observation { crashed: true, .. } => worst.unwrap_or(0.0),
            Observation { cost, .. } => cost.ln(),
        });
        let targets = DVector::from_iterator(self.trials.len(), targets);
        Dataset::new(self.points(), targets)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn history(costs: &[Option<f64>]) -> History {
        let trials = costs.iter().enumerate().map(|(number, cost)| Trial {
            number: number as u64,
            x: vec![0.1 * number as f64, 0.5],
            origin: Origin::Initial,
            observation: Observation {
                cost: cost.unwrap_or(2.0),
                crashed: cost.is_none(),
            },
        });
        History {
            trials: trials.collect(),
        }
    }

    #[test]
    fn a_crash_is_worth_the_worst_flight_seen() {
        let history = history(&[Some(0.5), None, Some(0.25), None]);
        let data = history.dataset().expect("four trials");
        let expected = [0.5f64.ln(), 0.5f64.ln(), 0.25f64.ln(), 0.5f64.ln()];
        assert_eq!(data.y().as_slice(), expected);
        assert_eq!(history.crashes(), 2);
        assert_eq!(history.best().map(|t| t.number), Some(2));
    }

    #[test]
    fn when_everything_crashed_the_targets_are_equal_and_nothing_is_best() {
        let history = history(&[None, None]);
        assert_eq!(
            history.dataset().expect("two trials").y().as_slice(),
            [0.0, 0.0]
        );
        assert_eq!(history.best(), None);
    }

    #[test]
    fn the_earliest_of_equal_trials_is_best() {
        assert_eq!(
            history(&[Some(1.0), Some(0.5), Some(0.5)])
                .best()
                .map(|t| t.number),
            Some(1)
        );
    }

    #[test]
    fn no_trial_is_no_problem_to_fit() {
        assert!(History::default().dataset().is_err());
    }
}
