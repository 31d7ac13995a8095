//! Table 1: the two synthetic tasks, Theorem 1 as a frequency, and the picture of the fits.

use std::fmt::Write;
use std::sync::OnceLock;

use dilgp::Dataset;
use dilgp::validation::synthetic::{Draw, Task, random_task};
use serde::{Deserialize, Serialize};
use shell::cells::{Cell, Exact, Shelf, Work};
use shell::folder::Folder;
use shell::progress::Progress;
use shell::table::Table;

use crate::args::Table1Args;
use crate::calibration::LEVELS;
use crate::error::Error;
use crate::statistics::{Frequency, Paired};
use crate::tables::comparison::{in_parallel, outcomes, rows, start_threads};
use crate::tables::methods::{METHODS, Method, notes};
use crate::tables::pictures::{curves, figure1};
use crate::tables::pieces::{Asked, KeptScores, Scores, by_method};
use crate::tables::printed::printed;
use crate::tables::row::Row;
use crate::tables::{markdown, paper};

/// Forms of DIL-GP, each with the process that differs from it by the penalty alone.
const THEOREM_PAIRS: [(&str, &str); 4] = [
    ("dil-gp", "dil-gp-lambda0"),
    ("dil-gp-masks", "dil-gp-lambda0"),
    ("dil-gp-printed", "gp-ml2"),
    ("dil-gp-per-point", "gp-ml2"),
];

/// Random tasks of one piece.
const TASKS_OF_A_PIECE: u64 = 50;

/// About how long a fit takes [s].
const SECONDS_OF_A_FIT: f64 = 0.1;

/// Random tasks have seeds of their own, far from those of the tables.
const FIRST_RANDOM_TASK: u64 = 1 << 32;

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

/// How often DIL-GP had a larger test error than the process it is compared with.
#[derive(Debug, Serialize)]
struct Theorem {
    dil_gp: &'static str,
    compared_with: &'static str,
    /// Tasks on which the error of DIL-GP was larger, of which Theorem 1 says that it happens with
    /// a probability of at most delta, a number of the user's choice.
    larger: Frequency,
    /// Its RMSE less that of the other.
    rmse: Option<Paired>,
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
    Errors(Errors),
}

/// Of each random task and each pair of methods, both errors, where the fits did not fail.
type Errors = Vec<Vec<[Option<Exact>; 2]>>;

/// Carries out `dilgp table1`.
pub fn run(args: &Table1Args) -> Result<String, Error> {
    start_threads(args.threads.count())?;
    let plan = Plan {
        table: "table1".to_owned(),
        windhover: env!("CARGO_PKG_VERSION").to_owned(),
    };
    let asked = Asked {
        table: "table1",
        cells: &args.cells,
        out: args.out.as_deref(),
        output: args.output,
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
        let draws = draws.flat_map(|task| self.seeds().map(move |seed| Piece::Draw(task, seed)));
        let tasks = self.args.tasks;
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
            Piece::Theorem(from, to) => Finished::Errors(self.errors(from, to)),
        })
    }

    fn elsewhere(&self, piece: &Piece) {
        self.advance(fits(piece), "");
    }

    fn merge(&self, shelf: &Shelf, _: usize) -> Result<String, Error> {
        let args = self.args;
        let column = |task: Task, dimensions: usize| {
            let published = move |key: &str| paper::table_1(key, dimensions);
            let seeds = self.seeds().map(|seed| {
                let kept = shelf.get::<KeptScores>(&Piece::Draw(task, seed).key())?;
                Ok(kept.map(Scores::from))
            });
            let seeds: Vec<Scores> = seeds
                .filter_map(Result::transpose)
                .collect::<Result<_, Error>>()?;
            Ok::<_, Error>(rows(&by_method(&seeds, 0), published))
        };
        let table = Table1 {
            schema: "windhover-table1/1",
            first_seed: args.seed,
            seeds: args.seeds,
            calibration_levels: LEVELS,
            one_dimension: column(Task::Line, 1)?,
            two_dimensions: column(Task::Plane, 2)?,
            theorem_1: theorem(&self.all_errors(shelf)?),
        };
        self.draw(&table, &Folder::of(shelf.path()))
    }
}

