//! Sections: the words, tables and drawings of one run.

mod calibration;
mod evaluations;
mod flights;
mod front;
mod gains;
mod loops;
mod reproduce;
mod trade_off;
mod verdict;

pub use calibration::calibration;
pub use evaluations::{convergence, course, every, lost, so_far};
pub use flights::{held_out, oscillation, replay, side_by_side};
pub use front::front;
pub use gains::{gains, importances, slices};
pub use loops::{Hovering, loops};
pub use plots::document::titled_table;
pub use reproduce::{files, percent_encoded, reproduce};
pub use trade_off::trade_off;
pub use verdict::verdict;

use crate::report::html::escape;
use crate::table::Table;

/// A drawing, or why there is none.
pub type Drawing = Result<String, plots::Error>;

/// The drawing as it stands in the page.
fn drawn(drawing: &Drawing) -> String {
    match drawing {
        Ok(svg) => svg.clone(),
        Err(error) => format!(
            "<span class=\"note\">Not drawn: {}.</span>",
            escape(&error.to_string())
        ),
    }
}

/// Drawings side by side, each with what it shows.
pub fn figures(drawings: &[(Drawing, String)]) -> String {
    let figure = |(drawing, caption): &(Drawing, String)| {
        let drawing = drawn(drawing);
        format!("<figure>{drawing}<figcaption>{caption}</figcaption></figure>")
    };
    let all: String = drawings.iter().map(figure).collect();
    format!("<div class=\"figures\">{all}</div>\n")
}

/// A drawing as wide as the page, on light paper, which dark pages show inverted: its colour scale ends in
/// the dark.
pub fn wide_figure(drawing: &Drawing, caption: &str) -> String {
    let drawing = drawn(drawing);
    format!(
        "<figure class=\"broad\"><div class=\"wide paper\">{drawing}</div><figcaption>{caption}</figcaption></figure>\n"
    )
}

/// A table as wide as the page; titles and cells are HTML already.
pub fn table(titles: &[&str], rows: Vec<Vec<String>>) -> String {
    let table = Table::of_words(titles.iter().copied()).with(rows);
    format!("<div class=\"wide\">{}</div>\n", table.html())
}
