//! Local search: a trust region around the best point of a deterministic objective.
//!
//! A global surrogate finds the valley but is a poor map of its floor. Here a second Gaussian
//! process, smooth and with long lengths, is fitted to the points nearest to the best one only, as
//! many as a quadratic has coefficients; its mean is minimised within a box around that point.
//! The box grows after a step that kept its promise and shrinks after one that gained nothing
//! (the rule of model-based trust-region methods: Conn, Scheinberg and Vicente, "Introduction to
//! derivative-free optimization", 2009, chapter 10; alternating it with a global step: Diouane et
//! al., "TREGO", Journal of Global Optimization 2022). A collapsed box is stagnation: the search
//! is left to the global surrogate until that finds a better point.

use crate::acquisition::LeastMean;
use crate::maximise::{Region, Surface, maximise};
use crate::model::refit::Work;
use crate::observations::Known;
use dilgp::process::{Lengths, Noise, Radial, Rbf, Scaled};
use dilgp::{Dataset, Effort, Prior, Process};
use nalgebra::{DMatrix, DVector};

/// Half the first box's edge, in the unit cube.
const FIRST_RADIUS: f64 = 0.2;

/// Half the largest box's edge.
const LARGEST_RADIUS: f64 = 0.5;

/// A box smaller than this has collapsed.
const SMALLEST_RADIUS: f64 = 1e-7;

/// A step shorter than this is none.
const SMALLEST_STEP: f64 = 1e-9;

/// Share of the promised decrease that makes a step a success.
const KEPT: f64 = 0.5;

/// Lengths on coordinates scaled so that the points lie within the unit ball: log N(0.7, 0.7^2),
/// about twice its radius, which makes the process nearly a quadratic.
const LENGTHS: Prior = Prior {
    centre: 0.7,
    deviation: 0.7,
};

/// Variance that the matrix needs, on standardised values.
const FLOOR: f64 = 1e-10;

const WORK: Work = Work {
    raw: 256,
    starts: 4,
    evaluations: 80,
};

/// A local search in progress.
#[derive(Debug, Clone)]
pub struct TrustRegion {
    radius: f64,
    /// Hyper-parameters of the last local fit.
    eta: Option<Vec<f64>>,
    step: Option<Step>,
}

/// A step that was proposed and not yet judged.
#[derive(Debug, Clone, PartialEq)]
struct Step {
    x: Vec<f64>,
    from: f64,
    promised: f64,
    length: f64,
}

impl Default for TrustRegion {
    fn default() -> Self {
        TrustRegion {
            radius: FIRST_RADIUS,
            eta: None,
            step: None,
        }
    }
}

impl TrustRegion {
    /// Whether the box is too small to continue.
    pub fn collapsed(&self) -> bool {
        self.radius < SMALLEST_RADIUS
    }

    /// The least point of the local model within the box, which shrinks until there is a step to
    /// take; `None` if it collapses or the local model cannot be fitted.
    pub fn propose(&mut self, known: &[Known], seed: u64) -> Option<Vec<f64>> {
        let (centre, best) = *known.iter().min_by(|a, b| a.1.total_cmp(&b.1))?;
        let view = View::around(centre, known);
        let data = view.dataset(known)?;
        let process = local_process();
        let fitted = match &self.eta {
            Some(eta) => process.fit_from(&data, eta, true, seed),
            None => process.train(&data, seed),
        };
        let model = fitted.ok()?;
        self.eta = Some(model.eta().to_vec());
        let surface = Surface {
            model: &model,
            criterion: &LeastMean,
            within: None,
        };
        while !self.collapsed() {
            let region = view.region(self.radius);
            let start = vec![0.0; centre.len()];
            let maximum = maximise(&surface, &region, &[start], WORK, seed)?;
            let promised = best + maximum.value;
            let x = view.back(&maximum.x);
            let moved = x.iter().zip(centre).map(|(a, b)| (a - b).abs());
            let length = moved.fold(0.0, f64::max);
            if length >= SMALLEST_STEP && promised > 0.0 {
                self.step = Some(Step {
                    x: x.clone(),
                    from: best,
                    promised,
                    length,
                });
                return Some(x);
            }
            self.radius *= 0.5;
        }
        None
    }

    /// The step that was proposed is taken to `x`.
    pub fn moved_to(&mut self, x: &[f64]) {
        if let Some(step) = &mut self.step {
            step.x = x.to_vec();
        }
    }

    /// Learns what came of a point: judges the step where it was the one proposed; a better point
    /// found elsewhere opens the box again.
    pub fn judge(&mut self, x: &[f64], value: Option<f64>, best_before: Option<f64>) {
        match self.step.take() {
            Some(step) if step.x == x => {
                let gained = value.map_or(f64::NEG_INFINITY, |value| step.from - value);
                if gained > KEPT * step.promised {
                    if step.length > 0.5 * self.radius {
                        self.radius = (2.0 * self.radius).min(LARGEST_RADIUS);
                    }
                } else if gained <= 0.0 {
                    self.radius = (0.5 * self.radius).min(step.length.max(0.1 * self.radius));
                }
            }
            other => {
                self.step = other;
                let better = value.is_some_and(|v| best_before.is_some_and(|best| v < best));
                if better {
                    self.radius = self.radius.max(FIRST_RADIUS.min(4.0 * self.radius));
                    if self.collapsed() {
                        self.radius = FIRST_RADIUS;
                    }
                }
            }
        }
    }
}

