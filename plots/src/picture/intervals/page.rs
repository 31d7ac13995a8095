//! The page of an interval picture: the names to the left of the grid of panels, the legend, and in each panel
//! its axis, the reference lines, and a line for each method.

use super::layout::{Layout, OFF_STRIP, has_mark, off, range, two_marks};
use super::{Estimate, IntervalPanel, IntervalsPicture};
use crate::axes::legend::{self, Entry, Sample};
use crate::axes::panel::{MOST_STEPS, Panel, x_name};
use crate::axes::ticks::reading;
use crate::axes::{Axes, Axis, symbols};
use crate::page::letters::{self, on_one_line};
use crate::page::sheet::{Anchor, Page, Place, Sheet};
use crate::page::style::{
    BASELINE_DASH, BLACK, Colour, DARK_GREY, GAP, HALF_DIGIT, INITIAL_DASH, INTERVAL_WIDTH,
    LABEL_SIZE, MARGIN, NAME_SIZE, OVER_WIDTH, RULE_WIDTH, STRIPE, TICK_LENGTH, WHITE,
    series_colour,
};

/// Half the height of the ends of an interval \[px\].
const BAR_END: f64 = 6.0;

/// From the middle of a line to either of two marks, as a part of its height.
const ASIDE: f64 = 0.23;

/// Estimates that cannot be distinguished from the reference they are judged against.
const UNDECIDED: Colour = Colour::new(140, 140, 143);

/// The whole page.
pub fn sheet(page: Page, picture: &IntervalsPicture) -> Sheet {
    let page = match picture.columns.len() {
        ..=2 => page,
        _ => page.wide(),
    };
    let (mut sheet, top) = Sheet::on(page, picture.title);
    let entries = entries(picture);
    let (right, legend_height) = (sheet.right(), legend::rows_height(&sheet, &entries));
    let layout = Layout::of(&sheet, picture, top, legend_height);
    for (index, panel) in picture.panels.iter().enumerate() {
        let (row, column) = (index / picture.columns.len(), index % picture.columns.len());
        if column == 0 {
            names(&mut sheet, picture, &layout, row);
        }
        let [x, y] = layout.corner(row, column);
        let heading = on_one_line(picture.columns[column], NAME_SIZE, layout.width);
        let at = [x + 0.5 * layout.width, y - 0.45 * NAME_SIZE];
        sheet.text(at, heading, NAME_SIZE, Anchor::Middle, BLACK);
        draw_panel(&mut sheet, picture, panel, &layout, [x, y]);
    }
    let end = layout.top + picture.rows.len() as f64 * layout.pitch;
    x_name(
        &mut sheet,
        picture.x_name,
        layout.left,
        right,
        end - 2.0 * TICK_LENGTH - 1.9 * LABEL_SIZE,
    );
    legend::end(&mut sheet, &entries, end + 1.4 * NAME_SIZE + GAP);
    sheet
}

/// The heading of a row of panels and the names of the methods.
fn names(sheet: &mut Sheet, picture: &IntervalsPicture, layout: &Layout, row: usize) {
    let [x, top] = layout.corner(row, 0);
    let heading = on_one_line(picture.rows[row], NAME_SIZE, x - MARGIN - 2.0 * GAP);
    let at = [MARGIN, top - 0.45 * NAME_SIZE];
    sheet.text(at, heading, NAME_SIZE, Anchor::Start, BLACK);
    for (index, name) in picture.methods.iter().enumerate() {
        let middle = top + layout.strip + (index as f64 + 0.5) * layout.line;
        let name = on_one_line(name, LABEL_SIZE, x - MARGIN - 2.0 * GAP);
        let at = [x - GAP, middle + HALF_DIGIT * LABEL_SIZE];
        sheet.label(at, name, Anchor::End);
    }
}

/// Whether any estimate is grey.
fn any_undecided(picture: &IntervalsPicture) -> bool {
    picture.panels.iter().any(|panel| {
        let judge = picture.judged_against.and_then(|k| panel.references[k]);
        let estimates = panel.estimates.iter().flatten().flatten();
        judge.is_some_and(|judge| estimates.clone().any(|&one| overlap(one, judge)))
    })
}

