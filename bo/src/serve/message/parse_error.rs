//! Parse error: what can be wrong with a line of the protocol.

use search::Refusal;

/// What is wrong with a line.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ParseError {
    /// Not JSON.
    #[error("not JSON: {0}")]
    NotJson(String),
    /// JSON, but no object.
    #[error("a message is a JSON object, not {0}")]
    NotAnObject(&'static str),
    /// A field that is needed.
    #[error("`{0}` is missing")]
    Missing(&'static str),
    /// A parameter without bounds.
    #[error(
        "`{field}` of `{name}` is missing: a parameter is a number from `low` to `high`, or fixed at `value`; there are no categorical ones"
    )]
    NoBound {
        /// The bound.
        field: &'static str,
        /// The parameter.
        name: String,
    },
    /// A field of another kind than wanted.
    #[error("`{field}` is {given}; it must be {wanted}")]
    Kind {
        /// The field.
        field: &'static str,
        /// What was given.
        given: String,
        /// What is wanted.
        wanted: &'static str,
    },
    /// A type of message that does not exist.
    #[error("unknown type `{0}`; known: init, tell, ask, recommend, status, study, quit")]
    UnknownType(String),
    /// A word that is none of those that are known.
    #[error("unknown {field} `{given}`; known: {known}")]
    UnknownName {
        /// The field.
        field: &'static str,
        /// What was given.
        given: String,
        /// The legal words.
        known: String,
    },
    /// More covariates than may be declared.
    #[error("{given} covariates are declared; the limit is {most}")]
    TooManyCovariates {
        /// How many.
        given: usize,
        /// The limit.
        most: usize,
    },
    /// Two covariates share a name.
    #[error("covariate `{0}` stands twice")]
    CovariateTwice(String),
    /// What is expected of a covariate is not said, or cannot be.
    #[error("`{field}` of covariate `{name}` is {given}; it must be {wanted}")]
    CovariateNumber {
        /// Its mean or its deviation.
        field: &'static str,
        /// The covariate.
        name: String,
        /// What was given.
        given: String,
        /// What is wanted.
        wanted: &'static str,
    },
    /// An evaluation without its covariates, or with too few or too many.
    #[error("`covariates`: expected {expected}, as `init` declares, given {given}")]
    CovariatesGiven {
        /// Those that `init` declares.
        expected: usize,
        /// Those of the evaluation.
        given: usize,
    },
    /// A covariate that is NaN or infinite.
    #[error("covariates[{index}] (`{name}`) is {value}, not a finite number")]
    CovariateNotFinite {
        /// Index, from 0.
        index: usize,
        /// The covariate.
        name: String,
        /// What was given.
        value: f64,
    },
    /// A covariate that lies implausibly far from what is expected of it.
    #[error(
        "covariates[{index}] (`{name}`) is {value}, more than {most} deviations of {deviation} from its mean of {mean}"
    )]
    CovariateFar {
        /// Index, from 0.
        index: usize,
        /// The covariate.
        name: String,
        /// What was given.
        value: f64,
        /// Most deviations.
        most: f64,
        /// The deviation that is expected.
        deviation: f64,
        /// The mean that is expected.
        mean: f64,
    },
    /// The search refuses it.
    #[error(transparent)]
    Refused(#[from] Refusal),
}
