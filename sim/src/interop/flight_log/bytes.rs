//! A file that is read once, with a view of its next bytes.

use std::io::{ErrorKind, Read, Result};

/// Bytes that are read at a time.
const CHUNK: usize = 1 << 16;

/// A file and the place in it.
pub(super) struct Bytes<'a> {
    input: &'a mut dyn Read,
    buffer: Vec<u8>,
    /// What of the buffer is read and not yet behind.
    start: usize,
    end: usize,
    ended: bool,
    at: u64,
}

impl<'a> Bytes<'a> {
    pub fn new(input: &'a mut dyn Read) -> Bytes<'a> {
        Bytes {
            input,
            buffer: vec![0; CHUNK],
            start: 0,
            end: 0,
            ended: false,
            at: 0,
        }
    }

    /// Place of the next byte.
    pub fn at(&self) -> u64 {
        self.at
    }

    /// The next `count` bytes, fewer only at the end of the file.
    pub fn peek(&mut self, count: usize) -> Result<&[u8]> {
        if self.end - self.start < count && !self.ended {
            self.fill(count)?;
        }
        let there = count.min(self.end - self.start);
        Ok(&self.buffer[self.start..self.start + there])
    }

    fn fill(&mut self, count: usize) -> Result<()> {
        self.buffer.copy_within(self.start..self.end, 0);
        self.end -= self.start;
        self.start = 0;
        if self.buffer.len() < count {
            self.buffer.resize(count, 0);
        }
        while self.end < count && !self.ended {
            match self.input.read(&mut self.buffer[self.end..]) {
                Ok(0) => self.ended = true,
                Ok(read) => self.end += read,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Leaves that many bytes behind; whether there were as many.
    pub fn skip(&mut self, mut count: u64) -> Result<bool> {
        while count > 0 {
            let there = self.peek(1)?.len();
            if there == 0 {
                return Ok(false);
            }
            let step = count.min((self.end - self.start) as u64);
            self.start += step as usize;
            self.at += step;
            count -= step;
        }
        Ok(true)
    }

    /// Leaves bytes behind up to the next place at which `wanted` stands, or all; whether it was found.
    pub fn skip_to(&mut self, wanted: &[u8]) -> Result<bool> {
        loop {
            let next = self.peek(CHUNK / 2)?;
            if let Some(place) = find(next, wanted) {
                return self.skip(place as u64);
            }
            if next.len() < wanted.len() {
                let rest = next.len() as u64;
                self.skip(rest)?;
                return Ok(false);
            }
            let none = (next.len() + 1 - wanted.len()) as u64;
            self.skip(none)?;
        }
    }

    /// Length of the next line with its end, if it is at most `most` bytes long; a last line may lack its end.
    pub fn line(&mut self, most: usize) -> Result<Option<usize>> {
        let mut ask = most.min(512);
        loop {
            let next = self.peek(ask)?;
            if let Some(end) = next.iter().position(|byte| *byte == b'\n') {
                return Ok(Some(end + 1));
            }
            if next.len() < ask {
                return Ok(Some(next.len()));
            }
            if ask == most {
                return Ok(None);
            }
            ask = most.min(4 * ask);
        }
    }
}

/// Where `wanted` first stands.
pub(super) fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|part| part == wanted)
}

/// A number of `N` bytes from that place on.
pub(super) fn array<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..at.checked_add(N)?)?.try_into().ok()
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
