//! Oscillation: how strongly the vehicle turns to and fro at each frequency, and where most.
//!
//! Welch's method (P. D. Welch, IEEE Trans. Audio Electroacoust. 15, 1967): the body rates,
//! sampled at the control period, are cut into segments of 8192 samples that overlap by half; each
//! loses its mean, is multiplied by Hann's window and transformed; the squared magnitudes,
//! averaged over segments and flights, are the one-sided power spectral density. The dominant
//! oscillation is the local maximum of the sum over the three axes, between [`LOWEST_HZ`] and
//! [`HIGHEST_HZ`], with the most power in the five bins of its main lobe. Slower motion is the
//! manoeuvre itself and is not looked at.

use rustfft::FftPlanner;
use rustfft::num_complex::Complex;
use std::f64::consts::TAU;

/// Samples of one segment; the resolution is one over the time that they span.
pub const SEGMENT: usize = 8192;

/// Slowest oscillation that is looked for [Hz].
pub const LOWEST_HZ: f64 = 0.5;

/// Fastest oscillation that is looked for [Hz].
pub const HIGHEST_HZ: f64 = 100.0;

/// Bins on each side that belong to a peak: the main lobe of Hann's window.
const LOBE: usize = 2;

/// A peak this many times above its surroundings is called distinct.
pub const DISTINCT: f64 = 4.0;

/// Names of the body axes.
pub const AXES: [&str; 3] = ["roll", "pitch", "yaw"];

/// Summed periodograms of the segments seen so far.
#[derive(Debug, Clone)]
pub struct Welch {
    sample_s: f64,
    segments: u64,
    sums: [Vec<f64>; 3],
}

/// Power spectral density of the body rates.
#[derive(Debug, Clone)]
pub struct Spectrum {
    /// Distance between two frequencies [Hz].
    pub step_hz: f64,
    /// One-sided density about each body axis from frequency 0 upwards [(deg/s)²/Hz].
    pub density: [Vec<f64>; 3],
}

/// The strongest oscillation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Peak {
    /// Its frequency [Hz].
    pub frequency_hz: f64,
    /// Index of the body axis about which it is strongest.
    pub axis: usize,
    /// Amplitude of the sine about that axis with the power of the main lobe [deg/s].
    pub amplitude_deg_s: f64,
    /// Density over the median density within half an octave on both sides, all axes together.
    pub prominence: f64,
}

impl Welch {
    /// Nothing seen yet; samples are `sample_s` seconds apart.
    pub fn new(sample_s: f64) -> Welch {
        Welch {
            sample_s,
            segments: 0,
            sums: std::array::from_fn(|_| vec![0.0; SEGMENT / 2]),
        }
    }

    /// Adds one flight's body rates, one list an axis [rad/s]. What is shorter than a segment
    /// says nothing.
    pub fn add(&mut self, rates_rad_s: &[Vec<f64>; 3]) {
        let fft = FftPlanner::new().plan_fft_forward(SEGMENT);
        let hann = |k: usize| 0.5 - 0.5 * (TAU * k as f64 / SEGMENT as f64).cos();
        let window: Vec<f64> = (0..SEGMENT).map(hann).collect();
        let power: f64 = window.iter().map(|w| w * w).sum();
        let scale = 2.0 * self.sample_s / power;
        let count = rates_rad_s[0].len();
        let starts = (0..).map(|k| k * SEGMENT / 2);
        for start in starts.take_while(|start| start + SEGMENT <= count) {
            self.segments += 1;
            for (rates, sums) in rates_rad_s.iter().zip(&mut self.sums) {
                let segment = &rates[start..start + SEGMENT];
                let mean = segment.iter().sum::<f64>() / SEGMENT as f64;
                let windowed = segment.iter().zip(&window);
                let mut buffer: Vec<Complex<f64>> = windowed
                    .map(|(rate, w)| Complex::new((rate - mean).to_degrees() * w, 0.0))
                    .collect();
                fft.process(&mut buffer);
                for (sum, value) in sums.iter_mut().zip(&buffer) {
                    *sum += scale * value.norm_sqr();
                }
            }
        }
    }

    /// Adds what `other` has seen.
    pub fn merge(&mut self, other: &Welch) {
        self.segments += other.segments;
        for (ours, theirs) in self.sums.iter_mut().zip(&other.sums) {
            for (sum, value) in ours.iter_mut().zip(theirs) {
                *sum += value;
            }
        }
    }

    /// The density; `None` if no flight was long enough.
    pub fn spectrum(&self) -> Option<Spectrum> {
        let n = self.segments as f64;
        let mean = |sums: &Vec<f64>| sums.iter().map(|sum| sum / n).collect();
        (self.segments > 0).then(|| Spectrum {
            step_hz: 1.0 / (SEGMENT as f64 * self.sample_s),
            density: self.sums.each_ref().map(mean),
        })
    }
}

impl Spectrum {
    /// Density of all three axes together, at each frequency from 0 [(deg/s)²/Hz].
    pub fn total(&self) -> Vec<f64> {
        let [x, y, z] = &self.density;
        x.iter()
            .zip(y)
            .zip(z)
            .map(|((x, y), z)| x + y + z)
            .collect()
    }

