//! Columns: what the cells of a table of wind mean, by its header and, if there is one, its line of units.
//!
//! Wind is t, u, v and w, or a speed with the direction it comes from, clockwise from north: x points
//! north and y west. Times are seconds, or a clock's with a date or without. Commas, semicolons or
//! tabulators stand between the cells; with the latter two decimals may have commas.

use super::clock::{DAY_S, clock_s};
use super::column::{Column, Kind, unit_of};
use crate::error::RecordFault;

/// Greatest speed of a component [m/s].
const FASTEST_M_S: f64 = 100.0;

/// Latest time: a clock that counts seconds from 1970 keeps to 1e-5 s until then [s].
const LATEST_S: f64 = 1e10;

/// Letters of a bad cell that an error repeats.
const MOST_LETTERS: usize = 60;

/// How the rows of a table become wind.
#[derive(Debug)]
pub(super) struct Columns {
    /// Line of the header.
    line: usize,
    pub(super) separator: char,
    columns: Vec<Column>,
    time: usize,
    date: Option<usize>,
    wind: Wind,
}

/// The columns of the wind itself.
#[derive(Debug)]
enum Wind {
    Components([usize; 3]),
    /// Speed, direction and what goes upwards, where there is one.
    Vane(usize, usize, Option<usize>),
}

/// What stands between the cells of a line.
fn separator(line: &str) -> char {
    let known = [';', '\t'].into_iter().find(|mark| line.contains(*mark));
    known.unwrap_or(',')
}

impl Columns {
    /// Those of the header on a line.
    pub(super) fn of_header(line: usize, header: &str) -> Result<Columns, RecordFault> {
        let fault = || RecordFault::Header {
            line,
            found: beginning(header),
        };
        let separator = separator(header);
        let columns: Vec<Column> = header
            .split(separator)
            .map(|cell| Column::of(cell.trim()))
            .collect();
        if let Some(toward) = columns.iter().find(|column| column.kind == Kind::Toward) {
            return Err(RecordFault::Toward {
                line,
                column: toward.name.clone(),
            });
        }
        let find = |kind: Kind| {
            let mut found = (0..columns.len()).filter(|k| columns[*k].kind == kind);
            match (found.next(), found.next()) {
                (first, None) => Ok(first),
                // Which one is meant cannot be seen.
                _ => Err(fault()),
            }
        };
        let components = [find(Kind::U)?, find(Kind::V)?, find(Kind::W)?];
        let vane = (find(Kind::Speed)?, find(Kind::Direction)?);
        let wind = match (components, vane) {
            ([Some(u), Some(v), Some(w)], (None, None)) => Wind::Components([u, v, w]),
            ([None, None, up], (Some(speed), Some(direction))) => Wind::Vane(speed, direction, up),
            _ => return Err(fault()),
        };
        let date = find(Kind::Date)?;
        let time = find(Kind::Time)?.or(date).ok_or_else(fault)?;
        Ok(Columns {
            line,
            separator,
            date: date.filter(|date| *date != time),
            columns,
            time,
            wind,
        })
    }

    /// Takes the units of the line below the header, and whether it is one: it has no time.
    pub(super) fn take_units(&mut self, line: usize, content: &str) -> Result<bool, RecordFault> {
        let fault = || RecordFault::Units {
            line,
            found: beginning(content),
        };
        let cells: Vec<String> = content
            .split(self.separator)
            .map(|c| c.trim().to_lowercase())
            .collect();
        let is_row = cells
            .get(self.time)
            .is_some_and(|cell| self.seconds(cell).is_some());
        let needed: Vec<usize> = self.measured().collect();
        if is_row {
            let lacks = |k: &&usize| self.columns[**k].unit.is_none();
            return match needed.iter().find(lacks) {
                None => Ok(false),
                Some(k) => Err(RecordFault::Unit {
                    line: self.line,
                    column: self.columns[*k].name.clone(),
                }),
            };
        }
        // A unit has no digit: this is a time that cannot be read.
        if let Some(cell) = cells.get(self.time)
            && cell.contains(|c: char| c.is_ascii_digit())
        {
            return Err(self.no_time(line, cell));
        }
        if cells.len() != self.columns.len() {
            return Err(fault());
        }
        for k in needed.into_iter().chain([self.time]) {
            let column = &mut self.columns[k];
            let cell = cells[k].trim_matches(['"', '(', ')', '[', ']']);
            column.unit = unit_of(column.kind, cell).or(column.unit.filter(|_| cell.is_empty()));
            if column.unit.is_none() && k != self.time {
                return Err(fault());
            }
            // The time of a clock may have any: it is read by its form.
            column.is_odd |= column.unit.is_none() && !cell.is_empty();
        }
        Ok(true)
    }

