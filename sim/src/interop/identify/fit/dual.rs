//! Dual numbers: a value with its derivatives, so that those of the model are exact.

use std::ops::{Add, Mul, Neg, Sub};

/// How many derivatives go along.
pub(crate) const SLOPES: usize = 6;

/// A value and its derivatives with respect to the numbers that enter the model other than as factors.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Dual {
    pub(crate) value: f64,
    pub(crate) slopes: [f64; SLOPES],
}

impl Dual {
    #[inline(always)]
    pub(crate) fn new(value: f64, slopes: [f64; SLOPES]) -> Dual {
        Dual { value, slopes }
    }

    /// What a function makes of it that has `value` and `slope` there.
    #[inline(always)]
    fn chain(self, value: f64, slope: f64) -> Dual {
        Dual::new(value, self.slopes.map(|of| of * slope))
    }

    #[inline(always)]
    pub(crate) fn sqrt(self) -> Dual {
        let value = self.value.max(1e-18).sqrt();
        self.chain(value, 0.5 / value)
    }
}

impl From<f64> for Dual {
    #[inline(always)]
    fn from(value: f64) -> Dual {
        Dual::new(value, [0.0; SLOPES])
    }
}

impl Add for Dual {
    type Output = Dual;
    #[inline(always)]
    fn add(self, other: Dual) -> Dual {
        let slopes = std::array::from_fn(|i| self.slopes[i] + other.slopes[i]);
        Dual::new(self.value + other.value, slopes)
    }
}

impl Sub for Dual {
    type Output = Dual;
    #[inline(always)]
    fn sub(self, other: Dual) -> Dual {
        self + -other
    }
}

impl Neg for Dual {
    type Output = Dual;
    #[inline(always)]
    fn neg(self) -> Dual {
        self * -1.0
    }
}

impl Mul<f64> for Dual {
    type Output = Dual;
    #[inline(always)]
    fn mul(self, factor: f64) -> Dual {
        self.chain(self.value * factor, factor)
    }
}

impl Mul for Dual {
    type Output = Dual;
    #[inline(always)]
    fn mul(self, other: Dual) -> Dual {
        let (x, y) = (self.value, other.value);
        self.chain(x * y, y) + other.chain(0.0, x)
    }
}
