//! Seal: content under its checksum, CRC-32 (IEEE 802.3), in one JSON file, and numbers that JSON keeps exactly.
//!
//! The first lines of such a file are an opening brace and the checksum of every byte that follows
//! them, so that every change of a bit is noticed.

use super::stamp::Stamp;
use crate::files::checksum;
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// What stands before the checksum's digits, and behind them.
const BEFORE: &str = "{\n  \"crc32\": \"";
const BEHIND: &str = "\",\n";

/// What a file holds besides its checksum.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Sealed<T> {
    /// What worked the content out; `None` for a plan.
    #[serde(flatten)]
    pub(super) stamp: Option<Stamp>,
    pub(super) content: T,
}

/// The text of a file that holds `content` under its checksum.
pub(super) fn sealed<T: Serialize>(content: &T, stamp: Option<&Stamp>) -> String {
    let stamp = stamp.cloned();
    let whole = serde_json::to_string_pretty(&Sealed { stamp, content })
        .expect("names and numbers are always representable");
    let rest = format!("{}\n", whole.trim_start_matches("{\n"));
    format!("{BEFORE}{}{BEHIND}{rest}", checksum(rest.as_bytes()))
}

/// That `text` is, to the bit, what was written, or why not.
pub(super) fn check(text: &str) -> Result<(), String> {
    let rest = text.strip_prefix(BEFORE).and_then(|text| {
        let (crc32, rest) = text.split_at_checked(8)?;
        let rest = rest.strip_prefix(BEHIND)?;
        (crc32 == checksum(rest.as_bytes())).then_some(())
    });
    rest.ok_or_else(|| "its content does not match its checksum".to_owned())
}

/// What the text of such a file holds, or why that is not what was written.
pub(super) fn unsealed<T: DeserializeOwned>(text: &str) -> Result<Sealed<T>, String> {
    check(text)?;
    serde_json::from_str(text).map_err(|error| error.to_string())
}

/// A number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Exact(pub f64);

impl Serialize for Exact {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.is_finite() {
            true => serializer.serialize_f64(self.0),
            false => serializer.collect_str(&self.0),
        }
    }
}

/// As it stands in a file.
#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Number(f64),
    Word(String),
}

impl<'de> Deserialize<'de> for Exact {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Exact, D::Error> {
        match Written::deserialize(deserializer)? {
            Written::Number(number) => Ok(Exact(number)),
            Written::Word(word) => word.parse().map(Exact).map_err(D::Error::custom),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_bit_of_a_sealed_text_can_change_unseen() {
        let stamp = Stamp {
            build: "0-1".to_owned(),
            arithmetic: "portable".to_owned(),
        };
        let text = sealed(&vec![1.5, -2e-3], Some(&stamp));
        let found: Sealed<Vec<f64>> = unsealed(&text).expect("whole");
        assert_eq!(
            (found.content, found.stamp),
            (vec![1.5, -2e-3], Some(stamp))
        );
        for bit in 0..8 * text.len() {
            let mut flipped = text.clone().into_bytes();
            flipped[bit / 8] ^= 1 << (bit % 8);
            if let Ok(flipped) = String::from_utf8(flipped) {
                check(&flipped).expect_err("changed");
            }
        }
        for cut in 0..text.len() {
            check(&text[..cut]).expect_err("cut");
        }
        let plan = sealed(&"plan", None);
        assert!(unsealed::<String>(&plan).expect("whole").stamp.is_none());
        unsealed::<u32>(&plan).expect_err("another form");
    }

    #[test]
    fn every_number_comes_back() {
        for number in [
            0.1 + 0.2,
            -0.0,
            5e-324,
            f64::MAX,
            f64::INFINITY,
            f64::NEG_INFINITY,
        ] {
            let text = serde_json::to_string(&Exact(number)).expect("representable");
            let back: Exact = serde_json::from_str(&text).expect("a number");
            assert_eq!(back.0.to_bits(), number.to_bits(), "{text}");
        }
        let back: Exact = serde_json::from_str("\"NaN\"").expect("a number");
        assert!(back.0.is_nan());
        assert!(serde_json::from_str::<Exact>("\"x\"").is_err());
    }
}
