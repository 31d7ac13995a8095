//! Warp: targets made more nearly normal before a Gaussian process sees them.
//!
//! Yeo and Johnson (Biometrika 87, 2000), their power transform with the exponent of maximal
//! likelihood, applied to standardised values. Costs are often skewed: a few terrible values
//! would otherwise stretch the process' scale until good values cannot be told apart. The map is
//! increasing, so that the order of the values, and the best of them, stay what they are.

/// Exponents searched; 1 changes nothing, 0 is a logarithm above the mean.
const EXPONENTS: (f64, f64) = (-3.0, 2.0);

/// Steps of the search; each takes a third off the interval.
const STEPS: usize = 40;

/// An increasing map of the real line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Warp {
    mean: f64,
    scale: f64,
    exponent: f64,
}

impl Warp {
    /// Standardises by `values`, which must be finite, and changes nothing else.
    pub fn linear(values: &[f64]) -> Warp {
        let largest = values.iter().fold(0.0f64, |most, v| most.max(v.abs()));
        let count = values.len().max(1) as f64;
        // In units of the largest, so that no sum or square overflows.
        let unit = if largest > 0.0 { largest } else { 1.0 };
        let mean = values.iter().map(|v| v / unit).sum::<f64>() / count;
        let variance = values
            .iter()
            .map(|v| (v / unit - mean).powi(2))
            .sum::<f64>()
            / count;
        let spread = variance.sqrt();
        let scale = if spread > 1e-13 { spread * unit } else { unit };
        Warp {
            mean: mean * unit,
            scale,
            exponent: 1.0,
        }
    }

    /// The map under which `values` are most nearly normal.
    pub fn fit(values: &[f64]) -> Warp {
        let linear = Warp::linear(values);
        let standard: Vec<f64> = values.iter().map(|v| linear.apply(*v)).collect();
        let (mut low, mut high) = EXPONENTS;
        // The likelihood has one maximum; a third of the interval is cut off at a time.
        for _ in 0..STEPS {
            let third = (high - low) / 3.0;
            if likelihood(&standard, low + third) < likelihood(&standard, high - third) {
                low += third;
            } else {
                high -= third;
            }
        }
        Warp {
            exponent: 0.5 * (low + high),
            ..linear
        }
    }

    /// The image of `value`.
    pub fn apply(&self, value: f64) -> f64 {
        power((value - self.mean) / self.scale, self.exponent)
    }

    /// The exponent found; 1 changes nothing.
    pub fn exponent(&self) -> f64 {
        self.exponent
    }
}

/// Yeo and Johnson's transform.
fn power(z: f64, exponent: f64) -> f64 {
    if z >= 0.0 {
        raised(z, exponent)
    } else {
        -raised(-z, 2.0 - exponent)
    }
}

/// ((1 + z)^p - 1) / p, and its limit log(1 + z) at p = 0.
fn raised(z: f64, p: f64) -> f64 {
    let log = z.ln_1p();
    if p.abs() < 1e-9 {
        log
    } else {
        (p * log).exp_m1() / p
    }
}

/// Log likelihood of the exponent for standardised values, without its constant.
fn likelihood(standard: &[f64], exponent: f64) -> f64 {
    let count = standard.len() as f64;
    let mapped: Vec<f64> = standard.iter().map(|z| power(*z, exponent)).collect();
    let mean = mapped.iter().sum::<f64>() / count;
    let variance = mapped.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / count;
    let stretch: f64 = standard.iter().map(|z| z.signum() * z.abs().ln_1p()).sum();
    -0.5 * count * variance.max(f64::MIN_POSITIVE).ln() + (exponent - 1.0) * stretch
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_order_is_kept_and_every_image_is_finite(
            values in prop::collection::vec(-1e6f64..1e6, 2..40),
            magnitude in -12i32..12,
        ) {
            let values: Vec<f64> = values.iter().map(|v| v * 10f64.powi(magnitude)).collect();
            let warp = Warp::fit(&values);
            for a in &values {
                prop_assert!(warp.apply(*a).is_finite());
                for b in &values {
                    if a < b {
                        prop_assert!(warp.apply(*a) <= warp.apply(*b));
                    }
                }
            }
        }
    }

    #[test]
    fn skewed_values_become_symmetric() {
        // Quantiles of a log-normal distribution: very skewed.
        let values: Vec<f64> = (-20..=20).map(|i| (0.15 * f64::from(i)).exp()).collect();
        let skewness = |v: &[f64]| {
            let n = v.len() as f64;
            let mean = v.iter().sum::<f64>() / n;
            let moment = |p| v.iter().map(|x| (x - mean).powi(p)).sum::<f64>() / n;
            moment(3) / moment(2).powf(1.5)
        };
        let warp = Warp::fit(&values);
        let mapped: Vec<f64> = values.iter().map(|v| warp.apply(*v)).collect();
        assert!(skewness(&values) > 1.5);
        assert!(skewness(&mapped).abs() < 0.7, "{}", skewness(&mapped));
        assert!(warp.exponent() < 0.0);
    }

    #[test]
    fn an_exponent_of_one_changes_nothing_and_neighbours_of_the_limits_agree() {
        for z in [-3.0, -0.1, 0.0, 0.4, 7.0] {
            assert!((power(z, 1.0) - z).abs() < 1e-14 * (1.0 + z.abs()));
            for p in [0.0, 2.0] {
                let (below, above) = (power(z, p - 2e-9), power(z, p + 2e-9));
                assert!((power(z, p) - 0.5 * (below + above)).abs() < 1e-7);
            }
        }
    }

    #[test]
    fn constant_values_are_mapped_to_one_finite_number() {
        for value in [0.0, 3.0, -1e300] {
            assert!(Warp::fit(&[value; 5]).apply(value).abs() < 1e-9);
        }
    }
}
