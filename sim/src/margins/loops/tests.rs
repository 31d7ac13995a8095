use super::*;
use crate::AIRFRAME_NAMES;
use crate::vehicle::airframe::VerticalLoop;

/// What the lifted system says of the samples is what all the frequencies that look alike there add up
/// to, whatever the delay and the law; with very late sensors there is none.
#[test]
fn the_lifted_system_is_what_the_aliases_add_up_to() {
    for name in AIRFRAME_NAMES {
        let plain = Airframe::by_name(name).expect("shipped");
        let mut filtered = plain.clone();
        let mut law = filtered.controller.law();
        law.rate_feedforward = [1e-4, 2e-4, 1e-4];
        law.rate_feedforward_derivative = [1e-5; 3];
        law.rate_setpoint_filter_hz = [20.0, 30.0, 5.0];
        law.torque_filter_hz = [0.0, 40.0, 12.0];
        law.vertical = Some(VerticalLoop {
            kp: 0.3,
            ki: 1.2,
            filter_hz: 10.0,
            thrust_filter_hz: 2.0,
            integral_limit_m_s2: 5.0,
        });
        filtered.controller.law = Some(law);
        for (airframe, delay) in [
            (&plain, 0),
            (&plain, 3),
            (&plain, 14),
            (&filtered, 0),
            (&filtered, 10),
        ] {
            let wind = Vector3::new(3.0, 0.5, 0.0);
            let system = Linearised::hover(airframe, &airframe.gains, delay, wind);
            let lifted = Lifted::of(&system.cascade).expect("few states");
            for frequency in [0.3, 2.0, 11.0, 60.0, 157.0] {
                let z = Complex::from_polar(1.0, frequency * POSITION_PERIOD_S);
                let (one, other) = (lifted.at(z), system.aliased(frequency));
                let off = (one - other).norm() / other.norm();
                assert!(
                    off < 1e-7,
                    "{name}, {delay} ms late, at {frequency} rad/s: {off:e}"
                );
            }
        }
        let late = Linearised::hover(&plain, &plain.gains, 200, Vector3::zeros());
        assert!(Lifted::of(&late.cascade).is_none());
    }
}

/// The vehicle with such a loop on its vertical acceleration; gusts lean it a little.
fn with_vertical(name: &str, times: f64) -> Airframe {
    let mut airframe = Airframe::by_name(name).expect("shipped");
    let mut law = airframe.controller.law();
    law.rate_setpoint_filter_hz = [20.0, 30.0, 5.0];
    law.vertical = Some(VerticalLoop {
        kp: 0.4 * times,
        ki: 0.8 * times,
        filter_hz: 10.0,
        thrust_filter_hz: 2.0,
        integral_limit_m_s2: 5.0,
    });
    airframe.controller.law = Some(law);
    airframe
}

#[test]
fn the_thrust_s_gain_margin_is_where_the_vehicle_ceases_to_be_stable() {
    let wind = Vector3::new(3.0, 0.5, 0.0);
    for name in AIRFRAME_NAMES {
        let at = |times: f64| {
            let airframe = with_vertical(name, times);
            let mut gains = airframe.gains;
            let z = &mut gains.position_z;
            (z.kp, z.ki, z.kd) = (2.0, 0.2, 2.5);
            Linearised::hover(&airframe, &gains, 1, wind)
        };
        let start = [1.0, 3.0, 0.3]
            .into_iter()
            .find(|times| at(*times).mode().is_stable());
        let start = start.unwrap_or_else(|| panic!("{name}: {:?}", at(1.0).mode()));
        let margins = at(start).margins(Loop::Thrust, 2);
        let up = margins.gain_up.expect("too much thrust is too much");
        assert!(at(start * up * 0.98).mode().is_stable(), "{name} {up}");
        assert!(!at(start * up * 1.02).mode().is_stable(), "{name} {up}");
        // Those of the torques are the rate loops'.
        let linear = at(start);
        for frequency in [0.4, 3.0, 20.0, 90.0] {
            let (all, inner) = (linear.commands(frequency), linear.inner(frequency));
            for axis in 0..3 {
                let (one, other) = (all[(1 + axis, 1 + axis)], inner[(3 + axis, 3 + axis)]);
                assert!(
                    (one - other).norm() < 1e-9 * other.norm(),
                    "{name} {frequency} {axis}"
                );
            }
        }
        let plain = Airframe::by_name(name).expect("shipped");
        let plain = Linearised::hover(&plain, &plain.gains, 1, wind);
        assert!(!plain.has(Loop::Thrust, 2) && linear.has(Loop::Thrust, 2));
        let none = plain.margins(Loop::Thrust, 2);
        assert_eq!((none.gain_up, none.phase_rad), (None, None));
        assert!(none.disk >= 1.0, "{}", none.disk);
    }
}
