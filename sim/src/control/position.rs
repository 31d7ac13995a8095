//! Position loop: from where the vehicle should be to the force that takes it there.

use super::CONTROL_PERIOD_S;
use crate::lanes::Real;
use crate::vehicle::airframe::{Gains, VerticalLoop};
use crate::{Airframe, GRAVITY_M_S2, Measurement};
use nalgebra::Vector3;
use trajectories::Reference;

/// Force limits and clamp of one vehicle's position loop.
#[derive(Debug, Clone)]
pub(crate) struct PositionLoop {
    kp: Vector3<f64>,
    ki: Vector3<f64>,
    kd: Vector3<f64>,
    mass_kg: f64,
    max_thrust_n: f64,
    max_tilt_rad: f64,
    integral_limit_m_s: f64,
    /// Integral of the position error [m s]: the loop's only memory.
    integral_m_s: Vector3<f64>,
}

impl PositionLoop {
    pub(crate) fn new(airframe: &Airframe, gains: &Gains) -> PositionLoop {
        let (xy, z) = (gains.position_xy, gains.position_z);
        PositionLoop {
            kp: Vector3::new(xy.kp, xy.kp, z.kp),
            ki: Vector3::new(xy.ki, xy.ki, z.ki),
            kd: Vector3::new(xy.kd, xy.kd, z.kd),
            mass_kg: airframe.mass_kg,
            max_thrust_n: airframe.controller.max_thrust_n,
            max_tilt_rad: airframe.controller.max_tilt_deg.to_radians(),
            integral_limit_m_s: airframe.controller.position_integral_limit_m_s,
            integral_m_s: Vector3::zeros(),
        }
    }

    /// Lets the integral give `acceleration_m_s2` as far as it can, and returns how far from the reference
    /// the vehicle has to be for kp to give the rest [m].
    pub(crate) fn hold(&mut self, acceleration_m_s2: &Vector3<f64>) -> Vector3<f64> {
        let limit = self.integral_limit_m_s;
        let integral_m_s = quotient(acceleration_m_s2, &self.ki);
        self.integral_m_s = integral_m_s.map(|x| x.clamp(-limit, limit));
        let left = acceleration_m_s2 - self.ki.component_mul(&self.integral_m_s);
        -quotient(&left, &self.kp)
    }

    /// `force_n` over the mass [m/s²].
    pub(super) fn per_mass(&self, force_n: f64) -> f64 {
        force_n / self.mass_kg
    }

    /// Wanted force in the world frame [N], and whether the limits changed it.
    pub(super) fn force(
        &mut self,
        reference: &Reference,
        measured: &Measurement,
        period_s: f64,
    ) -> (Vector3<f64>, bool) {
        let error = reference.position_m - measured.position_m;
        let velocity_error = reference.velocity_m_s - measured.velocity_m_s;
        let limit = self.integral_limit_m_s;
        self.integral_m_s = (self.integral_m_s + error * period_s).map(|x| x.clamp(-limit, limit));
        let acceleration = self.kp.component_mul(&error)
            + self.ki.component_mul(&self.integral_m_s)
            + self.kd.component_mul(&velocity_error)
            + reference.acceleration_m_s2;
        let wanted = (acceleration + Vector3::z() * GRAVITY_M_S2) * self.mass_kg;
        let hover_n = self.mass_kg * GRAVITY_M_S2;
        let force = limit_force(&wanted, hover_n, self.max_thrust_n, self.max_tilt_rad);
        (force, force != wanted)
    }
}

