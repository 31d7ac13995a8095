//! Manoeuvre: doublets for a flight that tells much of a vehicle, flown by it in simulation before they are printed.

use super::montecarlo::fly_on_all_cores;
use super::{Mission, Weather, named};
use crate::args::OMAC;
use shell::Failure;
use sim::{Domain, Flight, Manoeuvre, Setup, flight_seed};
use std::sync::Arc;
use trajectories::Hover;

/// Length of the manoeuvre [s].
const LASTS_S: f64 = 40.0;

/// Flights before it is printed, and how often its amplitude is halved at the most where one is lost.
const FLIGHTS: u64 = 40;
const HALVINGS: i32 = 3;

/// Control periods from one sample of a tilt to the next.
const RECORD_EVERY: u32 = 10;

/// Amplitude of a sweep [deg/s]: at its start of 1 Hz, 60 turn by 10 degrees.
const SWEEP_DEG_S: f64 = 60.0;

/// The template of a manoeuvre, flown by the airframe of that name.
///
/// # Errors
/// An airframe that does not exist, is faulty, or is lost whatever the amplitude.
pub(super) fn manoeuvre(given: Option<&str>) -> Result<String, Failure> {
    let airframe = named::airframe(given.unwrap_or(OMAC))?;
    let name = &airframe.name;
    let mut halved = String::new();
    for halvings in 0..=HALVINGS {
        let part = 0.5f64.powi(halvings);
        let doublets = Manoeuvre::doublets(LASTS_S).scaled(part);
        let csv = doublets.to_csv();
        let mission = Mission {
            setup: Setup {
                manoeuvre: Some(Arc::new(doublets)),
                ..Setup::new(airframe.clone())
            },
            trajectory: Box::new(Hover { lasts_s: LASTS_S }),
            gains: airframe.gains,
            weather: Weather::gusts(Domain::gusty()),
        };
        let seeds: Vec<u64> = (0..FLIGHTS).map(|number| flight_seed(1, number)).collect();
        let flights = fly_on_all_cores(&mission, &seeds);
        let lost = flights.iter().filter(|flight| !flight.completed()).count();
        if lost > 0 {
            halved += &format!(
                "# At {part} of the amplitude {name} was lost in {lost} of {FLIGHTS} flights: it was halved.\n"
            );
            continue;
        }
        let far_m = |at: &usize| flights[*at].score.max_error_m;
        let farthest = (0..flights.len()).max_by(|a, b| far_m(a).total_cmp(&far_m(b)));
        let farthest = farthest.unwrap_or_default();
        return Ok(format!(
            "# Manoeuvre: what is added to the setpoints of a flight. Doublets about roll, pitch and yaw and of thrust, which
# tilt a vehicle whose rates follow by {} degrees at the most.
#   sim fly --manoeuvre FILE
{halved}# Flown by {name} in gusty wind, in simulation: {FLIGHTS} flights, none lost; the probability of a loss is below {:.1} %
# with 95 % confidence. Greatest distance from the start: {:.1} m; that flight tilted by up to {:.0} degrees.
# By hand: hover high and clear of people, in a mode that levels the vehicle. Push the stick to one side, at once as far
# to the other, and let go, within half a second; wait; roll, pitch, yaw and throttle in turn, quicker and slower, ten times.
# ArduPilot sweeps: mode SYSTEMID, a flight each with SID_AXIS 7 (roll rate), 8 (pitch rate) and 9 (yaw rate);
#   SID_MAGNITUDE {} (deg/s), SID_F_START_HZ 1, SID_F_STOP_HZ 10, SID_T_FADE_IN 2, SID_T_REC 20, SID_T_FADE_OUT 1 (s)
# t_s: each row holds until the next, and the last one ends it. thrust_share: thrust over the weight, -1 to 1.
# Body rates: on top of those that the attitude loop asks for, -20 to 20 rad/s.
{csv}",
            15.0 * part,
            100.0 * most_lost(halvings),
            far_m(&farthest),
            tilt_deg(&mission.fly(seeds[farthest], RECORD_EVERY)),
            SWEEP_DEG_S * part,
        ));
    }
    let line = format!(
        "{name} is lost in gusty wind even by doublets of an eighth of the amplitude: they are not safe for it"
    );
    Err(Failure::data(line))
}

/// What the probability of a loss is below after [`FLIGHTS`] without one, with 95 % confidence over all amplitudes that
/// may be tried: each has half of the error of the one before.
fn most_lost(halvings: i32) -> f64 {
    let error = 0.05 * 0.5f64.powi(1 + halvings);
    1.0 - error.powf(1.0 / FLIGHTS as f64)
}

/// How far a flight tilted at the most [degrees].
fn tilt_deg(flight: &Flight) -> f64 {
    let upright = flight
        .samples
        .iter()
        .map(|sample| (sample.state.attitude * nalgebra::Vector3::z()).z);
    upright
        .fold(1.0, f64::min)
        .clamp(-1.0, 1.0)
        .acos()
        .to_degrees()
}
