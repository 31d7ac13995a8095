//! `bo compare`: several methods, several seeds, the same winds, on one machine or on many.

use crate::args::{Cli, CompareArgs};
use bo::Error;
use bo::comparison::{
    Cell, Finished, Flying, Plan, Protocol, Summary, Times, csv, draw, honest_table, latex,
    paper_table, sentence, store,
};
use bo::flights::trust::{self, Concern};
use bo::interrupt::Interrupt;
use bo::run::disk::record::to_json;
use plots::Print;
use rayon::ThreadPool;
use serde::Serialize;
use shell::Failure;
use shell::cells::args::OF_A_PROCESS;
use shell::cells::{ResultStore, Runner, Work};
use shell::progress::Progress;
use shell::usage::typed_words;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Instant;

/// What a comparison writes besides its cells.
#[derive(Debug, Serialize)]
struct Comparison<'a> {
    schema: &'static str,
    /// What the differences say; nothing by the paper's protocol, which has no intervals.
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<String>,
    #[serde(flatten)]
    summary: &'a Summary,
    /// What makes its answer mean less than it seems to.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    concerns: Vec<String>,
}

/// What `--format json` prints: what is written down, and what this process did for it.
#[derive(Debug, Serialize)]
struct Printed<'a> {
    #[serde(flatten)]
    comparison: &'a Comparison<'a>,
    folder: String,
    cells: usize,
    /// Cells that were finished before this process began.
    kept: usize,
    seconds: f64,
}

/// Compares, writes and returns the closing lines.
///
/// # Errors
/// See [`Error`].
pub fn compare(args: &CompareArgs, interrupt: &Interrupt) -> Result<String, Error> {
    let plan = &args.plan()?;
    let threads = args.threads.count();
    let named = match plan.trajectories[..] {
        [one] => one,
        _ => "all",
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(Failure::threads)?;
    let desk = Runner {
        args: &args.cells,
        out: args.out.as_deref(),
        automatic: &format!("compare-{named}"),
        words: typed_words::<Cli>(&OF_A_PROCESS),
        version: env!("CARGO_PKG_VERSION"),
        json: args.output.is_json(),
        workers: pool.current_num_threads(),
        interrupt,
    };
    let comparing = Comparing {
        plan,
        pool,
        json: desk.json,
        flying: Flying::new(plan, interrupt),
        times: Times::of(plan),
        started: Instant::now(),
        print: args.print(),
    };
    if let Some(said) = desk.answer(&comparing)? {
        return Ok(said);
    }
    let concerns = comparing.concerns()?;
    trust::refuse(&concerns)?;
    let store = store::open(&desk, &plan.budget)?;
    trust::warn(&concerns);
    desk.run(&store, &comparing)
}

/// A comparison at work in this process.
struct Comparing<'a> {
    plan: &'a Plan,
    pool: ThreadPool,
    json: bool,
    flying: Flying<'a>,
    times: Times<'a>,
    started: Instant,
    print: Print,
}

impl Work for Comparing<'_> {
    type Cell = Cell;
    type Finished = Finished;
    type Error = Error;

    fn cells(&self) -> Vec<Cell> {
        self.plan.cells()
    }

    fn seconds(&self, cell: &Cell) -> f64 {
        self.times.seconds(cell)
    }

    fn begin(&self, due: &[&Cell]) {
        self.flying.show(due);
    }

    fn work(&self, store: &ResultStore, cell: &Cell) -> Result<Finished, Error> {
        self.pool.install(|| self.flying.work(store, cell))
    }

    fn elsewhere(&self, cell: &Cell) {
        self.flying.elsewhere(cell);
    }

    fn merge(&self, store: &ResultStore, kept: usize) -> Result<String, Error> {
        self.flying.finish();
        self.pool.install(|| self.tables(store, kept))
    }
}

impl Comparing<'_> {
    /// What makes its answer mean less than it seems to.
    fn concerns(&self) -> Result<Vec<Concern>, Error> {
        let plan = self.plan;
        let mut found: Vec<Concern> = trust::seeds(plan.seeds.len()).into_iter().collect();
        for trajectory in &plan.trajectories {
            let settings = plan.budget.usual(trajectory, "gp", plan.seeds[0])?;
            let problem = plan.budget.problem(&settings)?;
            for concern in problem.concerns() {
                if !found.contains(&concern) {
                    found.push(concern);
                }
            }
        }
        Ok(found)
    }

    /// Tables and pictures of the finished cells.
    fn tables(&self, store: &ResultStore, kept: usize) -> Result<String, Error> {
        let (plan, started) = (self.plan, self.started);
        let flown_s = started.elapsed().as_secs_f64();
        let cells = plan.cells().len();
        let finished = finished(plan, store)?;
        let summary = Summary::of(plan, &finished, &domain_names(plan)?);
        let winds = plan.budget.held_out_winds;
        let text = match plan.protocol {
            Protocol::Paper => paper_table(&summary, winds),
            Protocol::Honest => honest_table(&summary, winds),
        };
        for (name, text) in [
            ("table.md", &text),
            ("table.csv", &csv(&summary)),
            ("table.tex", &latex(&summary)),
        ] {
            store.write(name, text)?;
        }
        let comparison = Comparison {
            schema: "windhover-compare/3",
            result: (plan.protocol == Protocol::Honest).then(|| sentence(&summary)),
            summary: &summary,
            concerns: trust::said(&self.concerns()?),
        };
        store.write("compare.json", &to_json("comparison", &comparison)?)?;
        let progress = Progress::uncounted("drawing");
        let pictures = draw(plan, &finished, &summary, store.path(), &self.print)?;
        progress.finish();
        let seconds = started.elapsed().as_secs_f64();
        if self.json {
            let printed = Printed {
                comparison: &comparison,
                folder: store.path().display().to_string(),
                cells,
                kept,
                seconds,
            };
            return to_json("comparison", &printed);
        }
        let mut closing = text;
        let _ = writeln!(
            closing,
            "\n{cells} cells, {kept} of them from an earlier run. Time {seconds:.1} s: flights and fits {flown_s:.1}, \
             tables and pictures {:.1}.\nWritten to {}: table.md, table.csv, table.tex, compare.json, cells/, {} (.png, .svg and .pdf)",
            seconds - flown_s,
            store.path().display(),
            pictures.join(", ")
        );
        Ok(closing)
    }
}

/// All cells of `plan`, by key.
fn finished(plan: &Plan, store: &ResultStore) -> Result<BTreeMap<String, Finished>, Error> {
    let keys = plan.cells().into_iter().map(|cell| cell.key());
    keys.map(|key| Ok((key.clone(), store.get(&key)?)))
        .collect()
}

/// The domains of the held-out winds.
fn domain_names(plan: &Plan) -> Result<Vec<String>, Error> {
    let settings = plan.budget.usual(plan.trajectories[0], "gp", 0)?;
    let domains = plan.budget.problem(&settings)?.tuning.domains;
    Ok(domains.into_iter().map(|domain| domain.name).collect())
}
