//! DataFlash, ArduPilot's log (`.bin`): what its messages hold is read from the formats in the file.
//!
//! Records begin with A3 95 and the number of their format. Format 128 (`FMT`) describes the others; `FMTU` and `MULT`
//! say by what whole numbers are to be multiplied.
//!
//! | reading | messages, the best first |
//! |---|---|
//! | motors | `RCOU`: the channels that `SERVOn_FUNCTION` gives to motors, within `MOT_PWM_MIN` and `MOT_PWM_MAX` |
//! | rotor speeds | `ESC`, a round of reports at the time of its last |
//! | gyro, accelerometer | `GYR` and `ACC` (each raw sample), `IMU` |
//! | attitude, velocity, battery | `ATT`; `XKF1`, `NKF1`; `BAT`, `CURR` |
//!
//! Of several sensors, estimators or batteries the first is read. Frames: north, east, down and forward, right, down.

use super::bytes::Bytes;
use super::fields::{
    ACCELEROMETER, ATTITUDE, BATTERY, Found, GYRO, MOTORS, Number, ROTOR_SPEEDS, Source, VELOCITY,
    reading,
};
use super::samples::Samples;
use super::{FlightLogError, LogReading, LogVehicle};
use std::collections::{BTreeMap, HashMap};
use std::f64::consts::TAU;

pub(super) const MAGIC: [u8; 3] = [0xA3, 0x95, FMT];

/// The format that describes formats, and the length of its records.
const FMT: u8 = 128;
const FMT_SIZE: usize = 89;

/// Bytes before the fields of a record.
const HEAD: usize = 3;

/// Fields that tell several of a message apart, of which 0 is read.
const INSTANCES: [&str; 4] = ["I", "C", "Inst", "Instance"];

const CHANNELS: &str = "C1 C2 C3 C4 C5 C6 C7 C8 C9 C10 C11 C12 C13 C14";

const SOURCES: [Source; 11] = [
    ("IMU", 1, GYRO, "GyrX GyrY GyrZ", 1.0, 3),
    ("IMU", 1, ACCELEROMETER, "AccX AccY AccZ", 1.0, 3),
    ("GYR", 2, GYRO, "GyrX GyrY GyrZ", 1.0, 3),
    ("ACC", 2, ACCELEROMETER, "AccX AccY AccZ", 1.0, 3),
    ("RCOU", 1, MOTORS, CHANNELS, 1.0, 4),
    ("ESC", 1, ROTOR_SPEEDS, "Instance RPM", 1.0, 2),
    ("ATT", 1, ATTITUDE, "Roll Pitch Yaw", 1.0, 3),
    ("XKF1", 2, VELOCITY, "VN VE VD", 1.0, 3),
    ("NKF1", 1, VELOCITY, "VN VE VD", 1.0, 3),
    ("BAT", 2, BATTERY, "Volt", 1.0, 1),
    ("CURR", 1, BATTERY, "Volt", 1.0, 1),
];

/// Rotors of a `FRAME_CLASS`, 0 where it is no multirotor.
const ROTORS: [usize; 15] = [0, 4, 6, 8, 8, 6, 0, 3, 0, 0, 0, 0, 12, 0, 10];

/// A field: where it lies, its length, and its type if it is a number, with what one of its units is.
#[derive(Clone, Copy)]
struct Field {
    at: usize,
    size: usize,
    number: Option<(Number, f64)>,
}

/// A format of messages.
#[derive(Default)]
struct Format {
    /// Length of its records; 0 where it is not known.
    size: usize,
    name: String,
    fields: Vec<(String, Field)>,
    found: Vec<Found>,
}

struct Reader {
    formats: Vec<Format>,
    /// By the letters in `FMTU`.
    multipliers: HashMap<u8, f64>,
    motors: Motors,
}

pub(super) fn read(file: &mut Bytes, samples: &mut Samples) -> Result<(), FlightLogError> {
    samples.down = true;
    let mut reader = Reader {
        formats: (0..256).map(|_| Format::default()).collect(),
        multipliers: HashMap::new(),
        motors: Motors::default(),
    };
    reader.motors.set_up(samples);
    loop {
        let size = match file.peek(HEAD)? {
            [] => return Ok(()),
            [0xA3] | [0xA3, 0x95] => return samples.cut(file),
            [0xA3, 0x95, FMT] => FMT_SIZE,
            [0xA3, 0x95, id] => reader.formats[usize::from(*id)].size,
            _ => 0,
        };
        let record = file.peek(size)?;
        if size == 0 {
            samples.lose(file)?;
            file.skip_to(&MAGIC[..1])?;
            continue;
        }
        if record.len() < size {
            return samples.cut(file);
        }
        samples.lost = false;
        if reader.record(record, samples).is_none() {
            samples.damaged();
        }
        file.skip(size as u64)?;
    }
}

