//! Trim: the point about which the vehicle is linearised.

use crate::control::attitude_for;
use crate::vehicle::multirotor::Multirotor;
use crate::vehicle::per_rotor::PerRotor;
use crate::vehicle::state::State;
use crate::{Airframe, GRAVITY_M_S2};
use nalgebra::{SMatrix, SVector, UnitQuaternion, Vector3, Vector4};
use trajectories::{Reference, Trajectory};

/// Time over which the turning of the wanted attitude is measured [s].
const TURN_S: f64 = 1e-4;

/// Corrections of force and moments.
const CORRECTIONS: usize = 60;

/// Where the vehicle is on its trajectory, how it moves there, and what holds it.
#[derive(Debug, Clone)]
pub(crate) struct Trim {
    /// The vehicle on the reference, with rotors that carry it.
    pub(crate) state: State,
    /// Its acceleration without gravity [m/s²].
    pub(crate) specific_force_m_s2: Vector3<f64>,
    /// Where it heads [rad].
    pub(super) yaw_rad: f64,
    /// Wind velocity in the world frame [m/s].
    pub(super) wind_m_s: Vector3<f64>,
}

impl Trim {
    /// At rest, level, in air that moves with `wind_m_s`.
    pub(super) fn hover(airframe: &Airframe, wind_m_s: Vector3<f64>) -> Trim {
        let still = Reference {
            position_m: Vector3::zeros(),
            velocity_m_s: Vector3::zeros(),
            acceleration_m_s2: Vector3::zeros(),
            yaw_rad: 0.0,
        };
        Trim::of(airframe, &still, Vector3::zeros(), wind_m_s)
    }

    /// On `trajectory` at `t_s`, exactly, turning as the reference turns.
    pub(crate) fn along(
        airframe: &Airframe,
        trajectory: &dyn Trajectory,
        t_s: f64,
        wind_m_s: Vector3<f64>,
    ) -> Trim {
        let attitude = |t: f64| {
            let reference = trajectory.at(t);
            attitude_for(&specific_force(&reference), reference.yaw_rad)
        };
        let turned = attitude(t_s).rotation_to(&attitude(t_s + TURN_S));
        // `rotation_to` turns in the world frame; the rates are those about body axes.
        let turned = attitude(t_s).inverse() * turned.scaled_axis();
        Trim::of(airframe, &trajectory.at(t_s), turned / TURN_S, wind_m_s)
    }

    /// What holds the vehicle on `reference` against the air: force and moments are corrected by what
    /// is missing until nothing is.
    fn of(
        airframe: &Airframe,
        reference: &Reference,
        rates_rad_s: Vector3<f64>,
        wind_m_s: Vector3<f64>,
    ) -> Trim {
        let multirotor = Multirotor::new(airframe);
        let mut trim = Trim {
            state: State::on(
                reference,
                PerRotor::new(airframe.rotors.count(), |_| airframe.hover_speed_rad_s()),
            ),
            specific_force_m_s2: specific_force(reference),
            yaw_rad: reference.yaw_rad,
            wind_m_s,
        };
        trim.state.rates_rad_s = rates_rad_s;
        let mut moment_n_m = Vector3::zeros();
        for _ in 0..CORRECTIONS {
            let force = trim.specific_force_m_s2;
            trim.state.attitude = attitude_for(&force, reference.yaw_rad);
            let thrust_n = airframe.mass_kg * force.norm();
            trim.state.rotors_rad_s = speeds(airframe, thrust_n, &moment_n_m);
            let rate = multirotor.derivative(&trim.state, &trim.state.rotors_rad_s, &wind_m_s);
            trim.specific_force_m_s2 += reference.acceleration_m_s2 - rate.acceleration_m_s2;
            moment_n_m -= airframe.inertia() * rate.angular_acceleration_rad_s2;
        }
        trim
    }

    /// How the wanted attitude, as a turn about body axes [rad], and the thrust over the mass
    /// [m/s²] follow the wanted acceleration: four rows, three columns.
    pub(super) fn aim(&self) -> SMatrix<f64, 4, 3> {
        let at = |k: usize, h: f64| {
            let mut force = self.specific_force_m_s2;
            force[k] += h;
            let wanted: UnitQuaternion<f64> = attitude_for(&force, self.yaw_rad);
            let turn = (self.state.attitude.inverse() * wanted).scaled_axis();
            Vector4::new(turn.x, turn.y, turn.z, force.norm())
        };
        let columns = [0, 1, 2].map(|k| slope(|h| at(k, h), 1e-2));
        SMatrix::from_columns(&columns)
    }
}

/// Rotor speeds that give thrust and moments [rad/s]; a rotor that would have to push down stands
/// almost still.
fn speeds(airframe: &Airframe, thrust_n: f64, moment_n_m: &Vector3<f64>) -> PerRotor {
    let wrench = moment_n_m.insert_row(0, thrust_n);
    let rotors = &airframe.rotors;
    let thrusts = match rotors.mixing() {
        Ok(mixing) => mixing * wrench,
        // Excluded by `Airframe::check`.
        Err(_) => SVector::repeat(thrust_n / rotors.lift_factor()),
    };
    let least = 1e-3 * thrust_n;
    PerRotor::new(rotors.count(), |i| {
        (thrusts[i].max(least) / rotors.thrust_n_s2_per_rad2).sqrt()
    })
}

fn specific_force(reference: &Reference) -> Vector3<f64> {
    reference.acceleration_m_s2 + Vector3::z() * GRAVITY_M_S2
}

/// The derivative of `f` at 0 by differences over `h` and 2 `h`, whose error is of fourth order.
pub(super) fn slope<const N: usize>(f: impl Fn(f64) -> SVector<f64, N>, h: f64) -> SVector<f64, N> {
    let over = |h: f64| (f(h) - f(-h)) / (2.0 * h);
    (over(h) * 4.0 - over(2.0 * h)) / 3.0
}
