//! The Crazyflie's log on its SD card ("uSD"), versions 1 and 2.
//!
//! Little endian: BC, version u16, number of kinds of event u16; for each its id u16, its name, its number of
//! variables u16, and for each `name(t)` with a letter for its type, all texts ended by a 0. Then records: the id,
//! the time (u32 in ms, from version 2 on u64 in µs), the variables. The last four bytes are a checksum.
//!
//! Frames are this simulator's: `gyro.y` is as measured, unlike `stateEstimate.pitch`, whose sign is turned.

use super::bytes::{Bytes, Number, array};
use super::samples::{
    STANDARD_GRAVITY_M_S2, Samples, accelerometer, attitude, battery, gyro, motors, rotor_speeds,
    velocity,
};
use super::{FlightLogError, LogFormat, LogReading, LogVehicle};
use std::f64::consts::TAU;
use std::io::Result;

pub(super) const MAGIC: [u8; 1] = [0xBC];

/// The longest name.
const MOST_NAME: usize = 128;

/// Bytes of the checksum at the end.
const CHECKSUM: usize = 4;

/// What a reading is made of: the names of its variables, and what one of their units is in SI.
struct Source {
    names: &'static [&'static str],
    unit: f64,
    reading: fn(&[f64]) -> LogReading,
}

const fn source(
    names: &'static [&'static str],
    unit: f64,
    reading: fn(&[f64]) -> LogReading,
) -> Source {
    Source {
        names,
        unit,
        reading,
    }
}

const MOTORS: [&str; 4] = ["motor.m1", "motor.m2", "motor.m3", "motor.m4"];
const SPEEDS: [&str; 4] = ["rpm.m1", "rpm.m2", "rpm.m3", "rpm.m4"];
const ATTITUDE: [&str; 4] = [
    "stateEstimate.qw",
    "stateEstimate.qx",
    "stateEstimate.qy",
    "stateEstimate.qz",
];
const VELOCITY: [&str; 3] = ["stateEstimate.vx", "stateEstimate.vy", "stateEstimate.vz"];

const SOURCES: [Source; 7] = [
    source(&MOTORS, 1.0 / 65535.0, motors),
    source(&SPEEDS, TAU / 60.0, rotor_speeds),
    source(&["gyro.x", "gyro.y", "gyro.z"], TAU / 360.0, gyro),
    source(
        &["acc.x", "acc.y", "acc.z"],
        STANDARD_GRAVITY_M_S2,
        accelerometer,
    ),
    source(&ATTITUDE, 1.0, attitude),
    source(&VELOCITY, 1.0, velocity),
    source(&["pm.vbat"], 1.0, battery),
];

