//! The page of the regret: a thin line a search, and a thick one through the medians.

use super::{RegretCurve, RegretPicture};
use crate::axes::legend::{Entry, Sample};
use crate::axes::panel::{MOST_STEPS, Panel};
use crate::axes::plane::plane;
use crate::axes::{Axes, Axis};
use crate::page::sheet::{Place, Sheet};
use crate::page::style::{CURVE_WIDTH, Colour, GAP, RULE_WIDTH, series_colour};

/// Dash pattern of the bound \[px\].
const BOUND_DASH: &[f64] = &[14.0, 8.0];
/// A single search's regret, a pale shade of the first series' colour.
const PALE: Colour = Colour::new(176, 205, 226);
/// A single search's bound, a pale shade of the second series' colour.
const PALE_BOUND: Colour = Colour::new(240, 214, 178);
/// Decades shown below the median's first value at most.
const FLOOR: f64 = 30.0;

/// The whole page.
pub fn sheet(picture: &RegretPicture) -> Sheet {
    let (mut sheet, title_end) = Sheet::titled(picture.title);
    let regret = median(picture.curves, |curve| curve.regret);
    let bound = median(picture.curves, |curve| curve.bound);
    let axes = axes(picture, regret[regret.len() - 1]);
    let axes = plane(&mut sheet, &entries(), axes, [title_end + GAP, 0.0]);
    let panel = Panel::new(axes, [MOST_STEPS, 10]);
    panel.grid(&mut sheet);
    for curve in picture.curves {
        sheet.line(places(&panel.axes, curve.bound), RULE_WIDTH, PALE_BOUND);
        sheet.line(places(&panel.axes, curve.regret), RULE_WIDTH, PALE);
    }
    sheet.dashed(
        places(&panel.axes, &bound),
        BOUND_DASH,
        CURVE_WIDTH,
        series_colour(1),
    );
    sheet.line(places(&panel.axes, &regret), CURVE_WIDTH, series_colour(0));
    panel.frame(&mut sheet, [true, true]);
    panel.names(&mut sheet, "evaluations", "cumulative regret");
    sheet
}

fn entries() -> Vec<Entry> {
    vec![
        Entry::new(
            Sample::line(series_colour(0), CURVE_WIDTH, &[]),
            "median regret",
        ),
        Entry::new(Sample::line(PALE, RULE_WIDTH, &[]), "one function"),
        Entry::new(
            Sample::line(series_colour(1), CURVE_WIDTH, BOUND_DASH),
            "median bound of Theorem 2",
        ),
        Entry::new(Sample::line(PALE_BOUND, RULE_WIDTH, &[]), "one function's"),
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
    [evaluations, regrets].map(|range| Axis::logarithmic(range, 0.0, 0.0))
}

/// The curve, from where it comes above the lower edge.
fn places(axes: &Axes, values: &[f64]) -> Vec<Place> {
    let numbered = (1..).zip(values);
    let shown = numbered.skip_while(|(_, value)| **value < axes.y.low);
    shown
        .map(|(at, value)| axes.place(f64::from(at), *value))
        .collect()
}
