//! Pieces: the cells into which a table is divided, and what is kept of each.

use crate::args::Cli;
use crate::error::Error;
use crate::tables::comparison::Outcome;
use dilgp::{Score, threads};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use shell::cells::args::{CellsArgs, OF_A_PROCESS};
use shell::cells::{Desk, Exact, Shelf, Work};
use shell::interrupt::Interrupt;
use shell::usage::{OutputArgs, typed_words};
use std::path::Path;

/// Of each method, how it did on each test set; nothing where its fit failed.
pub type Scores = Vec<Vec<Option<Outcome>>>;

/// How one method did on one test set, as it is kept.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Kept {
    rmse: Exact,
    coverage: Option<Exact>,
    nlpd: Option<Exact>,
    calibration: Option<Vec<Exact>>,
}

/// The scores of one seed, as they are kept.
#[derive(Debug, Serialize, Deserialize)]
pub struct KeptScores(Vec<Vec<Option<Kept>>>);

impl From<Scores> for KeptScores {
    fn from(scores: Scores) -> KeptScores {
        let kept = |Outcome { score, calibration }: Outcome| Kept {
            rmse: Exact(score.rmse),
            coverage: score.coverage.map(Exact),
            nlpd: score.nlpd.map(Exact),
            calibration: calibration.map(|shares| shares.into_iter().map(Exact).collect()),
        };
        let tests = |tests: Vec<Option<Outcome>>| {
            let tests = tests.into_iter();
            tests.map(|test| test.map(kept)).collect()
        };
        KeptScores(scores.into_iter().map(tests).collect())
    }
}

impl From<KeptScores> for Scores {
    fn from(KeptScores(scores): KeptScores) -> Scores {
        let number = |Exact(number): Exact| number;
        let outcome = |kept: Kept| Outcome {
            score: Score {
                rmse: kept.rmse.0,
                coverage: kept.coverage.map(number),
                nlpd: kept.nlpd.map(number),
            },
            calibration: kept
                .calibration
                .map(|shares| shares.into_iter().map(number).collect()),
        };
        let tests = |tests: Vec<Option<Kept>>| {
            let tests = tests.into_iter();
            tests.map(|test| test.map(outcome)).collect()
        };
        scores.into_iter().map(tests).collect()
    }
}

/// What is typed alike for both tables.
pub struct Asked<'a> {
    /// The table's name.
    pub table: &'static str,
    /// Which cells.
    pub cells: &'a CellsArgs,
    /// In what folder.
    pub out: Option<&'a Path>,
    /// What is printed.
    pub output: OutputArgs,
}

impl Asked<'_> {
    /// Works a table out, with all others who are at it; its cells belong to no other `plan`.
    ///
    /// # Errors
    /// Those of the table and of its folder.
    pub fn carry_out<P, W>(&self, plan: &P, work: &W) -> Result<String, Error>
    where
        P: Serialize + DeserializeOwned + PartialEq,
        W: Work<Error = Error>,
    {
        let interrupt = Interrupt::default();
        interrupt.listen();
        let desk = Desk {
            args: self.cells,
            out: self.out,
            automatic: self.table,
            words: typed_words::<Cli>(&OF_A_PROCESS),
            version: env!("CARGO_PKG_VERSION"),
            json: self.output.is_json(),
            // Each piece has fits enough for all threads.
            hands: threads::count().min(2),
            interrupt: &interrupt,
        };
        match desk.answer(work)? {
            Some(said) => Ok(said),
            None => desk.carry_out(&desk.shelf_of(plan)?, work),
        }
    }
}

/// The scores kept under each of `keys`, one a seed.
///
/// # Errors
/// Those of the folder.
pub fn kept(shelf: &Shelf, keys: impl Iterator<Item = String>) -> Result<Vec<Scores>, Error> {
    let scores = keys.map(|key| Ok(shelf.get::<KeptScores>(&key)?.map(Scores::from)));
    scores.filter_map(Result::transpose).collect()
}

/// Nothing is missing: for each method, its outcomes on one test set, one a seed.
pub fn by_method(seeds: &[Scores], test: usize) -> Vec<Vec<Option<Outcome>>> {
    let methods = seeds.first().map_or(0, Vec::len);
    let of_method = |method: usize| {
        let seeds = seeds.iter();
        seeds.map(|seed| seed[method][test].clone()).collect()
    };
    (0..methods).map(of_method).collect()
}
