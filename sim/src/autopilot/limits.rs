//! Limits: gains that an autopilot can hold, for a search that stays within them and for an export
//! that takes gains near by, brought into its ranges one after another.

use super::Cascade;
use crate::{Gains, Pid};

/// The position gains that one autopilot can hold: those of a cascade within its ranges.
///
/// Most of the default search box has no equivalent on an autopilot: no real root, or a P on
/// position above the range.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// Ranges of P on position, and P and I on velocity, horizontal and vertical.
    ranges: [[[f64; 2]; 3]; 2],
}

impl Limits {
    /// Those of any cascade: an equivalent, and nothing beyond it.
    pub const CASCADE: Limits = Limits {
        ranges: [[[0.0, f64::INFINITY]; 3]; 2],
    };

    /// `ranges` are those of P on position, and P, I and D on velocity, horizontal and vertical; D is
    /// not used.
    pub fn of(ranges: [[[f64; 2]; 4]; 2]) -> Limits {
        Limits {
            ranges: ranges.map(|[position, p, i, _]| [position, p, i]),
        }
    }

    /// The same where vertical numbers act `slope` times as strongly: P and I on velocity.
    pub(super) fn acting(self, slope: f64) -> Limits {
        let [xy, [position, p, i]] = self.ranges;
        let [p, i] = [p, i].map(|range| range.map(|limit| limit * slope));
        Limits {
            ranges: [xy, [position, p, i]],
        }
    }

    /// Whether the position gains of `gains` have an equivalent within the ranges.
    pub fn hold(&self, gains: &Gains) -> bool {
        let axes = [gains.position_xy, gains.position_z];
        let within = |(pid, ranges): (&Pid, &[[f64; 2]; 3])| {
            Cascade::of(pid, "position").is_ok_and(|cascade| {
                let values = [cascade.position_p, cascade.velocity_p, cascade.velocity_i];
                values.iter().zip(ranges).all(|(value, [low, high])| {
                    // As the autopilot stores it: a value at a limit stays at it.
                    let [value, low, high] = [*value, *low, *high].map(|x| x as f32);
                    (low..=high).contains(&value)
                })
            })
        };
        axes.iter().zip(&self.ranges).all(within)
    }

    /// Gains that [`Limits::hold`], near to `gains`, and `gains` themselves where they hold: the
    /// cascade's gains are brought into their ranges one after another (P on velocity, P on
    /// position, I), I no higher than leaves P on position the larger root. A PID without velocity
    /// feedback has none near it where the ranges ask for no such feedback either, and stays.
    pub fn nearest(&self, gains: &Gains) -> Gains {
        if self.hold(gains) {
            return *gains;
        }
        Gains {
            position_xy: within(&gains.position_xy, &self.ranges[0]),
            position_z: within(&gains.position_z, &self.ranges[1]),
            ..*gains
        }
    }
}

