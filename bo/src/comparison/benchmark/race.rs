//! Race: the optimiser and random search on one problem, from the same initial design.

use super::Problem;
use crate::streams::Stream;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};
use rayon::prelude::*;
use search::streams::Search;
use search::{Optimiser, Origin, Refusal, Settings};
use serde::Serialize;
use std::collections::VecDeque;
use std::time::Instant;

/// What a race is.
#[derive(Debug, Clone, Serialize)]
pub struct Course {
    /// First seed.
    pub first_seed: u64,
    /// Seeds.
    pub seeds: u64,
    /// Evaluations of a run, the initial design's among them.
    pub evaluations: usize,
    /// Points of the initial design.
    pub initial: usize,
    /// The optimiser's surrogate.
    pub surrogate: String,
    /// The optimiser's acquisition.
    pub acquisition: &'static str,
    /// Evaluations under way at once: whenever the oldest is observed, another is
    /// asked for.
    pub workers: usize,
}

/// One run of the optimiser.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Run {
    /// Its seed.
    pub seed: u64,
    /// Noise-free value of the recommended point above the optimum; none where nothing finished.
    pub regret: Option<f64>,
    /// The same of random search: the initial design and uniform points, best observed.
    pub random: Option<f64>,
    /// Evaluations that crashed.
    pub crashed: usize,
    /// Evaluations that the design gave because the surrogate failed.
    pub fallbacks: usize,
}

/// One problem's runs.
#[derive(Debug, Clone, Serialize)]
pub struct Heat {
    /// The problem.
    pub problem: String,
    /// Standard deviation of the noise.
    pub noise: f64,
    /// One run a seed, in order.
    pub runs: Vec<Run>,
    /// Wall-clock time of all of them \[s\]; left out of the record, which does not depend on the
    /// machine.
    #[serde(skip)]
    pub seconds: f64,
}

/// Runs `problem` over all seeds, on all cores; the result does not depend on their number. `ran`
/// hears of each run that is done.
///
/// # Errors
/// Settings that the optimiser refuses.
pub fn heat(
    problem: &Problem,
    course: &Course,
    settings: &Settings,
    ran: &(dyn Fn() + Sync),
) -> Result<Heat, Refusal> {
    let started = Instant::now();
    let seeds = course.first_seed..course.first_seed + course.seeds;
    let runs: Result<Vec<Run>, Refusal> = seeds
        .into_par_iter()
        .map(|seed| {
            let run = run(problem, course, settings, seed);
            ran();
            run
        })
        .collect();
    Ok(Heat {
        problem: problem.name.clone(),
        noise: problem.noise,
        runs: runs?,
        seconds: started.elapsed().as_secs_f64(),
    })
}

fn run(problem: &Problem, course: &Course, settings: &Settings, seed: u64) -> Result<Run, Refusal> {
    let settings = Settings {
        noisy: problem.noise > 0.0,
        initial: course.initial,
        budget: Some(course.evaluations),
        seed,
        ..settings.clone()
    };
    let mut optimiser = Optimiser::new(problem.space.clone(), settings)?;
    let mut noise = ChaCha8Rng::seed_from_u64(Search::Noise.of(seed));
    let mut observe = |x: &[f64]| {
        let z: f64 = StandardNormal.sample(&mut noise);
        (problem.value)(x) + problem.noise * z
    };
    let mut design = Vec::new();
    let mut fallbacks = 0;
    let mut under_way = VecDeque::new();
    for told in 0..course.evaluations {
        let wanted = course.workers.min(course.evaluations - told);
        while under_way.len() < wanted {
            under_way.push_back(optimiser.ask());
        }
        let Some(suggestion) = under_way.pop_front() else {
            break;
        };
        let value = observe(&suggestion.x);
        match suggestion.origin {
            Origin::Initial => design.push((suggestion.x.clone(), value)),
            Origin::Fallback { .. } => fallbacks += 1,
            _ => {}
        }
        optimiser.tell(suggestion.id, value)?;
    }
    let regret = |x: &[f64]| (problem.value)(x) - problem.optimum;
    let recommended = optimiser.recommend().ok();
    let random = random_best(problem, course, design, seed);
    Ok(Run {
        seed,
        regret: recommended.map(|x| regret(&x)),
        random: random.map(|x| regret(&x)),
        crashed: optimiser.seen().crashed(),
        fallbacks,
    })
}

/// The best observed of the design and of uniform points, as many as the optimiser may evaluate.
fn random_best(
    problem: &Problem,
    course: &Course,
    mut seen: Vec<(Vec<f64>, f64)>,
    seed: u64,
) -> Option<Vec<f64>> {
    let mut random = ChaCha8Rng::seed_from_u64(Search::Random.of(seed));
    while seen.len() < course.evaluations {
        let unit: Vec<f64> = (0..problem.space.dimensions())
            .map(|_| rand_distr::StandardUniform.sample(&mut random))
            .collect();
        let x = problem.space.natural(&unit);
        let z: f64 = StandardNormal.sample(&mut random);
        let value = (problem.value)(&x) + problem.noise * z;
        seen.push((x, value));
    }
    let finished = seen.into_iter().filter(|(_, value)| value.is_finite());
    finished.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(x, _)| x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comparison::benchmark::by_name;

    fn course(evaluations: usize) -> Course {
        Course {
            first_seed: 40,
            seeds: 4,
            evaluations,
            initial: 8,
            surrogate: "matern".to_owned(),
            acquisition: "log-ei",
            workers: 1,
        }
    }

    #[test]
    fn a_heat_does_not_depend_on_the_number_of_threads() {
        let problem = by_name("pid6").expect("known");
        let on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            pool.expect("threads").install(|| {
                heat(&problem, &course(14), &Settings::noisy(0), &|| ())
                    .expect("legal")
                    .runs
            })
        };
        assert_eq!(on(1), on(2));
    }

    #[test]
    fn thirty_evaluations_of_branin_get_closer_than_random_on_each_seed() {
        let problem = by_name("branin2").expect("known");
        let heat = heat(&problem, &course(30), &Settings::noisy(0), &|| ()).expect("legal");
        for run in heat.runs {
            let (ours, random) = (run.regret.expect("finishes"), run.random.expect("finishes"));
            assert!(ours < 1e-3 && ours < random, "{ours} {random}");
            assert_eq!(run.fallbacks, 0);
        }
    }
}
