//! Pictures: one a module, each from plain numbers to two files.

pub mod amplitudes;
pub mod bounds;
pub mod calibration;
pub mod convergence;
pub mod distribution;
pub mod domains;
pub mod error_map;
pub mod flight;
pub mod flight_grid;
pub mod flight_log;
pub mod intervals;
pub mod open_loops;
pub mod pairs;
pub mod regression;
pub mod regret;
pub mod slices;
pub mod spectra;
pub mod wind_record;
