//! DataFlash, ArduPilot's log (`.bin`): what its messages hold is read from the formats in the file.
//!
//! Records begin with A3 95 and the number of their format. Format 128 (`FMT`) describes the others; `FMTU` and `MULT`
//! say by what whole numbers are to be multiplied.
//!
//! | reading | messages, the best first |
//! |---|---|
//! | motors | `RCOU`: the channels that `SERVOn_FUNCTION` gives to motors, within `MOT_PWM_MIN` and `MOT_PWM_MAX` |
//! | rotor speeds | `ESC` |
//! | gyro, accelerometer | `GYR` and `ACC` (each raw sample), `IMU` |
//! | attitude | `ATT` |
//! | velocity | `XKF1`, `NKF1` |
//! | battery | `BAT`, `CURR` |
//!
//! Of several sensors, estimators or batteries the first is read.

use super::bytes::{Bytes, Number};
use super::samples::{
    Samples, accelerometer, attitude, battery, gyro, motors, rotor_speeds, up, velocity,
};
use super::{FlightLogError, LogReading, LogVehicle};
use crate::MOST_ROTORS;
use std::collections::HashMap;
use std::f64::consts::TAU;

pub(super) const MAGIC: [u8; 3] = [0xA3, 0x95, FMT];

/// The format that describes formats.
const FMT: u8 = 128;

/// Length of its records with their head, and of the head of each.
const FMT_SIZE: usize = 89;
const HEAD: usize = 3;

/// What a message is read for.
struct Source {
    message: &'static str,
    rank: u8,
    time: &'static str,
    fields: &'static [&'static str],
    reading: fn(&[f64], &mut Motors, &Samples) -> Option<LogReading>,
}

const fn source(
    message: &'static str,
    rank: u8,
    time: &'static str,
    fields: &'static [&'static str],
    reading: fn(&[f64], &mut Motors, &Samples) -> Option<LogReading>,
) -> Source {
    Source {
        message,
        rank,
        time,
        fields,
        reading,
    }
}

/// Fields that tell several of a message apart, of which 0 is read.
const INSTANCES: [&str; 4] = ["I", "C", "Inst", "Instance"];

const CHANNELS: &[&str] = &[
    "C1", "C2", "C3", "C4", "C5", "C6", "C7", "C8", "C9", "C10", "C11", "C12", "C13", "C14",
];
const GYRO: &[&str] = &["GyrX", "GyrY", "GyrZ"];
const ACCELEROMETER: &[&str] = &["AccX", "AccY", "AccZ"];
const VELOCITY: &[&str] = &["VN", "VE", "VD"];

const SOURCES: [Source; 11] = [
    source("IMU", 1, "TimeUS", GYRO, |n, _, _| Some(up(gyro(n)))),
    source("IMU", 1, "TimeUS", ACCELEROMETER, |n, _, _| {
        Some(up(accelerometer(n)))
    }),
    source("GYR", 2, "SampleUS", GYRO, |n, _, _| Some(up(gyro(n)))),
    source("ACC", 2, "SampleUS", ACCELEROMETER, |n, _, _| {
        Some(up(accelerometer(n)))
    }),
    source("RCOU", 1, "TimeUS", CHANNELS, |n, motors, samples| {
        motors.shares(n, samples)
    }),
    source("ESC", 1, "TimeUS", &["Instance", "RPM"], |n, motors, _| {
        motors.speeds(n[0], n[1])
    }),
    source("ATT", 1, "TimeUS", &["Roll", "Pitch", "Yaw"], |n, _, _| {
        Some(up(attitude(&quaternion(n))))
    }),
    source("XKF1", 2, "TimeUS", VELOCITY, |n, _, _| {
        Some(up(velocity(n)))
    }),
    source("NKF1", 1, "TimeUS", VELOCITY, |n, _, _| {
        Some(up(velocity(n)))
    }),
    source("BAT", 2, "TimeUS", &["Volt"], |n, _, _| Some(battery(n))),
    source("CURR", 1, "TimeUS", &["Volt"], |n, _, _| Some(battery(n))),
];

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

/// What is known of the motors.
#[derive(Default)]
struct Motors {
    /// The channel of each, from 0, as the parameters say.
    channels: Vec<usize>,
    /// Limits of their pulses [µs].
    limits: (f64, f64),
    /// Speeds of this round of reports [rad/s], and of which motors they are.
    round: [f64; MOST_ROTORS],
    reported: u16,
}

