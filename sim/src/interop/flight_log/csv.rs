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

use super::FlightLogError;
use super::bytes::Bytes;
use super::fields::{
    ACCELEROMETER, ATTITUDE, BATTERY, GYRO, MOTORS, ROTOR_SPEEDS, SPEED_COMMANDS, VELOCITY, reading,
};
use super::samples::{STANDARD_GRAVITY_M_S2, Samples};
use crate::MOST_ROTORS;
use std::f64::consts::TAU;

/// The longest line [bytes].
const MOST_LINE: usize = 1 << 16;

/// The ends of names, the unit that each says, and its zero.
type Units = &'static [(&'static str, f64, f64)];

/// The columns of a kind of reading: how their names begin, how they go on, with which units, and an example.
type Family = (
    usize,
    &'static [&'static str],
    &'static [&'static str],
    Units,
    &'static str,
);

const SHARES: Units = &[
    ("_share", 1.0, 0.0),
    ("_percent", 0.01, 0.0),
    ("_us", 1e-3, 1000.0),
];
const SPEEDS: Units = &[("_rad_s", 1.0, 0.0), ("_rpm", TAU / 60.0, 0.0)];
const RATES: Units = &[("_rad_s", 1.0, 0.0), ("_deg_s", TAU / 360.0, 0.0)];
const FORCES: Units = &[("_m_s2", 1.0, 0.0), ("_g", STANDARD_GRAVITY_M_S2, 0.0)];

const XYZ: &[&str] = &["x", "y", "z"];
const EACH: &[&str] = &[
    "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12",
];

#[rustfmt::skip]
const FAMILIES: [Family; 8] = [
    (MOTORS, &["motor", "motor_"], EACH, SHARES, "motor1_share"),
    (SPEED_COMMANDS, &["command", "command_"], EACH, SPEEDS, "command1_rad_s"),
    (ROTOR_SPEEDS, &["n", "rotor", "rotor_"], EACH, SPEEDS, "rotor1_rpm"),
    (GYRO, &["w", "gyro_"], XYZ, RATES, "gyro_x_rad_s"),
    (ACCELEROMETER, &["a", "acc_", "accel_"], XYZ, FORCES, "acc_x_m_s2"),
    (ATTITUDE, &["q"], &["w", "x", "y", "z"], &[("", 1.0, 0.0)], "qw"),
    (VELOCITY, &["v"], XYZ, &[("_m_s", 1.0, 0.0)], "vx_m_s"),
    (BATTERY, &["battery", "voltage"], &[""], &[("_v", 1.0, 0.0)], "battery_v"),
];

/// How names of the time end, and how many nanoseconds the unit has.
const TIMES: [(&str, f64); 4] = [("_s", 1e9), ("_ms", 1e6), ("_us", 1e3), ("_ns", 1.0)];

/// A column: its place in the line, its unit and its zero.
type Column = (usize, f64, f64);

/// Whether a file may begin with that line.
pub(super) fn is_header(line: &str) -> bool {
    names(line).iter().any(|name| time(name).is_some())
}

pub(super) fn read(file: &mut Bytes, samples: &mut Samples) -> Result<(), FlightLogError> {
    let length = file.line(MOST_LINE)?.unwrap_or(MOST_LINE);
    let header = String::from_utf8_lossy(file.peek(length)?).into_owned();
    file.skip(length as u64)?;
    let names = names(&header);
    let mut times = names.iter().enumerate();
    let time = times.find_map(|(place, name)| Some((place, time(name)?)));
    let Some(time) = time.filter(|_| header.ends_with('\n')) else {
        return Err(samples.header_cut(file));
    };
    let readings = readings(&names)?;
    let rotors = readings.iter().find(|(kind, _)| *kind < GYRO);
    samples.about.rotors = rotors.map(|(_, columns)| columns.len());
    loop {
        let Some(length) = file.line(MOST_LINE)? else {
            samples.lose(file)?;
            file.skip_to(b"\n")?;
            continue;
        };
        let line = file.peek(length)?;
        if line.is_empty() {
            return Ok(());
        }
        // The last number of a line that was cut may be half of one.
        if !line.ends_with(b"\n") {
            return samples.cut(file);
        }
        samples.lost = false;
        let line = String::from_utf8_lossy(line);
        if row(line.trim_end(), time, &readings, samples).is_none() {
            samples.damaged();
        }
        file.skip(length as u64)?;
    }
}

/// Takes in a line; nothing where it has no time.
fn row(
    line: &str,
    time: (usize, f64),
    readings: &[(usize, Vec<Column>)],
    samples: &mut Samples,
) -> Option<()> {
    let cells: Vec<&str> = line.split(',').map(str::trim).collect();
    let time_ns = time.1
        * cells
            .get(time.0)?
            .parse::<f64>()
            .ok()
            .filter(|time| time.is_finite())?;
    for (kind, columns) in readings {
        let number = |(place, unit, zero): &Column| {
            let cell = cells.get(*place).copied().unwrap_or("?");
            let number = || unit * (cell.parse().unwrap_or(f64::NAN) - zero);
            (!cell.is_empty()).then(number)
        };
        let numbers: Option<Vec<f64>> = columns.iter().map(number).collect();
        if let Some(read) = numbers.and_then(|numbers| reading(*kind, &numbers)) {
            samples.push(time_ns.round() as i64, 0, read);
        }
    }
    Some(())
}

/// The names in a line, in lower case and with `_` for what else parts words.
fn names(line: &str) -> Vec<String> {
    let word = |name: &str| {
        let parts = name.split(|c: char| !c.is_alphanumeric());
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

/// What columns of those names hold.
fn readings(names: &[String]) -> Result<Vec<(usize, Vec<Column>)>, FlightLogError> {
    let mut readings = Vec::new();
    for family in &FAMILIES {
        let (kind, _, parts, ..) = *family;
        let mut columns = Vec::new();
        for part in parts {
            match column(names, family, part)? {
                Some(column) => columns.push(column),
                None => break,
            }
        }
        let whole = columns.len() == parts.len() || (kind < GYRO && !columns.is_empty());
        readings.extend(whole.then_some((kind, columns)));
    }
    Ok(readings)
}

/// The column of that part of a family.
fn column(names: &[String], family: &Family, part: &str) -> Result<Option<Column>, FlightLogError> {
    let (_, stems, parts, units, example) = *family;
    for (place, name) in names.iter().enumerate() {
        for stem in stems {
            let rest = name
                .strip_prefix(stem)
                .and_then(|rest| rest.strip_prefix(part));
            if let Some((_, unit, zero)) = units.iter().find(|(end, ..)| rest == Some(end)) {
                return Ok(Some((place, *unit, *zero)));
            }
            // A name without more words is the quantity, and its unit is missing.
            if rest == Some("") && (stem.len() > 1 || parts == XYZ) {
                let column = name.clone();
                return Err(FlightLogError::Unit { column, example });
            }
        }
    }
    Ok(None)
}

const _: () = assert!(EACH.len() == MOST_ROTORS);
