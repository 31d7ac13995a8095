//! Flags of the wind, and of its test.

use clap::{Args, ValueHint};
use shell::usage::{FILES, FLOWN, JUDGED, Offered, OutputArgs, Whole};
use sim::{DOMAIN_NAMES, PassingGust};
use std::path::PathBuf;
use std::str::FromStr;

/// In what wind.
#[derive(Debug, Args)]
#[command(next_help_heading = FLOWN)]
pub struct WindArgs {
    /// Wind: gusty, steady, still, a domain file, or a record of wind (t,u,v,w) [default: steady]
    #[arg(long, value_name = "NAME|FILE", conflicts_with_all = ["altitude_m", "w20_kt"], value_parser = Offered::these(DOMAIN_NAMES.into_iter().chain(["still"])), hide_possible_values = true)]
    pub domain: Option<String>,
    /// In place of a domain the low-altitude model of MIL-F-8785C: altitude above ground [m]
    #[arg(
        long,
        value_name = "H",
        requires = "w20_kt",
        allow_negative_numbers = true,
        hide_short_help = true
    )]
    pub altitude_m: Option<f64>,
    /// With it the wind speed at 20 ft: 15 light, 30 moderate, 45 severe [kt]
    #[arg(
        long,
        value_name = "W",
        requires = "altitude_m",
        allow_negative_numbers = true,
        hide_short_help = true
    )]
    pub w20_kt: Option<f64>,
    /// With it, let the mean wind grow with the height, by flight phase: category-c or other
    #[arg(long, value_name = "PHASE", requires = "w20_kt", value_parser = ["category-c", "other"], hide_possible_values = true, hide_short_help = true)]
    pub profile: Option<String>,
    /// Reference airspeed for the low-altitude model [m/s]
    #[arg(
        long,
        value_name = "V",
        default_value_t = 15.0,
        allow_negative_numbers = true,
        hide_short_help = true
    )]
    pub speed: f64,
    /// A 1-cosine gust that passes: its beginning [s], the way on which it grows [m], and its peak along the
    /// mean wind, across it and upwards [m/s]; may be given several times
    #[arg(long, value_name = "T,D,U[,V[,W]]", value_parser = PassingGust::from_str, hide_short_help = true)]
    pub gust: Vec<PassingGust>,
}

/// Flags of the wind test.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    sim wind --domain gusty --out wind\n  \
    sim wind --altitude-m 15 --w20-kt 30 --format json\n\n\
    Exit code 1 where a statistic is further out than its tolerance.")]
pub struct WindTestArgs {
    #[command(flatten)]
    pub wind: WindArgs,
    /// Independent records of 20 s
    #[arg(
        long,
        value_name = "N",
        default_value_t = 400,
        allow_negative_numbers = true,
        value_parser = Whole::from(10).to(100_000),
        help_heading = JUDGED
    )]
    pub samples: u64,
    #[command(flatten)]
    pub output: OutputArgs,
    /// Folder for the picture; must not exist or be empty
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = FILES)]
    pub out: Option<PathBuf>,
}
