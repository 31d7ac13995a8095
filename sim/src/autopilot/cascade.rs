//! Cascade: the position PID as autopilots have it, a P loop on position around a PI loop on
//! velocity.
//!
//! Ours, in acceleration, with the error e = r − p: a = Kp e + Ki ∫e dt + Kd (ṙ − v). Theirs:
//! a = P_v (P_x e − v) + I_v ∫(P_x e − v) dt − D_v v̇. For a held setpoint reached at rest ∫v dt is
//! −e, so with D_v = 0 both are the same law when P_v = Kd, I_v P_x = Ki and P_v P_x + I_v = Kp.
//! P_x is then the larger root of Kd x² − Kp x + Ki = 0 (the larger, so that the outer loop is the
//! position's and I_v stays small), and I_v = Ki / P_x. Without a real root there is no equivalent.
//!
//! What differs beyond that: after a step of the setpoint the two differ by the constant
//! −I_v (r − p₀); limits, feed-forward and the clamp of the integral belong to each autopilot.

use super::AutopilotError;
use crate::Pid;

/// Gains of a cascade on one axis, with D_v = 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cascade {
    /// P_x: velocity setpoint per position error [1/s].
    pub position_p: f64,
    /// P_v: acceleration per velocity error [1/s].
    pub velocity_p: f64,
    /// I_v: acceleration per integral of the velocity error [1/s²].
    pub velocity_i: f64,
}

impl Cascade {
    /// The cascade that equals `pid`; `axis` names it in an error.
    ///
    /// # Errors
    /// [`AutopilotError::NoCascade`] or [`AutopilotError::NoVelocityGain`].
    pub fn of(pid: &Pid, axis: &'static str) -> Result<Cascade, AutopilotError> {
        if pid.kd <= 0.0 {
            return Err(AutopilotError::NoVelocityGain(axis));
        }
        let (kp_squared, four_kd_ki) = (pid.kp * pid.kp, 4.0 * pid.kd * pid.ki);
        if kp_squared < four_kd_ki {
            return Err(AutopilotError::NoCascade {
                axis,
                kp_squared,
                four_kd_ki,
                greatest_ki: kp_squared / (4.0 * pid.kd),
            });
        }
        let position_p = (pid.kp + (kp_squared - four_kd_ki).sqrt()) / (2.0 * pid.kd);
        Ok(Cascade {
            position_p,
            velocity_p: pid.kd,
            velocity_i: if pid.ki > 0.0 {
                pid.ki / position_p
            } else {
                0.0
            },
        })
    }

