//! Runner: work that is divided into cells, and what its command line asks to be done with them.

use super::args::CellsArgs;
use super::engine::{self, Engine, Job, groups};
use super::seal::Stamp;
use super::status::Status;
use super::store::ResultStore;
use super::workers::alone;
use super::workers::{Cell, run_cells};
use crate::folder::Folder;
use crate::interrupt::Interrupt;
use crate::terminal::{self, word};
use crate::{Failure, exit};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::ffi::OsString;
use std::fmt::Display;
use std::path::Path;

/// Work that is divided into cells.
pub trait Work: Sync {
    /// A piece of it.
    type Cell: Cell;
    /// What is kept of a piece.
    type Finished: Serialize;
    /// Why a piece, or the whole, cannot be worked out.
    type Error: From<Failure> + Display + Send;

    /// All pieces, in their order.
    fn cells(&self) -> Vec<Self::Cell>;

    /// About how long a piece takes on one thread [s], for the size of tasks alone.
    fn seconds(&self, cell: &Self::Cell) -> f64;

    /// Receives, before the work begins, the pieces that this process is to work out.
    fn begin(&self, _: &[&Self::Cell]) {}

    /// Works a piece out; those that it needs are in the store.
    ///
    /// # Errors
    /// Its own.
    fn work(&self, store: &ResultStore, cell: &Self::Cell) -> Result<Self::Finished, Self::Error>;

    /// Receives a piece that another process finished meanwhile.
    fn elsewhere(&self, _: &Self::Cell) {}

    /// Makes the result of all pieces, which are in the store, `kept` of them before this process
    /// began; returns what is printed.
    ///
    /// # Errors
    /// Its own.
    fn merge(&self, store: &ResultStore, kept: usize) -> Result<String, Self::Error>;
}

/// What one process of a program is asked to do with cells.
#[derive(Debug)]
pub struct Runner<'a> {
    /// What was typed.
    pub args: &'a CellsArgs,
    /// The folder that was asked for.
    pub out: Option<&'a Path>,
    /// The name of a folder below `runs` where none was.
    pub automatic: &'a str,
    /// The program's command and flags that name the work, without the folder.
    pub words: Vec<OsString>,
    /// The program's version.
    pub version: &'a str,
    /// Whether one JSON object is printed.
    pub json: bool,
    /// Cells at once.
    pub workers: usize,
    /// Whether the user has asked the program to stop.
    pub interrupt: &'a Interrupt,
}

/// The names of cells as JSON has them.
#[derive(Serialize)]
struct Listed<'a> {
    schema: &'static str,
    keys: &'a [String],
}

impl Runner<'_> {
    /// What is asked that needs no work: the names of the cells, how far a folder is, to begin
    /// nothing more in it. `None` if something else is asked.
    ///
    /// # Errors
    /// A folder without cells.
    pub fn answer<W: Work>(&self, work: &W) -> Result<Option<String>, Failure> {
        let args = self.args;
        if let Some(folder) = &args.drain {
            let store = ResultStore::visit(folder)?;
            store.drain()?;
            let running = Status::of(&store)?.running.len();
            let said = format!("{running} cells are finished, and none is begun\n");
            return Ok(Some(said));
        }
        if let Some(folder) = &args.status {
            return self.status(&ResultStore::visit(folder)?).map(Some);
        }
        if !args.list_cells {
            return Ok(None);
        }
        let keys: Vec<String> = work.cells().iter().map(Cell::key).collect();
        let listed = Listed {
            schema: "windhover-cell-list/1",
            keys: &keys,
        };
        let lines = || keys.iter().map(|key| key.to_owned() + "\n").collect();
        Ok(Some(if self.json { object(&listed) } else { lines() }))
    }

    /// The folder that was asked for, or the next free one, and the plan that was there first.
    ///
    /// # Errors
    /// Those of [`ResultStore::open`].
    pub fn store<P>(&self, plan: &P) -> Result<(ResultStore, P), Failure>
    where
        P: Serialize + DeserializeOwned,
    {
        let rules = self.args.rules(Stamp::of_this_process(self.version));
        match self.out {
            Some(path) => ResultStore::open(path, plan, rules),
            None => {
                let folder = Folder::claim_next(Path::new("runs"), self.automatic)?;
                ResultStore::open(folder.path(), plan, rules)
            }
        }
    }

    /// As [`Runner::store`], where the plan must be the same.
    ///
    /// # Errors
    /// Those of [`ResultStore::open`], and another plan.
    pub fn store_of<P>(&self, plan: &P) -> Result<ResultStore, Failure>
    where
        P: Serialize + DeserializeOwned + PartialEq,
    {
        let (store, kept) = self.store(plan)?;
        store.check_plan(&kept, plan)?;
        Ok(store)
    }

    /// Does what is asked: works out all cells and merges them, or a part of them; looks whether all
    /// are there, and merges; or writes scripts. Returns what is printed.
    ///
    /// # Errors
    /// The work's own; missing, damaged and unequal cells; work that was stopped.
    pub fn run<W: Work>(&self, store: &ResultStore, work: &W) -> Result<String, W::Error> {
        let (args, interrupt) = (self.args, self.interrupt);
        let grid = Grid {
            runner: self,
            store,
            work,
            cells: work.cells(),
        };
        let chosen = args.chosen(&grid.cells)?;
        store.ask(&grid.keys())?;
        if let Some(engine) = args.engine.filter(|_| !args.collect) {
            return Ok(grid.write_scripts(engine)?);
        }
        let kept = if args.collect {
            grid.collect()?
        } else {
            let due = chosen.iter().filter(|cell| !store.holds(&cell.key()));
            work.begin(&due.copied().collect::<Vec<_>>());
            let worked = |cell: &W::Cell| work.work(store, cell);
            let elsewhere = |cell: &W::Cell| work.elsewhere(cell);
            run_cells(store, &chosen, self.workers, interrupt, worked, elsewhere)?
        };
        if args.is_part() {
            return Ok(self.status(store)?);
        }
        grid.check_whole()?;
        let merged = alone(store, "merge", interrupt, || work.merge(store, kept))?;
        store.tidy();
        Ok(merged)
    }

    fn status(&self, store: &ResultStore) -> Result<String, Failure> {
        let status = Status::of(store)?;
        Ok(if self.json {
            object(&status)
        } else {
            status.text()
        })
    }
}

