//! Error: why nothing can be told.

use super::super::flight_log::FlightLogError;
use crate::Error;
use shell::exit::{self, Coded};

/// Why nothing can be told.
#[derive(Debug, thiserror::Error)]
pub enum IdentifyError {
    /// The log cannot be read.
    #[error("{name}: {source}")]
    Read {
        /// Which log.
        name: String,
        /// Why.
        source: FlightLogError,
    },

    /// The log is of another kind of vehicle.
    #[error("{name} is of a {kind}; only multirotors can be identified")]
    Kind {
        /// Which log.
        name: String,
        /// Of which kind.
        kind: &'static str,
    },

    /// The log has another number of rotors.
    #[error(
        "{name} has {log} motors and the airframe {airframe}; name the airframe with --airframe"
    )]
    Rotors {
        /// Which log.
        name: String,
        /// How many the log has.
        log: usize,
        /// How many the airframe has.
        airframe: usize,
    },

    /// The model takes all rotors for alike.
    #[error(
        "{airframe} has rotors that are tilted or have factors; only rotors that are alike and pull upwards can be identified"
    )]
    Unlike {
        /// Which airframe.
        airframe: String,
    },

    /// Something that is needed is not in the log.
    #[error("{name} has no {what}: {how}")]
    Missing {
        /// Which log.
        name: String,
        /// What.
        what: &'static str,
        /// What would log it.
        how: &'static str,
    },

    /// The motors never do more than idle.
    #[error(
        "{name} never flies: the motors' mean command is at most {:.0} % of full", 100.0 * most
    )]
    NeverFlies {
        /// Which log.
        name: String,
        /// Greatest mean share of full.
        most: f64,
    },

    /// It flies for too short a time.
    #[error("{name} flies for {flown_s:.1} s: log a flight of 3 s or more")]
    TooShort {
        /// Which log.
        name: String,
        /// For how long [s].
        flown_s: f64,
    },

    /// No part of the log is long enough.
    #[error("{name} has no 3 s in a row that can be used: {why}")]
    NoPart {
        /// Which log.
        name: String,
        /// What became of its time.
        why: String,
    },

    /// Numbers that cannot be in the unit or about the axis that they should be.
    #[error("{name}: {what}")]
    Units {
        /// Which log.
        name: String,
        /// What is wrong.
        what: String,
    },

    /// The logs are of different vehicles.
    #[error("{a} and {b} are of different vehicles: {what}; identify them one by one")]
    Different {
        /// One log.
        a: String,
        /// Another.
        b: String,
        /// What differs.
        what: String,
    },

    /// No number can be told.
    #[error("{name}: no number of the vehicle can be told: {why}")]
    Fit {
        /// Which log.
        name: String,
        /// Why.
        why: String,
    },

    /// What was identified cannot fly.
    #[error(
        "the identified airframe is not legal: {0}; are mass, arm and airframe those of the log?"
    )]
    Airframe(#[from] Error),
}

impl Coded for IdentifyError {
    fn exit_code(&self) -> u8 {
        match self {
            IdentifyError::Read { source, .. } => source.exit_code(),
            _ => exit::DATA,
        }
    }
}
