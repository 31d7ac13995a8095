//! The reference sets in `shared/data` beside the workspace.

use nalgebra::{DMatrix, DVector};

/// Inputs and targets of a set; `None`, and a message, where the file is not there.
pub fn read(file: &str) -> Option<(DMatrix<f64>, DVector<f64>)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/data/");
    let Ok(text) = std::fs::read_to_string(format!("{folder}{file}")) else {
        eprintln!("skipped: {file} is not beside the workspace");
        return None;
    };
    let rows: Vec<Vec<f64>> = text
        .lines()
        .skip(1)
        .map(|line| line.split(',').map(|cell| cell.parse().unwrap()).collect())
        .collect();
    let d = rows[0].len() - 1;
    let x = DMatrix::from_fn(rows.len(), d, |i, j| rows[i][j]);
    let y = DVector::from_fn(rows.len(), |i, _| rows[i][d]);
    Some((x, y))
}
