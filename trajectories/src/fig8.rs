//! Figure-8: a lying eight whose plane stands on the diagonal x = y.

use crate::{Reference, Trajectory};
use nalgebra::Vector3;
use std::f64::consts::{PI, TAU};

/// p(t) = (2 sin ωt, 2 sin ωt, sin 2ωt) m, ω = 2π/T.
///
/// The curve of Shi et al., "Meta-adaptive nonlinear control" (NeurIPS 2021), which the DIL-GP
/// paper flies. T = 1.5π s is its demanding period: a horizontal acceleration of up to 5 m/s²
/// together with a vertical one of up to 7 m/s².
#[derive(Debug, Clone, Copy)]
pub struct Fig8;

/// Time for one whole eight, T [s].
const PERIOD_S: f64 = 1.5 * PI;

impl Trajectory for Fig8 {
    fn name(&self) -> &str {
        "fig8"
    }

    fn at(&self, t_s: f64) -> Reference {
        let w = TAU / PERIOD_S;
        let across = Vector3::new(2.0, 2.0, 0.0);
        let up = Vector3::z();
        let (sin_1, cos_1) = (w * t_s).sin_cos();
        // The double angle; the products keep the digits where a difference of squares loses them.
        let sin_2 = 2.0 * sin_1 * cos_1;
        let cos_2 = (cos_1 - sin_1) * (cos_1 + sin_1);
        Reference {
            position_m: across * sin_1 + up * sin_2,
            velocity_m_s: across * (w * cos_1) + up * (2.0 * w * cos_2),
            acceleration_m_s2: across * (-w * w * sin_1) + up * (-4.0 * w * w * sin_2),
            yaw_rad: 0.0,
        }
    }
}
