//! Open: a run begun, or taken up again from its journal.

use crate::args::TuneArgs;
use crate::command::{claim, start_threads};
use bo::Error;
use bo::flights::problem::Problem;
use bo::flights::trust;
use bo::run::disk::journal::{self, Entry, Header, Journal};
use bo::run::disk::{archive, folder};
use bo::run::settings::Settings;
use bo::study::Config;
use bo::terminal;
use dilgp::threads::on_all_cores;
use shell::folder::Folder;
use shell::{Failure, manifest};
use std::path::Path;

/// Version of the program, as it stands in every run.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A run's folder, its journal, and what it is.
pub(super) struct Opened {
    pub(super) folder: Folder,
    pub(super) journal: Journal,
    pub(super) config: Config,
    pub(super) problem: Problem,
}

/// Begins the run that was asked for, or takes it up again.
pub(super) fn open(args: &TuneArgs) -> Result<Opened, Error> {
    let Some(path) = args.resumed()? else {
        let config = args.study()?;
        return begin(args, config);
    };
    if path.join(journal::NAME).is_file() {
        return resume(args, path);
    }
    if !args.says_what() {
        return Err(journal::missing(&path.join(journal::NAME)).into());
    }
    let config = args.study()?;
    let problem = flyable(args, &config)?;
    start(folder::claim(path)?, config, problem)
}

/// The problem of `config`, on as many threads as were asked for.
pub(super) fn problem(args: &TuneArgs, config: &Config) -> Result<Problem, Error> {
    start_threads(match args.threads.count() {
        0 => config.limits.threads as usize,
        typed => typed,
    })?;
    on_all_cores(|| config.problem())
}

/// The same, whose flights can mean something.
fn flyable(args: &TuneArgs, config: &Config) -> Result<Problem, Error> {
    let problem = problem(args, config)?;
    trust::refuse(&problem.concerns())?;
    on_all_cores(|| problem.allowed())?;
    Ok(problem)
}

fn begin(args: &TuneArgs, config: Config) -> Result<Opened, Error> {
    let problem = flyable(args, &config)?;
    let automatic = automatic_name(&config);
    start(claim(args.out.as_ref(), &automatic)?, config, problem)
}

/// Name of the folder of a run without --out.
pub(super) fn automatic_name(config: &Config) -> String {
    let settings = &config.settings;
    format!(
        "{}-{}-{}",
        settings.trajectory, settings.surrogate, settings.seed
    )
}

fn start(folder: Folder, config: Config, problem: Problem) -> Result<Opened, Error> {
    let header = Entry::Header(Header {
        schema: journal::SCHEMA.to_owned(),
        windhover: VERSION.to_owned(),
        config: config.to_toml(),
    });
    Ok(Opened {
        journal: Journal::create(folder.path(), header)?,
        folder,
        config,
        problem,
    })
}

fn resume(args: &TuneArgs, path: &Path) -> Result<Opened, Error> {
    let journal = Journal::open(path)?;
    let header = &journal.contents().header;
    if header.windhover != VERSION {
        let path = path.join(journal::NAME);
        return Err(journal::other_version(&path, &header.windhover).into());
    }
    let (text, at) = (&header.config, path.join(archive::STUDY));
    let mut config = Config::kept(text, &at)?;
    // What is typed beside no study file changes the run's own.
    let asked = match args.config {
        Some(_) => args.study()?,
        None => Config::kept_with(text, &at, args.flags.typed())?,
    };
    let asked = Config {
        limits: config.limits,
        ..asked
    };
    let iterations = asked.settings.iterations;
    let budget = std::mem::replace(&mut config.settings.iterations, iterations);
    same(path, &config, &asked)?;
    let (flown, header) = (journal.contents().trials.len() as u64, header.clone());
    let journal = match iterations == budget {
        true => journal,
        false if config.settings.evaluations() < flown => {
            return Err(fewer(path, flown, &config).into());
        }
        false => {
            terminal::note(&format!(
                "{iterations} iterations, not {budget}: the run resumes after {flown} evaluations as if it had \
                 been begun so"
            ));
            journal.continued(Header {
                config: config.to_toml(),
                ..header
            })?
        }
    };
    let folder = Folder::of(path);
    if !journal.contents().ended {
        // They are of a run with fewer evaluations.
        folder.remove(archive::RECORD)?;
        folder.remove(manifest::NAME)?;
    }
    let problem = problem(args, &config)?;
    Ok(Opened {
        folder,
        journal,
        config,
        problem,
    })
}

/// That the run in `path` has flown more than it is to fly.
fn fewer(path: &Path, flown: u64, config: &Config) -> Failure {
    let Settings {
        initial,
        iterations,
        ..
    } = config.settings;
    let line = format!(
        "{} has {flown} evaluations already: {initial} initial ones and --iterations {iterations} are fewer; begin that run in a new folder",
        path.display()
    );
    Failure::usage(line)
}

/// Refuses to resume another run than the one that was begun.
fn same(path: &Path, begun: &Config, asked: &Config) -> Result<(), Error> {
    let (theirs, ours) = (begun.to_toml(), asked.to_toml());
    if theirs == ours {
        return Ok(());
    }
    let mut lines = theirs.lines().zip(ours.lines()).enumerate();
    let (line, (theirs, ours)) = lines
        .find(|(_, (theirs, ours))| theirs != ours)
        .unwrap_or((0, ("", "")));
    let line = format!(
        "{} was begun with other settings: line {} of its config.toml is `{}`, now it would be `{}`; leave the flags out or name a new folder",
        path.display(),
        line + 1,
        shortened(theirs),
        shortened(ours)
    );
    Err(Failure::usage(line).into())
}

/// A line of a study file, which may hold a whole vehicle or evaluation, as an error can show it.
fn shortened(line: &str) -> String {
    const MOST: usize = 160;
    match line.char_indices().nth(MOST) {
        Some((at, _)) => format!("{} ...", &line[..at]),
        None => line.to_owned(),
    }
}
