//! `bo config`: study files, checked and written out in full.

use crate::Error;
use crate::args::ConfigArgs;
use crate::config::Config;

/// Checks the study file, or takes the defaults; the whole study where it is to be printed.
///
/// # Errors
/// A file that cannot be read or is faulty.
pub fn config(args: &ConfigArgs) -> Result<String, Error> {
    let config = match &args.file {
        Some(path) => Config::read(path)?,
        None => Config::default(),
    };
    let bench = config.bench()?;
    if args.print {
        return Ok(config.to_toml());
    }
    let settings = &config.settings;
    Ok(format!(
        "{} with {}, {} of {}: {} gains, {} evaluations of {} flights, seed {}\n",
        settings.trajectory,
        settings.surrogate,
        bench.tuning.setup.airframe.name,
        domains(&config),
        bench.space.dimensions(),
        settings.evaluations(),
        settings.flights_per_evaluation,
        settings.seed
    ))
}

fn domains(config: &Config) -> String {
    let names = config.training.iter().map(|s| s.domain.get().name.as_str());
    format!("{} wind", names.collect::<Vec<_>>().join(" and "))
}
