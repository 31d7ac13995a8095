//! Acquisition: where to fly next.
//!
//! A criterion of what a model believes, by default the upper confidence bound of the negated log
//! cost, a(x) = −mean(x) + κ std(x) (Algorithm 2 of the paper; Srinivas et al. 2010), is maximised
//! over the unit cube; the others are the engine's ([`crate::engine::criterion`]). For a surrogate with
//! gradients L-BFGS climbs from the best of many raw Sobol' points and from the incumbents, in
//! coordinates that a logistic map folds into the cube; the map never lands on a face, so clipped
//! copies of the summits compete as well. A surrogate without gradients (the forest, whose surface
//! is made of steps) is searched by Nelder and Mead's simplex from the same starts.

use crate::engine::criterion::Criterion;
use argmin::core::{CostFunction, Executor};
use argmin::solver::neldermead::NelderMead;
use dilgp::{Effort, Evaluation, Model, minimise};
use nalgebra::DMatrix;
use std::cell::RefCell;

/// Sobol' points that are looked at before any climbing starts.
const RAW_POINTS: usize = 512;

/// Raw points from which climbing starts.
const STARTS: usize = 5;

/// Evaluations of the acquisition allowed to one climb.
const CLIMB_EVALUATIONS: u64 = 60;

/// Coordinates this close to a face of the cube are also tried on it.
const NEAR_FACE: f64 = 0.02;

/// Edge of the first simplex.
const SIMPLEX_EDGE: f64 = 0.1;

/// A criterion of a fitted model, as something to be minimised by argmin.
struct Surface<'a> {
    model: &'a dyn Model,
    criterion: &'a dyn Criterion,
    /// Best point seen and its acquisition, whatever way the search ends.
    best: RefCell<Summit>,
}

/// A point of the cube with its acquisition value.
#[derive(Debug, Clone, PartialEq)]
pub struct Summit {
    /// The point in the unit cube.
    pub x: Vec<f64>,
    /// The criterion there.
    pub value: f64,
}

impl Surface<'_> {
    /// The acquisition at each row of `points`.
    fn values(&self, points: &DMatrix<f64>) -> Vec<f64> {
        let prediction = self.model.predict(points);
        (0..points.nrows())
            .map(|row| {
                let std = prediction.std.as_ref().map_or(0.0, |std| std[row]);
                self.criterion.worth(prediction.mean[row], std).value
            })
            .collect()
    }

    fn value(&self, x: &[f64]) -> f64 {
        let value = self.values(&DMatrix::from_row_slice(1, x.len(), x))[0];
        self.keep(x, value);
        value
    }

    fn keep(&self, x: &[f64], value: f64) {
        let mut best = self.best.borrow_mut();
        if value > best.value {
            *best = Summit {
                x: x.to_vec(),
                value,
            };
        }
    }

    /// Minus the acquisition and its gradient in the logistic coordinates `z`.
    fn descent(&self, z: &[f64]) -> Option<Evaluation> {
        let x: Vec<f64> = z.iter().map(|z| logistic(*z)).collect();
        let slope = self.model.slope(&x)?;
        let worth = self.criterion.worth(slope.mean, slope.std.unwrap_or(0.0));
        self.keep(&x, worth.value);
        let gradient = (0..x.len()).map(|k| {
            let std = slope.std_gradient.as_ref().map_or(0.0, |g| g[k]);
            let along_x = -(worth.by_mean * slope.mean_gradient[k] + worth.by_std * std);
            along_x * x[k] * (1.0 - x[k])
        });
        Some(Evaluation {
            value: -worth.value,
            gradient: gradient.collect(),
        })
    }
}

impl CostFunction for &Surface<'_> {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, x: &Vec<f64>) -> Result<f64, argmin::core::Error> {
        let inside: Vec<f64> = x.iter().map(|x| x.clamp(0.0, 1.0)).collect();
        Ok(-self.value(&inside))
    }
}

