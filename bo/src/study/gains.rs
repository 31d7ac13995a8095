//! Gains: which gains a study tunes, and between which bounds.

use super::field::{Placed, placed, taken};
use super::parts::usual_bounds;
use super::{Bounds, Config, Fault};
use crate::flights::space::{CASCADE, POSITION, is_whole_cascade, kept};
use search::{Scale, Span};
use serde::Deserialize;
use sim::Gains;
use std::collections::BTreeMap;
use toml::de::DeValue;
use toml::{Spanned, Value};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BoundsTable {
    low: Option<f64>,
    high: Option<f64>,
    start: Option<f64>,
    scale: Option<Scale>,
}

/// Which gains are tuned, and between which bounds.
pub(super) fn gains(
    config: &mut Config,
    tune: Option<&Spanned<DeValue>>,
    bounds: Option<&Spanned<DeValue>>,
) -> Result<(), Placed> {
    let tune: Option<Spanned<Value>> = tune.map(taken).transpose()?;
    let table: BTreeMap<String, Spanned<BoundsTable>> =
        bounds.map(taken).transpose()?.unwrap_or_default();
    let base = config.airframe.get().gains;
    let bounded = |name: &str| table.contains_key(name);
    let names = match &tune {
        Some(given) => placed(given, |value| tuned(value, &base, &bounded))?,
        None => kept(&POSITION, &base, &bounded),
    };
    let whole = tune.as_ref().map_or(0..0, Spanned::span);
    config.gains = usual_bounds(&names, &base);
    for (name, given) in &table {
        let own = given.get_ref();
        let bounds = config.gains.iter_mut().find(|bounds| bounds.name == name);
        let bounds = bounds.ok_or_else(|| (given.span(), not_tuned(name, &names)))?;
        let span = &mut bounds.span;
        span.low = own.low.unwrap_or(span.low);
        span.high = own.high.unwrap_or(span.high);
        span.scale = own.scale.unwrap_or(span.scale);
        bounds.start = own.start.unwrap_or(bounds.start);
    }
    for bounds in &config.gains {
        let span = table.get(bounds.name).map(Spanned::span);
        check_bounds(bounds).map_err(|fault| (span.unwrap_or(whole.clone()), fault))?;
    }
    Ok(())
}

/// What is tuned in the fewest words.
pub(super) fn tuned_in_short(config: &Config) -> Value {
    let names: Vec<&str> = config.gains.iter().map(|bounds| bounds.name).collect();
    let base = &config.airframe.get().gains;
    if names == kept(&POSITION, base, &|name| names.contains(&name)) {
        "position".into()
    } else if is_whole_cascade(&names, base) {
        "cascade".into()
    } else {
        names.into()
    }
}

fn not_tuned(name: &str, names: &[&str]) -> Fault {
    let name = name.to_owned();
    if !CASCADE.contains(&name.as_str()) {
        let known = CASCADE.join(", ");
        return Fault::NoSuchGain { name, known };
    }
    let tuned = names.join(", ");
    Fault::NotTuned { name, tuned }
}

fn check_bounds(bounds: &Bounds) -> Result<(), Fault> {
    let Bounds { name, span, start } = *bounds;
    let Span { low, high, .. } = span;
    if low == 0.0 && high == 0.0 {
        return Err(Fault::NoUsualBounds(name));
    }
    if low < 0.0 || bounds.gain().within(span).is_err() {
        return Err(Fault::Bounds { name, low, high });
    }
    if !span.contains(start) {
        return Err(Fault::Start {
            name,
            start,
            low,
            high,
        });
    }
    Ok(())
}

/// The names that `given` stands for. The loops of a vehicle leave out gains that are 0 in it and have no bounds of
/// their own.
fn tuned(
    given: &Value,
    base: &Gains,
    bounded: &dyn Fn(&str) -> bool,
) -> Result<Vec<&'static str>, Fault> {
    let kind = || Fault::Kind {
        key: "gains.tune",
        wanted: "position, cascade or a list of gains",
    };
    match given {
        Value::String(name) if name == "position" => Ok(kept(&POSITION, base, bounded)),
        Value::String(name) if name == "cascade" => Ok(kept(&CASCADE, base, bounded)),
        Value::String(name) => Err(unknown(
            "gains.tune",
            name,
            "position, cascade or a list of gains",
        )),
        Value::Array(list) => {
            let mut names = Vec::new();
            for given in list {
                let given = given.as_str().ok_or_else(kind)?;
                let known = CASCADE.into_iter().find(|known| *known == given);
                let name =
                    known.ok_or_else(|| unknown("gains.tune", given, &CASCADE.join(", ")))?;
                if names.contains(&name) {
                    return Err(Fault::Twice {
                        what: "the gain",
                        name: name.to_owned(),
                    });
                }
                names.push(name);
            }
            if names.is_empty() {
                return Err(Fault::Empty("gains.tune"));
            }
            Ok(names)
        }
        _ => Err(kind()),
    }
}

fn unknown(key: &str, given: &str, known: &str) -> Fault {
    Fault::Unknown {
        key: key.to_owned(),
        given: given.to_owned(),
        known: known.to_owned(),
    }
}
