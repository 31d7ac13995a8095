//! Thompson sampling: draw one function from the posterior and take its least point.
//!
//! Thompson, Biometrika 25 (1933). The function is drawn jointly at Sobol' points of the cube and
//! at points close to the incumbent; a draw cannot be climbed, so the resolution is theirs.

use crate::search::belief::view::matrix;
use crate::search::climb::{Peak, Region, raw_points};
use dilgp::Model;

/// Points at which the function is drawn; the work grows with their third power.
const POINTS: usize = 384;

/// The least point of one draw with minus the value drawn there, or nothing where the model cannot
/// draw.
pub fn least_of_a_draw(
    model: &dyn Model,
    dimensions: usize,
    incumbents: &[Vec<f64>],
    seed: u64,
) -> Option<Peak> {
    let points = raw_points(&Region::cube(dimensions), incumbents, POINTS, seed);
    let drawn = model.draw(&matrix(&points), seed)?;
    let least = (0..points.len()).min_by(|a, b| drawn[*a].total_cmp(&drawn[*b]))?;
    drawn[least].is_finite().then(|| Peak {
        x: points[least].clone(),
        value: -drawn[least],
    })
}
