//! Pictures of a comparison: plain numbers for `plots`.

mod flights;
mod intervals;
mod slices;

use super::plan::Plan;
use crate::Error;
use crate::comparison::plan::cell::Finished;
use crate::comparison::plan::method::Method;
use crate::comparison::plan::training::Training;
use crate::comparison::tables::summary::Summary;
use crate::run::disk::folder;
use crate::statistics::median;
use plots::{Band, ConvergencePicture, Run, Series, draw_convergence};
use std::collections::BTreeMap;
use std::path::Path;

/// Draws everything into `folder`; the pictures' names.
///
/// # Errors
/// [`Error::Draw`].
pub fn draw(
    plan: &Plan,
    finished: &BTreeMap<String, Finished>,
    summary: &Summary,
    folder: &Path,
) -> Result<Vec<String>, Error> {
    let gallery = Gallery {
        plan,
        finished,
        folder,
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
}

impl Gallery<'_> {
    /// Best flight so far over the evaluations, one curve a method; nothing where no method trains.
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
            first: 1,
            series: &series,
            initial: self.plan.budget.initial as usize,
            baseline: Some(("default gains, first flight", median(&first_flights))),
            band: Band::Quartiles,
        };
        let name = format!("convergence-{trajectory}-{}", training.name());
        self.drawn(name, |stem| draw_convergence(&picture, stem).map(|_| ()))
    }

    fn runs(&self, trajectory: &'static str, training: Training, method: Method) -> Vec<Run> {
        let seeds = self.plan.seeds.iter();
        let runs = seeds.map(|seed| {
            let cell = self.plan.cell(trajectory, training, method, *seed);
            let trials = &self.finished[&cell.key()].trials;
            Run {
                value_m: trials.iter().map(|trial| trial.cost_m).collect(),
                lost: trials.iter().map(|trial| trial.lost).collect(),
                designed: Vec::new(),
            }
        });
        runs.collect()
    }

    fn drawn(
        &self,
        name: String,
        draw: impl FnOnce(&Path) -> Result<(), plots::Error>,
    ) -> Result<Option<String>, Error> {
        folder::draw(self.folder, &name, draw)?;
        Ok(Some(name))
    }
}
