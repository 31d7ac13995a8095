//! Summary: what the finished cells of a comparison say together.

use crate::comparison::plan::cell::{Cell, Finished, Recommender};
use crate::comparison::plan::method::{BASELINES, Method, Program, Training};
use crate::comparison::plan::{Plan, Protocol};
use crate::statistics::{Interval, greatest_deviation, median};
use serde::Serialize;
use std::collections::BTreeMap;

/// Everything that is printed and drawn.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    /// How it is judged.
    pub protocol: Protocol,
    /// Name of the vehicle.
    pub airframe: String,
    /// Seeds over which means and intervals are taken.
    pub seeds: Vec<u64>,
    /// Name of the method that the others are compared with, where it is flown.
    pub reference: Option<&'static str>,
    /// Programs of the user's own among the methods.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub programs: Vec<Outside>,
    /// Differences of held-out costs in the whole summary, to the reference and to the best
    /// baseline, for which their intervals are widened.
    pub comparisons: usize,
    /// One for each trajectory, training and test domain.
    pub blocks: Vec<Block>,
    /// Evaluations lost in the tuning: one for each trajectory and training.
    pub losses: Vec<TrainingLosses>,
}

/// A program of the user's own.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Outside {
    /// Its name and its command.
    #[serde(flatten)]
    pub program: Program,
    /// Its cells.
    pub cells: usize,
    /// Of these, those in which it recommends nothing, so that its best observed gains stand for that.
    pub unrecommended: usize,
}

/// Every method on one trajectory after one training, tested in one domain.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Block {
    /// Name of the trajectory.
    pub trajectory: &'static str,
    /// Winds of the tuning flights.
    pub training: Training,
    /// Name of the domain of the held-out winds.
    pub domain: String,
    /// The baseline with the least mean, which the others are compared with.
    pub best_baseline: Option<&'static str>,
    /// One a method, in the plan's order.
    pub rows: Vec<Row>,
}

/// One method in one block.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// Name of the method.
    pub method: &'static str,
    /// Its name in tables.
    pub label: String,
    /// Held-out cost of what we would deploy.
    pub recommended: Option<Entry>,
    /// Held-out cost of the best observed flight's gains.
    pub observed: Option<Entry>,
    /// Recommended minus that of the reference, seed by seed.
    pub to_reference: Option<Difference>,
    /// Recommended minus that of the best baseline, seed by seed.
    pub to_best_baseline: Option<Difference>,
}

/// Held-out costs over seeds; a seed's value is the mean over its winds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Entry {
    /// One value a seed [m].
    pub values_m: Vec<f64>,
    /// Their mean with its 95 % interval [m].
    pub mean: Interval,
    /// Their median [m].
    pub median_m: f64,
    /// Their greatest distance from the mean [m].
    pub greatest_deviation_m: f64,
    /// Share of the held-out flights that were lost.
    pub lost: f64,
}

/// A paired difference; negative is better than the reference.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Difference {
    /// Mean with an interval corrected for the number of comparisons [m; evaluations].
    pub interval: Interval,
    /// Seeds in which it is below the reference.
    pub wins: usize,
}

impl Summary {
    /// Of `plan`, all of whose cells are in `finished`, by key.
    ///
    /// # Panics
    /// When a cell is missing.
    pub fn of(plan: &Plan, finished: &BTreeMap<String, Finished>, domains: &[String]) -> Summary {
        let comparisons = comparisons(plan, domains.len());
        let mut summary = Summary {
            protocol: plan.protocol,
            airframe: plan.budget.airframe.name.clone(),
            seeds: plan.seeds.clone(),
            reference: reference(plan).map(Method::name),
            programs: programs(plan, finished),
            comparisons,
            blocks: Vec::new(),
            losses: losses_of(plan, finished),
        };
        for trajectory in &plan.trajectories {
            for training in &plan.trainings {
                for domain in domains {
                    let view = View {
                        plan,
                        finished,
                        trajectory,
                        training: *training,
                        domain,
                        comparisons,
                    };
                    summary.blocks.push(view.block());
                }
            }
        }
        summary
    }
}

