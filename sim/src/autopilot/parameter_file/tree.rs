//! Tree: files in which groups hold settings: the YAML of the Crazyflie's client and of Crazyswarm,
//! and the JSON that an export writes.

use super::entries::{Entries, Entry, Value, number, quoted};
use super::names;
use crate::autopilot::AutopilotError;
use serde::Deserialize;

/// Whether `text` has a key that is a group of the Crazyflie's, or a parameter of one.
pub(super) fn is_crazyflie(text: &str) -> bool {
    text.lines()
        .filter_map(|line| line.trim_start().split_once(':'))
        .any(|(key, _)| {
            let group = key.split_once('.').map_or(key, |named| named.0);
            names::crazyflie_group(group.trim_matches(['\'', '"']))
        })
}

/// Reads the settings of YAML: keys with numbers, in groups by indentation or in braces.
pub(super) fn yaml(text: &str, file: &mut Entries) -> Result<(), AutopilotError> {
    // What is not stored is as the firmware has it.
    file.is_difference = true;
    let mut above: Vec<(usize, String)> = Vec::new();
    for (line, whole) in (1..).zip(text.lines()) {
        let content = whole.split_once(" #").map_or(whole, |parts| parts.0);
        let indent = content.len() - content.trim_start().len();
        let content = content.trim();
        if content.is_empty() || content.starts_with('#') || content == "---" {
            continue;
        }
        let Some((key, value)) = content.split_once(':') else {
            file.skip(line, content);
            continue;
        };
        let (key, value) = (bare(key), value.trim());
        above.retain(|(column, _)| *column < indent);
        let group = above.last().map_or("", |group| group.1.as_str());
        let braces = value.strip_prefix('{').and_then(|v| v.strip_suffix('}'));
        match (key, braces) {
            (_, Some(inner)) => {
                for pair in inner.split(',').filter(|pair| !pair.trim().is_empty()) {
                    let Some((name, value)) = pair.split_once(':') else {
                        return Err(file.wrong(line, format!("`{}` lacks a colon", quoted(pair))));
                    };
                    leaf(line, key, bare(name), bare(value), file)?;
                }
            }
            (_, None) if value.is_empty() => above.push((indent, key.to_owned())),
            // The client writes the parameter's name as the group.
            ("stored_value", _) => {
                if let Some((group, name)) = group.split_once('.') {
                    leaf(line, group, name, bare(value), file)?;
                }
            }
            ("default_value" | "is_stored" | "type" | "version", _) => {}
            _ => leaf(line, group, key, bare(value), file)?,
        }
    }
    Ok(())
}

/// A key or a value without what it is quoted with.
fn bare(text: &str) -> &str {
    text.trim().trim_matches(['\'', '"'])
}

/// The parameter `name` of `group`, where it is one.
fn leaf(
    line: usize,
    group: &str,
    name: &str,
    value: &str,
    file: &mut Entries,
) -> Result<(), AutopilotError> {
    let (group, name) = name.split_once('.').unwrap_or((group, name));
    if !names::crazyflie_group(group) {
        file.skip(line, &format!("{name}: {value}"));
        return Ok(());
    }
    let name = format!("{group}.{name}");
    let value = match (number(value), value) {
        // It is not stored, so it has no value of its own.
        (None, "null" | "~") => return Ok(()),
        (Some(value), _) => Value::Number(value),
        (None, word)
            if ["pid_", "posCtlPid", "velCtlPid"]
                .iter()
                .any(|g| name.starts_with(g)) =>
        {
            let said = format!("`{}` gives {name} no plain number", quoted(word));
            return Err(file.wrong(line, said));
        }
        (None, word) => Value::Word(word.to_owned()),
    };
    file.all.push(Entry::new(line, name, value));
    Ok(())
}

#[derive(Deserialize)]
struct Exported {
    gains: Vec<Gain>,
}

#[derive(Deserialize)]
struct Gain {
    name: String,
    value: f64,
}

/// Reads what an export to JSON writes.
pub(super) fn json(text: &str, file: &mut Entries) -> Result<(), AutopilotError> {
    file.is_json = true;
    let read: Exported = serde_json::from_str(text).map_err(|error| {
        let said = format!("it is not the JSON of bo export --to json: {error}");
        file.wrong(error.line().max(1), said)
    })?;
    // The parser does not tell in which line it found a gain; its name does as well.
    for gain in read.gains {
        let named = format!("\"{}\"", gain.name);
        let line = text.lines().position(|line| line.contains(&named));
        let line = line.map_or(1, |line| line + 1);
        file.all
            .push(Entry::new(line, gain.name, Value::Number(gain.value)));
    }
    Ok(())
}
