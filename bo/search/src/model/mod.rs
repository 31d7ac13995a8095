//! Posterior: the surrogate's model of the observations, kept up to date.
//!
//! Evaluations may have contexts, which follow the coordinates of the cube ([`View`]). They are the
//! caller's ([`Contexts`]), if he sets them; else each
//! domain beside the target has a coordinate of its own, 1 for its observations and 0 for all
//! others. The process learns by its length how much a domain has in common with the target; the
//! target's posterior is read at 0.

pub mod allowed;
pub mod context;
pub mod incumbent;
pub mod losses;
pub mod names;
pub mod normal;
pub mod outputs;
mod processes;
pub mod refit;
pub mod surrogate;
pub mod transform;
pub mod warp;

use crate::observations::{Observation, Observations};
use context::{Contexts, View, matrix};
use dilgp::{Dataset, Error};
use losses::{LossModel, RiskModel, SmoothProcess};
use nalgebra::DVector;
use surrogate::{Fitted, Learner};
use transform::{FittedTransform, Transform};

/// A model with the map of values under which it was learnt.
pub struct Posterior {
    learnt: Fitted,
    image: FittedTransform,
    /// The worst finished value, transformed, when the model was last refitted.
    worst: f64,
    /// The probability of a loss, where losses have a model of their own and there were some.
    loss: Option<SmoothProcess>,
    /// Mean absolute deviation of what finishes, if losses have a model and there were some; as of
    /// the last refit.
    spread: Option<SmoothProcess>,
    /// What a lost evaluation costs, transformed.
    lost: f64,
    /// The context of predictions, and those of the observations taken in, if the caller set them.
    target: Vec<f64>,
    rows: Vec<Vec<f64>>,
    /// Observations taken in, and those taken in when it was last refitted.
    taken: usize,
    refitted: usize,
}

/// How to fit.
pub struct FitOptions<'a> {
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
    pub contexts: Option<&'a Contexts>,
    /// Random numbers of the fit.
    pub seed: u64,
}

impl FitOptions<'_> {
    /// The context of predictions.
    fn target(&self, seen: &Observations) -> Vec<f64> {
        match self.contexts {
            Some(told) => told.target.clone(),
            None => vec![0.0; seen.other_domains()],
        }
    }

    /// The contexts of the first `count` observations, as far as the caller set them.
    fn rows(&self, count: usize) -> &[Vec<f64>] {
        let known = self.contexts.map_or(&[][..], |told| &told.rows);
        &known[..count.min(known.len())]
    }

    /// The observations that the model of values learns from, with their numbers.
    fn training_rows<'a>(
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

    /// The map of values that suits the `finished` ones of `seen`.
    fn image(&self, seen: &Observations, finished: &[f64]) -> FittedTransform {
        if !self.noisy || !self.learner.weighs_errors() {
            return self.transform.of(finished, self.noisy);
        }
        let known = seen
            .all()
            .iter()
            .filter_map(|o| Some((o.x.clone(), (o.value?, o.error))));
        let (points, values) = known.unzip();
        let (_, values, _) = merged(points, values);
        let values: Vec<f64> = values.into_iter().map(|(value, _)| value).collect();
        self.transform.of(&values, self.noisy)
    }

    /// The probability of a loss after all of `seen`.
    fn loss(
        &self,
        seen: &Observations,
        before: Option<&SmoothProcess>,
        due: bool,
    ) -> Result<Option<SmoothProcess>, Error> {
        if !self.judges_losses(seen) {
            return Ok(None);
        }
        let points: Vec<&[f64]> = seen.all().iter().map(|o| o.x.as_slice()).collect();
        let lost: Vec<bool> = seen.all().iter().map(|o| o.value.is_none()).collect();
        losses::crashes(&matrix(&points), &lost, before, due)
    }

    /// Mean absolute deviation of `data` from the posterior mean of `learnt`, if anything was lost.
    fn spread(
        &self,
        seen: &Observations,
        data: &Dataset,
        learnt: &Fitted,
        before: Option<&SmoothProcess>,
    ) -> Result<Option<SmoothProcess>, Error> {
        if !self.judges_losses(seen) {
            return Ok(None);
        }
        let means = learnt.model().means(data.x());
        let dimensions = seen.all().first().map_or(0, |o| o.x.len());
        let points = data.x().columns(0, dimensions).into_owned();
        losses::deviations(&points, data.y(), &means, before).map(Some)
    }

    /// The point of the `index`-th observation followed by its context.
    fn row(&self, index: usize, observation: &Observation, contexts: usize) -> Vec<f64> {
        let mut row = observation.x.clone();
        match self.contexts {
            Some(told) => row.extend(told.rows.get(index).unwrap_or(&told.target)),
            None => row.extend((1..=contexts).map(|k| f64::from(k == observation.domain))),
        }
        row
    }
}

