//! Excitation: how much of what a log shows was moved on purpose, which decides what it can tell.

use super::fit::Fit;
use super::fit::rotors::Rotors;
use super::part::{Instant, Part};
use serde::Serialize;

/// Half of the time over which rates are averaged to see what is faster [s].
const SMOOTH_S: f64 = 0.25;

/// Least lag of the rotors that instants 4 ms from each other resolve [s].
pub(super) const RESOLVED_S: f64 = 10e-3;

/// What moved, over what noise alone makes of it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Excitation {
    /// Deviation of each rate over that of what cannot be predicted of it.
    pub rates: [f64; 3],
    /// The same of what is faster than a second or so.
    pub fast_rates: [f64; 3],
    /// Deviation of the velocity across and along the rotors' axes [m/s].
    pub speeds_m_s: [f64; 2],
    /// Deviation of the specific force across the rotors' axes over half a second, which drag makes [m/s²].
    pub drag_m_s2: f64,
    /// Deviation of the commands within 10 ms, over their mean.
    pub jitter: f64,
}

impl Excitation {
    /// Of `parts`, with what `fit` says of their noise.
    pub(super) fn of(parts: &[Part], fit: &Fit) -> Excitation {
        let all = || parts.iter().flat_map(|part| &part.instants);
        let over_noise = |axis: usize, x: f64| x / fit.residuals[axis].deviation.max(1e-12);
        let rate = |axis: usize| deviation(all().map(|instant| instant.rates_rad_s[axis]));
        let speed = |axis: usize| {
            let of = |instant: &Instant| instant.motion.map_or(0.0, |m| m.velocity_m_s[axis]);
            deviation(all().map(of))
        };
        Excitation {
            rates: [0, 1, 2].map(|axis| over_noise(axis, rate(axis))),
            fast_rates: [0, 1, 2].map(|axis| over_noise(axis, fast(parts, axis))),
            drag_m_s2: deviation(slow(parts, 0)).hypot(deviation(slow(parts, 1))),
            jitter: jitter(parts),
            speeds_m_s: [speed(0).hypot(speed(1)), speed(2)],
        }
    }
}

/// Deviation of numbers from their mean.
fn deviation(numbers: impl Iterator<Item = f64>) -> f64 {
    let (mut count, mut sum, mut squares) = (0.0f64, 0.0, 0.0);
    for x in numbers {
        count += 1.0;
        sum += x;
        squares += x * x;
    }
    let count = count.max(1.0);
    (squares / count - (sum / count).powi(2)).max(0.0).sqrt()
}

/// A specific force averaged over twice [`SMOOTH_S`] each.
fn slow(parts: &[Part], axis: usize) -> impl Iterator<Item = f64> {
    parts.iter().flat_map(move |part| {
        let long = ((2.0 * SMOOTH_S / part.period_s()) as usize).max(1);
        let force = move |instant: &Instant| instant.force_m_s2.map_or(0.0, |force| force[axis]);
        let chunks = part.instants.chunks_exact(long);
        chunks.map(move |chunk| chunk.iter().map(force).sum::<f64>() / long as f64)
    })
}

/// Deviation of the commands from what a lag of [`RESOLVED_S`] makes of them, over their mean.
fn jitter(parts: &[Part]) -> f64 {
    let (mut squares, mut count) = (0.0, 0.0f64);
    for part in parts {
        let mut slow = Rotors::new(part, RESOLVED_S, 0.0, 0.0);
        for (time_s, shares) in &part.commands {
            slow.advance(*time_s);
            for (i, share) in shares.iter().enumerate() {
                squares += (share - slow.share(i).value).powi(2);
                count += 1.0;
            }
        }
    }
    (squares / count.max(1.0)).sqrt() / Part::mean_command(parts)
}

/// Deviation of a rate from its moving average.
fn fast(parts: &[Part], axis: usize) -> f64 {
    let (mut count, mut squares) = (0.0f64, 0.0);
    for part in parts {
        let half = ((SMOOTH_S / part.period_s()) as usize).max(1);
        let mut sums = vec![0.0];
        for instant in &part.instants {
            let before = sums[sums.len() - 1];
            sums.push(before + instant.rates_rad_s[axis]);
        }
        for k in half..part.instants.len().saturating_sub(half) {
            let mean = (sums[k + half] - sums[k - half]) / (2 * half) as f64;
            squares += (part.instants[k].rates_rad_s[axis] - mean).powi(2);
            count += 1.0;
        }
    }
    (squares / count.max(1.0)).sqrt()
}
