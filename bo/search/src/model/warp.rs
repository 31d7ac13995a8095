//! Warp: targets made more nearly normal before a Gaussian process sees them.
//!
//! Yeo and Johnson (Biometrika 87, 2000), their power transform with the exponent of maximal
//! likelihood, applied to values less their median in units of what the lower half of them is
//! wide. Costs are often skewed: a few terrible values would otherwise stretch the process' scale
//! until good values cannot be told apart; mean and standard deviation, the usual units, are
//! themselves those of the terrible values, and where values span five decades all good ones then
//! have the same image. The map is increasing, so that the order of the values, and the best of
//! them, stay what they are.

use shell::statistics::median;

/// Exponents searched above the median; 1 changes nothing, 0 is a logarithm.
const EXPONENTS: (f64, f64) = (-3.0, 2.0);

/// Steps of the search; each takes a third off the interval.
const STEPS: usize = 40;

/// Distances from the lower quartile to the median in a unit. On the functions that chose it regret is
/// about .8 times what it is in standard deviations.
const EXACT_UNIT: f64 = 2.0;

/// The same of noisy values, which a finer unit would take apart into noise: .85 to .95 times.
const NOISY_UNIT: f64 = 4.0;

/// Least part of the standard deviation that a unit may be.
const LEAST_UNIT: f64 = 1e-9;

/// An increasing map of the real line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Warp {
    /// What is mapped to 0.
    centre: f64,
    scale: f64,
    /// Exponents of what lies above the centre and below it.
    exponents: [f64; 2],
}

impl Warp {
    /// Standardises by `values`, which must be finite, and changes nothing else.
    pub fn linear(values: &[f64]) -> Warp {
        let unit = largest(values);
        let count = values.len().max(1) as f64;
        let mean = values.iter().map(|v| v / unit).sum::<f64>() / count;
        let variance = values
            .iter()
            .map(|v| (v / unit - mean).powi(2))
            .sum::<f64>()
            / count;
        let spread = variance.sqrt();
        let scale = if spread > 1e-13 { spread * unit } else { unit };
        Warp {
            centre: mean * unit,
            scale,
            exponents: [1.0; 2],
        }
    }

    /// The map under which `values` are most nearly normal. Of `noisy` ones those below the median
    /// keep their distances, which are as much noise there as anywhere.
    pub fn fit(values: &[f64], noisy: bool) -> Warp {
        let standardised = Warp::by_the_lower_half(values, noisy);
        let standardised = standardised.unwrap_or_else(|| Warp::linear(values));
        let standard: Vec<f64> = values.iter().map(|v| standardised.apply(*v)).collect();
        let exponents = |above: f64| [above, if noisy { 1.0 } else { 2.0 - above }];
        let (mut low, mut high) = EXPONENTS;
        // The likelihood has one maximum; a third of the interval is cut off at a time.
        for _ in 0..STEPS {
            let third = (high - low) / 3.0;
            let ends = [low + third, high - third];
            let [lower, higher] = ends.map(|at| likelihood(&standard, exponents(at)));
            if lower < higher {
                low += third;
            } else {
                high -= third;
            }
        }
        Warp {
            exponents: exponents(0.5 * (low + high)),
            ..standardised
        }
    }

    /// Standardises by the median and the lower quartile; nothing where a quarter of `values` are
    /// alike, or nearly, beside the rest.
    fn by_the_lower_half(values: &[f64], noisy: bool) -> Option<Warp> {
        if values.is_empty() {
            return None;
        }
        let unit = largest(values);
        let mut ascending: Vec<f64> = values.iter().map(|v| v / unit).collect();
        ascending.sort_by(f64::total_cmp);
        let lower = &ascending[..ascending.len().div_ceil(2)];
        let centre = median(&ascending);
        let distances = if noisy { NOISY_UNIT } else { EXACT_UNIT };
        let scale = distances * (centre - median(lower)) * unit;
        let sound = scale.is_finite() && scale > LEAST_UNIT * Warp::linear(values).scale;
        sound.then_some(Warp {
            centre: centre * unit,
            scale,
            exponents: [1.0; 2],
        })
    }

    /// The image of `value`.
    pub fn apply(&self, value: f64) -> f64 {
        // Halves have the same digits, and their difference does not overflow.
        let distance = 0.5 * value - 0.5 * self.centre;
        power(distance / (0.5 * self.scale), self.exponents)
    }

    /// The derivative of the image at `value`.
    pub fn slope(&self, value: f64) -> f64 {
        let z = (0.5 * value - 0.5 * self.centre) / (0.5 * self.scale);
        let [above, below] = self.exponents;
        let exponent = if z >= 0.0 { above } else { below };
        (1.0 + z.abs()).powf(exponent - 1.0) / self.scale
    }

