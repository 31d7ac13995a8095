//! `bo worker`: flies the evaluations of a tuning study that a server hands out.

use crate::args::WorkerArgs;
use bo::Error;
use bo::flights::context::{Context, Winds};
use bo::flights::evaluation::best;
use bo::flights::problem::Problem;
use bo::flights::trust;
use bo::interrupt::Interrupt;
use bo::run::disk::record::to_toml;
use bo::serve::address::Address;
use bo::serve::client::Client;
use bo::streams::{Stream, Study};
use bo::study::Config;
use bo::terminal::{note, say};
use search::{Acquisition, Origin, Range, Scale, Suggestion};
use serde_json::{Value, json};
use shell::{Failure, exit, token};
use sim::ACE_CAP_M;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

/// Between two questions where every evaluation is with another worker.
const WAIT: Duration = Duration::from_millis(200);

/// Flies until the study has all its evaluations, or the user interrupts: then the one under way is
/// flown and reported first. Returns the gains that the server recommends.
///
/// # Errors
/// A study that cannot be served, nobody who answers, or what the server refuses.
pub fn worker(args: &WorkerArgs, interrupt: &Interrupt) -> Result<String, Error> {
    let address = Address::parse(&args.connect)?;
    let patience = Duration::from_secs(args.patience);
    let token = token_within(&args.token_file, patience)?;
    let mut server = Client::new(address, token, patience);
    let config = match args.says_what() {
        true => {
            let config = args.study()?;
            server.say(&init(&config)?)?;
            config
        }
        false => theirs(&mut server, patience)?,
    };
    let problem = config.problem()?;
    let concerns = problem.concerns();
    trust::refuse(&concerns)?;
    trust::warn(&concerns);
    let has_winds = config.settings.environments == Context::Winds;
    let winds = has_winds.then(|| Winds::of(&problem.tuning));
    let flown = fly(&problem, winds.as_ref(), &mut server, interrupt)?;
    if interrupt.raised() {
        let flights = flown.len() as u64;
        let line = format!("interrupted after {flights} evaluations, all of them told");
        return Err(Failure::new(line, exit::INTERRUPTED).into());
    }
    let answer = server.say(&json!({"type": "recommend"}))?;
    let x = numbers(&answer["x"]);
    let gains = problem.space.gains_at(&unit(&problem, &x));
    let mut heading = vec![format!(
        "Recommended by {} after all evaluations; this worker flew {}",
        args.connect,
        flown.len()
    )];
    if let Some(best) = best(&flown) {
        heading.push(format!("Its best flight cost {:.3} m", best.cost_m));
    }
    to_toml(&heading, &gains)
}

/// The server's token, which its first start makes.
fn token_within(path: &Path, patience: Duration) -> Result<String, Error> {
    let began = Instant::now();
    while matches!(path.try_exists(), Ok(false)) && began.elapsed() < patience {
        thread::sleep(WAIT);
    }
    Ok(token::read(path)?)
}

/// The study that another worker said.
fn theirs(server: &mut Client, patience: Duration) -> Result<Config, Error> {
    let began = Instant::now();
    while server.say(&json!({"type": "status"}))?["begun"] != true && began.elapsed() < patience {
        thread::sleep(WAIT);
    }
    let answer = server.say(&json!({"type": "study"}))?;
    let text = answer["study"].as_str().unwrap_or_default();
    Config::kept(text, Path::new("the server's study"))
}

