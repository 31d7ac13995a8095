//! A legend: samples of what is drawn, each with its label. It stands next to the data or below
//! it, never over it.

use crate::axes::colour_scale::colour_at;
use crate::axes::symbols::{self, Symbol};
use crate::page::letters::{self, wrap};
use crate::page::sheet::{Anchor, Place, Sheet};
use crate::page::style::{
    CURVE_WIDTH, Colour, GAP, HALF_DIGIT, INTERVAL_WIDTH, LABEL_SIZE, LEADING, MARGIN, OVER_WIDTH,
    SAMPLE_LENGTH, series_colour, series_dash,
};

/// What stands in front of a label.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Sample {
    /// A line.
    Line {
        colour: Colour,
        width: f64,
        dash: &'static [f64],
    },
    /// A line that takes every colour of the colour scale.
    Ramp { width: f64 },
    /// A shaded band.
    Band { colour: Colour },
    /// An upright line.
    Upright {
        colour: Colour,
        width: f64,
        dash: &'static [f64],
    },
    /// A small shape.
    Symbol(Symbol, Colour),
    /// A mean with its interval; hollow or filled.
    Interval { colour: Colour, hollow: bool },
    /// A dashed line up the middle of a band.
    Rule {
        colour: Colour,
        band: Colour,
        dash: &'static [f64],
    },
    /// An arrow to what lies beyond an axis.
    Beyond { colour: Colour },
    /// Nothing: a gap between groups.
    Gap,
}

/// A sample and its label.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// What stands in front.
    pub sample: Sample,
    /// What it means.
    pub label: String,
}

impl Entry {
    /// A sample and its label.
    pub fn new(sample: Sample, label: impl Into<String>) -> Self {
        Self {
            sample,
            label: label.into(),
        }
    }

    /// A line.
    pub fn line(
        label: impl Into<String>,
        colour: Colour,
        width: f64,
        dash: &'static [f64],
    ) -> Self {
        let sample = Sample::Line {
            colour,
            width,
            dash,
        };
        Self::new(sample, label)
    }

    /// The curve of that data series.
    pub fn series(label: impl Into<String>, index: usize) -> Self {
        Self::line(label, series_colour(index), CURVE_WIDTH, series_dash(index))
    }

    /// A small shape.
    pub fn symbol(label: impl Into<String>, symbol: Symbol, colour: Colour) -> Self {
        Self::new(Sample::Symbol(symbol, colour), label)
    }

    /// The height of half a line, between groups.
    pub fn gap() -> Self {
        Self::new(Sample::Gap, "")
    }

    fn width(&self) -> f64 {
        SAMPLE_LENGTH + GAP + letters::text_width(&self.label, LABEL_SIZE)
    }
}

/// Space between entries side by side \[px\].
const BETWEEN: f64 = 3.0 * GAP;
/// Height of a row of entries \[px\].
const ROW_HEIGHT: f64 = 1.5 * LABEL_SIZE;
/// Widest column of entries at the right \[px\].
const WIDEST_COLUMN: f64 = 440.0;
/// Lines that a label may take in a column.
const MOST_LINES: usize = 3;

/// Draws the entries one below the other, from the upper left corner.
pub fn column(sheet: &mut Sheet, entries: &[Entry], [x, mut y]: Place, width: f64) {
    let line_height = LEADING * LABEL_SIZE;
    for entry in entries {
        if entry.sample == Sample::Gap {
            y += 0.5 * line_height;
            continue;
        }
        let labels = wrap(
            &entry.label,
            LABEL_SIZE,
            width - SAMPLE_LENGTH - GAP,
            MOST_LINES,
        );
        sample(sheet, entry.sample, [x, y + 0.5 * line_height]);
        for label in &labels {
            text(
                sheet,
                label,
                [x + SAMPLE_LENGTH + GAP, y + 0.5 * line_height],
            );
            y += line_height;
        }
        y += 0.2 * line_height;
    }
}

