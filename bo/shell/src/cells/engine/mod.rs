//! Engine: a program that people have already and that starts many processes on many machines.
//!
//! What is written for one are shell scripts, which a person may read and change, and a list of
//! tasks: a line is the cells of one process. The names of both hold a checksum of the list, so that
//! a job that still waits never finds another list than its own.

mod scripts;

use super::Cell;
use super::store::ResultStore;
use crate::Failure;
use crate::files::{FileError, checksum};
use crate::terminal::word;
use clap::ValueEnum;
use std::ffi::{OsStr, OsString};
use std::path::{PathBuf, absolute};

/// Folder of scripts and lists.
const FOLDER: &str = "engine";

/// Script that begins everything.
const SUBMIT: &str = "submit.sh";

/// Script that works out the cells that were missing, without an engine.
const MISSING: &str = "missing.sh";

/// Most tasks: Slurm refuses an index above 1000 where its administrator has not said otherwise.
const MOST_TASKS: usize = 1000;

/// Most cells of a task: their names are one word of a command line.
const MOST_CELLS: usize = 1000;

/// Which engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Engine {
    /// Slurm: an array of jobs and one that collects.
    Slurm,
    /// GNU parallel, on this machine or on several by ssh.
    Parallel,
}

impl Engine {
    /// How long a task should take at least: a scheduler needs seconds to start one [s].
    fn least_s(self) -> f64 {
        match self {
            Engine::Slurm => 60.0,
            Engine::Parallel => 2.0,
        }
    }
}

/// What an engine is to work out.
#[derive(Debug)]
pub struct Job<'a> {
    /// Where cells are kept.
    pub store: &'a ResultStore,
    /// The program's command and flags that name the work, without the folder.
    pub words: Vec<OsString>,
    /// The cells of each task.
    pub tasks: Vec<Vec<String>>,
}

/// The scripts of a job, which are written.
#[derive(Debug)]
pub struct Scripts {
    /// What begins everything.
    pub submit: PathBuf,
    engine: Engine,
    tasks: usize,
    cells: usize,
}

/// Cells in their order, so many together that a task takes at least a minute (a scheduler needs
/// seconds to begin one), and at most a thousand tasks, or `tasks` of them.
pub fn groups<C: Cell>(
    engine: Engine,
    cells: &[&C],
    tasks: Option<u64>,
    seconds: impl Fn(&C) -> f64,
) -> Vec<Vec<String>> {
    let total_s: f64 = cells.iter().map(|cell| seconds(cell)).sum();
    let most = (cells.len() / MOST_CELLS + 1)..=MOST_TASKS;
    let usual = (total_s / engine.least_s()) as usize;
    let wanted = tasks.map_or(usual, |tasks| tasks as usize);
    let wanted = wanted.clamp(*most.start(), *most.end()).min(cells.len());
    let mut groups: Vec<Vec<String>> = vec![Vec::new(); wanted];
    // Dealt like cards: neighbours are alike, and take alike long.
    for (number, cell) in cells.iter().enumerate() {
        groups[number % wanted].push(cell.key());
    }
    groups
}

impl Job<'_> {
    /// Writes what `engine` needs.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn write(&self, engine: Engine) -> Result<Scripts, Failure> {
        let folder = self.folder()?;
        let list: String = self
            .tasks
            .iter()
            .map(|cells| cells.join(",") + "\n")
            .collect();
        let name = checksum(list.as_bytes());
        let place = self.store.place();
        let list_file = folder.join(format!("tasks-{name}.txt"));
        place.replace(&list_file, &list)?;
        let cells_file = folder.join(format!("cells-{name}.sh"));
        place.replace(&cells_file, &self.cells_script()?)?;
        let parts = Parts {
            cells: word(&cells_file),
            list: word(&list_file),
            collect: self.line(&["--collect"])?,
            here: here()?,
            folder: folder.clone(),
            name,
            tasks: self.tasks.len(),
        };
        let scripts = match engine {
            Engine::Slurm => scripts::slurm(&parts),
            Engine::Parallel => scripts::parallel(&parts),
        };
        for (name, text) in scripts {
            place.replace(&folder.join(name), &text)?;
        }
        Ok(Scripts {
            submit: folder.join(SUBMIT),
            engine,
            tasks: self.tasks.len(),
            cells: self.tasks.iter().map(Vec::len).sum(),
        })
    }

    /// Writes the script that works out the same cells one after the other, and returns its path.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn write_plain(&self) -> Result<PathBuf, Failure> {
        let path = self.folder()?.join(MISSING);
        let mut text = format!(
            "#!/bin/sh\n# Works out what is missing, and nothing else.\nset -e\ncd {}\n",
            word(here()?)
        );
        for cells in &self.tasks {
            text += &format!("{} --cell {}\n", self.line(&[])?, cells.join(","));
        }
        text += &format!("exec {}\n", self.line(&["--collect"])?);
        self.store.place().replace(&path, &text)?;
        Ok(path)
    }

    /// The script of one task, whose cells are its first word.
    fn cells_script(&self) -> Result<String, Failure> {
        let line = self.line(&["--quiet"])?;
        Ok(format!(
            "#!/bin/sh\n\
             # Works out the cells named by its first word, separated by commas. A request to terminate\n\
             # reaches the program itself, which gives its cells back and ends with 143.\n\
             cd {} || exit 73\n\
             exec {line} --threads \"${{WINDHOVER_THREADS:-1}}\" --cell \"$1\"\n",
            word(here()?)
        ))
    }

    /// The program with the words that name the work.
    fn line(&self, more: &[&str]) -> Result<String, Failure> {
        let program = std::env::current_exe().map_err(FileError::write("this program"))?;
        let out = absolute(self.store.path()).map_err(FileError::write("out"))?;
        let mut words = vec![word(program)];
        words.extend(self.words.iter().map(|typed| flag(typed)));
        words.extend(["--out".to_owned(), word(out)]);
        words.extend(more.iter().map(|word| (*word).to_owned()));
        Ok(words.join(" "))
    }

    fn folder(&self) -> Result<PathBuf, Failure> {
        let folder = absolute(self.store.path().join(FOLDER));
        Ok(folder.map_err(FileError::write(FOLDER))?)
    }
}

