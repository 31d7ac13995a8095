//! Flight logs: what others' autopilots recorded, and what this program did, as samples in SI units and in the
//! frames of this simulator. What a file holds decides its format, not its name.
//!
//! | format | first bytes | from |
//! |---|---|---|
//! | ULog | `ULog` 01 12 35 | PX4; `sim fly` |
//! | DataFlash | A3 95 80 | ArduPilot, `.bin` |
//! | blackbox | `H Product:Blackbox` | Betaflight, Cleanflight, INAV |
//! | uSD | BC | Crazyflie |
//! | MCAP | 89 `MCAP0` | `sim fly` |
//! | CSV | a line of names | `sim fly` and others |
//!
//! A log is read once, from its beginning to its end, and memory does not grow with it.

mod blackbox;
mod blackbox_frame;
mod bytes;
mod crazyflie;
mod csv;
mod dataflash;
mod fields;
mod mcap;
mod parameters;
mod samples;
mod ulog;

pub use parameters::parameters;

use crate::PerRotor;
use bytes::Bytes;
use samples::Samples;
use shell::exit::{self, Coded};
use std::io::Read;

/// A parameter of this program's own logs that no autopilot has beside ULog.
const OWN_GAIN: &str = "POS_XY_KD";

/// One sample of a log, in SI units and this simulator's frames: body x forward, y left, z up; world z up
/// (north, west, up where the log knows the north).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LogSample {
    /// Time from the log's first sample [s].
    pub time_s: f64,
    /// What was measured or commanded.
    pub reading: LogReading,
}

/// What a sample says.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LogReading {
    /// Command of each motor as a share of full, 0 to 1, in the log's own order of motors.
    Motors(PerRotor),
    /// Commanded speed of each rotor [rad/s], where a log has that in place of a share.
    SpeedCommands(PerRotor),
    /// Measured speed of each rotor [rad/s].
    RotorSpeeds(PerRotor),
    /// Body rates [rad/s].
    Gyro([f64; 3]),
    /// Specific force [m/s²].
    Accelerometer([f64; 3]),
    /// Quaternion w, x, y, z that turns body vectors into world vectors.
    Attitude([f64; 4]),
    /// Velocity in the world [m/s].
    Velocity([f64; 3]),
    /// Voltage of the battery [V].
    Battery(f64),
}

impl LogReading {
    /// Kinds of reading, by their place in [`LogReading::KINDS`].
    pub const MOTORS: usize = 0;
    /// See [`LogReading::SpeedCommands`].
    pub const SPEED_COMMANDS: usize = 1;
    /// See [`LogReading::RotorSpeeds`].
    pub const ROTOR_SPEEDS: usize = 2;
    /// See [`LogReading::Gyro`].
    pub const GYRO: usize = 3;
    /// See [`LogReading::Accelerometer`].
    pub const ACCELEROMETER: usize = 4;
    /// See [`LogReading::Attitude`].
    pub const ATTITUDE: usize = 5;
    /// See [`LogReading::Velocity`].
    pub const VELOCITY: usize = 6;
    /// See [`LogReading::Battery`].
    pub const BATTERY: usize = 7;

    /// Names of the kinds of reading, in their order.
    pub const KINDS: [&str; 8] = [
        "motors",
        "speed commands",
        "rotor speeds",
        "gyro",
        "accelerometer",
        "attitude",
        "velocity",
        "battery",
    ];

    /// Which of [`LogReading::KINDS`] it is.
    pub fn kind(&self) -> usize {
        match self {
            LogReading::Motors(_) => LogReading::MOTORS,
            LogReading::SpeedCommands(_) => LogReading::SPEED_COMMANDS,
            LogReading::RotorSpeeds(_) => LogReading::ROTOR_SPEEDS,
            LogReading::Gyro(_) => LogReading::GYRO,
            LogReading::Accelerometer(_) => LogReading::ACCELEROMETER,
            LogReading::Attitude(_) => LogReading::ATTITUDE,
            LogReading::Velocity(_) => LogReading::VELOCITY,
            LogReading::Battery(_) => LogReading::BATTERY,
        }
    }

