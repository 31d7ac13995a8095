//! Gains: what each loop multiplies its errors with, as a function of frequency.

use super::POSITION_PERIOD_S;
use super::linear::moments;
use crate::control::low_pass_decay;
use crate::vehicle::airframe::{Gains, VerticalLoop};
use crate::{Airframe, CONTROL_PERIOD_S};
use nalgebra::{Complex, Vector3};

/// The gains of the cascade, each by axis.
#[derive(Debug, Clone)]
pub(super) struct LoopGains {
    /// On position, its integral and velocity.
    pub(super) position: [Vector3<f64>; 3],
    /// On the attitude error.
    pub(super) attitude: Vector3<f64>,
    /// On the rate setpoint beside the error, and on its derivative, over the moments of inertia.
    pub(super) ahead: [Vector3<f64>; 2],
    /// What is left after a period of the filtered setpoint, and of the filtered torque.
    pub(super) setpoint_decay: Vector3<f64>,
    pub(super) torque_decay: Vector3<f64>,
    /// The loop on the vertical acceleration, and what is left of its filtered error and of its filtered
    /// thrust after a period.
    pub(super) vertical: Option<(VerticalLoop, [f64; 2])>,
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
        let law = airframe.controller.law();
        let decay = |hz: f64| low_pass_decay(hz, CONTROL_PERIOD_S);
        LoopGains {
            position: [
                Vector3::new(xy.kp, xy.kp, z.kp),
                Vector3::new(xy.ki, xy.ki, z.ki),
                Vector3::new(xy.kd, xy.kd, z.kd),
            ],
            attitude: Vector3::from(gains.attitude_kp),
            ahead: [law.rate_feedforward, law.rate_feedforward_derivative].map(rate),
            setpoint_decay: Vector3::from(law.rate_setpoint_filter_hz.map(decay)),
            torque_decay: Vector3::from(law.torque_filter_hz.map(decay)),
            vertical: law
                .vertical
                .map(|law| (law, [law.filter_hz, law.thrust_filter_hz].map(decay))),
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

    /// On the rate setpoint, and on the rate itself, the derivative with it.
    pub(super) fn inner(&self, z: Complex<f64>) -> [Vector3<Complex<f64>>; 2] {
        let [kp, ki, kd] = self.rate;
        let integral = summed(z) * CONTROL_PERIOD_S;
        let change = Complex::from(1.0) - z.inv();
        let moved = change * low_pass(self.filter_decay, z);
        let on_error = kp.zip_map(&ki, |kp, ki| integral * ki + kp);
        let on_rate = on_error.zip_map(&kd, |e, kd| e + moved * (kd / CONTROL_PERIOD_S));
        let [on_setpoint, on_change] = self.ahead;
        let ahead = on_setpoint.zip_map(&on_change, |s, c| change * (c / CONTROL_PERIOD_S) + s);
        let shaped = self.setpoint_decay.map(|decay| low_pass(decay, z));
        let on_setpoint = (on_error + ahead).component_mul(&shaped);
        let passed = self.torque_decay.map(|decay| low_pass(decay, z));
        [on_setpoint, on_rate].map(|on| on.component_mul(&passed))
    }

    /// What the loop on the vertical acceleration adds to the thrust over the mass for its error, and the
    /// acceleration that is felt for a climb.
    pub(super) fn vertical(&self, z: Complex<f64>) -> Option<[Complex<f64>; 2]> {
        let (law, [of_error, of_thrust]) = self.vertical?;
        let on_error = summed(z) * (law.ki * CONTROL_PERIOD_S) + law.kp;
        let felt = (Complex::from(1.0) - z.inv()) / CONTROL_PERIOD_S;
        let passed = low_pass(of_error, z) * low_pass(of_thrust, z);
        Some([on_error * passed, felt])
    }

    /// Whether an autopilot's law adds nothing to the cascade.
    pub(super) fn is_plain(&self) -> bool {
        let still = |v: &Vector3<f64>| v.iter().all(|x| *x == 0.0);
        self.vertical.is_none()
            && still(&self.torque_decay)
            && still(&self.setpoint_decay)
            && self.ahead.iter().all(still)
    }
}

/// A low-pass of first order of which `decay` is left after a period.
fn low_pass(decay: f64, z: Complex<f64>) -> Complex<f64> {
    Complex::from(1.0 - decay) / (Complex::from(1.0) - z.inv() * decay)
}

/// The sum of all samples up to now, over the sample.
fn summed(z: Complex<f64>) -> Complex<f64> {
    (Complex::from(1.0) - z.inv()).inv()
}
