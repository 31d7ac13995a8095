//! A panel: a plot on a page, alone or among others with which it may share labels, with grid,
//! frame and ticks of its own. The plane of a picture with one panel is as large as the page leaves
//! room, its legend below.

use crate::axes::legend::{self, Entry};
use crate::axes::ticks::{Ticks, linear, logarithmic};
use crate::axes::{Axes, Axis};
use crate::page::letters;
use crate::page::sheet::{Anchor, Place, Sheet};
use crate::page::style::{
    BLACK, Colour, FIGURE_HEIGHT, GAP, GRID, GRID_WIDTH, HALF_DIGIT, LABEL_SIZE, MARGIN, NAME_SIZE,
    RULE_WIDTH, TICK_LENGTH,
};

/// Most steps between the labels of an axis that has room for them.
pub const MOST_STEPS: usize = 9;
/// Least height of the panel, as a part of the height of a figure.
const LEAST_HEIGHT: f64 = 0.68;

/// Two axes and where they are divided.
#[derive(Debug, Clone, PartialEq)]
pub struct Panel {
    /// Where numbers appear.
    pub axes: Axes,
    x_ticks: Ticks,
    y_ticks: Ticks,
    /// Height of a strip within the frame above the y axis \[px\].
    strip: f64,
}

impl Panel {
    /// A panel with at most so many steps between labels along x and along y; without ticks along
    /// an axis of which no steps are wanted.
    pub fn new(axes: Axes, [most_x, most_y]: [usize; 2]) -> Self {
        Self {
            axes,
            x_ticks: ticks(&axes.x, most_x, 0.0),
            y_ticks: ticks(&axes.y, most_y, 0.0),
            strip: 0.0,
        }
    }

    /// The panel with an x axis that counts, so that its ticks are whole numbers, and with a strip
    /// of that height within its frame, above the y axis.
    pub fn counting(axes: Axes, [most_x, most_y]: [usize; 2], strip: f64) -> Self {
        Self {
            x_ticks: ticks(&axes.x, most_x, 1.0),
            strip,
            ..Self::new(axes, [0, most_y])
        }
    }

    /// The panel with as many steps along x, at most `most`, as have room for their labels within it, two
    /// labels at least where that is possible, if need be at every second tick; without ticks along y.
    pub fn fitting(axes: Axes, most: usize) -> Self {
        // A label at an end moves inwards, and goes where its tick is then not over that part of it.
        let within = |part: f64, every: usize| {
            let counts = (2..=most).rev();
            let panels = counts.map(|steps| Self::new(axes, [steps, 0]));
            let mut labelled = panels
                .flat_map(|all| (0..every).map(move |first| all.labelling(first, every, part)));
            labelled.find(Self::has_room)
        };
        let found = [(0.5, 1), (0.5, 2), (1.0, 1), (1.0, 2)];
        let mut found = found
            .iter()
            .filter_map(|(part, every)| within(*part, *every));
        found.next().unwrap_or_else(|| Self::new(axes, [2, 0]))
    }

    /// The panel with a label at every so many of its x ticks from the first given on, but at those that
    /// would not stand over that part of their labels about the middle.
    fn labelling(&self, first: usize, every: usize, part: f64) -> Self {
        let ticks = &self.x_ticks;
        let over = |k: usize, [left, right]: [f64; 2]| {
            let aside = self.axes.x.place(ticks.labelled[k]) - 0.5 * (left + right);
            aside.abs() <= 0.5 * part * (right - left)
        };
        let places = self.places_inside().into_iter().enumerate();
        let (with, without): (Vec<_>, Vec<_>) =
            places.partition(|(k, place)| k % every == first && over(*k, *place));
        let mut panel = self.clone();
        panel.x_ticks = Ticks {
            labelled: with.iter().map(|(k, _)| ticks.labelled[*k]).collect(),
            labels: with.iter().map(|(k, _)| ticks.labels[*k].clone()).collect(),
            unlabelled: without.iter().map(|(k, _)| ticks.labelled[*k]).collect(),
        };
        panel
    }

    /// Whether there are two labels at least, each apart from the next.
    fn has_room(&self) -> bool {
        let places = self.places_inside();
        let apart = |pair: &[[f64; 2]]| pair[1][0] - pair[0][1] >= 0.5 * LABEL_SIZE;
        places.len() > 1 && places.windows(2).all(apart)
    }

    /// From where to where each label of the x axis reaches if those at the ends move inwards so that
    /// none stands beyond the panel \[px\].
    fn places_inside(&self) -> Vec<[f64; 2]> {
        let x = self.axes.x;
        let (from, to) = (x.from - 0.1 * LABEL_SIZE, x.to + 0.1 * LABEL_SIZE);
        let place = |(&tick, label): (&f64, &String)| {
            let half = 0.5 * letters::text_width(label, LABEL_SIZE);
            let middle = x.place(tick).min(to - half).max(from + half);
            [middle - half, middle + half]
        };
        let labels = self.x_ticks.labelled.iter().zip(&self.x_ticks.labels);
        labels.map(place).collect()
    }

