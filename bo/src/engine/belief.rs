//! Belief: the surrogate's model of the observations, kept up to date.
//!
//! Each domain beside the target has a coordinate of its own behind those of the cube, 1 for its
//! observations and 0 for all others. The process learns by its length how much a domain has in
//! common with the target; the target's belief is read at 0.

use super::learner::{Learner, Learnt};
use super::observations::{Observation, Observations};
use super::warp::Warp;
use dilgp::{Dataset, Error};
use nalgebra::{DMatrix, DVector};

/// A model with the map of values under which it was learnt.
pub struct Belief {
    learnt: Learnt,
    warp: Warp,
    /// Image of the worst finished value when the model was last refitted.
    worst: f64,
    /// Coordinates beyond the cube's.
    contexts: usize,
    /// Observations taken in, and those taken in when it was last refitted.
    taken: usize,
    refitted: usize,
}

/// How values are learnt from.
pub struct Lesson<'a> {
    /// The surrogate.
    pub learner: &'a Learner,
    /// Whether values are warped.
    pub warp: bool,
    /// Random numbers of the fit.
    pub seed: u64,
}

impl Belief {
    /// The belief after all of `seen`: `before` extended by a row for each new observation, or
    /// refitted where that is due.
    ///
    /// # Errors
    /// Numbers that defeat the surrogate, or nothing seen.
    pub fn updated(
        before: Option<Belief>,
        seen: &Observations,
        lesson: &Lesson,
    ) -> Result<Belief, Error> {
        let contexts = seen.other_domains();
        let before = before.filter(|belief| belief.contexts == contexts);
        if let Some(belief) = before {
            let since = seen.count() - belief.refitted;
            if !lesson.learner.refit_is_due(seen.count(), since) {
                return belief.extended(seen.all());
            }
            let warm = belief
                .learnt
                .process()
                .map(|process| process.eta().to_vec());
            return Belief::fitted(seen, lesson, warm.as_deref());
        }
        Belief::fitted(seen, lesson, None)
    }

    fn fitted(seen: &Observations, lesson: &Lesson, warm: Option<&[f64]>) -> Result<Belief, Error> {
        let finished: Vec<f64> = seen.all().iter().filter_map(|o| o.value).collect();
        let warp = if lesson.warp {
            Warp::fit(&finished)
        } else {
            Warp::linear(&finished)
        };
        let worst = finished.iter().copied().reduce(f64::max);
        let worst = worst.map_or(0.0, |worst| warp.apply(worst));
        let contexts = seen.other_domains();
        let rows = seen.all();
        let dimensions = rows.first().map_or(0, |o| o.x.len());
        let x = DMatrix::from_fn(rows.len(), dimensions + contexts, |row, column| {
            coordinate(&rows[row], column)
        });
        let y = rows
            .iter()
            .map(|o| o.value.map_or(worst, |value| warp.apply(value)));
        let data = Dataset::new(x, DVector::from_iterator(rows.len(), y))?;
        Ok(Belief {
            learnt: lesson.learner.learn(&data, warm, lesson.seed)?,
            warp,
            worst,
            contexts,
            taken: rows.len(),
            refitted: rows.len(),
        })
    }

    fn extended(mut self, all: &[Observation]) -> Result<Belief, Error> {
        for observation in &all[self.taken..] {
            let row = row(observation, self.contexts);
            let value = observation
                .value
                .map_or(self.worst, |value| self.warp.apply(value));
            self = self.with(&row, value)?;
            self.taken += 1;
        }
        Ok(self)
    }

    fn with(self, row: &[f64], value: f64) -> Result<Belief, Error> {
        let learnt = match self.learnt {
            Learnt::Process(process) => Learnt::Process(process.append(row, value)?),
            other => other,
        };
        Ok(Belief { learnt, ..self })
    }

    /// What is believed while evaluations at `pending` are under way: each is believed to have the
    /// worst finished value, which keeps the next point away from them (the constant liar of
    /// Ginsbourger, Le Riche and Carraro 2010). Surrogates that cannot grow ignore them.
    ///
    /// # Errors
    /// Numbers that defeat the surrogate.
    pub fn supposing(&self, pending: &[Vec<f64>]) -> Result<Option<Learnt>, Error> {
        let Some(mut process) = self.learnt.process().cloned() else {
            return Ok(None);
        };
        for x in pending {
            let mut row = x.clone();
            row.resize(x.len() + self.contexts, 0.0);
            process = process.append(&row, self.worst)?;
        }
        Ok(Some(Learnt::Process(process)))
    }

    /// The model.
    pub fn learnt(&self) -> &Learnt {
        &self.learnt
    }

    /// Coordinates beyond the cube's.
    pub fn contexts(&self) -> usize {
        self.contexts
    }

    /// A value in the model's units.
    pub fn image(&self, value: f64) -> f64 {
        self.warp.apply(value)
    }

    /// The believed means at points of the cube, in the target domain and the model's units.
    pub fn means(&self, points: &[&[f64]]) -> Vec<f64> {
        let Some(first) = points.first() else {
            return Vec::new();
        };
        let matrix = DMatrix::from_fn(points.len(), first.len() + self.contexts, |row, column| {
            points[row].get(column).copied().unwrap_or(0.0)
        });
        self.learnt
            .model()
            .predict(&matrix)
            .mean
            .as_slice()
            .to_vec()
    }
}

fn row(observation: &Observation, contexts: usize) -> Vec<f64> {
    (0..observation.x.len() + contexts)
        .map(|k| coordinate(observation, k))
        .collect()
}

fn coordinate(observation: &Observation, column: usize) -> f64 {
    let context = observation.x.len() + observation.domain;
    match observation.x.get(column) {
        Some(x) => *x,
        None if observation.domain > 0 && column + 1 == context => 1.0,
        None => 0.0,
    }
}