fn entries(picture: &IntervalsPicture) -> Vec<Entry> {
    let mut entries = Vec::new();
    for (mark, label) in picture.marks.into_iter().enumerate() {
        if has_mark(picture, mark) {
            let sample = Sample::Interval {
                colour: series_colour(picture.colours[mark]),
                hollow: mark == 1,
            };
            entries.push(Entry::new(sample, label));
        }
    }
    for (index, label) in picture.references.iter().enumerate() {
        let (colour, band, dash) = reference_style(index);
        let mut all = picture
            .panels
            .iter()
            .filter_map(|panel| panel.references[index]);
        let sample = if all.any(|one| one.high > one.low) {
            Sample::Rule { colour, band, dash }
        } else {
            Sample::Upright {
                colour,
                width: OVER_WIDTH,
                dash,
            }
        };
        entries.push(Entry::new(sample, *label));
    }
    let against = picture
        .judged_against
        .map(|index| picture.references[index]);
    if let Some(label) = against.filter(|_| any_undecided(picture)) {
        let sample = Sample::Interval {
            colour: UNDECIDED,
            hollow: false,
        };
        entries.push(Entry::new(sample, format!("interval overlaps “{label}”")));
    }
    let reaches_out = |panel: &IntervalPanel| {
        let (low, high) = range(picture, panel);
        let mut all = panel.estimates.iter().flatten().flatten();
        all.any(|one| one.low.min(one.mean) < low || one.high.max(one.mean) > high)
            || off(panel, (low, high)).next().is_some()
    };
    if picture.panels.iter().any(reaches_out) {
        let sample = Sample::Beyond { colour: DARK_GREY };
        entries.push(Entry::new(
            sample,
            "goes on beyond the axis; the mean in numbers if it is there",
        ));
    }
    entries
}

/// Colour, band and dash pattern of a reference line.
fn reference_style(index: usize) -> (Colour, Colour, &'static [f64]) {
    if index == 0 {
        (BLACK, Colour::new(90, 90, 90).faded(0.2), BASELINE_DASH)
    } else {
        let green = series_colour(2);
        (green, green.faded(0.25), INITIAL_DASH)
    }
}

fn overlap(a: Estimate, b: Estimate) -> bool {
    a.low <= b.high && b.low <= a.high
}

/// Draws the panel whose upper left corner is given.
fn draw_panel(
    sheet: &mut Sheet,
    picture: &IntervalsPicture,
    panel: &IntervalPanel,
    layout: &Layout,
    [left, top]: Place,
) {
    let (low, high) = range(picture, panel);
    let lines_top = top + layout.strip;
    let bottom = lines_top + layout.line * picture.methods.len() as f64;
    let x = Axis::linear((low, high), left, left + layout.width);
    let y = Axis::linear((0.0, 1.0), bottom, top);
    let frame = Panel::fitting(Axes { x, y }, MOST_STEPS);
    for index in (0..picture.methods.len()).step_by(2) {
        let from = lines_top + index as f64 * layout.line;
        sheet.rectangle([x.from, from], [x.to, from + layout.line], STRIPE);
    }
    frame.grid(sheet);
    draw_references(sheet, panel, &x, [top, bottom]);
    for index in 0..picture.methods.len() {
        let line_top = lines_top + index as f64 * layout.line;
        draw_line(sheet, picture, panel, &x, index, [line_top, layout.line]);
    }
    frame.frame(sheet, [false, false]);
    frame.labels_inside(sheet);
}

/// Draws the estimates of one method on its line, of which the top and the height are given.
fn draw_line(
    sheet: &mut Sheet,
    picture: &IntervalsPicture,
    panel: &IntervalPanel,
    x: &Axis,
    index: usize,
    [top, height]: [f64; 2],
) {
    let judge = picture.judged_against.and_then(|k| panel.references[k]);
    let middle = top + 0.5 * height;
    let paper = if index.is_multiple_of(2) {
        STRIPE
    } else {
        WHITE
    };
    let pair = panel.estimates[index];
    if pair.iter().all(Option::is_none) {
        nothing(sheet, [0.5 * (x.from + x.to), middle], paper);
    }
    let aside = if two_marks(picture) {
        ASIDE * height
    } else {
        0.0
    };
    for (mark, one) in pair.into_iter().enumerate() {
        let Some(one) = one else { continue };
        let y = if mark == 0 {
            middle - aside
        } else {
            middle + aside
        };
        let colour = match judge {
            Some(judge) if overlap(one, judge) => UNDECIDED,
            _ => series_colour(picture.colours[mark]),
        };
        draw_estimate(sheet, x, y, one, (colour, mark == 1, paper));
    }
}

