//! Statistics of flights: those lost among some, and which of two sets of gains loses more. Means,
//! medians and their intervals are the shell's.

use serde::{Deserialize, Serialize};

pub use shell::statistics::{
    Interval, MedianInterval, complementary_error, greatest_deviation, median, plus_minus,
};

/// Flights lost among some, and how probable a loss can be.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Losses {
    /// How many were lost.
    pub lost: usize,
    /// Of how many.
    pub flights: usize,
    /// What the probability of a loss keeps below with 95 % confidence, exact (Clopper and Pearson
    /// 1934, one-sided).
    pub at_most: f64,
}

impl Losses {
    /// After `lost` of `flights`.
    pub fn of(lost: usize, flights: usize) -> Losses {
        Losses {
            lost,
            flights,
            at_most: shell::statistics::upper_bound(lost, flights),
        }
    }
}

/// The probability that of `only_before + only_after` winds, in each of which one of two sets of
/// gains alone lost the vehicle, as many or more are `only_after`'s if both lose it equally often:
/// the exact one-sided form of McNemar's test.
pub fn loses_more(only_before: usize, only_after: usize) -> f64 {
    shell::statistics::sign_test(only_before, only_after)
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_relative_eq;

    #[test]
    fn losses_carry_their_bound_and_discordant_winds_their_probability() {
        let none = Losses::of(0, 40);
        assert_eq!((none.lost, none.flights), (0, 40));
        assert_relative_eq!(none.at_most, 1.0 - 0.05f64.powf(1.0 / 40.0), epsilon = 1e-9);
        // Sums of binomial coefficients over 2^n.
        assert_eq!(loses_more(0, 0), 1.0);
        assert_eq!(loses_more(4, 0), 1.0);
        assert_relative_eq!(loses_more(0, 5), 1.0 / 32.0, epsilon = 1e-12);
        assert_relative_eq!(loses_more(1, 3), 5.0 / 16.0, epsilon = 1e-12);
    }
}
