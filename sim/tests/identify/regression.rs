//! What least squares make of a flight whose rotors are taken to follow their commands at once: angular accelerations
//! by differences, with the known mixing.

use super::flown::Flown;
use nalgebra::{SMatrix, SVector, Vector3};
use sim::GRAVITY_M_S2;
use std::collections::HashMap;

/// Samples over which rates are differentiated, and the time [s].
const OVER: usize = 10;
const OVER_S: f64 = 10e-3;

/// Sums of least squares with `N` factors.
struct Sums<const N: usize>(SMatrix<f64, N, N>, SVector<f64, N>);

impl<const N: usize> Sums<N> {
    fn new() -> Sums<N> {
        Sums(SMatrix::zeros(), SVector::zeros())
    }

    fn add(&mut self, row: [f64; N], seen: f64) {
        let row = SVector::from(row);
        self.0 += row * row.transpose();
        self.1 += row * seen;
    }

    fn factors(self) -> SVector<f64, N> {
        let inverse = self.0.try_inverse().expect("it moves");
        inverse * self.1
    }
}

/// The properties that can be had so, by their names.
pub fn regressed(flown: &Flown) -> HashMap<&'static str, f64> {
    let rotors = &flown.airframe.rotors;
    let (mass_kg, top) = (flown.airframe.mass_kg, rotors.max_speed_rad_s);
    let arm_m = Vector3::from(rotors.positions_m[0]).xy().norm();
    let mut turns = [(); 3].map(|()| Sums::<2>::new());
    let (mut up, mut across) = (Sums::<3>::new(), [(); 2].map(|()| Sums::<3>::new()));
    for shown in &flown.shown {
        let mut velocity = Vector3::zeros();
        for pair in shown.windows(OVER + 1) {
            let (first, now, last) = (&pair[0], &pair[OVER / 2], &pair[OVER]);
            velocity = now.velocity_m_s.unwrap_or(velocity);
            if last.time_s - first.time_s > 1.05 * OVER_S {
                continue;
            }
            let shares = now.command_rad_s.map(|speed| speed / top);
            let sum = |of: &dyn Fn(usize) -> f64| -> f64 {
                (0..4).map(|i| of(i) * shares[i] * shares[i]).sum()
            };
            let levers = [
                sum(&|i| rotors.positions_m[i][1] / arm_m),
                sum(&|i| -rotors.positions_m[i][0] / arm_m),
                sum(&|i| rotors.yaw_torque_signs[i]),
            ];
            let turned = (last.gyro_rad_s - first.gyro_rad_s) / OVER_S;
            for (axis, sums) in turns.iter_mut().enumerate() {
                sums.add([levers[axis], 1.0], turned[axis]);
            }
            let v = now.attitude.inverse() * velocity;
            let (speeds, fast) = (shares.iter().sum::<f64>(), v.norm());
            let force = now.accelerometer_m_s2;
            up.add([sum(&|_| 1.0), -speeds * v.z, -fast * v.z], force.z);
            for (axis, sums) in across.iter_mut().enumerate() {
                sums.add([-speeds * v[axis], -fast * v[axis], 1.0], force[axis]);
            }
        }
    }
    let [roll, pitch, yaw] = turns.map(|sums| sums.factors()[0]);
    let (up, [x, y]) = (up.factors(), across.map(Sums::factors));
    let hover = (GRAVITY_M_S2 / (4.0 * up[0])).sqrt();
    HashMap::from([
        ("hover command", hover),
        ("thrust of a rotor at full command", up[0] * mass_kg),
        ("roll gain in hover", 2.0 * hover * roll),
        ("pitch gain in hover", 2.0 * hover * pitch),
        ("yaw gain in hover", 2.0 * hover * yaw),
        ("inertia Ixx", up[0] * mass_kg * arm_m / roll),
        ("inertia Iyy", up[0] * mass_kg * arm_m / pitch),
        ("in-plane drag at hover speed", 2.0 * (x[0] + y[0]) * hover),
        ("in-plane drag x, quadratic", x[1]),
        ("in-plane drag y, quadratic", y[1]),
        ("axial drag at hover speed", 4.0 * up[1] * hover),
        ("axial drag, quadratic", up[2]),
    ])
}
