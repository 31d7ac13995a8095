use super::super::part::{Instant, Motion, Part};
use super::model::{Layout, NUMBERS};
use super::noise::{Memory, Sensor, Whitener};
use super::pass::{Block, Noise, pass, whitener};
use crate::{Airframe, PerRotor};
use nalgebra::DVector;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

fn normal(rng: &mut ChaCha8Rng) -> f64 {
    StandardNormal.sample(rng)
}

/// A part with commands and motion that no vehicle has, for derivatives.
fn wild(rng: &mut ChaCha8Rng) -> Part {
    let mut part = Part::default();
    for k in 0..1_500 {
        let time_s = 0.004 * f64::from(k);
        if k % 2 == 0 {
            let shares = PerRotor::new(4, |_| rng.random_range(0.3..0.8));
            part.commands.push((time_s, shares));
        }
        let mut three = |size: f64| [0; 3].map(|_| size * normal(rng));
        part.instants.push(Instant {
            time_s,
            rates_rad_s: three(1.0),
            force_m_s2: Some(three(3.0)),
            battery_v: Some(15.0 - 0.4 * time_s),
            motion: Some(Motion {
                velocity_m_s: three(2.0),
                level: [three(0.6), three(0.6)],
            }),
        });
    }
    part
}

#[test]
fn every_slope_of_the_likelihood_is_that_of_differences() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let parts = [wild(&mut rng)];
    let omac = Airframe::omac();
    let layout = Layout::new(&omac.rotors, &[2, 0, 3, 1], true, &parts);
    let mut numbers = DVector::from_fn(NUMBERS, |_, _| rng.random_range(0.5..1.5));
    // Logarithm of the lag, delay, delay of the accelerometer, wind, speed at no command, speed by voltage.
    for (at, number) in [
        (30, -3.4),
        (31, 0.0071),
        (32, 0.0013),
        (33, 2.0),
        (34, -1.0),
        (35, 0.1),
        (36, 0.8),
    ] {
        numbers[at] = number;
    }
    // So large a deviation that nothing is tamed.
    let noise = [Noise {
        ratios: [-1.0, -2.0, 0.0],
        deviation: 1e4,
    }; 6];
    let (settle, kept) = (125, numbers.clone());
    let cost = |numbers: &DVector<f64>, first: usize| -> f64 {
        let left = pass(&parts, &layout, numbers, &noise, false).residuals;
        let each = left
            .iter()
            .zip(&noise)
            .enumerate()
            .skip(first)
            .map(|(c, (left, noise))| {
                // The filter of the yaw rate depends on the numbers; a slope is one at a filter that stays.
                let filter = whitener(c, noise.ratios, &kept, parts[0].period_s());
                let mut memory = Memory::default();
                let squares = left[0].iter().enumerate().map(|(k, left)| {
                    let innovation = filter.step(&mut memory, *left) / noise.deviation;
                    if k < settle {
                        0.0
                    } else {
                        0.5 * innovation * innovation
                    }
                });
                squares.sum::<f64>()
            });
        each.sum()
    };
    let found = Block::sum(&pass(&parts, &layout, &numbers, &noise, true).blocks).score;
    for i in 0..NUMBERS {
        // The likelihood is a square of the factors, of which differences of any length are exact.
        let step = if i < 30 { 1.0 } else { 1e-5 };
        let [mut low, mut high] = [numbers.clone(), numbers.clone()];
        low[i] -= step;
        high[i] += step;
        // Wind, curve and battery are told by the specific force alone.
        let first = if i >= 33 { 3 } else { 0 };
        let differences = -(cost(&high, first) - cost(&low, first)) / (2.0 * step);
        let size = differences.abs().max(found.amax() * 1e-6);
        assert!(
            (found[i] - differences).abs() < 2e-4 * size,
            "{i}: {} {differences}",
            found[i]
        );
    }
}

/// Noise of a kind with these variances a period over the sensor's, and its lasting.
fn noise(rng: &mut ChaCha8Rng, sensor: Sensor, added: [f64; 2], kept: [f64; 2]) -> Vec<f64> {
    let (mut rate, mut jitter, mut gust) = (0.0, 0.0, 0.0);
    let samples = (0..40_000).map(|_| {
        let shown = match sensor {
            Sensor::Rate => rate,
            Sensor::Force => jitter + gust,
        };
        let shown = shown + normal(rng);
        rate += jitter + gust;
        jitter = kept[0] * jitter + added[0].sqrt() * normal(rng);
        gust = kept[1] * gust + added[1].sqrt() * normal(rng);
        shown
    });
    samples.collect()
}

#[test]
fn innovations_of_noise_as_modelled_are_white_and_its_ratios_are_found() {
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    let (period_s, lag_s, gust_s) = (0.004f64, 0.03, 1.0);
    let kept = [lag_s, gust_s].map(|time_s: f64| (-period_s / time_s).exp());
    for sensor in [Sensor::Rate, Sensor::Force] {
        let ratios = [-2.0, -3.0, 0.0];
        let left = vec![noise(&mut rng, sensor, [1e-2, 1e-3], kept)];
        let filter = |ratios| Whitener::new(sensor, ratios, 0.0, lag_s, period_s);
        let right = filter(ratios);
        let mut memory = Memory::default();
        let all: Vec<f64> = left[0]
            .iter()
            .map(|x| right.step(&mut memory, *x))
            .collect();
        let settled = &all[2_000..];
        let variance = settled.iter().map(|e| e * e).sum::<f64>() / settled.len() as f64;
        for lag in [1, 2, 5, 20, 100, 250] {
            let products = settled.iter().zip(&settled[lag..]).map(|(a, b)| a * b);
            let correlation = products.sum::<f64>() / settled.len() as f64 / variance;
            // Four standard errors of 1/√n.
            assert!(
                correlation.abs() < 4.0 / (settled.len() as f64).sqrt(),
                "{lag}: {correlation}"
            );
        }
        let found = Whitener::fitted(filter, &left, [-4.0, -4.0, 0.3], period_s);
        let least = filter(found).variance(&left, period_s);
        assert!(
            least <= right.variance(&left, period_s) * 1.000_1,
            "{found:?}"
        );
        assert!((found[0] + 2.0).abs() < 0.3, "{found:?}");
    }
}
