//! The reference: what its own derivatives and its way say of whether anything can follow it.

use super::Concern;
use crate::{Airframe, GRAVITY_M_S2, Setup};
use nalgebra::Vector3;
use trajectories::{Footing, Remark, Trajectory};

/// Time between two looks at a reference [s].
const LOOK_S: f64 = 0.02;

/// A reference that begins to move later than this waits [s].
const LATE_S: f64 = 0.5;

/// Most looks at one reference.
const MOST_LOOKS: f64 = 20_000.0;

/// Speed that may be lacking for a moment: the error that it makes is small [m/s].
const SHORT_M_S: f64 = 0.5;

/// A reference that asks for too much for a greater share of its time is beyond the vehicle.
const BEYOND: f64 = 0.5;

/// What one look at the reference says.
struct Look {
    at_s: f64,
    /// Mass times (acceleration + gravity) [N].
    force_n: f64,
    horizontal_m_s2: f64,
    /// The same at the greatest tilt that keeps the height.
    most_m_s2: f64,
    /// How fast the heading turns, whichever way [rad/s].
    turns_rad_s: f64,
    /// Acceleration downwards, in the air [m/s²].
    falls_m_s2: f64,
    /// How far it lies below the ground [m].
    below_m: f64,
    /// How far it lies inside an obstacle [m].
    inside_m: f64,
    /// Whether it is still where it began.
    waits: bool,
}

/// What is wrong with the reference for that vehicle in that world.
pub(super) fn concerns(setup: &Setup, trajectory: &dyn Trajectory) -> Vec<Concern> {
    let airframe = &setup.airframe;
    let most_n = airframe.most_thrust_n();
    let most_tilt = airframe.controller.max_tilt_deg.to_radians();
    let looks: Vec<Look> = looks(setup, trajectory).collect();
    let thrust = peak(&looks, |look| look.force_n, most_n);
    let over = |look: &Look| look.horizontal_m_s2 / look.most_m_s2.max(f64::MIN_POSITIVE);
    let sideways =
        (looks.iter().zip(short(&looks))).filter(|(_, short_m_s)| *short_m_s > SHORT_M_S);
    let sideways = sideways.map(|(look, _)| look);
    let sideways = sideways.reduce(|a, b| if over(b) > over(a) { b } else { a });
    let too_much = |look: &&Look| look.force_n > most_n || over(look) > 1.0;
    let share = looks.iter().filter(too_much).count() as f64 / looks.len() as f64;
    let greatest = |of: fn(&Look) -> f64| looks.iter().map(of).fold(0.0, f64::max);
    let steepest = looks.iter().max_by(|a, b| over(a).total_cmp(&over(b)));
    let beyond = steepest
        .filter(|_| share > BEYOND)
        .map(|look| Concern::BeyondVehicle {
            percent: 100.0 * share,
            wanted_n: greatest(|look| look.force_n),
            most_n,
            wanted_m_s2: look.horizontal_m_s2,
            most_m_s2: look.most_m_s2,
        });
    // Said once.
    let at_times = beyond.is_none();
    let thrust = thrust.filter(|_| at_times);
    let thrust = thrust.map(|(at_s, wanted_n)| Concern::TooMuchThrust {
        at_s,
        wanted_n,
        most_n,
    });
    let sideways = sideways.filter(|_| at_times);
    let sideways = sideways.map(|look| Concern::TooMuchAcceleration {
        at_s: look.at_s,
        wanted_m_s2: look.horizontal_m_s2,
        most_m_s2: look.most_m_s2,
    });
    let most_rad_s = airframe.controller.rate_setpoint_limit_rad_s[2];
    let turns = peak(&looks, |look| look.turns_rad_s, most_rad_s);
    let turns = turns.map(|(at_s, wanted_rad_s)| Concern::TooMuchYawRate {
        at_s,
        wanted_rad_s,
        most_rad_s,
    });
    let idle_n = airframe.idle_thrust_n();
    let most_m_s2 = GRAVITY_M_S2 - idle_n / airframe.mass_kg * most_tilt.cos();
    let falling = looks.iter().filter(|look| look.falls_m_s2 > most_m_s2);
    let percent = 100.0 * falling.count() as f64 / looks.len() as f64;
    let falls = peak(&looks, |look| look.falls_m_s2, most_m_s2);
    let falls = falls
        .filter(|_| at_times)
        .map(|(at_s, wanted_m_s2)| Concern::TooLittleThrust {
            percent,
            at_s,
            wanted_m_s2,
            most_m_s2,
        });
    let first = |of: fn(&Look) -> f64| {
        let first = looks.iter().find(|look| of(look) > 0.0)?;
        Some((first.at_s, greatest(of)))
    };
    let below = first(|look| look.below_m);
    let below = below.map(|(at_s, depth_m)| Concern::BelowGround { at_s, depth_m });
    let inside = first(|look| look.inside_m);
    let inside = inside.map(|(at_s, depth_m)| Concern::ThroughObstacle { at_s, depth_m });
    // What never moves is not late.
    let moves = looks.iter().find(|look| !look.waits);
    let waits = moves.filter(|look| look.at_s > LATE_S);
    let waits = waits.map(|look| Concern::Waits { until_s: look.at_s });
    let remarks = trajectory.remarks().iter().map(|remark| {
        let said = remark.to_string();
        match remark {
            Remark::Swing { .. } => Concern::Swing { said },
            _ => Concern::HeadingSeam { said },
        }
    });
    let found = [beyond, thrust, falls, sideways, turns, below, inside, waits];
    found.into_iter().flatten().chain(remarks).collect()
}

