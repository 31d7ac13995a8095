//! Constraint: what is known to be allowed before anything is evaluated. Points that break it are
//! neither evaluated nor recommended, except the baseline, with which a search is compared.

use super::Optimiser;
use crate::maximise::{Maximum, points};
use crate::model::allowed::AllowedSet;
use crate::streams::Search;
use dilgp::threads::each;
use shell::seeds::Stream;

/// Halvings of the way to a point that is not allowed.
const HALVINGS: u32 = 6;

/// The same where nothing but the beginning is allowed so far.
const MOST_HALVINGS: u32 = 30;

/// Points of the design's sequence that are passed over before one is moved to where it is allowed.
const PASSED_OVER: usize = 8;

/// Points of that sequence that are looked at for it.
const LOOKED_AT: usize = 4096;

/// Points at which the slack is known before the first suggestion: spread over the cube, and on each of so many
/// scales, each half of the one before, about the point that is known to be allowed.
const SPREAD: usize = 96;
const SCALES: usize = 4;
const ON_A_SCALE: usize = 16;

/// Points of greatest acquisition that may turn out not to be allowed before one is moved.
const CORRECTIONS: usize = 8;

/// How far the point of greatest acquisition is moved in a coordinate without another try: its penalty lets it end
/// a little outside.
const CLOSE: f64 = 0.02;

/// Slacks from which on those are left out that are predicted.
const ENOUGH: usize = 512;

/// Steps towards where the slack is 0, and the slack that each aims at.
const PROJECTIONS: usize = 10;
const BEYOND: f64 = 1e-10;

/// How much the points must have grown in number before hyper-parameters are searched for again.
const GROWN: f64 = 1.4;

/// How much room a point of the unit cube leaves: at least 0 where it is allowed. It is called
/// repeatedly with the same points.
pub type Slack = Box<dyn Fn(&[f64]) -> f64 + Send + Sync>;

/// Which points of a cube are allowed, by coordinates of real parameters alone.
pub struct Constraint {
    slack: Slack,
    /// A point that is.
    within: Vec<f64>,
}

impl Constraint {
    /// Those whose `slack` is at least 0, as that of `within` is.
    pub fn new(slack: Slack, within: Vec<f64>) -> Constraint {
        Constraint { slack, within }
    }

    fn allows(&self, x: &[f64]) -> bool {
        (self.slack)(x) >= 0.0
    }

    /// An allowed point within `reach` of `from` in each coordinate: along the gradient that `set` predicts of the
    /// slack, to where that is 0; `None` where that ends nowhere, as where the slack is flat.
    fn near(&self, from: &[f64], reach: f64, set: &AllowedSet) -> Option<Vec<f64>> {
        let mut x = from.to_vec();
        for _ in 0..PROJECTIONS {
            let slack = (self.slack)(&x);
            if slack >= 0.0 {
                return Some(x);
            }
            let gradient = set.gradient(&x)?;
            let square: f64 = gradient.iter().map(|g| g * g).sum();
            if square == 0.0 {
                return None;
            }
            let step = (BEYOND - slack) / square;
            let pairs = x.iter_mut().zip(gradient);
            pairs.for_each(|(x, g)| *x = (*x + step * g).clamp(0.0, 1.0));
            if x.iter().zip(from).any(|(x, from)| (x - from).abs() > reach) {
                return None;
            }
        }
        None
    }

    /// `x`, or the last allowed point found on the straight way to it from `from`, which is.
    fn on_the_way(&self, from: &[f64], x: &[f64]) -> Vec<f64> {
        if self.allows(x) {
            return x.to_vec();
        }
        let at = |share: f64| -> Vec<f64> {
            let way = from.iter().zip(x);
            way.map(|(from, to)| from + share * (to - from)).collect()
        };
        let (mut low, mut high) = (0.0, 1.0);
        for halving in 0..MOST_HALVINGS {
            if halving >= HALVINGS && low > 0.0 {
                break;
            }
            let middle = 0.5 * (low + high);
            match self.allows(&at(middle)) {
                true => low = middle,
                false => high = middle,
            }
        }
        at(low)
    }
}

