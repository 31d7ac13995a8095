//! Global: the point that the acquisition chooses in the whole cube.

use super::Optimiser;
use crate::search::belief::Belief;
use crate::search::belief::incumbent::{Incumbent, View};
use crate::search::belief::learner::Learnt;
use crate::search::climb::level_set::LevelSet;
use crate::search::climb::thompson;
use crate::search::climb::{Peak, Region, Surface, Work, climb, raw_points};
use crate::search::criterion::acquisition::Acquisition;
use crate::search::optimiser::under_way::APART;
use crate::streams::Search;

impl Optimiser {
    /// The peak of the acquisition, or why there is none.
    pub(super) fn global_point(&mut self) -> Result<Peak, String> {
        if self.state.seen.best().is_none() {
            return Err("no evaluation has finished yet".to_owned());
        }
        self.learn().map_err(|error| error.to_string())?;
        let belief = self.state.belief.as_ref().expect("learn has just set it");
        let supposed = match self.state.under_way.points() {
            [] => None,
            points => Some(
                belief
                    .supposing(points, &self.state.seen, &self.lesson())
                    .map_err(|error| error.to_string())?,
            ),
        };
        let learnt = supposed.as_ref().unwrap_or(belief.learnt());
        let peak = self.peak(belief, learnt);
        let peak = peak.ok_or("the acquisition was nowhere finite")?;
        let mut whole = peak.x.clone();
        whole.resize(peak.x.len() + belief.contexts(), 0.0);
        self.state.gain += self.acquisition.gain_at(learnt.model(), &whole);
        Ok(peak)
    }

    /// The peak of the acquisition by what is `learnt`, the points under way supposed.
    fn peak(&self, belief: &Belief, learnt: &Learnt) -> Option<Peak> {
        let (incumbent, best) = self.incumbent(belief);
        let (model, contexts) = (learnt.model(), belief.contexts());
        let seed = self.seed_for(Search::Climb);
        let criterion = self.acquisition.criterion(model, best, self.state.gain);
        let surface = Surface {
            model,
            criterion: &*criterion,
            contexts,
        };
        let from = [incumbent.clone()];
        let peak = match self.acquisition {
            Acquisition::Thompson => {
                let dimensions = self.space.dimensions();
                thompson::least_of_a_draw(model, dimensions, contexts, &from, seed)
            }
            Acquisition::LevelSet => {
                let incumbent = Incumbent::at(View { model, contexts }, &incumbent)?;
                let drawn = LevelSet(incumbent).draw(seed);
                drawn.map(|(x, mean)| Peak { x, value: -mean })
            }
            _ => {
                let region = Region::cube(self.space.dimensions());
                let work = Work::affordable(self.state.seen.count());
                let peak = climb(&surface, &region, &from, work, seed);
                peak.map(|peak| self.settle(&surface, self.space.snapped(&peak.x)))
            }
        }?;
        let peak = Peak {
            x: self.space.snapped(&peak.x),
            ..peak
        };
        Some(self.set_apart(&surface, peak, incumbent, seed))
    }

    /// Whether an evaluation at `x` can teach anything beside those known and under way.
    fn is_new(&self, x: &[f64]) -> bool {
        let apart = self.state.under_way.distance(x) >= APART;
        apart && (self.settings.noisy || !self.is_known(x))
    }

    /// `peak` where it is new; else the best of the raw points that is; where there is none, as
    /// among a few whole numbers, the one furthest from the points under way.
    fn set_apart(&self, surface: &Surface, peak: Peak, incumbent: Vec<f64>, seed: u64) -> Peak {
        if self.is_new(&peak.x) {
            return peak;
        }
        let region = Region::cube(self.space.dimensions());
        let mut from = vec![incumbent];
        let under_way = &self.state.under_way;
        if !under_way.points().is_empty() {
            from.push(peak.x.clone());
        }
        let work = Work::affordable(self.state.seen.count());
        let raw: Vec<Vec<f64>> = raw_points(&region, &from, work.raw, seed)
            .iter()
            .map(|x| self.space.snapped(x))
            .collect();
        let values = surface.values(&raw);
        let distance = |i: &usize| under_way.distance(&raw[*i]);
        let new = (0..raw.len()).filter(|i| !values[*i].is_nan() && self.is_new(&raw[*i]));
        let best = new.max_by(|a, b| values[*a].total_cmp(&values[*b]));
        let furthest = || (0..raw.len()).max_by(|a, b| distance(a).total_cmp(&distance(b)));
        let at = |i: usize| Peak {
            x: raw[i].clone(),
            value: values[i],
        };
        match best {
            Some(best) => at(best),
            None if under_way.points().is_empty() => peak,
            None => furthest().map_or(peak, at),
        }
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
}
