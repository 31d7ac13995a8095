//! Closing: what a finished run prints.

use super::Seconds;
use bo::Error;
use bo::report::card::Card;
use bo::report::table;
use bo::run::disk::record::{Record, to_json};
use search::surrogates::AUTO;
use serde_json::json;
use shell::folder::Folder;
use sim::log::Format;
use std::fmt::Write;

/// The result as one JSON object.
pub(super) fn printed(
    folder: &Folder,
    record: &Record,
    card: &Card,
    seconds: Seconds,
) -> Result<String, Error> {
    let settings = &record.settings;
    let printed = json!({
        "schema": "windhover-tuning/1",
        "folder": folder.path().display().to_string(),
        "trajectory": settings.trajectory,
        "surrogate": settings.surrogate,
        "seed": settings.seed,
        "evaluations": settings.evaluations(),
        "lost": record.lost(),
        "concerns": record.concerns,
        "default": record.default,
        "recommended": record.recommended,
        "observed": record.observed,
        "card": card,
        "seconds": seconds,
    });
    to_json("result", &printed)
}

/// The result for a person.
pub(super) fn closing_lines(
    folder: &Folder,
    record: &Record,
    card: &Card,
    logs: &[Format],
    seconds: Seconds,
) -> String {
    let settings = &record.settings;
    let crashes = record.lost();
    let flights = match settings.flights_per_evaluation {
        1 => "flights".to_owned(),
        several => format!("evaluations of {several} flights"),
    };
    let side_by_side = match settings.together {
        1 => String::new(),
        together => format!(", {together} side by side"),
    };
    let mut text = String::new();
    // Writing to a String cannot fail.
    let _ = writeln!(
        text,
        "{} tuned with {}, seed {}: {} {flights}{side_by_side}, {crashes} of them lost\n",
        settings.trajectory,
        settings.surrogate,
        settings.seed,
        settings.evaluations()
    );
    text += &table::verdict(record);
    text += &table::gains(record);
    text += &table::margins(record);
    if settings.surrogate != AUTO {
        text += "\n--surrogate auto is a search that adapts to the noise of the flights\n";
    }
    let _ = writeln!(
        text,
        "\nTime {:.1} s: flights {:.1}, fits {:.1}, acquisition {:.1}, held-out test {:.1}, drawing {:.1}",
        seconds.total,
        seconds.flights,
        seconds.fits,
        seconds.acquisition,
        seconds.held_out_test,
        seconds.drawing
    );
    let _ = writeln!(
        text,
        "Written to {}: run.json, gains.toml, trials.csv, before-after.png, flight.png,\n\
         convergence.png (and .svg), {}config.toml, manifest.json, env.json, trials.log\n",
        folder.path().display(),
        logs.iter()
            .map(|f| format!("{}, ", f.file_name()))
            .collect::<String>()
    );
    text + &card.text()
}
