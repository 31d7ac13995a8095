//! ULog, PX4's log, of any firmware: what its topics hold is read from the formats in the file.
//!
//! | reading | topics, the best first |
//! |---|---|
//! | motors | `actuator_motors`, `actuator_outputs` (PWM within `PWM_MAIN_MINn`, `PWM_MIN` and their maxima) |
//! | rotor speeds | `esc_status` |
//! | gyro | `sensor_combined`, `vehicle_angular_velocity` |
//! | accelerometer | `sensor_combined`, `vehicle_acceleration` |
//! | attitude, velocity, battery | `vehicle_attitude`, `vehicle_local_position`, `battery_status` |
//!
//! The first instance of a topic is read. Samples have the time at which they were measured where the topic has it,
//! motors that of their publication. Frames: north, east, down and forward, right, down.

use super::bytes::{Bytes, Number, array};
use super::samples::{
    Samples, accelerometer, attitude, battery, gyro, motors, rotor_speeds, up, velocity,
};
use super::{FlightLogError, LogFormat, LogReading, LogVehicle};
use crate::MOST_ROTORS;
use std::collections::{BTreeMap, HashMap};
use std::f64::consts::TAU;

pub(super) const MAGIC: [u8; 7] = [0x55, 0x4c, 0x6f, 0x67, 0x01, 0x12, 0x35];

/// Bytes of the file's header: the magic, a version and the time of its start.
const FILE_HEADER: u64 = 16;

/// Bytes of a record's header.
const RECORD_HEADER: usize = 3;

/// Kinds of record.
const KINDS: &[u8] = b"ABCDFILMOPQRS";

/// What a record of synchronisation holds.
const SYNC: [u8; 8] = [0x2f, 0x73, 0x13, 0x20, 0x25, 0x0c, 0xbb, 0x12];

/// Steps in which the place of a field must be found: formats may hold one another.
const MOST_STEPS: usize = 20_000;

/// What a topic is read for.
struct Source {
    topic: &'static str,
    rank: u8,
    /// Which of the kinds of reading it is.
    kind: usize,
    /// Fields; there may be fewer than all of `esc`.
    fields: &'static [&'static str],
    reading: fn(&[f64], &Samples) -> Option<LogReading>,
}

const fn source(
    topic: &'static str,
    rank: u8,
    kind: usize,
    fields: &'static [&'static str],
    reading: fn(&[f64], &Samples) -> Option<LogReading>,
) -> Source {
    Source {
        topic,
        rank,
        kind,
        fields,
        reading,
    }
}

const ESC: &[&str] = &[
    "esc_count",
    "esc[0].esc_rpm",
    "esc[1].esc_rpm",
    "esc[2].esc_rpm",
    "esc[3].esc_rpm",
    "esc[4].esc_rpm",
    "esc[5].esc_rpm",
    "esc[6].esc_rpm",
    "esc[7].esc_rpm",
];
const SPECIFIC_FORCE: fn(&[f64], &Samples) -> Option<LogReading> =
    |n, _| Some(up(accelerometer(n)));
const RATES: fn(&[f64], &Samples) -> Option<LogReading> = |n, _| Some(up(gyro(n)));

const SOURCES: [Source; 10] = [
    source("actuator_motors", 2, 0, &["control"], commands),
    source("actuator_outputs", 1, 0, &["noutputs", "output"], outputs),
    source("esc_status", 1, 2, ESC, speeds),
    source("sensor_combined", 2, 3, &["gyro_rad"], RATES),
    source("vehicle_angular_velocity", 1, 3, &["xyz"], RATES),
    source(
        "sensor_combined",
        2,
        4,
        &["accelerometer_m_s2"],
        SPECIFIC_FORCE,
    ),
    source("vehicle_acceleration", 1, 4, &["xyz"], SPECIFIC_FORCE),
    source("vehicle_attitude", 1, 5, &["q"], |n, _| {
        Some(up(attitude(n)))
    }),
    source(
        "vehicle_local_position",
        1,
        6,
        &["vx", "vy", "vz"],
        |n, _| Some(up(velocity(n))),
    ),
    source("battery_status", 1, 7, &["voltage_v"], |n, _| {
        Some(battery(n))
    }),
];

/// How many numbers a kind of reading has at least, so that no format can say less.
const LEAST: [usize; LogReading::KINDS.len()] = [1, 1, 1, 3, 3, 4, 3, 1];

fn speeds(numbers: &[f64], _: &Samples) -> Option<LogReading> {
    let (count, rpm) = numbers.split_first()?;
    let speeds: Vec<f64> = rpm
        .iter()
        .take(*count as usize)
        .map(|rpm| rpm * TAU / 60.0)
        .collect();
    (!speeds.is_empty()).then(|| rotor_speeds(&speeds))
}

