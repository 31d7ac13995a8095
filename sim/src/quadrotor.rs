//! The quadrotor: a rigid body with four lagging rotors, and the integrator that moves it.
//!
//! Newton's and Euler's equations with a unit quaternion:
//!
//! ṗ = v, m v̇ = R(q) f + (0, 0, −m g), q̇ = ½ q ⊗ (0, ω), J ω̇ = τ − ω × J ω.
//!
//! Rotor speeds follow ṅ = (n_command − n) / τ_rotor, whose exact solution under a held command is
//! used at the middle and the end of each step; body motion is integrated by the classical
//! fourth-order Runge-Kutta method with the wind held over the step.

use crate::aero::{CrosswindPull, RotorPull};
use crate::{Airframe, GRAVITY_M_S2};
use nalgebra::{Matrix3, Quaternion, UnitQuaternion, Vector3};

/// Where the vehicle is and how it moves: everything that evolves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct State {
    /// Centre of mass in the world frame, relative to the start of the flight [m].
    pub position_m: Vector3<f64>,
    /// Velocity of the centre of mass in the world frame [m/s].
    pub velocity_m_s: Vector3<f64>,
    /// Turns body vectors into world vectors.
    pub attitude: UnitQuaternion<f64>,
    /// Angular velocity of the body against the world, in body axes [rad/s].
    pub rates_rad_s: Vector3<f64>,
    /// Speed of each rotor [rad/s].
    pub rotors_rad_s: [f64; 4],
}

impl State {
    /// Whether every number is finite.
    pub fn is_finite(&self) -> bool {
        self.position_m.iter().all(|x| x.is_finite())
            && self.velocity_m_s.iter().all(|x| x.is_finite())
            && self.attitude.coords.iter().all(|x| x.is_finite())
            && self.rates_rad_s.iter().all(|x| x.is_finite())
            && self.rotors_rad_s.iter().all(|x| x.is_finite())
    }
}

/// One vehicle's constants, ready for integration; nothing in it changes during a flight.
#[derive(Debug, Clone)]
pub struct Quadrotor {
    mass_kg: f64,
    inertia: Matrix3<f64>,
    inertia_inverse: Matrix3<f64>,
    hubs_m: [Vector3<f64>; 4],
    yaw_arms: [f64; 4],
    thrust_coefficient: f64,
    lag_s: f64,
    speed_range_rad_s: [f64; 2],
    crosswind: CrosswindPull,
}

/// What the rotors do to the body at one instant, before the air moves across them.
struct RotorEffect {
    thrust_n: f64,
    moment_n_m: Vector3<f64>,
    pull: RotorPull,
}

/// Body part of the state, or its time derivative.
#[derive(Clone, Copy)]
struct Motion {
    position: Vector3<f64>,
    velocity: Vector3<f64>,
    attitude: Quaternion<f64>,
    rates: Vector3<f64>,
}

impl Motion {
    /// self + h · rate
    fn advanced(&self, rate: &Motion, h: f64) -> Motion {
        Motion {
            position: self.position + rate.position * h,
            velocity: self.velocity + rate.velocity * h,
            attitude: self.attitude + rate.attitude * h,
            rates: self.rates + rate.rates * h,
        }
    }
}

impl Quadrotor {
    /// The vehicle that `airframe` describes.
    ///
    /// # Panics
    /// When the inertia is singular, which [`Airframe::check`] excludes.
    pub fn new(airframe: &Airframe) -> Quadrotor {
        let rotors = &airframe.rotors;
        Quadrotor {
            mass_kg: airframe.mass_kg,
            inertia: airframe.inertia(),
            inertia_inverse: airframe
                .inertia()
                .try_inverse()
                .expect("a checked airframe has a positive definite inertia"),
            hubs_m: rotors.positions(),
            yaw_arms: rotors
                .yaw_torque_signs
                .map(|s| s * rotors.torque_n_m_s2_per_rad2),
            thrust_coefficient: rotors.thrust_n_s2_per_rad2,
            lag_s: rotors.lag_s,
            speed_range_rad_s: [rotors.min_speed_rad_s, rotors.max_speed_rad_s],
            crosswind: CrosswindPull::new(&airframe.side_force, rotors),
        }
    }