/// What the scripts of every engine are made of.
struct Parts {
    /// The script of a task, as a word.
    cells: String,
    /// The list of tasks, as a word.
    list: String,
    /// The command that merges all.
    collect: String,
    /// The folder in which the command was typed.
    here: PathBuf,
    /// The folder of the scripts.
    folder: PathBuf,
    /// The checksum of the list.
    name: String,
    tasks: usize,
}

impl Scripts {
    /// What was written, and how to continue.
    pub fn text(&self) -> String {
        let engine = match self.engine {
            Engine::Slurm => "Slurm",
            Engine::Parallel => "GNU parallel",
        };
        let Scripts { cells, tasks, .. } = self;
        format!(
            "{cells} cells in {tasks} tasks for {engine}. Begin: sh {}\n",
            word(&self.submit)
        )
    }
}

/// The engine whose scripts lie in the folder.
pub(super) fn last(store: &ResultStore) -> Option<Engine> {
    let submit = store.path().join(FOLDER).join(SUBMIT);
    let text = std::fs::read_to_string(submit).ok()?;
    Some(match text.contains("sbatch") {
        true => Engine::Slurm,
        false => Engine::Parallel,
    })
}

/// A flag with its value, or another word, as a shell takes it.
fn flag(typed: &OsStr) -> String {
    let text = typed.to_string_lossy();
    match text
        .strip_prefix("--")
        .and_then(|flag| flag.split_once('='))
    {
        Some((flag, value)) => format!("--{flag}={}", word(value)),
        None if text.starts_with("--") => text.into_owned(),
        None => word(&*text),
    }
}

fn here() -> Result<PathBuf, Failure> {
    Ok(std::env::current_dir().map_err(FileError::write("."))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Number(usize);

    impl Cell for Number {
        fn key(&self) -> String {
            self.0.to_string()
        }
    }

    #[test]
    fn a_task_takes_a_minute_and_no_index_is_above_a_thousand() {
        let numbers: Vec<Number> = (0..5000).map(Number).collect();
        let many: Vec<&Number> = numbers.iter().collect();
        let cells = &many[..960];
        let tasks = |engine, each_s: f64, wanted| {
            let groups = groups(engine, cells, wanted, |_| each_s);
            let mut keys: Vec<&String> = groups.iter().flatten().collect();
            keys.sort();
            keys.dedup();
            assert_eq!(keys.len(), cells.len(), "each cell once");
            let least = groups.iter().map(Vec::len).min().unwrap_or_default();
            (groups.len(), least)
        };
        assert_eq!(tasks(Engine::Slurm, 1.0, None), (16, 60));
        assert_eq!(tasks(Engine::Slurm, 90.0, None), (960, 1));
        assert_eq!(tasks(Engine::Slurm, 0.001, None), (1, 960));
        assert_eq!(tasks(Engine::Parallel, 1.0, None), (480, 2));
        assert_eq!(tasks(Engine::Slurm, 1.0, Some(40)), (40, 24));
        assert_eq!(groups(Engine::Slurm, &many, None, |_| 1e4).len(), 1000);
        assert_eq!(groups(Engine::Slurm, &many, None, |_| 0.0).len(), 6);
        assert!(groups(Engine::Slurm, &many[..0], None, |_| 1.0).is_empty());
    }
}
