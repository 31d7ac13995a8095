//! Linear: the vehicle about its trim, sampled at the control period.

use super::trim::{Trim, slope};
use crate::vehicle::multirotor::Multirotor;
use crate::vehicle::per_rotor::MOST_ROTORS;
use crate::vehicle::rotors::Mixing;
use crate::{Airframe, CONTROL_PERIOD_S};
use nalgebra::{Complex, DMatrix, Matrix4, SMatrix, SVector, Vector3, Vector4};

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
    let multirotor = Multirotor::new(airframe);
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
        let rate = multirotor.derivative(&state, &command, &trim.wind_m_s);
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
fn speeds_by_input(airframe: &Airframe, trim: &Trim) -> Mixing {
    let rotors = &airframe.rotors;
    // Excluded by `Airframe::check`.
    let mixing = rotors.mixing().unwrap_or_else(|_| Mixing::identity());
    let sizes =
        Vector4::new(airframe.mass_kg, 0.0, 0.0, 0.0) + moments(airframe).insert_row(0, 0.0);
    let mut per_thrust = SVector::<f64, MOST_ROTORS>::zeros();
    for (one, speed) in per_thrust.iter_mut().zip(trim.state.rotors_rad_s) {
        *one = 0.5 / (rotors.thrust_n_s2_per_rad2 * speed);
    }
    SMatrix::from_diagonal(&per_thrust) * mixing * Matrix4::from_diagonal(&sizes)
}

/// Moments of inertia about the body axes [kg m²].
pub(super) fn moments(airframe: &Airframe) -> Vector3<f64> {
    airframe.inertia().diagonal()
}
