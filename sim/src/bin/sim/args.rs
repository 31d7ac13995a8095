//! Args: what was typed.

use clap::{Args, Parser, Subcommand, ValueEnum};
use shell::terminal::word;
use shell::usage::OutputArgs;
use std::path::PathBuf;

/// A quadrotor in wind: fly, replay, test the wind, state the robustness.
#[derive(Debug, Parser)]
#[command(
    name = "sim",
    version,
    about = "Windhover's flight simulator: a quadrotor in Dryden wind",
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
    /// Test the wind that flights meet against the formulas of its domain
    Wind(WindArgs),
    /// Replay a case recorded with another simulator and print the largest errors
    Replay(ReplayArgs),
    /// Print an input file to start from, with every key explained
    Template(TemplateArgs),
    /// Simulate in lock-step for a controller of your own, over standard streams
    Serve(ServeArgs),
}

/// Which input file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Template {
    /// A vehicle and its autopilot
    Airframe,
    /// Mean wind and turbulence
    Domain,
    /// Ground and obstacles
    World,
    /// Points to fly through
    Waypoints,
    /// Gains of the controller
    Gains,
    /// Noise and delay of the sensors
    Sensors,
}

/// Flags of a template.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    sim template airframe > my.toml\n  \
    sim fly --airframe my.toml --domain gusty")]
pub struct TemplateArgs {
    /// Which input file
    #[arg(value_name = "FILE")]
    pub file: Template,
}

/// What is flown, by what, in what.
#[derive(Debug, Args)]
pub struct FlightArgs {
    /// Trajectory: hover, fig8, sin-forward, spiral-up, or a file of waypoints (t,x,y,z[,yaw])
    #[arg(long, value_name = "NAME|FILE.csv", default_value = "fig8")]
    pub traj: String,
    /// Wind: gusty, steady, still, or a domain file
    #[arg(long, value_name = "NAME|FILE", default_value = "steady")]
    pub domain: String,
    /// Gains, as a tuning run writes them [default: the airframe's]
    #[arg(long, value_name = "FILE")]
    pub gains: Option<PathBuf>,
    /// Airframe: omac, crazyflie, hummingbird, or a file
    #[arg(long, value_name = "NAME|FILE", default_value = "omac")]
    pub airframe: String,
    /// Ground and obstacles [default: level ground 3.048 m below the start]
    #[arg(long, value_name = "FILE")]
    pub world: Option<PathBuf>,
    /// Noise and delay of the sensors [default: 0.02 m and 0.1 m/s on position and velocity]
    #[arg(long, value_name = "FILE")]
    pub sensors: Option<PathBuf>,
    /// Take off from the ground before the trajectory and land on it afterwards
    #[arg(long)]
    pub from_ground: bool,
    /// Let the vehicle differ from its file within the file's declared uncertainty, by the seed
    #[arg(long)]
    pub uncertain: bool,
}

impl FlightArgs {
    /// The flags that make the same flight again, without its seed, as a shell wants them.
    pub fn flags(&self) -> String {
        let named = [
            ("--traj", self.traj.as_str()),
            ("--domain", &self.domain),
            ("--airframe", &self.airframe),
        ];
        let mut flags: Vec<String> = named
            .into_iter()
            .map(|(flag, given)| format!("{flag} {}", word(given)))
            .collect();
        for (flag, path) in [
            ("--gains", &self.gains),
            ("--world", &self.world),
            ("--sensors", &self.sensors),
        ] {
            if let Some(path) = path {
                flags.push(format!("{flag} {}", word(path)));
            }
        }
        for (flag, on) in [
            ("--from-ground", self.from_ground),
            ("--uncertain", self.uncertain),
        ] {
            if on {
                flags.push(flag.to_owned());
            }
        }
        flags.join(" ")
    }
}

/// Flags of one flight.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    sim fly --traj fig8 --domain steady --seed 1 --out flight\n  \
    sim fly --traj way.csv --airframe my.toml --gains gains.toml --out flight --log mcap,ulog")]
