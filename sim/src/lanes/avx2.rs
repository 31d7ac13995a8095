//! Four lanes in one register of a processor with AVX2: the only file that knows `pulp`, which
//! makes the processor's instructions safe to call by a token that proves they exist.

use super::pack::operators;
use super::{FRACTION, MOST_LANES, ONE, Real, Single, Work};
use pulp::x86::V3;
use pulp::{NullaryFnOnce, cast};
use std::arch::x86_64::__m256d;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// Ordered comparisons that stay silent on NaN: less than, and less than or equal.
const LESS: i32 = 0x11;
const LESS_OR_EQUAL: i32 = 0x12;

/// Four numbers and the proof that the processor can handle them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Avx2 {
    cpu: V3,
    x: __m256d,
}

/// Does `work` four lanes at a time where the processor has AVX2; gives it back where it has not.
pub(super) fn run<W: Work>(work: W) -> Result<W::Output, W> {
    struct Call<W>(V3, W);
    impl<W: Work> NullaryFnOnce for Call<W> {
        type Output = W::Output;
        #[inline(always)]
        fn call(self) -> W::Output {
            let Call(cpu, work) = self;
            let x = cpu.avx._mm256_set1_pd(0.0);
            work.run(Avx2 { cpu, x })
        }
    }
    match V3::try_new() {
        Some(cpu) => Ok(cpu.vectorize(Call(cpu, work))),
        None => Err(work),
    }
}

/// Does `work` as compiled for AVX2 where the processor has it; gives it back where it has not.
pub(super) fn run_single<W: Single>(work: W) -> Result<W::Output, W> {
    struct Call<W>(W);
    impl<W: Single> NullaryFnOnce for Call<W> {
        type Output = W::Output;
        #[inline(always)]
        fn call(self) -> W::Output {
            self.0.run()
        }
    }
    match V3::try_new() {
        Some(cpu) => Ok(cpu.vectorize(Call(work))),
        None => Err(work),
    }
}

/// Whether the processor has AVX2.
pub(super) fn is_there() -> bool {
    V3::is_available()
}

impl Avx2 {
    #[inline(always)]
    fn holding(self, x: __m256d) -> Avx2 {
        Avx2 { cpu: self.cpu, x }
    }
}

macro_rules! register_operators {
    ($($trait:ident $method:ident $instruction:ident),*) => {$(
        impl $trait for Avx2 {
            type Output = Avx2;
            #[inline(always)]
            fn $method(self, other: Avx2) -> Avx2 {
                self.holding(self.cpu.avx.$instruction(self.x, other.x))
            }
        }
    )*};
}
register_operators!(
    Add add _mm256_add_pd, Sub sub _mm256_sub_pd, Mul mul _mm256_mul_pd, Div div _mm256_div_pd
);
operators!([] Avx2);

impl Neg for Avx2 {
    type Output = Avx2;
    #[inline(always)]
    fn neg(self) -> Avx2 {
        self.holding(self.cpu.avx._mm256_xor_pd(self.x, self.like(-0.0).x))
    }
}

impl Real for Avx2 {
    const LANES: usize = 4;
    type Mask = Avx2;

    #[inline(always)]
    fn like(self, x: f64) -> Avx2 {
        self.holding(self.cpu.avx._mm256_set1_pd(x))
    }

    #[inline(always)]
    fn load(self, lanes: &[f64; MOST_LANES]) -> Avx2 {
        let [a, b, c, d] = *lanes;
        self.holding(self.cpu.avx._mm256_setr_pd(a, b, c, d))
    }

    #[inline(always)]
    fn bits(self) -> [u64; MOST_LANES] {
        cast(self.x)
    }

    #[inline(always)]
    fn mantissa(self) -> Avx2 {
        let avx = self.cpu.avx;
        let fraction = avx._mm256_and_pd(self.x, self.like(f64::from_bits(FRACTION)).x);
        self.holding(avx._mm256_or_pd(fraction, self.like(f64::from_bits(ONE)).x))
    }

    #[inline(always)]
    fn lane(self, k: usize) -> f64 {
        let lanes: [f64; 4] = cast(self.x);
        lanes[k]
    }

    #[inline(always)]
    fn sqrt(self) -> Avx2 {
        self.holding(self.cpu.avx._mm256_sqrt_pd(self.x))
    }

    #[inline(always)]
    fn abs(self) -> Avx2 {
        self.holding(self.cpu.avx._mm256_andnot_pd(self.like(-0.0).x, self.x))
    }

    #[inline(always)]
    fn lesser(self, other: Avx2) -> Avx2 {
        self.holding(self.cpu.avx._mm256_min_pd(self.x, other.x))
    }

    #[inline(always)]
    fn greater(self, other: Avx2) -> Avx2 {
        self.holding(self.cpu.avx._mm256_max_pd(self.x, other.x))
    }

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
