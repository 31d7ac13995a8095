//! A flown path: the points of a recorded flight with their distances from the reference, as a grid
//! of flights takes them.

use plots::{FlightResult, GridFlight};
use sim::{Flight, Outcome};

/// The path of one flight.
pub struct FlownPath {
    points_m: Vec<[f64; 3]>,
    errors_m: Vec<f64>,
    result: FlightResult,
}

impl FlownPath {
    /// Control periods between two points of a path.
    pub const EVERY: u32 = 20;

    /// The path of a flight that was recorded.
    pub fn of(flight: &Flight) -> FlownPath {
        let error = |s: &sim::Sample| (s.state.position_m - s.reference.position_m).norm();
        FlownPath {
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

    /// The path as it is drawn.
    pub fn drawn(&self) -> GridFlight<'_> {
        GridFlight {
            path_m: &self.points_m,
            error_m: &self.errors_m,
            result: self.result,
        }
    }
}
