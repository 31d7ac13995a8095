//! Logbook: the winds in which evaluations were made, as a surrogate is told of them.

use super::Winds;
use crate::flights::tuning::{Flown, Tuning};
use crate::search::Circumstances;

/// What a study tells its surrogate of the winds.
#[derive(Debug, Clone)]
pub struct Logbook {
    winds: Winds,
}

impl Logbook {
    /// The logbook of a study that trains in the winds of `tuning`.
    pub fn new(tuning: &Tuning) -> Logbook {
        Logbook {
            winds: Winds::of(tuning),
        }
    }

    /// The numbers of one evaluation with these flights, of which there is at least one: their mean. The
    /// wind of an earlier run's flight is not known, which counts as the mean wind.
    pub fn row(&self, flights: &[Flown]) -> Vec<f64> {
        let met = |flown: &Flown| self.winds.met(&flown.weather).unwrap_or_default();
        let sum = flights
            .iter()
            .map(met)
            .fold([0.0; Winds::NUMBERS], |sum, own| {
                std::array::from_fn(|k| sum[k] + own[k])
            });
        sum.map(|sum| sum / flights.len() as f64).to_vec()
    }

    /// The circumstances of evaluations with these `rows`; gains are wanted for the mean wind.
    pub fn circumstances(rows: Vec<Vec<f64>>) -> Circumstances {
        let target = Logbook::unknown();
        Circumstances { rows, target }
    }

    /// The numbers of a wind of which nothing is known.
    pub fn unknown() -> Vec<f64> {
        vec![0.0; Winds::NUMBERS]
    }
}
