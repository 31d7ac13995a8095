//! Markdown: the tables for a reader.

use shell::table::Table;

use crate::statistics::{LEVELS, Mean, Paired};
use crate::tables::comparison::Row;
use crate::tables::paper::Printed;

/// Titles of the columns.
const TITLES: [&str; 12] = [
    "method",
    "paper RMSE",
    "RMSE, mean ± 95 %",
    "± largest",
    "paper coverage",
    "coverage",
    "NLPD",
    "less GP, ML-II",
    "wins",
    "less GP",
    "wins",
    "runs",
];

/// The rows of one column of the paper's tables.
pub fn table(rows: &[Row]) -> String {
    let rows = rows.iter().map(cells);
    Table::of_numbers(TITLES).with(rows).markdown()
}

fn cells(row: &Row) -> Vec<String> {
    let largest = |mean: &Mean| format!("{:.3}", mean.largest_deviation);
    let [ml2, ml2_wins] = paired(row.against_ml2.as_ref());
    let [gp, gp_wins] = paired(row.against_released_gp.as_ref());
    let runs = row.rmse_by_seed.iter().flatten().count();
    let failed = row.rmse_by_seed.len() - runs;
    let runs = if failed > 0 {
        format!("{runs} ({failed} failed)")
    } else {
        runs.to_string()
    };
    vec![
        row.method.to_owned(),
        or_dash(row.published_rmse.as_ref(), printed),
        or_dash(row.rmse.as_ref(), with_interval),
        or_dash(row.rmse.as_ref(), largest),
        or_dash(row.published_coverage.as_ref(), printed),
        or_dash(row.coverage.as_ref(), with_interval),
        or_dash(row.nlpd.as_ref(), nats),
        ml2,
        ml2_wins,
        gp,
        gp_wins,
        runs,
    ]
}

/// The calibration of the rows that claim a deviation.
pub fn calibration(rows: &[Row]) -> String {
    let shares = |name: &str, shares: &[f64]| -> Vec<String> {
        let shares = shares.iter().map(|share| format!("{share:.2}"));
        std::iter::once(name.to_owned()).chain(shares).collect()
    };
    let claiming = rows
        .iter()
        .filter_map(|row| Some(shares(row.method, row.calibration.as_ref()?)));
    let titles = shares("nominal", &LEVELS);
    Table::of_numbers(titles).with(claiming).markdown()
}

/// A cell of the paper: its mean and greatest deviation over five runs.
fn printed(cell: &Printed) -> String {
    format!("{} ± {}", cell.mean, cell.largest_deviation)
}

/// A mean density; one that a deviation close to zero has ruined is shown by its magnitude.
fn nats(mean: &Mean) -> String {
    if mean.mean.abs() < 1e4 {
        format!("{:.2}", mean.mean)
    } else {
        format!("{:.0e}", mean.mean)
    }
}

/// A mean with its interval.
fn with_interval(mean: &Mean) -> String {
    mean.interval().plus_minus(3)
}

fn paired(paired: Option<&Paired>) -> [String; 2] {
    let difference = |paired: &Paired| paired.difference.interval().signed_plus_minus(3);
    let wins = |paired: &Paired| format!("{}/{}", paired.wins, paired.difference.values);
    [or_dash(paired, difference), or_dash(paired, wins)]
}

fn or_dash<T>(value: Option<&T>, show: impl Fn(&T) -> String) -> String {
    value.map_or("-".to_owned(), show)
}
