//! The page of a convergence picture: its axes, and what is drawn between them.

use super::key::{self, loss_colour};
use super::{ConvergencePicture, any, runs, shown};
use crate::axes::panel::{MOST_STEPS, Panel, plane, room_below, room_left};
use crate::axes::symbols::{self, Symbol};
use crate::axes::{Axes, Axis, HEADROOM, Scale, ends, legend, ratio_range};
use crate::page::letters;
use crate::page::sheet::{Anchor, Page, Place, Sheet};
use crate::page::style::{
    BASELINE_DASH, BLACK, Colour, DARK_GREY, DOT_RADIUS, GAP, GRID, HALF_DIGIT, INITIAL_DASH,
    LABEL_SIZE, LARGE_DOT_RADIUS, MARGIN, RULE_WIDTH, TICK_LENGTH, WHITE, band_alpha, dot_alpha,
    series_colour,
};
use crate::picture::convergence::best_so_far::{Summary, summaries};

/// Height of a row of marks of lost evaluations \[px\].
const LOSS_ROW: f64 = 17.0;

/// How near a pointer must be to an evaluation \[px\].
const NOTE_RADIUS: f64 = 9.0;

/// The whole page.
pub fn sheet(page: Page, picture: &ConvergencePicture) -> Sheet {
    let (mut sheet, top) = Sheet::on(page, picture.title);
    let strip = loss_strip(picture);
    let axes = unplaced(picture);
    let axes = place(&mut sheet, page, picture, axes, [top, strip]);
    let panel = Panel::counting(axes, [MOST_STEPS; 2], strip);
    panel.grid_across(&mut sheet);
    rules(&mut sheet, picture, &axes, top);
    dots(&mut sheet, page, picture, &axes);
    losses(&mut sheet, picture, &axes, [top, strip]);
    lost_label(&mut sheet, &axes, [top, strip]);
    curves(&mut sheet, picture, &axes);
    if !any(picture, false) {
        let (x, y) = (axes.x, axes.y);
        nothing_completed(&mut sheet, 0.5 * (x.from + x.to), 0.7 * top + 0.3 * y.from);
    }
    panel.frame(&mut sheet, [true, true]);
    panel.names(&mut sheet, "evaluation", picture.y_name);
    sheet
}

/// The axes of evaluations and values, not placed yet.
pub fn unplaced(picture: &ConvergencePicture) -> [Axis; 2] {
    let longest = runs(picture).map(|(_, run)| run.value_m.len()).max();
    let last = longest.unwrap_or(1).max(picture.initial);
    let evaluations = (-0.5, last as f64 - 0.5);
    [
        Axis::unplaced(evaluations, false),
        value_axis(&shown(picture), picture.scale),
    ]
}

/// The axis of values.
fn value_axis(shown: &[f64], scale: Scale) -> Axis {
    if shown.is_empty() {
        return Axis::unplaced((0.0, 1.05), false);
    }
    let (least, most) = ends(shown.iter().copied());
    if scale.is_logarithmic(least, most) {
        return Axis::unplaced(ratio_range(shown.iter().copied(), HEADROOM), true);
    }
    // Equal values get an axis about them; one that starts at zero needs no space below.
    let magnitude = least.abs().max(most.abs());
    let spare = (HEADROOM * (most - least)).max(0.05 * magnitude);
    let spare = if spare == 0.0 { 0.1 } else { spare };
    let low = if least >= 0.0 {
        (least - spare).max(0.0)
    } else {
        least - spare
    };
    Axis::unplaced((low, most + spare), false)
}

/// Height of the strip of lost evaluations \[px\]; 0 where there are none.
fn loss_strip(picture: &ConvergencePicture) -> f64 {
    if any(picture, true) {
        (picture.series.len() as f64 * LOSS_ROW + 10.0).max(2.0 * LABEL_SIZE)
    } else {
        0.0
    }
}

/// Draws the legend, next to the data where there is room, and places the axes.
fn place(
    sheet: &mut Sheet,
    page: Page,
    picture: &ConvergencePicture,
    [x, y]: [Axis; 2],
    [top, strip]: [f64; 2],
) -> Axes {
    let entries = key::entries(page, picture);
    if page.is_narrow() {
        return plane(sheet, &entries, [x, y], [top, strip]);
    }
    let right = legend::at_right(sheet, &entries, top);
    Axes {
        x: x.over(MARGIN + room_left(&y, MOST_STEPS), right),
        y: y.over(sheet.bottom() - room_below(), top + strip),
    }
}

/// Says so where no curve can be drawn, on paper of its own.
fn nothing_completed(sheet: &mut Sheet, middle: f64, baseline: f64) {
    let words = "no evaluation was completed";
    let half = 0.5 * letters::text_width(words, LABEL_SIZE) + GAP;
    let upper_left = [middle - half, baseline - LABEL_SIZE];
    sheet.rectangle(
        upper_left,
        [middle + half, baseline + 0.4 * LABEL_SIZE],
        WHITE,
    );
    sheet.text(
        [middle, baseline],
        words,
        LABEL_SIZE,
        Anchor::Middle,
        DARK_GREY,
    );
}

