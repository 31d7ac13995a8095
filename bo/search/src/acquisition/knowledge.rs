//! The knowledge gradient: how much lower the least posterior mean is expected to be after one more
//! evaluation.
//!
//! Frazier, Powell and Dayanik, "The knowledge-gradient policy for correlated normal beliefs"
//! (INFORMS Journal on Computing 21, 2009). An evaluation at x_i moves the mean at x_j by b_j Z with
//! b_j = C_ij / sqrt(C_ii + sigma^2) and a standard normal Z, so that the expected fall of the least
//! mean over finitely many points is that of the least of straight lines in Z, in closed form.
//!
//! It accounts for noise: if one evaluation moves no mean by much, only points that decide between
//! good ones are worth it; if it settles a value, unknown regions are.

use super::bound::LeastMean;
use super::improvement::log_improvement;
use crate::maximise::{Maximum, Region, Surface, maximise, points};
use crate::model::allowed::Allowed;
use crate::model::context::matrix;
use crate::model::incumbent::{Incumbent, least_means};
use crate::model::losses::RiskModel;
use crate::model::refit::Work;
use dilgp::Model;
use nalgebra::{DMatrix, DVector};

/// Slopes this close, as a share of the largest, are the same.
const ALIKE: f64 = 1e-12;

/// The joint posterior at the points that may be chosen.
pub struct Points {
    /// What each costs.
    pub mean: DVector<f64>,
    /// Covariance of the values of evaluations that finish, without noise.
    pub covariance: DMatrix<f64>,
    /// Probability that an evaluation finishes. One that does not moves no mean, and of the cost of a
    /// point that share is made of its value.
    pub finishing: Vec<f64>,
    /// Variance of the noise of one evaluation.
    pub noise: f64,
}

/// The expected fall of the least mean for an evaluation at each of the points.
pub fn knowledge_gradients(points: &Points) -> Vec<f64> {
    let Points {
        mean,
        covariance,
        finishing,
        noise,
    } = points;
    let mut lines = Vec::with_capacity(mean.len());
    (0..mean.len())
        .map(|i| {
            let own = (covariance[(i, i)].max(0.0) + noise).sqrt();
            if own <= 0.0 {
                return 0.0;
            }
            lines.clear();
            // Of the greatest of lines, the least mean is minus the greatest of -mean.
            let at = |j: usize| Line {
                slope: finishing[j] * covariance[(j, i)] / own,
                height: -mean[j],
            };
            lines.extend((0..mean.len()).map(at));
            finishing[i] * expected_rise(&mut lines)
        })
        .collect()
}

/// height + slope Z.
#[derive(Debug, Clone, Copy)]
struct Line {
    slope: f64,
    height: f64,
}

/// E max over `lines` less the greatest height, for a standard normal Z: their algorithm 1.
fn expected_rise(lines: &mut [Line]) -> f64 {
    let steepest = lines
        .iter()
        .map(|line| line.slope.abs())
        .fold(0.0, f64::max);
    lines.sort_by(|a, b| {
        let by_slope = a.slope.total_cmp(&b.slope);
        by_slope.then(a.height.total_cmp(&b.height))
    });
    // The upper envelope, each line with the Z from which on it is the greatest.
    let mut envelope: Vec<(f64, Line)> = Vec::new();
    for line in lines.iter() {
        let mut from = f64::NEG_INFINITY;
        while let Some((since, last)) = envelope.last() {
            let apart = line.slope - last.slope;
            if apart > ALIKE * steepest {
                from = (last.height - line.height) / apart;
                if from > *since {
                    break;
                }
            } else if line.height <= last.height {
                from = f64::INFINITY;
                break;
            }
            envelope.pop();
            from = f64::NEG_INFINITY;
        }
        if from < f64::INFINITY {
            envelope.push((from, *line));
        }
    }
    let changes = envelope.windows(2);
    changes
        .map(|pair| {
            let rise = pair[1].1.slope - pair[0].1.slope;
            rise * log_improvement(-pair[1].0.abs()).0.exp()
        })
        .sum()
}

/// Visited points that are mutated, those of least posterior mean.
const PARENTS: usize = 4;