    /// Draws grid lines at the labels of both axes.
    pub fn grid(&self, sheet: &mut Sheet) {
        self.grid_across(sheet);
        for &tick in &self.x_ticks.labelled {
            sheet.line(self.axes.upright(tick), GRID_WIDTH, GRID);
        }
    }

    /// Draws grid lines at the labels of the y axis.
    pub fn grid_across(&self, sheet: &mut Sheet) {
        for &tick in &self.y_ticks.labelled {
            sheet.line(self.axes.level(tick), GRID_WIDTH, GRID);
        }
    }

    /// Draws the frame and the ticks; labels where they are asked for.
    pub fn frame(&self, sheet: &mut Sheet, [label_x, label_y]: [bool; 2]) {
        let Axes { x, y } = self.axes;
        for (&tick, label) in self.x_ticks.labelled.iter().zip(&self.x_ticks.labels) {
            let at = x.place(tick);
            sheet.line(down(at, y.from, TICK_LENGTH), RULE_WIDTH, BLACK);
            if label_x {
                let below = y.from + 1.5 * TICK_LENGTH + 0.9 * LABEL_SIZE;
                sheet.label([at, below], label, Anchor::Middle);
            }
        }
        for (&tick, label) in self.y_ticks.labelled.iter().zip(&self.y_ticks.labels) {
            let at = y.place(tick);
            sheet.line(outwards(x.from, at, TICK_LENGTH), RULE_WIDTH, BLACK);
            if label_y {
                let at = [x.from - 1.6 * TICK_LENGTH, at + HALF_DIGIT * LABEL_SIZE];
                sheet.label(at, label, Anchor::End);
            }
        }
        for &tick in &self.x_ticks.unlabelled {
            let tick = down(x.place(tick), y.from, 0.5 * TICK_LENGTH);
            sheet.line(tick, GRID_WIDTH, BLACK);
        }
        for &tick in &self.y_ticks.unlabelled {
            let tick = outwards(x.from, y.place(tick), 0.5 * TICK_LENGTH);
            sheet.line(tick, GRID_WIDTH, BLACK);
        }
        let top = y.to - self.strip;
        sheet.outline([x.from, top], [x.to, y.from], RULE_WIDTH, BLACK);
    }

    /// Draws the labels of the x axis so that none stands beyond the panel, where a neighbour's
    /// would be: those at the ends move inwards, and what would then touch is left out.
    pub fn labels_inside(&self, sheet: &mut Sheet) {
        let Axes { x, y } = self.axes;
        let mut free_from = x.from - LABEL_SIZE;
        for ([left, right], label) in self.places_inside().iter().zip(&self.x_ticks.labels) {
            if *left >= free_from {
                let below = y.from + 1.5 * TICK_LENGTH + 0.9 * LABEL_SIZE;
                let at = [0.5 * (left + right), below];
                sheet.label(at, label, Anchor::Middle);
                free_from = right + 0.5 * LABEL_SIZE;
            }
        }
    }

    /// Width of the widest label of the y axis \[px\].
    pub fn label_width(&self) -> f64 {
        self.y_ticks.width()
    }

    /// Writes the names of both axes next to their labels; an axis without a name gets none.
    pub fn names(&self, sheet: &mut Sheet, across: &str, upwards: &str) {
        let Axes { x, y } = self.axes;
        if !across.is_empty() {
            x_name(sheet, across, x.from, x.to, y.from);
        }
        let labels = self.label_width() + 2.0 * TICK_LENGTH;
        let middle = 0.5 * (y.from + y.to - self.strip);
        let at = [x.from - labels - 0.6 * NAME_SIZE, middle];
        sheet.upward_text(at, upwards, NAME_SIZE);
    }
}

/// Room that the labels of a y axis, divided as [`Panel::new`] does, take to the left of it
/// \[px\].
pub fn room_for_labels(axis: &Axis, most: usize) -> f64 {
    ticks(axis, most, 0.0).width() + 2.0 * TICK_LENGTH
}

/// Room that the labels and the name of a y axis take to the left of it \[px\].
pub fn room_left(axis: &Axis, most: usize) -> f64 {
    room_for_labels(axis, most) + 1.7 * NAME_SIZE
}

/// Room that the labels and the name of an x axis take below it \[px\].
pub fn room_below() -> f64 {
    2.0 * TICK_LENGTH + LABEL_SIZE + 1.6 * NAME_SIZE
}

/// Writes the name of an x axis below its labels, in the middle between the ends.
pub fn x_name(sheet: &mut Sheet, name: &str, from: f64, to: f64, bottom: f64) {
    let below = bottom + 2.0 * TICK_LENGTH + LABEL_SIZE + 1.1 * NAME_SIZE;
    let at = [0.5 * (from + to), below];
    sheet.text(at, name, NAME_SIZE, Anchor::Middle, BLACK);
}

