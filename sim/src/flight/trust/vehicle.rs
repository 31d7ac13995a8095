//! The vehicle: numbers that are those of none, which another unit explains.

use super::Concern;
use crate::Airframe;
use nalgebra::Vector3;

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
pub(super) fn concerns(airframe: &Airframe) -> Vec<Concern> {
    let mut found = Vec::new();
    let mut ask = |what: String, question: &'static str| {
        found.push(Concern::ImplausibleAirframe {
            airframe: airframe.name.clone(),
            what,
            question,
        });
    };
    let (rotors, limits) = (&airframe.rotors, &airframe.controller);
    let hubs = rotors.positions();
    let apart = |(one, other): (usize, usize)| (hubs[one] - hubs[other]).norm();
    let pairs = [(0, 1), (1, 2), (2, 3), (3, 0), (0, 2), (1, 3)];
    let largest_m = 0.5 * pairs.map(apart).into_iter().fold(f64::INFINITY, f64::min);
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
    let arm_m = hubs
        .map(|hub: Vector3<f64>| hub.xy().norm())
        .iter()
        .sum::<f64>()
        / 4.0;
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
