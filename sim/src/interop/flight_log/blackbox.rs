//! Blackbox, the log of Betaflight, Cleanflight and INAV: lines of text that say how frames are written, then frames.
//! A file may hold several flights, each with a header of its own.
//!
//! Body axes are this simulator's: x forward, y left (a positive pitch rate lowers the nose), z up. Motors are scaled by
//! `motorOutput` or `minthrottle` and `maxthrottle`. A flight whose clock begins again follows a second after the last.

use super::blackbox_frame::{Constants, Layout, Place};
use super::bytes::Bytes;
use super::fields::{ACCELEROMETER, BATTERY, GYRO, MOTORS, ROTOR_SPEEDS, reading};
use super::samples::{STANDARD_GRAVITY_M_S2, Samples};
use super::{FlightLogError, LogVehicle};
use std::collections::{BTreeMap, HashMap};
use std::f64::consts::TAU;

pub(super) const MAGIC: &[u8] = b"H Product:Blackbox";

/// What ends a flight.
const END: &[u8] = b"E\xffEnd of log\0";

/// The longest frame and the longest line of a header [bytes]; most fields of a frame.
const MOST_FRAME: usize = 256;
const MOST_LINE: usize = 8192;
const MOST_FIELDS: usize = 256;

/// How far time and iteration of a frame may lie after those of the one before.
const MOST_AHEAD_US: u32 = 10_000_000;
const MOST_AHEAD: u32 = 5_000;

/// A reading: its kind, its fields, a unit, and its zero.
type Source = (usize, Vec<usize>, f64, f64);

/// What the header of a flight says.
struct Flight {
    /// Of the frames I, P, S, G and H.
    layouts: HashMap<u8, Layout>,
    constants: Constants,
    /// One of so many iterations has a full frame; so many of so many have any.
    full: i64,
    ratio: [i64; 2],
    fields: usize,
    iteration: usize,
    time: usize,
    sources: Vec<Source>,
}

/// The frames that the next is predicted from.
struct History {
    /// The one that is read, the last, the one before.
    frames: [Vec<i32>; 3],
    /// Iteration and time [µs] of the last.
    last: Option<(u32, u32)>,
    /// Whether differences may follow.
    valid: bool,
    /// Whether an event said that the transmitter changed a setting.
    adjusted: bool,
}

/// What is added to a flight's clock [µs], and the time of the last frame of all.
#[derive(Default)]
struct Clock {
    shift_us: i64,
    last_us: Option<i64>,
}

pub(super) fn read(file: &mut Bytes, samples: &mut Samples) -> Result<(), FlightLogError> {
    let (mut flights, mut clock) = (0, Clock::default());
    while file.skip_to(MAGIC)? {
        let headers = header(file)?.unwrap_or_default();
        match Flight::new(&headers, samples) {
            Some(flight) => {
                flights += 1;
                samples.about.flights = flights;
                samples.headers.push(headers);
                let before = clock.last_us;
                flight.frames(file, samples, &mut clock)?;
                if clock.last_us == before {
                    // Its header may have been cut.
                    samples.damaged();
                }
            }
            None if flights > 0 => samples.damaged(),
            None if file.peek(1)?.is_empty() => return Err(samples.header_cut(file)),
            None => {
                let what = "it does not say how frames are written";
                return Err(samples.header_damaged(file, what));
            }
        }
    }
    Ok(())
}

/// Reads the lines of a header, by their names; nothing where it is cut.
fn header(file: &mut Bytes) -> Result<Option<BTreeMap<String, String>>, FlightLogError> {
    let mut headers = BTreeMap::new();
    while file.peek(2)? == b"H " {
        let length = file.line(MOST_LINE)?.unwrap_or(MOST_LINE);
        let line = String::from_utf8_lossy(file.peek(length)?).into_owned();
        if !headers.is_empty() && line.as_bytes().starts_with(MAGIC) {
            return Ok(None);
        }
        file.skip(length as u64)?;
        if !line.ends_with('\n') {
            return Ok(None);
        }
        if let Some((name, value)) = line[2..].trim_end().split_once(':') {
            headers.insert(name.to_owned(), value.trim().to_owned());
        }
    }
    Ok(Some(headers))
}

