//! From the ground: a flight that begins and ends standing on level ground.
//!
//! Around any other trajectory it lays the phases of a whole flight: the vehicle stands, climbs
//! straight up to where the run-up begins, runs up to the other trajectory's start so that it
//! arrives there with its velocity and acceleration, flies it, brakes to a stop, sinks straight
//! down and stands again. Every leg is a polynomial of degree five between two states of motion,
//! so position, velocity and acceleration are continuous throughout.

use crate::{Footing, Reference, Trajectory};
use nalgebra::Vector3;

/// Time on the ground before the climb and after the touch-down [s].
const STANDING_S: f64 = 1.0;

/// Greatest speed of the climb [m/s].
const CLIMB_M_S: f64 = 1.0;

/// Greatest speed on the way down [m/s]; at the ground it is zero.
const SINK_M_S: f64 = 0.6;

/// Acceleration that run-up and braking aim at: the velocity to gain or lose asks for no more,
/// unless the ground is so near that there is less room [m/s²].
const RUN_UP_M_S2: f64 = 4.0;

/// Shortest run-up or braking [s].
const LEAST_RUN_UP_S: f64 = 0.4;

/// How far run-up, flight and braking stay above the height of standing [m].
const MARGIN_M: f64 = 0.1;

/// Instants at which a leg's or the inner trajectory's height is examined.
const LOOKS: u32 = 20_000;

/// What a flight from the ground is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// On the ground, before the climb.
    Standing,
    /// Climb and run-up.
    TakeOff,
    /// On the inner trajectory.
    Flight,
    /// Braking and sinking.
    Landing,
    /// On the ground again.
    Landed,
}

/// Why a trajectory cannot be flown from the ground.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum FromGroundError {
    /// A height is not usable.
    #[error("{quantity} is {value}; it must be {wanted}")]
    OutOfRange {
        /// Which number, with its unit.
        quantity: &'static str,
        /// Its value.
        value: f64,
        /// The legal range in words.
        wanted: &'static str,
    },
    /// The trajectory itself, or every way into or out of it, comes too near to the ground.
    #[error(
        "{what} comes down to {height_m:.3} m above the ground; a vehicle that stands {standing_m:.3} m high needs {:.3} m",
        standing_m + MARGIN_M
    )]
    TooLow {
        /// Which part of the flight.
        what: &'static str,
        /// Its least height above the ground [m].
        height_m: f64,
        /// Height of the vehicle's centre of mass when it stands [m].
        standing_m: f64,
    },
}

/// A flight from standing to standing around an inner trajectory.
///
/// Positions stay those of the inner trajectory's frame, so this one does not begin at the origin.
/// It stands 1 s before and after, climbs at up to 1 m/s and sinks at up to 0.6 m/s, with the speed
/// going to zero at the ground. Run-up and braking shorten where the ground is near. The heading is
/// that of the inner trajectory's start before it, and of its end after it: where the inner one
/// turns at its ends, the heading is continuous and its rate is not.
pub struct FromGround {
    name: String,
    inner: Box<dyn Trajectory>,
    climb: Leg,
    run_up: Leg,
    brake: Leg,
    sink: Leg,
}

