//! Small multiples: a panel for each of many searches, which no palette could tell apart in one. Each
//! shows its own search in colour before the medians of all the others in grey.

use super::best_so_far::summaries;
use super::{ConvergencePicture, Series, any, key, page};
use crate::axes::Axes;
use crate::axes::legend::{self, Entry, Sample};
use crate::axes::panel::{Panel, room_below, room_left, x_name};
use crate::axes::symbols::Symbol;
use crate::page::letters::on_one_line;
use crate::page::sheet::{Anchor, Page, Sheet};
use crate::page::style::{
    BLACK, GAP, LABEL_SIZE, MARGIN, NAME_SIZE, RULE_WIDTH, SHADOW, TICK_LENGTH,
};

/// Panels side by side.
const ABREAST: usize = 4;
/// Height of a panel and space between two \[px\].
const HEIGHT: f64 = 230.0;
const BETWEEN: f64 = 22.0;
/// Room for the name of a search above its panel \[px\].
const HEADING: f64 = 1.6 * LABEL_SIZE;
/// Height of the strip of lost evaluations \[px\].
const STRIP: f64 = 1.6 * LABEL_SIZE;
/// Most steps between labels.
const STEPS: [usize; 2] = [4, 5];

/// The whole page, as high as its panels need.
pub fn sheet(page: Page, picture: &ConvergencePicture) -> Sheet {
    let (mut sheet, top) = Sheet::on(page, picture.title);
    let [x, y] = page::unplaced(picture);
    let left = MARGIN + room_left(&y, STEPS[1]);
    let right = sheet.right();
    let width = (right - left + BETWEEN) / ABREAST as f64;
    let strip = if any(picture, true) { STRIP } else { 0.0 };
    let lines = picture.series.len().div_ceil(ABREAST);
    let line = HEADING + HEIGHT + 2.0 * TICK_LENGTH + LABEL_SIZE;
    for index in 0..picture.series.len() {
        let (row, column) = (index / ABREAST, index % ABREAST);
        let from = left + column as f64 * width;
        let upper = top + row as f64 * line + HEADING;
        let axes = Axes {
            x: x.over(from, from + width - BETWEEN),
            y: y.over(upper + HEIGHT, upper + strip),
        };
        panel(&mut sheet, picture, index, axes, [upper, strip]);
    }
    let bottom = top + lines as f64 * line;
    x_name(
        &mut sheet,
        "evaluation",
        left,
        right,
        bottom - LABEL_SIZE - 2.0 * TICK_LENGTH,
    );
    let at = [MARGIN + 0.4 * NAME_SIZE, 0.5 * (top + bottom)];
    sheet.upward_text(at, picture.y_name, NAME_SIZE);
    let entries = entries(picture);
    let end = bottom + room_below() - LABEL_SIZE + legend::rows_height(&sheet, &entries);
    sheet.end_at(end + GAP);
    legend::rows(&mut sheet, &entries, end);
    sheet
}

fn panel(
    sheet: &mut Sheet,
    picture: &ConvergencePicture,
    index: usize,
    axes: Axes,
    [upper, strip]: [f64; 2],
) {
    let one = ConvergencePicture {
        series: &picture.series[index..=index],
        ..*picture
    };
    let panel = Panel::counting(axes, STEPS, strip);
    panel.grid_across(sheet);
    page::rules(sheet, picture, &axes, upper);
    for other in picture.series {
        let summaries = summaries(other.runs, picture.band);
        let points = page::staircase(&summaries, &axes);
        sheet.line(points, RULE_WIDTH, SHADOW);
    }
    page::dots(sheet, Page::FILE, &one, &axes);
    page::losses(sheet, &one, &axes, [upper, strip]);
    page::curves(sheet, &one, &axes);
    let leftmost = index.is_multiple_of(ABREAST);
    if leftmost {
        page::lost_label(sheet, &axes, [upper, strip]);
    }
    panel.frame(sheet, [true, leftmost]);
    let width = axes.x.to - axes.x.from;
    let name = on_one_line(picture.series[index].label, LABEL_SIZE, width);
    let at = [axes.x.from, upper - 0.45 * LABEL_SIZE];
    sheet.label(at, name, Anchor::Start);
}

/// What the marks mean; any search stands for the one named above a panel.
fn entries(picture: &ConvergencePicture) -> Vec<Entry> {
    let most = picture.series.iter().max_by_key(|series| series.runs.len());
    let named = most.map(|series| Series {
        label: "the search named",
        ..*series
    });
    let one = ConvergencePicture {
        series: named.as_slice(),
        ..*picture
    };
    let mut entries = key::entries(Page::FILE, &one);
    entries.retain(|entry| entry.sample != Sample::Gap);
    let others = Entry::line("the other searches", SHADOW, RULE_WIDTH, &[]);
    entries.insert(1, others);
    if any(picture, true) && !any(&one, true) {
        entries.push(Entry::symbol("lost evaluation", Symbol::Cross, BLACK));
    }
    entries
}
