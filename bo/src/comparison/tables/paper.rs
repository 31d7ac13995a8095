//! The paper's protocol: deploy the best observed flight; mean ± greatest deviation over seeds, one
//! row a method and, as in its Table 3, one column a trajectory, with the paper's cell beside ours.

use crate::comparison::tables::summary::{Block, Row, Summary};
use crate::comparison::tables::table_3::{in_words, table_3};
use crate::statistics::plus_minus;
use crate::table::Table;
use std::fmt::Write;

/// One Markdown table for each training and test domain.
pub fn paper_table(summary: &Summary, held_out_winds: u64) -> String {
    let mut text = String::new();
    let mut printed: Vec<(&str, &str)> = Vec::new();
    for block in &summary.blocks {
        let (training, domain) = (block.training.name(), block.domain.as_str());
        if printed.contains(&(training, domain)) {
            continue;
        }
        printed.push((training, domain));
        // Writing to a String cannot fail.
        let _ = writeln!(text, "### Trained in {training}, tested in {domain} wind\n");
        let alike = summary
            .blocks
            .iter()
            .filter(|other| other.training == block.training && other.domain == block.domain);
        text += &table(&alike.collect::<Vec<_>>()).markdown();
        text.push('\n');
    }
    let _ = write!(
        text,
        "ACE of {} in metres with the best observed flight's gains in {held_out_winds} held-out winds a seed, a lost flight \
         counts 2 m; mean ± greatest deviation over {} seeds.\n\
         Columns `paper` are its Table 3 as printed: mean ± greatest deviation over five runs on its own simulator, \
         whose test winds it does not name; the two scales are not one.\n",
        summary.airframe,
        summary.seeds.len()
    );
    text
}

fn table(blocks: &[&Block]) -> Table {
    let mut head = vec![String::new()];
    for block in blocks {
        head.extend([block.trajectory.to_owned(), "paper".to_owned()]);
    }
    let rows = blocks[0].rows.iter().enumerate().map(|(place, row)| {
        let cells = blocks.iter().flat_map(|block| {
            let printed = table_3(row.method, block.trajectory).map(in_words);
            [cell(&block.rows[place]), printed.unwrap_or_default()]
        });
        std::iter::once(row.label.clone()).chain(cells).collect()
    });
    Table::of_numbers(head).with(rows)
}

/// Gains that nobody searched were not observed; they are what they are.
fn cell(row: &Row) -> String {
    let entry = row.observed.as_ref().or(row.recommended.as_ref());
    entry.map_or(String::new(), |entry| {
        plus_minus(entry.mean.mean, Some(entry.greatest_deviation_m), 3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comparison::tables::summary::tests::summary;

    #[test]
    fn the_observed_gains_are_printed_with_their_greatest_deviation() {
        let text = paper_table(&summary(), 3);
        assert_eq!(text.matches("### Trained in").count(), 4);
        let gp = "| GP            | 0.385 ± 0.005 | 0.3739 ± 0.0187 |";
        assert!(text.contains(gp), "{text}");
        assert!(
            text.contains("| default gains | 0.135 ± 0.005 |                 |"),
            "{text}"
        );
    }
}
