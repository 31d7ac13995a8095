//! CSV: the names of the columns say what they hold and in which unit, as in `gyro_x_deg_s` or `acc_z_g`.
//!
//! | reading | columns |
//! |---|---|
//! | time | `t_`, `time_`, `timestamp_` and `s`, `ms`, `us`, `ns` |
//! | motors | `motor1_share`, `motor1_percent`, `motor1_us` (1000 to 2000), from 1 on |
//! | speed commands | `command1_rad_s`, `command1_rpm` |
//! | rotor speeds | `n1_rad_s`, `rotor1_rad_s`, `rotor1_rpm` |
//! | gyro | `wx_`, `gyro_x_` and `rad_s`, `deg_s` |
//! | accelerometer | `ax_`, `acc_x_`, `accel_x_` and `m_s2`, `g` |
//! | attitude | `qw`, `qx`, `qy`, `qz` |
//! | velocity | `vx_m_s` |
//! | battery | `battery_v`, `voltage_v` |
//!
//! Frames are this simulator's. Other columns are left out, and a reading where one of its cells is empty.

use super::bytes::Bytes;
use super::samples::{
    STANDARD_GRAVITY_M_S2, Samples, accelerometer, attitude, battery, gyro, motors, rotor_speeds,
    speed_commands, velocity,
};
use super::{FlightLogError, LogFormat, LogReading};
use crate::MOST_ROTORS;
use std::f64::consts::TAU;

/// The longest line [bytes].
const MOST_LINE: usize = 1 << 16;

/// A family of columns: how their names begin, how they go on, and with which units.
struct Family {
    stems: &'static [&'static str],
    /// `1` stands for the numbers from 1 on.
    parts: &'static [&'static str],
    units: Units,
    example: &'static str,
    reading: fn(&[f64]) -> LogReading,
}

/// The ends of names, the unit that each says, and its zero.
type Units = &'static [(&'static str, f64, f64)];

const fn family(
    stems: &'static [&'static str],
    parts: &'static [&'static str],
    units: Units,
    example: &'static str,
    reading: fn(&[f64]) -> LogReading,
) -> Family {
    Family {
        stems,
        parts,
        units,
        example,
        reading,
    }
}

const SHARES: Units = &[
    ("_share", 1.0, 0.0),
    ("_percent", 0.01, 0.0),
    ("_us", 1e-3, 1000.0),
];
const SPEEDS: Units = &[("_rad_s", 1.0, 0.0), ("_rpm", TAU / 60.0, 0.0)];
const RATES: Units = &[("_rad_s", 1.0, 0.0), ("_deg_s", TAU / 360.0, 0.0)];
const FORCES: Units = &[("_m_s2", 1.0, 0.0), ("_g", STANDARD_GRAVITY_M_S2, 0.0)];
const XYZ: &[&str] = &["x", "y", "z"];
const WXYZ: &[&str] = &["w", "x", "y", "z"];

const FAMILIES: [Family; 8] = [
    family(&["motor", "motor_"], &["1"], SHARES, "motor1_share", motors),
    family(
        &["command", "command_"],
        &["1"],
        SPEEDS,
        "command1_rad_s",
        speed_commands,
    ),
    family(
        &["n", "rotor", "rotor_"],
        &["1"],
        SPEEDS,
        "rotor1_rpm",
        rotor_speeds,
    ),
    family(&["w", "gyro_"], XYZ, RATES, "gyro_x_rad_s", gyro),
    family(
        &["a", "acc_", "accel_"],
        XYZ,
        FORCES,
        "acc_x_m_s2",
        accelerometer,
    ),
    family(&["q"], WXYZ, &[("", 1.0, 0.0)], "qw", attitude),
    family(&["v"], XYZ, &[("_m_s", 1.0, 0.0)], "vx_m_s", velocity),
    family(
        &["battery", "voltage"],
        &[""],
        &[("_v", 1.0, 0.0)],
        "battery_v",
        battery,
    ),
];

/// Names of the time, and how many nanoseconds one of its units has.
const TIMES: [(&str, f64); 4] = [("_s", 1e9), ("_ms", 1e6), ("_us", 1e3), ("_ns", 1.0)];

/// A column of a reading: its place in the line, its unit and its zero.
type Column = (usize, f64, f64);

