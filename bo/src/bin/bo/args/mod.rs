//! Args: what was typed. What it means, checked, is a [`Settings`].

mod autopilot;
mod compare;
mod flags;
mod folder;
mod search;
mod serve;
mod tune;

pub use autopilot::{CheckArgs, ExportArgs};
pub use compare::CompareArgs;
pub use folder::{ConfigArgs, ListArgs, ReportArgs, RunArgs, ShowArgs, VerifyArgs};
pub use search::{BenchArgs, RegretArgs};
pub use serve::{ServeArgs, WorkerArgs};
pub use tune::TuneArgs;

pub use shell::manual::{CompletionsArgs, ManArgs};
pub use shell::usage::OutputArgs;

use clap::{Parser, Subcommand};

/// Tune multirotor gains for the wind they will meet, and compare surrogates honestly.
#[derive(Debug, Parser)]
#[command(
    name = "bo",
    version,
    about = "Windhover: tune multirotor gains for the wind they will meet",
    args_conflicts_with_subcommands = true,
    arg_required_else_help = true,
    mut_args(|arg| arg.hide_short_help(true)),
    override_usage = "bo [tune] [OPTIONS]\n       bo COMMAND [OPTIONS]",
    after_long_help = "The main path:\n  \
        bo tune --traj fig8                     tune with DIL-GP, 110 flights; `tune` may be left out\n  \
        bo open runs/fig8-dil-gp-1              look at it\n  \
        bo export runs/fig8-dil-gp-1 --to json  take the gains away; an autopilot by its name\n\n\
        More:\n  \
        bo --config study.toml --seed 2         a study file (bo config --print), one flag changed\n  \
        bo --resume runs/fig8-dil-gp-1          resume after an interrupt, a kill, a full disk\n  \
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

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Tune gains: fly, learn, choose, fly again; then test what is recommended
    Tune(Box<TuneArgs>),
    /// List the runs and comparisons under runs/ or in other folders
    List(ListArgs),
    /// Say the result of a run, or its progress, and how to resume it
    Show(ShowArgs),
    /// Open a run's report in the browser
    Open(RunArgs),
    /// Write a run's gains as an autopilot's parameter file, with a rollback
    Export(ExportArgs),
    /// Judge a tune, whatever made it: fly, fly with care, or do not fly
    Check(CheckArgs),
    /// Show a run in a browser: one file, readable offline
    Report(ReportArgs),
    /// Tune with several surrogates on the same winds and print them side by side
    Compare(CompareArgs),
    /// Check a study file, or write one with every field and its meaning
    Config(ConfigArgs),
    /// Check a run's journal and files, and repair the journal
    Verify(VerifyArgs),
    /// Tune anything: ask and tell over streams or sockets, one JSON object a line
    Serve(ServeArgs),
    /// Fly the evaluations of a tuning study that `bo serve` hands out
    Worker(Box<WorkerArgs>),
    /// Measure the optimiser on functions with known optima
    Bench(BenchArgs),
    /// Measure cumulative regret against the bound of Theorem 2
    Regret(RegretArgs),
    /// Print a script with which a shell completes command lines
    #[command(after_help = "Example:\n  \
        bo completions bash > ~/.local/share/bash-completion/completions/bo")]
    Completions(CompletionsArgs),
    /// Write manual pages for man
    Man(ManArgs),
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
    fn tuning_may_be_spelled_out() {
        let Some(Command::Tune(spelled)) = parsed("bo tune --traj hover --seed 3").command else {
            panic!("tune was typed");
        };
        let bare = parsed("bo --traj hover --seed 3")
            .tune
            .study()
            .expect("legal");
        assert_eq!(spelled.study().expect("legal"), bare);
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
