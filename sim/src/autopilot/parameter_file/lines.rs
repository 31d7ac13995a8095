//! Lines: files of one setting a line, whoever wrote them: two or five columns, the output of a
//! shell, a start-up script, commands for a CLI.

use super::entries::{Entries, Entry, Value, number, quoted};
use super::{CHANGED, DOUBT, FOREIGN, MIXER, OF_LOG, names};
use crate::autopilot::AutopilotError;

/// What a channel of Betaflight's may change besides gains: nothing, sticks, screens, lights, batteries, in each version
/// since 4.3 (`rc_adjustments.h`).
const OF_STICKS: &str = "0 1 2 3 4 5 12 13 14 21 24 25 29 33 34 35";

/// Reads the settings of `text` into `file`. A line that begins with a parameter's name and gives it no
/// number is an error; any other line that is no setting is counted.
pub(super) fn read(text: &str, file: &mut Entries) -> Result<(), AutopilotError> {
    let mut profile = None;
    for (line, whole) in (1..).zip(text.lines()) {
        let (content, comment) = match whole.find('#') {
            // A comment begins a line or stands behind blanks; elsewhere the mark is a letter.
            Some(at) if whole[..at].chars().all(|c| !c.is_alphanumeric()) => ("", &whole[at..]),
            Some(at) => whole.split_at(at),
            None => (whole, ""),
        };
        heed(comment, file);
        let content = content.trim();
        if content.is_empty() {
            continue;
        }
        let mut words = content.split_whitespace();
        let command = words.next().unwrap_or_default().to_ascii_lowercase();
        match command.as_str() {
            "set" if content.contains('=') => {
                let mut entry = betaflight(line, &content[3..], file)?;
                let master = names::betaflight_master(&entry.name);
                entry.profile = profile.filter(|_| !master);
                file.all.push(entry);
            }
            "set" => match words.next().map(str::to_ascii_lowercase) {
                Some(name) if names::autopilot(&name) == Some("betaflight") => {
                    let said = format!("`{}` lacks an equals sign", quoted(content));
                    return Err(file.wrong(line, said));
                }
                _ => file.skip(line, content),
            },
            "profile" => match words.next().map(str::parse) {
                Some(Ok(number)) => {
                    profile = Some(number);
                    file.profile = profile;
                }
                _ => file.skip(line, content),
            },
            "mixer" => match words.next().map(str::to_ascii_uppercase) {
                Some(name) if content.split_whitespace().count() == 2 && name != "LIST" => {
                    file.all.push(Entry::new(line, MIXER, Value::Word(name)));
                }
                _ => file.skip(line, content),
            },
            // Channels of the transmitter that change settings in flight, where the range holds anything.
            "adjrange" => match words.collect::<Vec<_>>()[..] {
                [_, _, _, from, to, function, ..]
                    if from != to && !OF_STICKS.split(' ').any(|of| of == function) =>
                {
                    let said = Value::Word(quoted(&content["adjrange".len()..]));
                    file.all.push(Entry::new(line, "adjrange", said));
                }
                _ => file.skip(line, content),
            },
            // What follows is in no profile of gains.
            "rateprofile" => profile = None,
            "param" => match words.next() {
                Some(set @ ("set" | "set-default")) => {
                    file.is_difference |= set == "set-default";
                    let rest: Vec<&str> = words.filter(|word| !is_flag(word)).collect();
                    columns(line, content, &rest, file)?;
                }
                _ => file.skip(line, content),
            },
            "diff" | "dump" => heed(content, file),
            "@include" => {
                file.is_difference = true;
                let said = quoted(content);
                file.notes
                    .push(format!("Line {line}, `{said}`, is not followed."));
            }
            _ => shown(line, content, file)?,
        }
    }
    Ok(())
}

/// Whether `word` is a flag of a command, not a negative number.
fn is_flag(word: &str) -> bool {
    word.starts_with('-') && number(word).is_none()
}

/// A line of columns, perhaps as the shell of PX4 shows it: marks before the name, indices and a colon
/// behind it.
fn shown(line: usize, content: &str, file: &mut Entries) -> Result<(), AutopilotError> {
    let indices = content.find('[').zip(content.find("] :"));
    let bare = match indices {
        Some((from, to)) if from < to => format!("{} {}", &content[..from], &content[to + 3..]),
        _ => content.to_owned(),
    };
    // A comma within a cell is of a decimal, which no autopilot writes.
    let cells: Vec<&str> = bare.split_whitespace().collect();
    let is_decimal = |cell: &&str| {
        cell.split_once(',').is_some_and(|(whole, rest)| {
            let digits = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
            digits(whole.trim_start_matches('-')) && digits(rest)
        })
    };
    let name = cells.iter().find(|cell| names::autopilot(cell).is_some());
    if let (Some(name), true) = (name, cells.iter().skip(1).any(is_decimal)) {
        let said = format!("`{}` gives {name} no plain number", quoted(content));
        return Err(file.wrong(line, said));
    }
    let words = bare.split(|c: char| c.is_whitespace() || c == ',' || c == '=');
    let words = words.filter(|word| !word.is_empty() && *word != "@READONLY");
    let words: Vec<&str> = words
        .skip_while(|word| ["x", "*", "+"].contains(word))
        .collect();
    columns(line, content, &words, file)
}

