//! Flags of the commands that write or read autopilots' files: `export` and `check`.

use crate::args::OutputArgs;
use bo::report::analysis::trade_off::Demand;
use clap::{Args, ValueHint};
use shell::usage::{FILES, FLOWN, JUDGED, Offered, ThreadsArgs, Whole};
use sim::autopilot::TARGETS;
use std::path::PathBuf;

/// What `export` writes: for an autopilot, or the evaluations of a served study.
const EXPORTED: [&str; 6] = {
    let [px4, ardupilot, betaflight, crazyflie, json] = TARGETS;
    [px4, ardupilot, betaflight, crazyflie, json, "csv"]
};

/// Flags of an export.
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:\n  \
    bo export runs/fig8-dil-gp-1 --to px4\n  \
    bo export runs/fig8-dil-gp-1 --to ardupilot --firmware 4.8 --baseline mine.param\n  \
    bo export gains.toml --airframe hummingbird --to px4\n\n\
    The gains were found in simulation only. Of gains that the autopilot cannot hold the nearest\n\
    are taken, and flown in the run's held-out winds; both figures are reported. A second file,\n\
    NAME-rollback, holds the old values. Refused are a run that lost every flight (3), gains that\n\
    are no better than the old ones or have small margins (65), all but for --anyway, and a run\n\
    whose files are not what it wrote (bo verify); a file that you changed yourself is taken from\n\
    another folder.")]
