//! Pictures: our records as the plain numbers that `plots` draws.

use super::charts::Course;
use crate::Error;
use crate::flights::flown_path::FlownPath;
use crate::flights::problem::Problem;
use crate::flights::tuning::Tuning;
use crate::run::disk::folder::draw;
use crate::run::disk::record::Record;
use plots::{FlightEnd, FlightGridPicture, FlightPicture, GridColumn, MOST_GRID_ROWS};
use shell::folder::Folder;
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
    draw(folder.path(), "flight", |stem| {
        plots::draw(&picture, stem).map(|_| ())
    })
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
        surrogate: record.settings.surrogate,
        initial: record.settings.initial,
        cost_name: if cost.is_weighted() {
            "cost: ACE, effort and saturation [m]"
        } else {
            "average control error (ACE) [m]"
        },
    };
    let trials = record.trials.iter();
    let evaluations = trials.map(|trial| (trial.cost_m, trial.lost, &trial.origin));
    draw(folder.path(), "convergence", |stem| {
        course.draw(evaluations, |picture| {
            plots::draw(picture, stem).map(|_| ())
        })
    })
}

/// Draws the first held-out flight of each test domain with the default gains, next to the same wind
/// with the recommended ones, as `before-after.svg` and `before-after.png`.
///
/// # Errors
/// [`Error::Draw`].
pub fn before_after(folder: &Folder, problem: &Problem, record: &Record) -> Result<(), Error> {
    draw(folder.path(), "before-after", |stem| {
        side_by_side(&problem.tuning, record, |picture| {
            plots::draw(picture, stem).map(|_| ())
        })
    })
}

/// Draws the same picture with `draw`.
pub fn side_by_side<T>(
    tuning: &Tuning,
    record: &Record,
    draw: impl FnOnce(&FlightGridPicture) -> T,
) -> T {
    let domains = tuning.domains.iter().take(MOST_GRID_ROWS);
    let rows: Vec<String> = domains
        .map(|domain| format!("{} wind", domain.name))
        .collect();
    let both = [record.default.gains, record.recommended.gains];
    let fly = |index: usize| {
        let weather = tuning.held_out_weather(index / 2, 0);
        tuning.fly(&both[index % 2], &weather, FlownPath::EVERY)
    };
    let flights: Vec<Flight> = (0..2 * rows.len()).map(fly).collect();
    let paths: Vec<FlownPath> = flights.iter().map(FlownPath::of).collect();
    let longest = flights.iter().max_by_key(|flight| flight.samples.len());
    let samples = longest.map_or(&[][..], |flight| &flight.samples[..]);
    let reference_m: Vec<[f64; 3]> = samples
        .iter()
        .map(|sample| sample.reference.position_m.into())
        .collect();
    let column = |label| GridColumn {
        label,
        reference_m: &reference_m,
    };
    let settings = &record.settings;
    let title = format!(
        "{} before and after tuning with {}, seed {}: a held-out wind of each domain",
        settings.trajectory, settings.surrogate, settings.seed
    );
    let picture = FlightGridPicture {
        title: &title,
        rows: &rows.iter().map(String::as_str).collect::<Vec<_>>(),
        columns: &["default gains", "recommended gains"].map(column),
        flights: &paths
            .iter()
            .map(|path| Some(path.drawn()))
            .collect::<Vec<_>>(),
    };
    draw(&picture)
}
