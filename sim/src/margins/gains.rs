//! Gains: what each loop multiplies its errors with, as a function of frequency.

use super::POSITION_PERIOD_S;
use super::linear::moments;
use crate::vehicle::airframe::Gains;
use crate::{Airframe, CONTROL_PERIOD_S};
use nalgebra::{Complex, Vector3};

/// The gains of the cascade, each by axis.
#[derive(Debug, Clone)]
pub(super) struct LoopGains {
    /// On position, its integral and velocity.
    pub(super) position: [Vector3<f64>; 3],
    /// On the attitude error.
    pub(super) attitude: Vector3<f64>,
    /// On the rate error, its integral and the derivative, over the moments of inertia.
    pub(super) rate: [Vector3<f64>; 3],
    /// What is left of the rate filter's state after a period.
    pub(super) filter_decay: f64,
}

impl LoopGains {
    pub(super) fn of(airframe: &Airframe, gains: &Gains) -> LoopGains {
        let (xy, z) = (gains.position_xy, gains.position_z);
        let moments = moments(airframe);
        let rate = |gain: [f64; 3]| Vector3::from(gain).component_div(&moments);
        LoopGains {
            position: [
                Vector3::new(xy.kp, xy.kp, z.kp),
                Vector3::new(xy.ki, xy.ki, z.ki),
                Vector3::new(xy.kd, xy.kd, z.kd),
            ],
            attitude: Vector3::from(gains.attitude_kp),
            rate: [gains.rate_kp, gains.rate_ki, gains.rate_kd].map(rate),
            filter_decay: (-CONTROL_PERIOD_S / airframe.controller.rate_filter_s).exp(),
        }
    }

    /// On position and velocity.
    pub(super) fn outer(&self, frequency: f64) -> [Vector3<Complex<f64>>; 2] {
        let [kp, ki, kd] = self.position;
        let turned = Complex::from_polar(1.0, frequency * POSITION_PERIOD_S);
        let integral = summed(turned) * POSITION_PERIOD_S;
        let on_position = kp.zip_map(&ki, |kp, ki| integral * ki + kp);
        [on_position, kd.map(Complex::from)]
    }

    /// On the rate error, and on the rate itself, the derivative with it.
    pub(super) fn inner(&self, z: Complex<f64>) -> [Vector3<Complex<f64>>; 2] {
        let [kp, ki, kd] = self.rate;
        let integral = summed(z) * CONTROL_PERIOD_S;
        let decay = self.filter_decay;
        let moved =
            (Complex::from(1.0) - z.inv()) * (1.0 - decay) / (Complex::from(1.0) - z.inv() * decay);
        let on_error = kp.zip_map(&ki, |kp, ki| integral * ki + kp);
        let on_rate = on_error.zip_map(&kd, |e, kd| e + moved * (kd / CONTROL_PERIOD_S));
        [on_error, on_rate]
    }
}

/// The sum of all samples up to now, over the sample.
fn summed(z: Complex<f64>) -> Complex<f64> {
    (Complex::from(1.0) - z.inv()).inv()
}
