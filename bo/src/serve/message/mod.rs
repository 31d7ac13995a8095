//! Message: a line of the protocol, read.

mod covariates;
mod field;
mod parse_error;
#[cfg(test)]
mod tests;

pub use covariates::Covariates;
pub use parse_error::ParseError;

use field::with_words_for_numbers;
use field::{count, flag, kind, named, number, numbers, shortened, text, wrong};
use search::{
    Acquisition, LOSS_MODELS, Parameter, RECOMMENDERS, Range, Settings, Space, Span, TRANSFORMS,
};
use serde_json::{Map, Value};

/// Longest lease \[s\]: 30 days.
pub const LONGEST_LEASE_S: u64 = 2_592_000;

/// Fields of `init`.
const INIT: [&str; 19] = [
    "type",
    "space",
    "seed",
    "noise",
    "budget",
    "direction",
    "surrogate",
    "acquisition",
    "kappa",
    "initial",
    "recommender",
    "loss_model",
    "pending",
    "lost_value",
    "baseline",
    "transform",
    "target_domain",
    "covariates",
    "study",
];

/// Fields of `tell`.
const TELL: [&str; 8] = [
    "type",
    "id",
    "key",
    "x",
    "y",
    "crashed",
    "domain",
    "covariates",
];

/// What was said.
#[derive(Debug, Clone, PartialEq)]
pub enum Message {
    /// Begin.
    Init(Box<Init>),
    /// An observation.
    Tell(Tell),
    /// Which point next? It may say how long a lease it wants \[s\].
    Ask(Option<u64>),
    /// Which point would you deploy?
    Recommend,
    /// How far is it?
    Status,
    /// What is being tuned?
    Study,
    /// End.
    Quit,
}

/// A problem and how to optimise it.
#[derive(Debug, Clone, PartialEq)]
pub struct Init {
    /// What may be tuned.
    pub space: Space,
    /// How.
    pub settings: Settings,
    /// Whether greater values are better.
    pub maximise: bool,
    /// The domain that the recommendation is for.
    pub target_domain: Option<String>,
    /// The covariates of each evaluation.
    pub covariates: Covariates,
    /// What the evaluations are of, for who is to make them.
    pub study: Option<String>,
}

/// An observation.
#[derive(Debug, Clone, PartialEq)]
pub struct Tell {
    /// The evaluation's number and the key of its lease.
    pub lease: Option<(u64, String)>,
    /// The point, in natural units; if absent, the leased one.
    pub x: Option<Vec<f64>>,
    /// The value; `None` after a crash.
    pub y: Option<f64>,
    /// Where it was observed.
    pub domain: Option<String>,
    /// Its covariates, each in its own unit; `None` if absent.
    pub covariates: Option<Vec<f64>>,
}

/// Reads a line; names of fields that are not known go to `remark`.
///
/// # Errors
/// What is wrong with it.
pub fn read(line: &str, remark: &mut dyn FnMut(String)) -> Result<Message, ParseError> {
    let value: Value = serde_json::from_str(&with_words_for_numbers(line))
        .map_err(|error| ParseError::NotJson(error.to_string()))?;
    let Value::Object(object) = &value else {
        return Err(ParseError::NotAnObject(kind(&value)));
    };
    let mut know = |known: &[&str]| {
        for field in object.keys().filter(|key| !known.contains(&key.as_str())) {
            remark(format!("field `{field}` is not known and was ignored"));
        }
    };
    let given = object.get("type").ok_or(ParseError::Missing("type"))?;
    match given.as_str() {
        Some("init") => {
            know(&INIT);
            let init = init(object)?;
            let bound = matches!(init.settings.acquisition, Some(Acquisition::Bound { .. }));
            if object.contains_key("kappa") && !bound {
                remark(
                    "`kappa` belongs to the acquisition ucb, which was not named: ignored".into(),
                );
            }
            Ok(Message::Init(Box::new(init)))
        }
        Some("tell") => {
            know(&TELL);
            Ok(Message::Tell(tell(object)?))
        }
        Some("ask") => {
            know(&["type", "lease_s"]);
            Ok(Message::Ask(lease_s(object)?))
        }
        Some("recommend") => Ok(Message::Recommend),
        Some("status") => Ok(Message::Status),
        Some("study") => Ok(Message::Study),
        Some("quit") => Ok(Message::Quit),
        Some(other) => Err(ParseError::UnknownType(shortened(other))),
        None => Err(wrong("type", given, "a string")),
    }
}

