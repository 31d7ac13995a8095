//! What a suggestion costs once n observations are told: `cargo bench -p bo --bench suggestions`, by
//! other surrogates than `matern` with their names behind it (`-- auto gp-level-set`).
//!
//! Six parameters, noise inferred, on all cores, as `bo serve` asks. Each step asks once and tells the answer, as in a run: beyond
//! sixty observations one step of a cycle refits the hyper-parameters and the others extend the
//! Cholesky factor, which is far quicker. Whole cycles are therefore timed, and the mean over a
//! cycle is printed with the greatest of its steps; a median would hide the refit. The first
//! question after all was told at once fits from a cold start.

use dilgp::threads::on_all_cores;
use search::{Learner, Optimiser, Parameter, Range, Settings, Space, Span};
use std::collections::VecDeque;
use std::time::Instant;

/// Cycles timed for each number of observations.
const CYCLES: usize = 5;

fn main() {
    println!("{}", processor());
    let named = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with('-'));
    let mut named: Vec<String> = named.collect();
    if named.is_empty() {
        named.push(Settings::noisy(1).surrogate);
    }
    for surrogate in named {
        timed(&Settings {
            surrogate,
            ..Settings::noisy(1)
        });
    }
}

/// Prints what suggestions by `settings` cost.
fn timed(settings: &Settings) {
    let learner = Learner::by_name(settings.learns_with(), true).expect("a name of the list");
    let rule = settings.searches_by(&learner).name();
    println!(
        "one suggestion [ms] by {}, {rule}, {CYCLES} cycles",
        settings.surrogate
    );
    println!("observations   under way   steps   mean of a cycle   greatest   least   first, cold");
    for (n, pending) in [(100, 0), (500, 0), (1000, 0), (500, 64)] {
        let mut optimiser = told(n, settings);
        let mut under_way = VecDeque::new();
        let cold = step(&mut optimiser, &mut under_way, pending);
        while under_way.len() < pending {
            step(&mut optimiser, &mut under_way, pending);
        }
        let cycle = learner.refit_cycle(n);
        let steps: Vec<f64> = (0..CYCLES * cycle)
            .map(|_| step(&mut optimiser, &mut under_way, pending))
            .collect();
        let mean = steps.iter().sum::<f64>() / steps.len() as f64;
        let greatest = steps.iter().copied().fold(0.0, f64::max);
        let least = steps.iter().copied().fold(f64::INFINITY, f64::min);
        println!(
            "{n:>12} {pending:>11} {cycle:>7} {mean:>17.1} {greatest:>10.1} {least:>7.1} {cold:>13.1}"
        );
    }
}

/// Asks once, and tells what was asked for first where more than `pending` are under way; the time of
/// the question [ms].
fn step(optimiser: &mut Optimiser, under_way: &mut VecDeque<Vec<f64>>, pending: usize) -> f64 {
    let started = Instant::now();
    let x = on_all_cores(|| optimiser.ask().x);
    let taken = started.elapsed();
    under_way.push_back(x);
    if under_way.len() > pending
        && let Some(x) = under_way.pop_front()
    {
        optimiser.tell_at(&x, value(&x)).expect("inside");
    }
    1e3 * taken.as_secs_f64()
}

/// The processor's name, where the system tells it.
fn processor() -> String {
    let told = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = told
        .lines()
        .find_map(|line| line.strip_prefix("model name"));
    let name = name.map(|name| name.trim_start_matches([' ', '\t', ':']));
    name.unwrap_or("unknown processor").to_owned()
}

fn value(x: &[f64]) -> f64 {
    let wave: f64 = x
        .iter()
        .enumerate()
        .map(|(k, x)| ((k as f64 + 1.0) * x).sin())
        .sum();
    wave + x.iter().map(|x| (x - 0.4) * (x - 0.4)).sum::<f64>()
}

fn told(n: usize, settings: &Settings) -> Optimiser {
    let parameters = (0..6).map(|k| {
        let range = Range::Real(Span::linear(0.0, 1.0));
        Parameter::new(format!("x{k}"), range).expect("legal")
    });
    let space = Space::new(parameters.collect()).expect("legal");
    let mut optimiser = Optimiser::new(space, settings.clone()).expect("legal");
    for x in search::maximise::points::sobol(6, 0, n, 9) {
        optimiser.tell_at(&x, value(&x)).expect("inside");
    }
    optimiser
}
