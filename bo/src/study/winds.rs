//! Winds: in which domains a study trains and tests.

use super::field::{Placed, placed, taken, within};
use super::place::domain;
use super::{Config, Fault, Named, Share};
use crate::run::settings::SHARE;
use serde::Deserialize;
use sim::{Domain, RecordPart};
use std::ops::Range;
use std::path::Path;
use toml::de::DeValue;
use toml::{Spanned, Value};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TrainingTable {
    domain: Spanned<Value>,
    share: Spanned<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TestTable {
    domain: Spanned<Value>,
}

/// The winds of the training and of the test flights.
pub(super) fn winds(
    config: &mut Config,
    training: Option<&Spanned<DeValue>>,
    test: Option<&Spanned<DeValue>>,
    folder: &Path,
) -> Result<(), Placed> {
    if let Some(given) = training {
        let mut shares: Vec<Share> = Vec::new();
        for table in taken::<Vec<TrainingTable>>(given)? {
            let domain = placed(&table.domain, |value| part(folder, value, RecordPart::Tune))?;
            let listed = shares.iter().map(|share| share.domain.get());
            once("the training domain", domain.get(), listed)
                .map_err(|f| (table.domain.span(), f))?;
            let share = *table.share.get_ref();
            within("share", share, &SHARE).map_err(|fault| (table.share.span(), fault))?;
            shares.push(Share { domain, share });
        }
        config.training = filled("training", shares, given.span())?;
    }
    if let Some(given) = test {
        let mut tests: Vec<Named<Domain>> = Vec::new();
        for table in taken::<Vec<TestTable>>(given)? {
            let domain = placed(&table.domain, |value| part(folder, value, RecordPart::Test))?;
            let listed = tests.iter().map(Named::get);
            once("the test domain", domain.get(), listed).map_err(|f| (table.domain.span(), f))?;
            tests.push(domain);
        }
        config.tests = filled("test", tests, given.span())?;
    }
    let place = test.map(Spanned::span);
    let place = place.or(training.map(Spanned::span));
    let place = place.unwrap_or(0..0);
    for test in &config.tests {
        let test = test.get();
        for training in &config.training {
            let training = training.domain.get();
            let apart = training.shares_nothing_with(test);
            apart.map_err(|error| (place.clone(), error.into()))?;
            if training.name == test.name && training != test {
                let name = test.name.clone();
                return Err((place, Fault::TwoMeanings(name)));
            }
        }
    }
    Ok(())
}

/// The domain that is named or given, with the segments of its record that are for `part`, where
/// it tells such apart.
fn part(folder: &Path, given: &Value, part: RecordPart) -> Result<Named<Domain>, Fault> {
    Ok(match domain(folder, given)? {
        Named::Given(domain) => Named::Given(domain.of_part(part)?),
        shipped => shipped,
    })
}

fn once<'a>(
    what: &'static str,
    domain: &Domain,
    mut listed: impl Iterator<Item = &'a Domain>,
) -> Result<(), Fault> {
    match listed.any(|other| other.name == domain.name) {
        false => Ok(()),
        true => Err(Fault::Twice {
            what,
            name: domain.name.clone(),
        }),
    }
}

fn filled<T>(key: &'static str, list: Vec<T>, span: Range<usize>) -> Result<Vec<T>, Placed> {
    if list.is_empty() {
        return Err((span, Fault::Empty(key)));
    }
    Ok(list)
}
