//! Discrete gust: the 1 - cosine of MIL-F-8785C (3.7.2.3). With x the way that the air has gone past
//! since the gust began, V = 0 for x < 0, V = V_m/2 (1 - cos(πx/d_m)) up to x = d_m, and V = V_m from
//! there on. A second gust of -V_m that begins where the first is full makes the gust that passes.

use crate::error::{Error, Range};
use nalgebra::Vector3;
use serde::{Deserialize, Serialize};
use std::f64::consts::PI;
use std::str::FromStr;

/// Ways on which gusts change.
pub(super) const GUST_LENGTHS: Range =
    Range("between 0.01 and 1e5 m", |x| (0.01..=1e5).contains(&x));

/// Most gusts of a domain.
pub(super) const MOST_GUSTS: usize = 100;

/// A gust of a domain. Components are (u, v, w): along the mean wind, across it, and upwards.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DiscreteGust {
    /// When it begins, in time since the start of the flight [s].
    pub start_s: f64,
    /// V_m of u, v, w: what is added to the wind when it is full [m/s].
    pub magnitude_m_s: [f64; 3],
    /// d_m of u, v, w: the way on which each grows [m]; the air goes it at the domain's reference
    /// speed.
    pub length_m: [f64; 3],
}

impl DiscreteGust {
    /// V of u, v, w [m/s] at a time since the start of the flight, in air that goes past at
    /// `speed_m_s`.
    pub fn at(&self, time_s: f64, speed_m_s: f64) -> [f64; 3] {
        let way_m = (time_s - self.start_s) * speed_m_s;
        std::array::from_fn(|axis| {
            let part = (way_m / self.length_m[axis]).clamp(0.0, 1.0);
            0.5 * self.magnitude_m_s[axis] * (1.0 - (PI * part).cos())
        })
    }

    /// Checks that its numbers describe a gust.
    pub(super) fn check(&self) -> Result<(), Error> {
        let starts = Range("between 0 and 1e6 s", |s| (0.0..=1e6).contains(&s));
        starts.check("gusts.start_s", self.start_s)?;
        let magnitudes = Range("at most 100 m/s", |x| x.abs() <= 100.0);
        magnitudes.all("gusts.magnitude_m_s", &self.magnitude_m_s)?;
        GUST_LENGTHS.all("gusts.length_m", &self.length_m)
    }
}

/// A gust that comes and goes, in one text: `5,10,4` begins after 5 s, grows by 1 - cosine on 10 m to
/// 4 m/s along the mean wind, and goes as it came; a fourth and a fifth number are its peak across and
/// upwards.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PassingGust {
    /// When it begins, in time since the start of the flight [s].
    pub start_s: f64,
    /// The way of the air on which it grows, and on which it goes [m].
    pub length_m: f64,
    /// Its peak (u, v, w) [m/s].
    pub peak_m_s: [f64; 3],
}

impl PassingGust {
    /// It and what takes it away, in air that goes past at `speed_m_s`.
    pub fn halves(&self, speed_m_s: f64) -> [DiscreteGust; 2] {
        let half = |start_s: f64, sign: f64| DiscreteGust {
            start_s,
            magnitude_m_s: self.peak_m_s.map(|v| sign * v),
            length_m: [self.length_m; 3],
        };
        [
            half(self.start_s, 1.0),
            half(self.start_s + self.length_m / speed_m_s, -1.0),
        ]
    }
}

impl FromStr for PassingGust {
    type Err = Error;

    fn from_str(text: &str) -> Result<PassingGust, Error> {
        let fault = || Error::Gust(text.to_owned());
        let numbers = text.split(',').map(|number| number.trim().parse());
        let numbers: Vec<f64> = numbers.collect::<Result<_, _>>().map_err(|_| fault())?;
        let [start_s, length_m, peaks @ ..] = &numbers[..] else {
            return Err(fault());
        };
        if !(1..=3).contains(&peaks.len()) {
            return Err(fault());
        }
        let gust = PassingGust {
            start_s: *start_s,
            length_m: *length_m,
            peak_m_s: std::array::from_fn(|axis| peaks.get(axis).copied().unwrap_or(0.0)),
        };
        gust.halves(1.0)[0].check()?;
        Ok(gust)
    }
}