impl Posterior {
    /// The posterior after all of `seen`: `before` extended by a row for each new observation, or
    /// refitted where that is due.
    ///
    /// # Errors
    /// Numbers that defeat the surrogate, or nothing seen.
    pub fn updated(
        before: Option<Posterior>,
        seen: &Observations,
        options: &FitOptions,
    ) -> Result<Posterior, Error> {
        let target = options.target(seen);
        // What the caller knows may have changed for observations that were taken in before.
        let same = |posterior: &Posterior| {
            posterior.target == target && options.rows(posterior.taken) == posterior.rows.as_slice()
        };
        let Some(posterior) = before.filter(same) else {
            return Posterior::fitted(seen, options, target, None);
        };
        let since = seen.count() - posterior.refitted;
        if since < options.learner.refit_cycle(seen.count()) {
            return posterior.extended(seen, options);
        }
        Posterior::fitted(seen, options, target, Some(&posterior))
    }

    fn fitted(
        seen: &Observations,
        options: &FitOptions,
        target: Vec<f64>,
        before: Option<&Posterior>,
    ) -> Result<Posterior, Error> {
        let finished: Vec<f64> = seen.all().iter().filter_map(|o| o.value).collect();
        let image = options.image(seen, &finished);
        let worst = finished.iter().copied().reduce(f64::max);
        let worst = worst.map_or(0.0, |worst| image.apply(worst));
        let taken = seen.count();
        let data = dataset(options.training_rows(seen), options, target.len(), |o| {
            let error = o.value.map_or(0.0, |value| image.error(value, o.error));
            let value = o.value.map_or(worst, |value| image.apply(value));
            (value, error)
        })?;
        let warm = before.and_then(|posterior| posterior.learnt.process());
        let warm = warm.map(|process| process.eta().to_vec());
        let learnt = options
            .learner
            .learn(&data, warm.as_deref(), options.seed)?;
        let loss = before.and_then(|posterior| posterior.loss.as_ref());
        let spread = before.and_then(|posterior| posterior.spread.as_ref());
        Ok(Posterior {
            lost: options.lost_value.map_or(worst, |value| image.apply(value)),
            loss: options.loss(seen, loss, true)?,
            spread: options.spread(seen, &data, &learnt, spread)?,
            learnt,
            image,
            worst,
            target,
            rows: options.rows(taken).to_vec(),
            taken,
            refitted: taken,
        })
    }

    fn extended(mut self, seen: &Observations, options: &FitOptions) -> Result<Posterior, Error> {
        let taken = self.taken;
        for (index, observation) in options.training_rows(seen).filter(|(k, _)| *k >= taken) {
            let row = options.row(index, observation, self.target.len());
            let (image, error) = (&self.image, observation.error);
            let known = observation.value;
            let known = known.map(|value| (image.apply(value), image.error(value, error)));
            let (value, error) = known.unwrap_or((self.worst, 0.0));
            self = self.with(&row, value, error)?;
        }
        self.taken = seen.count();
        self.rows = options.rows(self.taken).to_vec();
        self.loss = options.loss(seen, self.loss.as_ref(), false)?;
        Ok(self)
    }

    fn with(self, row: &[f64], value: f64, error: f64) -> Result<Posterior, Error> {
        let learnt = match self.learnt {
            Fitted::Process(process) => {
                Fitted::Process(process.append_all(&[row], &[value], &[error])?)
            }
            other => other,
        };
        Ok(Posterior { learnt, ..self })
    }

    /// The model, as the surrogate left it.
    pub fn learnt(&self) -> &Fitted {
        &self.learnt
    }

    /// The model alone.
    #[cfg(test)]
    pub fn into_learnt(self) -> Fitted {
        self.learnt
    }

    /// The map from values to the model's units.
    pub fn transform(&self) -> &FittedTransform {
        &self.image
    }

    /// A value in the model's units.
    pub fn image(&self, value: f64) -> f64 {
        self.image.apply(value)
    }

    /// The posterior over the cube at the target's context, in the model's units.
    pub fn view(&self) -> RiskModel<'_> {
        self.view_of(&self.learnt)
    }

    /// The posterior at another context.
    pub fn view_in(&self, contexts: Vec<f64>) -> RiskModel<'_> {
        RiskModel {
            finishing: View::new(self.learnt.model(), contexts),
            ..self.view()
        }
    }

    /// The posterior of `learnt`, fitted with the same contexts, over the cube.
    pub fn view_of<'a>(&'a self, learnt: &'a Fitted) -> RiskModel<'a> {
        RiskModel {
            finishing: View::new(learnt.model(), self.target.clone()),
            loss: self.loss.as_ref(),
            spread: self.spread.as_ref(),
            lost: self.lost,
        }
    }
}

