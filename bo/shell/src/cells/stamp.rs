//! Stamp: which program worked a cell out, and with which arithmetic. Where both are the same, so are
//! the cells, to the last bit.

use crate::files::{self, checksum};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

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
