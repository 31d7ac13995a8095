//! Trust: what makes the answer of a flight mean less than it seems to, found before it is flown.
//!
//! Each guardrail is one item: a name, whether it warns or refuses, when it speaks and what to do. A
//! [`Concern`] is a guardrail that spoke, with its numbers. Programs that extend the list by guardrails of
//! their own implement [`Guarded`].

mod concern;
mod list;
mod record;
mod reference;

pub use concern::Concern;
pub use list::GUARDRAILS;

use crate::margins::{Linearised, Mode, holding_force_m_s2, usual_wind_m_s};
use crate::{Airframe, Domain, GRAVITY_M_S2, Gains, Guess, Setup, Uncertainty};
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
/// constant wind that was asked for) are trusted; empty if there is nothing, and refusals first.
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
    found.extend(implausible(&setup.airframe));
    found.extend(guessed(&setup.airframe));
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
    found.extend(Concern::out_of_trim(&setup.airframe, gains.1));
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

fn guessed(airframe: &Airframe) -> Option<Concern> {
    let what: Vec<String> = airframe.guessed.iter().map(Guess::to_string).collect();
    (!what.is_empty()).then(|| Concern::Guessed {
        airframe: airframe.name.clone(),
        what: what.join(", "),
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

/// A moment in hover that counts, over the weight times the longest arm.
const SLIGHT_MOMENT: f64 = 1e-3;

impl Concern {
    /// That hover needs more of a moment about an axis than the rate loop's integral with `gains` can give.
    pub fn out_of_trim(airframe: &Airframe, gains: &Gains) -> Option<Concern> {
        let (needed, clamps) = (
            airframe.hover_moments_n_m(),
            airframe.controller.rate_integral_limit_rad,
        );
        let arms_m = airframe.rotors.positions().map(|hub| hub.xy().norm());
        let whole_n_m = airframe.mass_kg * GRAVITY_M_S2 * arms_m.fold(0.0, f64::max);
        (0..3).find_map(|k| {
            let (needed_n_m, most_n_m) = (needed[k].abs(), gains.rate_ki[k] * clamps[k]);
            (needed_n_m > most_n_m + SLIGHT_MOMENT * whole_n_m).then_some(Concern::OutOfTrim {
                axis: ["roll", "pitch", "yaw"][k],
                needed_n_m,
                most_n_m,
            })
        })
    }
}

/// No rotor's tip is as fast, even were the rotor so large that it touches the next: well above sound [m/s].
const FASTEST_TIP_M_S: f64 = 450.0;

/// A limit of tilt below this is one of radians [deg].
const LEAST_TILT_DEG: f64 = 5.0;

/// A limit of a body rate above this is one of degrees [rad/s].
const FASTEST_RATE_RAD_S: f64 = 50.0;

/// Radius of gyration over the arm's length, of any multirotor.
const GYRATION: std::ops::RangeInclusive<f64> = 0.05..=2.0;

/// No rotor takes longer [s].
const LONGEST_LAG_S: f64 = 1.0;

/// What looks as if it were in another unit.
fn implausible(airframe: &Airframe) -> Vec<Concern> {
    let mut found = Vec::new();
    let mut ask = |what: String, question: &'static str| {
        found.push(Concern::ImplausibleAirframe {
            airframe: airframe.name.clone(),
            what,
            question,
        });
    };
    let (rotors, limits) = (&airframe.rotors, &airframe.controller);
    let hubs: Vec<Vector3<f64>> = rotors.positions().collect();
    // Propellers above each other may be as large as they like.
    let apart = |(one, other): (usize, usize)| (hubs[one] - hubs[other]).xy().norm();
    let pairs = (0..hubs.len()).flat_map(|one| (0..one).map(move |other| (one, other)));
    let apart = pairs.map(apart).filter(|apart_m| *apart_m > 1e-3);
    let largest_m = 0.5 * apart.fold(f64::INFINITY, f64::min);
    let tip_m_s = rotors.max_speed_rad_s * largest_m;
    if tip_m_s > FASTEST_TIP_M_S {
        let speed = rotors.max_speed_rad_s;
        let rpm = speed * 30.0 / std::f64::consts::PI;
        ask(
            format!(
                "rotors.max_speed_rad_s = {speed}, which is {rpm:.0} rpm, and {tip_m_s:.0} m/s at the tips of the largest rotors between its hubs"
            ),
            "is it in rpm?",
        );
    }
    if rotors.lag_s > LONGEST_LAG_S {
        ask(format!("rotors.lag_s = {}", rotors.lag_s), "is it in ms?");
    }
    if limits.max_tilt_deg < LEAST_TILT_DEG {
        ask(
            format!("controller.max_tilt_deg = {}", limits.max_tilt_deg),
            "is it in rad?",
        );
    }
    let rate = limits
        .rate_setpoint_limit_rad_s
        .into_iter()
        .fold(0.0, f64::max);
    // What is no limit at all is written as a number beyond every vehicle's.
    if rate > FASTEST_RATE_RAD_S && rate < 1e4 {
        ask(
            format!("controller.rate_setpoint_limit_rad_s of {rate}"),
            "is it in degrees?",
        );
    }
    let arms_m = hubs.iter().map(|hub| hub.xy().norm());
    let arm_m = arms_m.sum::<f64>() / hubs.len() as f64;
    let inertia = airframe.inertia();
    for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
        let gyration_m = (inertia[(axis, axis)] / airframe.mass_kg).sqrt();
        if !GYRATION.contains(&(gyration_m / arm_m)) {
            ask(
                format!(
                    "an inertia about {name} of {} kg m², that of a vehicle with arms of about {:.3} m, not {arm_m:.3} m",
                    inertia[(axis, axis)],
                    2.0 * gyration_m
                ),
                "is it in kg m², and the mass in kg?",
            );
            break;
        }
    }
    found
}
