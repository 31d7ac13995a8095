//! Trim: the point about which the vehicle is linearised.

use super::POSITION_PERIOD_S;
use super::linear::moments;
use crate::control::{attitude_for, low_pass_decay};
use crate::vehicle::airframe::{Gains, VerticalLoop};
use crate::vehicle::quadrotor::{Quadrotor, State};
use crate::{Airframe, CONTROL_PERIOD_S, GRAVITY_M_S2};
use nalgebra::{Complex, SMatrix, SVector, UnitQuaternion, Vector3, Vector4};
use trajectories::{Reference, Trajectory};

/// Time over which the turning of the wanted attitude is measured [s].
const TURN_S: f64 = 1e-4;

/// Corrections of force and moments.
const CORRECTIONS: usize = 60;

/// Where the vehicle is on its trajectory, how it moves there, and what holds it.
#[derive(Debug, Clone)]
pub(super) struct Trim {
    /// The vehicle on the reference, with rotors that carry it.
    pub(super) state: State,
    /// Its acceleration without gravity [m/s²].
    pub(super) specific_force_m_s2: Vector3<f64>,
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
    pub(super) fn along(
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
        let quadrotor = Quadrotor::new(airframe);
        let mut trim = Trim {
            state: State::on(reference, airframe.hover_speed_rad_s()),
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
            let rate = quadrotor.derivative(&trim.state, &trim.state.rotors_rad_s, &wind_m_s);
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
fn speeds(airframe: &Airframe, thrust_n: f64, moment_n_m: &Vector3<f64>) -> [f64; 4] {
    let wrench = moment_n_m.insert_row(0, thrust_n);
    let rotors = &airframe.rotors;
    let thrusts = match rotors.inverse_allocation() {
        Ok(inverse) => inverse * wrench,
        // Excluded by `Airframe::check`.
        Err(_) => Vector4::repeat(0.25 * thrust_n),
    };
    let least = 1e-3 * thrust_n;
    thrusts
        .map(|f| (f.max(least) / rotors.thrust_n_s2_per_rad2).sqrt())
        .into()
}

fn specific_force(reference: &Reference) -> Vector3<f64> {
    reference.acceleration_m_s2 + Vector3::z() * GRAVITY_M_S2
}

/// The derivative of `f` at 0 by differences over `h` and 2 `h`, whose error is of fourth order.
pub(super) fn slope<const N: usize>(f: impl Fn(f64) -> SVector<f64, N>, h: f64) -> SVector<f64, N> {
    let over = |h: f64| (f(h) - f(-h)) / (2.0 * h);
    (over(h) * 4.0 - over(2.0 * h)) / 3.0
}

// Gains: what each loop multiplies its errors with, as a function of frequency.

/// The gains of the cascade, each by axis.
#[derive(Debug, Clone)]
pub(super) struct LoopGains {
    /// On position, its integral and velocity.
    pub(super) position: [Vector3<f64>; 3],
    /// On the attitude error.
    pub(super) attitude: Vector3<f64>,
    /// Feedforward of the rate setpoint, and of its derivative, over the moments of inertia.
    pub(super) feedforward: [Vector3<f64>; 2],
    /// What is left after a period of the filtered setpoint, and of the filtered torque.
    pub(super) setpoint_decay: Vector3<f64>,
    pub(super) torque_decay: Vector3<f64>,
    /// The loop on the vertical acceleration, and what is left of its filtered error and of its filtered
    /// thrust after a period.
    pub(super) vertical: Option<(VerticalLoop, [f64; 2])>,
    /// On the rate error, its integral and the derivative, over the moments of inertia.
    pub(super) rate: [Vector3<f64>; 3],
    /// What is left of the rate filter's state after a period.
    pub(super) filter_decay: f64,
}

impl LoopGains {
    pub(super) fn of(airframe: &Airframe, gains: &Gains) -> LoopGains {
        let (xy, z) = (gains.position_xy, gains.position_z);
        let moments = moments(airframe);
        let rate = |gain: [f64; 3]| Vector3::from(gain).component_div(&moments);
        let law = airframe.controller.law();
        let decay = |hz: f64| low_pass_decay(hz, CONTROL_PERIOD_S);
        LoopGains {
            position: [
                Vector3::new(xy.kp, xy.kp, z.kp),
                Vector3::new(xy.ki, xy.ki, z.ki),
                Vector3::new(xy.kd, xy.kd, z.kd),
            ],
            attitude: Vector3::from(gains.attitude_kp),
            feedforward: [law.rate_feedforward, law.rate_feedforward_derivative].map(rate),
            setpoint_decay: Vector3::from(law.rate_setpoint_filter_hz.map(decay)),
            torque_decay: Vector3::from(law.torque_filter_hz.map(decay)),
            vertical: law
                .vertical
                .map(|law| (law, [law.filter_hz, law.thrust_filter_hz].map(decay))),
            rate: [gains.rate_kp, gains.rate_ki, gains.rate_kd].map(rate),
            filter_decay: (-CONTROL_PERIOD_S / airframe.controller.rate_filter_s).exp(),
        }
    }

    /// On position and velocity.
    pub(super) fn outer(&self, frequency: f64) -> [Vector3<Complex<f64>>; 2] {
        let [kp, ki, kd] = self.position;
        let turned = Complex::from_polar(1.0, frequency * POSITION_PERIOD_S);
        let integral = summed(turned) * POSITION_PERIOD_S;
        let on_position = kp.zip_map(&ki, |kp, ki| integral * ki + kp);
        [on_position, kd.map(Complex::from)]
    }

    /// On the rate setpoint, and on the rate itself, the derivative with it.
    pub(super) fn inner(&self, z: Complex<f64>) -> [Vector3<Complex<f64>>; 2] {
        let [kp, ki, kd] = self.rate;
        let integral = summed(z) * CONTROL_PERIOD_S;
        let change = Complex::from(1.0) - z.inv();
        let moved = change * low_pass(self.filter_decay, z);
        let on_error = kp.zip_map(&ki, |kp, ki| integral * ki + kp);
        let on_rate = on_error.zip_map(&kd, |e, kd| e + moved * (kd / CONTROL_PERIOD_S));
        let [on_setpoint, on_change] = self.feedforward;
        let feedforward =
            on_setpoint.zip_map(&on_change, |s, c| change * (c / CONTROL_PERIOD_S) + s);
        let shaped = self.setpoint_decay.map(|decay| low_pass(decay, z));
        let on_setpoint = (on_error + feedforward).component_mul(&shaped);
        let passed = self.torque_decay.map(|decay| low_pass(decay, z));
        [on_setpoint, on_rate].map(|on| on.component_mul(&passed))
    }

    /// What the loop on the vertical acceleration adds to the thrust over the mass for its error, and the
    /// acceleration that is felt for a climb.
    pub(super) fn vertical(&self, z: Complex<f64>) -> Option<[Complex<f64>; 2]> {
        let (law, [of_error, of_thrust]) = self.vertical?;
        let on_error = summed(z) * (law.ki * CONTROL_PERIOD_S) + law.kp;
        let felt = (Complex::from(1.0) - z.inv()) / CONTROL_PERIOD_S;
        let passed = low_pass(of_error, z) * low_pass(of_thrust, z);
        Some([on_error * passed, felt])
    }

    /// Whether an autopilot's law adds nothing to the cascade.
    pub(super) fn is_plain(&self) -> bool {
        let still = |v: &Vector3<f64>| v.iter().all(|x| *x == 0.0);
        self.vertical.is_none()
            && still(&self.torque_decay)
            && still(&self.setpoint_decay)
            && self.feedforward.iter().all(still)
    }
}

/// A low-pass of first order of which `decay` is left after a period.
fn low_pass(decay: f64, z: Complex<f64>) -> Complex<f64> {
    Complex::from(1.0 - decay) / (Complex::from(1.0) - z.inv() * decay)
}

/// The sum of all samples up to now, over the sample.
fn summed(z: Complex<f64>) -> Complex<f64> {
    (Complex::from(1.0) - z.inv()).inv()
}
