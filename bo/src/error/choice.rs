//! Choice: a name, a number or a setting that cannot be had.

use super::Error;

/// What was asked for is none of what there is, or does not go together.
#[derive(Debug, thiserror::Error)]
pub enum ChoiceError {
    /// A surrogate that takes no numbers besides gains is to have the winds as context.
    #[error(
        "surrogate {surrogate} cannot use the winds as context; use --surrogate {able}, or --environments none"
    )]
    NoWinds {
        /// The surrogate.
        surrogate: &'static str,
        /// The surrogates that can.
        able: String,
    },

    /// A weight for a penalty that the surrogate has not.
    #[error(
        "--lambda does not apply to surrogate {surrogate}, which has no invariance penalty; use dil-gp, dil-gp-released or dil-gp-per-point"
    )]
    NoPenalty {
        /// The surrogate.
        surrogate: &'static str,
    },

    /// An earlier run's evaluations would cost something else here.
    #[error(
        "--warm-start: the earlier run's {what} is {theirs}, this one's {ours}; only runs of the same trajectory, gains, cost and vehicle are data for each other"
    )]
    OtherProblem {
        /// What differs.
        what: &'static str,
        /// In the earlier run.
        theirs: String,
        /// In this one.
        ours: String,
    },

    /// More evaluations than a surrogate is built for.
    #[error(
        "--warm-start gives {known} evaluations and the budget {budget}; together at most {most}"
    )]
    TooManyKnown {
        /// Evaluations of the earlier run.
        known: usize,
        /// Evaluations of this one.
        budget: u64,
        /// The limit.
        most: u64,
    },

    /// A number is outside its legal range.
    #[error("--{flag} is {value}; it must be {wanted}")]
    OutOfRange {
        /// The flag, without its dashes.
        flag: &'static str,
        /// What was given.
        value: f64,
        /// The legal range in words.
        wanted: &'static str,
    },

    /// A list names the same thing twice.
    #[error("--{flag} names `{name}` twice")]
    NamedTwice {
        /// The flag, without its dashes.
        flag: &'static str,
        /// The name.
        name: String,
    },

    /// A flag was given a word that an earlier version knew.
    #[error("{flag} {given} is gone; take {instead}")]
    Retired {
        /// The flag, without its dashes.
        flag: &'static str,
        /// What was given.
        given: &'static str,
        /// What stands in its place.
        instead: &'static str,
    },

    /// A flag was given a word that it does not know.
    #[error(
        "--{flag} does not know `{given}`{}",
        shell::names::rather(given, known)
    )]
    UnknownChoice {
        /// The flag, without its dashes.
        flag: &'static str,
        /// What was given.
        given: String,
        /// The legal words.
        known: String,
    },
}

/// Names that records of earlier versions hold and nothing is searched with any more: the setting, the name, and
/// what stands in its place.
const RETIRED: [(&str, &str, &str); 9] = [
    ("acquisition", "thompson", "ucb"),
    ("acquisition", "ucb-theory", "ucb"),
    ("environments", "labels", "winds"),
    ("environments", "telemetry", "winds"),
    ("surrogate", "gp-environments", "gp-level-set"),
    ("surrogate", "gp-informed", "gp-level-set"),
    ("surrogate", "gp-matern", "matern"),
    ("surrogate", "rbf", "matern"),
    ("surrogate", "rq", "matern"),
];

/// The retired name of that `setting` equal to `given`, with what stands in its place.
pub fn retired(setting: &str, given: &str) -> Option<(&'static str, &'static str)> {
    let found = RETIRED
        .iter()
        .find(|own| (own.0, own.1) == (setting, given));
    found.map(|(_, name, instead)| (*name, *instead))
}

impl ChoiceError {
    /// Refuses a retired name of the setting `flag`.
    ///
    /// # Errors
    /// [`ChoiceError::Retired`], with what stands in its place.
    pub fn refuse_retired(flag: &'static str, given: &str) -> Result<(), Error> {
        retired(flag, given).map_or(Ok(()), |(given, instead)| {
            Err(ChoiceError::Retired {
                flag,
                given,
                instead,
            }
            .into())
        })
    }

    /// The flag was given a word that is none of those `known`.
    pub fn unknown(flag: &'static str, given: &str, known: impl Into<String>) -> Error {
        let (given, known) = (given.to_owned(), known.into());
        ChoiceError::UnknownChoice { flag, given, known }.into()
    }
}