/// Name and value, or vehicle, component, name, value and type.
fn columns(
    line: usize,
    content: &str,
    words: &[&str],
    file: &mut Entries,
) -> Result<(), AutopilotError> {
    let ids = match words {
        [vehicle, component, _, ..] => vehicle.parse().ok().zip(component.parse().ok()),
        _ => None,
    };
    let words = if ids.is_some() { &words[2..] } else { words };
    let Some((name, values)) = words.split_first() else {
        return Ok(());
    };
    let value = match (values, ids) {
        ([value], None) => number(value),
        ([value, kind], Some(_)) if kind.parse::<u8>().is_ok() => number(value),
        _ => None,
    };
    let known = names::autopilot(name).filter(|_| !name.contains('.'));
    match (value, known) {
        (Some(value), _) if is_name(name) => {
            let mut entry = Entry::new(line, *name, Value::Number(value));
            entry.of = ids;
            file.all.push(entry);
        }
        (_, Some("betaflight")) if values.contains(&"=") || value.is_some() => {
            let said = format!("`{}` is to be `set {name} = ...`", quoted(content));
            return Err(file.wrong(line, said));
        }
        (_, Some("px4" | "ardupilot")) => {
            let said = format!("`{}` gives {name} no plain number", quoted(content));
            return Err(file.wrong(line, said));
        }
        _ => file.skip(line, content),
    }
    Ok(())
}

/// Whether `word` has the form of a parameter's name.
fn is_name(word: &str) -> bool {
    let legal = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    word.starts_with(|c: char| c.is_ascii_uppercase()) && word.len() > 1 && word.chars().all(legal)
}

/// What a command `set` of Betaflight's says, in which capitals do not matter.
fn betaflight(line: usize, rest: &str, file: &Entries) -> Result<Entry, AutopilotError> {
    let (name, value) = rest.split_once('=').unwrap_or((rest, ""));
    let (name, value) = (name.trim().to_ascii_lowercase(), value.trim());
    let value = match number(value) {
        Some(value) => Value::Number(value),
        None if names::betaflight_gain(&name) || name.ends_with("_hz") => {
            let said = format!("`{}` gives {name} no plain number", quoted(rest));
            return Err(file.wrong(line, said));
        }
        None => Value::Word(value.to_owned()),
    };
    Ok(Entry::new(line, name, value))
}

/// What a comment, or a command that was copied along, says about its file.
fn heed(comment: &str, file: &mut Entries) {
    let words = comment.split(|c: char| c.is_whitespace() || c == '#' || c == ':');
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    match words.as_slice() {
        ["diff"] | ["diff", "all", ..] => file.is_difference = true,
        ["dump"] | ["dump", "all", ..] => file.is_dump = true,
        ["NOTE", "frame", ..] => file.is_difference = true,
        _ => {}
    }
    let said = comment.trim_start_matches(['#', ' ']).trim_end();
    file.is_log |= said == OF_LOG;
    if file.is_log {
        of_log(said, file);
    }
    let speaks = ["version", "betaflight", "copter", "arducopter", "ardupilot"];
    let about = words
        .iter()
        .position(|word| speaks.contains(&word.to_ascii_lowercase().as_str()));
    if let (Some(at), None) = (about, &file.version) {
        file.version = words[at..].iter().find_map(|word| version(word));
    }
}

/// What a comment says of the log that the file is.
fn of_log(said: &str, file: &mut Entries) {
    if let Some(doubt) = said.strip_prefix(DOUBT) {
        file.doubts.push(doubt.to_owned());
    }
    if let Some(foreign) = said.strip_prefix(FOREIGN) {
        file.foreign.push(foreign.to_owned());
    }
    if let Some((name, value)) = said.strip_prefix(CHANGED).and_then(|c| c.split_once(' ')) {
        file.changed.push((name.to_owned(), value.to_owned()));
    }
}

/// The version that `word` is, as in `V4.5.7`.
fn version(word: &str) -> Option<String> {
    let bare = word.trim_start_matches(['v', 'V']);
    let parts: Vec<&str> = bare.split('.').collect();
    let number = |part: &&str| part.parse::<u16>().is_ok();
    let (main, patch) = parts.split_at_checked(2)?;
    let patched = patch.is_empty() || patch[0].starts_with(|c: char| c.is_ascii_digit());
    (main.iter().all(number) && patched && patch.len() < 2).then(|| bare.to_owned())
}
