//! Four or eight lanes in one register of an x86 processor: the only file that knows `pulp`, which
//! makes the processor's instructions safe to call by a token that proves they exist.

use super::fused::Fused;
use super::pack::operators;
use super::{FRACTION, Instructions, MOST_LANES, ONE, Real, Work};
use pulp::x86::{V3, V4};
use pulp::{NullaryFnOnce, cast};
use std::arch::x86_64::{__m256d, __m512d};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// Ordered comparisons that stay silent on NaN: less than, and less than or equal.
const LESS: i32 = 0x11;
const LESS_OR_EQUAL: i32 = 0x12;

/// The fastest instructions that this processor has.
pub(super) fn best() -> Instructions {
    if V4::is_available() {
        Instructions::Avx512
    } else if V3::is_available() {
        Instructions::Avx2
    } else {
        Instructions::Portable
    }
}

/// Does `work` with `instructions`, several lanes at a time or in a single one, where the processor
/// has them; gives it back where it has not.
pub(super) fn run<W: Work>(
    instructions: Instructions,
    several: bool,
    work: W,
) -> Result<W::Output, W> {
    match (instructions, V4::try_new(), V3::try_new()) {
        (Instructions::Avx512, Some(cpu), _) if several => {
            let x = cpu.avx512f._mm512_set1_pd(0.0);
            Ok(cpu.vectorize(Call(work, Avx512 { cpu, x })))
        }
        (Instructions::Avx512, Some(cpu), _) => Ok(cpu.vectorize(Call(work, Fused::ZERO))),
        (Instructions::Avx512 | Instructions::Avx2, _, Some(cpu)) if several => {
            let x = cpu.avx._mm256_set1_pd(0.0);
            Ok(cpu.vectorize(Call(work, Avx2 { cpu, x })))
        }
        (Instructions::Avx512 | Instructions::Avx2, _, Some(cpu)) => {
            Ok(cpu.vectorize(Call(work, Fused::ZERO)))
        }
        _ => Err(work),
    }
}

/// What is done, and zero in the lanes it is done with.
struct Call<W, R>(W, R);

impl<W: Work, R: Real> NullaryFnOnce for Call<W, R> {
    type Output = W::Output;
    #[inline(always)]
    fn call(self) -> W::Output {
        let Call(work, zero) = self;
        work.run(zero)
    }
}

/// Several numbers in one register, and the proof that the processor can handle them; `$one` is
/// what differs between the registers beyond their width.
macro_rules! register {
    (
        $(#[$doc:meta])* $name:ident: $lanes:literal in $raw:ident by $cpu:ident, $set:ident;
        $add:ident $sub:ident $mul:ident $div:ident of $part:ident;
        $fma:ident of $fma_part:ident; $and:ident $or:ident $xor:ident of $bits:ident;
        $sqrt:ident $min:ident $max:ident; [$($lane:ident)*] $load:ident;
        $($own:tt)*
    ) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy)]
        pub(crate) struct $name {
            cpu: $cpu,
            x: $raw,
        }

        impl $name {
            #[inline(always)]
            fn holding(self, x: $raw) -> $name {
                $name { cpu: self.cpu, x }
            }
        }

        register!(@operator $name Add add $part $add);
        register!(@operator $name Sub sub $part $sub);
        register!(@operator $name Mul mul $part $mul);
        register!(@operator $name Div div $part $div);
        operators!([] $name);

        impl Neg for $name {
            type Output = $name;
            #[inline(always)]
            fn neg(self) -> $name {
                self.holding(self.cpu.$bits.$xor(self.x, self.like(-0.0).x))
            }
        }

        impl Real for $name {
            const LANES: usize = $lanes;

            #[inline(always)]
            fn like(self, x: f64) -> $name {
                self.holding(self.cpu.$part.$set(x))
            }

            #[inline(always)]
            fn load(self, lanes: &[f64; MOST_LANES]) -> $name {
                let [$($lane,)* ..] = *lanes;
                self.holding(self.cpu.$part.$load($($lane),*))
            }

            #[inline(always)]
            fn times_plus(self, by: $name, plus: $name) -> $name {
                self.holding(self.cpu.$fma_part.$fma(self.x, by.x, plus.x))
            }

            #[inline(always)]
            fn bits(self) -> [u64; MOST_LANES] {
                let lanes: [u64; $lanes] = cast(self.x);
                let mut bits = [0; MOST_LANES];
                bits[..$lanes].copy_from_slice(&lanes);
                bits
            }

            #[inline(always)]
            fn mantissa(self) -> $name {
                let bits = self.cpu.$bits;
                let fraction = bits.$and(self.x, self.like(f64::from_bits(FRACTION)).x);
                self.holding(bits.$or(fraction, self.like(f64::from_bits(ONE)).x))
            }

            #[inline(always)]
            fn lane(self, k: usize) -> f64 {
                let lanes: [f64; $lanes] = cast(self.x);
                lanes[k]
            }

            #[inline(always)]
            fn sqrt(self) -> $name {
                self.holding(self.cpu.$part.$sqrt(self.x))
            }

            #[inline(always)]
            fn abs(self) -> $name {
                self.holding(self.cpu.$bits.$and(self.x, self.like(f64::from_bits(!SIGN)).x))
            }

            #[inline(always)]
            fn lesser(self, other: $name) -> $name {
                self.holding(self.cpu.$part.$min(self.x, other.x))
            }

            #[inline(always)]
            fn greater(self, other: $name) -> $name {
                self.holding(self.cpu.$part.$max(self.x, other.x))
            }

            $($own)*
        }
    };
    (@operator $name:ident $trait:ident $method:ident $part:ident $instruction:ident) => {
        impl $trait for $name {
            type Output = $name;
            #[inline(always)]
            fn $method(self, other: $name) -> $name {
                self.holding(self.cpu.$part.$instruction(self.x, other.x))
            }
        }
    };
}