fn local_process() -> Process {
    let kernel = Scaled(Radial::new(Rbf, Lengths::Each).with_length_prior(LENGTHS));
    let mut process = Process::new("local", kernel);
    process.noise = Noise::Fixed(FLOOR);
    process.seeded_starts = 0;
    process.effort = Effort {
        evaluations: 60,
        smallest_decrease: 1e-5,
        smallest_gradient: 1e-3,
    };
    process
}

/// The neighbourhood of the best point, scaled into the unit ball.
struct View<'a> {
    centre: &'a [f64],
    nearest: Vec<usize>,
    span: f64,
}

impl<'a> View<'a> {
    fn around(centre: &'a [f64], known: &[Known]) -> View<'a> {
        let distance = |index: &usize| -> f64 {
            let pairs = known[*index].0.iter().zip(centre);
            pairs.map(|(a, b)| (a - b) * (a - b)).sum()
        };
        let mut nearest: Vec<usize> = (0..known.len()).collect();
        nearest.sort_by(|a, b| distance(a).total_cmp(&distance(b)));
        let d = centre.len();
        nearest.truncate((d + 1) * (d + 2) / 2 + 1);
        let furthest = nearest.last().map_or(0.0, distance);
        View {
            centre,
            nearest,
            span: furthest.sqrt().max(SMALLEST_STEP),
        }
    }

    fn dataset(&self, known: &[Known]) -> Option<Dataset> {
        let x = DMatrix::from_fn(self.nearest.len(), self.centre.len(), |row, k| {
            (known[self.nearest[row]].0[k] - self.centre[k]) / self.span
        });
        let y = self.nearest.iter().map(|index| known[*index].1);
        Dataset::new(x, DVector::from_iterator(self.nearest.len(), y)).ok()
    }

    fn region(&self, radius: f64) -> Region {
        let side = |direction: f64| -> Vec<f64> {
            let centre = self.centre.iter();
            centre
                .map(|c| ((c + direction * radius).clamp(0.0, 1.0) - c) / self.span)
                .collect()
        };
        Region {
            low: side(-1.0),
            high: side(1.0),
        }
    }

    fn back(&self, x: &[f64]) -> Vec<f64> {
        let pairs = self.centre.iter().zip(x);
        pairs
            .map(|(c, x)| (c + x * self.span).clamp(0.0, 1.0))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn narrow_valley(x: &[f64]) -> f64 {
        (x[0] - 0.4).powi(2) + 30.0 * (x[1] - x[0]).powi(2) + (x[2] - 0.9).powi(4)
    }

    #[test]
    fn thirty_steps_reach_the_floor_of_a_narrow_valley() {
        let mut points = crate::maximise::points::sobol(3, 0, 8, 5);
        let mut region = TrustRegion::default();
        for number in 0..30 {
            let values: Vec<f64> = points.iter().map(|x| narrow_valley(x)).collect();
            let known: Vec<Known> = points.iter().map(Vec::as_slice).zip(values).collect();
            let Some(x) = region.propose(&known, number) else {
                break;
            };
            let best = known.iter().map(|k| k.1).fold(f64::INFINITY, f64::min);
            region.judge(&x, Some(narrow_valley(&x)), Some(best));
            points.push(x);
        }
        let best = points
            .iter()
            .map(|x| narrow_valley(x))
            .fold(f64::INFINITY, f64::min);
        // The best of the eight first points has 0.05.
        assert!(best < 5e-4, "{best}");
    }

    #[test]
    fn a_crash_and_a_step_that_gains_nothing_shrink_the_box_and_a_kept_promise_widens_it() {
        let step = Step {
            x: vec![0.5],
            from: 1.0,
            promised: 0.4,
            length: 0.2,
        };
        let after = |value: Option<f64>| {
            let mut region = TrustRegion {
                radius: 0.2,
                eta: None,
                step: Some(step.clone()),
            };
            region.judge(&[0.5], value, Some(1.0));
            region.radius
        };
        assert_eq!(after(None), 0.1);
        assert_eq!(after(Some(1.5)), 0.1);
        assert_eq!(after(Some(0.9)), 0.2);
        assert_eq!(after(Some(0.7)), 0.4);
    }

    #[test]
    fn a_better_point_found_elsewhere_opens_a_collapsed_box() {
        let mut region = TrustRegion {
            radius: 1e-9,
            eta: None,
            step: None,
        };
        assert!(region.collapsed());
        region.judge(&[0.1], Some(2.0), Some(1.0));
        assert!(region.collapsed());
        region.judge(&[0.1], Some(0.5), Some(1.0));
        assert_eq!(region.radius, FIRST_RADIUS);
    }
}
