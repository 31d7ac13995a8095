//! Fit: the numbers of greatest likelihood, by Gauss and Newton on innovations, and what is known of each.

pub(crate) mod model;
pub(crate) mod pass;
pub(crate) mod rotors;

mod dual;
mod noise;
mod residual;
#[cfg(test)]
mod tests;

pub use residual::Residual;

use super::part::Part;
use model::{BATTERY, FACTORS, IDLE, LAG, Layout, NUMBERS, SENSORS, prior};
use nalgebra::{DMatrix, DVector};
use noise::Whitener;
use pass::{Block, Noise, Pass, pass, whitener};

/// Steps of each round, after which the noise is fitted again.
const STEPS: [usize; 5] = [6, 3, 2, 2, 2];

/// Lengths of the stretches that are left out in turn, in blocks.
const LENGTHS: [usize; 3] = [1, 2, 4];

/// The numbers of a model and what is known of them.
#[derive(Debug, Clone)]
pub struct Fit {
    /// Means: the factors, then the shape.
    pub numbers: DVector<f64>,
    /// Their covariance, from how far blocks of the log disagree.
    pub covariance: DMatrix<f64>,
    /// What each quarter of the log says alone: means and covariance.
    pub quarters: Vec<(DVector<f64>, DMatrix<f64>)>,
    /// What the model cannot predict of each sensor that the log has.
    pub residuals: Vec<Residual>,
    /// Deviation of what gusts do to each sensor's derivative or, of the accelerometer, to itself.
    pub gusts: [f64; SENSORS],
}

/// Fits the model of `layout` to `parts`, which are not empty.
///
/// `None` where the log says so little that no step can be made.
pub fn fit(parts: &[Part], layout: &Layout) -> Option<Fit> {
    let start = prior(&[0.0; NUMBERS], layout);
    let mut numbers = DVector::from_iterator(NUMBERS, start.iter().map(|[mean, _]| *mean));
    let mut noise: [Noise; SENSORS] = std::array::from_fn(|c| Noise {
        ratios: [-2.0, -3.0, 0.0],
        deviation: if c < 3 { 0.05 } else { 1.0 },
    });
    let period_s = parts[0].period_s();
    for steps in STEPS {
        for _ in 0..steps {
            let here = pass(parts, layout, &numbers, &noise, true);
            let (slope, curvature) = posterior(&here, &numbers, layout);
            let step = curvature.cholesky()?.solve(&slope);
            numbers = limited(&numbers, &step);
        }
        let here = pass(parts, layout, &numbers, &noise, false);
        for (c, noise) in noise.iter_mut().enumerate() {
            let residuals = &here.residuals[c];
            let filter = |ratios| whitener(c, ratios, &numbers, period_s);
            noise.ratios = Whitener::fitted(filter, residuals, noise.ratios, period_s);
            noise.deviation = filter(noise.ratios).variance(residuals, period_s).sqrt();
        }
    }
    let here = pass(parts, layout, &numbers, &noise, true);
    let (_, curvature) = posterior(&here, &numbers, layout);
    let formula = curvature.cholesky()?.inverse();
    let prior = prior(numbers.as_slice(), layout);
    Some(Fit {
        covariance: jackknife(&here.blocks, &prior, &formula),
        quarters: quarters(&here.blocks, &numbers, &prior),
        residuals: (0..SENSORS)
            .filter(|c| here.residuals[*c].iter().any(|part| !part.is_empty()))
            .map(|c| {
                let filter = whitener(c, noise[c].ratios, &numbers, period_s);
                Residual::of(c, &filter, &here.residuals[c], period_s)
            })
            .collect(),
        gusts: std::array::from_fn(|c| {
            let filter = whitener(c, noise[c].ratios, &numbers, period_s);
            noise[c].deviation * filter.gust()
        }),
        numbers,
    })
}

