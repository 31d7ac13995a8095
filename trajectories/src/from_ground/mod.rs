//! From the ground: a flight that begins and ends standing on level ground.
//!
//! Around any other trajectory it lays the phases of a whole flight: the vehicle stands, climbs
//! straight up to where the run-up begins, runs up to the other trajectory's start so that it
//! arrives there with its velocity and acceleration, flies it, brakes to a stop, sinks straight
//! down and stands again. Every leg is a polynomial of degree five between two states of motion,
//! so position, velocity and acceleration are continuous throughout.

mod leg;

use crate::{Footing, Reference, Remark, Trajectory};
use leg::{Leg, at_rest, whole_tenths};
use nalgebra::Vector3;

/// What ends the name of a flight from the ground, behind that of what is flown in between.
pub const FROM_GROUND: &str = "-from-ground";

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
        let (first, last) = (inner.at(0.0), inner.at(duration_s));

        let run_up = ground.room_for("the run-up to the trajectory", &first, |t_s| {
            let start_m = first.position_m - first.velocity_m_s * (t_s / 2.0)
                + first.acceleration_m_s2 * (t_s * t_s / 12.0);
            Leg::between(at_rest(start_m, first.yaw_rad), first, t_s)
        })?;
        let brake = ground.room_for("the braking after the trajectory", &last, |t_s| {
            let stop_m = last.position_m
                + last.velocity_m_s * (t_s / 2.0)
                + last.acceleration_m_s2 * (t_s * t_s / 12.0);
            Leg::between(last, at_rest(stop_m, last.yaw_rad), t_s)
        })?;
        let (up, down) = (run_up.from, brake.to);
        Ok(FromGround {
            name: format!("{}{FROM_GROUND}", inner.name()),
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

    fn remarks(&self) -> &[Remark] {
        self.inner.remarks()
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
        match t_s {
            t if t < climb => self.climb.from,
            t if t < run_up => self.climb.at(t - climb),
            t if t < flight => self.run_up.at(t - run_up),
            t if t < brake => self.inner.at(t - flight),
            t if t < sink => self.brake.at(t - brake),
            t if t < landed => self.sink.at(t - sink),
            _ => self.sink.to,
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
    fn below(&self, motion: Reference) -> Reference {
        let p = motion.position_m;
        let standing_m = Vector3::new(p.x, p.y, self.z_m + self.standing_m);
        at_rest(standing_m, motion.yaw_rad)
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
        motion: &Reference,
        leg: impl Fn(f64) -> Leg,
    ) -> Result<Leg, FromGroundError> {
        let mut duration_s =
            whole_tenths(1.5 * motion.velocity_m_s.norm() / RUN_UP_M_S2).max(LEAST_RUN_UP_S);
        loop {
            let leg = leg(duration_s);
            let clear = self.is_clear_of(what, duration_s, |t_s| leg.at(t_s).position_m.z);
            if clear.is_ok() || duration_s <= LEAST_RUN_UP_S {
                return clear.map(|()| leg);
            }
            duration_s = (duration_s - 0.1).max(LEAST_RUN_UP_S);
        }
    }
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
mod tests;
