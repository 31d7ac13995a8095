//! The gains themselves.

use super::{drawn, table};
use crate::flights::space::Knob;
use crate::report::html::{escape, gain, short};
use crate::report::{Report, charts};
use crate::search::Scale;

/// Nearer to a bound than this share of the range, on the gain's scale, is at the bound.
const AT_BOUND: f64 = 0.01;

/// Every tuned gain with its unit, default, recommendation and bounds.
pub fn gains(report: &Report) -> String {
    let recorded = &report.recorded;
    let row = |knob: &Knob| {
        let values =
            [&recorded.default.gains, &recorded.recommended.gains].map(|g| knob.gain.value(g));
        let [old, new] = values;
        let span = knob.span();
        let ratio = if old == 0.0 {
            "–".to_owned()
        } else {
            format!("×{:.2}", new / old)
        };
        let note = match knob.parameter.unit(new) {
            u if u < AT_BOUND => "<b class=\"worse\">at the lower bound</b>",
            u if u > 1.0 - AT_BOUND => "<b class=\"worse\">at the upper bound</b>",
            _ => "",
        };
        vec![
            format!("<code>{}</code>", escape(knob.gain.name)),
            escape(knob.gain.unit),
            short(old),
            format!("<b>{}</b>", gain(new)),
            ratio,
            format!("{} to {}", short(span.low), short(span.high)),
            format!(
                "<span class=\"scale\">{}</span> {note}",
                drawn(&charts::between_bounds(knob, values))
            ),
        ]
    };
    let head = [
        "gain",
        "unit",
        "default",
        "recommended",
        "ratio",
        "bounds of the search",
        "between the bounds",
    ];
    let rows: Vec<Vec<String>> = report.knobs.iter().map(row).collect();
    let flagged = rows
        .iter()
        .filter(|row| {
            row.last()
                .is_some_and(|cell| cell.contains("class=\"worse\""))
        })
        .count();
    let linear = report
        .knobs
        .iter()
        .any(|knob| knob.span().scale == Scale::Linear);
    let scale = if linear {
        "on each gain’s own scale"
    } else {
        "on a logarithmic scale"
    };
    let advice = match flagged {
        0 => "No recommended gain is within 1 % of a bound.",
        _ => {
            "A gain within 1 % of a bound is flagged: the best value may lie beyond, so think about wider bounds."
        }
    };
    let others = "All other gains of the autopilot stay as they are.";
    format!(
        "{}<p>The little scale runs from bound to bound, {scale}: <b class=\"default\">▼</b> default, \
         <b class=\"recommended\">▲</b> recommended. {advice} {others}</p>\n",
        table(&head, rows)
    )
}