impl Making<'_> {
    fn seeds(&self) -> impl Iterator<Item = u64> + use<> {
        let first = self.args.seed;
        (0..self.args.seeds).map(move |i| first.wrapping_add(i))
    }

    fn advance(&self, fits: u64, phrase: &str) {
        if let Some(progress) = self.progress.get() {
            progress.advance(fits, phrase);
        }
    }

    /// How each method does on one draw.
    fn scores(&self, task: Task, seed: u64) -> Scores {
        let Draw { train, test, .. } = task.draw(seed);
        in_parallel(METHODS.to_vec(), |method| {
            let found = outcomes(method, &train, &[&test], task.released_rate(), seed);
            self.advance(1, method.label);
            found
        })
    }

    /// Theorem 1 on random tasks: each form of DIL-GP against the process that differs from it by
    /// the penalty alone.
    fn errors(&self, from: u64, to: u64) -> Errors {
        in_parallel((from..to).collect(), |index| {
            let seed = FIRST_RANDOM_TASK + index;
            let Draw {
                train, test, truth, ..
            } = random_task(seed);
            // The theorem speaks of the function, not of what is observed of it.
            let test = Dataset::new(test.x().clone(), truth).expect("finite and not empty");
            let error = |key| {
                let rate = Task::Line.released_rate();
                let found = outcomes(Method::of(key), &train, &[&test], rate, seed);
                self.advance(1, "random tasks for Theorem 1");
                found.first()?.as_ref().map(|run| Exact(run.score.rmse))
            };
            let pairs = THEOREM_PAIRS.into_iter();
            pairs
                .map(|(dil_gp, compared_with)| [dil_gp, compared_with].map(error))
                .collect()
        })
    }

    fn all_errors(&self, shelf: &Shelf) -> Result<Errors, Error> {
        let mut errors = Vec::new();
        for piece in self.cells() {
            if let Piece::Theorem(..) = piece {
                errors.extend(shelf.get::<Errors>(&piece.key())?.unwrap_or_default());
            }
        }
        Ok(errors)
    }

    fn draw(&self, table: &Table1, folder: &Folder) -> Result<String, Error> {
        let args = self.args;
        let progress = Progress::uncounted("drawing");
        let mut text = describe(table, args);
        let mut written = vec![
            folder.write("table1.md", &text)?,
            folder.write("table1.json", serde_json::to_string_pretty(table)? + "\n")?,
        ];
        written.extend(figure1::draw(args.seed, &folder.file("figure1"))?);
        let sets: [(&str, &[Row]); 2] = [
            ("one dimension", &table.one_dimension),
            ("two dimensions", &table.two_dimensions),
        ];
        let title = format!("Synthetic data: calibration, mean of {} seeds", args.seeds);
        written.extend(curves::draw(&title, &sets, &folder.file("calibration"))?);
        progress.finish();
        if args.output.is_json() {
            return printed(table, &written, &[]);
        }
        text.push('\n');
        for path in written {
            let _ = writeln!(text, "wrote {}", path.display());
        }
        Ok(text)
    }
}

/// Fits that a piece takes: one a method, or two for each task and comparison of Theorem 1.
fn fits(piece: &Piece) -> u64 {
    match piece {
        Piece::Draw(..) => METHODS.len() as u64,
        Piece::Theorem(from, to) => 2 * THEOREM_PAIRS.len() as u64 * (to - from),
    }
}

/// How often each form of DIL-GP had the larger error.
fn theorem(errors: &Errors) -> Vec<Theorem> {
    let of_pair = |(pair, (dil_gp, compared_with)): (usize, (&str, &str))| {
        let side = |side: usize| -> Vec<Option<f64>> {
            let errors = errors.iter().map(|task| task[pair][side]);
            errors
                .map(|error| error.map(|Exact(error)| error))
                .collect()
        };
        let (these, others) = (side(0), side(1));
        let both = these.iter().zip(&others);
        let both: Vec<(f64, f64)> = both.filter_map(|(a, b)| Some(((*a)?, (*b)?))).collect();
        let larger = both.iter().filter(|(a, b)| a > b).count();
        (!both.is_empty()).then(|| Theorem {
            dil_gp: Method::of(dil_gp).label,
            compared_with: Method::of(compared_with).label,
            larger: Frequency::of(larger, both.len()),
            rmse: Paired::of(&these, &others),
        })
    };
    THEOREM_PAIRS
        .into_iter()
        .enumerate()
        .filter_map(of_pair)
        .collect()
}

fn describe(table: &Table1, args: &Table1Args) -> String {
    let last = args.seed.wrapping_add(args.seeds - 1);
    let mut text = format!(
        "# Table 1: synthetic data\n\nData seeds {} to {last}. RMSE and coverage (share of test \
         observations within one predicted standard deviation; 0.683 if calibrated) on 80 points \
         of the cluster of which training saw 15. `± 95 %` is Student's interval of the mean over \
         seeds, `± largest` the largest deviation from it. `less` columns are paired differences \
         of RMSE on the same data, and `wins` how often the row was lower.\n",
        args.seed
    );
    for (name, rows) in [
        ("One dimension", &table.one_dimension),
        ("Two dimensions", &table.two_dimensions),
    ] {
        let _ = write!(text, "\n## {name}\n\n{}", markdown::table(rows));
    }
    let _ = write!(text, "\n{}", notes());
    if !table.theorem_1.is_empty() {
        text.push_str(&describe_theorem(&table.theorem_1));
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

fn describe_theorem(theorems: &[Theorem]) -> String {
    let titles = [
        "DIL-GP",
        "compared with",
        "larger error on",
        "share, exact 95 %",
        "RMSE difference",
    ];
    let rows = theorems.iter().map(theorem_cells);
    "\n## Theorem 1\n\nThe theorem says that, with a probability of at least 1 - delta, the error of \
     DIL-GP outside the training distribution is not above that of the Gaussian process. On random \
     tasks (two clusters of one to three inputs, each with its own sine and offset, under one \
     noise), against the process that differs by the penalty alone, errors against the function \
     itself:\n\n"
        .to_owned()
        + &Table::of_numbers(titles).with(rows).markdown()
}

fn theorem_cells(theorem: &Theorem) -> Vec<String> {
    let Frequency {
        seen,
        of,
        low,
        high,
    } = theorem.larger;
    let share = seen as f64 / of as f64;
    let difference = theorem.rmse.as_ref().map_or("-".to_owned(), |paired| {
        paired.difference.interval().signed_plus_minus(4)
    });
    vec![
        theorem.dil_gp.to_owned(),
        theorem.compared_with.to_owned(),
        format!("{seen} of {of} tasks"),
        format!("{share:.3} ({low:.3} to {high:.3})"),
        difference,
    ]
}
