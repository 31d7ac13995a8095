//! What each rule of recommending would deploy after the same evaluations.

use crate::flights::space::Knob;
use crate::report::Report;
use crate::report::html::{escape, gain};
use crate::report::sections::table;
use crate::run::disk::record::Proposal;

/// The tuned gains by each rule; nothing for a record that has none, or one only.
pub fn proposals(report: &Report) -> String {
    let proposals = &report.recorded.proposals;
    if proposals.len() < 2 {
        return String::new();
    }
    let titles: Vec<String> = std::iter::once("gain".to_owned())
        .chain(proposals.iter().map(|p| title(report, p)))
        .collect();
    let titles: Vec<&str> = titles.iter().map(String::as_str).collect();
    let rows = report.knobs.iter().map(|knob| row(knob, proposals));
    format!(
        "<p>After the same evaluations the rules of recommending would deploy these. Only the run’s own, which is marked, and \
         the observed ones are tested; <code>bo compare --recommenders</code> tests all.</p>\n{}",
        table(&titles, rows.collect())
    )
}

/// The rule's name, marked where it chose what the run recommends.
fn title(report: &Report, proposal: &Proposal) -> String {
    let name = escape(&proposal.recommender);
    match report.recorded.recommended.choice.as_ref() == Some(&proposal.choice) {
        true => format!("<b class=\"recommended\">▲</b> {name}"),
        false => name,
    }
}

fn row(knob: &Knob, proposals: &[Proposal]) -> Vec<String> {
    let value = |p: &Proposal| p.gains.get(knob.gain.name).copied();
    let cells = proposals
        .iter()
        .map(|p| value(p).map_or_else(|| "–".to_owned(), gain));
    std::iter::once(format!("<code>{}</code>", escape(knob.gain.name)))
        .chain(cells)
        .collect()
}
