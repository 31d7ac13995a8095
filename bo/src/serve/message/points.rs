//! Points: the space that an `init` declares, and its points as messages have them: by place or by name, a
//! choice as its own value and a whole number as one.

use super::ProtocolError;
use super::field::{Fields, as_number, missing, shortened, wrong};
use search::{Constraint, Parameter, Range, Space, Span};
use serde_json::{Map, Value, json};

/// Most linear constraints of one search.
const MOST_CONSTRAINTS: usize = 64;

/// Rounds of projections after which no point is taken to keep all constraints.
const ROUNDS: usize = 10_000;

/// Room, as a share of the width of the box, that a constraint leaves to the point that is looked for.
const ROOM: [f64; 3] = [0.1, 0.01, 0.0];

/// The parameters of a search.
#[derive(Debug, Clone, PartialEq)]
pub struct Points {
    space: Space,
    /// The values of each parameter that is a choice; none of others.
    choices: Vec<Vec<Value>>,
    constraints: Vec<Linear>,
}

/// Coefficients times the parameters, summed, are at most a number.
#[derive(Debug, Clone, PartialEq)]
struct Linear {
    coefficients: Vec<f64>,
    most: f64,
}

impl Points {
    /// Those that an `init` declares.
    pub(super) fn declared(fields: &Fields) -> Result<Points, ProtocolError> {
        let entries = fields.read("space", "an array", Value::as_array)?;
        let entries = entries.ok_or_else(|| missing("space"))?;
        let both = entries.iter().map(parameter).collect::<Result<Vec<_>, _>>();
        let (parameters, choices) = both?.into_iter().unzip();
        let space = Space::new(parameters)?;
        let mut points = Points {
            space,
            choices,
            constraints: Vec::new(),
        };
        let objects = |value: &Value| value.as_array().cloned();
        let constraints = fields.read("constraints", "an array of objects", objects)?;
        let constraints = constraints.unwrap_or_default();
        if constraints.len() > MOST_CONSTRAINTS {
            let given = constraints.len();
            return Err(format!(
                "{given} constraints are declared; the limit is {MOST_CONSTRAINTS}"
            )
            .into());
        }
        let linear = constraints.iter().map(|value| points.linear(value));
        points.constraints = linear.collect::<Result<_, _>>()?;
        Ok(points)
    }

    /// The space.
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// `x` as a message has it: numbers by place, whole ones where they are counted by ones, and choices.
    pub fn said(&self, x: &[f64]) -> Value {
        let each = x.iter().enumerate();
        each.map(|(k, x)| self.value(k, *x)).collect()
    }

    /// The value `x` of the `k`-th parameter as a message has it.
    pub fn value(&self, k: usize, x: f64) -> Value {
        match self.space.parameters()[k].range() {
            Range::Choice(_) => self.choices[k][x as usize].clone(),
            Range::Integer(_) => json!(x as i64),
            Range::Stepped(Span { low, .. }, step) if low.fract() == 0.0 && step.fract() == 0.0 => {
                json!(x as i64)
            }
            _ => json!(x),
        }
    }

    /// The numbers of the point that `given` is: an array by place, or an object by name, in which fixed
    /// parameters may be missing.
    ///
    /// # Errors
    /// Something else, a name that is not of the space or missing, or a value of another kind.
    pub fn read(&self, given: &Value) -> Result<Vec<f64>, ProtocolError> {
        let wanted = "an array of numbers, or an object of numbers by name";
        let parameters = self.space.parameters().iter().enumerate();
        if let Value::Array(all) = given {
            if all.len() != self.choices.len() {
                let (given, wanted) = (all.len(), self.choices.len());
                return Err(search::Refusal::WrongLength { given, wanted }.into());
            }
            return parameters.map(|(k, _)| self.number(k, &all[k])).collect();
        }
        let Value::Object(named) = given else {
            return Err(wrong("x", given, wanted));
        };
        let known = |name: &String| self.place(name).is_none();
        if let Some(unknown) = named.keys().find(|name| known(name)) {
            return Err(self.unknown("x", unknown));
        }
        let value = |(k, parameter): (usize, &Parameter)| match (
            named.get(parameter.name()),
            parameter.range(),
        ) {
            (Some(value), _) => self.number(k, value),
            (None, Range::Fixed(value)) => Ok(value),
            (None, _) => {
                let name = shortened(parameter.name());
                Err(format!("`x` has no `{name}`").into())
            }
        };
        parameters.map(value).collect()
    }

    fn place(&self, name: &str) -> Option<usize> {
        let mut parameters = self.space.parameters().iter();
        parameters.position(|parameter| parameter.name() == name)
    }

