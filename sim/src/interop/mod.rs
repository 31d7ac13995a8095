//! Interop: what the simulator exchanges with other programs.

#[cfg(feature = "program")]
pub mod flight_log;
#[cfg(feature = "program")]
pub mod identify;
pub mod log;
pub mod replay;
pub mod serve;
#[cfg(feature = "program")]
pub mod vehicle_file;
