//! Obstacle: a box in the way, and how far a point is from it.

use super::MAX_EXTENT_M;
use crate::error::Error;
use nalgebra::Vector3;

/// Least edge of an obstacle: thinner ones could be passed between two steps [m].
const MIN_EDGE_M: f64 = 1e-3;

/// A box that stands in the way, turned about the vertical only.
#[derive(Debug, Clone, PartialEq)]
pub struct Obstacle {
    /// The name under which a collision with it is reported.
    pub name: String,
    /// Its centre in the world frame [m].
    pub centre_m: Vector3<f64>,
    /// Lengths of its edges (full, not half) along its own x, y and z axes [m].
    pub size_m: Vector3<f64>,
    /// Angle of its x axis about world z [deg].
    pub yaw_deg: f64,
}

/// An obstacle as the distance formula wants it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Placed {
    centre: Vector3<f64>,
    half: Vector3<f64>,
    cos_yaw: f64,
    sin_yaw: f64,
}

impl Obstacle {
    /// Checks its numbers; `number` counts the obstacles from 1.
    pub(super) fn check(&self, number: usize) -> Result<(), Error> {
        let refuse = |quantity, value, wanted| {
            Err(Error::Obstacle {
                number,
                name: self.name.clone(),
                quantity,
                value,
                wanted,
            })
        };
        for &x in self.centre_m.iter() {
            if !(-MAX_EXTENT_M..=MAX_EXTENT_M).contains(&x) {
                return refuse("centre_m", x, "finite, at most 1e5 m");
            }
        }
        for &edge in self.size_m.iter() {
            if !(MIN_EDGE_M..=MAX_EXTENT_M).contains(&edge) {
                return refuse("size_m", edge, "between 1e-3 and 1e5 m");
            }
        }
        if !(-360.0..=360.0).contains(&self.yaw_deg) {
            return refuse("yaw_deg", self.yaw_deg, "between -360 and 360");
        }
        Ok(())
    }
}

impl Placed {
    pub(super) fn of(obstacle: &Obstacle) -> Placed {
        let (sin_yaw, cos_yaw) = obstacle.yaw_deg.to_radians().sin_cos();
        Placed {
            centre: obstacle.centre_m,
            half: obstacle.size_m * 0.5,
            cos_yaw,
            sin_yaw,
        }
    }

    /// Signed distance to the surface of the box [m].
    pub(super) fn distance_m(&self, position_m: &Vector3<f64>) -> f64 {
        let d = position_m - self.centre;
        let local = Vector3::new(
            self.cos_yaw * d.x + self.sin_yaw * d.y,
            self.cos_yaw * d.y - self.sin_yaw * d.x,
            d.z,
        );
        let beyond = local.abs() - self.half;
        let outside = beyond.map(|x| x.max(0.0)).norm();
        let inside = beyond.x.max(beyond.y).max(beyond.z).min(0.0);
        outside + inside
    }
}
