//! Pictures of a comparison: plain numbers for `plots`.

mod slices;

use crate::Error;
use crate::comparison::plan::Plan;
use crate::comparison::plan::cell::{Cell, Finished, Recommender};
use crate::comparison::plan::method::{Method, Training};
use crate::comparison::tables::summary::{Block, Entry, Row, Summary};
use crate::flights::flown_path::FlownPath;
use crate::flights::held_out::Test;
use crate::flights::problem::Problem;
use crate::run::disk::folder;
use crate::statistics::{Interval, median};
use plots::{
    Band, ConvergencePicture, Estimate, FlightGridPicture, GridColumn, GridFlight, IntervalPanel,
    IntervalsPicture, MOST_GRID_COLUMNS, MOST_GRID_ROWS, MOST_INTERVAL_COLUMNS, Picture, Print,
    Run, Scale, Series,
};
use sim::Flight;
use std::collections::BTreeMap;
use std::path::Path;

/// Draws everything into `folder`, as it is to be printed; the pictures' names.
///
/// # Errors
/// [`Error::Draw`].
pub fn draw(
    plan: &Plan,
    finished: &BTreeMap<String, Finished>,
    summary: &Summary,
    folder: &Path,
    print: &Print,
) -> Result<Vec<String>, Error> {
    let gallery = Gallery {
        plan,
        finished,
        folder,
        print,
    };
    let mut names = Vec::new();
    for training in &plan.trainings {
        names.extend(gallery.intervals(summary, *training)?);
        names.extend(gallery.flights(*training)?);
    }
    for trajectory in &plan.trajectories {
        for training in &plan.trainings {
            names.extend(gallery.convergence(trajectory, *training)?);
            names.extend(gallery.slices(trajectory, *training)?);
        }
    }
    Ok(names)
}

struct Gallery<'a> {
    plan: &'a Plan,
    finished: &'a BTreeMap<String, Finished>,
    folder: &'a Path,
    print: &'a Print,
}

impl Gallery<'_> {
    /// Best flight so far over the evaluations, one curve a method; `None` if no method trains.
    fn convergence(
        &self,
        trajectory: &'static str,
        training: Training,
    ) -> Result<Option<String>, Error> {
        let trained = self.plan.methods.iter().filter(|method| method.trains());
        let groups: Vec<(String, Vec<Run>)> = trained
            .map(|method| (method.to_string(), self.runs(trajectory, training, *method)))
            .collect();
        if groups.is_empty() {
            return Ok(None);
        }
        let series: Vec<Series> = groups
            .iter()
            .map(|(label, runs)| Series { label, runs })
            .collect();
        let first_flights: Vec<f64> = groups[0].1.iter().map(|run| run.value_m[0]).collect();
        let seeds = self.plan.seeds.len();
        let title = format!(
            "{trajectory}: best flight so far, trained in {}, {seeds} seeds",
            training.name()
        );
        let picture = ConvergencePicture {
            title: &title,
            y_name: "average control error (ACE) [m]",
            series: &series,
            initial: self.plan.budget.initial as usize,
            baseline: Some(("default gains, first flight", median(&first_flights))),
            band: Band::Quartiles,
            scale: Scale::Automatic,
        };
        let name = format!("convergence-{trajectory}-{}", training.name());
        self.drawn(name, &picture)
    }

    fn runs(&self, trajectory: &'static str, training: Training, method: Method) -> Vec<Run> {
        let seeds = self.plan.seeds.iter();
        let runs = seeds.map(|seed| {
            let cell = self.plan.cell(trajectory, training, method, *seed);
            let trials = &self.finished[&cell.key()].trials;
            Run {
                value_m: trials.iter().map(|trial| trial.cost_m).collect(),
                lost: trials.iter().map(|trial| trial.lost).collect(),
                ..Run::default()
            }
        });
        runs.collect()
    }

    fn drawn(&self, name: String, picture: &impl Picture) -> Result<Option<String>, Error> {
        folder::draw(self.folder, &name, |stem| {
            plots::print(picture, stem, self.print).map(|_| ())
        })?;
        Ok(Some(name))
    }
}