    /// Its numbers.
    pub fn numbers(&self) -> &[f64] {
        match self {
            LogReading::Motors(each)
            | LogReading::SpeedCommands(each)
            | LogReading::RotorSpeeds(each) => each,
            LogReading::Gyro(xyz) | LogReading::Accelerometer(xyz) | LogReading::Velocity(xyz) => {
                xyz
            }
            LogReading::Attitude(wxyz) => wxyz,
            LogReading::Battery(volts) => std::slice::from_ref(volts),
        }
    }
}

/// A format of log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogFormat {
    /// PX4's.
    Ulog,
    /// ArduPilot's, binary.
    Dataflash,
    /// Betaflight's, binary.
    Blackbox,
    /// The Crazyflie's, from its SD card.
    Crazyflie,
    /// This program's own.
    Mcap,
    /// Comma-separated values.
    Csv,
}

impl std::fmt::Display for LogFormat {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str(match self {
            LogFormat::Ulog => "ULog",
            LogFormat::Dataflash => "DataFlash",
            LogFormat::Blackbox => "blackbox",
            LogFormat::Crazyflie => "Crazyflie uSD",
            LogFormat::Mcap => "MCAP",
            LogFormat::Csv => "CSV",
        })
    }
}

/// A kind of vehicle, as the log's parameters have it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LogVehicle {
    /// Flies by its rotors alone.
    Multirotor,
    /// Flies on wings.
    FixedWing,
    /// Takes off by rotors and flies on wings.
    Vtol,
    /// The log does not say, or says something else.
    #[default]
    Unknown,
}

/// What was in a log and was not given as a sample.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LeftOut {
    /// Samples with the time of the one before.
    pub repeated: u64,
    /// Samples that go backwards in time, and those that leap by more than ten minutes.
    pub out_of_time: u64,
    /// Samples with a number that is not finite.
    pub not_finite: u64,
    /// Stretches that are no records, and records that cannot be.
    pub damaged: u64,
    /// What is logged more than once, of which the first was read.
    pub also_logged: Vec<String>,
}

/// What a log says of itself.
#[derive(Debug, Clone, PartialEq)]
pub struct LogAbout {
    /// Its format.
    pub format: LogFormat,
    /// What the vehicle or its autopilot is called.
    pub vehicle: Option<String>,
    /// What kind of vehicle it is.
    pub kind: LogVehicle,
    /// Number of rotors.
    pub rotors: Option<usize>,
    /// Parameters by name, in alphabetical order, each with its last value.
    pub parameters: Vec<(String, f64)>,
    /// Time from its first sample to the last [s].
    pub duration_s: f64,
    /// Flights in the file, each of which begins with a header of its own.
    pub flights: usize,
    /// Samples of each of [`LogReading::KINDS`].
    pub samples: [u64; LogReading::KINDS.len()],
    /// What was not given as a sample.
    pub left_out: LeftOut,
    /// Where the file ends within a record, if it does: after so many bytes.
    pub cut_at: Option<u64>,
}

impl LogAbout {
    /// Whether there are samples of a kind of reading, as [`LogReading::kind`] numbers them.
    pub fn has(&self, kind: usize) -> bool {
        self.samples[kind] > 0
    }

    /// Whether `sim fly` made it, whose gains are those of no autopilot.
    pub fn is_own(&self) -> bool {
        let named = |(name, _): &(String, f64)| name == OWN_GAIN;
        self.format == LogFormat::Ulog && self.parameters.iter().any(named)
    }
}

