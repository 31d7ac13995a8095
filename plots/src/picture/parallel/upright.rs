//! The upright axes of parallel coordinates, with their ends and names.

use super::{BAR_ROOM, ParallelPicture, TALL};
use crate::axes::Axis;
use crate::axes::ticks::reading;
use crate::page::letters::text_width;
use crate::page::lines::on_one_line;
use crate::page::sheet::{Anchor, Sheet, page_width};
use crate::page::style::{BLACK, DARK_GREY, GAP, LABEL_SIZE, LEADING, MARGIN, RULE_WIDTH};

/// Where each axis stands, and the axis.
pub(super) fn placed(picture: &ParallelPicture, top: f64) -> Vec<(f64, Axis)> {
    let (from, to) = (MARGIN + 70.0, page_width() - MARGIN - BAR_ROOM - 60.0);
    let count = picture.axes.len();
    let apart = (to - from) / (count.max(2) - 1) as f64;
    let first = if count == 1 { 0.5 * (from + to) } else { from };
    let axes = picture.axes.iter().enumerate();
    axes.map(|(k, axis)| {
        let range = (axis.low, axis.high);
        let make = if axis.logarithmic {
            Axis::logarithmic
        } else {
            Axis::linear
        };
        (first + apart * k as f64, make(range, top + TALL, top))
    })
    .collect()
}

/// Draws the axes with their ends and names; returns where the names end \[px from the top\]. Names
/// that are wider than the axes are apart stand in several rows.
pub(super) fn axis_words(
    sheet: &mut Sheet,
    picture: &ParallelPicture,
    axes: &[(f64, Axis)],
) -> f64 {
    let line_height = LEADING * LABEL_SIZE;
    let apart = axes.get(1).map_or(page_width(), |(x, _)| x - axes[0].0);
    let widest = page_width() / 3.0;
    let names: Vec<String> = picture
        .axes
        .iter()
        .map(|axis| on_one_line(axis.label, LABEL_SIZE, widest))
        .collect();
    let widths = names.iter().map(|name| text_width(name, LABEL_SIZE));
    let width = widths.fold(0.0, f64::max);
    // The first name moves in from the edge of the page.
    let moved = (MARGIN + 0.5 * width - axes[0].0).max(0.0);
    let rows = ((width + GAP + moved) / apart).ceil().max(1.0) as usize;
    let ends: Vec<[String; 2]> = picture
        .axes
        .iter()
        .map(|axis| [axis.low, axis.high].map(reading))
        .collect();
    let wide_end = ends
        .iter()
        .flatten()
        .map(|end| text_width(end, LABEL_SIZE))
        .fold(0.0, f64::max);
    // Ends that would touch their neighbours are left to every other axis.
    let every = ((wide_end + GAP) / apart).ceil().max(1.0) as usize;
    for (k, (x, axis)) in axes.iter().enumerate() {
        sheet.line(vec![[*x, axis.from], [*x, axis.to]], RULE_WIDTH, BLACK);
        let [low, high] = ends[k].clone();
        if k % every == 0 {
            sheet.text(
                [*x, axis.to - GAP],
                high,
                LABEL_SIZE,
                Anchor::Middle,
                DARK_GREY,
            );
            let below = axis.from + 0.4 * GAP + LABEL_SIZE;
            sheet.text([*x, below], low, LABEL_SIZE, Anchor::Middle, DARK_GREY);
        }
        let half = 0.5 * text_width(&names[k], LABEL_SIZE);
        let middle = x.max(MARGIN + half).min(page_width() - MARGIN - half);
        let row = (k % rows + 1) as f64;
        let at = [middle, axis.from + GAP + LABEL_SIZE + row * line_height];
        sheet.text(at, names[k].clone(), LABEL_SIZE, Anchor::Middle, BLACK);
    }
    axes[0].1.from + GAP + LABEL_SIZE + (rows as f64 + 0.5) * line_height
}