impl Reader {
    /// Takes in a record; nothing where it makes no sense.
    fn record(&mut self, record: &[u8], samples: &mut Samples) -> Option<()> {
        if record[2] == FMT {
            let format = Format::new(record)?;
            self.formats[usize::from(record[3])] = format;
            return Some(());
        }
        let format = &self.formats[usize::from(record[2])];
        match format.name.as_str() {
            "FMTU" => {
                let described = format.number("FmtType", record)? as usize;
                let letters = format.text("MultIds", record)?;
                let format = self.formats.get_mut(described)?;
                for (letter, (name, field)) in letters.bytes().zip(&mut format.fields) {
                    let unit = self.multipliers.get(&letter).filter(|unit| **unit != 0.0);
                    // Some types have their unit in themselves, and times are kept whole.
                    let whole = |number| !matches!(number, Number::F32 | Number::F64);
                    if let (Some((number, 1.0)), Some(unit)) = (field.number, unit) {
                        let scaled = whole(number) && !name.ends_with("US");
                        field.number = Some((number, if scaled { *unit } else { 1.0 }));
                    }
                }
                format.find();
            }
            "MULT" => {
                let letter = format.number("Id", record)? as u8;
                self.multipliers
                    .insert(letter, format.number("Mult", record)?);
            }
            "PARM" => {
                let name = format.text("Name", record)?;
                samples.parameter(name, format.number("Value", record)?);
                let known = ["SERVO", "MOT_PWM", "Q_", "FRAME_CLASS"];
                if known.iter().any(|start| name.starts_with(start)) {
                    self.motors.set_up(samples);
                }
            }
            "MSG" => {
                let text = format.text("Message", record)?;
                if samples.about.vehicle.is_none() && text.starts_with("Ardu") {
                    samples.about.vehicle = Some(text.to_owned());
                    self.motors.set_up(samples);
                }
            }
            _ => return format.data(record, &mut self.motors, samples),
        }
        Some(())
    }
}

impl Format {
    /// The format that a record describes.
    fn new(record: &[u8]) -> Option<Format> {
        let part = |from: usize, to: usize| text(&record[from..to]);
        let (name, letters, columns) = (part(5, 9)?, part(9, 25)?, part(25, FMT_SIZE)?);
        let (size, mut at, mut fields) = (usize::from(record[4]), HEAD, Vec::new());
        for (letter, column) in letters.bytes().zip(columns.split(',')) {
            let (size, number) = kind(letter)?;
            fields.push((column.to_owned(), Field { at, size, number }));
            at += size;
        }
        let (name, found) = (name.to_owned(), Vec::new());
        let mut format = Format {
            size,
            name,
            fields,
            found,
        };
        format.find();
        (HEAD..=size).contains(&at).then_some(format)
    }

    fn field(&self, name: &str) -> Option<&Field> {
        self.fields
            .iter()
            .find(|(other, _)| other == name)
            .map(|(_, field)| field)
    }

    fn number(&self, name: &str, record: &[u8]) -> Option<f64> {
        let field = self.field(name)?;
        let (number, unit) = field.number?;
        Some(unit * number.read(record, field.at)?)
    }

    fn text<'r>(&self, name: &str, record: &'r [u8]) -> Option<&'r str> {
        let field = self.field(name)?;
        text(&record[field.at..field.at + field.size])
    }

    /// Finds for what its messages are read.
    fn find(&mut self) {
        let place = |name: &str| {
            let field = self.field(name)?;
            let (number, unit) = field.number?;
            Some(vec![(field.at, number, unit)])
        };
        let sources = SOURCES.iter().filter(|source| source.0 == self.name);
        let found = sources.filter_map(|source| Found::new(source, place));
        self.found = found.collect();
    }

    fn data(&self, record: &[u8], motors: &mut Motors, samples: &mut Samples) -> Option<()> {
        if self.found.is_empty() {
            return Some(());
        }
        let instance = INSTANCES.iter().find_map(|name| self.number(name, record));
        if self.name != "ESC" && instance.is_some_and(|instance| instance != 0.0) {
            samples.also_logged(&self.name);
            return Some(());
        }
        let micro = ["SampleUS", "TimeUS"]
            .iter()
            .find_map(|name| self.number(name, record));
        let time_us = micro.or(self.number("TimeMS", record).map(|time| 1e3 * time))?;
        let time_ns = (1e3 * time_us).round() as i64;
        for found in &self.found {
            let (name, rank, kind, ..) = *found.source;
            let read = found.read(record, |n| {
                Some(match name {
                    "RCOU" => motors.shares(n).map(|shares| (time_ns, shares)),
                    "ESC" => motors.speeds(time_ns, n[0], n[1]),
                    "ATT" => reading(kind, &quaternion(n)).map(|attitude| (time_ns, attitude)),
                    _ => reading(kind, n).map(|read| (time_ns, read)),
                })
            })?;
            if let Some((time_ns, read)) = read {
                samples.push(time_ns, rank, read);
            }
        }
        Some(())
    }
}