/// A trajectory's name and points.
type Reference = (&'static str, Vec<[f64; 3]>);

/// The domain of the flights drawn: the second, which is the paper's target, steady.
fn domain_of(problem: &Problem) -> usize {
    1.min(problem.tuning.domains.len() - 1)
}

impl Gallery<'_> {
    /// The recommended gains of the first seed in its first held-out steady wind; the first rows
    /// where not all fit.
    pub(super) fn flights(&self, training: Training) -> Result<Option<String>, Error> {
        let methods = self.plan.methods.iter().take(MOST_GRID_ROWS);
        let methods: Vec<Method> = methods.copied().collect();
        if self.plan.trajectories.len() > MOST_GRID_COLUMNS {
            return Ok(None);
        }
        let mut flights = Vec::new();
        for method in &methods {
            for trajectory in &self.plan.trajectories {
                let cell = self
                    .plan
                    .cell(trajectory, training, *method, self.plan.seeds[0]);
                flights.push(self.flight(&cell)?);
            }
        }
        let paths: Vec<FlownPath> = flights.iter().map(FlownPath::of).collect();
        let cells: Vec<Option<GridFlight>> = paths.iter().map(|p| Some(p.drawn())).collect();
        let references = self.references()?;
        let columns: Vec<GridColumn> = references
            .iter()
            .map(|(label, reference_m)| GridColumn { label, reference_m })
            .collect();
        let labels: Vec<String> = methods.iter().map(ToString::to_string).collect();
        let problem = self.problem(self.plan.trajectories[0])?;
        let domain = &problem.tuning.domains[domain_of(&problem)].name;
        let title = format!(
            "The recommended gains of seed {} in a held-out {domain} wind, trained in {}",
            self.plan.seeds[0],
            training.name()
        );
        let picture = FlightGridPicture {
            title: &title,
            rows: &labels.iter().map(String::as_str).collect::<Vec<_>>(),
            columns: &columns,
            flights: &cells,
        };
        let name = format!("flights-{}", training.name());
        self.drawn(name, &picture)
    }

    fn flight(&self, cell: &Cell) -> Result<Flight, Error> {
        let problem = self.problem(cell.trajectory)?;
        let weather = problem.tuning.held_out_weather(domain_of(&problem), 0);
        let finished = &self.finished[&cell.key()];
        let mut recommended = finished.candidates.iter().filter(|candidate| {
            let tested = |test: &Test| test.domain == weather.domain;
            candidate.recommender == Recommender::Recommended && candidate.tests.iter().any(tested)
        });
        let candidate = recommended.next().expect("every method recommends gains");
        Ok(problem
            .tuning
            .fly(&candidate.gains, &weather, FlownPath::EVERY))
    }

    /// What the first seed tunes.
    fn problem(&self, trajectory: &str) -> Result<Problem, Error> {
        let budget = &self.plan.budget;
        budget.problem(&budget.usual(trajectory, "gp", self.plan.seeds[0])?)
    }

    /// Every trajectory's name and points.
    fn references(&self) -> Result<Vec<Reference>, Error> {
        let points = |name: &&'static str| {
            let trajectory = self.problem(name)?.tuning.trajectory;
            let steps = (trajectory.duration_s() * 50.0) as u32;
            let at = |step| trajectory.at(f64::from(step) / 50.0).position_m.into();
            Ok((*name, (0..=steps).map(at).collect()))
        };
        self.plan.trajectories.iter().map(points).collect()
    }
}

/// The estimates and references of one panel.
type Panel = (Vec<[Option<Estimate>; 2]>, Vec<Option<Estimate>>);

impl Gallery<'_> {
    /// One panel for each trajectory and domain; `None` if all methods are references.
    pub(super) fn intervals(
        &self,
        summary: &Summary,
        training: Training,
    ) -> Result<Option<String>, Error> {
        let of_training = summary.blocks.iter().filter(|b| b.training == training);
        let blocks: Vec<&Block> = of_training.collect();
        let methods: Vec<&str> = rivals(blocks[0]).map(|row| row.label.as_str()).collect();
        if methods.is_empty() || self.plan.trajectories.len() > MOST_INTERVAL_COLUMNS {
            return Ok(None);
        }
        let references: Vec<&str> = references(blocks[0])
            .map(|row| row.label.as_str())
            .collect();
        let of_first = blocks
            .iter()
            .filter(|b| b.trajectory == blocks[0].trajectory);
        let domains: Vec<&str> = of_first.map(|b| b.domain.as_str()).collect();
        let rows: Vec<String> = domains.iter().map(|d| format!("{d} wind")).collect();
        let in_order = domains.iter().flat_map(|domain| {
            let blocks = blocks.iter().filter(move |b| b.domain == *domain);
            blocks.map(|block| panel(block))
        });
        let panels: Vec<Panel> = in_order.collect();
        let seeds = self.plan.seeds.len();
        let title = format!(
            "Held-out ACE, trained in {}: mean over {seeds} seeds with 95 % interval",
            training.name()
        );
        let picture = IntervalsPicture {
            title: &title,
            x_name: "ACE [m]",
            columns: &self.plan.trajectories,
            rows: &rows.iter().map(String::as_str).collect::<Vec<_>>(),
            methods: &methods,
            marks: ["recommended", "best observed flight"],
            references: &references,
            // Means that overlap may still differ pair by pair: the table judges, not the picture.
            judged_against: None,
            colours: [0, 1],
            held: &[],
            panels: &panels
                .iter()
                .map(|(estimates, references)| IntervalPanel {
                    estimates,
                    references,
                })
                .collect::<Vec<_>>(),
        };
        let name = format!("intervals-{}", training.name());
        self.drawn(name, &picture)
    }
}

/// What stands as a line across all methods: the default gains.
fn references(block: &Block) -> impl Iterator<Item = &Row> {
    let rows = block.rows.iter();
    rows.filter(|row| row.method == Method::DefaultGains.name())
}

/// The rows that are no references.
fn rivals(block: &Block) -> impl Iterator<Item = &Row> {
    let rows = block.rows.iter();
    rows.filter(|row| row.method != Method::DefaultGains.name())
}

fn panel(block: &Block) -> Panel {
    let estimates = rivals(block).map(|row| {
        let of = |entry: &Option<Entry>| entry.as_ref().map(|entry| estimate(&entry.mean));
        [of(&row.recommended), of(&row.observed)]
    });
    let references = references(block).map(|row| Some(estimate(&row.recommended.as_ref()?.mean)));
    (estimates.collect(), references.collect())
}

/// A single seed has no interval: its ends are the value.
fn estimate(interval: &Interval) -> Estimate {
    let half = interval.half_width.unwrap_or(0.0);
    Estimate {
        mean: interval.mean,
        low: interval.mean - half,
        high: interval.mean + half,
    }
}
