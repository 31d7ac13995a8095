//! Open: a run begun, or taken up again from its journal.

use crate::args::TuneArgs;
use crate::command::claim;
use bo::Error;
use bo::flights::problem::Problem;
use bo::flights::trust;
use bo::run::disk::folder;
use bo::run::disk::journal::{self, Entry, Header, Journal};
use bo::study::Config;
use shell::Failure;
use shell::folder::Folder;
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
    let problem = flyable(&config)?;
    start(folder::claim(path)?, config, problem)
}

/// The problem of `config`, whose flights can mean something.
fn flyable(config: &Config) -> Result<Problem, Error> {
    let problem = config.problem()?;
    trust::refuse(&problem.concerns())?;
    problem.allowed()?;
    Ok(problem)
}

fn begin(args: &TuneArgs, config: Config) -> Result<Opened, Error> {
    let problem = flyable(&config)?;
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
    let config = Config::kept(&header.config, &path.join("config.toml"))?;
    if args.says_what() {
        let asked = Config {
            limits: config.limits,
            ..args.study()?
        };
        same(path, &config, &asked)?;
    }
    let problem = config.problem()?;
    Ok(Opened {
        folder: Folder::of(path),
        journal,
        config,
        problem,
    })
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
