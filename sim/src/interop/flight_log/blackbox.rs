//! Blackbox, the log of Betaflight, Cleanflight and INAV: lines of text that say how frames are written, then frames.
//! A file may hold several flights, each with a header of its own.
//!
//! Body axes are this simulator's: x forward, y left (a positive pitch rate lowers the nose), z up. Motors are scaled by
//! `motorOutput` or `minthrottle` and `maxthrottle`. A flight whose clock begins again follows a second after the last.

use super::blackbox_frame::{Constants, Layout, Place};
use super::bytes::Bytes;
use super::samples::{
    STANDARD_GRAVITY_M_S2, Samples, accelerometer, battery, gyro, motors, rotor_speeds,
};
use super::{FlightLogError, LogFormat, LogReading, LogVehicle};
use std::collections::HashMap;
use std::f64::consts::TAU;

pub(super) const MAGIC: &[u8] = b"H Product:Blackbox";

/// The longest frame, and as much as a frame can be seen not to be one within.
const MOST_FRAME: usize = 256;
/// The longest line of a header, and how many fields a frame may have.
const MOST_LINE: usize = 8192;
const MOST_FIELDS: usize = 256;

/// How far the time and the iteration of a frame may lie after those of the one before.
const MOST_AHEAD_US: u32 = 10_000_000;
const MOST_AHEAD: u32 = 5_000;

/// What ends a flight.
const END: &[u8] = b"End of log\0";

/// A reading of the main frames: its fields, a unit and its zero.
struct Source {
    fields: Vec<usize>,
    unit: f64,
    zero: f64,
    reading: fn(&[f64]) -> LogReading,
}

/// One flight of a file.
struct Flight {
    headers: HashMap<String, String>,
    /// Of frames I, P, S, G and H.
    layouts: HashMap<u8, Layout>,
    constants: Constants,
    version: i32,
    /// One of so many iterations has a full frame, and so many of so many have any.
    full: i64,
    ratio: (i64, i64),
    fields: usize,
    iteration: usize,
    time: usize,
    sources: Vec<Source>,
}

/// The frames that the next is predicted from.
struct History {
    frames: [Vec<i32>; 3],
    /// Iteration and time [µs] of the last frame, if any; whether differences may follow it.
    last: Option<(u32, u32)>,
    valid: bool,
}

pub(super) fn read(file: &mut Bytes, samples: &mut Samples) -> Result<(), FlightLogError> {
    let mut flights = 0;
    // Time of the first frame of a flight, and of the last frame of all so far [µs].
    let (mut shift_us, mut end_us) = (0, None);
    while file.skip_to(MAGIC)? {
        let start = file.at();
        let Some(flight) = Flight::header(file, samples)? else {
            if flights == 0 {
                let (format, at) = (LogFormat::Blackbox, file.at());
                return Err(match file.peek(1)?.is_empty() {
                    true => FlightLogError::Header { format, at },
                    false => FlightLogError::Damaged {
                        format,
                        at: start,
                        what: "it does not say how frames are written".to_owned(),
                    },
                });
            }
            samples.damaged();
            continue;
        };
        flights += 1;
        samples.about.flights = flights;
        flight.frames(file, samples, &mut shift_us, &mut end_us)?;
    }
    Ok(())
}

impl Flight {
    /// Reads a header up to the first frame; nothing where it describes no frames.
    fn header(file: &mut Bytes, samples: &mut Samples) -> Result<Option<Flight>, FlightLogError> {
        let mut headers: HashMap<String, String> = HashMap::new();
        while file.peek(2)? == b"H " {
            let Some(length) = file.line(MOST_LINE)? else {
                break;
            };
            let line = String::from_utf8_lossy(file.peek(length)?).into_owned();
            // Another flight, or the end of the file.
            if (!headers.is_empty() && line.as_bytes().starts_with(MAGIC)) || !line.ends_with('\n')
            {
                let rest = if line.ends_with('\n') {
                    0
                } else {
                    length as u64
                };
                file.skip(rest)?;
                return Ok(None);
            }
            file.skip(length as u64)?;
            if let Some((name, value)) = line[2..].trim_end().split_once(':') {
                headers.insert(name.to_owned(), value.trim().to_owned());
            }
        }
        Ok(Flight::described(headers, samples))
    }

