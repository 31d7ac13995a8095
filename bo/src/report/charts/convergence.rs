//! Every evaluation of a run, and the best so far.

use super::cost_name;
use crate::flights::evaluation::Evaluation;
use crate::run::disk::record::Record;
use crate::run::settings::Settings;
use plots::{Band, ConvergencePicture, Error, Run, Scale, Series};
use search::Origin;

/// What a picture of a search shows. Evaluations of the design are rings. Lost ones stand in a strip
/// above: what they count for says nothing about the gains.
pub struct Course<'a> {
    /// Its title.
    pub title: &'a str,
    /// Name of what was tuned with.
    pub surrogate: &'a str,
    /// Evaluations of the initial design.
    pub initial: u64,
    /// Name of what an evaluation costs, with its unit.
    pub cost_name: &'a str,
}

impl Course<'_> {
    /// Draws the evaluations: of each what it counted for \[m\], whether it is lost and where its
    /// gains came from.
    pub fn draw<'o, T>(
        &self,
        evaluations: impl IntoIterator<Item = (f64, bool, &'o Origin)>,
        draw: impl FnOnce(&ConvergencePicture) -> T,
    ) -> T {
        let (mut run, mut default) = (Run::default(), None);
        for evaluation in evaluations {
            add(&mut run, evaluation);
            if let (cost_m, false, Origin::Baseline) = evaluation {
                default = Some(("start gains, first evaluation", cost_m));
            }
        }
        let series = [Series {
            label: self.surrogate,
            runs: &[run],
        }];
        draw(&ConvergencePicture {
            title: self.title,
            y_name: self.cost_name,
            series: &series,
            initial: self.initial as usize,
            baseline: default,
            band: Band::Quartiles,
            scale: Scale::Automatic,
        })
    }
}

fn add(run: &mut Run, (cost_m, lost, origin): (f64, bool, &Origin)) {
    run.value_m.push(cost_m);
    run.lost.push(lost);
    let chosen = matches!(origin, Origin::Acquisition { .. });
    run.designed.push(!chosen);
    let number = run.notes.len();
    run.notes.push(match lost {
        true => format!("evaluation {number}: lost"),
        false => format!("evaluation {number}: {cost_m:.4} m"),
    });
}

/// The searches of several runs, each by its name.
pub fn joint(runs: &[(&str, &Record)]) -> Result<String, Error> {
    let of = |record: &Record| {
        let mut run = Run::default();
        for trial in &record.trials {
            add(&mut run, (trial.cost_m, trial.lost, &trial.origin));
        }
        [run]
    };
    let searches: Vec<[Run; 1]> = runs.iter().map(|(_, record)| of(record)).collect();
    let series = runs.iter().zip(&searches);
    let series: Vec<Series> = series
        .map(|((label, _), runs)| Series { label, runs })
        .collect();
    let initial = runs.iter().map(|(_, record)| record.settings.initial);
    let weighted = runs.iter().any(|(_, record)| record.weighted());
    plots::svg(&ConvergencePicture {
        title: "Best so far of every run",
        y_name: if weighted { "cost J [m]" } else { "ACE [m]" },
        series: &series,
        initial: initial.max().unwrap_or(0) as usize,
        baseline: None,
        band: Band::Range,
        scale: Scale::Automatic,
    })
}

/// Cost of each evaluation in order, numbered as the record numbers them.
pub fn convergence(settings: &Settings, history: &[Evaluation]) -> Result<String, Error> {
    let course = Course {
        title: "Cost of every evaluation, and the best so far",
        surrogate: settings.surrogate,
        initial: settings.initial,
        cost_name: cost_name(settings),
    };
    let evaluations = history
        .iter()
        .map(|trial| (trial.cost_m, trial.lost, &trial.origin));
    course.draw(evaluations, |picture| plots::svg(picture))
}
