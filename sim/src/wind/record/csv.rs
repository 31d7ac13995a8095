//! CSV: a record of wind as text, a row a line below a header and its units.

use super::clock::DAY_S;
use super::columns::Columns;
use super::{FEWEST_ROWS, MOST_ROWS, Row};
use crate::error::RecordFault;

/// A step may differ from the median one by this share of it.
const UNEVEN: f64 = 0.5;

/// The rows of a file, in time since the first, and what was understood of a file that is not as we
/// write them.
pub(super) fn read(text: &str) -> Result<(Vec<Row>, Option<String>), RecordFault> {
    // Some editors begin a text file with a byte order mark.
    let lines = text.trim_start_matches('\u{feff}').lines().enumerate();
    let mut lines = lines
        .map(|(line, content)| (line + 1, content.split('#').next().unwrap_or("").trim()))
        .filter(|(_, content)| !content.is_empty())
        .peekable();
    let (line, header) = lines.next().unwrap_or((1, ""));
    let mut columns = Columns::of_header(line, header)?;
    let (line, second) = lines.peek().copied().unwrap_or((1, ""));
    if columns.take_units(line, second)? {
        lines.next();
    }
    let (mut rows, mut places) = (Vec::<Row>::new(), Vec::new());
    let mut midnights_s = 0.0;
    for (line, content) in lines {
        let cells: Vec<&str> = content.split(columns.separator).map(str::trim).collect();
        if cells.len() != columns.count() {
            let (found, expected) = (cells.len(), columns.count());
            return Err(separated(line, content, columns.separator).unwrap_or(
                RecordFault::Columns {
                    line,
                    found,
                    expected,
                },
            ));
        }
        let mut row = columns.row(line, &cells)?;
        row[0] += midnights_s;
        if let Some(before) = rows.last()
            && columns.passed_midnight(&cells, before[0], row[0])
        {
            midnights_s += DAY_S;
            row[0] += DAY_S;
        }
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
    Ok((rows, columns.understood()))
}

/// That something else stands between the cells of a line than between those of the header.
fn separated(line: usize, content: &str, separator: char) -> Option<RecordFault> {
    let marks = [(';', "semicolons"), ('\t', "tabulators")];
    let other = marks
        .iter()
        .find(|(mark, _)| *mark != separator && content.contains(*mark));
    other.map(|(_, found)| RecordFault::Separator { line, found })
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
