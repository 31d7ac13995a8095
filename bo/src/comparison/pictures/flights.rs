//! One flight of every method on every trajectory, coloured by error, as in the paper's figures.

use super::Gallery;
use crate::Error;
use crate::comparison::plan::cell::{Cell, Recommender};
use crate::comparison::plan::method::Method;
use crate::comparison::plan::training::Training;
use crate::flights::held_out::Test;
use crate::run::settings::Settings;
use plots::{
    FlightGridPicture, FlightResult, GridColumn, GridFlight, MOST_GRID_COLUMNS, MOST_GRID_ROWS,
    draw_flight_grid,
};
use sim::{Flight, Outcome, Sample};

/// The domain of the flights drawn: steady, the paper's target.
const DOMAIN: usize = 1;

/// Control periods between two points of a path.
const EVERY: u32 = 20;

impl Gallery<'_> {
    /// The recommended gains of the first seed in its first held-out steady wind; the first rows
    /// where not all fit.
    pub(super) fn flights(&self, training: Training) -> Result<Option<String>, Error> {
        let methods = self.plan.methods.iter().take(MOST_GRID_ROWS);
        let methods: Vec<Method> = methods.copied().collect();
        if self.plan.trajectories.len() > MOST_GRID_COLUMNS {
            return Ok(None);
        }
        let mut flights = Vec::new();
        for method in &methods {
            for trajectory in &self.plan.trajectories {
                let cell = self
                    .plan
                    .cell(trajectory, training, *method, self.plan.seeds[0]);
                flights.push(self.flight(&cell)?);
            }
        }
        let paths: Vec<Path> = flights.iter().map(Path::of).collect();
        let cells: Vec<Option<GridFlight>> = paths.iter().map(|p| Some(p.drawn())).collect();
        let references = self.references();
        let columns: Vec<GridColumn> = references
            .iter()
            .map(|(label, reference_m)| GridColumn { label, reference_m })
            .collect();
        let labels: Vec<String> = methods.iter().map(ToString::to_string).collect();
        let title = format!(
            "The recommended gains of seed {} in a held-out steady wind, trained in {}",
            self.plan.seeds[0],
            training.name()
        );
        let picture = FlightGridPicture {
            title: &title,
            rows: &labels.iter().map(String::as_str).collect::<Vec<_>>(),
            columns: &columns,
            flights: &cells,
        };
        let name = format!("flights-{}", training.name());
        self.drawn(name, |stem| draw_flight_grid(&picture, stem).map(|_| ()))
    }

    fn flight(&self, cell: &Cell) -> Result<Flight, Error> {
        let settings = Settings::of_paper(cell.trajectory, "gp", cell.seed)?;
        let problem = settings.problem_of(self.plan.budget.airframe.clone())?;
        let weather = problem.tuning.held_out_weather(DOMAIN, 0);
        let finished = &self.finished[&cell.key()];
        let mut recommended = finished.candidates.iter().filter(|candidate| {
            let tested = |test: &Test| test.domain == weather.domain;
            candidate.recommender == Recommender::Recommended && candidate.tests.iter().any(tested)
        });
        let candidate = recommended.next().expect("every method recommends gains");
        Ok(problem.tuning.fly(&candidate.gains, &weather, EVERY))
    }

    /// Every trajectory's name and points.
    fn references(&self) -> Vec<(&'static str, Vec<[f64; 3]>)> {
        let points = |name: &&'static str| {
            let trajectory = trajectories::by_name(name).expect("the plan is checked");
            let steps = (trajectory.duration_s() * 50.0) as u32;
            let at = |step| trajectory.at(f64::from(step) / 50.0).position_m.into();
            (*name, (0..=steps).map(at).collect())
        };
        self.plan.trajectories.iter().map(points).collect()
    }
}

/// A flight as the picture takes it.
struct Path {
    points_m: Vec<[f64; 3]>,
    errors_m: Vec<f64>,
    result: FlightResult,
}

impl Path {
    fn of(flight: &Flight) -> Path {
        let error = |s: &Sample| (s.state.position_m - s.reference.position_m).norm();
        Path {
            points_m: flight
                .samples
                .iter()
                .map(|sample| sample.state.position_m.into())
                .collect(),
            errors_m: flight.samples.iter().map(error).collect(),
            result: match flight.outcome {
                Outcome::Completed => FlightResult::Completed {
                    ace_m: flight.score.ace_m,
                },
                Outcome::Lost { at_s, .. } => FlightResult::Lost { at_s },
            },
        }
    }

    fn drawn(&self) -> GridFlight<'_> {
        GridFlight {
            path_m: &self.points_m,
            error_m: &self.errors_m,
            result: self.result,
        }
    }
}
