//! Sections: the words, tables and drawings of one run.

mod calibration;
mod environments;
mod evaluations;
mod gains;
mod held_out;
mod oscillation;
mod replay;
mod reproduce;
mod sensitivity;
mod verdict;

pub use calibration::calibration;
pub use environments::environments;
pub use evaluations::{convergence, lost};
pub use gains::gains;
pub use held_out::held_out;
pub use oscillation::oscillation;
pub use replay::replay;
pub use reproduce::reproduce;
pub use sensitivity::sensitivity;
pub use verdict::verdict;

use crate::report::html::escape;
use crate::table::Table;

/// A drawing, or why there is none.
type Drawing = Result<String, plots::Error>;

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
fn figures(drawings: &[(Drawing, String)]) -> String {
    let figure = |(drawing, caption): &(Drawing, String)| {
        let drawing = drawn(drawing);
        format!("<figure>{drawing}<figcaption>{caption}</figcaption></figure>")
    };
    let all: String = drawings.iter().map(figure).collect();
    format!("<div class=\"figures\">{all}</div>\n")
}

/// A table as wide as the page; titles and cells are HTML already.
fn table(titles: &[&str], rows: Vec<Vec<String>>) -> String {
    let table = Table::of_words(titles.iter().copied()).with(rows);
    format!("<div class=\"wide\">{}</div>\n", table.html())
}
