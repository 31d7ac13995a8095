//! CSV: a file of cells, row by row, as RFC 4180 describes it.
//!
//! Cells are parted by commas and may be quoted; lines end in LF or CRLF; blank lines are
//! skipped; a byte-order mark is ignored. The first line is a header if none of its cells is a
//! number and none but the first is empty. Every fault is reported with its line and column.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use shell::Failure;
use shell::files::{self, FileError};
use shell::names::rather;

/// Letters of a faulty cell that an error repeats.
const MOST_LETTERS: usize = 60;

/// How pandas names the index of a file that it wrote, where it reads that; in the file itself the
/// name is empty.
const PANDAS_INDEX: &str = "Unnamed: 0";

/// What is wrong with a cell without content.
const EMPTY: &str = "the cell is empty";

/// One line of a file, cell by cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Its number, from 1 (that of its first line, where a quoted cell holds line breaks).
    pub number: usize,
    /// Its cells, without quotation marks and white space around them.
    pub cells: Vec<String>,
}

/// A file of rows, each as long as the first.
#[derive(Debug, Clone, PartialEq)]
pub struct DataFile {
    /// Where it was read from.
    pub path: PathBuf,
    /// The number of its first line.
    pub first_line: usize,
    /// Whether it has a header.
    pub has_header: bool,
    /// Place, from 0, and name of its columns but for the index that pandas writes, at least 2;
    /// without a header they are called x0, x1 and so on.
    pub columns: Vec<(usize, String)>,
    /// The rows, at least one.
    pub lines: Vec<Line>,
}

/// The lines of the file at `path`, blank ones left out.
pub fn lines(path: &Path) -> Result<Vec<Line>, Failure> {
    let bytes = files::read(path, files::MOST_DATA);
    let bytes = bytes.map_err(FileError::read(path))?;
    parse(&bytes).map_err(Failure::in_file(path))
}

fn parse(bytes: &[u8]) -> Result<Vec<Line>, String> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let whole = &bytes[..error.valid_up_to()];
        let line = 1 + whole.iter().filter(|b| **b == b'\n').count();
        format!("line {line}: not UTF-8 text")
    })?;
    let mut rest = text.strip_prefix('\u{feff}').unwrap_or(text);
    let (mut number, mut lines) = (1, Vec::new());
    while !rest.is_empty() {
        let (line, after) = split_line(rest, number)?;
        if line.cells.len() > 1 || !line.cells[0].is_empty() {
            lines.push(line);
        }
        number += rest[..rest.len() - after.len()].matches('\n').count();
        rest = after;
    }
    if lines.is_empty() {
        return Err("the file is empty".to_owned());
    }
    Ok(lines)
}

/// The first line of `text`, and what follows it.
fn split_line(text: &str, number: usize) -> Result<(Line, &str), String> {
    let mut cells = vec![String::new()];
    let mut quoted = false;
    let mut letters = text.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        let column = cells.len();
        let cell = &mut cells[column - 1];
        match letter {
            '"' if quoted && letters.next_if(|(_, next)| *next == '"').is_some() => cell.push('"'),
            '"' => quoted = !quoted,
            _ if quoted => cell.push(letter),
            ',' => cells.push(String::new()),
            '\n' => return Ok((line(number, cells), &text[at + 1..])),
            _ => cell.push(letter),
        }
    }
    if quoted {
        let column = cells.len();
        return Err(format!(
            "line {number}, column {column}: the quotation mark is never closed"
        ));
    }
    Ok((line(number, cells), ""))
}

fn line(number: usize, cells: Vec<String>) -> Line {
    Line {
        number,
        cells: cells.iter().map(|cell| cell.trim().to_owned()).collect(),
    }
}

impl DataFile {
    /// Reads the file at `path`.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        Self::from_lines(path, lines(path)?).map_err(Failure::in_file(path))
    }

    fn from_lines(path: &Path, mut lines: Vec<Line>) -> Result<Self, String> {
        let first = lines[0].clone();
        let width = first.cells.len();
        let is_name = |cell: &String| cell.parse::<f64>().is_err();
        let has_header =
            first.cells.iter().all(is_name) && !first.cells[1..].iter().any(String::is_empty);
        if has_header {
            check_names(&lines.remove(0).cells, first.number)?;
        }
        let column = |(place, cell): (usize, &String)| match has_header {
            true => Some((place, cell.clone())).filter(|_| !is_index(cell)),
            false => Some((place, format!("x{place}"))),
        };
        let columns: Vec<_> = first.cells.iter().enumerate().filter_map(column).collect();
        if columns.len() < 2 {
            let has = |mark| first.cells[0].contains(mark);
            let instead = match (has(';'), has('\t')) {
                (true, _) => "; commas part columns, here semicolons do",
                (_, true) => "; commas part columns, here tabulators do",
                _ => "",
            };
            return Err(format!(
                "line {}: one column; a target and at least one input are needed{instead}",
                first.number
            ));
        }
        for line in &lines {
            // A missing cell is reported where it is missing, before the count of cells is.
            let cells = (0..line.cells.len()).filter(|_| line.cells.len() != width);
            cells
                .map(|place| line.word(place))
                .collect::<Result<Vec<_>, _>>()?;
            line.expect_cells(width, ", but the lines before have")?;
        }
        if lines.is_empty() {
            return Err(too_few(0, 1));
        }
        Ok(Self {
            path: path.to_owned(),
            first_line: first.number,
            has_header,
            columns,
            lines,
        })
    }

    /// The place of the column of that name.
    ///
    /// # Errors
    /// None has it.
    pub fn place(&self, name: &str) -> Result<usize, String> {
        let found = self.columns.iter().find(|(_, known)| known == name);
        found.map(|(place, _)| *place).ok_or_else(|| {
            let known = self.columns.iter().map(|(_, known)| known.as_str());
            let rather = rather(name, &known.collect::<Vec<_>>().join(", "));
            format!(
                "line {}: no column is named `{name}`{rather}",
                self.first_line
            )
        })
    }
}

