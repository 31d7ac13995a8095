//! Dry run: what a run would fly, about how long that takes, and where it would be written. Nothing is
//! made.

use super::super::RUNS;
use super::open::{automatic_name, problem};
use crate::args::TuneArgs;
use bo::Error;
use bo::flights::trust;
use bo::report::words;
use bo::run::disk::folder;
use bo::run::disk::record::to_json;
use bo::run::estimate::Estimate;
use bo::run::perform::concerns_before;
use bo::study::{Config, Share};
use dilgp::threads::on_all_cores;
use serde::Serialize;
use serde_json::{Value, json};
use shell::folder::Folder;
use shell::progress::in_words;
use sim::Domain;
use std::fmt::Write;
use std::path::Path;

/// A gain that would be tuned.
#[derive(Debug, Serialize)]
struct Gain {
    name: &'static str,
    low: f64,
    high: f64,
    start: f64,
}

/// Says what would be done.
///
/// # Errors
/// What the run itself would be refused for before its first flight.
pub(super) fn dry_run(args: &TuneArgs) -> Result<String, Error> {
    let config = args.study()?;
    let problem = problem(args, &config)?;
    let folder = match &args.out {
        Some(path) => {
            folder::check_free(path)?;
            path.clone()
        }
        None => Folder::next_free(Path::new(RUNS), &automatic_name(&config)),
    };
    let concerns = concerns_before(&config.settings, &problem);
    trust::refuse(&concerns)?;
    trust::warn(&concerns);
    let estimate = on_all_cores(|| Estimate::of(&config.settings, &problem))?;
    if args.output.is_json() {
        return to_json("plan", &printed(&config, &estimate, &folder));
    }
    Ok(in_sentences(&config, &estimate, &folder))
}

fn shares(training: &[Share]) -> Vec<(&str, f64)> {
    let total: f64 = training.iter().map(|share| share.share).sum();
    let share = |share: &Share| share.share / total;
    (training
        .iter()
        .map(|one| (name(one.domain.get()), share(one))))
    .collect()
}

fn name(domain: &Domain) -> &str {
    &domain.name
}

fn gains(config: &Config) -> Vec<Gain> {
    let bounds = config.gains.iter();
    let gain = bounds.map(|bounds| Gain {
        name: bounds.name,
        low: bounds.span.low,
        high: bounds.span.high,
        start: bounds.start,
    });
    gain.collect()
}

/// What `--format json` prints.
fn printed(config: &Config, estimate: &Estimate, folder: &Path) -> Value {
    let settings = &config.settings;
    let tests = config.tests.iter().map(|domain| name(domain.get()));
    json!({
        "schema": "windhover-dry-run/1",
        "trajectory": settings.trajectory,
        "airframe": config.airframe.get().name,
        "surrogate": settings.surrogate,
        "seed": settings.seed,
        "evaluations": settings.evaluations(),
        "flights_per_evaluation": settings.flights_per_evaluation,
        "together": settings.together,
        "gains": gains(config),
        "training": shares(&config.training),
        "held_out_winds": settings.held_out_winds,
        "test": tests.collect::<Vec<&str>>(),
        "about_seconds": estimate.total().as_secs_f64(),
        "folder": folder.display().to_string(),
    })
}

fn in_sentences(config: &Config, estimate: &Estimate, folder: &Path) -> String {
    let settings = &config.settings;
    let (evaluations, several) = (settings.evaluations(), settings.flights_per_evaluation);
    let side_by_side = match settings.together {
        1 => String::new(),
        together => format!(", {together} evaluations side by side"),
    };
    let training: Vec<String> = (shares(&config.training).iter())
        .map(|(domain, share)| format!("{domain} {:.0} %", 100.0 * share))
        .collect();
    let tests: Vec<&str> = config
        .tests
        .iter()
        .map(|domain| name(domain.get()))
        .collect();
    let tested = 3 * tests.len() as u64 * settings.held_out_winds;
    let mut text = format!(
        "Would tune {} for {} with {}, seed {}\n  \
         Budget  {evaluations} evaluations ({} first, then {} chosen), {} flights{side_by_side}\n  \
         Winds   {}\n  \
         Tests   {tested} flights: default, recommended and best observed gains in {} winds of {}\n",
        config.airframe.get().name,
        settings.trajectory,
        settings.surrogate,
        settings.seed,
        settings.initial,
        settings.iterations,
        evaluations * several,
        training.join(", "),
        settings.held_out_winds,
        tests.join(" and "),
    );
    for (n, gain) in gains(config).iter().enumerate() {
        let what = if n == 0 { "Gains" } else { "" };
        let Gain {
            name,
            low,
            high,
            start,
        } = gain;
        // Writing to a String cannot fail.
        let _ = writeln!(text, "  {what:<7} {name:<15} {low} to {high}, from {start}");
    }
    for (n, setting) in words::differing(config).iter().enumerate() {
        let what = if n == 0 { "Not as usual" } else { "" };
        let _ = writeln!(text, "  {what:<12}    {setting}");
    }
    let _ = writeln!(
        text,
        "  Time    about {} here: flights {}, search {}, tests {}\n  \
         Written to {}; nothing is made now",
        in_words(estimate.total()),
        in_words(estimate.flights),
        in_words(estimate.search),
        in_words(estimate.tests),
        folder.display()
    );
    text
}
