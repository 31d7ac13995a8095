//! Error: what was attempted with data or a surrogate, and the numbers that prevented it.

use shell::exit::{self, Coded};

/// Everything that can go wrong in this crate, with the numbers needed to act on it.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// A dataset without points, or whose points have no coordinates.
    #[error("a dataset needs at least one row and one column, not {rows} x {columns}")]
    EmptyDataset {
        /// Rows (points) given.
        rows: usize,
        /// Columns (coordinates of a point) given.
        columns: usize,
    },
    /// One target is needed for each point.
    #[error("{inputs} rows of inputs but {targets} targets: one target is needed for each row")]
    RowsDiffer {
        /// Rows of the input matrix.
        inputs: usize,
        /// Entries of the target vector.
        targets: usize,
    },
    /// An input that is NaN or infinite.
    #[error("input at row {row}, column {column} (from 0) is {value}, not a finite number")]
    NonFiniteInput {
        /// Row, from 0.
        row: usize,
        /// Column, from 0.
        column: usize,
        /// What stands there.
        value: f64,
    },
    /// A target that is NaN or infinite.
    #[error("target at row {row} (from 0) is {value}, not a finite number")]
    NonFiniteTarget {
        /// Row, from 0.
        row: usize,
        /// What stands there.
        value: f64,
    },
    /// A standard error or a count of a target that is too small, NaN or infinite.
    #[error(
        "what is said of the target at row {row} (from 0) is {value}, not a finite number of at least {least}"
    )]
    WeightOfRow {
        /// Row, from 0.
        row: usize,
        /// What stands there.
        value: f64,
        /// The least that is legal.
        least: f64,
    },
    /// A surrogate was asked for by a name that none has.
    #[error("unknown surrogate `{given}`: did you mean `{nearest}`? Known: {}", known.join(", "))]
    UnknownSurrogate {
        /// The name asked for.
        given: String,
        /// The legal name closest to it.
        nearest: &'static str,
        /// Every legal name.
        known: &'static [&'static str],
    },
    /// The covariance matrix stayed indefinite however much was added to its diagonal.
    #[error(
        "the covariance of {points} points (mean diagonal {mean_diagonal:.3e}) is not positive \
         definite, even with {largest_jitter:.3e} added to its diagonal"
    )]
    NotPositiveDefinite {
        /// Rows of the matrix.
        points: usize,
        /// Mean of its diagonal before anything was added.
        mean_diagonal: f64,
        /// Largest addition tried, in the units of the diagonal.
        largest_jitter: f64,
    },
    /// A setting outside the values for which the method is defined.
    #[error("{setting} of {surrogate} is {value}; it must be {required}")]
    SettingOutOfRange {
        /// The surrogate being fitted.
        surrogate: &'static str,
        /// The field of its settings.
        setting: &'static str,
        /// The value given.
        value: f64,
        /// The legal values, as a phrase.
        required: &'static str,
    },
    /// More points than a covariance matrix is built for.
    #[error(
        "{surrogate} on {points} points needs several matrices of {points} x {points} numbers; \
         the limit is {limit} points"
    )]
    TooManyPoints {
        /// The surrogate being fitted.
        surrogate: &'static str,
        /// Points of the dataset.
        points: usize,
        /// The largest number accepted.
        limit: usize,
    },
    /// One environment label is needed for each point.
    #[error("{points} points but {labels} environment labels: one label is needed for each point")]
    LabelsDiffer {
        /// Points of the dataset.
        points: usize,
        /// Labels given.
        labels: usize,
    },
    /// There is no environment to leave out.
    #[error("cross-validation leaves one environment out, but there is only one")]
    OneEnvironment,
    /// A mode for two environments was given more.
    #[error("this mode weighs two environments against each other, not {0}")]
    TwoEnvironments(usize),
    /// Training produced weights that are not finite numbers.
    #[error("training of {surrogate} left the finite numbers after {steps} steps")]
    TrainingDiverged {
        /// The surrogate being fitted.
        surrogate: &'static str,
        /// Steps taken when that was seen.
        steps: u64,
    },
}

/// Points that a Gaussian process accepts: with the derivatives of the covariance a fit then takes
/// about 5 GB of memory.
pub const MOST_POINTS: usize = 8000;

impl Coded for Error {
    fn exit_code(&self) -> u8 {
        match self {
            Self::UnknownSurrogate { .. }
            | Self::SettingOutOfRange { .. }
            | Self::TwoEnvironments(..) => exit::USAGE,
            _ => exit::DATA,
        }
    }
}

impl Error {
    /// That `given` is none of the names in `known`; names the nearest of them, whatever its case.
    pub fn unknown(given: &str, known: &'static [&'static str]) -> Self {
        Self::UnknownSurrogate {
            given: given.to_owned(),
            nearest: shell::names::nearest(given, known),
            known,
        }
    }

    /// Refuses more points than a Gaussian process is fitted to.
    pub(crate) fn unless_it_fits(surrogate: &'static str, points: usize) -> Result<(), Self> {
        if points <= MOST_POINTS {
            return Ok(());
        }
        Err(Self::TooManyPoints {
            surrogate,
            points,
            limit: MOST_POINTS,
        })
    }

    /// [`Error::SettingOutOfRange`] unless `legal`.
    pub(crate) fn unless_legal(
        legal: bool,
        surrogate: &'static str,
        (setting, value): (&'static str, f64),
        required: &'static str,
    ) -> Result<(), Self> {
        if legal {
            return Ok(());
        }
        Err(Self::SettingOutOfRange {
            surrogate,
            setting,
            value,
            required,
        })
    }

    /// Refuses a setting that is not a positive finite number.
    pub(crate) fn unless_positive(
        surrogate: &'static str,
        setting: (&'static str, f64),
    ) -> Result<(), Self> {
        let legal = setting.1.is_finite() && setting.1 > 0.0;
        Self::unless_legal(legal, surrogate, setting, "a positive finite number")
    }

    /// Refuses a setting that is not a finite number of at least 0.
    pub(crate) fn unless_not_negative(
        surrogate: &'static str,
        setting: (&'static str, f64),
    ) -> Result<(), Self> {
        let legal = setting.1.is_finite() && setting.1 >= 0.0;
        Self::unless_legal(legal, surrogate, setting, "a finite number of at least 0")
    }

    /// Refuses a count of none.
    pub(crate) fn unless_counted(
        surrogate: &'static str,
        (setting, count): (&'static str, usize),
    ) -> Result<(), Self> {
        Self::unless_legal(count > 0, surrogate, (setting, count as f64), "at least 1")
    }
}
