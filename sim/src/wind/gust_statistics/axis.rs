//! Axis: one component of the gusts against its variance, its autocorrelation and its spectrum.

use super::{Average, Comparison, NAMES, Sampling, Spectrum};
use crate::{Domain, GustAxis};
use rustfft::FftPlanner;
use rustfft::num_complex::Complex;
use std::f64::consts::TAU;

/// Lags at which the autocorrelation is compared, in units of the axis's time constant.
const LAGS: [f64; 5] = [0.1, 0.3, 1.0, 2.0, 3.0];

/// The filter of each axis.
const AXES: [GustAxis; 3] = [GustAxis::Along, GustAxis::Across, GustAxis::Across];

/// One axis under test.
pub(super) struct AxisTest {
    name: char,
    filter: GustAxis,
    sigma: f64,
    time_s: f64,
    dt_s: f64,
    window: Vec<f64>,
    fft: std::sync::Arc<dyn rustfft::Fft<f64>>,
    first: Average,
    variance: Average,
    lags: Vec<(usize, Average)>,
    periodogram: Vec<f64>,
    bands: Vec<(std::ops::Range<usize>, Average)>,
    expected: Vec<f64>,
}

impl AxisTest {
    pub(super) fn new(domain: &Domain, axis: usize, sampling: Sampling) -> AxisTest {
        let n = sampling.length;
        let time_s = domain.time_constants_s()[axis];
        let hann = |k: usize| 0.5 - 0.5 * (TAU * k as f64 / n as f64).cos();
        let lags = LAGS.map(|lag| ((lag * time_s / sampling.dt_s).round() as usize).max(1));
        let lags = lags.into_iter().filter(|lag| *lag < n / 2);
        let mut test = AxisTest {
            name: NAMES[axis],
            filter: AXES[axis],
            sigma: domain.sigma_m_s[axis],
            time_s,
            dt_s: sampling.dt_s,
            window: (0..n).map(hann).collect(),
            fft: FftPlanner::new().plan_fft_forward(n),
            first: Average::default(),
            variance: Average::default(),
            lags: lags.map(|lag| (lag, Average::default())).collect(),
            periodogram: vec![0.0; n / 2],
            bands: octaves(n / 2)
                .map(|band| (band, Average::default()))
                .collect(),
            expected: Vec::new(),
        };
        test.expected = test.expected_periodogram();
        test
    }

    pub(super) fn add(&mut self, samples: Vec<f64>) {
        let n = samples.len() as f64;
        self.first.add(samples[0] * samples[0]);
        self.variance
            .add(samples.iter().map(|x| x * x).sum::<f64>() / n);
        for (lag, average) in &mut self.lags {
            let pairs = samples.iter().zip(&samples[*lag..]);
            average.add(pairs.map(|(a, b)| a * b).sum::<f64>() / (n - *lag as f64));
        }
        let one = self.one_periodogram(&samples);
        for (sum, power) in self.periodogram.iter_mut().zip(&one) {
            *sum += power;
        }
        for (band, average) in &mut self.bands {
            // An axis without gusts has no power in any band, as it should.
            let ratio = |k: usize| match (one[k], self.expected[k]) {
                (power, expected) if power == expected => 1.0,
                (power, expected) => power / expected,
            };
            let ratios = band.clone().map(ratio);
            average.add(ratios.sum::<f64>() / band.len() as f64);
        }
    }

    /// One-sided periodogram of the windowed samples [m²/s² per Hz].
    fn one_periodogram(&self, samples: &[f64]) -> Vec<f64> {
        let mut buffer: Vec<Complex<f64>> = samples
            .iter()
            .zip(&self.window)
            .map(|(x, w)| Complex::new(x * w, 0.0))
            .collect();
        self.fft.process(&mut buffer);
        let scale = self.scale();
        buffer[..buffer.len() / 2]
            .iter()
            .map(|c| scale * c.norm_sqr())
            .collect()
    }

