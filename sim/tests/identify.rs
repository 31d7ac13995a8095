//! Identification of vehicles from logs: what cannot be, and what comes out of flights of known vehicles.

mod curve;
mod page;
mod refused;
mod vehicles;
