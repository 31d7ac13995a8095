//! Export: the numbers of the tables for other programs: as comma-separated values, and for LaTeX.

use crate::comparison::tables::summary::{Block, Difference, Entry, Row, Summary};
use std::fmt::Write;

/// The numbers of a row: their names, and the heads of those that LaTeX gets.
const COLUMNS: [(&str, &str); 14] = [
    ("recommended_mean_m", "recommended"),
    ("recommended_half_width_m", r"$\pm$"),
    ("recommended_median_m", "median"),
    ("recommended_lost", "lost"),
    ("observed_mean_m", ""),
    ("observed_half_width_m", ""),
    ("observed_median_m", ""),
    ("observed_lost", ""),
    ("minus_reference_m", "minus "),
    ("minus_reference_low_m", "low"),
    ("minus_reference_high_m", "high"),
    ("minus_best_baseline_m", "minus "),
    ("minus_best_baseline_low_m", "low"),
    ("minus_best_baseline_high_m", "high"),
];

fn numbers(row: &Row) -> Vec<Option<f64>> {
    let entry = |entry: &Option<Entry>| {
        let of = |number: fn(&Entry) -> Option<f64>| entry.as_ref().and_then(number);
        [
            of(|entry| Some(entry.mean.mean)),
            of(|entry| entry.mean.half_width),
            of(|entry| Some(entry.median_m)),
            of(|entry| Some(entry.lost)),
        ]
    };
    let difference = |difference: &Option<Difference>| {
        let interval = difference.as_ref().map(|difference| &difference.interval);
        let ends = interval.filter(|interval| interval.half_width.is_some());
        [
            interval.map(|interval| interval.mean),
            ends.map(|interval| interval.low()),
            ends.map(|interval| interval.high()),
        ]
    };
    let entries = [&row.recommended, &row.observed].map(entry).concat();
    let differences = [&row.to_reference, &row.to_best_baseline].map(difference);
    [entries, differences.concat()].concat()
}

/// A line for each row of each block, numbers to the last digit; what a row has not is left empty. Shares of lost
/// flights are from 0 to 1.
pub fn csv(summary: &Summary) -> String {
    let names = COLUMNS.map(|(name, _)| name).join(",");
    let mut text =
        format!("trajectory,training,domain,method,seeds,reference,best_baseline,{names}\n");
    for block in &summary.blocks {
        for row in &block.rows {
            let cells = numbers(row).into_iter();
            let cells =
                cells.map(|number| number.map_or(String::new(), |number| number.to_string()));
            // Writing to a String cannot fail.
            let _ = writeln!(
                text,
                "{},{},{},{},{},{},{},{}",
                block.trajectory,
                block.training.name(),
                block.domain,
                row.method,
                summary.seeds.len(),
                summary.reference.unwrap_or_default(),
                block.best_baseline.unwrap_or_default(),
                cells.collect::<Vec<_>>().join(",")
            );
        }
    }
    text
}

/// A `tabular` for each block, of the columns that any row fills; it needs the packages booktabs and siunitx.
pub fn latex(summary: &Summary) -> String {
    let seeds = summary.seeds.len();
    let mut text = format!(
        "% ACE in metres, mean over {seeds} seeds with 95 % interval; differences hold together.\n\
         % \\usepackage{{booktabs,siunitx}}\n"
    );
    for block in &summary.blocks {
        text += &tabular(summary, block);
    }
    text
}

fn tabular(summary: &Summary, block: &Block) -> String {
    let rows: Vec<(&Row, Vec<Option<f64>>)> =
        block.rows.iter().map(|row| (row, numbers(row))).collect();
    let filled = |k: &usize| rows.iter().any(|(_, numbers)| numbers[*k].is_some());
    let kept = (0..COLUMNS.len()).filter(|k| !COLUMNS[*k].1.is_empty());
    let kept: Vec<usize> = kept.filter(filled).collect();
    let others = [summary.reference, block.best_baseline].map(Option::unwrap_or_default);
    let head = |k: &usize| {
        let other = match COLUMNS[*k].0 {
            "minus_reference_m" => others[0],
            "minus_best_baseline_m" => others[1],
            _ => "",
        };
        format!(" & {{{}{}}}", COLUMNS[*k].1, escaped(other))
    };
    let line = |(row, numbers): &(&Row, Vec<Option<f64>>)| {
        let cell =
            |k: &usize| numbers[*k].map_or(" &".to_owned(), |number| format!(" & {number:.3}"));
        let cells: String = kept.iter().map(cell).collect();
        format!("{}{cells} \\\\\n", escaped(&row.label))
    };
    format!(
        "\n% {}, trained in {}, tested in {} wind\n\\begin{{tabular}}{{l{}}}\n\\toprule\n{} \\\\\n\\midrule\n{}\\bottomrule\n\\end{{tabular}}\n",
        block.trajectory,
        block.training.name(),
        block.domain,
        " S[table-format=-1.3]".repeat(kept.len()),
        kept.iter().map(head).collect::<String>().trim_start(),
        rows.iter().map(line).collect::<String>()
    )
}

/// `name` with what LaTeX would obey as text.
fn escaped(name: &str) -> String {
    let mut text = String::new();
    for letter in name.chars() {
        match letter {
            '\\' => text += r"\textbackslash{}",
            '^' | '~' => {
                let _ = write!(text, r"\{letter}{{}}");
            }
            '#' | '$' | '%' | '&' | '_' | '{' | '}' => {
                let _ = write!(text, r"\{letter}");
            }
            _ => text.push(letter),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comparison::tables::summary::tests::summary;

    #[test]
    fn every_row_is_a_line_with_all_its_numbers() {
        let text = csv(&summary());
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 1 + 4 * 3);
        let head: Vec<&str> = lines[0].split(',').collect();
        let random: Vec<&str> = lines[2].split(',').collect();
        assert_eq!(head.len(), 7 + COLUMNS.len());
        assert!(
            lines
                .iter()
                .all(|line| line.split(',').count() == head.len())
        );
        let value = |name: &str| {
            let column = head.iter().position(|own| *own == name);
            random[column.expect("a column")]
        };
        assert_eq!((value("method"), value("reference")), ("random", "gp"));
        let mean: f64 = value("recommended_mean_m").parse().expect("a number");
        assert!((mean - 0.235).abs() < 1e-12, "{mean}");
        let minus: f64 = value("minus_reference_m").parse().expect("a number");
        assert!((minus + 0.1).abs() < 1e-12, "{minus}");
        assert_eq!(
            lines[1].split(',').nth(11),
            Some(""),
            "nothing was observed"
        );
    }

    #[test]
    fn latex_has_a_cell_for_each_column_and_obeys_no_name() {
        let mut summary = summary();
        summary.blocks[0].rows[1].label = r"a_b & 5% \x".to_owned();
        let text = latex(&summary);
        assert_eq!(text.matches("\\begin{tabular}").count(), 4);
        assert!(
            text.contains(r"a\_b \& 5\% \textbackslash{}x & 0.235 & "),
            "{text}"
        );
        let first = text.split("\\end{tabular}").next().expect("a block");
        let columns = first.matches("table-format").count();
        assert_eq!(columns, 10, "{first}");
        assert!(
            first.contains("{minus gp} & {low} & {high} & {minus default} & "),
            "{first}"
        );
        let rows = first.lines().filter(|line| line.ends_with(r"\\"));
        for row in rows {
            let cells = row.replace(r"\&", "").matches('&').count();
            assert_eq!(cells, columns, "{row}");
        }
    }
}
