//! Samples on their way from a log: in time, finite, of the best source that the log has, and counted.

use super::bytes::Bytes;
use super::{FlightLogError, LeftOut, LogAbout, LogFormat, LogReading, LogSample, LogVehicle};
use std::collections::BTreeMap;

/// Leap in time that only a damaged record has, unless the next sample confirms it: ten minutes.
const LEAP_NS: i64 = 600_000_000_000;

/// Standard gravity, in which accelerometers count [m/s²].
pub(super) const STANDARD_GRAVITY_M_S2: f64 = 9.80665;

/// Most parameters that are kept: autopilots have up to 2,000.
const MOST_PARAMETERS: usize = 10_000;

/// One kind of reading, as far as the log was read.
#[derive(Default)]
struct Stream {
    last_ns: Option<i64>,
    /// Where a leap led that the next sample may confirm.
    leapt_to_ns: Option<i64>,
    /// Of the best source so far.
    rank: u8,
}

/// Samples as they are read, and what is known of the log.
pub(super) struct Samples<'a> {
    visit: &'a mut dyn FnMut(&LogSample),
    streams: [Stream; LogReading::KINDS.len()],
    first_ns: Option<i64>,
    /// Whether the log's frames are forward, right, down and north, east, down.
    pub down: bool,
    /// Whether the last bytes began no record.
    pub lost: bool,
    pub parameters: BTreeMap<String, f64>,
    /// First values of those that changed.
    pub first: BTreeMap<String, f64>,
    /// How long the log had been when the last new name came [s].
    pub named_at_s: f64,
    /// The header of each flight of a blackbox log.
    pub headers: Vec<BTreeMap<String, String>>,
    /// Whether the transmitter changed settings in flight.
    pub adjusted: bool,
    pub about: LogAbout,
}

impl<'a> Samples<'a> {
    pub fn new(format: LogFormat, visit: &'a mut dyn FnMut(&LogSample)) -> Samples<'a> {
        Samples {
            visit,
            streams: Default::default(),
            first_ns: None,
            down: false,
            lost: false,
            parameters: BTreeMap::new(),
            first: BTreeMap::new(),
            named_at_s: 0.0,
            headers: Vec::new(),
            adjusted: false,
            about: LogAbout {
                format,
                vehicle: None,
                kind: LogVehicle::Unknown,
                rotors: None,
                parameters: Vec::new(),
                duration_s: 0.0,
                flights: 1,
                samples: [0; LogReading::KINDS.len()],
                left_out: LeftOut::default(),
                cut_at: None,
            },
        }
    }

    /// Takes a reading from a source of that rank; where a log has several for one kind, the highest counts from its
    /// first reading on.
    pub fn push(&mut self, time_ns: i64, rank: u8, mut reading: LogReading) {
        let (kind, left_out) = (reading.kind(), &mut self.about.left_out);
        let stream = &mut self.streams[kind];
        if rank < stream.rank {
            return;
        }
        stream.rank = rank;
        if !reading.numbers().iter().all(|number| number.is_finite()) {
            left_out.not_finite += 1;
            return;
        }
        let leapt_to_ns = stream.leapt_to_ns.take();
        if let Some(last_ns) = stream.last_ns {
            let follows =
                |before_ns: i64| (0..LEAP_NS).contains(&time_ns.saturating_sub(before_ns));
            if time_ns == last_ns {
                left_out.repeated += 1;
                return;
            }
            if !follows(last_ns) && !leapt_to_ns.is_some_and(follows) {
                stream.leapt_to_ns = Some(time_ns).filter(|_| time_ns > last_ns);
                left_out.out_of_time += 1;
                return;
            }
        }
        stream.last_ns = Some(time_ns);
        let first_ns = *self.first_ns.get_or_insert(time_ns);
        let time_s = time_ns.saturating_sub(first_ns) as f64 / 1e9;
        let about = &mut self.about;
        about.samples[kind] += 1;
        about.duration_s = about.duration_s.max(time_s);
        if self.down {
            turn(&mut reading);
        }
        (self.visit)(&LogSample { time_s, reading });
    }

    /// Leaves out sources below that rank from here on.
    pub fn announce(&mut self, kind: usize, rank: u8) {
        self.streams[kind].rank = self.streams[kind].rank.max(rank);
    }

    pub fn damaged(&mut self) {
        self.about.left_out.damaged += 1;
    }

    /// Leaves behind a byte that begins no record: one damage, however many follow each other.
    pub fn lose(&mut self, file: &mut Bytes) -> Result<(), FlightLogError> {
        if !self.lost {
            self.damaged();
        }
        self.lost = true;
        file.skip(1)?;
        Ok(())
    }

    /// Ends a log whose last record is not whole.
    pub fn cut(&mut self, file: &mut Bytes) -> Result<(), FlightLogError> {
        file.skip(u64::MAX)?;
        self.about.cut_at = Some(file.at());
        Ok(())
    }

    /// That the file ends within its header.
    pub fn header_cut(&self, file: &Bytes) -> FlightLogError {
        let (format, at) = (self.about.format, file.at());
        FlightLogError::Header { format, at }
    }

    pub fn header_damaged(&self, file: &Bytes, what: &str) -> FlightLogError {
        let (format, at, what) = (self.about.format, file.at(), what.to_owned());
        FlightLogError::Damaged { format, at, what }
    }

    /// Says that something is logged more than once.
    pub fn also_logged(&mut self, what: &str) {
        let known = &mut self.about.left_out.also_logged;
        if known.len() < 100 && !known.iter().any(|other| other == what) {
            known.push(what.to_owned());
        }
    }

    pub fn parameter(&mut self, name: &str, value: f64) {
        if self.parameters.len() >= MOST_PARAMETERS {
            return;
        }
        match self.parameters.insert(name.to_owned(), value) {
            Some(before) if before != value => {
                self.first.entry(name.to_owned()).or_insert(before);
            }
            Some(_) => {}
            None => self.named_at_s = self.about.duration_s,
        }
    }

    /// A parameter as the whole number that it is.
    pub fn whole(&self, name: &str) -> Option<i64> {
        self.parameters.get(name).map(|value| *value as i64)
    }

    /// What is known at the end of the file, which is that long.
    pub fn finish(self, bytes: u64) -> Result<LogAbout, FlightLogError> {
        let mut about = self.about;
        let (format, damaged) = (about.format, about.left_out.damaged);
        if about.samples == [0; LogReading::KINDS.len()] {
            return Err(FlightLogError::Empty {
                format,
                bytes,
                damaged,
            });
        }
        about.parameters = self.parameters.into_iter().collect();
        Ok(about)
    }
}

/// Turns a reading into the frames of this simulator, by 180 degrees about x.
fn turn(reading: &mut LogReading) {
    match reading {
        LogReading::Gyro([_, y, z])
        | LogReading::Accelerometer([_, y, z])
        | LogReading::Velocity([_, y, z])
        | LogReading::Attitude([_, _, y, z]) => (*y, *z) = (-*y, -*z),
        _ => {}
    }
}
