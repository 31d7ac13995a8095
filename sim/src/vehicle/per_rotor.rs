//! Per rotor: one number for each rotor of a vehicle.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::ops::{Deref, DerefMut};

/// Most rotors of a vehicle.
pub const MOST_ROTORS: usize = 12;

/// One number for each rotor, in the order of the airframe's list; a slice of as many numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PerRotor {
    count: usize,
    /// 0 beyond the last rotor.
    numbers: [f64; MOST_ROTORS],
}

impl PerRotor {
    /// `number(i)` for each rotor i of `count`, which is at most [`MOST_ROTORS`].
    ///
    /// # Panics
    /// With more of them.
    #[inline(always)]
    pub fn new(count: usize, mut number: impl FnMut(usize) -> f64) -> PerRotor {
        let mut numbers = [0.0; MOST_ROTORS];
        for (i, one) in numbers[..count].iter_mut().enumerate() {
            *one = number(i);
        }
        PerRotor { count, numbers }
    }

    /// What `f` makes of each.
    pub fn map(&self, mut f: impl FnMut(f64) -> f64) -> PerRotor {
        PerRotor::new(self.count, |i| f(self.numbers[i]))
    }

    /// The numbers with zeros for rotors that are not there.
    ///
    /// # Panics
    /// With more rotors than `N`.
    #[inline(always)]
    pub(crate) fn padded<const N: usize>(&self) -> [f64; N] {
        assert!(self.count <= N, "{} rotors of {N}", self.count);
        std::array::from_fn(|i| self.numbers[i])
    }
}

impl Deref for PerRotor {
    type Target = [f64];

    #[inline(always)]
    fn deref(&self) -> &[f64] {
        &self.numbers[..self.count]
    }
}

impl DerefMut for PerRotor {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [f64] {
        &mut self.numbers[..self.count]
    }
}

impl<const N: usize> From<[f64; N]> for PerRotor {
    /// Of at most [`MOST_ROTORS`].
    fn from(numbers: [f64; N]) -> PerRotor {
        PerRotor::new(N, |i| numbers[i])
    }
}

impl IntoIterator for PerRotor {
    type Item = f64;
    type IntoIter = std::iter::Take<std::array::IntoIter<f64, MOST_ROTORS>>;

    fn into_iter(self) -> Self::IntoIter {
        self.numbers.into_iter().take(self.count)
    }
}

impl Serialize for PerRotor {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self[..].serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for PerRotor {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<PerRotor, D::Error> {
        let numbers = Vec::<f64>::deserialize(deserializer)?;
        match numbers.len() {
            0..=MOST_ROTORS => Ok(PerRotor::new(numbers.len(), |i| numbers[i])),
            many => Err(D::Error::custom(format!(
                "{many} rotors, and at most {MOST_ROTORS} fly here"
            ))),
        }
    }
}
