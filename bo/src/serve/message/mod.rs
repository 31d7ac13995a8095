//! Message: a line of the protocol, read.

mod covariates;
mod field;
mod outputs;
#[cfg(test)]
mod tests;

pub use covariates::Covariates;
pub use outputs::Outputs;

use super::leases::Unanswerable;
use field::{Fields, kind, missing, shortened, with_words_for_numbers, wrong};
use search::{
    Acquisition, LOSS_MODELS, Parameter, RECOMMENDERS, Range, Refusal, Settings, Space, Span,
    TRANSFORMS,
};
use serde_json::Value;

/// Longest lease \[s\]: 30 days.
pub const LONGEST_LEASE_S: u64 = 2_592_000;

/// Why a line cannot be answered.
#[derive(Debug, PartialEq, thiserror::Error)]
#[error("{sentence}")]
pub struct ProtocolError {
    sentence: String,
    /// The evaluation that was answered before, so that a client that repeats a message whose answer was
    /// lost need not parse the sentence.
    pub answered: Option<u64>,
}

impl From<String> for ProtocolError {
    fn from(sentence: String) -> ProtocolError {
        ProtocolError {
            sentence,
            answered: None,
        }
    }
}

impl From<&str> for ProtocolError {
    fn from(sentence: &str) -> ProtocolError {
        sentence.to_owned().into()
    }
}

impl From<Refusal> for ProtocolError {
    fn from(refusal: Refusal) -> ProtocolError {
        refusal.to_string().into()
    }
}

impl From<Unanswerable> for ProtocolError {
    fn from(why: Unanswerable) -> ProtocolError {
        ProtocolError {
            sentence: why.to_string(),
            answered: match why {
                Unanswerable::Answered(id) => Some(id),
                _ => None,
            },
        }
    }
}

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
    /// Which evaluations does no other better in value and traded output?
    Front,
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
    /// What is measured beside the value of each evaluation.
    pub outputs: Outputs,
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
    /// What was measured beside its value; `None` if absent.
    pub outputs: Option<Vec<f64>>,
}

/// Reads a line; names of fields that are not known go to `remark`.
///
/// # Errors
/// What is wrong with it.
pub fn read(line: &str, remark: &mut dyn FnMut(String)) -> Result<Message, ProtocolError> {
    let value: Value = serde_json::from_str(&with_words_for_numbers(line))
        .map_err(|error| format!("not JSON: {error}"))?;
    let Value::Object(object) = &value else {
        return Err(format!("a message is a JSON object, not {}", kind(&value)).into());
    };
    let fields = Fields::of(object);
    let message = match fields.text("type")?.ok_or_else(|| missing("type"))? {
        "init" => Message::Init(Box::new(init(&fields)?)),
        "tell" => Message::Tell(tell(&fields)?),
        "ask" => Message::Ask(lease_s(&fields)?),
        "recommend" => Message::Recommend,
        "front" => Message::Front,
        "status" => Message::Status,
        "study" => Message::Study,
        "quit" => Message::Quit,
        other => {
            let known = "init, tell, ask, recommend, front, status, study, quit";
            return Err(format!("unknown type `{}`; known: {known}", shortened(other)).into());
        }
    };
    for field in fields.unknown() {
        remark(format!("field `{field}` is not known and was ignored"));
    }
    if let Message::Init(init) = &message
        && !matches!(init.settings.acquisition, Some(Acquisition::Bound { .. }))
        && object.contains_key("kappa")
    {
        remark("`kappa` belongs to the acquisition ucb, which was not named: ignored".into());
    }
    Ok(message)
}

