//! Table 2: real data whose test domain is not the training domain.

mod text;

use std::path::Path;
use std::sync::OnceLock;

use dilgp::{Dataset, threads};
use serde::{Deserialize, Serialize};
use shell::cells::{Cell, Shelf, Work};
use shell::files;
use shell::folder::Folder;
use shell::progress::Progress;

use crate::args::Table2Args;
use crate::calibration::LEVELS;
use crate::error::Error;
use crate::tables::comparison::{outcomes, rows};
use crate::tables::data::automobile::{Automobile, Direction};
use crate::tables::data::housing::{DOMAINS, Housing};
use crate::tables::data::published::{AUTOMOBILE, HOUSING};
use crate::tables::methods::{METHODS, Method};
use crate::tables::paper;
use crate::tables::pictures::{curves, figure2};
use crate::tables::pieces::{Asked, KeptScores, Scores, by_method, kept};
use crate::tables::printed::printed;
use crate::tables::row::{Column, Row};
use text::{Table2, describe};

/// The learning rate of the authors' code.
const RATE: f64 = 0.005;

/// About how long the fits of one seed take [s].
const SECONDS_OF_HOUSING: f64 = 60.0;
const SECONDS_OF_AUTOMOBILE: f64 = 5.0;

/// What all cells of this table share.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Plan {
    table: String,
    windhover: String,
    /// CRC-32 of the files that were given.
    housing: Option<String>,
    automobile: Option<String>,
}

/// Every method on the training data of one seed.
#[derive(Debug, Clone, Copy)]
enum Piece {
    Housing(u64),
    Automobile(Direction, u64),
}

impl Cell for Piece {
    fn key(&self) -> String {
        match self {
            Piece::Housing(seed) => format!("housing-{seed}"),
            Piece::Automobile(Direction::Code, seed) => format!("automobile-code-{seed}"),
            Piece::Automobile(Direction::Paper, seed) => format!("automobile-paper-{seed}"),
        }
    }
}

/// Training rows of Automobile, and how the table calls them.
const DIRECTIONS: [(Direction, &str); 2] = [
    (
        Direction::Code,
        "trained on wagons and hatchbacks (the authors' code)",
    ),
    (
        Direction::Paper,
        "trained on sedans, hardtops and convertibles (the paper's text)",
    ),
];

/// Carries out `dilgp table2`.
pub fn run(args: &Table2Args) -> Result<String, Error> {
    let nothing = args.housing.is_none() && args.automobile.is_none();
    // How far a folder is can be asked without its files.
    if nothing && args.shared.cells.status.is_none() && args.shared.cells.drain.is_none() {
        return Err(Error::NoFile {
            advice: format!("{} or {}", HOUSING.advice(), AUTOMOBILE.advice()),
        });
    }
    threads::start(args.shared.threads.count()).map_err(Error::Threads)?;
    let making = Making {
        args,
        housing: args.housing.as_deref().map(Housing::read).transpose()?,
        automobile: args
            .automobile
            .as_deref()
            .map(Automobile::read)
            .transpose()?,
        progress: OnceLock::new(),
    };
    let plan = Plan {
        table: "table2".to_owned(),
        windhover: env!("CARGO_PKG_VERSION").to_owned(),
        housing: checksum(args.housing.as_deref())?,
        automobile: checksum(args.automobile.as_deref())?,
    };
    let asked = Asked {
        table: "table2",
        cells: &args.shared.cells,
        out: args.out.as_deref(),
        output: args.shared.output,
    };
    asked.carry_out(&plan, &making)
}

/// The checksum of a data file.
fn checksum(path: Option<&Path>) -> Result<Option<String>, Error> {
    let checksum = |path: &Path| match files::read(path, files::MOST_DATA) {
        Ok(bytes) => Ok(files::checksum(&bytes)),
        Err(source) => Err(Error::Read {
            path: path.to_owned(),
            source,
        }),
    };
    path.map(checksum).transpose()
}

/// The table at work in this process.
struct Making<'a> {
    args: &'a Table2Args,
    housing: Option<Housing>,
    automobile: Option<Automobile>,
    progress: OnceLock<Progress>,
}

