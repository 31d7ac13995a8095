//! Global: the point that the acquisition chooses in the whole cube.

use super::constraint::PASSED_OVER;
use super::pending::{LEAST_DISTANCE, close};
use super::{Optimiser, Origin};
use crate::acquisition::Acquisition;
use crate::acquisition::knowledge;
use crate::acquisition::level_set::LevelSet;
use crate::maximise::{Maximum, Region, Surface, maximise, points, raw_points};
use crate::model::Posterior;
use crate::model::incumbent::Incumbent;
use crate::model::losses::RiskModel;
use crate::model::refit::Work;
use crate::streams::Search;
use dilgp::Model;
use shell::seeds::Stream;
use std::time::Instant;

/// A point, its origin, and the point that it replaces because that breaks the constraint.
type Chosen = (Vec<f64>, Origin, Option<Vec<f64>>);

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
        let (x, origin, rejected) = chosen?;
        self.state.rejected = rejected;
        Ok((x, origin))
    }

    /// The maximum by the posterior just fitted with the pending points, and the one that it replaces.
    /// Draws from a level set differ by chance, and pending points at their means would not move it.
    fn chosen(&self) -> Result<Chosen, String> {
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
        let maximum = self.maximum(posterior, &view);
        let (maximum, rejected) = maximum.ok_or("the acquisition was nowhere finite")?;
        let origin = Origin::Acquisition {
            value: maximum.value,
            jitter: view.summary().jitter,
            regime: self.judged(),
        };
        Ok((maximum.x, origin, rejected))
    }

    /// The maximum of the acquisition over `model`.
    fn maximum(
        &self,
        posterior: &Posterior,
        model: &RiskModel,
    ) -> Option<(Maximum, Option<Vec<f64>>)> {
        let (incumbent, best) = self.incumbent(posterior);
        let seed = self.seed_for(Search::Climb);
        let criterion = self.rule().criterion(best);
        let surface = Surface {
            model,
            criterion: &*criterion,
        };
        let from = [incumbent.clone()];
        let maximum = match self.rule() {
            Acquisition::LevelSet => {
                let set = LevelSet {
                    about: Incumbent::at(model, &incumbent)?,
                    observations: self.state.seen.count(),
                };
                set.draw(seed).map(|(x, mean)| Maximum { x, value: -mean })
            }
            Acquisition::KnowledgeGradient => {
                let visited: Vec<Vec<f64>> = self
                    .state
                    .seen
                    .finished()
                    .map(|known| known.0.to_vec())
                    .collect();
                let work = self.affordable();
                knowledge::greatest_knowledge_gradient(model, &visited, work, seed)
            }
            _ => {
                let region = Region::cube(self.space.dimensions());
                let work = self.affordable();
                let maximum = maximise(&surface, &region, &from, work, seed);
                maximum.map(|maximum| self.settled(&surface, self.space.snapped(&maximum.x)))
            }
        }?;
        let maximum = Maximum {
            x: self.space.snapped(&maximum.x),
            ..maximum
        };
        let rejected = (!self.allows(&maximum.x)).then(|| maximum.x.clone());
        Some((self.distinct(&surface, maximum, incumbent, seed), rejected))
    }

    /// The work that a suggestion may take.
    fn affordable(&self) -> Work {
        self.learner.schedule().work(self.state.seen.count())
    }

    /// Whether an evaluation at `x` can add to those known and pending.
    fn is_new(&self, x: &[f64]) -> bool {
        let apart = self.state.pending.distance(x) >= LEAST_DISTANCE;
        apart && (self.settings.noisy || !self.is_known(x))
    }

    /// `maximum` if it is new and allowed; else the best of the raw points that is; else, as among a
    /// few whole numbers, the one farthest from the pending points, or an allowed point on the way.
    fn distinct(
        &self,
        surface: &Surface,
        maximum: Maximum,
        incumbent: Vec<f64>,
        seed: u64,
    ) -> Maximum {
        let allowed = self.allows(&maximum.x);
        if allowed && self.is_new(&maximum.x) {
            return maximum;
        }
        let region = Region::cube(self.space.dimensions());
        let mut from = vec![incumbent];
        let pending = &self.state.pending;
        if !pending.points().is_empty() {
            from.push(maximum.x.clone());
        }
        if !allowed {
            from.push(self.nearest_allowed(maximum.x.clone()));
        }
        let work = self.affordable();
        let raw: Vec<Vec<f64>> = raw_points(&region, &from, work.raw, seed)
            .iter()
            .map(|x| self.space.snapped(x))
            .collect();
        let values = surface.values(&raw);
        let distance = |i: &usize| pending.distance(&raw[*i]);
        let new = (0..raw.len()).filter(|i| !values[*i].is_nan() && self.is_new(&raw[*i]));
        let mut new: Vec<usize> = new.collect();
        new.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
        // Whether a point is allowed may take long to say.
        let mut good = new.into_iter().rev().take(self.tried());
        let best = good.find(|i| self.allows(&raw[*i]));
        let furthest = || (0..raw.len()).max_by(|a, b| distance(a).total_cmp(&distance(b)));
        let at = |i: usize| Maximum {
            x: raw[i].clone(),
            value: values[i],
        };
        match best {
            Some(best) => at(best),
            None if pending.points().is_empty() || !allowed => Maximum {
                x: self.nearest_allowed(maximum.x),
                ..maximum
            },
            None => furthest().map_or(maximum, at),
        }
    }

    /// How many points are checked before one is moved to where it is allowed.
    fn tried(&self) -> usize {
        match self.feasible_point() {
            Some(_) => PASSED_OVER,
            None => usize::MAX,
        }
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

    /// The next of the sequence that is allowed; after many that are not, a point on the way to the last.
    fn next_of_design(&mut self) -> Vec<f64> {
        self.state.rejected = None;
        let mut x = self.next_of_sequence();
        for _ in 0..PASSED_OVER {
            if self.allows(&x) {
                return x;
            }
            self.state.rejected = Some(x);
            x = self.next_of_sequence();
        }
        self.nearest_allowed(x)
    }

    fn next_of_sequence(&mut self) -> Vec<f64> {
        let index = self.state.designed % MOST_DESIGNED;
        self.state.designed += 1;
        let seed = Search::Design.of(self.settings.seed);
        let points = points::sobol(self.space.dimensions(), index, 1, seed);
        self.space.snapped(&points[0])
    }
}
