//! Cell: one method on one trajectory, one mixture of training winds and one seed; and what came
//! of it, as it is kept on disk.

use crate::comparison::plan::method::{Method, Training};
use crate::flights::evaluation::{Evaluation, lost};
use crate::flights::held_out::Test;
use serde::{Deserialize, Serialize};
use sim::Gains;

/// Domains of the held-out winds: gusty and steady.
pub const DOMAINS: usize = 2;

/// One method on one trajectory, in one mixture of training winds, with one seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    /// Name of the trajectory.
    pub trajectory: &'static str,
    /// The winds of the tuning flights; `None` for a method that does not depend on them.
    pub training: Option<Training>,
    /// How the gains are found.
    pub method: Method,
    /// Decides every wind, the initial design and every fit.
    pub seed: u64,
}

impl Cell {
    /// Its name, unique within a comparison and fit for a file.
    pub fn key(&self) -> String {
        let Cell {
            trajectory,
            method,
            seed,
            ..
        } = self;
        match self.training {
            Some(training) => format!("{trajectory}-{}-{}-{seed}", training.name(), method.key()),
            None => format!("{trajectory}-{}-{seed}", method.key()),
        }
    }
}

impl shell::cells::Cell for Cell {
    fn key(&self) -> String {
        self.key()
    }
}

/// How a candidate was chosen among what was flown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Recommender {
    /// What we would deploy: by the surrogate's usual rule; for CMA-ES the centre of its search; for
    /// gains that nobody searched, these gains.
    Recommended,
    /// A rule by its name. `observed` is the paper's: the best single flight.
    #[serde(untagged)]
    By(search::Recommender),
}

impl Recommender {
    /// The paper's.
    pub const OBSERVED: Recommender = Recommender::By(search::Recommender::Observed);
}

/// A finished cell.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Finished {
    /// The cell's key.
    pub key: String,
    /// Every evaluation in order; none for gains that nobody searched.
    pub trials: Vec<Evaluation>,
    /// The gains that came of it, each tested.
    pub candidates: Vec<Candidate>,
    /// What a program answered that recommends nothing: its best observed gains were taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unrecommended: Option<String>,
}

/// Gains with their test in held-out winds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Candidate {
    /// How they were chosen.
    pub recommender: Recommender,
    /// All gains.
    pub gains: Gains,
    /// One test for each domain that they are tested in.
    pub tests: Vec<Test>,
}

impl Finished {
    /// The test in `domain` of the gains that `recommender` chose; `None` if absent.
    pub fn test(&self, recommender: Recommender, domain: &str) -> Option<&Test> {
        let mut tests = self
            .candidates
            .iter()
            .filter(|candidate| candidate.recommender == recommender)
            .flat_map(|candidate| &candidate.tests);
        tests.find(|test| test.domain == domain)
    }

    /// Evaluations that were lost.
    pub fn crashes(&self) -> usize {
        lost(&self.trials)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_tell_every_part_apart() {
        let cell = Cell {
            trajectory: "fig8",
            training: Some(Training::Gusty),
            method: Method::Surrogate("gp"),
            seed: 7,
        };
        assert_eq!(cell.key(), "fig8-gusty-gp-7");
        let baseline = Cell {
            training: None,
            method: Method::DefaultGains,
            ..cell
        };
        assert_eq!(baseline.key(), "fig8-default-7");
    }
}
