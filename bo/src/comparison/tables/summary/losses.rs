//! Losses: evaluations of the tuning that each method lost, and by how much they differ from the reference's.

use super::{Difference, reference};
use crate::comparison::plan::Plan;
use crate::comparison::plan::cell::Finished;
use crate::comparison::plan::method::Method;
use crate::comparison::plan::training::Training;
use crate::statistics::Interval;
use serde::Serialize;
use std::collections::BTreeMap;

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
    /// Their mean with its 95 % interval.
    pub mean: Interval,
    /// Those minus the reference's, seed by seed.
    pub to_reference: Option<Difference>,
}

/// Of every trajectory and training of `plan`; nothing where nobody tunes.
pub(super) fn of(plan: &Plan, finished: &BTreeMap<String, Finished>) -> Vec<TrainingLosses> {
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
                Lost {
                    method: method.name(),
                    label: method.to_string(),
                    mean: Interval::of(&evaluations),
                    to_reference: rival
                        .map(|(_, theirs)| Difference::of(&evaluations, theirs, comparisons)),
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
