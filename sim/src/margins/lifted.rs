//! Lifted: the vehicle with its inner loops closed, from one sample of the position loop to the next.
//!
//! It says in one go what the frequencies that look alike at the position loop's samples add up to. What
//! the sensors have not yet shown would be part of its state, so it is for sensors without delay.

use super::cascade::{Cascade, OF_LOOPS};
use super::linear::STATES;
use crate::POSITION_TICKS;
use nalgebra::{Complex, DVector, SMatrix};

/// The vehicle, the integrals of the rate errors and the filter.
const LIFTED: usize = STATES + 6;

/// x' = Φ x + Γ a over one period of the position loop, with the wanted acceleration a held.
#[derive(Debug, Clone)]
pub(super) struct Lifted {
    phi: SMatrix<f64, LIFTED, LIFTED>,
    gamma: SMatrix<f64, LIFTED, 3>,
}

impl Lifted {
    /// That of `system`; nothing where its sensors are late or its loops remember more.
    pub(super) fn of(system: &Cascade) -> Option<Lifted> {
        if system.delay_periods > 0 || !system.gains.is_plain() {
            return None;
        }
        let after = |mut all: DVector<f64>| {
            for _ in 0..POSITION_TICKS {
                system.step(&mut all, false);
            }
            all.fixed_rows::<LIFTED>(0).into_owned()
        };
        let at_rest = || DVector::zeros(STATES + OF_LOOPS);
        let one = |k: usize| {
            let mut all = at_rest();
            all[k] = 1.0;
            after(all)
        };
        let held = |axis: usize| {
            let mut all = at_rest();
            let asked = system.aim.column(axis);
            all.fixed_rows_mut::<4>(STATES + 9).copy_from(&asked);
            after(all)
        };
        let columns: Vec<_> = (0..LIFTED).map(one).collect();
        Some(Lifted {
            phi: SMatrix::from_columns(&columns),
            gamma: SMatrix::from_columns(&[0, 1, 2].map(held)),
        })
    }

    /// Position and velocity at the samples for wanted accelerations that go as zᵏ from one to the next.
    pub(super) fn at(&self, z: Complex<f64>) -> SMatrix<Complex<f64>, 6, 3> {
        let mut system = self.phi.map(|x| Complex::from(-x));
        for k in 0..LIFTED {
            system[(k, k)] += z;
        }
        let states = system.lu().solve(&self.gamma.map(Complex::from));
        // Only exactly at an eigenvalue.
        let states = states.unwrap_or_else(|| SMatrix::from_element(f64::INFINITY.into()));
        states.fixed_view::<6, 3>(0, 0).into_owned()
    }
}
