//! Args: what was typed.

mod wind;

pub use wind::{WindArgs, WindTestArgs};

use clap::builder::PossibleValuesParser;
use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};
use shell::cells::args::CellsArgs;
use shell::manual::{CompletionsArgs, ManArgs};
use shell::usage::{FILES, FLOWN, JUDGED, Offered, OutputArgs, ThreadsArgs, Whole};
use sim::{AIRFRAME_NAMES, AUTOPILOT_DELAYS_MS, FRAME_NAMES, STARTS};
use std::path::PathBuf;

/// The airframe where none is named.
pub const OMAC: &str = "omac";

/// The trajectory where none is named.
pub const FIG8: &str = "fig8";

/// A multirotor in wind: fly, replay, test the wind, state the robustness.
#[derive(Debug, Parser)]
#[command(
    name = "sim",
    version,
    about = "Windhover's flight simulator: a multirotor in Dryden wind",
    arg_required_else_help = true,
    after_help = "Examples:\n  \
        sim fly --traj fig8 --domain steady --seed 1 --out flight\n  \
        sim fly --traj fig8 --out flight --log mcap,ulog\n  \
        sim montecarlo --traj fig8 --domain gusty --flights 1000\n  \
        sim wind --domain gusty --out wind\n  \
        sim replay case.json --format json\n  \
        sim serve --jsonl"
)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Fly once: score, every sample, two pictures
    Fly(FlyArgs),
    /// Fly many times: quantiles, probability of a loss, a bound with its confidence
    Montecarlo(MontecarloArgs),
    /// Margins of every loop at hover and along a trajectory, with pictures
    Margins(MarginsArgs),
    /// Test the wind that flights meet against the formulas of its domain
    Wind(WindTestArgs),
    /// Replay a case recorded with another simulator and print the largest errors
    Replay(ReplayArgs),
    /// Print an input file to start from, with every key explained
    Template(TemplateArgs),
    /// Turn a vehicle of SDF, URDF, RotorPy or ArduPilot's SITL into an airframe file
    Airframe(AirframeArgs),
    /// Identify a vehicle from logs of its flights: an airframe file with intervals
    Identify(IdentifyArgs),
    /// Simulate in lock-step for a controller of your own, over standard streams
    Serve(ServeArgs),
    /// Print a script with which a shell completes command lines
    Completions(CompletionsArgs),
    /// Write manual pages for man
    Man(ManArgs),
}

/// Which input file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Template {
    /// A vehicle and its autopilot
    Airframe,
    /// Mean wind and turbulence
    Domain,
    /// A record of wind
    Wind,
    /// Ground and obstacles
    World,
    /// Points to fly through
    Waypoints,
    /// Gains of the controller
    Gains,
    /// Noise and delay of the sensors
    Sensors,
    /// Doublets to be flown on top of a hover
    Manoeuvre,
}

/// Flags of a template.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    sim template airframe > my.toml\n  \
    sim template airframe --frame hexa-x > my-hexa.toml\n  \
    sim template airframe --from mine.params --airframe my.toml > as-tuned.toml\n  \
    sim template manoeuvre --airframe my.toml > doublets.csv\n  \
    sim fly --airframe my.toml --domain gusty")]
pub struct TemplateArgs {
    /// Which input file
    #[arg(value_name = "FILE")]
    pub file: Template,
    /// Of an airframe: rotors in a frame: quad-x, quad-plus, hexa-x, hexa-plus, octo-x, octo-plus, coaxial-x8, coaxial-y6
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(FRAME_NAMES), hide_possible_values = true, conflicts_with = "from")]
    pub frame: Option<String>,
    /// Of an airframe: with the gains, limits, filters and law of an autopilot's parameter file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::AnyPath)]
    pub from: Option<PathBuf>,
    /// With it, the airframe that has mass, inertia and rotors; of a manoeuvre, the one that flies it first: omac, crazyflie, hummingbird, or a file
    #[arg(long, value_name = "NAME|FILE", value_parser = Offered::these(AIRFRAME_NAMES), hide_possible_values = true)]
    pub airframe: Option<String>,
    #[command(flatten)]
    pub whose: WhoseArgs,
}

