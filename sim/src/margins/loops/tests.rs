use super::*;
use crate::AIRFRAME_NAMES;

/// What the lifted system says of the samples is what all the frequencies that look alike there add up
/// to, which is how late sensors are taken.
#[test]
fn the_lifted_system_is_what_the_aliases_add_up_to() {
    for name in AIRFRAME_NAMES {
        let airframe = Airframe::by_name(name).expect("shipped");
        let wind = Vector3::new(3.0, 0.5, 0.0);
        let hover = |delay| Linearised::hover(&airframe, &airframe.gains, delay, wind);
        let system = hover(0);
        let lifted = Lifted::of(&system.cascade).expect("no delay");
        for frequency in [0.3, 2.0, 11.0, 60.0, 157.0] {
            let z = Complex::from_polar(1.0, frequency * POSITION_PERIOD_S);
            let (one, other) = (lifted.at(z), system.aliased(frequency));
            let off = (one - other).norm() / other.norm();
            assert!(off < 1e-9, "{name} at {frequency} rad/s: {off:e}");
        }
        assert!(Lifted::of(&hover(2).cascade).is_none());
    }
}
