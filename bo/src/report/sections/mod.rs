//! Sections: the words, tables and drawings of one run.

mod along;
mod calibration;
mod environments;
mod evaluations;
mod every;
mod files;
mod gains;
mod held_out;
mod oscillation;
mod replay;
mod reproduce;
mod sensitivity;
mod side_by_side;
mod verdict;

pub use along::along;
pub use calibration::calibration;
pub use environments::environments;
pub use evaluations::{convergence, course, lost};
pub use every::{every, so_far};
pub use files::{files, percent_encoded};
pub use gains::gains;
pub use held_out::held_out;
pub use oscillation::oscillation;
pub use replay::replay;
pub use reproduce::reproduce;
pub use sensitivity::sensitivity;
pub use side_by_side::side_by_side;
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

/// A drawing as wide as the page, on light paper: its colour scale ends in the dark.
fn wide_figure(drawing: &Drawing, caption: &str) -> String {
    let drawing = drawn(drawing);
    format!(
        "<figure class=\"broad paper\"><div class=\"wide\">{drawing}</div><figcaption>{caption}</figcaption></figure>\n"
    )
}

/// A table as wide as the page; titles and cells are HTML already.
pub fn table(titles: &[&str], rows: Vec<Vec<String>>) -> String {
    let table = Table::of_words(titles.iter().copied()).with(rows);
    format!("<div class=\"wide\">{}</div>\n", table.html())
}