/// Pulls a force that is too large or too far from the vertical towards the hover force
/// (0, 0, `hover_n`) along the straight line, until it lies on the cone of `max_tilt_rad` and
/// inside the sphere of `max_n`. A force within both limits comes back unchanged. Where the
/// vehicle is too heavy for its limit (`hover_n` ≥ `max_n`) the hover force is what is left.
pub fn limit_force(
    wanted_n: &Vector3<f64>,
    hover_n: f64,
    max_n: f64,
    max_tilt_rad: f64,
) -> Vector3<f64> {
    let hover = Vector3::z() * hover_n;
    let away = wanted_n - hover;
    let horizontal = wanted_n.xy().norm();
    let cotangent = 1.0 / max_tilt_rad.tan();
    let mut share = 1.0f64;
    if wanted_n.z < cotangent * horizontal {
        // hover + s·away on the cone: hover + s·away_z = cot · s · horizontal.
        share = share.min(hover_n / (cotangent * horizontal - away.z));
    }
    if wanted_n.norm() > max_n {
        // |hover + s·away|² = max²; the positive root.
        let a = away.norm_squared();
        let b = hover_n * away.z;
        let c = hover_n * hover_n - max_n * max_n;
        share = share.min(((b * b - a * c).max(0.0).sqrt() - b) / a);
    }
    if share < 1.0 {
        hover + away * share.max(0.0)
    } else {
        *wanted_n
    }
}

/// Component by component; 0 where a divisor is.
pub(super) fn quotient(of: &Vector3<f64>, by: &Vector3<f64>) -> Vector3<f64> {
    of.zip_map(by, |of, by| if by == 0.0 { 0.0 } else { of / by })
}

// Vertical loop: from a wanted vertical acceleration to the thrust, where an autopilot has such a loop.

/// PI control of the vertical acceleration, of one vehicle or of one in each lane.
#[derive(Debug, Clone)]
pub(super) struct Vertical<R> {
    law: VerticalLoop,
    /// What is left of the filtered error and of the filtered thrust after a period.
    decay: [f64; 2],
    /// Climb at the last period [m/s].
    last_climb: Option<R>,
    /// Filtered error [m/s²].
    error: R,
    /// What the integral adds [m/s²].
    integral: R,
    /// Filtered force over the mass [m/s²].
    force: R,
}

impl<R: Real> Vertical<R> {
    /// A loop at rest; `zero` is 0 in every lane.
    pub(super) fn new(law: VerticalLoop, zero: R) -> Vertical<R> {
        Vertical {
            law,
            decay: [law.filter_hz, law.thrust_filter_hz]
                .map(|hz| low_pass_decay(hz, CONTROL_PERIOD_S)),
            last_climb: None,
            error: zero,
            integral: zero,
            force: zero.like(GRAVITY_M_S2),
        }
    }

    /// Lets the loop of lane k give `balance(k)` at no climb.
    pub(super) fn hold(&mut self, balance: impl Fn(usize) -> VerticalBalance) {
        self.error = self.error.fill(|k| balance(k).error_m_s2);
        self.integral = self.integral.fill(|k| balance(k).integral_m_s2);
        self.force = self.force.fill(|k| balance(k).force_m_s2);
    }

    /// The vertical force over the mass [m/s²] where `wanted` is asked for, gravity with it, and the
    /// vehicle climbs by `climb` [m/s].
    #[inline(always)]
    pub(super) fn force(&mut self, wanted: R, climb: R) -> R {
        let before = self.last_climb.replace(climb).unwrap_or(climb);
        let felt = (climb - before) * (1.0 / CONTROL_PERIOD_S);
        let error = wanted - GRAVITY_M_S2 - felt;
        self.error = error + (self.error - error) * self.decay[0];
        let moved = self.integral + self.error * (self.law.ki * CONTROL_PERIOD_S);
        self.integral = moved.clamped(self.law.integral_limit_m_s2);
        let force = self.error * self.law.kp + self.integral + GRAVITY_M_S2;
        self.force = force + (self.force - force) * self.decay[1];
        self.force
    }
}

/// What a vertical loop has to hold for a force.
#[derive(Debug, Clone, Copy)]
pub(crate) struct VerticalBalance {
    /// The force over the mass [m/s²].
    force_m_s2: f64,
    integral_m_s2: f64,
    /// What has to be asked for beyond gravity [m/s²].
    pub(crate) error_m_s2: f64,
}

impl Default for VerticalBalance {
    /// At rest.
    fn default() -> VerticalBalance {
        VerticalBalance::of(None, GRAVITY_M_S2)
    }
}