/// The highest point found of `criterion` over the unit cube, or nothing where no value was
/// finite. `incumbents` are points worth starting from beside the Sobol' points of `seed`.
pub fn maximise(
    model: &dyn Model,
    criterion: &dyn Criterion,
    incumbents: &[Vec<f64>],
    dimensions: usize,
    seed: u64,
) -> Option<Summit> {
    let bound = Surface {
        model,
        criterion,
        best: RefCell::new(Summit {
            x: Vec::new(),
            value: f64::NEG_INFINITY,
        }),
    };
    for start in starts(&bound, incumbents, dimensions, seed) {
        if model.slope(&start).is_some() {
            climb(&bound, &start);
        } else {
            crawl(&bound, &start);
        }
    }
    try_faces(&bound);
    let best = bound.best.into_inner();
    best.value.is_finite().then_some(best)
}

/// The best raw points and the incumbents.
fn starts(bound: &Surface, incumbents: &[Vec<f64>], dimensions: usize, seed: u64) -> Vec<Vec<f64>> {
    let raw = crate::sobol::points(dimensions, 0, RAW_POINTS, seed);
    let matrix = DMatrix::from_fn(raw.len(), dimensions, |row, column| raw[row][column]);
    let values = bound.values(&matrix);
    for (x, value) in raw.iter().zip(&values) {
        bound.keep(x, *value);
    }
    let mut order: Vec<usize> = (0..raw.len()).filter(|i| values[*i].is_finite()).collect();
    order.sort_by(|a, b| values[*b].total_cmp(&values[*a]));
    let best = order.into_iter().take(STARTS).map(|i| raw[i].clone());
    best.chain(incumbents.iter().cloned()).collect()
}

fn climb(bound: &Surface, start: &[f64]) {
    let z: Vec<f64> = start.iter().map(|x| logit(*x)).collect();
    let effort = Effort {
        evaluations: CLIMB_EVALUATIONS,
        smallest_decrease: 1e-9,
        smallest_gradient: 1e-6,
    };
    // The summit is kept by the bound itself, however the climb ends.
    let _ = minimise(&z, effort, |z| bound.descent(z));
}

fn crawl(bound: &Surface, start: &[f64]) {
    let mut simplex = vec![start.to_vec()];
    for k in 0..start.len() {
        let mut corner = start.to_vec();
        corner[k] += if corner[k] > 0.5 {
            -SIMPLEX_EDGE
        } else {
            SIMPLEX_EDGE
        };
        simplex.push(corner);
    }
    // The best point is kept by the bound itself; a search that fails has still been looked at.
    let _ = Executor::new(bound, NelderMead::new(simplex))
        .configure(|state| state.max_iters(CLIMB_EVALUATIONS))
        .timer(false)
        .run();
}

/// Tries the summit with its outermost coordinates on the faces they are close to.
fn try_faces(bound: &Surface) {
    let summit = bound.best.borrow().x.clone();
    let snap = |x: f64| match x {
        x if x < NEAR_FACE => 0.0,
        x if x > 1.0 - NEAR_FACE => 1.0,
        x => x,
    };
    let whole: Vec<f64> = summit.iter().map(|x| snap(*x)).collect();
    if whole == summit {
        return;
    }
    bound.value(&whole);
    for k in 0..summit.len() {
        let mut one = bound.best.borrow().x.clone();
        one[k] = snap(one[k]);
        bound.value(&one);
    }
}

fn logistic(z: f64) -> f64 {
    1.0 / (1.0 + (-z).exp())
}

