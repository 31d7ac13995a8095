//! Sine forward: steady progress along x with a sideways sine.

use crate::{Reference, Trajectory};
use nalgebra::Vector3;
use std::f64::consts::TAU;

/// p(t) = (v t, A sin ωt, 0) m, ω = 2π/T.
///
/// The DIL-GP paper names this flight without an equation; speed, amplitude and period are this
/// project's choice.
#[derive(Debug, Clone, Copy)]
pub struct SinForward;

/// Speed along x, v [m/s].
const SPEED_M_S: f64 = 1.0;

/// Sideways amplitude, A [m].
const AMPLITUDE_M: f64 = 1.0;

/// Period of the sine, T [s].
const PERIOD_S: f64 = 6.0;

impl Trajectory for SinForward {
    fn name(&self) -> &str {
        "sin-forward"
    }

    fn at(&self, t_s: f64) -> Reference {
        let w = TAU / PERIOD_S;
        let (sin, cos) = (w * t_s).sin_cos();
        let a = AMPLITUDE_M;
        Reference {
            position_m: Vector3::new(SPEED_M_S * t_s, a * sin, 0.0),
            velocity_m_s: Vector3::new(SPEED_M_S, a * w * cos, 0.0),
            acceleration_m_s2: Vector3::new(0.0, -a * w * w * sin, 0.0),
            yaw_rad: 0.0,
        }
    }
}