/// The points of `rows` and what `value` makes of each, in the model's units: the value and its standard error.
fn dataset<'a>(
    rows: impl Iterator<Item = (usize, &'a Observation)>,
    options: &FitOptions,
    contexts: usize,
    value: impl Fn(&Observation) -> (f64, f64),
) -> Result<Dataset, Error> {
    let rows = rows.map(|(k, o)| (options.row(k, o, contexts), value(o)));
    let (points, y): (Vec<Vec<f64>>, Vec<(f64, f64)>) = rows.unzip();
    let (points, y, counts) = match options.learner.weighs_errors() && options.noisy {
        true => merged(points, y),
        false => (points, y, Vec::new()),
    };
    let (y, errors): (Vec<f64>, Vec<f64>) = y.into_iter().unzip();
    if points.is_empty() {
        let (rows, columns) = (0, 0);
        return Err(Error::EmptyDataset { rows, columns });
    }
    let mut data = Dataset::new(matrix(&points), DVector::from_vec(y))?;
    if counts.iter().any(|count| *count > 1.0) {
        data = data.with_counts(DVector::from_vec(counts))?;
    }
    match errors.iter().any(|error| *error > 0.0) {
        true => data.with_errors(DVector::from_vec(errors)),
        false => Ok(data),
    }
}

/// Points with their values and standard errors, and how many observations each stands for.
type Merged = (Vec<Vec<f64>>, Vec<(f64, f64)>, Vec<f64>);

/// The same with one row for all observations of a point that has one value only. As rows of their own they would
/// say that there is no noise, though the objective may be deterministic in this point alone, and many of them
/// would make the spread of all values look small.
fn merged(points: Vec<Vec<f64>>, y: Vec<(f64, f64)>) -> Merged {
    let mut order: Vec<usize> = (0..points.len()).collect();
    let compared = |a: &usize, b: &usize| {
        let mut pairs = points[*a].iter().zip(&points[*b]);
        let differ = pairs.find_map(|(a, b)| Some(a.total_cmp(b)).filter(|order| order.is_ne()));
        differ.unwrap_or(std::cmp::Ordering::Equal)
    };
    // Stable: of equal points the first stands first.
    order.sort_by(compared);
    let mut counts = vec![1.0; points.len()];
    for group in order.chunk_by(|a, b| compared(a, b).is_eq()) {
        if group.iter().all(|row| y[*row] == y[group[0]]) {
            group.iter().for_each(|row| counts[*row] = 0.0);
            counts[group[0]] = group.len() as f64;
        }
    }
    let rows = points.into_iter().zip(y).zip(counts);
    let mut merged = Merged::default();
    for ((point, value), count) in rows.filter(|(_, count)| *count > 0.0) {
        merged.0.push(point);
        merged.1.push(value);
        merged.2.push(count);
    }
    merged
}

impl Posterior {
    /// The model while evaluations at `points` are pending, each taken to have its posterior mean. A
    /// process grows by their rows; another surrogate is fitted anew to `seen` and them.
    ///
    /// # Errors
    /// Numbers that defeat the surrogate.
    pub fn with_pending(
        &self,
        points: &[Vec<f64>],
        seen: &Observations,
        options: &FitOptions,
    ) -> Result<Fitted, Error> {
        let contexts = self.target.len();
        let pending = |x: &Vec<f64>| Observation {
            x: x.clone(),
            value: None,
            domain: 0,
            outputs: Vec::new(),
            error: 0.0,
            earlier: false,
        };
        let pending: Vec<Observation> = points.iter().map(pending).collect();
        let numbered = || (seen.count()..).zip(&pending);
        let rows: Vec<Vec<f64>> = numbered()
            .map(|(index, observation)| options.row(index, observation, contexts))
            .collect();
        // The kriging believer of Ginsbourger, Le Riche and Carraro (2010): the posterior mean takes the
        // uncertainty away and no more.
        let values: Vec<f64> = {
            let means = self.learnt.model().means(&matrix(&rows));
            means.iter().copied().collect()
        };
        if let Some(process) = self.learnt.process() {
            return Ok(Fitted::Process(process.append_all(
                &rows,
                &values,
                &vec![0.0; rows.len()],
            )?));
        }
        let with_pending = |o: &Observation| {
            let place = pending.iter().position(|other| std::ptr::eq(o, other));
            place.map_or(self.worst, |place| values[place])
        };
        let rows = options.training_rows(seen).chain(numbered());
        let data = dataset(rows, options, contexts, |o| {
            let known = |value: f64| (self.image.apply(value), self.image.error(value, o.error));
            (o.value.map(known)).unwrap_or_else(|| (with_pending(o), 0.0))
        })?;
        options.learner.learn(&data, None, options.seed)
    }
}
