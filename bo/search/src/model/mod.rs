//! Belief: the surrogate's model of the observations, kept up to date.
//!
//! Evaluations may have circumstances, which the surrogate learns from behind the coordinates of
//! the cube ([`View`]). Where the caller knows them ([`Circumstances`]) they are his; else each
//! domain beside the target has a coordinate of its own, 1 for its observations and 0 for all
//! others. The process learns by its length how much a domain has in common with the target; the
//! target's belief is read at 0.

pub mod context;
pub mod incumbent;
pub mod losses;
pub mod names;
mod processes;
pub mod refit;
pub mod surrogate;
pub mod transform;
pub mod warp;

use crate::observations::{Observation, Observations};
use context::{Circumstances, View, matrix};
use dilgp::{Dataset, Error};
use losses::{Loss, LossModel, Risk, Spread};
use nalgebra::DVector;
use surrogate::{Learner, Learnt};
use transform::{Image, Transform};

/// A model with the map of values under which it was learnt.
pub struct Belief {
    learnt: Learnt,
    image: Image,
    /// Image of the worst finished value when the model was last refitted.
    worst: f64,
    /// The probability of a loss, where losses have a model of their own and there were some.
    loss: Option<Loss>,
    /// How far what finishes lies from what is believed, where losses have a model and there were
    /// some; as it was when the model was last refitted.
    spread: Option<Spread>,
    /// Image of what a lost evaluation costs.
    lost: f64,
    /// The circumstances in which it is viewed, and those in which observations were taken in, where the
    /// caller knows them.
    target: Vec<f64>,
    rows: Vec<Vec<f64>>,
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
    /// Whether evaluating a point twice may give two values.
    pub noisy: bool,
    /// What becomes of evaluations that were lost.
    pub loss_model: LossModel,
    /// What a lost evaluation costs, where the caller knows; else as much as the worst that finished.
    pub lost_value: Option<f64>,
    /// What the caller knows of the evaluations beside their points.
    pub circumstances: Option<&'a Circumstances>,
    /// Random numbers of the fit.
    pub seed: u64,
}

impl Lesson<'_> {
    /// The circumstances in which `seen` is viewed.
    fn target(&self, seen: &Observations) -> Vec<f64> {
        match self.circumstances {
            Some(told) => told.target.clone(),
            None => vec![0.0; seen.other_domains()],
        }
    }

    /// The circumstances of the first `count` observations, as far as the caller knows them.
    fn rows(&self, count: usize) -> &[Vec<f64>] {
        let known = self.circumstances.map_or(&[][..], |told| &told.rows);
        &known[..count.min(known.len())]
    }

    /// The observations that the model of values learns from, with their numbers.
    fn lessons<'a>(
        &self,
        seen: &'a Observations,
    ) -> impl Iterator<Item = (usize, &'a Observation)> + use<'a> {
        let all_of_them = self.loss_model != LossModel::Apart;
        let rows = seen.all().iter().enumerate();
        rows.filter(move |(_, o)| all_of_them || o.value.is_some())
    }

    /// Whether losses have models of their own, and there is one to learn from.
    fn judges_losses(&self, seen: &Observations) -> bool {
        self.loss_model == LossModel::Apart && seen.crashed() > 0
    }

    /// The probability of a loss after all of `seen`.
    fn loss(
        &self,
        seen: &Observations,
        before: Option<&Loss>,
        due: bool,
    ) -> Result<Option<Loss>, Error> {
        if !self.judges_losses(seen) {
            return Ok(None);
        }
        let points: Vec<&[f64]> = seen.all().iter().map(|o| o.x.as_slice()).collect();
        let lost: Vec<bool> = seen.all().iter().map(|o| o.value.is_none()).collect();
        Loss::learnt(&matrix(&points), &lost, before, due)
    }

    /// How far what finished in `data` lies from what `learnt` believes, where anything was lost.
    fn spread(
        &self,
        seen: &Observations,
        data: &Dataset,
        learnt: &Learnt,
        before: Option<&Spread>,
    ) -> Result<Option<Spread>, Error> {
        if !self.judges_losses(seen) {
            return Ok(None);
        }
        let means = learnt.model().means(data.x());
        let points: Vec<&[f64]> = self.lessons(seen).map(|(_, o)| o.x.as_slice()).collect();
        Spread::learnt(&matrix(&points), data.y(), &means, before).map(Some)
    }

    /// The point of the `index`-th observation with its circumstances behind it.
    fn row(&self, index: usize, observation: &Observation, contexts: usize) -> Vec<f64> {
        let mut row = observation.x.clone();
        match self.circumstances {
            Some(told) => row.extend(told.rows.get(index).unwrap_or(&told.target)),
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
        let target = lesson.target(seen);
        // What the caller knows may have changed for observations that were taken in before.
        let same = |belief: &Belief| {
            belief.target == target && lesson.rows(belief.taken) == belief.rows.as_slice()
        };
        let Some(belief) = before.filter(same) else {
            return Belief::fitted(seen, lesson, target, None);
        };
        let since = seen.count() - belief.refitted;
        if since < lesson.learner.refit_cycle(seen.count()) {
            return belief.extended(seen, lesson);
        }
        Belief::fitted(seen, lesson, target, Some(&belief))
    }

    fn fitted(
        seen: &Observations,
        lesson: &Lesson,
        target: Vec<f64>,
        before: Option<&Belief>,
    ) -> Result<Belief, Error> {
        let finished: Vec<f64> = seen.all().iter().filter_map(|o| o.value).collect();
        let image = lesson.transform.of(&finished, lesson.noisy);
        let worst = finished.iter().copied().reduce(f64::max);
        let worst = worst.map_or(0.0, |worst| image.apply(worst));
        let taken = seen.count();
        let data = dataset(lesson.lessons(seen), lesson, target.len(), |o| {
            o.value.map_or(worst, |value| image.apply(value))
        })?;
        let warm = before.and_then(|belief| belief.learnt.process());
        let warm = warm.map(|process| process.eta().to_vec());
        let learnt = lesson.learner.learn(&data, warm.as_deref(), lesson.seed)?;
        let loss = before.and_then(|belief| belief.loss.as_ref());
        let spread = before.and_then(|belief| belief.spread.as_ref());
        Ok(Belief {
            lost: lesson.lost_value.map_or(worst, |value| image.apply(value)),
            loss: lesson.loss(seen, loss, true)?,
            spread: lesson.spread(seen, &data, &learnt, spread)?,
            learnt,
            image,
            worst,
            target,
            rows: lesson.rows(taken).to_vec(),
            taken,
            refitted: taken,
        })
    }

    fn extended(mut self, seen: &Observations, lesson: &Lesson) -> Result<Belief, Error> {
        let taken = self.taken;
        for (index, observation) in lesson.lessons(seen).filter(|(k, _)| *k >= taken) {
            let row = lesson.row(index, observation, self.target.len());
            let value = observation.value;
            let value = value.map_or(self.worst, |value| self.image.apply(value));
            self = self.with(&row, value)?;
        }
        self.taken = seen.count();
        self.rows = lesson.rows(self.taken).to_vec();
        self.loss = lesson.loss(seen, self.loss.as_ref(), false)?;
        Ok(self)
    }

    fn with(self, row: &[f64], value: f64) -> Result<Belief, Error> {
        let learnt = match self.learnt {
            Learnt::Process(process) => Learnt::Process(process.append(row, value)?),
            other => other,
        };
        Ok(Belief { learnt, ..self })
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
    pub fn view(&self) -> Risk<'_> {
        self.view_of(&self.learnt)
    }

    /// What is believed in circumstances that are not the target's.
    pub fn view_in(&self, circumstances: Vec<f64>) -> Risk<'_> {
        Risk {
            finishing: View::new(self.learnt.model(), circumstances),
            ..self.view()
        }
    }

    /// What `learnt` from the same circumstances believes over the cube.
    pub fn view_of<'a>(&'a self, learnt: &'a Learnt) -> Risk<'a> {
        Risk {
            finishing: View::new(learnt.model(), self.target.clone()),
            loss: self.loss.as_ref(),
            spread: self.spread.as_ref(),
            lost: self.lost,
        }
    }
}

