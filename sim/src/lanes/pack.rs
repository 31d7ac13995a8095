//! Four lanes in plain Rust, for any processor.

use super::{MOST_LANES, Real};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// Four numbers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pack([f64; 4]);

impl Pack {
    pub(crate) fn zero() -> Pack {
        Pack([0.0; 4])
    }

    #[inline(always)]
    fn with(self, other: Pack, f: impl Fn(f64, f64) -> f64) -> Pack {
        let (Pack([a, b, c, d]), Pack([e, g, h, i])) = (self, other);
        Pack([f(a, e), f(b, g), f(c, h), f(d, i)])
    }

    #[inline(always)]
    fn each<T>(self, f: impl Fn(f64) -> T) -> [T; 4] {
        let Pack([a, b, c, d]) = self;
        [f(a), f(b), f(c), f(d)]
    }
}

/// Implements the operators with a plain number on the right.
macro_rules! operators {
    ([$($generics:tt)*] $type:ty) => {
        operators!(@one Add add [$($generics)*] $type);
        operators!(@one Sub sub [$($generics)*] $type);
        operators!(@one Mul mul [$($generics)*] $type);
    };
    (@one $trait:ident $method:ident [$($generics:tt)*] $type:ty) => {
        impl<$($generics)*> $trait<f64> for $type {
            type Output = $type;
            #[inline(always)]
            fn $method(self, x: f64) -> $type {
                self.$method(self.like(x))
            }
        }
    };
}
#[cfg(target_arch = "x86_64")]
pub(super) use operators;

macro_rules! pack_operators {
    ($($trait:ident $method:ident $op:tt),*) => {$(
        impl $trait for Pack {
            type Output = Pack;
            #[inline(always)]
            fn $method(self, other: Pack) -> Pack {
                self.with(other, |a, b| a $op b)
            }
        }
    )*};
}
pack_operators!(Add add +, Sub sub -, Mul mul *, Div div /);
operators!([] Pack);

impl Neg for Pack {
    type Output = Pack;
    #[inline(always)]
    fn neg(self) -> Pack {
        Pack(self.each(|a| -a))
    }
}

impl Real for Pack {
    const LANES: usize = 4;
    type Mask = [bool; 4];

    #[inline(always)]
    fn like(self, x: f64) -> Pack {
        Pack([x; 4])
    }

    #[inline(always)]
    fn load(self, lanes: &[f64; MOST_LANES]) -> Pack {
        let [a, b, c, d, ..] = *lanes;
        Pack([a, b, c, d])
    }

    #[inline(always)]
    fn bits(self) -> [u64; MOST_LANES] {
        let [a, b, c, d] = self.each(f64::to_bits);
        [a, b, c, d, 0, 0, 0, 0]
    }

    #[inline(always)]
    fn mantissa(self) -> Pack {
        Pack(self.each(f64::mantissa))
    }

    #[inline(always)]
    fn lane(self, k: usize) -> f64 {
        self.0[k]
    }

    #[inline(always)]
    fn times_plus(self, by: Pack, plus: Pack) -> Pack {
        self * by + plus
    }

    #[inline(always)]
    fn sqrt(self) -> Pack {
        Pack(self.each(f64::sqrt))
    }

    #[inline(always)]
    fn abs(self) -> Pack {
        Pack(self.each(f64::abs))
    }

    #[inline(always)]
    fn lesser(self, other: Pack) -> Pack {
        self.with(other, f64::lesser)
    }

    #[inline(always)]
    fn greater(self, other: Pack) -> Pack {
        self.with(other, f64::greater)
    }

    #[inline(always)]
    fn below(self, other: Pack) -> [bool; 4] {
        let (Pack([a, b, c, d]), Pack([e, g, h, i])) = (self, other);
        [a < e, b < g, c < h, d < i]
    }

    #[inline(always)]
    fn within(self, low: f64, high: f64) -> [bool; 4] {
        self.each(|x| x.within(low, high))
    }

    #[inline(always)]
    fn pick([a, b, c, d]: [bool; 4], yes: Pack, no: Pack) -> Pack {
        let (Pack(yes), Pack(no)) = (yes, no);
        Pack([
            f64::pick(a, yes[0], no[0]),
            f64::pick(b, yes[1], no[1]),
            f64::pick(c, yes[2], no[2]),
            f64::pick(d, yes[3], no[3]),
        ])
    }

    #[inline(always)]
    fn both([a, b, c, d]: [bool; 4], [e, g, h, i]: [bool; 4]) -> [bool; 4] {
        [a & e, b & g, c & h, d & i]
    }

    #[inline(always)]
    fn all(self, [a, b, c, d]: [bool; 4]) -> bool {
        a & b & c & d
    }
}
