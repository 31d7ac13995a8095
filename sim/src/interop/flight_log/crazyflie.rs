//! The Crazyflie's log on its SD card ("uSD"), versions 1 and 2.
//!
//! Little endian: BC, version u16, number of kinds of event u16; for each its id u16, its name, its number of
//! variables u16, and for each `name(t)` with a letter for its type, all texts ended by a 0. Then records: the id,
//! the time (u32 in ms, from version 2 on u64 in µs), the variables. The last four bytes are a checksum.
//!
//! Frames are this simulator's: `gyro.y` is as measured, unlike `stateEstimate.pitch`, whose sign is turned.

use super::bytes::{Bytes, array};
use super::fields::{
    ACCELEROMETER, ATTITUDE, BATTERY, Found, GYRO, MOTORS, Number, ROTOR_SPEEDS, Source, VELOCITY,
    reading,
};
use super::samples::{STANDARD_GRAVITY_M_S2, Samples};
use super::{FlightLogError, LogVehicle};
use std::collections::HashMap;
use std::f64::consts::TAU;
use std::io::Result;

pub(super) const MAGIC: [u8; 1] = [0xBC];

/// The longest name.
const MOST_NAME: usize = 128;

const CHECKSUM: usize = 4;

/// The longest damaged stretch after which records are found again: ten seconds.
const SOON_NS: i64 = 10_000_000_000;

const PWM: f64 = 1.0 / 65535.0;
const QUATERNION: &str = "stateEstimate.qw stateEstimate.qx stateEstimate.qy stateEstimate.qz";
const SPEED: &str = "stateEstimate.vx stateEstimate.vy stateEstimate.vz";

#[rustfmt::skip]
const SOURCES: [Source; 7] = [
    ("", 0, MOTORS, "motor.m1 motor.m2 motor.m3 motor.m4", PWM, 4),
    ("", 0, ROTOR_SPEEDS, "rpm.m1 rpm.m2 rpm.m3 rpm.m4", TAU / 60.0, 4),
    ("", 0, GYRO, "gyro.x gyro.y gyro.z", TAU / 360.0, 3),
    ("", 0, ACCELEROMETER, "acc.x acc.y acc.z", STANDARD_GRAVITY_M_S2, 3),
    ("", 0, ATTITUDE, QUATERNION, 1.0, 4),
    ("", 0, VELOCITY, SPEED, 1.0, 3),
    ("", 0, BATTERY, "pm.vbat", 1.0, 1),
];

/// A kind of event: the length of its records, and what is read of them.
struct Event {
    size: usize,
    found: Vec<Found>,
}

pub(super) fn read(
    file: &mut Bytes,
    samples: &mut Samples,
) -> std::result::Result<(), FlightLogError> {
    file.skip(1)?;
    let version = half(file)?.ok_or_else(|| samples.header_cut(file))?;
    if !matches!(version, 1 | 2) {
        return Err(samples.header_damaged(file, "its version is neither 1 nor 2"));
    }
    let head = if version == 1 { 6 } else { 10 };
    let count = half(file)?.ok_or_else(|| samples.header_cut(file))?;
    let mut events = HashMap::new();
    for _ in 0..count {
        let (id, name, variables) = (half(file)?, text(file)?, half(file)?);
        let (Some(id), Some(_), Some(variables)) = (id, name, variables) else {
            return Err(samples.header_cut(file));
        };
        let (mut size, mut places) = (head, HashMap::new());
        for _ in 0..variables {
            let named = text(file)?.ok_or_else(|| samples.header_cut(file))?;
            let Some((name, kind)) = variable(&named) else {
                return Err(samples.header_damaged(file, "a variable has no type that is known"));
            };
            places.insert(name.to_owned(), vec![(size, kind, 1.0)]);
            size += kind.size();
        }
        let found = (SOURCES.iter())
            .filter_map(|source| Found::new(source, |name| places.get(name).cloned()));
        let found = found.collect();
        events.insert(id, Event { size, found });
    }
    samples.about.kind = LogVehicle::Multirotor;
    samples.about.vehicle = Some("Crazyflie".to_owned());
    samples.about.rotors = Some(4);
    let longest = events.values().map(|event| event.size).max().unwrap_or(0);
    let mut last_ns = 0;
    loop {
        let record = file.peek(longest.max(CHECKSUM) + 2)?;
        match record.len() {
            CHECKSUM => {
                file.skip(CHECKSUM as u64)?;
                return Ok(());
            }
            0..CHECKSUM => return samples.cut(file),
            _ => {}
        }
        let known = |at| array(record, at).and_then(|id| events.get(&u16::from_le_bytes(id)));
        let time_ns = match version {
            1 => array(record, 2).map(|time| i64::from(u32::from_le_bytes(time)) * 1_000_000),
            _ => array(record, 2).map(|time| i64::from_le_bytes(time).saturating_mul(1000)),
        };
        let time_ns = time_ns.unwrap_or(i64::MAX);
        // After a damaged stretch, a record is one whose time can follow, and that another follows.
        let soon = (0..SOON_NS).contains(&time_ns.saturating_sub(last_ns));
        let follows = |event: &&Event| !samples.lost || (soon && known(event.size).is_some());
        let Some(event) = known(0).filter(follows) else {
            samples.lose(file)?;
            continue;
        };
        if record.len() < event.size {
            return samples.cut(file);
        }
        samples.lost = false;
        last_ns = time_ns;
        for found in &event.found {
            let (_, rank, kind, ..) = *found.source;
            let read = found.read(record, |numbers| reading(kind, numbers));
            if let Some(read) = read {
                samples.push(time_ns, rank, read);
            }
        }
        file.skip(event.size as u64)?;
    }
}

/// The name and the type of a variable, as in `gyro.x(f)`.
fn variable(text: &str) -> Option<(&str, Number)> {
    let (name, kind) = text.strip_suffix(')')?.split_once('(')?;
    let &[letter] = kind.as_bytes() else {
        return None;
    };
    Some((name, Number::by_letter(letter)?))
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
