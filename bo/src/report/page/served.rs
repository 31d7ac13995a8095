//! Served: the page about a study that is served, from its journal alone.

use super::growing;
use crate::report::html::{escape, gain};
use crate::report::sections;
use crate::serve::account::Account;
use crate::terminal::word;
use plots::{
    Band, ConvergencePicture, Moment, Run, Scale, Series, Slice, SliceParameter, SlicePoint,
    SlicesPicture,
};
use serde_json::Value;
use std::fmt::Write;
use std::path::Path;

/// The page about the study in `folder`; with `every_s` a browser that shows it reads it again after so many
/// seconds.
pub fn served(account: &Account, folder: &Path, every_s: Option<u64>) -> String {
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

/// Every value and the best so far; of a maximised study with the sign reversed.
fn course(account: &Account) -> String {
    if account.history.is_empty() {
        return "<p>No evaluation was told yet.</p>\n".to_owned();
    }
    let sign = if account.maximise { -1.0 } else { 1.0 };
    let values: Vec<Option<f64>> = (account.history.iter())
        .map(|one| Some(sign * one["y"].as_f64()?))
        .collect();
    let worst = values.iter().flatten().copied().reduce(f64::max);
    let run = Run {
        value_m: values.iter().map(|v| v.or(worst).unwrap_or(0.0)).collect(),
        lost: values.iter().map(Option::is_none).collect(),
        designed: Vec::new(),
    };
    let drawing = plots::svg(&ConvergencePicture {
        title: "Values in the order of the answers",
        y_name: match account.maximise {
            true => "value, sign reversed",
            false => "value",
        },
        first: 0,
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
    let drawn = account.slices.chunks(SIDE_BY_SIDE).map(|group| {
        let names = group.iter().map(|(k, _, _)| {
            let (name, span) = &account.parameters[*k];
            SliceParameter {
                label: name,
                logarithmic: span.is_some_and(|span| span.scale == search::Scale::Log),
            }
        });
        let names: Vec<SliceParameter> = names.collect();
        let points: Vec<Vec<SlicePoint>> = group.iter().map(slice_points).collect();
        let along = group.iter().zip(&points);
        let along: Vec<Slice> = along
            .map(|((k, _, _), points)| Slice {
                points,
                incumbent: recommended[*k].as_f64().unwrap_or(0.0),
                observations: &[],
            })
            .collect();
        let drawing = plots::svg(&SlicesPicture {
            title: "Model along each parameter",
            y_name: "value",
            y_scale: Scale::Linear,
            band_name: "95 % interval",
            acquisition_name: None,
            parameters: &names,
            moments: &[Moment {
                label: &format!("after {} evaluations", account.history.len()),
                slices: &along,
            }],
        });
        let caption = "What the model predicts along each parameter that is real, the others as recommended, which the dashed line marks.";
        sections::wide_figure(&drawing, caption)
    });
    drawn.collect()
}

fn slice_points((_, values, predicted): &(usize, Vec<f64>, Value)) -> Vec<SlicePoint> {
    let point = |(row, x): (usize, &f64)| {
        let median = predicted["median"][row].as_f64()?;
        let end = |k: usize| predicted["interval"][row][k].as_f64().unwrap_or(median);
        Some(SlicePoint {
            x: *x,
            mean: median,
            low: end(0).min(median),
            high: end(1).max(median),
            acquisition: 0.0,
        })
    };
    values.iter().enumerate().filter_map(point).collect()
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
    let names = account.parameters.iter().map(|(name, _)| escape(name));
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
