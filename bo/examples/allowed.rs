//! Allowed: how near tuning within a limit of the phase margin comes to the best gains that keep it.
//!
//! `cargo run -p bo --example allowed [SEEDS [FLIGHTS [FIRST [VEHICLE LIMIT]...]]]`: for each vehicle (omac and
//! hummingbird, 35 and 45, or those given: a name or an airframe file, with `+cascade` where the gains of all loops are
//! tuned), limit and trajectory,
//! CMA-ES flies FLIGHTS (5000) allowed gains, four winds a point; then `bo tune`'s study is tuned with SEEDS
//! (10) seeds from FIRST (901) on. A line each: the vehicle, the limit [deg], the trajectory, the held-out
//! error of CMA-ES [m], that of every seed as a multiple, and how many flown or recommended gains broke the limit.

use bo::Error;
use bo::flights::held_out::test;
use bo::flights::problem::Problem;
use bo::interrupt::Interrupt;
use bo::run::bayesian::Bayesian;
use bo::run::tune::{NoObserver, tune};
use bo::study::Config;
use rayon::prelude::*;
use search::cma_es::{CmaEs, usual_population};
use sim::{ACE_CAP_M, Flight, Gains};
use std::path::Path;

/// Vehicle, least phase margin [deg].
const PROBLEMS: [(&str, f64); 4] = [
    ("omac", 35.0),
    ("omac", 45.0),
    ("hummingbird", 35.0),
    ("hummingbird", 45.0),
];

/// Winds of a domain in which the gains of one generation are flown.
const WINDS: u64 = 2;

/// Winds of a domain among which the last of them are told apart.
const LAST_WINDS: u64 = 32;

/// How many these are.
const LAST: usize = 40;

/// Winds of a domain in which gains are judged.
const HELD_OUT: u64 = 100;

/// Where the winds of CMA-ES begin, beyond those of every test.
const OWN: u64 = 1_000_000;

fn config(vehicle: &str, limit: f64, trajectory: &str, seed: u64) -> Result<Config, Error> {
    let (vehicle, tuned) = match vehicle.strip_suffix("+cascade") {
        Some(vehicle) => (vehicle, "[gains]\ntune = \"cascade\"\n"),
        None => (vehicle, ""),
    };
    let text = format!(
        "trajectory = \"{trajectory}\"\nairframe = \"{vehicle}\"\nseed = {seed}\n\
         [limits]\nmargins = \"stated\"\nphase_margin_deg = {limit}\n{tuned}"
    );
    Config::from_toml(&text, Path::new("allowed.toml"))
}

/// The mean over `problem`'s shares of domains of what each makes.
fn shared(problem: &Problem, of: impl Fn(usize) -> f64) -> f64 {
    let shares = problem.tuning.shares.iter().enumerate();
    shares.map(|(domain, share)| share * of(domain)).sum()
}

/// The mean cost of the gains at `x` in winds of CMA-ES' own.
fn cost_m(problem: &Problem, x: &[f64], winds: std::ops::Range<u64>) -> f64 {
    let gains = problem.space.gains_at(x);
    shared(problem, |domain| {
        let seed = |wind| problem.tuning.held_out_weather(domain, OWN + wind).seed;
        let seeds: Vec<u64> = winds.clone().map(seed).collect();
        let flown = problem.tuning.fly_batch(&[gains], domain, &seeds);
        let costs: Vec<f64> = flown.iter().flatten().map(Flight::cost_m).collect();
        costs.iter().sum::<f64>() / costs.len() as f64
    })
}

/// The mean cost of `gains` in the held-out winds.
fn judged_m(problem: &Problem, gains: &Gains) -> f64 {
    let tests = test(&problem.tuning, gains, HELD_OUT, &Interrupt::default());
    let tests = tests.expect("not interrupted");
    shared(problem, |domain| tests[domain].mean_m)
}

