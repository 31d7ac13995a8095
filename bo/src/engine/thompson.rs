//! Thompson sampling: draw one function from the posterior and take its least point.
//!
//! Thompson, Biometrika 25 (1933). The function is drawn jointly at Sobol' points of the cube and
//! at points close to the incumbent; a draw cannot be climbed, so the resolution is theirs.

use super::climb::{Region, raw_points};
use dilgp::process::FittedProcess;
use nalgebra::DMatrix;

/// Points at which the function is drawn; the work grows with their third power.
const POINTS: usize = 384;

/// The least point of one draw, or nothing where the joint covariance cannot be factorised.
pub fn least_of_a_draw(
    process: &FittedProcess,
    dimensions: usize,
    contexts: usize,
    incumbents: &[Vec<f64>],
    seed: u64,
) -> Option<Vec<f64>> {
    let points = raw_points(&Region::cube(dimensions), incumbents, POINTS, seed);
    let matrix = DMatrix::from_fn(points.len(), dimensions + contexts, |row, column| {
        points[row].get(column).copied().unwrap_or(0.0)
    });
    let drawn = process.sample(&matrix, 1, seed).ok()?;
    let least = (0..points.len()).min_by(|a, b| drawn[*a].total_cmp(&drawn[*b]))?;
    drawn[least].is_finite().then(|| points[least].clone())
}