impl VerticalBalance {
    /// Of a vehicle that does not climb; without a `law` what is asked for is the force.
    pub(crate) fn of(law: Option<&VerticalLoop>, force_m_s2: f64) -> VerticalBalance {
        let beyond = force_m_s2 - GRAVITY_M_S2;
        let (integral_m_s2, error_m_s2) = match law {
            None => (0.0, beyond),
            Some(law) => {
                let limit = law.integral_limit_m_s2;
                let integral = match law.ki > 0.0 {
                    true => beyond.clamp(-limit, limit),
                    false => 0.0,
                };
                let rest = beyond - integral;
                (integral, if law.kp > 0.0 { rest / law.kp } else { 0.0 })
            }
        };
        VerticalBalance {
            force_m_s2,
            integral_m_s2,
            error_m_s2,
        }
    }
}

/// What is left after `period_s` of a low-pass of first order at `cutoff_hz`; 0 if that is 0.
pub(crate) fn low_pass_decay(cutoff_hz: f64, period_s: f64) -> f64 {
    match cutoff_hz > 0.0 {
        true => (-std::f64::consts::TAU * cutoff_hz * period_s).exp(),
        false => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_relative_eq;
    use proptest::prelude::*;
    use std::f64::consts::FRAC_PI_4;

    const HOVER_N: f64 = 23.5;
    const MAX_N: f64 = 125.0;

    proptest! {
        #[test]
        fn a_limited_force_is_legal_and_lies_between_hover_and_what_was_wanted(
            x in -500.0f64..500.0, y in -500.0f64..500.0, z in -500.0f64..500.0,
        ) {
            let wanted = Vector3::new(x, y, z);
            let force = limit_force(&wanted, HOVER_N, MAX_N, FRAC_PI_4);
            prop_assert!(force.norm() <= MAX_N * (1.0 + 1e-12));
            prop_assert!(force.z >= force.x.hypot(force.y) - 1e-9);
            let (away, kept) = (wanted - Vector3::z() * HOVER_N, force - Vector3::z() * HOVER_N);
            prop_assert!(away.cross(&kept).norm() <= 1e-9 * (1.0 + away.norm_squared()));
            prop_assert!(away.dot(&kept) >= -1e-9);
        }

        #[test]
        fn a_legal_force_is_left_alone(
            z in 1.0f64..85.0, share in 0.0f64..0.99, angle in 0.0f64..6.0,
        ) {
            let wanted = Vector3::new(z * share * angle.cos(), z * share * angle.sin(), z);
            prop_assert_eq!(limit_force(&wanted, HOVER_N, MAX_N, FRAC_PI_4), wanted);
        }
    }

    #[test]
    fn a_force_too_far_from_the_vertical_ends_on_the_cone() {
        let force = limit_force(&Vector3::new(60.0, 0.0, 20.0), HOVER_N, MAX_N, FRAC_PI_4);
        assert!((force.z - force.x).abs() < 1e-9, "{force}");
    }

    #[test]
    fn a_force_too_large_ends_on_the_sphere() {
        let force = limit_force(&Vector3::new(10.0, 0.0, 400.0), HOVER_N, MAX_N, FRAC_PI_4);
        assert!((force.norm() - MAX_N).abs() < 1e-9, "{force}");
    }

    #[test]
    fn the_integral_stops_at_its_clamp() {
        let airframe = Airframe::omac();
        let mut gains = airframe.gains;
        gains.position_xy = crate::Pid {
            kp: 0.0,
            ki: 1.0,
            kd: 0.0,
        };
        let mut position = PositionLoop::new(&airframe, &gains);
        let away = Reference {
            position_m: Vector3::new(1.0, 0.0, 0.0),
            velocity_m_s: Vector3::zeros(),
            acceleration_m_s2: Vector3::zeros(),
            yaw_rad: 0.0,
        };
        let at_origin = Measurement {
            position_m: Vector3::zeros(),
            velocity_m_s: Vector3::zeros(),
        };
        let mut force = Vector3::zeros();
        for _ in 0..1000 {
            force = position.force(&away, &at_origin, 0.02).0;
        }
        // 20 s of 1 m would be 20 m s; the clamp is 2 m s, so 2 m/s² times the mass.
        assert!((force.x - 2.0 * airframe.mass_kg).abs() < 1e-9, "{force}");
    }

    #[test]
    fn the_force_is_the_pid_law_with_feedforward_and_weight_times_the_mass() {
        let airframe = Airframe::omac();
        let mut gains = airframe.gains;
        let pid = |kp, ki, kd| crate::Pid { kp, ki, kd };
        (gains.position_xy, gains.position_z) = (pid(2.0, 0.3, 0.7), pid(5.0, 0.9, 1.1));
        let mut position = PositionLoop::new(&airframe, &gains);
        let reference = Reference {
            position_m: Vector3::new(0.5, 0.2, 0.4),
            velocity_m_s: Vector3::new(0.1, 0.6, 0.3),
            acceleration_m_s2: Vector3::new(0.25, -0.5, 0.75),
            yaw_rad: 0.0,
        };
        let measured = Measurement {
            position_m: Vector3::new(0.1, 0.3, 0.1),
            velocity_m_s: Vector3::new(-0.1, 0.4, 0.1),
        };
        // Errors (0.4, -0.1, 0.3) m and (0.2, 0.2, 0.2) m/s; integrals after n periods of 20 ms.
        for n in [1.0, 2.0] {
            let (force, limited) = position.force(&reference, &measured, 0.02);
            let expected = Vector3::new(
                2.0 * 0.4 + 0.3 * 0.4 * 0.02 * n + 0.7 * 0.2 + 0.25,
                2.0 * -0.1 + 0.3 * -0.1 * 0.02 * n + 0.7 * 0.2 - 0.5,
                5.0 * 0.3 + 0.9 * 0.3 * 0.02 * n + 1.1 * 0.2 + 0.75 + GRAVITY_M_S2,
            ) * airframe.mass_kg;
            assert!((force - expected).norm() < 1e-12, "{force} {expected}");
            assert!(!limited);
        }
        let far = Reference {
            position_m: Vector3::new(0.0, 100.0, 0.0),
            ..reference
        };
        assert!(
            position.force(&far, &measured, 0.02).1,
            "tilted to its limit"
        );
    }

    #[test]
    fn of_two_limits_the_tighter_one_decides_and_too_heavy_a_vehicle_keeps_its_hover_force() {
        // On the line from (0, 0, 10) through (30, 0, 20) a tilt of 45 degrees is met at
        // s = 10 / (30 - 10) = 0.5 and a length of 13 N where 1000 s^2 + 200 s = 69.
        let wanted = Vector3::new(30.0, 0.0, 20.0);
        let on_cone = limit_force(&wanted, 10.0, 50.0, FRAC_PI_4);
        assert!(
            (on_cone - Vector3::new(15.0, 0.0, 15.0)).norm() < 1e-12,
            "{on_cone}"
        );
        let share = (-200.0 + (200.0f64.powi(2) + 4.0 * 1000.0 * 69.0).sqrt()) / 2000.0;
        let on_sphere = limit_force(&wanted, 10.0, 13.0, FRAC_PI_4);
        let expected = Vector3::new(30.0 * share, 0.0, 10.0 + 10.0 * share);
        assert!((on_sphere - expected).norm() < 1e-12, "{on_sphere}");
        let heavy = limit_force(&wanted, 10.0, 9.0, FRAC_PI_4);
        assert!((heavy - Vector3::z() * 10.0).norm() < 1e-12, "{heavy}");
    }

    /// A step of 1 m/s² on a loop with P alone: a low-pass of first order has 1 - exp(-2π f t) of it.
    #[test]
    fn the_thrust_follows_a_step_through_its_filter() {
        let law = VerticalLoop {
            kp: 0.5,
            ki: 0.0,
            filter_hz: 0.0,
            thrust_filter_hz: 2.0,
            integral_limit_m_s2: 1.0,
        };
        let mut vertical = Vertical::new(law, 0.0);
        for period in 1..=400 {
            let force = vertical.force(GRAVITY_M_S2 + 1.0, 0.0);
            let passed = 1.0 - (-std::f64::consts::TAU * 2.0 * 1e-3 * f64::from(period)).exp();
            assert_relative_eq!(force - GRAVITY_M_S2, 0.5 * passed, max_relative = 1e-9);
        }
    }
}
