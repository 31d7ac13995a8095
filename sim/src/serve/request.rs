//! Requests, as they are typed.

use crate::SensorNoise;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

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
    pub(super) rotors_rad_s: Option<[f64; 4]>,
}

/// A command: rotor speeds, or thrust and moment.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Step {
    pub(super) rotors_rad_s: Option<[f64; 4]>,
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
    /// Reads a line, or says what is wrong with it.
    pub(super) fn from_json(bytes: &[u8]) -> Result<Request, String> {
        let value: Value = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        let Value::Object(mut fields) = value else {
            return Err("a request is a JSON object".to_owned());
        };
        let kind = fields.remove("type");
        let fields = Value::Object(fields);
        match kind.as_ref().and_then(Value::as_str) {
            Some("init") => Ok(Request::Init(Box::new(of(fields, "init")?))),
            Some("step") => Ok(Request::Step(of(fields, "step")?)),
            Some("reset") => Ok(Request::Reset(of(fields, "reset")?)),
            Some("quit") => of(fields, "quit").map(|Quit {}| Request::Quit),
            Some(other) => Err(format!(
                "unknown type `{}`; known: init, step, reset, quit",
                other.chars().take(40).collect::<String>()
            )),
            None => Err("a request needs a type: init, step, reset or quit".to_owned()),
        }
    }
}

fn of<T: DeserializeOwned>(fields: Value, kind: &str) -> Result<T, String> {
    serde_json::from_value(fields).map_err(|error| format!("{kind}: {error}"))
}
