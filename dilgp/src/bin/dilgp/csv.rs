//! CSV: a file of numbers, row by row, as RFC 4180 describes it.
//!
//! Cells are parted by commas and may be quoted; lines end in LF or CRLF; blank lines are
//! skipped; a byte-order mark is ignored. The first line is a header if none of its cells is a
//! number and none is empty. Every fault is reported with its line and column.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use shell::files;

use crate::error::{Error, Fault};

/// Letters of a faulty cell that an error repeats.
const MOST_LETTERS: usize = 60;

/// One line of a file, cell by cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Its number, from 1 (that of its first line, where a quoted cell holds line breaks).
    pub number: usize,
    /// Its cells, without quotation marks and surrounding white space.
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
pub fn lines(path: &Path) -> Result<Vec<Line>, Error> {
    let bytes = files::read(path, files::MOST_DATA).map_err(|source| Error::Read {
        path: path.to_owned(),
        source,
    })?;
    parse(&bytes).map_err(|fault| Error::Data {
        path: path.to_owned(),
        fault,
    })
}

fn parse(bytes: &[u8]) -> Result<Vec<Line>, Fault> {
    let text = std::str::from_utf8(bytes).map_err(|error| Fault::NotText {
        line: 1 + bytes[..error.valid_up_to()]
            .iter()
            .filter(|b| **b == b'\n')
            .count(),
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
        return Err(Fault::Empty);
    }
    Ok(lines)
}

/// The first line of `text`, and what follows it.
fn split_line(text: &str, number: usize) -> Result<(Line, &str), Fault> {
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
        return Err(Fault::OpenQuote {
            line: number,
            column: cells.len(),
        });
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
    pub fn read(path: &Path) -> Result<Self, Error> {
        Self::from_lines(path, lines(path)?).map_err(|fault| Error::Data {
            path: path.to_owned(),
            fault,
        })
    }

    fn from_lines(path: &Path, mut lines: Vec<Line>) -> Result<Self, Fault> {
        let first_line = lines[0].number;
        let is_name = |cell: &String| !cell.is_empty() && cell.parse::<f64>().is_err();
        let names = lines[0]
            .cells
            .iter()
            .all(is_name)
            .then(|| lines.remove(0).cells);
        if let Some(names) = &names {
            check_names(names, first_line)?;
        }
        let width = names.as_ref().or(lines.first().map(|line| &line.cells));
        let width = width.map_or(0, Vec::len);
        if width == 1 {
            let first = names.as_ref().or(lines.first().map(|line| &line.cells));
            let has = |mark| first.is_some_and(|cells| cells[0].contains(mark));
            let instead = match (has(';'), has('\t')) {
                (true, _) => "; commas part columns, here semicolons do",
                (_, true) => "; commas part columns, here tabulators do",
                _ => "",
            };
            let line = first_line;
            return Err(Fault::OneColumn { line, instead });
        }
        let rows: Result<Vec<_>, Fault> = lines.iter().map(|line| numbers(line, width)).collect();
        let rows = rows?;
        if rows.is_empty() {
            return Err(Fault::TooFewRows {
                found: 0,
                needed: 1,
            });
        }
        Ok(Self {
            path: path.to_owned(),
            first_line,
            names,
            rows,
        })
    }

    /// A fault of this file.
    pub fn fault(&self, fault: Fault) -> Error {
        Error::Data {
            path: self.path.clone(),
            fault,
        }
    }

    /// Number of columns, at least 2.
    pub fn columns(&self) -> usize {
        self.rows[0].len()
    }
}

fn check_names(names: &[String], line: usize) -> Result<(), Fault> {
    let mut seen = HashSet::new();
    for (index, name) in names.iter().enumerate() {
        if !seen.insert(name) {
            return Err(Fault::NameTwice {
                line,
                column: index + 1,
                name: name.clone(),
            });
        }
    }
    Ok(())
}

fn numbers(line: &Line, width: usize) -> Result<Vec<f64>, Fault> {
    let number = line.number;
    // A missing cell is reported where it is missing, before the count of cells is.
    let parsed: Result<Vec<f64>, Fault> = line
        .cells
        .iter()
        .enumerate()
        .map(|(index, cell)| parse_number(number, index + 1, cell))
        .collect();
    let parsed = parsed?;
    if parsed.len() != width {
        return Err(Fault::Ragged {
            line: number,
            found: parsed.len(),
            expected: width,
        });
    }
    Ok(parsed)
}

/// Largest number: sums of its square are still finite.
const LARGEST: f64 = 1e100;

/// The number in a cell.
pub fn parse_number(line: usize, column: usize, cell: &str) -> Result<f64, Fault> {
    if cell.is_empty() {
        return Err(Fault::Missing { line, column });
    }
    let beginning = || cell.chars().take(MOST_LETTERS).collect();
    let value: f64 = cell.parse().map_err(|_| Fault::NotANumber {
        line,
        column,
        cell: beginning(),
    })?;
    let cell = beginning();
    if !value.is_finite() {
        return Err(Fault::NotFinite { line, column, cell });
    }
    if value.abs() > LARGEST {
        return Err(Fault::TooLarge { line, column, cell });
    }
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<NumberFile, Fault> {
        NumberFile::from_lines(Path::new("f"), parse(text.as_bytes())?)
    }

    #[test]
    fn a_header_is_told_from_data() {
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

    #[test]
    fn faults_know_their_place() {
        let fault = |text| read(text).unwrap_err().to_string();
        assert_eq!(fault(" \n\n"), "the file is empty");
        assert_eq!(
            fault("a,b\n1,2\n3\n"),
            "line 3: 1 cells, but the lines before have 2"
        );
        assert_eq!(fault("1,,3\n"), "line 1, column 2: the cell is empty");
        assert_eq!(fault("1,2\n3,x\n"), "line 2, column 2: `x` is not a number");
        assert_eq!(
            fault("1,2\n3,NaN\n"),
            "line 2, column 2: `NaN` is not a finite number"
        );
        assert_eq!(
            fault("a,\"b\n1,2\n"),
            "line 1, column 2: the quotation mark is never closed"
        );
        assert_eq!(
            parse(b"1,2\n\xff\n").unwrap_err().to_string(),
            "line 2: not UTF-8 text"
        );
    }
}
