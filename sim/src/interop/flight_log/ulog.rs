//! ULog, PX4's log, of any firmware: what its topics hold is read from the formats in the file.
//!
//! | reading | topics, the best first |
//! |---|---|
//! | motors | `actuator_motors` (through the curve of `THR_MDL_FAC`, which PX4 applies behind it), `actuator_outputs` (pulses within `PWM_MAIN_MINn` or `PWM_MIN` and their maxima) |
//! | rotor speeds | `esc_status` |
//! | gyro | `sensor_combined`, `vehicle_angular_velocity` |
//! | accelerometer | `sensor_combined`, `vehicle_acceleration` |
//! | attitude, velocity, battery | `vehicle_attitude`, `vehicle_local_position`, `battery_status` |
//!
//! The first instance of a topic is read. Samples have the time at which they were measured where the topic has it,
//! motors that of their publication. Frames: north, east, down and forward, right, down.

use super::bytes::{Bytes, array};
use super::fields::{
    ACCELEROMETER, ATTITUDE, BATTERY, Found, GYRO, MOTORS, Number, Place, ROTOR_SPEEDS, Source,
    VELOCITY, reading,
};
use super::samples::Samples;
use super::{FlightLogError, LogReading, LogVehicle};
use crate::MOST_ROTORS;
use crate::control::thrust_curve;
use std::collections::{BTreeMap, HashMap};
use std::f64::consts::TAU;

pub(super) const MAGIC: [u8; 7] = [0x55, 0x4c, 0x6f, 0x67, 0x01, 0x12, 0x35];

/// Bytes of the file's header, and of a record's.
const FILE_HEADER: u64 = 16;
const HEAD: usize = 3;

/// Kinds of record.
const KINDS: &[u8] = b"ABCDFILMOPQRS";

/// What a record of synchronisation holds.
const SYNC: [u8; 8] = [0x2f, 0x73, 0x13, 0x20, 0x25, 0x0c, 0xbb, 0x12];

/// How the text of our own last record begins.
const END: &[u8] = b"end of log after ";

/// Most fields of a topic, with those of the formats within its own.
const MOST_FIELDS: usize = 2_000;

const ESC: &str = "esc_count esc[0].esc_rpm esc[1].esc_rpm esc[2].esc_rpm esc[3].esc_rpm \
                   esc[4].esc_rpm esc[5].esc_rpm esc[6].esc_rpm esc[7].esc_rpm";

#[rustfmt::skip]
const SOURCES: [Source; 10] = [
    ("actuator_motors", 2, MOTORS, "control", 1.0, 1),
    ("actuator_outputs", 1, MOTORS, "noutputs output", 1.0, 2),
    ("esc_status", 1, ROTOR_SPEEDS, ESC, 1.0, 2),
    ("sensor_combined", 2, GYRO, "gyro_rad", 1.0, 3),
    ("vehicle_angular_velocity", 1, GYRO, "xyz", 1.0, 3),
    ("sensor_combined", 2, ACCELEROMETER, "accelerometer_m_s2", 1.0, 3),
    ("vehicle_acceleration", 1, ACCELEROMETER, "xyz", 1.0, 3),
    ("vehicle_attitude", 1, ATTITUDE, "q", 1.0, 4),
    ("vehicle_local_position", 1, VELOCITY, "vx vy vz", 1.0, 3),
    ("battery_status", 1, BATTERY, "voltage_v", 1.0, 1),
];

/// Rotors of a `MAV_TYPE` that flies by them alone.
const ROTORS: [(i64, usize); 6] = [(2, 4), (13, 6), (14, 8), (15, 3), (29, 12), (35, 10)];

/// A field of a format: its type, how many there are, its name.
type Field = (String, u16, String);

/// Where the fields of a topic lie, by name.
type Places = HashMap<String, Vec<Place>>;

/// A topic that is read.
struct Topic {
    name: String,
    multi_id: u8,
    /// Where the time lies.
    time: usize,
    found: Vec<Found>,
}

#[derive(Default)]
struct Reader {
    formats: HashMap<String, Vec<Field>>,
    topics: HashMap<u16, Topic>,
    /// The first instance of each topic that was announced.
    first: BTreeMap<String, u8>,
    /// Whether this program wrote it, whose last record says that it is the last; and whether that came.
    own: bool,
    ended: bool,
}