/// Flags of an airframe made of another program's vehicle.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    sim airframe iris.sdf --out my.toml\n  \
    sim fly --airframe my.toml --domain gusty")]
pub struct AirframeArgs {
    /// SDF, URDF, RotorPy's parameters as JSON, or the JSON of a frame of ArduPilot's SITL
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    /// File for the airframe, in which nothing is overwritten [default: standard output]
    #[arg(short, long, value_name = "FILE.toml", value_hint = ValueHint::FilePath, help_heading = FILES)]
    pub out: Option<PathBuf>,
}

/// Flags of an identification.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    sim identify flight.ulg --mass-kg 1.2 --arm-m 0.22 --out my.toml\n  \
    sim identify one.bbl two.bbl --airframe my.toml --format json")]
pub struct IdentifyArgs {
    /// Logs of one vehicle: PX4's ULog, ArduPilot's DataFlash, Betaflight's blackbox, a Crazyflie's uSD, or CSV, ULog and MCAP of `sim fly`
    #[arg(value_name = "LOG", value_hint = ValueHint::FilePath, required = true)]
    pub logs: Vec<PathBuf>,
    /// The nominal vehicle, with the places of its rotors: omac, crazyflie, hummingbird, or a file [default: the crazyflie for its own logs, else one of this mass and arm]
    #[arg(long, value_name = "NAME|FILE", value_parser = Offered::these(AIRFRAME_NAMES), hide_possible_values = true)]
    pub airframe: Option<String>,
    /// Mass as it flew [kg] [default: the airframe's]
    #[arg(long, value_name = "M", allow_negative_numbers = true)]
    pub mass_kg: Option<f64>,
    /// Distance of the motors from the middle [m] [default: the airframe's]
    #[arg(long, value_name = "L", allow_negative_numbers = true)]
    pub arm_m: Option<f64>,
    /// Another log of the vehicle, which is not fitted but predicted
    #[arg(long, value_name = "LOG", value_hint = ValueHint::FilePath)]
    pub holdout: Option<PathBuf>,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub output: OutputArgs,
    /// Folder for the page about it, identify.html; must not exist or be empty
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = FILES)]
    pub report: Option<PathBuf>,
    /// File for the airframe, in which nothing is overwritten
    #[arg(short, long, value_name = "FILE.toml", value_hint = ValueHint::FilePath, help_heading = FILES)]
    pub out: Option<PathBuf>,
}

/// What a parameter file does not say.
#[derive(Debug, Args)]
pub struct WhoseArgs {
    /// The vehicle that is meant in a parameter file of several
    #[arg(long, value_name = "N", hide_short_help = true)]
    pub vehicle: Option<u32>,
    /// Version of ArduPilot whose names count in a parameter file with those of several, as in 4.6 or 4.8
    #[arg(long, value_name = "X.Y", hide_short_help = true)]
    pub firmware: Option<String>,
}

/// Which vehicle flies, with which gains.
#[derive(Debug, Args)]
#[command(next_help_heading = FLOWN)]
pub struct VehicleArgs {
    /// Gains: the folder of a tuning run, a file as it writes one, or an autopilot's parameter file [default: the airframe's]
    #[arg(long, value_name = "RUN|FILE", value_hint = ValueHint::AnyPath)]
    pub gains: Option<PathBuf>,
    #[command(flatten)]
    pub whose: WhoseArgs,
    /// Airframe: omac, crazyflie, hummingbird, or a file; needed for a parameter file [default: omac]
    #[arg(long, value_name = "NAME|FILE", value_parser = Offered::these(AIRFRAME_NAMES), hide_possible_values = true)]
    pub airframe: Option<String>,
}

