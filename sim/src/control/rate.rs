//! Rate loop: from a rate setpoint to a torque setpoint.

use super::position::{low_pass_decay, quotient};
use crate::Airframe;
use crate::lanes::Real;
use crate::lanes::axes::Axes;
use crate::vehicle::airframe::{Gains, Law};
use nalgebra::Vector3;

/// PID on the body rates; the derivative acts on the filtered measurement, so that a jump of the
/// setpoint gives no kick.
#[derive(Debug, Clone)]
pub(super) struct RateLoop<R> {
    kp: Axes<R>,
    ki: Axes<R>,
    /// Over the period [N m per rad/s].
    kd_per_period: Axes<R>,
    integral_limit_rad: Vector3<f64>,
    torque_limit_n_m: Vector3<f64>,
    filter_decay: f64,
    period_s: f64,
    /// Integral of the rate error [rad].
    integral_rad: Axes<R>,
    /// Low-passed body rates [rad/s].
    filtered_rad_s: Axes<R>,
    /// What shapes the setpoint and the torque, where anything does.
    shaping: Option<Shaping<R>>,
}

/// What an autopilot does to the rate setpoint before the error is formed, and to the torque after.
#[derive(Debug, Clone)]
struct Shaping<R> {
    /// What is left of the filtered setpoint after a period.
    setpoint_decay: [f64; 3],
    /// Torque over the setpoint, and over its change in a period.
    feedforward: [[f64; 3]; 2],
    /// What is left of the filtered torque after a period.
    torque_decay: [f64; 3],
    /// The setpoint as it passed the filter [rad/s].
    setpoint: Option<Axes<R>>,
    /// Torque behind its filter [N m].
    torque: Axes<R>,
}

impl<R: Real> Shaping<R> {
    /// Of `law`; `None` if it shapes nothing.
    fn of(law: &Law, period_s: f64, zero: R) -> Option<Shaping<R>> {
        let plain = Law {
            attitude: law.attitude,
            heading_weight: law.heading_weight,
            attitude_acceleration_rad_s2: law.attitude_acceleration_rad_s2,
            vertical: law.vertical,
            ..Law::QUATERNION
        };
        (*law != plain).then(|| Shaping {
            setpoint_decay: (law.rate_setpoint_filter_hz).map(|hz| low_pass_decay(hz, period_s)),
            feedforward: [
                law.rate_feedforward,
                law.rate_feedforward_derivative.map(|gain| gain / period_s),
            ],
            torque_decay: (law.torque_filter_hz).map(|hz| low_pass_decay(hz, period_s)),
            setpoint: None,
            torque: Axes::new(zero, zero, zero),
        })
    }

    /// The setpoint as the loop takes it, and the torque that is fed forward.
    #[inline(always)]
    fn setpoint(&mut self, wanted: Axes<R>) -> [Axes<R>; 2] {
        let like = wanted.x;
        let axes = |each| in_all_lanes(like, each);
        let before = self.setpoint.unwrap_or(wanted);
        let now = wanted + (before - wanted).scaled(axes(self.setpoint_decay));
        self.setpoint = Some(now);
        let [on_setpoint, on_change] = self.feedforward.map(axes);
        let ahead = now.scaled(on_setpoint) + (now - before).scaled(on_change);
        [now, ahead]
    }

    #[inline(always)]
    fn torque(&mut self, torque: Axes<R>) -> Axes<R> {
        let decay = in_all_lanes(torque.x, self.torque_decay);
        self.torque = torque + (self.torque - torque).scaled(decay);
        self.torque
    }
}

#[inline(always)]
fn in_all_lanes<R: Real>(like: R, [x, y, z]: [f64; 3]) -> Axes<R> {
    Axes::new(like.like(x), like.like(y), like.like(z))
}

