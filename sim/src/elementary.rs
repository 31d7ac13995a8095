//! Elementary functions: a fixed power and the arctangent by table and short series, to the last
//! few bits of a double, at a fraction of the library's cost. The propellers' side force evaluates
//! them a dozen times in every integration step.

use std::f64::consts::FRAC_PI_2;

/// Table entries between a number and its double.
const CELLS: usize = 128;

/// Exponents of two on either side of 1 that the table covers; beyond, the library serves.
const EXPONENTS: i32 = 40;

/// Terms of the binomial series beyond the first. Within a cell |t| < 1/256, so the first term
/// left out is below 256⁻⁷ = 1e-17.
const TERMS: usize = 6;

/// x ↦ x^p for one exponent p and any x ≥ 0.
///
/// With x = 2^e m and m = c (1 + t) for the cell's centre c, x^p = 2^(e p) c^p (1 + t)^p.
#[derive(Debug, Clone)]
pub(crate) struct Power {
    exponent: f64,
    /// c^p and 1/c of each cell.
    cells: Box<[[f64; 2]; CELLS]>,
    /// 2^(e p) for e from −EXPONENTS.
    octaves: Box<[f64; 2 * EXPONENTS as usize]>,
    /// Binomial coefficients of (1 + t)^p from t¹.
    binomials: [f64; TERMS],
}

impl Power {
    pub(crate) fn new(exponent: f64) -> Power {
        let mut binomials = [exponent; TERMS];
        for k in 1..TERMS {
            binomials[k] = binomials[k - 1] * (exponent - k as f64) / (k as f64 + 1.0);
        }
        let centre = |cell: usize| 1.0 + (cell as f64 + 0.5) / CELLS as f64;
        let octave = |k: usize| 2f64.powi(k as i32 - EXPONENTS).powf(exponent);
        Power {
            exponent,
            cells: Box::new(std::array::from_fn(|cell| {
                [centre(cell).powf(exponent), 1.0 / centre(cell)]
            })),
            octaves: Box::new(std::array::from_fn(octave)),
            binomials,
        }
    }

    /// x^p.
    #[inline]
    pub(crate) fn of(&self, x: f64) -> f64 {
        let bits = x.to_bits();
        // Sign bit and biased exponent; a negative number lands out of range and goes to the
        // library, as do 0, NaN and the infinite.
        let octave = (bits >> 52) as i32 - 1023 + EXPONENTS;
        let Some(scale) = usize::try_from(octave)
            .ok()
            .and_then(|k| self.octaves.get(k))
        else {
            return x.powf(self.exponent);
        };
        let [value, reciprocal] = self.cells[(bits >> 45) as usize % CELLS];
        let mantissa = f64::from_bits((bits & ((1 << 52) - 1)) | (1023 << 52));
        let t = mantissa * reciprocal - 1.0;
        let [b1, b2, b3, b4, b5, b6] = self.binomials;
        // Estrin's order: three short chains instead of one long one.
        let s = t * t;
        let series = t * ((b1 + t * b2) + s * ((b3 + t * b4) + s * (b5 + t * b6)));
        let value = scale * value;
        value + value * series
    }
}

/// Table entries between 0 and 1.
const STEPS: usize = 128;

/// The arctangent of quotients of two numbers that are not negative.
#[derive(Debug, Clone)]
pub(crate) struct Arctangent {
    /// atan(k / STEPS).
    table: Box<[f64; STEPS + 1]>,
}

impl Arctangent {
    pub(crate) fn new() -> Arctangent {
        Arctangent {
            table: Box::new(std::array::from_fn(|k| (k as f64 / STEPS as f64).atan())),
        }
    }

    /// The angle of the point (x, y) in the first quadrant, for x, y ≥ 0 and not both 0.
    #[inline]
    pub(crate) fn of(&self, y: f64, x: f64) -> f64 {
        let (low, high) = if y < x { (y, x) } else { (x, y) };
        let cell = ((low / high * STEPS as f64 + 0.5) as usize).min(STEPS);
        // atan(z) = atan(c) + atan((z − c) / (1 + z c)), in which |the quotient| < 1/256; the
        // term left out of its series is below 256⁻⁷ / 7.
        let c = cell as f64 * (1.0 / STEPS as f64);
        let t = (low - c * high) / (high + c * low);
        let s = t * t;
        let angle = self.table[cell] + t * (1.0 - s * (1.0 / 3.0 - s * 0.2));
        if y < x { angle } else { FRAC_PI_2 - angle }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_power_agrees_with_the_library_s(
            mantissa in 1.0f64..2.0, octave in -60i32..60, exponent in 0.0f64..2.0,
        ) {
            let x = mantissa * f64::from(octave).exp2();
            let (got, want) = (Power::new(exponent).of(x), x.powf(exponent));
            prop_assert!((got - want).abs() <= 1e-15 * want, "{x}^{exponent}: {got} {want}");
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
        assert_eq!(power.of(0.0), 0.0);
        assert_eq!(power.of(f64::INFINITY), f64::INFINITY);
        assert!(power.of(-1.0).is_nan() && power.of(f64::NAN).is_nan());
        assert_eq!(power.of(1.0), 1.0);
        let arctangent = Arctangent::new();
        assert_eq!(arctangent.of(0.0, 1.0), 0.0);
        assert_eq!(arctangent.of(1.0, 0.0), FRAC_PI_2);
        assert!((arctangent.of(1.0, 1.0) - FRAC_PI_2 / 2.0).abs() < 2e-16);
    }
}
