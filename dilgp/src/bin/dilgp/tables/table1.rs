//! Table 1: the two synthetic tasks, Theorem 1 as a frequency, and the picture of the fits.

use std::fmt::Write;

use dilgp::Dataset;
use dilgp::validation::synthetic::{Draw, Task, random_task};
use serde::Serialize;
use shell::folder::Folder;
use shell::progress::Progress;
use shell::table::Table;

use crate::args::Table1Args;
use crate::calibration::LEVELS;
use crate::error::Error;
use crate::statistics::{Frequency, Paired};
use crate::tables::comparison::{Outcome, in_parallel, outcomes, rows, start_threads};
use crate::tables::methods::{METHODS, Method, notes};
use crate::tables::pictures::{curves, figure1};
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

/// Carries out `dilgp table1`.
pub fn run(args: &Table1Args) -> Result<String, Error> {
    let folder = Folder::claim_or_next(args.out.as_deref(), "table1")?;
    start_threads(args.threads.count())?;
    let progress = Progress::new(fits(args), "fits");
    let column = |task: Task, dimensions: usize| {
        let published = move |key: &str| paper::table_1(key, dimensions);
        rows(&compare(task, args, &progress), published)
    };
    let table = Table1 {
        schema: "windhover-table1/1",
        first_seed: args.seed,
        seeds: args.seeds,
        calibration_levels: LEVELS,
        one_dimension: column(Task::Line, 1),
        two_dimensions: column(Task::Plane, 2),
        theorem_1: theorem(args.tasks, &progress),
    };
    progress.doing("drawing");
    let mut text = describe(&table, args);
    let mut written = vec![
        folder.write("table1.md", &text)?,
        folder.write("table1.json", serde_json::to_string_pretty(&table)? + "\n")?,
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
        return printed(&table, &written, &[]);
    }
    text.push('\n');
    for path in written {
        let _ = writeln!(text, "wrote {}", path.display());
    }
    Ok(text)
}

/// Fits that the table takes: both tasks, and two for each task of each comparison of Theorem 1.
fn fits(args: &Table1Args) -> u64 {
    2 * METHODS.len() as u64 * args.seeds + 2 * THEOREM_PAIRS.len() as u64 * args.tasks
}

/// The outcomes of each method, seed by seed.
fn compare(task: Task, args: &Table1Args, progress: &Progress) -> Vec<Vec<Option<Outcome>>> {
    let seeds: Vec<u64> = (0..args.seeds).map(|i| args.seed.wrapping_add(i)).collect();
    let cells: Vec<(Method, u64)> = METHODS
        .iter()
        .flat_map(|method| seeds.iter().map(move |seed| (*method, *seed)))
        .collect();
    let found = in_parallel(cells, |(method, seed)| {
        let Draw { train, test, .. } = task.draw(seed);
        let mut found = outcomes(method, &train, &[&test], task.released_rate(), seed);
        progress.advance(1, method.label);
        found.pop().flatten()
    });
    found.chunks(seeds.len()).map(<[_]>::to_vec).collect()
}

/// Theorem 1 on random tasks: each form of DIL-GP against the process that differs from it by the
/// penalty alone.
fn theorem(tasks: u64, progress: &Progress) -> Vec<Theorem> {
    THEOREM_PAIRS
        .into_iter()
        .filter_map(|(dil_gp, compared_with)| {
            let pair = [dil_gp, compared_with].map(Method::of);
            let errors = in_parallel((0..tasks).collect(), |index| {
                let seed = FIRST_RANDOM_TASK + index;
                let Draw {
                    train, test, truth, ..
                } = random_task(seed);
                // The theorem speaks of the function, not of what is observed of it.
                let test = Dataset::new(test.x().clone(), truth).expect("finite and not empty");
                pair.map(|method| {
                    let found =
                        outcomes(method, &train, &[&test], Task::Line.released_rate(), seed);
                    progress.advance(1, "random tasks for Theorem 1");
                    found.first()?.as_ref().map(|run| run.score.rmse)
                })
            });
            let (these, others): (Vec<_>, Vec<_>) = errors.iter().map(|[a, b]| (*a, *b)).unzip();
            let both: Vec<(f64, f64)> = errors
                .iter()
                .filter_map(|[a, b]| Some(((*a)?, (*b)?)))
                .collect();
            let larger = both.iter().filter(|(a, b)| a > b).count();
            (!both.is_empty()).then(|| Theorem {
                dil_gp: pair[0].label,
                compared_with: pair[1].label,
                larger: Frequency::of(larger, both.len()),
                rmse: Paired::of(&these, &others),
            })
        })
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