/// Draws the end of the initial design and the baseline.
pub fn rules(sheet: &mut Sheet, picture: &ConvergencePicture, axes: &Axes, top: f64) {
    if picture.initial > 0 {
        let x = axes.x.place(picture.initial as f64 - 0.5);
        sheet.dashed(
            vec![[x, top], [x, axes.y.from]],
            INITIAL_DASH,
            RULE_WIDTH,
            DARK_GREY,
        );
    }
    if let Some((_, value)) = picture.baseline {
        sheet.dashed(axes.level(value), BASELINE_DASH, RULE_WIDTH, BLACK);
    }
}

pub fn dots(sheet: &mut Sheet, page: Page, picture: &ConvergencePicture, axes: &Axes) {
    let radius = match page.is_narrow() {
        // Shown smaller, and of a single run.
        true => LARGE_DOT_RADIUS,
        false => DOT_RADIUS,
    };
    let alpha = dot_alpha(runs(picture).map(|(_, run)| run.value_m.len()).sum());
    for (series, run) in runs(picture) {
        let colour = series_colour(series).faded(alpha);
        for (index, &value) in run.value_m.iter().enumerate() {
            let place = axes.place(index as f64, value);
            if let (Some(words), false) = (run.notes.get(index), run.lost[index]) {
                sheet.note(place, NOTE_RADIUS, words);
            }
            match run.designed.get(index) {
                _ if run.lost[index] => {}
                Some(true) => symbols::ring(sheet, place, radius, DARK_GREY),
                _ => sheet.disc(place, radius, colour),
            }
        }
    }
}

/// Draws the strip of lost evaluations between its top and the data.
pub fn losses(
    sheet: &mut Sheet,
    picture: &ConvergencePicture,
    axes: &Axes,
    [top, strip]: [f64; 2],
) {
    if strip == 0.0 {
        return;
    }
    let row = (strip - 10.0) / picture.series.len() as f64;
    for (series, run) in runs(picture) {
        let y = top + 5.0 + (series as f64 + 0.5) * row;
        let colour = loss_colour(picture, series);
        for (index, _) in run.lost.iter().enumerate().filter(|(_, lost)| **lost) {
            let place = [axes.x.place(index as f64), y];
            Symbol::Cross.draw(sheet, place, colour);
            if let Some(words) = run.notes.get(index) {
                sheet.note(place, NOTE_RADIUS, words);
            }
        }
    }
    let below = top + strip;
    sheet.line(
        vec![[axes.x.from, below], [axes.x.to, below]],
        RULE_WIDTH,
        GRID,
    );
}

/// Says what the strip holds, at its left.
pub fn lost_label(sheet: &mut Sheet, axes: &Axes, [top, strip]: [f64; 2]) {
    if strip == 0.0 {
        return;
    }
    let at = [
        axes.x.from - 1.6 * TICK_LENGTH,
        top + 0.5 * strip + HALF_DIGIT * LABEL_SIZE,
    ];
    sheet.label(at, "lost", Anchor::End);
}

/// Draws all bands, then all curves over them.
pub fn curves(sheet: &mut Sheet, picture: &ConvergencePicture, axes: &Axes) {
    let all: Vec<Vec<Summary>> = picture
        .series
        .iter()
        .map(|series| summaries(series.runs, picture.band))
        .collect();
    for (index, summaries) in all.iter().enumerate() {
        if picture.series[index].runs.len() > 1 {
            let colour = series_colour(index).faded(band_alpha(all.len()));
            band(sheet, summaries, axes, colour);
        }
    }
    for (index, summaries) in all.iter().enumerate() {
        let points = staircase(summaries, axes);
        sheet.series(points, index);
    }
}

/// One rectangle for each stretch over which the band keeps its ends.
fn band(sheet: &mut Sheet, summaries: &[Summary], axes: &Axes, colour: Colour) {
    let mut from = 0;
    while from < summaries.len() {
        let Summary { low, high, .. } = summaries[from];
        let same = |other: &Summary| other.low == low && other.high == high;
        let to = from
            + summaries[from..]
                .iter()
                .take_while(|other| same(other))
                .count();
        if low.is_finite() && low < high {
            let edge = |index: usize| index as f64 - 0.5;
            let upper_left = axes.place(edge(from), high);
            sheet.rectangle(upper_left, axes.place(edge(to), low), colour);
        }
        from = to;
    }
}

/// The median as a staircase, from the first evaluation at which there is one.
pub fn staircase(summaries: &[Summary], axes: &Axes) -> Vec<Place> {
    let mut points: Vec<Place> = Vec::new();
    for (index, summary) in summaries.iter().enumerate() {
        if !summary.median.is_finite() {
            continue;
        }
        let step = [-0.5, 0.5].map(|edge| axes.place(index as f64 + edge, summary.median));
        if points.last() == Some(&step[0]) {
            // The step continues: its end moves.
            points.pop();
        } else {
            points.push(step[0]);
        }
        points.push(step[1]);
    }
    points
}
