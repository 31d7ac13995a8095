//! Every evaluation of the run, and the best so far.

use crate::report::chart::{Axis, Chart, DEFAULT, GREY, LOST, Mark, RECOMMENDED};
use crate::run::record::Record;
use crate::search::Origin;

/// Cost of each evaluation in order; lost ones as crosses at the cap.
pub fn convergence(recorded: &Record) -> String {
    let trials = &recorded.trials;
    let costs = || trials.iter().map(|trial| trial.cost_m);
    let name = if recorded.weighted() {
        "cost J [m]"
    } else {
        "ACE [m]"
    };
    let x = Axis::linear("evaluation", -1.0, trials.len() as f64);
    let mut chart = Chart::new(
        "Cost of every evaluation, and the best so far",
        400.0,
        x,
        Axis::log_around(name, costs()),
    );
    let [low, high] = [
        costs().fold(f64::INFINITY, f64::min) / 1.1,
        costs().fold(0.0, f64::max) * 1.1,
    ];
    chart.upright(
        recorded.settings.initial as f64 - 0.5,
        low,
        high,
        GREY,
        1.5,
        0.7,
    );
    let mut best: Option<f64> = None;
    let mut steps = Vec::new();
    for trial in trials {
        let at = trial.number as f64;
        if trial.lost {
            chart.mark(Mark::Cross, [at, trial.cost_m], 0.0, LOST, 0.8);
            continue;
        }
        let (mark, colour) = match trial.origin {
            Origin::Baseline => (Mark::Diamond, DEFAULT),
            Origin::Acquisition { .. } => (Mark::Dot, RECOMMENDED),
            _ => (Mark::Ring, GREY),
        };
        chart.mark(mark, [at, trial.cost_m], 0.0, colour, 0.6);
        if best.is_none_or(|best| trial.cost_m < best) {
            steps.extend(best.map(|best| [at, best]));
            steps.push([at, trial.cost_m]);
            best = Some(trial.cost_m);
        }
    }
    steps.extend(best.map(|best| [trials.len() as f64, best]));
    chart.curve(&steps, RECOMMENDED, 2.6, false);
    chart.legend(Mark::Diamond, DEFAULT, "default");
    chart.legend(Mark::Ring, GREY, "design");
    chart.legend(Mark::Dot, RECOMMENDED, "chosen");
    chart.legend(Mark::Line, RECOMMENDED, "best so far");
    chart.legend(Mark::Cross, LOST, "lost");
    chart.finish()
}
