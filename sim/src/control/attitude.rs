//! Attitude loop: from the wanted force to a rate setpoint.

use crate::lanes::Real;
use crate::lanes::axes::{Axes, Turn};
use nalgebra::{Quaternion, UnitQuaternion, Vector3};

/// The attitude whose z axis lies along `force`, reached from a heading of `yaw_rad` by the
/// shortest tilt.
pub(crate) fn attitude_for(force: &Vector3<f64>, yaw_rad: f64) -> UnitQuaternion<f64> {
    let yaw = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), yaw_rad);
    let Some(direction) = force.try_normalize(1e-9) else {
        return yaw;
    };
    // 1 + cos and sin of the tilt: twice the cosine of half the tilt times cosine and sine of it.
    let tilt = Quaternion::new(1.0 + direction.z, -direction.y, direction.x, 0.0);
    // Only a force straight down has no shortest tilt; the force limits exclude it.
    let tilt = UnitQuaternion::try_new(tilt, 1e-9).unwrap_or(UnitQuaternion::identity());
    tilt * yaw
}

/// Rate setpoint 2 P sign(q₀) q_v of the error quaternion, clamped per axis [rad/s].
#[inline(always)]
pub(super) fn rate_setpoint<R: Real>(
    attitude: Turn<R>,
    wanted: Turn<R>,
    kp: Axes<R>,
    limit: &Vector3<f64>,
) -> Axes<R> {
    let error = attitude.conjugate_times(wanted);
    let zero = error.w.like(0.0);
    let sign = R::pick(error.w.below(zero), zero - 2.0, zero + 2.0);
    (error.i.scaled(kp) * sign).clamped(limit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn setpoint(
        wanted: &UnitQuaternion<f64>,
        kp: Vector3<f64>,
        limit: Vector3<f64>,
    ) -> Vector3<f64> {
        let level = Turn::from(&UnitQuaternion::identity());
        rate_setpoint(level, Turn::from(wanted), Axes::from(&kp), &limit).into()
    }

    proptest! {
        #[test]
        fn the_attitude_points_its_z_axis_along_the_force_and_keeps_the_heading(
            x in -1.0f64..1.0, y in -1.0f64..1.0, yaw in -3.0f64..3.0,
        ) {
            let force = Vector3::new(x, y, 1.5);
            let attitude = attitude_for(&force, yaw);
            prop_assert!((attitude * Vector3::z() - force.normalize()).norm() < 1e-9);
            let level = attitude_for(&Vector3::z(), yaw) * Vector3::x();
            prop_assert!((level.y.atan2(level.x) - yaw).abs() < 1e-9);
        }

        #[test]
        fn a_small_error_is_answered_in_proportion_on_both_covers_of_the_rotation(
            angle in -0.05f64..0.05,
        ) {
            let wanted = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), angle);
            let kp = Vector3::new(15.0, 15.0, 1.0);
            let limit = Vector3::repeat(10.0);
            let one = setpoint(&wanted, kp, limit);
            let negative = UnitQuaternion::new_unchecked(-wanted.into_inner());
            let other = setpoint(&negative, kp, limit);
            prop_assert!((one.y - 15.0 * angle).abs() < 15.0 * angle.abs().powi(3));
            prop_assert_eq!(one, other);
        }
    }

    #[test]
    fn the_rate_setpoint_is_clamped() {
        let wanted = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), 3.0);
        let limit = Vector3::new(3.1, 3.1, 0.873);
        let rate = setpoint(&wanted, Vector3::repeat(15.0), limit);
        assert_eq!(rate, Vector3::new(0.0, 0.0, 0.873));
    }
}