fn draw_references(sheet: &mut Sheet, panel: &IntervalPanel, x: &Axis, [top, bottom]: [f64; 2]) {
    for (index, reference) in panel.references.iter().enumerate() {
        let Some(one) = reference else { continue };
        let (colour, band, dash) = reference_style(index);
        if one.high >= x.low && one.low <= x.high && one.high > one.low {
            sheet.rectangle([x.place(one.low), top], [x.place(one.high), bottom], band);
        }
        if (x.low..=x.high).contains(&one.mean) {
            let at = x.place(one.mean);
            sheet.dashed(vec![[at, top], [at, bottom]], dash, OVER_WIDTH, colour);
        }
    }
    // Two on one side stand one before the other.
    let mut taken = [0.0; 2];
    for (index, mean) in off(panel, (x.low, x.high)) {
        let side = usize::from(mean > x.high);
        let y = top + 0.5 * OFF_STRIP;
        let inwards = [1.0, -1.0][side];
        let tip = [x.from, x.to][side] + inwards * (3.0 + taken[side]);
        let inks = (reference_style(index).0, WHITE);
        let width = beyond(sheet, [tip, y], inwards, mean, inks);
        taken[side] += width + GAP;
    }
}

/// Says that a method has no estimate in a panel.
fn nothing(sheet: &mut Sheet, [x, y]: Place, paper: Colour) {
    let words = "no estimate";
    let half = [
        0.5 * letters::text_width(words, LABEL_SIZE) + 0.5 * GAP,
        0.6 * LABEL_SIZE,
    ];
    sheet.rectangle(
        [x - half[0], y - half[1]],
        [x + half[0], y + half[1]],
        paper,
    );
    let at = [x, y + HALF_DIGIT * LABEL_SIZE];
    sheet.text(at, words, LABEL_SIZE, Anchor::Middle, DARK_GREY);
}

/// Draws an arrow with its tip at the place, outwards, and the value next to it on paper that
/// hides what lies below; returns the width that both take \[px\].
fn beyond(
    sheet: &mut Sheet,
    [tip, y]: Place,
    inwards: f64,
    value: f64,
    (colour, paper): (Colour, Colour),
) -> f64 {
    let words = reading(value);
    let width = letters::text_width(&words, LABEL_SIZE);
    let start = tip + inwards * 21.0;
    let end = start + inwards * width;
    let (from, to) = (tip.min(end) - 4.0, tip.max(end) + 4.0);
    let half = HALF_DIGIT * LABEL_SIZE + 1.0;
    sheet.rectangle([from, y - half], [to, y + half], paper);
    let anchor = if inwards > 0.0 {
        Anchor::Start
    } else {
        Anchor::End
    };
    let at = [start, y + HALF_DIGIT * LABEL_SIZE];
    sheet.label(at, words, anchor);
    symbols::arrow_head(sheet, [tip, y], -inwards, colour);
    (end - tip).abs()
}

/// Draws one mean with its interval; what lies beyond the axis is pointed at.
fn draw_estimate(
    sheet: &mut Sheet,
    x: &Axis,
    y: f64,
    one: Estimate,
    (colour, hollow, paper): (Colour, bool, Colour),
) {
    let tips = [x.from + 3.0, x.to - 3.0];
    if one.high >= x.low && one.low <= x.high {
        let (from, to) = (x.place(one.low), x.place(one.high));
        sheet.line(vec![[from, y], [to, y]], INTERVAL_WIDTH, colour);
        for (at, value) in [(from, one.low), (to, one.high)] {
            if (x.low..=x.high).contains(&value) {
                let cap = vec![[at, y - BAR_END], [at, y + BAR_END]];
                sheet.line(cap, RULE_WIDTH, colour);
            }
        }
    }
    if one.mean > x.high {
        beyond(sheet, [tips[1], y], -1.0, one.mean, (colour, paper));
    } else if one.high > x.high {
        symbols::arrow_head(sheet, [tips[1], y], 1.0, colour);
    }
    if one.mean < x.low {
        beyond(sheet, [tips[0], y], 1.0, one.mean, (colour, paper));
    } else if one.low < x.low {
        symbols::arrow_head(sheet, [tips[0], y], -1.0, colour);
    }
    if (x.low..=x.high).contains(&one.mean) {
        symbols::mean_mark(sheet, [x.place(one.mean), y], colour, hollow);
    }
}