impl Motors {
    /// Takes the parameters.
    fn set_up(&mut self, samples: &mut Samples) {
        let kind = match (samples.whole("Q_ENABLE"), samples.whole("FRAME_CLASS")) {
            (Some(1..), _) => LogVehicle::Vtol,
            (Some(_), _) => LogVehicle::FixedWing,
            (_, Some(1..=5 | 7 | 12 | 14 | 15 | 17)) => LogVehicle::Multirotor,
            _ => LogVehicle::Unknown,
        };
        let frame = match kind {
            LogVehicle::Vtol => samples.whole("Q_FRAME_CLASS"),
            _ => samples.whole("FRAME_CLASS"),
        };
        let rotors = match frame {
            Some(1) => Some(4),
            Some(2 | 5) => Some(6),
            Some(3 | 4) => Some(8),
            Some(7) => Some(3),
            Some(12) => Some(12),
            Some(14) => Some(10),
            _ => None,
        };
        // Functions 33 to 40 and 82 to 85 are motors 1 to 12.
        let functions = (33..=40).chain(82..=85);
        let channel = |function: i64| {
            let name = |n: &usize| format!("SERVO{}_FUNCTION", n + 1);
            (0..CHANNELS.len()).find(|n| samples.whole(&name(n)) == Some(function))
        };
        self.channels = functions.map_while(channel).collect();
        if self.channels.is_empty() {
            self.channels = (0..rotors.unwrap_or(0)).collect();
        }
        let count = self.channels.len();
        let limit = |end: &str, otherwise: f64| {
            let names = ["MOT_PWM_", "Q_M_PWM_", "RC3_"].map(|start| format!("{start}{end}"));
            let known = names.iter().filter_map(|name| samples.parameters.get(name));
            known
                .copied()
                .find(|limit| *limit > 0.0)
                .unwrap_or(otherwise)
        };
        self.limits = (limit("MIN", 1000.0), limit("MAX", 2000.0));
        samples.about.rotors = rotors.or(Some(count).filter(|count| *count > 0));
        // The program's name tells where the parameters do not.
        let called = samples.about.vehicle.as_deref().unwrap_or("");
        samples.about.kind = match kind {
            LogVehicle::Unknown if called.starts_with("ArduPlane") => LogVehicle::FixedWing,
            _ => kind,
        };
    }

    /// The commands in the pulses of all channels.
    fn shares(&self, pulses: &[f64], samples: &Samples) -> Option<LogReading> {
        let four = [0, 1, 2, 3];
        let channels = match (self.channels.is_empty(), samples.about.kind) {
            (true, LogVehicle::FixedWing) => return None,
            (true, _) => &four[..],
            (false, _) => &self.channels,
        };
        let (least, most) = self.limits;
        let share = |channel: &usize| Some((pulses.get(*channel)? - least) / (most - least));
        let shares: Option<Vec<f64>> = channels.iter().map(share).collect();
        Some(motors(&shares?))
    }

    /// Takes one report; the speeds of all motors of the round before, where it begins another.
    fn speeds(&mut self, instance: f64, rpm: f64) -> Option<LogReading> {
        let motor = instance as usize;
        let rotor = self.round.get_mut(motor)?;
        let mut ended = None;
        if self.reported & (1 << motor) != 0 {
            let reported = (0..MOST_ROTORS).filter(|n| self.reported & (1 << n) != 0);
            // Reports have the numbers of channels.
            let order = match self.channels.iter().all(|n| self.reported & (1 << n) != 0) {
                true if !self.channels.is_empty() => self.channels.clone(),
                _ => reported.collect(),
            };
            ended = Some(order);
        }
        let before = std::mem::replace(rotor, rpm * TAU / 60.0);
        self.reported = if ended.is_some() { 0 } else { self.reported } | 1 << motor;
        let speed = |n: &usize| if *n == motor { before } else { self.round[*n] };
        ended.map(|order| rotor_speeds(&order.iter().map(speed).collect::<Vec<f64>>()))
    }
}

/// A field: where it lies, its type, and by what it is to be multiplied.
#[derive(Clone, Copy)]
struct Field {
    at: usize,
    number: Option<Number>,
    size: usize,
    unit: f64,
}

