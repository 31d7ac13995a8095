//! Hover: stay where you are.

use crate::{Reference, Trajectory};
use nalgebra::Vector3;

/// p(t) = 0.
#[derive(Debug, Clone, Copy)]
pub struct Hover;

impl Trajectory for Hover {
    fn name(&self) -> &str {
        "hover"
    }

    fn at(&self, _t_s: f64) -> Reference {
        Reference {
            position_m: Vector3::zeros(),
            velocity_m_s: Vector3::zeros(),
            acceleration_m_s2: Vector3::zeros(),
            yaw_rad: 0.0,
        }
    }
}
