//! Args: what was typed. What it means, checked, is a [`Settings`].

mod export;
mod folder;
mod output;
mod report;
mod search;
mod tune;

pub use export::ExportArgs;
pub use folder::{CompletionsArgs, ConfigArgs, VerifyArgs};
pub use output::{Format, OutputArgs};
pub use report::ReportArgs;
pub use search::{BenchArgs, RegretArgs, ServeArgs};
pub use tune::TuneArgs;

use crate::Error;
use crate::comparison::{BASELINES, Budget, Method, Plan, Protocol, TRAININGS, Training};
use crate::settings::{Settings, surrogate_name, trajectory_name};
use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;

/// Tune quadrotor gains for the wind they will meet, and compare surrogates honestly.
#[derive(Debug, Parser)]
#[command(
    name = "bo",
    version,
    about = "Windhover: tune quadrotor gains for the wind they will meet",
    args_conflicts_with_subcommands = true,
    disable_help_subcommand = true,
    arg_required_else_help = true,
    after_help = "Examples:\n  \
        bo --traj fig8                              tune with DIL-GP, 110 flights\n  \
        bo --config study.toml --seed 2             a study file (bo config --print), one flag changed\n  \
        bo --resume runs/fig8-dil-gp-1              go on after an interrupt, a kill, a full disk\n  \
        bo compare --traj fig8 --surrogates all --seeds 5"
)]
pub struct Cli {
    /// What to do instead of tuning.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// What to tune.
    #[command(flatten)]
    pub tune: TuneArgs,
}

/// Commands beside tuning.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Tune with several surrogates on the same winds and print them side by side
    Compare(CompareArgs),
    /// Write a run's gains as an autopilot's parameter file, with a rollback
    Export(ExportArgs),
    /// Show a run in a browser: one file, readable offline
    Report(ReportArgs),
    /// Check a study file, or write one with every field and its meaning
    Config(ConfigArgs),
    /// Check a run's journal and files, and repair the journal
    Verify(VerifyArgs),
    /// Print a script with which a shell completes command lines
    Completions(CompletionsArgs),
    /// Tune anything: ask and tell over standard streams, one JSON object a line
    Serve(ServeArgs),
    /// Measure the engine on functions with known optima
    Bench(BenchArgs),
    /// Measure cumulative regret against the bound of Theorem 2
    Regret(RegretArgs),
}

/// Flags of a comparison.
#[derive(Debug, Args)]
pub struct CompareArgs {
    /// Trajectories, separated by commas, or all
    #[arg(long, value_name = "NAMES", default_value = "fig8")]
    pub traj: String,
    /// Surrogates, separated by commas, or all
    #[arg(long, value_name = "NAMES", default_value = "all")]
    pub surrogates: String,
    /// Baselines: default, random, cma-es, floor, separated by commas, or all, or none
    #[arg(long, value_name = "NAMES", default_value = "default,random,cma-es")]
    pub baselines: String,
    /// Winds of the tuning flights: mixture, gusty, steady, reverse, separated by commas, or all
    #[arg(long, value_name = "NAMES", default_value = "mixture")]
    pub training: String,
    /// How it is judged: honest (intervals, both recommenders) or paper (best observed flight)
    #[arg(long, value_name = "NAME", default_value = "honest")]
    pub protocol: String,
    /// Number of seeds
    #[arg(
        long,
        value_name = "N",
        default_value_t = 5,
        allow_negative_numbers = true
    )]
    pub seeds: i64,
    /// First seed; the others follow it
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1,
        allow_negative_numbers = true
    )]
    pub seed: u64,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub budget: BudgetArgs,
    /// Flights of the floor's search in each domain
    #[arg(
        long,
        value_name = "N",
        default_value_t = 10_080,
        allow_negative_numbers = true
    )]
    pub floor_flights: i64,
    /// Threads [default: one a core]; the result does not depend on them
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub threads: Option<i64>,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub output: OutputArgs,
    /// Folder for the results; if it holds this comparison already, its finished cells are kept
    /// and the rest is flown [default: runs/compare-TRAJ]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// Flags that both kinds of run share.
