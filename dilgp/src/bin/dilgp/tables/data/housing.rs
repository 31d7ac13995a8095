//! Housing: house prices in King County, by the time the house was built.
//!
//! D0, built from 1980 on, trains; D1 to D4 are older by 20 years each, down to 1900. A sample of
//! 1304 houses is drawn by the seed, standardised as a whole (the scale of the test inputs is
//! therefore known in training, as in the authors' code: train-only scaling explodes on the year
//! of renovation, which is 0 for most). A tenth of D0 is held out.

use std::path::Path;

use dilgp::Dataset;
use nalgebra::{DMatrix, DVector};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use crate::csv::{Line, parse_number};
use crate::error::{Error, Fault};
use crate::tables::data::published::HOUSING;

/// Houses in a sample.
const SAMPLE: usize = 1304;
/// Columns that are neither inputs nor the target.
const DROPPED: [&str; 4] = ["id", "date", "zipcode", "price"];
/// The earliest year of each domain.
const FROM_YEAR: [f64; 5] = [1980.0, 1960.0, 1940.0, 1920.0, 1900.0];
/// Names of the domains.
pub const DOMAINS: [&str; 5] = [
    "D0: 1980 on",
    "D1: 1960-79",
    "D2: 1940-59",
    "D3: 1920-39",
    "D4: 1900-19",
];

/// All houses.
#[derive(Debug)]
pub struct Housing {
    /// The inputs of each house, then its price.
    rows: Vec<Vec<f64>>,
    /// The year each was built.
    built: Vec<f64>,
    /// Said of the file.
    pub warning: Option<String>,
}

/// One sample.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    /// Nine tenths of D0.
    pub train: Dataset,
    /// The held-out tenth of D0, then D1 to D4.
    pub tests: Vec<Dataset>,
}

impl Housing {
    /// Reads the file at `path`.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let (lines, warning) = HOUSING.read(path)?;
        let bad = |fault| Error::Data {
            path: path.to_owned(),
            fault,
        };
        let (header, houses) = lines.split_first().expect("a file has a line");
        for (column, expected) in HOUSING.columns.iter().enumerate() {
            if header.cells[column] != *expected {
                return Err(bad(Fault::NotThatColumn {
                    line: header.number,
                    column: column + 1,
                    found: header.cells[column].clone(),
                    expected,
                }));
            }
        }
        if houses.len() < SAMPLE {
            return Err(bad(Fault::TooFewRows {
                found: houses.len(),
                needed: SAMPLE,
            }));
        }
        let inputs: Vec<usize> = (0..HOUSING.columns.len())
            .filter(|&column| !DROPPED.contains(&HOUSING.columns[column]))
            .chain([HOUSING.column("price")])
            .collect();
        let number = |line: &Line, column: usize| {
            parse_number(line.number, column + 1, &line.cells[column]).map_err(bad)
        };
        let numbers = |line: &Line| inputs.iter().map(|&column| number(line, column)).collect();
        let year = HOUSING.column("yr_built");
        Ok(Self {
            rows: houses.iter().map(numbers).collect::<Result<_, _>>()?,
            built: houses
                .iter()
                .map(|h| number(h, year))
                .collect::<Result<_, _>>()?,
            warning,
        })
    }

    /// The sample of a seed.
    pub fn sample(&self, seed: u64) -> Result<Sample, Error> {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut order: Vec<usize> = (0..self.rows.len()).collect();
        let (drawn, _) = order.partial_shuffle(&mut random, SAMPLE);
        let columns = self.rows[0].len();
        let raw = DMatrix::from_fn(SAMPLE, columns, |i, j| self.rows[drawn[i]][j]);
        let scaled = standardise(&raw);
        let mut domains: Vec<Vec<usize>> = vec![Vec::new(); FROM_YEAR.len()];
        for (row, &house) in drawn.iter().enumerate() {
            let built = self.built[house];
            if let Some(domain) = FROM_YEAR.iter().position(|from| built >= *from) {
                domains[domain].push(row);
            }
        }
        let held_out = domains[0].len() / 10;
        let train = domains[0].split_off(held_out);
        let tests: Result<Vec<_>, Error> = domains.iter().map(|rows| pick(&scaled, rows)).collect();
        Ok(Sample {
            train: pick(&scaled, &train)?,
            tests: tests?,
        })
    }
}

/// Every column with mean 0 and variance 1; constant columns 0.
fn standardise(raw: &DMatrix<f64>) -> DMatrix<f64> {
    let mut scaled = raw.clone();
    for mut column in scaled.column_iter_mut() {
        let n = column.len() as f64;
        let mean = column.sum() / n;
        column.add_scalar_mut(-mean);
        let spread = (column.norm_squared() / n).sqrt();
        if spread > 1e-12 * mean.abs().max(1.0) {
            column /= spread;
        }
    }
    scaled
}

/// Some rows of a matrix whose last column is the target.
fn pick(scaled: &DMatrix<f64>, rows: &[usize]) -> Result<Dataset, Error> {
    let inputs = scaled.ncols() - 1;
    let x = DMatrix::from_fn(rows.len(), inputs, |i, j| scaled[(rows[i], j)]);
    let y = DVector::from_fn(rows.len(), |i, _| scaled[(rows[i], inputs)]);
    Ok(Dataset::new(x, y)?)
}