    fn described(headers: HashMap<String, String>, samples: &mut Samples) -> Option<Flight> {
        let list = |name: &str| -> Vec<i32> {
            let text = headers.get(name).map_or("", String::as_str);
            text.split(',')
                .map_while(|part| part.trim().parse().ok())
                .collect()
        };
        let number = |name: &str| list(name).first().copied();
        let names = headers.get("Field I name")?;
        let names: Vec<&str> = names.split(',').take(MOST_FIELDS).collect();
        let field = |name: &str| names.iter().position(|other| *other == name);
        let mut layouts = HashMap::new();
        for kind in "IPSGH".chars() {
            let layout = Layout {
                predictors: list(&format!("Field {kind} predictor")),
                encodings: list(&format!("Field {kind} encoding")),
            };
            let count = layout.predictors.len();
            let whole =
                count == layout.encodings.len() && (count == names.len() || !"IP".contains(kind));
            if !whole || !layout.is_known() {
                return None;
            }
            if count > 0 {
                layouts.insert(kind as u8, layout);
            }
        }
        let output = list("motorOutput");
        let limits = match output[..] {
            [least, most, ..] => (least, most),
            _ => (
                number("minthrottle").unwrap_or(1000),
                number("maxthrottle").unwrap_or(2000),
            ),
        };
        let constants = Constants {
            min_throttle: number("minthrottle").unwrap_or(1150),
            min_motor: output.first().copied().unwrap_or(0),
            battery: number("vbatref").unwrap_or(4095),
            motor: field("motor[0]").unwrap_or(usize::MAX),
        };
        // One of so many iterations is written, or so many of so many.
        let interval = headers.get("P interval").map_or("1", String::as_str);
        let (some, of) = interval.split_once('/').unwrap_or(("1", interval));
        let [some, of] =
            [some, of].map(|text| text.trim().parse::<i64>().unwrap_or(1).clamp(1, 4096));
        let version = number("Data version").unwrap_or(1);
        for (name, value) in &headers {
            if let Ok(value) = value.parse() {
                samples.parameter(name, value);
            }
        }
        let about = &mut samples.about;
        let said = ["Craft name", "Firmware revision"]
            .iter()
            .filter_map(|name| headers.get(*name));
        about.vehicle = said.into_iter().find(|said| !said.is_empty()).cloned();
        let each = |stem: &str| {
            (0..8)
                .map_while(|i| field(&format!("{stem}[{i}]")))
                .collect::<Vec<_>>()
        };
        let rotors = each("motor").len();
        about.rotors = Some(rotors).filter(|rotors| *rotors > 0);
        if rotors >= 3 && each("servo").is_empty() {
            about.kind = LogVehicle::Multirotor;
        }
        let mut flight = Flight {
            constants,
            version,
            full: i64::from(number("I interval").unwrap_or(32)).clamp(1, 4096),
            ratio: (some, of),
            fields: names.len(),
            iteration: field("loopIteration")?,
            time: field("time")?,
            sources: Vec::new(),
            layouts,
            headers: HashMap::new(),
        };
        flight.sources = sources(&headers, limits, &each, field("vbatLatest"));
        flight.headers = headers;
        Some(flight)
    }

