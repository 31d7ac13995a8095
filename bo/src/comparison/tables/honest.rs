//! The honest protocol: both recommenders, intervals, medians, crashes, and paired differences
//! whose intervals hold together.

use crate::comparison::tables::summary::{Block, Difference, Entry, Row, Summary, TrainingLosses};
use crate::comparison::tables::table_3::{in_words, table_3};
use crate::table::Table;
use std::fmt::Write;

/// Every block as a Markdown table.
pub fn honest_table(summary: &Summary, held_out_winds: u64) -> String {
    let mut text = String::new();
    for block in &summary.blocks {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{}", heading(block));
        text += &table(block, summary.reference).markdown();
        text.push('\n');
    }
    for losses in &summary.losses {
        let (trajectory, training) = (losses.trajectory, losses.training.name());
        let _ = writeln!(
            text,
            "### {trajectory}, trained in {training}: evaluations lost\n"
        );
        text += &lost(losses, summary.reference).markdown();
        text.push('\n');
    }
    text + &legend(summary, held_out_winds)
}

/// What the numbers are.
fn legend(summary: &Summary, held_out_winds: u64) -> String {
    let compared =
        |losses: &&TrainingLosses| losses.rows.iter().any(|row| row.to_reference.is_some());
    let apart = summary.losses.iter().find(compared).map(|losses| {
        let all = losses.comparisons;
        format!(" Those of lost evaluations hold together apart from these ({all} in all).")
    });
    let apart = apart.unwrap_or_default();
    format!(
        "ACE of {} in metres in {held_out_winds} held-out winds a seed, a lost flight counts 2 m; mean over {} seeds with \
         its 95 % interval, and median.\n\
         Recommended: centroid of the ten visited points with the least posterior mean (gp-level-set: the centre of its \
         level set; auto: as far from its minimiser towards that centre as makes no difference that can be told; auto is told of each flight how rough its wind was, which the others are not unless `--environments` says so; random search: by the belief of `gp`; CMA-ES: the centre of its search). Observed: the best single flight, as in the paper.\n\
         Differences are of the recommended gains, seed by seed; negative is better. Their intervals hold together \
         for all {} differences of this comparison (Bonferroni); in brackets the seeds in which the difference is \
         negative.{apart} The best baseline is the one with the least mean here, which favours it.\n\
         Paper: its Table 3 as printed, observed gains, mean ± greatest deviation over five runs on its own \
         simulator, whose test winds it does not name; the two scales are not one: its ACE is a mean square, this one the root of one.\n",
        summary.airframe,
        summary.seeds.len(),
        summary.comparisons,
    )
}

fn heading(block: &Block) -> String {
    format!(
        "### {}, trained in {}, tested in {} wind\n",
        block.trajectory,
        block.training.name(),
        block.domain
    )
}

/// Heading of the differences to the reference.
fn minus(reference: Option<&str>) -> String {
    format!("minus {}", reference.unwrap_or_default())
}

fn table(block: &Block, reference: Option<&str>) -> Table {
    let baseline = block.best_baseline.unwrap_or_default();
    let head = [
        "".to_owned(),
        "recommended".to_owned(),
        "median".to_owned(),
        "lost".to_owned(),
        "observed".to_owned(),
        "median".to_owned(),
        "lost".to_owned(),
        minus(reference),
        format!("minus best baseline ({baseline})"),
        "paper".to_owned(),
    ];
    let rows = block.rows.iter().map(|row| line(row, block.trajectory));
    filled(head, rows.collect())
}

fn lost(losses: &TrainingLosses, reference: Option<&str>) -> Table {
    let head = ["".to_owned(), "lost".to_owned(), minus(reference)];
    let rows = losses.rows.iter().map(|row| {
        let difference = row.to_reference.as_ref();
        vec![
            row.label.clone(),
            row.mean.plus_minus(1),
            difference.map_or(String::new(), |difference| difference_cell(difference, 1)),
        ]
    });
    filled(head, rows.collect())
}

/// The columns in which any row has something to say.
fn filled<const N: usize>(head: [String; N], rows: Vec<Vec<String>>) -> Table {
    let kept: Vec<usize> = (0..N)
        .filter(|column| rows.iter().any(|row| !row[*column].is_empty()))
        .collect();
    let titles = kept.iter().map(|column| head[*column].clone());
    let cells = |row: &Vec<String>| kept.iter().map(|column| row[*column].clone()).collect();
    Table::of_numbers(titles).with(rows.iter().map(cells))
}

fn line(row: &Row, trajectory: &str) -> Vec<String> {
    let mut cells = vec![row.label.clone()];
    for entry in [&row.recommended, &row.observed] {
        cells.extend(entry_cells(entry.as_ref()));
    }
    for difference in [&row.to_reference, &row.to_best_baseline] {
        let difference = difference.as_ref();
        cells.push(difference.map_or(String::new(), |difference| difference_cell(difference, 3)));
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

/// A difference with its interval and the seeds in which it is negative.
fn difference_cell(difference: &Difference, digits: usize) -> String {
    let Difference { interval, wins } = difference;
    let range = interval.signed_range(digits);
    match interval.half_width {
        Some(_) => format!("{range} ({wins}/{})", interval.count),
        None => range,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comparison::plan::Plan;
    use crate::comparison::plan::method::Method;
    use crate::comparison::plan::tests::plan;
    use crate::comparison::tables::summary::tests::{finished, summary};

    #[test]
    fn every_block_and_row_is_printed_with_its_differences() {
        let text = honest_table(&summary(), 3);
        assert!(text.contains("### hover, trained in mixture, tested in gusty wind"));
        assert!(text.contains("### hover, trained in gusty, tested in steady wind"));
        assert!(text.contains("minus best baseline (default)"), "{text}");
        assert!(text.contains("+0.200 [+0.200, +0.200] (0/2)"), "{text}");
        assert!(text.contains("for all 16 differences"), "{text}");
        assert_eq!(text.matches("minus gp").count(), 4 + 2, "{text}");
        assert!(text.contains("### hover, trained in gusty: evaluations lost"));
        assert!(text.contains("apart from these (2 in all)."), "{text}");
        assert_eq!(text.matches("| random search").count(), 4 + 2);
        // Gains that nobody tuned lost nothing to compare with.
        let untuned = Plan {
            reference: Method::DefaultGains,
            ..plan()
        };
        let domains = ["gusty".to_owned()];
        let text = honest_table(&Summary::of(&untuned, &finished(&untuned), &domains), 3);
        assert!(text.contains("minus default"), "{text}");
        assert!(!text.contains("apart from these"), "{text}");
    }
}
