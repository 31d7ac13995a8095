//! Tables: the paper's, with its figures and ours. A table is a grid of methods and columns, worked out
//! in cells of one seed each.

mod automobile;
mod comparison;
mod housing;
mod markdown;
mod methods;
mod paper;
mod pictures;
mod published;
pub mod table1;
pub mod table2;
mod theorem;

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use dilgp::{Dataset, threads};
use serde::Serialize;
use serde::de::DeserializeOwned;
use shell::cells::args::OF_A_PROCESS;
use shell::cells::{Cell, ResultStore, Runner, Work};
use shell::folder::Folder;
use shell::interrupt::Interrupt;
use shell::progress::Progress;
use shell::terminal;
use shell::usage::typed_words;

use crate::args::{Cli, TableArgs};
use crate::statistics::LEVELS;
use comparison::{Column, Scores, outcomes, rows};
use methods::{METHODS, Method};
use paper::Published;
use shell::Failure;

/// Random tasks of one cell of Theorem 1.
const TASKS_OF_A_CELL: u64 = 50;

/// About how long a fit to a random task takes [s].
const SECONDS_OF_A_FIT: f64 = 0.1;

/// Training data and test sets of a seed.
type Data = (Dataset, Vec<Dataset>);

/// The figures that the paper prints for a method, by its key, in one of the columns of a source.
type Figures = Box<dyn Fn(&str, usize) -> Published + Sync>;

/// Where some columns of a table come from.
struct Source<'a> {
    /// Its name in the names of cells.
    key: &'static str,
    /// The learning rate of gradient descent.
    rate: f64,
    /// About how long the fits of one seed take [s].
    seconds: f64,
    /// The data of a seed.
    data: Box<dyn Fn(u64) -> Result<Data, Failure> + Sync + 'a>,
    /// The names of the columns, one for each test set.
    columns: Vec<String>,
    /// The paper's figures for a method in one of the columns.
    published: Figures,
}

/// A table at work in this process.
struct Grid<'a> {
    name: &'static str,
    args: &'a TableArgs,
    out: Option<&'a Path>,
    sources: Vec<Source<'a>>,
    /// Random tasks on which Theorem 1 is tested.
    random_tasks: u64,
    /// Writes the table down.
    write: &'a (dyn Fn(&Found, &Folder) -> Result<String, Failure> + Sync),
    progress: OnceLock<Progress>,
}

/// A cell of a grid.
#[derive(Debug, Clone)]
enum Piece {
    /// Every method on the data of a source, by its place and key, and of a seed.
    Scores(usize, &'static str, u64),
    /// Theorem 1 on the random tasks from the first number to before the second.
    Theorem(u64, u64),
}

impl Cell for Piece {
    fn key(&self) -> String {
        match self {
            Piece::Scores(_, key, seed) => format!("{key}-{seed}"),
            Piece::Theorem(from, to) => format!("theorem-{from}-{to}"),
        }
    }
}

impl Piece {
    /// Fits that it takes: one a method, or two for each task and comparison of Theorem 1.
    fn fits(&self) -> u64 {
        match self {
            Piece::Scores(..) => METHODS.len() as u64,
            Piece::Theorem(from, to) => theorem::FITS_OF_A_TASK * (to - from),
        }
    }
}

/// What is kept of a piece.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Finished {
    Scores(Scores),
    Errors(theorem::Errors),
}

/// The columns of each source, and the errors on the random tasks.
struct Found {
    columns: Vec<Vec<Column>>,
    errors: theorem::Errors,
}

impl Work for Grid<'_> {
    type Cell = Piece;
    type Finished = Finished;
    type Error = Failure;

    fn cells(&self) -> Vec<Piece> {
        let sources = self.sources.iter().enumerate();
        let scores = sources.flat_map(|(place, source)| {
            let seeds = self.args.all();
            seeds.map(move |seed| Piece::Scores(place, source.key, seed))
        });
        let tasks = self.random_tasks;
        let starts = (0..tasks).step_by(TASKS_OF_A_CELL as usize);
        let theorem = starts.map(|from| Piece::Theorem(from, (from + TASKS_OF_A_CELL).min(tasks)));
        scores.chain(theorem).collect()
    }

    fn seconds(&self, piece: &Piece) -> f64 {
        match *piece {
            Piece::Scores(place, ..) => self.sources[place].seconds,
            Piece::Theorem(..) => piece.fits() as f64 * SECONDS_OF_A_FIT,
        }
    }

    fn begin(&self, due: &[&Piece]) {
        let fits = due.iter().map(|piece| piece.fits()).sum();
        self.progress.get_or_init(|| Progress::new(fits, "fits"));
    }

    fn work(&self, _: &ResultStore, piece: &Piece) -> Result<Finished, Failure> {
        Ok(match *piece {
            Piece::Scores(place, _, seed) => {
                let source = &self.sources[place];
                let (train, tests) = (source.data)(seed)?;
                let work = |method: &Method| {
                    let found = outcomes(*method, &train, &tests, source.rate, seed);
                    self.advance(1, method.label);
                    found
                };
                Finished::Scores(threads::on_all_cores(|| threads::each(&METHODS, work)))
            }
            Piece::Theorem(from, to) => {
                let fitted = || self.advance(1, "random tasks for Theorem 1");
                Finished::Errors(theorem::errors(from, to, &fitted))
            }
        })
    }

    fn elsewhere(&self, piece: &Piece) {
        self.advance(piece.fits(), "");
    }

    fn merge(&self, store: &ResultStore, _: usize) -> Result<String, Failure> {
        let mut scores: Vec<Vec<Scores>> = self.sources.iter().map(|_| Vec::new()).collect();
        let mut errors = theorem::Errors::new();
        for piece in self.cells() {
            match piece {
                Piece::Scores(place, ..) => scores[place].push(store.get(&piece.key())?),
                Piece::Theorem(..) => errors.extend(store.get::<theorem::Errors>(&piece.key())?),
            }
        }
        let columns = self.sources.iter().zip(&scores).map(|(source, seeds)| {
            let names = source.columns.iter().enumerate();
            let column = |(test, name): (usize, &String)| Column {
                name: name.clone(),
                rows: rows(seeds, test, |key| (source.published)(key, test)),
            };
            names.map(column).collect()
        });
        let columns = columns.collect();
        (self.write)(&Found { columns, errors }, &Folder::of(store.path()))
    }
}