    /// Reads the frames up to the end of the flight, of which nothing may be said.
    fn frames(
        &self,
        file: &mut Bytes,
        samples: &mut Samples,
        shift_us: &mut i64,
        end_us: &mut Option<i64>,
    ) -> Result<(), FlightLogError> {
        let mut history = History {
            frames: [0; 3].map(|zero| vec![zero; self.fields]),
            last: None,
            valid: false,
        };
        let (mut lost, mut begun) = (false, *end_us);
        loop {
            let at = file.at();
            let next = file.peek(2 * MOST_FRAME)?;
            let Some(kind) = next.first().copied() else {
                return Ok(());
            };
            if kind == b'H' && next.starts_with(MAGIC) {
                return Ok(());
            }
            if kind == b'E' && next.get(1) == Some(&255) && next[2..].starts_with(END) {
                file.skip(2 + END.len() as u64)?;
                return Ok(());
            }
            let mut from = Place { bytes: next, at: 1 };
            let read = self.frame(kind, &mut from, &mut history);
            // A frame is followed by another, or by the end.
            let follows = next
                .get(from.at)
                .is_none_or(|byte| b"IPSGHE".contains(byte));
            let (length, whole) = (from.at, from.at <= next.len());
            if read.is_none() || !follows || length > MOST_FRAME {
                if !whole {
                    samples.about.cut_at = Some(at + next.len() as u64);
                }
                if !lost && whole {
                    samples.damaged();
                }
                lost = true;
                history.valid = false;
                file.skip(1)?;
                continue;
            }
            lost = false;
            file.skip(length as u64)?;
            if matches!(kind, b'I' | b'P') && history.accept(kind == b'I', self, samples) {
                let frame = &history.frames[1];
                let time_us = i64::from(frame[self.time] as u32);
                let mut at_us = time_us + *shift_us;
                if let Some(last_us) = begun.take() {
                    if at_us <= last_us {
                        *shift_us += last_us + 1_000_000 - at_us;
                        at_us = time_us + *shift_us;
                    }
                } else if let Some(last_us) = *end_us {
                    // The clock has 32 bits.
                    if at_us < last_us - i64::from(u32::MAX / 2) {
                        *shift_us += 1 << 32;
                        at_us += 1 << 32;
                    }
                }
                *end_us = Some(at_us);
                for source in &self.sources {
                    let value = |i: &usize| source.unit * (f64::from(frame[*i]) - source.zero);
                    let (mut numbers, count) = ([0.0; 8], source.fields.len());
                    for (number, field) in numbers.iter_mut().zip(&source.fields) {
                        *number = value(field);
                    }
                    let reading = (source.reading)(&numbers[..count]);
                    samples.push(at_us.saturating_mul(1000), 0, reading);
                }
            }
        }
    }

    /// Reads one frame into the history; nothing where it cannot be one.
    fn frame(&self, kind: u8, from: &mut Place, history: &mut History) -> Option<()> {
        if kind == b'E' {
            return event(from, history);
        }
        let layout = self.layouts.get(&kind)?;
        let [frame, last, other] = &mut history.frames;
        let (version, constants) = (self.version, &self.constants);
        match kind {
            b'P' => {
                let iteration = i64::from(last[self.iteration] as u32);
                let skipped = (iteration + 1..)
                    .take(8192)
                    .take_while(|n| !self.is_written(*n))
                    .count();
                layout.read(
                    from,
                    version,
                    constants,
                    [last, other],
                    skipped as i32,
                    frame,
                )
            }
            b'I' => layout.read(from, version, constants, [last, last], 0, frame),
            _ => {
                let mut frame = [0; MOST_FIELDS];
                layout.read(from, version, constants, [&[], &[]], 0, &mut frame)
            }
        }
    }

    /// Whether the iteration of that number has a frame.
    fn is_written(&self, iteration: i64) -> bool {
        let (some, of) = self.ratio;
        (iteration % self.full + some - 1) % of < some
    }
}

impl History {
    /// Takes in the frame that was read, if its time can follow.
    fn accept(&mut self, full: bool, flight: &Flight, samples: &mut Samples) -> bool {
        let frame = &self.frames[0];
        let now = (frame[flight.iteration] as u32, frame[flight.time] as u32);
        if !full && !self.valid {
            return false;
        }
        let follows = self.last.is_none_or(|last| {
            now.0.wrapping_sub(last.0) <= MOST_AHEAD && now.1.wrapping_sub(last.1) <= MOST_AHEAD_US
        });
        if full || follows {
            self.last = Some(now);
        }
        if !follows {
            samples.damaged();
        }
        self.valid = follows;
        if self.valid {
            self.frames.rotate_right(1);
            if full {
                let [_, last, other] = &mut self.frames;
                other.copy_from_slice(last);
            }
        }
        follows
    }
}

