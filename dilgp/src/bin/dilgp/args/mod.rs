//! Args: what was typed. The only room that knows clap; what it means is decided in `choice`.

mod training;

pub use self::training::{KernelArg, Lambda, LossArg, Mode, Optimizer, TrainingArgs};

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand, ValueHint};
use shell::cells::args::CellsArgs;
use shell::manual::{CompletionsArgs, ManArgs};
use shell::usage::{self, FILES, JUDGED, Offered, OutputArgs, TUNED, ThreadsArgs, Whole};

/// Heading of the options that say what is learnt from.
const LEARNT: &str = "What is learnt";

/// Gaussian processes for changing conditions, compared honestly.
#[derive(Debug, Parser)]
#[command(
    name = "dilgp",
    version,
    about = "Learn y from x with uncertainty, and compare DIL-GP with what it must beat",
    arg_required_else_help = true,
    after_help = "Examples:\n  \
        dilgp fit --train a.csv --test b.csv\n  \
        dilgp fit --surrogate gp --train a.csv --test b.csv --out run --format json\n  \
        dilgp fit --mode released --no-scale --train a.csv --test b.csv\n  \
        dilgp table1\n  \
        dilgp table2 --housing kc_house_data.csv --automobile imports-85.data"
)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Fit one surrogate to a CSV file and score it on another
    Fit(Box<FitArgs>),
    /// Regenerate the paper's Table 1 on synthetic data, with rows that it leaves out
    Table1(Table1Args),
    /// Regenerate the paper's Table 2 on King County housing and UCI Automobile
    Table2(Table2Args),
    /// Print a script with which a shell completes command lines
    Completions(CompletionsArgs),
    /// Write manual pages for man
    Man(ManArgs),
}

/// Flags of `fit`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    dilgp fit --train a.csv --test b.csv\n  \
    dilgp fit --surrogate gp --train a.csv --test b.csv --out run --format json")]
pub struct FitArgs {
    /// Training data: a CSV file of numbers, with or without a header line
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = LEARNT)]
    pub train: PathBuf,
    /// Test data, with the same columns
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = LEARNT)]
    pub test: PathBuf,
    /// Column to predict, by its name in the header [default: the last]
    #[arg(long, value_name = "NAME", help_heading = LEARNT)]
    pub target: Option<String>,
    /// Surrogate: rf, mlp, gp, gp-rq, gp-dp or dil-gp (its objective is --mode's)
    #[arg(long, value_name = "NAME", default_value = "dil-gp", value_parser = Offered::these(["rf", "mlp", "gp", "gp-rq", "gp-dp", "dil-gp"]), hide_possible_values = true, help_heading = TUNED)]
    pub surrogate: String,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub training: TrainingArgs,
    /// Use inputs and targets as they are, instead of z-scoring them on the training set
    #[arg(long, hide_short_help = true, help_heading = LEARNT)]
    pub no_scale: bool,
    /// Decides starts, clusters, bootstraps and weights
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0,
        allow_negative_numbers = true,
        value_parser = Whole::from(0),
        help_heading = TUNED
    )]
    pub seed: u64,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub output: OutputArgs,
    /// Folder for predictions.csv, result.json, the calibration curve and, for one or two inputs,
    /// a picture of the fit; must not exist or be empty
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = FILES)]
    pub out: Option<PathBuf>,
}

/// Flags of either table.
#[derive(Debug, Args)]
pub struct TableArgs {
    /// Number of data seeds
    #[arg(long, value_name = "N", default_value_t = 10, allow_negative_numbers = true, value_parser = Whole::from(1).to(1000), help_heading = JUDGED)]
    pub seeds: u64,
    /// First data seed; the others follow it
    #[arg(
        long,
        alias = "first-seed",
        value_name = "N",
        default_value_t = 0,
        allow_negative_numbers = true,
        value_parser = Whole::from(0),
        help_heading = JUDGED
    )]
    pub seed: u64,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub cells: CellsArgs,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub threads: ThreadsArgs,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub output: OutputArgs,
}

impl TableArgs {
    /// All data seeds, in order.
    pub fn all(&self) -> impl Iterator<Item = u64> + use<> {
        let first = self.seed;
        (0..self.seeds).map(move |i| first.wrapping_add(i))
    }
}

/// Flags of `table1`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    dilgp table1\n  \
    dilgp table1 --seeds 2 --random-tasks 0 --out t --format json")]
pub struct Table1Args {
    #[command(flatten)]
    #[allow(missing_docs)]
    pub shared: TableArgs,
    /// Random tasks on which Theorem 1 is tested; 0 leaves it out
    #[arg(long, value_name = "N", default_value_t = 200, allow_negative_numbers = true, value_parser = Whole::from(0).to(100_000), help_heading = JUDGED)]
    pub random_tasks: u64,
    /// Folder for table1.md, table1.json, figure1 and calibration, new or with cells of this table
    /// [default: runs/table1, or the first of runs/table1-2 ... that is free]
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = FILES)]
    pub out: Option<PathBuf>,
}

/// Flags of `table2`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    dilgp table2 --housing kc_house_data.csv\n  \
    dilgp table2 --automobile imports-85.data --seeds 20 --format json")]
pub struct Table2Args {
    /// kc_house_data.csv; without it that part is left out
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = LEARNT)]
    pub housing: Option<PathBuf>,
    /// imports-85.data; without it that part is left out
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = LEARNT)]
    pub automobile: Option<PathBuf>,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub shared: TableArgs,
    /// Folder for table2.md, table2.json, figure2 and calibration, new or with cells of this table
    /// [default: runs/table2, or the first of runs/table2-2 ... that is free]
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = FILES)]
    pub out: Option<PathBuf>,
}

/// Reads the command line of this process; an error, help or the version end it with a code.
pub fn read() -> Result<Command, ExitCode> {
    usage::read::<Cli>().map(|cli| cli.command)
}