/// The gusts of one flight, step by step.
#[derive(Debug, Clone)]
pub(super) struct Passing {
    pub(super) gusts: Vec<DiscreteGust>,
    /// Unit vectors of u, v, w in the world.
    pub(super) axes: [Vector3<f64>; 3],
    pub(super) speed_m_s: f64,
    pub(super) dt_s: f64,
    pub(super) tick: u64,
}

impl Passing {
    /// What they add over the next step [m/s].
    pub(super) fn step(&mut self) -> Vector3<f64> {
        let time_s = self.tick as f64 * self.dt_s;
        self.tick += 1;
        let mut sum = Vector3::zeros();
        for gust in &self.gusts {
            for (axis, part) in self.axes.iter().zip(gust.at(time_s, self.speed_m_s)) {
                sum += axis * part;
            }
        }
        sum
    }
}

// Axis: the axes of a wind, and the two laws of Dryden gusts, along the mean wind and across it
// (MIL-F-8785C).

/// Unit vectors of u, v, w in the world: along the horizontal part of a mean wind (along x where
/// there is none), across it, upwards.
pub(super) fn axes_along(mean: &Vector3<f64>) -> [Vector3<f64>; 3] {
    let horizontal = Vector3::new(mean.x, mean.y, 0.0);
    let forward = horizontal.try_normalize(1e-12).unwrap_or(Vector3::x());
    [forward, Vector3::z().cross(&forward), Vector3::z()]
}

/// Which of the two Dryden filters shapes an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GustAxis {
    /// u, along the mean wind: first order.
    Along,
    /// v or w, across the mean wind or upwards: second order.
    Across,
}

impl GustAxis {
    /// Autocorrelation of the gust at lag `lag_s`, for standard deviation `sigma` and time
    /// constant `time_s` = L/V: σ² e^(−t/T), across multiplied by 1 − t/2T.
    pub fn autocorrelation(self, sigma: f64, time_s: f64, lag_s: f64) -> f64 {
        let x = lag_s.abs() / time_s;
        let along = sigma * sigma * (-x).exp();
        match self {
            GustAxis::Along => along,
            GustAxis::Across => along * (1.0 - 0.5 * x),
        }
    }

    /// One-sided power spectral density per rad/s at angular frequency `omega`; it integrates to
    /// σ² over ω from 0 to ∞ (MIL-F-8785C, Dryden form, in time with Ω = ω/V).
    pub fn spectral_density(self, sigma: f64, time_s: f64, omega: f64) -> f64 {
        let x = (time_s * omega).powi(2);
        let level = sigma * sigma * time_s / PI;
        match self {
            GustAxis::Along => 2.0 * level / (1.0 + x),
            GustAxis::Across => level * (1.0 + 3.0 * x) / (1.0 + x).powi(2),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_spectrum_integrates_to_the_variance() {
        for axis in [GustAxis::Along, GustAxis::Across] {
            let (sigma, time_s) = (1.7, 0.8);
            // ω = tan(θ)/T maps 0..∞ to 0..π/2; midpoint rule.
            let n = 20_000;
            let h = 0.5 * PI / f64::from(n);
            let total: f64 = (0..n)
                .map(|k| {
                    let theta = (f64::from(k) + 0.5) * h;
                    let omega = theta.tan() / time_s;
                    axis.spectral_density(sigma, time_s, omega) * h / (time_s * theta.cos().powi(2))
                })
                .sum();
            assert!((total - sigma * sigma).abs() < 1e-6, "{axis:?}: {total}");
        }
    }
}
