//! Table 1: the two synthetic tasks, Theorem 1 as a frequency, and the picture of the fits.

use std::fmt::Write;
use std::sync::OnceLock;

use dilgp::threads;
use dilgp::validation::synthetic::{Draw, Task};
use serde::{Deserialize, Serialize};
use shell::cells::{Cell, Shelf, Work};
use shell::folder::Folder;
use shell::progress::Progress;

use crate::args::Table1Args;
use crate::calibration::LEVELS;
use crate::error::Error;
use crate::tables::comparison::{outcomes, rows};
use crate::tables::methods::{METHODS, Method, notes};
use crate::tables::pictures::{curves, figure1};
use crate::tables::pieces::{Asked, KeptScores, Scores, by_method, kept};
use crate::tables::printed::printed;
use crate::tables::row::Row;
use crate::tables::theorem::{self, Theorem};
use crate::tables::{markdown, paper};

/// Random tasks of one piece.
const TASKS_OF_A_PIECE: u64 = 50;

/// About how long a fit takes [s].
const SECONDS_OF_A_FIT: f64 = 0.1;

/// The whole table, as the JSON copy has it.
#[derive(Debug, Serialize)]
struct Table1 {
    /// Name and version of this form.
    schema: &'static str,
    first_seed: u64,
    seeds: u64,
    /// Nominal probabilities of the calibration curves.
    calibration_levels: [f64; 10],
    one_dimension: Vec<Row>,
    two_dimensions: Vec<Row>,
    theorem_1: Vec<Theorem>,
}

/// What all cells of this table share.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Plan {
    table: String,
    windhover: String,
}

/// A piece of the table.
#[derive(Debug, Clone, Copy)]
enum Piece {
    /// Every method on one draw of a task.
    Draw(Task, u64),
    /// Theorem 1 on the random tasks from the first number to before the second.
    Theorem(u64, u64),
}

impl Cell for Piece {
    fn key(&self) -> String {
        match self {
            Piece::Draw(Task::Line, seed) => format!("line-{seed}"),
            Piece::Draw(Task::Plane, seed) => format!("plane-{seed}"),
            Piece::Theorem(from, to) => format!("theorem-{from}-{to}"),
        }
    }
}

/// What is kept of a piece.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Finished {
    Scores(KeptScores),
    Errors(theorem::Errors),
}

/// Carries out `dilgp table1`.
pub fn run(args: &Table1Args) -> Result<String, Error> {
    threads::start(args.shared.threads.count()).map_err(Error::Threads)?;
    let plan = Plan {
        table: "table1".to_owned(),
        windhover: env!("CARGO_PKG_VERSION").to_owned(),
    };
    let asked = Asked {
        table: "table1",
        cells: &args.shared.cells,
        out: args.out.as_deref(),
        output: args.shared.output,
    };
    let progress = OnceLock::new();
    asked.carry_out(&plan, &Making { args, progress })
}

/// The table at work in this process.
struct Making<'a> {
    args: &'a Table1Args,
    progress: OnceLock<Progress>,
}

impl Work for Making<'_> {
    type Cell = Piece;
    type Finished = Finished;
    type Error = Error;

    fn cells(&self) -> Vec<Piece> {
        let draws = [Task::Line, Task::Plane].into_iter();
        let draws = draws.flat_map(|task| {
            self.args
                .shared
                .all()
                .map(move |seed| Piece::Draw(task, seed))
        });
        let tasks = self.args.random_tasks;
        let starts = (0..tasks).step_by(TASKS_OF_A_PIECE as usize);
        let theorem = starts.map(|from| Piece::Theorem(from, (from + TASKS_OF_A_PIECE).min(tasks)));
        draws.chain(theorem).collect()
    }

    fn seconds(&self, piece: &Piece) -> f64 {
        fits(piece) as f64 * SECONDS_OF_A_FIT
    }

    fn begin(&self, due: &[&Piece]) {
        let fits = due.iter().map(|piece| fits(piece)).sum();
        self.progress.get_or_init(|| Progress::new(fits, "fits"));
    }

    fn work(&self, _: &Shelf, piece: &Piece) -> Result<Finished, Error> {
        Ok(match *piece {
            Piece::Draw(task, seed) => Finished::Scores(self.scores(task, seed).into()),
            Piece::Theorem(from, to) => {
                let fitted = || self.advance(1, "random tasks for Theorem 1");
                Finished::Errors(theorem::errors(from, to, &fitted))
            }
        })
    }

    fn elsewhere(&self, piece: &Piece) {
        self.advance(fits(piece), "");
    }

    fn merge(&self, shelf: &Shelf, _: usize) -> Result<String, Error> {
        let args = self.args;
        let column = |task: Task, dimensions: usize| {
            let published = move |key: &str| paper::table_1(key, dimensions);
            let keys = self
                .args
                .shared
                .all()
                .map(|seed| Piece::Draw(task, seed).key());
            let seeds = kept(shelf, keys)?;
            Ok::<_, Error>(rows(&by_method(&seeds, 0), published))
        };
        let table = Table1 {
            schema: "windhover-table1/1",
            first_seed: args.shared.seed,
            seeds: args.shared.seeds,
            calibration_levels: LEVELS,
            one_dimension: column(Task::Line, 1)?,
            two_dimensions: column(Task::Plane, 2)?,
            theorem_1: theorem::of(&self.all_errors(shelf)?),
        };
        self.draw(&table, &Folder::of(shelf.path()))
    }
}

