//! Range: the numbers that a quantity may have.

use super::{Error, check};

/// The legal numbers in words, and whether one of them is given.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Range(pub(crate) &'static str, pub(crate) fn(f64) -> bool);

pub(crate) const POSITIVE: Range = Range("positive", |x| x > 0.0);
pub(crate) const NOT_NEGATIVE: Range = Range("not negative", |x| x >= 0.0);

impl Range {
    /// Checks that `value` is finite and legal.
    pub(crate) fn check(self, quantity: &'static str, value: f64) -> Result<(), Error> {
        check(quantity, value, self.0, self.1)
    }

    /// Checks that each of `values` is.
    pub(crate) fn all<'a>(
        self,
        quantity: &'static str,
        values: impl IntoIterator<Item = &'a f64>,
    ) -> Result<(), Error> {
        let mut values = values.into_iter();
        values.try_for_each(|value| self.check(quantity, *value))
    }
}
