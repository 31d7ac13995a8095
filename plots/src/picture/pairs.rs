//! Pairs: two values of one quantity against each other, on logarithmic scales and with the line on
//! which they are equal; such as the costs of two vehicles in the same winds, or a prediction and
//! what came.

use crate::axes::legend::Entry;
use crate::axes::panel::{MOST_STEPS, Panel, plane};
use crate::axes::symbols::Symbol;
use crate::axes::{Axes, Axis, HEADROOM, ratio_range};
use crate::error::{ENDLESS, Error, NOT_NEGATIVE, present, within};
use crate::page::sheet::{Page, Sheet};
use crate::page::style::{DARK_GREY, INTERVAL_WIDTH, LOSS, RULE_WIDTH, series_colour};
use crate::picture::Picture;

/// Dash pattern of the line on which both values are equal.
const EQUAL_DASH: &[f64] = &[10.0, 6.0];
/// Opacity of a mark and of its bar: many may coincide.
const ALPHA: [f64; 2] = [0.7, 0.3];
/// How far right of all others a pair without a first value stands, as a ratio.
const BEYOND: f64 = 1.12;
/// Bars reach beyond the values that are shown by at most this ratio.
const REACH: f64 = 4.0;

/// Pairs of values.
#[derive(Debug, Clone, Copy)]
pub struct PairsPicture<'a> {
    /// What the picture shows, for those who cannot see it.
    pub title: &'a str,
    /// Name of the first value of a pair with its unit, to the right.
    pub x_name: &'a str,
    /// Name of the second value with its unit, upwards.
    pub y_name: &'a str,
    /// What a dot is, such as "one wind".
    pub pair_name: &'a str,
    /// What a cross is: a pair of which a value was lost.
    pub lost_name: &'a str,
    /// What the line says on which both values are equal.
    pub equal_name: &'a str,
    /// The pairs, of which there is at least one.
    pub pairs: &'a [Pair],
}

/// Two values of one quantity, neither negative.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pair {
    /// The first value; without one the pair stands to the right of all others.
    pub x: Option<f64>,
    /// The second value.
    pub y: f64,
    /// Lower and upper end of a bar about the second value; what lies far off is cut.
    pub bar: Option<[f64; 2]>,
    /// Whether a value of the pair was lost.
    pub lost: bool,
}

impl Picture for PairsPicture<'_> {
    /// No pair, or a value that is negative, not finite or too large.
    fn check(&self) -> Result<(), Error> {
        present("list of pairs", self.pairs)?;
        let pairs = self.pairs.iter();
        let first = pairs.clone().map(|pair| pair.x.unwrap_or(0.0));
        within("list of first values", first, NOT_NEGATIVE)?;
        let second = pairs.clone().map(|pair| pair.y);
        within("list of second values", second, NOT_NEGATIVE)?;
        let ends = pairs.flat_map(|pair| pair.bar.unwrap_or_default());
        within("list of bars", ends, ENDLESS)
    }

    fn sheet(&self, page: Page) -> Sheet {
        let (mut sheet, top) = Sheet::on(page, self.title);
        let values = || {
            let pairs = self.pairs.iter();
            pairs.flat_map(|pair| pair.x.into_iter().chain([pair.y]))
        };
        let beyond = BEYOND * values().fold(0.0, f64::max);
        let any_beyond = self.pairs.iter().any(|pair| pair.x.is_none());
        let x = ratio_range(values().chain(any_beyond.then_some(beyond)), HEADROOM);
        let (low, high) = ratio_range(values(), HEADROOM);
        let bars = self.pairs.iter().filter_map(|pair| pair.bar).flatten();
        let bars = bars.map(|end| end.clamp(low / REACH, high * REACH));
        let y = ratio_range(values().chain(bars), HEADROOM);
        let axes = [x, y].map(|range| Axis::unplaced(range, true));
        let axes = plane(&mut sheet, &entries(self), axes, [top, 0.0]);
        let panel = Panel::new(axes, [MOST_STEPS; 2]);
        panel.grid(&mut sheet);
        let equal = [low.max(y.0), high.min(y.1)].map(|value| axes.place(value, value));
        sheet.dashed(equal.to_vec(), EQUAL_DASH, RULE_WIDTH, DARK_GREY);
        for pair in self.pairs {
            draw(&mut sheet, pair, &axes, pair.x.unwrap_or(beyond));
        }
        panel.frame(&mut sheet, [true, true]);
        panel.names(&mut sheet, self.x_name, self.y_name);
        sheet
    }
}

/// Draws a pair at `x`.
fn draw(sheet: &mut Sheet, pair: &Pair, axes: &Axes, x: f64) {
    let (symbol, colour) = match pair.lost {
        true => (Symbol::LargeCross, LOSS),
        false => (Symbol::LargeDot, series_colour(0)),
    };
    if let Some(ends) = pair.bar {
        let ends = ends.map(|end| axes.place(x, end));
        sheet.line(ends.to_vec(), INTERVAL_WIDTH, colour.faded(ALPHA[1]));
    }
    let at = axes.place(x, pair.y);
    symbol.draw(sheet, at, colour.faded(ALPHA[0]));
}

fn entries(picture: &PairsPicture) -> Vec<Entry> {
    let dot = Entry::symbol(picture.pair_name, Symbol::LargeDot, series_colour(0));
    let mut entries = vec![dot];
    if picture.pairs.iter().any(|pair| pair.lost) {
        entries.push(Entry::symbol(picture.lost_name, Symbol::LargeCross, LOSS));
    }
    let equal = Entry::line(picture.equal_name, DARK_GREY, RULE_WIDTH, EQUAL_DASH);
    entries.push(equal);
    entries
}