pub(super) fn read(file: &mut Bytes, samples: &mut Samples) -> Result<(), FlightLogError> {
    samples.down = true;
    if !file.skip(FILE_HEADER)? {
        return Err(samples.header_cut(file));
    }
    let mut reader = Reader::default();
    let mut appended_at: Vec<u64> = Vec::new();
    loop {
        let at = file.at();
        let head = file.peek(HEAD)?;
        let (Some(length), Some(kind)) = (array(head, 0), head.get(2).copied()) else {
            let whole = head.is_empty() && (reader.ended || !reader.own);
            return if whole { Ok(()) } else { samples.cut(file) };
        };
        let size = HEAD + usize::from(u16::from_le_bytes(length));
        // What was appended begins where the last record may have been cut.
        let next = appended_at
            .iter()
            .find(|next| **next > at && at + size as u64 > **next);
        if let Some(next) = next {
            samples.damaged();
            file.skip(next - at)?;
            continue;
        }
        let record = file.peek(size)?;
        let (whole, body) = (record.len() == size, &record[HEAD..]);
        let sure = || whole && reader.is_sure(kind, body);
        if !KINDS.contains(&kind) || body.is_empty() || (samples.lost && !sure()) {
            samples.lose(file)?;
            continue;
        }
        if !whole {
            return samples.cut(file);
        }
        samples.lost = false;
        if kind == b'B' {
            // Eight bytes of features that change nothing, eight of those that do, three places.
            if array(body, 8).is_none_or(|features| u64::from_le_bytes(features) > 1) {
                let what = "it asks for features that are not known here";
                return Err(samples.header_damaged(file, what));
            }
            let place = |i: usize| array(body, 16 + 8 * i).map(u64::from_le_bytes);
            appended_at = (0..3).filter_map(place).collect();
        } else if reader.record(kind, body, samples).is_none() {
            samples.damaged();
        }
        file.skip(size as u64)?;
    }
}

impl Reader {
    /// Whether that is a record and not some other bytes.
    fn is_sure(&self, kind: u8, body: &[u8]) -> bool {
        let topic = || self.topics.get(&u16::from_le_bytes(array(body, 0)?));
        let reads = |found: &Found| found.read(body, |_| Some(())).is_some();
        match kind {
            b'S' => body == SYNC,
            b'D' => topic().is_some_and(|topic| body.len() < 1000 && topic.found.iter().all(reads)),
            _ => false,
        }
    }

    /// Takes in a record; nothing where it makes no sense.
    fn record(&mut self, kind: u8, body: &[u8], samples: &mut Samples) -> Option<()> {
        match kind {
            b'F' => {
                let (name, fields) = std::str::from_utf8(body).ok()?.split_once(':')?;
                let fields = fields.split(';').filter(|text| !text.is_empty()).map(field);
                let fields = fields.collect::<Option<Vec<Field>>>()?;
                self.formats.insert(name.to_owned(), fields);
            }
            b'I' => {
                let (_, name, value) = named(body)?;
                self.own |= name == "sys_name" && value == b"Windhover";
                let vehicle = &mut samples.about.vehicle;
                if name == "airframe"
                    || name == "ver_hw"
                    || (name == "sys_name" && vehicle.is_none())
                {
                    *vehicle = Some(String::from_utf8_lossy(value).into_owned());
                }
            }
            b'P' => {
                let (kind, name, value) = named(body)?;
                samples.parameter(name, number(kind)?.read(value, 0)?);
                if matches!(name, "MAV_TYPE" | "CA_AIRFRAME" | "CA_ROTOR_COUNT") {
                    vehicle(samples);
                }
            }
            b'A' => {
                let (multi_id, id) = (*body.first()?, u16::from_le_bytes(array(body, 1)?));
                let name = std::str::from_utf8(body.get(3..)?).ok()?;
                self.topics.remove(&id);
                if SOURCES.iter().any(|source| source.0 == name) {
                    let topic = self.topic(name, multi_id, samples)?;
                    self.topics.insert(id, topic);
                }
            }
            b'L' => self.ended |= body.get(9..)?.starts_with(END),
            b'D' => {
                let id = u16::from_le_bytes(array(body, 0)?);
                // Most topics are read for nothing.
                if let Some(topic) = self.topics.get(&id) {
                    return self.data(topic, body, samples);
                }
            }
            _ => {}
        }
        Some(())
    }

    fn topic(&mut self, name: &str, multi_id: u8, samples: &mut Samples) -> Option<Topic> {
        let (mut places, mut end) = (Places::new(), 2);
        self.place(name, "", &mut end, &mut places, &mut MOST_FIELDS.clone())?;
        let first = self.first.entry(name.to_owned()).or_insert(multi_id);
        if *first != multi_id {
            samples.also_logged(name);
        }
        *first = multi_id.min(*first);
        let sources = SOURCES.iter().filter(|source| source.0 == name);
        let found =
            sources.filter_map(|source| Found::new(source, |field| places.get(field).cloned()));
        let found: Vec<Found> = found.collect();
        for found in &found {
            samples.announce(found.source.2, found.source.1);
        }
        let measured = places
            .get("timestamp_sample")
            .filter(|_| name != "actuator_motors");
        let time = measured.or(places.get("timestamp"))?.first()?.0;
        Some(Topic {
            name: name.to_owned(),
            multi_id,
            time,
            found,
        })
    }

