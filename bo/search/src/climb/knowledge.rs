//! Choice by the knowledge gradient: of the candidates, the one whose evaluation is expected to lower
//! the least posterior mean most.

use super::{Peak, Region, Surface, candidates, climb};
use crate::belief::incumbent::{Incumbent, least_means};
use crate::belief::risk::Risk;
use crate::belief::view::matrix;
use crate::criterion::LeastMean;
use crate::criterion::knowledge::{self, Points};
use crate::pace::Work;
use dilgp::Model;

/// Visited points that are mutated, those of least posterior mean.
const PARENTS: usize = 4;

/// The candidate of greatest gain, with that gain; nothing where the model has no joint posterior or
/// nothing is finite. `visited` are points worth starting from.
pub fn most_telling(model: &Risk, visited: &[Vec<f64>], work: Work, seed: u64) -> Option<Peak> {
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
    let gains = knowledge::gains(&Points {
        mean: model.means(&x),
        covariance: model.finishing.joint(&x)?.1,
        finishing: model.finishing_probabilities(&x),
        noise: Incumbent::at(model, &candidates[0])?.noise()?.powi(2),
    });
    let finite = (0..gains.len()).filter(|i| gains[*i].is_finite());
    let greatest = finite.reduce(|a, b| if gains[b] > gains[a] { b } else { a })?;
    Some(Peak {
        x: candidates[greatest].clone(),
        value: gains[greatest],
    })
}
