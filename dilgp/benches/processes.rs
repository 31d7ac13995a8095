//! What a fit and a prediction of a Gaussian process cost: `cargo bench -p dilgp`.
//!
//! `oracle/speed.py` measures scikit-learn on the same data; `oracle/speed.md` keeps both.

use dilgp::process::{FittedProcess, Process};
use dilgp::{Dataset, Model, NAMES, Surrogate, by_name};
use divan::Bencher;
use nalgebra::{DMatrix, DVector};

fn main() {
    divan::main();
}

/// n points of six coordinates and a smooth response with a little noise.
fn responding(x: DMatrix<f64>) -> Dataset {
    let y = DVector::from_fn(x.nrows(), |i, _| {
        let row = x.row(i);
        (2.0 * row[0]).sin() + row[1] * row[2] - 0.5 * row[3] + 0.05 * (3.7 * i as f64).cos()
    });
    Dataset::new(x, y).expect("sines are finite")
}

fn sample(n: usize) -> Dataset {
    let x = |i, j| (((31 * i + 7 * j + 3) as f64) * 0.517).sin();
    responding(DMatrix::from_fn(n, 6, x))
}

/// The same response at points that fill the cube (a Kronecker sequence).
fn spread(n: usize) -> Dataset {
    let roots = [2.0_f64, 3.0, 5.0, 7.0, 11.0, 13.0].map(f64::sqrt);
    let x = |i, j: usize| 2.0 * ((i + 1) as f64 * roots[j]).fract() - 1.0;
    responding(DMatrix::from_fn(n, 6, x))
}

/// The squared-exponential process with a length for each input, from one start.
fn process() -> Process {
    Process {
        seeded_starts: 0,
        ..Process::rbf()
    }
}

fn surrogate(name: &str) -> Box<dyn Surrogate> {
    by_name(name).expect("a known name")
}

fn fitted(name: &str, n: usize) -> Box<dyn Model> {
    surrogate(name).fit(&sample(n), 1).expect("smooth data")
}

fn conditioned(n: usize) -> FittedProcess {
    let small = process()
        .train(&spread(n.min(200)), 1)
        .expect("smooth data");
    let model = process().condition(&spread(n), small.eta());
    model.expect("smooth data")
}

/// One start at the priors' centres, L-BFGS to convergence.
#[divan::bench(args = [100, 500, 1000, 2000], sample_count = 3, sample_size = 1)]
fn ard_fit_cold(bencher: Bencher, n: usize) {
    let data = spread(n);
    bencher.bench(|| process().train(&data, 1));
}

/// From the optimum for the first nine tenths of the points, L-BFGS to convergence.
#[divan::bench(args = [100, 500, 1000, 2000], sample_count = 3, sample_size = 1)]
fn ard_fit_warm(bencher: Bencher, n: usize) {
    let data = spread(n);
    let before = process()
        .train(&spread(n * 9 / 10), 1)
        .expect("smooth data");
    bencher.bench(|| process().fit_from(&data, before.eta(), false, 1));
}

/// One likelihood with its gradient.
#[divan::bench(args = [100, 500, 1000, 2000], sample_count = 5, sample_size = 1)]
fn ard_objective(bencher: Bencher, n: usize) {
    let data = spread(n);
    let eta = conditioned(100).eta().to_vec();
    bencher.bench(|| process().objective(&data, &eta));
}

/// Mean and deviation of 1,000 points at once.
#[divan::bench(args = [100, 500, 1000, 2000], sample_count = 20, sample_size = 1)]
fn ard_predict_1000(bencher: Bencher, n: usize) {
    let model = conditioned(n);
    let x = spread(1000).x().map(|x| 0.9 * x);
    bencher.bench(|| model.predict(&x));
}

/// Mean, deviation and both gradients at one point.
#[divan::bench(args = [100, 500, 1000, 2000], sample_count = 50, sample_size = 10)]
fn ard_slope(bencher: Bencher, n: usize) {
    let model = conditioned(n);
    bencher.bench(|| model.slope(&[0.1, 0.2, -0.3, 0.4, -0.5, 0.6]));
}

/// One more point, hyper-parameters kept.
#[divan::bench(args = [100, 500, 1000, 2000], sample_count = 20, sample_size = 1)]
fn ard_append(bencher: Bencher, n: usize) {
    let model = conditioned(n);
    bencher.bench(|| model.append(&[0.1, 0.2, -0.3, 0.4, -0.5, 0.6], 0.7));
}

/// Each surrogate with its default settings on 100 points, as in tuning.
#[divan::bench(args = NAMES, sample_count = 5, sample_size = 1)]
fn fit(bencher: Bencher, name: &str) {
    let (surrogate, data) = (surrogate(name), sample(100));
    bencher.bench(|| surrogate.fit(&data, 1));
}

/// The isotropic process: 1,000 points at once.
#[divan::bench(args = [100, 1000], sample_count = 10, sample_size = 1)]
fn predict_1000(bencher: Bencher, n: usize) {
    let model = fitted("gp", n);
    let x = sample(1000).x().map(|x| 0.9 * x);
    bencher.bench(|| model.predict(&x));
}