fn programs(plan: &Plan, finished: &BTreeMap<String, Finished>) -> Vec<Outside> {
    let programs = plan.methods.iter().filter_map(|method| match method {
        Method::Program(program) => Some(*program),
        _ => None,
    });
    let of = |program| {
        let cells = plan.cells().into_iter();
        let cells = cells.filter(|cell| cell.method == Method::Program(program));
        let found: Vec<&Finished> = cells.map(|cell| &finished[&cell.key()]).collect();
        Outside {
            program,
            cells: found.len(),
            unrecommended: found
                .iter()
                .filter(|cell| cell.unrecommended.is_some())
                .count(),
        }
    };
    programs.map(of).collect()
}

/// The method of `plan` that the others are compared with.
fn reference(plan: &Plan) -> Option<Method> {
    plan.methods
        .contains(&plan.reference)
        .then_some(plan.reference)
}

/// Differences of held-out costs that the tables of `plan` print in `domains` domains: in each block,
/// of every method to the reference and to the best baseline, each where it is flown;
/// except itself.
fn comparisons(plan: &Plan, domains: usize) -> usize {
    let flown = |method: &Method| plan.methods.contains(method);
    let references = usize::from(reference(plan).is_some())
        + usize::from(BASELINES.iter().any(|(_, m)| flown(m)));
    let blocks = plan.trajectories.len() * plan.trainings.len() * domains;
    (blocks * plan.methods.len().saturating_sub(1) * references).max(1)
}

/// The cells of one block.
struct View<'a> {
    plan: &'a Plan,
    finished: &'a BTreeMap<String, Finished>,
    trajectory: &'static str,
    training: Training,
    domain: &'a str,
    comparisons: usize,
}

impl View<'_> {
    fn cells(&self, method: Method) -> Vec<&Finished> {
        let seeds = self.plan.seeds.iter();
        let cells = seeds.map(|seed| {
            let cell: Cell = self
                .plan
                .cell(self.trajectory, self.training, method, *seed);
            &self.finished[&cell.key()]
        });
        cells.collect()
    }

    /// `None` if the method has no such recommendation in this domain.
    fn entry(&self, method: Method, recommender: Recommender) -> Option<Entry> {
        let cells = self.cells(method);
        let tests = cells
            .iter()
            .map(|cell| cell.test(recommender, self.domain))
            .collect::<Option<Vec<_>>>()?;
        let values_m: Vec<f64> = tests.iter().map(|test| test.mean_m).collect();
        let flights: usize = tests.iter().map(|test| test.ace_m.len()).sum();
        let lost: usize = tests.iter().map(|test| test.crashes).sum();
        Some(Entry {
            mean: Interval::of(&values_m),
            median_m: median(&values_m),
            greatest_deviation_m: greatest_deviation(&values_m),
            lost: lost as f64 / flights as f64,
            values_m,
        })
    }

    fn block(&self) -> Block {
        let deployed = |method: Method| self.entry(method, Recommender::Recommended);
        let flown = BASELINES
            .map(|(_, method)| method)
            .into_iter()
            .filter(|m| self.plan.methods.contains(m));
        let best = flown
            .filter_map(|method| Some((method, deployed(method)?)))
            .min_by(|a, b| a.1.mean.mean.total_cmp(&b.1.mean.mean));
        let reference = reference(self.plan);
        let reference = reference.and_then(|method| Some((method, deployed(method)?)));
        let rows = self.plan.methods.iter().map(|method| {
            let recommended = deployed(*method);
            let to = |other: &Option<(Method, Entry)>| {
                let (other, theirs) = other.as_ref()?;
                let rival = *other != *method;
                rival.then(|| self.difference(recommended.as_ref(), theirs))?
            };
            Row {
                method: method.name(),
                label: method.to_string(),
                observed: self.entry(*method, Recommender::OBSERVED),
                to_reference: to(&reference),
                to_best_baseline: to(&best),
                recommended,
            }
        });
        Block {
            trajectory: self.trajectory,
            training: self.training,
            domain: self.domain.to_owned(),
            rows: rows.collect(),
            best_baseline: best.map(|(method, _)| method.name()),
        }
    }

    fn difference(&self, ours: Option<&Entry>, theirs: &Entry) -> Option<Difference> {
        Some(Difference::of(
            &ours?.values_m,
            &theirs.values_m,
            self.comparisons,
        ))
    }
}

