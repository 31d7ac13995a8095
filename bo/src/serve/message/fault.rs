//! Fault: what can be wrong with a line of the protocol.

use crate::search::Refusal;

/// What is wrong with a line.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Fault {
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
    /// The search refuses it.
    #[error(transparent)]
    Refused(#[from] Refusal),
}
