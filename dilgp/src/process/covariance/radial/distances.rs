//! Distances: the squared distances, in length scales, of one point from a run of others.

use crate::process::covariance::View;

/// Squared distances beyond this are held here; every profile is constant to rounding there.
const LARGEST_SQUARE: f64 = 1e100;

/// Distances computed side by side; what is asked for is a multiple of it.
pub const LANES: usize = 16;

/// A squared distance, not beyond the largest.
#[inline(always)]
pub(crate) fn held(square: f64) -> f64 {
    if square < LARGEST_SQUARE {
        square
    } else {
        LARGEST_SQUARE
    }
}

/// The rates 1 / l_k^2.
#[derive(Clone, Copy)]
pub enum Rates<'a> {
    /// One for each coordinate.
    Each(&'a [f64]),
    /// One for all.
    Common(f64),
}

/// s for the points from `from` on, as many as there is room for in `out`: whole blocks of [`LANES`].
#[inline(always)]
pub fn squares(rates: Rates, view: View, from: usize, out: &mut [f64]) {
    match rates {
        Rates::Each(rates) => {
            let rates = rates.iter().copied();
            sums(rates, view, from, out, |rate, square| rate * square);
        }
        Rates::Common(rate) => {
            let ones = view.x.iter().map(|_| 1.0);
            sums(ones, view, from, out, |_, square| square);
            out.iter_mut().for_each(|s| *s *= rate);
        }
    }
    out.iter_mut().for_each(|s| *s = held(*s));
}

/// The sum over the coordinates of `term(rate, (x - y)^2)`.
#[inline(always)]
fn sums(
    rates: impl Iterator<Item = f64> + Clone,
    view: View,
    from: usize,
    out: &mut [f64],
    term: impl Fn(f64, f64) -> f64,
) {
    let end = from + out.len();
    for (index, block) in out.as_chunks_mut::<LANES>().0.iter_mut().enumerate() {
        let mut sums = [0.0; LANES];
        for (k, (x, rate)) in view.x.iter().zip(rates.clone()).enumerate() {
            let others = view.coordinate(k, from, end).as_chunks::<LANES>().0;
            let others = &others[index];
            for lane in 0..LANES {
                let gap = x - others[lane];
                sums[lane] += term(rate, gap * gap);
            }
        }
        *block = sums;
    }
}
