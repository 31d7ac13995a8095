//! Statistics: means and medians with intervals, alone and in pairs; counts with exact bounds. The
//! only file that knows statrs.

use serde::Serialize;
use statrs::distribution::{Beta, Binomial, ContinuousCDF, DiscreteCDF, Normal, StudentsT};
use statrs::function::erf::erfc;

/// A mean with its 95 % confidence interval by Student's t, for independent values that are
/// roughly normal (or many).
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Interval {
    /// Arithmetic mean.
    pub mean: f64,
    /// Half width of the 95 % interval; absent for a single value, which says nothing about spread.
    pub half_width: Option<f64>,
    /// Number of values.
    pub count: usize,
}

impl Interval {
    /// The mean of `values` and its interval.
    ///
    /// # Panics
    /// When there is no value.
    pub fn of(values: &[f64]) -> Interval {
        assert!(!values.is_empty(), "the mean of nothing was asked for");
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let squares: f64 = values.iter().map(|x| (x - mean).powi(2)).sum();
        let half_width =
            (values.len() > 1).then(|| quantile(0.975, n - 1.0) * (squares / (n - 1.0) / n).sqrt());
        Interval {
            mean,
            half_width,
            count: values.len(),
        }
    }

    /// The mean of `values` with an interval so wide that `comparisons` of them hold together
    /// with 95 % confidence (Bonferroni's correction).
    ///
    /// # Panics
    /// When there is no value or no comparison.
    pub fn simultaneous(values: &[f64], comparisons: usize) -> Interval {
        assert!(comparisons > 0, "the number of comparisons is 0");
        let plain = Interval::of(values);
        let widen = |half: f64| {
            let degrees = values.len() as f64 - 1.0;
            let tail = 0.025 / comparisons as f64;
            half * quantile(1.0 - tail, degrees) / quantile(0.975, degrees)
        };
        Interval {
            half_width: plain.half_width.map(widen),
            ..plain
        }
    }

    /// The mean difference `after` − `before` of values that belong together pair by pair.
    ///
    /// # Panics
    /// When the slices differ in length or are empty.
    pub fn of_difference(after: &[f64], before: &[f64]) -> Interval {
        assert_eq!(after.len(), before.len(), "pairs need two values each");
        let differences: Vec<f64> = after.iter().zip(before).map(|(a, b)| a - b).collect();
        Interval::of(&differences)
    }

    /// Lower end of the interval.
    pub fn low(&self) -> f64 {
        self.mean - self.half_width.unwrap_or(f64::INFINITY)
    }

    /// Upper end of the interval.
    pub fn high(&self) -> f64 {
        self.mean + self.half_width.unwrap_or(f64::INFINITY)
    }
}

/// A median with an interval that holds it with at least 95 % confidence whatever the distribution
/// of the values, which must be independent: the ends are order statistics, and the number of values
/// below the median is binomial (H. A. David and H. N. Nagaraja, Order Statistics, 2003, section
/// 7.1). Unlike a mean's, it does not miss where one value in hundreds is far from the others.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct MedianInterval {
    /// The sample's median.
    pub median: f64,
    /// Both ends; absent for fewer than six values, whose extremes enclose the median less surely.
    pub ends: Option<[f64; 2]>,
    /// Number of values.
    pub count: usize,
}

impl MedianInterval {
    /// "-0.041 [-0.052, -0.030]", or the bare number where there is no interval.
    pub fn signed(&self) -> String {
        match self.ends {
            Some([low, high]) => format!("{:+.3} [{low:+.3}, {high:+.3}]", self.median),
            None => format!("{:+.3} (too few for an interval)", self.median),
        }
    }

    /// The median of `values` and its interval.
    ///
    /// # Panics
    /// When there is no value.
    pub fn of(values: &[f64]) -> MedianInterval {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        MedianInterval {
            median: median(values),
            ends: outside(sorted.len()).map(|k| [sorted[k], sorted[sorted.len() - 1 - k]]),
            count: sorted.len(),
        }
    }

    /// Lower end of the interval.
    pub fn low(&self) -> f64 {
        self.ends.map_or(f64::NEG_INFINITY, |[low, _]| low)
    }

