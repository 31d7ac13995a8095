//! The search space: the unit cube in which the surrogate and the acquisition work, and the gains
//! that its points stand for.

use serde::Serialize;
use sim::Gains;

/// One gain that is tuned, with its bounds. The cube's coordinate is the logarithm of the gain,
/// scaled to 0 at `low` and 1 at `high`: gains act by ratio.
#[derive(Debug, Clone, Serialize)]
pub struct Knob {
    /// Name, as in a gains file.
    pub name: &'static str,
    /// Unit.
    pub unit: &'static str,
    /// Least value.
    pub low: f64,
    /// Greatest value.
    pub high: f64,
    #[serde(skip)]
    read: fn(&Gains) -> f64,
    #[serde(skip)]
    write: fn(&mut Gains, f64),
}

impl Knob {
    /// Value of this gain in `gains`.
    pub fn value(&self, gains: &Gains) -> f64 {
        (self.read)(gains)
    }

    /// The gain at coordinate `unit`, clamped to the bounds.
    pub fn at(&self, unit: f64) -> f64 {
        let value = self.low * (self.high / self.low).powf(unit.clamp(0.0, 1.0));
        value.clamp(self.low, self.high)
    }

    /// Coordinate of `value`, clamped to the bounds.
    fn unit_of(&self, value: f64) -> f64 {
        (value.clamp(self.low, self.high) / self.low).ln() / (self.high / self.low).ln()
    }
}

/// The gains that are tuned, and those that stay as they are.
#[derive(Debug, Clone)]
pub struct Space {
    knobs: Vec<Knob>,
    base: Gains,
}

impl Space {
    /// Kp, Ki and Kd of the position loop, horizontal and vertical: 1..30 1/s², 0.02..10 1/s³,
    /// 1..12 1/s. All other gains stay as in `base`.
    pub fn position_loop(base: Gains) -> Space {
        let knobs = vec![
            knob(
                "position_xy.kp",
                "1/s²",
                [1.0, 30.0],
                |g| g.position_xy.kp,
                |g, v| {
                    g.position_xy.kp = v;
                },
            ),
            knob(
                "position_xy.ki",
                "1/s³",
                [0.02, 10.0],
                |g| g.position_xy.ki,
                |g, v| {
                    g.position_xy.ki = v;
                },
            ),
            knob(
                "position_xy.kd",
                "1/s",
                [1.0, 12.0],
                |g| g.position_xy.kd,
                |g, v| {
                    g.position_xy.kd = v;
                },
            ),
            knob(
                "position_z.kp",
                "1/s²",
                [1.0, 30.0],
                |g| g.position_z.kp,
                |g, v| {
                    g.position_z.kp = v;
                },
            ),
            knob(
                "position_z.ki",
                "1/s³",
                [0.02, 10.0],
                |g| g.position_z.ki,
                |g, v| {
                    g.position_z.ki = v;
                },
            ),
            knob(
                "position_z.kd",
                "1/s",
                [1.0, 12.0],
                |g| g.position_z.kd,
                |g, v| {
                    g.position_z.kd = v;
                },
            ),
        ];
        Space { knobs, base }
    }

    /// The gains that are tuned, one per dimension of the cube.
    pub fn knobs(&self) -> &[Knob] {
        &self.knobs
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
            let base = knob.value(&self.base);
            if (knob.low..=knob.high).contains(&base) && *u == knob.unit_of(base) {
                continue;
            }
            (knob.write)(&mut gains, knob.at(*u));
        }
        gains
    }

    /// The point of the unit cube that stands for `gains`; gains outside the bounds are clamped.
    pub fn unit_of(&self, gains: &Gains) -> Vec<f64> {
        self.knobs
            .iter()
            .map(|knob| knob.unit_of(knob.value(gains)))
            .collect()
    }
}

fn knob(
    name: &'static str,
    unit: &'static str,
    [low, high]: [f64; 2],
    read: fn(&Gains) -> f64,
    write: fn(&mut Gains, f64),
) -> Knob {
    Knob {
        name,
        unit,
        low,
        high,
        read,
        write,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use sim::Airframe;

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
                prop_assert!((u - back).abs() < 1e-12, "{}", knob.name);
                let value = knob.value(&gains);
                prop_assert!((knob.low..=knob.high).contains(&value));
            }
        }
    }

    #[test]
    fn the_corners_are_the_bounds_and_the_rest_of_the_autopilot_is_left_alone() {
        let space = space();
        let base = Airframe::omac().gains;
        let (low, high) = (space.gains_at(&[0.0; 6]), space.gains_at(&[1.0; 6]));
        for knob in space.knobs() {
            assert_eq!(knob.value(&low), knob.low, "{}", knob.name);
            assert_eq!(knob.value(&high), knob.high, "{}", knob.name);
        }
        assert_eq!(
            (low.attitude_kp, low.rate_kp),
            (base.attitude_kp, base.rate_kp)
        );
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
                assert_eq!(knob.value(&gains) != knob.value(&middle), k == turned);
            }
        }
    }
}
