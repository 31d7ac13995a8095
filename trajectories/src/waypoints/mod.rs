//! Waypoints: a user's own flight, the smoothest curve through given points at given times.

mod csv;
mod error;
mod heading;
mod spline;
mod swing;

pub use error::{Column, WaypointError};

use crate::{Reference, Remark, Trajectory};
use nalgebra::Vector3;
use spline::Spline;

/// Most points of one flight.
pub const MOST_POINTS: usize = 10_000;
/// Largest magnitude of a coordinate [m].
pub const FARTHEST_M: f64 = 1e5;
/// Largest distance from the start that the curve may reach between its points [m].
pub const FARTHEST_SWING_M: f64 = 1e6;
/// Latest time of a point [s]: a day.
pub const LATEST_S: f64 = 86_400.0;
/// Least time between two points [s].
pub const LEAST_INTERVAL_S: f64 = 1e-3;
/// Largest magnitude of a heading [rad].
pub const LARGEST_YAW_RAD: f64 = 1e3;

/// A place to pass, and when.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Waypoint {
    /// Time since the start of the flight [s], not negative.
    t_s: f64,
    /// Position in the world frame, z up, relative to the start of the flight [m].
    position_m: Vector3<f64>,
    /// Heading: angle of the body x axis about world z [rad].
    yaw_rad: f64,
}

/// A flight through points: of all curves that pass every point at its time and are at rest at
/// the first and the last (velocity, acceleration and jerk zero), the one with the least
/// ∫ |d⁴p/dt⁴|² dt, the minimum snap of Mellinger and Kumar, "Minimum snap trajectory generation
/// and control for quadrotors" (ICRA 2011).
///
/// That curve is the spline of degree 7 with its knots at the points; it is continuous up to the
/// sixth derivative. Between two points in a row at one place it stands there, and is such a curve
/// before and one behind. Before the first time the vehicle waits at the first point, after the
/// last it holds the last one.
///
/// The heading is the cubic spline of least ∫ |d²ψ/dt²|² dt through the angles as they are
/// written, 2π apart is one turn; it rests between two equal angles. The seam of a logged heading
/// is crossed the shorter way, with a [`Remark`]: a step of more than half a turn where all angles
/// lie within ±π, or within 0 to 2π and the step would turn faster than half a turn a second.
///
/// What this ignores: the vehicle. Points that lie far apart in little time ask for speeds and
/// accelerations that nothing flies, and points at very uneven times make the smoothest curve
/// swing far out between them; a [`Remark`] says so.
#[derive(Debug, Clone, PartialEq)]
pub struct Waypoints {
    name: String,
    spline: Spline,
    remarks: Vec<Remark>,
}

impl Waypoints {
    /// The flight through the points of a CSV text, in order of time: one `t,x,y,z` or
    /// `t,x,y,z,yaw` a line, in s, m and rad. A first line with these names is allowed; `#` begins a
    /// comment; blank lines are passed over. `name` is what it answers to.
    ///
    /// # Errors
    /// [`WaypointError`] for fewer than 2 points or more than [`MOST_POINTS`], a number that is
    /// not finite or beyond its limit, a negative time, or a time less than
    /// [`LEAST_INTERVAL_S`] after the one before; times so uneven that the curve would swing
    /// out beyond [`FARTHEST_SWING_M`]; also a wrong or changing number of columns, a header with
    /// other names, and a cell that is not a number.
    pub fn from_csv(name: &str, text: &str) -> Result<Self, WaypointError> {
        let (points, lines) = csv::read(text)?;
        check(&points, &lines)?;
        let times: Vec<f64> = points.iter().map(|point| point.t_s).collect();
        let (yaws, seam) = heading::unwrapped(&points, &lines);
        let values: Vec<_> = points
            .iter()
            .zip(yaws)
            .map(|(point, yaw)| point.position_m.push(yaw))
            .collect();
        let spline = Spline::through(&times, &values);
        for piece in 0..times.len() - 1 {
            let reach_m = spline.inside(piece).map(|p| p.norm()).fold(0.0, f64::max);
            if reach_m > FARTHEST_SWING_M {
                let line = lines[piece + 1];
                return Err(WaypointError::SwingsOut { line, reach_m });
            }
        }
        let swing = swing::swing(&points, &spline, &lines);
        Ok(Waypoints {
            name: name.to_owned(),
            spline,
            remarks: seam.into_iter().chain(swing).collect(),
        })
    }
}

impl Trajectory for Waypoints {
    fn name(&self) -> &str {
        &self.name
    }

    fn duration_s(&self) -> f64 {
        self.spline.last_time()
    }

    fn remarks(&self) -> &[Remark] {
        &self.remarks
    }

    fn at(&self, t_s: f64) -> Reference {
        let [value, first, second] = self.spline.at(t_s);
        Reference {
            position_m: value.xyz(),
            velocity_m_s: first.xyz(),
            acceleration_m_s2: second.xyz(),
            yaw_rad: value.w,
        }
    }
}

fn check(points: &[Waypoint], lines: &[usize]) -> Result<(), WaypointError> {
    match lines {
        [] => return Err(WaypointError::NoPoints),
        [line] => return Err(WaypointError::OnePoint { line: *line }),
        _ => {}
    }
    for (index, (point, line)) in points.iter().zip(lines.iter().copied()).enumerate() {
        for (column, value) in Column::ALL.into_iter().zip(numbers(point)) {
            let (low, high) = column.range();
            if !(low..=high).contains(&value) {
                return Err(WaypointError::OutOfRange {
                    line,
                    column,
                    value,
                });
            }
        }
        // The slack is for decimal times: 3600.002 − 3600.001 is a little less than 0.001.
        let least_s = LEAST_INTERVAL_S * (1.0 - 1e-6);
        if index > 0 && point.t_s - points[index - 1].t_s < least_s {
            return Err(WaypointError::NotLater {
                line,
                t_s: point.t_s,
                before_s: points[index - 1].t_s,
            });
        }
    }
    Ok(())
}

/// In the order of [`Column::ALL`].
fn numbers(point: &Waypoint) -> [f64; 5] {
    let p = point.position_m;
    [point.t_s, p.x, p.y, p.z, point.yaw_rad]
}
