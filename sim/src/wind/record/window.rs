//! Window: the wind of one flight, a stretch of a record that its seed chose.

use super::Row;
use crate::random::{Purpose, stream};
use crate::wind::Wind;
use nalgebra::Vector3;
use rand::Rng;
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

    /// Its start, in time since the first row of the record [s].
    pub fn start_s(&self) -> f64 {
        self.start_s
    }
}

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
