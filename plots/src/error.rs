//! What can go wrong when a picture is drawn: numbers that cannot be shown, or a file that
//! cannot be written.

use std::ops::RangeInclusive;
use std::path::PathBuf;

/// The largest magnitude that is drawn \[m\]: beyond it, ticks a tenth of a metre apart could no
/// longer be told apart in double precision.
pub const LARGEST_M: f64 = 1e12;

/// Why a picture could not be drawn.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A curve of the flight picture has no points.
    #[error("the {curve} has no points")]
    NoPoints {
        /// Which curve.
        curve: Curve,
    },
    /// A coordinate is NaN or infinite.
    #[error("point {index} of the {curve} is ({}, {}, {}) m, which is not finite", at_m[0], at_m[1], at_m[2])]
    PointNotFinite {
        /// Which curve.
        curve: Curve,
        /// Index of the point, from 0.
        index: usize,
        /// The point \[m\].
        at_m: [f64; 3],
    },
    /// A distance from the reference is negative, NaN or infinite.
    #[error("the error at point {index} of the flown path is {error_m} m, which is not a distance")]
    NotADistance {
        /// Index of the point, from 0.
        index: usize,
        /// The value given \[m\].
        error_m: f64,
    },
    /// A convergence picture was asked for without any series.
    #[error("there is no series to draw")]
    NoSeries,
    /// A series has no runs.
    #[error("series {series} has no runs")]
    NoRuns {
        /// Index of the series, from 0.
        series: usize,
    },
    /// A run has no evaluations.
    #[error("run {run} of series {series} has no evaluations")]
    NoEvaluations {
        /// Index of the series, from 0.
        series: usize,
        /// Index of the run in its series, from 0.
        run: usize,
    },
    /// The values of a run and the flags of those lost are not of one length.
    #[error("run {run} of series {series} has {values} values but {flags} flags of loss")]
    FlagsPerValue {
        /// Index of the series, from 0.
        series: usize,
        /// Index of the run in its series, from 0.
        run: usize,
        /// Values given.
        values: usize,
        /// Flags of loss given.
        flags: usize,
    },
    /// The value of an evaluation is NaN or infinite.
    #[error(
        "evaluation {evaluation} in run {run} of series {series} is {value_m} m, which is not finite"
    )]
    ValueNotFinite {
        /// Index of the series, from 0.
        series: usize,
        /// Index of the run in its series, from 0.
        run: usize,
        /// Index of the evaluation in its run, from 0.
        evaluation: usize,
        /// The value given \[m\].
        value_m: f64,
    },
    /// The baseline is NaN or infinite.
    #[error("the baseline is {value_m} m, which is not finite")]
    BaselineNotFinite {
        /// The value given \[m\].
        value_m: f64,
    },
    /// A logarithmic axis was asked for, but a value to be shown on it is not positive.
    #[error("a logarithmic axis cannot show {value_m} m")]
    LogarithmOfNonPositive {
        /// The smallest value to be shown \[m\].
        value_m: f64,
    },
    /// Larger than a picture can show without losing all its digits.
    #[error("{} m is too large to draw: the limit is {} m", Short(*value_m), Short(*limit_m))]
    TooLarge {
        /// The value given \[m\].
        value_m: f64,
        /// The largest magnitude that is drawn \[m\].
        limit_m: f64,
    },
    /// A quantity that is drawn has no values.
    #[error("the {quantity} has no values")]
    NoValues {
        /// Which quantity.
        quantity: &'static str,
    },
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
    /// One panel of a grid cannot be drawn.
    #[error("row {row}, column {column} of the grid: {source}")]
    InPanel {
        /// Row of the panel, from 0.
        row: usize,
        /// Column of the panel, from 0.
        column: usize,
        /// What is wrong with it.
        source: Box<Error>,
    },
    /// A number of a picture is NaN, infinite or too large to draw.
    #[error("{} cannot be drawn: numbers must be finite and at most {} in magnitude", Short(*value), Short(*limit))]
    NumberUnfit {
        /// The number given.
        value: f64,
        /// The largest magnitude that is drawn.
        limit: f64,
    },
    /// A file could not be written.
    #[error("cannot write {}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
}

impl Error {
    /// The same error, with the panel in which it was found.
    pub(crate) fn in_panel(self, row: usize, column: usize) -> Self {
        Self::InPanel {
            row,
            column,
            source: Box::new(self),
        }
    }
}

/// Refuses a count of none or of more than `most`.
pub(crate) fn count(what: &'static str, given: usize, most: usize) -> Result<(), Error> {
    if (1..=most).contains(&given) {
        return Ok(());
    }
    Err(Error::CountUnfit { what, given, most })
}

/// Refuses a number that cannot be placed on an axis.
pub(crate) fn number(value: f64) -> Result<(), Error> {
    if value.is_finite() && value.abs() <= LARGEST_M {
        return Ok(());
    }
    Err(Error::NumberUnfit {
        value,
        limit: LARGEST_M,
    })
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

/// Refuses the first value that does not lie within the range, NaN among them.
pub(crate) fn within(
    quantity: &'static str,
    values: impl IntoIterator<Item = f64>,
    range: RangeInclusive<f64>,
    expected: &'static str,
) -> Result<(), Error> {
    let mut values = values.into_iter().enumerate();
    match values.find(|(_, value)| !range.contains(value)) {
        Some((index, value)) => refused(quantity, index, value, expected),
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

/// The two curves of a flight picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Curve {
    /// Where the vehicle should have been.
    Reference,
    /// Where it was.
    Path,
}

impl std::fmt::Display for Curve {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Curve::Reference => "reference",
            Curve::Path => "flown path",
        })
    }
}
