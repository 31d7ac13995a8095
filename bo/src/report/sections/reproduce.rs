//! The commands that reproduce the run, and the files next to the page.

use crate::Error;
use crate::flights::problem::Problem;
use crate::flights::warm_start::TunedGain;
use crate::report::Report;
use crate::report::html::escape;
use crate::run::disk::record::Record;
use crate::run::settings::{Settings, trajectory_name};
use crate::study::{Config, Route, fields};
use crate::terminal::word as quoted;
use sim::{AIRFRAME_NAMES, Airframe};
use std::fmt::Write;

/// The commands, the version and the seed.
pub fn reproduce(report: &Report) -> String {
    let recorded = &report.recorded;
    let settings = &recorded.settings;
    let folder = quoted(&report.name);
    let typed = || flags(settings, &recorded.problem.airframe.name).ok();
    let (made, note) = if report.has_config {
        (
            Some(format!("bo --config {folder}/config.toml --out again")),
            "config.toml in the run’s folder holds every setting.",
        )
    } else if let Some(typed) = typed().filter(|_| usual(recorded)) {
        (Some(typed), "")
    } else {
        let missing = "The run’s study file, config.toml, is missing from its folder, and no flags say all that \
                       this run does not share with the default study: it cannot be made again without it.";
        (None, missing)
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

/// Whether flags say all that decides the run: its problem is the default study's, but for a
/// shipped vehicle, its cost has no weights, and it took no earlier run's evaluations as data.
fn usual(recorded: &Record) -> bool {
    let problem = &recorded.problem;
    if recorded.weighted()
        || recorded.warm_start.is_some()
        || !AIRFRAME_NAMES.contains(&problem.airframe.name.as_str())
    {
        return false;
    }
    let (settings, vehicle) = (&recorded.settings, &problem.airframe.name);
    let Ok(mut study) = Config::read_for(vehicle) else {
        return false;
    };
    if settings.exportable.is_some() || *vehicle != Airframe::omac().name {
        study.set_careful(true);
    }
    let ours = &study.conditions;
    if settings.margins != study.settings.margins
        || (problem.start, problem.settle_s) != (ours.start, ours.settle_s)
    {
        return false;
    }
    let Ok(Problem { tuning, space, .. }) = study.problem() else {
        return false;
    };
    let shares = tuning.training.iter().cloned().zip(tuning.shares);
    let training = &problem.training;
    let theirs_share = training.iter().map(|one| (one.domain.clone(), one.share));
    // Records of the first form do not say.
    let trained_alike = training.is_empty() || theirs_share.eq(shares);
    let (theirs, ours) = (problem.setup(), &tuning.setup);
    theirs.airframe == ours.airframe
        && theirs.sensors == ours.sensors
        && theirs.world == ours.world
        && theirs.uncertain == ours.uncertain
        && problem.domains == tuning.domains
        && space
            .knobs()
            .iter()
            .map(TunedGain::of)
            .eq(problem.tuned_gains())
        && trained_alike
}

/// The command that makes the run of these settings: what names a run, and every flag that does not
/// go without saying with its surrogate.
fn flags(settings: &Settings, airframe: &str) -> Result<String, Error> {
    let study = Config {
        settings: settings.clone(),
        route: Route::Shipped(trajectory_name(&settings.trajectory)?),
        ..Config::read_for(airframe)?
    };
    let mut usual = Config::default();
    usual.settings.set_surrogate(settings.surrogate);
    let mut command = String::from("bo");
    for field in fields() {
        let (Some(flag), Some(value)) = (field.flag, field.typed(&study)) else {
            continue;
        };
        let names = ["trajectory", "surrogate", "seed"].contains(&field.key);
        if names || field.typed(&usual).as_ref() != Some(&value) {
            // Writing to a String cannot fail.
            let _ = write!(command, " --{} {}", flag.name, quoted(&value));
        }
    }
    Ok(command + " --out again")
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
