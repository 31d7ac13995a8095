//! Seed: how a seed stands in JSON. Many readers hold numbers as doubles, exact below 2⁵³ alone, and would
//! fly another wind; a greater seed is a string. Either form is read.

use serde::{Deserialize, Deserializer, Serializer, de};

/// Seeds from here on are strings.
const EXACT: u64 = 1 << 53;

#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Number(u64),
    Text(String),
}

/// A number where every reader keeps it, else a string.
///
/// # Errors
/// Those of the serializer.
pub fn serialize<S: Serializer>(seed: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    match *seed < EXACT {
        true => serializer.serialize_u64(*seed),
        false => serializer.collect_str(seed),
    }
}

/// Either form.
///
/// # Errors
/// What is no whole number from 0 to 2⁶⁴ - 1.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    match Written::deserialize(deserializer)? {
        Written::Number(seed) => Ok(seed),
        Written::Text(text) => text.parse().map_err(de::Error::custom),
    }
}

#[cfg(test)]
mod tests {
    use crate::flights::tuning::Weather;

    #[test]
    fn great_seeds_are_strings_and_both_forms_are_read() {
        for (seed, written) in [
            (7, "7"),
            ((1 << 53) - 1, "9007199254740991"),
            (1 << 53, "\"9007199254740992\""),
            (u64::MAX, "\"18446744073709551615\""),
        ] {
            let weather = Weather {
                domain: "gusty".to_owned(),
                seed,
            };
            let text = serde_json::to_string(&weather).unwrap();
            assert_eq!(text, format!("{{\"domain\":\"gusty\",\"seed\":{written}}}"));
            assert_eq!(serde_json::from_str::<Weather>(&text).unwrap(), weather);
            let number = text.replace(written, &seed.to_string());
            assert_eq!(serde_json::from_str::<Weather>(&number).unwrap(), weather);
        }
    }
}