/// By how much speed a vehicle at the greatest tilt has fallen short at each look, since the tilt last sufficed [m/s].
fn short(looks: &[Look]) -> Vec<f64> {
    let (mut short_m_s, mut before_s) = (0.0f64, 0.0);
    let each = looks.iter().map(|look| {
        let lacks_m_s2 = look.horizontal_m_s2 - look.most_m_s2;
        let lacks_m_s = lacks_m_s2 * (look.at_s - before_s);
        short_m_s = if lacks_m_s2 > 0.0 {
            short_m_s + lacks_m_s
        } else {
            0.0
        };
        before_s = look.at_s;
        short_m_s
    });
    each.collect()
}

/// The horizontal acceleration over the vertical force per mass, at the greatest tilt.
fn leaning(airframe: &Airframe) -> f64 {
    match airframe.controller.max_tilt_deg {
        tilt_deg if tilt_deg < 90.0 => tilt_deg.to_radians().tan(),
        _ => f64::INFINITY,
    }
}

/// When `size` is greatest for the first time, and how great, where that is above `limit`.
fn peak(looks: &[Look], size: impl Fn(&Look) -> f64, limit: f64) -> Option<(f64, f64)> {
    let mut found: Option<(f64, f64)> = None;
    for look in looks {
        let most = found.map_or(limit, |(_, most)| most);
        if size(look) > most {
            found = Some((look.at_s, size(look)));
        }
    }
    found
}

fn looks<'a>(setup: &'a Setup, trajectory: &'a dyn Trajectory) -> impl Iterator<Item = Look> + 'a {
    let duration_s = trajectory.duration_s();
    let count = (duration_s / LOOK_S).floor().clamp(0.0, MOST_LOOKS);
    let period_s = if count > 0.0 { duration_s / count } else { 0.0 };
    let first = trajectory.at(0.0);
    let in_air_first = trajectory.footing(0.0) == Footing::Air;
    (0..=count as u64).map(move |k| {
        let at_s = k as f64 * period_s;
        let reference = trajectory.at(at_s);
        let wanted = reference.acceleration_m_s2 + Vector3::z() * GRAVITY_M_S2;
        let in_air = trajectory.footing(at_s) == Footing::Air;
        let clearance_m = setup.world.clearance_m(&reference.position_m);
        let ground_z_m = setup.world.ground_z_m().unwrap_or(f64::NEG_INFINITY);
        let below_m = ground_z_m - reference.position_m.z;
        Look {
            at_s,
            force_n: setup.airframe.mass_kg * wanted.norm(),
            horizontal_m_s2: wanted.xy().norm(),
            most_m_s2: leaning(&setup.airframe) * wanted.z.max(0.0),
            turns_rad_s: match k {
                0 => 0.0,
                _ => {
                    let before = trajectory.at(at_s - period_s);
                    (reference.yaw_rad - before.yaw_rad).abs() / period_s
                }
            },
            falls_m_s2: match in_air {
                true => -reference.acceleration_m_s2.z,
                false => 0.0,
            },
            waits: in_air_first && reference == first,
            below_m: if in_air { below_m } else { 0.0 },
            inside_m: if in_air && below_m <= 0.0 {
                -clearance_m
            } else {
                0.0
            },
        }
    })
}
