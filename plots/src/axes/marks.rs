//! Marks: small shapes that stand for one thing wherever they are drawn, in the data and in a legend.

use crate::page::sheet::{Place, Sheet};
use crate::page::style::{BLACK, Colour, INTERVAL_WIDTH, LABEL_SIZE, RULE_WIDTH, WHITE};
use std::f64::consts::TAU;

/// Corners of the polygon that stands for a ring.
const RING_CORNERS: u32 = 16;

/// An upright line, as high as a line of text.
pub fn upright(sheet: &mut Sheet, [x, y]: Place, (colour, width, dash): (Colour, f64, &[f64])) {
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

/// The mark of a lost flight, with a white edge that sets it off from the path.
pub fn loss_mark(sheet: &mut Sheet, at: Place) {
    sheet.cross(at, 16.0, 10.0, WHITE);
    sheet.cross(at, 14.0, 5.0, BLACK);
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

/// The same in a small view.
pub fn small_loss_mark(sheet: &mut Sheet, at: Place) {
    sheet.cross(at, 10.0, 8.0, WHITE);
    sheet.cross(at, 8.5, 3.5, BLACK);
}

fn ring_of_four(sheet: &mut Sheet, [x, y]: Place, radii: [f64; 2]) {
    for (r, colour) in radii.into_iter().zip([BLACK, WHITE]) {
        let corners = vec![[x - r, y], [x, y - r], [x + r, y], [x, y + r]];
        sheet.polygon(corners, colour);
    }
}
