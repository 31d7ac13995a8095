//! The page of a grid of flights: its rows and columns, and the scale of colours they share.

use super::cell::{
    self, BAR_ROOM, BETWEEN, Layout, Marks, PATH_WIDTH, REFERENCE_WIDTH, RESULT, Scene, flights_of,
    lines,
};
use super::{FlightGridPicture, FlightResult, GridFlight};
use crate::axes::colour_scale;
use crate::axes::legend::{self, Entry, Sample};
use crate::axes::symbols::Symbol;
use crate::axes::ticks::{every, reading};
use crate::page::letters::on_one_line;
use crate::page::sheet::{Anchor, Page, Place, Sheet};
use crate::page::style::{
    BLACK, DARK_GREY, GAP, HALF_DIGIT, LABEL_SIZE, LEADING, MARGIN, NAME_SIZE, RULE_WIDTH,
};
use crate::scene::track::Track;
use crate::scene::{View, cage};

/// Least top of the colour scale \[m\].
const LEAST_SCALE_M: f64 = 0.01;
/// Part of all distances that the colour scale holds; single peaks go beyond it.
const HELD: f64 = 0.99;
/// Most pieces of all paths together, and their least length \[px\]: this bounds the file.
const MOST_PIECES: f64 = 7000.0;
const LEAST_PIECE: f64 = 3.0;

/// The whole page.
pub fn sheet(page: Page, picture: &FlightGridPicture) -> Sheet {
    let (mut sheet, title_end) = Sheet::on(page.wide(), picture.title);
    // The legend has as many rows whichever of its entries there are.
    let legend_height = legend::rows_height(&sheet, &entries(true, true));
    let layout = Layout::of(&sheet, picture, title_end, legend_height);
    let columns = picture.columns.len();
    let scenes: Vec<Scene> = (0..columns)
        .map(|column| Scene::of(picture, column, &layout))
        .collect();
    tripod(&mut sheet, [MARGIN + 8.0, layout.top - 10.0]);
    for (column, scene) in scenes.iter().enumerate() {
        let label = picture.columns[column].label;
        heading(&mut sheet, label, scene, column, &layout);
    }
    for (row, name) in picture.rows.iter().enumerate() {
        row_name(&mut sheet, name, row, &layout);
    }
    let (scale_m, exceeded) = scale(picture, &scenes);
    let marks = cells(&mut sheet, picture, &layout, &scenes, scale_m);
    let bottom = layout.top + layout.lines as f64 * layout.cell[1];
    bar(&mut sheet, scale_m, exceeded, [layout.top, bottom]);
    let entries = entries(marks.lost, marks.leaves);
    legend::end(&mut sheet, &entries, bottom + GAP);
    sheet
}

/// Draws all flights; returns the marks that any of them got.
fn cells(
    sheet: &mut Sheet,
    picture: &FlightGridPicture,
    layout: &Layout,
    scenes: &[Scene],
    scale_m: f64,
) -> Marks {
    let piece = piece_length(picture, scenes, layout);
    let mut all = Marks::default();
    for (index, flight) in picture.flights.iter().enumerate() {
        let (row, column) = (index / scenes.len(), index % scenes.len());
        let scene = &scenes[column];
        let [from, to] = layout.view_corners(row, column);
        let (space, view) = (scene.space, View::fitting(&scene.space, from, to));
        cage::walls(sheet, &space, &view, &scene.ticks);
        let track = Track { space, view };
        let reference = picture.columns[column].reference_m;
        let marks = cell::draw(sheet, &track, reference, flight.as_ref(), [scale_m, piece]);
        all = Marks {
            lost: all.lost | marks.lost,
            leaves: all.leaves | marks.leaves,
        };
        result(sheet, flight.as_ref(), [from, to]);
    }
    all
}

/// The name of a trajectory and how wide its grid is.
fn heading(sheet: &mut Sheet, label: &str, scene: &Scene, column: usize, layout: &Layout) {
    let [mut width, _] = layout.cell;
    if layout.wrapped {
        width *= layout.abreast as f64;
    }
    let middle = layout.left + (column as f64 + 0.5) * width;
    let label = on_one_line(label, NAME_SIZE, width - BETWEEN);
    let at = [
        middle,
        layout.top - GAP - LEADING * LABEL_SIZE - 0.35 * NAME_SIZE,
    ];
    sheet.text(at, label, NAME_SIZE, Anchor::Middle, BLACK);
    let step = every(scene.step_m, 0.0, scene.step_m).labels.pop();
    let grid = format!("grid of {} m", step.unwrap_or_default());
    let at = [middle, layout.top - GAP - 0.35 * LABEL_SIZE];
    sheet.text(at, grid, LABEL_SIZE, Anchor::Middle, DARK_GREY);
}

/// The name of a row, at its left or, where rows stand side by side, above its flight.
fn row_name(sheet: &mut Sheet, name: &str, row: usize, layout: &Layout) {
    if layout.wrapped {
        let [from, to] = layout.view_corners(row, 0);
        let name = on_one_line(name, LABEL_SIZE, to[0] - from[0]);
        let at = [
            0.5 * (from[0] + to[0]),
            from[1] - RESULT - 0.25 * LABEL_SIZE,
        ];
        return sheet.label(at, name, Anchor::Middle);
    }
    let lines = lines(name);
    let middle = layout.top + (row as f64 + 0.5) * layout.cell[1] + 0.5 * RESULT;
    let height = LEADING * LABEL_SIZE;
    let first = middle - 0.5 * height * (lines.len() as f64 - 1.0) + HALF_DIGIT * LABEL_SIZE;
    for (index, line) in lines.into_iter().enumerate() {
        let at = [layout.left - GAP, first + index as f64 * height];
        sheet.label(at, line, Anchor::End);
    }
}