/// Reads an event past its end, and takes in where logging went on after a pause.
fn event(from: &mut Place, history: &mut History) -> Option<()> {
    let bytes = match from.byte()? {
        // A beep, a change of modes, disarming.
        0 | 15 => {
            from.unsigned_vb()?;
            0
        }
        30 => {
            from.unsigned_vb()?;
            from.unsigned_vb()?;
            0
        }
        14 => {
            history.last = Some((from.unsigned_vb()?, from.unsigned_vb()?));
            0
        }
        13 => match from.byte()? {
            128.. => 4,
            _ => {
                from.signed_vb()?;
                0
            }
        },
        // Automatic tuning.
        10 | 11 => 5,
        12 => 8,
        20 => {
            from.byte()?;
            from.signed_vb()?;
            2
        }
        40 => 5,
        _ => return None,
    };
    for _ in 0..bytes {
        from.byte()?;
    }
    Some(())
}

/// What is read of a flight with those headers; `each` gives the fields of a name with numbers.
fn sources(
    headers: &HashMap<String, String>,
    limits: (i32, i32),
    each: &dyn Fn(&str) -> Vec<usize>,
    voltage: Option<usize>,
) -> Vec<Source> {
    let text = |name: &str| headers.get(name).map_or("", String::as_str);
    let number = |name: &str| {
        text(name)
            .parse::<f64>()
            .ok()
            .filter(|number| *number > 0.0)
    };
    let scale = text("gyro_scale").trim_start_matches("0x");
    let scale =
        u32::from_str_radix(scale, 16).map_or(f64::NAN, |bits| f64::from(f32::from_bits(bits)));
    // Old firmware counts in rad/us.
    let rate = match text("Firmware type") {
        "Betaflight" | "Cleanflight" | "INAV" => scale * TAU / 360.0,
        _ => scale * 1e6,
    };
    let finer = number("blackbox_high_resolution").map_or(1.0, |_| 10.0);
    let source = |fields: Vec<usize>, unit: f64, reading: fn(&[f64]) -> LogReading| Source {
        fields,
        unit,
        zero: 0.0,
        reading,
    };
    let three = |stem: &str| Some(each(stem)).filter(|fields| fields.len() == 3);
    let some = |stem: &str| Some(each(stem)).filter(|fields| !fields.is_empty());
    let (least, most) = (f64::from(limits.0), f64::from(limits.1));
    let electrical = 100.0 / (number("motor_poles").unwrap_or(14.0) / 2.0) * TAU / 60.0;
    let force = number("acc_1G").map(|one| STANDARD_GRAVITY_M_S2 / one);
    // Betaflight counts in 10 mV since version 4, in 100 mV since 3.1.
    let release = text("Firmware revision")
        .strip_prefix("Betaflight ")
        .unwrap_or("");
    let mut parts = release
        .split(|c: char| !c.is_ascii_digit())
        .map_while(|part| part.parse::<u32>().ok());
    let volts = match (parts.next(), parts.next()) {
        (Some(4..), _) => Some(0.01),
        (Some(3), Some(1..)) => Some(0.1),
        _ => None,
    };
    let shares = some("motor").map(|fields| Source {
        zero: least,
        ..source(fields, 1.0 / (most - least), motors)
    });
    let all = [
        shares,
        some("eRPM").map(|fields| source(fields, electrical, rotor_speeds)),
        three("gyroADC").map(|fields| source(fields, rate / finer, gyro)),
        three("accSmooth")
            .zip(force)
            .map(|(fields, unit)| source(fields, unit, accelerometer)),
        voltage
            .zip(volts)
            .map(|(field, unit)| source(vec![field], unit, battery)),
    ];
    all.into_iter().flatten().collect()
}