impl Flight {
    /// What the lines of a header say; nothing where they describe no frames.
    fn new(headers: &BTreeMap<String, String>, samples: &mut Samples) -> Option<Flight> {
        let text = |name: &str| headers.get(name).map_or("", String::as_str);
        let list = |name: &str| -> Vec<i32> {
            let parts = text(name)
                .split(',')
                .map_while(|part| part.trim().parse().ok());
            parts.collect()
        };
        let number = |name: &str, otherwise| list(name).first().copied().unwrap_or(otherwise);
        let names: Vec<&str> = text("Field I name").split(',').take(MOST_FIELDS).collect();
        let field = |name: &str| names.iter().position(|other| *other == name);
        let each = |name: &str| -> Vec<usize> {
            (0..8)
                .map_while(|i| field(&format!("{name}[{i}]")))
                .collect()
        };
        let mut layouts = HashMap::new();
        for kind in *b"IPSGH" {
            let row = |what| list(&format!("Field {} {what}", char::from(kind)));
            let layout = Layout {
                predictors: row("predictor"),
                encodings: row("encoding"),
            };
            let (main, count) = (b"IP".contains(&kind), layout.predictors.len());
            if !layout.is_known() || (main && count != names.len()) {
                return None;
            }
            layouts.insert(kind, layout);
        }
        let limits = match list("motorOutput")[..] {
            [least, most, ..] => [least, most],
            _ => [number("minthrottle", 1150), number("maxthrottle", 1850)],
        };
        let interval = text("P interval");
        let (some, of) = interval.split_once('/').unwrap_or(("1", interval));
        let bounded = |count: Option<i64>| count.unwrap_or(1).clamp(1, 4096);
        let (motors, limits) = (each("motor"), limits.map(f64::from));
        let named = ["Craft name", "Firmware revision"].map(text);
        let named = named.into_iter().find(|name| !name.is_empty());
        samples.about.vehicle = named.map(str::to_owned);
        samples.about.rotors = Some(motors.len()).filter(|rotors| *rotors > 0);
        if motors.len() >= 3 && each("servo").is_empty() {
            samples.about.kind = LogVehicle::Multirotor;
        }
        for (name, value) in headers {
            if let Ok(value) = value.parse() {
                samples.parameter(name, value);
            }
        }
        let three = |name: &str| Some(each(name)).filter(|fields| fields.len() == 3);
        let rotors = |name: &str| Some(each(name)).filter(|fields| !fields.is_empty());
        let (rate, force, volt, turn) = units(&text);
        let sources = [
            rotors("motor").map(|m| (MOTORS, m, 1.0 / (limits[1] - limits[0]), limits[0])),
            rotors("eRPM").map(|fields| (ROTOR_SPEEDS, fields, turn, 0.0)),
            three("gyroADC").map(|fields| (GYRO, fields, rate, 0.0)),
            three("accSmooth").map(|fields| (ACCELEROMETER, fields, force, 0.0)),
            field("vbatLatest")
                .zip(volt)
                .map(|(field, volt)| (BATTERY, vec![field], volt, 0.0)),
        ];
        Some(Flight {
            layouts,
            constants: Constants {
                version: number("Data version", 1),
                min_throttle: number("minthrottle", 1150),
                min_motor: number("motorOutput", 0),
                battery: number("vbatref", 4095),
                motor: motors.first().copied().unwrap_or(MOST_FIELDS),
            },
            full: bounded(text("I interval").parse().ok()),
            ratio: [some, of].map(|text| bounded(text.trim().parse().ok())),
            fields: names.len(),
            iteration: field("loopIteration")?,
            time: field("time")?,
            sources: sources.into_iter().flatten().collect(),
        })
    }

    /// Reads the frames up to the end of the flight, of which there need be no sign.
    fn frames(
        &self,
        file: &mut Bytes,
        samples: &mut Samples,
        clock: &mut Clock,
    ) -> Result<(), FlightLogError> {
        let mut history = History {
            frames: [0; 3].map(|zero| vec![zero; self.fields]),
            last: None,
            valid: false,
            adjusted: false,
        };
        let mut begun = false;
        loop {
            let next = file.peek(2 * MOST_FRAME)?;
            if next.is_empty() || next.starts_with(MAGIC) {
                return Ok(());
            }
            if next.starts_with(END) {
                file.skip(END.len() as u64)?;
                return Ok(());
            }
            let kind = next[0];
            let mut from = Place { bytes: next, at: 1 };
            let read = self.frame(kind, &mut from, &mut history);
            let length = from.at;
            if read.is_none() && length >= next.len() && next.len() < 2 * MOST_FRAME {
                return samples.cut(file);
            }
            // A frame is followed by another, or by the end.
            let follows = next.get(length).is_none_or(|byte| b"IPSGHE".contains(byte));
            if read.is_none() || !follows || length > MOST_FRAME {
                history.valid = false;
                samples.lose(file)?;
                continue;
            }
            samples.lost = false;
            file.skip(length as u64)?;
            samples.adjusted |= history.adjusted;
            if !matches!(kind, b'I' | b'P') || !history.accept(kind == b'I', self, samples) {
                continue;
            }
            let frame = &history.frames[1];
            let time_us = clock.at(frame[self.time] as u32, begun);
            begun = true;
            for (kind, fields, unit, zero) in &self.sources {
                let mut numbers = [0.0; 8];
                for (number, field) in numbers.iter_mut().zip(fields) {
                    *number = unit * (f64::from(frame[*field]) - zero);
                }
                if let Some(read) = reading(*kind, &numbers[..fields.len()]) {
                    samples.push(1000 * time_us, 0, read);
                }
            }
        }
    }

