//! What can end a command early, with the exit code that tells a shell which kind it was.

use std::path::{Path, PathBuf};

use shell::exit;
use shell::folder::FolderError;

/// Why a command could not be carried out.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A surrogate that does not exist, a setting out of range, or a fit that failed.
    #[error(transparent)]
    Surrogate(#[from] dilgp::Error),

    /// A flag was given to a surrogate or mode that has no use for it.
    #[error("--{flag} does not apply to {to}")]
    FlagUnused {
        /// The flag, without its dashes.
        flag: &'static str,
        /// The surrogate and its mode.
        to: &'static str,
    },

    /// A count is outside its range.
    #[error("--{flag} is {value}; it must be {wanted}")]
    OutOfRange {
        /// The flag, without its dashes.
        flag: &'static str,
        /// What was given.
        value: String,
        /// The legal values, as a phrase.
        wanted: &'static str,
    },

    /// A published data set was asked for without any of its files.
    #[error("table2 needs a data file, which is not part of this project; give {advice}")]
    NoFile {
        /// Where the files are published.
        advice: String,
    },

    /// A published data file is not where it was said to be.
    #[error("cannot read {}: {source}; get it as {advice}", path.display())]
    Unpublished {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
        /// Where it is published.
        advice: String,
    },

    /// A file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },

    /// A file is not a table of numbers.
    #[error("{}: {fault}", path.display())]
    Data {
        /// The file.
        path: PathBuf,
        /// What is wrong with it, and where.
        fault: Fault,
    },

    /// The output folder is occupied, or it or a file in it cannot be written.
    #[error(transparent)]
    Folder(#[from] FolderError),

    /// Cells cannot be kept, shared or merged.
    #[error(transparent)]
    Cells(#[from] shell::cells::CellsError),

    /// No threads could be started.
    #[error("cannot start threads: {0}")]
    Threads(Box<dyn std::error::Error + Send + Sync>),

    /// A file cannot be created or written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },

    /// A result cannot be turned into JSON.
    #[error("cannot encode the result: {0}")]
    Encode(#[from] serde_json::Error),

    /// A picture cannot be drawn.
    #[error("cannot draw {}: {source}", stem.display())]
    Draw {
        /// The picture's path without its extension.
        stem: PathBuf,
        /// What the drawing said.
        source: plots::Error,
    },
}

/// What is wrong with a file of data. Lines and columns count from 1.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Fault {
    /// Nothing but white space.
    #[error("the file is empty")]
    Empty,
    /// Not text.
    #[error("line {line}: not UTF-8 text")]
    NotText {
        /// The line.
        line: usize,
    },
    /// A quoted cell has no end.
    #[error("line {line}, column {column}: the quotation mark is never closed")]
    OpenQuote {
        /// The line.
        line: usize,
        /// The column.
        column: usize,
    },
    /// Too few rows.
    #[error("{found} row(s) of data; at least {needed} are needed")]
    TooFewRows {
        /// Rows found.
        found: usize,
        /// Rows needed.
        needed: usize,
    },
    /// Too few columns.
    #[error("line {line}: one column; a target and at least one input are needed{instead}")]
    OneColumn {
        /// The first line.
        line: usize,
        /// What seems to part columns there in place of commas, if anything does.
        instead: &'static str,
    },
    /// A line has more or fewer cells than the published file.
    #[error("line {line}: {found} cells; the published file has {expected} in each line")]
    NotPublished {
        /// The line.
        line: usize,
        /// Cells it has.
        found: usize,
        /// Cells it should have.
        expected: usize,
    },
    /// A line has more or fewer cells than the first.
    #[error("line {line}: {found} cells, but the lines before have {expected}")]
    Ragged {
        /// The line.
        line: usize,
        /// Cells it has.
        found: usize,
        /// Cells it should have.
        expected: usize,
    },
    /// A cell with nothing in it.
    #[error("line {line}, column {column}: the cell is empty")]
    Missing {
        /// The line.
        line: usize,
        /// The column.
        column: usize,
    },
    /// A cell that is not a number.
    #[error("line {line}, column {column}: `{cell}` is not a number")]
    NotANumber {
        /// The line.
        line: usize,
        /// The column.
        column: usize,
        /// What stands there.
        cell: String,
    },
    /// A number that is not finite.
    #[error("line {line}, column {column}: `{cell}` is not a finite number")]
    NotFinite {
        /// The line.
        line: usize,
        /// The column.
        column: usize,
        /// What stands there.
        cell: String,
    },
    /// A number whose square is none.
    #[error(
        "line {line}, column {column}: `{cell}` is too large; errors are squared, so numbers must lie within ±1e100"
    )]
    TooLarge {
        /// The line.
        line: usize,
        /// The column.
        column: usize,
        /// What stands there.
        cell: String,
    },
    /// Two columns have one name.
    #[error("line {line}, column {column}: the name `{name}` stands twice in the header")]
    NameTwice {
        /// The line.
        line: usize,
        /// The second column of that name.
        column: usize,
        /// The name.
        name: String,
    },
    /// The target is not in the header.
    #[error("line {line}: no column is named `{name}`; the header has {}", known.join(", "))]
    NoSuchColumn {
        /// The line of the header.
        line: usize,
        /// The name asked for.
        name: String,
        /// The names there are.
        known: Vec<String>,
    },
    /// A target was named but there is no header.
    #[error("line {line}: no header line, so no column is named `{name}`")]
    NoHeader {
        /// The first line.
        line: usize,
        /// The name asked for.
        name: String,
    },
    /// Test data have other columns than training data.
    #[error("line {line}: {found} columns, but the training data have {expected}")]
    ColumnsDiffer {
        /// The first line.
        line: usize,
        /// Columns found.
        found: usize,
        /// Columns of the training data.
        expected: usize,
    },
    /// A column has another name than in the training data.
    #[error(
        "line {line}, column {column}: the name is `{found}`, but `{expected}` in the training data"
    )]
    NameDiffers {
        /// The line of the header.
        line: usize,
        /// The column.
        column: usize,
        /// Its name here.
        found: String,
        /// Its name there.
        expected: String,
    },
    /// A column of a published file has another name.
    #[error("line {line}, column {column}: the name is `{found}`; it should be `{expected}`")]
    NotThatColumn {
        /// The line of the header.
        line: usize,
        /// The column.
        column: usize,
        /// Its name here.
        found: String,
        /// The name it is published with.
        expected: &'static str,
    },
    /// As many labels as training rows are needed.
    #[error("{found} labels, but the training data have {expected} rows")]
    LabelCount {
        /// Labels found.
        found: usize,
        /// Rows of the training data.
        expected: usize,
    },
}

