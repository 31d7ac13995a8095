//! Sine forward: steady progress along x with a sideways sine.

use crate::{DURATION_S, Reference, Trajectory};
use nalgebra::Vector3;
use std::f64::consts::TAU;

/// p(t) = (v t, A sin ωt, 0) m, ω = 2π/T.
///
/// The DIL-GP paper names this flight without an equation; speed, amplitude and period are this
/// project's choice.
#[derive(Debug, Clone, Copy)]
pub struct SinForward {
    /// Speed along x, v [m/s].
    pub speed_m_s: f64,
    /// Sideways amplitude, A [m].
    pub amplitude_m: f64,
    /// Period of the sine, T [s].
    pub period_s: f64,
}

impl Default for SinForward {
    fn default() -> Self {
        SinForward {
            speed_m_s: 1.0,
            amplitude_m: 1.0,
            period_s: 6.0,
        }
    }
}

impl Trajectory for SinForward {
    fn name(&self) -> &str {
        "sin-forward"
    }

    fn duration_s(&self) -> f64 {
        DURATION_S
    }

    fn at(&self, t_s: f64) -> Reference {
        let w = TAU / self.period_s;
        let (sin, cos) = (w * t_s).sin_cos();
        let a = self.amplitude_m;
        Reference {
            position_m: Vector3::new(self.speed_m_s * t_s, a * sin, 0.0),
            velocity_m_s: Vector3::new(self.speed_m_s, a * w * cos, 0.0),
            acceleration_m_s2: Vector3::new(0.0, -a * w * w * sin, 0.0),
            yaw_rad: 0.0,
        }
    }
}