/// A kind of event.
struct Event {
    id: u16,
    /// Length of its variables.
    size: usize,
    /// Its readings, and where their variables lie.
    readings: Vec<(&'static Source, Vec<(usize, Number)>)>,
}

pub(super) fn read(
    file: &mut Bytes,
    samples: &mut Samples,
) -> std::result::Result<(), FlightLogError> {
    let (version, events) = header(file)?;
    samples.about.kind = LogVehicle::Multirotor;
    samples.about.vehicle = Some("Crazyflie".to_owned());
    samples.about.rotors = Some(4);
    let time_size = if version == 1 { 4 } else { 8 };
    let longest = events.iter().map(|event| event.size).max().unwrap_or(0);
    let mut lost = false;
    loop {
        let at = file.at();
        let record = file.peek(2 + time_size + longest + 2)?;
        if record.len() <= CHECKSUM {
            // A file that was cut has no checksum; one that was cut within it cannot be told from one with a rest.
            let cut = record.len() < CHECKSUM && !lost;
            samples.about.cut_at = cut.then_some(at);
            let rest = record.len() as u64;
            file.skip(rest)?;
            return Ok(());
        }
        let known = |at: usize| {
            let id = array(record, at).map(u16::from_le_bytes);
            events.iter().find(|event| Some(event.id) == id)
        };
        // After a damaged stretch, a record is one that another follows.
        let follows = |event: &&Event| !lost || known(2 + time_size + event.size).is_some();
        let Some(event) = known(0).filter(follows) else {
            if !lost {
                samples.damaged();
            }
            lost = true;
            file.skip(1)?;
            continue;
        };
        let size = 2 + time_size + event.size;
        if record.len() < size {
            samples.about.cut_at = Some(at + record.len() as u64);
            let rest = record.len() as u64;
            file.skip(rest)?;
            return Ok(());
        }
        lost = false;
        let time_ns = match version {
            1 => array(record, 2).map(|time| i64::from(u32::from_le_bytes(time)) * 1_000_000),
            _ => array(record, 2).map(|time| i64::from_le_bytes(time).saturating_mul(1000)),
        };
        for (source, variables) in &event.readings {
            let mut numbers = [0.0; 4];
            for (number, (offset, kind)) in numbers.iter_mut().zip(variables) {
                let read = kind.read(record, 2 + time_size + offset);
                *number = source.unit * read.unwrap_or(f64::NAN);
            }
            let reading = (source.reading)(&numbers[..variables.len()]);
            samples.push(time_ns.unwrap_or(0), 0, reading);
        }
        file.skip(size as u64)?;
    }
}

/// The version, and the kinds of event.
fn header(file: &mut Bytes) -> std::result::Result<(u16, Vec<Event>), FlightLogError> {
    let format = LogFormat::Crazyflie;
    file.skip(1)?;
    let version = half(file)?;
    let at = file.at();
    let damaged = |at: u64, what: &str| FlightLogError::Damaged {
        format,
        at,
        what: what.to_owned(),
    };
    if !matches!(version, Some(1 | 2)) {
        let what = "its version is neither 1 nor 2";
        return Err(match version {
            Some(_) => damaged(at, what),
            None => FlightLogError::Header { format, at },
        });
    }
    let mut events = Vec::new();
    let count = half(file)?;
    for _ in 0..count.unwrap_or(0) {
        let (id, name, variables) = (half(file)?, text(file)?, half(file)?);
        let (Some(id), Some(_), Some(variables)) = (id, name, variables) else {
            let at = file.at();
            return Err(FlightLogError::Header { format, at });
        };
        let (mut size, mut places) = (0, Vec::new());
        for _ in 0..variables {
            let Some(named) = text(file)? else {
                let at = file.at();
                return Err(FlightLogError::Header { format, at });
            };
            let kind = named
                .strip_suffix(')')
                .and_then(|named| named.split_once('('));
            let Some((name, kind)) = kind.and_then(|(name, kind)| Some((name, number(kind)?)))
            else {
                return Err(damaged(file.at(), "a variable has no type that is known"));
            };
            places.push((name.to_owned(), (size, kind)));
            size += kind.size();
        }
        let place = |name: &&str| places.iter().find(|(other, _)| other == name).map(|p| p.1);
        let readings = SOURCES.iter().filter_map(|source| {
            let found: Option<Vec<_>> = source.names.iter().map(place).collect();
            Some((source, found?))
        });
        events.push(Event {
            id,
            size,
            readings: readings.collect(),
        });
    }
    match (version, count) {
        (Some(version), Some(_)) => Ok((version, events)),
        _ => Err(FlightLogError::Header {
            format,
            at: file.at(),
        }),
    }
}

/// A type by its letter, as in Python's `struct`.
fn number(letter: &str) -> Option<Number> {
    Some(match letter {
        "b" => Number::I8,
        "B" => Number::U8,
        "h" => Number::I16,
        "H" => Number::U16,
        "i" => Number::I32,
        "I" => Number::U32,
        "q" => Number::I64,
        "Q" => Number::U64,
        "f" => Number::F32,
        "d" => Number::F64,
        _ => return None,
    })
}

/// A number of two bytes, none at the end of the file.
fn half(file: &mut Bytes) -> Result<Option<u16>> {
    let number = array(file.peek(2)?, 0).map(u16::from_le_bytes);
    file.skip(2)?;
    Ok(number)
}

/// A text that a 0 ends, none at the end of the file or where it is too long.
fn text(file: &mut Bytes) -> Result<Option<String>> {
    let next = file.peek(MOST_NAME)?;
    let end = next.iter().position(|byte| *byte == 0);
    let text = end.map(|end| String::from_utf8_lossy(&next[..end]).into_owned());
    file.skip(end.map_or(MOST_NAME, |end| end + 1) as u64)?;
    Ok(text)
}