    /// Finds where the fields of a format lie that begins at `at`.
    fn place(
        &self,
        format: &str,
        before: &str,
        at: &mut usize,
        places: &mut Places,
        left: &mut usize,
    ) -> Option<()> {
        for (kind, count, name) in self.formats.get(format)? {
            *left = left.checked_sub(1)?;
            if let Some(number) = number(kind) {
                let start = *at;
                let each =
                    (0..usize::from(*count)).map(|i| (start + i * number.size(), number, 1.0));
                places.insert(
                    format!("{before}{name}"),
                    each.take(2 * MOST_ROTORS).collect(),
                );
                *at += usize::from(*count) * number.size();
            } else {
                for i in 0..*count {
                    *left = left.checked_sub(1)?;
                    self.place(kind, &format!("{before}{name}[{i}]."), at, places, left)?;
                }
            }
        }
        Some(())
    }

    fn data(&self, topic: &Topic, body: &[u8], samples: &mut Samples) -> Option<()> {
        if self.first.get(&topic.name) != Some(&topic.multi_id) {
            return Some(());
        }
        let time_us = u64::from_le_bytes(array(body, topic.time)?);
        let time_ns = i64::try_from(time_us.saturating_mul(1000)).unwrap_or(i64::MAX);
        for found in &topic.found {
            let (name, rank, kind, ..) = *found.source;
            // What was written is damaged, or says nothing, as while no motor is known.
            let read = found.read(body, |n| {
                Some(match name {
                    "actuator_motors" => commands(n, samples),
                    "actuator_outputs" => outputs(n, samples),
                    "esc_status" => {
                        let speeds = n[1..]
                            .iter()
                            .take(n[0] as usize)
                            .map(|rpm| rpm * TAU / 60.0);
                        reading(kind, &speeds.collect::<Vec<f64>>())
                    }
                    _ => reading(kind, n),
                })
            })?;
            if let Some(read) = read {
                samples.push(time_ns, rank, read);
            }
        }
        Some(())
    }
}

/// Signals of the motors: not a number stands for a motor that is not there, or for all where they may not turn.
fn commands(control: &[f64], samples: &Samples) -> Option<LogReading> {
    let last = control.iter().rposition(|share| share.is_finite());
    let count = samples.about.rotors.or(last.map(|last| last + 1))?;
    let factor = samples
        .parameters
        .get("THR_MDL_FAC")
        .copied()
        .unwrap_or(0.0);
    let signal = |u: f64| thrust_curve::command(factor.clamp(0.0, 1.0), u);
    let share = |u: &f64| if u.is_nan() { 0.0 } else { signal(*u) };
    let shares: Vec<f64> = control.iter().take(count).map(share).collect();
    reading(MOTORS, &shares)
}

/// Pulses within the limits of the parameters; outputs of at most 1 are shares already.
fn outputs(numbers: &[f64], samples: &Samples) -> Option<LogReading> {
    let (count, outputs) = numbers.split_first()?;
    let count = samples.about.rotors.unwrap_or(*count as usize);
    let limit = |i: usize, end: &str, otherwise: f64| {
        let names = [format!("PWM_MAIN_{end}{}", i + 1), format!("PWM_{end}")];
        let known = names.iter().find_map(|name| samples.parameters.get(name));
        known.copied().unwrap_or(otherwise)
    };
    let share = |(i, output): (usize, &f64)| {
        let (least, most) = (limit(i, "MIN", 1000.0), limit(i, "MAX", 2000.0));
        (output - least) / (most - least)
    };
    let outputs = &outputs[..count.min(outputs.len())];
    if outputs.iter().all(|output| *output <= 1.0) {
        return reading(MOTORS, outputs);
    }
    reading(
        MOTORS,
        &outputs.iter().enumerate().map(share).collect::<Vec<f64>>(),
    )
}

/// A field in the text of a format, as in `float[3] xyz`.
fn field(text: &str) -> Option<Field> {
    let (kind, name) = text.trim().split_once(' ')?;
    let (kind, count) = match kind.split_once('[') {
        Some((kind, count)) => (kind, count.strip_suffix(']')?.parse().ok()?),
        None => (kind, 1),
    };
    Some((kind.to_owned(), count, name.to_owned()))
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
        "uint8_t" | "bool" | "char" => Number::U8,
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
    let mav = samples.whole("MAV_TYPE");
    let rotors = ROTORS.iter().find(|(kind, _)| mav == Some(*kind));
    samples.about.kind = match (samples.whole("CA_AIRFRAME"), mav) {
        (Some(1), _) | (None | Some(0), Some(1)) => LogVehicle::FixedWing,
        (Some(2..=4), _) | (_, Some(19..=25)) => LogVehicle::Vtol,
        _ if rotors.is_some() => LogVehicle::Multirotor,
        _ => LogVehicle::Unknown,
    };
    let counted = samples.whole("CA_ROTOR_COUNT").filter(|count| *count > 0);
    let counted = counted.map(|count| count.min(MOST_ROTORS as i64) as usize);
    samples.about.rotors = counted.or(rotors.map(|(_, rotors)| *rotors));
}
