//! Attitude loop: from the wanted force to a rate setpoint.

use crate::lanes::axes::{Axes, Turn};
use crate::lanes::{MOST_LANES, Real};
use crate::vehicle::airframe::{AttitudeLaw, ControllerLimits, Law};
use nalgebra::{Matrix3, Quaternion, UnitQuaternion, Vector3};
use std::f64::consts::TAU;

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

/// The attitude loop of one vehicle, or of one in each lane.
#[derive(Debug, Clone)]
pub(crate) struct AttitudeLoop<R> {
    law: AttitudeLaw,
    heading_weight: f64,
    /// Absent where no axis has one.
    acceleration_rad_s2: Option<[f64; 3]>,
    kp: Axes<R>,
    limit_rad_s: Vector3<f64>,
}

impl<R: Real> AttitudeLoop<R> {
    pub(super) fn new(controller: &ControllerLimits, kp: Axes<R>) -> AttitudeLoop<R> {
        let law = controller.law();
        AttitudeLoop {
            law: law.attitude,
            heading_weight: law.heading_weight,
            acceleration_rad_s2: Some(law.attitude_acceleration_rad_s2)
                .filter(|limits| limits.iter().any(|limit| *limit > 0.0)),
            kp,
            limit_rad_s: Vector3::from(controller.rate_setpoint_limit_rad_s),
        }
    }

    /// Rate setpoint, clamped per axis [rad/s].
    #[inline(always)]
    pub(super) fn rate_setpoint(&self, attitude: Turn<R>, wanted: Turn<R>) -> Axes<R> {
        let error = match self.law {
            AttitudeLaw::Quaternion => {
                let error = attitude.conjugate_times(wanted);
                let zero = error.w.like(0.0);
                let sign = R::pick(error.w.below(zero), zero - 2.0, zero + 2.0);
                return (error.i.scaled(self.kp) * sign).clamped(&self.limit_rad_s);
            }
            AttitudeLaw::TiltFirst => {
                tilt_first(attitude.conjugate_times(wanted), self.heading_weight)
            }
            AttitudeLaw::Angles => each_lane(attitude, wanted, angles),
        };
        let wanted = match self.acceleration_rad_s2 {
            None => error.scaled(self.kp),
            Some([x, y, z]) => Axes::new(
                taken_back(error.x, self.kp.x, x),
                taken_back(error.y, self.kp.y, y),
                taken_back(error.z, self.kp.z, z),
            ),
        };
        wanted.clamped(&self.limit_rad_s)
    }
}

/// The rate at which an error is taken back: P times it up to a/P², where that would slow down by a
/// [rad/s²], and the root of 2 a (e − a/2P²) beyond.
#[inline(always)]
fn taken_back<R: Real>(error: R, kp: R, acceleration: f64) -> R {
    if acceleration == 0.0 {
        return error * kp;
    }
    let zero = error.like(0.0);
    let size = error.abs();
    // Without P nothing is taken back, and a/P² is no number.
    let linear = zero.like(acceleration) / (kp * kp).greater(zero + 1e-12);
    let root = ((size - linear * 0.5).greater(zero) * (2.0 * acceleration)).sqrt();
    let beyond = R::pick(error.below(zero), -root, root);
    R::pick(linear.below(size), beyond, error * kp)
}

/// How the error of `law` answers a small turn of the wanted attitude about the body axes, where the
/// vehicle has `attitude`.
pub(crate) fn small_errors(law: &Law, attitude: &UnitQuaternion<f64>) -> Matrix3<f64> {
    if law.attitude != AttitudeLaw::Angles {
        return Matrix3::identity();
    }
    let h = 1e-4;
    let along = |axis: usize| {
        let at = |h: f64| {
            let mut turn = Vector3::zeros();
            turn[axis] = h;
            let wanted = attitude * UnitQuaternion::from_scaled_axis(turn);
            angles(attitude, &wanted)
        };
        (at(h) - at(-h)) / (2.0 * h)
    };
    Matrix3::from_columns(&[0, 1, 2].map(along))
}

