//! Hold-out: how well the body rates of a log that was not fitted are predicted.

use super::fit;
use super::fit::model::{LAG, Layout, NUMBERS};
use super::fit::pass::{Noise, pass};
use super::part::Part;
use nalgebra::DVector;
use serde::Serialize;

/// How far ahead is predicted [s].
const AHEAD_S: [f64; 3] = [0.02, 0.05, 0.1];

/// Time over which the trim is taken from what the model left just before [s].
const TRIM_S: f64 = 0.5;

/// Distance of two predictions [s].
const EVERY_S: f64 = 0.02;

/// Shares of the fitted log's errors within the bands.
const BANDS: [f64; 2] = [0.5, 0.9];

/// How well one rate is predicted so far ahead.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Predicted {
    /// `roll`, `pitch` or `yaw`.
    pub axis: &'static str,
    /// How far ahead [s].
    pub ahead_s: f64,
    /// Root mean square error of the identified vehicle [rad/s].
    pub identified_rad_s: f64,
    /// Of the nominal airframe [rad/s].
    pub nominal_rad_s: Option<f64>,
    /// Of a plain regression of accelerations on commands [rad/s].
    pub regression_rad_s: Option<f64>,
    /// Of a rate that stays as it is [rad/s].
    pub hold_rad_s: f64,
    /// Share of the errors within what half and 90 % of the errors in the fitted log stay within.
    pub within: [f64; 2],
}

/// Predicts `held`, where `numbers` were fitted to `fitted`.
pub(super) fn predicted(
    fitted: &[Part],
    held: &[Part],
    layout: &Layout,
    numbers: &DVector<f64>,
    nominal: Option<&DVector<f64>>,
) -> Vec<Predicted> {
    let left = |parts: &[Part], numbers: &DVector<f64>| {
        let noise = [Noise::default(); 6];
        pass(parts, layout, numbers, &noise, false).residuals
    };
    // What the airframe does not say of an autopilot and of the trim is the log's.
    let nominal = nominal.map(|nominal| {
        DVector::from_fn(NUMBERS, |i, _| match nominal[i].is_finite() {
            true => nominal[i],
            false if i > LAG => numbers[i],
            false => 0.0,
        })
    });
    let [own, other] = [fitted, held].map(|parts| left(parts, numbers));
    let usual = nominal.map(|nominal| left(held, &nominal));
    let plain = fit::regression(fitted, layout).map(|numbers| left(held, &numbers));
    let mut rows = Vec::new();
    for (c, axis) in ["roll", "pitch", "yaw"].into_iter().enumerate() {
        let shown: Vec<Vec<f64>> = (held.iter())
            .map(|part| part.instants.iter().map(|i| i.rates_rad_s[c]).collect())
            .collect();
        for ahead_s in AHEAD_S {
            let of = |left: &[Vec<Vec<f64>>; 6]| {
                root_mean_square(&errors(held, &left[c], ahead_s, true))
            };
            let identified = errors(held, &other[c], ahead_s, true);
            let mut before: Vec<f64> = errors(fitted, &own[c], ahead_s, true);
            before.iter_mut().for_each(|error| *error = error.abs());
            before.sort_by(f64::total_cmp);
            let band = |share: f64| {
                let at = (share * before.len() as f64) as usize;
                before
                    .get(at.min(before.len().saturating_sub(1)))
                    .copied()
                    .unwrap_or(0.0)
            };
            let within = BANDS.map(|share| {
                let band = band(share);
                let inside = identified
                    .iter()
                    .filter(|error| error.abs() <= band)
                    .count();
                inside as f64 / identified.len().max(1) as f64
            });
            rows.push(Predicted {
                axis,
                ahead_s,
                identified_rad_s: root_mean_square(&identified),
                nominal_rad_s: usual.as_ref().map(of),
                regression_rad_s: plain.as_ref().map(of),
                hold_rad_s: root_mean_square(&errors(held, &shown, ahead_s, false)),
                within,
            });
        }
    }
    rows
}

/// Changes of `left` over `ahead_s`, without what it changed just before, where it is a model's.
fn errors(parts: &[Part], left: &[Vec<f64>], ahead_s: f64, trimmed: bool) -> Vec<f64> {
    let mut errors = Vec::new();
    for (part, left) in parts.iter().zip(left) {
        let count = |time_s: f64| ((time_s / part.period_s()).round() as usize).max(1);
        let (ahead, trim) = (count(ahead_s), count(TRIM_S));
        for k in (trim..left.len().saturating_sub(ahead)).step_by(count(EVERY_S)) {
            let drift = (left[k] - left[k - trim]) * ahead as f64 / trim as f64;
            let drift = if trimmed { drift } else { 0.0 };
            errors.push(left[k + ahead] - left[k] - drift);
        }
    }
    errors
}

fn root_mean_square(errors: &[f64]) -> f64 {
    let squares: f64 = errors.iter().map(|error| error * error).sum();
    (squares / errors.len().max(1) as f64).sqrt()
}
