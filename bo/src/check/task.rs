//! Task: what a tune is flown on.

use super::sequential::Sequential;
use crate::flights::trust::Concern;
use sim::{Domain, DomainWind, Flight, Gains, Setup, fly, fly_many};
use trajectories::{Trajectory, Waypoints};

/// A zigzag that asks for some 25 degrees of tilt, now in roll, now in pitch, every half second: `t,x,y,z`.
/// It is flown where a tune has no loop above the rates.
const ZIGZAG_M: f64 = 0.30;

/// What is flown, by what, in what.
pub struct Task {
    /// The vehicle, its sensors and what can be hit.
    pub setup: Setup,
    /// Where to.
    pub trajectory: Box<dyn Trajectory>,
    /// In what wind.
    pub domain: Domain,
    /// Seed of the first flight; the others follow it.
    pub seed: u64,
}

impl Task {
    /// Flights with these seeds, in their order.
    pub fn fly(&self, gains: &Gains, seeds: &[u64]) -> Vec<Flight> {
        let gusts = |seed| self.wind(seed);
        fly_many(&self.setup, self.trajectory.as_ref(), gains, gusts, seeds)
    }

    /// One flight, with a sample each control period.
    pub fn recorded(&self, gains: &Gains, seed: u64) -> Flight {
        let setup = Setup {
            record_every: 1,
            ..self.setup.clone()
        };
        let mut wind = self.wind(seed);
        fly(&setup, self.trajectory.as_ref(), gains, &mut wind, seed)
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

    /// What makes the answer of at most `most` flights mean less than it seems to, where these gains are the
    /// yardstick.
    pub fn concerns(&self, baseline: &Gains, most: u64) -> Vec<Concern> {
        let (trajectory, domains) = (self.trajectory.as_ref(), [&self.domain]);
        let baseline = ("the baseline's", baseline);
        let found = sim::concerns(&self.setup, baseline, trajectory, &domains);
        let mut found: Vec<Concern> = found.into_iter().map(Concern::Flight).collect();
        let least = Sequential::least();
        if most < least {
            let flights = most;
            found.push(Concern::TooFewToPass { flights, least });
        }
        found
    }

    /// The seed of flight `number`.
    pub fn seed_of(&self, number: u64) -> u64 {
        self.seed.wrapping_add(number)
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
