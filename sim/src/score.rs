//! Score: how well a flight followed its trajectory.

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

/// Sums from which a [`Score`] is made.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tally {
    count: u64,
    distance: f64,
    square: f64,
    most: f64,
    state_error: f64,
    effort: f64,
    saturated: u64,
    limited: u64,
}

/// What one control period contributes.
pub(crate) struct Instant {
    pub(crate) position_error_m: f64,
    pub(crate) velocity_error_m_s: f64,
    pub(crate) effort: f64,
    pub(crate) rotors_saturated: bool,
    pub(crate) force_limited: bool,
}

impl Tally {
    pub(crate) fn add(&mut self, now: &Instant) {
        let square = now.position_error_m * now.position_error_m;
        self.count += 1;
        self.distance += now.position_error_m;
        self.square += square;
        self.most = self.most.max(now.position_error_m);
        self.state_error += (square + now.velocity_error_m_s * now.velocity_error_m_s).sqrt();
        self.effort += now.effort;
        self.saturated += u64::from(now.rotors_saturated);
        self.limited += u64::from(now.force_limited);
    }

    pub(crate) fn score(&self) -> Score {
        let n = self.count.max(1) as f64;
        Score {
            ace_m: (self.square / n).sqrt(),
            mean_distance_m: self.distance / n,
            mean_square_m2: self.square / n,
            max_error_m: self.most,
            mean_state_error: self.state_error / n,
            effort: self.effort / n,
            rotor_saturation: self.saturated as f64 / n,
            force_limitation: self.limited as f64 / n,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_is_the_average_it_says_it_is() {
        let mut tally = Tally::default();
        for (error, speed) in [(3.0, 4.0), (4.0, 3.0)] {
            tally.add(&Instant {
                position_error_m: error,
                velocity_error_m_s: speed,
                effort: error,
                rotors_saturated: error > 3.5,
                force_limited: true,
            });
        }
        let score = tally.score();
        assert_eq!(score.ace_m, 12.5f64.sqrt());
        assert_eq!(score.mean_square_m2, 12.5);
        assert_eq!((score.mean_distance_m, score.max_error_m), (3.5, 4.0));
        assert_eq!((score.mean_state_error, score.effort), (5.0, 3.5));
        assert_eq!((score.rotor_saturation, score.force_limitation), (0.5, 1.0));
    }
}