#[derive(Debug, Args)]
pub struct BudgetArgs {
    /// Flights that the surrogate chooses
    #[arg(
        long,
        value_name = "N",
        default_value_t = 100,
        allow_negative_numbers = true
    )]
    pub iterations: i64,
    /// Flights before the surrogate is first asked; the first has the default gains
    #[arg(
        long,
        value_name = "N",
        default_value_t = 10,
        allow_negative_numbers = true
    )]
    pub initial: i64,
    /// Weight of the standard deviation in the acquisition
    #[arg(
        long,
        value_name = "X",
        default_value_t = 2.0,
        allow_negative_numbers = true
    )]
    pub kappa: f64,
    /// Held-out winds in each domain
    #[arg(
        long,
        value_name = "N",
        default_value_t = 40,
        allow_negative_numbers = true
    )]
    pub held_out: i64,
}

impl CompareArgs {
    /// The comparison that was asked for.
    ///
    /// # Errors
    /// A name that does not exist, one that stands twice, or a number out of range.
    pub fn plan(&self) -> Result<Plan, Error> {
        let trajectories = listed("traj", &self.traj, &trajectories::NAMES, trajectory_name)?;
        let surrogates = listed(
            "surrogates",
            &self.surrogates,
            &crate::surrogates::NAMES,
            surrogate_name,
        )?;
        let trainings = TRAININGS.map(|(_, training)| training);
        let trainings = listed("training", &self.training, &trainings, Training::by_name)?;
        let mut methods = self.baseline_methods()?;
        // Baselines first, except for the floor, which closes the table.
        let floor = methods.iter().position(|method| *method == Method::Floor);
        let floor = floor.map(|place| methods.remove(place));
        methods.extend(surrogates.into_iter().map(Method::Surrogate));
        methods.extend(floor);
        let settings = self.budget.settings(trajectories[0], "gp", self.seed)?;
        let seeds = counted("seeds", self.seeds, 1000, "a whole number from 1 to 1000")?;
        Ok(Plan {
            protocol: self.protocol()?,
            trajectories,
            trainings,
            methods,
            seeds: (0..seeds).map(|k| self.seed.wrapping_add(k)).collect(),
            budget: Budget {
                windhover: env!("CARGO_PKG_VERSION").to_owned(),
                initial: settings.initial,
                iterations: settings.iterations,
                kappa: settings.kappa,
                held_out_winds: settings.held_out_winds,
                floor_flights: counted(
                    "floor-flights",
                    self.floor_flights,
                    10_000_000,
                    "a whole number from 1 to 10000000",
                )?,
            },
        })
    }

    /// Threads to fly on; `None` for one a core.
    ///
    /// # Errors
    /// A number out of range.
    pub fn thread_count(&self) -> Result<Option<usize>, Error> {
        let wanted = "a whole number from 1 to 1024";
        let checked = |given| Ok(counted("threads", given, 1024, wanted)? as usize);
        self.threads.map(checked).transpose()
    }

    fn protocol(&self) -> Result<Protocol, Error> {
        match self.protocol.as_str() {
            "honest" => Ok(Protocol::Honest),
            "paper" => Ok(Protocol::Paper),
            given => Err(Error::UnknownChoice {
                flag: "protocol",
                given: given.to_owned(),
                known: "honest, paper",
            }),
        }
    }

    fn baseline_methods(&self) -> Result<Vec<Method>, Error> {
        if self.baselines == "none" {
            return Ok(Vec::new());
        }
        let by_name = |given: &str| {
            let known = BASELINES.iter().find(|(name, _)| *name == given);
            let unknown = || Error::UnknownChoice {
                flag: "baselines",
                given: given.to_owned(),
                known: "default, random, cma-es, floor, all, none",
            };
            Ok(known.ok_or_else(unknown)?.1)
        };
        let all = BASELINES.map(|(_, method)| method);
        listed("baselines", &self.baselines, &all, by_name)
    }
}

/// The members of a comma-separated list, or `all`, each once and in its order.
fn listed<T: PartialEq + Clone>(
    flag: &'static str,
    given: &str,
    all: &[T],
    by_name: impl Fn(&str) -> Result<T, Error>,
) -> Result<Vec<T>, Error> {
    if given == "all" {
        return Ok(all.to_vec());
    }
    let mut members = Vec::new();
    for name in given.split(',').map(str::trim) {
        let member = by_name(name)?;
        if members.contains(&member) {
            return Err(Error::NamedTwice {
                flag,
                name: name.to_owned(),
            });
        }
        members.push(member);
    }
    Ok(members)
}

