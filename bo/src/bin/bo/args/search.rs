//! Flags of the commands that measure the search: `bench` and `regret`.

use super::OutputArgs;
use bo::comparison::benchmark::race::Course;
use bo::comparison::benchmark::{self, Problem};
use bo::comparison::regret::Trial;
use bo::run::settings::Limit;
use bo::{Error, choice};
use clap::{Args, ValueHint};
use search::ACQUISITIONS;
use search::surrogates;
use search::{Acquisition, Settings};
use shell::usage::{FILES, Offered, ThreadsArgs, Whole};
use std::path::PathBuf;

const NORM: Limit = Limit::new("norm", 1e-3, 1e3, "from 0.001 to 1000");
const NOISE: Limit = Limit::new("noise", 1e-3, 1e3, "from 0.001 to 1000");

/// Flags of `bench`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    bo bench\n  \
    bo bench --functions branin2,pid6 --seeds 3 --format json")]
pub struct BenchArgs {
    /// Problems, separated by commas; all: branin2, hartmann6, ackley5, levy4, rosenbrock4, hartmann6-noisy, pid6; test (no constant was chosen on them): wedge2, adjiman2, parcel3, kowalik4, maximum5, wavy6, yang7, vincent8, ridge9, bohachevsky10; those and development (the first five) each without noise, with -noise10 and with -noise50
    #[arg(long, value_name = "NAMES", default_value = "all", value_parser = Offered::these(problem_names()), hide_possible_values = true)]
    pub functions: String,
    /// Number of seeds
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = Whole::from(1).to(10_000))]
    pub seeds: u64,
    /// First seed; the others follow it
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = Whole::from(0))]
    pub seed: u64,
    /// Evaluations of a run, ten of them the initial design
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = Whole::from(1).to(2_000))]
    pub evaluations: u64,
    /// Surrogate: matern, or any other that bo --surrogate takes; auto searches noisy problems as matern does where no acquisition is named
    #[arg(long, value_name = "NAME", default_value = "matern", value_parser = Offered::these(surrogates::NAMES), hide_possible_values = true)]
    pub surrogate: String,
    /// Acquisition: log-ei, ei, ucb (kappa 2), mean, level-set, kg or by-noise (level-set or kg) [default: the one that the surrogate is meant for, without noise log-ei]
    #[arg(long, value_name = "NAME", value_parser = Offered::these(ACQUISITIONS), hide_possible_values = true)]
    pub acquisition: Option<String>,
    /// Evaluations under way at once
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = Whole::from(1).to(1024), hide_short_help = true)]
    pub workers: u64,
    /// Instead of a race: print this problem's name, noise, least value and bounds, then for each line of standard input, the numbers of a point in natural units, its value without noise (NaN: crashed), so that other optimisers can be run on it
    #[arg(long, value_name = "NAME", value_parser = Offered::these(single_names()), hide_possible_values = true, hide_short_help = true)]
    pub values: Option<String>,
    #[command(flatten)]
    pub threads: ThreadsArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Flags of `regret`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    bo regret\n  \
    bo regret --seeds 5 --evaluations 100 --out my-regret")]
pub struct RegretArgs {
    /// Number of functions
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = Whole::from(1).to(1_000))]
    pub seeds: u64,
    /// First seed; the others follow it
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = Whole::from(0))]
    pub seed: u64,
    /// Evaluations of each
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = Whole::from(10).to(5_000))]
    pub evaluations: u64,
    /// Norm of the functions
    #[arg(
        long,
        value_name = "X",
        default_value_t = 2.0,
        allow_negative_numbers = true
    )]
    pub norm: f64,
    /// Standard deviation of the noise
    #[arg(
        long,
        value_name = "X",
        default_value_t = 0.1,
        allow_negative_numbers = true
    )]
    pub noise: f64,
    #[command(flatten)]
    pub threads: ThreadsArgs,
    #[command(flatten)]
    pub output: OutputArgs,
    /// Folder for the results; must not exist or be empty [default: runs/regret]
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = FILES)]
    pub out: Option<PathBuf>,
}

