//! Constraint: what is known to be allowed before anything is evaluated. Points that break it are
//! neither evaluated nor recommended, except the baseline, with which a search is compared.

use super::Optimiser;
use crate::observations::Observations;
use std::borrow::Cow;

/// Halvings of the way to a point that is not allowed.
const HALVINGS: u32 = 6;

/// Points of the design's sequence, or good ones by the acquisition, that are passed over before one is
/// moved.
pub(super) const PASSED_OVER: usize = 64;

/// Whether a point of the unit cube is allowed. It is called repeatedly with the same points.
pub type Predicate = Box<dyn Fn(&[f64]) -> bool + Send + Sync>;

/// Which points of a cube without whole numbers are allowed.
pub struct Constraint {
    holds: Predicate,
    /// A point that is.
    within: Vec<f64>,
}

impl Constraint {
    /// Those of which `holds` says so, as it does of `within`.
    pub fn new(holds: Predicate, within: Vec<f64>) -> Constraint {
        Constraint { holds, within }
    }

    fn allows(&self, x: &[f64]) -> bool {
        (self.holds)(x)
    }

    /// `x`, or the last allowed point found on the straight way to it from the one that is known to be.
    fn nearest(&self, x: &[f64]) -> Vec<f64> {
        if self.allows(x) {
            return x.to_vec();
        }
        let at = |share: f64| -> Vec<f64> {
            let way = self.within.iter().zip(x);
            way.map(|(from, to)| from + share * (to - from)).collect()
        };
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            match self.allows(&at(middle)) {
                true => low = middle,
                false => high = middle,
            }
        }
        at(low)
    }
}

impl Optimiser {
    /// Keeps the search to what is `allowed`.
    pub fn restrict(&mut self, allowed: Constraint) {
        self.allowed = Some(allowed);
    }

    /// Whether `x` may be evaluated and recommended.
    pub(super) fn allows(&self, x: &[f64]) -> bool {
        self.allowed
            .as_ref()
            .is_none_or(|allowed| allowed.allows(x))
    }

    /// `x`, or an allowed point on the way to it.
    pub(super) fn nearest_allowed(&self, x: Vec<f64>) -> Vec<f64> {
        match &self.allowed {
            Some(allowed) => allowed.nearest(&x),
            None => x,
        }
    }

    /// The point that is known to be allowed.
    pub(super) fn feasible_point(&self) -> Option<&[f64]> {
        self.allowed.as_ref().map(|allowed| &allowed.within[..])
    }

    /// The observations, of which only allowed ones count for the target.
    pub(super) fn deployable(&self) -> Cow<'_, Observations> {
        match &self.allowed {
            Some(allowed) => Cow::Owned(self.state.seen.only(|x| allowed.allows(x))),
            None => Cow::Borrowed(&self.state.seen),
        }
    }
}
