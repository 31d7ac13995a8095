//! `bo bench`: the optimiser on functions with known optima.

use crate::args::BenchArgs;
use bo::Error;
use bo::measure::benchmark::race::heat;
use bo::measure::benchmark::report::{Report, table};
use bo::run::record::to_json;

/// Runs the problems and returns the table, or with `--format json` the record.
///
/// # Errors
/// A flag out of range, or a surrogate that the optimiser refuses.
pub fn bench(args: &BenchArgs) -> Result<String, Error> {
    let (course, settings) = args.course()?;
    let heats = args
        .problems()?
        .iter()
        .map(|problem| heat(problem, &course, &settings).map_err(Error::from))
        .collect::<Result<Vec<_>, Error>>()?;
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
