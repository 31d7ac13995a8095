//! Settings: how an optimiser works, with the defaults.

use crate::search::criterion::acquisition::Acquisition;

/// How to optimise; does not change.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// Name of the surrogate: one of [`crate::search::PROCESSES`] or of [`dilgp::NAMES`].
    pub surrogate: String,
    /// The rule that chooses the next point; where none is named, [`Acquisition::usual`].
    pub acquisition: Option<Acquisition>,
    /// Whether evaluating a point twice may give two values.
    pub noisy: bool,
    /// Points of the initial design; observations told before are counted among them.
    pub initial: usize,
    /// Evaluations in all, where the caller knows.
    pub budget: Option<usize>,
    /// Whether values are warped before the surrogate sees them.
    pub warp: bool,
    /// Whether a deterministic objective is also searched locally.
    pub local: bool,
    /// Decides the design, the fits and the climbs.
    pub seed: u64,
}

impl Settings {
    /// The default for an objective with noise.
    pub fn noisy(seed: u64) -> Settings {
        Settings {
            surrogate: "matern".to_owned(),
            acquisition: None,
            noisy: true,
            initial: 10,
            budget: None,
            warp: true,
            local: true,
            seed,
        }
    }

    /// The default for an objective without noise.
    pub fn deterministic(seed: u64) -> Settings {
        Settings {
            noisy: false,
            ..Settings::noisy(seed)
        }
    }
}
