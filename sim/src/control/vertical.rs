//! Vertical loop: from a wanted vertical acceleration to the thrust, where an autopilot has such a loop.

use super::CONTROL_PERIOD_S;
use crate::GRAVITY_M_S2;
use crate::lanes::Real;
use crate::vehicle::airframe::VerticalLoop;

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

/// What is left after `period_s` of a low-pass of first order at `cutoff_hz`; nothing where that is 0.
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
