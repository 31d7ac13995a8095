//! Report: the statement of many flights as text, JSON, a table and a picture.

use super::{Mission, drawn};
use crate::args::{Cli, MontecarloArgs};
use crate::robustness::{FlightResult, Statement};
use plots::{ConfidenceBand, Distribution};
use serde::Serialize;
use shell::Failure;
use shell::cells::args::OF_A_PROCESS;
use shell::statistics::clopper_pearson;
use shell::table::Table;
use shell::terminal::word;
use shell::usage::typed_words;
use std::fmt::Write;
use std::path::Path;

/// What `--format json` prints. It holds no time and no thread count.
#[derive(Serialize)]
pub(super) struct Report<'a> {
    pub trajectory: &'a str,
    pub airframe: &'a str,
    pub domain: &'a str,
    pub uncertain: bool,
    pub seed: u64,
    pub confidence: f64,
    #[serde(flatten)]
    pub statement: &'a Statement,
    /// What makes the answer mean less than it seems to.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    pub concerns: &'a [String],
}

/// The statement as a person reads it.
pub(super) fn text(args: &MontecarloArgs, mission: &Mission, statement: &Statement) -> String {
    let metres = |x: Option<f64>| x.map_or("-".to_owned(), |x| format!("{x:.4}"));
    let [low, high] = statement.loss_probability;
    let quantiles = Table::of_numbers(["p", "quantile [m]", "ACE < x with probability ≥ p, x [m]"]);
    let rows = statement.quantiles.iter().map(|quantile| {
        let values = [quantile.ace_m, quantile.bound_m].map(metres);
        std::iter::once(quantile.p.to_string())
            .chain(values)
            .collect()
    });
    let mut text = format!(
        "{} by {}, {} wind: {} flights of seed {}\n\n\
         probability of a loss in simulation {:.4}, 95 % interval [{low:.4}, {high:.4}] ({} lost)\n\n\
         {}",
        mission.trajectory.name(),
        mission.setup.airframe.name,
        mission.weather.name(),
        statement.flights,
        args.seed,
        statement.lost as f64 / statement.flights as f64,
        statement.lost,
        quantiles.with(rows).text(0)
    );
    // Writing to a String cannot fail.
    let _ = writeln!(
        text,
        "\nBounds hold with 95 % confidence, whatever the distribution; \"-\": too few flights, or too many lost.\n\
         Worst flight: sim fly {}--seed {}",
        flags(),
        statement.worst_seed
    );
    text
}

/// Flags of many flights that one has not.
const OF_MANY: [&str; 4] = ["flights", "seed", "lease", "mixed"];

/// What was typed of a flight, but for its seed, as a shell wants it.
fn flags() -> String {
    let typed = typed_words::<Cli>(&[&OF_A_PROCESS[..], &OF_MANY].concat());
    // The first is the command.
    let flags = typed.iter().skip(1).map(|flag| flag.to_string_lossy());
    let quoted = flags.map(|flag| match flag.split_once('=') {
        Some((flag, value)) => format!("{flag}={} ", word(value)),
        None => format!("{flag} "),
    });
    quoted.collect()
}

/// Every flight on a line.
pub(super) fn csv(results: &[FlightResult]) -> String {
    let mut text = String::from("seed,ace_m,crashed\n");
    for result in results {
        let _ = writeln!(text, "{},{},{}", result.seed, result.ace_m, result.lost);
    }
    text
}

/// Draws the distribution of the ACE as `distribution.svg` and `.png`.
pub(super) fn draw(
    mission: &Mission,
    results: &[FlightResult],
    folder: &Path,
) -> Result<(), Failure> {
    let completed = results.iter().filter(|result| !result.lost);
    let ace_m: Vec<f64> = completed.map(|result| result.ace_m).collect();
    let count = results.len();
    // Pointwise 95 % band of the share of flights at or below each value.
    let ranks = 1..=ace_m.len();
    let band: Vec<[f64; 2]> = ranks.map(|k| clopper_pearson(k, count)).collect();
    let lower: Vec<f64> = band.iter().map(|b| b[0]).collect();
    let upper: Vec<f64> = band.iter().map(|b| b[1]).collect();
    let title = format!(
        "{} by {}, {} wind: {count} flights",
        mission.trajectory.name(),
        mission.setup.airframe.name,
        mission.weather.name()
    );
    let picture = Distribution {
        title: &title,
        ace_m: &ace_m,
        lost: count - ace_m.len(),
        band: Some(ConfidenceBand {
            label: "95 % band (Clopper-Pearson)",
            lower: &lower,
            upper: &upper,
        }),
    };
    drawn(folder, "distribution", |stem| plots::draw(&picture, stem))
}
