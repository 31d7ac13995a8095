//! Identification of vehicles from logs: what cannot be, and what comes out of flights of known vehicles.

mod coverage;
mod curve;
mod drawn;
mod flown;
mod form;
mod page;
mod refused;
mod regression;
mod table;
mod truth;
mod vehicles;
