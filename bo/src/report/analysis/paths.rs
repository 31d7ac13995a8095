//! Paths: where the vehicle was in every evaluation, flown again and kept so thinly that a page
//! holds them all.

use crate::flights::evaluation::Evaluation;
use crate::flights::space::Knob;
use crate::flights::tuning::Tuning;
use crate::report::analysis::recording::{Loss, steps};
use crate::report::{Event, Listener, Stage};
use crate::run::disk::record::Record;
use rayon::prelude::*;
use serde::Serialize;
use sim::Flight;

/// Control periods of 1 ms between two points at the finest: ten points a second.
const FINEST: u32 = 100;

/// How much coarser paths become, in turn, until all of them fit; the last is taken where none do.
const COARSER: [usize; 6] = [1, 2, 5, 10, 20, 50];

/// Bytes that all paths together are to take in the page.
const MOST_BYTES: usize = 800_000;

/// The paths of a run's evaluations.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Paths {
    /// Time between two points \[ms\].
    pub step_ms: u64,
    /// Where the vehicle should have been, as long as the longest flight.
    pub reference: Steps,
    /// One for each evaluation that fits, in their order.
    pub flights: Vec<Path>,
    /// Evaluations whose flight is not that of the record, to the last bit.
    #[serde(skip)]
    pub departures: usize,
}

/// The path of the flight that stands for an evaluation.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Path {
    /// Number of the evaluation.
    pub number: u64,
    /// Name of the wind domain.
    pub domain: String,
    /// Where the vehicle was.
    pub position: Steps,
    /// Average control error, of the part that was flown \[0.1 mm\].
    pub ace: i32,
    /// When and why it was lost, if it was.
    pub lost: Option<Loss>,
}

/// Points, a list of `steps` \[mm\] an axis.
pub type Steps = [Vec<i32>; 3];

impl Paths {
    /// Flies every evaluation of `recorded` again. Where not even the coarsest paths fit, those of
    /// the least cost are kept.
    pub fn of(recorded: &Record, tuning: &Tuning, knobs: &[Knob], notify: Listener) -> Paths {
        notify(Event::Begins(Stage::Evaluations, recorded.trials.len()));
        let flights = |every: &Evaluation| {
            let mut gains = recorded.problem.airframe.gains;
            for knob in knobs {
                knob.gain.set(&mut gains, every.gains[knob.gain.name]);
            }
            let flight = tuning.fly(&gains, &every.shown().weather, FINEST);
            notify(Event::Done);
            flight
        };
        let flown: Vec<Flight> = recorded.trials.par_iter().map(flights).collect();
        let departs = |(trial, flight): &(&Evaluation, &Flight)| {
            flight.score.ace_m.to_bits() != trial.shown().score.ace_m.to_bits()
        };
        let pairs = recorded.trials.iter().zip(&flown);
        let departures = pairs.filter(departs).count();
        let thinned = |by| Paths::thinned(&recorded.trials, &flown, by, departures);
        let mut finer = COARSER.into_iter().map(thinned);
        let small = finer.find(|paths| paths.bytes() <= MOST_BYTES);
        small.unwrap_or_else(|| thinned(COARSER[COARSER.len() - 1]))
    }

    fn thinned(history: &[Evaluation], flown: &[Flight], by: usize, departures: usize) -> Paths {
        let longest = flown.iter().max_by_key(|flight| flight.samples.len());
        let kept = |(trial, flight): (&Evaluation, &Flight)| Path {
            number: trial.number,
            domain: trial.shown().weather.domain.clone(),
            position: path(flight, by, |sample| sample.state.position_m.into()),
            ace: (1e4 * flight.score.ace_m).round() as i32,
            lost: Loss::of(flight),
        };
        Paths {
            step_ms: u64::from(FINEST) * by as u64,
            reference: longest.map_or_else(Steps::default, |flight| {
                path(flight, by, |sample| sample.reference.position_m.into())
            }),
            flights: history.iter().zip(flown).map(kept).collect(),
            departures,
        }
    }

    /// What they take in the page.
    fn bytes(&self) -> usize {
        serde_json::to_string(self).map_or(usize::MAX, |json| json.len())
    }
}

/// Every `by`-th point of a flight in whole millimetres.
fn path(flight: &Flight, by: usize, point: impl Fn(&sim::Sample) -> [f64; 3]) -> Steps {
    let points = flight.samples.iter().step_by(by).map(point);
    let points: Vec<[f64; 3]> = points.collect();
    [0, 1, 2].map(|axis| steps(points.iter().map(|at| (1e3 * at[axis]).round() as i32)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim::{Airframe, Domain, Dryden, Setup, fly};

    #[test]
    fn steps_lead_back_to_the_points_within_half_a_millimetre() {
        let setup = Setup {
            record_every: FINEST,
            ..Setup::new(Airframe::omac())
        };
        let trajectory = trajectories::by_name("fig8").expect("shipped");
        let mut wind = Dryden::new(&Domain::gusty(), 3);
        let flight = fly(
            &setup,
            trajectory.as_ref(),
            &setup.airframe.gains,
            &mut wind,
            3,
        );
        for by in COARSER {
            let steps = path(&flight, by, |sample| sample.state.position_m.into());
            let kept: Vec<_> = flight.samples.iter().step_by(by).collect();
            for (axis, list) in steps.iter().enumerate() {
                assert_eq!(list.len(), kept.len());
                let mut at = 0;
                for (step, sample) in list.iter().zip(&kept) {
                    at += step;
                    let error = 1e-3 * f64::from(at) - sample.state.position_m[axis];
                    assert!(error.abs() <= 0.5001e-3, "{error}");
                }
            }
        }
    }
}