/// Commands as they are: not a number stands for a motor that is not there, or for all where they may not turn.
fn commands(control: &[f64], samples: &Samples) -> Option<LogReading> {
    let last = control.iter().rposition(|share| share.is_finite());
    let count = samples.about.rotors.or(last.map(|last| last + 1))?;
    let share = |share: &f64| if share.is_nan() { 0.0 } else { *share };
    let shares: Vec<f64> = control.iter().take(count).map(share).collect();
    Some(motors(&shares))
}

/// Pulses within the limits of the parameters; outputs of at most 1 are shares already.
fn outputs(numbers: &[f64], samples: &Samples) -> Option<LogReading> {
    let (count, outputs) = numbers.split_first()?;
    let count = samples.about.rotors.unwrap_or(*count as usize);
    let outputs = &outputs[..count.min(outputs.len()).min(MOST_ROTORS)];
    let pulses = outputs.iter().any(|output| *output > 1.0);
    let limit = |i: usize, end: &str, otherwise: f64| {
        let names = [format!("PWM_MAIN_{end}{}", i + 1), format!("PWM_{end}")];
        let known = names.iter().find_map(|name| samples.parameters.get(name));
        known.copied().unwrap_or(otherwise)
    };
    let share = |i: usize| {
        let (least, most) = (limit(i, "MIN", 1000.0), limit(i, "MAX", 2000.0));
        match pulses {
            true => (outputs[i] - least) / (most - least),
            false => outputs[i],
        }
    };
    let shares: Vec<f64> = (0..outputs.len()).map(share).collect();
    (!shares.is_empty()).then(|| motors(&shares))
}

/// Where a field lies: its offset, its type, and how many of them follow each other.
type Place = (usize, Number, usize);

/// A topic that is read for something.
struct Topic {
    /// Where the time of measuring lies, or that of publication, for motors always that.
    measured_at: usize,
    readings: Vec<(&'static Source, Vec<Place>)>,
    multi_id: u8,
}

#[derive(Default)]
struct Reader {
    /// Fields of each format: type, how many, name.
    formats: HashMap<String, Vec<(String, usize, String)>>,
    topics: HashMap<u16, Topic>,
    /// The first instance of each topic that was announced.
    first: BTreeMap<String, u8>,
}

pub(super) fn read(file: &mut Bytes, samples: &mut Samples) -> Result<(), FlightLogError> {
    let format = LogFormat::Ulog;
    if !file.skip(FILE_HEADER)? {
        let at = file.at();
        return Err(FlightLogError::Header { format, at });
    }
    let mut reader = Reader::default();
    let mut appended_at: Vec<u64> = Vec::new();
    let mut lost = false;
    loop {
        let at = file.at();
        let head = file.peek(RECORD_HEADER)?;
        let (Some(length), Some(kind)) = (array(head, 0), head.get(2).copied()) else {
            if !head.is_empty() {
                let rest = head.len() as u64;
                samples.about.cut_at = Some(at + rest);
                file.skip(rest)?;
            }
            return Ok(());
        };
        let size = RECORD_HEADER + usize::from(u16::from_le_bytes(length));
        // What was appended begins where the last record may have been cut.
        if let Some(next) = appended_at.iter().find(|next| **next > at) {
            if at + size as u64 > *next {
                samples.damaged();
                file.skip(next - at)?;
                continue;
            }
        }
        if !KINDS.contains(&kind) || size == RECORD_HEADER {
            if !lost {
                samples.damaged();
            }
            lost = true;
            file.skip(1)?;
            continue;
        }
        let record = file.peek(size)?;
        let whole = record.len() == size;
        let body = &record[RECORD_HEADER..];
        if lost && !(whole && reader.is_sure(kind, body)) {
            file.skip(1)?;
            continue;
        }
        if !whole {
            let rest = record.len() as u64;
            samples.about.cut_at = Some(at + rest);
            file.skip(rest)?;
            return Ok(());
        }
        lost = false;
        if kind == b'B' {
            appended_at = flags(body, at)?;
        } else if reader.record(kind, body, samples).is_none() {
            samples.damaged();
        }
        file.skip(size as u64)?;
    }
}

/// Where data was appended; refuses features that change what records mean.
fn flags(body: &[u8], at: u64) -> Result<Vec<u64>, FlightLogError> {
    let unknown = match array::<8>(body, 8) {
        Some([first, rest @ ..]) => first & !1 != 0 || rest != [0; 7],
        None => true,
    };
    if unknown {
        return Err(FlightLogError::Damaged {
            format: LogFormat::Ulog,
            at,
            what: "it asks for features that are not known here".to_owned(),
        });
    }
    let offset = |i: usize| array(body, 16 + 8 * i).map(u64::from_le_bytes);
    Ok((0..3).filter_map(offset).filter(|at| *at > 0).collect())
}

impl Reader {
    /// Whether that is a record and not some other bytes.
    fn is_sure(&self, kind: u8, body: &[u8]) -> bool {
        match kind {
            b'S' => body == SYNC,
            b'D' => {
                let topic = self.topics.get(&id(body).unwrap_or(u16::MAX));
                let ends = topic.into_iter().flat_map(|topic| &topic.readings);
                let ends = ends.flat_map(|(_, places)| places);
                let end = ends.map(|(at, kind, count)| at + kind.size() * count).max();
                end.is_some_and(|end| (end..end + 200).contains(&body.len()))
            }
            _ => false,
        }
    }