    /// The value whose image is `image`: infinite beyond the images of finite values.
    pub fn invert(&self, image: f64) -> f64 {
        let [above, below] = self.exponents;
        let z = match image >= 0.0 {
            true => lowered(image, above),
            false => -lowered(-image, below),
        };
        self.centre + z * self.scale
    }
}

/// The inverse of [`raised`]; infinite where no number is raised to `value`.
fn lowered(value: f64, p: f64) -> f64 {
    let log = match p.abs() < 1e-9 {
        true => value,
        false => (p * value).ln_1p() / p,
    };
    if log.is_nan() {
        f64::INFINITY
    } else {
        log.exp_m1()
    }
}

/// The largest of `values` by size, in units of which no sum or square of them overflows.
fn largest(values: &[f64]) -> f64 {
    let largest = values.iter().fold(0.0f64, |most, v| most.max(v.abs()));
    if largest > 0.0 { largest } else { 1.0 }
}

/// Yeo and Johnson's transform, which has 2 - p below where it has p above.
fn power(z: f64, [above, below]: [f64; 2]) -> f64 {
    if z >= 0.0 {
        raised(z, above)
    } else {
        -raised(-z, below)
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

/// Log likelihood of the exponents for standardised values, without its constant.
fn likelihood(standard: &[f64], exponents: [f64; 2]) -> f64 {
    let count = standard.len() as f64;
    let mapped: Vec<f64> = standard.iter().map(|z| power(*z, exponents)).collect();
    let mean = mapped.iter().sum::<f64>() / count;
    let variance = mapped.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / count;
    // Logarithm of the map's slope at each value.
    let slope = |z: &f64| (exponents[usize::from(*z < 0.0)] - 1.0) * z.abs().ln_1p();
    let stretch: f64 = standard.iter().map(slope).sum();
    -0.5 * count * variance.max(f64::MIN_POSITIVE).ln() + stretch
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
            noisy in any::<bool>(),
        ) {
            let values: Vec<f64> = values.iter().map(|v| v * 10f64.powi(magnitude)).collect();
            let warp = Warp::fit(&values, noisy);
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
        assert!(skewness(&values) > 1.5);
        for noisy in [false, true] {
            let warp = Warp::fit(&values, noisy);
            let mapped: Vec<f64> = values.iter().map(|v| warp.apply(*v)).collect();
            assert!(skewness(&mapped).abs() < 0.7, "{}", skewness(&mapped));
            assert!(warp.exponents[0] < 0.2, "{:?}", warp.exponents);
        }
    }

    #[test]
    fn an_exponent_of_one_changes_nothing_and_neighbours_of_the_limits_agree() {
        for z in [-3.0, -0.1, 0.0, 0.4, 7.0] {
            assert!((power(z, [1.0; 2]) - z).abs() < 1e-14 * (1.0 + z.abs()));
            for p in [0.0, 2.0] {
                let at = |p: f64| power(z, [p, 2.0 - p]);
                let (below, above) = (at(p - 2e-9), at(p + 2e-9));
                assert!((at(p) - 0.5 * (below + above)).abs() < 1e-7);
            }
        }
    }

    #[test]
    fn constant_values_are_mapped_to_one_finite_number() {
        assert!(Warp::fit(&[], true).apply(3.0).is_finite());
        for value in [0.0, 3.0, -1e300] {
            assert!(Warp::fit(&[value; 5], false).apply(value).abs() < 1e-9);
        }
    }

    #[test]
    fn values_at_the_end_of_the_numbers_have_finite_images() {
        let most = f64::MAX;
        for noisy in [false, true] {
            for values in [[-most, -most, 0.0, most], [-most, 0.5 * most, most, most]] {
                let warp = Warp::fit(&values, noisy);
                let images = values.map(|value| warp.apply(value));
                assert!(images.iter().all(|image| image.is_finite()), "{images:?}");
                assert!(images[0] < images[2] && images.is_sorted(), "{images:?}");
            }
        }
    }

    #[test]
    fn good_values_are_told_apart_whatever_the_worst_ones_are() {
        let good = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
        for worst in [10.0, 1e3, 1e6, 1e9] {
            for noisy in [false, true] {
                let values = [&good[..], &[0.1 * worst, worst]].concat();
                let warp = Warp::fit(&values, noisy);
                let whole = warp.apply(worst) - warp.apply(1.0);
                let told = (warp.apply(2.0) - warp.apply(1.0)) / whole;
                assert!(told > 0.01, "{worst} {noisy}: {told}");
            }
        }
    }

    #[test]
    fn noisy_values_below_the_median_keep_their_distances() {
        let values: Vec<f64> = (-20..=20).map(|i| (0.3 * f64::from(i)).exp()).collect();
        let warp = Warp::fit(&values, true);
        let step = |from: f64| warp.apply(from + 0.1) - warp.apply(from);
        assert!((step(0.1) / step(0.8) - 1.0).abs() < 1e-12);
        assert!(step(5.0) < 0.9 * step(0.8));
    }
}
