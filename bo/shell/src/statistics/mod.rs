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
        let (mean, error) = mean_and_standard_error(values);
        let quantile = || quantile(0.975, values.len() as f64 - 1.0);
        Interval {
            mean,
            half_width: error.map(|error| quantile() * error),
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

    /// The same of counts: without an interval where all are the same, which says nothing about
    /// their spread.
    pub fn of_counts(self) -> Interval {
        Interval {
            half_width: self.half_width.filter(|half| *half > 0.0),
            ..self
        }
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

/// The mean of `values`, which are some, and its standard error where they are several.
pub fn mean_and_standard_error(values: &[f64]) -> (f64, Option<f64>) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|x| (x - mean).powi(2)).sum();
    let error = (values.len() > 1).then(|| (squares / (n - 1.0) / n).sqrt());
    (mean, error)
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
/// with at least 95 % confidence; `None` if even all do not.
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

/// "0.345 ± 0.012" with so many digits behind the point, or the bare value if there is no spread.
pub fn plus_minus(value: f64, spread: Option<f64>, digits: usize) -> String {
    match spread {
        Some(spread) => format!("{value:.digits$} ± {spread:.digits$}"),
        None => format!("{value:.digits$}"),
    }
}

/// "0.345 [0.333, 0.358]", or the bare value if there is no interval.
fn enclosed(value: f64, ends: Option<[f64; 2]>, number: impl Fn(f64) -> String) -> String {
    match ends {
        Some([low, high]) => format!("{} [{}, {}]", number(value), number(low), number(high)),
        None => number(value),
    }
}

fn with_sign(value: f64) -> String {
    format!("{value:+.3}")
}

impl Interval {
    /// "0.345 ± 0.012", or the bare mean of a single value.
    pub fn plus_minus(&self, digits: usize) -> String {
        plus_minus(self.mean, self.half_width, digits)
    }

    /// A difference with its sign, "−0.041 ± 0.012".
    pub fn signed_plus_minus(&self, digits: usize) -> String {
        let sign = if self.mean < 0.0 { "−" } else { "+" };
        let size = plus_minus(self.mean.abs(), self.half_width, digits);
        format!("{sign}{size}")
    }

    /// A difference with its range, "-0.041 [-0.052, -0.030]".
    pub fn signed_range(&self, digits: usize) -> String {
        let ends = self.half_width.map(|_| [self.low(), self.high()]);
        enclosed(self.mean, ends, |value| format!("{value:+.digits$}"))
    }
}

impl MedianInterval {
    /// "0.345 [0.333, 0.358]", each number as `number` writes it; the bare median where there is no
    /// interval.
    pub fn range(&self, number: impl Fn(f64) -> String) -> String {
        enclosed(self.median, self.ends, number)
    }

    /// To three digits, "0.345 [0.333, 0.358]".
    pub fn plain(&self) -> String {
        self.range(|value| format!("{value:.3}"))
    }

    /// A difference, "-0.041 [-0.052, -0.030]"; says so if there is no interval.
    pub fn signed(&self) -> String {
        let note = match self.ends {
            Some(_) => "",
            None => " (too few for an interval)",
        };
        self.range(with_sign) + note
    }
}

#[cfg(test)]
mod tests;
