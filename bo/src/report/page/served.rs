//! Served: the page about a study that is served, from its journal alone.

use super::growing;
use crate::Error;
use crate::report::html::{escape, gain};
use crate::report::sections;
use crate::run::disk::journal::inspect_of;
use crate::serve::account::{Account, ParameterSlice};
use crate::serve::messages::Messages;
use crate::terminal::word;
use plots::{
    Band, ConvergencePicture, Moment, Run, Scale, Series, Slice, SliceParameter, SlicePoint,
    SlicesPicture,
};
use search::Range;
use serde_json::Value;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The page about the study in a folder, drawn again when its journal grew.
pub struct StudyPage {
    folder: PathBuf,
    /// How often a browser that shows it reads it again \[s\].
    every_s: Option<u64>,
    /// Bytes of the journal that are drawn.
    drawn: Option<usize>,
    /// The whole file.
    pub html: String,
    /// How far the study is.
    pub progress: String,
}

impl StudyPage {
    /// Of the study whose journal is in `folder`, not drawn yet.
    pub fn of(folder: &Path, every_s: Option<u64>) -> StudyPage {
        StudyPage {
            folder: folder.to_owned(),
            every_s,
            drawn: None,
            html: String::new(),
            progress: String::new(),
        }
    }

    /// Draws it where the journal grew since it was drawn; whether it did.
    ///
    /// # Errors
    /// Those of [`Account::read`].
    pub fn refresh(&mut self) -> Result<bool, Error> {
        let kept = inspect_of::<Messages>(&self.folder)?.scan.whole;
        if self.drawn == Some(kept) {
            return Ok(false);
        }
        let account = Account::read(&self.folder)?;
        self.html = served(&account, &self.folder, self.every_s);
        (self.drawn, self.progress) = (Some(kept), account.progress());
        Ok(true)
    }
}

/// The page about the study in `folder`; with `every_s` a browser that shows it reads it again after so many
/// seconds.
fn served(account: &Account, folder: &Path, every_s: Option<u64>) -> String {
    let parts = [
        ("So far", so_far(account, folder)),
        ("Course", course(account)),
        ("What matters", importances(account)),
        ("Model along each parameter", slices(account)),
        ("Leases", leases(account)),
        ("Evaluations", evaluations(account)),
    ];
    let title = format!("Windhover study: {}", account.name);
    growing(&title, &parts, "", every_s)
}

/// How far it is, the best evaluation and the recommended point.
fn so_far(account: &Account, folder: &Path) -> String {
    let state = match account.in_use {
        true => "A server is at work on it.",
        false => "No server is at work on it.",
    };
    let mut text = format!(
        "<p class=\"verdict\"><b>{}.</b> {state}</p>\n",
        escape(&account.progress())
    );
    let value = |number: usize| number_of(&account.history[number]["y"]);
    if let Some(best) = account.best() {
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "<p>Best value told: {} in evaluation {}, at {}.{}</p>",
            value(best),
            account.history[best]["id"],
            escape(&account.point(&account.history[best]["x"], gain)),
            match account.noisy {
                true => " In noise so good a value is partly luck.",
                false => "",
            }
        );
    }
    let _ = match &account.recommended {
        Ok(x) => writeln!(
            text,
            "<p>Recommended: <b>{}</b></p>",
            escape(&account.point(x, gain))
        ),
        Err(why) => writeln!(text, "<p>No recommendation: {}.</p>", escape(why)),
    };
    let name = escape(&word(folder));
    let _ = writeln!(
        text,
        "<p>Next: <code>bo export {name} --to csv</code> writes the evaluations; <code>bo show {name}</code> is this page as text.</p>"
    );
    text
}

fn number_of(value: &Value) -> String {
    value.as_f64().map_or("lost".to_owned(), gain)
}

