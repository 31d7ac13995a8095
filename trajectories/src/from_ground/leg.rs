//! Leg: a stretch of flight between two states of motion.

use crate::Reference;
use nalgebra::Vector3;

/// A state of motion of a point.
#[derive(Debug, Clone, Copy)]
pub(super) struct Motion {
    pub(super) position: Vector3<f64>,
    pub(super) velocity: Vector3<f64>,
    pub(super) acceleration: Vector3<f64>,
}

impl Motion {
    pub(super) fn of(reference: &Reference) -> Motion {
        Motion {
            position: reference.position_m,
            velocity: reference.velocity_m_s,
            acceleration: reference.acceleration_m_s2,
        }
    }

    pub(super) fn at_rest(position: Vector3<f64>) -> Motion {
        Motion {
            position,
            velocity: Vector3::zeros(),
            acceleration: Vector3::zeros(),
        }
    }

    pub(super) fn heading(self, yaw_rad: f64) -> Reference {
        Reference {
            position_m: self.position,
            velocity_m_s: self.velocity,
            acceleration_m_s2: self.acceleration,
            yaw_rad,
        }
    }
}

/// The polynomial of degree five that joins two states of motion in a given time.
#[derive(Debug, Clone, Copy)]
pub(super) struct Leg {
    from: Motion,
    to: Motion,
    pub(super) duration_s: f64,
    /// p = Σ c_k s^k with s = t / duration.
    coefficients: [Vector3<f64>; 6],
}

impl Leg {
    pub(super) fn between(from: Motion, to: Motion, duration_s: f64) -> Leg {
        let (t, t2) = (duration_s, duration_s * duration_s);
        let c0 = from.position;
        let c1 = from.velocity * t;
        let c2 = from.acceleration * (0.5 * t2);
        // What the last three terms must add to position, velocity and acceleration at s = 1.
        let p = to.position - c0 - c1 - c2;
        let v = to.velocity * t - c1 - c2 * 2.0;
        let a = to.acceleration * t2 - c2 * 2.0;
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
    pub(super) fn at_peak_speed(from: Motion, to: Motion, peak_m_s: f64) -> Leg {
        let way_m = (to.position - from.position).norm();
        Leg::between(
            from,
            to,
            whole_tenths(15.0 / 8.0 * way_m / peak_m_s).max(1.0),
        )
    }

    pub(super) fn start(&self) -> Motion {
        self.from
    }

    pub(super) fn end(&self) -> Motion {
        self.to
    }

    pub(super) fn at(&self, t_s: f64) -> Motion {
        let s = t_s / self.duration_s;
        let [c0, c1, c2, c3, c4, c5] = self.coefficients;
        let position = c0 + (c1 + (c2 + (c3 + (c4 + c5 * s) * s) * s) * s) * s;
        let slope = c1 + (c2 * 2.0 + (c3 * 3.0 + (c4 * 4.0 + c5 * (5.0 * s)) * s) * s) * s;
        let bend = c2 * 2.0 + (c3 * 6.0 + (c4 * 12.0 + c5 * (20.0 * s)) * s) * s;
        Motion {
            position,
            velocity: slope / self.duration_s,
            acceleration: bend / (self.duration_s * self.duration_s),
        }
    }
}

/// The next whole tenth of a second, so that phases begin on the autopilot's ticks [s].
pub(super) fn whole_tenths(t_s: f64) -> f64 {
    (t_s * 10.0).ceil() / 10.0
}
