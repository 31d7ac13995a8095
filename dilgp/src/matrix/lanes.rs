//! Lanes: loops over slices in the widest vector registers the processor has.
//!
//! The only file that names the dispatch library pulp (which faer brings along). A build for plain
//! x86-64 may use two lanes only; here the same loop is compiled for wider ones as well and chosen
//! when it runs. No multiplication is fused with an addition and every sum has eight running
//! parts, so the width changes the time and not one bit of a result. `exp` and `ln_1p` are
//! written without branches or tables because calls into the mathematical library stop a loop from
//! being vectorised. Blocks are walked by index: zipped iterators that are nested stay calls of
//! their own in each block, which made a fit take a third longer.

/// Runs `work` compiled for this processor's vector registers. To profit, `work` must be marked
/// `#[inline(always)]`, as must what it calls: a function of its own is compiled for all
/// processors alike.
#[inline(always)]
pub fn wide<R>(work: impl FnOnce() -> R) -> R {
    pulp::Arch::new().dispatch(work)
}

/// x . y in eight running sums.
#[inline(always)]
pub fn dot(x: &[f64], y: &[f64]) -> f64 {
    weighed(x, y, |y| y)
}

/// The sum of `weight * term(y)` in eight running sums.
#[inline(always)]
pub fn weighed(weight: &[f64], y: &[f64], term: impl Fn(f64) -> f64) -> f64 {
    let mut sums = [0.0; 8];
    let (w_blocks, w_rest) = weight.as_chunks::<8>();
    let (y_blocks, y_rest) = y.as_chunks::<8>();
    for (w, y) in w_blocks.iter().zip(y_blocks) {
        for k in 0..8 {
            sums[k] += w[k] * term(y[k]);
        }
    }
    // As a sum begins.
    let mut rest = -0.0;
    for k in 0..w_rest.len() {
        rest += w_rest[k] * term(y_rest[k]);
    }
    sums.iter().sum::<f64>() + rest
}

/// The products of one square matrix, column by column, with two vectors, read once. The terms of an
/// entry are added in the order of the columns, as nalgebra adds those of a product with one vector.
pub fn products(matrix: &[f64], x: [&[f64]; 2]) -> [Vec<f64>; 2] {
    let n = x[0].len();
    let [mut first, mut second] = [vec![0.0; n], vec![0.0; n]];
    wide(
        #[inline(always)]
        || {
            for (column, (x0, x1)) in matrix.chunks_exact(n).zip(x[0].iter().zip(x[1])) {
                let sums = first.iter_mut().zip(&mut second);
                for (entry, (first, second)) in column.iter().zip(sums) {
                    *first += entry * x0;
                    *second += entry * x1;
                }
            }
        },
    );
    [first, second]
}

/// 1.5 * 2^52: adding it leaves a number of moderate size rounded to an integer in the low bits.
const ROUNDER: f64 = 6_755_399_441_055_744.0;
/// ln 2 in two parts; the first has 32 trailing zero bits, so its product with a small integer is
/// exact (Cody and Waite, *Software Manual for the Elementary Functions*, 1980).
const LN_2_HIGH: f64 = 6.931_471_803_691_238e-1;
const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;
/// Below this exp is taken as zero: it is under 1e-307.
const SMALLEST_EXPONENT: f64 = -708.0;
/// Above this exp would overflow; larger arguments are held here.
const LARGEST_EXPONENT: f64 = 709.0;

/// e^x within two units in the last place for -708..709; zero below, held above.
#[inline(always)]
pub fn exp(x: f64) -> f64 {
    let held = if x > LARGEST_EXPONENT {
        LARGEST_EXPONENT
    } else {
        x
    };
    let held = if held < SMALLEST_EXPONENT {
        SMALLEST_EXPONENT
    } else {
        held
    };
    let shifted = held * std::f64::consts::LOG2_E + ROUNDER;
    let whole = shifted - ROUNDER;
    let r = (held - whole * LN_2_HIGH) - whole * LN_2_LOW;
    // Taylor's series: at |r| <= ln 2 / 2 the first term left out is below 5e-18.
    let mut series = 1.0 / 6_227_020_800.0;
    for coefficient in [
        1.0 / 479_001_600.0,
        1.0 / 39_916_800.0,
        1.0 / 3_628_800.0,
        1.0 / 362_880.0,
        1.0 / 40_320.0,
        1.0 / 5_040.0,
        1.0 / 720.0,
        1.0 / 120.0,
        1.0 / 24.0,
        1.0 / 6.0,
        0.5,
        1.0,
        1.0,
    ] {
        series = series * r + coefficient;
    }
    let power_of_two = f64::from_bits(shifted.to_bits().wrapping_add(1023) << 52);
    if x < SMALLEST_EXPONENT {
        0.0
    } else {
        series * power_of_two
    }
}