    /// The PID that equals this cascade.
    pub fn pid(&self) -> Pid {
        Pid {
            kp: self.velocity_p * self.position_p + self.velocity_i,
            ki: self.velocity_i * self.position_p,
            kd: self.velocity_p,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Position and velocity of a point mass and the integral of one controller, at 1 ms steps of
    /// RK4 over 20 s. `acceleration(e, v, integral)` is the controller; `grows(e, v)` is what it
    /// integrates.
    fn simulated(
        setpoint_m: f64,
        disturbance_m_s2: f64,
        acceleration: impl Fn(f64, f64, f64) -> f64,
        grows: impl Fn(f64, f64) -> f64,
    ) -> Vec<f64> {
        let rate = |[p, v, i]: [f64; 3]| {
            let e = setpoint_m - p;
            [v, acceleration(e, v, i) + disturbance_m_s2, grows(e, v)]
        };
        let h = 1e-3;
        let mut state = [0.0; 3];
        let mut path = Vec::new();
        for _ in 0..20_000 {
            let along = |k: [f64; 3], s: f64| std::array::from_fn(|j| state[j] + s * k[j]);
            let k1 = rate(state);
            let k2 = rate(along(k1, 0.5 * h));
            let k3 = rate(along(k2, 0.5 * h));
            let k4 = rate(along(k3, h));
            for j in 0..3 {
                state[j] += h / 6.0 * (k1[j] + 2.0 * (k2[j] + k3[j]) + k4[j]);
            }
            path.push(state[0]);
        }
        path
    }

    fn by_pid(pid: Pid, setpoint_m: f64, disturbance_m_s2: f64) -> Vec<f64> {
        let law = |e: f64, v: f64, i: f64| pid.kp * e + pid.ki * i - pid.kd * v;
        simulated(setpoint_m, disturbance_m_s2, law, |e, _| e)
    }

    fn by_cascade(c: Cascade, setpoint_m: f64, disturbance_m_s2: f64, bias: f64) -> Vec<f64> {
        let wanted = move |e: f64, v: f64| c.position_p * e - v;
        let law = move |e: f64, v: f64, i: f64| c.velocity_p * wanted(e, v) + c.velocity_i * i;
        let biased = move |e: f64, v: f64, i: f64| law(e, v, i) + bias;
        simulated(setpoint_m, disturbance_m_s2, biased, wanted)
    }

    fn furthest(one: &[f64], other: &[f64]) -> f64 {
        let pairs = one.iter().zip(other);
        pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    }

    /// Gains of the default search box that have an equivalent.
    fn gains() -> impl Strategy<Value = Pid> {
        let box_of_run = (1.0f64..30.0, 0.02f64..10.0, 1.0f64..12.0);
        box_of_run
            .prop_map(|(kp, ki, kd)| Pid { kp, ki, kd })
            .prop_filter("a real root", |g| g.kp * g.kp > 4.0 * g.kd * g.ki)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        #[test]
        fn a_disturbance_at_rest_is_answered_alike_by_both_structures(pid in gains()) {
            let cascade = Cascade::of(&pid, "position_xy").expect("a real root");
            let ours = by_pid(pid, 0.0, 1.0);
            let theirs = by_cascade(cascade, 0.0, 1.0, 0.0);
            prop_assert!(ours.iter().any(|p| p.abs() > 1e-3), "the disturbance moved it");
            prop_assert!(furthest(&ours, &theirs) < 1e-12);
        }

        #[test]
        fn a_step_of_the_setpoint_differs_by_the_constant_that_is_documented(pid in gains()) {
            let cascade = Cascade::of(&pid, "position_xy").expect("a real root");
            let (step, disturbance) = (2.0, -0.3);
            let ours = by_pid(pid, step, disturbance);
            let theirs = by_cascade(cascade, step, disturbance, 0.0);
            // Theirs has −I_v (r − p₀) in addition; without it they are equal.
            let corrected = by_cascade(cascade, step, disturbance, cascade.velocity_i * step);
            prop_assert!(furthest(&ours, &corrected) < 1e-11);
            prop_assert!(furthest(&ours, &theirs) > 1e-6);
        }

        #[test]
        fn the_way_back_gives_the_same_gains(pid in gains()) {
            let back = Cascade::of(&pid, "position_xy").expect("a real root").pid();
            prop_assert!((back.kp - pid.kp).abs() < 1e-12 * pid.kp);
            prop_assert!((back.ki - pid.ki).abs() < 1e-12 * pid.ki.max(1.0));
            prop_assert!(back.kd == pid.kd);
        }
    }

    #[test]
    fn gains_without_a_real_root_and_without_kd_are_refused_with_their_numbers() {
        let pid = |kp, ki, kd| Pid { kp, ki, kd };
        let message = |pid| {
            let refused = Cascade::of(&pid, "position_z");
            refused.expect_err("no equivalent").to_string()
        };
        assert_eq!(
            message(pid(2.0, 1.0, 4.0)),
            "position_z has no equivalent in a cascade: Kp² = 4.0000 is below 4 Kd Ki = 16.0000; \
         tune with --exportable, or lower Ki to at most 0.2500"
        );
        assert_eq!(
            message(pid(2.0, 1.0, 0.0)),
            "position_z has Kd = 0, and a cascade's velocity loop needs a gain"
        );
        let limit = Cascade::of(&pid(2.0, 0.25, 4.0), "position_z").expect("a double root");
        assert_eq!((limit.position_p, limit.velocity_i), (0.25, 1.0));
        let without_integral = Cascade::of(&pid(2.0, 0.0, 4.0), "position_z").expect("real roots");
        assert_eq!(without_integral.velocity_i, 0.0);
    }
}