pub struct FlyArgs {
    #[command(flatten)]
    #[allow(missing_docs)]
    pub flight: FlightArgs,
    /// Decides the wind, the sensor noise, and the vehicle where it is uncertain
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1,
        allow_negative_numbers = true
    )]
    pub seed: u64,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub output: OutputArgs,
    /// Logs beside samples.csv, separated by commas: csv, mcap (Foxglove), ulog (PX4's tools)
    #[arg(long, value_name = "FORMS", requires = "out")]
    pub log: Option<String>,
    /// Folder for samples.csv and the pictures; must not exist or be empty
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// Flags of many flights.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    sim montecarlo --traj fig8 --domain gusty --flights 1000\n  \
    sim montecarlo --airframe my.toml --uncertain --out many --format json")]
pub struct MontecarloArgs {
    #[command(flatten)]
    #[allow(missing_docs)]
    pub flight: FlightArgs,
    /// Number of flights
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1000,
        allow_negative_numbers = true
    )]
    pub flights: i64,
    /// Seed of the first flight; the others follow it
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1,
        allow_negative_numbers = true
    )]
    pub seed: u64,
    /// Threads [default: all cores]; the result does not depend on them
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub threads: Option<i64>,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub output: OutputArgs,
    /// Folder for flights.csv and the picture; must not exist or be empty
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// Flags of the wind test.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    sim wind --domain gusty --out wind\n  \
    sim wind --altitude-m 15 --w20-kt 30 --format json\n\n\
    Exit code 1 where a statistic is further out than its tolerance.")]
pub struct WindArgs {
    /// Wind domain: gusty, steady, or a file
    #[arg(long, value_name = "NAME|FILE", conflicts_with_all = ["altitude_m", "w20_kt"])]
    pub domain: Option<String>,
    /// Altitude above ground, for the low-altitude model of MIL-F-8785C [m]
    #[arg(
        long,
        value_name = "H",
        requires = "w20_kt",
        allow_negative_numbers = true
    )]
    pub altitude_m: Option<f64>,
    /// Wind speed at 20 ft: 15 light, 30 moderate, 45 severe [kt]
    #[arg(
        long,
        value_name = "W",
        requires = "altitude_m",
        allow_negative_numbers = true
    )]
    pub w20_kt: Option<f64>,
    /// Reference airspeed for the low-altitude model [m/s]
    #[arg(
        long,
        value_name = "V",
        default_value_t = 15.0,
        allow_negative_numbers = true
    )]
    pub speed: f64,
    /// Independent records of 20 s
    #[arg(
        long,
        value_name = "N",
        default_value_t = 400,
        allow_negative_numbers = true
    )]
    pub samples: i64,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub output: OutputArgs,
    /// Folder for the picture; must not exist or be empty
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// Flags of a replay.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    sim replay case.json\n  \
    sim replay case.json --dt-ms 0.5 --out states.json --format json")]
pub struct ReplayArgs {
    /// A case of schema quad-case/1, quad-wrench-table/1 or quad-mixer-table/1
    #[arg(value_name = "CASE.json")]
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
    #[allow(missing_docs)]
    pub output: OutputArgs,
    /// File for our states, in the shape of the case's
    #[arg(long, value_name = "STATES.json")]
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
  {"type":"step","rotors_rad_s":[…4]}   or   {"type":"step","thrust_n":T,"moment_n_m":[…3]}
  {"type":"reset"} (also with "seed")        {"type":"quit"} or the end of the input

init: airframe  a name, a path, or an object as in an airframe file
      start     position_m, velocity_m_s, attitude_wxyz, rates_rad_s, rotors_rad_s, each if
                wanted, in place of a trajectory to start on
      wind      "still", [x,y,z] in m/s, "gusty", "steady", a path, or a domain as an object
      sensors   {"position_m":0.02,"velocity_m_s":0.1,"attitude_rad":0,"rates_rad_s":0,
                "delay_periods":0}: states then carry what is measured beside the truth
State: t_s, position_m, velocity_m_s, attitude_wxyz, rates_rad_s, rotors_rad_s, wind_m_s.
SI, z up, body x forward and y left; rotors front left, front right, rear right, rear left."#;
