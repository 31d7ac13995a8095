//! Partial dependence: the posterior along each gain with the others held at one point of the cube, as
//! the plain numbers that a picture of slices takes.

use super::bayesian::Bayesian;
use crate::Error;
use crate::flights::evaluation::Evaluation;
use crate::flights::space::Knob;
use plots::{Slice, SliceObservation, SliceParameter, SlicePoint};
use search::Scale;

/// Points along a slice.
const POINTS: usize = 81;

/// Distance in the unit cube at which an observation is drawn with weight e^-1/2.
const NEAR: f64 = 0.25;

/// The posterior along each gain.
pub struct PartialDependence {
    /// For each gain the points of its slice, where the common point stands and what was observed.
    gains: Vec<(Vec<SlicePoint>, f64, Vec<SliceObservation>)>,
}

impl PartialDependence {
    /// The posterior of `searcher`, which has learnt `history`, along each gain through `at`, a point of
    /// the cube; `None` if the surrogate cannot be fitted.
    ///
    /// # Errors
    /// A point that is not of the cube.
    pub fn of(
        searcher: &mut Bayesian,
        history: &[Evaluation],
        at: &[f64],
        knobs: &[Knob],
        kappa: f64,
    ) -> Result<Option<PartialDependence>, Error> {
        let mut gains = Vec::new();
        for (k, knob) in knobs.iter().enumerate() {
            let Some(points) = slice(searcher, at, k, knob, kappa)? else {
                return Ok(None);
            };
            let observed = observations(history, at, k, knob);
            gains.push((points, knob.parameter.natural(at[k]), observed));
        }
        Ok(Some(PartialDependence { gains }))
    }

    /// One slice a gain.
    pub fn slices(&self) -> Vec<Slice<'_>> {
        let slices = self.gains.iter();
        let slices = slices.map(|(points, at, observations)| Slice {
            points,
            at: *at,
            observations,
        });
        slices.collect()
    }
}

/// Name and unit of each gain.
pub fn labels(knobs: &[Knob]) -> Vec<String> {
    let label = |knob: &Knob| format!("{} [{}]", knob.gain.name, knob.gain.unit);
    knobs.iter().map(label).collect()
}

/// The axes of slices along `knobs`.
pub fn parameters<'a>(labels: &'a [String], knobs: &[Knob]) -> Vec<SliceParameter<'a>> {
    let parameter = |(label, knob): (&'a String, &Knob)| SliceParameter {
        label,
        logarithmic: knob.span().scale != Scale::Linear,
    };
    labels.iter().zip(knobs).map(parameter).collect()
}

fn slice(
    searcher: &mut Bayesian,
    at: &[f64],
    k: usize,
    knob: &Knob,
    kappa: f64,
) -> Result<Option<Vec<SlicePoint>>, Error> {
    let unit = |row: usize| row as f64 / (POINTS - 1) as f64;
    let point = |row: usize| {
        let mut x = at.to_vec();
        x[k] = unit(row);
        x
    };
    let points: Vec<Vec<f64>> = (0..POINTS).map(point).collect();
    let Some(posterior) = searcher.posterior(&points)? else {
        return Ok(None);
    };
    let point = |row: usize| {
        let mean = posterior.mean[row];
        let std = posterior.std.as_ref().map_or(0.0, |std| std[row]);
        SlicePoint {
            x: knob.parameter.natural(unit(row)),
            mean: mean.exp(),
            low: (mean - 2.0 * std).exp(),
            high: (mean + 2.0 * std).exp(),
            acquisition: kappa * std - mean,
        }
    };
    Ok(Some((0..POINTS).map(point).collect()))
}

fn observations(
    history: &[Evaluation],
    at: &[f64],
    k: usize,
    knob: &Knob,
) -> Vec<SliceObservation> {
    let seen = history.iter().map(|made| {
        let coordinates = made.x.iter().zip(at).enumerate();
        let off = coordinates.filter(|(column, _)| *column != k);
        let square: f64 = off.map(|(_, (a, b))| (a - b) * (a - b)).sum();
        let weight = (-0.5 * square / (NEAR * NEAR)).exp();
        SliceObservation {
            x: knob.parameter.natural(made.x[k]),
            y: made.value(),
            // As fine as an eye can tell.
            weight: (1e3 * weight).round() / 1e3,
        }
    });
    seen.collect()
}
