//! Account: what the journal of a served study tells of it, for those who look and do not take part.

use super::Line;
use super::durable::{Replay, replayed};
use super::messages::{Entry, Messages};
use super::session::{Reply, Request, Session};
use crate::Error;
use crate::run::disk::journal::{InspectionOf, inspect_of};
use crate::table::csv_cell;
use search::{Parameter, Range};
use serde_json::{Value, json};
use std::path::Path;

/// Points of a slice.
const ALONG: usize = 41;

/// What the model predicts where one parameter varies and the others are as recommended.
#[derive(Debug, Clone)]
pub struct ParameterSlice {
    /// The number of the parameter.
    pub parameter: usize,
    /// Its values, in order.
    pub values: Vec<Value>,
    /// The answer to `predict` there.
    pub predicted: Value,
}

/// A study as its journal has it.
#[derive(Debug, Clone)]
pub struct Account {
    /// Its name; the folder's where it has none.
    pub name: String,
    /// Whether greater values are better.
    pub maximise: bool,
    /// Whether two values at one point may differ.
    pub noisy: bool,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// The names of its covariates.
    pub covariates: Vec<String>,
    /// The names of its outputs.
    pub outputs: Vec<String>,
    /// The answer to `front`; `None` where no output is traded with the value.
    pub front: Option<Vec<Value>>,
    /// The answer to `status`.
    pub status: Value,
    /// The evaluations, as `history` has them.
    pub history: Vec<Value>,
    /// Those that were withdrawn.
    pub withdrawn: Vec<Value>,
    /// The answer to `recommend`, or why there is none.
    pub recommended: Result<Value, String>,
    /// The importance of each parameter, where there is a surrogate.
    pub importance: Value,
    /// Through the recommended point along each parameter that varies.
    pub slices: Vec<ParameterSlice>,
    /// Whether a server is at work on it.
    pub in_use: bool,
    /// When the last message was written [ms since 1970].
    pub last_unix_ms: u64,
}

impl Account {
    /// Of the journal in `folder`.
    ///
    /// # Errors
    /// No journal, one that is damaged, or one that another version wrote.
    pub fn read(folder: &Path) -> Result<Account, Error> {
        let inspection: InspectionOf<Messages> = inspect_of(folder)?;
        let (path, in_use) = (inspection.path.clone(), inspection.holder.is_some());
        let messages = inspection.contents()?;
        let mut session = replayed(&messages, &path, Replay::Resume)?;
        let last_unix_ms = messages.last_ms();
        let mut say = |message: Value| answer(&mut session, last_unix_ms, &message);
        let status = say(json!({"type": "status"}));
        let history = say(json!({"type": "history"}));
        let recommended = say(json!({"type": "recommend"}));
        let recommended = match recommended["error"].as_str() {
            Some(why) => Err(why.to_owned()),
            None => Ok(recommended["x"].clone()),
        };
        let importance = say(json!({"type": "importance"}))["importance"].clone();
        let init = messages.entries.iter().find_map(|entry| match entry {
            Entry::Request { line, .. } => {
                let said: Value = serde_json::from_str(line).ok()?;
                (said["type"] == "init").then_some(said)
            }
            _ => None,
        });
        let init = init.unwrap_or_default();
        let points = session.points();
        let parameters = points.map_or(Vec::new(), |points| points.space().parameters().to_vec());
        let values = parameters.iter().enumerate().map(|(k, parameter)| {
            let values = along(parameter).into_iter();
            values
                .filter_map(|x| Some(points?.value(k, x)))
                .collect::<Vec<Value>>()
        });
        let values: Vec<Vec<Value>> = values.collect();
        let mut slices = Vec::new();
        if let Ok(Value::Array(at)) = &recommended {
            for (parameter, values) in values.into_iter().enumerate() {
                if values.len() < 2 {
                    continue;
                }
                let points = values.iter().map(|value| {
                    let mut x = at.clone();
                    x[parameter] = value.clone();
                    Value::from(x)
                });
                let points: Vec<Value> = points.collect();
                let message = json!({"type": "predict", "x": points});
                let predicted = answer(&mut session, last_unix_ms, &message);
                if predicted["error"].is_null() {
                    slices.push(ParameterSlice {
                        parameter,
                        values,
                        predicted,
                    });
                }
            }
        }
        let own = init["name"].as_str().map(str::to_owned);
        let listed = |what: &str| init[what].as_array().cloned().unwrap_or_default();
        let names = |what: &str| -> Vec<String> {
            let name = |one: &Value| one["name"].as_str().unwrap_or_default().to_owned();
            listed(what).iter().map(name).collect()
        };
        let traded = listed("outputs").iter().any(|one| one["traded"] == true);
        let front = traded.then(|| {
            let front = answer(&mut session, last_unix_ms, &json!({"type": "front"}));
            front["front"].as_array().cloned().unwrap_or_default()
        });
        Ok(Account {
            name: own.unwrap_or_else(|| folder.display().to_string()),
            maximise: init["direction"] == "max",
            noisy: init["noise"] != false,
            parameters,
            covariates: names("covariates"),
            outputs: names("outputs"),
            front,
            status,
            history: history["history"].as_array().cloned().unwrap_or_default(),
            withdrawn: history["withdrawn"].as_array().cloned().unwrap_or_default(),
            recommended,
            importance,
            slices,
            in_use,
            last_unix_ms,
        })
    }

