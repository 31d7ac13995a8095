//! Print: a study file with each field's meaning, unit and range above it: all of it, or what it sets, the
//! rest as comments.

use super::Config;
use super::fields::{TABLES, fields};
use super::place::domain_in_short;
use search::Span;
use std::fmt::Write;
use toml::{Table, Value};

/// Columns of a comment, with its mark.
const WIDTH: usize = 104;

/// What a study file and a command line set.
pub(super) struct Set {
    /// The file.
    pub file: Table,
    /// The keys of the flags.
    pub typed: Vec<&'static str>,
}

impl Set {
    /// The value that the file has behind `key`, which may stand in tables.
    fn value(&self, key: &str) -> Option<&Value> {
        let mut keys = key.split('.');
        let first = self.file.get(keys.next()?)?;
        keys.try_fold(first, |value, key| value.get(key))
    }

    fn has(&self, key: &str) -> bool {
        self.typed.contains(&key) || self.value(key).is_some()
    }
}

/// What stands before a line that is not set.
const OFF: &str = "#";

pub(super) fn print(config: &Config, set: Option<&Set>) -> String {
    let off = |key: &str| {
        if set.is_none_or(|set| set.has(key)) {
            ""
        } else {
            OFF
        }
    };
    let mut text = String::new();
    for (table, heading) in TABLES {
        match set {
            Some(_) if table.is_empty() => text.push_str(DRAFT),
            _ => text.push_str(heading),
        }
        if !table.is_empty() {
            // Writing to a String cannot fail.
            let _ = writeln!(text, "[{table}]");
        }
        let fields = fields().filter(|field| field.place().0 == table);
        for field in fields {
            comment(&mut text, &field.comment());
            let value = written(&(field.get)(config));
            // A default is one line.
            let _ = writeln!(text, "{}{} = {value}", off(field.key), field.place().1);
        }
        if table == "gains" && set.is_some() {
            bounds(&mut text, config, set);
        }
        text.push('\n');
        if table == "gains" {
            if set.is_none() {
                bounds(&mut text, config, None);
                text.push('\n');
            }
            winds(&mut text, config, [off("training"), off("test")]);
        }
    }
    text
}

/// What stands above a study file of which most is left to the defaults.
const DRAFT: &str = "# A Windhover study: bo --config FILE. What stands behind # is the default: take the # away from\n\
     # what is to differ, a line alone. Flags override this file.\n\n";

/// A comment of lines of about one length; one that is indented keeps its own.
fn comment(text: &mut String, meaning: &str) {
    for paragraph in meaning.lines() {
        if paragraph.starts_with(' ') {
            text.push_str("# ");
            text.push_str(paragraph);
            text.push('\n');
            continue;
        }
        let mut line = String::from("#");
        for word in paragraph.split(' ') {
            if line.chars().count() + 1 + word.chars().count() > WIDTH {
                text.push_str(&line);
                text.push('\n');
                line = String::from("#");
            }
            line.push(' ');
            line.push_str(word);
        }
        text.push_str(&line);
        text.push('\n');
    }
}

