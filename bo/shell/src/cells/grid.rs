//! Grid: all cells of one piece of work, and what its command line asks to be done with them.

use super::args::CellsArgs;
use super::crew::{Cell, Done, work_off};
use super::engine::{self, Engine, Job, groups};
use super::error::CellsError;
use super::shelf::Shelf;
use super::status::Status;
use crate::interrupt::Interrupt;
use crate::terminal;
use serde::Serialize;
use std::ffi::OsString;
use std::fmt::Display;

/// Cells, and the folder in which they are kept.
pub struct Grid<'a, C> {
    /// What was typed.
    pub args: &'a CellsArgs,
    /// Where they are kept.
    pub shelf: &'a Shelf,
    /// All of them, in their order.
    pub cells: Vec<C>,
    /// The program's command and flags that name the work, without the folder.
    pub words: Vec<OsString>,
}

/// What came of a grid.
pub enum Came {
    /// All that was asked for is done, and this is said of it.
    Said(String),
    /// Every cell is finished, and they are to be merged.
    Whole(Done),
}

/// The names of cells as JSON has them.
#[derive(Serialize)]
struct Listed<'a> {
    schema: &'static str,
    keys: &'a [String],
}

/// What is asked that needs no work: the names of the cells, how far a folder is, to begin nothing
/// more in it. Nothing where something else is asked.
///
/// # Errors
/// A folder without cells.
pub fn answer<C: Cell>(
    args: &CellsArgs,
    cells: impl FnOnce() -> Vec<C>,
    json: bool,
) -> Result<Option<String>, CellsError> {
    if let Some(folder) = &args.drain {
        let shelf = Shelf::visit(folder)?;
        shelf.drain()?;
        let running = Status::of(&shelf)?.running.len();
        return Ok(Some(format!(
            "{running} cells are finished, and none is begun\n"
        )));
    }
    if let Some(folder) = &args.status {
        let status = Status::of(&Shelf::visit(folder)?)?;
        return Ok(Some(if json { object(&status) } else { status.text() }));
    }
    if !args.list_cells {
        return Ok(None);
    }
    let keys: Vec<String> = cells().iter().map(Cell::key).collect();
    let listed = Listed {
        schema: "windhover-cell-list/1",
        keys: &keys,
    };
    let lines = || keys.iter().map(|key| key.to_owned() + "\n").collect();
    Ok(Some(if json { object(&listed) } else { lines() }))
}

fn object(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("names and numbers are always representable") + "\n"
}

impl<C: Cell> Grid<'_, C> {
    /// Does what is asked: works out all cells, or a part of them; looks whether all are there; or
    /// writes scripts, for which `seconds` says about how long a cell takes. Works with so many
    /// hands; `work` and `elsewhere` as in [`work_off`].
    ///
    /// # Errors
    /// Those of [`work_off`], [`CellsError::Missing`], and scripts that cannot be written.
    pub fn carry_out<T: Serialize, E: From<CellsError> + Display + Send>(
        &self,
        (json, hands): (bool, usize),
        interrupt: &Interrupt,
        seconds: impl Fn(&C) -> f64,
        work: impl Fn(&C) -> Result<T, E> + Sync,
        elsewhere: impl Fn(&C) + Sync,
    ) -> Result<Came, E> {
        let Grid { args, shelf, .. } = self;
        let chosen = args.chosen(&self.cells)?;
        shelf.ask(&self.keys())?;
        if args.collect {
            return Ok(Came::Whole(self.collected(seconds)?));
        }
        if let Some(engine) = args.engine {
            let (_, open) = self.parted()?;
            let scripts = self.job(engine, &open, &seconds).write(engine)?;
            return Ok(Came::Said(match args.submit {
                true => scripts.submit()?,
                false => scripts.text(),
            }));
        }
        let done = work_off(shelf, &chosen, hands, interrupt, work, elsewhere)?;
        if args.is_part() {
            let status = Status::of(shelf)?;
            return Ok(Came::Said(if json {
                object(&status)
            } else {
                status.text()
            }));
        }
        self.whole(done).map_err(E::from).map(Came::Whole)
    }

    /// That every cell is there and right.
    fn collected(&self, seconds: impl Fn(&C) -> f64) -> Result<Done, CellsError> {
        let (kept, missing) = self.parted()?;
        if missing.is_empty() {
            return self.whole(Done { kept, here: 0 });
        }
        for failed in Status::of(self.shelf)?.failed {
            terminal::warn(&failed.line());
        }
        let engine = self.args.engine.or_else(|| engine::last(self.shelf));
        let job = self.job(engine.unwrap_or(Engine::Slurm), &missing, &seconds);
        Err(CellsError::Missing {
            script: match engine {
                Some(engine) => job.write(engine)?.submit,
                None => job.write_plain()?,
            },
            missing: missing.iter().map(|cell| cell.key()).collect(),
            cells: self.cells.len(),
        })
    }

    /// How many cells are finished, and those that are not.
    fn parted(&self) -> Result<(usize, Vec<&C>), CellsError> {
        let mut open = Vec::new();
        for cell in &self.cells {
            if !self.shelf.check(&cell.key())? {
                open.push(cell);
            }
        }
        Ok((self.cells.len() - open.len(), open))
    }

    /// That all cells can be merged; says it where they are not of one make.
    fn whole(&self, done: Done) -> Result<Done, CellsError> {
        self.shelf.check_differing()?;
        for stamp in self.shelf.strangers(&self.keys()) {
            terminal::warn(&format!(
                "some cells were made by {stamp}: last bits may differ"
            ));
        }
        Ok(done)
    }

    fn job(&self, engine: Engine, cells: &[&C], seconds: &impl Fn(&C) -> f64) -> Job<'_> {
        Job {
            shelf: self.shelf,
            words: self.words.clone(),
            tasks: groups(engine, cells, self.args.tasks, seconds),
        }
    }

    fn keys(&self) -> Vec<String> {
        self.cells.iter().map(Cell::key).collect()
    }
}
