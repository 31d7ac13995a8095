//! Trust: what makes the answer of a flight mean less than it seems to, found before it is flown.
//!
//! Each guardrail is one item: a name, whether it warns or refuses, when it speaks and what to do. A
//! [`Concern`] is a guardrail that spoke, with its numbers. Programs that extend the list by guardrails of
//! their own implement [`Guarded`].

mod concern;
mod list;
mod record;
mod reference;
mod vehicle;

pub use concern::Concern;
pub use list::GUARDRAILS;

use crate::margins::{Linearised, Mode, holding_force_m_s2, usual_wind_m_s};
use crate::{Airframe, Domain, Gains, Setup, Uncertainty};
use nalgebra::Vector3;
use serde::Serialize;
use std::fmt::Display;
use trajectories::Trajectory;

/// Greatest thrust over the weight below which there is little left to steer with.
const LITTLE_THRUST: f64 = 1.25;

/// What a guardrail does where it speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// It is said, and the flight is flown as asked.
    Warning,
    /// Nothing is flown: the answer could mean nothing.
    Refusal,
}

/// One item of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Guardrail {
    /// What it is called.
    pub name: &'static str,
    /// What it does.
    pub severity: Severity,
    /// When it speaks.
    pub when: &'static str,
    /// What to do then.
    pub advice: &'static str,
}

/// What a guardrail says: it displays what was found, with its numbers.
pub trait Guarded: Display {
    /// Whose finding it is.
    fn guardrail(&self) -> &'static Guardrail;

    /// What was found and what to do, with the guardrail's name.
    fn said(&self) -> String {
        let Guardrail { name, advice, .. } = self.guardrail();
        format!("{self}; {advice} [{name}]")
    }

    /// Whether nothing is to be flown.
    fn refuses(&self) -> bool {
        self.guardrail().severity == Severity::Refusal
    }
}

/// What there is to know before flights of `setup` with `gains`, and whose these
/// are ("these", "the baseline's"), along `trajectory` in the winds `domains` (none: still air, or a
/// constant wind that was asked for) are believed; empty where nothing is, and refusals first.
///
/// The reference is looked at every 20 ms, or 20,000 times where it is longer than 400 s.
pub fn concerns(
    setup: &Setup,
    gains: (&'static str, &Gains),
    trajectory: &dyn Trajectory,
    domains: &[&Domain],
) -> Vec<Concern> {
    let mut found: Vec<Concern> = thrust(&setup.airframe).into_iter().collect();
    if found.iter().any(Guarded::refuses) {
        return found;
    }
    found.extend(vehicle::concerns(&setup.airframe));
    found.extend(wind(&setup.airframe, domains));
    let flight_s = trajectory.duration_s();
    found.extend(
        domains
            .iter()
            .filter_map(|domain| record::windows(domain, flight_s)),
    );
    if setup.uncertain {
        found.extend(uncertainty(&setup.airframe));
    }
    found.extend(unstable(setup, gains, domains.first().copied()));
    found.extend(reference::concerns(setup, trajectory));
    found.sort_by_key(|concern| !concern.refuses());
    found
}

/// What there is to know of the record of wind of `domain`, whatever flies in it; empty where it has none.
pub fn record_concerns(domain: &Domain) -> Vec<Concern> {
    record::concerns(domain)
}

/// The concerns of a vehicle in these winds, wherever it flies.
pub(crate) fn wind(airframe: &Airframe, domains: &[&Domain]) -> Vec<Concern> {
    if domains.is_empty() {
        return Vec::new();
    }
    let mut found = Vec::new();
    if !airframe.feels_wind() {
        found.push(Concern::WindDoesNotAct {
            airframe: airframe.name.clone(),
        });
    }
    for domain in domains {
        found.extend(record::concerns(domain));
        match domain.blows() {
            true => found.extend(too_strong(airframe, domain)),
            false => found.push(Concern::NoWind {
                domain: domain.name.clone(),
            }),
        }
    }
    found
}

fn too_strong(airframe: &Airframe, domain: &Domain) -> Option<Concern> {
    let mean_m_s = Vector3::from(domain.mean_m_s);
    let force = holding_force_m_s2(airframe, mean_m_s);
    let (thrust_n, tilt_deg) = match force.norm() {
        norm if norm.is_finite() => (
            airframe.mass_kg * norm,
            force.xy().norm().atan2(force.z).to_degrees(),
        ),
        // No force holds it: the search for one does not end in numbers.
        _ => (f64::INFINITY, 90.0),
    };
    let most_n = airframe.most_thrust_n();
    let most_tilt_deg = airframe.controller.max_tilt_deg;
    (thrust_n > most_n || tilt_deg > most_tilt_deg).then(|| Concern::WindTooStrong {
        domain: domain.name.clone(),
        wind_m_s: mean_m_s.norm(),
        thrust_n,
        tilt_deg,
        most_n,
        most_tilt_deg,
    })
}

fn thrust(airframe: &Airframe) -> Option<Concern> {
    let thrust_to_weight = airframe.thrust_to_weight();
    let airframe = airframe.name.clone();
    match thrust_to_weight {
        t if t > LITTLE_THRUST => None,
        t if t > 1.0 => Some(Concern::LittleThrust {
            airframe,
            thrust_to_weight,
        }),
        _ => Some(Concern::CannotHover {
            airframe,
            thrust_to_weight,
        }),
    }
}

fn uncertainty(airframe: &Airframe) -> Option<Concern> {
    let name = airframe.name.clone();
    if airframe.uncertainty == Uncertainty::default() {
        return Some(Concern::NoUncertainty { airframe: name });
    }
    let thrust_to_weight = airframe.heaviest().thrust_to_weight();
    (thrust_to_weight <= 1.0).then_some(Concern::UncertainTooHeavy {
        airframe: name,
        thrust_to_weight,
    })
}

fn unstable(
    setup: &Setup,
    (whose, gains): (&'static str, &Gains),
    domain: Option<&Domain>,
) -> Option<Concern> {
    let wind_m_s = usual_wind_m_s(domain);
    let delay = setup.sensors.delay_periods;
    let mode = Linearised::hover(&setup.airframe, gains, delay, wind_m_s).mode();
    let Mode {
        growth_per_s,
        frequency_hz,
    } = mode;
    (!mode.is_stable()).then_some(Concern::UnstableGains {
        whose,
        growth_per_s,
        frequency_hz,
    })
}