    fn scale(&self) -> f64 {
        2.0 * self.dt_s / self.window.iter().map(|w| w * w).sum::<f64>()
    }

    /// Σ_k R(k dt) (Σ_i w_i w_{i+k}) e^(−iωk dt): the mean of the periodogram.
    fn expected_periodogram(&self) -> Vec<f64> {
        let n = self.window.len();
        let mut planner = FftPlanner::new();
        let (forward, back) = (
            planner.plan_fft_forward(2 * n),
            planner.plan_fft_inverse(2 * n),
        );
        let mut window: Vec<Complex<f64>> = vec![Complex::default(); 2 * n];
        for (to, w) in window.iter_mut().zip(&self.window) {
            to.re = *w;
        }
        forward.process(&mut window);
        for value in &mut window {
            *value = Complex::new(value.norm_sqr() / (2 * n) as f64, 0.0);
        }
        back.process(&mut window);
        let mut product: Vec<Complex<f64>> = (0..2 * n)
            .map(|k| {
                let lag_s = k.min(2 * n - k) as f64 * self.dt_s;
                let r = self.filter.autocorrelation(self.sigma, self.time_s, lag_s);
                Complex::new(window[k].re * r, 0.0)
            })
            .collect();
        forward.process(&mut product);
        // Every second bin of the transform of double length.
        (0..n / 2)
            .map(|k| self.scale() * product[2 * k].re)
            .collect()
    }

    /// Measured standard deviation [m/s].
    pub(super) fn deviation(&self) -> f64 {
        self.variance.mean().max(0.0).sqrt()
    }

    pub(super) fn comparisons(&self) -> Vec<Comparison> {
        let variance = self.sigma * self.sigma;
        let compare = |what: String, average: &Average, expected: f64| Comparison {
            what,
            measured: average.mean(),
            expected,
            standard_error: average.standard_error(),
        };
        let name = self.name;
        let mut all = vec![
            compare(
                format!("{name} variance, first sample [m²/s²]"),
                &self.first,
                variance,
            ),
            compare(
                format!("{name} variance, whole records [m²/s²]"),
                &self.variance,
                variance,
            ),
        ];
        all.extend(self.lags.iter().map(|(lag, average)| {
            let lag_s = *lag as f64 * self.dt_s;
            let expected = self.filter.autocorrelation(self.sigma, self.time_s, lag_s);
            compare(
                format!("{name} autocorrelation at {lag_s:.3} s [m²/s²]"),
                average,
                expected,
            )
        }));
        let hertz = |k: usize| k as f64 / (self.window.len() as f64 * self.dt_s);
        all.extend(self.bands.iter().map(|(band, average)| {
            let (from, to) = (hertz(band.start), hertz(band.end - 1));
            compare(
                format!("{name} PSD over its expectation, {from:.2}..{to:.2} Hz"),
                average,
                1.0,
            )
        }));
        all
    }

    pub(super) fn spectrum(self) -> Spectrum {
        let count = self.variance.count;
        let n = self.window.len() as f64;
        let frequency_hz: Vec<f64> = (1..self.periodogram.len())
            .map(|k| k as f64 / (n * self.dt_s))
            .collect();
        let analytic = |f: &f64| {
            TAU * self
                .filter
                .spectral_density(self.sigma, self.time_s, TAU * f)
        };
        Spectrum {
            measured: self.periodogram[1..]
                .iter()
                .map(|power| power / count)
                .collect(),
            analytic: frequency_hz.iter().map(analytic).collect(),
            expected: self.expected[1..].to_vec(),
            frequency_hz,
        }
    }
}

/// Bands of bins, each twice as wide as the one before; the lowest bins, which hold the mean of
/// the record, are left out.
fn octaves(bins: usize) -> impl Iterator<Item = std::ops::Range<usize>> {
    let starts = std::iter::successors(Some(2usize), |start| Some(start * 2));
    starts
        .take_while(move |start| *start < bins)
        .map(move |start| start..(start * 2).min(bins))
}
