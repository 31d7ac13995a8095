//! Calibration: how often observations fall inside the central intervals that a model predicts,
//! against how often they should.

use crate::picture::Picture;

use crate::axes::legend::{self, Entry, Sample};
use crate::axes::panel::{Panel, room_below, room_for_labels, x_name};
use crate::axes::{Axes, Axis};
use crate::error::{Error, PROBABILITY, count, present, same_length, within};
use crate::page::letters::wrap;
use crate::page::sheet::{Anchor, Page, Sheet};
use crate::page::style::{
    BLACK, DARK_GREY, DOT_RADIUS, GAP, INTERVAL_WIDTH, LABEL_SIZE, LEADING, MARGIN, NAME_SIZE,
    RULE_WIDTH, series_colour,
};

/// Most panels on a page.
pub const MOST_CALIBRATION_PANELS: usize = 9;
/// Most panels side by side.
const MOST_COLUMNS: usize = 3;
/// Lines that the name of a panel may take.
const MOST_LINES: usize = 2;
/// Largest side of a panel \[px\].
const LARGEST_SIDE: f64 = 640.0;
/// All shares.
const WHOLE: (f64, f64) = (0.0, 1.0);
/// Largest side of a panel in a figure \[px\].
const LARGEST_IN_FIGURE: f64 = 470.0;
/// Steps between the numbers of an axis.
const STEPS: usize = 5;
/// Opacity of the bar about a share.
const BAR_ALPHA: f64 = 0.6;
/// Dash pattern of the line on which shares are as they should be.
const IDEAL_DASH: &[f64] = &[4.0, 5.0];

/// Calibration curves of the same methods on one or more test sets.
#[derive(Debug, Clone, Copy)]
pub struct CalibrationPicture<'a> {
    /// Printed above the picture; wrapped, and cut short where two lines do not hold it.
    pub title: &'a str,
    /// Nominal probabilities, rising, strictly between 0 and 1.
    pub levels: &'a [f64],
    /// Names of the methods, each with its own colour and dash pattern.
    pub methods: &'a [&'a str],
    /// What the bars about the shares are, such as "95 % interval of the share"; for the legend.
    pub bar_name: &'a str,
    /// The test sets, 1 to 9.
    pub panels: &'a [CalibrationPanel<'a>],
}

/// One test set.
#[derive(Debug, Clone, Copy)]
pub struct CalibrationPanel<'a> {
    /// Printed above the panel; may be empty.
    pub label: &'a str,
    /// For each method the share of observations inside the central interval of each level, from
    /// 0 to 1; none for a method that claims no uncertainty here.
    pub shares: &'a [Option<Vec<f64>>],
    /// For each method the lower and the upper end of a bar about each share; none without bars.
    pub bars: &'a [Option<Vec<[f64; 2]>>],
}

fn probabilities(quantity: &'static str, values: &[f64]) -> Result<(), Error> {
    within(quantity, values.iter().copied(), PROBABILITY)
}

