//! Args: the flags with which work is divided among processes and machines.

use super::Cell;
use super::engine::Engine;
use super::seal::Stamp;
use super::store::Rules;
use crate::usage::Whole;
use crate::{Failure, names};
use clap::{Args, ValueHint};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

/// Heading of these flags.
const MACHINES: &str = "On many machines";

/// Flags that concern a process and not the work, and are left out where the work is named again.
pub const OF_A_PROCESS: [&str; 13] = [
    "list_cells",
    "cell",
    "shard",
    "collect",
    "engine",
    "tasks",
    "status",
    "drain",
    "out",
    "threads",
    "format",
    "json",
    "quiet",
];

/// Flags of work that is divided into cells.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = MACHINES)]
pub struct CellsArgs {
    /// Print the names of the cells into which the work is divided, and end
    #[arg(long, hide_short_help = true, conflicts_with_all = ["cell", "shard", "collect", "engine", "status", "drain"])]
    pub list_cells: bool,
    /// Work out these cells alone, separated by commas; those that are done are left as they are
    #[arg(long, value_name = "KEYS", requires = "out", conflicts_with_all = ["shard", "collect", "engine", "status", "drain"], hide_short_help = true)]
    pub cell: Option<String>,
    /// Work out every N-th cell, from the I-th on
    #[arg(long, value_name = "I/N", requires = "out", conflicts_with_all = ["collect", "engine", "status", "drain"], hide_short_help = true)]
    pub shard: Option<Shard>,
    /// Merge what is done; where cells are missing, name them and write the script for them alone
    #[arg(long, requires = "out", conflicts_with_all = ["status", "drain"], hide_short_help = true)]
    pub collect: bool,
    /// Write the scripts with which an engine works out what is not done: slurm or parallel
    #[arg(long, value_name = "NAME", value_enum, conflicts_with_all = ["status", "drain"], hide_possible_values = true, hide_short_help = true)]
    pub engine: Option<Engine>,
    /// With --engine: so many tasks [default: as many as take a minute each; parallel: seconds]
    #[arg(long, value_name = "N", requires = "engine", allow_negative_numbers = true, value_parser = Whole::from(1).to(1000), hide_short_help = true)]
    pub tasks: Option<u64>,
    /// Say how far the cells of this folder are: done, running, failed, time left
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, conflicts_with = "drain", hide_short_help = true)]
    pub status: Option<PathBuf>,
    /// Ask all who work in this folder to finish what they have begun, and to begin nothing more
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, hide_short_help = true)]
    pub drain: Option<PathBuf>,
    /// Take cells of another build or another kind of arithmetic too: their last bits may differ
    #[arg(long, hide_short_help = true)]
    pub mixed: bool,
    /// How long a cell stays with a process of which nothing is heard [s]
    #[arg(long, value_name = "S", default_value_t = 120, allow_negative_numbers = true, value_parser = Whole::from(1).to(86_400), hide_short_help = true)]
    pub lease: u64,
}

/// One of so many parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// Which, from 1.
    index: usize,
    /// Of how many.
    of: usize,
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let parts = text.split_once('/');
        let parsed = parts.and_then(|(index, of)| Some((index.parse().ok()?, of.parse().ok()?)));
        match parsed {
            Some((index, of)) if (1..=of).contains(&index) => Ok(Shard { index, of }),
            _ => Err("it must be I/N with I from 1 to N, as 3/40".to_owned()),
        }
    }
}

impl CellsArgs {
    /// How a process of this make works in a store.
    pub(super) fn rules(&self, stamp: Stamp) -> Rules {
        Rules {
            stamp,
            mixed: self.mixed,
            lease: Duration::from_secs(self.lease),
        }
    }

    /// Whether a part of the cells alone is asked for.
    pub(super) fn is_part(&self) -> bool {
        self.cell.is_some() || self.shard.is_some()
    }

    /// The cells that are asked for, in their order.
    ///
    /// # Errors
    /// A name that no cell has.
    pub(super) fn chosen<'a, C: Cell>(&self, cells: &'a [C]) -> Result<Vec<&'a C>, Failure> {
        let keys: Vec<String> = cells.iter().map(Cell::key).collect();
        let wanted: BTreeSet<String> = match (&self.cell, self.shard) {
            (Some(given), _) => {
                let given = given.split(',').map(str::trim);
                let known = |given: &str| match keys.iter().find(|key| *key == given) {
                    Some(key) => Ok(key.clone()),
                    None => Err(unknown(given, &keys)),
                };
                given.map(known).collect::<Result<_, _>>()?
            }
            (None, Some(Shard { index, of })) => {
                keys.iter().skip(index - 1).step_by(of).cloned().collect()
            }
            (None, None) => return Ok(cells.iter().collect()),
        };
        let cells = cells.iter();
        Ok(cells.filter(|cell| wanted.contains(&cell.key())).collect())
    }
}

/// That `given` is none of `keys`.
fn unknown(given: &str, keys: &[String]) -> Failure {
    let known: Vec<&str> = keys.iter().map(String::as_str).collect();
    let nearest = names::nearest(given, &known);
    Failure::usage(format!(
        "no cell is called `{given}`: did you mean `{nearest}`? --list-cells names all"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Debug, Parser)]
    struct Cli {
        #[command(flatten)]
        cells: CellsArgs,
        #[arg(long)]
        out: Option<PathBuf>,
    }

    struct Letter(&'static str);

    impl Cell for Letter {
        fn key(&self) -> String {
            self.0.to_owned()
        }
    }

    fn chosen(line: &str) -> Result<String, Failure> {
        let typed = Cli::try_parse_from(format!("p {line}").split_whitespace());
        let letters = ["a", "b", "c", "d", "e"].map(Letter);
        let chosen = typed.expect("legal").cells.chosen(&letters)?;
        Ok(chosen.iter().map(|letter| letter.0).collect())
    }

    #[test]
    fn shards_are_all_cells_each_once() {
        assert_eq!(chosen("").expect("all"), "abcde");
        assert_eq!(chosen("--shard 1/2 --out d").expect("legal"), "ace");
        assert_eq!(chosen("--shard 2/2 --out d").expect("legal"), "bd");
        assert_eq!(chosen("--shard 3/3 --out d").expect("legal"), "c");
        assert_eq!(chosen("--shard 9/9 --out d").expect("legal"), "");
        assert_eq!(chosen("--cell d,c --out d").expect("legal"), "cd");
        let error = chosen("--cell a,x --out d").expect_err("no such cell");
        assert!(
            error.to_string().starts_with("no cell is called `x`"),
            "{error}"
        );
    }

    #[test]
    fn what_does_not_go_together_is_refused() {
        for line in [
            "--shard 0/2 --out d",
            "--shard 3/2 --out d",
            "--shard 1/2",
            "--shard x --out d",
            "--cell a --shard 1/1 --out d",
            "--status d --drain d",
            "--lease 0",
        ] {
            let typed = Cli::try_parse_from(format!("p {line}").split_whitespace());
            assert!(typed.is_err(), "{line}");
        }
    }
}
