//! The search space: the unit cube in which the surrogate and the acquisition work, and the gains
//! that its points stand for.

mod gain;

pub use gain::{CASCADE, Gain, Knob, POSITION, is_whole_cascade, kept, left_out};

use sim::Gains;
use sim::autopilot::Limits;
use sim::margins::Loop;
use std::collections::BTreeMap;

/// The gains that are tuned, and those that stay as they are.
#[derive(Debug, Clone)]
pub struct Space {
    knobs: Vec<Knob>,
    base: Gains,
    limits: Option<Limits>,
}

impl Space {
    /// Kp, Ki and Kd of the position loop, horizontal and vertical: 1..30 1/s², 0.02..10 1/s³,
    /// 1..12 1/s. All other gains stay as in `base`.
    pub fn position_loop(base: Gains) -> Space {
        let knobs = POSITION.map(|name| {
            let gain = Gain::by_name(name).expect("the position loop's gains are listed");
            gain.within(gain.usual(&base))
                .expect("their usual bounds are legal")
        });
        Space::new(base, knobs.to_vec())
    }

    /// The given knobs; all other gains stay as in `base`.
    pub fn new(base: Gains, knobs: Vec<Knob>) -> Space {
        Space {
            knobs,
            base,
            limits: None,
        }
    }

    /// The same space with every point's gains brought within `limits`, so that the search flies
    /// and recommends nothing that the autopilot cannot hold. The base gains stay as they are.
    pub fn within(self, limits: Limits) -> Space {
        Space {
            limits: Some(limits),
            ..self
        }
    }

    /// The gains that are tuned, one per dimension of the cube.
    pub fn knobs(&self) -> &[Knob] {
        &self.knobs
    }

    /// Whether a gain of that loop is tuned.
    pub fn tunes(&self, which: Loop) -> bool {
        let of = match which {
            Loop::Rate => "rate_",
            Loop::Attitude => "attitude_",
            Loop::Thrust => "position_z",
            Loop::Velocity | Loop::Position => "position_",
        };
        let mut knobs = self.knobs.iter();
        knobs.any(|knob| knob.gain.name.starts_with(of))
    }

    /// Number of gains that are tuned.
    pub fn dimensions(&self) -> usize {
        self.knobs.len()
    }

    /// The gains that a point of the unit cube stands for; coordinates outside are clamped. A
    /// coordinate of the base gains gives back the base gain to the last bit, so that a run's
    /// first flight really has the gains that the user flies today.
    pub fn gains_at(&self, unit: &[f64]) -> Gains {
        let mut gains = self.base;
        for (knob, u) in self.knobs.iter().zip(unit) {
            let base = knob.gain.value(&self.base);
            if knob.span().contains(base) && *u == knob.parameter.unit(base) {
                continue;
            }
            knob.gain.set(&mut gains, knob.parameter.natural(*u));
        }
        match &self.limits {
            Some(limits) if gains != self.base => limits.nearest(&gains),
            _ => gains,
        }
    }

    /// The gains at `unit` as they were recorded by name: an earlier version may have brought them elsewhere within an
    /// autopilot's limits.
    pub fn as_recorded(&self, unit: &[f64], recorded: &BTreeMap<String, f64>) -> Gains {
        let mut gains = self.gains_at(unit);
        for knob in &self.knobs {
            if let Some(value) = recorded.get(knob.gain.name) {
                knob.gain.set(&mut gains, *value);
            }
        }
        gains
    }

    /// The tuned ones of `gains` by name.
    pub fn named(&self, gains: &Gains) -> BTreeMap<String, f64> {
        let knobs = self.knobs.iter();
        knobs
            .map(|knob| (knob.gain.name.to_owned(), knob.gain.value(gains)))
            .collect()
    }

    /// The point of the unit cube that stands for `gains`; gains outside the bounds are clamped.
    pub fn unit_of(&self, gains: &Gains) -> Vec<f64> {
        self.knobs
            .iter()
            .map(|knob| knob.parameter.unit(knob.gain.value(gains)))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use sim::Airframe;
    use sim::autopilot::{Autopilot, Px4};

    fn space() -> Space {
        Space::position_loop(Airframe::omac().gains)
    }

    proptest! {
        #[test]
        fn the_cube_and_the_gains_map_onto_each_other(
            unit in prop::array::uniform6(0.0f64..=1.0),
        ) {
            let space = space();
            let gains = space.gains_at(&unit);
            for (knob, (u, back)) in
                space.knobs().iter().zip(unit.iter().zip(space.unit_of(&gains)))
            {
                prop_assert!((u - back).abs() < 1e-12, "{}", knob.gain.name);
                prop_assert!(knob.span().contains(knob.gain.value(&gains)));
            }
        }
    }

    #[test]
    fn the_corners_are_the_bounds_and_the_rest_of_the_autopilot_is_left_alone() {
        let space = space();
        let base = Airframe::omac().gains;
        let (low, high) = (space.gains_at(&[0.0; 6]), space.gains_at(&[1.0; 6]));
        for knob in space.knobs() {
            let (gain, span) = (knob.gain, knob.span());
            assert_eq!(gain.value(&low), span.low, "{}", gain.name);
            assert_eq!(gain.value(&high), span.high, "{}", gain.name);
        }
        assert_eq!(
            (low.attitude_kp, low.rate_kp),
            (base.attitude_kp, base.rate_kp)
        );
    }

    #[test]
    fn within_limits_every_point_can_be_exported_and_the_base_stays() {
        let base = Airframe::omac().gains;
        let limits = Px4.position_limits().expect("a position loop");
        let space = space().within(limits);
        assert_eq!(space.gains_at(&space.unit_of(&base)), base);
        let corners = (0..64u32).map(|n| [0, 1, 2, 3, 4, 5].map(|k| f64::from(n >> k & 1)));
        for corner in corners {
            let gains = space.gains_at(&corner);
            assert!(limits.hold(&gains), "{gains:?}");
        }
    }

    #[test]
    fn gains_are_as_they_were_recorded_whatever_the_limits_make_of_the_point() {
        let point = [1.0; 6];
        let free = space().gains_at(&point);
        let limited = space().within(Px4.position_limits().expect("a position loop"));
        assert_ne!(limited.gains_at(&point), free);
        assert_eq!(limited.as_recorded(&point, &limited.named(&free)), free);
    }

    #[test]
    fn the_base_gains_come_back_to_the_last_bit() {
        let base = Airframe::omac().gains;
        let space = space();
        assert_eq!(space.gains_at(&space.unit_of(&base)), base);
    }

    #[test]
    fn each_knob_turns_its_own_gain() {
        let space = space();
        let middle = space.gains_at(&[0.5; 6]);
        for turned in 0..6 {
            let mut unit = [0.5; 6];
            unit[turned] = 0.9;
            let gains = space.gains_at(&unit);
            for (k, knob) in space.knobs().iter().enumerate() {
                let changed = knob.gain.value(&gains) != knob.gain.value(&middle);
                assert_eq!(changed, k == turned);
            }
        }
    }
}
