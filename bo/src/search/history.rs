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
        /// Its value: for the upper confidence bound −(mean − κ std) of the log cost, for Thompson
        /// sampling minus the value drawn.
        value: f64,
        /// What had to be added to the surrogate's covariance so that it could be factorised, on
        /// standardised targets; 0 where nothing was.
        jitter: f64,
        /// Information that the evaluation was to gain, where the acquisition counts it [nats].
        #[serde(default, skip_serializing_if = "Option::is_none")]
        gain_nats: Option<f64>,
    },
    /// The next point of the initial design's sequence, because no acquisition could be maximised.
    Fallback {
        /// Why.
        reason: String,
    },
}

impl Origin {
    /// Information that the evaluation was to gain, 0 where nobody counts it [nats].
    pub fn gain_nats(&self) -> f64 {
        match self {
            Origin::Acquisition { gain_nats, .. } => gain_nats.unwrap_or(0.0),
            _ => 0.0,
        }
    }
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

/// The trials of a study in order, and what was known before it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct History {
    /// Trials of an earlier study of the same cost: data, but not of this study's budget.
    pub known: Vec<Trial>,
    /// Every trial, in order of its number.
    pub trials: Vec<Trial>,
}

impl History {
    /// All that is known: the earlier trials, then the study's own.
    pub fn rows(&self) -> impl Iterator<Item = &Trial> {
        self.known.iter().chain(&self.trials)
    }

    /// The completed trial with the least cost; the earliest of equals.
    pub fn best(&self) -> Option<&Trial> {
        self.rows()
            .filter(|trial| !trial.observation.crashed)
            .min_by(|a, b| a.observation.cost.total_cmp(&b.observation.cost))
    }

    /// Number of failed trials of the study itself.
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
        let rows: Vec<&Trial> = self.rows().collect();
        DMatrix::from_fn(rows.len(), rows[0].x.len(), |row, column| {
            rows[row].x[column]
        })
    }

    /// The regression problem: points against the logarithm of the cost. A crash has no cost of
    /// its own; it is given the worst one seen, which keeps the surrogate away without a cliff
    /// that would dominate its length scales. Where every trial crashed all targets are 0.
    ///
    /// # Errors
    /// When there is no trial yet, or a number is not finite.
    pub fn dataset(&self) -> Result<Dataset, dilgp::Error> {
        let count = self.rows().count();
        if count == 0 {
            return Dataset::new(DMatrix::zeros(0, 0), DVector::zeros(0));
        }
        let completed = self.rows().filter(|trial| !trial.observation.crashed);
        let worst = completed
            .map(|trial| trial.observation.cost.ln())
            .reduce(f64::max);
        let targets = self.rows().map(|trial| match trial.observation {
            Observation { crashed: true, .. } => worst.unwrap_or(0.0),
            Observation { cost, .. } => cost.ln(),
        });
        let targets = DVector::from_iterator(count, targets);
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
            ..History::default()
        }
    }

    #[test]
    fn what_was_known_before_is_data_but_no_trial() {
        let own = history(&[Some(0.5), None]);
        let known = history(&[Some(0.125), Some(4.0)]).trials;
        let both = History {
            known,
            ..own.clone()
        };
        let data = both.dataset().expect("four rows");
        // The worst completed one, which the crash is given, may be a known one.
        let expected = [0.125f64, 4.0, 0.5, 4.0].map(f64::ln);
        assert_eq!(data.y().as_slice(), expected);
        assert_eq!(data.x().nrows(), both.points().nrows());
        assert_eq!(both.best().map(|t| t.observation.cost), Some(0.125));
        assert_eq!((both.crashes(), both.trials.len()), (1, 2));
        assert_eq!(both.rows().count(), 4);
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
