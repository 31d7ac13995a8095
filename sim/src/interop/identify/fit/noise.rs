//! Noise: what disturbs the vehicle and its sensors, as a filter that makes residuals white.
//!
//! Rotors jitter, and their lag colours it; gusts push more slowly; the sensor is white. A Kalman filter of
//! these states, settled, turns a residual into innovations; its two ratios are those of greatest likelihood.

use nalgebra::{Matrix3, Vector3};

/// Least and greatest of each of the [`Ratios`] that are looked for.
const RANGE: [[f64; 2]; 3] = [[-9.0, 3.0], [-9.0, 3.0], [-1.0, 1.0]];

/// A settled Kalman filter of one sensor.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Whitener {
    sensor: Sensor,
    /// What the sensor shows of the jitter itself, over what jitter adds in a period.
    direct: f64,
    /// What is left of jitter and gust after a period.
    kept: [f64; 2],
    gain: Vector3<f64>,
    /// Variance of the innovations, and what a period adds to the gust, over the sensor's white noise.
    innovation: f64,
    gust_added: f64,
}

/// What the filter remembers of one signal.
pub(crate) type Memory = [f64; 3];

/// Variances that a period adds to jitter and gust over that of the sensor's white noise, and the time for which a gust
/// lasts [s], as logarithms of base 10.
pub(crate) type Ratios = [f64; 3];

/// Of which sensor a filter is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sensor {
    /// The integral of what jitter and gusts do is seen: the body rates.
    Rate,
    /// What jitter and gusts do is seen: the specific force.
    Force,
}

impl Whitener {
    /// That of `sensor` at `ratios` of what one period adds, for rotors that lag by `lag_s`.
    pub(crate) fn new(
        sensor: Sensor,
        ratios: Ratios,
        direct: f64,
        lag_s: f64,
        period_s: f64,
    ) -> Whitener {
        let kept = [lag_s, 10f64.powf(ratios[2])].map(|time_s| (-period_s / time_s).exp());
        let (transition, seen) = match sensor {
            Sensor::Rate => (
                Matrix3::new(1.0, 1.0, 1.0, 0.0, kept[0], 0.0, 0.0, 0.0, kept[1]),
                Vector3::new(1.0, direct, 0.0),
            ),
            Sensor::Force => (
                Matrix3::new(0.0, 0.0, 0.0, 0.0, kept[0], 0.0, 0.0, 0.0, kept[1]),
                Vector3::new(0.0, 1.0, 1.0),
            ),
        };
        let added = Vector3::new(0.0, 10f64.powf(ratios[0]), 10f64.powf(ratios[1]));
        let spread = settled(transition, seen, Matrix3::from_diagonal(&added));
        let innovation = seen.dot(&(spread * seen)) + 1.0;
        Whitener {
            sensor,
            direct,
            kept,
            gain: transition * spread * seen / innovation,
            innovation,
            gust_added: added.z,
        }
    }

    /// Deviation of what gusts add over that of the innovations.
    pub(crate) fn gust(&self) -> f64 {
        (self.gust_added / (1.0 - self.kept[1].powi(2)) / self.innovation).sqrt()
    }

    /// The innovation of `signal`, and what is remembered of it.
    #[inline(always)]
    pub(crate) fn step(&self, memory: &mut Memory, signal: f64) -> f64 {
        let [rate, jitter, gust] = *memory;
        let (expected, turned) = match self.sensor {
            Sensor::Rate => (rate + self.direct * jitter, rate + jitter + gust),
            Sensor::Force => (jitter + gust, 0.0),
        };
        let innovation = signal - expected;
        *memory = [
            turned + self.gain.x * innovation,
            self.kept[0] * jitter + self.gain.y * innovation,
            self.kept[1] * gust + self.gain.z * innovation,
        ];
        innovation
    }

    /// The ratios of greatest likelihood for the residuals of the parts of a log, from `start` on, where `filter`
    /// makes a filter of ratios.
    pub(crate) fn fitted(
        filter: impl Fn(Ratios) -> Whitener,
        residuals: &[Vec<f64>],
        start: Ratios,
        period_s: f64,
    ) -> Ratios {
        let cost = |ratios| filter(ratios).variance(residuals, period_s).ln();
        let mut best = (cost(start), start);
        let mut step = 1.0;
        while step > 0.05 {
            let mut better = false;
            for (axis, sign) in (0..3).flat_map(|axis| [(axis, 1.0), (axis, -1.0)]) {
                let mut tried = best.1;
                tried[axis] = f64::clamp(tried[axis] + sign * step, RANGE[axis][0], RANGE[axis][1]);
                let cost = cost(tried);
                if cost < best.0 - 1e-9 {
                    (best, better) = ((cost, tried), true);
                }
            }
            if !better {
                step *= 0.5;
            }
        }
        best.1
    }

    /// Variance of the innovations of `residuals`, without the first moments of each part.
    pub(crate) fn variance(&self, residuals: &[Vec<f64>], period_s: f64) -> f64 {
        let settle = warm_up(period_s);
        let (mut sum, mut count) = (0.0, 0.0);
        for part in residuals {
            let mut memory = Memory::default();
            for (k, residual) in part.iter().enumerate() {
                let innovation = self.step(&mut memory, *residual);
                if k >= settle {
                    sum += innovation * innovation;
                    count += 1.0;
                }
            }
        }
        sum / f64::max(count, 1.0) + 1e-300
    }
}

/// Instants at the start of a part that only settle the filters.
pub(crate) fn warm_up(period_s: f64) -> usize {
    (0.5 / period_s).round() as usize
}

/// The settled covariance of the prediction, by doubling.
fn settled(transition: Matrix3<f64>, seen: Vector3<f64>, added: Matrix3<f64>) -> Matrix3<f64> {
    let mut a = transition.transpose();
    let mut g = seen * seen.transpose();
    let mut h = added;
    for _ in 0..60 {
        let Some(inverse) = (Matrix3::identity() + g * h).try_inverse() else {
            break;
        };
        let grown = a.transpose() * h * inverse * a;
        let g_next = g + a * inverse * g * a.transpose();
        a = a * inverse * a;
        g = g_next;
        h += grown;
        if grown.norm() <= 1e-13 * h.norm() {
            break;
        }
    }
    h
}