    fn no_time(&self, line: usize, cell: &str) -> RecordFault {
        RecordFault::NotANumber {
            line,
            column: self.columns[self.time].name.clone(),
            found: beginning(cell),
            wanted: "a time in s, ms, us, min or h, or as hh:mm:ss or YYYY-MM-DD hh:mm:ss",
        }
    }

    /// The columns that need a unit.
    fn measured(&self) -> impl Iterator<Item = usize> {
        let of = match self.wind {
            Wind::Components([u, v, w]) => [Some(u), Some(v), Some(w)],
            Wind::Vane(speed, direction, up) => [Some(speed), Some(direction), up],
        };
        of.into_iter().flatten()
    }

    /// Whether the file has the form that we write.
    fn is_plain(&self) -> bool {
        let names = self.columns.iter().map(|column| column.name.to_lowercase());
        let metric = self
            .columns
            .iter()
            .all(|column| column.unit.is_some_and(|unit| unit.0 == 1.0));
        self.separator == ',' && metric && names.eq(["t", "u", "v", "w"].map(str::to_owned))
    }

    /// What was understood, in one sentence; `None` of a file as we write them.
    pub(super) fn understood(&self) -> Option<String> {
        if self.is_plain() {
            return None;
        }
        let unit = |k: usize| self.columns[k].unit.map_or("", |unit| unit.1);
        let wind = match self.wind {
            Wind::Components([u, v, w]) => {
                format!("u in {}, v in {}, w in {}", unit(u), unit(v), unit(w))
            }
            Wind::Vane(speed, direction, up) => format!(
                "a wind speed in {} and the direction it comes from in {}, clockwise from north: x points \
                 north, y west, {}",
                unit(speed),
                unit(direction),
                up.map_or("w is 0".to_owned(), |up| format!("w in {}", unit(up)))
            ),
        };
        let known = |k: &usize| {
            *k == self.time || self.date == Some(*k) || self.measured().any(|own| own == *k)
        };
        let others = (0..self.columns.len()).filter(|k| !known(k));
        let others: Vec<&str> = others.map(|k| &self.columns[k].name[..]).collect();
        let others = match others.is_empty() {
            true => String::new(),
            false => format!("; left out: {}", others.join(", ")),
        };
        let time = match self.columns[self.time].unit {
            Some((_, unit)) => format!("times in {unit}, "),
            None => String::new(),
        };
        Some(format!("read as {time}{wind}{others}"))
    }

    /// How many cells a line has.
    pub(super) fn count(&self) -> usize {
        self.columns.len()
    }

