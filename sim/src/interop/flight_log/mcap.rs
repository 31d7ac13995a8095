//! MCAP as `sim fly` writes it: JSON messages in chunks that are not compressed.

use super::bytes::{Bytes, array};
use super::samples::{Samples, attitude, gyro, rotor_speeds, speed_commands, velocity};
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

/// Bytes of a record's head, and the longest record that is looked at.
const HEAD: usize = 9;
const MOST_RECORD: u64 = 1 << 20;

/// Bytes of a message before its text.
const MESSAGE_HEAD: usize = 22;

pub(super) fn read(file: &mut Bytes, samples: &mut Samples) -> Result<(), FlightLogError> {
    let mut topics: HashMap<u16, String> = HashMap::new();
    samples.about.kind = LogVehicle::Multirotor;
    file.skip(MAGIC.len() as u64)?;
    loop {
        let head = file.peek(HEAD)?;
        let (kind, length) = (
            head.first().copied(),
            array(head, 1).map(u64::from_le_bytes),
        );
        let (Some(kind), Some(length)) = (kind, length) else {
            let rest = head.len() as u64;
            file.skip(rest)?;
            samples.about.cut_at = Some(file.at());
            return Ok(());
        };
        let mut size = length.saturating_add(HEAD as u64);
        match kind {
            FOOTER => {
                file.skip(u64::MAX)?;
                return Ok(());
            }
            // Its records follow one by one.
            CHUNK => {
                let head = file.peek(HEAD + 32)?;
                let name = array(head, HEAD + 28).map(u32::from_le_bytes);
                if name == Some(0) {
                    size = HEAD as u64 + 40;
                } else {
                    samples.damaged();
                }
            }
            CHANNEL | MESSAGE | METADATA if size <= MOST_RECORD => {
                let record = file.peek(size as usize)?;
                if record.len() as u64 == size {
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
            }
            _ => {}
        }
        if !file.skip(size)? {
            samples.about.cut_at = Some(file.at());
            return Ok(());
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
    if !matches!(topic, "/vehicle/pose" | "/vehicle/motion" | "/motors") {
        return Some(());
    }
    let time_ns = i64::try_from(u64::from_le_bytes(array(body, 6)?)).ok()?;
    let said: Value = serde_json::from_slice(body.get(MESSAGE_HEAD..)?).ok()?;
    let named = |value: &Value, names: &[&str]| -> Option<Vec<f64>> {
        names.iter().map(|name| value[name].as_f64()).collect()
    };
    let listed = |value: &Value| -> Option<Vec<f64>> {
        value.as_array()?.iter().map(Value::as_f64).collect()
    };
    match topic {
        "/vehicle/pose" => {
            let wxyz = named(&said["pose"]["orientation"], &["w", "x", "y", "z"])?;
            samples.push(time_ns, 0, attitude(&wxyz));
        }
        "/vehicle/motion" => {
            let xyz = ["x", "y", "z"];
            samples.push(time_ns, 0, velocity(&named(&said["velocity"], &xyz)?));
            samples.push(time_ns, 0, gyro(&named(&said["rates"], &xyz)?));
        }
        _ => {
            let speeds = listed(&said["speed_rad_s"])?;
            samples.about.rotors = Some(speeds.len());
            samples.push(time_ns, 0, rotor_speeds(&speeds));
            samples.push(time_ns, 0, speed_commands(&listed(&said["command_rad_s"])?));
        }
    }
    Some(())
}
