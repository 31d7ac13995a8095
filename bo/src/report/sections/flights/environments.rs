//! The environments that telemetry told apart.

use crate::flights::environments::ComponentRecord;
use crate::report::Report;
use crate::report::html::{counted, percent};
use crate::report::sections::table;

/// A row for each environment; nothing where the run inferred none.
pub fn environments(report: &Report) -> String {
    let Some(environments) = &report.recorded.environments else {
        return String::new();
    };
    let flights = counted(environments.flights.len(), "tuning flight");
    let how = if environments.drag_rate_inferred {
        "shown by the flights together"
    } else {
        "assumed, because the flights do not move enough to show it"
    };
    let method = format!(
        "From each flight’s measured velocity and attitude and its commanded thrust, in windows of one second: the \
         acceleration that thrust does not explain, divided by the drag rate ({:.2} /s, {how}), is the wind relative to the \
         vehicle. M is the length of its mean, S its spread. Two normal components on (ln(S + 0.1), M) divide the flights; \
         the one of greater S is called gusty.",
        environments.drag_rate_per_s
    );
    if environments.components.is_empty() {
        return format!(
            "<p>One environment explains the wind of the {flights} as well as two. {method}</p>\n"
        );
    }
    let row = |component: &ComponentRecord| {
        vec![
            crate::report::html::escape(&component.name),
            component.flights.to_string(),
            percent(component.share),
            format!("{:.2}", component.mean_m_s),
            format!("{:.2}", component.spread_m_s),
        ]
    };
    let rows: Vec<Vec<String>> = environments.components.iter().map(row).collect();
    let head = ["environment", "flights", "share", "M [m/s]", "S [m/s]"];
    let agreement = environments.agreement.map_or_else(String::new, |share| {
        format!(
            " {} of the flights are divided as by the domains that were drawn for them, which the inference never sees.",
            percent(share)
        )
    });
    format!("{}<p>{method}{agreement}</p>\n", table(&head, rows))
}
