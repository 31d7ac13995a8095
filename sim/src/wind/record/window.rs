//! Window: the wind of one flight, a stretch of a record that its seed chose.

use super::Row;
use crate::error::RecordFault;
use crate::random::{Purpose, stream};
use crate::wind::Wind;
use crate::wind::gust::axes_along;
use nalgebra::Vector3;
use rand::Rng;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A stretch of a record, row by row interpolated. Behind its end the wind stays as it was there.
#[derive(Debug, Clone)]
pub struct Window {
    rows: Arc<[Row]>,
    /// The last row that is not later than now.
    at: usize,
    start_s: f64,
    end_s: f64,
    dt_s: f64,
    tick: u64,
}

impl Window {
    pub(super) fn new(rows: Arc<[Row]>, [start_s, end_s]: [f64; 2], dt_s: f64) -> Window {
        let later = rows.partition_point(|row| row[0] <= start_s);
        Window {
            at: later.saturating_sub(1),
            rows,
            start_s,
            end_s,
            dt_s,
            tick: 0,
        }
    }
}

/// Instants over which the mean of a window is taken.
const MEAN_OF: u32 = 500;

impl Wind for Window {
    fn step(&mut self) -> Vector3<f64> {
        let now_s = (self.start_s + self.tick as f64 * self.dt_s).min(self.end_s);
        self.tick += 1;
        let rows = &self.rows;
        while self.at + 1 < rows.len() && rows[self.at + 1][0] <= now_s {
            self.at += 1;
        }
        let Some([t_s, here @ ..]) = rows.get(self.at) else {
            return Vector3::zeros();
        };
        let here = Vector3::from(*here);
        let Some([next_s, next @ ..]) = rows.get(self.at + 1) else {
            return here;
        };
        here + (Vector3::from(*next) - here) * ((now_s - t_s) / (next_s - t_s))
    }

    fn mean_m_s(&self) -> Vector3<f64> {
        let dt_s = (self.end_s - self.start_s) / f64::from(MEAN_OF);
        let mut instants = Window {
            start_s: self.start_s + 0.5 * dt_s,
            dt_s,
            ..self.clone()
        };
        let sum: Vector3<f64> = (0..MEAN_OF).map(|_| instants.step()).sum();
        sum / f64::from(MEAN_OF)
    }
}

/// From when to when the flight of `seed` takes its wind: every start at which it lies within one
/// of the segments is as likely as any other.
pub(super) fn drawn(segments: &[[f64; 2]], seed: u64, flight_s: f64) -> [f64; 2] {
    let room = |[from_s, to_s]: &[f64; 2]| (to_s - from_s - flight_s).max(0.0);
    let all_s: f64 = segments.iter().map(room).sum();
    // 53 bits make a number in [0, 1).
    let bits = stream(seed, Purpose::Gusts).next_u64();
    let dice = (bits >> 11) as f64 / (1u64 << 53) as f64;
    let Some(last) = segments.last() else {
        return [0.0; 2];
    };
    if all_s <= 0.0 {
        // Each fits in one way alone.
        let chosen = segments[(dice * segments.len() as f64) as usize];
        return [chosen[0], (chosen[0] + flight_s).min(chosen[1])];
    }
    let mut left_s = dice * all_s;
    for segment in segments {
        if left_s < room(segment) {
            let start_s = segment[0] + left_s;
            return [start_s, (start_s + flight_s).min(segment[1])];
        }
        left_s -= room(segment);
    }
    // Rounding may leave a rest.
    let start_s = last[0] + room(last);
    [start_s, (start_s + flight_s).min(last[1])]
}

// Moments: what a record says of its own wind.

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

// Split: which segments of a record are for tuning, and which are held out.

/// Times closer together than this are one [s].
pub(super) const SLACK_S: f64 = 1e-6;

/// Most blocks that a record is cut into.
const MOST_BLOCKS: f64 = 10_000.0;

/// Which part of a record flights meet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    /// All of it, whatever its split.
    #[default]
    Whole,
    /// The segments for tuning.
    Tune,
    /// Those that are held out.
    Test,
}

impl Part {
    /// What a file calls it.
    pub fn word(self) -> &'static str {
        match self {
            Part::Whole => "whole",
            Part::Tune => "tune",
            Part::Test => "test",
        }
    }
}

/// The segments of a record, in time since its first row, none of which shares a time with
/// another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Split {
    /// For tuning: from, to [s].
    pub tune: Vec<[f64; 2]>,
    /// Held out: from, to [s].
    pub test: Vec<[f64; 2]>,
}

impl Split {
    /// Alternating blocks of `block_s`, of which `share` are for tuning, the first among them. What
    /// is left over behind the last whole block belongs to neither.
    pub(crate) fn blocks(lasts_s: f64, block_s: f64, share: f64) -> Result<Split, RecordFault> {
        let count = ((lasts_s + SLACK_S) / block_s).floor();
        if !(2.0..=MOST_BLOCKS).contains(&count) {
            return Err(RecordFault::Blocks { lasts_s, block_s });
        }
        let mut split = Split {
            tune: Vec::new(),
            test: Vec::new(),
        };
        for k in 0..count as u32 {
            let passed = |blocks: u32| (f64::from(blocks) * share - 1e-9).ceil();
            let list = match passed(k + 1) > passed(k) {
                true => &mut split.tune,
                false => &mut split.test,
            };
            let [from_s, to_s] = [k, k + 1].map(|k| (f64::from(k) * block_s).min(lasts_s));
            match list.last_mut() {
                // Neighbours are one segment, in which longer flights find room.
                Some(last) if last[1] == from_s => last[1] = to_s,
                _ => list.push([from_s, to_s]),
            }
        }
        Ok(split)
    }

    /// Checks that each segment lies within a record that lasts so long, and that none overlap.
    pub(super) fn check(&self, lasts_s: f64) -> Result<(), RecordFault> {
        let lists = [("tune", &self.tune), ("test", &self.test)];
        for (list, segments) in lists {
            if segments.is_empty() {
                return Err(RecordFault::Split(
                    "at least one segment under each of tune and test",
                ));
            }
            for [from_s, to_s] in segments.iter().copied() {
                if !(0.0 <= from_s && from_s < to_s && to_s <= lasts_s + SLACK_S) {
                    return Err(RecordFault::Segment {
                        list,
                        from_s,
                        to_s,
                        lasts_s,
                    });
                }
            }
        }
        let mut all: Vec<[f64; 2]> = self.tune.iter().chain(&self.test).copied().collect();
        all.sort_by(|a, b| a[0].total_cmp(&b[0]));
        let clash = all.windows(2).find(|pair| pair[1][0] < pair[0][1]);
        clash.map_or(Ok(()), |pair| {
            let [a, b] = [pair[0], pair[1]];
            Err(RecordFault::Overlap { a, b })
        })
    }
}
