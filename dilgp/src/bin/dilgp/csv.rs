//! CSV: a file of numbers, row by row, as RFC 4180 describes it.
//!
//! Cells are parted by commas and may be quoted; lines end in LF or CRLF; blank lines are
//! skipped; a byte-order mark is ignored. The first line is a header if none of its cells is a
//! number and none is empty. Every fault is reported with its line and column.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use shell::files::{self, FileError};

use shell::Failure;

/// Letters of a faulty cell that an error repeats.
const MOST_LETTERS: usize = 60;

/// One line of a file, cell by cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Its number, from 1 (that of its first line, where a quoted cell holds line breaks).
    pub number: usize,
    /// Its cells, without quotation marks and white space around them.
    pub cells: Vec<String>,
}

/// A file of numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct NumberFile {
    /// Where it was read from.
    pub path: PathBuf,
    /// The number of its first line.
    pub first_line: usize,
    /// The header, if it has one.
    pub names: Option<Vec<String>>,
    /// The numbers, at least one row; every row as long as the first.
    pub rows: Vec<Vec<f64>>,
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

impl NumberFile {
    /// Reads the file at `path`.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        Self::from_lines(path, lines(path)?).map_err(Failure::in_file(path))
    }

    fn from_lines(path: &Path, mut lines: Vec<Line>) -> Result<Self, String> {
        let first = lines[0].clone();
        let is_name = |cell: &String| !cell.is_empty() && cell.parse::<f64>().is_err();
        let names = first.cells.iter().all(is_name);
        let names = names.then(|| lines.remove(0).cells);
        if let Some(names) = &names {
            check_names(names, first.number)?;
        }
        let width = first.cells.len();
        if width == 1 {
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
        let rows = lines.iter().map(|line| numbers(line, width));
        let rows = rows.collect::<Result<Vec<_>, String>>()?;
        if rows.is_empty() {
            return Err(too_few(0, 1));
        }
        Ok(Self {
            path: path.to_owned(),
            first_line: first.number,
            names,
            rows,
        })
    }

    /// Number of columns, at least 2.
    pub fn columns(&self) -> usize {
        self.rows[0].len()
    }
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

fn numbers(line: &Line, width: usize) -> Result<Vec<f64>, String> {
    // A missing cell is reported where it is missing, before the count of cells is.
    let all: Vec<usize> = (0..line.cells.len()).collect();
    let parsed = line.numbers(&all)?;
    line.expect_cells(width, ", but the lines before have")?;
    Ok(parsed)
}

impl Line {
    /// The numbers in some of its columns, from 0.
    pub fn numbers(&self, columns: &[usize]) -> Result<Vec<f64>, String> {
        let cells = columns.iter();
        let number = |&column: &usize| {
            let number = parse_number(&self.cells[column]);
            let place = || format!("line {}, column {}", self.number, column + 1);
            number.map_err(|fault| format!("{}: {fault}", place()))
        };
        cells.map(number).collect()
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
        _ if cell.is_empty() => return Err("the cell is empty".to_owned()),
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

    fn read(text: &str) -> Result<NumberFile, String> {
        NumberFile::from_lines(Path::new("f"), parse(text.as_bytes())?)
    }

    #[test]
    fn a_header_differs_from_data() {
        let with = read("\u{feff}a, b\r\n1,2\r\n\r\n3,\"4e1\"\r\n").unwrap();
        assert_eq!(with.names, Some(vec!["a".to_owned(), "b".to_owned()]));
        assert_eq!(with.rows, [[1.0, 2.0], [3.0, 40.0]]);
        let without = read("1,2\n3,4").unwrap();
        assert_eq!((without.names, without.rows.len()), (None, 2));
    }

    #[test]
    fn quoted_cells_hold_commas_quotes_and_line_breaks() {
        let lines = parse(b"\"a,b\",\"c\"\"d\",\"e\nf\"\n1,2,3\n").unwrap();
        assert_eq!(lines[0].cells, ["a,b", "c\"d", "e\nf"]);
        assert_eq!((lines[1].number, lines[1].cells.len()), (3, 3));
    }
}
