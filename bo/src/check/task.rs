//! Task: what a tune is flown on.

use super::sequential::Sequential;
use crate::flights::trust::Concern;
use sim::autopilot::firmware::UNKNOWN_DELAY_MS;
use sim::autopilot::tune::Tune;
use sim::{
    CONTROL_PERIOD_S, ControllerLimits, Domain, DomainWind, Flight, Gains, RotorOut, Setup,
    flight_seed, fly, fly_many,
};
use trajectories::{Trajectory, Waypoints};

/// A zigzag that asks for some 25 degrees of tilt, now in roll, now in pitch, every half second: `t,x,y,z`.
/// It is flown where a tune has no loop above the rates.
const ZIGZAG_M: f64 = 0.30;

/// Flights in which a rotor stops.
const WITHOUT_A_ROTOR: u64 = 100;

/// What is flown, by what, in what.
pub struct Task {
    /// The vehicle, its sensors and what can be hit.
    pub setup: Setup,
    /// Where to.
    pub trajectory: Box<dyn Trajectory>,
    /// In what wind.
    pub domain: Domain,
    /// From which the seeds of all flights are made.
    pub seed: u64,
    /// What the user says that all measurements are late by [ms].
    pub delay_ms: Option<f64>,
    /// A rotor that stops, in further flights.
    pub rotor_out: Option<RotorOut>,
    /// What was taken for the vehicle that its file does not state; one sentence each.
    pub taken: Vec<String>,
}

/// What flies the vehicle: gains, and the controller around them.
#[derive(Debug, Clone, PartialEq)]
pub struct Pilot {
    /// The gains.
    pub gains: Gains,
    /// Limits, filters and law.
    pub controller: ControllerLimits,
    /// Age of every measurement [control periods of 1 ms].
    pub delay_periods: u32,
}

impl Task {
    /// Takes what the autopilot of `tune` counts on and the airframe does not state; see
    /// [`Tune::take_rotor_inertia`].
    pub fn take_rotor_inertia(&mut self, tune: &Tune) {
        let taken = tune.take_rotor_inertia(&mut self.setup.airframe);
        self.taken.extend(taken);
    }

    /// The vehicle with `pilot` aboard.
    pub fn setup_of(&self, pilot: &Pilot) -> Setup {
        let mut setup = self.setup.clone();
        setup.airframe.controller = pilot.controller.clone();
        setup.sensors.delay_periods = pilot.delay_periods;
        setup
    }

    /// Flights with these seeds, in their order.
    pub fn fly(&self, pilot: &Pilot, seeds: &[u64]) -> Vec<Flight> {
        let (setup, gusts) = (self.setup_of(pilot), |seed| self.wind(seed));
        fly_many(&setup, self.trajectory.as_ref(), &pilot.gains, gusts, seeds)
    }

    /// What becomes of flights in which a rotor stops, where one does, in a sentence.
    pub fn without_a_rotor(&self, pilot: &Pilot) -> Option<String> {
        let out = self.rotor_out?;
        let setup = Setup {
            rotor_out: Some(out),
            ..self.setup_of(pilot)
        };
        let seeds: Vec<u64> = (0..WITHOUT_A_ROTOR)
            .map(|number| self.seed_of(number))
            .collect();
        let (gusts, path) = (|seed| self.wind(seed), self.trajectory.as_ref());
        let flown = fly_many(&setup, path, &pilot.gains, gusts, &seeds);
        let lost = flown.iter().filter(|flight| !flight.completed()).count();
        let off = flown.iter().map(|flight| flight.score.heading_off[1]);
        let off = 100.0 * off.sum::<f64>() / flown.len() as f64;
        Some(format!(
            "{}. Of {WITHOUT_A_ROTOR} such flights {lost} are lost, and the heading is more than {:.0} degrees off for {off:.0} % \
             of the time. The verdict is that of whole rotors.",
            out.said(&setup.airframe),
            sim::HEADINGS_DEG[1],
        ))
    }

    /// One flight, with a sample each control period.
    pub fn recorded(&self, pilot: &Pilot, seed: u64) -> Flight {
        let setup = Setup {
            record_every: 1,
            ..self.setup_of(pilot)
        };
        let mut wind = self.wind(seed);
        fly(
            &setup,
            self.trajectory.as_ref(),
            &pilot.gains,
            &mut wind,
            seed,
        )
    }

    /// What flies where `tune` does: its gains, its controller and its delay.
    pub fn pilot(&self, tune: &Tune) -> Pilot {
        let (delay_ms, _) = self.delay(tune);
        Pilot {
            gains: tune.gains,
            controller: tune.controller.clone(),
            delay_periods: (delay_ms / (1e3 * CONTROL_PERIOD_S)).round() as u32,
        }
    }

    /// What flies the airframe as its file has it.
    pub fn own_pilot(&self) -> Pilot {
        Pilot {
            gains: self.setup.airframe.gains,
            controller: self.setup.airframe.controller.clone(),
            delay_periods: 0,
        }
    }

    /// How late the vehicle of `tune` is taken for [ms], and why: as was given, or else as its autopilot or one of which
    /// nothing is known, or as the airframe says if that is later.
    fn delay(&self, tune: &Tune) -> (f64, String) {
        if let Some(given_ms) = self.delay_ms {
            return (given_ms, "as given".to_owned());
        }
        let (known_ms, why) = match &tune.delay {
            Some((delay_ms, said)) => (*delay_ms, format!("{}: {said}", tune.kind)),
            None => (UNKNOWN_DELAY_MS, "no autopilot is named".to_owned()),
        };
        match self.setup.airframe.delay_ms {
            Some(own_ms) if own_ms > known_ms => (own_ms, "as the airframe says".to_owned()),
            _ => (known_ms, why),
        }
    }