impl Difference {
    /// Of `ours` to `theirs`, seed by seed, with an interval so wide that `comparisons` of them hold
    /// together.
    fn of(ours: &[f64], theirs: &[f64], comparisons: usize) -> Difference {
        let pairs = ours.iter().zip(theirs);
        let differences: Vec<f64> = pairs.map(|(a, b)| a - b).collect();
        Difference {
            interval: Interval::simultaneous(&differences, comparisons),
            wins: differences.iter().filter(|d| **d < 0.0).count(),
        }
    }
}

/// Evaluations lost on one trajectory in one training.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TrainingLosses {
    /// Name of the trajectory.
    pub trajectory: &'static str,
    /// Winds of the tuning flights.
    pub training: Training,
    /// Differences of lost evaluations in the whole summary, for which their intervals are widened.
    pub comparisons: usize,
    /// One a method that tunes, in the plan's order.
    pub rows: Vec<Lost>,
}

/// What one method lost.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Lost {
    /// Name of the method.
    pub method: &'static str,
    /// Its name in tables.
    pub label: String,
    /// Evaluations lost, one number a seed.
    pub evaluations: Vec<f64>,
    /// Their mean with its 95 % interval; none where all are the same.
    pub mean: Interval,
    /// Those minus the reference's, seed by seed; likewise.
    pub to_reference: Option<Difference>,
}

/// Of every trajectory and training of `plan`; empty if no method tunes.
fn losses_of(plan: &Plan, finished: &BTreeMap<String, Finished>) -> Vec<TrainingLosses> {
    let tuned: Vec<Method> = (plan.methods.iter().copied())
        .filter(|m| m.trains())
        .collect();
    let reference = reference(plan).filter(|method| method.trains());
    let rivals = tuned.len().saturating_sub(1);
    let comparisons = (plan.trajectories.len() * plan.trainings.len() * rivals).max(1);
    let mut tables = Vec::new();
    for trajectory in &plan.trajectories {
        for training in &plan.trainings {
            let lost = |method: Method| -> Vec<f64> {
                let cells = plan.seeds.iter();
                cells
                    .map(|seed| plan.cell(trajectory, *training, method, *seed))
                    .map(|cell| finished[&cell.key()].crashes() as f64)
                    .collect()
            };
            let theirs = reference.map(|method| (method, lost(method)));
            let rows = tuned.iter().map(|method| {
                let evaluations = lost(*method);
                let rival = theirs.as_ref().filter(|(other, _)| other != method);
                let difference = rival.map(|(_, theirs)| {
                    let difference = Difference::of(&evaluations, theirs, comparisons);
                    Difference {
                        interval: difference.interval.of_counts(),
                        ..difference
                    }
                });
                Lost {
                    method: method.name(),
                    label: method.to_string(),
                    mean: Interval::of(&evaluations).of_counts(),
                    to_reference: difference,
                    evaluations,
                }
            });
            tables.push(TrainingLosses {
                trajectory,
                training: *training,
                comparisons,
                rows: rows.collect(),
            });
        }
    }
    tables.retain(|table| !table.rows.is_empty());
    tables
}

#[cfg(test)]
pub(crate) mod tests;
