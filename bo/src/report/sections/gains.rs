//! The gains themselves.

use super::{drawn, table};
use crate::flights::space::{Knob, Scale};
use crate::report::html::{escape, gain, short};
use crate::report::{Report, charts};
use crate::run::tuned_gains::End;

/// Every tuned gain with its unit, default, recommendation and bounds.
pub fn gains(report: &Report) -> String {
    let recorded = &report.recorded;
    let row = |knob: &Knob| {
        let values = [&recorded.default.gains, &recorded.recommended.gains].map(|g| knob.value(g));
        let [old, new] = values;
        let ratio = if old == 0.0 {
            "–".to_owned()
        } else {
            format!("×{:.2}", new / old)
        };
        let note = End::of(knob, new).map_or_else(String::new, |end| {
            format!("<b class=\"worse\">at the {} bound</b>", end.word())
        });
        vec![
            format!("<code>{}</code>", escape(knob.name)),
            escape(knob.unit),
            short(old),
            format!("<b>{}</b>", gain(new)),
            ratio,
            format!("{} to {}", short(knob.low), short(knob.high)),
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
    let linear = report.knobs.iter().any(|knob| knob.scale == Scale::Linear);
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
        "<h3>Gains</h3>\n{}<p>The little scale runs from bound to bound, {scale}: <b class=\"default\">▼</b> default, \
         <b class=\"recommended\">▲</b> recommended. {advice} {others}</p>\n",
        table(&head, &rows)
    )
}
