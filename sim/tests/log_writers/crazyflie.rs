//! A writer of the Crazyflie's logs.

/// A kind of event: its id, its name, and its variables with the letters of their types.
pub type Kind<'a> = (u16, &'a str, &'a [&'a str]);

/// The bytes of a log of that version, 1 or 2.
pub struct Writer {
    version: u16,
    bytes: Vec<u8>,
}

impl Writer {
    /// A log of such events.
    pub fn new(version: u16, kinds: &[Kind]) -> Writer {
        let mut bytes = vec![0xBC];
        bytes.extend(version.to_le_bytes());
        bytes.extend((kinds.len() as u16).to_le_bytes());
        for (id, name, variables) in kinds {
            bytes.extend(id.to_le_bytes());
            bytes.extend(name.bytes().chain([0]));
            bytes.extend((variables.len() as u16).to_le_bytes());
            for variable in *variables {
                bytes.extend(variable.bytes().chain([0]));
            }
        }
        Writer { version, bytes }
    }

    /// An event at that time.
    pub fn event(&mut self, id: u16, time_us: u64, body: &[u8]) {
        self.bytes.extend(id.to_le_bytes());
        match self.version {
            1 => self.bytes.extend(((time_us / 1000) as u32).to_le_bytes()),
            _ => self.bytes.extend(time_us.to_le_bytes()),
        }
        self.bytes.extend(body);
    }

    /// The whole log, with a checksum that nobody looks at.
    pub fn whole(mut self) -> Vec<u8> {
        self.bytes.extend([1, 2, 3, 4]);
        self.bytes
    }
}
