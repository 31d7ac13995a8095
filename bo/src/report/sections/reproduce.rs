//! The commands that reproduce the run, and the files next to the page.

use crate::report::Report;
use crate::report::html::escape;
use crate::terminal::word as quoted;
use std::fmt::Write;

/// The commands, the version and the seed.
pub fn reproduce(report: &Report) -> String {
    let recorded = &report.recorded;
    let settings = &recorded.settings;
    let folder = quoted(&report.name);
    let (made, note) = match report.has_config {
        true => (
            Some(format!("bo --config {folder}/config.toml --out again")),
            "config.toml in the run’s folder holds every setting.",
        ),
        false => (
            None,
            "The run’s study file, config.toml, is missing from its folder: it cannot be made again without it.",
        ),
    };
    let others = [
        format!("bo report {folder}"),
        format!("bo export {folder} --to json"),
    ];
    let commands: Vec<String> = made.into_iter().chain(others).collect();
    // A line feed within <pre> is one; escaping would take it for a character that hides.
    let commands: Vec<String> = commands.iter().map(|command| escape(command)).collect();
    let commands = commands.join("\n");
    format!(
        "<pre>{}</pre>\n<p>Windhover {}, seed {}, run in the folder that holds {}. {note} \
         The same version, build and settings give the same run.json and the same report, byte for byte, on \
         any number of threads. Another processor or compiler may differ in the last bits.</p>\n",
        commands,
        escape(&recorded.versions.windhover),
        settings.seed,
        escape(&folder),
    )
}

/// What the files of a run hold, those first that people look for.
const MEANINGS: [(&str, &str); 4] = [
    ("gains.toml", "the recommended gains"),
    ("trials.csv", "every evaluation"),
    ("run.json", "the whole record"),
    ("config.toml", "the study file"),
];

/// Links to `files`, whose paths lead from the folder of the page, in their order by name; those with
/// a meaning first.
pub fn files(files: &[String]) -> String {
    if files.is_empty() {
        return String::new();
    }
    let name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
    let meaning = |path: &str| MEANINGS.iter().position(|(known, _)| *known == name(path));
    let mut sorted: Vec<&String> = files.iter().collect();
    sorted.sort_by_key(|path| (meaning(path).unwrap_or(MEANINGS.len()), *path));
    let link = |path: &&String| {
        let said = meaning(path).map_or(String::new(), |at| format!(" ({})", MEANINGS[at].1));
        format!(
            "<a href=\"{}\" download>{}</a>{said}",
            address(path),
            escape(&name(path))
        )
    };
    let links: Vec<String> = sorted.iter().map(link).collect();
    format!(
        "<p class=\"files\">Files next to this page: {}.</p>\n",
        links.join(", ")
    )
}

/// `path` as a relative reference (RFC 3986): what may not stand in one is written by its bytes, and
/// no first part can be taken for a scheme.
fn address(path: &str) -> String {
    format!("./{}", percent_encoded(path))
}

/// `text` with every byte that means something in an address written by its number.
pub fn percent_encoded(text: &str) -> String {
    let bytes = text.bytes();
    let mut text = String::new();
    for byte in bytes {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                text.push(char::from(byte));
            }
            // Writing to a String cannot fail.
            _ => {
                let _ = write!(text, "%{byte:02X}");
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_to_files_of_any_name_and_known_ones_come_first() {
        let paths = [
            "a/one.csv",
            "a/run.json",
            "a/javascript:x\"<.csv",
            "a/gains.toml",
        ];
        let html = files(&paths.map(str::to_owned));
        let at = |text: &str| html.find(text).expect("there");
        assert!(
            at("\"./a/gains.toml\" download>gains.toml</a> (the recommended gains)")
                < at("./a/run.json")
        );
        assert!(
            at("./a/run.json")
                < at("./a/javascript%3Ax%22%3C.csv\" download>javascript:x&quot;&lt;.csv</a>")
        );
        assert!(at("./a/javascript") < at("./a/one.csv"));
        assert_eq!(files(&[]), "");
    }
}