/// A count from 1 to `most`.
fn counted(flag: &'static str, given: i64, most: u64, wanted: &'static str) -> Result<u64, Error> {
    match u64::try_from(given) {
        Ok(count) if (1..=most).contains(&count) => Ok(count),
        _ => Err(Error::OutOfRange {
            flag,
            value: given as f64,
            wanted,
        }),
    }
}

impl BudgetArgs {
    fn settings(&self, traj: &str, surrogate: &str, seed: u64) -> Result<Settings, Error> {
        // A negative count is as far out of range as zero; the check names what was given.
        let count = |flag, given: i64| {
            u64::try_from(given).map_err(|_| Error::OutOfRange {
                flag,
                value: given as f64,
                wanted: "a whole number, at least 1",
            })
        };
        let settings = Settings {
            initial: count("initial", self.initial)?,
            iterations: count("iterations", self.iterations)?,
            kappa: self.kappa,
            held_out_winds: count("held-out", self.held_out)?,
            ..Settings::of_paper(traj, surrogate, seed)?
        };
        settings.check()?;
        Ok(settings)
    }
}

/// A usage error of the argument parser on one line: its message and its tip, without the usage.
pub fn one_line(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let lines = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more"));
    lines.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Cli {
        Cli::try_parse_from(line.split(' ')).expect("legal")
    }

    #[test]
    fn the_main_command_needs_a_trajectory_only() {
        let config = parsed("bo --traj hover").tune.study().expect("legal");
        assert_eq!(
            config.settings,
            Settings::of_paper("hover", "dil-gp", 1).expect("legal")
        );
    }

    fn plan(line: &str) -> Result<Plan, Error> {
        let Some(Command::Compare(args)) = parsed(line).command else {
            panic!("compare was typed");
        };
        args.plan()
    }

    #[test]
    fn a_comparison_is_a_plan_whose_rows_begin_with_the_baselines_and_end_with_the_floor() {
        let plan = plan("bo compare --surrogates gp,rf --baselines all --seeds 2 --seed 7")
            .expect("legal");
        let names: Vec<&str> = plan.methods.iter().map(|method| method.name()).collect();
        assert_eq!(names, ["default", "random", "cma-es", "gp", "rf", "floor"]);
        assert_eq!((plan.seeds, plan.trajectories), (vec![7, 8], vec!["fig8"]));
        assert_eq!(plan.protocol, Protocol::Honest);
    }

    #[test]
    fn everything_can_be_compared_at_once() {
        let plan = plan("bo compare --traj all --training all --protocol paper --baselines none")
            .expect("legal");
        assert_eq!((plan.trajectories.len(), plan.trainings.len()), (4, 4));
        assert_eq!(plan.methods.len(), crate::surrogates::NAMES.len());
    }

    #[test]
    fn each_wrong_word_and_number_is_named_with_its_flag() {
        let refused = |flags: &str| {
            let line = format!("bo compare {flags}");
            plan(&line).expect_err("illegal").to_string()
        };
        assert_eq!(
            refused("--surrogates gp,gp"),
            "--surrogates names `gp` twice"
        );
        assert_eq!(refused("--traj fig8,fig8"), "--traj names `fig8` twice");
        assert_eq!(
            refused("--protocol fair"),
            "--protocol does not know `fair`; it may be honest, paper"
        );
        assert_eq!(
            refused("--training calm"),
            "--training does not know `calm`; it may be mixture, gusty, steady, reverse"
        );
        assert_eq!(
            refused("--baselines best"),
            "--baselines does not know `best`; it may be default, random, cma-es, floor, all, none"
        );
        assert_eq!(
            refused("--floor-flights 0"),
            "--floor-flights is 0; it must be a whole number from 1 to 10000000"
        );
    }

    #[test]
    fn a_parser_s_error_fits_one_line() {
        let error = Cli::try_parse_from(["bo", "--sed", "3"]).expect_err("no such flag");
        let line = one_line(&error);
        assert!(
            line.starts_with("error: unexpected argument '--sed' found"),
            "{line}"
        );
        assert!(line.contains("'--seed'") && !line.contains('\n'), "{line}");
    }
}