impl Picture for CalibrationPicture<'_> {
    /// No panel or more than nine, no method or level, not one entry a method or one share a level, a
    /// level or a share that is no probability.
    fn check(&self) -> Result<(), Error> {
        count("panels", self.panels.len(), MOST_CALIBRATION_PANELS)?;
        present("list of methods", self.methods)?;
        present("list of levels", self.levels)?;
        probabilities("levels of calibration", self.levels)?;
        for panel in self.panels {
            let (given, wanted) = (panel.shares.len(), self.methods.len());
            same_length("curves of calibration", given, "methods", wanted)?;
            for shares in panel.shares.iter().flatten() {
                let (quantity, wanted) = ("shares of calibration", self.levels.len());
                same_length(quantity, shares.len(), "levels", wanted)?;
                probabilities(quantity, shares)?;
            }
            for bars in panel.bars.iter().flatten() {
                let (quantity, wanted) = ("bars of calibration", self.levels.len());
                same_length(quantity, bars.len(), "levels", wanted)?;
                probabilities(quantity, bars.as_flattened())?;
            }
        }
        Ok(())
    }

    fn sheet(&self, page: Page) -> Sheet {
        let count = self.panels.len();
        let page = if count > 2 { page.wide() } else { page };
        let (mut sheet, top) = Sheet::on(page, self.title);
        let columns = count.min(MOST_COLUMNS);
        let labels = room_for_labels(&Axis::linear(WHOLE, 1.0, 0.0), STEPS);
        let left = MARGIN + 1.6 * NAME_SIZE + labels;
        let width = (sheet.right() - left) / columns as f64;
        let side = (width - 2.0 * GAP).min(match page.is_narrow() {
            true => LARGEST_IN_FIGURE,
            false => LARGEST_SIDE,
        });
        let lines = |panel: &CalibrationPanel| wrap(panel.label, LABEL_SIZE, side, MOST_LINES);
        let heading = self.panels.iter().map(|panel| lines(panel).len()).max();
        let heading = LEADING * LABEL_SIZE * heading.unwrap_or(0) as f64 + 0.5 * GAP;
        let row_height = heading + side + 2.0 * LABEL_SIZE;
        for (index, panel) in self.panels.iter().enumerate() {
            let (row, column) = (index / columns, index % columns);
            let from = left + column as f64 * width + 0.5 * (width - 2.0 * GAP - side);
            let above = top + row as f64 * row_height;
            // The last line stands on the panel, however many the others have.
            for (line, words) in lines(panel).into_iter().rev().enumerate() {
                let baseline = above + heading - 0.8 * GAP - LEADING * LABEL_SIZE * line as f64;
                let at = [from + 0.5 * side, baseline];
                sheet.label(at, words, Anchor::Middle);
            }
            let axes = Axes {
                x: Axis::linear(WHOLE, from, from + side),
                y: Axis::linear(WHOLE, above + heading + side, above + heading),
            };
            draw_panel(&mut sheet, self, panel, &axes, column == 0);
        }
        let rows = count.div_ceil(columns) as f64;
        let bottom = top + rows * row_height - 2.0 * LABEL_SIZE;
        // Panels that do not fill their columns stand in the middle of them.
        let spare = 0.5 * (width - 2.0 * GAP - side);
        let ends = (
            left + spare,
            left + columns as f64 * width - 2.0 * GAP - spare,
        );
        let name = "probability of the predicted central interval";
        x_name(&mut sheet, name, ends.0, ends.1, bottom);
        let at = [ends.0 - labels - 0.8 * NAME_SIZE, 0.5 * (top + bottom)];
        let name = "share of observations inside";
        sheet.upward_text(at, name, NAME_SIZE);
        let entries = entries(self);
        legend::end(&mut sheet, &entries, bottom + room_below() + GAP);
        sheet
    }
}

fn draw_panel(
    sheet: &mut Sheet,
    picture: &CalibrationPicture,
    panel: &CalibrationPanel,
    axes: &Axes,
    first: bool,
) {
    let frame = Panel::new(*axes, [STEPS, STEPS]);
    frame.grid(sheet);
    let ideal = vec![axes.place(0.0, 0.0), axes.place(1.0, 1.0)];
    sheet.dashed(ideal, IDEAL_DASH, RULE_WIDTH, BLACK);
    for (index, shares) in panel.shares.iter().enumerate() {
        let Some(shares) = shares else { continue };
        let colour = series_colour(index);
        let places: Vec<_> = picture
            .levels
            .iter()
            .zip(shares)
            .map(|(level, share)| axes.place(*level, *share))
            .collect();
        sheet.series(places.clone(), index);
        for at in places {
            sheet.disc(at, DOT_RADIUS + 1.0, colour);
        }
        let bars = panel.bars.get(index).into_iter().flatten();
        for (level, [low, high]) in picture.levels.iter().zip(bars.flatten()) {
            let ends = [low, high].map(|share| axes.place(*level, *share));
            sheet.line(ends.to_vec(), INTERVAL_WIDTH, colour.faded(BAR_ALPHA));
        }
    }
    frame.frame(sheet, [false, first]);
    frame.labels_inside(sheet);
}

fn entries(picture: &CalibrationPicture) -> Vec<Entry> {
    let drawn = |index: usize| {
        let mut panels = picture.panels.iter();
        panels.any(|panel| panel.shares[index].is_some())
    };
    let methods = picture.methods.iter().enumerate();
    let methods = methods.filter(|(index, _)| drawn(*index));
    let series = methods.map(|(index, label)| Entry::series(*label, index));
    let mut entries: Vec<Entry> = series.collect();
    if picture
        .panels
        .iter()
        .any(|panel| panel.bars.iter().any(Option::is_some))
    {
        let colour = if picture.methods.len() == 1 {
            series_colour(0)
        } else {
            DARK_GREY
        };
        let colour = colour.faded(BAR_ALPHA);
        entries.push(Entry::new(
            Sample::Upright {
                colour,
                width: INTERVAL_WIDTH,
                dash: &[],
            },
            picture.bar_name,
        ));
    }
    let ideal = "calibrated; below it too sure";
    entries.push(Entry::line(ideal, BLACK, RULE_WIDTH, IDEAL_DASH));
    entries
}
