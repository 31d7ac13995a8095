//! Requests, as they are typed.

use crate::{PerRotor, SensorNoise};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use shell::lines::LONGEST_LINE;

/// Greatest magnitude of a number in a start, a wind or a command.
const GREATEST: f64 = 1e6;

/// One request.
pub(super) enum Request {
    Init(Box<Init>),
    Step(Step),
    Reset(Reset),
    Quit,
}

/// What to simulate.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Init {
    pub(super) airframe: Value,
    #[serde(default = "default_dt_s")]
    pub(super) dt_s: f64,
    pub(super) trajectory: Option<String>,
    pub(super) start: Option<Start>,
    #[serde(default)]
    pub(super) wind: Value,
    #[serde(default = "default_seed")]
    pub(super) seed: u64,
    pub(super) sensors: Option<SensorNoise>,
}

/// Where it starts.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Start {
    pub(super) position_m: [f64; 3],
    pub(super) velocity_m_s: [f64; 3],
    pub(super) attitude_wxyz: Option<[f64; 4]>,
    pub(super) rates_rad_s: [f64; 3],
    pub(super) rotors_rad_s: Option<PerRotor>,
}

/// A command: rotor speeds, or thrust and moment.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Step {
    pub(super) rotors_rad_s: Option<PerRotor>,
    pub(super) thrust_n: Option<f64>,
    pub(super) moment_n_m: Option<[f64; 3]>,
}

/// Back to the start.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Reset {
    pub(super) seed: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Quit {}

fn default_dt_s() -> f64 {
    0.01
}

fn default_seed() -> u64 {
    1
}

impl Request {
    /// Reads a line.
    pub(super) fn from_json(text: &str) -> Result<Request, Fault> {
        let Value::Object(mut fields) = serde_json::from_str(text)? else {
            return Err(Fault::NotAnObject);
        };
        let kind = fields.remove("type");
        let fields = Value::Object(fields);
        match kind.as_ref().and_then(Value::as_str) {
            Some("init") => Ok(Request::Init(Box::new(of(fields, "init")?))),
            Some("step") => Ok(Request::Step(of(fields, "step")?)),
            Some("reset") => Ok(Request::Reset(of(fields, "reset")?)),
            Some("quit") => of(fields, "quit").map(|Quit {}| Request::Quit),
            Some(other) => Err(Fault::UnknownType(other.chars().take(40).collect())),
            None => Err(Fault::NoType),
        }
    }
}

/// What `given` says, where it is the `part` of a request that `T` is.
pub(super) fn of<T: DeserializeOwned>(given: Value, part: &'static str) -> Result<T, Fault> {
    serde_json::from_value(given).map_err(|source| Fault::Form { part, source })
}

/// That no number is so great that what follows from it could overflow.
pub(super) fn bounded(field: &'static str, values: &[f64]) -> Result<(), Fault> {
    match values.iter().find(|x| x.is_nan() || x.abs() > GREATEST) {
        None => Ok(()),
        Some(&value) => Err(Fault::TooGreat {
            field,
            value,
            most: GREATEST,
        }),
    }
}

// Fault: what can be wrong with a line of the protocol.

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
    #[error("rotors_rad_s holds {given} speeds, and the vehicle has {rotors} rotors")]
    Rotors { given: usize, rotors: usize },
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
