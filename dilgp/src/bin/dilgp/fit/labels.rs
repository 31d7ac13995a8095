//! Labels: the environment of each training row, as the user knows it.

use std::path::Path;

use crate::csv;
use crate::error::{Error, Fault};

/// Reads one label for each of `rows` training rows: numbers or words, one a line, with a header
/// line or without. Equal labels are one environment; environments are numbered in the
/// alphabetical order of their labels, numbers by size.
pub fn read(path: &Path, rows: usize) -> Result<Vec<usize>, Error> {
    let lines = csv::lines(path)?;
    let fault = |fault| Error::Data {
        path: path.to_owned(),
        fault,
    };
    for line in &lines {
        if line.cells.len() != 1 {
            return Err(fault(Fault::Ragged {
                line: line.number,
                found: line.cells.len(),
                expected: 1,
            }));
        }
    }
    // One line more than rows is a header.
    let skipped = usize::from(lines.len() == rows + 1);
    let labels: Vec<&str> = lines[skipped..]
        .iter()
        .map(|line| line.cells[0].as_str())
        .collect();
    if labels.len() != rows {
        return Err(fault(Fault::LabelCount {
            found: labels.len(),
            expected: rows,
        }));
    }
    let mut names = labels.clone();
    names.sort_by(|a, b| match (a.parse::<f64>(), b.parse::<f64>()) {
        (Ok(a), Ok(b)) => a.total_cmp(&b),
        _ => a.cmp(b),
    });
    names.dedup();
    let place = |label| names.iter().position(|name| name == label).unwrap_or(0);
    Ok(labels.iter().map(place).collect())
}