/// Every value and the best so far, each evaluation with its point where the pointer rests; of a maximised study with the sign reversed.
fn course(account: &Account) -> String {
    if account.history.is_empty() {
        return "<p>No evaluation was told yet.</p>\n".to_owned();
    }
    let sign = if account.maximise { -1.0 } else { 1.0 };
    let note = |one: &Value| {
        let (y, point) = (number_of(&one["y"]), account.point(&one["x"], gain));
        format!("evaluation {}: {y} at {point}", one["id"])
    };
    let values: Vec<Option<f64>> = (account.history.iter())
        .map(|one| Some(sign * one["y"].as_f64()?))
        .collect();
    let worst = values.iter().flatten().copied().reduce(f64::max);
    let run = Run {
        value_m: values.iter().map(|v| v.or(worst).unwrap_or(0.0)).collect(),
        lost: values.iter().map(Option::is_none).collect(),
        designed: Vec::new(),
        notes: account.history.iter().map(note).collect(),
    };
    let drawing = plots::svg(&ConvergencePicture {
        title: "Values in the order of the answers",
        y_name: match account.maximise {
            true => "value, sign reversed",
            false => "value",
        },
        series: &[Series {
            label: &account.name,
            runs: &[run],
        }],
        initial: 0,
        baseline: None,
        band: Band::Quartiles,
        scale: Scale::Automatic,
    });
    sections::figures(&[(drawing, "Values in the order of the answers.".to_owned())])
}

/// The importance of each parameter.
fn importances(account: &Account) -> String {
    let Value::Object(shares) = &account.importance else {
        return String::new();
    };
    let shares =
        (shares.iter()).map(|(name, share)| (name.as_str(), share.as_f64().unwrap_or(0.0)));
    let table = sections::importances("parameter", shares.collect());
    format!(
        "{table}<p>Importance is the total-effect index of Sobol’: the share of the variance of what the model predicts, over the box, that \
         is left where all other parameters are known. The sum may exceed 100 %.</p>\n"
    )
}

/// Parameters side by side, so many that their names can be read.
const SIDE_BY_SIDE: usize = 3;

/// What the model predicts through the recommended point.
fn slices(account: &Account) -> String {
    let Ok(recommended) = &account.recommended else {
        return String::new();
    };
    let of = |slice: &ParameterSlice| &account.parameters[slice.parameter];
    let is_choice = |slice: &&ParameterSlice| matches!(of(slice).range(), Range::Choice(_));
    let (choices, numbers): (Vec<_>, Vec<_>) = account.slices.iter().partition(is_choice);
    let drawn = numbers.chunks(SIDE_BY_SIDE).map(|group| {
        let names = group.iter().map(|slice| SliceParameter {
            label: of(slice).name(),
            logarithmic: of(slice).range().span().scale == search::Scale::Log,
        });
        let names: Vec<SliceParameter> = names.collect();
        let points: Vec<Vec<SlicePoint>> = group.iter().map(|one| slice_points(one)).collect();
        let along = group.iter().zip(&points);
        let along: Vec<Slice> = along
            .map(|(one, points)| Slice {
                points,
                at: recommended[one.parameter].as_f64().unwrap_or(0.0),
                observations: &[],
            })
            .collect();
        let drawing = plots::svg(&SlicesPicture {
            title: "Model along each parameter",
            y_name: "value",
            y_scale: Scale::Linear,
            band_name: "95 % interval",
            through: "recommended",
            acquisition_name: None,
            parameters: &names,
            moments: &[Moment {
                label: &format!("after {} evaluations", account.history.len()),
                slices: &along,
            }],
        });
        let caption = "What the model predicts along each parameter, the others as recommended, which the dashed line marks; lines join numbers that are counted.";
        sections::wide_figure(&drawing, caption)
    });
    let drawn: String = drawn.collect();
    drawn + &choices_table(account, &choices)
}

