//! Housing: house prices in King County, by the time the house was built.
//!
//! D0, built from 1980 on, trains; D1 to D4 are older by 20 years each, down to 1900. A sample of
//! 1304 houses is drawn by the seed, standardised as a whole (the scale of the test inputs is
//! therefore known in training, as in the authors' code: train-only scaling explodes on the year
//! of renovation, which is 0 for most). A tenth of D0 is held out.

use std::path::Path;

use dilgp::Dataset;
use nalgebra::DVector;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use crate::csv::too_few;
use crate::tables::published::{HOUSING, pick};
use shell::Failure;

/// Houses in a sample.
const SAMPLE: usize = 1304;
/// Columns that are neither inputs nor the target.
const DROPPED: [&str; 3] = ["id", "date", "zipcode"];
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
    /// A warning about the file.
    pub warning: Option<String>,
}

impl Housing {
    /// Reads the file at `path`.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        let (lines, warning) = HOUSING.read(path)?;
        let (header, houses) = lines.split_first().expect("a file has a line");
        let columns = HOUSING.columns();
        let mut names = columns.iter().zip(&header.cells);
        if let Some(column) = names.position(|(expected, found)| expected != found) {
            let (found, expected) = (&header.cells[column], columns[column]);
            let place = format!("line {}, column {}", header.number, column + 1);
            let fault = format!("{place}: the name is `{found}`; it should be `{expected}`");
            return Err(Failure::in_file(path)(fault));
        }
        if houses.len() < SAMPLE {
            return Err(Failure::in_file(path)(too_few(houses.len(), SAMPLE)));
        }
        let rows = HOUSING.rows(path, houses.iter(), &DROPPED, "price")?;
        let year = [HOUSING.column("yr_built")];
        let built = houses.iter().map(|house| Ok(house.numbers(&year)?[0]));
        let built: Result<Vec<f64>, String> = built.collect();
        Ok(Self {
            built: built.map_err(Failure::in_file(path))?,
            rows,
            warning,
        })
    }

    /// Training data of a seed, nine tenths of D0, and the tests: its other tenth, then D1 to D4.
    pub fn sample(&self, seed: u64) -> Result<(Dataset, Vec<Dataset>), Failure> {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut order: Vec<usize> = (0..self.rows.len()).collect();
        let (drawn, _) = order.partial_shuffle(&mut random, SAMPLE);
        let mut scaled: Vec<Vec<f64>> = drawn.iter().map(|&i| self.rows[i].clone()).collect();
        (0..self.rows[0].len()).for_each(|column| standardise(&mut scaled, column));
        let mut domains: Vec<Vec<usize>> = vec![Vec::new(); FROM_YEAR.len()];
        for (row, &house) in drawn.iter().enumerate() {
            let built = self.built[house];
            if let Some(domain) = FROM_YEAR.iter().position(|from| built >= *from) {
                domains[domain].push(row);
            }
        }
        let held_out = domains[0].len() / 10;
        let train = domains[0].split_off(held_out);
        let tests = domains.iter().map(|rows| pick(&scaled, rows));
        Ok((pick(&scaled, &train)?, tests.collect::<Result<_, _>>()?))
    }
}

/// The column with mean 0 and variance 1; a constant one 0.
fn standardise(rows: &mut [Vec<f64>], column: usize) {
    let mut values = DVector::from_iterator(rows.len(), rows.iter().map(|row| row[column]));
    let n = rows.len() as f64;
    let mean = values.sum() / n;
    values.add_scalar_mut(-mean);
    let spread = (values.norm_squared() / n).sqrt();
    if spread > 1e-12 * mean.abs().max(1.0) {
        values /= spread;
    }
    for (row, value) in rows.iter_mut().zip(&values) {
        row[column] = *value;
    }
}