fn init(fields: &Fields) -> Result<Init, ProtocolError> {
    let entries = fields.read("space", "an array", Value::as_array)?;
    let entries = entries.ok_or_else(|| missing("space"))?;
    let parameters: Result<Vec<Parameter>, _> = entries.iter().map(parameter).collect();
    let space = Space::new(parameters?)?;
    let mut settings = Settings::noisy(fields.count("seed")?.unwrap_or(1));
    settings.noisy = fields.flag("noise")?.unwrap_or(true);
    settings.budget = fields.count("budget")?.map(|budget| budget as usize);
    if let Some(initial) = fields.count("initial")? {
        settings.initial = initial as usize;
    }
    if let Some(surrogate) = fields.text("surrogate")? {
        settings.surrogate = shortened(surrogate);
    }
    if let Some(acquisition) = fields.text("acquisition")? {
        settings.acquisition = Some(Acquisition::by_name(&shortened(acquisition))?);
    }
    settings.recommender = fields.named("recommender", &RECOMMENDERS)?;
    settings.loss_model = fields.named("loss_model", &LOSS_MODELS)?;
    let () = fields
        .named("pending", &[("mean", ())])?
        .unwrap_or_default();
    settings.lost_value = fields.number("lost_value")?;
    settings.baseline = fields.numbers("baseline")?;
    if let Some(transform) = fields.named("transform", &TRANSFORMS)? {
        settings.transform = transform;
    }
    if let Some(kappa) = fields.number("kappa")?
        && matches!(settings.acquisition, Some(Acquisition::Bound { .. }))
    {
        settings.acquisition = Some(Acquisition::Bound { kappa });
    }
    let maximise = maximise(fields)?;
    let target_domain = fields.text("target_domain")?.map(str::to_owned);
    let covariates = Covariates::declared(fields)?;
    settings.covariates = covariates.count();
    let outputs = Outputs::declared(fields)?;
    settings.outputs = outputs.roles();
    Ok(Init {
        space,
        settings,
        maximise,
        target_domain,
        covariates,
        outputs,
        study: fields.text("study")?.map(str::to_owned),
    })
}

fn maximise(fields: &Fields) -> Result<bool, ProtocolError> {
    match fields.text("direction")? {
        None | Some("min") => Ok(false),
        Some("max") => Ok(true),
        Some(given) => Err(wrong("direction", &given.into(), "\"min\" or \"max\"")),
    }
}

fn parameter(value: &Value) -> Result<Parameter, ProtocolError> {
    let Value::Object(object) = value else {
        return Err(wrong("space", value, "an array of objects"));
    };
    let fields = Fields::of(object);
    let name = fields.text("name")?.ok_or_else(|| missing("name"))?;
    if let Some(value) = fields.number("value")? {
        return Ok(Parameter::new(name, Range::Fixed(value))?);
    }
    let bound = |field| {
        fields.number(field)?.ok_or_else(|| {
            ProtocolError::from(format!(
                "`{field}` of `{}` is missing: a parameter is a number from `low` to `high`, or fixed at `value`; there are no categorical ones",
                shortened(name)
            ))
        })
    };
    let (low, high) = (bound("low")?, bound("high")?);
    let span = match fields.flag("log")?.unwrap_or(false) {
        true => Span::log(low, high),
        false => Span::linear(low, high),
    };
    let range = match fields.flag("integer")?.unwrap_or(false) {
        true => Range::Integer(span),
        false => Range::Real(span),
    };
    Ok(Parameter::new(name, range)?)
}

fn tell(fields: &Fields) -> Result<Tell, ProtocolError> {
    let lease = match (fields.count("id")?, fields.text("key")?) {
        (None, _) => None,
        (Some(id), Some(key)) => Some((id, key.to_owned())),
        (Some(_), None) => return Err(missing("key")),
    };
    let x = fields.numbers("x")?;
    if x.is_none() && lease.is_none() {
        return Err(missing("x"));
    }
    let crashed = fields.flag("crashed")?.unwrap_or(false);
    let y = match fields.number("y")? {
        None if crashed => None,
        None => return Err(missing("y")),
        Some(y) => (y.is_finite() && !crashed).then_some(y),
    };
    Ok(Tell {
        lease,
        x,
        y,
        domain: fields.text("domain")?.map(str::to_owned),
        covariates: fields.numbers("covariates")?,
        outputs: fields.numbers("outputs")?,
    })
}

fn lease_s(fields: &Fields) -> Result<Option<u64>, ProtocolError> {
    match fields.count("lease_s")? {
        Some(asked) if !(1..=LONGEST_LEASE_S).contains(&asked) => {
            let wanted = "a whole number from 1 to 2592000";
            Err(wrong("lease_s", &asked.into(), wanted))
        }
        asked => Ok(asked),
    }
}
