//! What can go wrong when a picture is drawn: numbers that cannot be shown, or a file that
//! cannot be written.

use std::path::PathBuf;

/// The largest magnitude that is drawn \[m\]: beyond it, ticks a tenth of a metre apart could no
/// longer be distinguished in double precision.
pub const LARGEST_M: f64 = 1e12;

/// Why a picture could not be drawn.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A quantity that is drawn has no values.
    #[error("the {0} has no values")]
    NoValues(&'static str),
    /// Two lists that belong together are not of one length.
    #[error("the {quantity} has {given} values for {wanted} of the {per}")]
    LengthsDiffer {
        /// Which quantity.
        quantity: &'static str,
        /// Values given.
        given: usize,
        /// The quantity that it belongs to.
        per: &'static str,
        /// Values of that one.
        wanted: usize,
    },
    /// A number cannot be shown.
    #[error("value {index} of the {quantity} is {}: expected {expected}", Short(*value))]
    NotShowable {
        /// Which quantity.
        quantity: &'static str,
        /// Index of the value, from 0.
        index: usize,
        /// The value given.
        value: f64,
        /// What can be shown.
        expected: &'static str,
    },
    /// Of something, none was given or more than can be read on a page.
    #[error("{given} {what} were given: expected 1 to {most}")]
    CountUnfit {
        /// What was counted.
        what: &'static str,
        /// How many were given.
        given: usize,
        /// Most that are drawn.
        most: usize,
    },
    /// One part of a picture cannot be drawn.
    #[error("{part}: {source}")]
    InPart {
        /// Which part, such as a panel of a grid.
        part: String,
        /// What is wrong with it.
        source: Box<Error>,
    },
    /// A file could not be written.
    #[error("cannot write {}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The cause, from the system.
        source: std::io::Error,
    },
}

impl Error {
    /// The same error, with the part of the picture in which it was found.
    pub(crate) fn in_part(self, part: String) -> Self {
        let source = Box::new(self);
        Self::InPart { part, source }
    }

    /// The same error, with the panel in which it was found.
    pub(crate) fn in_panel(self, row: usize, column: usize) -> Self {
        self.in_part(format!("row {row}, column {column} of the grid"))
    }
}

/// The numbers of a quantity that can be shown.
#[derive(Clone, Copy)]
pub(crate) struct Span {
    least: f64,
    most: f64,
    expected: &'static str,
}

impl Span {
    const fn new(least: f64, most: f64, expected: &'static str) -> Self {
        Self {
            least,
            most,
            expected,
        }
    }
}

pub(crate) const FINITE: Span = Span::new(-LARGEST_M, LARGEST_M, "a finite number of at most 1e12");
pub(crate) const NOT_NEGATIVE: Span = Span::new(0.0, LARGEST_M, "from 0 to 1e12");
pub(crate) const POSITIVE: Span =
    Span::new(f64::MIN_POSITIVE, LARGEST_M, "positive and at most 1e12");
pub(crate) const PROBABILITY: Span = Span::new(0.0, 1.0, "from 0 to 1");
/// Finite, but as far off as a path may be.
pub(crate) const DISTANCE: Span = Span::new(0.0, f64::MAX, "a distance");
/// The end of a bar, which may have none.
pub(crate) const ENDLESS: Span = Span::new(0.0, f64::INFINITY, "not negative");
/// All but NaN.
pub(crate) const UNBOUNDED: Span = Span::new(f64::NEG_INFINITY, f64::INFINITY, "a number");

/// Refuses a list without values.
pub(crate) fn present<T>(quantity: &'static str, values: &[T]) -> Result<(), Error> {
    if values.is_empty() {
        return Err(Error::NoValues(quantity));
    }
    Ok(())
}

/// Refuses a count of none or of more than `most`.
pub(crate) fn count(what: &'static str, given: usize, most: usize) -> Result<(), Error> {
    if (1..=most).contains(&given) {
        return Ok(());
    }
    Err(Error::CountUnfit { what, given, most })
}

/// Refuses a list that has not one value for each of the list it belongs to.
pub(crate) fn same_length(
    quantity: &'static str,
    given: usize,
    per: &'static str,
    wanted: usize,
) -> Result<(), Error> {
    if given == wanted {
        return Ok(());
    }
    Err(Error::LengthsDiffer {
        quantity,
        given,
        per,
        wanted,
    })
}

/// Refuses the value of that index.
pub(crate) fn refused(
    quantity: &'static str,
    index: usize,
    value: f64,
    expected: &'static str,
) -> Result<(), Error> {
    Err(Error::NotShowable {
        quantity,
        index,
        value,
        expected,
    })
}

/// Refuses the first value that is not in the span, NaN among them.
pub(crate) fn within(
    quantity: &'static str,
    values: impl IntoIterator<Item = f64>,
    span: Span,
) -> Result<(), Error> {
    let mut values = values.into_iter().enumerate();
    match values.find(|(_, value)| !(span.least..=span.most).contains(value)) {
        Some((index, value)) => refused(quantity, index, value, span.expected),
        None => Ok(()),
    }
}

/// Refuses the first value that is less than the one before.
pub(crate) fn never_descending(quantity: &'static str, values: &[f64]) -> Result<(), Error> {
    match values.windows(2).position(|pair| pair[1] < pair[0]) {
        Some(before) => {
            let (index, expected) = (before + 1, "no less than the one before");
            refused(quantity, index, values[index], expected)
        }
        None => Ok(()),
    }
}

/// A number as a message shows it: with an exponent where it would have more than nine digits
/// before its point.
struct Short(f64);

impl std::fmt::Display for Short {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.0.abs() >= 1e9 {
            write!(f, "{:e}", self.0)
        } else {
            write!(f, "{}", self.0)
        }
    }
}
