//! What can be wrong with a file of measured or simulated wind: the line, and what was expected
//! there.

/// Why a record of wind cannot be flown in.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RecordFault {
    /// The first line does not name the columns.
    #[error(
        "line {line}: the header is `{found}`: expected t,u,v,w, or a time, a speed and a direction, each once"
    )]
    Header {
        /// Line of the file, from 1.
        line: usize,
        /// The header, at most 60 letters of it.
        found: String,
    },

    /// A column has no unit that is known.
    #[error(
        "line {line}: `{column}` states no unit that is known: expected s,m/s,m/s,m/s in the line below the header, or units behind the names as in speed (m/s), direction (deg); m/s, km/h, kn, mph and ft/s are known, deg and rad"
    )]
    Unit {
        /// Line of the header, from 1.
        line: usize,
        /// The column's name.
        column: String,
    },

    /// A direction is that in which the wind blows.
    #[error(
        "line {line}: `{column}` is where the wind blows to: turn it by 180 degrees and name it direction, which is where the wind comes from"
    )]
    Toward {
        /// Line of the header, from 1.
        line: usize,
        /// The column's name.
        column: String,
    },

    /// The line behind the header does not name the units.
    #[error(
        "line {line}: the units are `{found}`: expected s,m/s,m/s,m/s in the line below the header, or units behind the names as in speed (m/s), direction (deg); m/s, km/h, kn, mph and ft/s are known"
    )]
    Units {
        /// Line of the file, from 1.
        line: usize,
        /// The line, at most 60 letters of it.
        found: String,
    },

    /// Something else than commas parts the cells of a line.
    #[error(
        "line {line} has {found} between its cells: expected what stands between those of the header"
    )]
    Separator {
        /// Line of the file, from 1.
        line: usize,
        /// What parts them.
        found: &'static str,
    },

    /// A row has too few numbers, or too many.
    #[error("line {line} has {found} columns: expected {expected}, as the header")]
    Columns {
        /// Line of the file, from 1.
        line: usize,
        /// Cells on it.
        found: usize,
        /// Cells of the header.
        expected: usize,
    },

    /// A cell does not hold a number.
    #[error("line {line}, column {column}: `{found}` is not a number: expected {wanted}")]
    NotANumber {
        /// Line of the file, from 1.
        line: usize,
        /// The column's name.
        column: String,
        /// The cell, at most 60 letters of it.
        found: String,
        /// The legal range in words.
        wanted: &'static str,
    },

    /// A number is not finite, or is no wind.
    #[error("line {line}, column {column}: {value} is out of range: expected {wanted}")]
    OutOfRange {
        /// Line of the file, from 1.
        line: usize,
        /// The column's name.
        column: String,
        /// The number.
        value: f64,
        /// The legal range in words.
        wanted: &'static str,
    },

    /// A row is not later than the one before it.
    #[error("line {line}: t = {t_s} s does not come after {before_s} s: expected ascending times")]
    NotLater {
        /// Line of the file, from 1.
        line: usize,
        /// Its time [s].
        t_s: f64,
        /// The time of the row before it [s].
        before_s: f64,
    },

    /// Rows are missing.
    #[error(
        "line {line}: {step_s:.4} s without a row before t = {t_s} s, where rows come every {usual_s:.4} s (the median): cut the file at the gap, or fill it"
    )]
    Gap {
        /// Line of the row behind the gap, from 1.
        line: usize,
        /// Its time [s].
        t_s: f64,
        /// How long the gap is [s].
        step_s: f64,
        /// The median step [s].
        usual_s: f64,
    },

    /// A row comes much earlier than the steps of the others say.
    #[error(
        "line {line}: t = {t_s} s comes {step_s:.4} s behind the row before, where rows come every {usual_s:.4} s (the median): expected even steps, within a half"
    )]
    Uneven {
        /// Line of the file, from 1.
        line: usize,
        /// Its time [s].
        t_s: f64,
        /// The step [s].
        step_s: f64,
        /// The median step [s].
        usual_s: f64,
    },

    /// There are fewer rows than a record needs, or more than one may have.
    #[error("it has {rows} rows: expected {least} to {most}")]
    Rows {
        /// How many it has, or the first that is too many.
        rows: usize,
        /// The fewest.
        least: usize,
        /// The most.
        most: usize,
    },

    /// Its bytes are not those that were meant.
    #[error("it has CRC-32 {found}, not {wanted}: the file was changed")]
    Checksum {
        /// That of the file.
        found: String,
        /// That which was meant.
        wanted: String,
    },

    /// A segment is none, or lies beyond the record.
    #[error(
        "{list} has the segment [{from_s}, {to_s}]: expected from below to, within 0 to {lasts_s} s since the first row"
    )]
    Segment {
        /// `tune` or `test`.
        list: &'static str,
        /// Its start [s].
        from_s: f64,
        /// Its end [s].
        to_s: f64,
        /// How long the record lasts [s].
        lasts_s: f64,
    },

    /// Two segments share a time.
    #[error(
        "the segments [{}, {}] and [{}, {}] overlap: no wind may be met twice", a[0], a[1], b[0], b[1]
    )]
    Overlap {
        /// The one [s].
        a: [f64; 2],
        /// The other [s].
        b: [f64; 2],
    },

    /// The record is not split as it should be.
    #[error("expected {0}")]
    Split(&'static str),

    /// The record is shorter than two blocks.
    #[error("it lasts {lasts_s} s: expected at least two blocks of block_s = {block_s} s")]
    Blocks {
        /// How long it lasts [s].
        lasts_s: f64,
        /// Length of a block [s].
        block_s: f64,
    },

    /// A flight does not fit into a segment.
    #[error(
        "a flight lasts {flight_s} s, longer than the segment [{from_s}, {to_s}] of {} s from which it would take its wind: fly shorter, or give longer segments", to_s - from_s
    )]
    TooShort {
        /// How long a flight lasts [s].
        flight_s: f64,
        /// Start of the segment [s].
        from_s: f64,
        /// Its end [s].
        to_s: f64,
    },

    /// Only the description of the record is there.
    #[error("its rows are not at hand: read the wind domain from its file")]
    NoRows,
}
