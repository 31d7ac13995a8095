//! Args: what was typed. The only file that names clap; what it means is decided in `choice`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};
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
    /// Training data: a CSV file, with or without a header line
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = LEARNT)]
    pub train: PathBuf,
    /// Test data, with the same columns: in any order where both files have a header
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = LEARNT)]
    pub test: PathBuf,
    /// Column to predict, by its name in the header (x0, x1 ... without one) [default: the last]
    #[arg(long, value_name = "NAME", help_heading = LEARNT)]
    pub target: Option<String>,
    /// Columns to leave out, by name
    #[arg(long, value_name = "NAME,NAME", value_delimiter = ',', hide_short_help = true, help_heading = LEARNT)]
    pub drop: Vec<String>,
    /// Columns that are categories, by name
    ///
    /// Each level in the training data becomes a coordinate of 0 or 1/sqrt(2), which is not z-scored
    /// (but see --no-scale): two categories differ as two numbers that are a standard deviation apart.
    #[arg(long, value_name = "NAME,NAME", value_delimiter = ',', hide_short_help = true, help_heading = LEARNT)]
    pub categorical: Vec<String>,
    /// Surrogate: rf, mlp, gp, gp-rq, gp-dp or dil-gp (its objective is --mode's)
    #[arg(long, value_name = "NAME", default_value = "dil-gp", value_parser = Offered::these(["rf", "mlp", "gp", "gp-rq", "gp-dp", "dil-gp"]), hide_possible_values = true, help_heading = TUNED)]
    pub surrogate: String,
    #[command(flatten)]
    pub training: TrainingArgs,
    /// Take inputs and targets as they are, instead of z-scoring them on the training set
    ///
    /// Targets are standardised inside all the same, except by --mode released and --optimizer
    /// sgd; inputs are, with mlp and --mode hierarchical.
    #[arg(long, hide_short_help = true, help_heading = LEARNT)]
    pub no_scale: bool,
    /// Decides starts, clusters, bootstraps and weights
    #[arg(long, value_name = "N", default_value_t = 0)]
    #[arg(allow_negative_numbers = true)]
    #[arg(value_parser = Whole::from(0), help_heading = TUNED)]
    pub seed: u64,
    #[command(flatten)]
    pub output: OutputArgs,
    /// Folder for predictions.csv, result.json, the calibration curve and, for one or two inputs,
    /// a picture of the fit; must not exist or be empty
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = FILES)]
    pub out: Option<PathBuf>,
}

/// Flags that shape training. Each applies to some surrogates only.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = TUNED)]
pub struct TrainingArgs {
    /// What dil-gp minimises: paper, released, per-point or hierarchical [default: paper]
    ///
    /// With L = --lambda and g0, g1 the likelihood's slopes in two environments of n rows in all.
    /// paper: -log p + L (g0^2 + g1^2), its Algorithm 1; released:
    /// (-log p + L/2 (g0^2 + g1^2)) / n, the authors' code to the letter; per-point: -log p + L/n
    /// * 1/2 (g0^2 + g1^2), ours; hierarchical: ours. gp, gp-rq, gp-dp: released.
    #[arg(long, value_enum, value_name = "MODE", hide_possible_values = true)]
    pub mode: Option<Mode>,
    /// Kernel of gp or dil-gp: rbf, rq, dp, matern52; for gp alone, with a length for each input,
    /// rbf-ard, rq-ard, matern52-ard [default: rbf]
    #[arg(long, value_enum, value_name = "KERNEL", hide_possible_values = true)]
    #[arg(hide_short_help = true)]
    pub kernel: Option<KernelArg>,
    /// Weight L of the invariance penalty, or cv [default: 1; hierarchical: 0]
    ///
    /// cv: the best of 0, 0.01, 0.1, 1 and 10 by
    /// cross-validation over four clusters of the training inputs.
    #[arg(long, value_name = "L|cv", allow_negative_numbers = true, value_parser = lambda, hide_short_help = true)]
    pub lambda: Option<Lambda>,
    /// Optimiser: sgd or lbfgs [default: sgd in mode released, else lbfgs]
    #[arg(long, value_enum, value_name = "NAME", hide_possible_values = true)]
    #[arg(hide_short_help = true)]
    pub optimizer: Option<Optimizer>,
    /// Loss of gradient descent: sum or mean [default: sum for gp, else mean]
    #[arg(long, value_enum, value_name = "LOSS", hide_possible_values = true)]
    #[arg(hide_short_help = true)]
    pub loss: Option<LossArg>,
    /// Epochs of gradient descent [default: 200], or rounds of L-BFGS in modes paper and
    /// per-point, the paper's T2 [default: 6]
    #[arg(long, value_name = "E", hide_short_help = true)]
    pub epochs: Option<usize>,
    /// Learning rate of gradient descent [default: 0.005]
    #[arg(long, value_name = "R", allow_negative_numbers = true)]
    #[arg(hide_short_help = true)]
    pub lr: Option<f64>,
    /// Momentum of gradient descent [default: 0]
    #[arg(long, value_name = "M", allow_negative_numbers = true)]
    #[arg(hide_short_help = true)]
    pub momentum: Option<f64>,
    /// Step of the environment assignment [default: 0.001; with lbfgs 0.7, shrinking]
    #[arg(long, value_name = "R", allow_negative_numbers = true)]
    #[arg(hide_short_help = true)]
    pub env_lr: Option<f64>,
    /// Steps of the assignment for each of the hyper-parameters, the paper's T1 [default: 1;
    /// with lbfgs 24]
    #[arg(long, value_name = "T1", hide_short_help = true)]
    pub inner_steps: Option<usize>,
    /// Environments: kmeans (two clusters), kmeans:K, or a CSV file with one label for each
    /// training row [default: kmeans]
    ///
    /// The assignment of rows starts from them and is then optimised, except in mode hierarchical,
    /// which keeps them.
    #[arg(long, value_name = "kmeans|FILE", value_hint = ValueHint::FilePath, hide_short_help = true)]
    pub environments: Option<String>,
    /// Keep the labels of the file of --environments: the assignment is not optimised
    #[arg(long, requires = "environments", hide_short_help = true)]
    pub environments_fixed: bool,
    /// Units of each hidden layer of mlp, for example 64-64-64 [default: 100]
    #[arg(long, value_name = "UNITS", value_parser = units, hide_short_help = true)]
    pub hidden: Option<Units>,
}

