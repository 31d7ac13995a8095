//! Limits: what evaluations measure beside their value, the limits on it, and the trade-off of the value
//! with one of the outputs.
//!
//! A trade-off is searched as a limit that changes: each step draws one between the ends of the front that
//! is known, or a little beyond it, and looks for the least value below it.

use super::{Optimiser, Predicted};
use crate::maximise::{Criterion, Worth};
use crate::model::allowed::{Allowed, AllowedSet};
use crate::model::context::matrix;
use crate::model::outputs::{Limited, Output};
use crate::observations::{Observation, Observations};
use crate::recommend::{Choice, Recommendation};
use crate::streams::Search;
use dilgp::Model;
use std::borrow::Cow;

/// What becomes of an output.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Role {
    /// It is to be at most this.
    AtMost(f64),
    /// It is to be small, as the value is: the search is for the front of both. At most one is.
    Traded,
}

/// How far below the least output of the front a limit is drawn, as a share of the front's extent; as often
/// there is none.
const BEYOND: f64 = 0.25;

/// An evaluation of the front of value and traded output.
#[derive(Debug, Clone, PartialEq)]
pub struct FrontMember {
    /// What it measured.
    pub observation: Observation,
    /// In noise, what the models predict at its point, without the noise of an evaluation; `None` without noise, or
    /// before there is a model of each.
    pub predicted: Option<FrontPrediction>,
}

/// What the models predict at the point of an evaluation.
#[derive(Debug, Clone, PartialEq)]
pub struct FrontPrediction {
    /// The value.
    pub value: Predicted,
    /// Each output, in the order of [`super::settings::Settings::outputs`].
    pub outputs: Vec<Predicted>,
}

/// The outputs as the evaluations so far measured them.
#[derive(Default)]
pub(super) struct Outputs {
    models: Vec<Output>,
    /// Observations taken in.
    taken: usize,
}

/// No value counts, so that what is left of an acquisition is the probability that the limits are kept.
pub(super) struct Anywhere;

impl Criterion for Anywhere {
    fn worth(&self, _: f64, _: f64) -> Worth {
        Worth {
            value: 0.0,
            by_mean: 0.0,
            by_std: 0.0,
        }
    }
}

impl Optimiser {
    /// Takes in what the evaluations measured.
    pub(super) fn learn_outputs(&mut self) {
        let roles = &self.settings.outputs;
        let known = &mut self.state.outputs;
        known.models.resize_with(roles.len(), Output::default);
        for observation in &self.state.seen.all()[known.taken..] {
            for (model, value) in known.models.iter_mut().zip(&observation.outputs) {
                if value.is_finite() {
                    model.add(&observation.x, *value, self.settings.noisy);
                }
            }
        }
        known.taken = self.state.seen.count();
    }

    /// The limits of this step: those of the settings, and of the traded output one that is drawn.
    pub(super) fn limits_now(&self) -> Vec<f64> {
        let roles = self.settings.outputs.iter().enumerate();
        let limit = |(output, role): (usize, &Role)| match *role {
            Role::AtMost(most) => most,
            Role::Traded => self.drawn_limit(output),
        };
        roles.map(limit).collect()
    }

    /// Uniform between the ends of the front as the output is learnt: most outputs are skewed, and on their own
    /// scale nearly all limits would lie where the front is flat.
    fn drawn_limit(&self, output: usize) -> f64 {
        let models = &self.state.outputs.models;
        let Some(image) = models.get(output).and_then(Output::image) else {
            return f64::INFINITY;
        };
        let front = self.measured_front();
        let traded = || front.iter().map(|o| image.apply(o.outputs[output]));
        let (Some(least), Some(most)) = (traded().reduce(f64::min), traded().reduce(f64::max))
        else {
            return f64::INFINITY;
        };
        let dice = (self.seed_for(Search::TradeOff) >> 11) as f64 / (1u64 << 53) as f64;
        match (1.0 + 2.0 * BEYOND) * dice - BEYOND {
            // The end of least value may lie beyond any that is known.
            share if share > 1.0 => f64::INFINITY,
            share => image.invert(least + (most - least) * share),
        }
    }

    /// The finished evaluations within the limits that no other one betters in both the value and the traded
    /// output, by falling output; none without such an output. In noise the posterior means decide, as single values
    /// are partly luck.
    pub fn front(&mut self) -> Vec<FrontMember> {
        let Some(traded) = self.traded() else {
            return Vec::new();
        };
        if self.settings.noisy {
            // Without a model what was measured decides.
            let _ = self.learn();
        }
        let Some(predicted) = self.predicted_candidates(traded) else {
            let measured = self.measured_front().into_iter();
            let member = |o: &Observation| FrontMember {
                observation: o.clone(),
                predicted: None,
            };
            return measured.map(member).collect();
        };
        let pair = |(_, at): &(&Observation, FrontPrediction)| {
            [at.value.median, at.outputs[traded].median]
        };
        let member = |(o, predicted): (&Observation, FrontPrediction)| FrontMember {
            observation: o.clone(),
            predicted: Some(predicted),
        };
        let best = undominated(predicted, pair).into_iter();
        best.map(member).collect()
    }

    /// The number of the output that is traded with the value.
    fn traded(&self) -> Option<usize> {
        let mut roles = self.settings.outputs.iter();
        roles.position(|role| *role == Role::Traded)
    }

    /// As [`Optimiser::front`], by what was measured.
    fn measured_front(&self) -> Vec<&Observation> {
        let Some(traded) = self.traded() else {
            return Vec::new();
        };
        let pair = |o: &&Observation| [o.value.unwrap_or(f64::INFINITY), o.outputs[traded]];
        undominated(self.candidates(traded), pair)
    }

