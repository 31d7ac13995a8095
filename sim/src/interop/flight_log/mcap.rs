//! MCAP as `sim fly` writes it: JSON messages in chunks that are not compressed.

use super::bytes::{Bytes, array};
use super::fields::{
    ACCELEROMETER, ATTITUDE, GYRO, ROTOR_SPEEDS, SPEED_COMMANDS, VELOCITY, reading,
};
use super::samples::Samples;
use super::{FlightLogError, LogVehicle};
use serde_json::Value;
use std::collections::HashMap;

pub(super) const MAGIC: [u8; 8] = [0x89, b'M', b'C', b'A', b'P', 0x30, 0x0d, 0x0a];

/// Kinds of record.
const FOOTER: u8 = 0x02;
const CHANNEL: u8 = 0x04;
const MESSAGE: u8 = 0x05;
const CHUNK: u8 = 0x06;
const METADATA: u8 = 0x0c;

/// Bytes of a record's head, of a chunk's with it, and where that has the length of its compression's name.
const HEAD: usize = 9;
const CHUNK_HEAD: usize = HEAD + 40;
const COMPRESSION: usize = HEAD + 28;

/// The longest record that is looked at [bytes].
const MOST_RECORD: u64 = 1 << 20;

const XYZ: &[&str] = &["x", "y", "z"];
const WXYZ: &[&str] = &["w", "x", "y", "z"];

/// Topics, the kind of reading of each, where it lies in a message, and the names of its numbers; those of rotors are
/// an array.
const SOURCES: [(&str, usize, &str, &[&str]); 10] = [
    ("/vehicle/pose", ATTITUDE, "/pose/orientation", WXYZ),
    ("/vehicle/motion", VELOCITY, "/velocity", XYZ),
    ("/vehicle/motion", GYRO, "/rates", XYZ),
    ("/motors", ROTOR_SPEEDS, "/speed_rad_s", &[]),
    ("/motors", SPEED_COMMANDS, "/command_rad_s", &[]),
    ("/measured/motors", SPEED_COMMANDS, "/command_rad_s", &[]),
    ("/measured/imu", GYRO, "/gyro", XYZ),
    ("/measured/imu", ACCELEROMETER, "/accelerometer", XYZ),
    ("/measured/attitude", ATTITUDE, "/orientation", WXYZ),
    ("/measured/velocity", VELOCITY, "/velocity", XYZ),
];

/// Bytes of a message before its text.
const MESSAGE_HEAD: usize = 22;

pub(super) fn read(file: &mut Bytes, samples: &mut Samples) -> Result<(), FlightLogError> {
    let mut topics: HashMap<u16, String> = HashMap::new();
    samples.about.kind = LogVehicle::Multirotor;
    file.skip(MAGIC.len() as u64)?;
    loop {
        let head = file.peek(CHUNK_HEAD)?;
        let (kind, length) = (head.first(), array(head, 1).map(u64::from_le_bytes));
        let (Some(kind), Some(length)) = (kind.copied(), length) else {
            return samples.cut(file);
        };
        let mut size = length.saturating_add(HEAD as u64);
        let compressed = array(head, COMPRESSION).is_none_or(|length: [u8; 4]| length != [0; 4]);
        match kind {
            FOOTER => {
                file.skip(u64::MAX)?;
                return Ok(());
            }
            CHUNK if compressed => samples.damaged(),
            // Its records follow one by one.
            CHUNK => size = CHUNK_HEAD as u64,
            CHANNEL | MESSAGE | METADATA if size <= MOST_RECORD => {
                let record = file.peek(size as usize)?;
                if (record.len() as u64) < size {
                    return samples.cut(file);
                }
                let body = &record[HEAD..];
                let taken = match kind {
                    CHANNEL => channel(body).map(|(id, topic)| drop(topics.insert(id, topic))),
                    METADATA => metadata(body, samples),
                    _ => message(body, &topics, samples),
                };
                if taken.is_none() {
                    samples.damaged();
                }
            }
            _ => {}
        }
        if !file.skip(size)? {
            return samples.cut(file);
        }
    }
}

/// The text that begins at that place with its length.
fn text(body: &[u8], at: usize) -> Option<&str> {
    let length = u32::from_le_bytes(array(body, at)?) as usize;
    std::str::from_utf8(body.get(at + 4..)?.get(..length)?).ok()
}

fn channel(body: &[u8]) -> Option<(u16, String)> {
    let id = u16::from_le_bytes(array(body, 0)?);
    Some((id, text(body, 4)?.to_owned()))
}

fn metadata(body: &[u8], samples: &mut Samples) -> Option<()> {
    let mut at = 4 + text(body, 0)?.len() + 4;
    while at < body.len() {
        let key = text(body, at)?;
        let value = text(body, at + 4 + key.len())?;
        at += 8 + key.len() + value.len();
        if key == "airframe" {
            samples.about.vehicle = Some(value.to_owned());
        }
    }
    Some(())
}

fn message(body: &[u8], topics: &HashMap<u16, String>, samples: &mut Samples) -> Option<()> {
    let topic = topics.get(&u16::from_le_bytes(array(body, 0)?))?.as_str();
    let mut sources = SOURCES.iter().filter(|source| source.0 == topic).peekable();
    if sources.peek().is_none() {
        return Some(());
    }
    let time_ns = i64::try_from(u64::from_le_bytes(array(body, 6)?)).ok()?;
    let said: Value = serde_json::from_slice(body.get(MESSAGE_HEAD..)?).ok()?;
    for (_, kind, place, names) in sources {
        let value = said.pointer(place)?;
        let numbers: Option<Vec<f64>> = match value {
            Value::Array(each) => each.iter().map(Value::as_f64).collect(),
            _ => names.iter().map(|name| value[name].as_f64()).collect(),
        };
        let numbers = numbers?;
        if matches!(*kind, ROTOR_SPEEDS | SPEED_COMMANDS) {
            samples.about.rotors = Some(numbers.len());
        }
        samples.push(time_ns, 0, reading(*kind, &numbers)?);
    }
    Some(())
}
