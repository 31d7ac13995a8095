//! CSV: waypoints as text, one a line.

use super::{Column, MOST_POINTS, Waypoint, WaypointError};
use nalgebra::Vector3;

const EITHER: &str = "t,x,y,z or t,x,y,z,yaw";
const WITHOUT_YAW: &str = "4 (t,x,y,z), as before";
const WITH_YAW: &str = "5 (t,x,y,z,yaw), as before";

/// Letters of a bad cell that an error repeats.
const MOST_LETTERS: usize = 60;

/// The points and the line of each, from 1.
pub(super) fn read(text: &str) -> Result<(Vec<Waypoint>, Vec<usize>), WaypointError> {
    let (mut points, mut lines) = (Vec::new(), Vec::new());
    let mut columns = None;
    // Some editors begin a text file with a byte order mark.
    let text = text.trim_start_matches('\u{feff}');
    for (line, content) in text.lines().enumerate() {
        let line = line + 1;
        let content = content.split('#').next().unwrap_or_default().trim();
        if content.is_empty() {
            continue;
        }
        let cells: Vec<&str> = content.split(',').map(str::trim).collect();
        let first = columns.is_none();
        check_columns(line, cells.len(), &mut columns)
            .map_err(|error| separated(error, content))?;
        if first && cells.iter().all(|cell| cell.parse::<f64>().is_err()) {
            check_header(line, &cells)?;
            continue;
        }
        if points.len() == MOST_POINTS {
            return Err(WaypointError::TooManyPoints);
        }
        points.push(waypoint(line, &cells)?);
        lines.push(line);
    }
    Ok((points, lines))
}

/// Every line must have as many columns as the first.
fn check_columns(
    line: usize,
    found: usize,
    columns: &mut Option<usize>,
) -> Result<(), WaypointError> {
    let expected = match columns {
        None if found == 4 || found == 5 => {
            *columns = Some(found);
            return Ok(());
        }
        Some(wanted) if found == *wanted => return Ok(()),
        None => EITHER,
        Some(4) => WITHOUT_YAW,
        Some(_) => WITH_YAW,
    };
    Err(WaypointError::Columns {
        line,
        found,
        expected,
    })
}

/// What is wrong with the columns of a line, where it is that no comma parts them.
fn separated(error: WaypointError, content: &str) -> WaypointError {
    let found = match content {
        _ if content.contains(';') => "semicolons",
        _ if content.contains('\t') => "tabulators",
        _ => return error,
    };
    match error {
        WaypointError::Columns { line, expected, .. } => WaypointError::Separator {
            line,
            found,
            expected,
        },
        other => other,
    }
}

fn check_header(line: usize, cells: &[&str]) -> Result<(), WaypointError> {
    let named = |(cell, column): (&&str, Column)| cell.eq_ignore_ascii_case(&column.to_string());
    if cells.iter().zip(Column::ALL).all(named) {
        return Ok(());
    }
    Err(WaypointError::Header {
        line,
        found: beginning(&cells.join(",")),
    })
}

fn waypoint(line: usize, cells: &[&str]) -> Result<Waypoint, WaypointError> {
    let mut numbers = [0.0; 5];
    for ((number, cell), column) in numbers.iter_mut().zip(cells).zip(Column::ALL) {
        *number = cell.parse().map_err(|_| WaypointError::NotANumber {
            line,
            column,
            found: beginning(cell),
        })?;
    }
    let [t_s, x, y, z, yaw_rad] = numbers;
    Ok(Waypoint {
        t_s,
        position_m: Vector3::new(x, y, z),
        yaw_rad,
    })
}

fn beginning(text: &str) -> String {
    text.chars().take(MOST_LETTERS).collect()
}
