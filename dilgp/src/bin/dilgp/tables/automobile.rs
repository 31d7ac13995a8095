//! Automobile: the insurance risk of cars imported in 1985, by body style.
//!
//! Of the rows without a missing cell, wagons and hatchbacks (73) stand on one side, sedans,
//! hardtops and convertibles (86) on the other. The authors' code trains on the former; the
//! paper's text says the latter; both directions are offered. A seed leaves a random tenth of the
//! training rows out, since there is no other randomness in the data. Inputs are the numeric
//! columns; inputs and target are z-scored on the training rows.

use std::path::Path;

use dilgp::Dataset;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use crate::csv::{Line, too_few};
use crate::fit::data::Units;
use crate::tables::published::{AUTOMOBILE, pick};
use shell::Failure;

/// Columns of words.
const WORDS: [&str; 10] = [
    "make",
    "fuel-type",
    "aspiration",
    "num-of-doors",
    "body-style",
    "drive-wheels",
    "engine-location",
    "engine-type",
    "num-of-cylinders",
    "fuel-system",
];

/// Which side trains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Wagons and hatchbacks, as in the authors' code.
    Code,
    /// Sedans, hardtops and convertibles, as in the paper's text.
    Paper,
}

/// All complete cars.
#[derive(Debug)]
pub struct Automobile {
    /// Numeric inputs of each car, then its symboling.
    rows: Vec<Vec<f64>>,
    /// Whether each is a wagon or hatchback.
    wagon_or_hatchback: Vec<bool>,
    /// A warning about the file.
    pub warning: Option<String>,
}

impl Automobile {
    /// Reads the file at `path`.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        let (lines, warning) = AUTOMOBILE.read(path)?;
        let complete = |line: &&Line| line.cells.iter().all(|cell| cell != "?");
        let complete = lines.iter().filter(complete);
        let rows = AUTOMOBILE.rows(path, complete.clone(), &WORDS, "symboling")?;
        let style = AUTOMOBILE.column("body-style");
        let of_first = |line: &Line| ["wagon", "hatchback"].contains(&line.cells[style].as_str());
        let wagon_or_hatchback: Vec<bool> = complete.map(of_first).collect();
        let first = wagon_or_hatchback.iter().filter(|w| **w).count();
        let least = first.min(rows.len() - first);
        if least < 20 {
            return Err(Failure::in_file(path)(too_few(least, 20)));
        }
        Ok(Self {
            rows,
            wagon_or_hatchback,
            warning,
        })
    }

    /// Training and test data of a seed, in standard deviations of the training rows.
    pub fn split(&self, direction: Direction, seed: u64) -> Result<(Dataset, Dataset), Failure> {
        let trains = |i: &usize| self.wagon_or_hatchback[*i] == (direction == Direction::Code);
        let (mut train, test): (Vec<usize>, Vec<usize>) = (0..self.rows.len()).partition(trains);
        train.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
        train.truncate(train.len() - train.len() / 10);
        let train = pick(&self.rows, &train)?;
        let units = Units::of(&train, true);
        let test = units.scale(&pick(&self.rows, &test)?)?;
        Ok((units.scale(&train)?, test))
    }
}