    /// The finished evaluations within the limits that measured output `traded`.
    fn candidates(&self, traded: usize) -> Vec<&Observation> {
        let stated = self.stated_limits();
        let mut kept: Vec<&Observation> = self.state.seen.of_target().collect();
        kept.retain(|o| {
            let measured = o.outputs.get(traded).is_some_and(|x| x.is_finite());
            o.value.is_some() && measured && self.keeps(o, &stated) && self.allows(&o.x)
        });
        kept
    }

    /// The candidates with what is predicted at their points; `None` without noise, and where a model is missing.
    fn predicted_candidates(&self, traded: usize) -> Option<Vec<(&Observation, FrontPrediction)>> {
        let posterior = self.posterior_now().filter(|_| self.settings.noisy)?;
        let candidates = self.candidates(traded);
        let points: Vec<Vec<f64>> = candidates.iter().map(|o| o.x.clone()).collect();
        if points.is_empty() {
            return None;
        }
        let values = posterior.view().predict(&matrix(&points));
        let values = Predicted::of(&values, posterior.transform());
        let outputs = self.state.outputs.models.iter().map(|output| {
            let (prediction, image) = output.predict(&points)?;
            Some(Predicted::of(&prediction, image))
        });
        let outputs: Vec<Vec<Predicted>> = outputs.collect::<Option<_>>()?;
        let at = |row: usize| FrontPrediction {
            value: values[row],
            outputs: outputs.iter().map(|output| output[row]).collect(),
        };
        let pairs = candidates.into_iter().enumerate();
        Some(pairs.map(|(row, o)| (o, at(row))).collect())
    }

    /// The limits that are stated.
    pub(super) fn stated_limits(&self) -> Vec<f64> {
        let roles = self.settings.outputs.iter();
        let limit = |role: &Role| match role {
            Role::AtMost(most) => *most,
            Role::Traded => f64::INFINITY,
        };
        roles.map(limit).collect()
    }

    /// Whether an observation keeps `limits`: as it was measured, and in noise by the posterior means; where a value
    /// came without what a limit is on, it does not.
    fn keeps(&self, observation: &Observation, limits: &[f64]) -> bool {
        let lacks = |(output, most): (&f64, &f64)| most.is_finite() && !output.is_finite();
        if observation.value.is_some() && observation.outputs.iter().zip(limits).any(lacks) {
            return false;
        }
        if self.settings.noisy {
            let point = std::slice::from_ref(&observation.x);
            let limited = self.limited(limits);
            return limited.iter().all(|limit| limit.means_below(point)[0]);
        }
        let measured = observation.outputs.iter().zip(limits);
        measured.len() == limits.len() && { measured }.all(|(output, most)| output <= most)
    }

    /// The outputs with these limits, as far as they are limits and something is known of them.
    fn limited(&self, limits: &[f64]) -> Vec<Limited<'_>> {
        let models = self.state.outputs.models.iter().zip(limits);
        let finite = models.filter(|(_, most)| most.is_finite());
        finite
            .filter_map(|(model, most)| model.limited(*most))
            .collect()
    }

    /// Where points may lie: within `set` and `limits`.
    pub(super) fn allowed_by<'a>(
        &'a self,
        set: Option<&'a AllowedSet>,
        limits: &[f64],
    ) -> Allowed<'a> {
        Allowed {
            set,
            limits: self.limited(limits),
        }
    }

    /// Whether `x` is one of `kept`, the observations that keep the stated limits, or is predicted to.
    pub(super) fn keeps_limits(&self, x: &[f64], kept: &Observations) -> bool {
        let visited = || kept.finished().any(|(known, _)| known == x);
        let limits = self.limited(&self.stated_limits());
        let point = [x.to_vec()];
        limits.iter().all(|limit| limit.means_below(&point)[0]) || visited()
    }

    /// The finished evaluation that most likely keeps the stated limits, where none does; `None` without
    /// limits.
    pub(super) fn nearest_to_limits(&self) -> Option<Recommendation> {
        let allowed = self.allowed_by(None, &self.stated_limits());
        if allowed.is_everywhere() {
            return None;
        }
        let finished = self.state.seen.finished().filter(|(x, _)| self.allows(x));
        let points: Vec<Vec<f64>> = finished.map(|(x, _)| x.to_vec()).collect();
        let penalties = allowed.penalties(&points);
        let pairs = points.into_iter().zip(penalties);
        let (x, _) = pairs.min_by(|a, b| a.1.total_cmp(&b.1))?;
        let choice = Choice::OutsideLimits;
        Some(Recommendation { x, choice })
    }

    /// The observations, of which only what is allowed and keeps `limits` counts for the target.
    pub(super) fn deployable(&self, limits: &[f64]) -> Cow<'_, Observations> {
        let seen = &self.state.seen;
        match self.allowed.is_none() && limits.is_empty() {
            true => Cow::Borrowed(seen),
            false => Cow::Owned(seen.only(|o| self.allows(&o.x) && self.keeps(o, limits))),
        }
    }
}

/// Those of `all` that no other one betters in both numbers of its `pair`, by falling second number; of equals the
/// first.
fn undominated<T>(mut all: Vec<T>, pair: impl Fn(&T) -> [f64; 2]) -> Vec<T> {
    all.sort_by(|a, b| {
        let ([a, x], [b, y]) = (pair(a), pair(b));
        a.total_cmp(&b).then(x.total_cmp(&y))
    });
    let mut least = f64::INFINITY;
    all.retain(|one| {
        let [_, second] = pair(one);
        let better = second < least;
        least = least.min(second);
        better
    });
    all
}
