//! `bo config`: study files, checked and written out in full.

use crate::args::ConfigArgs;
use bo::Error;
use bo::flights::problem::Problem;
use bo::flights::trust;
use bo::run::disk::record::to_json;
use bo::run::perform::concerns_before;
use bo::study::Config;
use bo::terminal;
use serde::Serialize;
use shell::Failure;

/// What `--format json` prints.
#[derive(Debug, Serialize)]
struct Printed<'a> {
    schema: &'static str,
    trajectory: &'a str,
    airframe: &'a str,
    surrogate: &'a str,
    /// Domains of the training flights.
    training: Vec<&'a str>,
    /// The gains that are tuned.
    gains: Vec<&'a str>,
    evaluations: u64,
    flights_per_evaluation: u64,
    seed: u64,
    /// With `--print`: the whole study, key by key as in the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    study: Option<toml::Table>,
}

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
        return to_json("study", &Printed::of(&config, &problem, args.print)?);
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

impl Printed<'_> {
    fn of<'a>(config: &'a Config, problem: &'a Problem, whole: bool) -> Result<Printed<'a>, Error> {
        let settings = &config.settings;
        let study = |text: String| toml::from_str(&text).map_err(Failure::encoding("study"));
        Ok(Printed {
            schema: "windhover-study/1",
            trajectory: &settings.trajectory,
            airframe: &problem.tuning.setup.airframe.name,
            surrogate: settings.surrogate,
            training: config
                .training
                .iter()
                .map(|share| share.domain.get().name.as_str())
                .collect(),
            gains: config.gains.iter().map(|bounds| bounds.name).collect(),
            evaluations: settings.evaluations(),
            flights_per_evaluation: settings.flights_per_evaluation,
            seed: settings.seed,
            study: whole.then(|| study(config.to_toml())).transpose()?,
        })
    }
}

fn domains(config: &Config) -> String {
    let names = config.training.iter().map(|s| s.domain.get().name.as_str());
    format!("{} wind", names.collect::<Vec<_>>().join(" and "))
}