/// The candidate of greatest gain, with that gain; `None` if the model has no joint posterior or no gain
/// is finite. `visited` are points worth starting from; only points `within` the allowed set are chosen.
pub fn greatest_knowledge_gradient(
    model: &RiskModel,
    visited: &[Vec<f64>],
    within: Option<&Allowed>,
    work: Work,
    seed: u64,
) -> Option<Maximum> {
    let best = least_means(model, visited, PARENTS);
    let surface = Surface {
        model,
        criterion: &LeastMean,
        within,
    };
    let region = Region::cube(best.first()?.len());
    let lowest = maximise(&surface, &region, &best[..1], work, seed)?.x;
    // The minimiser has twice the offspring of the others.
    let mut parents = vec![lowest.clone(), lowest];
    parents.extend(best);
    let mut candidates = points::around(&parents, seed);
    if let Some(within) = within {
        let mut holds = within.holds(&candidates).into_iter();
        candidates.retain(|_| holds.next().unwrap_or(false));
    }
    candidates.first()?;
    let x = matrix(&candidates);
    let knowledge_gradients = knowledge_gradients(&Points {
        mean: model.means(&x),
        covariance: model.finishing.joint(&x)?.1,
        finishing: model.finishing_probabilities(&x),
        noise: Incumbent::at(model, candidates.first()?)?.noise()?.powi(2),
    });
    let finite = (0..knowledge_gradients.len()).filter(|i| knowledge_gradients[*i].is_finite());
    let greatest = finite.reduce(|a, b| {
        if knowledge_gradients[b] > knowledge_gradients[a] {
            b
        } else {
            a
        }
    })?;
    Some(Maximum {
        x: candidates[greatest].clone(),
        value: knowledge_gradients[greatest],
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_abs_diff_eq;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;
    use rand_distr::{Distribution, StandardNormal};

    fn line(height: f64, slope: f64) -> Line {
        Line { slope, height }
    }

    #[test]
    fn of_two_lines_the_rise_is_the_expected_improvement_of_their_difference() {
        // E max(0, d + s Z) = s h(d / s) with h(z) = phi(z) + z Phi(z).
        for (d, s) in [(-0.4, 0.7), (-2.0, 0.5), (0.0, 1.3)] {
            let rise = expected_rise(&mut [line(0.2, 0.1), line(0.2 + d, 0.1 + s)]);
            assert_abs_diff_eq!(rise, s * log_improvement(d / s).0.exp(), epsilon = 1e-14);
        }
    }

    #[test]
    fn of_many_lines_it_is_what_draws_give() {
        let mut random = ChaCha8Rng::seed_from_u64(3);
        let mut normal = || -> f64 { StandardNormal.sample(&mut random) };
        let lines: Vec<Line> = (0..12).map(|_| line(0.5 * normal(), normal())).collect();
        let highest = lines
            .iter()
            .map(|l| l.height)
            .fold(f64::NEG_INFINITY, f64::max);
        let draws = 400_000;
        let greatest = |z: f64| {
            let at = lines.iter().map(|l| l.height + l.slope * z);
            at.fold(f64::NEG_INFINITY, f64::max)
        };
        let mean = (0..draws).map(|_| greatest(normal())).sum::<f64>() / f64::from(draws);
        // Standard deviation of the greatest is below 1.5: four standard errors are 0.01.
        let rise = expected_rise(&mut lines.clone());
        assert_abs_diff_eq!(rise, mean - highest, epsilon = 0.01);
    }

    #[test]
    fn equal_and_dominated_lines_add_nothing() {
        let two = expected_rise(&mut [line(0.0, 0.0), line(-0.1, 1.0)]);
        let more = [
            line(0.0, 0.0),
            line(0.0, 0.0),
            line(-0.1, 1.0),
            line(-0.3, 1.0),
            line(-5.0, 0.5),
        ];
        assert_abs_diff_eq!(expected_rise(&mut more.clone()), two, epsilon = 1e-14);
        assert_eq!(expected_rise(&mut [line(1.0, 2.0); 3]), 0.0);
        assert_eq!(expected_rise(&mut [line(1.0, 2.0)]), 0.0);
    }

    #[test]
    fn noise_makes_an_evaluation_worth_less_and_what_is_known_is_worth_nothing() {
        let mean = DVector::from_row_slice(&[0.0, 0.1, 0.5]);
        let of = |covariance: &DMatrix<f64>, noise, finishing: [f64; 3]| {
            knowledge_gradients(&Points {
                mean: mean.clone(),
                covariance: covariance.clone(),
                finishing: finishing.to_vec(),
                noise,
            })
        };
        let covariance =
            DMatrix::from_row_slice(3, 3, &[0.0, 0.0, 0.0, 0.0, 0.4, 0.1, 0.0, 0.1, 0.9]);
        let quiet = of(&covariance, 0.01, [1.0; 3]);
        let loud = of(&covariance, 10.0, [1.0; 3]);
        assert_eq!(quiet[0], 0.0);
        for i in 1..3 {
            assert!(quiet[i] > loud[i] && loud[i] > 0.0, "{quiet:?} {loud:?}");
        }
        // Noise turns the order round: the unknown point is not worth one look.
        assert!(quiet[2] / quiet[1] > loud[2] / loud[1]);
        assert_eq!(of(&DMatrix::zeros(3, 3), 0.0, [1.0; 3]), [0.0; 3]);
        // One that is lost teaches nothing, and a point that is lost for certain has no value to learn.
        let risky = of(&covariance, 0.01, [1.0, 0.5, 0.0]);
        assert!(risky[1] < 0.5 * quiet[1] && risky[1] > 0.0, "{risky:?}");
        assert_eq!(risky[2], 0.0);
    }
}
