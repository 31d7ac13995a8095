//! A legend: samples of what is drawn, each with its label. It stands beside the data or below
//! it, never over it.

use crate::axes::colour_scale::colour_at;
use crate::axes::marks;
use crate::page::letters::{self, wrap};
use crate::page::sheet::{Anchor, Place, Sheet};
use crate::page::style::{
    BLACK, Colour, DOT_RADIUS, GAP, HALF_DIGIT, INTERVAL_WIDTH, LABEL_SIZE, LARGE_DOT_RADIUS,
    LEADING, OVER_WIDTH, SAMPLE_LENGTH,
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
    /// A dot.
    Dot { colour: Colour },
    /// An upright line.
    Upright {
        colour: Colour,
        width: f64,
        dash: &'static [f64],
    },
    /// A dot that stands for itself, not for one of many.
    LargeDot { colour: Colour },
    /// A cross of the size of such a dot.
    LargeCross { colour: Colour },
    /// A ring.
    Ring { colour: Colour },
    /// A small cross.
    Cross { colour: Colour },
    /// The mark at the start of a path.
    Start,
    /// The mark at the end of a path.
    End,
    /// The mark of a lost flight.
    Loss,
    /// The mark where a path leaves the frame.
    Exit,
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
    /// The mark of a loss, in a small view.
    SmallLoss,
    /// The mark where a path leaves a small frame.
    SmallExit,
    /// A small mark of a maximum.
    Peak { colour: Colour },
    /// Nothing: a gap between groups.
    Gap,
}

impl Sample {
    /// A line.
    pub const fn line(colour: Colour, width: f64, dash: &'static [f64]) -> Self {
        Self::Line {
            colour,
            width,
            dash,
        }
    }
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
/// Lines that a label may take in a column.
const MOST_LINES: usize = 3;

/// Width of a column of entries \[px\], at most `most`; longer labels are wrapped.
pub fn column_width(entries: &[Entry], most: f64) -> f64 {
    entries
        .iter()
        .map(Entry::width)
        .fold(0.0, f64::max)
        .min(most)
}

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
pub fn rows(sheet: &mut Sheet, entries: &[Entry], left: f64, right: f64, bottom: f64) -> f64 {
    let top = bottom - rows_height(entries, left, right);
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
pub fn rows_height(entries: &[Entry], left: f64, right: f64) -> f64 {
    ROW_HEIGHT * filled_rows(entries, right - left).len() as f64
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
    sheet.text(at, label.to_owned(), LABEL_SIZE, Anchor::Start, BLACK);
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
        Sample::Dot { colour } => sheet.disc(middle, DOT_RADIUS, colour),
        Sample::Upright {
            colour,
            width,
            dash,
        } => marks::upright(sheet, middle, (colour, width, dash)),
        Sample::LargeDot { colour } => sheet.disc(middle, LARGE_DOT_RADIUS, colour),
        Sample::LargeCross { colour } => marks::cross_mark(sheet, middle, colour),
        Sample::Ring { colour } => marks::ring_mark(sheet, middle, LARGE_DOT_RADIUS, colour),
        Sample::Cross { colour } => marks::small_cross(sheet, middle, colour),
        Sample::Start => marks::start_mark(sheet, middle),
        Sample::End => marks::end_mark(sheet, middle),
        Sample::Loss => marks::loss_mark(sheet, middle),
        Sample::Exit => marks::exit_mark(sheet, middle),
        Sample::Interval { colour, hollow } => {
            sheet.line(vec![[x, y], [end, y]], INTERVAL_WIDTH, colour);
            marks::mean_mark(sheet, middle, colour, hollow);
        }
        Sample::Rule { colour, band, dash } => {
            let half = 0.5 * LABEL_SIZE;
            sheet.rectangle([x, y - half], [end, y + half], band);
            marks::upright(sheet, middle, (colour, OVER_WIDTH, dash));
        }
        Sample::Beyond { colour } => {
            sheet.line(vec![[x, y], [end - 8.0, y]], INTERVAL_WIDTH, colour);
            marks::arrow_head(sheet, [end, y], 1.0, colour);
        }
        Sample::SmallLoss => marks::small_loss_mark(sheet, middle),
        Sample::SmallExit => marks::small_exit_mark(sheet, middle),
        Sample::Peak { colour } => marks::peak_mark(sheet, [middle[0], y - 7.0], colour),
        Sample::Gap => {}
    }
}
