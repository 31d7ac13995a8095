//! What the surrogate expected beside what came.

use crate::report::belief::{Belief, Beliefs};
use crate::report::chart::{Axis, Chart, GREY, LOST, Mark, RECOMMENDED};

/// Nominal level of the intervals that are drawn.
const DRAWN: f64 = 0.9;

/// Predicted against observed cost; upright bars are 90 % intervals.
pub fn predicted(beliefs: &Beliefs) -> String {
    let reach = shell::statistics::central_width(DRAWN);
    let interval = |belief: &Belief| {
        let half = reach * belief.std.unwrap_or(0.0);
        [(belief.mean - half).exp(), (belief.mean + half).exp()]
    };
    let of_trials = &beliefs.of_trials;
    let observed = of_trials.iter().filter_map(|belief| belief.observed_m);
    let means = of_trials.iter().map(|belief| belief.mean.exp());
    let shared = observed.clone().chain(means);
    let all = shared.clone().chain(of_trials.iter().flat_map(interval));
    // A lost flight has no cost; it stands to the right of all costs.
    let beyond = 1.12 * shared.clone().fold(0.0, f64::max);
    let any_lost = of_trials.iter().any(|belief| belief.observed_m.is_none());
    let room = any_lost.then_some(beyond);
    let x = Axis::log_around("observed cost [m]", shared.clone().chain(room));
    let mut chart = Chart::new(
        "Predicted against observed cost",
        440.0,
        x,
        Axis::log_around("predicted cost [m]", all),
    );
    let ends = shared.fold([f64::INFINITY, 0.0], |[low, high], v| {
        [v.min(low), v.max(high)]
    });
    chart.curve(&ends.map(|end| [end, end]), GREY, 1.5, true);
    for belief in of_trials {
        let [low, high] = interval(belief);
        let lost = belief.observed_m.is_none();
        let x = belief.observed_m.unwrap_or(beyond);
        let (mark, colour) = if lost {
            (Mark::Cross, LOST)
        } else {
            (Mark::Dot, RECOMMENDED)
        };
        if belief.std.is_some() {
            chart.upright(x, low, high, colour, 1.5, 0.3);
        }
        chart.mark(mark, [x, belief.mean.exp()], 0.0, colour, 0.7);
    }
    chart.legend(Mark::Dot, RECOMMENDED, "prediction, 90 % bar");
    chart.legend(Mark::Dashes, GREY, "as observed");
    if any_lost {
        chart.legend(Mark::Cross, LOST, "lost");
    }
    chart.finish()
}

/// Nominal against observed coverage.
pub fn coverage(beliefs: &Beliefs) -> String {
    let x = Axis::linear("interval that should hold [%]", 40.0, 100.0);
    let y = Axis::linear("share that lay within [%]", 0.0, 100.0);
    let mut chart = Chart::new("Nominal against observed coverage", 440.0, x, y);
    chart.curve(&[[40.0, 40.0], [100.0, 100.0]], GREY, 1.5, true);
    for coverage in beliefs.coverage() {
        let [low, high] = coverage.interval().map(|share| 100.0 * share);
        let x = 100.0 * coverage.nominal;
        chart.upright(x, low, high, RECOMMENDED, 3.0, 0.6);
        chart.mark(
            Mark::Dot,
            [x, 100.0 * coverage.observed()],
            0.0,
            RECOMMENDED,
            1.0,
        );
    }
    chart.note(0.03, 0.08, "start", "above: too cautious");
    chart.note(0.97, 0.96, "end", "below: too sure of itself");
    chart.legend(Mark::Dot, RECOMMENDED, "observed, 95 % interval");
    chart.legend(Mark::Dashes, GREY, "as it should be");
    chart.finish()
}
