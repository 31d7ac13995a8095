//! Winds: in which domains a study trains and tests.

use super::place::domain;
use super::span::{Placed, placed, taken, within};
use super::{Config, Fault, Named, Share};
use crate::run::settings::SHARE;
use serde::Deserialize;
use sim::Domain;
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
            let domain = placed(&table.domain, |value| domain(folder, value))?;
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
            let domain = placed(&table.domain, |value| domain(folder, value))?;
            let listed = tests.iter().map(Named::get);
            once("the test domain", domain.get(), listed).map_err(|f| (table.domain.span(), f))?;
            tests.push(domain);
        }
        config.tests = filled("test", tests, given.span())?;
    }
    let place = test.map(Spanned::span);
    let place = place.or(training.map(Spanned::span));
    for test in &config.tests {
        let mut training = config.training.iter().map(|share| share.domain.get());
        let test = test.get();
        if training.any(|other| other.name == test.name && other != test) {
            let name = test.name.clone();
            return Err((place.unwrap_or(0..0), Fault::TwoMeanings { name }));
        }
    }
    Ok(())
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
        return Err((span, Fault::Empty { key }));
    }
    Ok(list)
}