/// The best allowed gains that CMA-ES finds with `flights`.
fn best_of_cma_es(problem: &Problem, flights: u64) -> Gains {
    let margins = problem.margins.as_ref().expect("a limit");
    let dimensions = problem.space.dimensions();
    let population = usual_population(dimensions).max(8);
    let mut search = CmaEs::new(&problem.baseline(), 0.25, population, 77);
    let (mut flown, mut generation) = (0, 0);
    let mut allowed: Vec<Vec<f64>> = Vec::new();
    while flown < flights {
        let winds = generation * WINDS..(generation + 1) * WINDS;
        let cost = |x: Vec<f64>| {
            let slack = margins.slack_at(&x);
            let cost = match slack < 0.0 {
                // The worse the farther outside, and worse than any flight.
                true => 2.0 * ACE_CAP_M - slack,
                false => cost_m(problem, &x, winds.clone()),
            };
            (x, cost)
        };
        let costs: Vec<(Vec<f64>, f64)> = search.ask().into_par_iter().map(cost).collect();
        let inside = costs.iter().filter(|(_, cost)| *cost <= ACE_CAP_M);
        let inside: Vec<Vec<f64>> = inside.map(|(x, _)| x.clone()).collect();
        flown += inside.len() as u64 * WINDS * problem.tuning.domains.len() as u64;
        allowed.extend(inside);
        search.tell(&costs);
        generation += 1;
    }
    let last = allowed.into_par_iter().rev().take(LAST);
    let last = last.map(|x| (cost_m(problem, &x, OWN..OWN + LAST_WINDS), x));
    let best = last.min_by(|a, b| a.0.total_cmp(&b.0)).expect("some flew");
    problem.space.gains_at(&best.1)
}

/// The recommended gains of a study, and how many of those and of the flown ones break its limit.
fn tuned(config: &Config) -> Result<(Gains, usize), Error> {
    let problem = config.problem()?;
    let mut searcher = Bayesian::new(&problem, &config.settings)?;
    let keep = &mut |_: &_| Ok(());
    let budget = config.settings.budget();
    let made = tune(
        &problem,
        &mut searcher,
        budget,
        Vec::new(),
        keep,
        &mut NoObserver,
    )?;
    searcher.learn(&made.evaluations)?;
    let [recommended, _] = searcher.recommend()?;
    let margins = problem.margins.as_ref().expect("a limit");
    let flown = made.evaluations.iter().map(|made| &made.x);
    let all = flown.chain([&recommended.x]);
    let broken = all.filter(|x| margins.violation_at(x).is_some()).count();
    Ok((problem.space.gains_at(&recommended.x), broken))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let number = |place: usize, usual: u64| given.get(place).map_or(Ok(usual), |word| word.parse());
    let (seeds, flights, first) = (number(0, 10)?, number(1, 5000)?, number(2, 901)?);
    let pair = |pair: &[String]| pair[1].parse().map(|limit| (pair[0].clone(), limit));
    let pairs = given.get(3..).unwrap_or_default().chunks_exact(2);
    let mut problems: Vec<(String, f64)> = pairs.map(pair).collect::<Result<_, _>>()?;
    if problems.is_empty() {
        problems.extend(PROBLEMS.map(|(vehicle, limit)| (vehicle.to_owned(), limit)));
    }
    for (vehicle, limit) in &problems {
        let limit = *limit;
        for trajectory in ["hover", "fig8"] {
            let problem = config(vehicle, limit, trajectory, first)?.problem()?;
            let best_m = judged_m(&problem, &best_of_cma_es(&problem, flights));
            let seed = |seed: u64| -> Result<(f64, usize), Error> {
                let (gains, broken) = tuned(&config(vehicle, limit, trajectory, seed)?)?;
                Ok((judged_m(&problem, &gains) / best_m, broken))
            };
            let all: Vec<_> = (first..first + seeds).into_par_iter().map(seed).collect();
            let all: Vec<(f64, usize)> = all.into_iter().collect::<Result<_, _>>()?;
            let ratios: Vec<String> = all.iter().map(|(ratio, _)| format!("{ratio:.2}")).collect();
            let broken: usize = all.iter().map(|(_, broken)| broken).sum();
            println!(
                "{vehicle} {limit} {trajectory}: {best_m:.4} m, {}, {broken} broken",
                ratios.join(" ")
            );
        }
    }
    Ok(())
}
