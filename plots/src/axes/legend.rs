//! A legend: samples of what is drawn, each with its label. It stands beside the data or below
//! it, never over it.

use crate::axes::colour_scale::colour_at;
use crate::page::letters;
use crate::page::sheet::{Anchor, Place, Sheet, wrap};
use crate::page::style;
use crate::page::style::{
    BLACK, Colour, DOT_RADIUS, GAP, HALF_DIGIT, INTERVAL_WIDTH, LABEL_SIZE, LARGE_DOT_RADIUS,
    LEADING, OVER_WIDTH, RULE_WIDTH, SAMPLE_LENGTH, WHITE,
};
use std::f64::consts::TAU;

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
    /// The mark of a crash.
    Crash,
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
    SmallCrash,
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
/// Corners of the polygon that stands for a ring.
const RING_CORNERS: u32 = 16;
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
        } => upright(sheet, middle, (colour, width, dash)),
        Sample::LargeDot { colour } => sheet.disc(middle, LARGE_DOT_RADIUS, colour),
        Sample::LargeCross { colour } => cross_mark(sheet, middle, colour),
        Sample::Ring { colour } => ring_mark(sheet, middle, LARGE_DOT_RADIUS, colour),
        Sample::Cross { colour } => small_cross(sheet, middle, colour),
        Sample::Start => start_mark(sheet, middle),
        Sample::End => end_mark(sheet, middle),
        Sample::Crash => crash_mark(sheet, middle),
        Sample::Exit => exit_mark(sheet, middle),
        Sample::Interval { colour, hollow } => {
            sheet.line(vec![[x, y], [end, y]], INTERVAL_WIDTH, colour);
            mean_mark(sheet, middle, colour, hollow);
        }
        Sample::Rule { colour, band, dash } => {
            let half = 0.5 * LABEL_SIZE;
            sheet.rectangle([x, y - half], [end, y + half], band);
            upright(sheet, middle, (colour, OVER_WIDTH, dash));
        }
        Sample::Beyond { colour } => {
            sheet.line(vec![[x, y], [end - 8.0, y]], INTERVAL_WIDTH, colour);
            arrow_head(sheet, [end, y], 1.0, colour);
        }
        Sample::SmallCrash => small_crash_mark(sheet, middle),
        Sample::SmallExit => small_exit_mark(sheet, middle),
        Sample::Peak { colour } => peak_mark(sheet, [middle[0], y - 7.0], colour),
        Sample::Gap => {}
    }
}

fn upright(sheet: &mut Sheet, [x, y]: Place, (colour, width, dash): (Colour, f64, &[f64])) {
    let half = 0.5 * LABEL_SIZE;
    sheet.dashed(vec![[x, y - half], [x, y + half]], dash, width, colour);
}

/// The mark of a pair of which a value was lost.
pub fn cross_mark(sheet: &mut Sheet, at: Place, colour: Colour) {
    sheet.cross(at, 7.5, INTERVAL_WIDTH, colour);
}

/// The mark of an evaluation that no search chose: a ring, through which what lies below is seen.
pub fn ring_mark(sheet: &mut Sheet, [x, y]: Place, radius: f64, colour: Colour) {
    let corner = |k: u32| {
        let angle = TAU * f64::from(k) / f64::from(RING_CORNERS);
        [x + radius * angle.cos(), y + radius * angle.sin()]
    };
    let ring = (0..=RING_CORNERS).map(corner).collect();
    sheet.line(ring, RULE_WIDTH, colour);
}

/// The mark of a lost evaluation.
pub fn small_cross(sheet: &mut Sheet, at: Place, colour: Colour) {
    sheet.cross(at, 5.0, RULE_WIDTH, colour);
}

/// The mark at the start of a path: a ring wide enough to hold the mark of the end.
pub fn start_mark(sheet: &mut Sheet, at: Place) {
    sheet.disc(at, 14.0, BLACK);
    sheet.disc(at, 11.0, WHITE);
}

/// The mark at the end of a path.
pub fn end_mark(sheet: &mut Sheet, [x, y]: Place) {
    sheet.rectangle([x - 7.0, y - 7.0], [x + 7.0, y + 7.0], BLACK);
}

/// The mark of a crash, with a white edge that sets it off from the path.
pub fn crash_mark(sheet: &mut Sheet, at: Place) {
    sheet.cross(at, 16.0, 10.0, WHITE);
    sheet.cross(at, 14.0, 5.0, style::BLACK);
}

/// The mark of a mean on its interval: a disc, or a ring.
pub fn mean_mark(sheet: &mut Sheet, at: Place, colour: Colour, hollow: bool) {
    sheet.disc(at, 7.5, colour);
    if hollow {
        sheet.disc(at, 4.4, WHITE);
    }
}

/// The head of an arrow whose tip is at the place, to the right, or to the left for -1.
pub fn arrow_head(sheet: &mut Sheet, [x, y]: Place, direction: f64, colour: Colour) {
    let back = x - direction * 15.0;
    sheet.polygon(vec![[x, y], [back, y - 8.5], [back, y + 8.5]], colour);
}

/// The mark of a maximum: a wedge whose tip is 14 px below its place.
pub fn peak_mark(sheet: &mut Sheet, [x, y]: Place, colour: Colour) {
    sheet.polygon(vec![[x, y + 14.0], [x - 8.0, y], [x + 8.0, y]], colour);
}

/// The same from below: a wedge whose tip is 14 px above its place.
pub fn peak_mark_below(sheet: &mut Sheet, [x, y]: Place, colour: Colour) {
    sheet.polygon(vec![[x, y - 14.0], [x - 8.0, y], [x + 8.0, y]], colour);
}

/// The mark where a path leaves the frame.
pub fn exit_mark(sheet: &mut Sheet, at: Place) {
    ring_of_four(sheet, at, [14.0, 10.0]);
}

/// The same in a small view.
pub fn small_exit_mark(sheet: &mut Sheet, at: Place) {
    ring_of_four(sheet, at, [9.0, 5.5]);
}

/// The mark of a loss in a small view.
pub fn small_crash_mark(sheet: &mut Sheet, at: Place) {
    sheet.cross(at, 10.0, 8.0, WHITE);
    sheet.cross(at, 8.5, 3.5, BLACK);
}

fn ring_of_four(sheet: &mut Sheet, [x, y]: Place, radii: [f64; 2]) {
    for (r, colour) in radii.into_iter().zip([BLACK, WHITE]) {
        let corners = vec![[x - r, y], [x, y - r], [x + r, y], [x, y + r]];
        sheet.polygon(corners, colour);
    }
}
