//! CSV: a record of wind as text, a row a line below a header and a line of units.

use super::{FEWEST_ROWS, MOST_ROWS, Row};
use crate::error::RecordFault;

/// The columns, in their order.
const COLUMNS: [char; 4] = ['t', 'u', 'v', 'w'];

/// Their units.
const UNITS: [&str; 4] = ["s", "m/s", "m/s", "m/s"];

/// Greatest speed of a component [m/s].
const FASTEST_M_S: f64 = 100.0;

/// Latest time: a clock that counts seconds from 1970 keeps to 1e-5 s until then [s].
const LATEST_S: f64 = 1e10;

/// A step may differ from the median one by this share of it.
const UNEVEN: f64 = 0.5;

/// Letters of a bad cell that an error repeats.
const MOST_LETTERS: usize = 60;

/// The rows of a file, in time since the first.
pub(super) fn read(text: &str) -> Result<Vec<Row>, RecordFault> {
    // Some editors begin a text file with a byte order mark.
    let lines = text.trim_start_matches('\u{feff}').lines().enumerate();
    let mut lines = lines
        .map(|(line, content)| (line + 1, content.split('#').next().unwrap_or("").trim()))
        .filter(|(_, content)| !content.is_empty());
    let header = |line, found| RecordFault::Header { line, found };
    named(lines.next(), COLUMNS.map(String::from), header)?;
    let units = |line, found| RecordFault::Units { line, found };
    named(lines.next(), UNITS.map(String::from), units)?;
    let (mut rows, mut places) = (Vec::<Row>::new(), Vec::new());
    for (line, content) in lines {
        let row = row(line, content)?;
        if let Some(before) = rows.last().filter(|before| row[0] <= before[0]) {
            let [t_s, before_s] = [row[0], before[0]];
            return Err(RecordFault::NotLater {
                line,
                t_s,
                before_s,
            });
        }
        rows.push(row);
        places.push(line);
        if rows.len() > MOST_ROWS {
            break;
        }
    }
    if !(FEWEST_ROWS..=MOST_ROWS).contains(&rows.len()) {
        return Err(RecordFault::Rows {
            rows: rows.len(),
            least: FEWEST_ROWS,
            most: MOST_ROWS,
        });
    }
    check_steps(&rows, &places)?;
    let first_s = rows[0][0];
    for row in &mut rows {
        row[0] -= first_s;
    }
    Ok(rows)
}

/// Checks that a line has these words, whatever their case.
fn named(
    line: Option<(usize, &str)>,
    wanted: [String; 4],
    fault: impl Fn(usize, String) -> RecordFault,
) -> Result<(), RecordFault> {
    let (line, content) = line.unwrap_or((1, ""));
    let mut cells = content.split(',').map(str::trim);
    let alike = wanted.iter().all(|word| {
        cells
            .next()
            .is_some_and(|cell| cell.eq_ignore_ascii_case(word))
    });
    match alike && cells.next().is_none() {
        true => Ok(()),
        false => Err(separated(line, content).unwrap_or_else(|| fault(line, beginning(content)))),
    }
}

/// That no comma parts the cells of a line, where something else does.
fn separated(line: usize, content: &str) -> Option<RecordFault> {
    let found = match content {
        _ if content.contains(';') => "semicolons",
        _ if content.contains('\t') => "tabulators",
        _ => return None,
    };
    Some(RecordFault::Separator { line, found })
}

fn row(line: usize, content: &str) -> Result<Row, RecordFault> {
    let cells: Vec<&str> = content.split(',').map(str::trim).collect();
    if cells.len() != COLUMNS.len() {
        let found = cells.len();
        let fault = RecordFault::Columns { line, found };
        return Err(separated(line, content).unwrap_or(fault));
    }
    let mut row = [0.0; 4];
    for ((place, cell), column) in row.iter_mut().zip(cells).zip(COLUMNS) {
        let (wanted, most) = match column {
            't' => ("a time, at most 1e10 s", LATEST_S),
            _ => ("a wind speed, at most 100 m/s", FASTEST_M_S),
        };
        let number: f64 = cell.parse().map_err(|_| RecordFault::NotANumber {
            line,
            column,
            found: beginning(cell),
            wanted,
        })?;
        if number.is_nan() || number.abs() > most {
            return Err(RecordFault::OutOfRange {
                line,
                column,
                value: number,
                wanted,
            });
        }
        *place = number;
    }
    Ok(row)
}

/// Checks that the rows come evenly, within half of their median step.
fn check_steps(rows: &[Row], places: &[usize]) -> Result<(), RecordFault> {
    let steps: Vec<f64> = rows
        .windows(2)
        .map(|pair| pair[1][0] - pair[0][0])
        .collect();
    let mut sorted = steps.clone();
    sorted.sort_by(f64::total_cmp);
    let usual_s = sorted[sorted.len() / 2];
    for (k, step_s) in steps.into_iter().enumerate() {
        let (line, t_s) = (places[k + 1], rows[k + 1][0]);
        if step_s > (1.0 + UNEVEN) * usual_s {
            return Err(RecordFault::Gap {
                line,
                t_s,
                step_s,
                usual_s,
            });
        }
        if step_s < (1.0 - UNEVEN) * usual_s {
            return Err(RecordFault::Uneven {
                line,
                t_s,
                step_s,
                usual_s,
            });
        }
    }
    Ok(())
}

fn beginning(text: &str) -> String {
    text.chars().take(MOST_LETTERS).collect()
}
