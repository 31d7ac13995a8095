//! Message: a line of the protocol, read.

mod covariates;
mod field;
mod outputs;
mod points;
#[cfg(test)]
mod tests;

pub use covariates::Covariates;
pub use outputs::Outputs;
pub use points::Points;

use field::{Fields, kind, missing, shortened, with_words_for_numbers, wrong};
use search::{Acquisition, LOSS_MODELS, RECOMMENDERS, Settings, TRANSFORMS};
use serde_json::Value;

/// Longest lease \[s\]: 30 days.
pub const LONGEST_LEASE_S: u64 = 2_592_000;

/// Why a line cannot be answered.
#[derive(Debug, PartialEq)]
pub struct ProtocolError(pub String);

impl<T: std::fmt::Display> From<T> for ProtocolError {
    fn from(sentence: T) -> ProtocolError {
        ProtocolError(sentence.to_string())
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
    /// A lease goes on, with the number and the key of the evaluation.
    Renew(u64, String),
    /// What do you predict there?
    Predict(Vec<Value>),
    /// How much does each parameter matter?
    Importance,
    /// What was told?
    History,
    /// Something to remember of an evaluation, by its number.
    Note(u64, String),
    /// An evaluation is no data after all, by its number, and why.
    Withdraw(u64, String),
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
    /// The name of the study, if it has one.
    pub name: Option<String>,
    /// What may be tuned.
    pub points: Points,
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
    /// The point, as it was said; if absent, the leased one.
    pub x: Option<Value>,
    /// The value; `None` after a crash.
    pub y: Option<f64>,
    /// Its standard error, if that is known.
    pub sem: Option<f64>,
    /// What an evaluation from elsewhere is known by, so that it counts once however often it is told.
    pub once: Option<String>,
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
        "renew" => {
            let id = numbered(&fields)?;
            Message::Renew(id, text(&fields, "key")?)
        }
        "predict" => {
            let all = fields.read("x", "an array of points", Value::as_array)?;
            Message::Predict(all.cloned().ok_or_else(|| missing("x"))?)
        }
        "note" => Message::Note(numbered(&fields)?, text(&fields, "text")?),
        "withdraw" => Message::Withdraw(numbered(&fields)?, text(&fields, "why")?),
        "importance" => Message::Importance,
        "history" => Message::History,
        "recommend" => Message::Recommend,
        "front" => Message::Front,
        "status" => Message::Status,
        "study" => Message::Study,
        "quit" => Message::Quit,
        other => {
            let known = "init, tell, ask, renew, note, withdraw, predict, importance, history, recommend, front, status, study, quit";
            return Err(format!("unknown type `{}`; known: {known}", shortened(other)).into());
        }
    };
    if let Message::Init(_) = &message {
        fields.get("kappa");
        fields.refuse_unknown("init")?;
    }
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
    let points = Points::declared(fields)?;
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
    let baseline = fields.get("baseline");
    settings.baseline = baseline.map(|x| points.read(x)).transpose()?;
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
        name: fields.text("name")?.map(str::to_owned),
        points,
        settings,
        maximise,
        target_domain,
        covariates,
        outputs,
        study: fields.text("study")?.map(str::to_owned),
    })
}

fn numbered(fields: &Fields) -> Result<u64, ProtocolError> {
    fields.count("id")?.ok_or_else(|| missing("id"))
}

fn text(fields: &Fields, field: &'static str) -> Result<String, ProtocolError> {
    let text = fields.text(field)?.ok_or_else(|| missing(field))?;
    Ok(text.to_owned())
}

fn maximise(fields: &Fields) -> Result<bool, ProtocolError> {
    match fields.text("direction")? {
        None | Some("min") => Ok(false),
        Some("max") => Ok(true),
        Some(given) => Err(wrong("direction", &given.into(), "\"min\" or \"max\"")),
    }
}

fn tell(fields: &Fields) -> Result<Tell, ProtocolError> {
    let lease = match (fields.count("id")?, fields.text("key")?) {
        (None, _) => None,
        (Some(id), Some(key)) => Some((id, key.to_owned())),
        (Some(_), None) => return Err(missing("key")),
    };
    let wanted = "an array of numbers, or an object of numbers by name";
    let point = |value: &Value| (value.is_array() || value.is_object()).then(|| value.clone());
    let x = fields.read("x", wanted, point)?;
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
        sem: fields.number("sem")?,
        once: fields.text("once")?.map(str::to_owned),
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
