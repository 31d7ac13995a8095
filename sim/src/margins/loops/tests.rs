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
