//! Spiral up: a helix that begins at the origin.

use crate::{DURATION_S, Reference, Trajectory};
use nalgebra::Vector3;
use std::f64::consts::TAU;

/// p(t) = (R (cos ωt − 1), R sin ωt, c t) m, ω = 2π/T.
///
/// The DIL-GP paper names this flight without an equation; radius, climb rate and period are this
/// project's choice.
#[derive(Debug, Clone, Copy)]
pub struct SpiralUp {
    /// Radius of the helix, R [m].
    pub radius_m: f64,
    /// Climb rate, c [m/s].
    pub climb_m_s: f64,
    /// Time for one turn, T [s].
    pub period_s: f64,
}

impl Default for SpiralUp {
    fn default() -> Self {
        SpiralUp {
            radius_m: 1.5,
            climb_m_s: 0.3,
            period_s: 6.0,
        }
    }
}

impl Trajectory for SpiralUp {
    fn name(&self) -> &str {
        "spiral-up"
    }

    fn duration_s(&self) -> f64 {
        DURATION_S
    }

    fn at(&self, t_s: f64) -> Reference {
        let w = TAU / self.period_s;
        let (sin, cos) = (w * t_s).sin_cos();
        let r = self.radius_m;
        Reference {
            position_m: Vector3::new(r * (cos - 1.0), r * sin, self.climb_m_s * t_s),
            velocity_m_s: Vector3::new(-r * w * sin, r * w * cos, self.climb_m_s),
            acceleration_m_s2: Vector3::new(-r * w * w * cos, -r * w * w * sin, 0.0),
            yaw_rad: 0.0,
        }
    }
}
