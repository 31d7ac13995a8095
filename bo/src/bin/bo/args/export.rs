//! Flags of an export.

use super::OutputArgs;
use clap::{Args, ValueHint};
use shell::usage::{FILES, Offered};
use sim::autopilot::TARGETS;
use std::path::PathBuf;

/// Flags of an export.
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:\n  \
    bo export runs/fig8-dil-gp-1 --to px4\n  \
    bo export runs/fig8-dil-gp-1 --to ardupilot --firmware 4.8 --baseline mine.param\n  \
    bo export gains.toml --airframe hummingbird --to px4\n\n\
    The gains were found in simulation only. Of gains that the autopilot cannot hold the nearest\n\
    are taken, and flown in the run's held-out winds; both figures are told. A second file,\n\
    NAME-rollback, holds the old values. Refused are a run that lost every flight (3), gains that\n\
    are no better than the old ones (65), both but for --anyway, and a run whose files are not\n\
    what it wrote (bo verify); a file that you changed yourself is taken from another folder.")]
pub struct ExportArgs {
    /// Folder of a run, with its run.json; or a file of gains, as `sim fly --gains`
    /// reads it
    #[arg(value_name = "DIR|GAINS", value_hint = ValueHint::AnyPath)]
    pub from: PathBuf,
    /// The autopilot: px4, ardupilot, betaflight, crazyflie, or json for any other tool
    #[arg(long, value_name = "AUTOPILOT", value_parser = TARGETS, hide_possible_values = true)]
    pub to: String,
    /// Vehicle of a file of gains: omac, crazyflie, hummingbird, or an airframe file; its own gains
    /// are the old ones [default: omac]
    #[arg(long, value_name = "NAME", value_parser = Offered::these(sim::AIRFRAME_NAMES), hide_possible_values = true)]
    pub airframe: Option<String>,
    /// ArduPilot's version; parameters were renamed after 4.6 [default: 4.6]
    #[arg(long, value_name = "VERSION", hide_short_help = true)]
    pub firmware: Option<String>,
    /// The vehicle's own parameters in the target's form, for the rollback file [default: the
    /// old gains]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, hide_short_help = true)]
    pub baseline: Option<PathBuf>,
    /// The vehicle that is meant in a baseline with the parameters of several
    #[arg(long, value_name = "N", hide_short_help = true, requires = "baseline")]
    pub vehicle: Option<u32>,
    /// Keep within ranges that are advice, too, which are ArduPilot's
    #[arg(long, hide_short_help = true)]
    pub clamp: bool,
    /// Write gains even where the run lost every flight or they are no better than the old ones
    #[arg(long, alias = "force")]
    pub anyway: bool,
    /// File, or folder, to write; nothing is overwritten [default: TARGET.EXT there]
    #[arg(short, long, value_name = "FILE|DIR", value_hint = ValueHint::AnyPath, help_heading = FILES)]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub output: OutputArgs,
}