/// Twice the vector part of `error` taken apart: the shortest turn of the thrust axis, then what is
/// left about it, of which the share `weight` is corrected together with the tilt.
#[inline(always)]
fn tilt_first<R: Real>(error: Turn<R>, weight: f64) -> Axes<R> {
    let Turn { w, i } = error;
    let zero = w.like(0.0);
    // Cosine and sine of half the turn about the thrust axis; at half a turn of the axis itself any
    // heading will do.
    let norm = (w * w + i.z * i.z).sqrt().greater(zero + 1e-12);
    let per_norm = zero.like(2.0) / norm;
    let (cosine, sine) = (w * per_norm, i.z * per_norm);
    let tilt = Axes::new(
        i.x * cosine - i.y * sine,
        i.x * sine + i.y * cosine,
        R::pick(w.below(zero), -sine, sine),
    );
    if weight == 0.0 {
        return tilt;
    }
    // Half the share of the heading that goes with the tilt.
    let half = zero.fill(|k| weight * (0.5 * tilt.z.lane(k)).clamp(-1.0, 1.0).asin());
    let (cosine, sine) = (
        zero.fill(|k| half.lane(k).cos()),
        zero.fill(|k| half.lane(k).sin()),
    );
    Axes::new(
        tilt.x * cosine + tilt.y * sine,
        tilt.y * cosine - tilt.x * sine,
        norm * sine * (2.0 / weight),
    )
}

/// Errors of roll, pitch and yaw [rad], with the wanted tilt taken in the vehicle's own heading.
fn angles(attitude: &UnitQuaternion<f64>, wanted: &UnitQuaternion<f64>) -> Vector3<f64> {
    let (roll, pitch, yaw) = attitude.euler_angles();
    let (_, _, wanted_yaw) = wanted.euler_angles();
    let turned = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), -yaw);
    let axis = turned * (wanted * Vector3::z());
    // Of the rotation Rz(0) Ry(pitch) Rx(roll) the third column is this axis.
    let wanted_roll = (-axis.y).clamp(-1.0, 1.0).asin();
    let wanted_pitch = axis.x.atan2(axis.z);
    let apart = wanted_yaw - yaw;
    Vector3::new(
        wanted_roll - roll,
        wanted_pitch - pitch,
        apart - TAU * (apart / TAU).round(),
    )
}

