//! Table 2: real data whose test domain is not the training domain.

use std::fmt::Write;

use dilgp::Dataset;
use serde::Serialize;
use shell::folder::Folder;
use shell::progress::Progress;

use crate::args::Table2Args;
use crate::calibration::LEVELS;
use crate::error::Error;
use crate::tables::comparison::{Outcome, in_parallel, outcomes, rows, start_threads};
use crate::tables::data::automobile::{Automobile, Direction};
use crate::tables::data::housing::{DOMAINS, Housing};
use crate::tables::data::published::{AUTOMOBILE, HOUSING};
use crate::tables::methods::{METHODS, Method, notes};
use crate::tables::pictures::{curves, figure2};
use crate::tables::printed::printed;
use crate::tables::row::{Column, Row};
use crate::tables::{markdown, paper};

/// The learning rate of the authors' code.
const RATE: f64 = 0.005;

/// The whole table, as the JSON copy has it.
#[derive(Debug, Serialize)]
struct Table2 {
    /// Name and version of this form.
    schema: &'static str,
    first_seed: u64,
    seeds: u64,
    /// Nominal probabilities of the calibration curves.
    calibration_levels: [f64; 10],
    housing: Vec<Column>,
    automobile: Vec<Column>,
}

/// Training data and the test sets for one seed.
type Split = Result<(Dataset, Vec<Dataset>), Error>;

/// Carries out `dilgp table2`.
pub fn run(args: &Table2Args) -> Result<String, Error> {
    if args.housing.is_none() && args.automobile.is_none() {
        return Err(Error::NoFile {
            advice: format!("{} or {}", HOUSING.advice(), AUTOMOBILE.advice()),
        });
    }
    let housing = args.housing.as_deref().map(Housing::read).transpose()?;
    let automobile = args
        .automobile
        .as_deref()
        .map(Automobile::read)
        .transpose()?;
    let folder = Folder::claim_or_next(args.out.as_deref(), "table2")?;
    let warnings: Vec<&String> = [
        housing.as_ref().and_then(|h| h.warning.as_ref()),
        automobile.as_ref().and_then(|a| a.warning.as_ref()),
    ]
    .into_iter()
    .flatten()
    .collect();
    start_threads(args.threads.count())?;
    let progress = Progress::new(fits(args), "fits");
    let table = Table2 {
        schema: "windhover-table2/1",
        first_seed: args.seed,
        seeds: args.seeds,
        calibration_levels: LEVELS,
        housing: match &housing {
            Some(housing) => of_housing(housing, args, &progress)?,
            None => Vec::new(),
        },
        automobile: match &automobile {
            Some(automobile) => of_automobile(automobile, args, &progress)?,
            None => Vec::new(),
        },
    };
    progress.doing("drawing");
    let mut text = describe(&table, args, &warnings);
    let mut written = vec![
        folder.write("table2.md", &text)?,
        folder.write("table2.json", serde_json::to_string_pretty(&table)? + "\n")?,
    ];
    if !table.housing.is_empty() {
        written.extend(figure2::draw(
            &table.housing,
            args.seeds,
            &folder.file("figure2"),
        )?);
    }
    let columns = table.housing.iter().chain(&table.automobile);
    let sets: Vec<(&str, &[Row])> = columns
        .map(|column| (column.name.as_str(), column.rows.as_slice()))
        .collect();
    let title = format!("Real data: calibration, mean of {} seeds", args.seeds);
    written.extend(curves::draw(&title, &sets, &folder.file("calibration"))?);
    progress.finish();
    if args.output.is_json() {
        return printed(&table, &written, &warnings);
    }
    text.push('\n');
    for path in written {
        let _ = writeln!(text, "wrote {}", path.display());
    }
    Ok(text)
}

fn of_housing(
    housing: &Housing,
    args: &Table2Args,
    progress: &Progress,
) -> Result<Vec<Column>, Error> {
    let found = compare(args, progress, |seed| {
        let sample = housing.sample(seed)?;
        Ok((sample.train, sample.tests))
    })?;
    let columns = DOMAINS.iter().zip(found).enumerate();
    Ok(columns
        .map(|(domain, (name, outcomes))| Column {
            name: (*name).to_owned(),
            rows: rows(&outcomes, |key| paper::housing(key, domain)),
        })
        .collect())
}