impl Work for Making<'_> {
    type Cell = Piece;
    type Finished = KeptScores;
    type Error = Error;

    fn cells(&self) -> Vec<Piece> {
        let housing = self
            .housing
            .iter()
            .flat_map(|_| self.args.shared.all().map(Piece::Housing));
        let automobile = self.automobile.iter().flat_map(|_| {
            let directions = DIRECTIONS.into_iter();
            directions.flat_map(|(direction, _)| {
                self.args
                    .shared
                    .all()
                    .map(move |seed| Piece::Automobile(direction, seed))
            })
        });
        housing.chain(automobile).collect()
    }

    fn seconds(&self, piece: &Piece) -> f64 {
        match piece {
            Piece::Housing(_) => SECONDS_OF_HOUSING,
            Piece::Automobile(..) => SECONDS_OF_AUTOMOBILE,
        }
    }

    fn begin(&self, due: &[&Piece]) {
        let fits = (due.len() * METHODS.len()) as u64;
        self.progress.get_or_init(|| Progress::new(fits, "fits"));
    }

    fn work(&self, _: &Shelf, piece: &Piece) -> Result<KeptScores, Error> {
        let (seed, (train, tests)) = match *piece {
            Piece::Housing(seed) => (seed, self.houses(seed)?),
            Piece::Automobile(direction, seed) => (seed, self.cars(direction, seed)?),
        };
        let tests: Vec<&Dataset> = tests.iter().collect();
        let work = |method: &Method| {
            let found = outcomes(*method, &train, &tests, RATE, seed);
            self.advance(1, method.label);
            found
        };
        let scores = threads::on_all_cores(|| threads::each(&METHODS, work));
        Ok(scores.into())
    }

    fn elsewhere(&self, _: &Piece) {
        self.advance(METHODS.len() as u64, "");
    }

    fn merge(&self, shelf: &Shelf, _: usize) -> Result<String, Error> {
        let mut columns = [Vec::new(), Vec::new()];
        if self.housing.is_some() {
            let seeds = self.scores(shelf, Piece::Housing)?;
            columns[0].extend(DOMAINS.iter().enumerate().map(|(domain, name)| Column {
                name: (*name).to_owned(),
                rows: rows(&by_method(&seeds, domain), |key| {
                    paper::housing(key, domain)
                }),
            }));
        }
        if self.automobile.is_some() {
            for (direction, name) in DIRECTIONS {
                let seeds = self.scores(shelf, |seed| Piece::Automobile(direction, seed))?;
                columns[1].push(Column {
                    name: name.to_owned(),
                    rows: rows(&by_method(&seeds, 0), paper::automobile),
                });
            }
        }
        let [housing, automobile] = columns;
        let table = Table2 {
            schema: "windhover-table2/1",
            first_seed: self.args.shared.seed,
            seeds: self.args.shared.seeds,
            calibration_levels: LEVELS,
            housing,
            automobile,
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

    /// Training data and the test sets of one seed.
    fn houses(&self, seed: u64) -> Result<(Dataset, Vec<Dataset>), Error> {
        let housing = self.housing.as_ref().expect("its cells are asked for");
        let sample = housing.sample(seed)?;
        Ok((sample.train, sample.tests))
    }

    fn cars(&self, direction: Direction, seed: u64) -> Result<(Dataset, Vec<Dataset>), Error> {
        let automobile = self.automobile.as_ref().expect("its cells are asked for");
        let (train, test) = automobile.split(direction, seed)?;
        Ok((train, vec![test]))
    }

    /// The scores of every seed.
    fn scores(&self, shelf: &Shelf, piece: impl Fn(u64) -> Piece) -> Result<Vec<Scores>, Error> {
        kept(shelf, self.args.shared.all().map(|seed| piece(seed).key()))
    }

    fn draw(&self, table: &Table2, folder: &Folder) -> Result<String, Error> {
        let args = self.args;
        let progress = Progress::uncounted("drawing");
        let warnings: Vec<&String> = [
            self.housing.as_ref().and_then(|h| h.warning.as_ref()),
            self.automobile.as_ref().and_then(|a| a.warning.as_ref()),
        ]
        .into_iter()
        .flatten()
        .collect();
        let text = describe(table, args, &warnings);
        let mut written = vec![
            folder.write("table2.md", &text)?,
            folder.write("table2.json", serde_json::to_string_pretty(table)? + "\n")?,
        ];
        if !table.housing.is_empty() {
            let stem = folder.file("figure2");
            written.extend(figure2::draw(&table.housing, args.shared.seeds, &stem)?);
        }
        let columns = table.housing.iter().chain(&table.automobile);
        let sets: Vec<(&str, &[Row])> = columns
            .map(|column| (column.name.as_str(), column.rows.as_slice()))
            .collect();
        let title = format!(
            "Real data: calibration, mean of {} seeds",
            args.shared.seeds
        );
        written.extend(curves::draw(&title, &sets, &folder.file("calibration"))?);
        progress.finish();
        printed(args.shared.output, table, text, &written, &warnings)
    }
}
