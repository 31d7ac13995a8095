//! Frames of a blackbox log: numbers in nine encodings, each the difference from a prediction.

use super::bytes::array;

/// Values that the predictions of a frame are made from, beside the frames before.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Constants {
    /// Of the format.
    pub version: i32,
    pub min_throttle: i32,
    pub min_motor: i32,
    pub battery: i32,
    /// Which field is the first motor.
    pub motor: usize,
}

/// How the fields of a kind of frame are written.
#[derive(Debug, Clone, Default)]
pub(super) struct Layout {
    pub predictors: Vec<i32>,
    pub encodings: Vec<i32>,
}

/// Bytes, and the place in them.
pub(super) struct Place<'a> {
    pub bytes: &'a [u8],
    pub at: usize,
}

impl Place<'_> {
    pub fn byte(&mut self) -> Option<u8> {
        self.at += 1;
        self.bytes.get(self.at - 1).copied()
    }

    /// As many bytes as `N`, little endian.
    fn signed<const N: usize>(&mut self) -> Option<i32> {
        self.at += N;
        let bytes: [u8; N] = array(self.bytes, self.at - N)?;
        let unsigned = bytes
            .iter()
            .rev()
            .fold(0, |sum, byte| sum << 8 | u32::from(*byte));
        Some(extended(unsigned, 8 * N as u32))
    }

    /// Seven bits a byte, the lowest first; the highest bit says that more follow.
    pub fn unsigned_vb(&mut self) -> Option<u32> {
        let mut number = 0;
        for shift in (0..35).step_by(7) {
            let byte = self.byte()?;
            number |= u32::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    /// Likewise with the sign in the lowest bit.
    pub fn signed_vb(&mut self) -> Option<i32> {
        let unsigned = self.unsigned_vb()?;
        Some((unsigned >> 1) as i32 ^ -((unsigned & 1) as i32))
    }

    /// Three numbers of as many bits as a tag of two bits says: `narrow`, or by another tag each.
    fn three(&mut self, bits: [[u32; 3]; 3]) -> Option<[i32; 3]> {
        let head = self.byte()?;
        if let Some(bits) = bits.get(usize::from(head >> 6)) {
            let (mut held, mut left) = (u32::from(head & 0x3f), 6);
            let total: u32 = bits.iter().sum();
            while left < total {
                held = held << 8 | u32::from(self.byte()?);
                left += 8;
            }
            // The numbers stand at the end; what is between them and the tag is padding.
            let mut below = total;
            return Some(bits.map(|bits| {
                below -= bits;
                extended(held >> below, bits)
            }));
        }
        let mut numbers = [0; 3];
        for (i, number) in numbers.iter_mut().enumerate() {
            *number = match head >> (2 * i) & 3 {
                0 => self.signed::<1>()?,
                1 => self.signed::<2>()?,
                2 => self.signed::<3>()?,
                _ => self.signed::<4>()?,
            };
        }
        Some(numbers)
    }

    /// Three numbers of 2, 4 or 6 bits, in a byte, in one and a half or in three with two bits unused each, or of whole
    /// bytes.
    fn tag2_3s32(&mut self) -> Option<[i32; 3]> {
        if self.bytes.get(self.at)? >> 6 == 2 {
            let mut number = || Some(extended(u32::from(self.byte()?), 6));
            return Some([number()?, number()?, number()?]);
        }
        self.three([[2; 3], [4; 3], [0; 3]])
    }

    /// Four numbers of 0, 4, 8 or 16 bits, as a byte of tags says; in version 1 a pair of tags of 4 bits shares a byte.
    fn tag8_4s16(&mut self, version: i32) -> Option<[i32; 4]> {
        let tags = self.byte()?;
        let (mut numbers, mut half) = ([0; 4], None);
        let mut i = 0;
        while i < 4 {
            let bits = [0, 4, 8, 16][usize::from(tags >> (2 * i) & 3)];
            if version < 2 {
                match bits {
                    4 => {
                        let both = u32::from(self.byte()?);
                        numbers[i] = extended(both, 4);
                        i += 1;
                        *numbers.get_mut(i)? = extended(both >> 4, 4);
                    }
                    8 => numbers[i] = self.signed::<1>()?,
                    16 => numbers[i] = self.signed::<2>()?,
                    _ => {}
                }
            } else {
                let mut number = 0;
                for _ in 0..bits / 4 {
                    let four = match half.take() {
                        Some(four) => four,
                        None => {
                            let byte = self.byte()?;
                            half = Some(byte & 0x0f);
                            byte >> 4
                        }
                    };
                    number = number << 4 | u32::from(four);
                }
                numbers[i] = if bits > 0 { extended(number, bits) } else { 0 };
            }
            i += 1;
        }
        Some(numbers)
    }

    /// Up to eight numbers, of which a byte says which are not 0; a single one stands alone.
    fn tag8_8svb(&mut self, count: usize) -> Option<[i32; 8]> {
        let mut numbers = [0; 8];
        let there = if count == 1 { 1 } else { self.byte()? };
        for (i, number) in numbers.iter_mut().enumerate() {
            if there >> i & 1 == 1 {
                *number = self.signed_vb()?;
            }
        }
        Some(numbers)
    }
}

/// The number whose lowest bits these are, the highest of which is its sign.
fn extended(bits: u32, count: u32) -> i32 {
    ((bits << (32 - count)) as i32) >> (32 - count)
}

impl Layout {
    /// Whether all its encodings and predictors are known, one of each a field.
    pub fn is_known(&self) -> bool {
        let known = |code: &i32| matches!(code, 0 | 1 | 3 | 6..=10);
        self.encodings.len() == self.predictors.len()
            && self.encodings.iter().all(known)
            && self.predictors.iter().all(|code| (0..=11).contains(code))
    }

    /// Reads a frame into `frame`; `before` are the two frames before it, `skipped` how many iterations lie between.
    pub fn read(
        &self,
        from: &mut Place,
        constants: &Constants,
        before: [&[i32]; 2],
        skipped: i32,
        frame: &mut [i32],
    ) -> Option<()> {
        let count = self.predictors.len().min(frame.len());
        let mut i = 0;
        while i < count {
            let mut values = [0; 8];
            let alike = self.encodings[i..]
                .iter()
                .take(8)
                .take_while(|other| **other == 6)
                .count();
            let many = match self.encodings[i] {
                // A field that only counts is not written.
                _ if self.predictors[i] == 6 => {
                    values[0] = skipped.wrapping_add(1);
                    1
                }
                6 => {
                    values = from.tag8_8svb(alike)?;
                    alike
                }
                7 => {
                    values[..3].copy_from_slice(&from.tag2_3s32()?);
                    3
                }
                8 => {
                    values[..4].copy_from_slice(&from.tag8_4s16(constants.version)?);
                    4
                }
                10 => {
                    let three = from.three([[2; 3], [5, 5, 4], [8, 7, 7]])?;
                    values[..3].copy_from_slice(&three);
                    3
                }
                one => {
                    values[0] = match one {
                        0 => from.signed_vb()?,
                        1 => from.unsigned_vb()? as i32,
                        3 => -extended(from.unsigned_vb()?, 14),
                        _ => 0,
                    };
                    1
                }
            };
            for value in values.iter().take(many.min(count - i)) {
                let predicted = constants.predicted(self.predictors[i], i, before, frame);
                frame[i] = value.wrapping_add(predicted);
                i += 1;
            }
        }
        Some(())
    }
}

impl Constants {
    /// What a field is expected to be.
    fn predicted(&self, predictor: i32, field: usize, before: [&[i32]; 2], frame: &[i32]) -> i32 {
        let [last, other] = before.map(|frame| frame.get(field).copied().unwrap_or(0));
        match predictor {
            1 | 6 => last,
            2 => last.wrapping_mul(2).wrapping_sub(other),
            3 => last.wrapping_add(other) / 2,
            4 => self.min_throttle,
            5 => frame.get(self.motor).copied().unwrap_or(0),
            8 => 1500,
            9 => self.battery,
            11 => self.min_motor,
            // 7 and 10 are of frames of positions, of which only the length counts.
            _ => 0,
        }
    }
}