/// What is flown, by what, in what.
#[derive(Debug, Args)]
#[command(next_help_heading = FLOWN)]
pub struct FlightArgs {
    /// Trajectory: hover, fig8, sin-forward, spiral-up, or a file of waypoints (t,x,y,z[,yaw]) [default: fig8]
    #[arg(long, value_name = "NAME|FILE.csv", value_parser = Offered::these(trajectories::NAMES), hide_possible_values = true)]
    pub traj: Option<String>,
    #[command(flatten)]
    pub wind: WindArgs,
    #[command(flatten)]
    pub vehicle: VehicleArgs,
    /// Ground and obstacles [default: level ground 3.048 m below the start]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, hide_short_help = true)]
    pub world: Option<PathBuf>,
    /// Noise and delay of the sensors [default: 0.02 m and 0.1 m/s on position and velocity]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, hide_short_help = true)]
    pub sensors: Option<PathBuf>,
    /// Take off from the ground before the trajectory and land on it afterwards
    #[arg(long, hide_short_help = true)]
    pub from_ground: bool,
    /// Let the vehicle differ from its file within the file's declared uncertainty, by the seed
    #[arg(long, hide_short_help = true)]
    pub uncertain: bool,
    /// How it begins: equilibrium (in balance with the mean wind) or rest (level, with empty integrals)
    #[arg(long, value_name = "HOW", default_value = "equilibrium", value_parser = PossibleValuesParser::new(STARTS.map(|(name, _)| name)), hide_possible_values = true, hide_short_help = true)]
    pub start: String,
    /// Time from the start that the score leaves out; a loss counts at any time [s]
    #[arg(
        long,
        value_name = "S",
        default_value_t = 0.0,
        allow_negative_numbers = true,
        hide_short_help = true
    )]
    pub settle_s: f64,
    /// A rotor that stops: its number in the airframe, from 1, and when [s]; what the others can hold is said
    #[arg(long, value_name = "N@T", hide_short_help = true)]
    pub rotor_out: Option<String>,
    /// What is added to the setpoints meanwhile (t_s,thrust_share,roll_rad_s,pitch_rad_s,yaw_rad_s); without --traj it hovers
    #[arg(long, value_name = "FILE.csv", value_hint = ValueHint::FilePath, hide_short_help = true)]
    pub manoeuvre: Option<PathBuf>,
}

/// Flags of one flight.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    sim fly --traj fig8 --domain steady --seed 1 --out flight\n  \
    sim fly --traj way.csv --airframe my.toml --gains runs/way-gp-1")]
pub struct FlyArgs {
    #[command(flatten)]
    pub flight: FlightArgs,
    /// Decides the wind, the sensor noise, and the vehicle where it is uncertain
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1,
        allow_negative_numbers = true,
        value_parser = Whole::from(0),
        help_heading = FLOWN
    )]
    pub seed: u64,
    #[command(flatten)]
    pub output: OutputArgs,
    /// Logs beside samples.csv, separated by commas: csv, mcap (Foxglove), ulog (PX4's tools), or all
    #[arg(long, value_name = "FORMS", requires = "out", value_parser = Offered::these(["csv", "mcap", "ulog", "all"]), hide_possible_values = true, help_heading = FILES)]
    pub log: Option<String>,
    /// Log what sensors show in place of the truth, as measured.csv; without --sensors with typical noise
    #[arg(long, requires = "out", hide_short_help = true, help_heading = FILES)]
    pub measured: bool,
    /// Folder for samples.csv and the pictures; must not exist or be empty
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = FILES)]
    pub out: Option<PathBuf>,
}

/// Flags of many flights.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    sim montecarlo --traj fig8 --domain gusty --flights 1000\n  \
    sim montecarlo --airframe my.toml --uncertain --out many --format json")]
pub struct MontecarloArgs {
    #[command(flatten)]
    pub flight: FlightArgs,
    /// Number of flights
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1000,
        allow_negative_numbers = true,
        value_parser = Whole::from(1).to(10_000_000),
        help_heading = JUDGED
    )]
    pub flights: u64,
    /// Decides the seed of each flight; two of these share no flight
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1,
        allow_negative_numbers = true,
        value_parser = Whole::from(0),
        help_heading = FLOWN
    )]
    pub seed: u64,
    #[command(flatten)]
    pub cells: CellsArgs,
    #[command(flatten)]
    pub threads: ThreadsArgs,
    #[command(flatten)]
    pub output: OutputArgs,
    /// Folder for flights.csv and the picture, new or with flights of this kind, which are kept
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = FILES)]
    pub out: Option<PathBuf>,
}

