//! Linear: the vehicle about its trim, sampled at the control period.

use super::POSITION_PERIOD_S;
use super::cascade::{Cascade, OF_LOOPS};
use super::loops::Linearised;
use super::trim::{Trim, slope};
use crate::vehicle::quadrotor::Quadrotor;
use crate::{Airframe, CONTROL_PERIOD_S, POSITION_TICKS};
use nalgebra::{Complex, DMatrix, DVector, Matrix4, SMatrix, SVector, Schur, Vector3, Vector4};
use serde::Serialize;

/// Position, velocity, attitude as a turn about body axes, body rates; then what the rotors give.
pub(super) const STATES: usize = 16;

/// What is measured: the first twelve.
pub(super) const OUTPUTS: usize = 12;

/// Of these, the ones on whose present value anything depends: all but the position.
const CORE: usize = 9;

/// Thrust over mass, and moments over the diagonal of the inertia.
pub(super) const INPUTS: usize = 4;

/// x' = Φ x + Γ u over one control period, with u held. Inputs are thrust over mass [m/s²] and
/// moments over the moments of inertia about the axes [rad/s²], and so are the last four states,
/// which follow them with the rotors' lag.
#[derive(Debug, Clone)]
pub(super) struct Sampled {
    pub(super) phi: SMatrix<f64, STATES, STATES>,
    pub(super) gamma: SMatrix<f64, STATES, INPUTS>,
}

impl Sampled {
    /// The vehicle `airframe` about `trim`.
    pub(super) fn of(airframe: &Airframe, trim: &Trim) -> Sampled {
        let (a, b) = continuous(airframe, trim);
        let size = STATES + INPUTS;
        let mut both = DMatrix::zeros(size, size);
        both.view_mut((0, 0), (STATES, STATES)).copy_from(&a);
        both.view_mut((0, STATES), (STATES, INPUTS)).copy_from(&b);
        let held = (both * CONTROL_PERIOD_S).exp();
        Sampled {
            phi: held.fixed_view::<STATES, STATES>(0, 0).into_owned(),
            gamma: held.fixed_view::<STATES, INPUTS>(0, STATES).into_owned(),
        }
    }

    /// The outputs for unit inputs that go as zᵏ. Nothing depends on the position, and on the rotors only
    /// what they give depends, so that only [`CORE`] states are solved for together.
    pub(super) fn at(&self, z: Complex<f64>) -> SMatrix<Complex<f64>, OUTPUTS, INPUTS> {
        let phi = |row, column| Complex::from(self.phi[(row, column)]);
        let mut rotors = SMatrix::<Complex<f64>, INPUTS, INPUTS>::zeros();
        for k in 0..INPUTS {
            rotors[(k, k)] = self.gamma[(OUTPUTS + k, k)] / (z - phi(OUTPUTS + k, OUTPUTS + k));
        }
        let given = self.phi.fixed_view::<OUTPUTS, INPUTS>(0, OUTPUTS);
        let asked = self.gamma.fixed_view::<OUTPUTS, INPUTS>(0, 0);
        let given = given.map(Complex::from) * rotors + asked.map(Complex::from);
        let mut system = SMatrix::<Complex<f64>, CORE, CORE>::from_fn(|i, j| -phi(3 + i, 3 + j));
        for k in 0..CORE {
            system[(k, k)] += z;
        }
        let core = system.lu().solve(&given.fixed_rows::<CORE>(3));
        // Only exactly at an eigenvalue, which no frequency that is looked at hits.
        let core = core.unwrap_or_else(|| SMatrix::from_element(f64::INFINITY.into()));
        let moved = SMatrix::<Complex<f64>, 3, CORE>::from_fn(|i, j| phi(i, 3 + j));
        let position = (moved * core + given.fixed_rows::<3>(0)) / (z - 1.0);
        SMatrix::from_fn(|row, column| match row {
            0..3 => position[(row, column)],
            _ => core[(row - 3, column)],
        })
    }
}

type Dynamics = SMatrix<f64, STATES, STATES>;