/// Flies what the server hands out and reports its `winds` if they are the context; returns what
/// was flown.
fn fly(
    problem: &Problem,
    winds: Option<&Winds>,
    server: &mut Client,
    interrupt: &Interrupt,
) -> Result<Vec<bo::flights::evaluation::Evaluation>, Error> {
    let mut flown = Vec::new();
    while !interrupt.raised() {
        let answer = server.say(&json!({"type": "ask"}))?;
        if answer["done"] == true {
            break;
        }
        let Some(id) = answer["id"].as_u64() else {
            thread::sleep(WAIT);
            continue;
        };
        let x = unit(problem, &numbers(&answer["x"]));
        let origin = Origin::Initial;
        let evaluation = problem.evaluate(id, Suggestion::new(x, origin));
        let mut tell = json!({"type": "tell", "id": id, "key": answer["key"]});
        match evaluation.value() {
            Some(cost_m) => tell["y"] = cost_m.into(),
            None => tell["crashed"] = true.into(),
        }
        if let Some(winds) = winds {
            tell["covariates"] = winds.context(&evaluation.flights).into();
        }
        match server.say(&tell) {
            Ok(_) if evaluation.lost => say(&format!("evaluation {id}: lost")),
            Ok(_) => say(&format!("evaluation {id}: {} m", evaluation.cost_m)),
            // Its lease ran out and another worker was faster.
            Err(Error::Refused(said)) => note(&said),
            Err(error) => return Err(error),
        }
        flown.push(evaluation);
    }
    Ok(flown)
}

/// What begins the search of a study at a server: the one that `bo tune` makes, in the gains' own
/// units.
fn init(config: &Config) -> Result<Value, Error> {
    let settings = &config.settings;
    let alone = |what| {
        let line =
            format!("a study with {what} is tuned by one process: leave it out, or use bo tune");
        Err(Failure::usage(line).into())
    };
    // What is aimed at one of several is learnt by processes of its own.
    let problem = config.problem()?;
    if problem.warm_start.is_some() {
        return alone("a warm start");
    }
    if !settings.margins.is_none() {
        return alone("limits of margins");
    }
    // The server knows each surrogate's own weight and no other.
    if settings.lambda != dilgp::default_lambda(settings.surrogate) {
        return alone("a lambda of its own");
    }
    let knobs = problem.space.knobs();
    let space = knobs.iter().map(|knob| match knob.parameter.range() {
        Range::Fixed(value) => json!({"name": knob.gain.name, "value": value}),
        range => {
            let span = range.span();
            json!({
                "name": knob.gain.name,
                "low": span.low,
                "high": span.high,
                "log": span.scale == Scale::Log,
                "integer": matches!(range, Range::Integer(_)),
            })
        }
    });
    let start = problem.space.gains_at(&problem.baseline());
    let baseline = knobs.iter().map(|knob| knob.gain.value(&start));
    let rule = settings.rule()?;
    let mut init = json!({
        "type": "init",
        "space": space.collect::<Vec<_>>(),
        "baseline": baseline.collect::<Vec<_>>(),
        "seed": Study::Search.of(problem.tuning.study_seed),
        "noise": true,
        "transform": "log",
        "lost_value": ACE_CAP_M,
        "initial": settings.initial,
        "budget": settings.evaluations(),
        "surrogate": settings.surrogate,
        "acquisition": rule.name(),
        "study": config.to_toml(),
    });
    if settings.environments == Context::Winds {
        init["covariates"] = winds().into();
    }
    if let Acquisition::Bound { kappa } = rule {
        init["kappa"] = kappa.into();
    }
    for (field, named) in [
        ("recommender", json!(settings.recommender)),
        ("loss_model", json!(settings.loss_model)),
    ] {
        if !named.is_null() {
            init[field] = named;
        }
    }
    Ok(init)
}

/// The numbers of a wind, which come in deviations from their means over the study's winds.
fn winds() -> Vec<Value> {
    let declared = |name| json!({"name": name, "mean": 0.0, "deviation": 1.0});
    Winds::NAMES.map(declared).into()
}

fn numbers(value: &Value) -> Vec<f64> {
    let numbers = value.as_array().into_iter().flatten();
    numbers.filter_map(Value::as_f64).collect()
}

/// The point of the cube for gains in their own units.
fn unit(problem: &Problem, x: &[f64]) -> Vec<f64> {
    let knobs = problem.space.knobs().iter().zip(x);
    knobs
        .map(|(knob, value)| knob.parameter.unit(*value))
        .collect()
}
