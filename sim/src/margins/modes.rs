//! Modes: how fast the closed loop settles, or takes off.
//!
//! The whole cascade, with its two clocks and the sensors' delay, is a linear map of its state over
//! one period of the position loop. The eigenvalue of greatest magnitude says how a small
//! disturbance ends. It is found by Arnoldi's method, which for a state of up to [`MOST_VECTORS`]
//! numbers is exact.

use super::POSITION_PERIOD_S;
use super::linear::{INPUTS, OUTPUTS, STATES};
use super::loops::Linearised;
use crate::{CONTROL_PERIOD_S, POSITION_TICKS};
use nalgebra::{Complex, DMatrix, DVector, Schur, Vector3};
use serde::Serialize;

/// Most vectors of the Krylov space.
const MOST_VECTORS: usize = 160;

/// Most steps of the search for eigenvalues, a hundred for each of the vectors: it ends after two or
/// three, or never.
const MOST_STEPS: usize = 100 * MOST_VECTORS;

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

/// What the loops remember beside the vehicle: integrals of rate and position, the filter, what is
/// held; then what the sensors have not yet shown.
pub(super) const OF_LOOPS: usize = 13;

impl Linearised {
    /// The mode that decays slowest, or grows fastest.
    pub fn mode(&self) -> Mode {
        dominant(self)
    }
}

fn dominant(system: &Linearised) -> Mode {
    let size = STATES + OF_LOOPS + OUTPUTS * system.delay_periods as usize;
    let (basis, small) = krylov(system, size);
    let finite = small.iter().all(|entry| entry.is_finite());
    let schur = finite.then(|| Schur::try_new(small.clone(), f64::EPSILON, MOST_STEPS));
    let Some(schur) = schur.flatten() else {
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
fn krylov(system: &Linearised, size: usize) -> (Vec<DVector<f64>>, DMatrix<f64>) {
    let most = size.min(MOST_VECTORS);
    let start = DVector::from_fn(size, |k, _| 1.0 + (1.7 * (k as f64 + 1.0)).sin());
    let mut basis = vec![start.normalize()];
    let mut small = DMatrix::zeros(most, most);
    for column in 0..most {
        let mut next = basis[column].clone();
        for tick in 0..POSITION_TICKS {
            step(system, &mut next, tick == 0);
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

/// One control period of the linear cascade.
pub(super) fn step(system: &Linearised, all: &mut DVector<f64>, positions: bool) {
    let vehicle = all.fixed_rows::<STATES>(0).into_owned();
    let now = vehicle.fixed_rows::<OUTPUTS>(0).into_owned();
    let seen = delayed(system, all, now);
    let at = |from: usize| seen.fixed_rows::<3>(from).into_owned();
    let [kp, ki, kd] = system.gains.position;
    if positions {
        let integral = (memory(all, 6) - at(0) * POSITION_PERIOD_S).zip_map(&ki, used);
        keep(all, 6, &integral);
        let wanted =
            ki.component_mul(&integral) - kp.component_mul(&at(0)) - kd.component_mul(&at(3));
        all.fixed_rows_mut::<4>(STATES + 9)
            .copy_from(&(system.aim * wanted));
    }
    let held = all.fixed_rows::<4>(STATES + 9).into_owned();
    let setpoint = (held.fixed_rows::<3>(0) - at(6)).component_mul(&system.gains.attitude);
    let [kp, ki, kd] = system.gains.rate;
    let error = setpoint - at(9);
    let integral = (memory(all, 0) + error * CONTROL_PERIOD_S).zip_map(&ki, used);
    let moved = (at(9) - memory(all, 3)) * (1.0 - system.gains.filter_decay);
    let filtered = memory(all, 3) + moved;
    keep(all, 0, &integral);
    keep(all, 3, &filtered);
    let torque = kp.component_mul(&error) + ki.component_mul(&integral)
        - kd.component_mul(&moved) / CONTROL_PERIOD_S;
    let input = nalgebra::SVector::<f64, INPUTS>::new(held[3], torque.x, torque.y, torque.z);
    let moved = system.plant.phi * vehicle + system.plant.gamma * input;
    all.fixed_rows_mut::<STATES>(0).copy_from(&moved);
}

/// An integral that nobody uses is no part of the state.
fn used(integral: f64, gain: f64) -> f64 {
    if gain == 0.0 { 0.0 } else { integral }
}

fn memory(all: &DVector<f64>, from: usize) -> Vector3<f64> {
    all.fixed_rows::<3>(STATES + from).into_owned()
}

fn keep(all: &mut DVector<f64>, from: usize, values: &Vector3<f64>) {
    all.fixed_rows_mut::<3>(STATES + from).copy_from(values);
}

/// What the sensors show of `now`; newest last.
fn delayed(
    system: &Linearised,
    all: &mut DVector<f64>,
    now: nalgebra::SVector<f64, OUTPUTS>,
) -> nalgebra::SVector<f64, OUTPUTS> {
    if system.delay_periods == 0 {
        return now;
    }
    let (from, end) = (STATES + OF_LOOPS, all.len());
    let shown = all.fixed_rows::<OUTPUTS>(from).into_owned();
    all.as_mut_slice().copy_within(from + OUTPUTS..end, from);
    all.fixed_rows_mut::<OUTPUTS>(end - OUTPUTS).copy_from(&now);
    shown
}

/// The frequency at which the mode of `value` turns, told period by period, so that one above half
/// the position loop's rate keeps its own.
fn frequency_hz(
    system: &Linearised,
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
        step(system, &mut real, tick == 0);
        step(system, &mut imaginary, tick == 0);
        let after = at(&real, &imaginary);
        turned += (after * before.conj()).arg();
        before = after;
    }
    turned.abs() / (std::f64::consts::TAU * POSITION_PERIOD_S)
}
