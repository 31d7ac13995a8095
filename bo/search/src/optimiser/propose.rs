//! Global: the point that the acquisition chooses in the whole cube.

use super::limits::Anywhere;
use super::pending::{LEAST_DISTANCE, close};
use super::{Optimiser, Origin};
use crate::acquisition::Acquisition;
use crate::acquisition::knowledge;
use crate::acquisition::level_set::LevelSet;
use crate::maximise::{Criterion, Maximum, Raw, Region, Surface, climb, points, raw_points};
use crate::model::Posterior;
use crate::model::allowed::AllowedSet;
use crate::model::incumbent::Incumbent;
use crate::model::losses::RiskModel;
use crate::model::refit::Work;
use crate::observations::Observations;
use crate::streams::Search;
use dilgp::Model;
use shell::seeds::Stream;
use std::borrow::Cow;
use std::cell::OnceCell;
use std::time::Instant;

/// A point with its origin.
type Chosen = (Vec<f64>, Origin);

/// What decides a suggestion, whatever the set of the constraint turns out to be.
struct Round<'a> {
    model: &'a RiskModel<'a>,
    criterion: Box<dyn Criterion>,
    /// Limits of the outputs, and whether no evaluation keeps them.
    limits: Vec<f64>,
    none_keeps: bool,
    /// The evaluations that are allowed and keep them.
    seen: Cow<'a, Observations>,
    incumbent: Vec<f64>,
    seed: u64,
    /// What a climb looks at first, once there was one.
    raw: OnceCell<Raw>,
}

impl Optimiser {
    /// The maximum of the acquisition with its origin, or why there is none.
    pub(super) fn global_point(&mut self) -> Result<(Vec<f64>, Origin), String> {
        if self.state.seen.best().is_none() {
            return Err("no evaluation has finished yet".to_owned());
        }
        self.learn().map_err(|error| error.to_string())?;
        let started = Instant::now();
        let chosen = self.chosen();
        self.state.time.climbing += started.elapsed();
        let (chosen, rejected) = chosen?;
        self.state.rejected = rejected;
        Ok(chosen)
    }

    /// The maximum by the posterior just fitted with the pending points, with its origin, and where it would
    /// be without the constraint if it was moved.
    /// Draws from a level set differ by chance, and pending points at their means would not move it.
    fn chosen(&self) -> Result<(Chosen, Option<Vec<f64>>), String> {
        let posterior = self.posterior_now().expect("learn has just set it");
        let with_pending = match self.state.pending.points() {
            [] => None,
            _ if self.rule() == Acquisition::LevelSet => None,
            points => Some(
                posterior
                    .with_pending(points, &self.state.seen, &self.options())
                    .map_err(|error| error.to_string())?,
            ),
        };
        let view = posterior.view_of(with_pending.as_ref().unwrap_or(posterior.learnt()));
        let round = self.round(posterior, &view);
        let worth = |x: &[f64]| self.worth(&round, x);
        let chosen = self.within_the_constraint(|set| self.maximum(&round, set), worth);
        let (maximum, rejected) = chosen.ok_or("the acquisition was nowhere finite")?;
        let origin = Origin::Acquisition {
            value: maximum.value,
            jitter: view.summary().jitter,
            regime: self.judged(),
        };
        Ok(((maximum.x, origin), rejected))
    }

    /// What decides a suggestion over `model`.
    fn round<'a>(&'a self, posterior: &Posterior, model: &'a RiskModel) -> Round<'a> {
        let limits = self.limits_now();
        let seen = self.deployable(&limits);
        let (incumbent, best) = self.incumbent(posterior, &seen);
        let none_keeps = !limits.is_empty() && seen.best().is_none();
        Round {
            model,
            criterion: match none_keeps {
                true => Box::new(Anywhere),
                false => self.rule().criterion(best),
            },
            limits,
            none_keeps,
            seen,
            incumbent,
            seed: self.seed_for(Search::Climb),
            raw: OnceCell::new(),
        }
    }

    /// The maximum of the acquisition of `round` within a set.
    fn maximum(&self, round: &Round, within: Option<&AllowedSet>) -> Option<Maximum> {
        let (model, seed) = (round.model, round.seed);
        let allowed = self.allowed_by(within, &round.limits);
        let within = Some(&allowed).filter(|allowed| !allowed.is_everywhere());
        let surface = Surface {
            model,
            criterion: &*round.criterion,
            within,
        };
        let maximum = match self.rule() {
            _ if round.none_keeps => self.climbed(&surface, round),
            Acquisition::LevelSet => {
                let set = LevelSet {
                    about: Incumbent::at(model, &round.incumbent)?,
                    observations: self.state.seen.count(),
                    within,
                };
                set.draw(seed).map(|(x, mean)| Maximum { x, value: -mean })
            }
            Acquisition::KnowledgeGradient => {
                let finished = round.seen.finished();
                let visited: Vec<Vec<f64>> = finished.map(|known| known.0.to_vec()).collect();
                let work = self.affordable();
                knowledge::greatest_knowledge_gradient(model, &visited, within, work, seed)
            }
            _ => self.climbed(&surface, round),
        }?;
        let maximum = Maximum {
            x: self.space.snapped(&maximum.x),
            ..maximum
        };
        Some(self.distinct(&surface, maximum, round.incumbent.clone(), seed))
    }

