//! Flight log: what a flight did over time, in panels that share the time axis.
//!
//! Position error, attitude, body rates, motor speeds and wind lie one below the other. However
//! many samples there are, every peak is drawn at its full height.

mod curve;
mod page;

use crate::error::{Error, LARGEST_M, refused, same_length};
use crate::files;
use std::path::{Path, PathBuf};

/// The record of one flight: every list has as many entries as there are times.
#[derive(Debug, Clone, Copy)]
pub struct FlightLog<'a> {
    /// Printed above the picture; wrapped, and cut short where two lines do not hold it.
    pub title: &'a str,
    /// Times of the samples, never descending \[s\].
    pub time_s: &'a [f64],
    /// Position minus reference along world x, y and z \[m\].
    pub position_error_m: &'a [[f64; 3]],
    /// Roll, pitch and yaw \[rad\]; drawn in degrees. A step of more than half a turn is a wrap
    /// and not drawn.
    pub attitude_rad: &'a [[f64; 3]],
    /// Rates about the body axes x, y and z \[rad/s\].
    pub rates_rad_s: &'a [[f64; 3]],
    /// Speeds of motors 1 to 4 \[rad/s\].
    pub motors_rad_s: &'a [[f64; 4]],
    /// Least and greatest speed that a motor can have \[rad/s\].
    pub motor_range_rad_s: [f64; 2],
    /// Wind along world x, y and z \[m/s\].
    pub wind_m_s: &'a [[f64; 3]],
    /// When the vehicle was lost \[s\].
    pub lost_at_s: Option<f64>,
}

/// Draws the log and writes `stem.svg` and `stem.png`; returns both paths, in that order. The
/// folder of `stem` must exist. The same log gives the same bytes.
///
/// # Errors
/// No samples, lists of different lengths, times that descend, a number that is not finite or
/// too large, or a file that cannot be written.
pub fn draw_flight_log(log: &FlightLog, stem: &Path) -> Result<[PathBuf; 2], Error> {
    check(log)?;
    files::write(&page::sheet(log), stem)
}

fn check(log: &FlightLog) -> Result<(), Error> {
    if log.time_s.is_empty() {
        return Err(Error::NoValues { quantity: "time" });
    }
    let single: Vec<[f64; 1]> = log.time_s.iter().map(|&time| [time]).collect();
    check_list("time", &single, log)?;
    check_list("position error", log.position_error_m, log)?;
    check_list("attitude", log.attitude_rad, log)?;
    check_list("body rates", log.rates_rad_s, log)?;
    check_list("motor speeds", log.motors_rad_s, log)?;
    check_list("wind", log.wind_m_s, log)?;
    for (index, value) in log.motor_range_rad_s.into_iter().enumerate() {
        check_value("motor range", index, value)?;
    }
    if let Some(at_s) = log.lost_at_s {
        check_value("time of the loss", 0, at_s)?;
    }
    match log.time_s.windows(2).position(|pair| pair[1] < pair[0]) {
        Some(before) => {
            let (index, expected) = (before + 1, "no less than the one before");
            refused("time", index, log.time_s[index], expected)
        }
        None => Ok(()),
    }
}

fn check_list<const N: usize>(
    quantity: &'static str,
    list: &[[f64; N]],
    log: &FlightLog,
) -> Result<(), Error> {
    same_length(quantity, list.len(), "time", log.time_s.len())?;
    for (index, values) in list.iter().enumerate() {
        for &value in values {
            check_value(quantity, index, value)?;
        }
    }
    Ok(())
}

fn check_value(quantity: &'static str, index: usize, value: f64) -> Result<(), Error> {
    if value.is_finite() && value.abs() <= LARGEST_M {
        return Ok(());
    }
    refused(quantity, index, value, "a finite number of at most 1e12")
}
