//! Exact: a number that JSON keeps whatever it is: it has no word for what is not finite.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

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
