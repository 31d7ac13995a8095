//! Belief: the surrogate's model of the observations, kept up to date.
//!
//! Each domain beside the target has a coordinate of its own behind those of the cube, 1 for its
//! observations and 0 for all others. The process learns by its length how much a domain has in
//! common with the target; the target's belief is read at 0.

pub mod incumbent;
pub mod learner;
pub mod learning;
pub mod surrogates;
pub mod warp;

use crate::search::belief::incumbent::View;
use crate::search::belief::learner::{Learner, Learnt};
use crate::search::belief::warp::Warp;
use crate::search::observations::{Observation, Observations};
use dilgp::Dataset;
use dilgp::Error;
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
        let data = dataset(rows, contexts, |o| {
            o.value.map_or(worst, |value| warp.apply(value))
        })?;
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

    /// What is believed while evaluations at `points` are under way: each is believed to have the
    /// worst finished value, which keeps the next point away from them (the constant liar of
    /// Ginsbourger, Le Riche and Carraro 2010). A process grows by their rows; another surrogate
    /// learns anew from `seen` and them.
    ///
    /// # Errors
    /// Numbers that defeat the surrogate.
    pub fn supposing(
        &self,
        points: &[Vec<f64>],
        seen: &Observations,
        lesson: &Lesson,
    ) -> Result<Learnt, Error> {
        let lies = points.iter().map(|x| Observation {
            x: x.clone(),
            value: None,
            domain: 0,
        });
        if let Some(process) = self.learnt.process() {
            let mut process = process.clone();
            for lie in lies {
                process = process.append(&row(&lie, self.contexts), self.worst)?;
            }
            return Ok(Learnt::Process(process));
        }
        let rows: Vec<Observation> = seen.all().iter().cloned().chain(lies).collect();
        let data = dataset(&rows, self.contexts, |o| {
            o.value.map_or(self.worst, |value| self.warp.apply(value))
        })?;
        lesson.learner.learn(&data, None, lesson.seed)
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

    /// The model over the cube, in the target domain and the model's units.
    pub fn view(&self) -> View<'_> {
        View {
            model: self.learnt.model(),
            contexts: self.contexts,
        }
    }
}

/// The points of `rows` and what `value` makes of each, in the model's units.
fn dataset(
    rows: &[Observation],
    contexts: usize,
    value: impl Fn(&Observation) -> f64,
) -> Result<Dataset, Error> {
    let dimensions = rows.first().map_or(0, |o| o.x.len());
    let x = DMatrix::from_fn(rows.len(), dimensions + contexts, |row, column| {
        coordinate(&rows[row], column)
    });
    let y = rows.iter().map(value);
    Dataset::new(x, DVector::from_iterator(rows.len(), y))
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
