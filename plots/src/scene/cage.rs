//! The cage: the frame of a three-dimensional picture, with its three far walls, their grid,
//! and the ticks and names of the axes along the outer edges.

use crate::axes::ticks::{Ticks, every, round_step};
use crate::page::sheet::{Anchor, Place, Sheet};
use crate::page::style::{
    BLACK, DARK_GREY, GRID, GRID_WIDTH, HALF_DIGIT, LABEL_SIZE, NAME_SIZE, RULE_WIDTH, TICK_LENGTH,
    WALL,
};
use crate::scene::{Point, Space, View};

/// Least distance between neighbouring ticks on the page \[px\].
const LEAST_TICK_DISTANCE: f64 = 44.0;
/// Room above the cage and below it, for the labels and the name of the x axis \[px\].
const ROOM_ABOVE: f64 = 20.0;
const ROOM_BELOW: f64 = 96.0;
/// Room for the name of the y or the z axis next to its labels \[px\].
const ROOM_FOR_NAME: f64 = 100.0;
/// From the front edge of the floor to the middle of its tick labels \[px\].
const LABEL_DISTANCE: f64 = 40.0;
/// From the front edge of the floor to the middle of its name \[px\].
const NAME_DISTANCE: f64 = 106.0;
/// From an edge at the side to the beginning of its tick labels \[px\].
const SIDE_DISTANCE: f64 = 2.5 * TICK_LENGTH;

/// The view of `space` that leaves room for the labels of its cage inside the rectangle.
pub fn view(space: &Space, [left, top]: Place, [right, bottom]: Place) -> View {
    let fitting = |room_left: f64, room_right: f64| {
        let upper_left = [left + room_left, top + ROOM_ABOVE];
        View::fitting(space, upper_left, [right - room_right, bottom - ROOM_BELOW])
    };
    // How wide the labels are depends on the step, and that on the view: the first view decides.
    let ticks = ticks(space, &fitting(ROOM_FOR_NAME, ROOM_FOR_NAME));
    let room = |axis: usize| SIDE_DISTANCE + ticks[axis].width() + ROOM_FOR_NAME;
    // The name of the y axis stands inwards of the corner, where its last label is.
    fitting(room(2), room(1) - 0.6 * ROOM_FOR_NAME)
}

/// Draws the cage around `space`.
pub fn draw(sheet: &mut Sheet, space: &Space, view: &View) {
    let ticks = ticks(space, view);
    walls(sheet, space, view, &ticks);
    for (axis, name) in ["x [m]", "y [m]", "z [m]"].into_iter().enumerate() {
        edge(sheet, space, view, axis, &ticks[axis], name);
    }
}

/// Ticks at one step on all axes, because they have one scale: the smallest at which ticks and
/// labels keep apart on every axis.
fn ticks(space: &Space, view: &View) -> [Ticks; 3] {
    let at = |step: f64| [0, 1, 2].map(|axis| every(step, space.low[axis], space.high[axis]));
    let mut step = round_step(LEAST_TICK_DISTANCE / view.px_per_m);
    for _ in 0..6 {
        let ticks = at(step);
        let apart = |axis: usize| {
            let [x, y] =
                View::direction(unit(axis)).map(|along| along.abs() * step * view.px_per_m);
            x.hypot(y) >= LEAST_TICK_DISTANCE
                && (x >= 1.2 * ticks[axis].width() || y >= 1.3 * LABEL_SIZE)
        };
        if (0..3).all(apart) {
            break;
        }
        step = round_step(1.1 * step);
    }
    at(step)
}

fn unit(axis: usize) -> Point {
    std::array::from_fn(|other| f64::from(u8::from(other == axis)))
}

/// The coordinate of the wall across `axis`: the far one, seen from the right front, above.
fn far(space: &Space, axis: usize) -> f64 {
    if axis == 1 {
        space.high[1]
    } else {
        space.low[axis]
    }
}

/// Draws the far walls with grid lines at the ticks, and nothing in words.
pub fn walls(sheet: &mut Sheet, space: &Space, view: &View, ticks: &[Ticks; 3]) {
    for across in 0..3 {
        let (a, b) = ((across + 1) % 3, (across + 2) % 3);
        let point = |at_a: f64, at_b: f64| {
            let mut point = [0.0; 3];
            (point[across], point[a], point[b]) = (far(space, across), at_a, at_b);
            view.place(point)
        };
        let ends = [
            point(space.low[a], space.low[b]),
            point(space.high[a], space.low[b]),
            point(space.high[a], space.high[b]),
            point(space.low[a], space.high[b]),
        ];
        sheet.polygon(ends.to_vec(), WALL);
        for &tick in &ticks[a].labelled {
            sheet.line(
                vec![point(tick, space.low[b]), point(tick, space.high[b])],
                GRID_WIDTH,
                GRID,
            );
        }
        for &tick in &ticks[b].labelled {
            sheet.line(
                vec![point(space.low[a], tick), point(space.high[a], tick)],
                GRID_WIDTH,
                GRID,
            );
        }
        let outline = [ends[0], ends[1], ends[2], ends[3], ends[0]];
        sheet.line(outline.to_vec(), RULE_WIDTH, GRID);
    }
}

/// Draws the outer edge along `axis` with its ticks and its name: x along the front of the floor,
/// y along its right side, z up the left side of the cage.
fn edge(sheet: &mut Sheet, space: &Space, view: &View, axis: usize, ticks: &Ticks, name: &str) {
    let corner = match axis {
        0 => [0.0, space.low[1], space.low[2]],
        1 => [space.high[0], 0.0, space.low[2]],
        _ => [space.low[0], space.low[1], 0.0],
    };
    let place = |along: f64| {
        let mut point = corner;
        point[axis] = along;
        view.place(point)
    };
    let outwards = match axis {
        0 => normal(View::direction([0.0, -1.0, 0.0])),
        1 => normal(View::direction([1.0, 0.0, 0.0])),
        _ => [-1.0, 0.0],
    };
    let out = |[x, y]: Place, by: f64| [x + by * outwards[0], y + by * outwards[1]];
    sheet.line(
        vec![place(space.low[axis]), place(space.high[axis])],
        RULE_WIDTH,
        DARK_GREY,
    );
    let (distance, anchor) = match axis {
        0 => (LABEL_DISTANCE, Anchor::Middle),
        1 => (SIDE_DISTANCE, Anchor::Start),
        _ => (2.0 * TICK_LENGTH, Anchor::End),
    };
    for (&tick, label) in ticks.labelled.iter().zip(&ticks.labels) {
        let foot = place(tick);
        sheet.line(vec![foot, out(foot, TICK_LENGTH)], RULE_WIDTH, DARK_GREY);
        write(sheet, out(foot, distance), label, LABEL_SIZE, anchor);
    }
    let middle = place(0.5 * (space.low[axis] + space.high[axis]));
    let name_distance = match axis {
        0 => NAME_DISTANCE + 0.18 * ticks.width(),
        1 => 3.0 * TICK_LENGTH + SIDE_DISTANCE + ticks.width(),
        _ => 4.0 * TICK_LENGTH + ticks.width(),
    };
    write(sheet, out(middle, name_distance), name, NAME_SIZE, anchor);
}

/// Writes with the middle of the line at the height of the place.
fn write(sheet: &mut Sheet, [x, y]: Place, words: &str, size: f64, anchor: Anchor) {
    sheet.text([x, y + HALF_DIGIT * size], words, size, anchor, BLACK);
}

fn normal([x, y]: Place) -> Place {
    let length = x.hypot(y);
    [x / length, y / length]
}
