//! Curves: what something is at each frequency or time, under several conditions; where each is greatest
//! and from where on it has settled are marked.

use crate::axes::legend::Entry;
use crate::axes::panel::{MOST_STEPS, Panel, plane};
use crate::axes::symbols::Symbol;
use crate::axes::{Axis, HEADROOM, range, ratio_range};
use crate::error::{Error, FINITE, POSITIVE, within};
use crate::page::sheet::{Page, Place, Sheet};
use crate::page::style::{DARK_GREY, RULE_WIDTH, series_colour};
use crate::picture::Picture;

/// From a point to the middle of the wedge that marks it \[px\].
const APART: f64 = 11.0;
/// Dash pattern of the line of the step \[px\].
const STEP_DASH: &[f64] = &[8.0, 8.0];

/// Curves in one panel.
#[derive(Debug, Clone, Copy)]
pub struct CurvesPicture<'a> {
    /// What the picture shows, for those who cannot see it.
    pub title: &'a str,
    /// What the curves are.
    pub kind: CurveKind,
    /// Names along x and along y, with their units.
    pub names: [&'a str; 2],
    /// What the marks are, such as "largest peak".
    pub peak_name: &'a str,
    /// The conditions, each with its own colour and dash pattern.
    pub curves: &'a [MarkedCurve],
}

/// What curves are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CurveKind {
    /// How strong something is: two logarithmic axes.
    Amplitudes,
    /// Answers to a unit step at 0 s, ascending in time: two linear axes.
    Steps,
}

/// The curve under one condition.
#[derive(Debug, Clone)]
pub struct MarkedCurve {
    /// Name in the legend.
    pub label: String,
    /// Frequency or time, and value.
    pub points: Vec<[f64; 2]>,
    /// Where it is greatest.
    pub peak: Option<[f64; 2]>,
    /// From where on it has settled.
    pub settled: Option<[f64; 2]>,
}

impl Picture for CurvesPicture<'_> {
    /// No values, where amplitudes may be missing under some conditions and answers under none; or a
    /// number that is too large or not finite, or an amplitude or its frequency that is not positive.
    fn check(&self) -> Result<(), Error> {
        let mut empty = self.curves.iter().map(|curve| curve.points.is_empty());
        let (quantity, no_values) = match self.kind {
            CurveKind::Amplitudes => ("spectrum", empty.all(|empty| empty)),
            CurveKind::Steps => ("answer", self.curves.is_empty() || empty.any(|empty| empty)),
        };
        if no_values {
            return Err(Error::NoValues(quantity));
        }
        for curve in self.curves {
            let marks = curve.peak.into_iter().chain(curve.settled);
            let points = curve.points.iter().copied().chain(marks);
            match self.kind {
                CurveKind::Amplitudes => {
                    within(quantity, points.clone().map(|[f, _]| f), POSITIVE)?;
                    within(quantity, points.map(|[_, value]| value), POSITIVE)?;
                }
                CurveKind::Steps => within(quantity, points.flatten(), FINITE)?,
            }
        }
        Ok(())
    }

    fn sheet(&self, page: Page) -> Sheet {
        let (mut sheet, top) = Sheet::on(page, self.title);
        let points = self.curves.iter().flat_map(|curve| &curve.points).copied();
        let axes = match self.kind {
            CurveKind::Amplitudes => {
                let all = points.chain(self.curves.iter().filter_map(|curve| curve.peak));
                [0, 1].map(|axis| {
                    let values = all.clone().map(|point| point[axis]);
                    Axis::unplaced(ratio_range(values, HEADROOM), true)
                })
            }
            CurveKind::Steps => {
                let times = range(points.clone().map(|[t, _]| t).chain([0.0]), 0.0);
                let values = range(points.map(|[_, value]| value).chain([0.0, 1.0]), HEADROOM);
                [times, values].map(|range| Axis::unplaced(range, false))
            }
        };
        let axes = plane(&mut sheet, &entries(self), axes, [top, 0.0]);
        let panel = Panel::new(axes, [MOST_STEPS; 2]);
        panel.grid(&mut sheet);
        if self.kind == CurveKind::Steps {
            sheet.dashed(axes.level(1.0), STEP_DASH, RULE_WIDTH, DARK_GREY);
        }
        for (index, curve) in self.curves.iter().enumerate() {
            let points = curve.points.iter();
            let places: Vec<Place> = points.map(|[x, y]| axes.place(*x, *y)).collect();
            sheet.series(places, index);
        }
        for (index, curve) in self.curves.iter().enumerate() {
            let colour = series_colour(index);
            if let Some([x, y]) = curve.peak.map(|[x, y]| axes.place(x, y)) {
                // Peaks of two conditions at one place are both seen.
                if self.kind == CurveKind::Steps || index.is_multiple_of(2) {
                    Symbol::Peak.draw(&mut sheet, [x, y - APART], colour);
                } else {
                    Symbol::PeakBelow.draw(&mut sheet, [x, y + APART], colour);
                }
            }
            if let Some([t, value]) = curve.settled {
                Symbol::LargeDot.draw(&mut sheet, axes.place(t, value), colour);
            }
        }
        panel.frame(&mut sheet, [true, true]);
        panel.names(&mut sheet, self.names[0], self.names[1]);
        sheet
    }
}

fn entries(picture: &CurvesPicture) -> Vec<Entry> {
    let curves = picture.curves.iter().enumerate();
    let series = curves.map(|(index, curve)| Entry::series(&curve.label, index));
    let mut entries: Vec<Entry> = series.collect();
    if picture.curves.iter().any(|curve| curve.peak.is_some()) {
        entries.push(Entry::symbol(picture.peak_name, Symbol::Peak, DARK_GREY));
    }
    if picture.curves.iter().any(|curve| curve.settled.is_some()) {
        entries.push(Entry::symbol("settled", Symbol::LargeDot, DARK_GREY));
    }
    entries
}
