//! Export: why a run's gains are not written for an autopilot.

use shell::exit;

/// Why a run's gains are not written for an autopilot.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// No flight of the run says anything for its gains.
    #[error(
        "each of the run's {evaluations} evaluations is lost in simulation, so its gains mean nothing; tune again from gains that hover, within narrower [gains.bounds], or write them all the same with --anyway"
    )]
    AllLost {
        /// Evaluations of the run.
        evaluations: usize,
    },

    /// The recommended gains lost every flight of their test.
    #[error(
        "the recommended gains lost each of their {flights} held-out flights in simulation; tune again from gains that hover, within narrower [gains.bounds], or write them all the same with --anyway"
    )]
    AllTestsLost {
        /// Held-out flights.
        flights: usize,
    },

    /// A file of gains in a run's folder is not the one that the run wrote.
    #[error(
        "{name} is not what its run wrote, by the manifest.json beside it; `bo --resume` of that folder makes it again, or copy it elsewhere if the change is yours"
    )]
    ChangedGains {
        /// The file.
        name: String,
    },

    /// The run's own held-out test does not call its recommended gains better.
    #[error(
        "in simulation the recommended gains are no better than the default ones ({verdicts}), so nothing is written; average more winds an evaluation, {retune}, or write them all the same with --anyway"
    )]
    NoBetter {
        /// What the test says, domain by domain.
        verdicts: String,
        /// The command of a run that does.
        retune: String,
    },

    /// What the autopilot can hold flies no better than what the vehicle has.
    #[error(
        "in simulation the nearest gains that {target} can hold are no better than the old ones ({verdicts}), so nothing is written: {said} Tune again, {retune}, or write them all the same with --anyway"
    )]
    NearestNoBetter {
        /// The target.
        target: &'static str,
        /// What their flights say, domain by domain.
        verdicts: String,
        /// The figures.
        said: String,
        /// The command of a run that could do better.
        retune: String,
    },

    /// A run knows its vehicle.
    #[error("--airframe is for a file of gains; a run knows its own")]
    AirframeOfRun,
}

impl ExportError {
    /// One of the codes of [`exit`].
    pub fn exit_code(&self) -> u8 {
        match self {
            ExportError::AirframeOfRun => exit::USAGE,
            ExportError::AllLost { .. } | ExportError::AllTestsLost { .. } => exit::ALL_LOST,
            _ => exit::DATA,
        }
    }
}
