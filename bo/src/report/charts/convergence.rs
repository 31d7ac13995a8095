//! Every evaluation of a run, and the best so far.

use crate::run::record::Record;
use crate::search::Origin;
use plots::{Band, ConvergencePicture, Error, Run, Series, svg_convergence};

/// What a picture of a search shows. Evaluations of the design are rings. Lost ones stand in a strip
/// above: what they count for says nothing about the gains.
pub struct Course<'a> {
    /// Its title.
    pub title: &'a str,
    /// Number of the first evaluation.
    pub first: u32,
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
        for (cost_m, lost, origin) in evaluations {
            run.value_m.push(cost_m);
            run.lost.push(lost);
            let chosen = matches!(origin, Origin::Acquisition { .. });
            run.designed.push(!chosen);
            if *origin == Origin::Baseline && !lost {
                default = Some(("default gains, first evaluation", cost_m));
            }
        }
        let series = [Series {
            label: self.surrogate,
            runs: &[run],
        }];
        draw(&ConvergencePicture {
            title: self.title,
            y_name: self.cost_name,
            first: self.first,
            series: &series,
            initial: self.initial as usize,
            baseline: default,
            band: Band::Quartiles,
        })
    }
}

/// Cost of each evaluation in order, numbered as the record numbers them.
pub fn convergence(recorded: &Record) -> Result<String, Error> {
    let course = Course {
        title: "Cost of every evaluation, and the best so far",
        first: 0,
        surrogate: recorded.settings.surrogate,
        initial: recorded.settings.initial,
        cost_name: if recorded.weighted() {
            "cost J [m]"
        } else {
            "ACE [m]"
        },
    };
    let trials = recorded.trials.iter();
    let evaluations = trials.map(|trial| (trial.cost_m, trial.lost, &trial.origin));
    course.draw(evaluations, svg_convergence)
}
