//! Markdown: tables that a terminal shows aligned and a page shows as tables.

/// `rows`, the head first, as a Markdown table: the first column to the left, the others to the
/// right.
///
/// # Panics
/// When there is no row or the rows differ in length.
pub fn table(rows: &[Vec<String>]) -> String {
    let columns = rows[0].len();
    assert!(rows.iter().all(|row| row.len() == columns), "ragged rows");
    let width = |column: usize| {
        let lengths = rows.iter().map(|row| row[column].chars().count());
        lengths.max().unwrap_or(0).max(3)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for (number, row) in rows.iter().enumerate() {
        for (column, (cell, width)) in row.iter().zip(&widths).enumerate() {
            let padding = " ".repeat(width - cell.chars().count());
            let (before, after) = if column == 0 {
                ("", &*padding)
            } else {
                (&*padding, "")
            };
            text += &format!("| {before}{cell}{after} ");
        }
        text += "|\n";
        if number == 0 {
            text += &rule(&widths);
        }
    }
    text
}

fn rule(widths: &[usize]) -> String {
    let mut text = String::new();
    for (column, width) in widths.iter().enumerate() {
        text += &match column {
            0 => format!("|{}", "-".repeat(width + 2)),
            _ => format!("|{}:", "-".repeat(width + 1)),
        };
    }
    text + "|\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up_whatever_the_letters() {
        let rows = [["", "ACE"], ["Matérn", "0.1 ± 0.2"], ["a", "2"]];
        let rows = rows.map(|row| row.map(str::to_owned).to_vec());
        let expected = "|        |       ACE |\n\
                        |--------|----------:|\n\
                        | Matérn | 0.1 ± 0.2 |\n\
                        | a      |         2 |\n";
        assert_eq!(table(&rows), expected);
    }
}
