//! Seal: content under its checksum, CRC-32 (IEEE 802.3), in one JSON file, with the cell that it is and
//! the program and the arithmetic that worked it out, and numbers that JSON keeps exactly.
//!
//! Where two origins are the same, so are the contents, to the last bit. The first lines of such a file are
//! an opening brace and the checksum of every byte that follows them, so that every change of a bit is noticed.

use crate::files::{self, checksum};
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// What stands before the checksum's digits, and behind them.
const BEFORE: &str = "{\n  \"crc32\": \"";
const BEHIND: &str = "\",\n";

/// What a file holds besides its checksum.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Sealed<T> {
    /// Of a cell; `None` for anything else.
    #[serde(flatten)]
    pub(super) origin: Option<Origin>,
    pub(super) content: T,
}

/// Which cell a file holds, and what worked it out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Origin {
    #[serde(flatten)]
    pub(super) stamp: Stamp,
    /// CRC-32 of its plan.
    pub(super) plan: String,
    /// Its key.
    pub(super) cell: String,
}

/// The text of a file that holds `content` under its checksum.
pub(super) fn sealed<T: Serialize>(content: &T, origin: Option<&Origin>) -> String {
    let origin = origin.cloned();
    let whole = serde_json::to_string_pretty(&Sealed { origin, content })
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

/// What a cell was worked out by.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Stamp {
    /// Version of the program and CRC-32 of its file.
    pub build: String,
    /// The machine's instructions, and CRC-32 of what the machine's elementary functions give.
    pub arithmetic: String,
}

impl Stamp {
    /// Of this process, whose version is `version`.
    pub fn of_this_process(version: &str) -> Stamp {
        Stamp {
            build: format!("{version}-{}", program()),
            arithmetic: format!("{}, functions {}", instructions(), checksum(&functions())),
        }
    }
}

impl std::fmt::Display for Stamp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} with {}", self.build, self.arithmetic)
    }
}

/// The checksum of the file of this program; it is read once.
fn program() -> &'static str {
    static PROGRAM: OnceLock<String> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        // The running one, also where a newer one bears its name by now.
        let running = Path::new("/proc/self/exe");
        let named = || std::env::current_exe().unwrap_or_else(|_| PathBuf::from(running));
        let bytes = files::read(running, files::MOST_RECORD);
        let bytes = bytes.or_else(|_| files::read(&named(), files::MOST_RECORD));
        bytes.map_or_else(|_| "unknown".to_owned(), |bytes| checksum(&bytes))
    })
}

/// The instructions for many numbers at once among which libraries choose when a program runs; sums
/// of more numbers at once are rounded otherwise.
fn instructions() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    {
        let fused = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
        if fused && is_x86_feature_detected!("avx512f") {
            return "AVX-512";
        }
        if fused {
            return "AVX2";
        }
    }
    std::env::consts::ARCH
}

/// Values of the functions that come from the machine's own mathematical library, which chooses
/// among several ways to compute them: their last bits are its own.
fn functions() -> Vec<u8> {
    let of = |k: u32| {
        let x = 0.013 * f64::from(k) + 0.001;
        [
            x.exp(),
            x.ln(),
            x.sin(),
            x.cos(),
            x.tan(),
            x.atan2(1.7),
            x.tanh(),
            x.powf(0.37),
            x.exp_m1(),
            x.ln_1p(),
        ]
    };
    let values = (0..1000).flat_map(of);
    values.flat_map(f64::to_le_bytes).collect()
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
        let origin = Origin {
            stamp,
            plan: "01234567".to_owned(),
            cell: "a-1".to_owned(),
        };
        let text = sealed(&vec![1.5, -2e-3], Some(&origin));
        let found: Sealed<Vec<f64>> = unsealed(&text).expect("whole");
        assert_eq!(
            (found.content, found.origin),
            (vec![1.5, -2e-3], Some(origin))
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
        assert!(unsealed::<String>(&plan).expect("whole").origin.is_none());
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

    #[test]
    fn a_stamp_names_the_file_of_the_program_and_its_arithmetic() {
        let [one, again] = [(); 2].map(|()| Stamp::of_this_process("1"));
        assert_eq!(one, again);
        let own = std::env::current_exe().expect("this test");
        let own = checksum(&std::fs::read(own).expect("readable"));
        assert_eq!(one.build, format!("1-{own}"));
        assert!(one.arithmetic.starts_with(instructions()), "{one}");
        assert_ne!(one, Stamp::of_this_process("2"));
    }
}
