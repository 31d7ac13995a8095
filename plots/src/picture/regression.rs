//! Regression: fits of one variable side by side, each with its band, the points it was fitted
//! to and tested on, and what is left of them underneath.

use crate::axes::legend::{Entry, Sample};
use crate::axes::panel::{self, room_for_labels};
use crate::axes::symbols::Symbol;
use crate::axes::{Axes, Axis, range};
use crate::error::{Error, FINITE, count, within};
use crate::page::letters::on_one_line;
use crate::page::sheet::{Anchor, Page, Sheet};
use crate::page::style::{
    BLACK, Colour, DARK_GREY, DOT_RADIUS, GAP, HALF_DIGIT, LABEL_SIZE, MARGIN, NAME_SIZE,
    OVER_WIDTH, RULE_WIDTH, WHITE, series_colour,
};
use crate::picture::Picture;

/// Most panels on a page.
const MOST_PANELS: usize = 8;
/// Share of a panel's height that the strip underneath takes.
const STRIP: f64 = 0.27;
/// Dash pattern of the response without noise.
const TRUTH_DASH: &[f64] = &[7.0, 5.0];
/// The fit's place in the palette; sets of points take those after it.
const FIT: usize = 0;

/// Fits of the same data, each in a panel of its own on common axes.
#[derive(Debug, Clone, Copy)]
pub struct RegressionPicture<'a> {
    /// Printed above the picture; wrapped, and cut short where two lines do not hold it.
    pub title: &'a str,
    /// Name of the input, with its unit.
    pub x_name: &'a str,
    /// Name of the output, with its unit.
    pub y_name: &'a str,
    /// What the strip under each panel shows.
    pub rest_name: &'a str,
    /// The fits, 1 to 8.
    pub panels: &'a [Panel<'a>],
    /// Points shown in every panel, each set with its own colour.
    pub points: &'a [PointSet<'a>],
    /// The response without noise, in pieces: each a line through its points; may be empty.
    pub truth: &'a [Vec<[f64; 2]>],
}

/// One fit.
#[derive(Debug, Clone, Copy)]
pub struct Panel<'a> {
    /// Printed above the panel.
    pub label: &'a str,
    /// The fit at ascending inputs.
    pub fit: &'a [FitPoint],
    /// Inputs and what the fit leaves of the observations there.
    pub rest: &'a [[f64; 2]],
}

/// The fit at one input.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FitPoint {
    /// The input.
    pub x: f64,
    /// The predicted mean.
    pub mean: f64,
    /// Half the height of the band; none without uncertainty.
    pub half_width: Option<f64>,
}

/// A set of observations.
#[derive(Debug, Clone, Copy)]
pub struct PointSet<'a> {
    /// Name in the legend.
    pub label: &'a str,
    /// Inputs and observations.
    pub at: &'a [[f64; 2]],
}

/// The ranges that all panels share.
struct Ranges {
    x: (f64, f64),
    y: (f64, f64),
    rest: (f64, f64),
}

impl Ranges {
    fn of(picture: &RegressionPicture) -> Self {
        let observations = || picture.points.iter().flat_map(|set| set.at);
        let truth = || picture.truth.iter().flatten();
        let x = range(observations().chain(truth()).map(|p| p[0]), 0.03);
        let y = range(observations().chain(truth()).map(|p| p[1]), 0.10);
        // A fit that misses wildly must not flatten the others: what lies beyond half the span
        // of the observations stays at the edge.
        let bound = 0.5 * (y.1 - y.0);
        let rests = picture.panels.iter().flat_map(|panel| panel.rest);
        let largest = rests.map(|p| p[1].abs()).fold(0.0, f64::max);
        let half = 1.1 * largest.min(bound).max(1e-3 * bound);
        Self {
            x,
            y,
            rest: (-half, half),
        }
    }
}

impl Picture for RegressionPicture<'_> {
    /// No panel or more than 8, no observations, a number that is not finite or too large.
    fn check(&self) -> Result<(), Error> {
        count("panels", self.panels.len(), MOST_PANELS)?;
        let observations = self.points.iter().flat_map(|set| set.at);
        if observations.clone().next().is_none() {
            let quantity = "list of observations";
            return Err(Error::NoValues(quantity));
        }
        within(
            "list of observations",
            observations.flatten().copied(),
            FINITE,
        )?;
        let truth = self.truth.iter().flatten().flatten();
        within("truth", truth.copied(), FINITE)?;
        let rests = self.panels.iter().flat_map(|panel| panel.rest);
        within("rest", rests.flatten().copied(), FINITE)?;
        let fits = self.panels.iter().flat_map(|panel| panel.fit);
        let fits = fits.flat_map(|p| [p.x, p.mean, p.half_width.unwrap_or(0.0)]);
        within("fit", fits, FINITE)
    }

    fn sheet(&self, page: Page) -> Sheet {
        let (mut sheet, top) = Sheet::on(page.wide(), self.title);
        let (ranges, right) = (Ranges::of(self), sheet.right());
        let count = self.panels.len();
        let columns = if count <= 3 { count } else { count.div_ceil(2) };
        let rows = count.div_ceil(columns);
        let bottom = panel::foot(&mut sheet, &entries(self));
        let labels = |range, most| room_for_labels(&Axis::linear(range, 1.0, 0.0), most);
        let left = MARGIN + 1.6 * NAME_SIZE + labels(ranges.y, 6).max(labels(ranges.rest, 2));
        let width = (right - left) / columns as f64;
        // Numbers of a panel that has none below it in the grid stand below it.
        let height = (bottom - top) / rows as f64;
        for (index, panel) in self.panels.iter().enumerate() {
            let (row, column) = (index / columns, index % columns);
            let cell = Cell {
                left: left + column as f64 * width,
                right: left + (column + 1) as f64 * width - 1.2 * GAP,
                top: top + row as f64 * height,
                bottom: top + (row + 1) as f64 * height - if row + 1 < rows { GAP } else { 0.0 },
                first: column == 0,
                last: index + columns >= count,
                columns,
            };
            cell.draw(&mut sheet, self, panel, &ranges);
        }
        panel::x_name(&mut sheet, self.x_name, left, right, bottom);
        sheet
    }
}

