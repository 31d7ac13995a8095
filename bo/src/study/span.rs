//! Span: what is wrong, with the bytes between which it stands.

use super::Fault;
use crate::run::settings::Limit;
use serde::Deserialize;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeValue, ValueDeserializer};

/// What is wrong, and between which bytes.
pub(super) type Placed = (Range<usize>, Fault);

/// What `read` makes of a value, or where it went wrong.
pub(super) fn placed<T, U>(
    given: &Spanned<T>,
    read: impl FnOnce(&T) -> Result<U, Fault>,
) -> Result<U, Placed> {
    read(given.get_ref()).map_err(|fault| (given.span(), fault))
}

/// A value of the kind that is wanted, or where it is of another one.
pub(super) fn taken<'de, T: Deserialize<'de>>(given: &Spanned<DeValue<'de>>) -> Result<T, Placed> {
    T::deserialize(ValueDeserializer::from(given.clone())).map_err(|error| {
        let span = error.span().unwrap_or(given.span());
        (span, Fault::Syntax(error))
    })
}

/// Refuses a number out of range by its key.
pub(super) fn within(key: &str, value: f64, limit: &Limit) -> Result<(), Fault> {
    match limit.holds(value) {
        true => Ok(()),
        false => Err(Fault::OutOfRange {
            key: key.to_owned(),
            value,
            wanted: limit.wanted,
        }),
    }
}