/// The points of `rows` and what `value` makes of each, in the model's units.
fn dataset<'a>(
    rows: impl Iterator<Item = (usize, &'a Observation)>,
    lesson: &Lesson,
    contexts: usize,
    value: impl Fn(&Observation) -> f64,
) -> Result<Dataset, Error> {
    let rows = rows.map(|(k, o)| (lesson.row(k, o, contexts), value(o)));
    let (points, y): (Vec<Vec<f64>>, Vec<f64>) = rows.unzip();
    if points.is_empty() {
        let (rows, columns) = (0, 0);
        return Err(Error::EmptyDataset { rows, columns });
    }
    Dataset::new(matrix(&points), DVector::from_vec(y))
}

impl Belief {
    /// What is believed while evaluations at `points` are under way. A process grows by their rows;
    /// another surrogate learns anew from `seen` and them.
    ///
    /// # Errors
    /// Numbers that defeat the surrogate.
    pub fn supposing(
        &self,
        points: &[Vec<f64>],
        seen: &Observations,
        lesson: &Lesson,
    ) -> Result<Learnt, Error> {
        let contexts = self.target.len();
        let under_way = |x: &Vec<f64>| Observation {
            x: x.clone(),
            value: None,
            domain: 0,
            earlier: false,
        };
        let under_way: Vec<Observation> = points.iter().map(under_way).collect();
        let numbered = || (seen.count()..).zip(&under_way);
        let rows: Vec<Vec<f64>> = numbered()
            .map(|(index, observation)| lesson.row(index, observation, contexts))
            .collect();
        // The kriging believer of Ginsbourger, Le Riche and Carraro (2010): the posterior mean takes the
        // uncertainty away and no more.
        let values: Vec<f64> = {
            let means = self.learnt.model().means(&matrix(&rows));
            means.iter().copied().collect()
        };
        if let Some(process) = self.learnt.process() {
            return Ok(Learnt::Process(process.append_all(&rows, &values)?));
        }
        let supposed = |o: &Observation| {
            let place = under_way.iter().position(|other| std::ptr::eq(o, other));
            place.map_or(self.worst, |place| values[place])
        };
        let rows = lesson.lessons(seen).chain(numbered());
        let data = dataset(rows, lesson, contexts, |o| {
            let value = o.value.map(|value| self.image.apply(value));
            value.unwrap_or_else(|| supposed(o))
        })?;
        lesson.learner.learn(&data, None, lesson.seed)
    }
}