impl Grid<'_> {
    /// Works the table out, together with all processes at work on it; its cells belong to no other `plan`.
    ///
    /// # Errors
    /// Those of the table and of its folder.
    fn carry_out<P>(&self, plan: &P) -> Result<String, Failure>
    where
        P: Serialize + DeserializeOwned + PartialEq,
    {
        threads::start(self.args.threads.count()).map_err(Failure::threads)?;
        let interrupt = Interrupt::default();
        interrupt.listen();
        let runner = Runner {
            args: &self.args.cells,
            out: self.out,
            automatic: self.name,
            words: typed_words::<Cli>(&OF_A_PROCESS),
            version: env!("CARGO_PKG_VERSION"),
            json: self.args.output.is_json(),
            // Each cell has fits enough for all threads.
            workers: threads::count().min(2),
            interrupt: &interrupt,
        };
        match runner.answer(self)? {
            Some(answer) => Ok(answer),
            None => runner.run(&runner.store_of(plan)?, self),
        }
    }

    fn advance(&self, fits: u64, phrase: &str) {
        if let Some(progress) = self.progress.get() {
            progress.advance(fits, phrase);
        }
    }
}

/// A table as it is written and printed.
struct Written<'a, T> {
    name: &'static str,
    args: &'a TableArgs,
    /// Its columns and more, as the JSON copy has them.
    record: T,
    /// Its Markdown.
    text: String,
    /// Title of the picture of calibration.
    title: &'a str,
    /// The columns whose calibration is drawn.
    calibrated: &'a [Column],
    /// Warnings about the data files.
    warnings: &'a [&'a String],
}

/// The JSON copy of a table.
#[derive(Serialize)]
struct Record<'a, T> {
    /// Name and version of this form.
    schema: String,
    first_seed: u64,
    seeds: u64,
    /// Nominal probabilities of the calibration curves.
    calibration_levels: [f64; 10],
    #[serde(flatten)]
    columns: &'a T,
}

/// The JSON object that is printed.
#[derive(Serialize)]
struct Printed<'a, T> {
    #[serde(flatten)]
    table: &'a T,
    /// Warnings about the data files.
    warnings: &'a [&'a String],
    /// Every file that was written.
    files: Vec<String>,
}

impl<T: Serialize> Written<'_, T> {
    /// Writes the table and its pictures, of which `figure` draws the first, to a folder. Returns its
    /// text with the files that were written, or one JSON object, of which the warnings are repeated on
    /// standard error, where a person looks.
    ///
    /// # Errors
    /// A file that cannot be written.
    fn write_to(
        self,
        folder: &Folder,
        figure: impl FnOnce() -> Result<Vec<PathBuf>, Failure>,
    ) -> Result<String, Failure> {
        let progress = Progress::uncounted("drawing");
        let record = Record {
            schema: format!("windhover-{}/1", self.name),
            first_seed: self.args.seed,
            seeds: self.args.seeds,
            calibration_levels: LEVELS,
            columns: &self.record,
        };
        let json = serde_json::to_string_pretty(&record)? + "\n";
        let mut files = vec![
            folder.write(&format!("{}.md", self.name), &self.text)?,
            folder.write(&format!("{}.json", self.name), json)?,
        ];
        files.extend(figure()?);
        let title = format!(
            "{}: calibration, mean of {} seeds",
            self.title, self.args.seeds
        );
        let stem = folder.file("calibration");
        files.extend(pictures::calibration(&title, self.calibrated, &stem)?);
        progress.finish();
        if self.args.output.is_json() {
            self.warnings
                .iter()
                .for_each(|warning| terminal::say(warning));
            let printed = Printed {
                table: &record,
                warnings: self.warnings,
                files: files.iter().map(|p| p.display().to_string()).collect(),
            };
            return Ok(serde_json::to_string(&printed)? + "\n");
        }
        let mut text = self.text + "\n";
        for path in files {
            let _ = writeln!(text, "wrote {}", path.display());
        }
        Ok(text)
    }
}