/// Why a log cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum FlightLogError {
    /// The file cannot be read.
    #[error("cannot read the log: {0}")]
    Read(#[from] std::io::Error),

    /// It is no log, or none that is known here.
    #[error(
        "this is no flight log: it begins with `{beginning}`; known are ULog (PX4), DataFlash .bin (ArduPilot), blackbox (Betaflight), uSD (Crazyflie), and MCAP and CSV as of `sim fly`"
    )]
    Format {
        /// Its first bytes.
        beginning: String,
    },

    /// It ends before its samples begin.
    #[error("the {format} log was cut at byte {at}, within its header")]
    Header {
        /// Its format.
        format: LogFormat,
        /// Its length.
        at: u64,
    },

    /// Its header makes no sense.
    #[error("the header of the {format} log is damaged before byte {at}: {what}")]
    Damaged {
        /// Its format.
        format: LogFormat,
        /// Where.
        at: u64,
        /// What is wrong.
        what: String,
    },

    /// Its parameters are the gains of the simulated cascade.
    #[error(
        "this is a log of `sim fly`, whose gains are those of the airframe that flew and of no autopilot: check them in a gains file (sim template gains)"
    )]
    Own,

    /// Its settings are named otherwise.
    #[error(
        "the blackbox log is of `{0}`: parameters are read in logs of Betaflight 4.3 and later; check a file of its own (`dump` in its CLI)"
    )]
    Firmware(String),

    /// A column's name does not say in what it is measured.
    #[error("the column `{column}` says no unit that is known, as {example} does")]
    Unit {
        /// Its name.
        column: String,
        /// A name with a unit.
        example: &'static str,
    },

    /// It holds nothing to learn from.
    #[error(
        "the {format} log of {bytes} bytes has no sample of motors, gyro, accelerometer, attitude, velocity or battery ({damaged} damaged records)"
    )]
    Empty {
        /// Its format.
        format: LogFormat,
        /// Its length.
        bytes: u64,
        /// Records that could not be read.
        damaged: u64,
    },
}

impl Coded for FlightLogError {
    fn exit_code(&self) -> u8 {
        match self {
            FlightLogError::Read(source) => exit::read_code(source),
            _ => exit::DATA,
        }
    }
}

/// Reads a log, calling `visit` with each sample in the file's order. Times of one kind of reading increase; times of
/// different kinds may lie a little out of order, as in the file.
///
/// # Errors
/// [`FlightLogError`]. A log that ends early is no error once there is a sample: [`LogAbout::cut_at`].
pub fn read_flight_log(
    mut input: impl Read,
    visit: &mut dyn FnMut(&LogSample),
) -> Result<LogAbout, FlightLogError> {
    let mut file = Bytes::new(&mut input);
    let format = format(file.peek(4096)?)?;
    let mut samples = Samples::new(format, visit);
    samples_of(&mut file, &mut samples)?;
    samples.finish(file.at())
}

/// Reads all of a file into `samples`, which are of its format.
fn samples_of(file: &mut Bytes, samples: &mut Samples) -> Result<(), FlightLogError> {
    match samples.about.format {
        LogFormat::Ulog => ulog::read(file, samples),
        LogFormat::Dataflash => dataflash::read(file, samples),
        LogFormat::Blackbox => blackbox::read(file, samples),
        LogFormat::Crazyflie => crazyflie::read(file, samples),
        LogFormat::Mcap => mcap::read(file, samples),
        LogFormat::Csv => csv::read(file, samples),
    }
}

/// The format of a file that begins so.
fn format(beginning: &[u8]) -> Result<LogFormat, FlightLogError> {
    let known: [(&[u8], LogFormat); 4] = [
        (&ulog::MAGIC, LogFormat::Ulog),
        (&dataflash::MAGIC, LogFormat::Dataflash),
        (&crazyflie::MAGIC, LogFormat::Crazyflie),
        (&mcap::MAGIC, LogFormat::Mcap),
    ];
    if let Some((_, format)) = known.iter().find(|(magic, _)| beginning.starts_with(magic)) {
        return Ok(*format);
    }
    if bytes::find(beginning, blackbox::MAGIC).is_some() {
        return Ok(LogFormat::Blackbox);
    }
    let line = beginning.split(|byte| *byte == b'\n').next();
    let line = line.and_then(|line| std::str::from_utf8(line).ok());
    match line.is_some_and(csv::is_header) {
        true => Ok(LogFormat::Csv),
        false => {
            let start = &beginning[..beginning.len().min(16)];
            Err(FlightLogError::Format {
                beginning: start.escape_ascii().to_string(),
            })
        }
    }
}