    /// The same in words, of what `pilot` flies.
    pub fn delay_said(&self, tune: &Tune, pilot: &Pilot) -> String {
        format!(
            "Sensors, filters and speed controllers are {} ms late ({}); --delay-ms changes it.",
            pilot.delay_periods,
            self.delay(tune).1
        )
    }

    /// The wind that the flight of `seed` meets.
    fn wind(&self, seed: u64) -> DomainWind {
        self.domain.wind(seed, self.trajectory.duration_s())
    }

    /// What the user did not declare.
    pub fn not_flown(&self) -> Vec<String> {
        let airframe = &self.setup.airframe;
        let mut said = Vec::new();
        if !self.setup.uncertain {
            said.push(format!(
                "The airframe {} declares no uncertainty: the nominal vehicle alone was flown.",
                airframe.name
            ));
        }
        said
    }

    /// What makes the answer of at most `most` flights mean less than it seems to, of a vehicle with the limits of
    /// `pilot`, where the gains of `baseline` are the yardstick.
    pub fn concerns(&self, pilot: &Pilot, baseline: &Pilot, most: u64) -> Vec<Concern> {
        let of = |pilot: &Pilot| {
            let (setup, yardstick) = (self.setup_of(pilot), ("the baseline's", &baseline.gains));
            sim::concerns(&setup, yardstick, self.trajectory.as_ref(), &[&self.domain])
        };
        // Each where it belongs: gains to the baseline, odd numbers to the airframe's file, all else to what flies.
        let of_file =
            |concern: &sim::Concern| matches!(concern, sim::Concern::ImplausibleAirframe { .. });
        let own = of(pilot)
            .into_iter()
            .filter(|c| !c.is_of_gains() && !of_file(c));
        let others = of(baseline).into_iter().filter(sim::Concern::is_of_gains);
        let odd = of(&self.own_pilot()).into_iter().filter(of_file);
        let found = own.chain(others).chain(odd);
        let mut found: Vec<Concern> = found.map(Concern::Flight).collect();
        let least = Sequential::least();
        if most < least {
            let flights = most;
            found.push(Concern::TooFewToPass { flights, least });
        }
        found
    }

    /// The seed of flight `number`: checks of two seeds share no flight.
    pub fn seed_of(&self, number: u64) -> u64 {
        flight_seed(self.seed, number)
    }
}

/// The text of the zigzag, as a waypoint file.
pub fn zigzag_csv() -> String {
    let mut text = "t,x,y,z\n".to_owned();
    for k in 0..=20u32 {
        // One second across, one second along, and so on.
        let aside = if k % 2 == 1 { ZIGZAG_M } else { 0.0 };
        let along = (k / 4) % 2 == 0;
        let (x, y) = if along { (aside, 0.0) } else { (0.0, aside) };
        text += &format!("{},{x},{y},0\n", 0.5 * f64::from(k));
    }
    text
}

/// The attitude task.
///
/// # Panics
/// Never: the points are legal.
pub fn zigzag() -> Box<dyn Trajectory> {
    let points = Waypoints::from_csv("zigzag", &zigzag_csv());
    Box::new(points.expect("legal points"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim::Airframe;
    use std::collections::HashSet;

    #[test]
    fn the_later_of_autopilot_and_airframe_is_flown_unless_a_delay_is_given() {
        let of = |airframe_ms: Option<f64>, autopilot_ms: Option<f64>, given_ms: Option<f64>| {
            let airframe = Airframe {
                delay_ms: airframe_ms,
                ..Airframe::omac()
            };
            let mut tune = Tune::of_gains("gains", airframe.gains, &airframe);
            tune.delay = autopilot_ms.map(|delay_ms| (delay_ms, "its filters".to_owned()));
            let task = Task {
                setup: Setup::new(airframe),
                trajectory: zigzag(),
                domain: Domain::gusty(),
                seed: 1,
                delay_ms: given_ms,
                rotor_out: None,
                taken: Vec::new(),
            };
            let pilot = task.pilot(&tune);
            (pilot.delay_periods, task.delay_said(&tune, &pilot))
        };
        for (airframe_ms, autopilot_ms, given_ms, expected, why) in [
            (None, None, None, 10, "no autopilot is named"),
            (Some(4.0), None, None, 10, "no autopilot is named"),
            (Some(25.0), None, None, 25, "as the airframe says"),
            (Some(12.4), Some(16.0), None, 16, "gains: its filters"),
            (Some(25.0), Some(16.0), None, 25, "as the airframe says"),
            (Some(25.0), Some(16.0), Some(2.0), 2, "as given"),
        ] {
            let (late, said) = of(airframe_ms, autopilot_ms, given_ms);
            assert_eq!(late, expected);
            assert!(
                said.contains(&format!("{expected} ms late ({why})")),
                "{said}"
            );
        }
    }

    #[test]
    fn checks_of_two_seeds_share_no_flight() {
        let seeds_of = |seed| -> HashSet<u64> {
            let task = Task {
                setup: Setup::new(Airframe::omac()),
                trajectory: zigzag(),
                domain: Domain::gusty(),
                seed,
                delay_ms: None,
                rotor_out: None,
                taken: Vec::new(),
            };
            (0..4000).map(|number| task.seed_of(number)).collect()
        };
        let (one, other) = (seeds_of(1), seeds_of(2));
        assert_eq!((one.len(), other.len()), (4000, 4000));
        assert!(one.is_disjoint(&other));
        assert!(one.iter().chain(&other).all(|seed| *seed < 1 << 53));
    }
}
