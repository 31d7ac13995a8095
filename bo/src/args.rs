//! Args: what was typed. What it means, checked, is a [`Settings`].

use crate::Error;
use crate::settings::{Settings, surrogate_name};
use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;

/// Tune quadrotor gains for the wind they will meet, and compare surrogates honestly.
#[derive(Debug, Parser)]
#[command(
    name = "bo",
    version,
    about = "Windhover: tune quadrotor gains for the wind they will meet",
    args_conflicts_with_subcommands = true,
    arg_required_else_help = true,
    after_help = "Examples:\n  \
        bo --traj fig8                              tune with DIL-GP, 110 flights\n  \
        bo --traj hover --surrogate gp --seed 3     another surrogate, other winds\n  \
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
}

/// Flags of a tuning run.
#[derive(Debug, Args)]
pub struct TuneArgs {
    /// Trajectory: hover, fig8, sin-forward or spiral-up
    #[arg(long, value_name = "NAME", default_value = "fig8")]
    pub traj: String,
    /// Surrogate: rf, mlp, gp, gp-rq, gp-dp or dil-gp
    #[arg(long, value_name = "NAME", default_value = "dil-gp")]
    pub surrogate: String,
    /// Decides the initial design, every wind and every fit
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
    /// Folder for the results; must not exist or be empty [default: runs/TRAJ-SURROGATE-SEED]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// Flags of a comparison.
#[derive(Debug, Args)]
pub struct CompareArgs {
    /// Trajectory: hover, fig8, sin-forward or spiral-up
    #[arg(long, value_name = "NAME", default_value = "fig8")]
    pub traj: String,
    /// Surrogates, separated by commas, or all
    #[arg(long, value_name = "NAMES", default_value = "all")]
    pub surrogates: String,
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
    /// Folder for the results; must not exist or be empty [default: runs/compare-TRAJ]
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

impl TuneArgs {
    /// The run that was asked for.
    ///
    /// # Errors
    /// A name that does not exist or a number out of range.
    pub fn settings(&self) -> Result<Settings, Error> {
        self.budget.settings(&self.traj, &self.surrogate, self.seed)
    }
}

impl CompareArgs {
    /// The surrogates that were asked for, in their order.
    ///
    /// # Errors
    /// A name that does not exist, or one that stands twice.
    pub fn surrogate_names(&self) -> Result<Vec<&'static str>, Error> {
        if self.surrogates == "all" {
            return Ok(dilgp::NAMES.to_vec());
        }
        let mut names = Vec::new();
        for given in self.surrogates.split(',') {
            let name = surrogate_name(given.trim())?;
            if names.contains(&name) {
                return Err(Error::NamedTwice { name });
            }
            names.push(name);
        }
        Ok(names)
    }

    /// The runs that were asked for: surrogates within seeds.
    ///
    /// # Errors
    /// A name that does not exist or a number out of range.
    pub fn grid(&self) -> Result<Vec<Settings>, Error> {
        let surrogates = self.surrogate_names()?;
        if !(1..=1000).contains(&self.seeds) {
            return Err(Error::OutOfRange {
                flag: "seeds",
                value: self.seeds as f64,
                wanted: "a whole number from 1 to 1000",
            });
        }
        let seeds = (0..self.seeds as u64).map(|offset| self.seed.wrapping_add(offset));
        seeds
            .flat_map(|seed| surrogates.iter().map(move |surrogate| (seed, surrogate)))
            .map(|(seed, surrogate)| self.budget.settings(&self.traj, surrogate, seed))
            .collect()
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
        let settings = parsed("bo --traj hover").tune.settings().expect("legal");
        assert_eq!(
            settings,
            Settings::of_paper("hover", "dil-gp", 1).expect("legal")
        );
    }

    #[test]
    fn a_comparison_is_a_grid_of_runs_in_which_seeds_come_first() {
        let Some(Command::Compare(args)) =
            parsed("bo compare --surrogates gp,rf --seeds 2 --seed 7").command
        else {
            panic!("compare was typed");
        };
        let grid = args.grid().expect("legal");
        let cells: Vec<(u64, &str)> = grid.iter().map(|s| (s.seed, s.surrogate)).collect();
        assert_eq!(cells, [(7, "gp"), (7, "rf"), (8, "gp"), (8, "rf")]);
    }

    #[test]
    fn a_surrogate_named_twice_is_refused() {
        let Some(Command::Compare(args)) = parsed("bo compare --surrogates gp,gp").command else {
            panic!("compare was typed");
        };
        let message = args.grid().expect_err("twice").to_string();
        assert_eq!(message, "--surrogates names `gp` twice");
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
