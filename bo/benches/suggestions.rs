//! What a suggestion costs once n observations are told: `cargo bench -p bo`.
//!
//! Six parameters, noise inferred. Each sample tells one observation and asks once, as in a run:
//! of five suggestions one refits the hyper-parameters and four extend the Cholesky factor. The
//! median is therefore that of an extension, the mean carries the refits' share.

use bo::engine::{Optimiser, Parameter, Range, Settings, Space};
use divan::Bencher;

fn main() {
    divan::main();
}

fn value(x: &[f64]) -> f64 {
    let wave: f64 = x
        .iter()
        .enumerate()
        .map(|(k, x)| ((k as f64 + 1.0) * x).sin())
        .sum();
    wave + x.iter().map(|x| (x - 0.4) * (x - 0.4)).sum::<f64>()
}

fn told(n: usize) -> Optimiser {
    let parameters = (0..6).map(|k| {
        let range = Range::Real {
            low: 0.0,
            high: 1.0,
            log: false,
        };
        Parameter::new(format!("x{k}"), range).expect("legal")
    });
    let space = Space::new(parameters.collect()).expect("legal");
    let mut optimiser = Optimiser::new(space, Settings::noisy(1)).expect("legal");
    for x in bo::sobol::points(6, 0, n, 9) {
        optimiser.tell(&x, value(&x)).expect("inside");
    }
    optimiser
}

#[divan::bench(args = [100, 500, 1000], sample_count = 15, sample_size = 1)]
fn suggestion(bencher: Bencher, n: usize) {
    let mut optimiser = told(n);
    let first = optimiser.ask().x;
    optimiser.tell(&first, value(&first)).expect("inside");
    bencher.bench_local(|| {
        let x = optimiser.ask().x;
        optimiser.tell(&x, value(&x)).expect("inside");
    });
}