/// A source whose fields are found.
struct Use {
    source: &'static Source,
    time: Option<(Field, f64)>,
    instance: Option<Field>,
    fields: Vec<Field>,
}

/// A format of messages.
#[derive(Default)]
struct Format {
    /// With its head; 0 where it is not known.
    size: usize,
    name: String,
    fields: Vec<(String, Field)>,
    uses: Vec<Use>,
}

pub(super) fn read(file: &mut Bytes, samples: &mut Samples) -> Result<(), FlightLogError> {
    let mut reader = Reader {
        formats: (0..256).map(|_| Format::default()).collect(),
        multipliers: HashMap::new(),
        motors: Motors::default(),
    };
    reader.motors.set_up(samples);
    let mut lost = false;
    loop {
        let at = file.at();
        let head = file.peek(HEAD)?;
        if head.is_empty() {
            return Ok(());
        }
        let size = match head {
            [0xA3, 0x95, FMT] => FMT_SIZE,
            [0xA3, 0x95, id] => reader.formats[usize::from(*id)].size,
            _ => 0,
        };
        // Of a last record that was cut there may be no more than a part of its head.
        if size == 0 && (head.len() == HEAD || !MAGIC.starts_with(&head[..head.len().min(2)])) {
            if !lost {
                samples.damaged();
            }
            lost = true;
            file.skip(1)?;
            file.skip_to(&MAGIC[..2])?;
            continue;
        }
        let record = file.peek(size.max(HEAD))?;
        if record.len() < size.max(HEAD) {
            let rest = record.len() as u64;
            samples.about.cut_at = Some(at + rest);
            file.skip(rest)?;
            return Ok(());
        }
        lost = false;
        if reader.record(record[2], record, samples).is_none() {
            samples.damaged();
        }
        file.skip(size as u64)?;
    }
}

struct Reader {
    formats: Vec<Format>,
    /// Of the letters in `FMTU`.
    multipliers: HashMap<u8, f64>,
    motors: Motors,
}

impl Reader {
    /// Takes in a record; nothing where it makes no sense.
    fn record(&mut self, id: u8, record: &[u8], samples: &mut Samples) -> Option<()> {
        if id == FMT {
            return self.format(record);
        }
        let format = &self.formats[usize::from(id)];
        match format.name.as_str() {
            "FMTU" => {
                let described = format.number("FmtType", record)? as usize;
                let letters = format.text("MultIds", record)?.to_owned();
                let format = self.formats.get_mut(described)?;
                for (letter, (_, field)) in letters.bytes().zip(&mut format.fields) {
                    let whole = !matches!(field.number, Some(Number::F32 | Number::F64));
                    // Some types have their unit in themselves.
                    let plain = whole && field.unit == 1.0;
                    let unit = self.multipliers.get(&letter).filter(|unit| **unit != 0.0);
                    field.unit = unit.filter(|_| plain).copied().unwrap_or(field.unit);
                }
                format.find_uses();
            }
            "MULT" => {
                let letter = format.number("Id", record)? as u8;
                self.multipliers
                    .insert(letter, format.number("Mult", record)?);
            }
            "PARM" => {
                let name = format.text("Name", record)?.to_owned();
                samples.parameter(&name, format.number("Value", record)?);
                let known = ["SERVO", "MOT_PWM", "Q_", "FRAME_CLASS", "RC3_"];
                if known.iter().any(|start| name.starts_with(start)) {
                    self.motors.set_up(samples);
                }
            }
            "MSG" => {
                let text = format.text("Message", record)?;
                let called = &mut samples.about.vehicle;
                if called.is_none() && text.starts_with("Ardu") {
                    *called = Some(text.to_owned());
                    self.motors.set_up(samples);
                }
            }
            _ => {
                for found in &format.uses {
                    if found
                        .instance
                        .and_then(|field| field.value(record))
                        .unwrap_or(0.0)
                        != 0.0
                    {
                        samples.also_logged(found.source.message);
                        continue;
                    }
                    let time = found
                        .time
                        .and_then(|(field, ns)| Some(field.value(record)? * ns))?;
                    let mut numbers = [0.0; CHANNELS.len()];
                    for (number, field) in numbers.iter_mut().zip(&found.fields) {
                        *number = field.value(record)?;
                    }
                    let numbers = &numbers[..found.fields.len()];
                    let reading = (found.source.reading)(numbers, &mut self.motors, samples);
                    if let Some(reading) = reading {
                        samples.push(time.round() as i64, found.source.rank, reading);
                    }
                }
            }
        }
        Some(())
    }

