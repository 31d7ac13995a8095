//! Phrases: intervals as tables, pages and closing lines print them.

use super::{Interval, MedianInterval};

/// "0.345 ± 0.012" with so many digits behind the point, or the bare value where there is no spread.
pub fn plus_minus(value: f64, spread: Option<f64>, digits: usize) -> String {
    match spread {
        Some(spread) => format!("{value:.digits$} ± {spread:.digits$}"),
        None => format!("{value:.digits$}"),
    }
}

/// "0.345 [0.333, 0.358]", or the bare value where there is no interval.
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

    /// A difference, "-0.041 [-0.052, -0.030]"; says so where there is no interval.
    pub fn signed(&self) -> String {
        let note = match self.ends {
            Some(_) => "",
            None => " (too few for an interval)",
        };
        self.range(with_sign) + note
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_printed_with_their_spread() {
        let interval = MedianInterval {
            median: 0.3456,
            ends: Some([0.333, 0.3579]),
            count: 40,
        };
        assert_eq!(interval.plain(), "0.346 [0.333, 0.358]");
        assert_eq!(interval.signed(), "+0.346 [+0.333, +0.358]");
        let few = MedianInterval {
            median: -0.5,
            ends: None,
            count: 3,
        };
        assert_eq!(few.plain(), "-0.500");
        assert_eq!(few.signed(), "-0.500 (too few for an interval)");
        let mean = Interval {
            mean: -0.0412,
            half_width: Some(0.0119),
            count: 5,
        };
        assert_eq!(mean.plus_minus(3), "-0.041 ± 0.012");
        assert_eq!(mean.signed_plus_minus(4), "−0.0412 ± 0.0119");
        assert_eq!(mean.signed_range(3), "-0.041 [-0.053, -0.029]");
        assert_eq!(mean.signed_range(2), "-0.04 [-0.05, -0.03]");
        let single = Interval {
            half_width: None,
            count: 1,
            ..mean
        };
        assert_eq!(single.plus_minus(3), "-0.041");
        assert_eq!(single.signed_range(3), "-0.041");
    }
}