    fn unknown(&self, what: &str, given: &str) -> ProtocolError {
        let names: Vec<&str> = self
            .space
            .parameters()
            .iter()
            .map(Parameter::name)
            .collect();
        let (near, given) = (shell::names::nearest(given, &names), shortened(given));
        format!("`{what}` names `{given}`, which is no parameter; did you mean `{near}`?").into()
    }

    /// The number that the value of the `k`-th parameter is.
    fn number(&self, k: usize, value: &Value) -> Result<f64, ProtocolError> {
        let name = || shortened(self.space.parameters()[k].name());
        if let [_, ..] = self.choices[k][..] {
            let chosen = self.choices[k]
                .iter()
                .position(|choice| same(choice, value));
            return chosen.map(|chosen| chosen as f64).ok_or_else(|| {
                let all = Value::from(self.choices[k].clone());
                format!("`{}` is {value}, none of {all}", name()).into()
            });
        }
        as_number(value).ok_or_else(|| wrong("x", value, "numbers, or an object of them by name"))
    }

    /// The constraint that `value` declares.
    fn linear(&self, value: &Value) -> Result<Linear, ProtocolError> {
        let Value::Object(object) = value else {
            return Err(wrong("constraints", value, "an array of objects"));
        };
        let fields = Fields::of(object);
        let sum = fields.read("sum", "an object of numbers by name", Value::as_object)?;
        let sum = sum.ok_or_else(|| missing("sum"))?;
        let most = fields.number("most")?.ok_or_else(|| missing("most"))?;
        fields.refuse_unknown("a constraint")?;
        let mut coefficients = vec![0.0; self.choices.len()];
        for (name, value) in sum {
            let place = self.place(name).ok_or_else(|| self.unknown("sum", name))?;
            let coefficient = as_number(value).filter(|value| value.is_finite());
            coefficients[place] =
                coefficient.ok_or_else(|| wrong("sum", value, "an object of finite numbers"))?;
            let range = self.space.parameters()[place].range();
            if !matches!(range, Range::Real(_) | Range::Fixed(_)) {
                let name = shortened(name);
                return Err(format!(
                    "`sum` names `{name}`; linear constraints are for parameters that are real"
                )
                .into());
            }
        }
        if !most.is_finite() || coefficients.iter().all(|c| *c == 0.0) {
            return Err(
                "a constraint needs a finite `most` and a coefficient that is not 0".into(),
            );
        }
        Ok(Linear { coefficients, most })
    }

    /// What keeps a search to the linear constraints, if there are some.
    ///
    /// # Errors
    /// Where no point of the box was found that keeps them all.
    pub fn constraint(&self) -> Result<Option<Constraint>, ProtocolError> {
        if self.constraints.is_empty() {
            return Ok(None);
        }
        let within = self.within().ok_or(
            "no point between the bounds keeps all `constraints`: is one of the wrong sign?",
        )?;
        let points = self.clone();
        let slack = move |unit: &[f64]| points.slack(&points.space.natural(unit), 0.0);
        Ok(Some(Constraint::new(Box::new(slack), within)))
    }

    /// The least room that `x` leaves under the constraints and a share `room` of their widths, as a share of
    /// what each can change within the bounds.
    fn slack(&self, x: &[f64], room: f64) -> f64 {
        let slacks = self.constraints.iter().map(|one| {
            let used: f64 = one.coefficients.iter().zip(x).map(|(c, x)| c * x).sum();
            (one.most - used) / self.width(one) - room
        });
        slacks.fold(f64::INFINITY, f64::min)
    }

    /// How much the sum of a constraint changes within the bounds.
    fn width(&self, constraint: &Linear) -> f64 {
        let parameters = self.space.parameters().iter();
        let widths = parameters.zip(&constraint.coefficients).map(|(p, c)| {
            let Span { low, high, .. } = p.range().span();
            c.abs() * (high - low)
        });
        widths.sum::<f64>().max(f64::MIN_POSITIVE)
    }

    /// A point of the cube that keeps all constraints, with room where there is some: alternating projections onto
    /// the half-spaces and the box (Agmon; Motzkin and Schoenberg, 1954), which end in their intersection.
    fn within(&self) -> Option<Vec<f64>> {
        let spans: Vec<Span> = (self.space.parameters().iter())
            .map(|parameter| parameter.range().span())
            .collect();
        let middle = self.space.natural(&vec![0.5; self.space.dimensions()]);
        ROOM.into_iter().find_map(|room| {
            let mut x = middle.clone();
            for _ in 0..ROUNDS {
                if self.slack(&x, room) >= 0.0 {
                    let unit = self.space.unit(&x).ok()?;
                    // As it would be asked, which rounding may have moved.
                    return (self.slack(&self.space.natural(&unit), 0.0) >= 0.0).then_some(unit);
                }
                for one in &self.constraints {
                    let used: f64 = one.coefficients.iter().zip(&x).map(|(c, x)| c * x).sum();
                    let over = used - (one.most - 1.01 * room * self.width(one));
                    // In widths of the box, so that the units of the parameters do not matter.
                    let steps = spans.iter().zip(&one.coefficients);
                    let steps: Vec<f64> =
                        steps.map(|(s, c)| c * (s.high - s.low).powi(2)).collect();
                    let square: f64 = steps
                        .iter()
                        .zip(&one.coefficients)
                        .map(|(s, c)| s * c)
                        .sum();
                    if over <= 0.0 || square <= 0.0 {
                        continue;
                    }
                    for ((x, step), span) in x.iter_mut().zip(&steps).zip(&spans) {
                        *x = (*x - over / square * step).clamp(span.low, span.high);
                    }
                }
            }
            None
        })
    }
}

