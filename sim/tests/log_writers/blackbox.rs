//! A writer of blackbox logs.

/// A field of the main frames: its name, with predictor and encoding of full frames and of differences.
pub type Field = (&'static str, [i32; 4]);

/// What motors are predicted to be in full frames, and what a battery.
const LEAST_MOTOR: i32 = 158;
const BATTERY: i32 = 1680;

/// Writes numbers as the firmware does.
pub struct Writer {
    pub bytes: Vec<u8>,
    version: i32,
    fields: Vec<Field>,
    /// The first motor among the fields.
    motor: usize,
    /// The last frame and the one before.
    history: [Vec<i32>; 2],
}

impl Writer {
    /// A flight of frames with those fields, whose header says `rest` besides.
    pub fn new(version: i32, fields: &[Field], rest: &str) -> Writer {
        let list =
            |pick: &dyn Fn(&Field) -> String| fields.iter().map(pick).collect::<Vec<_>>().join(",");
        let mut header = format!(
            "H Product:Blackbox flight data recorder by Nicholas Sherlock\nH Data version:{version}\n"
        );
        header += &format!("H Field I name:{}\n", list(&|field| field.0.to_owned()));
        for (kind, what, code) in [
            ("I", "predictor", 0),
            ("I", "encoding", 1),
            ("P", "predictor", 2),
            ("P", "encoding", 3),
        ] {
            let codes = list(&|field| field.1[code].to_string());
            header += &format!("H Field {kind} {what}:{codes}\n");
        }
        header += &format!("H motorOutput:{LEAST_MOTOR},2047\nH vbatref:{BATTERY}\n{rest}");
        Writer {
            bytes: header.into_bytes(),
            version,
            fields: fields.to_vec(),
            motor: fields
                .iter()
                .position(|field| field.0 == "motor[0]")
                .expect("motors"),
            history: [vec![0; fields.len()], vec![0; fields.len()]],
        }
    }

    fn unsigned_vb(&mut self, mut number: u32) {
        while number > 127 {
            self.bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }

    fn signed_vb(&mut self, number: i32) {
        self.unsigned_vb(((number << 1) ^ (number >> 31)) as u32);
    }

    /// Three numbers of 8 to 32 bits each.
    fn by_bytes(&mut self, numbers: [i32; 3]) {
        let size = |number: i32| {
            (0..3u8)
                .find(|n| fits(number, 8 * (u32::from(*n) + 1)))
                .unwrap_or(3)
        };
        let tags = (0..3).fold(0, |tags, i| tags | size(numbers[i]) << (2 * i));
        self.bytes.push(0xc0 | tags);
        for number in numbers {
            self.bytes
                .extend(&number.to_le_bytes()[..usize::from(size(number)) + 1]);
        }
    }

    pub fn tag2_3s32(&mut self, [a, b, c]: [i32; 3]) {
        let all = |bits: u32| [a, b, c].iter().all(|number| fits(*number, bits));
        if all(2) {
            self.bytes
                .push(((a & 3) << 4 | (b & 3) << 2 | (c & 3)) as u8);
        } else if all(4) {
            self.bytes
                .extend([0x40 | (a & 15) as u8, ((b & 15) << 4 | (c & 15)) as u8]);
        } else if all(6) {
            self.bytes.extend([0x80 | (a & 63) as u8, b as u8, c as u8]);
        } else {
            self.by_bytes([a, b, c]);
        }
    }

    fn tag2_3s_variable(&mut self, [a, b, c]: [i32; 3]) {
        if fits(a, 2) && fits(b, 2) && fits(c, 2) {
            self.bytes
                .push(((a & 3) << 4 | (b & 3) << 2 | (c & 3)) as u8);
        } else if fits(a, 5) && fits(b, 5) && fits(c, 4) {
            let first = 0x40 | (a & 31) << 1 | (b & 31) >> 4;
            self.bytes
                .extend([first as u8, ((b & 15) << 4 | (c & 15)) as u8]);
        } else if fits(a, 8) && fits(b, 7) && fits(c, 7) {
            let second = (a & 3) << 6 | (b & 127) >> 1;
            self.bytes.extend([
                (0x80 | (a & 255) >> 2) as u8,
                second as u8,
                ((b & 1) << 7 | (c & 127)) as u8,
            ]);
        } else {
            self.by_bytes([a, b, c]);
        }
    }

    fn tag8_4s16(&mut self, numbers: [i32; 4]) {
        let tag = |number: i32| match number {
            0 => 0,
            _ if fits(number, 4) => 1,
            _ if fits(number, 8) => 2,
            _ => 3u8,
        };
        let mut tags = numbers.map(tag);
        if self.version < 2 {
            // Numbers of four bits come in pairs.
            let mut i = 0;
            while i < 4 {
                let pair = tags[i] == 1 && i < 3 && tags[i + 1] < 2;
                if tags[i] == 1 && !pair {
                    tags[i] = 2;
                }
                if pair {
                    tags[i + 1] = 0;
                }
                i += if pair { 2 } else { 1 };
            }
        }
        self.bytes
            .push((0..4).fold(0, |all, i| all | tags[i] << (2 * i)));
        if self.version < 2 {
            let mut i = 0;
            while i < 4 {
                match tags[i] {
                    1 => {
                        self.bytes
                            .push((numbers[i] & 15 | (numbers[i + 1] & 15) << 4) as u8);
                        i += 1;
                    }
                    2 => self.bytes.push(numbers[i] as u8),
                    3 => self.bytes.extend((numbers[i] as i16).to_le_bytes()),
                    _ => {}
                }
                i += 1;
            }
            return;
        }
        // Half bytes, the highest first.
        let mut halves = Vec::new();
        for (number, tag) in numbers.iter().zip(tags) {
            for half in (0..[0, 1, 2, 4][usize::from(tag)]).rev() {
                halves.push((number >> (4 * half) & 15) as u8);
            }
        }
        if halves.len() % 2 == 1 {
            halves.push(0);
        }
        self.bytes
            .extend(halves.chunks(2).map(|pair| pair[0] << 4 | pair[1]));
    }

    fn tag8_8svb(&mut self, numbers: &[i32]) {
        let there = (0..numbers.len()).fold(0, |all, i| all | u8::from(numbers[i] != 0) << i);
        self.bytes.push(there);
        for number in numbers.iter().filter(|number| **number != 0) {
            self.signed_vb(*number);
        }
    }

    /// A frame, in full or as what it differs from the two before.
    pub fn frame(&mut self, full: bool, now: &[i32]) {
        self.bytes.push(if full { b'I' } else { b'P' });
        let [last, other] = &self.history;
        let rest: Vec<i32> = (0..now.len())
            .map(|i| {
                let codes = self.fields[i].1;
                let predicted = match codes[if full { 0 } else { 2 }] {
                    1 => last[i],
                    2 => 2 * last[i] - other[i],
                    3 => (last[i] + other[i]) / 2,
                    5 => now[self.motor],
                    8 => 1500,
                    9 => BATTERY,
                    11 => LEAST_MOTOR,
                    _ => 0,
                };
                now[i] - predicted
            })
            .collect();
        let mut i = 0;
        while i < now.len() {
            match self.fields[i].1[if full { 1 } else { 3 }] {
                0 => self.signed_vb(rest[i]),
                1 => self.unsigned_vb(rest[i] as u32),
                3 => self.unsigned_vb((-rest[i]) as u32 & 0x3fff),
                6 => {
                    self.tag8_8svb(&rest[i..i + 2]);
                    i += 1;
                }
                7 => {
                    self.tag2_3s32([rest[i], rest[i + 1], rest[i + 2]]);
                    i += 2;
                }
                8 => {
                    self.tag8_4s16([rest[i], rest[i + 1], rest[i + 2], rest[i + 3]]);
                    i += 3;
                }
                10 => {
                    self.tag2_3s_variable([rest[i], rest[i + 1], rest[i + 2]]);
                    i += 2;
                }
                _ => {}
            }
            i += 1;
        }
        let [last, _] = std::mem::take(&mut self.history);
        let now = now.to_vec();
        self.history = if full {
            [now.clone(), now]
        } else {
            [now, last]
        };
    }
}

fn fits(number: i32, bits: u32) -> bool {
    (-(1 << (bits - 1))..1 << (bits - 1)).contains(&number)
}
