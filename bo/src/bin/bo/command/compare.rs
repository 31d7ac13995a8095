//! `bo compare`: several methods, several seeds, the same winds.

use crate::args::{CompareArgs, OutputArgs};
use bo::Error;
use bo::comparison::{Cells, Plan, Protocol, Shelf, Summary, draw, fly, honest_table, paper_table};
use bo::interrupt::Interrupt;
use bo::run::disk::record::to_json;
use bo::run::settings::Settings;
use bo::terminal;
use serde::Serialize;
use shell::progress::Progress;
use std::fmt::Write;
use std::time::Instant;

/// What a comparison writes down beside its cells.
#[derive(Debug, Serialize)]
struct Comparison<'a> {
    schema: &'static str,
    #[serde(flatten)]
    summary: &'a Summary,
}

/// What `--format json` prints: what is written down, and what this process did for it.
#[derive(Debug, Serialize)]
struct Printed<'a> {
    #[serde(flatten)]
    comparison: &'a Comparison<'a>,
    folder: String,
    cells: usize,
    /// Cells that an earlier process had finished.
    kept: usize,
    seconds: f64,
}

/// Compares, writes and returns the closing lines.
///
/// # Errors
/// See [`Error`].
pub fn compare(args: &CompareArgs, interrupt: &Interrupt) -> Result<String, Error> {
    let plan = args.plan()?;
    let threads = args.threads.count();
    let named = match plan.trajectories[..] {
        [one] => one,
        _ => "all",
    };
    let automatic = format!("compare-{named}");
    let shelf = Shelf::open(args.out.as_deref(), &automatic, &plan.budget)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|source| Error::Threads { threads, source })?;
    pool.install(|| carry_out(&plan, &shelf, interrupt, args.output))
}

fn carry_out(
    plan: &Plan,
    shelf: &Shelf,
    interrupt: &Interrupt,
    output: OutputArgs,
) -> Result<String, Error> {
    for trajectory in &plan.trajectories {
        let settings = Settings::of_paper(trajectory, "gp", plan.seeds[0])?;
        let problem = settings.problem_of(plan.budget.airframe.clone())?;
        problem
            .concerns()
            .iter()
            .for_each(|said| terminal::warn(said));
    }
    let started = Instant::now();
    let Cells { finished, kept } = fly(plan, shelf, interrupt)?;
    let flown_s = started.elapsed().as_secs_f64();
    let domains = domain_names(plan)?;
    let summary = Summary::of(plan, &finished, &domains);
    let winds = plan.budget.held_out_winds;
    let text = match plan.protocol {
        Protocol::Paper => paper_table(&summary, winds),
        Protocol::Honest => honest_table(&summary, winds),
    };
    shelf.write("table.md", &text)?;
    let comparison = Comparison {
        schema: "windhover-compare/2",
        summary: &summary,
    };
    shelf.write("compare.json", &to_json("comparison", &comparison)?)?;
    let progress = Progress::uncounted("drawing");
    let pictures = draw(plan, &finished, &summary, shelf.path())?;
    progress.finish();
    if output.is_json() {
        let printed = Printed {
            comparison: &comparison,
            folder: shelf.path().display().to_string(),
            cells: plan.cells().len(),
            kept,
            seconds: started.elapsed().as_secs_f64(),
        };
        return to_json("comparison", &printed);
    }
    let mut closing = text;
    let _ = writeln!(
        closing,
        "\n{} cells, {kept} of them from an earlier run. Time {:.1} s: flights and fits {flown_s:.1}, tables and \
         pictures {:.1}.\nWritten to {}: table.md, compare.json, cells/, {} (.png and .svg)",
        plan.cells().len(),
        started.elapsed().as_secs_f64(),
        started.elapsed().as_secs_f64() - flown_s,
        shelf.path().display(),
        pictures.join(", ")
    );
    Ok(closing)
}

/// The domains of the held-out winds.
fn domain_names(plan: &Plan) -> Result<Vec<String>, Error> {
    let settings = Settings::of_paper(plan.trajectories[0], "gp", 0)?;
    let domains = settings.problem()?.tuning.domains;
    Ok(domains.into_iter().map(|domain| domain.name).collect())
}
