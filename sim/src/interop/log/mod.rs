//! Logs: a recorded flight in forms that other tools open.
//!
//! * CSV, one line a sample, in this crate's own frames and SI units
//! * [MCAP](https://mcap.dev), JSON messages with schemas that Foxglove knows, in the same frames
//! * [ULog](https://docs.px4.io/main/en/dev_log/ulog_file_format.html), with PX4's topic names, its
//!   frames (world north-east-down, body forward-right-down) and its 32-bit floats
//!
//! A log holds nothing that differs between two runs of the same flight: time starts at 0, and no
//! path or date is written.

mod mcap;
mod measured;
mod ulog;

pub use measured::Measured;

use crate::{Airframe, Gains, Outcome, Sample};
use std::io::{Cursor, Seek, Write};

/// What a log says besides its samples.
#[derive(Debug, Clone, Copy)]
pub struct About<'a> {
    /// The vehicle.
    pub airframe: &'a Airframe,
    /// Its gains.
    pub gains: &'a Gains,
    /// Name of the trajectory.
    pub trajectory: &'a str,
    /// Name of the wind.
    pub domain: &'a str,
    /// The flight's seed.
    pub seed: u64,
    /// How it ended.
    pub outcome: Outcome,
}

/// A form of log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Comma-separated values.
    Csv,
    /// MCAP.
    Mcap,
    /// ULog.
    Ulog,
}

/// Why a log cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// The form does not exist.
    #[error(
        "unknown log `{}`{}", .0,
        shell::names::rather(.0, "csv, mcap, ulog, all")
    )]
    UnknownFormat(String),

    /// Where it is written to failed.
    #[error("cannot write: {0}")]
    Write(#[from] std::io::Error),

    /// The MCAP library failed.
    #[error("cannot write MCAP: {0}")]
    Mcap(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl Format {
    /// The form of that name: `csv`, `mcap` or `ulog`.
    ///
    /// # Errors
    /// [`LogError::UnknownFormat`].
    pub fn by_name(name: &str) -> Result<Format, LogError> {
        match name {
            "csv" => Ok(Format::Csv),
            "mcap" => Ok(Format::Mcap),
            "ulog" => Ok(Format::Ulog),
            _ => Err(LogError::UnknownFormat(name.to_owned())),
        }
    }

    /// Its name: `csv`, `mcap` or `ulog`.
    pub fn name(self) -> &'static str {
        match self {
            Format::Csv => "csv",
            Format::Mcap => "mcap",
            Format::Ulog => "ulog",
        }
    }

    /// The forms in a list such as `csv,mcap`, each once, in the order given; every form for `all`.
    ///
    /// # Errors
    /// [`LogError::UnknownFormat`].
    pub fn list(text: &str) -> Result<Vec<Format>, LogError> {
        let mut all = Vec::new();
        if text == "all" {
            return Ok(vec![Format::Csv, Format::Mcap, Format::Ulog]);
        }
        for name in text.split(',') {
            let format = Format::by_name(name.trim())?;
            if !all.contains(&format) {
                all.push(format);
            }
        }
        Ok(all)
    }

    /// Name of the file in a flight's folder.
    pub fn file_name(self) -> &'static str {
        match self {
            Format::Csv => "samples.csv",
            Format::Mcap => "flight.mcap",
            Format::Ulog => "flight.ulg",
        }
    }

    /// Writes the log of a flight, a sample at a time.
    ///
    /// # Errors
    /// [`LogError::Write`] where `out` fails, [`LogError::Mcap`].
    pub fn write(
        self,
        about: &About,
        samples: &[Sample],
        out: &mut (impl Write + Seek),
    ) -> Result<(), LogError> {
        match self {
            Format::Csv => Ok(write(samples, out)?),
            Format::Mcap => mcap::write(about, samples, out),
            Format::Ulog => Ok(ulog::write(about, samples, out)?),
        }
    }

    /// The bytes of the log of a flight. A second of flight takes up to 2 MB.
    ///
    /// # Errors
    /// [`LogError::Mcap`], which memory never causes.
    pub fn encode(self, about: &About, samples: &[Sample]) -> Result<Vec<u8>, LogError> {
        let mut bytes = Cursor::new(Vec::new());
        self.write(about, samples, &mut bytes)?;
        Ok(bytes.into_inner())
    }
}

// CSV: every sample, one a line, in SI units; quaternion with the scalar first.

/// Names of the columns, with room for those of the rotors.
const HEADER: &str = "t_s,x_m,y_m,z_m,vx_m_s,vy_m_s,vz_m_s,qw,qx,qy,qz,\
     wx_rad_s,wy_rad_s,wz_rad_s,{speeds}{commands}\
     ref_x_m,ref_y_m,ref_z_m,ref_vx_m_s,ref_vy_m_s,ref_vz_m_s,ref_yaw_rad,\
     wind_x_m_s,wind_y_m_s,wind_z_m_s\n";

fn write(samples: &[Sample], out: &mut impl Write) -> std::io::Result<()> {
    let rotors = samples
        .first()
        .map_or(0, |sample| sample.command.speeds_rad_s.len());
    let each =
        |name: &str| -> String { (1..=rotors).map(|i| format!("{name}{i}_rad_s,")).collect() };
    let header = HEADER.replace("{speeds}", &each("n"));
    out.write_all(header.replace("{commands}", &each("command")).as_bytes())?;
    for sample in samples {
        let state = &sample.state;
        let q = state.attitude.quaternion();
        let values = [sample.time_s]
            .into_iter()
            .chain(state.position_m.iter().copied())
            .chain(state.velocity_m_s.iter().copied())
            .chain([q.w, q.i, q.j, q.k])
            .chain(state.rates_rad_s.iter().copied())
            .chain(state.rotors_rad_s)
            .chain(sample.command.speeds_rad_s)
            .chain(sample.reference.position_m.iter().copied())
            .chain(sample.reference.velocity_m_s.iter().copied())
            .chain([sample.reference.yaw_rad])
            .chain(sample.wind_m_s.iter().copied());
        for (k, value) in values.enumerate() {
            // Shortest digits that read back as the same number.
            write!(out, "{}{value}", if k == 0 { "" } else { "," })?;
        }
        out.write_all(b"\n")?;
    }
    Ok(())
}
