//! `bo bench`: the optimiser on functions with known optima.

use crate::args::BenchArgs;
use bo::Error;
use bo::comparison::measure::benchmark::Problem;
use bo::comparison::measure::benchmark::race::heat;
use bo::comparison::measure::benchmark::report::{Report, table};
use bo::run::disk::record::to_json;
use shell::progress::Progress;

/// Runs the problems and returns the table, or with `--format json` the record.
///
/// # Errors
/// A flag out of range, or a surrogate that the optimiser refuses.
pub fn bench(args: &BenchArgs) -> Result<String, Error> {
    let (course, settings) = args.course()?;
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
