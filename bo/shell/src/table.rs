//! Table: titled columns and rows of cells, written as Markdown, as a part of a page, or as text for a
//! terminal.

/// The side of a column to which its cells keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// Columns and rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    columns: Vec<(String, Side)>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// No row yet.
    pub fn new<T: Into<String>>(columns: impl IntoIterator<Item = (T, Side)>) -> Table {
        let columns = columns.into_iter();
        Table {
            columns: columns.map(|(title, side)| (title.into(), side)).collect(),
            rows: Vec::new(),
        }
    }

    /// A column of words and behind it columns of numbers, with these titles; no row yet.
    pub fn of_numbers<T: Into<String>>(titles: impl IntoIterator<Item = T>) -> Table {
        let sides = std::iter::once(Side::Left).chain(std::iter::repeat(Side::Right));
        Table::new(titles.into_iter().zip(sides))
    }

    /// Columns of words with these titles; no row yet.
    pub fn of_words<T: Into<String>>(titles: impl IntoIterator<Item = T>) -> Table {
        Table::new(titles.into_iter().zip(std::iter::repeat(Side::Left)))
    }

    /// The same with these rows at its end.
    ///
    /// # Panics
    /// When a row has more or fewer cells than there are columns.
    pub fn with(mut self, rows: impl IntoIterator<Item = Vec<String>>) -> Table {
        for row in rows {
            assert_eq!(row.len(), self.columns.len(), "a ragged row");
            self.rows.push(row);
        }
        self
    }

    /// As Markdown that a terminal shows aligned.
    pub fn markdown(&self) -> String {
        let widths: Vec<usize> = self.widths().map(|width| width.max(3)).collect();
        let sides = self.columns.iter().map(|(_, side)| side);
        let rule = sides.zip(&widths).map(|(side, width)| match side {
            Side::Left => format!("|{}", "-".repeat(width + 2)),
            Side::Right => format!("|{}:", "-".repeat(width + 1)),
        });
        let row = |cells: &[&str]| {
            let cells = self.aligned(cells, &widths);
            format!("| {} |\n", cells.join(" | "))
        };
        let rows: String = self.cells().map(|cells| row(&cells)).collect();
        format!(
            "{}{}|\n{rows}",
            row(&self.titles()),
            rule.collect::<String>()
        )
    }

    /// As HTML; titles and cells are HTML already, and the style of the page decides the sides.
    pub fn html(&self) -> String {
        let row = |tag: &str, cells: Vec<&str>| {
            let cells = cells.into_iter();
            let scope = if tag == "th" { " scope=\"col\"" } else { "" };
            let cells = cells.map(|cell| format!("<{tag}{scope}>{cell}</{tag}>"));
            format!("<tr>{}</tr>", cells.collect::<String>())
        };
        let head = row("th", self.titles());
        let rows: String = self.cells().map(|cells| row("td", cells) + "\n").collect();
        format!("<table><thead>{head}</thead><tbody>\n{rows}</tbody></table>")
    }

    /// As lines for a terminal, behind so many spaces; without a head where no column has a title.
    pub fn text(&self, indent: usize) -> String {
        let widths: Vec<usize> = self.widths().collect();
        let row = |cells: &[&str]| {
            let line = self.aligned(cells, &widths).join("  ");
            format!("{:indent$}{}\n", "", line.trim_end())
        };
        let titles = self.titles();
        let head = match titles.iter().all(|title| title.is_empty()) {
            true => String::new(),
            false => row(&titles),
        };
        self.cells().fold(head, |text, cells| text + &row(&cells))
    }

    fn titles(&self) -> Vec<&str> {
        self.columns.iter().map(|(title, _)| &**title).collect()
    }

    fn cells(&self) -> impl Iterator<Item = Vec<&str>> {
        let rows = self.rows.iter();
        rows.map(|row| row.iter().map(String::as_str).collect())
    }

    /// Of each column, the letters of its longest cell.
    fn widths(&self) -> impl Iterator<Item = usize> {
        let columns = self.columns.iter().enumerate();
        columns.map(|(column, (title, _))| {
            let cells = self.rows.iter().map(move |row| &row[column]);
            let lengths = cells.chain([title]).map(|cell| cell.chars().count());
            lengths.max().unwrap_or(0)
        })
    }

    fn aligned(&self, cells: &[&str], widths: &[usize]) -> Vec<String> {
        let cells = cells.iter().zip(&self.columns).zip(widths);
        let aligned = cells.map(|((cell, (_, side)), width)| match side {
            Side::Left => format!("{cell:<width$}"),
            Side::Right => format!("{cell:>width$}"),
        });
        aligned.collect()
    }
}

/// A word as a cell of a CSV file (RFC 4180).
pub fn csv_cell(word: &str) -> String {
    match word.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", word.replace('"', "\"\"")),
        false => word.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let rows = [["Matérn", "0.1 ± 0.2"], ["a", "2"]];
        Table::of_numbers(["", "ACE"]).with(rows.map(|row| row.map(str::to_owned).to_vec()))
    }

    #[test]
    fn columns_line_up_whatever_the_letters() {
        let expected = "|        |       ACE |\n\
                        |--------|----------:|\n\
                        | Matérn | 0.1 ± 0.2 |\n\
                        | a      |         2 |\n";
        assert_eq!(table().markdown(), expected);
        let expected = "          ACE\nMatérn  0.1 ± 0.2\na               2\n";
        let expected = expected.replace("          ACE", "              ACE");
        assert_eq!(table().text(0), expected);
    }

    #[test]
    fn a_page_has_the_same_cells_and_a_list_without_titles_no_head() {
        let html = table().html();
        assert!(
            html.contains("<th scope=\"col\">ACE</th></tr></thead>"),
            "{html}"
        );
        assert!(html.contains("<tr><td>a</td><td>2</td></tr>\n"), "{html}");
        let list = Table::of_words(["", ""]).with([vec!["a".to_owned(), String::new()]]);
        assert_eq!(list.text(2), "  a\n");
    }

    #[test]
    #[should_panic(expected = "a ragged row")]
    fn a_row_has_a_cell_for_each_column() {
        let _ = table().with([vec!["a".to_owned()]]);
    }
}