/// Flags of the margins.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    sim margins --airframe hummingbird\n  \
    sim margins --airframe my.toml --gains gains.toml --autopilot px4 --traj fig8 --out margins\n\n\
    Exit code 1 where the vehicle is not stable.")]
pub struct MarginsArgs {
    #[command(flatten)]
    pub vehicle: VehicleArgs,
    /// The sensors' file, for their delay [default: no delay]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, hide_short_help = true, help_heading = FLOWN)]
    pub sensors: Option<PathBuf>,
    /// Autopilot whose filters, loop and speed controllers are late as it comes: px4, ardupilot, betaflight, crazyflie
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(AUTOPILOT_DELAYS_MS.map(|(name, _)| name)), hide_possible_values = true, conflicts_with = "sensors", help_heading = FLOWN)]
    pub autopilot: Option<String>,
    /// Also the least margins along this trajectory: hover, fig8, sin-forward, spiral-up, or a file
    #[arg(long, value_name = "NAME|FILE.csv", value_parser = Offered::these(trajectories::NAMES), hide_possible_values = true, help_heading = FLOWN)]
    pub traj: Option<String>,
    /// Wind along x in which the vehicle is held; a side force has no slope in still air [m/s]
    #[arg(long, value_name = "V", default_value_t = 3.0, allow_negative_numbers = true, hide_short_help = true, help_heading = FLOWN)]
    pub wind: f64,
    #[command(flatten)]
    pub output: OutputArgs,
    /// Folder for the pictures; must not exist or be empty
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = FILES)]
    pub out: Option<PathBuf>,
}

/// Flags of a replay.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    sim replay case.json\n  \
    sim replay case.json --dt-ms 0.5 --out states.json --format json")]
pub struct ReplayArgs {
    /// A case of schema quad-case/1, quad-wrench-table/1 or quad-mixer-table/1
    #[arg(value_name = "CASE.json", value_hint = ValueHint::FilePath)]
    pub case: PathBuf,
    /// Integration step [ms]
    #[arg(
        long,
        value_name = "MS",
        default_value_t = 1.0,
        allow_negative_numbers = true
    )]
    pub dt_ms: f64,
    #[command(flatten)]
    pub output: OutputArgs,
    /// File for our states, in the shape of the case's
    #[arg(short, long, value_name = "STATES.json", value_hint = ValueHint::FilePath, help_heading = FILES)]
    pub out: Option<PathBuf>,
}

/// Flags of the lock-step simulation.
#[derive(Debug, Args)]
#[command(after_help = SERVE_HELP)]
pub struct ServeArgs {
    /// One JSON object a line, in and out; the only form there is
    #[arg(long, required = true)]
    pub jsonl: bool,
}

const SERVE_HELP: &str = r#"Requests, one a line; each is answered by one state, or by {"error":"…"}, which changes nothing:
  {"type":"init","airframe":"crazyflie","dt_s":0.01,"trajectory":"fig8","wind":"steady","seed":3}
  {"type":"step","rotors_rad_s":[…]}   or   {"type":"step","thrust_n":T,"moment_n_m":[…3]}
  {"type":"reset"} (also with "seed")        {"type":"quit"} or the end of the input

init: airframe  a name, a path, or an object as in an airframe file
      start     position_m, velocity_m_s, attitude_wxyz, rates_rad_s, rotors_rad_s, each if
                wanted, in place of a trajectory to start on
      wind      "still", [x,y,z] in m/s, "gusty", "steady", a path, or a domain as an object
      sensors   {"position_m":0.02,"velocity_m_s":0.1,"attitude_rad":0,"rates_rad_s":0,
                "delay_periods":0}: states then carry what is measured beside the truth
State: t_s, position_m, velocity_m_s, attitude_wxyz, rates_rad_s, rotors_rad_s, wind_m_s.
SI, z up, body x forward and y left; four rotors: front left, front right, rear right, rear left.
There is no ground and no obstacle: what falls goes on falling."#;