pub struct ExportArgs {
    /// Folder of a run, with its run.json; or a file of gains, as `sim fly --gains`
    /// reads it
    #[arg(value_name = "DIR|GAINS", value_hint = ValueHint::AnyPath)]
    pub from: PathBuf,
    /// The autopilot: px4, ardupilot, betaflight, crazyflie, or json for any other tool; csv for the
    /// evaluations of a served study, whose journal DIR has
    #[arg(long, value_name = "AUTOPILOT", value_parser = EXPORTED, hide_possible_values = true)]
    pub to: String,
    /// Vehicle of a file of gains: omac, crazyflie, hummingbird, or an airframe file; its own gains
    /// are the old ones [default: omac]
    #[arg(long, value_name = "NAME", value_parser = Offered::these(sim::AIRFRAME_NAMES), hide_possible_values = true)]
    pub airframe: Option<String>,
    /// ArduPilot's version; parameters were renamed after 4.6 [default: 4.6]
    #[arg(long, value_name = "VERSION", hide_short_help = true)]
    pub firmware: Option<String>,
    /// What flies now, for the rollback file: parameters in the target's form, gains, or a run
    /// [default: what the run was compared with; of a file: the airframe's gains]
    #[arg(long, value_name = "FILE|RUN", value_hint = ValueHint::FilePath, hide_short_help = true)]
    pub baseline: Option<PathBuf>,
    /// The vehicle that is meant in a baseline with the parameters of several
    #[arg(long, value_name = "N", hide_short_help = true, requires = "baseline")]
    pub vehicle: Option<u32>,
    /// Keep within ranges that are advice, too, which are ArduPilot's
    #[arg(long, hide_short_help = true)]
    pub clamp: bool,
    /// Gains of the run's front in place of the recommended ones: those of least error with at most so much
    /// activity (motor-activity=3) or at least such a margin (phase=45, gain=6, disk=0.5); see bo show --front
    #[arg(long, value_name = "NAME=VALUE", hide_short_help = true)]
    pub at: Option<Demand>,
    /// Write gains even where the run lost every flight, they are no better than the old ones, or have
    /// small margins
    #[arg(long, alias = "force")]
    pub anyway: bool,
    /// File, or folder, to write; nothing is overwritten [default: TARGET.EXT there]
    #[arg(short, long, value_name = "FILE|DIR", value_hint = ValueHint::AnyPath, help_heading = FILES)]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Flags of a check.
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:\n  \
    bo check mine.params --airframe my.toml\n  \
    bo check new.param --baseline old.param --airframe hummingbird --domain gusty\n  \
    bo check mine.yaml --baseline defaults --airframe crazyflie\n  \
    bo check runs/fig8-dil-gp-1 --format json\n  \
    bo check runs/one runs/two\n\n\
    Reads what QGroundControl, ArduPilot, Betaflight (diff, dump), the Crazyflie's client and bo\n\
    write. Exit code 0: fly; 1: fly with care; 4: do not fly; of two tunes that of the graver verdict.\n\
    All of it is simulation.")]
pub struct CheckArgs {
    /// The tune: an autopilot's parameter file, a file of gains, or the folder of a run; or two of them, which
    /// are flown in the same winds
    #[arg(value_name = "FILE|RUN", value_hint = ValueHint::AnyPath, num_args = 1..=2, required = true)]
    pub files: Vec<PathBuf>,
    /// Whose file it is, where that cannot be seen: px4, ardupilot, betaflight, crazyflie, json
    #[arg(long, value_name = "AUTOPILOT", value_parser = TARGETS, hide_possible_values = true, hide_short_help = true)]
    pub from: Option<String>,
    /// The vehicle that is meant in a file with the parameters of several
    #[arg(long, value_name = "N", hide_short_help = true)]
    pub vehicle: Option<u32>,
    /// Version of ArduPilot whose names count in a file that holds those of several, as in 4.6 or 4.8
    #[arg(long, value_name = "X.Y", hide_short_help = true)]
    pub firmware: Option<String>,
    /// Airframe: omac, crazyflie, hummingbird, or a file; needed for an autopilot's file [default of gains: omac; of a run: its own]
    #[arg(long, value_name = "NAME|FILE", value_parser = Offered::these(sim::AIRFRAME_NAMES), hide_possible_values = true, help_heading = FLOWN)]
    pub airframe: Option<String>,
    /// What flies now, such as a rollback file; also what a file leaves out; `defaults`: what the
    /// tune's autopilot comes with, `defaults:px4` another's [default: what
    /// the run was compared with, or the airframe's]
    #[arg(long, value_name = "FILE|RUN|defaults", value_hint = ValueHint::AnyPath, help_heading = JUDGED)]
    pub baseline: Option<PathBuf>,
    /// Wind: gusty, steady, a domain file, or a record of wind (t,u,v,w) [default: gusty; of a run: its
    /// first test wind]
    #[arg(long, value_name = "NAME|FILE", value_parser = Offered::these(sim::DOMAIN_NAMES), hide_possible_values = true, help_heading = FLOWN)]
    pub domain: Option<String>,
    /// Trajectory: hover, fig8, sin-forward, spiral-up, or a file of waypoints [default: hover; of a
    /// run: its own; of rate gains alone a zigzag that asks for attitude]
    #[arg(long, value_name = "NAME|FILE.csv", value_parser = Offered::these(trajectories::NAMES), hide_possible_values = true, help_heading = FLOWN)]
    pub traj: Option<String>,
    /// Noise and delay of the sensors [default: 0.02 m and 0.1 m/s on position and velocity]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, hide_short_help = true, help_heading = FLOWN)]
    pub sensors: Option<PathBuf>,
    /// What sensors, filters and speed controllers are late by, in ms [default: the file's autopilot's,
    /// 10 where none is named]
    #[arg(long, value_name = "MS", allow_negative_numbers = true, value_parser = Whole::from(0).to(1000), help_heading = FLOWN)]
    pub delay_ms: Option<u64>,
    /// Also say what becomes of flights in which a rotor stops: its number in the airframe, from 1, and when [s]
    #[arg(long, value_name = "N@T", hide_short_help = true, help_heading = FLOWN)]
    pub rotor_out: Option<String>,
    /// Decides all flights; those of two seeds share none
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = Whole::from(0), hide_short_help = true, help_heading = FLOWN)]
    pub seed: u64,
    /// Most flights; fewer are flown where the answer is clear before
    #[arg(long, value_name = "N", default_value_t = 4000, allow_negative_numbers = true, value_parser = Whole::from(10).to(1_000_000), hide_short_help = true, help_heading = JUDGED)]
    pub flights: u64,
    #[command(flatten)]
    pub threads: ThreadsArgs,
    #[command(flatten)]
    pub output: OutputArgs,
    /// Folder for check.json, the gains as read and what was flown; must not exist or be empty
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = FILES)]
    pub out: Option<PathBuf>,
}