/// log(1 + t) within a few units in the last place for 0 <= t <= 1e300.
#[inline(always)]
pub fn ln_1p(t: f64) -> f64 {
    let u = 1.0 + t;
    let bits = u.to_bits();
    let mantissa = f64::from_bits((bits & 0x000f_ffff_ffff_ffff) | 0x3ff0_0000_0000_0000);
    // 2^52 + e, written as bits, less 2^52: an integer made a float without a conversion.
    let exponent = f64::from_bits((bits >> 52) | 0x4330_0000_0000_0000) - 4_503_599_627_371_519.0;
    let high = mantissa > std::f64::consts::SQRT_2;
    let mantissa = if high { 0.5 * mantissa } else { mantissa };
    let exponent = if high { exponent + 1.0 } else { exponent };
    // log m = 2 artanh f, |f| <= 0.1716.
    let f = (mantissa - 1.0) / (mantissa + 1.0);
    let square = f * f;
    let mut series = 1.0 / 23.0;
    for coefficient in [
        1.0 / 21.0,
        1.0 / 19.0,
        1.0 / 17.0,
        1.0 / 15.0,
        1.0 / 13.0,
        1.0 / 11.0,
        1.0 / 9.0,
        1.0 / 7.0,
        1.0 / 5.0,
        1.0 / 3.0,
        1.0,
    ] {
        series = series * square + coefficient;
    }
    // What 1 + t rounded away, to first order.
    let lost = (t - (u - 1.0)) / u;
    exponent * LN_2_HIGH + (2.0 * f * series + (lost + exponent * LN_2_LOW))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exp_agrees_with_the_library_over_its_range() {
        for i in 0..200_000 {
            let x = -720.0 + i as f64 * 0.007_13;
            let (ours, theirs) = (exp(x), x.exp());
            if (SMALLEST_EXPONENT..=LARGEST_EXPONENT).contains(&x) {
                approx::assert_relative_eq!(ours, theirs, max_relative = 1e-15);
            } else if x < SMALLEST_EXPONENT {
                assert_eq!(ours, 0.0);
            }
        }
        assert_eq!(exp(0.0), 1.0);
        assert_eq!(exp(f64::NEG_INFINITY), 0.0);
        assert!(exp(1e9).is_finite());
    }

    #[test]
    fn ln_1p_agrees_with_the_library_from_the_smallest_to_the_largest() {
        for i in -3000..3000 {
            let t = 10f64.powf(i as f64 * 0.1);
            approx::assert_relative_eq!(ln_1p(t), t.ln_1p(), max_relative = 2e-15);
        }
        assert_eq!(ln_1p(0.0), 0.0);
    }

    #[test]
    fn two_products_in_one_pass_are_those_of_nalgebra_to_the_last_bit() {
        for n in [1, 7, 16, 37, 64] {
            let matrix = nalgebra::DMatrix::from_fn(n, n, |i, j| (1.3 * i as f64 + j as f64).sin());
            let x = nalgebra::DVector::from_fn(n, |i, _| (2.1 * i as f64).cos());
            let y = nalgebra::DVector::from_fn(n, |i, _| (0.3 * i as f64).exp());
            let [of_x, of_y] = products(matrix.as_slice(), [x.as_slice(), y.as_slice()]);
            assert_eq!(of_x, (&matrix * &x).as_slice());
            assert_eq!(of_y, (&matrix * &y).as_slice());
        }
    }

    #[test]
    fn sums_are_the_same_bits_at_any_width() {
        let x: Vec<f64> = (0..101).map(|i| (i as f64).sin()).collect();
        let y: Vec<f64> = (0..101).map(|i| (1.7 * i as f64).cos()).collect();
        let wide_dot = wide(|| dot(&x, &y));
        assert_eq!(wide_dot.to_bits(), dot(&x, &y).to_bits());
        assert_eq!(wide_dot.to_bits(), weighed(&x, &y, |y| y).to_bits());
        let exponentials = wide(|| y.iter().map(|y| exp(*y)).collect::<Vec<_>>());
        assert_eq!(exponentials, y.iter().map(|y| exp(*y)).collect::<Vec<_>>());
    }
}