    /// The dominant oscillation; `None` if the density has no local maximum, as for a vehicle
    /// that does not turn.
    pub fn peak(&self) -> Option<Peak> {
        let total = self.total();
        let bin = |hz: f64| (hz / self.step_hz).round() as usize;
        let least = bin(LOWEST_HZ).max(LOBE + 1);
        let most = bin(HIGHEST_HZ).min(total.len() - LOBE - 1);
        let lobe = |k: usize| k - LOBE..k + LOBE + 1;
        let highest = |k: &usize| lobe(*k).all(|j| j == *k || total[j] < total[*k]);
        let power = |k: usize| total[lobe(k)].iter().sum::<f64>();
        let top = (least..most)
            .filter(highest)
            .max_by(|a, b| power(*a).total_cmp(&power(*b)))?;
        let of_axis =
            |axis: usize| self.density[axis][lobe(top)].iter().sum::<f64>() * self.step_hz;
        let axis = (0..3).max_by(|a, b| of_axis(*a).total_cmp(&of_axis(*b)))?;
        let root = std::f64::consts::SQRT_2;
        let [from, to] = [1.0 / root, root].map(|factor| (top as f64 * factor).round() as usize);
        let around = from.min(top - LOBE - 1)..=to.max(top + LOBE + 1).min(total.len() - 1);
        let around: Vec<f64> = around
            .filter(|j| !lobe(top).contains(j))
            .map(|j| total[j])
            .collect();
        Some(Peak {
            frequency_hz: top as f64 * self.step_hz,
            axis,
            amplitude_deg_s: (2.0 * of_axis(axis)).sqrt(),
            prominence: total[top] / crate::statistics::median(&around),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sine about the pitch axis over white noise about all of them.
    fn rates(amplitude: f64, hz: f64) -> [Vec<f64>; 3] {
        let mut state = 1u64;
        let mut noise = || {
            state = sim::mix(&[state]);
            1e-3 * ((state >> 11) as f64 / (1u64 << 53) as f64 - 0.5)
        };
        std::array::from_fn(|axis| {
            let sine = if axis == 1 { amplitude } else { 0.0 };
            (0..20_000)
                .map(|k| 0.3 + sine * (TAU * hz * k as f64 * 1e-3).sin() + noise())
                .collect()
        })
    }

    fn seen(rates: &[Vec<f64>; 3]) -> Spectrum {
        let mut welch = Welch::new(1e-3);
        welch.add(rates);
        welch.spectrum().expect("20 s are enough")
    }

    #[test]
    fn a_sine_is_found_with_its_frequency_axis_and_amplitude() {
        for hz in [0.9, 7.3, 41.0] {
            let peak = seen(&rates(0.2, hz)).peak().expect("a sine");
            assert!((peak.frequency_hz - hz).abs() <= 0.07, "{peak:?}");
            assert_eq!(AXES[peak.axis], "pitch");
            let amplitude = 0.2f64.to_degrees();
            // Off the bin's middle the main lobe loses less than one part in a thousand.
            assert!(
                (peak.amplitude_deg_s / amplitude - 1.0).abs() < 5e-3,
                "{peak:?}"
            );
            assert!(peak.prominence > DISTINCT);
        }
    }

    #[test]
    fn the_density_sums_to_the_variance() {
        let spectrum = seen(&rates(0.2, 7.3));
        let sum: f64 = spectrum.density[1].iter().sum::<f64>() * spectrum.step_hz;
        let variance = 0.5 * 0.2f64.to_degrees().powi(2);
        assert!((sum / variance - 1.0).abs() < 0.01, "{sum} {variance}");
    }

    #[test]
    fn noise_alone_has_no_distinct_peak() {
        let peak = seen(&rates(0.0, 1.0)).peak().expect("noise has maxima");
        let sine = seen(&rates(0.2, 7.3)).peak().expect("a sine");
        assert!(
            peak.prominence < 20.0 && sine.prominence > 1e4,
            "{peak:?} {sine:?}"
        );
    }

    #[test]
    fn short_or_still_flights_say_nothing() {
        let mut welch = Welch::new(1e-3);
        welch.add(&std::array::from_fn(|_| vec![0.1; SEGMENT - 1]));
        assert!(welch.spectrum().is_none());
        welch.add(&std::array::from_fn(|_| vec![0.0; SEGMENT]));
        assert_eq!(welch.spectrum().expect("one segment").peak(), None);
    }

    #[test]
    fn merging_is_adding() {
        let (a, b) = (rates(0.2, 7.3), rates(0.1, 3.0));
        let mut one = Welch::new(1e-3);
        one.add(&a);
        one.add(&b);
        let (mut first, mut second) = (Welch::new(1e-3), Welch::new(1e-3));
        first.add(&a);
        second.add(&b);
        first.merge(&second);
        let (one, both) = (
            one.spectrum().expect("seen"),
            first.spectrum().expect("seen"),
        );
        for (x, y) in one.total().iter().zip(both.total()) {
            assert!((x - y).abs() <= 1e-12 * x);
        }
    }
}