/// What a file's columns hold.
struct Columns {
    time: (usize, f64),
    readings: Vec<(&'static Family, Vec<Column>)>,
}

/// Whether a file may begin with that line.
pub(super) fn is_header(line: &str) -> bool {
    names(line).iter().any(|name| time(name).is_some())
}

pub(super) fn read(file: &mut Bytes, samples: &mut Samples) -> Result<(), FlightLogError> {
    let format = LogFormat::Csv;
    let length = file.line(MOST_LINE)?.unwrap_or(MOST_LINE);
    let header = String::from_utf8_lossy(file.peek(length)?).into_owned();
    file.skip(length as u64)?;
    if !header.ends_with('\n') {
        let at = file.at();
        return Err(FlightLogError::Header { format, at });
    }
    let columns = columns(&names(&header))?.ok_or(FlightLogError::Damaged {
        format,
        at: file.at(),
        what: "no column holds the time, as t_s does".to_owned(),
    })?;
    let most = columns
        .readings
        .iter()
        .find(|(family, _)| family.parts == ["1"]);
    samples.about.rotors = most.map(|(_, each)| each.len());
    let mut cells: Vec<f64> = Vec::new();
    loop {
        let Some(length) = file.line(MOST_LINE)? else {
            samples.damaged();
            file.skip_to(b"\n")?;
            file.skip(1)?;
            continue;
        };
        let at = file.at();
        let line = file.peek(length)?;
        if line.is_empty() {
            return Ok(());
        }
        if !line.ends_with(b"\n") {
            // Its last number may be half of one.
            samples.about.cut_at = Some(at + length as u64);
            file.skip(length as u64)?;
            return Ok(());
        }
        if let Some(text) = std::str::from_utf8(line).ok().map(str::trim) {
            cells.clear();
            cells.extend(text.split(',').map(|cell| number(cell.trim())));
        }
        row(&columns, &cells, samples);
        cells.clear();
        file.skip(length as u64)?;
    }
}

/// The number in a cell; a cell that is empty or no number at all has a mark that no number has.
fn number(cell: &str) -> f64 {
    match cell.parse() {
        Ok(number) => number,
        Err(_) if cell.is_empty() => EMPTY,
        Err(_) => f64::NAN,
    }
}

/// What stands for an empty cell: no log holds a number of that size.
const EMPTY: f64 = f64::MAX;

fn row(columns: &Columns, cells: &[f64], samples: &mut Samples) {
    let time = cells.get(columns.time.0).filter(|time| time.is_finite());
    let Some(time) = time.filter(|time| **time != EMPTY) else {
        samples.damaged();
        return;
    };
    let time_ns = (time * columns.time.1).round() as i64;
    let mut numbers = [0.0; MOST_ROTORS];
    for (family, each) in &columns.readings {
        let mut empty = false;
        for (number, (place, unit, zero)) in numbers.iter_mut().zip(each) {
            let cell = cells.get(*place).copied().unwrap_or(f64::NAN);
            empty |= cell == EMPTY;
            *number = unit * (cell - zero);
        }
        if !empty {
            samples.push(time_ns, 0, (family.reading)(&numbers[..each.len()]));
        }
    }
}

/// The names in a line, in lower case and with `_` for what else parts words.
fn names(line: &str) -> Vec<String> {
    let word = |name: &str| {
        let name = name.trim_matches(|c: char| c.is_whitespace() || "\"\u{feff})]".contains(c));
        let parts = name.split(|c: char| c.is_whitespace() || "_.()[]/".contains(c));
        let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
        parts.join("_").to_lowercase()
    };
    line.split(',').map(word).collect()
}

/// How many nanoseconds a unit of that column has, if it holds the time.
fn time(name: &str) -> Option<f64> {
    let unit = ["timestamp", "time", "t"]
        .iter()
        .find_map(|stem| name.strip_prefix(stem))?;
    TIMES
        .iter()
        .find(|(end, _)| *end == unit)
        .map(|(_, ns)| *ns)
}

/// What columns of those names hold; nothing without a time.
fn columns(names: &[String]) -> Result<Option<Columns>, FlightLogError> {
    let mut times = names.iter().enumerate();
    let Some(time) = times.find_map(|(place, name)| Some((place, time(name)?))) else {
        return Ok(None);
    };
    let mut readings = Vec::new();
    for family in &FAMILIES {
        let mut each = Vec::new();
        for rotor in 1..=MOST_ROTORS {
            for part in family.parts {
                let part = part.replace('1', &rotor.to_string());
                each.extend(column(names, family, &part)?);
            }
            if family.parts != ["1"] || each.len() < rotor {
                break;
            }
        }
        if each.len() >= family.parts.len() {
            readings.push((family, each));
        }
    }
    Ok(Some(Columns { time, readings }))
}

/// The column of that part of a family.
fn column(names: &[String], family: &Family, part: &str) -> Result<Option<Column>, FlightLogError> {
    for (place, name) in names.iter().enumerate() {
        for stem in family.stems {
            let end = name
                .strip_prefix(stem)
                .and_then(|rest| rest.strip_prefix(part));
            let Some(end) = end.filter(|end| end.is_empty() || end.starts_with('_')) else {
                continue;
            };
            if let Some((_, unit, zero)) = family.units.iter().find(|(unit, ..)| *unit == end) {
                return Ok(Some((place, *unit, *zero)));
            }
            // A bare name is taken for the quantity; with more words it is something else.
            if end.is_empty() && (stem.len() > 1 || family.parts == XYZ) {
                return Err(FlightLogError::Unit {
                    column: name.clone(),
                    example: family.example,
                });
            }
        }
    }
    Ok(None)
}
