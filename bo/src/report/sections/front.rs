//! Front: gains of the trade-off, one after the other along a slider.

use super::loops::{Hovering, outline};
use super::table;
use crate::flights::space::Knob;
use crate::report::analysis::trade_off::{Axis, TradeOff, Traded};
use crate::report::html::escape;

/// Most gains along the slider.
const MOST: usize = 9;

/// Gains of both fronts, evenly spread by rising error, at most `most`.
pub fn spread(found: &TradeOff, most: usize) -> Vec<&Traded> {
    let mut fronts = found.front(Axis::Activity);
    fronts.extend(found.front(Axis::Phase));
    fronts.sort_by(|a, b| a.error_m.total_cmp(&b.error_m));
    fronts.dedup_by_key(|traded| traded.evaluation);
    let last = fronts.len().saturating_sub(1);
    let kept = fronts.len().min(most);
    let at = (0..kept).map(|k| fronts[k * last / kept.saturating_sub(1).max(1)]);
    at.collect()
}

/// A slider along the fronts of the run that commands call `name`, with what each gains do beside the `default` ones;
/// `hovering` is the vehicle with some gains. Nothing where there are fewer than two.
pub fn front(
    found: &TradeOff,
    knobs: &[Knob],
    name: &str,
    default: &Hovering,
    hovering: impl Fn(&Traded) -> Hovering,
) -> String {
    let points = spread(found, MOST);
    if points.len() < 2 {
        return String::new();
    }
    let off = |traded: &Traded| (traded.error_m / found.recommended.error_m).ln().abs();
    let nearest = (0..points.len()).min_by(|a, b| off(points[*a]).total_cmp(&off(points[*b])));
    let shown: Vec<String> = points
        .iter()
        .map(|traded| {
            let number = traded.evaluation.unwrap_or_default();
            let [error, activity, phase, gain, disk] = traded.cells();
            let demand = found.demand(traded, Axis::Activity);
            let command = demand.map_or(String::new(), |demand| {
                format!("<pre>bo export {} --to AUTOPILOT --at {demand}</pre>\n", escape(name))
            });
            format!(
                "<div class=\"point\"><p><b>Evaluation {number}</b>: error {error}, motor activity {activity}, phase {phase}, gain \
                 {gain}, disk {disk}.</p>\n{command}{}{}</div>\n",
                gains(found, traded, knobs),
                outline(&[default, &hovering(traded)])
            )
        })
        .collect();
    format!(
        "<div class=\"front\"><p><label>Along the fronts, by rising error: <input type=\"range\" min=\"0\" max=\"{}\" \
         value=\"{}\"></label></p>\n{}</div>\n",
        points.len() - 1,
        nearest.unwrap_or_default(),
        shown.concat()
    )
}

fn gains(found: &TradeOff, traded: &Traded, knobs: &[Knob]) -> String {
    let all = [
        ("default", &found.default),
        ("recommended", &found.recommended),
        ("these", traded),
    ];
    let row = |(name, of): (&str, &Traded)| {
        let values = knobs.iter().map(|knob| knob.gain.value(&of.gains));
        let cells = values.map(|value| format!("{value:.4}"));
        std::iter::once(name.to_owned()).chain(cells).collect()
    };
    let names = knobs.iter().map(|knob| knob.gain.name);
    let titles: Vec<&str> = std::iter::once("gains").chain(names).collect();
    table(&titles, all.map(row).to_vec())
}
