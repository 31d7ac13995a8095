//! Abilities: what a surrogate has to offer whoever chooses points by it.

/// What a surrogate has to offer an acquisition.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Abilities {
    /// Its name.
    pub surrogate: &'static str,
    /// Whether its models claim a standard deviation.
    pub claims_deviation: bool,
    /// Whether they claim a noise of the observations.
    pub claims_noise: bool,
    /// Whether functions can be drawn from its models, whose noise and amplitude are known.
    pub draws: bool,
}
