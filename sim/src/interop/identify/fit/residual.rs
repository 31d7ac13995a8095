//! Residual: whether what a fit cannot predict is the white noise that it is taken for, octave by octave.

use super::noise::{Memory, Whitener, warm_up};
use serde::Serialize;

/// The slowest octave lasts so long [s].
const SLOWEST_S: f64 = 1.0;

/// What the model cannot predict of one sensor.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Residual {
    /// `roll rate`, for example.
    pub sensor: &'static str,
    /// `rad/s` or `m/s2`.
    pub unit: &'static str,
    /// Its deviation from one instant to the next.
    pub deviation: f64,
    /// From the quickest on, the frequency of each octave down to that of one second [Hz], the power there over that of
    /// white noise, and the standard error of this.
    pub octaves: Vec<[f64; 3]>,
}

/// Names of the sensors and their units.
const SENSORS: [(&str, &str); super::SENSORS] = [
    ("roll rate", "rad/s"),
    ("pitch rate", "rad/s"),
    ("yaw rate", "rad/s"),
    ("specific force x", "m/s2"),
    ("specific force y", "m/s2"),
    ("specific force z", "m/s2"),
];

impl Residual {
    /// Of sensor `c`, of what the model leaves in each part and the filter that whitens it.
    pub(super) fn of(c: usize, filter: &Whitener, left: &[Vec<f64>], period_s: f64) -> Residual {
        let settle = warm_up(period_s);
        let innovations = left.iter().map(|part| {
            let mut memory = Memory::default();
            let each = part.iter().map(|left| filter.step(&mut memory, *left));
            each.skip(settle).collect::<Vec<f64>>()
        });
        let mut sums: Vec<Vec<f64>> = innovations.collect();
        let all = || sums.iter().flatten();
        let count = all().count().max(1) as f64;
        let variance = all().map(|e| e * e).sum::<f64>() / count + 1e-300;
        let (mut octaves, mut length) = (Vec::new(), 1.0);
        while 2.0 * length * period_s <= SLOWEST_S {
            // The differences of neighbouring sums are a band of an octave around one period in both.
            let pairs = || sums.iter().flat_map(|part| part.chunks_exact(2));
            let pairs_count = pairs().count() as f64;
            let squares: f64 = pairs().map(|pair| (pair[0] - pair[1]).powi(2)).sum();
            let power = squares / pairs_count / (2.0 * length * variance);
            let frequency_hz = 0.5 / (length * period_s);
            if pairs_count > 1.0 {
                octaves.push([frequency_hz, power, (2.0 / pairs_count).sqrt()]);
            }
            let summed =
                |part: &Vec<f64>| part.chunks_exact(2).map(|pair| pair[0] + pair[1]).collect();
            sums = sums.iter().map(summed).collect();
            length *= 2.0;
        }
        let (sensor, unit) = SENSORS[c];
        Residual {
            sensor,
            unit,
            deviation: variance.sqrt(),
            octaves,
        }
    }

    /// The octave below 50 Hz with the most power, where that is half more than white noise has and no chance of one in
    /// a thousand; what is quicker is vibration.
    pub fn coloured(&self) -> Option<[f64; 3]> {
        let beyond = |[hz, power, error]: &&[f64; 3]| *hz < 50.0 && *power > 1.5 + 3.3 * error;
        let over = self.octaves.iter().filter(beyond);
        over.max_by(|a, b| a[1].total_cmp(&b[1])).copied()
    }
}
