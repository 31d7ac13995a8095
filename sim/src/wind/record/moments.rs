//! Moments: what a record says of its own wind.

use super::Row;
use crate::wind::axis::axes_along;
use nalgebra::Vector3;

/// Mean, deviations and correlation times of the rows in some segments.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Moments {
    /// In world axes [m/s].
    pub(crate) mean_m_s: Vector3<f64>,
    /// Of u along the horizontal mean, v across it, w upwards [m/s].
    pub(crate) sigma_m_s: [f64; 3],
    /// Lag at which the autocorrelation of u, v, w falls below 1/e [s].
    pub(crate) time_s: [f64; 3],
}

impl Moments {
    /// Of all rows within the segments.
    pub(super) fn of(rows: &[Row], segments: &[[f64; 2]]) -> Moments {
        let within = |[from_s, to_s]: &[f64; 2]| {
            let from = rows.partition_point(|row| row[0] < *from_s);
            let to = rows.partition_point(|row| row[0] <= *to_s);
            &rows[from..to.max(from)]
        };
        let stretches: Vec<&[Row]> = segments.iter().map(within).collect();
        let count = stretches
            .iter()
            .map(|rows| rows.len())
            .sum::<usize>()
            .max(1) as f64;
        let air = |row: &Row| Vector3::new(row[1], row[2], row[3]);
        let sum: Vector3<f64> = stretches.iter().copied().flatten().map(air).sum();
        let mean_m_s = sum / count;
        let axes = axes_along(&mean_m_s);
        let gusts = |axis: &Vector3<f64>| -> Vec<Vec<f64>> {
            let along = |row: &Row| (air(row) - mean_m_s).dot(axis);
            let stretch = |rows: &&[Row]| rows.iter().map(along).collect();
            stretches.iter().map(stretch).collect()
        };
        let gusts = axes.each_ref().map(gusts);
        let step_s = match rows {
            [first, .., last] => (last[0] - first[0]) / (rows.len() - 1) as f64,
            _ => 0.0,
        };
        let variance = gusts.each_ref().map(|gusts| covariance(gusts, 0));
        Moments {
            mean_m_s,
            sigma_m_s: variance.map(f64::sqrt),
            time_s: gusts.each_ref().map(|gusts| step_s * folded(gusts)),
        }
    }
}

/// Mean product of values `lag` rows apart, within each stretch.
fn covariance(stretches: &[Vec<f64>], lag: usize) -> f64 {
    let (mut sum, mut count) = (0.0, 0usize);
    for values in stretches {
        let pairs = values.iter().zip(values.iter().skip(lag));
        count += values.len().saturating_sub(lag);
        sum += pairs.map(|(a, b)| a * b).sum::<f64>();
    }
    sum / count.max(1) as f64
}

/// Lag in rows at which the autocorrelation falls below 1/e, linear between the lags that are
/// looked at: each a quarter longer than the one before. 0 where there are no gusts.
fn folded(stretches: &[Vec<f64>]) -> f64 {
    let longest = stretches.iter().map(Vec::len).max().unwrap_or(0);
    let whole = covariance(stretches, 0);
    let threshold = whole * (-1f64).exp();
    let (mut lag, mut before) = (1, (0, whole));
    while whole > 0.0 && lag < longest {
        let now = covariance(stretches, lag);
        if now < threshold {
            let share = (before.1 - threshold) / (before.1 - now);
            return before.0 as f64 + share * (lag - before.0) as f64;
        }
        before = (lag, now);
        lag = (lag + 1).max(lag + lag / 4);
    }
    before.0 as f64
}
