//! Scan: what the bytes of a journal are.

use super::entry::{EARLIER, Entry, Header, SCHEMA, Tested, header_of};
use super::records::{Damage, Fault, Records};
use crate::files::checksum;
use crate::flights::evaluation::Evaluation;
use serde::de::DeserializeOwned;
use shell::Failure;
use sim::Gains;
use std::path::Path;

/// Characters of a checksum and the space behind it.
const BEFORE_JSON: usize = 9;

/// What a journal holds.
#[derive(Debug, Clone, PartialEq)]
pub struct Contents {
    /// What run it belongs to.
    pub header: Header,
    /// Its evaluations in order.
    pub trials: Vec<Evaluation>,
    /// Its tests in order.
    pub tests: Vec<Tested>,
    /// Whether the run is whole.
    pub ended: bool,
}

/// What the bytes of a journal are.
#[derive(Debug, Clone, PartialEq)]
pub struct ScanOf<R> {
    /// What the whole records say; `None` if not even the header is whole.
    pub contents: Option<R>,
    /// Bytes of the whole records before any damage.
    pub whole: usize,
    /// Where the first record stands that is not what was written. An unfinished last record is
    /// no damage.
    pub damage: Option<Damage>,
}

impl Contents {
    /// The test in this domain of the gains called `name`, if it was made with exactly these: another
    /// build may recommend others from the same flights.
    pub fn test(&self, name: &str, gains: &Gains, domain: &str) -> Option<&Tested> {
        let mut tests = self.tests.iter();
        tests.find(|made| made.is_of(name, gains, domain))
    }
}

impl Records for Contents {
    type Entry = Entry;

    const NAME: &'static str = super::NAME;

    fn begun(header: Entry) -> Result<Contents, Fault> {
        match header {
            Entry::Header(header) if [SCHEMA, EARLIER].contains(&header.schema.as_str()) => {
                Ok(Contents {
                    header,
                    trials: Vec::new(),
                    tests: Vec::new(),
                    ended: false,
                })
            }
            Entry::Header(_) => Err(Fault::Kind),
            _ => Err(Fault::Header),
        }
    }

    fn admits(&self, entry: &Entry) -> bool {
        let trials = self.trials.len() as u64;
        !self.ended
            && match entry {
                Entry::Header(_) => false,
                Entry::Trial(trial) => self.tests.is_empty() && trial.number == trials,
                Entry::Test(_) => true,
                Entry::End { trials: said } => *said == trials,
            }
    }

    fn add(&mut self, entry: Entry) {
        match entry {
            Entry::Header(header) => self.header = header,
            Entry::Trial(trial) => self.trials.push(trial),
            Entry::Test(test) => self.tests.push(test),
            Entry::End { .. } => self.ended = true,
        }
    }

    fn count(&self) -> u64 {
        self.trials.len() as u64
    }

    fn rewritten_header(folder: &Path, bytes: &[u8]) -> Result<Option<Vec<u8>>, Failure> {
        header_of(folder, bytes)
    }
}

/// Reads a journal as far as it is whole.
pub fn scan<R: Records>(bytes: &[u8]) -> ScanOf<R> {
    let mut contents: Option<R> = None;
    let mut whole = 0;
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let Some(record) = line.strip_suffix(b"\n") else {
            // The last record was not finished.
            break;
        };
        if let Err(fault) = read(record).and_then(|entry| place(&mut contents, entry)) {
            return ScanOf {
                contents,
                whole,
                damage: Some(Damage {
                    offset: whole,
                    fault,
                }),
            };
        }
        whole += line.len();
    }
    let damage = contents.is_none().then_some(Damage::NO_HEADER);
    ScanOf {
        contents,
        whole,
        damage,
    }
}

/// The entry of one line.
fn read<E: DeserializeOwned>(record: &[u8]) -> Result<E, Fault> {
    if record.len() < BEFORE_JSON || record[BEFORE_JSON - 1] != b' ' {
        return Err(Fault::Form);
    }
    let json = &record[BEFORE_JSON..];
    // Compared as text: an upper-case digit is not what was written.
    if record[..BEFORE_JSON - 1] != *checksum(json).as_bytes() {
        return Err(Fault::Checksum);
    }
    serde_json::from_slice(json).map_err(|_| Fault::Kind)
}

