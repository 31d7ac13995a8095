//! Optimiser: asked for points, told values.

mod global;
pub mod settings;
#[cfg(test)]
mod tests;
mod under_way;

use crate::search::Refusal;
use crate::search::belief::incumbent::Incumbent;
use crate::search::belief::learner::Learner;
use crate::search::belief::{Belief, Lesson};
use crate::search::climb::level_set::LevelSet;
use crate::search::climb::local::{Known, TrustRegion};
use crate::search::criterion::acquisition::Acquisition;
use crate::search::observations::Observations;
use crate::search::optimiser::settings::Settings;
use crate::search::optimiser::under_way::{UnderWay, close, same};
use crate::search::space::Space;
use crate::streams::{Search, Stream};

/// Most observations of one optimiser: exact processes grow with their third power.
const MOST_OBSERVATIONS: usize = 5_000;

/// Share of a known budget after which a deterministic objective is searched locally.
const GLOBAL_SHARE: f64 = 0.65;

/// Where no budget is known, every step of this number is local.
const LOCAL_EVERY: usize = 3;

/// Points that the design's sequence has.
const MOST_DESIGNED: usize = 65_536;

/// Where a suggestion came from.
#[derive(Debug, Clone, PartialEq)]
pub enum Origin {
    /// The initial design.
    Design,
    /// The acquisition's peak, with its value.
    Acquisition(f64),
    /// The local search.
    Local,
    /// The next point of the design, because the surrogate or the acquisition failed.
    Fallback(String),
}

/// A point to evaluate.
#[derive(Debug, Clone, PartialEq)]
pub struct Suggestion {
    /// In natural units, in the order of the space.
    pub x: Vec<f64>,
    /// Where it came from.
    pub origin: Origin,
}

/// What changes from question to question.
#[derive(Default)]
struct State {
    seen: Observations,
    under_way: UnderWay,
    /// Points of the design's sequence handed out or passed over.
    designed: usize,
    belief: Option<Belief>,
    region: TrustRegion,
    /// Information gained so far, for the schedule of Theorem 2 \[nats\].
    gain: f64,
}

/// A search: its constants and its state.
pub struct Optimiser {
    space: Space,
    settings: Settings,
    learner: Learner,
    acquisition: Acquisition,
    state: State,
}

impl Optimiser {
    /// A search that has seen nothing.
    ///
    /// # Errors
    /// A surrogate that does not exist, an acquisition it cannot serve, or no initial design.
    pub fn new(space: Space, settings: Settings) -> Result<Optimiser, Refusal> {
        let learner = Learner::by_name(&settings.surrogate, settings.noisy)?;
        let usual = || Acquisition::usual(&learner, settings.noisy);
        let acquisition = settings.acquisition.unwrap_or_else(usual);
        acquisition.check(&learner.abilities())?;
        if settings.initial == 0 {
            return Err(Refusal::SettingOutOfRange {
                setting: "initial",
                value: 0.0,
                wanted: "at least 1",
            });
        }
        Ok(Optimiser {
            space,
            settings,
            learner,
            acquisition,
            state: State::default(),
        })
    }

    /// The space searched.
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// What was told.
    pub fn seen(&self) -> &Observations {
        &self.state.seen
    }

    /// Takes in a value observed at `x` (natural units). A value that is not finite is a crash.
    ///
    /// # Errors
    /// A point that is not of the space, or too many observations; nothing has changed then.
    pub fn tell(&mut self, x: &[f64], value: f64) -> Result<(), Refusal> {
        self.tell_of(x, value.is_finite().then_some(value), None)
    }

    /// Takes in an observation: no value for a crash, and the name of its domain where that is
    /// not the target.
    ///
    /// # Errors
    /// As [`Optimiser::tell`].
    pub fn tell_of(
        &mut self,
        x: &[f64],
        value: Option<f64>,
        other_domain: Option<&str>,
    ) -> Result<(), Refusal> {
        let unit = self.space.unit(x)?;
        let state = &mut self.state;
        if state.seen.count() >= MOST_OBSERVATIONS {
            return Err(Refusal::TooManyObservations {
                most: MOST_OBSERVATIONS,
            });
        }
        let value = value.filter(|value| value.is_finite());
        let evaluated = state.under_way.answered(unit);
        let best = state.seen.best().map(|known| known.1);
        state.region.judge(&evaluated, value, best);
        state.seen.push(evaluated, value, other_domain);
        Ok(())
    }

    /// The next point to evaluate. Asked again before it is told, it suggests another point and
    /// stays away from those under way.
    pub fn ask(&mut self) -> Suggestion {
        let (unit, origin) = self.next();
        self.state.under_way.push(unit.clone());
        Suggestion {
            x: self.space.natural(&unit),
            origin,
        }
    }

    fn next(&mut self) -> (Vec<f64>, Origin) {
        if self.evaluations() < self.settings.initial {
            return (self.design_point(), Origin::Design);
        }
        if self.local_is_due()
            && let Some(x) = self.local_point()
        {
            return (x, Origin::Local);
        }
        match self.global_point() {
            Ok(peak) => (peak.x, Origin::Acquisition(peak.value)),
            Err(reason) => (self.design_point(), Origin::Fallback(reason)),
        }
    }

