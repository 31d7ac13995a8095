//! Entry: one record of a journal.

use super::JournalError;
use crate::held_out::Test;
use crate::history::{Observation, Origin, Trial};
use crate::tuning::Flown;
use serde::{Deserialize, Serialize};
use sim::ACE_CAP_M;

/// Name and version of the form of a journal.
pub const SCHEMA: &str = "windhover-journal/1";

/// One record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "record", rename_all = "snake_case")]
pub enum Entry {
    /// The first: what run this is.
    Header(Header),
    /// An evaluation.
    Trial(TrialEntry),
    /// The test of one candidate's gains in one domain.
    Test(Tested),
    /// The last: the run is whole.
    End {
        /// Evaluations in all.
        trials: u64,
    },
}

/// What run a journal belongs to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// [`SCHEMA`].
    pub schema: String,
    /// Version of the program: another one may make other numbers.
    pub windhover: String,
    /// The effective study file.
    pub config: String,
}

/// One evaluation with all its flights.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TrialEntry {
    /// Its number, from 0.
    pub number: u64,
    /// The point in the unit cube.
    pub x: Vec<f64>,
    /// Where the point came from.
    #[serde(flatten)]
    pub origin: Origin,
    /// What it counted for [m].
    pub cost_m: f64,
    /// Whether so many of its flights were lost that it has no cost.
    pub crashed: bool,
    /// Its flights.
    pub flights: Vec<Flown>,
}

/// Gains in the held-out winds of one domain.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Tested {
    /// Whose gains: `default`, `recommended` or `observed`.
    pub gains: String,
    /// Its flights.
    #[serde(flatten)]
    pub test: Test,
}

impl Entry {
    /// Its line, with checksum and line feed.
    ///
    /// # Errors
    /// [`JournalError::Encode`] where a number is not finite: it would not read back.
    pub(super) fn line(&self) -> Result<Vec<u8>, JournalError> {
        let json = serde_json::to_string(self)?;
        debug_assert!(!json.contains('\n'), "JSON escapes line feeds");
        // JSON has no NaN: it would be written as null, and a reader would find damage.
        let back: Entry = serde_json::from_str(&json)?;
        if back != *self {
            return Err(JournalError::NotItself);
        }
        Ok(format!("{} {json}\n", checksum(json.as_bytes())).into_bytes())
    }
}

/// The CRC-32 of `bytes` as it stands in a journal.
pub(crate) fn checksum(bytes: &[u8]) -> String {
    format!("{:08x}", crc32fast::hash(bytes))
}

impl TrialEntry {
    /// `trial` with the flights that it was.
    pub fn of(trial: &Trial, flights: Vec<Flown>) -> TrialEntry {
        TrialEntry {
            number: trial.number,
            x: trial.x.clone(),
            origin: trial.origin.clone(),
            cost_m: trial.observation.cost,
            crashed: trial.observation.crashed,
            flights,
        }
    }

    /// The trial as a study knows it.
    pub fn trial(&self) -> Trial {
        Trial {
            number: self.number,
            x: self.x.clone(),
            origin: self.origin.clone(),
            observation: Observation {
                cost: self.cost_m,
                crashed: self.crashed,
            },
        }
    }
}

impl Tested {
    /// What is wrong with it as a test in `winds` held-out winds, if anything.
    pub fn fault(&self, winds: u64) -> Option<&'static str> {
        let Test { ace_m, lost, .. } = &self.test;
        if ace_m.len() as u64 != winds {
            Some("the number of flights")
        } else if !lost.is_sorted_by(|a, b| a < b) || lost.iter().any(|wind| *wind >= winds) {
            Some("the lost flights")
        } else if !ace_m.iter().all(|ace| (0.0..=ACE_CAP_M).contains(ace)) {
            Some("the cost of a flight")
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tested(ace_m: Vec<f64>, lost: Vec<u64>) -> Tested {
        Tested {
            gains: "default".to_owned(),
            test: Test::of("gusty".to_owned(), ace_m, lost),
        }
    }

    #[test]
    fn a_test_is_at_fault_where_no_run_would_make_it() {
        let fault = |ace_m: &[f64], lost: &[u64]| tested(ace_m.to_vec(), lost.to_vec()).fault(3);
        assert_eq!(fault(&[0.0, 0.3, ACE_CAP_M], &[0, 2]), None);
        for ace_m in [&[0.1, 0.2][..], &[0.1, 0.2, 0.3, 0.4]] {
            assert_eq!(fault(ace_m, &[]), Some("the number of flights"));
        }
        for lost in [&[3][..], &[1, 1], &[2, 1]] {
            assert_eq!(fault(&[0.1, 0.2, 0.3], lost), Some("the lost flights"));
        }
        for ace in [-0.01, ACE_CAP_M + 0.01] {
            let cost = Some("the cost of a flight");
            assert_eq!(fault(&[0.1, 0.2, ace], &[]), cost);
        }
    }

    #[test]
    fn a_record_that_would_not_read_back_is_not_written() {
        let line = Entry::End { trials: 7 }.line().expect("a record");
        assert!(line.ends_with(b" {\"record\":\"end\",\"trials\":7}\n"));
        assert!(Entry::Test(tested(vec![f64::NAN], vec![])).line().is_err());
    }

    #[test]
    fn an_evaluation_is_the_trial_that_it_was_made_of() {
        let trial = Trial {
            number: 4,
            x: vec![0.2, 0.9],
            origin: Origin::Baseline,
            observation: Observation {
                cost: 0.7,
                crashed: true,
            },
        };
        let entry = TrialEntry::of(&trial, Vec::new());
        assert_eq!((entry.number, entry.cost_m, entry.crashed), (4, 0.7, true));
        assert_eq!(entry.trial(), trial);
    }
}
