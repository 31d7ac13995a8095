//! Centre: as close to the middle of all good points as the evaluations do not distinguish from the
//! best.
//!
//! If evaluations are informative, the minimiser of the posterior mean is the point to deploy, on a
//! face of the box as often as not. If noise dominates, the minimiser is luck, and the middle of the
//! points that one evaluation could hardly tell from the best ([`LevelSet`]) is better. Between
//! the two goes a straight line; recommended is the farthest point on it whose posterior mean lies
//! at most [`TOLERATED_SHARE`] of a standard deviation *of the posterior of their difference* above
//! the minimiser's. So the evaluations themselves decide, and no measure of noise against gain does.

use super::{CAUTION, Case, Choice, Recommendation, posterior_minimiser, visited};
use crate::acquisition::Bound;
use crate::maximise::{Region, Surface, maximise};
use crate::model::context::matrix;
use crate::model::incumbent::{Incumbent, TOLERATED, least_means};
use crate::model::refit::Work;
use dilgp::Model;

/// Standard deviations of the difference that are given up for the middle. A whole one gives up more
/// on quiet costs than the middle wins there; none recommends the minimiser, which is luck on noisy
/// ones.
const TOLERATED_SHARE: f64 = 0.5;

/// Points of the line.
const STEPS: usize = 20;

/// Visited points that the minimiser is climbed from.
const STARTS: usize = 2;

/// The work of that climb: it is done once.
const WORK: Work = Work {
    raw: 512,
    starts: 3,
    evaluations: 40,
};

/// A line of points with their joint posterior.
struct Line {
    points: Vec<Vec<f64>>,
    means: Vec<f64>,
    /// Standard deviation of the difference to the first point.
    deviations: Vec<f64>,
}

impl Case<'_> {
    /// The farthest point of the line, or the baseline, or the visited point of least posterior mean;
    /// `None` from a model without a noise or a joint posterior.
    pub(super) fn towards_the_centre(&self, incumbent: Incumbent) -> Option<Recommendation> {
        let model = incumbent.model();
        let noise = incumbent.noise()?;
        let line = self.to_the_centre(incumbent)?;
        let told =
            |k: &usize| line.means[*k] - line.means[0] > TOLERATED_SHARE * line.deviations[*k];
        // Last what takes longest: whether it may be evaluated as it is.
        let may_be = |x: &Vec<f64>| (self.settled)(x) == *x;
        let sound = |k: &usize| {
            !told(k) && incumbent.tolerates(&line.points[*k]) && may_be(&line.points[*k])
        };
        let Some(farthest) = (0..=STEPS).rev().find(sound) else {
            // If points are snapped or not allowed, the whole line may be worse than what was visited.
            let (x, mean) = posterior_minimiser(model, self.seen)?;
            return Some(visited(x, mean));
        };
        let choice = |posterior_mean, baseline| Choice::Centre {
            share: farthest as f64 / STEPS as f64,
            ends: [line.means[0], line.means[STEPS]],
            deviation: line.deviations[STEPS],
            noise,
            posterior_mean,
            baseline_posterior_mean: baseline,
        };
        let x = line.points[farthest].clone();
        Some(self.unless_the_baseline(model, x, choice))
    }

    /// How far the posterior mean at the centre lies above that of the cautious minimiser, in standard
    /// deviations of their difference; `None` as above.
    pub fn contrast(&self, model: &dyn Model) -> Option<f64> {
        let (x, _) = posterior_minimiser(model, self.seen)?;
        let line = self.to_the_centre(Incumbent::at(model, &x)?)?;
        let worse = line.means[STEPS] - line.means[0];
        // The two may be one point.
        let deviation = line.deviations[STEPS].max(f64::MIN_POSITIVE);
        worse.is_finite().then_some(worse / deviation)
    }

    /// The line from the cautious minimiser to the centre.
    fn to_the_centre(&self, incumbent: Incumbent) -> Option<Line> {
        let model = incumbent.model();
        let lowest = self.cautious_minimiser(model)?;
        let members = self.level_set(incumbent).members(TOLERATED, self.seed)?;
        let centre = incumbent.centre(&members, self.settled).x;
        self.line(model, &lowest, &centre)
    }

    /// The point of least posterior mean and a standard deviation.
    fn cautious_minimiser(&self, model: &dyn Model) -> Option<Vec<f64>> {
        let visited: Vec<&[f64]> = self.seen.finished().map(|known| known.0).collect();
        let best = least_means(model, &visited, STARTS);
        let surface = Surface {
            model,
            criterion: &Bound { kappa: -CAUTION },
            within: self.within,
        };
        let region = Region::cube(best.first()?.len());
        Some(maximise(&surface, &region, &best, WORK, self.seed)?.x)
    }

    /// The points from `lowest` to `centre`, whole numbers whole.
    fn line(&self, model: &dyn Model, lowest: &[f64], centre: &[f64]) -> Option<Line> {
        let at = |k: usize| {
            let share = k as f64 / STEPS as f64;
            let between = lowest.iter().zip(centre);
            let x: Vec<f64> = between
                .map(|(low, mid)| low + share * (mid - low))
                .collect();
            (self.snap)(&x)
        };
        let points: Vec<Vec<f64>> = (0..=STEPS).map(at).collect();
        let (means, covariance) = model.joint(&matrix(&points))?;
        let variance =
            |k: usize| covariance[(k, k)] + covariance[(0, 0)] - 2.0 * covariance[(0, k)];
        Some(Line {
            points,
            means: means.as_slice().to_vec(),
            deviations: (0..=STEPS).map(|k| variance(k).max(0.0).sqrt()).collect(),
        })
    }
}
