//! The honest protocol: both recommenders, intervals, medians, crashes, and paired differences
//! whose intervals hold together.

use crate::comparison::tables::summary::{Block, Difference, Entry, Row, Summary};
use crate::comparison::tables::table_3::{in_words, table_3};
use crate::table::Table;
use std::fmt::Write;

/// Every block as a Markdown table.
pub fn honest_table(summary: &Summary, held_out_winds: u64) -> String {
    let mut text = String::new();
    for block in &summary.blocks {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{}", heading(block));
        text += &table(block).markdown();
        text.push('\n');
        if block.rows.iter().any(|row| !row.by_rule.is_empty()) {
            let _ = writeln!(
                text,
                "The same tuning flights by other rules of recommending:\n"
            );
            text += &rules(block).markdown();
            text.push('\n');
        }
    }
    let _ = write!(
        text,
        "ACE of {} in metres in {held_out_winds} held-out winds a seed, a lost flight counts 2 m; mean over {} seeds with \
         its 95 % interval, and median.\n\
         Recommended: centroid of the ten visited points with the least posterior mean (gp-level-set: the centre of its \
         level set; random search: by the belief of `gp`; CMA-ES: the centre of its search). Observed: the best single flight, as in the paper.\n\
         Differences are of the recommended gains, seed by seed; negative is better. Their intervals hold together \
         for all {} differences of this comparison (Bonferroni); in brackets the seeds in which the difference is \
         negative. The best baseline is the one with the least mean here, which favours it.\n\
         Paper: its Table 3 as printed, observed gains, mean ± greatest deviation over five runs on its own \
         simulator, whose test winds it does not name; the two scales are not one.\n",
        summary.airframe,
        summary.seeds.len(),
        summary.comparisons,
    );
    text
}

fn heading(block: &Block) -> String {
    format!(
        "### {}, trained in {}, tested in {} wind\n",
        block.trajectory,
        block.training.name(),
        block.domain
    )
}

fn table(block: &Block) -> Table {
    let baseline = match block.best_baseline {
        Some(name) => format!("minus best baseline ({name})"),
        None => "minus best baseline".to_owned(),
    };
    let head = [
        "",
        "recommended",
        "median",
        "lost",
        "observed",
        "median",
        "lost",
        "lost in training",
        "minus gp",
        &baseline,
        "paper",
    ];
    let rows = block.rows.iter().map(|row| line(row, block.trajectory));
    Table::of_numbers(head).with(rows)
}

fn rules(block: &Block) -> Table {
    let head = ["", "rule", "mean", "median", "lost", "minus observed"];
    let rows = block.rows.iter().flat_map(|row| {
        row.by_rule.iter().map(|rule| {
            let mut cells = vec![row.label.clone(), rule.recommender.to_owned()];
            cells.extend(entry_cells(Some(&rule.entry)));
            let difference = rule.to_observed.as_ref();
            cells.push(difference.map_or(String::new(), difference_cell));
            cells
        })
    });
    Table::of_numbers(head).with(rows)
}

fn line(row: &Row, trajectory: &str) -> Vec<String> {
    let mut cells = vec![row.label.clone()];
    for entry in [&row.recommended, &row.observed] {
        cells.extend(entry_cells(entry.as_ref()));
    }
    cells.push(
        row.lost_in_training
            .map_or(String::new(), |lost| format!("{lost:.1}")),
    );
    for difference in [&row.to_gp, &row.to_best_baseline] {
        cells.push(difference.as_ref().map_or(String::new(), difference_cell));
    }
    let printed = table_3(row.method, trajectory).map(in_words);
    cells.push(printed.unwrap_or_default());
    cells
}

fn entry_cells(entry: Option<&Entry>) -> [String; 3] {
    match entry {
        Some(entry) => [
            entry.mean.plus_minus(3),
            format!("{:.3}", entry.median_m),
            format!("{:.1} %", 100.0 * entry.lost),
        ],
        None => Default::default(),
    }
}

fn difference_cell(difference: &Difference) -> String {
    let Difference { interval, wins } = difference;
    let range = interval.signed_range();
    match interval.half_width {
        Some(_) => format!("{range} ({wins}/{})", interval.count),
        None => range,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comparison::tables::summary::tests::summary;

    #[test]
    fn every_block_and_row_is_printed_with_its_differences() {
        let text = honest_table(&summary(), 3);
        assert!(text.contains("### hover, trained in mixture, tested in gusty wind"));
        assert!(text.contains("### hover, trained in steady, tested in steady wind"));
        assert!(text.contains("minus best baseline (default)"), "{text}");
        assert!(text.contains("+0.200 [+0.200, +0.200] (0/2)"), "{text}");
        assert!(text.contains("for all 16 differences"), "{text}");
        assert_eq!(text.matches("| random search").count(), 4);
    }
}
