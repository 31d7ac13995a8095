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

/// Drawings side by side, each with what it shows.
fn figures(drawings: &[(String, String)]) -> String {
    let figure = |(svg, caption): &(String, String)| {
        format!("<figure>{svg}<figcaption>{caption}</figcaption></figure>")
    };
    let all: String = drawings.iter().map(figure).collect();
    format!("<div class=\"figures\">{all}</div>\n")
}

/// A table with a head; cells are HTML already.
fn table(head: &[&str], rows: &[Vec<String>]) -> String {
    let head: String = head.iter().map(|cell| format!("<th>{cell}</th>")).collect();
    let row = |cells: &Vec<String>| {
        let cells: String = cells
            .iter()
            .map(|cell| format!("<td>{cell}</td>"))
            .collect();
        format!("<tr>{cells}</tr>\n")
    };
    let rows: String = rows.iter().map(row).collect();
    format!(
        "<div class=\"wide\"><table><thead><tr>{head}</tr></thead><tbody>\n{rows}</tbody></table></div>\n"
    )
}