impl FromGround {
    /// The flight along `inner` from a ground at the height `ground_z_m` [m] of its frame, by a
    /// vehicle whose centre of mass is `standing_m` above the ground when it stands [m].
    ///
    /// # Errors
    /// [`FromGroundError`] when a height is out of range or the flight leaves no room above the
    /// ground.
    pub fn new(
        inner: Box<dyn Trajectory>,
        ground_z_m: f64,
        standing_m: f64,
    ) -> Result<FromGround, FromGroundError> {
        check("ground_z_m", ground_z_m, "between -1e4 and 1e4 m", |z| {
            z.abs() <= 1e4
        })?;
        check("standing_m", standing_m, "above 0 and at most 100 m", |x| {
            x > 0.0 && x <= 100.0
        })?;
        let ground = Ground {
            z_m: ground_z_m,
            standing_m,
        };
        let duration_s = inner.duration_s();
        ground.is_clear_of("the trajectory", duration_s, |t_s| {
            inner.at(t_s).position_m.z
        })?;
        let first = Motion::of(&inner.at(0.0));
        let last = Motion::of(&inner.at(duration_s));

        let run_up = ground.room_for("the run-up to the trajectory", &first, |t_s| {
            let start = Motion::at_rest(
                first.position - first.velocity * (t_s / 2.0)
                    + first.acceleration * (t_s * t_s / 12.0),
            );
            Leg::between(start, first, t_s)
        })?;
        let brake = ground.room_for("the braking after the trajectory", &last, |t_s| {
            let stop = Motion::at_rest(
                last.position
                    + last.velocity * (t_s / 2.0)
                    + last.acceleration * (t_s * t_s / 12.0),
            );
            Leg::between(last, stop, t_s)
        })?;
        let (up, down) = (run_up.start(), brake.end());
        Ok(FromGround {
            name: format!("{}-from-ground", inner.name()),
            climb: Leg::at_peak_speed(ground.below(up), up, CLIMB_M_S),
            sink: Leg::at_peak_speed(down, ground.below(down), SINK_M_S),
            run_up,
            brake,
            inner,
        })
    }

    /// What the flight is doing `t_s` seconds after its start.
    pub fn phase(&self, t_s: f64) -> Phase {
        let [climb, _, flight, brake, _, landed] = self.starts_s();
        match t_s {
            t if t < climb => Phase::Standing,
            t if t < flight => Phase::TakeOff,
            t if t < brake => Phase::Flight,
            t if t < landed => Phase::Landing,
            _ => Phase::Landed,
        }
    }

    /// When climb, run-up, inner trajectory, braking, sinking and standing again begin [s].
    pub fn starts_s(&self) -> [f64; 6] {
        let climb = STANDING_S;
        let run_up = climb + self.climb.duration_s;
        let flight = run_up + self.run_up.duration_s;
        let brake = flight + self.inner.duration_s();
        let sink = brake + self.brake.duration_s;
        [
            climb,
            run_up,
            flight,
            brake,
            sink,
            sink + self.sink.duration_s,
        ]
    }
}

impl Trajectory for FromGround {
    fn name(&self) -> &str {
        &self.name
    }

    fn footing(&self, t_s: f64) -> Footing {
        match self.phase(t_s) {
            Phase::Standing | Phase::Landed => Footing::Ground,
            Phase::TakeOff => Footing::TakeOff,
            Phase::Flight => Footing::Air,
            Phase::Landing => Footing::Landing,
        }
    }

    fn duration_s(&self) -> f64 {
        let [.., landed] = self.starts_s();
        landed + STANDING_S
    }

    fn at(&self, t_s: f64) -> Reference {
        let [climb, run_up, flight, brake, sink, landed] = self.starts_s();
        let before_rad = || self.inner.at(0.0).yaw_rad;
        let after_rad = || self.inner.at(self.inner.duration_s()).yaw_rad;
        match t_s {
            t if t < climb => self.climb.start().heading(before_rad()),
            t if t < run_up => self.climb.at(t - climb).heading(before_rad()),
            t if t < flight => self.run_up.at(t - run_up).heading(before_rad()),
            t if t < brake => self.inner.at(t - flight),
            t if t < sink => self.brake.at(t - brake).heading(after_rad()),
            t if t < landed => self.sink.at(t - sink).heading(after_rad()),
            _ => self.sink.end().heading(after_rad()),
        }
    }
}

/// A state of motion of a point.
#[derive(Debug, Clone, Copy)]
struct Motion {
    position: Vector3<f64>,
    velocity: Vector3<f64>,
    acceleration: Vector3<f64>,
}