fn init(object: &Map<String, Value>) -> Result<Init, ParseError> {
    let entries = object.get("space").ok_or(ParseError::Missing("space"))?;
    let entries = entries
        .as_array()
        .ok_or_else(|| wrong("space", entries, "an array"))?;
    let parameters: Result<Vec<Parameter>, ParseError> = entries.iter().map(parameter).collect();
    let space = Space::new(parameters?)?;
    let mut settings = Settings::noisy(count(object, "seed")?.unwrap_or(1));
    settings.noisy = flag(object, "noise")?.unwrap_or(true);
    settings.budget = count(object, "budget")?.map(|budget| budget as usize);
    if let Some(initial) = count(object, "initial")? {
        settings.initial = initial as usize;
    }
    if let Some(surrogate) = text(object, "surrogate")? {
        settings.surrogate = shortened(surrogate);
    }
    if let Some(acquisition) = text(object, "acquisition")? {
        settings.acquisition = Some(Acquisition::by_name(&shortened(acquisition))?);
    }
    settings.recommender = named(object, "recommender", &RECOMMENDERS)?;
    settings.loss_model = named(object, "loss_model", &LOSS_MODELS)?;
    let () = named(object, "pending", &[("mean", ())])?.unwrap_or_default();
    settings.lost_value = number(object, "lost_value")?;
    settings.baseline = numbers(object, "baseline")?;
    if let Some(transform) = named(object, "transform", &TRANSFORMS)? {
        settings.transform = transform;
    }
    if let Some(kappa) = number(object, "kappa")?
        && matches!(settings.acquisition, Some(Acquisition::Bound { .. }))
    {
        settings.acquisition = Some(Acquisition::Bound { kappa });
    }
    let maximise = maximise(object)?;
    let target_domain = text(object, "target_domain")?.map(str::to_owned);
    let covariates = Covariates::declared(object)?;
    settings.covariates = covariates.count();
    Ok(Init {
        space,
        settings,
        maximise,
        target_domain,
        covariates,
        study: text(object, "study")?.map(str::to_owned),
    })
}

fn maximise(object: &Map<String, Value>) -> Result<bool, ParseError> {
    match text(object, "direction")? {
        None | Some("min") => Ok(false),
        Some("max") => Ok(true),
        Some(_) => Err(wrong(
            "direction",
            &object["direction"],
            "\"min\" or \"max\"",
        )),
    }
}

fn parameter(value: &Value) -> Result<Parameter, ParseError> {
    let Value::Object(object) = value else {
        return Err(wrong("space", value, "an array of objects"));
    };
    let name = text(object, "name")?.ok_or(ParseError::Missing("name"))?;
    if let Some(value) = number(object, "value")? {
        return Ok(Parameter::new(name, Range::Fixed(value))?);
    }
    let bound = |field| {
        let missing = || ParseError::NoBound {
            field,
            name: shortened(name),
        };
        number(object, field)?.ok_or_else(missing)
    };
    let (low, high) = (bound("low")?, bound("high")?);
    let span = match flag(object, "log")?.unwrap_or(false) {
        true => Span::log(low, high),
        false => Span::linear(low, high),
    };
    let range = match flag(object, "integer")?.unwrap_or(false) {
        true => Range::Integer(span),
        false => Range::Real(span),
    };
    Ok(Parameter::new(name, range)?)
}

fn tell(object: &Map<String, Value>) -> Result<Tell, ParseError> {
    let lease = match (count(object, "id")?, text(object, "key")?) {
        (None, _) => None,
        (Some(id), Some(key)) => Some((id, key.to_owned())),
        (Some(_), None) => return Err(ParseError::Missing("key")),
    };
    let x = numbers(object, "x")?;
    if x.is_none() && lease.is_none() {
        return Err(ParseError::Missing("x"));
    }
    let crashed = flag(object, "crashed")?.unwrap_or(false);
    let y = match number(object, "y")? {
        None if crashed => None,
        None => return Err(ParseError::Missing("y")),
        Some(y) => (y.is_finite() && !crashed).then_some(y),
    };
    let domain = text(object, "domain")?.map(str::to_owned);
    Ok(Tell {
        lease,
        x,
        y,
        domain,
        covariates: numbers(object, "covariates")?,
    })
}

fn lease_s(object: &Map<String, Value>) -> Result<Option<u64>, ParseError> {
    let asked = count(object, "lease_s")?;
    match asked {
        Some(asked) if !(1..=LONGEST_LEASE_S).contains(&asked) => Err(wrong(
            "lease_s",
            &object["lease_s"],
            "a whole number from 1 to 2592000",
        )),
        _ => Ok(asked),
    }
}
