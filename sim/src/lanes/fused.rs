//! A single lane whose products and sums are rounded once, as those of wide registers are.

use super::pack::operators;
use super::{MOST_LANES, Real};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// One number. Fast only where the compiler may use the processor's own instruction, as in what
/// `lanes::run_single` calls.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fused(f64);

impl Fused {
    pub(super) const ZERO: Fused = Fused(0.0);
}

macro_rules! fused_operators {
    ($($trait:ident $method:ident),*) => {$(
        impl $trait for Fused {
            type Output = Fused;
            #[inline(always)]
            fn $method(self, other: Fused) -> Fused {
                Fused(self.0.$method(other.0))
            }
        }
    )*};
}
fused_operators!(Add add, Sub sub, Mul mul, Div div);
operators!([] Fused);

impl Neg for Fused {
    type Output = Fused;
    #[inline(always)]
    fn neg(self) -> Fused {
        Fused(-self.0)
    }
}

impl Real for Fused {
    const LANES: usize = 1;
    type Mask = bool;

    #[inline(always)]
    fn like(self, x: f64) -> Fused {
        Fused(x)
    }

    #[inline(always)]
    fn load(self, lanes: &[f64; MOST_LANES]) -> Fused {
        Fused(lanes[0])
    }

    #[inline(always)]
    fn times_plus(self, by: Fused, plus: Fused) -> Fused {
        Fused(self.0.mul_add(by.0, plus.0))
    }

    #[inline(always)]
    fn bits(self) -> [u64; MOST_LANES] {
        Real::bits(self.0)
    }

    #[inline(always)]
    fn mantissa(self) -> Fused {
        Fused(Real::mantissa(self.0))
    }

    #[inline(always)]
    fn lane(self, _: usize) -> f64 {
        self.0
    }

    #[inline(always)]
    fn sqrt(self) -> Fused {
        Fused(self.0.sqrt())
    }

    #[inline(always)]
    fn abs(self) -> Fused {
        Fused(self.0.abs())
    }

    #[inline(always)]
    fn lesser(self, other: Fused) -> Fused {
        Fused(self.0.lesser(other.0))
    }

    #[inline(always)]
    fn greater(self, other: Fused) -> Fused {
        Fused(self.0.greater(other.0))
    }

    #[inline(always)]
    fn below(self, other: Fused) -> bool {
        self.0 < other.0
    }

    #[inline(always)]
    fn within(self, low: f64, high: f64) -> bool {
        self.0.within(low, high)
    }

    #[inline(always)]
    fn pick(mask: bool, yes: Fused, no: Fused) -> Fused {
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