impl<R: Real> RateLoop<R> {
    /// A loop at rest, with the gains of each lane; `zero` is 0 in every lane.
    pub(super) fn new<'a>(
        airframe: &Airframe,
        gains: &impl Fn(usize) -> &'a Gains,
        period_s: f64,
        zero: R,
    ) -> RateLoop<R> {
        let each =
            |gain: &dyn Fn(&Gains) -> [f64; 3]| Axes::fill(zero, |k| Vector3::from(gain(gains(k))));
        RateLoop {
            kp: each(&|gains| gains.rate_kp),
            ki: each(&|gains| gains.rate_ki),
            kd_per_period: each(&|gains| gains.rate_kd.map(|kd| kd / period_s)),
            integral_limit_rad: Vector3::from(airframe.controller.rate_integral_limit_rad),
            torque_limit_n_m: Vector3::from(airframe.controller.torque_setpoint_limit_n_m),
            filter_decay: (-period_s / airframe.controller.rate_filter_s).exp(),
            period_s,
            integral_rad: Axes::new(zero, zero, zero),
            filtered_rad_s: Axes::new(zero, zero, zero),
            shaping: Shaping::of(&airframe.controller.law(), period_s, zero),
        }
    }

    /// Lets the loop of lane k give the first of `balance(k)`, a torque [N m], at the second, the body
    /// rates [rad/s], as far as its integral can.
    pub(super) fn hold(&mut self, balance: impl Fn(usize) -> [Vector3<f64>; 2]) {
        let like = self.kp.x;
        let ki = self.ki;
        let integral = |k: usize| quotient(&balance(k)[0], &ki.lane(k));
        self.integral_rad = Axes::fill(like, integral).clamped(&self.integral_limit_rad);
        self.filtered_rad_s = Axes::fill(like, |k| balance(k)[1]);
        if let Some(shaping) = &mut self.shaping {
            shaping.torque = Axes::fill(like, |k| balance(k)[0]);
        }
    }

    /// Torque setpoint in body axes [N m].
    #[inline(always)]
    pub(super) fn torque(&mut self, setpoint_rad_s: Axes<R>, rates_rad_s: Axes<R>) -> Axes<R> {
        let (mut setpoint_rad_s, mut ahead) = (setpoint_rad_s, None);
        if let Some(shaping) = &mut self.shaping {
            let [shaped, fed] = shaping.setpoint(setpoint_rad_s);
            (setpoint_rad_s, ahead) = (shaped, Some(fed));
        }
        let error = setpoint_rad_s - rates_rad_s;
        let period_s = error.x.like(self.period_s);
        self.integral_rad =
            (self.integral_rad + error * period_s).clamped(&self.integral_limit_rad);
        let share = error.x.like(1.0 - self.filter_decay);
        let moved = (rates_rad_s - self.filtered_rad_s) * share;
        self.filtered_rad_s = self.filtered_rad_s + moved;
        let mut torque = error.scaled(self.kp) + self.integral_rad.scaled(self.ki)
            - moved.scaled(self.kd_per_period);
        if let (Some(shaping), Some(ahead)) = (&mut self.shaping, ahead) {
            torque = shaping.torque(torque + ahead);
        }
        torque.clamped(&self.torque_limit_n_m)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn omac(kp: f64, ki: f64, kd: f64) -> RateLoop<f64> {
        let airframe = Airframe::omac();
        let mut gains = airframe.gains;
        (gains.rate_kp, gains.rate_ki, gains.rate_kd) = ([kp; 3], [ki; 3], [kd; 3]);
        RateLoop::new(&airframe, &|_| &gains, 1e-3, 0.0)
    }

    fn torque(
        rate: &mut RateLoop<f64>,
        setpoint: Vector3<f64>,
        rates: Vector3<f64>,
    ) -> Vector3<f64> {
        rate.torque(Axes::from(&setpoint), Axes::from(&rates))
            .into()
    }

    #[test]
    fn the_derivative_settles_at_the_slope_of_the_measured_rate() {
        let mut rate = omac(0.0, 0.0, 0.01);
        let mut last = Vector3::zeros();
        for k in 0..100 {
            let measured = Vector3::new(5.0 * f64::from(k) * 1e-3, 0.0, 0.0);
            last = torque(&mut rate, Vector3::zeros(), measured);
        }
        // Slope 5 rad/s², 20 filter time constants later.
        assert!((last.x + 0.05).abs() < 1e-9, "{last}");
    }

    #[test]
    fn a_jump_of_the_setpoint_gives_no_derivative_kick() {
        let mut rate = omac(0.0, 0.0, 0.01);
        assert_eq!(
            torque(&mut rate, Vector3::repeat(3.0), Vector3::zeros()),
            Vector3::zeros()
        );
    }

    #[test]
    fn integral_and_torque_stop_at_their_limits() {
        let mut rate = omac(0.0, 0.1, 0.0);
        let mut last = Vector3::zeros();
        for _ in 0..10_000 {
            last = torque(&mut rate, Vector3::repeat(1.0), Vector3::zeros());
        }
        assert!(
            (last - Vector3::new(0.2, 0.1, 0.03)).norm() < 1e-12,
            "{last}"
        );
        let mut strong = omac(10.0, 0.0, 0.0);
        assert_eq!(
            torque(&mut strong, Vector3::repeat(3.0), Vector3::zeros()),
            Vector3::repeat(0.5)
        );
    }
}