/// Whether two values are the same; 1 and 1.0 are.
fn same(a: &Value, b: &Value) -> bool {
    a == b || (a.as_f64().is_some() && a.as_f64() == b.as_f64())
}

/// A parameter, and its values if it is a choice.
fn parameter(value: &Value) -> Result<(Parameter, Vec<Value>), ProtocolError> {
    let Value::Object(object) = value else {
        return Err(wrong("space", value, "an array of objects"));
    };
    let fields = Fields::of(object);
    let name = fields.text("name")?.ok_or_else(|| missing("name"))?;
    let (range, choices) = range(&fields, object, name)?;
    fields.refuse_unknown(&format!("parameter `{}`", shortened(name)))?;
    Ok((Parameter::new(name, range)?, choices))
}

fn range(
    fields: &Fields,
    object: &Map<String, Value>,
    name: &str,
) -> Result<(Range, Vec<Value>), ProtocolError> {
    let kinds = [
        ("real", "real"),
        ("float", "real"),
        ("integer", "integer"),
        ("int", "integer"),
        ("categorical", "choice"),
        ("fixed", "fixed"),
    ];
    let kind = fields.named("type", &kinds)?;
    let given = match () {
        () if object.contains_key("value") => "fixed",
        () if object.contains_key("choices") => "choice",
        () if fields.flag("integer")?.unwrap_or(kind == Some("integer")) => "integer",
        () => "real",
    };
    let name = shortened(name);
    if kind.is_some_and(|kind| kind != given && !(kind == "real" && given == "fixed")) {
        let said = fields.text("type")?.unwrap_or_default();
        return Err(match said {
            "categorical" => format!("`choices` of `{name}` is missing: it is of type categorical"),
            _ => format!("`{name}` is said to be of type {said}, and to be {given} by its fields"),
        }
        .into());
    }
    match given {
        "fixed" => {
            let value = fields.number("value")?.ok_or_else(|| missing("value"))?;
            return Ok((Range::Fixed(value), Vec::new()));
        }
        "choice" => {
            let choices = fields.read("choices", "an array", Value::as_array)?;
            let choices = choices.cloned().unwrap_or_default();
            let scalar = |one: &Value| !one.is_array() && !one.is_object();
            let twice = |k: usize| choices[..k].iter().any(|one| same(one, &choices[k]));
            if !choices.iter().all(scalar) || (0..choices.len()).any(twice) {
                let wanted = "different strings, numbers, truth values or null";
                return Err(wrong("choices", &choices.into(), wanted));
            }
            return Ok((Range::Choice(choices.len()), choices));
        }
        _ => {}
    }
    let (low, high) = (fields.number("low")?, fields.number("high")?);
    let scale = fields.named("scale", &[("log", true), ("linear", false)])?;
    let log = fields.flag("log")?.or(scale).unwrap_or(false);
    let step = fields.number("step")?;
    // Before what is missing, which may be misspelt.
    fields.refuse_unknown(&format!("parameter `{name}`"))?;
    let bound = |field: &str, bound: Option<f64>| {
        bound.ok_or_else(|| {
            ProtocolError::from(format!(
                "`{field}` of `{name}` is missing: a parameter is a number from `low` to `high`, one of `choices`, or fixed at `value`"
            ))
        })
    };
    let (low, high) = (bound("low", low)?, bound("high", high)?);
    if scale.is_some_and(|scale| scale != log) {
        return Err(format!("`scale` and `log` of `{name}` differ").into());
    }
    let span = match log {
        true => Span::log(low, high),
        false => Span::linear(low, high),
    };
    let range = match (given, step) {
        ("integer", None | Some(1.0)) => Range::Integer(span),
        ("integer", Some(step)) if [low, high, step].iter().any(|x| x.fract() != 0.0) => {
            return Err(
                format!("`{name}` is an integer; its bounds and its step must be whole").into(),
            );
        }
        (_, Some(step)) => Range::Stepped(span, step),
        (_, None) => Range::Real(span),
    };
    Ok((range, Vec::new()))
}