fn place<R: Records>(contents: &mut Option<R>, entry: R::Entry) -> Result<(), Fault> {
    match contents {
        None => *contents = Some(R::begun(entry)?),
        Some(contents) if contents.admits(&entry) => contents.add(entry),
        Some(_) => return Err(Fault::Order),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flights::held_out::Test;

    fn scan(bytes: &[u8]) -> ScanOf<Contents> {
        super::scan(bytes)
    }

    fn line(json: &str) -> String {
        format!("{} {json}\n", checksum(json.as_bytes()))
    }

    fn header() -> String {
        line(&format!(
            r#"{{"record":"header","schema":"{SCHEMA}","windhover":"1.0","config":""}}"#
        ))
    }

    fn trial(number: u64) -> String {
        line(&format!(
            r#"{{"record":"trial","number":{number},"x":[0.5],"origin":"initial","cost_m":0.3,"crashed":false,"flights":[]}}"#
        ))
    }

    fn test(gains: &str, domain: &str) -> String {
        line(&format!(
            r#"{{"record":"test","gains":"{gains}","domain":"{domain}","ace_m":[0.2],"lost":[]}}"#
        ))
    }

    fn end(trials: u64) -> String {
        line(&format!(r#"{{"record":"end","trials":{trials}}}"#))
    }

    /// What is wrong with the last of `lines`, those before being in order.
    fn fault(lines: &[String]) -> Option<Fault> {
        let text = lines.concat();
        let before = text.len() - lines.last().expect("a line").len();
        scan(text.as_bytes()).damage.map(|damage| {
            assert_eq!(damage.offset, before);
            damage.fault
        })
    }

    #[test]
    fn records_stand_in_their_order_only() {
        let order = Some(Fault::Order);
        assert_eq!(fault(&[header(), trial(0), trial(1)]), None);
        assert_eq!(fault(&[header(), trial(0), trial(0)]), order);
        assert_eq!(fault(&[header(), trial(1)]), order);
        assert_eq!(fault(&[header(), header()]), order);
        assert_eq!(fault(&[trial(0)]), Some(Fault::Header));
        // Tests end the evaluations, and are not counted among them.
        let tested = [header(), trial(0), test("default", "gusty")];
        assert_eq!(fault(&tested), None);
        assert_eq!(fault(&[&tested[..], &[trial(1)]].concat()), order);
        assert_eq!(fault(&[&tested[..], &[end(1)]].concat()), None);
        assert_eq!(fault(&[&tested[..], &[end(2)]].concat()), order);
        let whole = [&tested[..], &[end(1)]].concat();
        for more in [header(), trial(1), test("default", "steady"), end(1)] {
            assert_eq!(fault(&[&whole[..], &[more]].concat()), order);
        }
        let contents = scan(whole.concat().as_bytes()).contents.expect("whole");
        assert!(contents.ended && contents.trials.len() == 1 && contents.tests.len() == 1);
    }

    #[test]
    fn what_is_no_record_is_told_by_its_fault() {
        let of = |line: &str| fault(&[header(), line.to_owned()]);
        assert_eq!(of("\n"), Some(Fault::Form));
        assert_eq!(of("0123456\n"), Some(Fault::Form));
        assert_eq!(of("01234567\n"), Some(Fault::Form));
        assert_eq!(of(&header().replacen(' ', "_", 1)), Some(Fault::Form));
        // A checksum, a space and no text: the form is right.
        assert_eq!(of("01234567 \n"), Some(Fault::Checksum));
        assert_eq!(of("00000000 \n"), Some(Fault::Kind));
        assert_eq!(of(&line(r#"{"record":"other"}"#)), Some(Fault::Kind));
        assert_eq!(of(&end(0).replacen('0', "1", 1)), Some(Fault::Checksum));
        let later = header().replace("journal/2", "journal/9");
        assert_eq!(
            fault(&[line(&later[9..later.len() - 1])]),
            Some(Fault::Kind)
        );
    }

    #[test]
    fn an_unfinished_record_is_no_damage_and_an_empty_journal_has_no_header() {
        let text = header() + trial(0).trim_end();
        let found = scan(text.as_bytes());
        assert_eq!((found.damage, found.whole), (None, header().len()));
        assert!(found.contents.is_some_and(|it| it.trials.is_empty()));
        let partial = scan(header().trim_end().as_bytes());
        assert_eq!(partial.damage, Some(Damage::NO_HEADER));
        assert_eq!((partial.contents, partial.whole), (None, 0));
    }

    #[test]
    fn a_test_is_found_by_its_name_its_gains_and_its_domain() {
        let flown = sim::Airframe::omac().gains;
        let mut other = flown;
        other.position_xy.kp += 1e-12;
        let named = |name: &str, flown: Option<Gains>| {
            let test = Test::of("gusty".to_owned(), vec![0.2], vec![]);
            let gains = name.to_owned();
            let entry = Entry::Test(Tested { gains, flown, test });
            line(&serde_json::to_string(&entry).expect("JSON"))
        };
        let lines = [
            header(),
            named("recommended", None),
            named("recommended", Some(other)),
            named("recommended", Some(flown)),
        ];
        let contents = scan(lines.concat().as_bytes()).contents.expect("whole");
        let found = |name, domain| contents.test(name, &flown, domain);
        assert_eq!(found("recommended", "gusty"), Some(&contents.tests[2]));
        assert_eq!(found("recommended", "steady"), None);
        assert_eq!(found("observed", "gusty"), None);
    }
}
