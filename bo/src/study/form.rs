//! Form: the text of a study file, read key by key with the place of each value.

use super::field::{Field, Placed};
use super::fields::{PARTS, TABLES, fields};
use super::gains::gains;
use super::winds::winds;
use super::{Config, ConfigError, Fault, Named};
use crate::Error;
use serde::de::Error as _;
use sim::Airframe;
use std::path::Path;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Reads the study file `text`, which lies at `path`: what it does not set is as in `usual`, bounds and
/// starts as its own vehicle has them, or `vehicle` in its place.
pub(super) fn read(
    text: &str,
    path: &Path,
    usual: Config,
    vehicle: Option<Named<Airframe>>,
) -> Result<Config, Error> {
    let at = |(span, fault): Placed| {
        let (line, column) = line_and_column(text, span.start);
        ConfigError::At {
            path: path.to_owned(),
            line,
            column,
            fault: Box::new(fault),
        }
    };
    let file = DeTable::parse(text).map_err(|error| {
        let span = error.span().unwrap_or(0..0);
        match is_table_of_numbers(text) {
            true => at((0..0, said("this is not a TOML file"))),
            false => at((span, Fault::Syntax(error))),
        }
    })?;
    let folder = path.parent().unwrap_or(Path::new(""));
    Ok(config(file.get_ref(), folder, usual, vehicle).map_err(at)?)
}

/// Whether the first line is one of a table, with commas or semicolons between its columns.
fn is_table_of_numbers(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with('#'));
    first.is_some_and(|line| line.contains([',', ';']) && !line.contains(['=', '[']))
}

fn config(
    file: &DeTable,
    folder: &Path,
    usual: Config,
    vehicle: Option<Named<Airframe>>,
) -> Result<Config, Placed> {
    known_keys(file)?;
    let given = |key| value(file, key);
    let mut config = usual;
    let replaced = vehicle.is_some();
    if let Some(vehicle) = vehicle {
        config.airframe = vehicle;
    }
    for field in fields() {
        match given(field.key) {
            Some(_) if replaced && field.key == "airframe" => {}
            Some(given) => field.read(&mut config, given, folder)?,
            None => {}
        }
    }
    gains(&mut config, given("gains.tune"), given("gains.bounds"))?;
    winds(&mut config, given("training"), given("test"), folder)?;
    Ok(config)
}

/// The value of `key`, which may stand in a table.
fn value<'a, 'de>(file: &'a DeTable<'de>, key: &str) -> Option<&'a Spanned<DeValue<'de>>> {
    match key.split_once('.') {
        Some((table, key)) => file.get(table)?.get_ref().as_table()?.get(key),
        None => file.get(key),
    }
}

/// Refuses the first key that no study has, and what should be a table and is none.
fn known_keys(file: &DeTable) -> Result<(), Placed> {
    unknown_key(file, "")?;
    for (table, _) in TABLES {
        let Some(given) = file.get(table) else {
            continue;
        };
        let wanted = Fault::Kind {
            key: table,
            wanted: "a table",
        };
        let inner = given.get_ref().as_table();
        unknown_key(inner.ok_or((given.span(), wanted))?, table)?;
    }
    Ok(())
}

/// Keys of earlier versions: table, key, the value with which they said nothing, and what to do about another.
const RETIRED: [(&str, &str, &str, &str); 2] = [
    (
        "",
        "target",
        "none",
        "environments are no longer told apart, so none can be aimed at; leave it out",
    ),
    (
        "budget",
        "finals",
        "0",
        "no evaluations are set aside for a comparison at the end; leave it out",
    ),
];

fn unknown_key(given: &DeTable, table: &str) -> Result<(), Placed> {
    let keys = fields().map(|field| field.key).chain(PARTS);
    let places = keys.map(|key| key.split_once('.').unwrap_or(("", key)));
    let own = places.filter(|(of, _)| *of == table).map(|(_, key)| key);
    let tables = TABLES.iter().map(|(name, _)| *name);
    let tables = tables.filter(|name| table.is_empty() && !name.is_empty());
    let known: Vec<&str> = own.chain(tables).collect();
    let retired = |name: &str| RETIRED.iter().find(|own| (own.0, own.1) == (table, name));
    let idle = |name: &str, value: &Spanned<DeValue>| {
        let idle = retired(name).map(|own| own.2);
        idle.is_some_and(|idle| match value.get_ref() {
            DeValue::String(given) => given == idle,
            DeValue::Integer(given) => given.as_str() == idle,
            _ => false,
        })
    };
    let strangers = given.iter().filter(|(key, value)| {
        let name = key.get_ref().as_ref();
        !known.contains(&name) && !idle(name, value)
    });
    let Some((first, _)) = strangers.min_by_key(|(key, _)| key.span().start) else {
        return Ok(());
    };
    let name = first.get_ref().as_ref();
    let mut elsewhere = fields()
        .map(Field::place)
        .filter(|(_, key)| *key == name && name != "name");
    let message = match (retired(name), elsewhere.next()) {
        (Some((.., advice)), _) => format!("`{name}`: {advice}"),
        _ if table.is_empty() && VEHICLE.iter().any(|key| given.contains_key(*key)) => {
            "this looks like an airframe file: use --airframe".to_owned()
        }
        (_, Some((of, _))) if table.is_empty() => format!("`{name}` has moved to [{of}]"),
        _ => format!(
            "unknown field `{name}`, expected one of `{}`",
            known.join("`, `")
        ),
    };
    Err((first.span(), said(&message)))
}

/// Keys of an airframe file that no study has.
const VEHICLE: [&str; 3] = ["mass_kg", "inertia_kg_m2", "rotors"];

/// What is wrong, in words of our own.
fn said(message: &str) -> Fault {
    Fault::Syntax(toml::de::Error::custom(message))
}

/// Line and column, from 1, of a byte; columns count characters.
fn line_and_column(text: &str, byte: usize) -> (usize, usize) {
    let before = text.get(..byte).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let line = before.matches('\n').count() + 1;
    (line, before[line_start..].chars().count() + 1)
}
