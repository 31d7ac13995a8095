//! Entry: one record of a run's journal, and its first one, the header, made again where it is damaged.

use super::records::line;
use crate::files;
use crate::flights::evaluation::Evaluation;
use crate::flights::held_out::Test;
use serde::{Deserialize, Serialize};
use shell::Failure;
use sim::{ACE_CAP_M, Gains};
use std::path::Path;

/// Name and version of the form of a journal.
pub const SCHEMA: &str = "windhover-journal/2";

/// That of the version before, which said `crashed` for `lost` and did not name the gains of an
/// evaluation: its journals can be looked at and verified.
pub(super) const EARLIER: &str = "windhover-journal/1";

/// One record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "record", rename_all = "snake_case")]
pub enum Entry {
    /// The first: what run this is.
    Header(Header),
    /// An evaluation.
    Trial(Evaluation),
    /// The test of one candidate's gains in one domain.
    Test(Tested),
    /// The last: the run is whole.
    End {
        /// Evaluations in all.
        trials: u64,
    },
}

/// What run a journal belongs to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// [`SCHEMA`].
    pub schema: String,
    /// Version of the program: another one may make other numbers.
    pub windhover: String,
    /// The effective study file.
    pub config: String,
}

/// Gains in the held-out winds of one domain.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Tested {
    /// Whose gains: `default`, `recommended` or `observed`.
    pub gains: String,
    /// The gains flown; `None` in journals of earlier builds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flown: Option<Gains>,
    /// Its flights.
    #[serde(flatten)]
    pub test: Test,
}

impl Tested {
    /// Whether these gains, called `name`, were flown in this domain.
    pub fn is_of(&self, name: &str, gains: &Gains, domain: &str) -> bool {
        self.gains == name && self.flown.as_ref() == Some(gains) && self.test.domain == domain
    }

    /// What is wrong with it as a test in `winds` held-out winds, if anything.
    pub fn fault(&self, winds: u64) -> Option<&'static str> {
        let Test { ace_m, lost, .. } = &self.test;
        if ace_m.len() as u64 != winds {
            Some("the number of flights")
        } else if !lost.is_sorted_by(|a, b| a < b) || lost.iter().any(|wind| *wind >= winds) {
            Some("the lost flights")
        } else if !ace_m.iter().all(|ace| (0.0..=ACE_CAP_M).contains(ace)) {
            Some("the cost of a flight")
        } else {
            None
        }
    }
}

/// Name of the study file with a journal; it holds the text of the header.
const STUDY: &str = "config.toml";

/// The line of the header that the damaged journal `bytes` began with, if the study file in
/// `folder` is the one that it held: at least half of its bytes stand there.
pub(super) fn header_of(folder: &Path, bytes: &[u8]) -> Result<Option<Vec<u8>>, Failure> {
    let Ok(config) = files::read_text(&folder.join(STUDY), files::MOST_TEXT) else {
        return Ok(None);
    };
    let header = Header {
        schema: SCHEMA.to_owned(),
        windhover: version_in(bytes).unwrap_or_else(|| env!("CARGO_PKG_VERSION").to_owned()),
        config,
    };
    let line = line(&Entry::Header(header))?;
    let equal = line
        .iter()
        .zip(bytes)
        .filter(|(ours, theirs)| ours == theirs);
    Ok((2 * equal.count() >= line.len()).then_some(line))
}

/// The version of the program that a damaged header still names.
fn version_in(bytes: &[u8]) -> Option<String> {
    const BEFORE: &[u8] = b"\"windhover\":\"";
    let at = bytes
        .windows(BEFORE.len())
        .position(|found| found == BEFORE)?;
    let rest = &bytes[at + BEFORE.len()..];
    let version: Vec<u8> = rest
        .iter()
        .copied()
        .take_while(|byte| *byte != b'"')
        .take(32)
        .collect();
    let legal = |byte: &u8| byte.is_ascii_alphanumeric() || b".-+".contains(byte);
    let legal = !version.is_empty() && version.iter().all(legal);
    legal.then(|| String::from_utf8(version).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::super::records::line;
    use super::*;

    fn tested(ace_m: Vec<f64>, lost: Vec<u64>) -> Tested {
        Tested {
            gains: "default".to_owned(),
            flown: None,
            test: Test::of("gusty".to_owned(), ace_m, lost),
        }
    }

    #[test]
    fn a_test_is_at_fault_where_no_run_would_make_it() {
        let fault = |ace_m: &[f64], lost: &[u64]| tested(ace_m.to_vec(), lost.to_vec()).fault(3);
        assert_eq!(fault(&[0.0, 0.3, ACE_CAP_M], &[0, 2]), None);
        for ace_m in [&[0.1, 0.2][..], &[0.1, 0.2, 0.3, 0.4]] {
            assert_eq!(fault(ace_m, &[]), Some("the number of flights"));
        }
        for lost in [&[3][..], &[1, 1], &[2, 1]] {
            assert_eq!(fault(&[0.1, 0.2, 0.3], lost), Some("the lost flights"));
        }
        for ace in [-0.01, ACE_CAP_M + 0.01] {
            let cost = Some("the cost of a flight");
            assert_eq!(fault(&[0.1, 0.2, ace], &[]), cost);
        }
    }

    #[test]
    fn a_record_that_would_not_read_back_is_not_written() {
        let whole = line(&Entry::End { trials: 7 }).expect("a record");
        assert!(whole.ends_with(b" {\"record\":\"end\",\"trials\":7}\n"));
        assert!(line(&Entry::Test(tested(vec![f64::NAN], vec![]))).is_err());
    }

    #[test]
    fn the_version_is_read_from_what_is_left_of_a_header() {
        let version = |text: &str| version_in(text.as_bytes());
        let said = Some("0.2.0-rc.1+b2".to_owned());
        assert_eq!(version(r#"#?{"windhover":"0.2.0-rc.1+b2","con"#), said);
        assert_eq!(version(r#""windhover":"0.2.0-rc.1+b2"#), said);
        for damaged in [
            "",
            r#""windhover":""#,
            r#""windhover":"","config":"#,
            r#""windhover":"0.2 0","config":"#,
            r#""windhower":"0.2.0","config":"#,
        ] {
            assert_eq!(version(damaged), None, "{damaged}");
        }
        let long = format!("\"windhover\":\"{}", "1".repeat(40));
        assert_eq!(version(&long), Some("1".repeat(32)));
    }
}
