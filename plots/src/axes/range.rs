//! Ranges: from where to where an axis goes so that it holds its data with some free space.

/// Free space above and below the data, as a part of its range.
pub const HEADROOM: f64 = 0.06;
/// Least free space, as a part of the largest value.
const LEAST_HEADROOM: f64 = 0.02;
/// Least free space on a logarithmic axis, as a ratio.
const LEAST_FACTOR: f64 = 1.1;

/// A range that holds all `values` with `headroom`, a part of the range, at both ends; about equal
/// values, and about zero for none.
pub fn range(values: impl Iterator<Item = f64>, headroom: f64) -> (f64, f64) {
    let (low, high) = ends(values);
    if low > high {
        return (-1.0, 1.0);
    }
    let magnitude = low.abs().max(high.abs());
    let spare = (headroom * (high - low)).max(LEAST_HEADROOM * magnitude);
    let spare = if spare == 0.0 { 0.1 } else { spare };
    (low - spare, high + spare)
}

/// As [`range`] for a logarithmic axis: a range by equal ratios that holds all positive values;
/// about one for none.
pub fn ratio_range(values: impl Iterator<Item = f64>, headroom: f64) -> (f64, f64) {
    let (low, high) = ends(values.filter(|value| *value > 0.0));
    if low > high {
        return (0.1, 10.0);
    }
    // By logarithms, because the ratio of the widest of ranges overflows.
    let factor = (headroom * (high.ln() - low.ln())).exp().max(LEAST_FACTOR);
    let low = (low / factor).max(f64::MIN_POSITIVE);
    (low, (high * factor).min(f64::MAX))
}

/// The least and the greatest value; of none, the least is the greater.
fn ends(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
        (low.min(value), high.max(value))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_hold_their_values_and_are_never_empty() {
        for values in [
            [0.0, 0.0],
            [5.0, 5.0],
            [-3.0, 7.0],
            [-1e12, 1e12],
            [1e-9, 2e-9],
        ] {
            let (low, high) = range(values.into_iter(), 0.06);
            assert!(low < values[0] && high > values[1], "{values:?}");
            assert!(high - low < 1.2 * (values[1] - values[0]) + 0.05 * high.abs() + 0.3);
        }
    }

    #[test]
    fn ranges_of_any_headroom_hold_their_values() {
        assert_eq!(range([1.0, 3.0].into_iter(), 0.1), (0.8, 3.2));
        assert_eq!(range(std::iter::empty(), 0.1), (-1.0, 1.0));
        let (low, high) = range([5.0; 3].into_iter(), 0.1);
        assert!(low < 5.0 && high > 5.0);
    }

    #[test]
    fn ranges_of_ratios_leave_out_what_has_no_logarithm() {
        let (low, high) = ratio_range([0.0, -3.0, 1.0, 100.0].into_iter(), 0.06);
        assert!((0.5..1.0).contains(&low) && (100.0..200.0).contains(&high));
        assert_eq!(ratio_range([0.0].into_iter(), 0.06), (0.1, 10.0));
        let (low, high) = ratio_range([2.0; 2].into_iter(), 0.06);
        assert!(low < 2.0 && high > 2.0);
        let (low, high) = ratio_range([1e-300, 1e300].into_iter(), 0.06);
        assert!(low > 0.0 && high.is_finite());
    }
}
