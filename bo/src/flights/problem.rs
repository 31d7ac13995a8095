//! Problem: what a run tunes: a vehicle on a trajectory in winds, the gains that may be turned, and
//! what an evaluation of them is.

use super::evaluation::{Evaluation, cost_m};
use super::space::Space;
use super::trust::Concern;
use super::tuning::{Cost, Tuning};
use super::warm_start::{TunedGain, WarmStart, vehicle};
use crate::search::Suggestion;

/// A tuning problem with its search space.
pub struct Problem {
    /// Vehicle, trajectory and winds.
    pub tuning: Tuning,
    /// What is tuned.
    pub space: Space,
    /// What an evaluation costs.
    pub cost: Cost,
    /// Flights of one evaluation.
    pub flights: u64,
    /// Whether each flight's telemetry is read for what it says of the wind.
    pub sensed: bool,
    /// What an earlier run knew.
    pub warm_start: Option<WarmStart>,
}

impl Problem {
    /// What makes the answer of its flights mean less than it seems to, before any is flown.
    pub fn concerns(&self) -> Vec<Concern> {
        let tuning = &self.tuning;
        let mut domains: Vec<&sim::Domain> = Vec::new();
        for domain in tuning.training.iter().chain(&tuning.domains) {
            if !domains.contains(&domain) {
                domains.push(domain);
            }
        }
        let (setup, trajectory) = (&tuning.setup, tuning.trajectory.as_ref());
        let found = sim::concerns(setup, &setup.airframe.gains, trajectory, &domains);
        found.into_iter().map(Concern::Flight).collect()
    }

    /// The point of the search space that stands for the default gains.
    pub fn baseline(&self) -> Vec<f64> {
        self.space.unit_of(&self.tuning.setup.airframe.gains)
    }

    /// Flies evaluation `number` with the gains at the suggested point of the unit cube.
    pub fn evaluate(&self, number: u64, suggestion: Suggestion) -> Evaluation {
        let gains = self.space.gains_at(&suggestion.x);
        let weathers = self.tuning.weathers(number, self.flights);
        let flights = self.tuning.evaluate(&gains, weathers, self.sensed);
        let value = self.cost.of(&flights);
        Evaluation {
            number,
            x: suggestion.x,
            origin: suggestion.origin,
            gains: self.space.named(&gains),
            cost_m: cost_m(value),
            lost: value.is_none(),
            flights,
        }
    }

    /// What it has in common with earlier runs whose evaluations it can take; no evaluation.
    pub fn in_common(&self) -> WarmStart {
        let tuned: Vec<TunedGain> = self.space.knobs().iter().map(TunedGain::of).collect();
        let setup = &self.tuning.setup;
        WarmStart {
            run: String::new(),
            trajectory: self.tuning.trajectory.name().to_owned(),
            vehicle: vehicle(setup, &tuned),
            cost: self.cost,
            tuned,
            trials: Vec::new(),
        }
    }

    /// What in `made` is not of this problem, if anything.
    pub fn foreign(&self, made: &Evaluation) -> Option<&'static str> {
        let weathers = self.tuning.weathers(made.number, self.flights);
        if !made.flights.iter().map(|f| &f.weather).eq(&weathers) {
            Some("the weather")
        } else if made.x.len() != self.space.dimensions() {
            Some("the number of gains")
        } else if self.cost.of(&made.flights) != made.value() {
            Some("the cost")
        } else {
            None
        }
    }
}