/// What is known of the motors.
#[derive(Default)]
struct Motors {
    /// The channel of each, from 0.
    channels: Vec<usize>,
    /// Limits of their pulses [µs].
    limits: (f64, f64),
    /// Reports of this round by channel [rad/s], and the time of the last.
    round: BTreeMap<usize, f64>,
    reported_ns: i64,
}

impl Motors {
    /// Takes in the parameters, and what they say of the vehicle.
    fn set_up(&mut self, samples: &mut Samples) {
        let plane = samples.whole("Q_ENABLE");
        let class = samples.whole(if plane.is_some() {
            "Q_FRAME_CLASS"
        } else {
            "FRAME_CLASS"
        });
        let rotors = class.and_then(|class| ROTORS.get(usize::try_from(class).ok()?));
        let rotors = rotors.copied().filter(|rotors| *rotors > 0);
        let called = samples.about.vehicle.as_deref().unwrap_or("");
        samples.about.kind = match plane {
            Some(1..) => LogVehicle::Vtol,
            Some(_) => LogVehicle::FixedWing,
            None if rotors.is_some() => LogVehicle::Multirotor,
            None if called.starts_with("ArduPlane") => LogVehicle::FixedWing,
            None => LogVehicle::Unknown,
        };
        // Functions 33 to 40 and 82 to 85 are motors 1 to 12.
        let channel = |function: i64| {
            let name = |n: &usize| format!("SERVO{}_FUNCTION", n + 1);
            (0..14).find(|n| samples.whole(&name(n)) == Some(function))
        };
        self.channels = (33..=40).chain(82..=85).map_while(channel).collect();
        if self.channels.is_empty() && samples.about.kind != LogVehicle::FixedWing {
            self.channels = (0..rotors.unwrap_or(4)).collect();
        }
        let limit = |end: &str, otherwise: f64| {
            let names = ["MOT_PWM_", "Q_M_PWM_"].map(|start| format!("{start}{end}"));
            let mut known = names
                .iter()
                .filter_map(|name| samples.parameters.get(name).copied());
            known.find(|limit| *limit > 0.0).unwrap_or(otherwise)
        };
        self.limits = (limit("MIN", 1000.0), limit("MAX", 2000.0));
        samples.about.rotors = rotors;
    }

    /// The commands in the pulses of all channels.
    fn shares(&self, pulses: &[f64]) -> Option<LogReading> {
        let (least, most) = self.limits;
        let share = |channel: &usize| Some((pulses.get(*channel)? - least) / (most - least));
        reading(
            MOTORS,
            &self
                .channels
                .iter()
                .map(share)
                .collect::<Option<Vec<f64>>>()?,
        )
    }

    /// Takes one report; the time and the speeds of the round before, where it begins another.
    fn speeds(&mut self, time_ns: i64, channel: f64, rpm: f64) -> Option<(i64, LogReading)> {
        let channel = channel as usize;
        let mut ended = None;
        if self.round.contains_key(&channel) {
            let round = std::mem::take(&mut self.round);
            let order: Option<Vec<f64>> = self
                .channels
                .iter()
                .map(|n| round.get(n).copied())
                .collect();
            let speeds = order.unwrap_or_else(|| round.into_values().collect());
            ended = reading(ROTOR_SPEEDS, &speeds).map(|speeds| (self.reported_ns, speeds));
        }
        self.round.insert(channel, rpm * TAU / 60.0);
        self.reported_ns = time_ns;
        ended
    }
}

/// The quaternion of roll, pitch and yaw in degrees.
fn quaternion(angles: &[f64]) -> [f64; 4] {
    let half = |i: usize| (0.5 * angles[i] * TAU / 360.0).sin_cos();
    let ((sr, cr), (sp, cp), (sy, cy)) = (half(0), half(1), half(2));
    [
        cr * cp * cy + sr * sp * sy,
        sr * cp * cy - cr * sp * sy,
        cr * sp * cy + sr * cp * sy,
        cr * cp * sy - sr * sp * cy,
    ]
}

/// Length of a field by its letter, and type and unit if it is a number.
fn kind(letter: u8) -> Option<(usize, Option<(Number, f64)>)> {
    let (letter, unit) = match letter {
        b'a' | b'Z' => return Some((64, None)),
        b'n' => return Some((4, None)),
        b'N' => return Some((16, None)),
        b'M' => (b'B', 1.0),
        b'c' => (b'h', 0.01),
        b'C' => (b'H', 0.01),
        b'e' => (b'i', 0.01),
        b'E' => (b'I', 0.01),
        b'L' => (b'i', 1e-7),
        plain => (plain, 1.0),
    };
    let number = Number::by_letter(letter)?;
    Some((number.size(), Some((number, unit))))
}

/// The text before the zeros that fill its place.
fn text(bytes: &[u8]) -> Option<&str> {
    let end = bytes.iter().position(|byte| *byte == 0);
    std::str::from_utf8(&bytes[..end.unwrap_or(bytes.len())]).ok()
}
