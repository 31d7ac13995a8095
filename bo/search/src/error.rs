//! Refusal: why a space, a setting or an observation cannot be accepted.

/// What was refused, with the numbers that say why. Nothing has changed when one is returned.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Refusal {
    /// Outputs other than those that the settings name.
    #[error("{given} outputs are told; the search has {wanted}")]
    Outputs {
        /// How many were told.
        given: usize,
        /// How many there are.
        wanted: usize,
    },
    /// More than one output is traded.
    #[error("{0} outputs are traded with the value; at most 1 is")]
    TradedTwice(usize),
    /// A space without a parameter that may vary.
    #[error("the space has no parameter to tune")]
    EmptySpace,
    /// More parameters than the Sobol' sequence has dimensions for.
    #[error("the space has {given} parameters to tune; the limit is {most}")]
    TooManyParameters {
        /// Parameters given.
        given: usize,
        /// The limit.
        most: usize,
    },
    /// Two parameters share a name.
    #[error("parameter `{0}` stands twice")]
    NamedTwice(String),
    /// A bound or a fixed value is NaN or infinite.
    #[error("a bound of `{name}` is {value}, not a finite number")]
    BoundNotFinite {
        /// The parameter.
        name: String,
        /// The value.
        value: f64,
    },
    /// The bounds are the wrong way round, or equal.
    #[error("`{name}` runs from {low} to {high}; low must be below high")]
    BoundsNotAscending {
        /// The parameter.
        name: String,
        /// Lower bound.
        low: f64,
        /// Upper bound.
        high: f64,
    },
    /// A range that double precision cannot divide.
    #[error("`{name}` runs from {low} to {high}, too wide a range for double precision")]
    TooWide {
        /// The parameter.
        name: String,
        /// Lower bound.
        low: f64,
        /// Upper bound.
        high: f64,
    },
    /// A logarithmic scale that starts at or below zero.
    #[error("`{name}` is on a logarithmic scale from {low}; its low must be above 0")]
    LogOfNonPositive {
        /// The parameter.
        name: String,
        /// Lower bound.
        low: f64,
    },
    /// An integer parameter with a bound between integers.
    #[error("`{name}` is an integer, but a bound is {value}")]
    BoundNotInteger {
        /// The parameter.
        name: String,
        /// The bound.
        value: f64,
    },
    /// A step that does not lead from one bound to the other, or stands on a logarithmic scale.
    #[error(
        "`{name}` runs from {low} to {high} by {step}: whole steps of a linear scale must lead from low to high"
    )]
    Step {
        /// The parameter.
        name: String,
        /// The step.
        step: f64,
        /// Lower bound.
        low: f64,
        /// Upper bound.
        high: f64,
    },
    /// A parameter with fewer than two choices.
    #[error("`{0}` has fewer than 2 choices")]
    OneChoice(String),
    /// A coordinate between two steps.
    #[error(
        "x[{index}] (`{name}`) is {value}, which is no whole number of steps of {step} above {low}"
    )]
    BetweenSteps {
        /// Index, from 0.
        index: usize,
        /// The parameter.
        name: String,
        /// The value.
        value: f64,
        /// Lower bound.
        low: f64,
        /// The step.
        step: f64,
    },
    /// A point with too many or too few coordinates.
    #[error("x has {given} numbers; the space has {wanted}")]
    WrongLength {
        /// Coordinates given.
        given: usize,
        /// Coordinates of the space.
        wanted: usize,
    },
    /// A coordinate that is NaN or infinite.
    #[error("x[{index}] (`{name}`) is {value}, not a finite number")]
    NotFinite {
        /// Index, from 0.
        index: usize,
        /// The parameter.
        name: String,
        /// The value.
        value: f64,
    },
    /// A coordinate outside its bounds.
    #[error("x[{index}] (`{name}`) is {value}, outside {low} to {high}")]
    OutOfBounds {
        /// Index, from 0.
        index: usize,
        /// The parameter.
        name: String,
        /// The value.
        value: f64,
        /// Lower bound.
        low: f64,
        /// Upper bound.
        high: f64,
    },
    /// A fraction where an integer is wanted.
    #[error("x[{index}] (`{name}`) is {value}, not an integer")]
    NotInteger {
        /// Index, from 0.
        index: usize,
        /// The parameter.
        name: String,
        /// The value.
        value: f64,
    },
    /// An acquisition of a name that none has.
    #[error("unknown acquisition `{given}`; known: {}", known.join(", "))]
    UnknownAcquisition {
        /// The name given.
        given: String,
        /// The legal names.
        known: &'static [&'static str],
    },
    /// A surrogate of a name that none has.
    #[error("unknown surrogate `{given}`; known: {}", known.join(", "))]
    UnknownSurrogate {
        /// The name given.
        given: String,
        /// The legal names.
        known: &'static [&'static str],
    },
    /// Covariates for a surrogate that takes none.
    #[error("surrogate {given} takes no covariates; these do: {}", able.join(", "))]
    NoCovariates {
        /// Its name.
        given: String,
        /// The names of those that do.
        able: &'static [&'static str],
    },
    /// Covariates of an objective without noise.
    #[error("covariates belong to an objective with noise; {0} are given for one without")]
    CovariatesWithoutNoise(usize),
    /// An acquisition that weighs uncertainty, with a surrogate that claims none.
    #[error(
        "acquisition {acquisition} needs a standard deviation, which surrogate {surrogate} does not claim"
    )]
    NoDeviation {
        /// The acquisition.
        acquisition: &'static str,
        /// The surrogate.
        surrogate: &'static str,
    },
    /// An acquisition that measures by the noise, with a surrogate that claims none.
    #[error(
        "acquisition {acquisition} measures by the noise of evaluations, of which surrogate {surrogate} claims none"
    )]
    NoNoise {
        /// The acquisition.
        acquisition: &'static str,
        /// The surrogate.
        surrogate: &'static str,
    },
    /// An acquisition that needs a Gaussian process' draws, with another surrogate.
    #[error(
        "acquisition {acquisition} needs a Gaussian process, which surrogate {surrogate} is not"
    )]
    NeedsProcess {
        /// The acquisition.
        acquisition: &'static str,
        /// The surrogate.
        surrogate: &'static str,
    },
    /// A recommender whose surrogate does not claim what it weighs.
    #[error("recommender {recommender} needs {what}, which surrogate {surrogate} does not have")]
    RecommenderNeeds {
        /// The recommender.
        recommender: &'static str,
        /// What is lacking.
        what: &'static str,
        /// The surrogate.
        surrogate: &'static str,
    },
    /// Standard errors where nothing weighs them.
    #[error(
        "standard errors need an objective with noise and a Gaussian process, as matern, auto or gp-level-set; this search has `noise` {noisy} and the surrogate {surrogate}"
    )]
    ErrorsNotWeighed {
        /// Whether the objective has noise.
        noisy: bool,
        /// The surrogate.
        surrogate: &'static str,
    },
    /// A setting outside its range.
    #[error("{setting} is {value}; it must be {wanted}")]
    SettingOutOfRange {
        /// The setting.
        setting: &'static str,
        /// What was given.
        value: f64,
        /// The legal range in words.
        wanted: &'static str,
    },
    /// An outcome of a suggestion that was not made, or whose outcome is known.
    #[error("suggestion {0} is not pending")]
    NotPending(u64),
    /// More observations than the surrogate is built for.
    #[error("{0} observations are the limit")]
    TooManyObservations(usize),
    /// A recommendation where nothing was observed that could be recommended.
    #[error("nothing to recommend: {told} evaluations told, {crashed} of them crashed")]
    NothingFinished {
        /// Observations.
        told: usize,
        /// Those that crashed.
        crashed: usize,
    },
}
