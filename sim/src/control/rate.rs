//! Rate loop: from a rate setpoint to a torque setpoint.

use crate::Airframe;
use crate::control::Gains;
use nalgebra::Vector3;

/// PID on the body rates; the derivative acts on the filtered measurement, so that a jump of the
/// setpoint gives no kick.
#[derive(Debug, Clone)]
pub(super) struct RateLoop {
    kp: Vector3<f64>,
    ki: Vector3<f64>,
    kd: Vector3<f64>,
    integral_limit_rad: Vector3<f64>,
    torque_limit_n_m: Vector3<f64>,
    filter_decay: f64,
    period_s: f64,
    /// Integral of the rate error [rad].
    integral_rad: Vector3<f64>,
    /// Low-passed body rates [rad/s].
    filtered_rad_s: Vector3<f64>,
}

impl RateLoop {
    pub(super) fn new(airframe: &Airframe, gains: &Gains, period_s: f64) -> RateLoop {
        RateLoop {
            kp: Vector3::from(gains.rate_kp),
            ki: Vector3::from(gains.rate_ki),
            kd: Vector3::from(gains.rate_kd),
            integral_limit_rad: Vector3::from(airframe.controller.rate_integral_limit_rad),
            torque_limit_n_m: Vector3::from(airframe.controller.torque_setpoint_limit_n_m),
            filter_decay: (-period_s / airframe.controller.rate_filter_s).exp(),
            period_s,
            integral_rad: Vector3::zeros(),
            filtered_rad_s: Vector3::zeros(),
        }
    }

    /// Torque setpoint in body axes [N m].
    pub(super) fn torque(
        &mut self,
        setpoint_rad_s: &Vector3<f64>,
        rates_rad_s: &Vector3<f64>,
    ) -> Vector3<f64> {
        let error = setpoint_rad_s - rates_rad_s;
        self.integral_rad = clamped(
            &(self.integral_rad + error * self.period_s),
            &self.integral_limit_rad,
        );
        let moved = (rates_rad_s - self.filtered_rad_s) * (1.0 - self.filter_decay);
        self.filtered_rad_s += moved;
        let torque = self.kp.component_mul(&error) + self.ki.component_mul(&self.integral_rad)
            - self.kd.component_mul(&moved) / self.period_s;
        clamped(&torque, &self.torque_limit_n_m)
    }
}

fn clamped(value: &Vector3<f64>, limit: &Vector3<f64>) -> Vector3<f64> {
    value.zip_map(limit, |x, most| x.clamp(-most, most))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn omac(kp: f64, ki: f64, kd: f64) -> RateLoop {
        let airframe = Airframe::omac();
        let mut gains = airframe.gains;
        (gains.rate_kp, gains.rate_ki, gains.rate_kd) = ([kp; 3], [ki; 3], [kd; 3]);
        RateLoop::new(&airframe, &gains, 1e-3)
    }

    #[test]
    fn the_derivative_settles_at_the_slope_of_the_measured_rate() {
        let mut rate = omac(0.0, 0.0, 0.01);
        let mut torque = Vector3::zeros();
        for k in 0..100 {
            let measured = Vector3::new(5.0 * f64::from(k) * 1e-3, 0.0, 0.0);
            torque = rate.torque(&Vector3::zeros(), &measured);
        }
        // Slope 5 rad/s², 20 filter time constants later.
        assert!((torque.x + 0.05).abs() < 1e-9, "{torque}");
    }

    #[test]
    fn a_jump_of_the_setpoint_gives_no_derivative_kick() {
        let mut rate = omac(0.0, 0.0, 0.01);
        assert_eq!(
            rate.torque(&Vector3::repeat(3.0), &Vector3::zeros()),
            Vector3::zeros()
        );
    }

    #[test]
    fn integral_and_torque_stop_at_their_limits() {
        let mut rate = omac(0.0, 0.1, 0.0);
        let mut torque = Vector3::zeros();
        for _ in 0..10_000 {
            torque = rate.torque(&Vector3::new(1.0, 1.0, 1.0), &Vector3::zeros());
        }
        assert!(
            (torque - Vector3::new(0.2, 0.1, 0.03)).norm() < 1e-12,
            "{torque}"
        );
        let mut strong = omac(10.0, 0.0, 0.0);
        assert_eq!(
            strong.torque(&Vector3::repeat(3.0), &Vector3::zeros()),
            Vector3::repeat(0.5)
        );
    }
}
