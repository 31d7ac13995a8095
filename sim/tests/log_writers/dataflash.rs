//! A writer of DataFlash logs.

/// The bytes of a log.
pub struct Writer(pub Vec<u8>);

impl Writer {
    pub fn record(&mut self, id: u8, body: &[u8]) {
        self.0.extend([0xA3, 0x95, id]);
        self.0.extend(body);
    }

    /// Describes a format; `size` is that of its fields.
    pub fn format(&mut self, id: u8, size: u8, name: &str, letters: &str, columns: &str) {
        let mut body = vec![id, size + 3];
        body.extend(filled(name, 4));
        body.extend(filled(letters, 16));
        body.extend(filled(columns, 64));
        self.record(128, &body);
    }

    pub fn parameter(&mut self, name: &str, value: f32) {
        let body = [
            &0u64.to_le_bytes()[..],
            &filled(name, 16),
            &value.to_le_bytes(),
        ]
        .concat();
        self.record(1, &body);
    }
}

/// A text in its place.
pub fn filled(text: &str, size: usize) -> Vec<u8> {
    text.bytes()
        .chain(std::iter::repeat(0))
        .take(size)
        .collect()
}

pub fn floats(numbers: &[f32]) -> Vec<u8> {
    numbers
        .iter()
        .flat_map(|number| number.to_le_bytes())
        .collect()
}
