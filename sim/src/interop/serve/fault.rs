//! Fault: what can be wrong with a line of the protocol.

use shell::lines::LONGEST_LINE;

/// What is wrong with a line.
#[derive(Debug, thiserror::Error)]
pub(super) enum Fault {
    #[error("the line is longer than {LONGEST_LINE} bytes")]
    TooLong,
    #[error("the line is not UTF-8 text")]
    NotText,
    #[error(transparent)]
    NotJson(#[from] serde_json::Error),
    #[error("a request is a JSON object")]
    NotAnObject,
    #[error("a request needs a type: init, step, reset or quit")]
    NoType,
    #[error("unknown type `{0}`; known: init, step, reset, quit")]
    UnknownType(String),
    /// A request, or a part of one, that has not the form it needs.
    #[error("{part}: {source}")]
    Form {
        part: &'static str,
        source: serde_json::Error,
    },
    /// A part that is of another kind than all those it may have.
    #[error("{part} is {wanted}")]
    Kind {
        part: &'static str,
        wanted: &'static str,
    },
    #[error("the first request must be init")]
    BeforeInit,
    #[error("dt_s is {dt_s}; it must be {least_s:e} to {most_s} s")]
    Period {
        dt_s: f64,
        least_s: f64,
        most_s: f64,
    },
    #[error("a delay is counted in ms: dt_s must be a whole number of them")]
    DelayBetweenTicks,
    #[error("give a trajectory or a start, not both")]
    TwoStarts,
    #[error("attitude_wxyz is no rotation")]
    NoRotation { wxyz: [f64; 4] },
    #[error("rotors_rad_s holds {speed}; the range is 0 to {most}")]
    StartSpeed { speed: f64, most: f64 },
    #[error("{field} holds {value}; at most {most:e} is simulated")]
    TooGreat {
        field: &'static str,
        value: f64,
        most: f64,
    },
    #[error("a step needs rotors_rad_s, or thrust_n and moment_n_m")]
    NoCommand,
    #[error("the state would overflow; nothing has changed")]
    Overflow,
    #[error("cannot read {name}: {source}")]
    File {
        name: String,
        source: std::io::Error,
    },
    /// A vehicle, a wind or sensors that cannot be simulated.
    #[error(transparent)]
    Refused(#[from] crate::Error),
    #[error(transparent)]
    UnknownTrajectory(#[from] trajectories::UnknownTrajectory),
}

impl Fault {
    /// That the file `name` cannot be read, from what the system says.
    pub(super) fn file(name: &str) -> impl FnOnce(std::io::Error) -> Fault {
        let name = name.to_owned();
        move |source| Fault::File { name, source }
    }
}
