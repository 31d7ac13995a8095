//! What a fit and a prediction of a Gaussian process cost: `cargo bench -p dilgp`.

use dilgp::{Dataset, Model, Surrogate, by_name};
use divan::Bencher;
use nalgebra::{DMatrix, DVector};

fn main() {
    divan::main();
}

/// n points of six coordinates and a smooth response with a little noise.
fn sample(n: usize) -> Dataset {
    let x = DMatrix::from_fn(n, 6, |i, j| (((31 * i + 7 * j + 3) as f64) * 0.517).sin());
    let y = DVector::from_fn(n, |i, _| {
        let row = x.row(i);
        (2.0 * row[0]).sin() + row[1] * row[2] - 0.5 * row[3] + 0.05 * (3.7 * i as f64).cos()
    });
    Dataset::new(x, y).expect("sines are finite")
}

fn surrogate(name: &str) -> Box<dyn Surrogate> {
    by_name(name).expect("a known name")
}

fn fitted(name: &str, n: usize) -> Box<dyn Model> {
    surrogate(name).fit(&sample(n), 1).expect("smooth data")
}

/// Three starts of L-BFGS to convergence.
#[divan::bench(args = [100, 500], sample_count = 5, sample_size = 1)]
fn fit_gp(bencher: Bencher, n: usize) {
    let (surrogate, data) = (surrogate("gp"), sample(n));
    bencher.bench(|| surrogate.fit(&data, 1));
}

#[divan::bench(args = [100], sample_count = 5, sample_size = 1)]
fn fit_dil_gp(bencher: Bencher, n: usize) {
    let (surrogate, data) = (surrogate("dil-gp"), sample(n));
    bencher.bench(|| surrogate.fit(&data, 1));
}

/// 1,000 points at once.
#[divan::bench(args = [100, 1000], sample_count = 10, sample_size = 1)]
fn predict_1000(bencher: Bencher, n: usize) {
    let model = fitted("gp", n);
    let x = sample(1000).x().map(|x| 0.9 * x);
    bencher.bench(|| model.predict(&x));
}
