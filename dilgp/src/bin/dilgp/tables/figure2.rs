//! Figure 2: RMSE on houses ever older than those of the training set.

use std::path::{Path, PathBuf};

use plots::{DomainsPicture, draw_domains};

use crate::error::Error;
use crate::tables::comparison::Column;

/// The methods that are drawn: the paper's six, the honest reference and ours.
const SHOWN: [&str; 8] = [
    "rf",
    "mlp",
    "gp",
    "gp-rq",
    "gp-dp",
    "dil-gp",
    "gp-ml2",
    "hierarchical",
];

/// Draws the columns of the table and returns the paths of the files. A method of which a fit
/// failed everywhere is left out.
pub fn draw(columns: &[Column], seeds: u64, stem: &Path) -> Result<[PathBuf; 2], Error> {
    let of = |column: &Column, key: &str| {
        let row = column.rows.iter().find(|row| row.key == key)?;
        let mean = row.rmse?;
        let half = mean.half_width.unwrap_or(0.0);
        Some((row.method, [mean.mean, mean.mean - half, mean.mean + half]))
    };
    let series: Vec<(&str, Vec<[f64; 3]>)> = SHOWN
        .iter()
        .filter_map(|key| {
            let values: Option<Vec<_>> = columns.iter().map(|column| of(column, key)).collect();
            let values = values?;
            let label = values.first()?.0;
            Some((label, values.iter().map(|(_, value)| *value).collect()))
        })
        .collect();
    let methods: Vec<plots::Method> = series
        .iter()
        .map(|(label, values)| plots::Method { label, values })
        .collect();
    let domains: Vec<String> = columns.iter().map(|column| column.name.clone()).collect();
    let title = format!("King County housing: error by the year of building, {seeds} seeds");
    let picture = DomainsPicture {
        title: &title,
        y_name: "RMSE [standard deviations of the price]",
        bar_name: "95 % interval of the mean",
        domains: &domains,
        methods: &methods,
    };
    draw_domains(&picture, stem).map_err(|source| Error::drawing(stem, source))
}
