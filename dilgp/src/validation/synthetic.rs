//! Synthetic: the two tasks of the paper's Table 1, drawn as the authors' code draws them.
//!
//! Each has two clusters of inputs with their own response. Training sees 100 points of the first
//! and 15 of the second; the test is 80 further points of the second. The paper's text describes
//! other clusters; these are the ones that give its numbers.

use nalgebra::{DMatrix, DVector};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

use crate::Dataset;

/// Points drawn in each cluster.
const DRAWN: usize = 100;
/// Of the second cluster, the first 15 train and those from the 21st on test.
const SECOND_TRAINS: usize = 15;
const SECOND_TESTS_FROM: usize = 20;

/// One of the two tasks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Task {
    /// One input: N(0, 1) and N(6.5, 1).
    Line,
    /// Two inputs: N(0.3, 0.1^2) and N(0.7, 0.1^2) in each coordinate.
    Plane,
}

/// A draw of a task.
#[derive(Debug, Clone, PartialEq)]
pub struct Draw {
    /// 115 points.
    pub train: Dataset,
    /// 80 points of the second cluster.
    pub test: Dataset,
    /// The response at these without noise.
    pub truth: DVector<f64>,
    /// Whether each training point is of the second cluster.
    pub second: Vec<bool>,
}

impl Task {
    /// Coordinates of a point.
    pub fn dimensions(self) -> usize {
        match self {
            Task::Line => 1,
            Task::Plane => 2,
        }
    }

    /// The learning rate at which the authors train on it.
    pub fn released_rate(self) -> f64 {
        match self {
            Task::Line => 0.005,
            Task::Plane => 0.01,
        }
    }

    /// The response without noise at `x`, in the first or the second cluster.
    pub fn truth(self, x: &[f64], second: bool) -> f64 {
        use std::f64::consts::PI;
        match (self, second) {
            (Task::Line, false) => 3.0 * (2.0 * PI * x[0] / 4.0).sin(),
            (Task::Line, true) => 0.5 - (2.0 * PI * (x[0] - 6.5) / 64.0).sin(),
            (Task::Plane, false) => x.iter().map(|x| 1.5 * (30.0 * x + 20.0).sin()).sum(),
            (Task::Plane, true) => {
                1.1 + x.iter().map(|x| 0.5 * (50.0 * x + 20.0).sin()).sum::<f64>()
            }
        }
    }

    /// Centre and spread of the inputs in a cluster, and the standard deviation of its noise.
    fn moments(self, second: bool) -> (f64, f64, f64) {
        match (self, second) {
            (Task::Line, false) => (0.0, 1.0, 0.3),
            (Task::Line, true) => (6.5, 1.0, 0.1),
            (Task::Plane, false) => (0.3, 0.1, 0.1),
            (Task::Plane, true) => (0.7, 0.1, 0.05),
        }
    }

    /// The draw of a seed.
    pub fn draw(self, seed: u64) -> Draw {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let (d, random) = (self.dimensions(), &mut random);
        let [first, other] = [false, true].map(|second| {
            let (centre, spread, noise) = self.moments(second);
            cluster(random, (centre, spread), d, noise, |x| {
                self.truth(x, second)
            })
        });
        Draw::of(&first, &other, d)
    }
}

/// Points of a cluster with that centre and spread in each coordinate, its response and its noise.
fn cluster(
    random: &mut ChaCha8Rng,
    (centre, spread): (f64, f64),
    dimensions: usize,
    noise: f64,
    truth: impl Fn(&[f64]) -> f64,
) -> Vec<Point> {
    let mut normal = || -> f64 { StandardNormal.sample(random) };
    let point = |_| {
        let x = (0..dimensions).map(|_| centre + spread * normal());
        let x: Vec<f64> = x.collect();
        let truth = truth(&x);
        let y = truth + noise * normal();
        Point { x, truth, y }
    };
    (0..DRAWN).map(point).collect()
}