    /// Time [s] and wind [m/s] of the `cells` of a line.
    pub(super) fn row(&self, line: usize, cells: &[&str]) -> Result<super::Row, RecordFault> {
        let time_s = self.time_of(cells);
        let time_s = time_s.ok_or_else(|| self.no_time(line, cells[self.time]))?;
        let number = |k: usize| -> Result<f64, RecordFault> {
            let cell = self.decimal(cells[k]);
            cell.parse().map_err(|_| RecordFault::NotANumber {
                line,
                column: self.columns[k].name.clone(),
                found: beginning(cells[k]),
                wanted: match self.columns[k].kind {
                    Kind::Direction => "a direction",
                    _ => "a wind speed, at most 100 m/s",
                },
            })
        };
        let measured = |k: usize, least: f64, most: f64, wanted: &'static str| {
            let value = number(k)?;
            let scaled = value * self.columns[k].unit.map_or(1.0, |unit| unit.0);
            match (least..=most).contains(&scaled) {
                true => Ok(scaled),
                false => Err(RecordFault::OutOfRange {
                    line,
                    column: self.columns[k].name.clone(),
                    value,
                    wanted,
                }),
            }
        };
        let component = |k| {
            let wanted = "a wind speed, at most 100 m/s";
            measured(k, -FASTEST_M_S, FASTEST_M_S, wanted)
        };
        if time_s.is_nan() || time_s.abs() > LATEST_S {
            return Err(RecordFault::OutOfRange {
                line,
                column: self.columns[self.time].name.clone(),
                value: time_s,
                wanted: "a time, at most 1e10 s",
            });
        }
        Ok(match self.wind {
            Wind::Components([u, v, w]) => [time_s, component(u)?, component(v)?, component(w)?],
            Wind::Vane(speed, direction, up) => {
                let wanted = "a wind speed from 0 to 100 m/s";
                let speed = measured(speed, 0.0, FASTEST_M_S, wanted)?;
                let turn = std::f64::consts::TAU;
                let from = measured(direction, -turn, turn, "a direction of at most one turn")?;
                let up = up.map_or(Ok(0.0), component)?;
                [time_s, -speed * from.cos(), speed * from.sin(), up]
            }
        })
    }

    fn decimal(&self, cell: &str) -> String {
        let cell = cell.trim_matches('"').trim();
        match self.separator {
            ',' => cell.to_owned(),
            _ => cell.replace(',', "."),
        }
    }

    fn time_of(&self, cells: &[&str]) -> Option<f64> {
        match self.date {
            Some(date) => {
                let both = format!(
                    "{} {}",
                    cells[date].trim_matches('"'),
                    cells[self.time].trim_matches('"')
                );
                clock_s(&self.decimal(&both))
            }
            None => self.seconds(cells[self.time]),
        }
    }

    /// The time that a cell states [s].
    fn seconds(&self, cell: &str) -> Option<f64> {
        let cell = self.decimal(cell);
        let column = &self.columns[self.time];
        let unit_s = column.unit.map_or(1.0, |unit| unit.0);
        match cell.parse::<f64>() {
            Ok(_) if column.is_odd => None,
            Ok(number) => Some(number * unit_s),
            Err(_) => clock_s(&cell),
        }
    }

    /// Whether a clock without a date has passed midnight between two rows.
    pub(super) fn passed_midnight(&self, cells: &[&str], before_s: f64, now_s: f64) -> bool {
        let cell = cells[self.time].trim_matches('"');
        let dated = self.date.is_some() || cell.contains([' ', 'T', 't']);
        !dated && cell.contains(':') && now_s < before_s - 0.5 * DAY_S
    }
}

fn beginning(text: &str) -> String {
    text.chars().take(MOST_LETTERS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_stand_in_brackets_behind_the_name_or_in_a_line_of_their_own() {
        for (header, factor) in [
            ("time,speed (km/h),dir (deg)", 1.0 / 3.6),
            ("Timestamp,Wind speed [m/s],Wind direction [deg]", 1.0),
            ("t_s,speed_kn,dir_deg", 1852.0 / 3600.0),
        ] {
            let columns = Columns::of_header(1, header).expect("understood");
            assert_eq!(
                columns.columns[1].unit.expect("stated").0,
                factor,
                "{header}"
            );
        }
        for (name, kind, unit) in [
            ("direction (degT)", Kind::Direction, Some("deg")),
            ("direction (° true)", Kind::Direction, Some("deg")),
            (
                "direction (degrees from north)",
                Kind::Direction,
                Some("deg"),
            ),
            ("direction (deg magnetic)", Kind::Direction, None),
            ("direction (mil)", Kind::Direction, None),
            (
                "direction relative to north (deg)",
                Kind::Direction,
                Some("deg"),
            ),
            ("dirTo (deg)", Kind::Toward, None),
            ("wind_direction_to", Kind::Toward, None),
            ("elapsed time (seconds from start)", Kind::Time, Some("s")),
            ("time (h)", Kind::Time, Some("h")),
            ("time (d)", Kind::Time, None),
        ] {
            let column = Column::of(name);
            assert_eq!(
                (column.kind, column.unit.map(|unit| unit.1)),
                (kind, unit),
                "{name}"
            );
        }
        let mut columns =
            Columns::of_header(1, "Zeit;Geschwindigkeit;Richtung").expect("understood");
        assert!(columns.take_units(2, "s;m/s;Grad").expect("units"));
        assert!(columns.take_units(2, "0;5,2;180").is_ok_and(|units| !units));
        let mut unstated = Columns::of_header(1, "time,speed,dir").expect("understood");
        let refused = unstated.take_units(2, "0,5,180").expect_err("no unit");
        assert!(matches!(refused, RecordFault::Unit { line: 1, .. }));
    }
}