impl Motion {
    fn of(reference: &Reference) -> Motion {
        Motion {
            position: reference.position_m,
            velocity: reference.velocity_m_s,
            acceleration: reference.acceleration_m_s2,
        }
    }

    fn at_rest(position: Vector3<f64>) -> Motion {
        Motion {
            position,
            velocity: Vector3::zeros(),
            acceleration: Vector3::zeros(),
        }
    }

    fn heading(self, yaw_rad: f64) -> Reference {
        Reference {
            position_m: self.position,
            velocity_m_s: self.velocity,
            acceleration_m_s2: self.acceleration,
            yaw_rad,
        }
    }
}

/// The polynomial of degree five that joins two states of motion in a given time.
#[derive(Debug, Clone, Copy)]
struct Leg {
    from: Motion,
    to: Motion,
    duration_s: f64,
    /// p = Σ c_k s^k with s = t / duration.
    coefficients: [Vector3<f64>; 6],
}

impl Leg {
    fn between(from: Motion, to: Motion, duration_s: f64) -> Leg {
        let (t, t2) = (duration_s, duration_s * duration_s);
        let c0 = from.position;
        let c1 = from.velocity * t;
        let c2 = from.acceleration * (0.5 * t2);
        // What the last three terms must add to position, velocity and acceleration at s = 1.
        let p = to.position - c0 - c1 - c2;
        let v = to.velocity * t - c1 - c2 * 2.0;
        let a = to.acceleration * t2 - c2 * 2.0;
        let c3 = p * 10.0 - v * 4.0 + a * 0.5;
        let c4 = p * -15.0 + v * 7.0 - a;
        let c5 = p * 6.0 - v * 3.0 + a * 0.5;
        Leg {
            from,
            to,
            duration_s,
            coefficients: [c0, c1, c2, c3, c4, c5],
        }
    }

    /// From rest to rest; the polynomial's greatest speed is 15/8 of its mean.
    fn at_peak_speed(from: Motion, to: Motion, peak_m_s: f64) -> Leg {
        let way_m = (to.position - from.position).norm();
        Leg::between(
            from,
            to,
            whole_tenths(15.0 / 8.0 * way_m / peak_m_s).max(1.0),
        )
    }

    fn start(&self) -> Motion {
        self.from
    }

    fn end(&self) -> Motion {
        self.to
    }

    fn at(&self, t_s: f64) -> Motion {
        let s = t_s / self.duration_s;
        let [c0, c1, c2, c3, c4, c5] = self.coefficients;
        let position = c0 + (c1 + (c2 + (c3 + (c4 + c5 * s) * s) * s) * s) * s;
        let slope = c1 + (c2 * 2.0 + (c3 * 3.0 + (c4 * 4.0 + c5 * (5.0 * s)) * s) * s) * s;
        let bend = c2 * 2.0 + (c3 * 6.0 + (c4 * 12.0 + c5 * (20.0 * s)) * s) * s;
        Motion {
            position,
            velocity: slope / self.duration_s,
            acceleration: bend / (self.duration_s * self.duration_s),
        }
    }
}

/// Where the ground is, and how high above it a vehicle stands.
struct Ground {
    z_m: f64,
    standing_m: f64,
}

impl Ground {
    /// Standing on the ground below `motion`.
    fn below(&self, motion: Motion) -> Motion {
        let p = motion.position;
        Motion::at_rest(Vector3::new(p.x, p.y, self.z_m + self.standing_m))
    }

    fn is_clear_of(
        &self,
        what: &'static str,
        duration_s: f64,
        z_m: impl Fn(f64) -> f64,
    ) -> Result<(), FromGroundError> {
        let height_m = (0..=LOOKS)
            .map(|k| z_m(duration_s * f64::from(k) / f64::from(LOOKS)) - self.z_m)
            .fold(f64::INFINITY, f64::min);
        if height_m >= self.standing_m + MARGIN_M {
            Ok(())
        } else {
            Err(FromGroundError::TooLow {
                what,
                height_m,
                standing_m: self.standing_m,
            })
        }
    }