    /// The number of the finished evaluation with the best value; the earliest of equals.
    pub fn best(&self) -> Option<usize> {
        let sign = if self.maximise { -1.0 } else { 1.0 };
        let finished = self.history.iter().enumerate();
        let finished = finished.filter_map(|(k, one)| Some((k, sign * one["y"].as_f64()?)));
        let best = finished.min_by(|a, b| a.1.total_cmp(&b.1));
        best.map(|(number, _)| number)
    }

    /// "24 of 40 evaluations told, 2 of them lost; 3 lent, 1 waits for a client".
    pub fn progress(&self) -> String {
        let of = self.status["budget"].as_u64();
        let of = of.map_or(String::new(), |budget| format!(" of {budget}"));
        format!(
            "{}{of} evaluations told, {} of them lost; {} lent, {} waiting to be lent again",
            self.status["told"], self.status["lost"], self.status["out"], self.status["waiting"]
        )
    }

    /// A point as "kp 2.7, n 3", with its numbers as `number` writes them.
    pub fn point(&self, x: &Value, number: impl Fn(f64) -> String) -> String {
        let values = x.as_array().into_iter().flatten();
        let said = |(parameter, value): (&Parameter, &Value)| {
            let digits = value.as_f64().filter(|_| !value.is_i64()).map(&number);
            let word = value.as_str().map(str::to_owned);
            let value = digits.or(word).unwrap_or_else(|| value.to_string());
            format!("{} {value}", parameter.name())
        };
        let said: Vec<String> = self.parameters.iter().zip(values).map(said).collect();
        said.join(", ")
    }

    /// The evaluations as a table for other programs, a line each.
    pub fn csv(&self) -> String {
        let cell = |value: &Value| match value {
            Value::Null => String::new(),
            Value::String(word) => csv_cell(word),
            other => other.to_string(),
        };
        let mut titles: Vec<String> = self
            .parameters
            .iter()
            .map(|parameter| csv_cell(parameter.name()))
            .collect();
        titles.extend(["value", "standard_error", "second_answer", "note"].map(str::to_owned));
        let measured = [("covariate", &self.covariates), ("output", &self.outputs)];
        for (kind, names) in measured {
            for (name, k) in names.iter().zip(1..) {
                let title = csv_cell(name);
                titles.push(match name.is_empty() || titles.contains(&title) {
                    true => format!("{kind}_{k}"),
                    false => title,
                });
            }
        }
        let row = |one: &Value| {
            let mut cells: Vec<String> = one["x"]
                .as_array()
                .into_iter()
                .flatten()
                .map(cell)
                .collect();
            cells.extend(["y", "sem", "second", "note"].map(|what| cell(&one[what])));
            cells.extend((0..self.covariates.len()).map(|k| cell(&one["covariates"][k])));
            cells.extend((0..self.outputs.len()).map(|k| cell(&one["outputs"][k])));
            cells.join(",")
        };
        let rows = self.history.iter().map(row);
        let lines: Vec<String> = std::iter::once(titles.join(",")).chain(rows).collect();
        lines.join("\n") + "\n"
    }
}

/// The session's answer to `message`.
fn answer(session: &mut Session, at_ms: u64, message: &Value) -> Value {
    let line = Line::Text(message.to_string());
    let request = Request {
        line: &line,
        at_ms,
        asked: None,
    };
    match session.handle(&request, &mut |_| {}).0 {
        Reply::Json(answer) => answer,
        Reply::Nothing | Reply::Quit => Value::Null,
    }
}

/// Values from bound to bound, evenly on the scale of the parameter; each choice.
fn along(parameter: &Parameter) -> Vec<f64> {
    if let Range::Choice(choices) = parameter.range() {
        return (0..choices).map(|choice| choice as f64).collect();
    }
    let value = |k: usize| parameter.natural(k as f64 / (ALONG - 1) as f64);
    let mut values: Vec<f64> = (0..ALONG).map(value).collect();
    values.dedup();
    values
}