    /// Takes in a record; nothing where it makes no sense.
    fn record(&mut self, kind: u8, body: &[u8], samples: &mut Samples) -> Option<()> {
        match kind {
            b'F' => self.format(std::str::from_utf8(body).ok()?)?,
            b'I' => {
                let (_, name, value) = named(body)?;
                let before = samples.about.vehicle.take();
                let value = || Some(String::from_utf8_lossy(value).into_owned());
                samples.about.vehicle = match (name, &before) {
                    ("airframe" | "ver_hw", _) | ("sys_name", None) => value(),
                    _ => before,
                };
            }
            b'P' => {
                let (kind, name, value) = named(body)?;
                let value = number(kind)?.read(value, 0)?;
                samples.parameter(name, value);
                vehicle(samples);
            }
            b'A' => self.announced(body, samples)?,
            b'D' => return self.data(body, samples),
            _ => {}
        }
        Some(())
    }

    fn format(&mut self, text: &str) -> Option<()> {
        let (name, fields) = text.split_once(':')?;
        let field = |field: &str| {
            let (kind, name) = field.trim().split_once(' ')?;
            let (kind, count) = match kind.split_once('[') {
                Some((kind, count)) => (kind, count.strip_suffix(']')?.parse().ok()?),
                None => (kind, 1),
            };
            Some((kind.to_owned(), count, name.to_owned()))
        };
        let fields = fields.split(';').filter(|text| !text.is_empty());
        let fields: Option<Vec<_>> = fields.map(field).collect();
        self.formats.insert(name.to_owned(), fields?);
        Some(())
    }

    /// Takes in that data of a topic will come.
    fn announced(&mut self, body: &[u8], samples: &mut Samples) -> Option<()> {
        let (multi_id, id) = (*body.first()?, u16::from_le_bytes(array(body, 1)?));
        let name = std::str::from_utf8(body.get(3..)?).ok()?;
        self.topics.remove(&id);
        let mut sources = SOURCES
            .iter()
            .filter(|source| source.topic == name)
            .peekable();
        if sources.peek().is_none() {
            return Some(());
        }
        let first = self.first.entry(name.to_owned()).or_insert(multi_id);
        if *first != multi_id {
            samples.also_logged(name);
        }
        *first = multi_id.min(*first);
        let place = |path: &str| self.place(name, path);
        let time = place("timestamp").map(|(at, ..)| at)?;
        let mut readings = Vec::new();
        for source in sources {
            let fields = source.fields.iter();
            let there: Vec<Place> = fields.map_while(|field| place(field)).collect();
            // There may be fewer motors than their most.
            if there.len() == source.fields.len() || (source.kind == 2 && there.len() > 1) {
                samples.announce(source.kind, source.rank);
                readings.push((source, there));
            }
        }
        let moment = place("timestamp_sample").filter(|_| name != "actuator_motors");
        let topic = Topic {
            measured_at: moment.map_or(time, |(at, ..)| at),
            readings,
            multi_id,
        };
        self.topics.insert(id, topic);
        Some(())
    }

