//! Elementary functions: a fixed power and the arctangent by table and short series, to the last
//! few bits of a double, at a fraction of the library's cost. The propellers' side force lives on
//! them.

use crate::lanes::{MOST_LANES, Real};
use std::f64::consts::FRAC_PI_2;

/// Table entries between a number and its double.
const CELLS: usize = 128;

/// Powers of two that the table covers, half of them below 1.
const OCTAVES: usize = 1024;

/// Greatest |x| for which (1 + x)^p is expanded by [`Power::of_one_plus`].
pub(crate) const NEAR: f64 = 1.0 / 32.0;

/// Terms of the binomial series beyond the first. For |x| ≤ 1/32 and 0 ≤ p ≤ 1 the first term
/// left out is below 2e-14; within a table's cell, where |x| < 1/256, one term fewer leaves 1e-18.
const TERMS: usize = 7;

/// x ↦ x^p for one exponent p.
///
/// With x = 2^e m and m = c (1 + t) for the cell's centre c, x^p = 2^(e p) c^p (1 + t)^p.
#[derive(Debug, Clone)]
pub(crate) struct Power {
    /// c^p and 1/c of each cell.
    cells: Box<[[f64; 2]; CELLS]>,
    /// 2^(e p) for e from −OCTAVES / 2.
    octaves: Box<[f64; OCTAVES]>,
    /// Binomial coefficients of (1 + t)^p from t¹.
    binomials: [f64; TERMS],
}

impl Power {
    /// Where the power is known.
    pub(crate) const RANGE: [f64; 2] = [1e-150, 1e150];

    pub(crate) fn new(exponent: f64) -> Power {
        let centre = |cell: usize| 1.0 + (cell as f64 + 0.5) / CELLS as f64;
        // Not 2^(e p) by exp2: rounding e p would cost what the rest is careful to keep.
        let octave = |k: usize| 2f64.powi(k as i32 - (OCTAVES / 2) as i32).powf(exponent);
        Power {
            cells: Box::new(std::array::from_fn(|cell| {
                [centre(cell).powf(exponent), 1.0 / centre(cell)]
            })),
            octaves: Box::new(std::array::from_fn(octave)),
            binomials: binomials(exponent),
        }
    }

    /// x^p for an x within [`Power::RANGE`]; meaningless for others.
    #[inline(always)]
    pub(crate) fn of<R: Real>(&self, x: R) -> R {
        let bits = x.bits();
        let mut scales = [0.0; MOST_LANES];
        let mut values = [0.0; MOST_LANES];
        let mut reciprocals = [0.0; MOST_LANES];
        for k in 0..R::LANES {
            // The biased exponent counts from −1023, the table from −512.
            scales[k] = self.octaves[((bits[k] >> 52) as usize).wrapping_sub(511) % OCTAVES];
            [values[k], reciprocals[k]] = self.cells[(bits[k] >> 45) as usize % CELLS];
        }
        let t = x.mantissa().times_plus(x.load(&reciprocals), x.like(-1.0));
        let value = x.load(&scales) * x.load(&values);
        let [b1, b2, b3, b4, b5, b6, _] = self.binomials;
        // Estrin's order: three short chains instead of one long one.
        let s = t * t;
        let l = |k: f64| t.like(k);
        let high = t
            .times_plus(l(b6), l(b5))
            .times_plus(s, t.times_plus(l(b4), l(b3)));
        let series = t * high.times_plus(s, t.times_plus(l(b2), l(b1)));
        value.times_plus(series, value)
    }

    /// (1 + x)^p for |x| ≤ [`NEAR`].
    #[inline(always)]
    pub(crate) fn of_one_plus<R: Real>(&self, x: R) -> R {
        of_one_plus(&self.binomials, x)
    }
}

/// (1 + x)^(−1/2) for |x| ≤ [`NEAR`].
#[inline(always)]
pub(crate) fn reciprocal_root_of_one_plus<R: Real>(x: R) -> R {
    const BINOMIALS: [f64; TERMS] = binomials(-0.5);
    of_one_plus(&BINOMIALS, x)
}

/// asin(x) for |x| ≤ [`NEAR`]; the term left out is below 1e-15.
#[inline(always)]
pub(crate) fn arcsine_near_0<R: Real>(x: R) -> R {
    let s = x * x;
    let l = |k: f64| x.like(k);
    let series = s.times_plus(s.times_plus(l(15.0 / 336.0), l(3.0 / 40.0)), l(1.0 / 6.0));
    (x * s).times_plus(series, x)
}

const fn binomials(exponent: f64) -> [f64; TERMS] {
    let mut binomials = [exponent; TERMS];
    let mut k = 1;
    while k < TERMS {
        binomials[k] = binomials[k - 1] * (exponent - k as f64) / (k as f64 + 1.0);
        k += 1;
    }
    binomials
}