/// Draws the entries side by side in as many centred rows as they need, the last row ending at
/// `bottom`; returns where the first begins \[px from the top\].
pub fn rows(sheet: &mut Sheet, entries: &[Entry], bottom: f64) -> f64 {
    let (left, right) = (MARGIN, sheet.right());
    let top = bottom - rows_height(sheet, entries);
    for (index, (row, width)) in filled_rows(entries, right - left).iter().enumerate() {
        let y = top + (index as f64 + 0.5) * ROW_HEIGHT;
        let mut x = 0.5 * (left + right - width);
        for entry in row {
            sample(sheet, entry.sample, [x, y]);
            text(sheet, &entry.label, [x + SAMPLE_LENGTH + GAP, y]);
            x += entry.width() + BETWEEN;
        }
    }
    top
}

/// Height of the rows that [`rows`] draws \[px\].
pub fn rows_height(sheet: &Sheet, entries: &[Entry]) -> f64 {
    ROW_HEIGHT * filled_rows(entries, sheet.right() - MARGIN).len() as f64
}

/// Draws the entries in rows below `above`, where the page then ends.
pub fn end(sheet: &mut Sheet, entries: &[Entry], above: f64) {
    let bottom = above + rows_height(sheet, entries);
    rows(sheet, entries, bottom);
    sheet.end_at(bottom);
}

/// Draws the entries in a column at the right, from `top`; returns where the panel to its left ends
/// \[px from the left\].
pub fn at_right(sheet: &mut Sheet, entries: &[Entry], top: f64) -> f64 {
    let width = entries.iter().map(Entry::width).fold(0.0, f64::max);
    let width = width.min(WIDEST_COLUMN);
    let right = sheet.right() - width - 2.0 * GAP;
    column(sheet, entries, [right + 2.0 * GAP, top], width);
    right
}

/// The entries in rows as full as they go, each with its width.
fn filled_rows(entries: &[Entry], most: f64) -> Vec<(Vec<&Entry>, f64)> {
    let mut rows: Vec<(Vec<&Entry>, f64)> = Vec::new();
    for entry in entries {
        match rows.last_mut() {
            Some((row, width)) if *width + BETWEEN + entry.width() <= most => {
                *width += BETWEEN + entry.width();
                row.push(entry);
            }
            _ => rows.push((vec![entry], entry.width())),
        }
    }
    rows
}

fn text(sheet: &mut Sheet, label: &str, [x, middle]: Place) {
    let at = [x, middle + HALF_DIGIT * LABEL_SIZE];
    sheet.label(at, label, Anchor::Start);
}

/// Draws a sample that begins at `x` and has its middle at height `y`.
fn sample(sheet: &mut Sheet, sample: Sample, [x, y]: Place) {
    let (end, middle) = (x + SAMPLE_LENGTH, [x + 0.5 * SAMPLE_LENGTH, y]);
    match sample {
        Sample::Line {
            colour,
            width,
            dash,
        } => {
            sheet.dashed(vec![[x, y], [end, y]], dash, width, colour);
        }
        Sample::Ramp { width } => {
            let pieces = 22;
            let piece = SAMPLE_LENGTH / f64::from(pieces);
            for index in 0..pieces {
                let from = x + piece * f64::from(index);
                let colour = colour_at(f64::from(index) / f64::from(pieces - 1));
                // Each runs on below the next, or the seams would show.
                let to = (from + piece + 1.0).min(end);
                sheet.rectangle([from, y - 0.5 * width], [to, y + 0.5 * width], colour);
            }
        }
        Sample::Band { colour } => {
            let half = 0.4 * LABEL_SIZE;
            sheet.rectangle([x, y - half], [end, y + half], colour);
        }
        Sample::Upright {
            colour,
            width,
            dash,
        } => symbols::upright(sheet, middle, (colour, width, dash)),
        Sample::Symbol(symbol, colour) => symbol.draw(sheet, middle, colour),
        Sample::Interval { colour, hollow } => {
            sheet.line(vec![[x, y], [end, y]], INTERVAL_WIDTH, colour);
            symbols::mean_mark(sheet, middle, colour, hollow);
        }
        Sample::Rule { colour, band, dash } => {
            let half = 0.5 * LABEL_SIZE;
            sheet.rectangle([x, y - half], [end, y + half], band);
            symbols::upright(sheet, middle, (colour, OVER_WIDTH, dash));
        }
        Sample::Beyond { colour } => {
            sheet.line(vec![[x, y], [end - 8.0, y]], INTERVAL_WIDTH, colour);
            symbols::arrow_head(sheet, [end, y], 1.0, colour);
        }
        Sample::Gap => {}
    }
}
