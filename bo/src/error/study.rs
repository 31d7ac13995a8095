//! What can be wrong with a study file.

use shell::exit::{self, Coded};
use shell::files::FileError;
use std::path::PathBuf;

/// Why a study file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// Something in it is wrong.
    #[error("{}:{line}:{column}: {fault}", path.display())]
    At {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// What is wrong there.
        fault: Box<Fault>,
    },

    /// A file that a flag names is faulty.
    #[error("{}: {}", path.display(), placed(.fault))]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        fault: Box<Fault>,
    },

    /// The waypoints of the flight are faulty.
    #[error("the waypoints: {0}")]
    Waypoints(#[source] trajectories::WaypointError),

    /// The waypoint file that a flag names is faulty.
    #[error("{}: {source}", path.display())]
    WaypointFile {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: trajectories::WaypointError,
    },

    /// The flight takes longer than the limit.
    #[error(
        "a flight along {trajectory} takes {duration_s} s, above limits.flight_s = {limit_s}; shorten it or raise the limit in the study file"
    )]
    LongFlight {
        /// The trajectory.
        trajectory: String,
        /// How long it takes [s].
        duration_s: f64,
        /// The limit [s].
        limit_s: f64,
    },

    /// Nothing of the flight would be scored.
    #[error(
        "flight.settle_s = {settle_s} leaves nothing to score of a flight of {duration_s} s; take less"
    )]
    Settle {
        /// What the score leaves out [s].
        settle_s: f64,
        /// How long the flight takes [s].
        duration_s: f64,
    },

    /// The study, which is kept with the run, would become too long to be read.
    #[error(
        "the records of wind have {bytes} bytes together, counted once for each domain, above {most}: give them fewer digits, or thin them out"
    )]
    LongRecords {
        /// Bytes of their text.
        bytes: usize,
        /// The limit.
        most: usize,
    },

    /// Flights do not find their wind in a record.
    #[error(transparent)]
    Wind(sim::Error),

    /// There is no ground to take off from.
    #[error("flight.from_ground needs a ground, and flight.world has none")]
    NoGround,

    /// The flight cannot begin on the ground.
    #[error("flight.from_ground: {0}")]
    FromGround(#[from] trajectories::FromGroundError),
}

/// What is wrong at one place of a study file.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// It is not the TOML that a study needs.
    #[error("{}", .0.message().replace('\n', " "))]
    Syntax(toml::de::Error),

    /// A number is out of range.
    #[error("{key} is {value}; it must be {wanted}")]
    OutOfRange {
        /// Its key.
        key: String,
        /// What was given.
        value: f64,
        /// The legal range in words.
        wanted: &'static str,
    },

    /// A word is not known there.
    #[error("{key} does not know `{given}`{}", shell::names::rather(given, known))]
    Unknown {
        /// Its key.
        key: String,
        /// What was given.
        given: String,
        /// The legal words.
        known: String,
    },

    /// Neither a shipped name nor a file.
    #[error(transparent)]
    Trajectory(#[from] trajectories::UnknownTrajectory),

    /// A name that does not exist, or no longer.
    #[error(transparent)]
    Choice(Box<crate::Error>),

    /// An earlier run cannot be taken as data.
    #[error("warm_start: {0}")]
    WarmStart(Box<crate::Error>),

    /// A file that holds no gains of this vehicle.
    #[error("gains.baseline: {0}")]
    Baseline(Box<crate::Error>),

    /// A vehicle or a wind that does not exist or cannot be.
    #[error("{}", plain(.0))]
    Sim(#[from] sim::Error),

    /// A waypoint file is faulty.
    #[error("{}: {source}", path.display())]
    Waypoints {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: trajectories::WaypointError,
    },

    /// A file that is named cannot be read.
    #[error(transparent)]
    Read(#[from] FileError),

    /// The bounds of a gain are none.
    #[error(
        "{name} has the bounds {} and {}; low must be below high, both positive on a log scale and none negative",
        short(*low), short(*high)
    )]
    Bounds {
        /// The gain.
        name: &'static str,
        /// Least value.
        low: f64,
        /// Greatest value.
        high: f64,
    },

    /// A gain that is 0 has no usual bounds.
    #[error(
        "{0} is 0 in this airframe, so it has no usual bounds; give it low, high and start under [gains.bounds], or do not tune it"
    )]
    NoUsualBounds(&'static str),

    /// Bounds for a gain that does not exist.
    #[error("there is no gain `{name}`; there are {known}")]
    NoSuchGain {
        /// What was given.
        name: String,
        /// Those that there are.
        known: String,
    },

    /// A run cannot start outside the bounds.
    #[error(
        "{name} starts at {}, outside its bounds {} to {}; give it a start or wider bounds under [gains.bounds], as in \"{name}\" = {{ start = {} }}",
        short(*start), short(*low), short(*high), short(start.clamp(*low, *high))
    )]
    Start {
        /// The gain.
        name: &'static str,
        /// Where it starts.
        start: f64,
        /// Least value.
        low: f64,
        /// Greatest value.
        high: f64,
    },

    /// Bounds for a gain that is not tuned.
    #[error("{name} is not tuned; add it to gains.tune, which has {tuned}")]
    NotTuned {
        /// The gain.
        name: String,
        /// The gains that are tuned.
        tuned: String,
    },

    /// Something stands twice.
    #[error("{what} `{name}` stands twice")]
    Twice {
        /// What it is.
        what: &'static str,
        /// Its name.
        name: String,
    },

    /// Two domains of one name differ.
    #[error("there are two different domains called `{0}`; give one another name")]
    TwoMeanings(String),

    /// A list needs at least one member.
    #[error("{0} is empty; it needs at least one")]
    Empty(&'static str),

    /// Something of another kind is wanted.
    #[error("{key} must be {wanted}")]
    Kind {
        /// Its key.
        key: &'static str,
        /// What is wanted.
        wanted: &'static str,
    },

    /// A name that cannot be listed.
    #[error(
        "the name {0:?} cannot be used; it must have 1 to 64 letters, digits or any of . _ - and blanks, and begin with a letter or a digit"
    )]
    Name(String),
}

impl Coded for ConfigError {
    fn exit_code(&self) -> u8 {
        match self {
            ConfigError::At { fault, .. } => match &**fault {
                Fault::Read(error) => error.exit_code(),
                Fault::WarmStart(error) | Fault::Baseline(error) => error.exit_code(),
                _ => exit::DATA,
            },
            _ => exit::DATA,
        }
    }
}

/// On one line, with the place in a file of its own.
fn placed(fault: &Fault) -> String {
    match fault {
        Fault::Sim(error) => error.to_string(),
        other => other.to_string(),
    }
}

/// On one line; the place in a text that was made from a table means nothing.
fn plain(error: &sim::Error) -> String {
    match error {
        sim::Error::AirframeSyntax(error)
        | sim::Error::DomainSyntax(error)
        | sim::Error::GainsSyntax(error)
        | sim::Error::SensorsSyntax(error)
        | sim::Error::WorldSyntax(error) => error.message().replace('\n', " "),
        other => other.to_string(),
    }
}

/// A number as people write it; one of hundreds of digits with an exponent.
fn short(value: f64) -> String {
    match value == 0.0 || (1e-6..1e9).contains(&value.abs()) {
        true => value.to_string(),
        false => format!("{value:e}"),
    }
}
