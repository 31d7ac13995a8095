//! The colour bar: the colour scale beside a picture, with its ticks and what it measures.

use crate::axes::colour_scale::colour_at;
use crate::axes::ticks::linear;
use crate::page::sheet::{Anchor, Place, Sheet};
use crate::page::style::{BLACK, HALF_DIGIT, LABEL_SIZE, NAME_SIZE, RULE_WIDTH, TICK_LENGTH};

/// Colours that are told apart along the path.
pub const SHADES: f64 = 64.0;
/// Width of the colour bar \[px\].
const BAR_WIDTH: f64 = 34.0;

/// Draws the colour scale as [`draw`] does, with a wedge on top: the darkest colour also stands for
/// all that is larger.
pub fn draw_open(sheet: &mut Sheet, name: &str, top_m: f64, [left, top]: Place, bottom: f64) {
    let (right, wedge) = (left + BAR_WIDTH, 0.9 * BAR_WIDTH);
    let peak = [left + 0.5 * BAR_WIDTH, top];
    let corners = vec![peak, [right, top + wedge], [left, top + wedge]];
    sheet.polygon(corners.clone(), colour_at(1.0));
    draw(sheet, name, top_m, [left, top + wedge], bottom);
    let edge = vec![corners[2], peak, corners[1]];
    sheet.line(edge, RULE_WIDTH, BLACK);
}

/// Draws the colour scale from 0 to `top_m`, its upper left corner and its lower end given.
pub fn draw(sheet: &mut Sheet, name: &str, top_m: f64, [left, top]: Place, bottom: f64) {
    let right = left + BAR_WIDTH;
    let height = |error_m: f64| bottom - (bottom - top) * error_m / top_m;
    let shades = SHADES as u32;
    for shade in 0..shades {
        let fraction = f64::from(shade) / SHADES;
        let (low, high) = (
            height(fraction * top_m),
            height((fraction + 1.0 / SHADES) * top_m),
        );
        // Each shade runs on below the next one up, or the seams would show.
        let low = if shade == 0 { low } else { low + 1.0 };
        sheet.rectangle(
            [left, high],
            [right, low],
            colour_at(f64::from(shade) / (SHADES - 1.0)),
        );
    }
    sheet.outline([left, top], [right, bottom], RULE_WIDTH, BLACK);
    let ticks = linear(0.0, top_m, 8, 0.0);
    for (&tick, label) in ticks.labelled.iter().zip(&ticks.labels) {
        let y = height(tick);
        sheet.line(
            vec![[right, y], [right + TICK_LENGTH, y]],
            RULE_WIDTH,
            BLACK,
        );
        let at = [right + 2.0 * TICK_LENGTH, y + HALF_DIGIT * LABEL_SIZE];
        sheet.text(at, label.clone(), LABEL_SIZE, Anchor::Start, BLACK);
    }
    let at = [
        right + 2.0 * TICK_LENGTH + ticks.width() + 1.2 * NAME_SIZE,
        0.5 * (top + bottom),
    ];
    sheet.upward_text(at, name.to_owned(), NAME_SIZE, BLACK);
}