/// Space between panels that stand one below the other \[px\].
const BELOW: f64 = 26.0;

/// Panels one below the other on one linear x axis, as high as each other, between two places; those of
/// the labels to the left of them begin at the first place. At most so many steps along x.
pub fn stack(
    x: (f64, f64),
    all: &[(f64, f64)],
    [left, top]: Place,
    [right, bottom]: Place,
    most: usize,
) -> Vec<Panel> {
    let height = (bottom - top + BELOW) / all.len() as f64 - BELOW;
    let panel = |index: usize, left: f64| {
        let top = top + index as f64 * (height + BELOW);
        let axes = Axes {
            x: Axis::linear(x, left, right),
            y: Axis::linear(all[index], top + height, top),
        };
        Panel::new(axes, [most, 5])
    };
    let widths = (0..all.len()).map(|index| panel(index, left).label_width());
    let labels = widths.fold(0.0, f64::max);
    let from = left + labels + 2.0 * TICK_LENGTH;
    (0..all.len()).map(|index| panel(index, from)).collect()
}

/// Fills a band between its lower and upper ends at ascending x, in a colour without transparency: each
/// piece reaches below the next, or rounding would leave gaps.
pub fn band(sheet: &mut Sheet, axes: &Axes, points: &[[f64; 3]], colour: Colour) {
    for pair in points.windows(2) {
        let ([x, low, high], [next, next_low, next_high]) = (pair[0], pair[1]);
        let right = (axes.x.place(next) + 1.0).min(axes.x.to);
        let corners = vec![
            axes.place(x, high),
            [right, axes.y.place(next_high)],
            [right, axes.y.place(next_low)],
            axes.place(x, low),
        ];
        if corners[0][1] != corners[3][1] || corners[1][1] != corners[2][1] {
            sheet.polygon(corners, colour);
        }
    }
}

/// A tick that hangs down.
fn down(x: f64, y: f64, length: f64) -> Vec<Place> {
    vec![[x, y], [x, y + length]]
}

/// A tick that ends at the place, from the left.
fn outwards(x: f64, y: f64, length: f64) -> Vec<Place> {
    vec![[x - length, y], [x, y]]
}

/// Ticks of an axis; none where no steps are wanted.
fn ticks(axis: &Axis, most: usize, least_step: f64) -> Ticks {
    if most == 0 {
        Ticks::none()
    } else if axis.logarithmic {
        logarithmic(axis.low, axis.high, most)
    } else {
        linear(axis.low, axis.high, most, least_step)
    }
}

/// Draws the legend at the foot of the page; returns where a panel above it ends \[px from the top\].
pub fn foot(sheet: &mut Sheet, entries: &[Entry]) -> f64 {
    legend::rows(sheet, entries, sheet.bottom()) - GAP - room_below()
}

/// Draws the legend and makes the page as high as it needs; returns the axes placed between `top`,
/// less the height of a strip above them, and the legend. Where `x` and `y` stand on the page
/// before does not matter.
pub fn plane(
    sheet: &mut Sheet,
    entries: &[Entry],
    [x, y]: [Axis; 2],
    [top, strip]: [f64; 2],
) -> Axes {
    let legend = legend::rows_height(sheet, entries);
    let least = top + LEAST_HEIGHT * f64::from(FIGURE_HEIGHT);
    let bottom = (sheet.bottom() - legend - GAP - room_below()).max(least);
    legend::end(sheet, entries, bottom + room_below() + GAP);
    Axes {
        // Half of the last label stands beyond the panel.
        x: x.over(
            MARGIN + room_left(&y, MOST_STEPS),
            sheet.right() - 2.0 * GAP,
        ),
        y: y.over(bottom, top + strip),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A panel of that width between those values.
    fn labelled(low: f64, high: f64, width: f64) -> Panel {
        let x = Axis::linear((low, high), 0.0, width);
        let y = Axis::linear((0.0, 1.0), 100.0, 0.0);
        Panel::fitting(Axes { x, y }, MOST_STEPS)
    }

    #[test]
    fn a_narrow_panel_has_two_labels_that_stand_apart() {
        // Steps of .002 have no room in these, and .005 one label.
        let panel = labelled(0.0355, 0.0433, 293.0);
        assert_eq!(panel.x_ticks.labels, ["0.036", "0.040"]);
        assert_eq!(panel.x_ticks.unlabelled, [0.038, 0.042]);
        // .25 would stand next to its label, which is then the only one.
        let panel = labelled(0.249, 0.437, 605.0);
        assert_eq!(panel.x_ticks.labels, ["0.30", "0.35", "0.40"]);
        assert_eq!(panel.x_ticks.unlabelled, [0.25]);
        for k in 0..4000 {
            let low = 0.0001 * f64::from(k);
            for span in [0.0068, 0.013, 0.0152, 0.021, 0.047, 0.23] {
                let ticks = labelled(low, low + span, 293.0).x_ticks;
                assert!(ticks.labels.len() > 1, "{low} {span} {ticks:?}");
            }
        }
    }
}