    /// The longest of ever shorter legs, as `leg` makes them, that stays clear of the ground. The
    /// legs have no fifth-degree term: their speed goes from one end to the other by a cubic,
    /// whose slope is at most 3/2 of its mean when `motion` has no acceleration.
    fn room_for(
        &self,
        what: &'static str,
        motion: &Motion,
        leg: impl Fn(f64) -> Leg,
    ) -> Result<Leg, FromGroundError> {
        let mut duration_s =
            whole_tenths(1.5 * motion.velocity.norm() / RUN_UP_M_S2).max(LEAST_RUN_UP_S);
        loop {
            let leg = leg(duration_s);
            let clear = self.is_clear_of(what, duration_s, |t_s| leg.at(t_s).position.z);
            if clear.is_ok() || duration_s <= LEAST_RUN_UP_S {
                return clear.map(|()| leg);
            }
            duration_s = (duration_s - 0.1).max(LEAST_RUN_UP_S);
        }
    }
}

/// The next whole tenth of a second, so that phases begin on the autopilot's ticks [s].
fn whole_tenths(t_s: f64) -> f64 {
    (t_s * 10.0).ceil() / 10.0
}

fn check(
    quantity: &'static str,
    value: f64,
    wanted: &'static str,
    legal: impl Fn(f64) -> bool,
) -> Result<(), FromGroundError> {
    if legal(value) {
        Ok(())
    } else {
        Err(FromGroundError::OutOfRange {
            quantity,
            value,
            wanted,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{NAMES, by_name};
    use proptest::prelude::*;

    const GROUND_Z_M: f64 = -3.048;
    const STANDING_M: f64 = 0.15;

    fn all() -> Vec<FromGround> {
        NAMES.into_iter().map(from_ground).collect()
    }

    fn from_ground(name: &str) -> FromGround {
        let inner = by_name(name).expect("legal");
        FromGround::new(inner, GROUND_Z_M, STANDING_M).expect("there is room")
    }

    fn height_m(flight: &FromGround, t_s: f64) -> f64 {
        flight.at(t_s).position_m.z - GROUND_Z_M
    }

    proptest! {
        /// Fourth-order central differences, away from the joints, where the third derivative
        /// jumps.
        #[test]
        fn derivatives_belong_to_the_positions(share in 0.001f64..0.999) {
            let h = 1e-3;
            for flight in all() {
                let t = share * flight.duration_s();
                if flight.starts_s().into_iter().any(|joint| (joint - t).abs() < 3.0 * h) {
                    continue;
                }
                let slope = |f: &dyn Fn(f64) -> Vector3<f64>| {
                    (f(t - 2.0 * h) - f(t + 2.0 * h) + (f(t + h) - f(t - h)) * 8.0) / (12.0 * h)
                };
                let velocity = slope(&|t| flight.at(t).position_m);
                let acceleration = slope(&|t| flight.at(t).velocity_m_s);
                let here = flight.at(t);
                prop_assert!((velocity - here.velocity_m_s).norm() < 1e-9, "{}", flight.name());
                prop_assert!(
                    (acceleration - here.acceleration_m_s2).norm() < 1e-9,
                    "{}", flight.name()
                );
            }
        }
    }

    #[test]
    fn nothing_jumps_where_two_phases_meet() {
        for flight in all() {
            for joint in flight.starts_s() {
                let (before, after) = (flight.at(joint - 1e-9), flight.at(joint + 1e-9));
                let jump = [
                    (before.position_m - after.position_m).norm(),
                    (before.velocity_m_s - after.velocity_m_s).norm(),
                    (before.acceleration_m_s2 - after.acceleration_m_s2).norm(),
                ];
                // 2 ns at the speeds, accelerations and jerks of these flights, below 50 m/s^3.
                assert!(
                    jump.iter().all(|&x| x < 1e-7),
                    "{} {joint}: {jump:?}",
                    flight.name()
                );
                assert_eq!(before.yaw_rad, after.yaw_rad);
            }
        }
    }

    #[test]
    fn it_begins_and_ends_standing_and_is_never_lower() {
        for flight in all() {
            let end_s = flight.duration_s();
            for t_s in [0.0, 0.5, end_s - 0.5, end_s] {
                assert!((height_m(&flight, t_s) - STANDING_M).abs() < 1e-12);
                assert_eq!(flight.at(t_s).velocity_m_s.norm(), 0.0);
            }
            let [climb, run_up, _, _, sink, landed] = flight.starts_s();
            let mut phases = Vec::new();
            for k in 0..=10_000 {
                let t_s = end_s * f64::from(k) / 10_000.0;
                assert!(
                    height_m(&flight, t_s) >= STANDING_M - 1e-12,
                    "{}",
                    flight.name()
                );
                let climbing_m_s = flight.at(t_s).velocity_m_s.z;
                if (climb..run_up).contains(&t_s) {
                    assert!((-1e-12..=CLIMB_M_S + 1e-12).contains(&climbing_m_s));
                }
                if (sink..landed).contains(&t_s) {
                    assert!((-SINK_M_S - 1e-12..=1e-12).contains(&climbing_m_s));
                }
                let phase = flight.phase(t_s);
                if matches!(phase, Phase::Standing | Phase::Landed) {
                    assert!((height_m(&flight, t_s) - STANDING_M).abs() < 1e-12);
                }
                if phases.last() != Some(&phase) {
                    phases.push(phase);
                }
            }
            let order = [
                Phase::Standing,
                Phase::TakeOff,
                Phase::Flight,
                Phase::Landing,
                Phase::Landed,
            ];
            assert_eq!(phases, order);
        }
    }

    #[test]
    fn in_between_it_is_the_inner_trajectory() {
        for name in NAMES {
            let (inner, flight) = (by_name(name).expect("legal"), from_ground(name));
            let start_s = flight.starts_s()[2];
            for k in 0..200 {
                let t_s = f64::from(k) * 0.1;
                let (a, b) = (inner.at(t_s), flight.at(start_s + t_s));
                assert!((a.position_m - b.position_m).norm() < 1e-12);
                assert!((a.velocity_m_s - b.velocity_m_s).norm() < 1e-12);
                assert_eq!(flight.phase(start_s + t_s), Phase::Flight);
            }
        }
    }

    #[test]
    fn near_ground_shortens_the_run_up() {
        let near = FromGround::new(by_name("fig8").expect("legal"), -1.5, STANDING_M);
        let near = near.expect("the eight dips to -1 m, which leaves 0.5 m");
        let run_up_s = |flight: &FromGround| flight.starts_s()[2] - flight.starts_s()[1];
        assert!(run_up_s(&near) < run_up_s(&from_ground("fig8")) - 0.05);
    }

    #[test]
    fn what_leaves_no_room_is_refused_with_its_numbers() {
        let refused = |name, ground_z_m, standing_m| {
            let inner = by_name(name).expect("legal");
            let refused = FromGround::new(inner, ground_z_m, standing_m);
            refused.err().expect("no room").to_string()
        };
        assert_eq!(
            refused("fig8", -1.1, 0.15),
            "the trajectory comes down to 0.100 m above the ground; a vehicle that stands \
             0.150 m high needs 0.250 m"
        );
        // The spiral starts upwards at 0.3 m/s: the shortest run-up begins 0.06 m lower.
        let slow = refused("spiral-up", -0.28, 0.15);
        assert!(
            slow.starts_with("the run-up to the trajectory comes down to"),
            "{slow}"
        );
        assert_eq!(
            refused("hover", f64::NAN, 0.15),
            "ground_z_m is NaN; it must be between -1e4 and 1e4 m"
        );
        assert_eq!(
            refused("hover", -3.0, 0.0),
            "standing_m is 0; it must be above 0 and at most 100 m"
        );
    }
}
