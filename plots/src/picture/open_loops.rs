//! Open loops: frequency responses as Bode has them, magnitude above phase, and as Nichols has them,
//! magnitude over phase, where the points that oscillate are marked.

use crate::axes::legend::Entry;
use crate::axes::panel::{Panel, foot, room_left};
use crate::axes::symbols::Symbol;
use crate::axes::{Axes, Axis, HEADROOM, range, ratio_range};
use crate::error::{Error, FINITE, POSITIVE, count, within};
use crate::page::sheet::{Page, Sheet};
use crate::page::style::{DARK_GREY, GAP, INTERVAL_WIDTH, MARGIN, RULE_WIDTH, series_colour};
use crate::picture::Picture;

/// Most loops in one picture.
pub const MOST_LOOPS: usize = 6;
/// Space between Bode's panels and Nichols' \[px\].
const BETWEEN: f64 = 30.0;
/// Space between magnitude and phase \[px\].
const APART: f64 = 26.0;
/// Part of the width that Bode's panels take.
const BODE: f64 = 0.55;
/// Magnitudes that are shown \[dB\], and phases \[deg\]: with room for the marks at three half turns.
const MOST_DB: f64 = 60.0;
const MOST_DEG: f64 = 570.0;
/// Height of a second panel within a page of text \[px\].
const ONE_MORE_PANEL: u32 = 240;
/// Dash pattern of the lines at 0 dB and -180 degrees \[px\].
const CRITICAL_DASH: &[f64] = &[8.0, 8.0];

/// Several open loops.
#[derive(Debug, Clone, Copy)]
pub struct OpenLoopsPicture<'a> {
    /// Printed above the picture; wrapped, and cut short where two lines do not hold it.
    pub title: &'a str,
    /// The loops: 1 to [`MOST_LOOPS`], each with its own colour and dash pattern.
    pub loops: &'a [OpenLoop],
}

/// One open loop.
#[derive(Debug, Clone)]
pub struct OpenLoop {
    /// Name in the legend.
    pub label: String,
    /// By frequency, ascending, at least two.
    pub points: Vec<OpenLoopPoint>,
    /// Where the gain margins are read off: the phase is half a turn there.
    pub gain_margins: Vec<OpenLoopPoint>,
    /// Where the phase margin is read off: the magnitude is 1 there.
    pub phase_margin: Option<OpenLoopPoint>,
}

/// The open loop at one frequency.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OpenLoopPoint {
    /// Frequency, positive \[Hz\].
    pub frequency_hz: f64,
    /// Magnitude, positive.
    pub magnitude: f64,
    /// Phase, not wrapped \[deg\].
    pub phase_deg: f64,
}

impl Picture for OpenLoopsPicture<'_> {
    /// No loop or more than [`MOST_LOOPS`], a loop of fewer than two points, a number that is not finite,
    /// too large or, of a frequency or a magnitude, not positive.
    fn check(&self) -> Result<(), Error> {
        count("loops", self.loops.len(), MOST_LOOPS)?;
        self.loops.iter().try_for_each(check)
    }

    /// The page: Bode's two panels to the left, Nichols' to the right; Bode's alone within a page of text.
    fn sheet(&self, page: Page) -> Sheet {
        let (mut sheet, top) = Sheet::on(page, self.title);
        if page.is_narrow() {
            sheet.height += ONE_MORE_PANEL;
        }
        let (left_end, right_end) = (MARGIN, sheet.right());
        let (top, bottom) = (top + GAP, foot(&mut sheet, &entries(self, page)));
        let all = || self.loops.iter().flat_map(|one| &one.points);
        let shown = range(all().map(decibels), HEADROOM);
        let shown = (shown.0.max(-MOST_DB), shown.1.min(MOST_DB));
        let degrees = range(all().map(|p| p.phase_deg).chain([-180.0]), HEADROOM);
        let degrees = (degrees.0.max(-MOST_DEG), degrees.1.min(MOST_DEG));
        let frequencies = ratio_range(all().map(|p| p.frequency_hz), 0.0);
        let middle = 0.5 * (top + bottom);
        let y = [
            Axis::linear(shown, middle - 0.5 * APART, top),
            Axis::linear(degrees, bottom, middle + 0.5 * APART),
        ];
        let room = y.iter().map(|y| room_left(y, 5)).fold(0.0, f64::max);
        let bode_end = match page.is_narrow() {
            true => right_end - GAP,
            false => left_end + BODE * (right_end - left_end),
        };
        let x = Axis::logarithmic(frequencies, left_end + room, bode_end);
        let magnitude = Panel::new(Axes { x, y: y[0] }, [6, 5]);
        let phase = Panel::new(Axes { x, y: y[1] }, [6, 5]);
        draw(&mut sheet, self, &magnitude, |p| {
            [p.frequency_hz, decibels(p)]
        });
        draw(&mut sheet, self, &phase, |p| [p.frequency_hz, p.phase_deg]);
        across(&mut sheet, &magnitude.axes, 0.0);
        across(&mut sheet, &phase.axes, -180.0);
        margins(&mut sheet, self, &magnitude.axes, &phase.axes);
        magnitude.frame(&mut sheet, [false, true]);
        magnitude.names(&mut sheet, "", "magnitude [dB]");
        phase.frame(&mut sheet, [true, true]);
        phase.names(&mut sheet, "frequency [Hz]", "phase [deg]");
        if page.is_narrow() {
            return sheet;
        }

        let y = Axis::linear(shown, bottom, top);
        let from = bode_end + BETWEEN + room_left(&y, 8);
        let x = Axis::linear(degrees, from, right_end - GAP);
        let nichols = Panel::new(Axes { x, y }, [4, 8]);
        draw(&mut sheet, self, &nichols, |p| [p.phase_deg, decibels(p)]);
        critical(&mut sheet, &nichols.axes);
        nichols.frame(&mut sheet, [true, true]);
        nichols.names(&mut sheet, "phase [deg]", "magnitude [dB]");
        sheet
    }
}