/// The slacks that a search knows, and what they predict.
pub(super) struct Slacks {
    points: Vec<Vec<f64>>,
    values: Vec<f64>,
    /// Evaluations among the points.
    evaluations: usize,
    /// `None` if the slacks defeat the process.
    set: Option<AllowedSet>,
    /// Points when hyper-parameters were last searched for.
    fitted: usize,
}

impl Slacks {
    /// Those spread over the cube by `seed`, and closing in on the point that is allowed.
    fn spread(constraint: &Constraint, seed: u64) -> Slacks {
        let within = &constraint.within;
        let mut points = points::sobol(within.len(), 0, SPREAD + SCALES * ON_A_SCALE, seed);
        for (k, point) in points.iter_mut().skip(SPREAD).enumerate() {
            let scale = 0.25 * 0.5f64.powi((k / ON_A_SCALE) as i32);
            let sides = point.iter_mut().zip(within);
            sides.for_each(|(x, w)| *x = (w + scale * (2.0 * *x - 1.0)).clamp(0.0, 1.0));
        }
        let values = each(&points, |x| (constraint.slack)(x));
        let mut slacks = Slacks {
            points,
            values,
            evaluations: 0,
            set: None,
            fitted: 0,
        };
        slacks.fit();
        slacks
    }

    fn fit(&mut self) {
        self.set = AllowedSet::fitted(&self.points, &self.values, self.set.as_ref()).ok();
        self.fitted = self.points.len();
    }

    /// Takes in the slack of the next evaluation.
    fn add(&mut self, x: &[f64], slack: f64) {
        self.evaluations += 1;
        let enough = self.points.len() >= ENOUGH;
        let predicted = self.set.as_ref().filter(|_| enough);
        if predicted.is_some_and(|set| set.predicts(x, slack))
            || self.points.iter().any(|known| known == x)
        {
            return;
        }
        self.points.push(x.to_vec());
        self.values.push(slack);
        if self.points.len() as f64 >= GROWN * self.fitted as f64 {
            self.fit();
        } else {
            self.set = self.set.as_ref().and_then(|set| set.with(x, slack).ok());
        }
    }