/// x' = A x + B u in continuous time.
fn continuous(airframe: &Airframe, trim: &Trim) -> (Dynamics, SMatrix<f64, STATES, INPUTS>) {
    let quadrotor = Quadrotor::new(airframe);
    let speeds = speeds_by_input(airframe, trim);
    let accelerations = |x: &SVector<f64, STATES>, u: &Vector4<f64>| {
        let mut state = trim.state;
        state.velocity_m_s += x.fixed_rows::<3>(3);
        state.attitude *=
            nalgebra::UnitQuaternion::from_scaled_axis(x.fixed_rows::<3>(6).into_owned());
        state.rates_rad_s += x.fixed_rows::<3>(9);
        let turned = speeds * x.fixed_rows::<4>(12);
        for (speed, more) in state.rotors_rad_s.iter_mut().zip(turned.iter()) {
            *speed += more;
        }
        let mut command = trim.state.rotors_rad_s;
        for (speed, more) in command.iter_mut().zip((speeds * u).iter()) {
            *speed += more;
        }
        let rate = quadrotor.derivative(&state, &command, &trim.wind_m_s);
        let (linear, angular) = (rate.acceleration_m_s2, rate.angular_acceleration_rad_s2);
        SVector::<f64, 6>::from_iterator(linear.iter().chain(angular.iter()).copied())
    };
    let mut a = Dynamics::zeros();
    for k in 3..STATES {
        let along = |h: f64| {
            let mut x = SVector::<f64, STATES>::zeros();
            x[k] = h;
            accelerations(&x, &Vector4::zeros())
        };
        let column = slope(along, if k < 6 { 2e-2 } else { 2e-3 });
        a.fixed_view_mut::<3, 1>(3, k)
            .copy_from(&column.fixed_rows::<3>(0));
        a.fixed_view_mut::<3, 1>(9, k)
            .copy_from(&column.fixed_rows::<3>(3));
    }
    let turning = trim.state.rates_rad_s.cross_matrix();
    for k in 0..3 {
        a[(k, 3 + k)] = 1.0;
        a[(6 + k, 9 + k)] = 1.0;
        for j in 0..3 {
            a[(6 + k, 6 + j)] -= turning[(k, j)];
        }
    }
    let mut b = SMatrix::<f64, STATES, INPUTS>::zeros();
    for k in 0..INPUTS {
        // Rotors that gain speed turn the body at once, whatever they give later.
        let along = |h: f64| {
            let mut u = Vector4::zeros();
            u[k] = h;
            accelerations(&SVector::zeros(), &u)
        };
        if airframe.rotors.rotor_inertia_kg_m2 > 0.0 {
            let column = slope(along, 2e-3);
            b.fixed_view_mut::<3, 1>(9, k)
                .copy_from(&column.fixed_rows::<3>(3));
        }
        a[(12 + k, 12 + k)] = -1.0 / airframe.rotors.lag_s;
        b[(12 + k, k)] = 1.0 / airframe.rotors.lag_s;
    }
    (a, b)
}

/// The changes of the rotor speeds that give unit inputs, to first order.
fn speeds_by_input(airframe: &Airframe, trim: &Trim) -> Matrix4<f64> {
    let rotors = &airframe.rotors;
    // Excluded by `Airframe::check`.
    let allocation = rotors
        .inverse_allocation()
        .unwrap_or_else(|_| Matrix4::identity());
    let sizes =
        Vector4::new(airframe.mass_kg, 0.0, 0.0, 0.0) + moments(airframe).insert_row(0, 0.0);
    let per_thrust =
        Vector4::from_fn(|k, _| 0.5 / (rotors.thrust_n_s2_per_rad2 * trim.state.rotors_rad_s[k]));
    Matrix4::from_diagonal(&per_thrust) * allocation * Matrix4::from_diagonal(&sizes)
}

/// Moments of inertia about the body axes [kg m²].
pub(super) fn moments(airframe: &Airframe) -> Vector3<f64> {
    airframe.inertia().diagonal()
}

// Lifted: the vehicle with its inner loops closed, from one sample of the position loop to the next.
//
// It says in one go what the frequencies that look alike at the position loop's samples add up to. What
// the sensors have not yet shown would be part of its state, so it is for sensors without delay.

/// The vehicle, the integrals of the rate errors and the filter.
const LIFTED: usize = STATES + 6;

/// x' = Φ x + Γ a over one period of the position loop, with the wanted acceleration a held.
#[derive(Debug, Clone)]
pub(super) struct Lifted {
    phi: SMatrix<f64, LIFTED, LIFTED>,
    gamma: SMatrix<f64, LIFTED, 3>,
}

impl Lifted {
    /// That of `system`; `None` if its sensors are late or its loops have more states.
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

// Modes: how fast the closed loop settles, or takes off.
//
// The whole cascade, with its two clocks and the delay of what is measured, is a linear map of its state over
// one period of the position loop. The eigenvalue of greatest magnitude says how a small
// disturbance ends. It is found by Arnoldi's method, which for a state of up to [`MOST_VECTORS`]
// numbers is exact.

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
    let size = STATES + OF_LOOPS + INPUTS * system.delay_periods as usize;
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