fn check(one: &OpenLoop) -> Result<(), Error> {
    if one.points.len() < 2 {
        let quantity = "frequency";
        return Err(Error::NoValues(quantity));
    }
    let marks = one.gain_margins.iter().chain(&one.phase_margin);
    let points = one.points.iter().chain(marks);
    let frequencies = points.clone().map(|p| p.frequency_hz);
    within("frequency", frequencies, POSITIVE)?;
    within("magnitude", points.clone().map(|p| p.magnitude), POSITIVE)?;
    within("phase", points.map(|p| p.phase_deg), FINITE)
}

fn decibels(point: &OpenLoopPoint) -> f64 {
    20.0 * point.magnitude.log10()
}

fn entries(picture: &OpenLoopsPicture, page: Page) -> Vec<Entry> {
    let loops = picture.loops.iter().enumerate();
    let series = loops.map(|(index, one)| Entry::series(&one.label, index));
    let mut entries: Vec<Entry> = series.collect();
    if !page.is_narrow() {
        entries.push(Entry::symbol("oscillates", Symbol::LargeCross, DARK_GREY));
    }
    let marked = |one: &OpenLoop| one.phase_margin.is_some() || !one.gain_margins.is_empty();
    if picture.loops.iter().any(marked) {
        entries.push(Entry::symbol("margin", Symbol::LargeDot, DARK_GREY));
    }
    entries
}

fn draw(
    sheet: &mut Sheet,
    picture: &OpenLoopsPicture,
    panel: &Panel,
    at: impl Fn(&OpenLoopPoint) -> [f64; 2],
) {
    panel.grid(sheet);
    for (index, one) in picture.loops.iter().enumerate() {
        let points: Vec<[f64; 2]> = one.points.iter().map(&at).collect();
        for piece in panel.axes.pieces(&points) {
            sheet.series(piece, index);
        }
    }
}

/// Marks the margins: from the curve up to 0 dB, and to the nearest half turn.
fn margins(sheet: &mut Sheet, picture: &OpenLoopsPicture, magnitude: &Axes, phase: &Axes) {
    let mut mark = |axes: &Axes, frequency: f64, [value, critical]: [f64; 2], index: usize| {
        let within = (axes.y.low..axes.y.high).contains(&value);
        if within && (axes.x.low..=axes.x.high).contains(&frequency) {
            let [at, end] = [value, critical].map(|value| axes.place(frequency, value));
            sheet.line(vec![at, end], INTERVAL_WIDTH, series_colour(index));
            Symbol::LargeDot.draw(sheet, at, series_colour(index));
        }
    };
    for (index, one) in picture.loops.iter().enumerate() {
        for point in &one.gain_margins {
            mark(magnitude, point.frequency_hz, [decibels(point), 0.0], index);
        }
        if let Some(point) = &one.phase_margin {
            let turns = ((point.phase_deg + 180.0) / 360.0).round();
            let critical = -180.0 + 360.0 * turns;
            mark(
                phase,
                point.frequency_hz,
                [point.phase_deg, critical],
                index,
            );
        }
    }
}

/// The line at which a magnitude, or a phase, is critical.
fn across(sheet: &mut Sheet, axes: &Axes, value: f64) {
    if (axes.y.low..axes.y.high).contains(&value) {
        sheet.dashed(axes.level(value), CRITICAL_DASH, RULE_WIDTH, DARK_GREY);
    }
}

/// Marks where a closed loop oscillates: magnitude 1 at -180 degrees and every turn from there.
fn critical(sheet: &mut Sheet, axes: &Axes) {
    let within = |axis: &Axis, value: f64| (axis.low..axis.high).contains(&value);
    for turn in -2..=2 {
        let phase = -180.0 + 360.0 * f64::from(turn);
        if within(&axes.x, phase) && within(&axes.y, 0.0) {
            Symbol::LargeCross.draw(sheet, axes.place(phase, 0.0), DARK_GREY);
        }
    }
}