/// Inverse of [`logistic`], kept off the faces where it is infinite.
fn logit(x: f64) -> f64 {
    let inside = x.clamp(1e-3, 1.0 - 1e-3);
    (inside / (1.0 - inside)).ln()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::criterion::{Bound, LeastMean};
    use approx::assert_relative_eq;
    use dilgp::{Dataset, by_name};
    use nalgebra::DVector;

    const UCB: Bound = Bound { kappa: 2.0 };

    fn data() -> Dataset {
        let points = crate::sobol::points(3, 0, 25, 4);
        let x = DMatrix::from_fn(25, 3, |row, column| points[row][column]);
        let y = DVector::from_fn(25, |row, _| {
            points[row]
                .iter()
                .map(|x| (x - 0.3) * (x - 0.3))
                .sum::<f64>()
        });
        Dataset::new(x, y).expect("finite")
    }

    #[test]
    fn the_gradient_in_logistic_coordinates_is_that_of_the_value() {
        for name in ["gp", "gp-rq", "gp-dp", "dil-gp", "mlp"] {
            let model = by_name(name).expect("legal").fit(&data(), 1).expect("fits");
            let bound = Surface {
                model: model.as_ref(),
                criterion: &Bound { kappa: 2.0 },
                best: RefCell::new(Summit {
                    x: vec![],
                    value: f64::NEG_INFINITY,
                }),
            };
            let z = [0.31, -1.2, 0.77];
            let here = bound.descent(&z).expect("differentiable");
            for k in 0..3 {
                let shifted = |h: f64| {
                    let mut z = z;
                    z[k] += h;
                    bound.descent(&z).expect("differentiable").value
                };
                // The data are free of noise, so the standard deviation carries rounding of about
                // 1e-8 itself; a wide step keeps the quotient meaningful.
                let h = 1e-4;
                let numeric = (shifted(h) - shifted(-h)) / (2.0 * h);
                let (slack, analytic) = (1e-5 + 1e-3 * numeric.abs(), here.gradient[k]);
                assert!(
                    (numeric - analytic).abs() < slack,
                    "{name} {k}: {numeric} {analytic}"
                );
            }
        }
    }

    #[test]
    fn every_surrogate_finds_a_summit_inside_the_cube_that_beats_all_raw_points() {
        for name in dilgp::NAMES {
            let model = by_name(name).expect("legal").fit(&data(), 1).expect("fits");
            let summit = maximise(model.as_ref(), &UCB, &[vec![0.3; 3]], 3, 7).expect("finite");
            assert!(
                summit.x.iter().all(|x| (0.0..=1.0).contains(x)),
                "{name}: {summit:?}"
            );
            let prediction = |points: &[Vec<f64>]| {
                let x = DMatrix::from_fn(points.len(), 3, |r, c| points[r][c]);
                let p = model.predict(&x);
                let best = (0..points.len())
                    .map(|i| 2.0 * p.std.as_ref().map_or(0.0, |s| s[i]) - p.mean[i]);
                best.fold(f64::NEG_INFINITY, f64::max)
            };
            assert!(
                summit.value >= prediction(&crate::sobol::points(3, 0, 2_000, 99)) - 0.02,
                "{name}"
            );
            // Two formulas for one number (a slope and a batch) differ by rounding.
            assert_relative_eq!(summit.value, prediction(&[summit.x]), epsilon = 1e-8);
        }
    }

    #[test]
    fn a_summit_in_a_corner_is_reached_exactly() {
        let points = crate::sobol::points(2, 0, 30, 4);
        let x = DMatrix::from_fn(30, 2, |row, column| points[row][column]);
        let y = DVector::from_fn(30, |row, _| points[row][0] - points[row][1]);
        let model = by_name("gp-dp")
            .expect("legal")
            .fit(&Dataset::new(x, y).expect("finite"), 1);
        let summit =
            maximise(model.expect("fits").as_ref(), &LeastMean, &[], 2, 3).expect("finite");
        assert_eq!(summit.x, [0.0, 1.0]);
    }

    #[test]
    fn the_same_seed_gives_the_same_summit() {
        let model = by_name("gp").expect("legal").fit(&data(), 1).expect("fits");
        let once = || maximise(model.as_ref(), &UCB, &[], 3, 7);
        assert_eq!(once(), once());
    }

    #[test]
    fn a_crawl_goes_inwards_from_a_corner() {
        let model = by_name("gp").expect("legal").fit(&data(), 1).expect("fits");
        for corner in [0.0, 1.0] {
            let surface = Surface {
                model: model.as_ref(),
                criterion: &LeastMean,
                best: RefCell::new(Summit {
                    x: vec![],
                    value: f64::NEG_INFINITY,
                }),
            };
            crawl(&surface, &[corner; 3]);
            let best = surface.best.into_inner();
            // It began at 0.27 or 1.47; on a face the simplex may lose a coordinate.
            assert!(best.value > -0.1, "{best:?}");
        }
    }

    #[test]
    fn a_climb_starts_where_it_was_told_to_but_off_the_faces() {
        for x in [1e-3, 0.2, 0.5, 0.9, 0.999] {
            assert_relative_eq!(logistic(logit(x)), x, max_relative = 1e-12);
        }
        assert_eq!((logit(0.0), logit(1.0)), (logit(1e-3), logit(1.0 - 1e-3)));
    }
}
