//! Table 2: real data whose test domain is not the training domain.

use std::fmt::Write;
use std::path::Path;
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};
use shell::files::{self, FileError};
use shell::folder::Folder;

use super::automobile::{Automobile, Direction};
use super::comparison::Column;
use super::housing::{DOMAINS, Housing};
use super::methods::notes;
use super::published::{AUTOMOBILE, HOUSING};
use super::{Found, Grid, Source, Written, markdown, paper, pictures};
use crate::args::{Table2Args, TableArgs};
use shell::Failure;

/// The learning rate of the authors' code.
const RATE: f64 = 0.005;

/// What the JSON copy has besides its head.
#[derive(Debug, Serialize)]
struct Table2<'a> {
    housing: &'a [Column],
    automobile: &'a [Column],
}

/// What all cells of this table share.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Plan {
    table: String,
    windhover: String,
    /// CRC-32 of the files that were given.
    housing: Option<String>,
    automobile: Option<String>,
}

/// Training rows of Automobile: the name of their cells, and what the table calls them.
const DIRECTIONS: [(Direction, &str, &str); 2] = [
    (
        Direction::Code,
        "automobile-code",
        "trained on wagons and hatchbacks (the authors' code)",
    ),
    (
        Direction::Paper,
        "automobile-paper",
        "trained on sedans, hardtops and convertibles (the paper's text)",
    ),
];

/// Carries out `dilgp table2`.
pub fn run(args: &Table2Args) -> Result<String, Failure> {
    let shared = &args.shared;
    let nothing = args.housing.is_none() && args.automobile.is_none();
    // The status of a folder can be asked for without its files.
    if nothing && shared.cells.status.is_none() && shared.cells.drain.is_none() {
        let advice = format!("{} or {}", HOUSING.advice(), AUTOMOBILE.advice());
        return Err(Failure::usage(format!(
            "table2 needs a data file, which is not part of this project; give {advice}"
        )));
    }
    let housing = args.housing.as_deref().map(Housing::read).transpose()?;
    let automobile = args.automobile.as_deref().map(Automobile::read);
    let automobile = automobile.transpose()?;
    let warnings = [
        housing.as_ref().and_then(|h| h.warning.as_ref()),
        automobile.as_ref().and_then(|a| a.warning.as_ref()),
    ];
    let warnings: Vec<&String> = warnings.into_iter().flatten().collect();
    let plan = Plan {
        table: "table2".to_owned(),
        windhover: env!("CARGO_PKG_VERSION").to_owned(),
        housing: checksum(args.housing.as_deref())?,
        automobile: checksum(args.automobile.as_deref())?,
    };
    let grid = Grid {
        name: "table2",
        args: shared,
        out: args.out.as_deref(),
        sources: sources(housing.as_ref(), automobile.as_ref()),
        random_tasks: 0,
        write: &|found: &Found, folder: &Folder| {
            let columns = found.columns.concat();
            let houses = if housing.is_some() { DOMAINS.len() } else { 0 };
            let (houses, cars) = columns.split_at(houses);
            let record = Table2 {
                housing: houses,
                automobile: cars,
            };
            let written = Written {
                name: "table2",
                args: shared,
                text: describe(&record, shared, &warnings),
                record,
                title: "Real data",
                calibrated: &columns,
                warnings: &warnings,
            };
            written.write_to(folder, || match houses {
                [] => Ok(Vec::new()),
                _ => {
                    let stem = folder.file("figure2");
                    Ok(pictures::figure2(houses, shared.seeds, &stem)?.to_vec())
                }
            })
        },
        progress: OnceLock::new(),
    };
    grid.carry_out(&plan)
}

/// The sources of the files that were given.
fn sources<'a>(
    housing: Option<&'a Housing>,
    automobile: Option<&'a Automobile>,
) -> Vec<Source<'a>> {
    let houses = housing.map(|housing| Source {
        key: "housing",
        rate: RATE,
        seconds: 60.0,
        data: Box::new(|seed| housing.sample(seed)),
        columns: DOMAINS.map(str::to_owned).to_vec(),
        published: Box::new(paper::housing),
    });
    let cars = automobile.into_iter().flat_map(|automobile| {
        DIRECTIONS.map(|(direction, key, name)| Source {
            key,
            rate: RATE,
            seconds: 5.0,
            data: Box::new(move |seed| {
                let (train, test) = automobile.split(direction, seed)?;
                Ok((train, vec![test]))
            }),
            columns: vec![name.to_owned()],
            published: Box::new(|key, _| paper::automobile(key)),
        })
    });
    houses.into_iter().chain(cars).collect()
}

/// The checksum of a data file.
fn checksum(path: Option<&Path>) -> Result<Option<String>, Failure> {
    let checksum = |path: &Path| match files::read(path, files::MOST_DATA) {
        Ok(bytes) => Ok(files::checksum(&bytes)),
        Err(source) => Err(FileError::read(path)(source).into()),
    };
    path.map(checksum).transpose()
}

/// The table as its Markdown has it, with the warnings about the data files.
fn describe(table: &Table2, args: &TableArgs, warnings: &[&String]) -> String {
    let (first, last) = (args.seed, args.seed.wrapping_add(args.seeds - 1));
    let mut text = format!(
        "# Table 2: real data under a change of domain\n\nData seeds {first} to {last}. RMSE in \
         standard deviations of the target; columns as in Table 1. Gradient descent takes steps of \
         0.005, on a summed loss (GP) times 115 / n for n training points.\n"
    );
    for warning in warnings {
        let _ = write!(text, "\n{warning}\n");
    }
    let parts = [
        (
            table.housing,
            "King County housing\n\nTrained on nine tenths of the houses of D0 in a sample of \
             1304; D0 is scored on its other tenth. Inputs and price are standardised on the whole \
             sample; the paper prints D1 to D4.",
        ),
        (
            table.automobile,
            "Automobile\n\nEach seed trains on a random nine tenths of the training rows; the \
             test rows are always the same, so that intervals speak of the training sample only.",
        ),
    ];
    for (columns, about) in parts.iter().filter(|(columns, _)| !columns.is_empty()) {
        let _ = write!(text, "\n## {about}\n");
        for column in *columns {
            let _ = write!(
                text,
                "\n### {}\n\n{}",
                column.name,
                markdown::table(&column.rows)
            );
        }
    }
    let _ = write!(text, "\n{}", notes());
    text
}
