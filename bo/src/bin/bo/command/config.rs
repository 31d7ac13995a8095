//! `bo config`: study files, checked and written out in full.

use crate::args::ConfigArgs;
use bo::Error;
use bo::flights::problem::Problem;
use bo::flights::trust;
use bo::run::disk::record::to_json;
use bo::run::perform::concerns_before;
use bo::study::Config;
use bo::terminal;
use serde_json::{Value, json};
use shell::Failure;

/// Checks the study file, or takes the defaults; the whole study where it is to be printed.
///
/// # Errors
/// A file that cannot be read or is faulty.
pub fn config(args: &ConfigArgs) -> Result<String, Error> {
    let (config, text) = Config::drafted(args.file.as_deref(), args.flags.typed())?;
    let problem = config.problem()?;
    let concerns = concerns_before(&config.settings, &problem);
    trust::refuse(&concerns)?;
    trust::warn(&concerns);
    if args.file.is_some() || args.flags.any() {
        let remarks = config.remarks();
        remarks.iter().for_each(|said| terminal::note(said));
    }
    if args.output.is_json() {
        return to_json("study", &printed(&config, &problem, args.print)?);
    }
    if args.print {
        return Ok(text);
    }
    let settings = &config.settings;
    Ok(format!(
        "{} with {}, {} of {}: {} gains, {} evaluations of {} flights, seed {}\n",
        settings.trajectory,
        settings.surrogate,
        problem.tuning.setup.airframe.name,
        domains(&config),
        problem.space.dimensions(),
        settings.evaluations(),
        settings.flights_per_evaluation,
        settings.seed
    ))
}

/// What `--format json` prints; with `--print` the whole study too, key by key as in the file.
fn printed(config: &Config, problem: &Problem, whole: bool) -> Result<Value, Error> {
    let settings = &config.settings;
    let training = config.training.iter().map(|share| &share.domain.get().name);
    let mut printed = json!({
        "schema": "windhover-study/1",
        "trajectory": settings.trajectory,
        "airframe": problem.tuning.setup.airframe.name,
        "surrogate": settings.surrogate,
        "training": training.collect::<Vec<&String>>(),
        "gains": config.gains.iter().map(|bounds| bounds.name).collect::<Vec<&str>>(),
        "evaluations": settings.evaluations(),
        "flights_per_evaluation": settings.flights_per_evaluation,
        "seed": settings.seed,
    });
    if whole {
        let study = toml::from_str(&config.to_toml());
        printed["study"] = study.map_err(Failure::encoding("study"))?;
    }
    Ok(printed)
}

fn domains(config: &Config) -> String {
    let names = config.training.iter().map(|s| s.domain.get().name.as_str());
    format!("{} wind", names.collect::<Vec<_>>().join(" and "))
}