/// The factors as a plain regression of accelerations on the commands has them: without lag, delay or noise that lasts.
pub fn regression(parts: &[Part], layout: &Layout) -> Option<DVector<f64>> {
    let mut numbers = DVector::zeros(NUMBERS);
    numbers[LAG] = (1e-3f64).ln();
    // So much jitter that only differences of neighbouring rates count.
    let noise = [Noise {
        ratios: [3.0, -9.0, 0.0],
        deviation: 1.0,
    }; SENSORS];
    let Block { score, curvature } =
        Block::sum(&pass(parts, layout, &numbers, &noise, true).blocks);
    let little = DMatrix::identity(FACTORS, FACTORS) * 1e-12;
    let curvature = curvature.view((0, 0), (FACTORS, FACTORS)) + little;
    let factors = curvature.cholesky()?.solve(&score.rows(0, FACTORS));
    numbers.rows_mut(0, FACTORS).copy_from(&factors);
    Some(numbers)
}

/// Slope and negative curvature of the log posterior.
fn posterior(here: &Pass, numbers: &DVector<f64>, layout: &Layout) -> (DVector<f64>, DMatrix<f64>) {
    let Block {
        score: mut slope,
        mut curvature,
    } = Block::sum(&here.blocks);
    let prior = prior(numbers.as_slice(), layout);
    for (i, [mean, deviation]) in prior.iter().enumerate() {
        let precision = deviation.powi(-2);
        slope[i] -= precision * (numbers[i] - mean);
        curvature[(i, i)] += precision;
    }
    (slope, curvature)
}

/// `numbers` moved by so much of `step` that lag and delays stay where they can be and the linear model holds.
fn limited(numbers: &DVector<f64>, step: &DVector<f64>) -> DVector<f64> {
    let most = [
        (LAG, 0.4),
        (LAG + 1, 0.004),
        (LAG + 2, 0.002),
        (IDLE, 0.05),
        (BATTERY, 0.3),
    ];
    let share = (most.iter())
        .map(|(i, most)| most / step[*i].abs().max(1e-12))
        .fold(1.0, f64::min);
    let mut moved = numbers + step * share;
    moved[LAG] = moved[LAG].clamp((0.002f64).ln(), (0.3f64).ln());
    moved[LAG + 1] = moved[LAG + 1].clamp(0.0, 0.08);
    moved[IDLE] = moved[IDLE].clamp(-0.3, 0.6);
    moved[BATTERY] = moved[BATTERY].clamp(-1.0, 2.0);
    moved
}

/// Precision of what was known before.
fn known(prior: &[[f64; 2]]) -> DMatrix<f64> {
    DMatrix::from_diagonal(&DVector::from_iterator(
        NUMBERS,
        prior.iter().map(|[_, deviation]| deviation.powi(-2)),
    ))
}

/// Covariance from what changes where a stretch of the log is left out: it counts how much of what is known of a
/// number comes from a few moments. Where it is less than `formula`, that counts.
fn jackknife(blocks: &[Block], prior: &[[f64; 2]], formula: &DMatrix<f64>) -> DMatrix<f64> {
    let known = known(prior);
    let whole = Block::sum(blocks).curvature + &known;
    let from_prior = formula * &known * formula;
    let mut widest = formula.diagonal();
    for length in LENGTHS {
        let stretches = blocks.chunks(length).len() as f64;
        let mut spread = from_prior.diagonal();
        for stretch in blocks.chunks(length) {
            let left_out = Block::sum(stretch);
            let rest = &whole - &left_out.curvature;
            let Some(rest) = rest.cholesky() else {
                continue;
            };
            let moved = rest.solve(&left_out.score);
            spread += moved.component_mul(&moved) * ((stretches - 1.0) / stretches);
        }
        widest = widest.zip_map(&spread, f64::max);
    }
    let wider = widest.zip_map(&formula.diagonal(), |wide, narrow| (wide / narrow).sqrt());
    DMatrix::from_fn(NUMBERS, NUMBERS, |i, j| {
        formula[(i, j)] * wider[i] * wider[j]
    })
}

/// What each quarter says where it is alone, by a step from the whole log's numbers, and its covariance.
fn quarters(
    blocks: &[Block],
    numbers: &DVector<f64>,
    prior: &[[f64; 2]],
) -> Vec<(DVector<f64>, DMatrix<f64>)> {
    let alone = |quarter: &[Block]| {
        let Block { score, curvature } = Block::sum(quarter);
        let inverse = (curvature + known(prior)).cholesky()?.inverse();
        Some((numbers + &inverse * score, inverse))
    };
    let length = blocks.len().div_ceil(4).max(1);
    blocks.chunks(length).filter_map(alone).collect()
}
