//! `bo bench` and `bo regret`: the optimiser on functions with known optima, and its regret against
//! Theorem 2's bound.

use crate::args::{BenchArgs, RegretArgs};
use crate::command::claim;
use bo::Error;
use bo::comparison::benchmark::Problem;
use bo::comparison::benchmark::race::heat;
use bo::comparison::benchmark::report::{Report, table};
use bo::comparison::regret::{Outcome, Trial};
use bo::run::disk::record::to_json;
use bo::table::{Side, Table};
use plots::{RegretCurve, RegretPicture};
use serde::Serialize;
use shell::Failure;
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
    writeln!(out, "{name} {noise} {optimum} {bounds}").map_err(Failure::output)?;
    for line in stdin().lock().lines().map_while(Result::ok) {
        let numbers: Result<Vec<f64>, _> = line.split_whitespace().map(str::parse).collect();
        let x = numbers.unwrap_or_default();
        problem.space.unit(&x)?;
        writeln!(out, "{}", (problem.value)(&x)).map_err(Failure::output)?;
        out.flush().map_err(Failure::output)?;
    }
    Ok(String::new())
}

/// What is written down.
#[derive(Debug, Serialize)]
struct Record<'a> {
    schema: &'static str,
    trial: Trial,
    outcomes: &'a [Outcome],
}

/// What `--format json` prints: what is written down, and where.
#[derive(Debug, Serialize)]
struct Printed<'a> {
    #[serde(flatten)]
    record: Record<'a>,
    folder: String,
}

/// Measures, writes and returns the table.
///
/// # Errors
/// A flag out of range, or a folder that cannot be written.
pub fn regret(args: &RegretArgs) -> Result<String, Error> {
    let trial = args.trial()?;
    let folder = claim(args.out.as_ref(), "regret")?;
    super::start_threads(args.threads.count())?;
    let progress = Progress::new(args.seeds, "functions");
    let outcomes = trial.run(args.seed, args.seeds, &|| progress.advance(1, ""));
    progress.doing("drawing");
    let curves: Vec<RegretCurve> = outcomes
        .iter()
        .map(|outcome| RegretCurve {
            regret: &outcome.cumulative,
            bound: &outcome.bound,
        })
        .collect();
    let title = format!(
        "GP-UCB with the schedule of Theorem 2 on {} functions of norm {}",
        outcomes.len(),
        trial.norm
    );
    let stem = folder.path().join("regret");
    plots::draw(
        &RegretPicture {
            title: &title,
            curves: &curves,
        },
        &stem,
    )
    .map_err(|source| Error::Draw { stem, source })?;
    progress.finish();
    let text = regret_table(&trial, &outcomes);
    folder.write("table.txt", &text)?;
    let record = Record {
        schema: "windhover-regret/1",
        trial,
        outcomes: &outcomes,
    };
    folder.write("regret.json", &to_json("regret", &record)?)?;
    if args.output.is_json() {
        let folder = folder.path().display().to_string();
        return to_json("regret", &Printed { record, folder });
    }
    let files = "regret.json, table.txt, regret.png and .svg";
    Ok(format!(
        "{text}\nWritten to {}: {files}\n",
        folder.path().display()
    ))
}

fn regret_table(trial: &Trial, outcomes: &[Outcome]) -> String {
    let doubled = std::iter::successors(Some(10), |at| Some(2 * at));
    let mut at: Vec<usize> = doubled.take_while(|at| *at <= trial.evaluations).collect();
    if at.last() != Some(&trial.evaluations) {
        at.push(trial.evaluations);
    }
    let titles = [
        "T",
        "R_T",
        "largest R_T",
        "R_T / T",
        "gain",
        "bound",
        "R_T > bound",
    ];
    let table = Table::new(titles.map(|title| (title, Side::Right)));
    format!(
        "Functions of norm {} for a Matern-5/2 kernel of amplitude 1 and length {} on {} points of \
         the {}-dimensional cube;\nnoise {}, delta {}; mean over {} functions.\n\n{}",
        trial.norm,
        trial.length,
        trial.points,
        trial.dimensions,
        trial.noise,
        trial.delta,
        outcomes.len(),
        table
            .with(at.into_iter().map(|at| regret_row(outcomes, at)))
            .text(0),
    )
}

fn regret_row(outcomes: &[Outcome], at: usize) -> Vec<String> {
    let mean = |value: &dyn Fn(&Outcome) -> f64| {
        outcomes.iter().map(value).sum::<f64>() / outcomes.len() as f64
    };
    let regret = mean(&|o| o.cumulative[at - 1]);
    let largest = outcomes
        .iter()
        .map(|o| o.cumulative[at - 1])
        .fold(0.0, f64::max);
    let above = outcomes
        .iter()
        .filter(|o| o.cumulative[at - 1] > o.bound[at - 1])
        .count();
    vec![
        at.to_string(),
        format!("{regret:.2}"),
        format!("{largest:.2}"),
        format!("{:.3}", regret / at as f64),
        format!("{:.1}", mean(&|o| o.gain[at - 1])),
        format!("{:.1}", mean(&|o| o.bound[at - 1])),
        above.to_string(),
    ]
}
