//! Targets: whose parameters an export writes; one file each.

mod ardupilot;
pub(in crate::autopilot) mod betaflight;
pub mod common;
pub(in crate::autopilot) mod crazyflie;
mod json;
mod px4;

pub use ardupilot::ArduPilot;
pub use betaflight::Betaflight;
pub use crazyflie::Crazyflie;
pub use json::Json;
pub use px4::Px4;

use super::AutopilotError;
use common::Autopilot;

/// The targets.
pub const TARGETS: [&str; 5] = ["px4", "ardupilot", "betaflight", "crazyflie", "json"];

/// The target of that name. `firmware` is its version, where that matters.
///
/// # Errors
/// [`AutopilotError::Firmware`] or [`AutopilotError::FirmwareNotAsked`].
///
/// # Panics
/// When `name` is none of [`TARGETS`].
pub fn by_name(name: &str, firmware: Option<&str>) -> Result<Box<dyn Autopilot>, AutopilotError> {
    let autopilot: Box<dyn Autopilot> = match name {
        "px4" => Box::new(Px4),
        "ardupilot" => return Ok(Box::new(ArduPilot::new(firmware)?)),
        "betaflight" => Box::new(Betaflight),
        "crazyflie" => Box::new(Crazyflie),
        "json" => Box::new(Json),
        _ => panic!("{name} is no target"),
    };
    match firmware {
        None => Ok(autopilot),
        Some(_) => Err(AutopilotError::FirmwareNotAsked(autopilot.name())),
    }
}

/// Torques [N m] that full roll, pitch and yaw commands of `target` stand for; those of px4 where it has
/// none of its own.
pub(super) fn full_torques_of(target: &str, airframe: &crate::Airframe) -> [f64; 3] {
    match target {
        "ardupilot" => ardupilot::full_torques_n_m(airframe),
        "betaflight" => betaflight::full_torques_n_m(airframe),
        "crazyflie" => crazyflie::full_torques_n_m(airframe),
        _ => px4::full_torques_n_m(airframe),
    }
}

#[cfg(test)]
mod tests;