/// What the model predicts for each choice, the other parameters as recommended.
fn choices_table(account: &Account, slices: &[&ParameterSlice]) -> String {
    if slices.is_empty() {
        return String::new();
    }
    let rows = slices.iter().flat_map(|slice| {
        let name = account.parameters[slice.parameter].name();
        slice.values.iter().enumerate().map(move |(row, choice)| {
            let [low, median, high] =
                predicted(slice, row).map(|one| one.map_or("–".to_owned(), gain));
            let word = choice.as_str().map_or(choice.to_string(), str::to_owned);
            vec![
                escape(name),
                escape(&word),
                median,
                format!("{low} to {high}"),
            ]
        })
    });
    let head =
        "<p>What the model predicts for each choice, the other parameters as recommended.</p>\n";
    let titles = ["parameter", "choice", "value", "95 % interval"];
    head.to_owned() + &sections::table(&titles, rows.collect())
}

/// The lower end of the interval, the median and the upper end at the value with that number.
fn predicted(slice: &ParameterSlice, row: usize) -> [Option<f64>; 3] {
    let [median, interval] = ["median", "interval"].map(|part| &slice.predicted[part][row]);
    [&interval[0], median, &interval[1]].map(Value::as_f64)
}

fn slice_points(slice: &ParameterSlice) -> Vec<SlicePoint> {
    let point = |(row, x): (usize, &Value)| {
        let [low, median, high] = predicted(slice, row);
        let mean = median?;
        Some(SlicePoint {
            x: x.as_f64()?,
            mean,
            low: low.map_or(mean, |low| low.min(mean)),
            high: high.map_or(mean, |high| high.max(mean)),
            acquisition: 0.0,
        })
    };
    slice.values.iter().enumerate().filter_map(point).collect()
}

/// Who has what, as far as a journal knows.
fn leases(account: &Account) -> String {
    let out = account.status["leases"].as_array();
    let rows = out.into_iter().flatten().map(|lease| {
        let ends = lease["until_unix_ms"].as_u64();
        let left = ends.map(|ends| ends.saturating_sub(account.last_unix_ms) / 1000);
        let left = left.map_or("without end".to_owned(), |left| format!("{left} s"));
        vec![
            lease["id"].to_string(),
            escape(&account.point(&lease["x"], gain)),
            left,
        ]
    });
    let rows: Vec<Vec<String>> = rows.collect();
    if rows.is_empty() {
        return String::new();
    }
    let head = "<p>Evaluations that are lent, and how long the lease lasted at the last message unless it is renewed.</p>\n";
    head.to_owned() + &sections::table(&["evaluation", "point", "left"], rows)
}

fn evaluations(account: &Account) -> String {
    if account.history.is_empty() && account.withdrawn.is_empty() {
        return String::new();
    }
    let names = account.parameters.iter().map(|one| escape(one.name()));
    let titles: Vec<String> = std::iter::once("evaluation".to_owned())
        .chain(names)
        .chain(["value", "standard error", "note"].map(str::to_owned))
        .collect();
    let row = |one: &Value| {
        let mut cells = vec![one["id"].to_string()];
        let values = one["x"].as_array().into_iter().flatten();
        cells.extend(values.map(|value| match (value.as_str(), value.as_f64()) {
            (Some(word), _) => escape(word),
            (None, Some(number)) if !value.is_i64() => gain(number),
            _ => escape(&value.to_string()),
        }));
        cells.push(number_of(&one["y"]));
        cells.push(one["sem"].as_f64().map_or(String::new(), gain));
        let note = one["note"].as_str().unwrap_or_default();
        cells.push(match one["withdrawn"].as_str() {
            Some(why) => format!("<b>withdrawn:</b> {} {}", escape(why), escape(note)),
            None => escape(note),
        });
        cells
    };
    let rows = account.history.iter().chain(&account.withdrawn);
    let rows = rows.map(row).collect();
    let titles: Vec<&str> = titles.iter().map(String::as_str).collect();
    sections::table(&titles, rows)
}
