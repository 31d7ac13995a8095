//! Steps: how something answers a step of what is asked of it, under several conditions; the overshoot
//! and the time from which on it has settled are marked.

use crate::axes::legend::Entry;
use crate::axes::panel::{MOST_STEPS, Panel, plane};
use crate::axes::symbols::Symbol;
use crate::axes::{Axis, HEADROOM, range};
use crate::error::{Error, FINITE, within};
use crate::page::sheet::{Page, Place, Sheet};
use crate::page::style::{DARK_GREY, RULE_WIDTH, series_colour};
use crate::picture::Picture;

/// From a point to the middle of the wedge that marks it \[px\].
const APART: f64 = 11.0;
/// Dash pattern of the line of the step \[px\].
const STEP_DASH: &[f64] = &[8.0, 8.0];

/// Answers to a unit step at 0 s in one panel.
#[derive(Debug, Clone, Copy)]
pub struct StepsPicture<'a> {
    /// What the picture shows, for those who cannot see it.
    pub title: &'a str,
    /// Name of what answers.
    pub y_name: &'a str,
    /// The conditions, each with its own colour and dash pattern.
    pub curves: &'a [StepCurve],
}

/// The answer under one condition.
#[derive(Debug, Clone)]
pub struct StepCurve {
    /// Name in the legend.
    pub label: String,
    /// Time \[s\] and value, ascending in time.
    pub points: Vec<[f64; 2]>,
    /// Where it goes farthest beyond the step.
    pub peak: Option<[f64; 2]>,
    /// From where on it has settled.
    pub settled: Option<[f64; 2]>,
}

impl Picture for StepsPicture<'_> {
    /// No curve, a curve without a point, or a number that is not finite or too large.
    fn check(&self) -> Result<(), Error> {
        let quantity = "answer";
        if self.curves.is_empty() || self.curves.iter().any(|curve| curve.points.is_empty()) {
            return Err(Error::NoValues(quantity));
        }
        for curve in self.curves {
            let marks = curve.peak.into_iter().chain(curve.settled);
            let values = curve.points.iter().copied().chain(marks).flatten();
            within(quantity, values, FINITE)?;
        }
        Ok(())
    }

    fn sheet(&self, page: Page) -> Sheet {
        let (mut sheet, top) = Sheet::on(page, self.title);
        let all = || self.curves.iter().flat_map(|curve| &curve.points);
        let times = range(all().map(|point| point[0]).chain([0.0]), 0.0);
        let values = range(all().map(|point| point[1]).chain([0.0, 1.0]), HEADROOM);
        let axes = [times, values].map(|range| Axis::unplaced(range, false));
        let axes = plane(&mut sheet, &entries(self), axes, [top, 0.0]);
        let panel = Panel::new(axes, [MOST_STEPS; 2]);
        panel.grid(&mut sheet);
        sheet.dashed(axes.level(1.0), STEP_DASH, RULE_WIDTH, DARK_GREY);
        for (index, curve) in self.curves.iter().enumerate() {
            let points = curve.points.iter();
            let places: Vec<Place> = points.map(|[t, value]| axes.place(*t, *value)).collect();
            sheet.series(places, index);
        }
        for (index, curve) in self.curves.iter().enumerate() {
            let colour = series_colour(index);
            if let Some([t, value]) = curve.peak {
                let [x, y] = axes.place(t, value);
                Symbol::Peak.draw(&mut sheet, [x, y - APART], colour);
            }
            if let Some([t, value]) = curve.settled {
                Symbol::LargeDot.draw(&mut sheet, axes.place(t, value), colour);
            }
        }
        panel.frame(&mut sheet, [true, true]);
        panel.names(&mut sheet, "time after the step [s]", self.y_name);
        sheet
    }
}

fn entries(picture: &StepsPicture) -> Vec<Entry> {
    let curves = picture.curves.iter().enumerate();
    let series = curves.map(|(index, curve)| Entry::series(&curve.label, index));
    let mut entries: Vec<Entry> = series.collect();
    if picture.curves.iter().any(|curve| curve.peak.is_some()) {
        entries.push(Entry::symbol("overshoot", Symbol::Peak, DARK_GREY));
    }
    if picture.curves.iter().any(|curve| curve.settled.is_some()) {
        entries.push(Entry::symbol("settled", Symbol::LargeDot, DARK_GREY));
    }
    entries
}
