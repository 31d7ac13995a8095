//! ProtocolError: why a line cannot be answered, in a sentence.

use super::Reply;
use crate::serve::LONGEST_LINE;
use crate::serve::leases::{MOST_PENDING, Unanswerable};
use crate::serve::message::ParseError;
use search::Refusal;
use serde_json::json;

/// Why a line cannot be answered.
#[derive(Debug, thiserror::Error)]
pub(super) enum ProtocolError {
    #[error("a line is longer than {LONGEST_LINE} bytes and was skipped")]
    TooLong,
    #[error("a line is not UTF-8")]
    NotText,
    #[error("`{0}` before `init`")]
    BeforeInit(&'static str),
    #[error("`init` was already said; start another process for another search")]
    SecondInit,
    #[error("{MOST_PENDING} evaluations are under way, the limit")]
    TooMany,
    #[error("{what} is {value}; with the transform log it must be above 0")]
    NoLogarithm { what: &'static str, value: f64 },
    #[error("the transform log is for costs; it does not go with the direction max")]
    LogOfGain,
    #[error("covariates and a `target_domain` are not learnt together; leave one of them out")]
    CovariatesAndDomains,
    #[error("no `init` said what the study is")]
    NoStudy,
    #[error(transparent)]
    Unanswerable(#[from] Unanswerable),
    #[error(transparent)]
    ParseError(#[from] ParseError),
    #[error(transparent)]
    Refused(#[from] Refusal),
}

impl ProtocolError {
    /// What is answered instead.
    pub(super) fn reply(&self) -> Reply {
        let error = self.to_string();
        Reply::Json(match self {
            // So that whoever says it again, not having heard the answer, need not read the sentence.
            ProtocolError::Unanswerable(Unanswerable::Answered(id)) => {
                json!({"error": error, "told": id})
            }
            _ => json!({ "error": error }),
        })
    }
}