    /// Upper end of the interval.
    pub fn high(&self) -> f64 {
        self.ends.map_or(f64::INFINITY, |[_, high]| high)
    }
}

/// The most values of `count` that can be left out at either end so that the rest encloses the median
/// with at least 95 % confidence; nothing where even all do not.
fn outside(count: usize) -> Option<usize> {
    let below = Binomial::new(0.5, count as u64).expect("0.5 is a probability");
    (0..count.div_ceil(2))
        .take_while(|k| below.cdf(*k as u64) <= 0.025)
        .last()
}

/// Confidence of every bound stated.
pub const CONFIDENCE: f64 = 0.95;

/// Exact 95 % interval of a probability after `hits` in `count` trials (Clopper and Pearson 1934).
pub fn clopper_pearson(hits: usize, count: usize) -> [f64; 2] {
    let tail = 0.5 * (1.0 - CONFIDENCE);
    let low = if hits == 0 {
        0.0
    } else {
        beta_quantile(hits as f64, (count - hits) as f64 + 1.0, tail)
    };
    [low, exceeded_with(tail, hits, count)]
}

/// Exact upper bound that a probability keeps below with 95 % confidence after `hits` in `count`
/// trials: the one-sided bound of Clopper and Pearson, 1 − 0.05^(1/n) after none.
pub fn upper_bound(hits: usize, count: usize) -> f64 {
    exceeded_with(1.0 - CONFIDENCE, hits, count)
}

/// The probability of a hit at which `hits` or fewer in `count` trials have the probability `tail`.
fn exceeded_with(tail: f64, hits: usize, count: usize) -> f64 {
    if hits == count {
        return 1.0;
    }
    beta_quantile(hits as f64 + 1.0, (count - hits) as f64, 1.0 - tail)
}

fn beta_quantile(a: f64, b: f64, p: f64) -> f64 {
    Beta::new(a, b)
        .expect("both parameters are positive")
        .inverse_cdf(p)
}

/// Index (from 0) of the least order statistic of `count` values that exceeds the p-quantile with
/// 95 % confidence: the r-th value does so with probability P(Bin(n, p) ≤ r − 1). None of too few.
///
/// # Panics
/// When `p` is no probability.
pub fn bound_rank(count: usize, p: f64) -> Option<usize> {
    let successes = Binomial::new(p, count as u64).expect("p is a probability");
    // The cumulative probability grows with the rank: bisection.
    let enough = |rank: usize| successes.cdf(rank as u64) >= CONFIDENCE;
    let last = count.checked_sub(1).filter(|last| enough(*last))?;
    let (mut low, mut high) = (0, last);
    while low < high {
        let middle = (low + high) / 2;
        if enough(middle) {
            high = middle
        } else {
            low = middle + 1
        }
    }
    Some(high)
}

/// The probability that of `one + other` fair coins as many or more are `other`s: the exact
/// one-sided form of McNemar's test.
pub fn sign_test(one: usize, other: usize) -> f64 {
    match other.checked_sub(1) {
        None => 1.0,
        Some(below) => Binomial::new(0.5, (one + other) as u64)
            .expect("0.5 is a probability")
            .sf(below as u64),
    }
}

/// Half the width, in standard deviations, of the central interval of a normal distribution that
/// holds this probability.
pub fn central_width(probability: f64) -> f64 {
    Normal::new(0.0, 1.0)
        .expect("the standard normal distribution exists")
        .inverse_cdf(0.5 + 0.5 * probability)
}

/// The quantile of Student's t at `probability`.
fn quantile(probability: f64, degrees_of_freedom: f64) -> f64 {
    StudentsT::new(0.0, 1.0, degrees_of_freedom)
        .expect("at least one degree of freedom")
        .inverse_cdf(probability)
}

/// The greatest distance of a value from the mean, as the paper states its spread.
///
/// # Panics
/// When there is no value.
pub fn greatest_deviation(values: &[f64]) -> f64 {
    let mean = Interval::of(values).mean;
    values.iter().map(|x| (x - mean).abs()).fold(0.0, f64::max)
}