    /// Moves `state` on by `dt_s`, with the commanded rotor speeds [rad/s] and the wind velocity
    /// in the world frame [m/s] held. A command outside the rotors' range is clipped before the
    /// lag.
    pub fn step(
        &self,
        state: &mut State,
        command_rad_s: &[f64; 4],
        wind_m_s: &Vector3<f64>,
        dt_s: f64,
    ) {
        let half_s = 0.5 * dt_s;
        let decay = (-half_s / self.lag_s).exp();
        let middle_rad_s = self.lagged(&state.rotors_rad_s, command_rad_s, decay);
        let end_rad_s = self.lagged(&middle_rad_s, command_rad_s, decay);
        let start = self.rotor_effect(&state.rotors_rad_s);
        let middle = self.rotor_effect(&middle_rad_s);
        let end = self.rotor_effect(&end_rad_s);

        let body = Motion {
            position: state.position_m,
            velocity: state.velocity_m_s,
            attitude: state.attitude.into_inner(),
            rates: state.rates_rad_s,
        };
        let k1 = self.rate(&body, &start, wind_m_s);
        let k2 = self.rate(&body.advanced(&k1, half_s), &middle, wind_m_s);
        let k3 = self.rate(&body.advanced(&k2, half_s), &middle, wind_m_s);
        let k4 = self.rate(&body.advanced(&k3, dt_s), &end, wind_m_s);
        let moved = body
            .advanced(&k1, dt_s / 6.0)
            .advanced(&k2, dt_s / 3.0)
            .advanced(&k3, dt_s / 3.0)
            .advanced(&k4, dt_s / 6.0);

        state.position_m = moved.position;
        state.velocity_m_s = moved.velocity;
        state.attitude = UnitQuaternion::new_normalize(moved.attitude);
        state.rates_rad_s = moved.rates;
        state.rotors_rad_s = end_rad_s;
    }

    /// Acceleration of the centre of mass in the world frame [m/s²] and angular acceleration in
    /// body axes [rad/s²] at one instant.
    pub fn accelerations(
        &self,
        state: &State,
        wind_m_s: &Vector3<f64>,
    ) -> (Vector3<f64>, Vector3<f64>) {
        let body = Motion {
            position: state.position_m,
            velocity: state.velocity_m_s,
            attitude: state.attitude.into_inner(),
            rates: state.rates_rad_s,
        };
        let rate = self.rate(&body, &self.rotor_effect(&state.rotors_rad_s), wind_m_s);
        (rate.velocity, rate.rates)
    }

    /// Speeds after the command was held for −lag · ln(decay) seconds.
    fn lagged(&self, speeds: &[f64; 4], command: &[f64; 4], decay: f64) -> [f64; 4] {
        let [least, greatest] = self.speed_range_rad_s;
        std::array::from_fn(|i| {
            let target = command[i].clamp(least, greatest);
            target + (speeds[i] - target) * decay
        })
    }

    fn rotor_effect(&self, speeds_rad_s: &[f64; 4]) -> RotorEffect {
        let mut thrust_n = 0.0;
        let mut moment_n_m = Vector3::zeros();
        for ((speed, hub), yaw_arm) in speeds_rad_s.iter().zip(&self.hubs_m).zip(self.yaw_arms) {
            let square = speed * speed;
            let force_n = self.thrust_coefficient * square;
            thrust_n += force_n;
            moment_n_m += Vector3::new(hub.y * force_n, -hub.x * force_n, yaw_arm * square);
        }
        RotorEffect {
            thrust_n,
            moment_n_m,
            pull: self.crosswind.pull(speeds_rad_s),
        }
    }

    fn rate(&self, body: &Motion, rotors: &RotorEffect, wind_m_s: &Vector3<f64>) -> Motion {
        // Off the unit sphere by O(h²) inside a step, which leaves the method's order intact.
        let attitude = UnitQuaternion::new_unchecked(body.attitude);
        let relative_wind = attitude.inverse_transform_vector(&(wind_m_s - body.velocity));
        let (side_force, side_moment) = self.crosswind.wrench(&rotors.pull, &relative_wind);
        let force = side_force + Vector3::new(0.0, 0.0, rotors.thrust_n);
        let moment = side_moment + rotors.moment_n_m;
        let spin = Quaternion::from_parts(0.0, body.rates);
        Motion {
            position: body.velocity,
            velocity: attitude * force / self.mass_kg - Vector3::new(0.0, 0.0, GRAVITY_M_S2),
            attitude: body.attitude * spin * 0.5,
            rates: self.inertia_inverse * (moment - body.rates.cross(&(self.inertia * body.rates))),
        }
    }
}
