//! Problem: what a run tunes: a vehicle on a trajectory in winds, the gains that may be turned, and
//! what an evaluation of them is.

use super::evaluation::{Evaluation, cost_m};
use super::margins::MarginCheck;
use super::space::Space;
use super::trust::Concern;
use super::tuning::{Cost, Flown, Tuning, Weather};
use super::warm_start::{TunedGain, WarmStart, vehicle};
use crate::Error;
use dilgp::threads::each;
use search::cma_es::CmaEs;
use search::maximise::points;
use search::{Constraint, Suggestion};
use shell::Failure;
use sim::Gains;
use std::sync::Arc;

/// Points spread over the cube that are looked at for one that keeps the limits of the margins.
const LOOKED_AT: usize = 255;

/// Points that are looked at together.
const TOGETHER: usize = 15;

/// Generations of so many points that then climb from the nearest of them, and their first step.
const GENERATIONS: usize = 24;
const CLIMB: f64 = 0.15;

/// A tuning problem with its search space.
pub struct Problem {
    /// Vehicle, trajectory and winds.
    pub tuning: Tuning,
    /// The gains that tuned ones are compared with.
    pub yardstick: Gains,
    /// What is tuned.
    pub space: Space,
    /// What an evaluation costs.
    pub cost: Cost,
    /// Flights of one evaluation.
    pub flights: u64,
    /// The evaluations of an earlier run, taken as data.
    pub warm_start: Option<WarmStart>,
    /// What the margins of gains must keep to be flown and recommended, where there are limits.
    pub margins: Option<Arc<MarginCheck>>,
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
        let found = sim::concerns(
            setup,
            ("these", &setup.airframe.gains),
            trajectory,
            &domains,
        );
        found.into_iter().map(Concern::Flight).collect()
    }

    /// The point of the search space that stands for the start gains.
    pub fn baseline(&self) -> Vec<f64> {
        self.space.unit_of(&self.tuning.setup.airframe.gains)
    }

    /// Flies evaluation `number` with the gains at the suggested point of the unit cube.
    pub fn evaluate(&self, number: u64, suggestion: Suggestion) -> Evaluation {
        let made = self.evaluate_batch(number, vec![suggestion]);
        made.into_iter().next().expect("one of one")
    }

    /// Flies evaluations from number `first` on, one for each of `suggestions`, side by side. Each is
    /// what it would be if flown independently.
    pub fn evaluate_batch(&self, first: u64, suggestions: Vec<Suggestion>) -> Vec<Evaluation> {
        let numbered = || (first..).zip(&suggestions);
        let flights = numbered().flat_map(|(number, suggestion)| {
            let gains = self.space.gains_at(&suggestion.x);
            let weathers = self.tuning.weathers(number, self.flights);
            weathers.into_iter().map(move |weather| (gains, weather))
        });
        let flights: Vec<(Gains, Weather)> = flights.collect();
        let mut flown = self.tuning.evaluate(&flights).into_iter();
        let made = (first..).zip(suggestions).map(|(number, suggestion)| {
            let flights = flown.by_ref().take(self.flights as usize).collect();
            self.evaluation(number, suggestion, flights)
        });
        made.collect()
    }

    /// What `flights` with the gains at the suggested point make of evaluation `number`.
    fn evaluation(&self, number: u64, suggestion: Suggestion, flights: Vec<Flown>) -> Evaluation {
        let gains = self.space.gains_at(&suggestion.x);
        let value = self.cost.of(&flights);
        let (margins, rejected) = (self.margins.as_ref(), suggestion.rejected);
        let margin_violation = margins.and_then(|margins| margins.violation_at(&suggestion.x));
        Evaluation {
            number,
            x: suggestion.x,
            origin: suggestion.origin,
            gains: self.space.named(&gains),
            margin_violation,
            replaced: rejected.and_then(|x| margins?.violation_at(&x)),
            cost_m: cost_m(value),
            lost: value.is_none(),
            flights,
        }
    }

    /// What may be flown and recommended, where there are limits: the start gains keep them, or else the
    /// first gains that are found to.
    ///
    /// # Errors
    /// Bounds in which no gains keep the limits.
    pub fn allowed(&self) -> Result<Option<Constraint>, Error> {
        let Some(margins) = self.margins.clone() else {
            return Ok(None);
        };
        let start = self.feasible_start(&margins)?;
        let slack = Box::new(move |x: &[f64]| margins.slack_at(x));
        Ok(Some(Constraint::new(slack, start)))
    }

    fn feasible_start(&self, margins: &MarginCheck) -> Result<Vec<f64>, Error> {
        // Points with what each lacks to keep the limits: nothing, or more than 0.
        let lacking = |points: Vec<Vec<f64>>| -> Vec<(Vec<f64>, f64)> {
            let lacking = each(&points, |x| -margins.slack_at(x));
            points.into_iter().zip(lacking).collect()
        };
        let nearer = |nearest: (Vec<f64>, f64), found: &(Vec<f64>, f64)| {
            let is_nearer = nearest.1 > 0.0 && found.1 < nearest.1;
            if is_nearer { found.clone() } else { nearest }
        };
        let mut nearest = lacking(vec![self.baseline()]).swap_remove(0);
        let spread = points::sobol(self.space.dimensions(), 0, LOOKED_AT, 0);
        for points in spread.chunks(TOGETHER) {
            if nearest.1 > 0.0 {
                let found = lacking(points.to_vec());
                nearest = found.iter().fold(nearest, nearer);
            }
        }
        let mut climb = CmaEs::new(&nearest.0, CLIMB, TOGETHER, 0);
        for _ in 0..GENERATIONS {
            if nearest.1 > 0.0 {
                let found = lacking(climb.ask());
                climb.tell(&found);
                nearest = found.iter().fold(nearest, nearer);
            }
        }
        if nearest.1 <= 0.0 {
            return Ok(nearest.0);
        }
        let violation = margins.violation_at(&nearest.0);
        let violation = violation.map_or("at the limit".to_owned(), |broken| broken.to_string());
        Err(Failure::data(format!(
            "none of {} points within [gains.bounds] keeps the [limits] of margins and steps; the nearest: {violation}; relax the limit, name loops that are tuned in margins_of, or widen the bounds",
            LOOKED_AT + GENERATIONS * TOGETHER + 1
        ))
        .into())
    }

    /// What it has in common with earlier runs, which tuned `theirs`, whose evaluations it can take; no
    /// evaluation.
    pub fn in_common(&self, theirs: &[TunedGain]) -> WarmStart {
        let tuned: Vec<TunedGain> = self.space.knobs().iter().map(TunedGain::of).collect();
        let setup = &self.tuning.setup;
        WarmStart {
            run: String::new(),
            trajectory: self.tuning.trajectory.name().to_owned(),
            vehicle: vehicle(setup, theirs),
            cost: self.cost,
            tuned,
            trials: Vec::new(),
        }
    }

    /// What in `made` is not of this problem, if anything.
    pub fn mismatch(&self, made: &Evaluation) -> Option<&'static str> {
        let weathers = self.tuning.weathers(made.number, self.flights);
        let mut knobs = self.space.knobs().iter();
        if !made.flights.iter().map(|f| &f.weather).eq(&weathers) {
            Some("the weather")
        } else if made.x.len() != self.space.dimensions() {
            Some("the number of gains")
        } else if !knobs.all(|knob| made.gains.contains_key(knob.gain.name)) {
            Some("the names of its gains")
        } else if self.cost.of(&made.flights) != made.value() {
            Some("the cost")
        } else {
            None
        }
    }
}
