//! The random streams of one search ([`shell::seeds`]).

use shell::seeds::Stream;

/// Streams of one optimiser, and of the race that it runs in a benchmark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u64)]
pub enum Search {
    /// Scramble of the initial design.
    Design = 1,
    /// Starts of the fits, a step each.
    Fit = 2,
    /// Raw points of the acquisition, functions drawn and members of level sets, a step each.
    Climb = 3,
    /// Local fits and climbs, a step each.
    Local = 4,
    /// The points of a level set whose centre is recommended, a step each.
    Recommend = 5,
    /// The points of the box by which the noise is judged.
    Judgements = 7,
    /// Points of the cube at which a constraint's slack is known first.
    Slacks = 8,
    /// The limit of the output that is traded with the value, a step each.
    TradeOff = 9,
    /// Points over which the importance of parameters is averaged.
    Importance = 10,
    /// Noise of a benchmark's observations.
    Noise = 11,
    /// Random search beside the optimiser.
    Random = 12,
}

/// Streams of one draw from a level set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u64)]
pub enum Draw {
    /// Scramble of the points of the whole cube.
    Box0 = 0,
    /// The tolerance.
    Tolerance = 1,
    /// Which member.
    Member = 2,
    /// Scramble of the points of the second box, within the first.
    Box1 = 11,
    /// The third.
    Box2 = 12,
    /// The fourth.
    Box3 = 13,
    /// The fifth.
    Box4 = 14,
    /// The sixth.
    Box5 = 15,
}

impl Stream for Search {
    fn number(self) -> u64 {
        self as u64
    }
}

impl Stream for Draw {
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
        use Search::{
            Climb, Design, Fit, Judgements, Local, Noise, Random, Recommend, Slacks, TradeOff,
        };
        let of_a_search = [
            Design, Fit, Climb, Local, Recommend, Judgements, Slacks, TradeOff, Noise, Random,
        ];
        assert_eq!(shared(&of_a_search), 0);
        use Draw::{Box0, Box1, Box2, Box3, Box4, Box5, Member, Tolerance};
        let of_a_draw = [Box0, Box1, Box2, Box3, Box4, Box5, Tolerance, Member];
        assert_eq!(shared(&of_a_draw), 0);
    }
}