    /// The acquisition of `round` at `x`, which its constraint allows.
    fn worth(&self, round: &Round, x: &[f64]) -> f64 {
        let allowed = self.allowed_by(None, &round.limits);
        let surface = Surface {
            model: round.model,
            criterion: &*round.criterion,
            within: Some(&allowed).filter(|allowed| !allowed.is_everywhere()),
        };
        surface.values(&[x.to_vec()])[0]
    }

    /// The highest point of `surface` that is found from the incumbent of `round`.
    fn climbed(&self, surface: &Surface, round: &Round) -> Option<Maximum> {
        let region = Region::cube(self.space.dimensions());
        let from = std::slice::from_ref(&round.incumbent);
        let work = self.affordable();
        let look = || surface.look(&region, from, work.raw, round.seed);
        let raw = round.raw.get_or_init(look);
        let maximum = climb(surface, &region, from, work, raw)?;
        Some(self.settled(surface, self.space.snapped(&maximum.x)))
    }

    /// The work that a suggestion may take.
    fn affordable(&self) -> Work {
        self.learner.schedule().work(self.state.seen.count())
    }

    /// Whether an evaluation at `x` can add to those known and pending.
    pub(super) fn is_new(&self, x: &[f64]) -> bool {
        let apart = self.state.pending.distance(x) >= LEAST_DISTANCE;
        apart && (self.settings.noisy || !self.is_known(x))
    }

    /// `maximum` if it is new; else the best of the raw points that is; else, as among a few whole
    /// numbers, the one farthest from the pending points.
    fn distinct(
        &self,
        surface: &Surface,
        maximum: Maximum,
        incumbent: Vec<f64>,
        seed: u64,
    ) -> Maximum {
        if self.is_new(&maximum.x) {
            return maximum;
        }
        let region = Region::cube(self.space.dimensions());
        let mut from = vec![incumbent];
        let pending = &self.state.pending;
        if !pending.points().is_empty() {
            from.push(maximum.x.clone());
        }
        let work = self.affordable();
        let raw: Vec<Vec<f64>> = raw_points(&region, &from, work.raw, seed)
            .iter()
            .map(|x| self.space.snapped(x))
            .collect();
        let values = surface.values(&raw);
        let distance = |i: &usize| pending.distance(&raw[*i]);
        let new = (0..raw.len()).filter(|i| !values[*i].is_nan() && self.is_new(&raw[*i]));
        let best = new.max_by(|a, b| values[*a].total_cmp(&values[*b]));
        let furthest = || (0..raw.len()).max_by(|a, b| distance(a).total_cmp(&distance(b)));
        let found = match best {
            None if pending.points().is_empty() => None,
            None => furthest(),
            best => best,
        };
        found.map_or(maximum, |i| Maximum {
            x: raw[i].clone(),
            value: values[i],
        })
    }

    /// Moves a snapped point from whole number to whole number while that raises the criterion.
    fn settled(&self, surface: &Surface, x: Vec<f64>) -> Maximum {
        let value = surface.values(std::slice::from_ref(&x))[0];
        let mut maximum = Maximum { x, value };
        loop {
            let around = self.space.neighbours(&maximum.x);
            let values = surface.values(&around);
            let best = (0..around.len()).max_by(|a, b| values[*a].total_cmp(&values[*b]));
            match best {
                Some(i) if values[i] > maximum.value => {
                    maximum = Maximum {
                        x: around[i].clone(),
                        value: values[i],
                    };
                }
                _ => return maximum,
            }
        }
    }
}

/// Evaluations that must have been lost for each that finished before the only one that did is searched about.
const MOSTLY_LOST: usize = 4;

impl Optimiser {
    /// A point about the only evaluation that finished, no further from it than the nearest that was lost: no
    /// surrogate knows from one value where to go, and what is lost says that most of the cube is not worth it.
    pub(super) fn near_only_finished(&self) -> Option<Vec<f64>> {
        let seen = &self.state.seen;
        let mut finished = seen.finished();
        let (only, None) = (finished.next()?.0, finished.next()) else {
            return None;
        };
        if self.baseline.is_some() || seen.crashed() < MOSTLY_LOST {
            return None;
        }
        let lost = seen.all().iter().filter(|o| o.value.is_none());
        let distance = |o: &crate::Observation| {
            let sides = o.x.iter().zip(only);
            sides.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
        };
        let reach = lost
            .map(distance)
            .filter(|far| *far > 0.0)
            .fold(1.0, f64::min);
        let region = Region::about(only, reach);
        let index = self.evaluations();
        let seed = self.seed_for(Search::Local);
        let x = region.at(&points::sobol(only.len(), index % MOST_DESIGNED, 1, seed)[0]);
        let x = self.space.snapped(&x);
        (self.is_new(&x) && self.allows(&x)).then_some(x)
    }
}

/// Points that the design's sequence has.
const MOST_DESIGNED: usize = 65_536;

impl Optimiser {
    /// The next scrambled Sobol' point, snapped, that is neither known nor pending: a search that was
    /// rebuilt from its observations continues the sequence. In a space of few points, any.
    pub(super) fn design_point(&mut self) -> Vec<f64> {
        for _ in 0..self.evaluations() {
            let x = self.next_of_design();
            if !self.any_known(|known| close(known, &x)) {
                return x;
            }
        }
        self.next_of_design()
    }

    pub(super) fn next_of_sequence(&mut self) -> Vec<f64> {
        let index = self.state.designed % MOST_DESIGNED;
        self.state.designed += 1;
        let seed = Search::Design.of(self.settings.seed);
        let points = points::sobol(self.space.dimensions(), index, 1, seed);
        self.space.snapped(&points[0])
    }
}
