//! Pictures: our records as the plain numbers that `plots` draws.

use super::charts::Course;
use crate::Error;
use crate::run::folder::Folder;
use crate::run::record::Record;
use plots::{FlightEnd, FlightPicture, draw_convergence, draw_flight};
use sim::Flight;

/// Draws a recorded flight as `flight.svg` and `flight.png`.
///
/// # Errors
/// [`Error::Draw`].
pub fn flight(folder: &Folder, title: &str, flight: &Flight) -> Result<(), Error> {
    let point = |v: &nalgebra::Vector3<f64>| [v.x, v.y, v.z];
    let samples = flight.samples.iter();
    let error = |s: &sim::Sample| (s.state.position_m - s.reference.position_m).norm();
    let picture = FlightPicture {
        title,
        reference_m: &samples
            .clone()
            .map(|s| point(&s.reference.position_m))
            .collect::<Vec<_>>(),
        path_m: &samples
            .clone()
            .map(|s| point(&s.state.position_m))
            .collect::<Vec<_>>(),
        error_m: &samples.map(error).collect::<Vec<_>>(),
        end: if flight.completed() {
            FlightEnd::Completed
        } else {
            FlightEnd::Lost
        },
    };
    folder.draw("flight", |stem| draw_flight(&picture, stem).map(|_| ()))
}

/// Draws every evaluation of a run and its best ACE so far as `convergence.svg` and
/// `convergence.png`.
///
/// # Errors
/// [`Error::Draw`].
pub fn convergence(folder: &Folder, title: &str, record: &Record) -> Result<(), Error> {
    let cost = record.settings.cost;
    let course = Course {
        title,
        first: 1,
        surrogate: record.settings.surrogate,
        initial: record.settings.initial,
        cost_name: if cost.effort_m != 0.0 || cost.saturation_m != 0.0 {
            "cost: ACE, effort and saturation [m]"
        } else {
            "average control error (ACE) [m]"
        },
    };
    let trials = record.trials.iter();
    let evaluations = trials.map(|trial| (trial.cost_m, trial.lost, &trial.origin));
    folder.draw("convergence", |stem| {
        course.draw(evaluations, |picture| {
            draw_convergence(picture, stem).map(|_| ())
        })
    })
}
