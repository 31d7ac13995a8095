//! Recorded: a domain whose wind is that of a file.

use super::Domain;
use crate::error::{Error, Range, RecordFault};
use crate::wind::gust::DiscreteGust;
use crate::wind::record::{Part, Split, WindFile, WindRecord};
use serde::{Deserialize, Serialize};

/// What a split that is not there must be.
const TWO_LISTS: &str = "tune and test together, or block_s in place of both";

/// Slowest and longest that a domain may have [m/s], [m].
const LEAST: f64 = 0.01;

/// A domain of a record, as a file has it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Recorded {
    name: String,
    /// The file with t, u, v, w.
    record: String,
    /// What its bytes must have.
    #[serde(skip_serializing_if = "Option::is_none")]
    crc32: Option<String>,
    #[serde(default)]
    part: Part,
    #[serde(skip_serializing_if = "Option::is_none")]
    tune: Option<Vec<[f64; 2]>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    test: Option<Vec<[f64; 2]>>,
    /// In place of tune and test: alternating blocks.
    #[serde(skip_serializing_if = "Option::is_none")]
    block_s: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tune_share: Option<f64>,
    /// Speed with which discrete gusts pass, in place of the mean wind's.
    #[serde(skip_serializing_if = "Option::is_none")]
    reference_speed_m_s: Option<f64>,
    /// Height of the measurement; turbulence is added if it is given [m].
    #[serde(skip_serializing_if = "Option::is_none")]
    turbulence_height_m: Option<f64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    gusts: Vec<DiscreteGust>,
    /// The file's text, in place of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    csv: Option<String>,
}

/// Reads a domain of a record; `open` reads its file.
pub(super) fn from_toml<E: From<Error>>(
    text: &str,
    open: impl FnOnce(&str) -> Result<WindFile, E>,
) -> Result<Domain, E> {
    let given: Recorded = toml::from_str(text).map_err(Error::DomainSyntax)?;
    let file = match &given.csv {
        Some(csv) => WindFile::from_csv(&given.record, csv)?,
        None => open(&given.record)?,
    };
    if let Some(crc32) = &given.crc32 {
        file.expect(crc32)?;
    }
    let split = given.split(file.lasts_s())?;
    let record = WindRecord::new(file, split, given.part)?;
    let domain = Domain::of_record(given.name, record);
    Ok(Domain {
        reference_speed_m_s: given
            .reference_speed_m_s
            .unwrap_or(domain.reference_speed_m_s),
        turbulence_height_m: given.turbulence_height_m,
        gusts: given.gusts,
        ..domain
    })
}

impl Recorded {
    fn split(&self, lasts_s: f64) -> Result<Option<Split>, Error> {
        let wrong = |fault| Error::Record {
            file: self.record.clone(),
            fault: Box::new(fault),
        };
        match (&self.tune, &self.test, self.block_s, self.tune_share) {
            (None, None, None, None) => Ok(None),
            (Some(tune), Some(test), None, None) => Ok(Some(Split {
                tune: tune.clone(),
                test: test.clone(),
            })),
            (None, None, Some(block_s), share) => {
                Range("above 0 s", |s| s > 0.0).check("block_s", block_s)?;
                let share = share.unwrap_or(0.5);
                let shares = Range("between 0.01 and 0.99", |x| (0.01..=0.99).contains(&x));
                shares.check("tune_share", share)?;
                Split::blocks(lasts_s, block_s, share)
                    .map(Some)
                    .map_err(wrong)
            }
            _ => Err(wrong(RecordFault::Split(TWO_LISTS))),
        }
    }
}

/// The text of a domain of `record`, with its file's text in it.
pub(super) fn to_toml(domain: &Domain, record: &WindRecord) -> String {
    let split = record.split();
    let given = Recorded {
        name: domain.name.clone(),
        record: record.file().to_owned(),
        crc32: Some(record.crc32().to_owned()),
        part: record.part(),
        tune: split.map(|split| split.tune.clone()),
        test: split.map(|split| split.test.clone()),
        block_s: None,
        tune_share: None,
        reference_speed_m_s: Some(domain.reference_speed_m_s),
        turbulence_height_m: domain.turbulence_height_m,
        gusts: domain.gusts.clone(),
        csv: record.text().map(str::to_owned),
    };
    toml::to_string(&given).expect("names and numbers are always representable")
}

impl Domain {
    /// A domain of the whole of `file`.
    ///
    /// # Errors
    /// [`Error::Name`].
    pub fn of_wind_file(name: &str, file: WindFile) -> Result<Domain, Error> {
        let record = WindRecord::new(file, None, Part::Whole)?;
        let domain = Domain::of_record(name.to_owned(), record);
        domain.check()?;
        Ok(domain)
    }

    /// With a name, from what the record says of its own wind.
    fn of_record(name: String, record: WindRecord) -> Domain {
        let moments = record.moments();
        let speed_m_s = moments.mean_m_s.xy().norm().max(LEAST);
        Domain {
            name,
            mean_m_s: moments.mean_m_s.into(),
            sigma_m_s: moments.sigma_m_s,
            length_m: moments
                .time_s
                .map(|time_s| (time_s * speed_m_s).clamp(LEAST, 1e5)),
            record: Some(record),
            ..Domain::calm(speed_m_s)
        }
    }

    /// The same domain with the segments for `part` of its record, called by it: `site-tune`. One
    /// without segments, one that names its part itself, and one that has no record are as they
    /// are.
    ///
    /// # Errors
    /// [`Error::Name`] where the name becomes too long.
    pub fn of_part(&self, part: Part) -> Result<Domain, Error> {
        let split = |record: &&WindRecord| {
            record.split().is_some() && record.part() == Part::Whole && part != Part::Whole
        };
        let Some(record) = self.record.as_ref().filter(split) else {
            return Ok(self.clone());
        };
        let name = format!("{}-{}", self.name, part.word());
        let whole = Domain::of_record(self.name.clone(), record.clone());
        let domain = Domain::of_record(name, record.with_part(part));
        // That of the part's own mean wind, where the file says no other.
        let speed_m_s = match self.reference_speed_m_s == whole.reference_speed_m_s {
            true => domain.reference_speed_m_s,
            false => self.reference_speed_m_s,
        };
        let domain = Domain {
            reference_speed_m_s: speed_m_s,
            turbulence_height_m: self.turbulence_height_m,
            gusts: self.gusts.clone(),
            ..domain
        };
        domain.check()?;
        Ok(domain)
    }

    /// Checks that a domain in which is tuned and one in which is tested take no stretch of a
    /// record both.
    ///
    /// # Errors
    /// [`Error::RecordShared`].
    pub fn shares_nothing_with(&self, other: &Domain) -> Result<(), Error> {
        let (Some(ours), Some(theirs)) = (&self.record, &other.record) else {
            return Ok(());
        };
        match ours.shared_s(theirs) {
            None => Ok(()),
            Some([from_s, to_s]) => Err(Error::RecordShared {
                one: self.name.clone(),
                other: other.name.clone(),
                file: ours.file().to_owned(),
                from_s,
                to_s,
            }),
        }
    }
}
