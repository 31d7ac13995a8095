//! Default and recommended gains side by side.

use crate::report::Report;
use crate::report::sections::wide_figure;

/// The first held-out wind of each domain with both gains, on one colour scale.
pub fn side_by_side(report: &Report) -> String {
    wide_figure(
        &report.side_by_side,
        "The first held-out wind of each domain, flown with the default gains and with the recommended ones; one colour scale for all.",
    )
}
