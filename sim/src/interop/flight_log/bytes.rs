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
        // With room beyond, or a look that far from each byte on would move them all each time.
        if self.buffer.len() < count + CHUNK {
            self.buffer.resize(count + CHUNK, 0);
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