/// The outcome of a flight, above it.
fn result(sheet: &mut Sheet, flight: Option<&GridFlight>, [from, to]: [Place; 2]) {
    let (words, colour) = match flight.map(|flight| flight.result) {
        // To the millimetre, so that the cells compare digit by digit.
        Some(FlightResult::Completed { ace_m }) if ace_m < 100.0 => {
            (format!("ACE {ace_m:.3} m"), BLACK)
        }
        Some(FlightResult::Completed { ace_m }) => (format!("ACE {} m", reading(ace_m)), BLACK),
        Some(FlightResult::Lost { at_s }) => (format!("lost at {at_s:.1} s"), BLACK),
        None => ("no flight".to_owned(), DARK_GREY),
    };
    let at = [0.5 * (from[0] + to[0]), from[1] - 0.25 * LABEL_SIZE];
    sheet.text(at, words, LABEL_SIZE, Anchor::Middle, colour);
}

fn bar(sheet: &mut Sheet, scale_m: f64, exceeded: bool, [top, bottom]: [f64; 2]) {
    let left = sheet.right() - BAR_ROOM + 2.0 * GAP;
    let height = (bottom - top).min(900.0);
    let top = top + 0.5 * (bottom - top - height) + GAP;
    let draw = if exceeded {
        colour_scale::draw_open
    } else {
        colour_scale::draw
    };
    let name = "distance from the reference [m]";
    draw(sheet, name, scale_m, [left, top], top + height - 2.0 * GAP);
}

fn entries(lost: bool, leaves: bool) -> Vec<Entry> {
    let mut entries = vec![
        Entry::line("reference", BLACK, REFERENCE_WIDTH, &[]),
        Entry::new(Sample::Ramp { width: PATH_WIDTH }, "flown path"),
    ];
    if lost {
        entries.push(Entry::symbol("lost", Symbol::SmallLoss, BLACK));
    }
    if leaves {
        entries.push(Entry::symbol("leaves the frame", Symbol::SmallExit, BLACK));
    }
    entries
}

/// Top of the colour scale \[m\], and whether a distance that is shown exceeds it.
fn scale(picture: &FlightGridPicture, scenes: &[Scene]) -> (f64, bool) {
    let (mut of_completed, mut of_all) = (Vec::new(), Vec::new());
    for (column, scene) in scenes.iter().enumerate() {
        for flight in flights_of(picture, column) {
            let points = flight.path_m.iter().zip(flight.error_m);
            let shown = points.filter(|(point, _)| scene.space.holds(**point));
            let errors: Vec<f64> = shown.map(|(_, &error)| error).collect();
            if matches!(flight.result, FlightResult::Completed { .. }) {
                of_completed.extend_from_slice(&errors);
            }
            of_all.extend(errors);
        }
    }
    let largest = of_all.iter().copied().fold(0.0, f64::max);
    let mut errors = if of_completed.is_empty() {
        of_all
    } else {
        of_completed
    };
    errors.sort_by(f64::total_cmp);
    let held = (HELD * errors.len() as f64) as usize;
    let top = errors.get(held).or(errors.last()).copied().unwrap_or(0.0);
    // A scale a little higher that needs no open end is the better one.
    let top = if largest < 1.3 * top { largest } else { top };
    let top = top.max(LEAST_SCALE_M);
    (top, largest > top)
}

/// Length of the pieces of the paths \[px\], so that they are not too many.
fn piece_length(picture: &FlightGridPicture, scenes: &[Scene], layout: &Layout) -> f64 {
    let mut length = 0.0;
    for (column, scene) in scenes.iter().enumerate() {
        let [from, to] = layout.view_corners(0, column);
        let view = View::fitting(&scene.space, from, to);
        for flight in flights_of(picture, column) {
            for pair in flight.path_m.windows(2) {
                if let Some([a, b]) = scene.space.clip(pair[0], pair[1]) {
                    let (a, b) = (view.place(a), view.place(b));
                    length += (b[0] - a[0]).hypot(b[1] - a[1]);
                }
            }
        }
    }
    (length / MOST_PIECES).max(LEAST_PIECE)
}

/// Draws the three directions of space, as all cells show them, with their letters.
fn tripod(sheet: &mut Sheet, origin: Place) {
    let directions = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(View::direction);
    for (direction, letter) in directions.into_iter().zip(["x", "y", "z"]) {
        let length = direction[0].hypot(direction[1]);
        let out = |by: f64| [0, 1].map(|k| origin[k] + by * direction[k] / length);
        sheet.line(vec![origin, out(34.0)], RULE_WIDTH, BLACK);
        let [x, y] = out(46.0);
        let at = [x, y + 0.3 * LABEL_SIZE];
        sheet.label(at, letter, Anchor::Middle);
    }
}
