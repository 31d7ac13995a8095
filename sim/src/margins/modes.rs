//! Modes: how fast the closed loop settles, or takes off.
//!
//! The whole cascade, with its two clocks and the delay of what is measured, is a linear map of its state over
//! one period of the position loop. The eigenvalue of greatest magnitude says how a small
//! disturbance ends. It is found by Arnoldi's method, which for a state of up to [`MOST_VECTORS`]
//! numbers is exact.

use super::POSITION_PERIOD_S;
use super::cascade::Cascade;
use super::linear::OUTPUTS;
use super::loops::Linearised;
use crate::POSITION_TICKS;
use nalgebra::{Complex, DMatrix, DVector, Schur};
use serde::Serialize;

/// Most vectors of the Krylov space.
const MOST_VECTORS: usize = 160;

/// Most steps of the search for eigenvalues, a hundred for each of the vectors: it ends after two or
/// three, or never.
const MOST_STEPS: usize = 100 * MOST_VECTORS;

/// Tolerances of that search, one after the other until one is met.
const TOLERANCES: [f64; 4] = [f64::EPSILON, 1e-14, 1e-13, 1e-12];

/// Growth below which a mode counts as neutral: a loop without a gain neither grows nor decays [1/s].
const NEUTRAL_PER_S: f64 = 1e-4;

/// The mode that decides how a small disturbance ends.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Mode {
    /// Rate at which it grows, or, negative, decays [1/s].
    pub growth_per_s: f64,
    /// Its frequency [Hz]; 0 where it does not oscillate.
    pub frequency_hz: f64,
}

impl Mode {
    /// Whether small disturbances die away.
    pub fn is_stable(&self) -> bool {
        self.growth_per_s < NEUTRAL_PER_S
    }
}

impl Linearised {
    /// The mode that decays slowest, or grows fastest.
    pub fn mode(&self) -> Mode {
        dominant(&self.cascade)
    }
}

fn dominant(system: &Cascade) -> Mode {
    let size = system.size();
    let (basis, small) = krylov(system, size);
    let finite = small.iter().all(|entry| entry.is_finite());
    // Where many modes are gone within a period the search can turn in circles at the finest tolerance.
    let mut tolerances = TOLERANCES.into_iter().filter(|_| finite);
    let schur = tolerances.find_map(|at| Schur::try_new(small.clone(), at, MOST_STEPS));
    let Some(schur) = schur else {
        // Gains beyond all measure: no eigenvalue is greater than the norm.
        let norm = if finite { small.norm() } else { f64::MAX };
        return Mode {
            growth_per_s: norm.clamp(1.0, f64::MAX).ln() / POSITION_PERIOD_S,
            frequency_hz: 0.0,
        };
    };
    let greatest = |a: Complex<f64>, b: &Complex<f64>| if b.norm() > a.norm() { *b } else { a };
    let eigenvalues = schur.complex_eigenvalues();
    let value = eigenvalues.iter().fold(Complex::from(0.0), greatest);
    Mode {
        growth_per_s: value.norm().max(f64::MIN_POSITIVE).ln() / POSITION_PERIOD_S,
        frequency_hz: frequency_hz(system, &basis, &small, value),
    }
}

/// An orthonormal basis of the space that the map spans from one vector, and the map in it.
fn krylov(system: &Cascade, size: usize) -> (Vec<DVector<f64>>, DMatrix<f64>) {
    let most = size.min(MOST_VECTORS);
    let start = DVector::from_fn(size, |k, _| 1.0 + (1.7 * (k as f64 + 1.0)).sin());
    let mut basis = vec![start.normalize()];
    let mut small = DMatrix::zeros(most, most);
    for column in 0..most {
        let mut next = basis[column].clone();
        for tick in 0..POSITION_TICKS {
            system.step(&mut next, tick == 0);
        }
        let norm = next.norm();
        for _ in 0..2 {
            for (row, vector) in basis.iter().enumerate() {
                let share = vector.dot(&next);
                small[(row, column)] += share;
                next.axpy(-share, vector, 1.0);
            }
        }
        let left = next.norm();
        if column + 1 == most || left <= 1e-13 * norm {
            let count = column + 1;
            return (basis, small.view((0, 0), (count, count)).into_owned());
        }
        small[(column + 1, column)] = left;
        basis.push(next / left);
    }
    (basis, small)
}

/// The frequency at which the mode of `value` turns, followed period by period, so that one above half
/// the position loop's rate keeps its own.
fn frequency_hz(
    system: &Cascade,
    basis: &[DVector<f64>],
    small: &DMatrix<f64>,
    value: Complex<f64>,
) -> f64 {
    let size = small.nrows();
    let mut shifted = small.map(Complex::from);
    for k in 0..size {
        shifted[(k, k)] -= value * (1.0 + 1e-10) + 1e-14;
    }
    let mut vector = DVector::from_element(size, Complex::from(1.0));
    let decomposed = shifted.lu();
    for _ in 0..3 {
        let Some(solved) = decomposed.solve(&vector) else {
            return 0.0;
        };
        vector = solved.clone() / Complex::from(solved.norm());
    }
    let part = |of: &dyn Fn(&Complex<f64>) -> f64| {
        let mut sum = DVector::zeros(basis[0].len());
        for (vector, share) in basis.iter().zip(vector.iter()) {
            sum.axpy(of(share), vector, 1.0);
        }
        sum
    };
    let (mut real, mut imaginary) = (part(&|c| c.re), part(&|c| c.im));
    // The vehicle's velocity, attitude and rates are never still in a mode that grows.
    let watched = (3..OUTPUTS).max_by(|a, b| {
        let size = |k: usize| real[k].hypot(imaginary[k]);
        size(*a).total_cmp(&size(*b))
    });
    let watched = watched.unwrap_or(3);
    let at = |real: &DVector<f64>, imaginary: &DVector<f64>| {
        Complex::new(real[watched], imaginary[watched])
    };
    let (mut before, mut turned) = (at(&real, &imaginary), 0.0);
    for tick in 0..POSITION_TICKS {
        system.step(&mut real, tick == 0);
        system.step(&mut imaginary, tick == 0);
        let after = at(&real, &imaginary);
        turned += (after * before.conj()).arg();
        before = after;
    }
    turned.abs() / (std::f64::consts::TAU * POSITION_PERIOD_S)
}