    /// Reads one frame into the history; nothing where it cannot be one.
    fn frame(&self, kind: u8, from: &mut Place, history: &mut History) -> Option<()> {
        if kind == b'E' {
            return event(from, history);
        }
        let (layout, constants) = (self.layouts.get(&kind)?, &self.constants);
        let [frame, last, other] = &mut history.frames;
        match kind {
            b'I' => layout.read(from, constants, [last, last], 0, frame),
            b'P' => {
                let [some, of] = self.ratio;
                let written = |n: i64| (n % self.full + some - 1) % of < some;
                let next = i64::from(last[self.iteration] as u32) + 1;
                let skipped = (next..next + 8192).take_while(|n| !written(*n)).count();
                layout.read(from, constants, [last, other], skipped as i32, frame)
            }
            // Of others only the length counts.
            _ => layout.read(from, constants, [&[], &[]], 0, &mut [0; MOST_FIELDS]),
        }
    }
}

impl History {
    /// Takes in the frame that was read, if it can follow the last.
    fn accept(&mut self, full: bool, flight: &Flight, samples: &mut Samples) -> bool {
        let frame = &self.frames[0];
        let now = (frame[flight.iteration] as u32, frame[flight.time] as u32);
        let follows = self.last.is_none_or(|last| {
            now.0.wrapping_sub(last.0) <= MOST_AHEAD && now.1.wrapping_sub(last.1) <= MOST_AHEAD_US
        });
        if !full && !self.valid {
            return false;
        }
        self.valid = follows;
        if full || follows {
            self.last = Some(now);
        }
        if !follows {
            samples.damaged();
            return false;
        }
        self.frames.rotate_right(1);
        if full {
            let [_, last, other] = &mut self.frames;
            other.copy_from_slice(last);
        }
        true
    }
}

impl Clock {
    /// The time of a frame [µs]: a flight that has begun goes on where its 32 bits are full, another follows the last.
    fn at(&mut self, time_us: u32, begun: bool) -> i64 {
        let (time_us, half) = (i64::from(time_us), i64::from(u32::MAX / 2));
        match self.last_us {
            Some(last_us) if begun && time_us + self.shift_us < last_us - half => {
                self.shift_us += 1 << 32;
            }
            Some(last_us) if !begun && time_us + self.shift_us <= last_us => {
                self.shift_us = last_us + 1_000_000 - time_us;
            }
            _ => {}
        }
        let at_us = time_us + self.shift_us;
        self.last_us = Some(at_us);
        at_us
    }
}

/// Reads an event past its end, and takes in where logging goes on after a pause.
fn event(from: &mut Place, history: &mut History) -> Option<()> {
    // How many numbers of variable length it has, and how many bytes then.
    let (numbers, bytes) = match from.byte()? {
        // A beep; disarming; a change of modes.
        0 | 15 => (1, 0),
        30 => (2, 0),
        // Automatic tuning.
        10 | 11 | 40 => (0, 5),
        12 => (0, 8),
        20 => {
            from.byte()?;
            (1, 2)
        }
        // An adjustment in flight, by a float or a whole number.
        13 => {
            let number = from.byte()?;
            history.adjusted = true;
            if number >= 128 { (0, 4) } else { (1, 0) }
        }
        14 => {
            history.last = Some((from.unsigned_vb()?, from.unsigned_vb()?));
            (0, 0)
        }
        _ => return None,
    };
    for _ in 0..numbers {
        from.unsigned_vb()?;
    }
    for _ in 0..bytes {
        from.byte()?;
    }
    Some(())
}

/// What one of the units of rates, specific forces, voltages and electrical speeds is in SI.
fn units<'h>(text: &impl Fn(&str) -> &'h str) -> (f64, f64, Option<f64>, f64) {
    let number = |name: &str| {
        text(name)
            .parse::<f64>()
            .ok()
            .filter(|number| *number > 0.0)
    };
    let bits = u32::from_str_radix(text("gyro_scale").trim_start_matches("0x"), 16);
    let scale = bits.map_or(f64::NAN, |bits| f64::from(f32::from_bits(bits)));
    let finer = number("blackbox_high_resolution").map_or(1.0, |_| 10.0);
    let rate = match text("Firmware type") {
        "Betaflight" | "Cleanflight" | "INAV" => scale / finer * TAU / 360.0,
        // Old firmware counts in rad/µs.
        _ => scale * 1e6,
    };
    let force = STANDARD_GRAVITY_M_S2 / number("acc_1G").unwrap_or(f64::NAN);
    // In 10 mV since version 4, in 100 mV since 3.1.
    let release = text("Firmware revision")
        .strip_prefix("Betaflight ")
        .unwrap_or("");
    let mut parts = release
        .split('.')
        .map_while(|part| part.parse::<u32>().ok());
    let volt = match (parts.next(), parts.next()) {
        (Some(4..), _) => Some(0.01),
        (Some(3), Some(1..)) => Some(0.1),
        _ => None,
    };
    // In hundreds a minute of a field with so many poles.
    let turn = 100.0 * TAU / 60.0 / (number("motor_poles").unwrap_or(14.0) / 2.0);
    (rate, force, volt, turn)
}
