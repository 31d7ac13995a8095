//! Form: the text of a study file, read key by key with the place of each value.

use super::gains::{GainsTable, gains};
use super::known_by;
use super::place::{airframe, legal_name, route_in};
use super::span::{Placed, number, placed, range};
use super::winds::{TestTable, TrainingTable, Winds, winds};
use super::{Config, ConfigError, Fault, Named, Route};
use crate::Error;
use crate::flights::environments::{Environments, Target};
use crate::flights::warm_start::WarmStart;
use crate::run::settings::{
    FLIGHTS, HELD_OUT, INITIAL, ITERATIONS, KAPPA, LAMBDA, Limit, acquisition_name,
};
use serde::Deserialize;
use sim::Airframe;
use sim::log::Format;
use std::path::Path;
use toml::{Spanned, Value};

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct StudyFile {
    trajectory: Option<Spanned<Value>>,
    airframe: Option<Spanned<Value>>,
    surrogate: Option<Spanned<String>>,
    lambda: Option<Spanned<Value>>,
    environments: Option<Spanned<String>>,
    target: Option<Spanned<String>>,
    warm_start: Option<Spanned<Value>>,
    seed: Option<Spanned<Value>>,
    log: Vec<Spanned<String>>,
    budget: BudgetTable,
    acquisition: AcquisitionTable,
    gains: GainsTable,
    cost: CostTable,
    training: Option<Spanned<Vec<TrainingTable>>>,
    test: Option<Spanned<Vec<TestTable>>>,
    limits: LimitsTable,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct BudgetTable {
    initial: Option<Spanned<i64>>,
    iterations: Option<Spanned<i64>>,
    flights: Option<Spanned<i64>>,
    held_out: Option<Spanned<i64>>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct AcquisitionTable {
    name: Option<Spanned<String>>,
    kappa: Option<Spanned<f64>>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct CostTable {
    effort_m: Option<Spanned<f64>>,
    saturation_m: Option<Spanned<f64>>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct LimitsTable {
    threads: Option<Spanned<i64>>,
    flight_s: Option<Spanned<f64>>,
}

/// Reads the study file `text`, which lies at `path`, for its own vehicle or for `vehicle`.
pub(super) fn read(
    text: &str,
    path: &Path,
    vehicle: Option<Named<Airframe>>,
) -> Result<Config, Error> {
    let at = |(span, fault): Placed| {
        let (line, column) = line_and_column(text, span.start);
        ConfigError::At {
            path: path.to_owned(),
            line,
            column,
            fault: Box::new(fault),
        }
    };
    let file: StudyFile = toml::from_str(text).map_err(|error| {
        let span = error.span().unwrap_or(0..0);
        at((span, Fault::Syntax(error)))
    })?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let config = config(file, folder, vehicle).map_err(at)?;
    config.check()?;
    Ok(config)
}

fn config(
    file: StudyFile,
    folder: &Path,
    vehicle: Option<Named<Airframe>>,
) -> Result<Config, Placed> {
    let mut config = Config::default();
    if let Some(given) = &file.trajectory {
        config.route = placed(given, |value| trajectory(folder, value))?;
        config.settings.trajectory = config.route.name().to_owned();
    }
    if let Some(vehicle) = vehicle {
        config.airframe = vehicle;
    } else if let Some(given) = &file.airframe {
        config.airframe = placed(given, |value| airframe(folder, value))?;
    }
    if let Some(given) = &file.surrogate {
        let legal = |name: &String| match crate::search::belief::surrogates::legal(name) {
            Ok(name) => Ok(name),
            Err(error) => Err(Fault::Surrogate(error)),
        };
        config.settings.set_surrogate(placed(given, legal)?);
    }
    if let Some(given) = &file.lambda {
        config.settings.lambda = lambda(given)?;
    }
    if let Some(given) = &file.environments {
        let read = |name: &String| word("environments", name, Environments::by_name);
        config.settings.environments = placed(given, read)?;
    }
    if let Some(given) = &file.target {
        config.settings.target = match given.get_ref().as_str() {
            "none" => None,
            _ => Some(placed(given, |name| word("target", name, Target::by_name))?),
        };
    }
    if let Some(given) = &file.acquisition.name {
        let read = |name: &String| word("acquisition.name", name, acquisition_name);
        config.settings.acquisition = placed(given, read)?;
    }
    if let Some(given) = &file.seed {
        config.settings.seed = placed(given, seed)?;
    }
    config.logs = logs(&file.log)?;
    budget(&mut config, &file)?;
    gains(&mut config, &file.gains)?;
    let tables = Winds {
        training: file.training.as_ref(),
        test: file.test.as_ref(),
    };
    winds(&mut config, &tables, folder)?;
    if let Some(given) = &file.warm_start {
        config.warm_start = placed(given, |value| warm_start(folder, value))?;
    }
    Ok(config)
}

/// The numbers of the budget, the acquisition, the cost and the limits.
fn budget(config: &mut Config, file: &StudyFile) -> Result<(), Placed> {
    let settings = &mut config.settings;
    let table = &file.budget;
    let counts: [(_, _, &mut u64, Limit); 4] = [
        (
            "budget.initial",
            &table.initial,
            &mut settings.initial,
            INITIAL,
        ),
        (
            "budget.iterations",
            &table.iterations,
            &mut settings.iterations,
            ITERATIONS,
        ),
        (
            "budget.flights",
            &table.flights,
            &mut settings.flights_per_evaluation,
            FLIGHTS,
        ),
        (
            "budget.held_out",
            &table.held_out,
            &mut settings.held_out_winds,
            HELD_OUT,
        ),
    ];
    for (key, given, target, limit) in counts {
        if let Some(given) = given {
            *target = number(key, *given.get_ref() as f64, given.span(), &limit)? as u64;
        }
    }
    if let Some(given) = &file.limits.threads {
        let limit = range(0.0, 1024.0, "a whole number from 0 (one a core) to 1024");
        let threads = *given.get_ref() as f64;
        config.limits.threads = number("limits.threads", threads, given.span(), &limit)? as u64;
    }
    let weight = range(0.0, 1e6, "finite and not negative [m]");
    let seconds = range(0.01, 86_400.0, "from 0.01 to 86400 s");
    let cost = &mut settings.cost;
    let numbers: [(_, _, &mut f64, Limit); 4] = [
        (
            "acquisition.kappa",
            &file.acquisition.kappa,
            &mut settings.kappa,
            KAPPA,
        ),
        (
            "cost.effort_m",
            &file.cost.effort_m,
            &mut cost.effort_m,
            weight,
        ),
        (
            "cost.saturation_m",
            &file.cost.saturation_m,
            &mut cost.saturation_m,
            weight,
        ),
        (
            "limits.flight_s",
            &file.limits.flight_s,
            &mut config.limits.flight_s,
            seconds,
        ),
    ];
    for (key, given, target, limit) in numbers {
        if let Some(given) = given {
            *target = number(key, *given.get_ref(), given.span(), &limit)?;
        }
    }
    Ok(())
}

fn trajectory(folder: &Path, given: &Value) -> Result<Route, Fault> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Waypoints {
        name: String,
        csv: String,
    }
    match given {
        Value::String(name) => route_in(folder, name),
        Value::Table(table) => {
            let given: Waypoints = table.clone().try_into().map_err(Fault::Syntax)?;
            let name = legal_name(&given.name)?;
            trajectories::Waypoints::from_csv(&name, &given.csv).map_err(|source| {
                Fault::Waypoints {
                    path: name.clone().into(),
                    source,
                }
            })?;
            Ok(Route::Given {
                name,
                csv: given.csv,
            })
        }
        _ => Err(Fault::Kind {
            key: "trajectory",
            wanted: "a name, a waypoint file or a table with name and csv",
        }),
    }
}

/// The forms of log that are listed, each once.
fn logs(given: &[Spanned<String>]) -> Result<Vec<Format>, Placed> {
    let mut logs = Vec::new();
    for given in given {
        let format = placed(given, |name| {
            Format::by_name(name).map_err(|_| Fault::Unknown {
                key: "log".to_owned(),
                given: name.clone(),
                known: "csv, mcap, ulog".to_owned(),
            })
        })?;
        if logs.contains(&format) {
            let name = given.get_ref().clone();
            return Err((
                given.span(),
                Fault::Twice {
                    what: "the log",
                    name,
                },
            ));
        }
        logs.push(format);
    }
    Ok(logs)
}

/// What `by_name` makes of a word.
fn word<T>(key: &str, given: &str, by_name: impl Fn(&str) -> Result<T, Error>) -> Result<T, Fault> {
    by_name(given).map_err(|error| Fault::Unknown {
        key: key.to_owned(),
        given: given.to_owned(),
        known: match error {
            Error::UnknownChoice { known, .. } => known.to_owned(),
            other => other.to_string(),
        },
    })
}

/// An earlier run by the path of its record, or its evaluations in full.
fn warm_start(folder: &Path, given: &Value) -> Result<Option<WarmStart>, Fault> {
    match given {
        Value::String(none) if none == "none" => Ok(None),
        Value::String(path) => match known_by(&folder.join(path)) {
            Ok(start) => Ok(Some(start)),
            Err(error) => Err(Fault::WarmStart(Box::new(error))),
        },
        Value::Table(table) => table.clone().try_into().map(Some).map_err(Fault::Syntax),
        _ => Err(Fault::Kind {
            key: "warm_start",
            wanted: "none, a run's folder or run.json, or a table with its evaluations",
        }),
    }
}

/// The weight of the penalty, or none.
fn lambda(given: &Spanned<Value>) -> Result<Option<f64>, Placed> {
    let value = match given.get_ref() {
        Value::String(none) if none == "none" => return Ok(None),
        Value::Float(value) => *value,
        Value::Integer(value) => *value as f64,
        _ => {
            let fault = Fault::Kind {
                key: "lambda",
                wanted: "a number, or none",
            };
            return Err((given.span(), fault));
        }
    };
    number("lambda", value, given.span(), &LAMBDA).map(Some)
}

/// TOML's integers end at 2⁶³ − 1; greater seeds stand in quotes.
fn seed(given: &Value) -> Result<u64, Fault> {
    let seed = match given {
        Value::Integer(seed) => u64::try_from(*seed).ok(),
        Value::String(seed) => seed.parse().ok(),
        _ => None,
    };
    seed.ok_or(Fault::Kind {
        key: "seed",
        wanted: "a whole number from 0 to 18446744073709551615, in quotes above 9223372036854775807",
    })
}

/// Line and column, from 1, of a byte; columns count characters.
fn line_and_column(text: &str, byte: usize) -> (usize, usize) {
    let before = text.get(..byte).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let line = before.matches('\n').count() + 1;
    (line, before[line_start..].chars().count() + 1)
}
