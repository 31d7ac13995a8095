//! Tables: what the cells say together, by our protocol and by the paper's.

mod export;
mod sentence;
pub mod summary;

pub use export::{csv, latex};
pub use sentence::sentence;

use crate::comparison::plan::method::Program;
use crate::comparison::tables::summary::{
    Block, Difference, Entry, Outside, Row, Summary, TrainingLosses,
};
use crate::statistics::plus_minus;
use crate::table::Table;
use crate::terminal::printable;
use std::fmt::Write;

/// What the differences say, and every block as a Markdown table.
pub fn honest_table(summary: &Summary, held_out_winds: u64) -> String {
    let mut text = format!("{}\n\n", sentence(summary));
    for block in &summary.blocks {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{}", heading(block));
        text += &honest_block(block, summary.reference).markdown();
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
    let separately = summary.losses.iter().find(compared).map(|losses| {
        let all = losses.comparisons;
        format!(" Those of lost evaluations hold together separately from these ({all} in all); where all seeds agree there is none.")
    });
    let separately = separately.unwrap_or_default();
    let spread = match summary.seeds.len() {
        1 => "of one seed, which has no interval".to_owned(),
        seeds => format!(
            "mean over {seeds} seeds with its 95 % interval by Student's t, which is too short upwards where flights \
             are lost, and median"
        ),
    };
    format!(
        "ACE of {} in metres in {held_out_winds} held-out winds a seed, a lost flight counts 2 m; {spread}.\n\
         Recommended: centroid of the ten visited points with the least posterior mean, or of those near the best one where the centroid is predicted to be worse, as often of rf and mlp (gp-level-set: the centre of its \
         level set; auto: as far from its minimiser towards that centre as the flights do not distinguish; auto receives the roughness of each flight's wind as context, the others only if `--environments` says so; random search: by the posterior of `gp`; CMA-ES: the centre of its search). Observed: the best single flight, as in the paper.\n\
         Differences are of the recommended gains, seed by seed; negative is better. Their intervals hold together \
         for all {} differences of this comparison (Bonferroni); in brackets the seeds in which the difference is \
         negative.{separately} The best baseline is the one with the least mean here, which favours it.\n\
         Paper: its Table 3 as printed, observed gains, mean ± greatest deviation over five runs on its own \
         simulator, whose test winds it does not name; the two scales are not one: its ACE is a mean square, this one the root of one.\n",
        summary.airframe, summary.comparisons,
    ) + &programs(summary)
}

/// What the programs among the methods are, a line each.
fn programs(summary: &Summary) -> String {
    let line = |outside: &Outside| {
        let Program { name, command, .. } = outside.program;
        let recommends = match outside.unrecommended {
            0 => "it recommends by its own rule".to_owned(),
            cells => format!(
                "in {cells} of {} cells it recommends nothing, and its best observed gains are taken",
                outside.cells
            ),
        };
        format!(
            "{name} is the program `{}`; {recommends}.\n",
            printable(command)
        )
    };
    summary.programs.iter().map(line).collect()
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

fn honest_block(block: &Block, reference: Option<&str>) -> Table {
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
        text += &paper_block(&alike.collect::<Vec<_>>()).markdown();
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
    text + &programs(summary)
}

fn paper_block(blocks: &[&Block]) -> Table {
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

/// A cell of the paper: mean over five runs and greatest deviation from it.
pub type Printed = [f64; 2];

/// Trajectories of the paper's Table 3, in the order of its columns.
pub const TABLE_3_COLUMNS: [&str; 4] = ["hover", "fig8", "sin-forward", "spiral-up"];

/// Table 3 of Zhao et al. (AAAI 2024) as printed: average control error of the tuned quadrotor [m].
#[rustfmt::skip]
const TABLE_3: [(&str, [Printed; 4]); 6] = [
    ("rf", [[0.3740, 0.0273], [0.4444, 0.0252], [0.3962, 0.0036], [0.3871, 0.0310]]),
    ("mlp", [[0.3735, 0.0391], [0.4433, 0.0517], [0.3582, 0.0058], [0.3733, 0.0399]]),
    ("gp", [[0.3739, 0.0187], [0.4433, 0.0241], [0.3579, 0.0032], [0.3727, 0.0333]]),
    ("gp-rq", [[0.3733, 0.0213], [0.4492, 0.0293], [0.3572, 0.0040], [0.3724, 0.0283]]),
    ("gp-dp", [[0.3731, 0.0238], [0.4665, 0.0371], [0.3469, 0.0052], [0.3474, 0.0222]]),
    ("dil-gp", [[0.3610, 0.0200], [0.4081, 0.0262], [0.3367, 0.0043], [0.3349, 0.0275]]),
];

/// What Table 3 prints for the surrogate of that name on that trajectory; nothing for any other.
pub fn table_3(surrogate: &str, trajectory: &str) -> Option<Printed> {
    let column = TABLE_3_COLUMNS
        .iter()
        .position(|name| *name == trajectory)?;
    let row = TABLE_3.iter().find(|(name, _)| *name == surrogate)?;
    Some(row.1[column])
}

/// A cell as tables print it.
pub fn in_words([mean, deviation]: Printed) -> String {
    crate::statistics::plus_minus(mean, Some(deviation), 4)
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
        assert_eq!(text.matches("minus gp |").count(), 4 + 2, "{text}");
        assert!(text.contains("### hover, trained in gusty: evaluations lost"));
        assert!(
            text.contains("separately from these (2 in all); where all seeds agree there is none."),
            "{text}"
        );
        assert_eq!(text.matches("| random search").count(), 4 + 2);
        // Gains that nobody tuned lost nothing to compare with.
        let untuned = Plan {
            reference: Method::DefaultGains,
            ..plan()
        };
        let domains = ["gusty".to_owned()];
        let text = honest_table(&Summary::of(&untuned, &finished(&untuned), &domains), 3);
        assert!(text.contains("minus default"), "{text}");
        assert!(!text.contains("separately from these"), "{text}");
    }

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

    #[test]
    fn a_cell_is_found_by_surrogate_and_trajectory() {
        assert_eq!(table_3("dil-gp", "fig8"), Some([0.4081, 0.0262]));
        assert_eq!(table_3("rf", "hover"), Some([0.3740, 0.0273]));
        assert_eq!(table_3("gp-dp", "spiral-up"), Some([0.3474, 0.0222]));
        assert_eq!(table_3("dil-gp-released", "fig8"), None);
        assert_eq!(table_3("gp", "waypoints"), None);
        let cell = table_3("gp-dp", "sin-forward").map(in_words);
        assert_eq!(cell.as_deref(), Some("0.3469 ± 0.0052"));
    }
}