    /// The known allowed point nearest to `x`.
    fn nearest(&self, x: &[f64]) -> Option<&[f64]> {
        let distance = |known: &[f64]| -> f64 {
            let sides = known.iter().zip(x);
            sides.map(|(a, b)| (a - b).powi(2)).sum()
        };
        let pairs = self.points.iter().zip(&self.values);
        let allowed = pairs.filter(|(_, slack)| **slack >= 0.0);
        let points = allowed.map(|(known, _)| known.as_slice());
        points.min_by(|a, b| distance(a).total_cmp(&distance(b)))
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

    /// `x`, or an allowed point near it.
    pub(super) fn near_and_allowed(&self, x: Vec<f64>) -> Option<Vec<f64>> {
        match (&self.allowed, self.allowed_set()) {
            (Some(allowed), Some(set)) => allowed.near(&x, 1.0, set),
            (Some(allowed), None) => allowed.allows(&x).then_some(x),
            (None, _) => Some(x),
        }
    }

    /// `x`, or an allowed point near it, or else one on the way to it from the nearest that is known.
    pub(super) fn nearest_allowed(&self, x: Vec<f64>) -> Vec<f64> {
        let Some(allowed) = &self.allowed else {
            return x;
        };
        let on_the_way = || {
            let known = self.state.slacks.as_ref();
            let from = known.and_then(|slacks| slacks.nearest(&x));
            allowed.on_the_way(from.unwrap_or(&allowed.within), &x)
        };
        // Counted values between two allowed points need not be values; they do not decide what is allowed.
        let near = self
            .allowed_set()
            .and_then(|set| allowed.near(&x, 1.0, set));
        self.space.snapped(&near.unwrap_or_else(on_the_way))
    }

    /// The point that is known to be allowed.
    pub(super) fn feasible_point(&self) -> Option<&[f64]> {
        self.allowed.as_ref().map(|allowed| &allowed.within[..])
    }

    /// Where the slacks that are known predict points to be allowed, if there is a constraint.
    pub(super) fn allowed_set(&self) -> Option<&AllowedSet> {
        self.state.slacks.as_ref()?.set.as_ref()
    }

    /// Takes in the slacks of all evaluations, observed and pending. They depend on nothing else, so that
    /// a search that was rebuilt from its evaluations predicts the same.
    pub(super) fn learn_slacks(&mut self) {
        let Some(constraint) = &self.allowed else {
            return;
        };
        let seed = Search::Slacks.of(self.settings.seed);
        let known = self.state.slacks.take();
        let mut slacks = known.unwrap_or_else(|| Slacks::spread(constraint, seed));
        let seen = self.state.seen.all().iter().map(|o| &o.x);
        let all = seen.chain(self.state.pending.points());
        for x in all.skip(slacks.evaluations) {
            slacks.add(x, (constraint.slack)(x));
        }
        self.state.slacks = Some(slacks);
    }

    /// The maximum that `choose` finds in the allowed set, and the `worth` of a point. What turns out not to be
    /// allowed is moved where that is close, else learnt for the next try; after [`CORRECTIONS`] the last is moved
    /// however far, and what it was is returned beside it.
    pub(super) fn within_the_constraint(
        &self,
        choose: impl Fn(Option<&AllowedSet>) -> Option<Maximum>,
        worth: impl Fn(&[f64]) -> f64,
    ) -> Option<(Maximum, Option<Vec<f64>>)> {
        let Some(constraint) = &self.allowed else {
            return Some((choose(None)?, None));
        };
        let at = |x: Vec<f64>| {
            let value = worth(&x);
            Maximum { x, value }
        };
        let mut corrected: Option<AllowedSet> = None;
        for _ in 0..CORRECTIONS {
            let set = corrected.as_ref().or(self.allowed_set());
            let maximum = choose(set)?;
            let slack = (constraint.slack)(&maximum.x);
            if slack >= 0.0 {
                return Some((maximum, None));
            }
            let near = set.and_then(|set| constraint.near(&maximum.x, CLOSE, set));
            let near = near.map(|x| self.space.snapped(&x));
            if let Some(x) = near.filter(|x| self.is_new(x)) {
                return Some((at(x), None));
            }
            match set.and_then(|set| set.with(&maximum.x, slack).ok()) {
                Some(set) => corrected = Some(set),
                None => break,
            }
        }
        let maximum = choose(corrected.as_ref().or(self.allowed_set()))?;
        let x = self.nearest_allowed(maximum.x.clone());
        let rejected = Some(maximum.x).filter(|rejected| *rejected != x);
        Some((at(x), rejected))
    }

    /// The next point of the design's sequence that is allowed; after many that are not, a point on the
    /// way to the last.
    pub(super) fn next_of_design(&mut self) -> Vec<f64> {
        self.learn_slacks();
        self.state.rejected = None;
        let mut x = self.next_of_sequence();
        let mut passed_over = 0;
        for _ in 0..LOOKED_AT {
            let set = self.allowed_set();
            if set.is_none_or(|set| set.holds(std::slice::from_ref(&x))[0]) {
                if self.allows(&x) {
                    return x;
                }
                passed_over += 1;
            }
            if passed_over == PASSED_OVER {
                break;
            }
            x = self.next_of_sequence();
        }
        let moved = self.nearest_allowed(x.clone());
        self.state.rejected = Some(x);
        moved
    }
}
