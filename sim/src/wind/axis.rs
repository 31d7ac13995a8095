//! Axis: the axes of a wind, and the two laws of Dryden gusts, along the mean wind and across it
//! (MIL-F-8785C).

use nalgebra::Vector3;
use std::f64::consts::PI;

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