#[inline(always)]
fn of_one_plus<R: Real>(binomials: &[f64; TERMS], x: R) -> R {
    let [b1, b2, b3, b4, b5, b6, b7] = *binomials;
    let s = x * x;
    let l = |k: f64| x.like(k);
    let high = s.times_plus(l(b7), x.times_plus(l(b6), l(b5)));
    let middle = high.times_plus(s, x.times_plus(l(b4), l(b3)));
    let low = middle.times_plus(s, x.times_plus(l(b2), l(b1)));
    x.times_plus(low, l(1.0))
}

/// Table entries between 0 and 1.
const STEPS: usize = 128;

/// 2⁵²: adding it to a small positive number rounds that to a whole one, which is then found in
/// the lowest bits.
const WHOLE: f64 = 4_503_599_627_370_496.0;

/// The arctangent of quotients of two numbers that are not negative.
#[derive(Debug, Clone)]
pub(crate) struct Arctangent {
    /// atan(k / STEPS); only the lower half and one more are ever asked for.
    table: Box<[f64; 2 * STEPS]>,
}

impl Arctangent {
    pub(crate) fn new() -> Arctangent {
        Arctangent {
            table: Box::new(std::array::from_fn(|k| (k as f64 / STEPS as f64).atan())),
        }
    }

    /// The angle of the point (x, y) in the first quadrant, for x, y ≥ 0 and not both 0.
    #[inline(always)]
    pub(crate) fn of<R: Real>(&self, y: R, x: R) -> R {
        let flat = y.below(x);
        let (low, high) = (R::pick(flat, y, x), R::pick(flat, x, y));
        let nearest = low / high * STEPS as f64 + WHOLE;
        let bits = nearest.bits();
        let mut angles = [0.0; MOST_LANES];
        for k in 0..R::LANES {
            angles[k] = self.table[bits[k] as usize % (2 * STEPS)];
        }
        // atan(z) = atan(c) + atan((z − c) / (1 + z c)), in which |the quotient| < 1/256; the
        // term left out of its series is below 256⁻⁷ / 7.
        let c = (nearest - WHOLE) * (1.0 / STEPS as f64);
        let t = (-c).times_plus(high, low) / c.times_plus(low, high);
        let s = t * t;
        let l = |k: f64| s.like(k);
        let series = s.times_plus(s.times_plus(l(0.2), l(-1.0 / 3.0)), l(1.0));
        let angle = t.times_plus(series, x.load(&angles));
        R::pick(flat, angle, -angle + FRAC_PI_2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_power_agrees_with_the_library_s(
            mantissa in 1.0f64..2.0, octave in -400i32..400, exponent in 0.0f64..2.0,
        ) {
            let x = mantissa * f64::from(octave).exp2();
            let (got, want) = (Power::new(exponent).of(x), x.powf(exponent));
            prop_assert!((got - want).abs() <= 1e-15 * want, "{x:e}^{exponent}: {got} {want}");
        }

        #[test]
        fn the_power_of_a_number_near_1_agrees_with_the_library_s(
            x in -NEAR..NEAR, exponent in 0.0f64..1.0,
        ) {
            let power = Power::new(exponent);
            let (got, want) = (power.of_one_plus(x), (1.0 + x).powf(exponent));
            prop_assert!((got - want).abs() <= 2e-14, "(1 + {x})^{exponent}: {got} {want}");
            let (got, want) = (reciprocal_root_of_one_plus(x), 1.0 / (1.0 + x).sqrt());
            prop_assert!((got - want).abs() <= 4e-13, "(1 + {x})^-1/2: {got} {want}");
        }

        #[test]
        fn the_arctangent_agrees_with_the_library_s(y in 0.0f64..50.0, x in 1e-9f64..50.0) {
            let (got, want) = (Arctangent::new().of(y, x), y.atan2(x));
            prop_assert!((got - want).abs() <= 5e-16, "{y} {x}: {got} {want}");
        }
    }

    #[test]
    fn the_edges_are_the_library_s() {
        let power = Power::new(0.7125);
        assert_eq!(power.of(1.0), 1.0);
        for x in Power::RANGE {
            let want = x.powf(0.7125);
            assert!((power.of(x) - want).abs() <= 2e-15 * want, "{x:e}");
        }
        let arctangent = Arctangent::new();
        assert_eq!(arctangent.of(0.0, 1.0), 0.0);
        assert_eq!(arctangent.of(1.0, 0.0), FRAC_PI_2);
        assert!((arctangent.of(1.0, 1.0) - FRAC_PI_2 / 2.0).abs() < 2e-16);
    }
}