fn of_automobile(
    automobile: &Automobile,
    args: &Table2Args,
    progress: &Progress,
) -> Result<Vec<Column>, Error> {
    let directions = [
        (
            Direction::Code,
            "trained on wagons and hatchbacks (the authors' code)",
        ),
        (
            Direction::Paper,
            "trained on sedans, hardtops and convertibles (the paper's text)",
        ),
    ];
    let mut columns = Vec::new();
    for (direction, name) in directions {
        let found = compare(args, progress, |seed| {
            let (train, test) = automobile.split(direction, seed)?;
            Ok((train, vec![test]))
        })?;
        columns.extend(found.into_iter().map(|outcomes| Column {
            name: name.to_owned(),
            rows: rows(&outcomes, paper::automobile),
        }));
    }
    Ok(columns)
}

/// Fits that the table takes: Automobile is split both ways.
fn fits(args: &Table2Args) -> u64 {
    let sets = u64::from(args.housing.is_some()) + 2 * u64::from(args.automobile.is_some());
    sets * METHODS.len() as u64 * args.seeds
}

/// For each test set, the outcomes of each method, seed by seed.
fn compare(
    args: &Table2Args,
    progress: &Progress,
    split: impl Fn(u64) -> Split + Sync,
) -> Result<Vec<Vec<Vec<Option<Outcome>>>>, Error> {
    let seeds: Vec<u64> = (0..args.seeds).map(|i| args.seed.wrapping_add(i)).collect();
    let splits: Vec<(Dataset, Vec<Dataset>)> = seeds
        .iter()
        .map(|seed| split(*seed))
        .collect::<Result<_, _>>()?;
    let cells: Vec<(Method, usize)> = METHODS
        .iter()
        .flat_map(|method| (0..seeds.len()).map(move |index| (*method, index)))
        .collect();
    let found = in_parallel(cells, |(method, index)| {
        let (train, tests) = &splits[index];
        let tests: Vec<&Dataset> = tests.iter().collect();
        let found = outcomes(method, train, &tests, RATE, seeds[index]);
        progress.advance(1, method.label);
        found
    });
    let tests = splits[0].1.len();
    let of_test = |test: usize| {
        let runs = found.chunks(seeds.len());
        runs.map(|runs| runs.iter().map(|run| run[test].clone()).collect())
            .collect()
    };
    Ok((0..tests).map(of_test).collect())
}

fn describe(table: &Table2, args: &Table2Args, warnings: &[&String]) -> String {
    let last = args.seed.wrapping_add(args.seeds - 1);
    let mut text = format!(
        "# Table 2: real data under a change of domain\n\nData seeds {} to {last}. RMSE in \
         standard deviations of the target; columns as in Table 1. Gradient descent takes steps of \
         0.005, on a summed loss (GP) times 115 / n for n training points.\n",
        args.seed
    );
    for warning in warnings {
        let _ = write!(text, "\n{warning}\n");
    }
    if !table.housing.is_empty() {
        text.push_str(
            "\n## King County housing\n\nTrained on nine tenths of the houses of D0 in a sample of \
             1304; D0 is scored on its other tenth. Inputs and price are standardised on the whole \
             sample; the paper prints D1 to D4.\n",
        );
    }
    for column in &table.housing {
        let _ = write!(
            text,
            "\n### {}\n\n{}",
            column.name,
            markdown::table(&column.rows)
        );
    }
    if !table.automobile.is_empty() {
        text.push_str(
            "\n## Automobile\n\nEach seed trains on a random nine tenths of the training rows; the \
             test rows are always the same, so that intervals speak of the training sample only.\n",
        );
    }
    for column in &table.automobile {
        let _ = write!(
            text,
            "\n### {}\n\n{}",
            column.name,
            markdown::table(&column.rows)
        );
    }
    let _ = write!(text, "\n{}", notes());
    text
}