/// The place of one panel.
struct Cell {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    first: bool,
    last: bool,
    columns: usize,
}

impl Cell {
    fn draw(&self, sheet: &mut Sheet, picture: &RegressionPicture, panel: &Panel, r: &Ranges) {
        let x = Axis::linear((r.x.0, r.x.1), self.left, self.right);
        let heading = if panel.label.is_empty() { 0.0 } else { 1.5 };
        let upper_top = self.top + heading * LABEL_SIZE;
        let strip_top = self.bottom - STRIP * (self.bottom - upper_top);
        let axes = |y| Axes { x, y };
        let fit = axes(Axis::linear(r.y, strip_top - 0.7 * GAP, upper_top));
        let strip = axes(Axis::linear(r.rest, self.bottom, strip_top));
        let steps = [if self.columns > 2 { 5 } else { 9 }, 6];
        let upper = panel::Panel::new(fit, steps);
        let lower = panel::Panel::new(strip, [steps[0], 4]);
        upper.grid(sheet);
        lower.grid(sheet);
        let at = [0.5 * (self.left + self.right), self.top + 1.1 * LABEL_SIZE];
        let label = on_one_line(panel.label, LABEL_SIZE, self.right - self.left);
        sheet.label(at, label, Anchor::Middle);
        let ends = |p: &FitPoint| Some([p.x, p.mean - p.half_width?, p.mean + p.half_width?]);
        for piece in panel.fit.split(|p| p.half_width.is_none()) {
            let ends: Vec<[f64; 3]> = piece.iter().filter_map(ends).collect();
            panel::band(sheet, &fit, &ends, band_colour());
        }
        points(sheet, &fit, picture);
        for piece in picture.truth {
            for places in fit.pieces(piece) {
                sheet.dashed(places, TRUTH_DASH, OVER_WIDTH, BLACK);
            }
        }
        let mean: Vec<[f64; 2]> = panel.fit.iter().map(|p| [p.x, p.mean]).collect();
        for places in fit.pieces(&mean) {
            sheet.series(places, FIT);
        }
        rest(sheet, &strip, panel);
        upper.frame(sheet, [false, self.first]);
        lower.frame(sheet, [self.last, self.first]);
        if self.first {
            let at = MARGIN + HALF_DIGIT * NAME_SIZE + 0.4 * NAME_SIZE;
            let middle = |axes: &Axes| 0.5 * (axes.y.from + axes.y.to);
            let name = |axes| [at, middle(axes)];
            sheet.upward_text(name(&fit), picture.y_name, NAME_SIZE);
            sheet.upward_text(name(&strip), picture.rest_name, LABEL_SIZE);
        }
    }
}

/// A light colour without transparency: neighbouring pieces then leave no seams.
fn band_colour() -> Colour {
    let [red, green, blue] = series_colour(FIT).rgb.map(|c| {
        let mixed = 0.22 * f64::from(c) + 0.78 * f64::from(WHITE.rgb[0]);
        mixed.round() as u8
    });
    Colour::new(red, green, blue)
}

fn points(sheet: &mut Sheet, axes: &Axes, picture: &RegressionPicture) {
    for (index, set) in picture.points.iter().enumerate() {
        for &[x, y] in set.at {
            sheet.disc(axes.place(x, y), DOT_RADIUS, set_colour(index));
        }
    }
}

fn set_colour(index: usize) -> Colour {
    series_colour(FIT + 1 + index).faded(0.75)
}

fn rest(sheet: &mut Sheet, axes: &Axes, panel: &Panel) {
    sheet.line(axes.level(0.0), RULE_WIDTH, DARK_GREY);
    let colour = series_colour(FIT).faded(0.75);
    for &[x, y] in panel.rest {
        sheet.disc(axes.place(x, y), 0.8 * DOT_RADIUS, colour);
    }
}

fn entries(picture: &RegressionPicture) -> Vec<Entry> {
    let mut entries = vec![Entry::series("fit", FIT)];
    let banded = |panel: &Panel| panel.fit.iter().any(|p| p.half_width.is_some());
    if picture.panels.iter().any(banded) {
        let colour = band_colour();
        let label = "± one standard deviation";
        entries.push(Entry::new(Sample::Band { colour }, label));
    }
    if !picture.truth.is_empty() {
        entries.push(Entry::line("without noise", BLACK, OVER_WIDTH, TRUTH_DASH));
    }
    let sets = picture.points.iter().enumerate();
    entries.extend(sets.map(|(k, set)| Entry::symbol(set.label, Symbol::Dot, set_colour(k))));
    entries
}