/// The bounds: a table of their own, or what is set of them in the table of the gains, of whose lines each
/// can stand alone. A start that is not set is the airframe's gain, whichever airframe that is.
fn bounds(text: &mut String, config: &Config, set: Option<&Set>) {
    text.push_str(
        "# Each gain that is tuned, in the unit behind its line. Every key may be left out:\n\
         #   low, high  bounds of the search [the usual ones; inner loops: a quarter of the airframe's\n\
         #              gain to four times it]; low < high, positive where scale is \"log\"\n\
         #   start      where the run starts, within the bounds [the airframe's gain]\n\
         #   scale      what lies between the bounds: \"log\" (equal ratios) or \"linear\" [\"log\"]\n",
    );
    if set.is_none() {
        text.push_str("[gains.bounds]\n");
    }
    for bounds in &config.gains {
        let Span { low, high, scale } = bounds.span;
        let own = set.map(|set| set.value("gains.bounds")?.get(bounds.name));
        let (before, shown): (&str, &dyn Fn(&str) -> bool) = match &own {
            None => ("", &|_| true),
            Some(None) => ("#bounds.", &|key| key != "start"),
            Some(Some(own)) => ("bounds.", &|key| own.get(key).is_some()),
        };
        let keys = [
            ("low", number(low)),
            ("high", number(high)),
            ("start", number(bounds.start)),
            ("scale", quoted(scale.name())),
        ];
        let (shown, left_out): (Vec<_>, Vec<_>) = keys.into_iter().partition(|(key, _)| shown(key));
        let shown: Vec<String> = shown
            .iter()
            .map(|(key, value)| format!("{key} = {value}"))
            .collect();
        let left_out = left_out
            .iter()
            .map(|(key, value)| format!("; {key} {value}"));
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "{before}{} = {{ {} }} # {}{}",
            quoted(bounds.name),
            shown.join(", "),
            bounds.gain().unit,
            left_out.collect::<String>()
        );
    }
}

fn winds(text: &mut String, config: &Config, [training, tests]: [&str; 2]) {
    text.push_str(
        "# Winds of the training flights. A domain is gusty, steady, a domain file beside this one, or\n\
         # its keys in a table (u, v, w: along the mean wind, across, up):\n\
         #   { name = \"...\", mean_m_s = [x, y, z], sigma_m_s = [u, v, w], length_m = [u, v, w],\n\
         #     reference_speed_m_s = V }, or from MIL-F-8785C's low-altitude model\n\
         #   { name = \"...\", altitude_m = H, wind_at_20_ft_kt = W, reference_speed_m_s = V }\n\
         # whose mean wind is W's at H by the standard's profile, along x; mean_m_s = [x, y, z] overrides it.\n\
         # Or a record of wind, t,u,v,w in CSV, alone or as { name = \"...\", record = \"wind.csv\",\n\
         #     tune = [[from, to], ...], test = [[from, to], ...] } or block_s = S in place of both [s since\n\
         #     the first row]: training flights meet windows of tune alone, test flights of test alone.\n\
         # Ours and not the paper's in gusty and steady: V (15 m/s where there is no mean wind), its pairs\n\
         # of variances read as half-ranges of a uniform distribution, 10 ft, and the shares 100 : 15.\n",
    );
    for share in &config.training {
        let domain = domain_in_short(&share.domain);
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "{training}[[training]]\n\
             # A domain.\n\
             {training}domain = {domain}\n\
             # Its flights in proportion to those of the other domains, above 0.\n\
             {training}share = {}\n",
            number(share.share)
        );
    }
    text.push_str("# Winds of the test flights, none of which is met in training.\n");
    for test in &config.tests {
        let domain = domain_in_short(test);
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "{tests}[[test]]\n# A domain, each once.\n{tests}domain = {domain}\n"
        );
    }
}

/// A value as it stands behind its key. In a table, tables of a list stand on lines of their own:
/// line feeds are legal within a list.
fn written(value: &Value) -> String {
    match value {
        Value::Float(value) => number(*value),
        Value::Table(table) => {
            let member = |(key, value)| format!("{key} = {}", listed(value));
            let members: Vec<String> = table.iter().map(member).collect();
            format!("{{ {} }}", members.join(", "))
        }
        other => other.to_string(),
    }
}

fn listed(value: &Value) -> String {
    match value {
        Value::Array(list) if list.iter().any(Value::is_table) => {
            let lines: String = list.iter().map(|one| format!("    {one},\n")).collect();
            format!("[\n{lines}]")
        }
        other => other.to_string(),
    }
}

fn quoted(text: &str) -> String {
    Value::String(text.to_owned()).to_string()
}

/// Digits that read back as the same number, always with a point or an exponent.
fn number(value: f64) -> String {
    format!("{value:?}")
}
