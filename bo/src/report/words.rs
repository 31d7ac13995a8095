//! Words: the result of a run in sentences, and the commands that follow it.

use crate::run::disk::record::Record;
use crate::run::disk::tuned_gains::{Holds, RECOMMENDED};
use crate::study::{Conditions, Config, Named, Route, fields};
use crate::terminal::word;
use sim::Start;
use std::path::Path;

/// Which autopilots hold the recommended gains, as they are or nearly, and whether `bo export` writes
/// them.
pub fn autopilots(record: &Record) -> String {
    let holders = record.holders();
    let [mut fit, mut nearly, mut unable] = [const { Vec::new() }; 3];
    for (name, holds) in &holders {
        match holds {
            Holds::AsTheyAre => fit.push(*name),
            Holds::Nearest => nearly.push(*name),
            Holds::Not => unable.push(*name),
        }
    }
    let mut said = format!("These gains fit: {}", or_none(&fit));
    if !nearly.is_empty() {
        said += &format!(
            "; with the nearest that the autopilot can hold: {} (bo export flies those first, in simulation)",
            nearly.join(", ")
        );
    }
    if !unable.is_empty() {
        said += &format!("; not: {} (bo export says why)", unable.join(", "));
    }
    if record.caveat(Path::new(""), RECOMMENDED).is_some() {
        said += "\nNo better than the default gains in simulation: bo export writes them with --anyway alone";
    }
    said
}

fn or_none(names: &[&str]) -> String {
    match names {
        [] => "no autopilot".to_owned(),
        names => names.join(", "),
    }
}

/// The commands that follow the run in `folder`: a page to look at, the check before anyone flies the
/// gains, and the parameters of the first autopilot that holds them, or else the nearest to them. For
/// gains in doubt another run, of which each evaluation averages more winds, is proposed in place of
/// check and export, unless every flight was lost.
pub fn next_commands(record: &Record, folder: &Path) -> Vec<String> {
    let named = word(folder);
    let next = if record.never_flown() {
        Vec::new()
    } else if record.caveat(folder, RECOMMENDED).is_some() {
        vec![record.with_more_winds(folder)]
    } else {
        let holders = record.holders();
        let find = |wanted: fn(&Holds) -> bool| holders.iter().find(|held| wanted(&held.1));
        let able = find(|held| matches!(held, Holds::AsTheyAre));
        let able = able.or_else(|| find(|held| matches!(held, Holds::Nearest)));
        let export = able.map(|(target, _)| format!("bo export {named} --to {target}"));
        let check = format!("bo check {named}");
        std::iter::once(check).chain(export).collect()
    };
    std::iter::once(format!("bo report {named}"))
        .chain(next)
        .collect()
}

/// The command that flies the gains in `folder` once, where the program `sim` has all that
/// the run flew under its names.
pub fn fly_command(config: &Config, folder: &Path) -> Option<String> {
    let (Route::Shipped(trajectory), Named::Shipped(airframe)) = (&config.route, &config.airframe)
    else {
        return None;
    };
    let usual = Conditions {
        start: config.conditions.start,
        ..Config::default().conditions
    };
    if config.conditions != usual {
        return None;
    }
    let shipped = |domain: &&Named<sim::Domain>| matches!(domain, Named::Shipped(_));
    let domain = config.tests.iter().rfind(shipped)?;
    let start = match config.conditions.start {
        Start::Equilibrium => "",
        Start::Rest => " --start rest",
    };
    Some(format!(
        "sim fly --gains {} --traj {trajectory} --airframe {} --domain {}{start}",
        word(folder),
        word(&airframe.name),
        word(&domain.get().name)
    ))
}

/// The settings in which `config` differs from the usual ones of its vehicle and surrogate, as lines of
/// a study file.
pub fn differing(config: &Config) -> Vec<String> {
    let mut usual = match &config.airframe {
        Named::Shipped(airframe) => Config::read_for(&airframe.name).unwrap_or_default(),
        Named::Given(_) => Config::default(),
    };
    usual.settings.set_surrogate(config.settings.surrogate);
    let default = Config::default();
    let mut lines = Vec::new();
    for field in fields() {
        let (ours, theirs) = ((field.get)(config), (field.get)(&usual));
        // The vehicle and the surrogate are those of the usual study here, not the default's.
        let named = ["airframe", "surrogate"].contains(&field.key);
        let theirs = if named { (field.get)(&default) } else { theirs };
        let said = match &ours {
            _ if ours == theirs => continue,
            toml::Value::Table(_) => "given in config.toml".to_owned(),
            ours => ours.to_string(),
        };
        let line = format!("{} = {said}", field.key);
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    for (key, differs) in [
        ("gains.bounds", config.gains != usual.gains),
        ("training", config.training != usual.training),
        ("test", config.tests != usual.tests),
    ] {
        if differs {
            lines.push(format!("[{key}] is its own: see config.toml"));
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_differs_is_said() {
        let default = Config::default();
        assert_eq!(differing(&default), [""; 0]);
        let mut other = Config::default();
        other.settings.set_surrogate("gp");
        other.settings.seed = 7;
        other.gains[0].span.high *= 2.0;
        let lines = differing(&other);
        assert!(
            lines.contains(&"surrogate = \"gp\"".to_owned()),
            "{lines:?}"
        );
        assert!(lines.contains(&"seed = 7".to_owned()), "{lines:?}");
        assert!(
            lines[lines.len() - 1].starts_with("[gains.bounds]"),
            "{lines:?}"
        );
        assert_eq!(lines.len(), 3, "{lines:?}");
    }
}
