//! Score: how well a flight followed its trajectory.

use crate::lanes::Real;
use serde::{Deserialize, Serialize};

/// What a flight that ended early costs, and the most that a completed one can cost [m].
pub const ACE_CAP_M: f64 = 2.0;

/// Averages over the time that was flown.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Score {
    /// Average control error: root of the time mean of |p − p_d|² [m].
    pub ace_m: f64,
    /// Time mean of |p − p_d| [m].
    pub mean_distance_m: f64,
    /// Time mean of |p − p_d|², the paper's definition; it orders flights as `ace_m` does [m²].
    pub mean_square_m2: f64,
    /// Greatest |p − p_d| [m].
    pub max_error_m: f64,
    /// Time mean of the length of position and velocity error stacked, with metres and metres per
    /// second given equal weight: the metric of Shi et al. 2021.
    pub mean_state_error: f64,
    /// Time mean over the rotors of (thrust / hover thrust − 1)²: how hard the rotors work beyond
    /// carrying the weight.
    pub effort: f64,
    /// Share of the time in which a rotor was at the end of its range.
    pub rotor_saturation: f64,
    /// Share of the time in which the position loop's thrust or tilt limit was active.
    pub force_limitation: f64,
}

/// Sums from which a [`Score`] is made, for one flight or one in each lane.
#[derive(Debug, Clone)]
pub(crate) struct Tally<R> {
    distance: R,
    square: R,
    most_square: R,
    state_error: R,
    effort: R,
    saturated: R,
    limited: R,
}

/// What one control period contributes.
pub(crate) struct Instant<R: Real> {
    /// |p − p_d|² [m²].
    pub(crate) position_error_squared: R,
    /// |v − v_d|² [m²/s²].
    pub(crate) velocity_error_squared: R,
    /// Sum over the rotors of (thrust / hover thrust − 1)².
    pub(crate) effort: R,
    pub(crate) unsaturated: R::Mask,
    /// 1 or 0.
    pub(crate) force_limited: R,
}

impl<R: Real> Tally<R> {
    /// Nothing yet; `zero` is 0 in every lane.
    pub(crate) fn new(zero: R) -> Tally<R> {
        Tally {
            distance: zero,
            square: zero,
            most_square: zero,
            state_error: zero,
            effort: zero,
            saturated: zero,
            limited: zero,
        }
    }

    #[inline(always)]
    pub(crate) fn add(&mut self, now: &Instant<R>) {
        let (zero, square) = (now.effort.like(0.0), now.position_error_squared);
        self.distance = self.distance + square.sqrt();
        self.square = self.square + square;
        self.most_square = self.most_square.greater(square);
        self.state_error = self.state_error + (square + now.velocity_error_squared).sqrt();
        self.effort = self.effort + now.effort;
        self.saturated = self.saturated + R::pick(now.unsaturated, zero, zero + 1.0);
        self.limited = self.limited + now.force_limited;
    }

    /// The score of the flight in lane `k` after `count` control periods.
    pub(crate) fn score(&self, k: usize, count: u64) -> Score {
        let n = count.max(1) as f64;
        let mean = |sum: R| sum.lane(k) / n;
        Score {
            ace_m: mean(self.square).sqrt(),
            mean_distance_m: mean(self.distance),
            mean_square_m2: mean(self.square),
            max_error_m: self.most_square.lane(k).sqrt(),
            mean_state_error: mean(self.state_error),
            effort: mean(self.effort) / 4.0,
            rotor_saturation: mean(self.saturated),
            force_limitation: mean(self.limited),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_is_the_average_it_says_it_is() {
        let mut tally = Tally::new(0.0);
        for (error, speed) in [(3.0, 4.0), (4.0, 3.0)] {
            tally.add(&Instant {
                position_error_squared: error * error,
                velocity_error_squared: speed * speed,
                effort: 4.0 * error,
                unsaturated: error < 3.5,
                force_limited: 1.0,
            });
        }
        let score = tally.score(0, 2);
        assert_eq!(score.ace_m, 12.5f64.sqrt());
        assert_eq!(score.mean_square_m2, 12.5);
        assert_eq!((score.mean_distance_m, score.max_error_m), (3.5, 4.0));
        assert_eq!((score.mean_state_error, score.effort), (5.0, 3.5));
        assert_eq!((score.rotor_saturation, score.force_limitation), (0.5, 1.0));
    }
}