fn within(pid: &Pid, [position, p, i]: &[[f64; 2]; 3]) -> Pid {
    let velocity_p = pid.kd.clamp(p[0], p[1]);
    if velocity_p <= 0.0 {
        return *pid;
    }
    let discriminant = (pid.kp * pid.kp - 4.0 * velocity_p * pid.ki).max(0.0);
    let position_p = (pid.kp + discriminant.sqrt()) / (2.0 * velocity_p);
    let position_p = position_p.clamp(position[0], position[1]);
    let velocity_i = if pid.ki > 0.0 {
        pid.ki / position_p
    } else {
        0.0
    };
    // Above P_v P_x the roots change places; the factor keeps rounding on this side.
    let room = position_p * (1.0 - 1e-6);
    let velocity_p = velocity_p.max(i[0] / room);
    let cascade = Cascade {
        position_p,
        velocity_p,
        velocity_i: velocity_i.clamp(i[0], i[1].min(velocity_p * room)),
    };
    cascade.pid()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Airframe;
    use crate::autopilot::{ArduPilot, Autopilot, Crazyflie, Px4};
    use proptest::prelude::*;

    fn px4() -> Limits {
        Px4.position_limits().expect("a position loop")
    }

    fn any_gains() -> impl Strategy<Value = Pid> {
        (0.01f64..100.0, 0.0f64..50.0, 0.01f64..50.0).prop_map(|(kp, ki, kd)| Pid { kp, ki, kd })
    }

    fn every() -> Vec<Limits> {
        let ardupilot = |version| {
            let autopilot = ArduPilot::new(Some(version)).expect("a version");
            autopilot.position_limits().expect("a position loop")
        };
        let crazyflie = Crazyflie.position_limits().expect("a position loop");
        vec![px4(), ardupilot("4.6"), ardupilot("4.8"), crazyflie]
    }

    proptest! {
        #[test]
        fn the_nearest_gains_hold_and_holding_gains_are_left_alone(xy in any_gains(), z in any_gains()) {
            let base = Airframe::omac().gains;
            let gains = Gains { position_xy: xy, position_z: z, ..base };
            for limits in every() {
                let nearest = limits.nearest(&gains);
                prop_assert!(limits.hold(&nearest), "{nearest:?}");
                prop_assert!(!limits.hold(&gains) || nearest == gains);
                prop_assert_eq!(limits.nearest(&nearest), nearest);
                prop_assert_eq!(nearest.rate_kp, base.rate_kp);
            }
        }
    }

    #[test]
    fn the_default_gains_hold_on_px4_and_most_of_the_box_does_not() {
        let limits = px4();
        let base = Airframe::omac().gains;
        assert!(limits.hold(&base));
        let mut held = 0;
        let at = |k: u32, low: f64, high: f64| low * (high / low).powf(f64::from(k) / 9.0);
        for number in 0..1000 {
            let (a, b, c) = (number / 100, number / 10 % 10, number % 10);
            let pid = Pid {
                kp: at(a, 1.0, 30.0),
                ki: at(b, 0.02, 10.0),
                kd: at(c, 1.0, 12.0),
            };
            let gains = Gains {
                position_xy: pid,
                ..base
            };
            held += u32::from(limits.hold(&gains));
        }
        assert!(held > 0 && held < 500, "{held} of 1000");
    }

    #[test]
    fn the_nearest_gains_change_what_is_out_of_range_and_keep_the_rest() {
        let (limits, base) = (px4(), Airframe::omac().gains);
        let cascade = |position_p: f64, velocity_p: f64, velocity_i: f64| Cascade {
            position_p,
            velocity_p,
            velocity_i,
        };
        let near = |one: Pid, other: Pid| {
            let pairs = [(one.kp, other.kp), (one.ki, other.ki), (one.kd, other.kd)];
            let close = |(a, b): (f64, f64)| (a - b).abs() < 1e-9 * (1.0 + b.abs());
            assert!(pairs.into_iter().all(close), "{one:?} {other:?}");
        };
        // PX4 holds 0 to 2, 1.2 to 5 and 0 to 60 on x and y, .1 to 1.5, 2 to 15 and .2 to 3 on z.
        // P on position above its range: Ki stays, so that I is 2.5 * 1.2 / 2.
        let xy = Gains {
            position_xy: cascade(2.5, 4.0, 1.2).pid(),
            ..base
        };
        let nearest = limits.nearest(&xy);
        near(nearest.position_xy, cascade(2.0, 4.0, 1.5).pid());
        near(nearest.position_z, base.position_z);
        // I below its range.
        let z = Gains {
            position_z: cascade(1.25, 6.0, 0.1).pid(),
            ..base
        };
        let nearest = limits.nearest(&z);
        near(nearest.position_z, cascade(1.25, 6.0, 0.2).pid());
        near(nearest.position_xy, base.position_xy);
        // None at all: P on position is Kp / Kd then.
        let pid = Pid {
            kp: 6.0,
            ki: 0.0,
            kd: 6.0,
        };
        let without = Gains {
            position_z: pid,
            ..base
        };
        near(
            limits.nearest(&without).position_z,
            cascade(1.0, 6.0, 0.2).pid(),
        );
        // P on velocity above its range: the others are those of the greatest one.
        let fast = Gains {
            position_z: cascade(0.9, 20.0, 1.0).pid(),
            ..base
        };
        let (kp, ki) = (19.0, 0.9);
        let root = (kp + f64::sqrt(kp * kp - 60.0 * ki)) / 30.0;
        near(
            limits.nearest(&fast).position_z,
            cascade(root, 15.0, ki / root).pid(),
        );
    }
}
