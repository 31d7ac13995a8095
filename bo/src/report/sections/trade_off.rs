//! Trade-off: the error of all gains flown against motor activity and against phase margin, and the gains of
//! both fronts.

use super::front::spread;
use super::{Drawing, figures, titled_table};
use crate::flights::space::Knob;
use crate::report::analysis::trade_off::{Axis, TradeOff, Traded};
use crate::report::html::escape;
use plots::TradeOffPicture;

/// Most gains of the fronts in the table, evenly spread.
const MOST_ROWS: usize = 24;

/// The section about the trade-off of the run that commands call `name`, with the slider `front` in it.
pub fn trade_off(found: &TradeOff, knobs: &[Knob], name: &str, front: &str) -> String {
    let charts = [
        (Axis::Activity, "motor activity [full ranges per s]"),
        (Axis::Phase, "least phase margin at hover [deg]"),
    ];
    let known = |axis: Axis| found.flown.iter().any(|traded| traded.on(axis).is_some());
    let drawn = charts.iter().filter(|(axis, _)| known(*axis));
    let drawn = drawn.map(|(axis, x_name)| {
        let caption = format!("Predicted error against {x_name}.");
        (chart(found, *axis, x_name), caption)
    });
    let drawn: Vec<(Drawing, String)> = drawn.collect();
    let unstable = match known(Axis::Phase) {
        true => "",
        false => " The vehicle is stable with none of these gains.",
    };
    let demands = charts.iter().filter_map(|(axis, _)| found.middle(*axis));
    let typed = demands.map(|at| format!("bo export {} --to AUTOPILOT --at {at}", escape(name)));
    let typed: Vec<String> = typed.collect();
    let typed = match &typed[..] {
        [] => "</p>".to_owned(),
        typed => format!(
            " To take gains from it:</p>\n<pre>{}</pre>",
            typed.join("\n")
        ),
    };
    format!(
        "<p>Each dot is an evaluation that finished and kept the study's limits: its error as the surrogate predicts it after all evaluations, \
         its motor activity in the wind that it met, and its least phase margin at hover with sensors {} ms late.{unstable} No gains flown better those of the \
         front in both. {}{typed}\n{}{front}{}",
        found.delay_ms,
        found.tested,
        figures(&drawn),
        table(found, knobs)
    )
}

fn chart(found: &TradeOff, axis: Axis, x_name: &str) -> Drawing {
    let at = |traded: &Traded| Some([traded.on(axis)?, traded.error_m]);
    let settings: Vec<[f64; 2]> = found.flown.iter().filter_map(at).collect();
    let front: Vec<[f64; 2]> = found.front(axis).into_iter().filter_map(at).collect();
    let named = [
        ("default gains", at(&found.default)),
        ("recommended gains", at(&found.recommended)),
    ];
    let named = named.into_iter().filter_map(|(name, at)| Some((name, at?)));
    plots::svg(&TradeOffPicture {
        title: &format!("Error against {x_name}"),
        x_name,
        y_name: "predicted error [m]",
        setting_name: "an evaluation",
        settings: &settings,
        front: &front,
        named: &named.collect::<Vec<_>>(),
    })
}

fn table(found: &TradeOff, knobs: &[Knob]) -> String {
    let spread = spread(found, MOST_ROWS).into_iter();
    let of_front = spread.map(|traded| {
        let number = traded.evaluation.unwrap_or_default();
        row(format!("evaluation {number}"), traded, knobs)
    });
    let compared = [
        row("default gains".to_owned(), &found.default, knobs),
        row("recommended gains".to_owned(), &found.recommended, knobs),
    ];
    let figures = ["", "error", "activity", "phase", "gain", "disk"];
    let gains = knobs.iter().map(|knob| knob.gain.name);
    let titles: Vec<&str> = figures.into_iter().chain(gains).collect();
    titled_table(
        "Gains of both fronts, by rising error",
        &titles,
        compared.into_iter().chain(of_front).collect(),
    )
}

fn row(name: String, traded: &Traded, knobs: &[Knob]) -> Vec<String> {
    let gains = knobs
        .iter()
        .map(|knob| format!("{:.4}", knob.gain.value(&traded.gains)));
    std::iter::once(name)
        .chain(traded.cells())
        .chain(gains)
        .collect()
}
