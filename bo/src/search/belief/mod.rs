//! Belief: the surrogate's model of the observations, kept up to date.
//!
//! Evaluations may have circumstances, which the surrogate learns from behind the coordinates of
//! the cube ([`View`]). Where the caller knows them ([`Circumstances`]) they are his; else each
//! domain beside the target has a coordinate of its own, 1 for its observations and 0 for all
//! others. The process learns by its length how much a domain has in common with the target; the
//! target's belief is read at 0.

pub mod image;
pub mod incumbent;
pub mod learner;
pub mod surrogates;
pub mod view;
pub mod warp;

use crate::search::observations::{Observation, Observations};
use dilgp::{Dataset, Error};
use image::{Image, Transform};
use learner::{Learner, Learnt};
use nalgebra::DVector;
use view::{Circumstances, View, matrix};

/// A model with the map of values under which it was learnt.
pub struct Belief {
    learnt: Learnt,
    image: Image,
    /// Image of the worst finished value when the model was last refitted.
    worst: f64,
    /// The circumstances in which it is viewed.
    targets: Vec<Vec<f64>>,
    /// Observations taken in, and those taken in when it was last refitted.
    taken: usize,
    refitted: usize,
}

/// How values are learnt from.
pub struct Lesson<'a> {
    /// The surrogate.
    pub learner: &'a Learner,
    /// What becomes of values first.
    pub transform: Transform,
    /// What the caller knows of the evaluations beside their points.
    pub circumstances: Option<&'a Circumstances>,
    /// Random numbers of the fit.
    pub seed: u64,
}

impl Lesson<'_> {
    /// The circumstances in which `seen` is viewed.
    fn targets(&self, seen: &Observations) -> Vec<Vec<f64>> {
        match self.circumstances {
            Some(told) => told.targets.clone(),
            None => vec![vec![0.0; seen.other_domains()]],
        }
    }

    /// The point of the `index`-th observation with its circumstances behind it.
    fn row(&self, index: usize, observation: &Observation, contexts: usize) -> Vec<f64> {
        let mut row = observation.x.clone();
        match self.circumstances {
            Some(told) => row.extend(told.rows.get(index).unwrap_or(&told.targets[0])),
            None => row.extend((1..=contexts).map(|k| f64::from(k == observation.domain))),
        }
        row
    }
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
        let targets = lesson.targets(seen);
        // What the caller knows may have changed for observations that were taken in before.
        let same = |belief: &Belief| lesson.circumstances.is_none() && belief.targets == targets;
        let Some(belief) = before.filter(same) else {
            return Belief::fitted(seen, lesson, targets, None);
        };
        let since = seen.count() - belief.refitted;
        if !lesson.learner.refit_is_due(seen.count(), since) {
            return belief.extended(seen.all(), lesson);
        }
        let warm = belief
            .learnt
            .process()
            .map(|process| process.eta().to_vec());
        Belief::fitted(seen, lesson, targets, warm.as_deref())
    }

    fn fitted(
        seen: &Observations,
        lesson: &Lesson,
        targets: Vec<Vec<f64>>,
        warm: Option<&[f64]>,
    ) -> Result<Belief, Error> {
        let finished: Vec<f64> = seen.all().iter().filter_map(|o| o.value).collect();
        let image = lesson.transform.of(&finished);
        let worst = finished.iter().copied().reduce(f64::max);
        let worst = worst.map_or(0.0, |worst| image.apply(worst));
        let taken = seen.count();
        let data = dataset(seen.all(), lesson, targets[0].len(), |o| {
            o.value.map_or(worst, |value| image.apply(value))
        })?;
        Ok(Belief {
            learnt: lesson.learner.learn(&data, warm, lesson.seed)?,
            image,
            worst,
            targets,
            taken,
            refitted: taken,
        })
    }

    fn extended(mut self, all: &[Observation], lesson: &Lesson) -> Result<Belief, Error> {
        for (index, observation) in all.iter().enumerate().skip(self.taken) {
            let row = lesson.row(index, observation, self.targets[0].len());
            let value = observation.value;
            let value = value.map_or(self.worst, |value| self.image.apply(value));
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
        let contexts = self.targets[0].len();
        let lies = points.iter().map(|x| Observation {
            x: x.clone(),
            value: None,
            domain: 0,
            earlier: false,
            gain_nats: 0.0,
        });
        if let Some(process) = self.learnt.process() {
            let mut process = process.clone();
            for (index, lie) in (seen.count()..).zip(lies) {
                process = process.append(&lesson.row(index, &lie, contexts), self.worst)?;
            }
            return Ok(Learnt::Process(process));
        }
        let rows: Vec<Observation> = seen.all().iter().cloned().chain(lies).collect();
        let data = dataset(&rows, lesson, contexts, |o| {
            o.value.map_or(self.worst, |value| self.image.apply(value))
        })?;
        lesson.learner.learn(&data, None, lesson.seed)
    }

    /// The model, as the surrogate left it.
    pub fn learnt(&self) -> &Learnt {
        &self.learnt
    }

    /// The model alone.
    #[cfg(test)]
    pub fn into_learnt(self) -> Learnt {
        self.learnt
    }

    /// A value in the model's units.
    pub fn image(&self, value: f64) -> f64 {
        self.image.apply(value)
    }

    /// What is believed over the cube, in the target's circumstances and the model's units.
    pub fn view(&self) -> View<'_> {
        self.view_of(&self.learnt)
    }

    /// What `learnt` from the same circumstances believes over the cube.
    pub fn view_of<'a>(&self, learnt: &'a Learnt) -> View<'a> {
        View::new(learnt.model(), self.targets.clone())
    }
}

/// The points of `rows` and what `value` makes of each, in the model's units.
fn dataset(
    rows: &[Observation],
    lesson: &Lesson,
    contexts: usize,
    value: impl Fn(&Observation) -> f64,
) -> Result<Dataset, Error> {
    if rows.is_empty() {
        let (rows, columns) = (0, 0);
        return Err(Error::EmptyDataset { rows, columns });
    }
    let points = rows.iter().enumerate();
    let points: Vec<Vec<f64>> = points.map(|(k, o)| lesson.row(k, o, contexts)).collect();
    let y = rows.iter().map(value);
    Dataset::new(matrix(&points), DVector::from_iterator(rows.len(), y))
}