/// A task drawn at random, to test claims about all tasks: two clusters of one to three inputs,
/// 5 to 12 deviations apart, each with its own sine and offset, under one noise, as the paper's
/// Theorem 1 supposes. As in [`Task::draw`], 100 and 15 points train and 80 of the second cluster
/// test.
pub fn random_task(seed: u64) -> Draw {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let d = random.random_range(1..=3);
    let apart = random.random_range(5.0..12.0);
    let noise = random.random_range(0.05..0.5);
    let [first, other] = [0.0, apart / (d as f64).sqrt()].map(|centre| {
        let amplitude: Vec<f64> = (0..d).map(|_| random.random_range(0.1..3.0)).collect();
        let frequency: Vec<f64> = (0..d).map(|_| random.random_range(0.1..3.0)).collect();
        let phase = random.random_range(0.0..std::f64::consts::TAU);
        let offset = random.random_range(-2.0..2.0);
        cluster(&mut random, (centre, 1.0), d, noise, |x| {
            let waves = x.iter().zip(&amplitude).zip(&frequency);
            let waves: f64 = waves.map(|((x, a), w)| a * (w * x + phase).sin()).sum();
            offset + waves
        })
    });
    Draw::of(&first, &other, d)
}

/// A point drawn: where, the response there, and what was observed of it.
struct Point {
    x: Vec<f64>,
    truth: f64,
    y: f64,
}

impl Draw {
    /// Of the points of both clusters, in as many dimensions.
    fn of(first: &[Point], other: &[Point], dimensions: usize) -> Draw {
        let tests = &other[SECOND_TESTS_FROM..];
        Draw {
            train: dataset(first.iter().chain(&other[..SECOND_TRAINS]), dimensions),
            test: dataset(tests.iter(), dimensions),
            truth: DVector::from_iterator(tests.len(), tests.iter().map(|point| point.truth)),
            second: (0..DRAWN + SECOND_TRAINS).map(|i| i >= DRAWN).collect(),
        }
    }
}

fn dataset<'a>(points: impl Iterator<Item = &'a Point> + Clone, d: usize) -> Dataset {
    let y: Vec<f64> = points.clone().map(|point| point.y).collect();
    let x: Vec<f64> = points.flat_map(|point| point.x.iter().copied()).collect();
    Dataset::new(
        DMatrix::from_row_slice(y.len(), d, &x),
        DVector::from_vec(y),
    )
    .expect("normal draws are finite, and there are some")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_tasks_differ_and_repeat() {
        let dimensions: Vec<usize> = (0..30).map(|s| random_task(s).train.dimensions()).collect();
        assert!((1..=3).all(|d| dimensions.contains(&d)));
        let task = random_task(8);
        assert_eq!((task.train.len(), task.test.len()), (115, 80));
        assert_eq!(task, random_task(8));
        // One noise of .05 to .5 on every point, whichever its task.
        for seed in 0..30 {
            let task = random_task(seed);
            let noise = (task.test.y() - &task.truth).norm() / 80f64.sqrt();
            assert!((0.04..0.65).contains(&noise), "{seed}: {noise}");
        }
    }

    #[test]
    fn draws_have_the_sizes_and_moments_of_the_task() {
        for (task, centres, spread) in [
            (Task::Line, [0.0, 6.5], 1.0),
            (Task::Plane, [0.3, 0.7], 0.1),
        ] {
            let draw = task.draw(4);
            assert_eq!((draw.train.len(), draw.test.len()), (115, 80));
            assert_eq!(draw.second.iter().filter(|s| **s).count(), 15);
            let first = draw.train.x().rows(0, 100);
            let mean = |m: &[f64]| m.iter().sum::<f64>() / m.len() as f64;
            let first: Vec<f64> = first.iter().copied().collect();
            assert!((mean(&first) - centres[0]).abs() < 4.0 * spread / 10.0);
            assert!((mean(draw.test.x().as_slice()) - centres[1]).abs() < 4.0 * spread / 8.9);
            let miss: Vec<f64> = (0..80)
                .map(|i| {
                    let x: Vec<f64> = draw.test.x().row(i).iter().copied().collect();
                    (draw.test.y()[i] - task.truth(&x, true)).powi(2)
                })
                .collect();
            let noise = mean(&miss).sqrt() / task.moments(true).2;
            assert!((0.7..1.3).contains(&noise), "{noise}");
            for i in 0..80 {
                let x: Vec<f64> = draw.test.x().row(i).iter().copied().collect();
                assert_eq!(draw.truth[i], task.truth(&x, true));
            }
            assert_eq!(draw, task.draw(4));
            assert!(draw.train != task.draw(5).train);
        }
    }
}
