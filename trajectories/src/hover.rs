//! Hover: stay where you are.

use crate::{DURATION_S, Reference, Trajectory};
use nalgebra::Vector3;

/// p(t) = 0.
#[derive(Debug, Clone, Copy)]
pub struct Hover {
    /// How long [s].
    pub lasts_s: f64,
}

impl Default for Hover {
    fn default() -> Self {
        Hover {
            lasts_s: DURATION_S,
        }
    }
}

impl Trajectory for Hover {
    fn name(&self) -> &str {
        "hover"
    }

    fn duration_s(&self) -> f64 {
        self.lasts_s
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
