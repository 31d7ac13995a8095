//! The gains: recommended values, importances and posterior slices.

use crate::flights::space::Knob;
use crate::report::html::{escape, gain, percent, short};
use crate::report::sections::{drawn, table, wide_figure};
use crate::report::table::MARGINS;
use crate::report::{Report, charts};
use crate::run::disk::tuned_gains::End;
use search::Scale;
use sim::autopilot::Tuned;

/// Every tuned gain with its unit, default, recommendation and bounds.
pub fn gains(report: &Report) -> String {
    let rows: Vec<Vec<String>> = report
        .knobs
        .iter()
        .map(|knob| gain_row(report, knob))
        .collect();
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
        true => "A gain within 1 % of a bound is flagged: look at the margins before you widen it.",
    };
    let names = report.knobs.iter().map(|knob| knob.gain.name);
    let (old, new) = (&report.recorded.default.gains, recommended);
    let tuned = Tuned::by_names(names);
    let others = match tuned.or(&Tuned::by_change(old, new)) == tuned {
        true => "All other gains of the autopilot stay as they are.",
        false => {
            "Other gains of the airframe differ from the default ones too: an export writes them with these."
        }
    };
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
    let (moved, all) = (
        recorded
            .trials
            .iter()
            .filter(|t| t.replaced.is_some())
            .count(),
        recorded.trials.len(),
    );
    let many = match 2 * moved > all {
        true => " <b>This is many: the result may not be the best allowed one.</b>",
        false => "",
    };
    format!(
        "<p>In {moved} of {all} evaluations the search first proposed gains outside your limits; a nearby allowed set was \
         flown instead.{many} The least margins of the loops {}, in simulation:</p>\n{}",
        (recorded.settings.margins).conditions(recorded.problem.sensors.delay_periods),
        table(&MARGINS, rows.collect())
    )
}

fn gain_row(report: &Report, knob: &Knob) -> Vec<String> {
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

/// Importance of the gains, and slices along them.
pub fn slices(report: &Report) -> String {
    let surrogate = escape(report.recorded.settings.surrogate);
    let Some(slices) = &report.slices else {
        return format!("<p>{surrogate} cannot be fitted to the evaluations of this run.</p>\n");
    };
    let caption = "Posterior mean of the cost and its band along each gain, the others as recommended, which the dashed line marks. Dots are evaluations, \
                   the fainter the farther off the slice; crosses at the upper edge are lost ones: where they crowd, flights are lost.";
    let slices = charts::slices(&report.recorded, &report.knobs, slices);
    let slices = slices.iter().map(|drawing| wide_figure(drawing, caption));
    importance(report) + &slices.collect::<String>()
}

fn importance(report: &Report) -> String {
    let Some(indices) = &report.importance else {
        return "<p>The posterior mean is the same everywhere between the evaluations: no gain matters more than another.</p>\n".to_owned();
    };
    let gains = report.knobs.iter().map(|knob| knob.gain.name);
    format!(
        "{}<p>Importance is the total-effect index of Sobol’ of the predicted median cost: the share of its variance, over the \
         box that the evaluations span which were not lost, that is left where all other gains are known. Gains that act together \
         are counted in each, so the sum may exceed 100 %. It describes the posterior, not flights.</p>\n",
        importances("gain", gains.zip(indices.iter().copied()).collect())
    )
}

/// The importance of each `of`, the greatest first.
pub fn importances(of: &str, mut indices: Vec<(&str, f64)>) -> String {
    indices.sort_by(|a, b| b.1.total_cmp(&a.1));
    let row = |(name, index): &(&str, f64)| {
        let long = 100.0 * index.clamp(0.0, 1.0);
        vec![
            format!("<code>{}</code>", escape(name)),
            format!("<span class=\"bar\"><span style=\"width: {long:.1}%\"></span></span>"),
            percent(*index),
        ]
    };
    table(&[of, "importance", ""], indices.iter().map(row).collect())
}
