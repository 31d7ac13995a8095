//! How long the surrogates take: `cargo run --release -p dilgp --example timing`.

use std::time::Instant;

use dilgp::{Dataset, by_name};
use nalgebra::{DMatrix, DVector};
use rand::{RngExt, SeedableRng};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (n, d) = (110, 6);
    let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(1);
    let x = DMatrix::from_fn(n, d, |_, _| random.random::<f64>());
    let y = DVector::from_fn(n, |i, _| {
        let row = x.row(i);
        (3.0 * row[0]).sin() + row[1] * row[2] - (row[3] - 0.4).powi(2)
            + 0.05 * random.random::<f64>()
    });
    let data = Dataset::new(x.clone(), y)?;
    println!("n = {n}, d = {d}; the median of 9 fits, 1000 slopes, 1000 points predicted");
    for name in dilgp::NAMES {
        let surrogate = by_name(name)?;
        let mut times = Vec::new();
        for seed in 0..9 {
            let start = Instant::now();
            surrogate.fit(&data, seed)?;
            times.push(start.elapsed().as_secs_f64() * 1e3);
        }
        times.sort_by(f64::total_cmp);
        let model = surrogate.fit(&data, 0)?;
        let start = Instant::now();
        let mut sum = 0.0;
        for i in 0..1000 {
            let at: Vec<f64> = (0..d)
                .map(|j| ((i * (j + 3)) % 101) as f64 / 100.0)
                .collect();
            sum += model.slope(&at).map_or(0.0, |slope| slope.mean);
        }
        let slope_us = start.elapsed().as_secs_f64() * 1e3;
        let test = DMatrix::from_fn(1000, d, |i, j| ((i * (j + 3)) % 101) as f64 / 100.0);
        let start = Instant::now();
        let predicted = model.predict(&test);
        let predict_ms = start.elapsed().as_secs_f64() * 1e3;
        let summary = model.summary();
        println!(
            "{name:7} fit {:8.2} ms  slope {slope_us:7.2} us  predict {predict_ms:7.2} ms  \
             {} evaluations, {:?}, objective {:.4} ({sum:.3} {:.3})",
            times[4],
            summary.evaluations,
            summary.ending,
            summary.objective,
            predicted.mean.sum(),
        );
    }
    Ok(())
}