    /// Where a field of a format lies in its data; `a[1].b` is field b of the second a.
    fn place(&self, format: &str, path: &str) -> Option<Place> {
        let mut steps = MOST_STEPS;
        let (mut format, mut offset) = (format, 2);
        let mut parts = path.split('.').peekable();
        while let Some(part) = parts.next() {
            let (part, index) = match part.split_once('[') {
                Some((part, index)) => (part, index.strip_suffix(']')?.parse().ok()?),
                None => (part, 0),
            };
            let fields = self.formats.get(format)?;
            let mut inner = None;
            for (kind, count, name) in fields {
                if name == part {
                    inner = Some((kind, *count));
                    break;
                }
                let size = self.size(kind, &mut steps)?;
                offset = size.checked_mul(*count)?.checked_add(offset)?;
            }
            let (kind, count) = inner?;
            if parts.peek().is_none() {
                return Some((offset, number(kind)?, count.min(MOST_ROTORS + 4)));
            }
            let size = self.size(kind, &mut steps)?;
            offset = size.checked_mul(index)?.checked_add(offset)?;
            format = Some(kind.as_str()).filter(|_| index < count)?;
        }
        None
    }

    /// Bytes of a type.
    fn size(&self, kind: &str, steps: &mut usize) -> Option<usize> {
        *steps = steps.checked_sub(1)?;
        if let "char" | "bool" = kind {
            return Some(1);
        }
        if let Some(number) = number(kind) {
            return Some(number.size());
        }
        // The steps bound how deep formats hold one another, too.
        *steps = steps.checked_sub(200)?;
        let mut whole: usize = 0;
        for (kind, count, _) in self.formats.get(kind)? {
            let size = self.size(kind, steps)?.checked_mul(*count)?;
            whole = whole.checked_add(size)?;
        }
        Some(whole)
    }

    fn data(&self, body: &[u8], samples: &mut Samples) -> Option<()> {
        // Most topics are read for nothing.
        let Some(topic) = self.topics.get(&id(body)?) else {
            return Some(());
        };
        let time_us = u64::from_le_bytes(array(body, topic.measured_at)?);
        let time_ns = i64::try_from(time_us.saturating_mul(1000)).unwrap_or(i64::MAX);
        for (source, places) in &topic.readings {
            if self.first.get(source.topic) != Some(&topic.multi_id) {
                continue;
            }
            let (mut numbers, mut count) = ([0.0; 2 * MOST_ROTORS], 0);
            for (offset, kind, many) in places {
                for i in 0..*many {
                    *numbers.get_mut(count)? = kind.read(body, offset + i * kind.size())?;
                    count += 1;
                }
            }
            if count < LEAST[source.kind] {
                return None;
            }
            if let Some(reading) = (source.reading)(&numbers[..count], samples) {
                samples.push(time_ns, source.rank, reading);
            }
        }
        Some(())
    }
}

fn id(body: &[u8]) -> Option<u16> {
    array(body, 0).map(u16::from_le_bytes)
}

/// Type, name and value of an information or a parameter.
fn named(body: &[u8]) -> Option<(&str, &str, &[u8])> {
    let (length, rest) = body.split_first()?;
    let (key, value) = rest.split_at_checked(usize::from(*length))?;
    let (kind, name) = std::str::from_utf8(key).ok()?.split_once(' ')?;
    Some((kind, name, value))
}

fn number(kind: &str) -> Option<Number> {
    Some(match kind {
        "int8_t" => Number::I8,
        "uint8_t" | "bool" => Number::U8,
        "int16_t" => Number::I16,
        "uint16_t" => Number::U16,
        "int32_t" => Number::I32,
        "uint32_t" => Number::U32,
        "int64_t" => Number::I64,
        "uint64_t" => Number::U64,
        "float" => Number::F32,
        "double" => Number::F64,
        _ => return None,
    })
}

/// Takes the kind of vehicle and the number of its rotors from the parameters.
fn vehicle(samples: &mut Samples) {
    let (kind, rotors) = match samples.whole("MAV_TYPE") {
        Some(1) => (LogVehicle::FixedWing, None),
        Some(2) => (LogVehicle::Multirotor, Some(4)),
        Some(13) => (LogVehicle::Multirotor, Some(6)),
        Some(14) => (LogVehicle::Multirotor, Some(8)),
        Some(15) => (LogVehicle::Multirotor, Some(3)),
        Some(19..=25) => (LogVehicle::Vtol, None),
        Some(29) => (LogVehicle::Multirotor, Some(12)),
        Some(35) => (LogVehicle::Multirotor, Some(10)),
        _ => (LogVehicle::Unknown, None),
    };
    samples.about.kind = match samples.whole("CA_AIRFRAME") {
        Some(1) => LogVehicle::FixedWing,
        Some(2..=4) => LogVehicle::Vtol,
        _ => kind,
    };
    let counted = samples.whole("CA_ROTOR_COUNT").filter(|count| *count > 0);
    let counted = counted.and_then(|count| usize::try_from(count).ok());
    samples.about.rotors = counted.or(rotors).map(|count| count.min(MOST_ROTORS));
}
