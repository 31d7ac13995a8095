//! Optimiser: asked for points, told values.

use super::acquisition::Acquisition;
use super::belief::{Belief, Lesson};
use super::climb::{Peak, Region, Surface, Work, climb, raw_points};
use super::learner::{Learner, Learnt};
use super::level_set::LevelSet;
use super::local::{Known, TrustRegion};
use super::observations::Observations;
use super::parameters::Space;
use super::{Refusal, thompson};

/// Streams of random numbers of one optimiser.
const DESIGN: u64 = 1;
const FIT: u64 = 2;
const CLIMB: u64 = 3;
const LOCAL: u64 = 4;

/// Most observations of one optimiser: exact processes grow with their third power.
const MOST_OBSERVATIONS: usize = 5_000;

/// Share of a known budget after which a deterministic objective is searched locally.
const GLOBAL_SHARE: f64 = 0.65;

/// Where no budget is known, every step of this number is local.
const LOCAL_EVERY: usize = 3;

/// Points closer than this are the same.
const SAME: f64 = 1e-9;

/// How to optimise; does not change.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// Name of the surrogate: one of [`super::PROCESSES`] or of [`dilgp::NAMES`].
    pub surrogate: String,
    /// The rule that chooses the next point; where none is named, [`Acquisition::usual`].
    pub acquisition: Option<Acquisition>,
    /// Whether evaluating a point twice may give two values.
    pub noisy: bool,
    /// Points of the initial design; observations told before are counted among them.
    pub initial: usize,
    /// Evaluations in all, where the caller knows.
    pub budget: Option<usize>,
    /// Whether values are warped before the surrogate sees them.
    pub warp: bool,
    /// Whether a deterministic objective is also searched locally.
    pub local: bool,
    /// Decides the design, the fits and the climbs.
    pub seed: u64,
}

impl Settings {
    /// The default for an objective with noise.
    pub fn noisy(seed: u64) -> Settings {
        Settings {
            surrogate: "matern".to_owned(),
            acquisition: None,
            noisy: true,
            initial: 10,
            budget: None,
            warp: true,
            local: true,
            seed,
        }
    }

