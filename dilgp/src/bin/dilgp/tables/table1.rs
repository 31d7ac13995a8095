//! Table 1: the two synthetic tasks, Theorem 1 as a frequency, and the picture of the fits.

use std::fmt::Write;
use std::sync::OnceLock;

use dilgp::validation::synthetic::{Draw, Task};
use serde::{Deserialize, Serialize};
use shell::folder::Folder;

use super::comparison::Row;
use super::methods::{METHODS, notes};
use super::theorem::{self, Theorem};
use super::{Found, Grid, SECONDS_OF_A_FIT, Source, Written, markdown, paper, pictures};
use crate::args::{Table1Args, TableArgs};
use shell::Failure;

/// What the JSON copy has besides its head.
#[derive(Debug, Serialize)]
struct Table1<'a> {
    one_dimension: &'a [Row],
    two_dimensions: &'a [Row],
    theorem_1: Vec<Theorem>,
}

/// What all cells of this table share.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Plan {
    table: String,
    windhover: String,
}

/// Carries out `dilgp table1`.
pub fn run(args: &Table1Args) -> Result<String, Failure> {
    let shared = &args.shared;
    let grid = Grid {
        name: "table1",
        args: shared,
        out: args.out.as_deref(),
        sources: vec![
            source(Task::Line, "line", "one dimension"),
            source(Task::Plane, "plane", "two dimensions"),
        ],
        random_tasks: args.random_tasks,
        write: &|found: &Found, folder: &Folder| {
            let record = Table1 {
                one_dimension: &found.columns[0][0].rows,
                two_dimensions: &found.columns[1][0].rows,
                theorem_1: theorem::of(&found.errors),
            };
            let written = Written {
                name: "table1",
                args: shared,
                text: describe(&record, shared),
                record,
                title: "Synthetic data",
                calibrated: &found.columns.concat(),
                warnings: &[],
            };
            let stem = folder.file("figure1");
            written.write_to(folder, || {
                Ok(pictures::figure1(shared.seed, &stem)?.to_vec())
            })
        },
        progress: OnceLock::new(),
    };
    grid.carry_out(&Plan {
        table: "table1".to_owned(),
        windhover: env!("CARGO_PKG_VERSION").to_owned(),
    })
}

fn source(task: Task, key: &'static str, name: &str) -> Source<'static> {
    Source {
        key,
        rate: task.released_rate(),
        seconds: METHODS.len() as f64 * SECONDS_OF_A_FIT,
        data: Box::new(move |seed| {
            let Draw { train, test, .. } = task.draw(seed);
            Ok((train, vec![test]))
        }),
        columns: vec![name.to_owned()],
        published: Box::new(move |key, _| paper::table_1(key, task.dimensions())),
    }
}

fn describe(table: &Table1, args: &TableArgs) -> String {
    let (first, last) = (args.seed, args.seed.wrapping_add(args.seeds - 1));
    let (one, two) = (table.one_dimension, table.two_dimensions);
    let mut text = format!(
        "# Table 1: synthetic data\n\nData seeds {first} to {last}. RMSE and coverage (share of test \
         observations within one predicted standard deviation; 0.683 if calibrated) on 80 points \
         of the cluster of which training saw 15. `± 95 %` is Student's interval of the mean over \
         seeds, `± largest` the largest deviation from it. `less` columns are paired differences \
         of RMSE on the same data, and `wins` how often the row was lower.\n",
    );
    for (name, rows) in [("One dimension", one), ("Two dimensions", two)] {
        let _ = write!(text, "\n## {name}\n\n{}", markdown::table(rows));
    }
    let _ = write!(text, "\n{}", notes());
    if !table.theorem_1.is_empty() {
        text.push_str(&theorem::described(&table.theorem_1));
    }
    for (name, rows) in [("one dimension", one), ("two dimensions", two)] {
        let _ = write!(
            text,
            "\n## Calibration, {name}\n\nMean share of test observations within the central \
             interval of each nominal probability.\n\n{}",
            markdown::calibration(rows)
        );
    }
    text
}
