//! Span: what is wrong, with the bytes between which it stands.

use super::Fault;
use crate::run::settings::Limit;
use std::ops::Range;
use toml::Spanned;

/// What is wrong, and between which bytes.
pub(super) type Placed = (Range<usize>, Fault);

/// What `read` makes of a value, or where it went wrong.
pub(super) fn placed<T, U>(
    given: &Spanned<T>,
    read: impl FnOnce(&T) -> Result<U, Fault>,
) -> Result<U, Placed> {
    read(given.get_ref()).map_err(|fault| (given.span(), fault))
}

pub(super) fn number(
    key: &str,
    value: f64,
    span: Range<usize>,
    limit: &Limit,
) -> Result<f64, Placed> {
    if limit.holds(value) {
        return Ok(value);
    }
    let fault = Fault::OutOfRange {
        key: key.to_owned(),
        value,
        wanted: limit.wanted,
    };
    Err((span, fault))
}

pub(super) fn range(least: f64, most: f64, wanted: &'static str) -> Limit {
    Limit {
        flag: "",
        least,
        most,
        wanted,
    }
}