    /// The default for an objective without noise.
    pub fn deterministic(seed: u64) -> Settings {
        Settings {
            noisy: false,
            ..Settings::noisy(seed)
        }
    }
}

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
    /// Suggestions not yet told, in the unit cube.
    pending: Vec<Vec<f64>>,
    /// Points of the design handed out.
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
        if let Some(index) = state.pending.iter().position(|p| same(p, &unit)) {
            // Told as text, a point comes back rounded; what was proposed is what was evaluated.
            let proposed = state.pending.remove(index);
            let best = state.seen.best().map(|known| known.1);
            state.region.judge(&proposed, value, best);
            state.seen.push(proposed, value, other_domain);
        } else {
            let best = state.seen.best().map(|known| known.1);
            state.region.judge(&unit, value, best);
            state.seen.push(unit, value, other_domain);
        }
        Ok(())
    }

    /// The next point to evaluate. Asked again before it is told, it suggests another point and
    /// stays away from those under way.
    pub fn ask(&mut self) -> Suggestion {
        let (unit, origin) = self.next();
        self.state.pending.push(unit.clone());
        Suggestion {
            x: self.space.natural(&unit),
            origin,
        }
    }

    fn next(&mut self) -> (Vec<f64>, Origin) {
        if self.state.seen.count() + self.state.pending.len() < self.settings.initial {
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

    fn seed_for(&self, purpose: u64) -> u64 {
        let step = self.state.seen.count() + self.state.pending.len();
        sim::mix(&[self.settings.seed, purpose, step as u64])
    }

    /// The next scrambled Sobol' point, snapped.
    fn design_point(&mut self) -> Vec<f64> {
        let index = self.state.designed;
        self.state.designed += 1;
        let seed = sim::mix(&[self.settings.seed, DESIGN]);
        // The sequence ends after 65,536 points.
        let points = crate::sobol::points(self.space.dimensions(), index % 65_536, 1, seed);
        self.space.snapped(&points[0])
    }

    fn local_is_due(&self) -> bool {
        let (settings, count) = (&self.settings, self.state.seen.count());
        let possible = settings.local && !settings.noisy && self.space.is_continuous();
        let turn = match settings.budget {
            Some(budget) => count as f64 >= GLOBAL_SHARE * budget as f64,
            None => count.is_multiple_of(LOCAL_EVERY),
        };
        possible && turn && self.state.pending.is_empty() && !self.state.region.collapsed()
    }

    fn local_point(&mut self) -> Option<Vec<f64>> {
        let seed = self.seed_for(LOCAL);
        let known: Vec<Known> = self.state.seen.finished().collect();
        let x = self.state.region.propose(&known, seed)?;
        (!self.is_known(&x)).then_some(x)
    }

    /// The peak of the acquisition, or why there is none.
    fn global_point(&mut self) -> Result<Peak, String> {
        if self.state.seen.best().is_none() {
            return Err("no evaluation has finished yet".to_owned());
        }
        self.learn().map_err(|error| error.to_string())?;
        let belief = self.state.belief.as_ref().expect("learn has just set it");
        let supposed = match self.state.pending.as_slice() {
            [] => None,
            pending => belief
                .supposing(pending)
                .map_err(|error| error.to_string())?,
        };
        let learnt = supposed.as_ref().unwrap_or(belief.learnt());
        let (incumbent, best) = self.incumbent(belief);
        let seed = self.seed_for(CLIMB);
        let peak = if self.acquisition == Acquisition::Thompson {
            self.drawn_peak(learnt, belief.contexts(), &incumbent, seed)
        } else if self.acquisition == Acquisition::LevelSet {
            Self::level_set(learnt, belief.contexts(), &incumbent)
                .draw(seed)
                .map(|(x, mean)| Peak {
                    x: self.space.snapped(&x),
                    value: -mean,
                })
        } else {
            let gain = self.state.gain;
            let criterion = self.acquisition.criterion(learnt.model(), best, gain);
            let contexts = belief.contexts();
            let surface = Surface {
                model: learnt.model(),
                criterion: &*criterion,
                contexts,
            };
            self.climbed_peak(&surface, &incumbent, seed)
        };
        let peak = peak.ok_or("the acquisition was nowhere finite")?;
        let mut whole = peak.x.clone();
        whole.resize(peak.x.len() + belief.contexts(), 0.0);
        self.state.gain += self.acquisition.gain_at(learnt.model(), &whole);
        Ok(peak)
    }

    fn learn(&mut self) -> Result<(), dilgp::Error> {
        let lesson = Lesson {
            learner: &self.learner,
            warp: self.settings.warp,
            seed: self.seed_for(FIT),
        };
        let before = self.state.belief.take();
        self.state.belief = Some(Belief::updated(before, &self.state.seen, &lesson)?);
        Ok(())
    }

    /// The visited point to improve on and its value in the model's units: the best observed, or
    /// under noise the best believed.
    fn incumbent(&self, belief: &Belief) -> (Vec<f64>, f64) {
        let seen = &self.state.seen;
        if self.settings.noisy {
            let points: Vec<&[f64]> = seen.finished().map(|known| known.0).collect();
            let means = belief.means(&points);
            let least = (0..points.len()).min_by(|a, b| means[*a].total_cmp(&means[*b]));
            if let Some(least) = least {
                return (points[least].to_vec(), means[least]);
            }
        }
        let best = seen.best().expect("checked by the caller");
        (best.0.to_vec(), belief.image(best.1))
    }

    fn climbed_peak(&self, surface: &Surface, incumbent: &[f64], seed: u64) -> Option<Peak> {
        let region = Region::cube(self.space.dimensions());
        let from = [incumbent.to_vec()];
        let work = Work::affordable(self.state.seen.count());
        let peak = climb(surface, &region, &from, work, seed)?;
        let snapped = self.settle(surface, self.space.snapped(&peak.x));
        if !self.is_known(&snapped.x) || self.settings.noisy {
            return Some(snapped);
        }
        // Nothing is learnt from a known point: the best of the raw points that is new.
        let raw = raw_points(&region, &from, work.raw, seed);
        let fresh: Vec<Vec<f64>> = raw
            .iter()
            .map(|x| self.space.snapped(x))
            .filter(|x| !self.is_known(x))
            .collect();
        let values = surface.values(&fresh);
        let best = (0..fresh.len())
            .filter(|i| !values[*i].is_nan())
            .max_by(|a, b| values[*a].total_cmp(&values[*b]));
        Some(best.map_or(snapped, |i| Peak {
            x: fresh[i].clone(),
            value: values[i],
        }))
    }

    /// Moves a snapped point from whole number to whole number while that raises the criterion.
    fn settle(&self, surface: &Surface, x: Vec<f64>) -> Peak {
        let value = surface.values(std::slice::from_ref(&x))[0];
        let mut peak = Peak { x, value };
        loop {
            let around = self.space.neighbours(&peak.x);
            let values = surface.values(&around);
            let best = (0..around.len()).max_by(|a, b| values[*a].total_cmp(&values[*b]));
            match best {
                Some(i) if values[i] > peak.value => {
                    peak = Peak {
                        x: around[i].clone(),
                        value: values[i],
                    };
                }
                _ => return peak,
            }
        }
    }

    fn drawn_peak(
        &self,
        learnt: &Learnt,
        contexts: usize,
        incumbent: &[f64],
        seed: u64,
    ) -> Option<Peak> {
        let dimensions = self.space.dimensions();
        let from = [incumbent.to_vec()];
        let peak = thompson::least_of_a_draw(learnt.model(), dimensions, contexts, &from, seed)?;
        Some(Peak {
            x: self.space.snapped(&peak.x),
            ..peak
        })
    }

    fn level_set<'a>(learnt: &'a Learnt, contexts: usize, incumbent: &'a [f64]) -> LevelSet<'a> {
        LevelSet {
            model: learnt.model(),
            incumbent,
            contexts,
        }
    }

    /// Whether `x` was told or is under way.
    fn is_known(&self, x: &[f64]) -> bool {
        let seen = self
            .state
            .seen
            .all()
            .iter()
            .map(|observation| &observation.x);
        seen.chain(&self.state.pending).any(|known| same(known, x))
    }

    /// The point to deploy, in natural units: of a deterministic objective the best observed,
    /// under noise the visited point with the least believed mean, by level sets the centre of
    /// theirs.
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
        if self.acquisition == Acquisition::LevelSet {
            let set = Self::level_set(belief.learnt(), belief.contexts(), &incumbent);
            if let Some(centre) = set.centre(self.seed_for(CLIMB)) {
                return Ok(self.space.natural(&self.space.snapped(&centre)));
            }
        }
        Ok(self.space.natural(&incumbent))
    }
}

fn same(a: &[f64], b: &[f64]) -> bool {
    a.iter().zip(b).all(|(a, b)| (a - b).abs() < SAME)
}