/// Names of single problems that are offered where one was mistyped.
fn single_names() -> impl Iterator<Item = &'static str> {
    let families = benchmark::FAMILIES.iter();
    let plain = families.flat_map(|(_, members)| members.iter().copied());
    let own = benchmark::NAMES.into_iter();
    let others = plain.filter(|name| !benchmark::NAMES.contains(name));
    own.chain(others)
}

/// The same with the names that mean many.
fn problem_names() -> impl Iterator<Item = &'static str> {
    let families = benchmark::FAMILIES.iter().map(|(name, _)| *name);
    ["all"].into_iter().chain(families).chain(single_names())
}

/// The problems that one name of a list means.
fn meant(name: &str) -> Vec<String> {
    let name = name.trim();
    if name == "all" {
        return benchmark::NAMES.map(str::to_owned).to_vec();
    }
    let family = benchmark::FAMILIES.iter().find(|(own, _)| *own == name);
    family.map_or_else(
        || vec![name.to_owned()],
        |(_, members)| benchmark::functions::at_every_noise(members),
    )
}

/// Names that are legal and not offered: the functions with noise.
fn with_noise() -> impl Iterator<Item = String> {
    let families = benchmark::FAMILIES.iter();
    let named = families.flat_map(|(_, members)| benchmark::functions::at_every_noise(members));
    named.filter(|name| single_names().all(|offered| offered != name))
}

fn problem(flag: &'static str, name: &str) -> Result<Problem, Error> {
    benchmark::by_name(name).ok_or_else(|| {
        let offered: Vec<&str> = match flag {
            "values" => single_names().collect(),
            _ => problem_names().collect(),
        };
        let offered = offered.into_iter().map(str::to_owned);
        let names: Vec<String> = offered.chain(with_noise()).collect();
        choice::unknown(flag, name, &names.join(", "))
    })
}

impl BenchArgs {
    /// The problems that were asked for, in their order.
    ///
    /// # Errors
    /// A name that does not exist.
    pub fn problems(&self) -> Result<Vec<Problem>, Error> {
        let names: Vec<String> = self.functions.split(',').flat_map(meant).collect();
        let one = |name: &String| problem("functions", name);
        names.iter().map(one).collect()
    }

    /// The problem whose values were asked for.
    ///
    /// # Errors
    /// A name that does not exist.
    pub fn problem_of_values(&self) -> Result<Option<Problem>, Error> {
        let named = self.values.as_deref();
        let named = named.map(|name| problem("values", name)).transpose()?;
        Ok(named)
    }

    /// The race that was asked for.
    ///
    /// # Errors
    /// A number out of range or an acquisition that does not exist.
    pub fn course(&self) -> Result<(Course, Settings), Error> {
        let unknown = |given: &str| choice::unknown("acquisition", given, &ACQUISITIONS.join(", "));
        let known = |given| Acquisition::by_name(given).map_err(|_| unknown(given));
        let acquisition = self.acquisition.as_deref().map(known).transpose()?;
        let course = Course {
            first_seed: self.seed,
            seeds: self.seeds,
            evaluations: self.evaluations as usize,
            initial: 10,
            surrogate: self.surrogate.clone(),
            acquisition: acquisition.map_or("default", |acquisition| acquisition.name()),
            workers: self.workers as usize,
        };
        let settings = Settings {
            surrogate: self.surrogate.clone(),
            acquisition,
            ..Settings::deterministic(0)
        };
        Ok((course, settings))
    }
}

impl RegretArgs {
    /// The trial that was asked for.
    ///
    /// # Errors
    /// A number out of range.
    pub fn trial(&self) -> Result<Trial, Error> {
        NORM.check(self.norm)?;
        NOISE.check(self.noise)?;
        Ok(Trial {
            norm: self.norm,
            noise: self.noise,
            evaluations: self.evaluations as usize,
            ..Trial::default()
        })
    }
}