impl Making<'_> {
    fn advance(&self, fits: u64, phrase: &str) {
        if let Some(progress) = self.progress.get() {
            progress.advance(fits, phrase);
        }
    }

    /// How each method does on one draw.
    fn scores(&self, task: Task, seed: u64) -> Scores {
        let Draw { train, test, .. } = task.draw(seed);
        let work = |method: &Method| {
            let found = outcomes(*method, &train, &[&test], task.released_rate(), seed);
            self.advance(1, method.label);
            found
        };
        threads::on_all_cores(|| threads::each(&METHODS, work))
    }

    fn all_errors(&self, shelf: &Shelf) -> Result<theorem::Errors, Error> {
        let mut errors = Vec::new();
        for piece in self.cells() {
            if let Piece::Theorem(..) = piece {
                errors.extend(
                    shelf
                        .get::<theorem::Errors>(&piece.key())?
                        .unwrap_or_default(),
                );
            }
        }
        Ok(errors)
    }

    fn draw(&self, table: &Table1, folder: &Folder) -> Result<String, Error> {
        let args = self.args;
        let progress = Progress::uncounted("drawing");
        let text = describe(table, args);
        let mut written = vec![
            folder.write("table1.md", &text)?,
            folder.write("table1.json", serde_json::to_string_pretty(table)? + "\n")?,
        ];
        written.extend(figure1::draw(args.shared.seed, &folder.file("figure1"))?);
        let sets: [(&str, &[Row]); 2] = [
            ("one dimension", &table.one_dimension),
            ("two dimensions", &table.two_dimensions),
        ];
        let title = format!(
            "Synthetic data: calibration, mean of {} seeds",
            args.shared.seeds
        );
        written.extend(curves::draw(&title, &sets, &folder.file("calibration"))?);
        progress.finish();
        printed(args.shared.output, table, text, &written, &[])
    }
}

/// Fits that a piece takes: one a method, or two for each task and comparison of Theorem 1.
fn fits(piece: &Piece) -> u64 {
    match piece {
        Piece::Draw(..) => METHODS.len() as u64,
        Piece::Theorem(from, to) => theorem::FITS_OF_A_TASK * (to - from),
    }
}

fn describe(table: &Table1, args: &Table1Args) -> String {
    let last = args.shared.seed.wrapping_add(args.shared.seeds - 1);
    let mut text = format!(
        "# Table 1: synthetic data\n\nData seeds {} to {last}. RMSE and coverage (share of test \
         observations within one predicted standard deviation; 0.683 if calibrated) on 80 points \
         of the cluster of which training saw 15. `± 95 %` is Student's interval of the mean over \
         seeds, `± largest` the largest deviation from it. `less` columns are paired differences \
         of RMSE on the same data, and `wins` how often the row was lower.\n",
        args.shared.seed
    );
    for (name, rows) in [
        ("One dimension", &table.one_dimension),
        ("Two dimensions", &table.two_dimensions),
    ] {
        let _ = write!(text, "\n## {name}\n\n{}", markdown::table(rows));
    }
    let _ = write!(text, "\n{}", notes());
    if !table.theorem_1.is_empty() {
        text.push_str(&theorem::described(&table.theorem_1));
    }
    for (name, rows) in [
        ("one dimension", &table.one_dimension),
        ("two dimensions", &table.two_dimensions),
    ] {
        let _ = write!(
            text,
            "\n## Calibration, {name}\n\nMean share of test observations within the central \
             interval of each nominal probability.\n\n{}",
            markdown::calibration(rows)
        );
    }
    text
}