impl Error {
    /// A drawing that failed, with the reason where a file could not be written.
    pub fn drawing(stem: &Path, source: plots::Error) -> Error {
        match source {
            plots::Error::Write { path, source } => Error::Write { path, source },
            source => Error::Draw {
                stem: stem.to_owned(),
                source,
            },
        }
    }

    /// One of the codes of [`exit`].
    pub fn exit_code(&self) -> u8 {
        match self {
            Error::FlagUnused { .. } | Error::OutOfRange { .. } | Error::NoFile { .. } => {
                exit::USAGE
            }
            Error::Surrogate(error) => match error {
                dilgp::Error::UnknownSurrogate { .. }
                | dilgp::Error::SettingOutOfRange { .. }
                | dilgp::Error::TwoEnvironments { .. } => exit::USAGE,
                _ => exit::DATA,
            },
            Error::Data { .. } => exit::DATA,
            Error::Read { source, .. } | Error::Unpublished { source, .. } => {
                exit::read_code(source)
            }
            Error::Folder(error) => error.exit_code(),
            Error::Cells(error) => error.exit_code(),
            Error::Threads(_) => exit::SOFTWARE,
            Error::Write { source, .. } => exit::write_code(source),
            Error::Draw { .. } => exit::CANNOT_CREATE,
            Error::Encode(_) => exit::SOFTWARE,
        }
    }
}