/// The bit that holds a double's sign.
const SIGN: u64 = 1 << 63;

register! {
    /// Four numbers in 256 bits; where a mask holds, all bits of its lane are set.
    Avx2: 4 in __m256d by V3, _mm256_set1_pd;
    _mm256_add_pd _mm256_sub_pd _mm256_mul_pd _mm256_div_pd of avx;
    _mm256_fmadd_pd of fma; _mm256_and_pd _mm256_or_pd _mm256_xor_pd of avx;
    _mm256_sqrt_pd _mm256_min_pd _mm256_max_pd; [a b c d] _mm256_setr_pd;

    type Mask = Avx2;

    #[inline(always)]
    fn below(self, other: Avx2) -> Avx2 {
        self.holding(self.cpu.avx._mm256_cmp_pd::<LESS>(self.x, other.x))
    }

    #[inline(always)]
    fn within(self, low: f64, high: f64) -> Avx2 {
        let avx = self.cpu.avx;
        let above = avx._mm256_cmp_pd::<LESS_OR_EQUAL>(self.like(low).x, self.x);
        let below = avx._mm256_cmp_pd::<LESS_OR_EQUAL>(self.x, self.like(high).x);
        self.holding(avx._mm256_and_pd(above, below))
    }

    #[inline(always)]
    fn pick(mask: Avx2, yes: Avx2, no: Avx2) -> Avx2 {
        mask.holding(mask.cpu.avx._mm256_blendv_pd(no.x, yes.x, mask.x))
    }

    #[inline(always)]
    fn both(one: Avx2, other: Avx2) -> Avx2 {
        one.holding(one.cpu.avx._mm256_and_pd(one.x, other.x))
    }

    #[inline(always)]
    fn all(self, mask: Avx2) -> bool {
        self.cpu.avx._mm256_movemask_pd(mask.x) == 0b1111
    }
}

register! {
    /// Eight numbers in 512 bits; a mask has one bit a lane.
    Avx512: 8 in __m512d by V4, _mm512_set1_pd;
    _mm512_add_pd _mm512_sub_pd _mm512_mul_pd _mm512_div_pd of avx512f;
    _mm512_fmadd_pd of avx512f; _mm512_and_pd _mm512_or_pd _mm512_xor_pd of avx512dq;
    _mm512_sqrt_pd _mm512_min_pd _mm512_max_pd; [a b c d e f g h] _mm512_setr_pd;

    type Mask = u8;

    #[inline(always)]
    fn below(self, other: Avx512) -> u8 {
        self.cpu.avx512f._mm512_cmp_pd_mask::<LESS>(self.x, other.x)
    }

    #[inline(always)]
    fn within(self, low: f64, high: f64) -> u8 {
        let avx = self.cpu.avx512f;
        avx._mm512_cmp_pd_mask::<LESS_OR_EQUAL>(self.like(low).x, self.x)
            & avx._mm512_cmp_pd_mask::<LESS_OR_EQUAL>(self.x, self.like(high).x)
    }

    #[inline(always)]
    fn pick(mask: u8, yes: Avx512, no: Avx512) -> Avx512 {
        yes.holding(yes.cpu.avx512f._mm512_mask_blend_pd(mask, no.x, yes.x))
    }

    #[inline(always)]
    fn both(one: u8, other: u8) -> u8 {
        one & other
    }

    #[inline(always)]
    fn all(self, mask: u8) -> bool {
        mask == u8::MAX
    }
}
