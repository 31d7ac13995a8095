//! Ascent: the acquisition maximised with argmin, from one start.
//!
//! A surface with gradients, which every surrogate but the forest has, is climbed by argmin's
//! L-BFGS with the line search of Moré and Thuente in coordinates x = low + (high - low) sin^2 z,
//! which reach the faces of the box. A forest's surface is made of steps and has none: there
//! argmin's simplex of Nelder and Mead crawls. Neither has a bound of its own on evaluations, so
//! the surface is guarded, and the highest point seen is the answer, however the solver ended.

use super::{Maximum, Region, Surface};
use argmin::core::{CostFunction, Executor};
use argmin::solver::neldermead::NelderMead;
use dilgp::{Effort, Evaluation, Guarded};
use std::cell::RefCell;

/// A point no closer to a face than this share of the box starts a climb; on the face the
/// coordinates have no slope.
const OFF_FACE: f64 = 1e-4;

/// Edge of the first simplex, as a share of the box.
const SIMPLEX_EDGE: f64 = 0.1;

/// The highest point of `surface` that an ascent from `start` sees within `evaluations`; nothing
/// where there is no finite value.
pub fn ascend(
    surface: &Surface,
    region: &Region,
    start: &[f64],
    evaluations: u64,
) -> Option<Maximum> {
    match surface.slope(start) {
        Some(_) => along_the_gradient(surface, region, start, evaluations),
        None => by_simplex(surface, region, start, evaluations),
    }
}

fn along_the_gradient(
    surface: &Surface,
    region: &Region,
    start: &[f64],
    evaluations: u64,
) -> Option<Maximum> {
    let at = |z: &[f64]| {
        let shares: Vec<f64> = z.iter().map(|z| z.sin().powi(2)).collect();
        region.at(&shares)
    };
    let descent = |z: &[f64]| {
        let (value, slope) = surface.slope(&at(z))?;
        let edge = |k: usize| region.high[k] - region.low[k];
        let along = (0..z.len()).map(|k| -slope[k] * edge(k) * (2.0 * z[k]).sin());
        Some(Evaluation {
            value: -value,
            gradient: along.collect(),
        })
    };
    let shares = region.share(start);
    let inside = shares.iter().map(|u| u.clamp(OFF_FACE, 1.0 - OFF_FACE));
    let z: Vec<f64> = inside.map(|u| u.sqrt().asin()).collect();
    let effort = Effort {
        evaluations,
        smallest_decrease: 1e-9,
        smallest_gradient: 1e-8,
    };
    let guarded = Guarded::new(descent, &z, effort)?;
    let ended = guarded.lbfgs().and_then(|solver| {
        let executor = Executor::new(&guarded, solver);
        let executor = executor.configure(|state| state.param(z).max_iters(evaluations));
        executor.ctrlc(false).timer(false).run().map(|_| ())
    });
    let lowest = guarded.minimum(ended.is_ok());
    Some(Maximum {
        x: at(&lowest.at),
        value: -lowest.value,
    })
}

/// A surface without gradients, as argmin minimises it.
struct Steps<'a> {
    surface: &'a Surface<'a>,
    region: &'a Region,
    best: RefCell<Option<Maximum>>,
}

impl CostFunction for &Steps<'_> {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, shares: &Vec<f64>) -> Result<f64, argmin::core::Error> {
        let inside: Vec<f64> = shares.iter().map(|u| u.clamp(0.0, 1.0)).collect();
        let outside: f64 = shares.iter().zip(&inside).map(|(u, v)| (u - v).abs()).sum();
        let x = self.region.at(&inside);
        let value = self.surface.values(std::slice::from_ref(&x))[0];
        let mut best = self.best.borrow_mut();
        if value.is_finite() && best.as_ref().is_none_or(|best| value > best.value) {
            *best = Some(Maximum { x, value });
        }
        // Beyond a face all is as on it: without a slope a simplex that is there would not return.
        Ok(outside * (1.0 + value.abs()) - value)
    }
}

fn by_simplex(
    surface: &Surface,
    region: &Region,
    start: &[f64],
    evaluations: u64,
) -> Option<Maximum> {
    let start = region.share(start);
    let mut simplex = vec![start.clone()];
    for k in 0..start.len() {
        let mut corner = start.clone();
        corner[k] += if corner[k] > 0.5 {
            -SIMPLEX_EDGE
        } else {
            SIMPLEX_EDGE
        };
        simplex.push(corner);
    }
    let steps = Steps {
        surface,
        region,
        best: RefCell::new(None),
    };
    // A search that fails has still been looked at.
    let _ = Executor::new(&steps, NelderMead::new(simplex))
        .configure(|state| state.max_iters(evaluations))
        .ctrlc(false)
        .timer(false)
        .run();
    steps.best.into_inner()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::acquisition::Bound;
    use crate::maximise::points;
    use dilgp::{Dataset, Model, by_name};
    use nalgebra::{DMatrix, DVector};

    fn learnt(name: &str) -> Box<dyn Model> {
        let points = points::sobol(3, 0, 25, 4);
        let x = DMatrix::from_fn(25, 3, |row, column| points[row][column]);
        let y = DVector::from_fn(25, |row, _| {
            x.row(row).iter().map(|x| (x - 0.3).powi(2)).sum()
        });
        let data = Dataset::new(x, y).expect("finite");
        by_name(name).expect("legal").fit(&data, 1).expect("fits")
    }

    #[test]
    fn from_every_start_an_ascent_of_every_surrogate_ends_no_lower_than_it_began() {
        let criterion = Bound { kappa: 2.0 };
        for name in dilgp::NAMES {
            let model = learnt(name);
            let surface = Surface {
                model: model.as_ref(),
                criterion: &criterion,
                within: None,
            };
            for start in points::sobol(3, 7, 5, 2) {
                let maximum = ascend(&surface, &Region::cube(3), &start, 60).expect("finite");
                let began = surface.values(std::slice::from_ref(&start))[0];
                // Two formulas for one number (a slope and a batch) differ by rounding.
                assert!(maximum.value >= began - 1e-7, "{name}: {began} {maximum:?}");
                assert!(maximum.x.iter().all(|x| (0.0..=1.0).contains(x)), "{name}");
            }
        }
    }

    #[test]
    fn a_simplex_goes_inwards_from_a_corner_in_every_coordinate() {
        let model = learnt("gp");
        let surface = Surface {
            model: model.as_ref(),
            criterion: &crate::acquisition::LeastMean,
            within: None,
        };
        for corner in [0.0, 1.0] {
            let best = by_simplex(&surface, &Region::cube(3), &[corner; 3], 60).expect("finite");
            // It began at 0.27 or 1.47.
            assert!(best.value > -0.02, "{best:?}");
        }
    }

    #[test]
    fn a_smooth_bowl_s_bottom_is_reached_to_the_tolerance() {
        let model = learnt("gp");
        let surface = Surface {
            model: model.as_ref(),
            criterion: &crate::acquisition::LeastMean,
            within: None,
        };
        let maximum = ascend(&surface, &Region::cube(3), &[0.8, 0.1, 0.5], 60).expect("finite");
        let (_, slope) = surface.slope(&maximum.x).expect("differentiable");
        assert!(slope.iter().all(|s| s.abs() < 1e-4), "{slope:?}");
    }
}
