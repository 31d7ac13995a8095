//! Interop: what the simulator exchanges with other programs.

#[cfg(feature = "program")]
pub mod flight_log;
pub mod log;
pub mod replay;
pub mod serve;
#[cfg(feature = "program")]
pub mod vehicle_file;