/// The hidden layers of a network.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Units(pub Vec<usize>);

/// Most units of one layer: beyond it a step of training takes seconds.
const MOST_UNITS: usize = 4096;

fn units(text: &str) -> Result<Units, String> {
    let layer = |word: &str| match word.parse() {
        Ok(count) if (1..=MOST_UNITS).contains(&count) => Ok(count),
        _ => Err(format!(
            "`{word}` is not a number of units from 1 to {MOST_UNITS}; layers are joined by hyphens"
        )),
    };
    let layers: Result<Vec<usize>, String> = text.split('-').map(layer).collect();
    layers.map(Units)
}

/// How DIL-GP (or a Gaussian process) is trained.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Mode {
    /// The authors' code: (-log p + L/2 (g0^2 + g1^2)) / n, masks collapsed
    Released,
    /// The paper's Algorithm 1: -log p + L (g0^2 + g1^2)
    Paper,
    /// Ours, 2 n times milder on n rows: -log p + L/n * 1/2 (g0^2 + g1^2)
    PerPoint,
    /// Our hierarchical process over environments
    Hierarchical,
}

/// What moves the hyper-parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Optimizer {
    /// Gradient descent for a fixed number of epochs
    Sgd,
    /// L-BFGS to convergence, with weak priors
    Lbfgs,
}

/// Whether the objective of gradient descent is divided by the number of points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LossArg {
    /// The sum over the points
    Sum,
    /// The mean over the points
    Mean,
}

/// The kernel of gp or dil-gp.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum KernelArg {
    /// Squared exponential
    Rbf,
    /// Rational quadratic
    Rq,
    /// Dot product
    Dp,
    /// Matérn of smoothness 5/2
    Matern52,
    /// Squared exponential, a length for each input
    RbfArd,
    /// Rational quadratic, a length for each input
    RqArd,
    /// Matérn of smoothness 5/2, a length for each input
    Matern52Ard,
}

impl KernelArg {
    /// Whether it has a length for each input (automatic relevance determination).
    pub fn has_relevance(self) -> bool {
        matches!(self, Self::RbfArd | Self::RqArd | Self::Matern52Ard)
    }
}

/// The weight of the penalty.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Lambda {
    /// As given.
    Given(f64),
    /// Chosen by cross-validation.
    CrossValidated,
}

fn lambda(text: &str) -> Result<Lambda, std::num::ParseFloatError> {
    if text == "cv" {
        return Ok(Lambda::CrossValidated);
    }
    text.parse().map(Lambda::Given)
}

/// Flags of either table.
#[derive(Debug, Args)]
pub struct TableArgs {
    /// Number of data seeds
    #[arg(long, value_name = "N", default_value_t = 10, allow_negative_numbers = true, value_parser = Whole::from(1).to(1000), help_heading = JUDGED)]
    pub seeds: u64,
    /// First data seed; the others follow it
    #[arg(long, alias = "first-seed", value_name = "N", default_value_t = 0)]
    #[arg(allow_negative_numbers = true, value_parser = Whole::from(0))]
    #[arg(help_heading = JUDGED)]
    pub seed: u64,
    #[command(flatten)]
    pub cells: CellsArgs,
    #[command(flatten)]
    pub threads: ThreadsArgs,
    #[command(flatten)]
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