/// Whether a name in a header is that of an index.
fn is_index(name: &str) -> bool {
    name.is_empty() || name.starts_with(PANDAS_INDEX)
}

/// The different words among `cells`: numbers by size, then the others by the alphabet.
pub fn levels<'a>(cells: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut levels: Vec<&str> = cells.collect();
    let size = |cell: &str| cell.parse::<f64>().unwrap_or(f64::NAN);
    // In the total order NaN is the largest.
    levels.sort_by(|a, b| size(a).total_cmp(&size(b)).then(a.cmp(b)));
    levels.dedup();
    levels
}

/// The fault of a file with too few rows.
pub fn too_few(found: usize, needed: usize) -> String {
    format!("{found} row(s) of data; at least {needed} are needed")
}

fn check_names(names: &[String], line: usize) -> Result<(), String> {
    let mut seen = HashSet::new();
    match names.iter().position(|name| !seen.insert(name)) {
        None => Ok(()),
        Some(index) => Err(format!(
            "line {line}, column {}: the name `{}` stands twice in the header",
            index + 1,
            names[index]
        )),
    }
}

impl Line {
    /// The numbers in some of its columns, from 0.
    pub fn numbers(&self, columns: &[usize]) -> Result<Vec<f64>, String> {
        let cells = columns.iter();
        let number = |&column: &usize| {
            parse_number(&self.cells[column]).map_err(|fault| self.fault(column, &fault))
        };
        cells.map(number).collect()
    }

    /// The cell of a column, from 0, which must not be empty.
    pub fn word(&self, column: usize) -> Result<&str, String> {
        match self.cells[column].as_str() {
            "" => Err(self.fault(column, EMPTY)),
            word => Ok(word),
        }
    }

    /// What is wrong in a column, from 0, with its place.
    pub fn fault(&self, column: usize, fault: &str) -> String {
        format!("line {}, column {}: {fault}", self.number, column + 1)
    }

    /// Refuses another number of cells; `words` say who has that number.
    pub fn expect_cells(&self, expected: usize, words: &str) -> Result<(), String> {
        let (line, found) = (self.number, self.cells.len());
        if found == expected {
            return Ok(());
        }
        Err(format!("line {line}: {found} cells{words} {expected}"))
    }
}

/// Largest number: sums of its square are still finite.
const LARGEST: f64 = 1e100;

fn parse_number(cell: &str) -> Result<f64, String> {
    let fault = match cell.parse::<f64>() {
        _ if cell.is_empty() => return Err(EMPTY.to_owned()),
        Err(_) => "is not a number",
        Ok(value) if !value.is_finite() => "is not a finite number",
        Ok(value) if value.abs() > LARGEST => {
            "is too large; errors are squared, so numbers must lie within ±1e100"
        }
        Ok(value) => return Ok(value),
    };
    let shown: String = cell.chars().take(MOST_LETTERS).collect();
    Err(format!("`{shown}` {fault}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<DataFile, String> {
        DataFile::from_lines(Path::new("f"), parse(text.as_bytes())?)
    }

    #[test]
    fn a_header_differs_from_data() {
        let with = read("\u{feff}a, b\r\n1,2\r\n\r\n3,\"4e1\"\r\n").unwrap();
        assert_eq!(with.columns, [(0, "a".to_owned()), (1, "b".to_owned())]);
        let numbers = |line: &Line| line.numbers(&[0, 1]).unwrap();
        let rows: Vec<Vec<f64>> = with.lines.iter().map(numbers).collect();
        assert_eq!(rows, [[1.0, 2.0], [3.0, 40.0]]);
        let without = read("1,2\n3,4").unwrap();
        assert_eq!((without.has_header, without.lines.len()), (false, 2));
        assert_eq!(without.place("x1"), Ok(1));
    }

    #[test]
    fn an_index_of_pandas_is_no_column() {
        for header in [",a,b", "Unnamed: 0,a,b", "a,Unnamed: 0.1,b"] {
            assert_eq!(
                read(&format!("{header}\n0,1,2\n")).unwrap().columns.len(),
                2
            );
        }
        assert!(!read("a,,b\n0,1,2\n").unwrap().has_header);
        assert!(read(",a\n0,1\n").unwrap_err().contains("one column"));
    }

    #[test]
    fn levels_are_in_order_whatever_they_are() {
        let cells = ["b", "10", "2", "1a", "2", "a"];
        assert_eq!(levels(cells.into_iter()), ["2", "10", "1a", "a", "b"]);
    }

    #[test]
    fn quoted_cells_hold_commas_quotes_and_line_breaks() {
        let lines = parse(b"\"a,b\",\"c\"\"d\",\"e\nf\"\n1,2,3\n").unwrap();
        assert_eq!(lines[0].cells, ["a,b", "c\"d", "e\nf"]);
        assert_eq!((lines[1].number, lines[1].cells.len()), (3, 3));
    }
}
