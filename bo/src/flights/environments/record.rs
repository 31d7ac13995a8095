//! Record: what a run writes down of its flights' environments.

use super::{Inference, Sensed};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The environments that telemetry told apart, at the end of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EnvironmentsRecord {
    /// The vehicle's drag rate [1/s].
    pub drag_rate_per_s: f64,
    /// Whether the flights showed it; else it is assumed.
    pub drag_rate_inferred: bool,
    /// The gusty and the steady one, or none where the flights are not told apart.
    pub components: Vec<ComponentRecord>,
    /// Share of the flights that environments and hidden domains divide alike, under the better of
    /// both namings; absent where there are not two of each. Only a simulator can know it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agreement: Option<f64>,
    /// Every tuning flight of the run in order.
    pub flights: Vec<FlightRecord>,
}

/// One environment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ComponentRecord {
    /// `gusty`, the one of greater spread, or `steady`.
    pub name: String,
    /// Flights that are most probably in it.
    pub flights: usize,
    /// Mean probability of it over the flights.
    pub share: f64,
    /// Mean of M over its flights [m/s].
    pub mean_m_s: f64,
    /// Mean of S over its flights [m/s].
    pub spread_m_s: f64,
}

/// One flight.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FlightRecord {
    /// Number of its evaluation.
    pub trial: u64,
    /// M [m/s]; absent for a flight too short.
    pub mean_m_s: Option<f64>,
    /// S [m/s]; absent for a flight too short.
    pub spread_m_s: Option<f64>,
    /// Probability of the gusty environment.
    pub gusty: f64,
}

impl EnvironmentsRecord {
    /// Of a run's evaluations, each with its flights; `known` flights of an earlier run help to
    /// tell them apart and are not listed.
    pub fn of(known: &[Sensed], evaluations: &[Vec<Sensed>]) -> EnvironmentsRecord {
        let own = || evaluations.iter().flatten();
        let winds: Vec<_> = known.iter().chain(own()).map(|s| s.wind).collect();
        let mut inference = Inference::of(&winds);
        inference.flights.drain(..known.len());
        let trials = evaluations.iter().enumerate();
        let trials = trials.flat_map(|(trial, page)| page.iter().map(move |_| trial as u64));
        let flights = trials.zip(&inference.flights);
        let flights = flights.map(|(trial, inferred)| FlightRecord {
            trial,
            mean_m_s: inferred.wind.map(|wind| wind.mean_m_s),
            spread_m_s: inferred.wind.map(|wind| wind.spread_m_s),
            gusty: inferred.posterior[0],
        });
        let names = if inference.mixture.is_some() {
            &["gusty", "steady"][..]
        } else {
            &[]
        };
        EnvironmentsRecord {
            drag_rate_per_s: inference.drag_rate_per_s,
            drag_rate_inferred: inference.drag_rate_inferred,
            components: names
                .iter()
                .enumerate()
                .map(|(place, name)| component(&inference, place, name))
                .collect(),
            agreement: agreement(&inference, own()),
            flights: flights.collect(),
        }
    }
}

fn component(inference: &Inference, place: usize, name: &str) -> ComponentRecord {
    let flights = &inference.flights;
    let inside: Vec<_> = flights
        .iter()
        .filter(|flight| (flight.posterior[0] >= 0.5) == (place == 0))
        .collect();
    let mean = |of: fn(&sim::WindFeatures) -> f64| {
        let values: Vec<f64> = inside
            .iter()
            .filter_map(|f| f.wind.as_ref().map(of))
            .collect();
        values.iter().sum::<f64>() / values.len().max(1) as f64
    };
    let probability: f64 = flights.iter().map(|flight| flight.posterior[place]).sum();
    ComponentRecord {
        name: name.to_owned(),
        flights: inside.len(),
        share: probability / flights.len().max(1) as f64,
        mean_m_s: mean(|wind| wind.mean_m_s),
        spread_m_s: mean(|wind| wind.spread_m_s),
    }
}

fn agreement<'a>(
    inference: &Inference,
    flights: impl Iterator<Item = &'a Sensed> + Clone,
) -> Option<f64> {
    let domains: BTreeSet<&str> = flights
        .clone()
        .map(|flight| flight.domain.as_str())
        .collect();
    let [first, _] = domains.into_iter().collect::<Vec<_>>()[..] else {
        return None;
    };
    inference.mixture.as_ref()?;
    let both = inference.flights.iter().zip(flights);
    let alike = both.filter(|(own, flight)| (own.posterior[0] >= 0.5) == (flight.domain == first));
    let share = alike.count() as f64 / inference.flights.len() as f64;
    Some(share.max(1.0 - share))
}
