//! Fields: numbers at their places in a record, and the reading that they make.

use super::LogReading;
use super::bytes::array;
use crate::{MOST_ROTORS, PerRotor};

// The kinds of reading.
pub(super) const MOTORS: usize = LogReading::MOTORS;
pub(super) const SPEED_COMMANDS: usize = LogReading::SPEED_COMMANDS;
pub(super) const ROTOR_SPEEDS: usize = LogReading::ROTOR_SPEEDS;
pub(super) const GYRO: usize = LogReading::GYRO;
pub(super) const ACCELEROMETER: usize = LogReading::ACCELEROMETER;
pub(super) const ATTITUDE: usize = LogReading::ATTITUDE;
pub(super) const VELOCITY: usize = LogReading::VELOCITY;
pub(super) const BATTERY: usize = LogReading::BATTERY;

/// The reading of that kind with those numbers; nothing where there are too few.
pub(super) fn reading(kind: usize, numbers: &[f64]) -> Option<LogReading> {
    let count = numbers.len().min(MOST_ROTORS);
    let per_rotor = || (count > 0).then(|| PerRotor::new(count, |i| numbers[i]));
    let xyz = || numbers.get(..3)?.try_into().ok();
    Some(match kind {
        MOTORS => LogReading::Motors(per_rotor()?.map(|share| share.clamp(0.0, 1.0))),
        SPEED_COMMANDS => LogReading::SpeedCommands(per_rotor()?),
        ROTOR_SPEEDS => LogReading::RotorSpeeds(per_rotor()?),
        GYRO => LogReading::Gyro(xyz()?),
        ACCELEROMETER => LogReading::Accelerometer(xyz()?),
        ATTITUDE => LogReading::Attitude(numbers.get(..4)?.try_into().ok()?),
        VELOCITY => LogReading::Velocity(xyz()?),
        _ => LogReading::Battery(*numbers.first()?),
    })
}

/// What a format has for a kind of reading: the name of a record, its rank among those for that kind, the kind, its
/// fields with spaces between them, what one of their units is in SI, and how many numbers there are at least.
pub(super) type Source = (&'static str, u8, usize, &'static str, f64, usize);

/// Where a number lies, its type, and what one of its units is in the unit of the source.
pub(super) type Place = (usize, Number, f64);

/// Most numbers of one source.
const MOST_NUMBERS: usize = 16;

/// A source whose fields are found.
pub(super) struct Found {
    pub source: &'static Source,
    places: Vec<Place>,
}

impl Found {
    /// Finds the fields of a source by their names; an array stands for its elements.
    pub fn new(
        source: &'static Source,
        place: impl Fn(&str) -> Option<Vec<Place>>,
    ) -> Option<Found> {
        let found = source.3.split_whitespace().map_while(place);
        let places: Vec<Place> = found.flatten().take(MOST_NUMBERS).collect();
        (places.len() >= source.5).then_some(Found { source, places })
    }

    /// The reading of its numbers in a record, made by `make`.
    pub fn read<R>(&self, record: &[u8], make: impl FnOnce(&[f64]) -> Option<R>) -> Option<R> {
        let mut numbers = [0.0; MOST_NUMBERS];
        for (number, (at, kind, unit)) in numbers.iter_mut().zip(&self.places) {
            *number = self.source.4 * unit * kind.read(record, *at)?;
        }
        make(&numbers[..self.places.len()])
    }
}

/// A type of number as formats of logs have them, little endian.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Number {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F32,
    F64,
}

impl Number {
    /// The type of that letter, as in Python's `struct`.
    pub fn by_letter(letter: u8) -> Option<Number> {
        Some(match letter {
            b'b' => Number::I8,
            b'B' => Number::U8,
            b'h' => Number::I16,
            b'H' => Number::U16,
            b'i' => Number::I32,
            b'I' => Number::U32,
            b'q' => Number::I64,
            b'Q' => Number::U64,
            b'f' => Number::F32,
            b'd' => Number::F64,
            _ => return None,
        })
    }

    /// Its length.
    pub fn size(self) -> usize {
        match self {
            Number::I8 | Number::U8 => 1,
            Number::I16 | Number::U16 => 2,
            Number::I32 | Number::U32 | Number::F32 => 4,
            Number::I64 | Number::U64 | Number::F64 => 8,
        }
    }

    /// The number at that place.
    pub fn read(self, bytes: &[u8], at: usize) -> Option<f64> {
        Some(match self {
            Number::I8 => f64::from(i8::from_le_bytes(array(bytes, at)?)),
            Number::U8 => f64::from(u8::from_le_bytes(array(bytes, at)?)),
            Number::I16 => f64::from(i16::from_le_bytes(array(bytes, at)?)),
            Number::U16 => f64::from(u16::from_le_bytes(array(bytes, at)?)),
            Number::I32 => f64::from(i32::from_le_bytes(array(bytes, at)?)),
            Number::U32 => f64::from(u32::from_le_bytes(array(bytes, at)?)),
            Number::I64 => i64::from_le_bytes(array(bytes, at)?) as f64,
            Number::U64 => u64::from_le_bytes(array(bytes, at)?) as f64,
            Number::F32 => f64::from(f32::from_le_bytes(array(bytes, at)?)),
            Number::F64 => f64::from_le_bytes(array(bytes, at)?),
        })
    }
}