/// `error` of each lane's attitudes.
fn each_lane<R: Real>(
    attitude: Turn<R>,
    wanted: Turn<R>,
    error: impl Fn(&UnitQuaternion<f64>, &UnitQuaternion<f64>) -> Vector3<f64>,
) -> Axes<R> {
    let mut errors = [Vector3::zeros(); MOST_LANES];
    for (k, into) in errors.iter_mut().enumerate().take(R::LANES) {
        let [is, should] = [attitude, wanted].map(|q| UnitQuaternion::new_unchecked(q.lane(k)));
        *into = error(&is, &should);
    }
    Axes::fill(attitude.w, |k| errors[k])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Airframe;
    use proptest::prelude::*;

    fn setpoint(
        wanted: &UnitQuaternion<f64>,
        kp: Vector3<f64>,
        limit: Vector3<f64>,
    ) -> Vector3<f64> {
        let mut controller = Airframe::omac().controller;
        controller.rate_setpoint_limit_rad_s = limit.into();
        by(&controller, &UnitQuaternion::identity(), wanted, kp)
    }

    fn by(
        controller: &ControllerLimits,
        attitude: &UnitQuaternion<f64>,
        wanted: &UnitQuaternion<f64>,
        kp: Vector3<f64>,
    ) -> Vector3<f64> {
        let attitude_loop = AttitudeLoop::new(controller, Axes::from(&kp));
        let [is, should] = [attitude, wanted].map(Turn::from);
        attitude_loop.rate_setpoint(is, should).into()
    }

    /// The setpoint of a law with unit gains and without limits.
    fn error(
        attitude: AttitudeLaw,
        heading_weight: f64,
        is: &UnitQuaternion<f64>,
        should: &UnitQuaternion<f64>,
    ) -> Vector3<f64> {
        let mut controller = Airframe::omac().controller;
        controller.rate_setpoint_limit_rad_s = [100.0; 3];
        controller.law = Some(Law {
            attitude,
            heading_weight,
            ..Law::default()
        });
        by(&controller, is, should, Vector3::repeat(1.0))
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

    proptest! {
        #[test]
        fn every_law_answers_a_small_turn_alike_on_a_level_vehicle(
            x in -1e-3f64..1e-3, y in -1e-3f64..1e-3, z in -1e-3f64..1e-3, yaw in -3.0f64..3.0,
        ) {
            let is = UnitQuaternion::from_euler_angles(0.0, 0.0, yaw);
            let turn = Vector3::new(x, y, z);
            let should = is * UnitQuaternion::from_scaled_axis(turn);
            for (law, weight) in [
                (AttitudeLaw::Quaternion, 0.0),
                (AttitudeLaw::TiltFirst, 0.0),
                (AttitudeLaw::TiltFirst, 0.4),
                (AttitudeLaw::Angles, 0.0),
            ] {
                let got = error(law, weight, &is, &should);
                prop_assert!((got - turn).norm() < 3e-6, "{law:?} {weight}: {got} {turn}");
            }
        }

        #[test]
        fn tilt_first_turns_the_thrust_axis_the_shortest_way_whatever_the_heading(
            x in -1.0f64..1.0, y in -1.0f64..1.0, yaw in -3.1f64..3.1,
            roll in -0.5f64..0.5, pitch in -0.5f64..0.5,
        ) {
            let is = UnitQuaternion::from_euler_angles(roll, pitch, 0.3);
            let should = attitude_for(&Vector3::new(x, y, 1.2), 0.3 + yaw);
            let got = error(AttitudeLaw::TiltFirst, 0.0, &is, &should);
            // The axis of that turn, in the body's axes, by the cross product.
            let axis = is.inverse() * (should * Vector3::z());
            let across = Vector3::z().cross(&axis);
            let sine = 2.0 * (0.5 * across.norm().atan2(axis.z)).sin();
            let expected = across.try_normalize(1e-12).unwrap_or_default() * sine;
            prop_assert!((got.xy() - expected.xy()).norm() < 1e-9, "{got} {expected}");
        }

        #[test]
        fn with_weight_one_tilt_first_is_the_whole_quaternion(
            x in -1.0f64..1.0, y in -1.0f64..1.0, yaw in -3.0f64..3.0,
        ) {
            let is = UnitQuaternion::from_euler_angles(0.2, -0.1, 0.4);
            let should = attitude_for(&Vector3::new(x, y, 1.5), 0.4 + yaw);
            let whole = error(AttitudeLaw::Quaternion, 0.0, &is, &should);
            let weighed = error(AttitudeLaw::TiltFirst, 1.0, &is, &should);
            prop_assert!((whole - weighed).norm() < 1e-9, "{whole} {weighed}");
        }

        #[test]
        fn angles_are_those_of_roll_pitch_and_yaw_in_the_vehicle_s_own_heading(
            roll in -0.5f64..0.5, pitch in -0.5f64..0.5, yaw in -3.0f64..3.0, off in -2.0f64..2.0,
        ) {
            let is = UnitQuaternion::from_euler_angles(0.0, 0.0, yaw);
            // The wanted thrust axis of this roll and pitch in the vehicle's heading.
            let axis = UnitQuaternion::from_euler_angles(roll, pitch, yaw) * Vector3::z();
            let should = attitude_for(&axis, yaw + off);
            let got = error(AttitudeLaw::Angles, 0.0, &is, &should);
            prop_assert!((got.x - roll).abs() < 1e-9 && (got.y - pitch).abs() < 1e-9, "{got}");
        }
    }

    #[test]
    fn beyond_its_linear_range_an_error_is_taken_back_at_the_acceleration() {
        // a = 8, P = 4: linear up to 0.5; at 2 the root of 16 (2 - 0.25); both meet at 0.5.
        let rate = |error: f64| taken_back(error, 4.0, 8.0);
        assert_eq!((rate(0.25), rate(-0.5)), (1.0, -2.0));
        assert!((rate(2.0) - 28f64.sqrt()).abs() < 1e-12);
        assert!((rate(-2.0) + 28f64.sqrt()).abs() < 1e-12);
        assert!((rate(0.5 + 1e-9) - 2.0).abs() < 1e-8);
        assert_eq!(taken_back(2.0, 4.0, 0.0), 8.0);
        assert_eq!(taken_back(2.0, 0.0, 8.0), 0.0);
    }

    #[test]
    fn the_rate_setpoint_is_clamped() {
        let wanted = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), 3.0);
        let limit = Vector3::new(3.1, 3.1, 0.873);
        let rate = setpoint(&wanted, Vector3::repeat(15.0), limit);
        assert_eq!(rate, Vector3::new(0.0, 0.0, 0.873));
    }
}
