//! What the surrogate believes along each gain, and how much hangs on it.

use crate::flights::space::Knob;
use crate::report::html::{escape, percent};
use crate::report::sections::{table, wide_figure};
use crate::report::{Report, charts};

/// Importance of the gains, and slices along them.
pub fn along(report: &Report) -> String {
    let surrogate = escape(report.recorded.settings.surrogate);
    let Some(along) = &report.along else {
        return format!("<p>{surrogate} cannot be fitted to the evaluations of this run.</p>\n");
    };
    let caption = "Posterior mean of the cost and its band along each gain, the others as recommended, which the dashed line marks. Dots are evaluations, \
                   the fainter the farther off the slice; crosses at the upper edge are lost ones: where they crowd, flights are lost.";
    let slices = charts::slices(&report.recorded, &report.knobs, along);
    let slices = slices.iter().map(|drawing| wide_figure(drawing, caption));
    importance(report) + &slices.collect::<String>()
}

fn importance(report: &Report) -> String {
    let Some(indices) = &report.importance else {
        return "<p>The posterior mean is the same everywhere between the evaluations: no gain matters more than another.</p>\n".to_owned();
    };
    let mut gains: Vec<(&Knob, f64)> = report.knobs.iter().zip(indices.iter().copied()).collect();
    gains.sort_by(|a, b| b.1.total_cmp(&a.1));
    let row = |(knob, index): &(&Knob, f64)| {
        let long = 100.0 * index.clamp(0.0, 1.0);
        vec![
            format!("<code>{}</code>", escape(knob.gain.name)),
            format!("<span class=\"bar\"><span style=\"width: {long:.1}%\"></span></span>"),
            percent(*index),
        ]
    };
    let rows = gains.iter().map(row).collect();
    format!(
        "{}<p>Importance is the total-effect index of Sobol’ of the posterior mean of the log cost: the share of its variance, over the \
         box that the evaluations span which were not lost, that is left where all other gains are known. Gains that act together \
         are counted in each, so the sum may exceed 100 %. It says what the surrogate believes, not what was flown: the \
         sensitivity above is flown, near the recommended gains.</p>\n",
        table(&["gain", "importance", ""], rows)
    )
}
