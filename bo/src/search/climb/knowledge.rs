//! Choice by the knowledge gradient: of the candidates, the one whose evaluation is expected to lower
//! the least posterior mean most.

use super::{Peak, Region, Surface, Work, candidates, climb};
use crate::search::belief::incumbent::{Incumbent, least_means};
use crate::search::belief::view::matrix;
use crate::search::criterion::{LeastMean, knowledge};
use dilgp::Model;

/// Visited points that are mutated, those of least posterior mean.
const PARENTS: usize = 4;

/// The candidate of greatest gain, with that gain; nothing where the model has no joint posterior or
/// nothing is finite. `visited` are points worth starting from.
pub fn most_telling(
    model: &dyn Model,
    visited: &[Vec<f64>],
    work: Work,
    seed: u64,
) -> Option<Peak> {
    let best = least_means(model, visited, PARENTS);
    let surface = Surface {
        model,
        criterion: &LeastMean,
    };
    let region = Region::cube(best.first()?.len());
    let lowest = climb(&surface, &region, &best[..1], work, seed)?.x;
    // The minimiser has twice the offspring of the others.
    let mut parents = vec![lowest.clone(), lowest];
    parents.extend(best);
    let candidates = candidates::around(&parents, seed);
    let x = matrix(&candidates);
    let (mean, covariance) = model.joint(&x)?;
    let noise = Incumbent::at(model, &candidates[0])?.noise()?;
    let gains = knowledge::gains(&mean, &covariance, noise * noise);
    let finite = (0..gains.len()).filter(|i| gains[*i].is_finite());
    let greatest = finite.reduce(|a, b| if gains[b] > gains[a] { b } else { a })?;
    Some(Peak {
        x: candidates[greatest].clone(),
        value: gains[greatest],
    })
}
