//! Lanes: the numbers of several flights side by side, one flight a lane.
//!
//! The simulator's arithmetic is written once, over [`Real`]: a single number for a flight alone,
//! four or eight of them for a batch. Every operation acts on each lane independently and rounds as
//! IEEE 754 says. Processors since about 2013 multiply and add with one rounding, the portable
//! instructions with two ([`Real::times_plus`]): with either, a flight has the same bits alone and
//! in any lane, but not the same bits as with the other.

pub(crate) mod axes;
pub(crate) mod elementary;
#[cfg(target_arch = "x86_64")]
mod fused;
mod pack;
#[cfg(target_arch = "x86_64")]
mod x86;

use pack::Pack;

use std::ops::{Add, Div, Mul, Neg, Sub};

/// Which instructions flights are computed with. The results of [`Avx512`](Instructions::Avx512)
/// and [`Avx2`](Instructions::Avx2) are the same to the last bit; those of
/// [`Portable`](Instructions::Portable) differ from them by rounding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Instructions {
    /// The 512-bit instructions of some x86 processors since about 2017.
    Avx512,
    /// The 256-bit instructions, and the fused multiply-add, of x86 processors since about 2013.
    Avx2,
    /// Those that every processor has.
    Portable,
}

impl Instructions {
    /// The fastest that this processor has.
    pub fn best() -> Instructions {
        #[cfg(target_arch = "x86_64")]
        return x86::best();
        #[cfg(not(target_arch = "x86_64"))]
        Instructions::Portable
    }
}

impl std::fmt::Display for Instructions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Instructions::Avx512 => "AVX-512",
            Instructions::Avx2 => "AVX2",
            Instructions::Portable => "portable",
        })
    }
}

/// Something to be done in one lane or in several at once.
pub(crate) trait Work {
    /// What comes of it.
    type Output;

    /// Does it; `zero` is 0 in every lane. To be inlined, or the lanes are slow.
    fn run<R: Real>(self, zero: R) -> Self::Output;
}

/// Does `work` in several lanes with `instructions`, or with the next best where the processor has
/// not got them.
pub(crate) fn run<W: Work>(instructions: Instructions, work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    let work = match x86::run(instructions, true, work) {
        Ok(output) => return output,
        Err(work) => work,
    };
    let _ = instructions;
    work.run(Pack::zero())
}

/// Does `work` in a single lane with `instructions`, or with the next best. The wide ones serve a
/// single lane too: instructions with three operands and more registers save a third of all moves.
pub(crate) fn run_single<W: Work>(instructions: Instructions, work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    let work = match x86::run(instructions, false, work) {
        Ok(output) => return output,
        Err(work) => work,
    };
    let _ = instructions;
    work.run(0.0)
}

/// The widest value of this kind.
pub(crate) const MOST_LANES: usize = 8;

/// The bits of a double's fraction, and those of the number 1.
const FRACTION: u64 = (1 << 52) - 1;
const ONE: u64 = 1023 << 52;

/// A real number, or one for each lane.
pub(crate) trait Real:
    Copy
    + Neg<Output = Self>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Add<f64, Output = Self>
    + Sub<f64, Output = Self>
    + Mul<f64, Output = Self>
{
    /// How many lanes there are.
    const LANES: usize;

    /// A truth value for each lane.
    type Mask: Copy;

    /// `x` in every lane.
    fn like(self, x: f64) -> Self;

    /// The first numbers of an array, one a lane.
    fn load(self, lanes: &[f64; MOST_LANES]) -> Self;

    /// self × `by` + `plus`, rounded once where the instructions can.
    fn times_plus(self, by: Self, plus: Self) -> Self;

    /// The bits of each lane, and nothing for lanes that are not there.
    fn bits(self) -> [u64; MOST_LANES];

    /// The number of the same fraction between 1 and 2: the sign and the exponent are lost.
    fn mantissa(self) -> Self;

    /// The number in lane `k`.
    fn lane(self, k: usize) -> f64;

    /// Square root.
    fn sqrt(self) -> Self;

    /// Absolute value.
    fn abs(self) -> Self;

    /// `self` where it is below `other`, else `other`; so `other` where either is NaN.
    fn lesser(self, other: Self) -> Self;

    /// `self` where it is above `other`, else `other`; so `other` where either is NaN.
    fn greater(self, other: Self) -> Self;

    /// Where `self` < `other`; not where either is NaN.
    fn below(self, other: Self) -> Self::Mask;

    /// Where `low` ≤ `self` ≤ `high`; not where `self` is NaN.
    fn within(self, low: f64, high: f64) -> Self::Mask;

    /// `yes` where the mask holds, else `no`.
    fn pick(mask: Self::Mask, yes: Self, no: Self) -> Self;

    /// Where both masks hold.
    fn both(one: Self::Mask, other: Self::Mask) -> Self::Mask;

    /// Whether the mask holds in every lane.
    fn all(self, mask: Self::Mask) -> bool;

    /// f(k) in lane k.
    #[inline(always)]
    fn fill(self, mut f: impl FnMut(usize) -> f64) -> Self {
        let mut lanes = [0.0; MOST_LANES];
        for (k, lane) in lanes.iter_mut().enumerate().take(Self::LANES) {
            *lane = f(k);
        }
        self.load(&lanes)
    }

    /// The number limited to ±`most`.
    #[inline(always)]
    fn clamped(self, most: f64) -> Self {
        self.lesser(self.like(most)).greater(self.like(-most))
    }
}

impl Real for f64 {
    const LANES: usize = 1;
    type Mask = bool;

    #[inline(always)]
    fn like(self, x: f64) -> f64 {
        x
    }

    #[inline(always)]
    fn load(self, lanes: &[f64; MOST_LANES]) -> f64 {
        lanes[0]
    }

    #[inline(always)]
    fn times_plus(self, by: f64, plus: f64) -> f64 {
        self * by + plus
    }

    #[inline(always)]
    fn bits(self) -> [u64; MOST_LANES] {
        let mut bits = [0; MOST_LANES];
        bits[0] = self.to_bits();
        bits
    }

    #[inline(always)]
    fn mantissa(self) -> f64 {
        f64::from_bits(self.to_bits() & FRACTION | ONE)
    }

    #[inline(always)]
    fn lane(self, _: usize) -> f64 {
        self
    }

    #[inline(always)]
    fn sqrt(self) -> f64 {
        f64::sqrt(self)
    }

    #[inline(always)]
    fn abs(self) -> f64 {
        f64::abs(self)
    }

    #[inline(always)]
    fn lesser(self, other: f64) -> f64 {
        if self < other { self } else { other }
    }

    #[inline(always)]
    fn greater(self, other: f64) -> f64 {
        if self > other { self } else { other }
    }

    #[inline(always)]
    fn below(self, other: f64) -> bool {
        self < other
    }

    #[inline(always)]
    fn within(self, low: f64, high: f64) -> bool {
        low <= self && self <= high
    }

    #[inline(always)]
    fn pick(mask: bool, yes: f64, no: f64) -> f64 {
        if mask { yes } else { no }
    }

    #[inline(always)]
    fn both(one: bool, other: bool) -> bool {
        one && other
    }

    #[inline(always)]
    fn all(self, mask: bool) -> bool {
        mask
    }
}
