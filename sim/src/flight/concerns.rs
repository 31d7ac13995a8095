//! Concerns: what makes the answer of a flight mean less than it seems to. Nothing here is an
//! error; the flight is flown as asked.

use crate::{Airframe, Domain, GRAVITY_M_S2, Setup};
use nalgebra::Vector3;
use serde::Serialize;
use trajectories::{Footing, Trajectory};

/// Time between two looks at a reference [s].
const LOOK_S: f64 = 0.02;

/// A reference that begins to move later than this waits [s].
const LATE_S: f64 = 0.5;

/// Most looks at one reference.
const MOST_LOOKS: f64 = 20_000.0;

/// Something to know before a flight's answer is believed.
#[derive(Debug, Clone, PartialEq, Serialize, thiserror::Error)]
#[serde(tag = "concern", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Concern {
    /// The vehicle has no aerodynamic force, and wind was asked for.
    #[error(
        "wind does not act on the airframe `{airframe}`: it has no side_force, rotor_drag or body_drag; flights in any wind are flights in still air"
    )]
    WindDoesNotAct {
        /// The airframe's name.
        airframe: String,
    },

    /// A wind domain neither blows nor gusts.
    #[error("the wind domain `{domain}` has no wind: its mean and its gusts are zero")]
    NoWind {
        /// The domain's name.
        domain: String,
    },

    /// Uncertain vehicles were asked for, and the airframe declares no uncertainty.
    #[error(
        "the airframe `{airframe}` declares no [uncertainty]: every vehicle is the nominal one"
    )]
    NoUncertainty {
        /// The airframe's name.
        airframe: String,
    },

    /// The reference asks for more force than the autopilot may ask for or the rotors can give.
    #[error(
        "the reference asks for {wanted_n:.3} N after {at_s:.2} s, more than the {most_n:.3} N that autopilot and rotors allow: no gains can follow it"
    )]
    TooMuchThrust {
        /// When it asks for most [s].
        at_s: f64,
        /// Mass times (acceleration + gravity), without wind and drag [N].
        wanted_n: f64,
        /// The least of the autopilot's limit and the rotors' greatest thrust [N].
        most_n: f64,
    },

    /// The reference asks for more horizontal acceleration than the limits of tilt and thrust
    /// leave.
    #[error(
        "the reference asks for a horizontal acceleration of {wanted_m_s2:.2} m/s² after {at_s:.2} s, more than the {most_m_s2:.2} m/s² that the limits of tilt and thrust leave: no gains can follow it"
    )]
    TooMuchAcceleration {
        /// When it asks for most [s].
        at_s: f64,
        /// Its horizontal acceleration [m/s²].
        wanted_m_s2: f64,
        /// Greatest thrust over mass, times the sine of the greatest tilt [m/s²].
        most_m_s2: f64,
    },

    /// The reference stands still before it moves.
    #[error(
        "the reference begins to move after {until_s:.2} s only: the vehicle holds its first point until then, and that time counts"
    )]
    Waits {
        /// When it begins to move [s].
        until_s: f64,
    },

    /// The reference leads through the ground or an obstacle.
    #[error(
        "the reference leads through the ground or an obstacle after {at_s:.2} s: no gains can follow it"
    )]
    Blocked {
        /// When it first does [s].
        at_s: f64,
    },
}

/// What there is to know before flights of `setup` along `trajectory` in the winds `domains` (none:
/// still air, or a constant wind that was asked for) are believed; empty where nothing is.
///
/// The reference is looked at every 20 ms, or 20,000 times where it is longer than 400 s.
pub fn concerns(setup: &Setup, trajectory: &dyn Trajectory, domains: &[&Domain]) -> Vec<Concern> {
    let airframe = &setup.airframe;
    let mut found = wind_concerns(airframe, domains);
    if setup.uncertain && airframe.uncertainty == Default::default() {
        found.push(Concern::NoUncertainty {
            airframe: airframe.name.clone(),
        });
    }
    found.extend(of_reference(setup, trajectory));
    found
}

/// The concerns of a vehicle in these winds, wherever it flies.
pub(crate) fn wind_concerns(airframe: &Airframe, domains: &[&Domain]) -> Vec<Concern> {
    let mut found = Vec::new();
    if !domains.is_empty() && !airframe.feels_wind() {
        found.push(Concern::WindDoesNotAct {
            airframe: airframe.name.clone(),
        });
    }
    for domain in domains.iter().filter(|domain| !domain.blows()) {
        found.push(Concern::NoWind {
            domain: domain.name.clone(),
        });
    }
    found
}

/// What one look at the reference says.
struct Look {
    at_s: f64,
    /// Mass times (acceleration + gravity) [N].
    force_n: f64,
    horizontal_m_s2: f64,
    blocked: bool,
    /// Whether it is still where it began.
    waits: bool,
}

fn of_reference(setup: &Setup, trajectory: &dyn Trajectory) -> Vec<Concern> {
    let airframe = &setup.airframe;
    let rotors = &airframe.rotors;
    let full_n = 4.0 * rotors.thrust_n_s2_per_rad2 * rotors.max_speed_rad_s.powi(2);
    let most_n = airframe.controller.max_thrust_n.min(full_n);
    let most_tilt = airframe.controller.max_tilt_deg.to_radians();
    let most_m_s2 = most_n / airframe.mass_kg * most_tilt.sin();
    let looks: Vec<Look> = looks(setup, trajectory).collect();
    let thrust = peak(&looks, |look| look.force_n, most_n);
    let thrust = thrust.map(|(at_s, wanted_n)| Concern::TooMuchThrust {
        at_s,
        wanted_n,
        most_n,
    });
    let sideways = peak(&looks, |look| look.horizontal_m_s2, most_m_s2);
    let sideways = sideways.map(|(at_s, wanted_m_s2)| Concern::TooMuchAcceleration {
        at_s,
        wanted_m_s2,
        most_m_s2,
    });
    let blocked = looks.iter().find(|look| look.blocked);
    let blocked = blocked.map(|look| Concern::Blocked { at_s: look.at_s });
    // What never moves is not late.
    let moves = looks.iter().find(|look| !look.waits);
    let waits = moves.filter(|look| look.at_s > LATE_S);
    let waits = waits.map(|look| Concern::Waits { until_s: look.at_s });
    let found = [thrust, sideways, blocked, waits];
    found.into_iter().flatten().collect()
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
        Look {
            at_s,
            force_n: setup.airframe.mass_kg * wanted.norm(),
            horizontal_m_s2: wanted.xy().norm(),
            waits: in_air_first && reference == first,
            blocked: in_air && setup.world.clearance_m(&reference.position_m) < 0.0,
        }
    })
}
