//! The random streams of studies, tests and baselines ([`shell::seeds`]); those of a search are
//! [`search::streams::Search`].

pub use shell::seeds::Stream;

/// Streams of one tuning study, of its tests and of the baselines beside it. A study that takes an
/// earlier run's flights as data has a seed of its own for all but the tests ([`Study::Warm`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u64)]
pub enum Study {
    /// The seed of its search, whose own streams are [`search::streams::Search`].
    Search = 5,
    /// Winds of the training flights, a step each.
    Training = 11,
    /// Winds of the tests, a series for each domain.
    HeldOut = 12,
    /// The domains of the training flights, a step each.
    Mixture = 13,
    /// The seed of a study with a warm start.
    Warm = 15,
    /// Random search.
    RandomSearch = 21,
    /// CMA-ES.
    Evolution = 22,
    /// The seed of the search by whose belief random search recommends.
    RandomRecommendation = 23,
    /// The seed of the search whose beliefs are drawn, a step for each number of evaluations.
    Slices = 41,
}

/// Streams of one function of a regret trial.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u64)]
pub enum Regret {
    /// Scramble of the points that may be evaluated.
    Points = 1,
    /// Scramble of the function's centres, and its weights.
    Function = 2,
    /// Noise of the observations.
    Noise = 3,
}

impl Stream for Study {
    fn number(self) -> u64 {
        self as u64
    }
}

impl Stream for Regret {
    fn number(self) -> u64 {
        self as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shell::seeds::shared;

    #[test]
    fn no_two_purposes_of_a_seed_share_a_stream() {
        let of_a_study = [
            Study::Search,
            Study::Training,
            Study::HeldOut,
            Study::Mixture,
            Study::Warm,
            Study::RandomSearch,
            Study::Evolution,
            Study::RandomRecommendation,
            Study::Slices,
        ];
        assert_eq!(shared(&of_a_study), 0);
        let of_a_trial = [Regret::Points, Regret::Function, Regret::Noise];
        assert_eq!(shared(&of_a_trial), 0);
    }
}