fn object(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("names and numbers are always representable") + "\n"
}

/// Names of missing cells that one line quotes.
const MOST_NAMED: usize = 3;

/// The first names, and how many more there are.
fn named(keys: &[String]) -> String {
    let first = keys[..keys.len().min(MOST_NAMED)].join(", ");
    match keys.len().saturating_sub(MOST_NAMED) {
        0 => first,
        more => format!("{first} and {more} more"),
    }
}

/// All cells, and the folder in which they are kept.
struct Grid<'a, W: Work> {
    runner: &'a Runner<'a>,
    store: &'a ResultStore,
    work: &'a W,
    cells: Vec<W::Cell>,
}

impl<W: Work> Grid<'_, W> {
    /// Writes the scripts for all cells that are not done.
    fn write_scripts(&self, engine: Engine) -> Result<String, Failure> {
        let (_, open) = self.parted()?;
        Ok(self.job(engine, &open).write(engine)?.text())
    }

    /// That every cell is there and right; how many there are.
    fn collect(&self) -> Result<usize, Failure> {
        let (kept, missing) = self.parted()?;
        if missing.is_empty() {
            return Ok(kept);
        }
        for failed in Status::of(self.store)?.failed {
            terminal::warn(&failed.line());
        }
        let engine = self.runner.args.engine.or_else(|| engine::last(self.store));
        let job = self.job(engine.unwrap_or(Engine::Slurm), &missing);
        let script = match engine {
            Some(engine) => job.write(engine)?.submit,
            None => job.write_plain()?,
        };
        let keys: Vec<String> = missing.iter().map(|cell| cell.key()).collect();
        let line = format!(
            "{} of {} cells are missing: {}; `sh {}` works them out, and nothing else",
            keys.len(),
            self.cells.len(),
            named(&keys),
            word(script)
        );
        Err(Failure::new(line, exit::LEFT))
    }

    /// How many cells are finished, and those that are not.
    fn parted(&self) -> Result<(usize, Vec<&W::Cell>), Failure> {
        let mut open = Vec::new();
        for cell in &self.cells {
            if !self.store.check(&cell.key())? {
                open.push(cell);
            }
        }
        Ok((self.cells.len() - open.len(), open))
    }

    /// That all cells can be merged; says it where they are not of one make.
    fn check_whole(&self) -> Result<(), Failure> {
        self.store.check_differing()?;
        for stamp in self.store.foreign_stamps(&self.keys()) {
            let said = format!("some cells were made by {stamp}: their last bits may differ");
            terminal::warn(&said);
        }
        Ok(())
    }

    fn job(&self, engine: Engine, cells: &[&W::Cell]) -> Job<'_> {
        let seconds = |cell: &W::Cell| self.work.seconds(cell);
        Job {
            store: self.store,
            words: self.runner.words.clone(),
            tasks: groups(engine, cells, self.runner.args.tasks, seconds),
        }
    }

    fn keys(&self) -> Vec<String> {
        self.cells.iter().map(Cell::key).collect()
    }
}