/// The median: the middle value, or the mean of the two middle ones.
///
/// # Panics
/// When there is no value.
pub fn median(values: &[f64]) -> f64 {
    assert!(!values.is_empty(), "the median of nothing was asked for");
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let half = sorted.len() / 2;
    if sorted.len() % 2 == 1 {
        sorted[half]
    } else {
        0.5 * (sorted[half - 1] + sorted[half])
    }
}

/// Complementary error function, accurate in the far tail.
pub fn complementary_error(x: f64) -> f64 {
    erfc(x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_relative_eq;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn the_interval_is_the_tabulated_one() {
        // Student's t, 97.5 %: 12.706 (1 degree of freedom), 4.303 (2), 2.776 (4), 2.023 (39).
        for (df, t) in [(1.0, 12.706), (2.0, 4.303), (4.0, 2.776), (39.0, 2.023)] {
            assert_relative_eq!(quantile(0.975, df), t, epsilon = 5e-4);
        }
        let interval = Interval::of(&[1.0, 2.0, 3.0, 4.0, 5.0]);
        assert_eq!((interval.mean, interval.count), (3.0, 5));
        let half = 2.776_445 * (2.5f64 / 5.0).sqrt();
        assert_relative_eq!(
            interval.half_width.expect("five values"),
            half,
            epsilon = 1e-5
        );
    }

    #[test]
    fn intervals_that_hold_together_are_wider() {
        let values = [1.0, 2.0, 3.0, 4.0, 5.0];
        let (one, ten) = (
            Interval::simultaneous(&values, 1),
            Interval::simultaneous(&values, 10),
        );
        assert_eq!(one, Interval::of(&values));
        // Student's t with 4 degrees of freedom at 1 - 0.0025 is 5.5976.
        let ratio = ten.half_width.expect("five") / one.half_width.expect("five");
        assert_relative_eq!(ratio, 5.597_568 / 2.776_445, epsilon = 1e-5);
        assert_eq!(Interval::simultaneous(&[2.0], 10).half_width, None);
    }

    #[test]
    fn one_value_has_no_interval() {
        let interval = Interval::of(&[4.0]);
        assert_eq!((interval.mean, interval.half_width), (4.0, None));
        assert_eq!(
            (interval.low(), interval.high()),
            (f64::NEG_INFINITY, f64::INFINITY)
        );
    }

    #[test]
    fn a_paired_difference_forgets_what_the_pairs_share() {
        let before = [1.0, 5.0, 9.0, 2.0];
        let after = [0.9, 4.8, 8.9, 1.8];
        let paired = Interval::of_difference(&after, &before);
        assert_relative_eq!(paired.mean, -0.15, epsilon = 1e-12);
        assert!(
            paired.high() < 0.0,
            "clear although the values overlap: {paired:?}"
        );
        assert_relative_eq!(
            paired.low() + paired.high(),
            2.0 * paired.mean,
            epsilon = 1e-12
        );
    }

    #[test]
    fn the_median_s_interval_is_the_tabulated_one() {
        // Ranks from 1 of the sign test's 95 % interval: 1 and 6 of 6, 2 and 9 of 10, 6 and 15 of
        // 20, 40 and 61 of 100.
        for (count, low, high) in [(6, 1, 6), (10, 2, 9), (20, 6, 15), (100, 40, 61)] {
            let values: Vec<f64> = (1..=count)
                .map(|i| f64::from(i * 7 % (count + 1)))
                .collect();
            let mut sorted = values.clone();
            sorted.sort_by(f64::total_cmp);
            let interval = MedianInterval::of(&values);
            assert_eq!(interval.ends, Some([sorted[low - 1], sorted[high - 1]]));
            assert_eq!(interval.median, median(&values));
        }
        let few = MedianInterval::of(&[1.0, 2.0, 3.0, 4.0, 5.0]);
        assert_eq!((few.ends, few.median, few.count), (None, 3.0, 5));
        assert_eq!((few.low(), few.high()), (f64::NEG_INFINITY, f64::INFINITY));
    }

    /// Costs of flights that are nearly all alike and now and then ten times as high, as near a loss:
    /// 4,000 samples, standard error of a coverage .0035.
    #[test]
    fn the_median_s_interval_covers_where_the_mean_s_does_not() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let mut covered = [0.0; 2];
        for _ in 0..4_000 {
            let values: Vec<f64> = (0..200)
                .map(|_| {
                    let usual = random.random::<f64>();
                    if random.random::<f64>() < 0.003 {
                        30.0
                    } else {
                        usual
                    }
                })
                .collect();
            let median = MedianInterval::of(&values);
            // 0.5 of the uniform ones: 0.997 x + 0.003 = 0.5 of all lie below.
            let truth = 0.5 / 0.997;
            covered[0] += f64::from(u8::from((median.low()..=median.high()).contains(&truth)));
            let mean = Interval::of(&values);
            let truth = 0.997 * 0.5 + 0.003 * 30.0;
            covered[1] += f64::from(u8::from((mean.low()..=mean.high()).contains(&truth)));
        }
        let [median, mean] = covered.map(|count| count / 4_000.0);
        assert!((0.945..0.972).contains(&median), "{median}");
        assert!(mean < 0.7, "{mean}");
    }

    #[test]
    fn the_interval_of_clopper_and_pearson_is_the_tabulated_one() {
        // 0 of n: 1 − 0.025^(1/n); and the textbook value for 4 of 20.
        let [low, high] = clopper_pearson(0, 1000);
        assert_eq!(low, 0.0);
        assert!((high - (1.0 - 0.025f64.powf(1e-3))).abs() < 1e-9, "{high}");
        let [low, high] = clopper_pearson(4, 20);
        assert!(
            (low - 0.0573).abs() < 5e-5 && (high - 0.4366).abs() < 5e-5,
            "{low} {high}"
        );
        assert_eq!(clopper_pearson(7, 7)[1], 1.0);
    }

    #[test]
    fn the_ends_of_the_interval_are_where_the_binomial_tails_are() {
        let [low, high] = clopper_pearson(3, 10);
        let beyond = |p: f64| 1.0 - Binomial::new(p, 10).expect("a probability").cdf(2);
        assert_relative_eq!(beyond(low), 0.025, epsilon = 1e-6);
        let up_to = |p: f64| Binomial::new(p, 10).expect("a probability").cdf(3);
        assert_relative_eq!(up_to(high), 0.025, epsilon = 1e-6);
        assert_relative_eq!(clopper_pearson(10, 10)[0].powi(10), 0.025, epsilon = 1e-6);
    }

    #[test]
    fn the_upper_bound_is_the_one_sided_one() {
        // The rule of three made exact, and its defining equation after two losses.
        assert!((upper_bound(0, 200) - (1.0 - 0.05f64.powf(1.0 / 200.0))).abs() < 1e-9);
        let p = upper_bound(2, 40);
        let at_most_two = Binomial::new(p, 40).expect("a probability").cdf(2);
        assert!((at_most_two - 0.05).abs() < 1e-6, "{at_most_two}");
        assert_eq!(upper_bound(3, 3), 1.0);
    }

    #[test]
    fn the_bound_is_wilks_formula() {
        // Wilks 1941: 59 values are the least number whose maximum exceeds the 95 % quantile with
        // 95 % confidence; 93 for the second largest.
        assert_eq!(bound_rank(58, 0.95), None);
        assert_eq!(bound_rank(59, 0.95), Some(58));
        assert_eq!(bound_rank(93, 0.95), Some(91));
        assert_eq!(bound_rank(299, 0.99), Some(298));
    }

    #[test]
    fn the_central_interval_of_one_deviation_holds_68_percent() {
        assert_relative_eq!(central_width(0.682_689_492), 1.0, epsilon = 1e-6);
    }

    #[test]
    fn the_sign_test_counts_coins() {
        // Sums of binomial coefficients over 2^n.
        assert_eq!(sign_test(0, 0), 1.0);
        assert_eq!(sign_test(4, 0), 1.0);
        assert_relative_eq!(sign_test(0, 5), 1.0 / 32.0, epsilon = 1e-12);
        assert_relative_eq!(sign_test(1, 3), 5.0 / 16.0, epsilon = 1e-12);
    }

    #[test]
    fn the_greatest_deviation_is_from_the_mean() {
        assert_eq!(greatest_deviation(&[1.0, 2.0, 6.0]), 3.0);
        assert_eq!(greatest_deviation(&[4.0]), 0.0);
    }

    #[test]
    fn the_median_is_the_middle() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), 2.5);
    }
}
