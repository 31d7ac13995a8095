//! `bo bench`: the optimiser on functions with known optima.

use crate::args::BenchArgs;
use bo::Error;
use bo::comparison::measure::benchmark::Problem;
use bo::comparison::measure::benchmark::race::heat;
use bo::comparison::measure::benchmark::report::{Report, table};
use bo::run::disk::record::to_json;
use shell::progress::Progress;
use std::io::{BufRead, Write, stdin, stdout};

/// Runs the problems and returns the table, or with `--format json` the record.
///
/// # Errors
/// A flag out of range, or a surrogate that the optimiser refuses.
pub fn bench(args: &BenchArgs) -> Result<String, Error> {
    let (course, settings) = args.course()?;
    if let Some(problem) = args.problem_of_values()? {
        return answer(&problem, &mut stdout().lock());
    }
    let problems = args.problems()?;
    super::start_threads(args.threads.count())?;
    let progress = Progress::new(course.seeds * problems.len() as u64, "runs");
    let ran = |problem: &Problem| {
        heat(problem, &course, &settings, &|| {
            progress.advance(1, &problem.name)
        })
    };
    let heats: Result<Vec<_>, _> = problems.iter().map(ran).collect();
    progress.finish();
    let heats = heats?;
    if !args.output.is_json() {
        return Ok(table(&course, &heats));
    }
    let report = Report {
        schema: "windhover-bench/1",
        course: &course,
        heats: &heats,
    };
    to_json("benchmark", &report)
}

/// Answers points from standard input with the problem's values there, until that ends.
fn answer(problem: &Problem, out: &mut impl Write) -> Result<String, Error> {
    let bounds = problem.space.parameters().iter().map(|parameter| {
        let span = parameter.range().span();
        format!("{} {}", span.low, span.high)
    });
    let bounds = bounds.collect::<Vec<String>>().join(" ");
    let (name, noise, optimum) = (&problem.name, problem.noise, problem.optimum);
    writeln!(out, "{name} {noise} {optimum} {bounds}").map_err(Error::Output)?;
    for line in stdin().lock().lines().map_while(Result::ok) {
        let numbers: Result<Vec<f64>, _> = line.split_whitespace().map(str::parse).collect();
        let x = numbers.unwrap_or_default();
        problem.space.unit(&x)?;
        writeln!(out, "{}", (problem.value)(&x)).map_err(Error::Output)?;
        out.flush().map_err(Error::Output)?;
    }
    Ok(String::new())
}