    /// Takes in the description of a format.
    fn format(&mut self, record: &[u8]) -> Option<()> {
        let (id, size) = (record[3], usize::from(record[4]));
        let text = |from: usize, to: usize| text(&record[from..to]);
        let (name, letters, columns) = (text(5, 9)?, text(9, 25)?, text(25, FMT_SIZE)?);
        let (mut at, mut fields) = (HEAD, Vec::new());
        for (letter, column) in letters.bytes().zip(columns.split(',')) {
            let (number, size, unit) = kind(letter)?;
            let field = Field {
                at,
                number,
                size,
                unit,
            };
            fields.push((column.to_owned(), field));
            at += size;
        }
        let mut format = Format {
            size,
            name: name.to_owned(),
            fields,
            uses: Vec::new(),
        };
        if at > size || size < HEAD {
            return None;
        }
        format.find_uses();
        self.formats[usize::from(id)] = format;
        Some(())
    }
}

impl Format {
    fn field(&self, name: &str) -> Option<Field> {
        self.fields
            .iter()
            .find(|(other, _)| other == name)
            .map(|(_, field)| *field)
    }

    fn number(&self, name: &str, record: &[u8]) -> Option<f64> {
        self.field(name)?.value(record)
    }

    fn text<'r>(&self, name: &str, record: &'r [u8]) -> Option<&'r str> {
        let field = self.field(name)?;
        text(record.get(field.at..field.at + field.size)?)
    }

    /// Finds for what its messages are read.
    fn find_uses(&mut self) {
        let uses = SOURCES.iter().filter_map(|source| {
            let names = source.fields.iter();
            let fields: Vec<Field> = names.map_while(|name| self.field(name)).collect();
            let enough = fields.len() == source.fields.len() || source.message == "RCOU";
            (source.message == self.name && enough).then_some(())?;
            let micro = self.field(source.time).or(self.field("TimeUS"));
            // Multiplied, a time is in seconds.
            let plain = |field: Field| Field { unit: 1.0, ..field };
            let time = micro.map(|field| (plain(field), 1e3));
            // Reports of several motors are told apart later.
            let mut instances = INSTANCES.iter().filter(|_| source.message != "ESC");
            Some(Use {
                source,
                time: time.or(self.field("TimeMS").map(|field| (plain(field), 1e6))),
                instance: instances.find_map(|name| self.field(name)),
                fields,
            })
        });
        self.uses = uses.collect();
    }
}

impl Field {
    fn value(&self, record: &[u8]) -> Option<f64> {
        Some(self.unit * self.number?.read(record, self.at)?)
    }
}

/// Type, length and unit of a field by its letter.
fn kind(letter: u8) -> Option<(Option<Number>, usize, f64)> {
    let (number, unit) = match letter {
        b'a' => return Some((None, 64, 1.0)),
        b'n' => return Some((None, 4, 1.0)),
        b'N' => return Some((None, 16, 1.0)),
        b'Z' => return Some((None, 64, 1.0)),
        b'b' => (Number::I8, 1.0),
        b'B' | b'M' => (Number::U8, 1.0),
        b'h' => (Number::I16, 1.0),
        b'H' => (Number::U16, 1.0),
        b'i' => (Number::I32, 1.0),
        b'I' => (Number::U32, 1.0),
        b'q' => (Number::I64, 1.0),
        b'Q' => (Number::U64, 1.0),
        b'f' => (Number::F32, 1.0),
        b'd' => (Number::F64, 1.0),
        b'c' => (Number::I16, 0.01),
        b'C' => (Number::U16, 0.01),
        b'e' => (Number::I32, 0.01),
        b'E' => (Number::U32, 0.01),
        b'L' => (Number::I32, 1e-7),
        _ => return None,
    };
    Some((Some(number), number.size(), unit))
}

/// The text before the zeros that fill its place.
fn text(bytes: &[u8]) -> Option<&str> {
    let end = bytes.iter().position(|byte| *byte == 0);
    std::str::from_utf8(&bytes[..end.unwrap_or(bytes.len())]).ok()
}
