//! Spiral up: a helix that begins at the origin.

use crate::{Reference, Trajectory};
use nalgebra::Vector3;
use std::f64::consts::TAU;

/// p(t) = (R (cos ωt − 1), R sin ωt, c t) m, ω = 2π/T.
///
/// The DIL-GP paper names this flight without an equation; radius, climb rate and period are this
/// project's choice.
#[derive(Debug, Clone, Copy)]
pub struct SpiralUp;

/// Radius of the helix, R [m].
const RADIUS_M: f64 = 1.5;

/// Climb rate, c [m/s].
const CLIMB_M_S: f64 = 0.3;

/// Time for one turn, T [s].
const PERIOD_S: f64 = 6.0;

impl Trajectory for SpiralUp {
    fn name(&self) -> &str {
        "spiral-up"
    }

    fn at(&self, t_s: f64) -> Reference {
        let w = TAU / PERIOD_S;
        let (sin, cos) = (w * t_s).sin_cos();
        let r = RADIUS_M;
        Reference {
            position_m: Vector3::new(r * (cos - 1.0), r * sin, CLIMB_M_S * t_s),
            velocity_m_s: Vector3::new(-r * w * sin, r * w * cos, CLIMB_M_S),
            acceleration_m_s2: Vector3::new(-r * w * w * cos, -r * w * w * sin, 0.0),
            yaw_rad: 0.0,
        }
    }
}
