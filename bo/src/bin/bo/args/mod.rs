//! Args: what was typed. What it means, checked, is a [`Settings`].

mod compare;
mod export;
mod flags;
mod folder;
mod report;
mod search;
mod tune;

pub use compare::CompareArgs;
pub use export::ExportArgs;
pub use folder::{CompletionsArgs, ConfigArgs, VerifyArgs};
pub use report::ReportArgs;
pub use search::{BenchArgs, RegretArgs, ServeArgs};
pub use tune::TuneArgs;

pub use shell::usage::OutputArgs;

use clap::{Parser, Subcommand};

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
    /// Measure the optimiser on functions with known optima
    Bench(BenchArgs),
    /// Measure cumulative regret against the bound of Theorem 2
    Regret(RegretArgs),
}

#[cfg(test)]
mod tests {
    use super::*;
    use bo::run::settings::Settings;

    fn parsed(line: &str) -> Cli {
        Cli::try_parse_from(line.split(' ')).expect("legal")
    }

    #[test]
    fn no_flag_of_a_command_stands_twice() {
        use clap::CommandFactory;
        Cli::command().debug_assert();
    }

    #[test]
    fn the_main_command_needs_a_trajectory_only() {
        let config = parsed("bo --traj hover").tune.study().expect("legal");
        assert_eq!(
            config.settings,
            Settings::of_paper("hover", "dil-gp", 1).expect("legal")
        );
    }
}
