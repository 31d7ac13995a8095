//! The gains themselves.

use crate::flights::space::Knob;
use crate::report::html::{escape, gain, short};
use crate::report::sections::{drawn, table};
use crate::report::table::MARGINS;
use crate::report::{Report, charts};
use crate::run::disk::tuned_gains::End;
use search::Scale;

/// Every tuned gain with its unit, default, recommendation and bounds.
pub fn gains(report: &Report) -> String {
    let rows: Vec<Vec<String>> = report.knobs.iter().map(|knob| row(report, knob)).collect();
    let head = [
        "gain",
        "unit",
        "default",
        "recommended",
        "ratio",
        "bounds of the search",
        "between the bounds",
    ];
    let mut spans = report.knobs.iter().map(Knob::span);
    let scale = match spans.any(|span| span.scale == Scale::Linear) {
        true => "on each gain’s own scale",
        false => "on a logarithmic scale",
    };
    let recommended = &report.recorded.recommended.gains;
    let flagged = |knob: &Knob| End::of(knob, knob.gain.value(recommended)).is_some();
    let advice = match report.knobs.iter().any(flagged) {
        false => "No recommended gain is within 1 % of a bound.",
        true => {
            "A gain within 1 % of a bound is flagged: the best value may lie beyond, so think about wider bounds."
        }
    };
    let others = "All other gains of the autopilot stay as they are.";
    format!(
        "{}<p>The little scale runs from bound to bound, {scale}: <b class=\"default\">▼</b> default, \
         <b class=\"recommended\">▲</b> recommended. {advice} {others}</p>\n{}",
        table(&head, rows),
        margins(report)
    )
}

/// The margins and their limits, where the study has some.
fn margins(report: &Report) -> String {
    let recorded = &report.recorded;
    let Some(margins) = &recorded.margins else {
        return String::new();
    };
    let rows = margins.rows(&recorded.settings.margins).into_iter();
    let rows = rows.map(|row| row.iter().map(|cell| escape(cell)).collect());
    let moved = recorded.trials.iter().filter(|t| t.replaced.is_some());
    format!(
        "<p>The least margins of the loops {}, in simulation. {} of {} evaluations were flown in place of \
         gains below a limit that the search named first.</p>\n{}",
        recorded.settings.margins.at.words(),
        moved.count(),
        recorded.trials.len(),
        table(&MARGINS, rows.collect())
    )
}

fn row(report: &Report, knob: &Knob) -> Vec<String> {
    let recorded = &report.recorded;
    let values = [&recorded.default.gains, &recorded.recommended.gains].map(|g| knob.gain.value(g));
    let [old, new] = values;
    let span = knob.span();
    let ratio = match old {
        0.0 => "–".to_owned(),
        _ => format!("×{:.2}", new / old),
    };
    let note = End::of(knob, new).map_or_else(String::new, |end| {
        format!("<b class=\"worse\">at the {} bound</b>", end.word())
    });
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
}
