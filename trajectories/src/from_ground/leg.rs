//! Leg: a stretch of flight between two states of motion.

use crate::Reference;
use nalgebra::Vector3;

/// Rest at a position.
pub(super) fn at_rest(position_m: Vector3<f64>, yaw_rad: f64) -> Reference {
    Reference {
        position_m,
        velocity_m_s: Vector3::zeros(),
        acceleration_m_s2: Vector3::zeros(),
        yaw_rad,
    }
}

/// The polynomial of degree five that joins two states of motion in a given time, with the heading of the
/// first.
#[derive(Debug, Clone, Copy)]
pub(super) struct Leg {
    pub(super) from: Reference,
    pub(super) to: Reference,
    pub(super) duration_s: f64,
    /// p = Σ c_k s^k with s = t / duration.
    coefficients: [Vector3<f64>; 6],
}

impl Leg {
    pub(super) fn between(from: Reference, to: Reference, duration_s: f64) -> Leg {
        let (t, t2) = (duration_s, duration_s * duration_s);
        let c0 = from.position_m;
        let c1 = from.velocity_m_s * t;
        let c2 = from.acceleration_m_s2 * (0.5 * t2);
        // What the last three terms must add to position, velocity and acceleration at s = 1.
        let p = to.position_m - c0 - c1 - c2;
        let v = to.velocity_m_s * t - c1 - c2 * 2.0;
        let a = to.acceleration_m_s2 * t2 - c2 * 2.0;
        let c3 = p * 10.0 - v * 4.0 + a * 0.5;
        let c4 = p * -15.0 + v * 7.0 - a;
        let c5 = p * 6.0 - v * 3.0 + a * 0.5;
        Leg {
            from,
            to,
            duration_s,
            coefficients: [c0, c1, c2, c3, c4, c5],
        }
    }

    /// From rest to rest; the polynomial's greatest speed is 15/8 of its mean.
    pub(super) fn at_peak_speed(from: Reference, to: Reference, peak_m_s: f64) -> Leg {
        let way_m = (to.position_m - from.position_m).norm();
        Leg::between(
            from,
            to,
            whole_tenths(15.0 / 8.0 * way_m / peak_m_s).max(1.0),
        )
    }

    pub(super) fn at(&self, t_s: f64) -> Reference {
        let s = t_s / self.duration_s;
        let [c0, c1, c2, c3, c4, c5] = self.coefficients;
        let position_m = c0 + (c1 + (c2 + (c3 + (c4 + c5 * s) * s) * s) * s) * s;
        let slope = c1 + (c2 * 2.0 + (c3 * 3.0 + (c4 * 4.0 + c5 * (5.0 * s)) * s) * s) * s;
        let bend = c2 * 2.0 + (c3 * 6.0 + (c4 * 12.0 + c5 * (20.0 * s)) * s) * s;
        Reference {
            position_m,
            velocity_m_s: slope / self.duration_s,
            acceleration_m_s2: bend / (self.duration_s * self.duration_s),
            yaw_rad: self.from.yaw_rad,
        }
    }
}

/// The next whole tenth of a second, so that phases begin on the autopilot's ticks [s].
pub(super) fn whole_tenths(t_s: f64) -> f64 {
    (t_s * 10.0).ceil() / 10.0
}
