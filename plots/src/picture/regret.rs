//! Regret: the cumulative regret of several searches and the bound that theory puts on it.

use crate::axes::legend::Entry;
use crate::axes::panel::{MOST_STEPS, Panel, plane};
use crate::axes::{Axes, Axis};
use crate::error::{Error, NOT_NEGATIVE, POSITIVE, same_length, within};
use crate::page::sheet::{Page, Place, Sheet};
use crate::page::style::{CURVE_WIDTH, Colour, GAP, RULE_WIDTH, series_colour};
use crate::picture::Picture;

/// Dash pattern of the bound \[px\].
const BOUND_DASH: &[f64] = &[14.0, 8.0];
/// A single search's regret, a pale shade of the first series' colour.
const PALE: Colour = Colour::new(176, 205, 226);
/// A single search's bound, a pale shade of the second series' colour.
const PALE_BOUND: Colour = Colour::new(240, 214, 178);
/// Decades shown below the median's first value at most.
const FLOOR: f64 = 30.0;

/// Searches of several functions.
#[derive(Debug, Clone, Copy)]
pub struct RegretPicture<'a> {
    /// Printed above the picture; wrapped, and cut short where two lines do not hold it.
    pub title: &'a str,
    /// One search each, all of one length.
    pub curves: &'a [RegretCurve<'a>],
}

/// One search.
#[derive(Debug, Clone, Copy)]
pub struct RegretCurve<'a> {
    /// Cumulative regret after each evaluation; not negative, some of it positive.
    pub regret: &'a [f64],
    /// The bound after each evaluation, positive.
    pub bound: &'a [f64],
}

impl Picture for RegretPicture<'_> {
    /// No curve, curves of different lengths or of fewer than two evaluations, a number that is not
    /// finite, negative or too large.
    fn check(&self) -> Result<(), Error> {
        let wanted = self.curves.first().map_or(0, |curve| curve.regret.len());
        if wanted < 2 {
            return Err(Error::NoValues("regret"));
        }
        for curve in self.curves {
            let lists = [
                ("regret", curve.regret, NOT_NEGATIVE),
                ("bound", curve.bound, POSITIVE),
            ];
            for (quantity, values, span) in lists {
                same_length(quantity, values.len(), "evaluations", wanted)?;
                within(quantity, values.iter().copied(), span)?;
            }
        }
        Ok(())
    }

    /// The page: a thin line a search, and a thick one through the medians.
    fn sheet(&self, page: Page) -> Sheet {
        let (mut sheet, title_end) = Sheet::on(page.wide(), self.title);
        let regret = median(self.curves, |curve| curve.regret);
        let bound = median(self.curves, |curve| curve.bound);
        let axes = axes(self, regret[regret.len() - 1]);
        let axes = plane(&mut sheet, &entries(), axes, [title_end + GAP, 0.0]);
        let panel = Panel::new(axes, [MOST_STEPS, 10]);
        panel.grid(&mut sheet);
        for curve in self.curves {
            sheet.line(places(&panel.axes, curve.bound), RULE_WIDTH, PALE_BOUND);
            sheet.line(places(&panel.axes, curve.regret), RULE_WIDTH, PALE);
        }
        sheet.dashed(
            places(&panel.axes, &bound),
            BOUND_DASH,
            CURVE_WIDTH,
            series_colour(1),
        );
        sheet.series(places(&panel.axes, &regret), 0);
        panel.frame(&mut sheet, [true, true]);
        panel.names(&mut sheet, "evaluations", "cumulative regret");
        sheet
    }
}

fn entries() -> Vec<Entry> {
    vec![
        Entry::series("median regret", 0),
        Entry::line("one function", PALE, RULE_WIDTH, &[]),
        Entry::line(
            "median bound of Theorem 2",
            series_colour(1),
            CURVE_WIDTH,
            BOUND_DASH,
        ),
        Entry::line("one function's", PALE_BOUND, RULE_WIDTH, &[]),
    ]
}

/// The median over the curves after each evaluation.
fn median<'a>(curves: &[RegretCurve<'a>], of: impl Fn(&RegretCurve<'a>) -> &'a [f64]) -> Vec<f64> {
    (0..of(&curves[0]).len())
        .map(|at| {
            let mut values: Vec<f64> = curves.iter().map(|curve| of(curve)[at]).collect();
            values.sort_by(f64::total_cmp);
            let (low, high) = ((values.len() - 1) / 2, values.len() / 2);
            0.5 * (values[low] + values[high])
        })
        .collect()
}

/// The evaluations, and the regrets that are shown.
fn axes(picture: &RegretPicture, last: f64) -> [Axis; 2] {
    let all = || {
        picture
            .curves
            .iter()
            .flat_map(|curve| curve.regret.iter().chain(curve.bound))
    };
    let high = all().copied().fold(0.0, f64::max);
    let positive = all().copied().filter(|value| *value > 0.0);
    let low = positive.fold(f64::INFINITY, f64::min).max(last / FLOOR);
    let evaluations = (1.0, picture.curves[0].regret.len() as f64);
    let regrets = (low.min(0.5 * high) / 1.3, 1.3 * high);
    [evaluations, regrets].map(|range| Axis::unplaced(range, true))
}

/// The curve, from where it comes above the lower edge.
fn places(axes: &Axes, values: &[f64]) -> Vec<Place> {
    let numbered = (1..).zip(values);
    let shown = numbered.skip_while(|(_, value)| **value < axes.y.low);
    shown
        .map(|(at, value)| axes.place(f64::from(at), *value))
        .collect()
}
