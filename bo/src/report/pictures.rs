//! Pictures: our records as the plain numbers that `plots` draws.

use crate::Error;
use crate::run::folder::Folder;
use crate::run::record::Record;
use plots::{
    Band, ConvergencePicture, FlightEnd, FlightPicture, Run, Series, draw_convergence, draw_flight,
};
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
            FlightEnd::Crashed
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
    let runs = [curve(record)];
    let series = [Series {
        label: record.settings.surrogate,
        runs: &runs,
    }];
    let picture = ConvergencePicture {
        title,
        series: &series,
        initial: record.settings.initial as usize,
        baseline: Some(("default gains, first flight", record.trials[0].cost_m)),
        band: Band::Quartiles,
    };
    folder.draw("convergence", |stem| {
        draw_convergence(&picture, stem).map(|_| ())
    })
}

fn curve(record: &Record) -> Run {
    Run {
        value_m: record.trials.iter().map(|trial| trial.cost_m).collect(),
        crashed: record.trials.iter().map(|trial| trial.lost).collect(),
    }
}
