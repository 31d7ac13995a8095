//! Args: what was typed. What it means, checked, is a [`Settings`].

mod compare;
mod export;
mod folder;
mod output;
mod report;
mod search;
mod tune;

pub use compare::CompareArgs;
pub use export::ExportArgs;
pub use folder::{CompletionsArgs, ConfigArgs, VerifyArgs};
pub use output::OutputArgs;
pub use report::ReportArgs;
pub use search::{BenchArgs, RegretArgs, ServeArgs};
pub use tune::TuneArgs;

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
    /// Measure the engine on functions with known optima
    Bench(BenchArgs),
    /// Measure cumulative regret against the bound of Theorem 2
    Regret(RegretArgs),
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
    use bo::run::settings::Settings;

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