    /// Evaluations told and under way.
    fn evaluations(&self) -> usize {
        self.state.seen.count() + self.state.under_way.points().len()
    }

    fn seed_for(&self, purpose: Search) -> u64 {
        purpose.at(self.settings.seed, self.evaluations() as u64)
    }

    /// The next scrambled Sobol' point, snapped, that is not among those told or under way: a
    /// search that was rebuilt by telling goes on with the sequence. In a space of few points,
    /// where all may be taken, any.
    fn design_point(&mut self) -> Vec<f64> {
        for _ in 0..self.evaluations() {
            let x = self.next_of_design();
            if !self.any_known(|known| close(known, &x)) {
                return x;
            }
        }
        self.next_of_design()
    }

    fn next_of_design(&mut self) -> Vec<f64> {
        let index = self.state.designed % MOST_DESIGNED;
        self.state.designed += 1;
        let seed = Search::Design.of(self.settings.seed);
        let points = crate::search::climb::sobol::points(self.space.dimensions(), index, 1, seed);
        self.space.snapped(&points[0])
    }

    fn local_is_due(&self) -> bool {
        let (settings, count) = (&self.settings, self.state.seen.count());
        let possible = settings.local && !settings.noisy && self.space.is_continuous();
        let turn = match settings.budget {
            Some(budget) => count as f64 >= GLOBAL_SHARE * budget as f64,
            None => count.is_multiple_of(LOCAL_EVERY),
        };
        possible
            && turn
            && self.state.under_way.points().is_empty()
            && !self.state.region.collapsed()
    }

    fn local_point(&mut self) -> Option<Vec<f64>> {
        let seed = self.seed_for(Search::Local);
        let known: Vec<Known> = self.state.seen.finished().collect();
        let x = self.state.region.propose(&known, seed)?;
        (!self.is_known(&x)).then_some(x)
    }

    fn lesson(&self) -> Lesson<'_> {
        Lesson {
            learner: &self.learner,
            warp: self.settings.warp,
            seed: self.seed_for(Search::Fit),
        }
    }

    fn learn(&mut self) -> Result<(), dilgp::Error> {
        let before = self.state.belief.take();
        let belief = Belief::updated(before, &self.state.seen, &self.lesson())?;
        self.state.belief = Some(belief);
        Ok(())
    }

    /// The visited point to improve on and its value in the model's units: the best observed, or
    /// under noise the best believed.
    fn incumbent(&self, belief: &Belief) -> (Vec<f64>, f64) {
        let seen = &self.state.seen;
        if self.settings.noisy {
            let points: Vec<&[f64]> = seen.finished().map(|known| known.0).collect();
            let means = belief.view().means(&points);
            let least = (0..points.len()).min_by(|a, b| means[*a].total_cmp(&means[*b]));
            if let Some(least) = least {
                return (points[least].to_vec(), means[least]);
            }
        }
        let best = seen.best().expect("checked by the caller");
        (best.0.to_vec(), belief.image(best.1))
    }

    /// Whether `x` was told or is under way.
    fn is_known(&self, x: &[f64]) -> bool {
        self.any_known(|known| same(known, x))
    }

    fn any_known(&self, is: impl Fn(&[f64]) -> bool) -> bool {
        let seen = self.state.seen.all().iter().map(|o| &o.x);
        let mut known = seen.chain(self.state.under_way.points());
        known.any(|known| is(known))
    }

    /// The point to deploy, in natural units: of a deterministic objective the best observed,
    /// under noise the visited point with the least believed mean, by level sets the centre of
    /// theirs as far as it is believed to be no worse ([`Incumbent::centre`]).
    ///
    /// # Errors
    /// Where no evaluation of the target has finished.
    pub fn recommend(&mut self) -> Result<Vec<f64>, Refusal> {
        let seen = &self.state.seen;
        let Some((best, _)) = seen.best() else {
            let (told, crashed) = (seen.count(), seen.crashed());
            return Err(Refusal::NothingFinished { told, crashed });
        };
        let best = best.to_vec();
        if !self.settings.noisy || self.learn().is_err() {
            return Ok(self.space.natural(&best));
        }
        let belief = self.state.belief.as_ref().expect("learn has just set it");
        let incumbent = self.incumbent(belief).0;
        let centre = match self.acquisition {
            Acquisition::LevelSet => self.centre(belief, &incumbent),
            _ => None,
        };
        Ok(self.space.natural(&centre.unwrap_or(incumbent)))
    }

    /// The centre of the level set about the incumbent, snapped.
    fn centre(&self, belief: &Belief, incumbent: &[f64]) -> Option<Vec<f64>> {
        let set = LevelSet(Incumbent::at(belief.view(), incumbent)?);
        let seed = self.seed_for(Search::Recommend);
        let centre = set.centre(seed, |x| self.space.snapped(x))?;
        Some(centre.x)
    }
}
