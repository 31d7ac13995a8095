//! The layout of an interval picture: where its panels stand, and the ranges of their axes, which a
//! few values far from all the rest do not stretch.

use super::{Estimate, IntervalPanel, IntervalsPicture};
use crate::axes::{self, HEADROOM};
use crate::page::letters;
use crate::page::sheet::{Place, Sheet};
use crate::page::style::{GAP, LABEL_SIZE, MARGIN, NAME_SIZE, TICK_LENGTH};

/// What lies further from the rest than so many times their range is left out.
const FAR: f64 = 2.0;
/// The same for references, which many look for first.
const FAR_REFERENCE: f64 = 4.0;
/// Least range of the rest, as a part of their magnitude: equal values have none of their own.
const LEAST_RANGE: f64 = 0.05;
/// Intervals reach beyond the means that are shown by at most so much of their range.
const REACH: f64 = 0.3;

/// Height of the line of one method with one or with two marks \[px\].
const LINE_HEIGHT: [f64; 2] = [34.0, 46.0];
/// Highest line of a method, where there is room \[px\].
const HIGHEST_LINE: f64 = 62.0;
/// Widest column for the names of the methods and the headings of the rows \[px\].
const WIDEST_NAME: f64 = 400.0;
/// Space between panels \[px\].
const BETWEEN: f64 = 26.0;
/// Height of the strip for references beyond the axis \[px\].
pub const OFF_STRIP: f64 = 30.0;

/// Where the rows of panels are, and how wide they are.
pub struct Layout {
    /// Left edge of the first column.
    pub left: f64,
    /// Width of a panel.
    pub width: f64,
    /// Upper edge of the first row.
    pub top: f64,
    /// Height of the line of a method.
    pub line: f64,
    /// Height of the strip above the lines.
    pub strip: f64,
    /// From the top of one row of panels to that of the next.
    pub pitch: f64,
    /// Height of the headings above each row of panels.
    heading: f64,
}

impl Layout {
    /// The layout of a picture whose title ends at `top`.
    pub fn of(sheet: &Sheet, picture: &IntervalsPicture, top: f64, legend_height: f64) -> Self {
        let width_of = |names: &[&str], size: f64| {
            let widths = names.iter().map(|name| letters::text_width(name, size));
            widths.fold(0.0, f64::max)
        };
        let names = width_of(picture.methods, LABEL_SIZE)
            .max(width_of(picture.rows, NAME_SIZE))
            .min(WIDEST_NAME);
        let left = MARGIN + names + 2.0 * GAP;
        let columns = picture.columns.len() as f64;
        let width = (sheet.right() - left - (columns - 1.0) * BETWEEN) / columns;
        let ranges = picture
            .panels
            .iter()
            .map(|panel| (panel, range(picture, panel)));
        let strip = if ranges
            .flat_map(|(panel, range)| off(panel, range))
            .next()
            .is_some()
        {
            OFF_STRIP
        } else {
            0.0
        };
        let mut headings = picture.columns.iter().chain(picture.rows);
        let heading = if headings.any(|heading| !heading.is_empty()) {
            1.5 * NAME_SIZE
        } else {
            0.0
        };
        // Headings above the panels, numbers below.
        let around = heading + strip + 2.0 * TICK_LENGTH + 1.9 * LABEL_SIZE;
        let rows = picture.rows.len() as f64;
        let least = LINE_HEIGHT[usize::from(two_marks(picture))];
        let room = sheet.bottom() - legend_height - GAP - 1.4 * NAME_SIZE - top;
        let line = ((room / rows - around) / picture.methods.len() as f64)
            .min(HIGHEST_LINE)
            .max(least);
        let pitch = around + line * picture.methods.len() as f64;
        Self {
            left,
            width,
            top,
            line,
            strip,
            pitch,
            heading,
        }
    }

    /// The upper left corner of a panel, below its heading.
    pub fn corner(&self, row: usize, column: usize) -> Place {
        [
            self.left + column as f64 * (self.width + BETWEEN),
            self.top + row as f64 * self.pitch + self.heading,
        ]
    }
}

/// The range of the axis of a panel.
pub fn range(picture: &IntervalsPicture, of: &IntervalPanel) -> (f64, f64) {
    if !picture.held.is_empty() {
        let held = picture.held.iter();
        let ends = held.flat_map(|one| [one.low.min(one.mean), one.high.max(one.mean)]);
        return axes::range(ends, HEADROOM);
    }
    let estimates = of.estimates.iter().flatten();
    let estimates: Vec<Estimate> = estimates.copied().flatten().collect();
    let references: Vec<Estimate> = of.references.iter().copied().flatten().collect();
    shown(&estimates, &references)
}

/// The references that stand beyond the axis, with their index.
pub fn off<'a>(
    panel: &'a IntervalPanel,
    (low, high): (f64, f64),
) -> impl Iterator<Item = (usize, f64)> + 'a {
    let references = panel.references.iter().enumerate();
    references
        .filter_map(|(index, reference)| reference.map(|one| (index, one.mean)))
        .filter(move |(_, mean)| !(low..=high).contains(mean))
}

/// Whether there are estimates with either mark.
pub fn two_marks(picture: &IntervalsPicture) -> bool {
    has_mark(picture, 0) && has_mark(picture, 1)
}

/// Whether there are estimates with that mark.
pub fn has_mark(picture: &IntervalsPicture, mark: usize) -> bool {
    let mut pairs = picture.panels.iter().flat_map(|panel| panel.estimates);
    pairs.any(|pair| pair[mark].is_some())
}

/// A range that holds most of the means and as much of the intervals as does not squash them;
/// one from 0 to 1 for no estimates. More than half of the means are always held.
pub fn shown(estimates: &[Estimate], references: &[Estimate]) -> (f64, f64) {
    let all: Vec<Estimate> = estimates.iter().chain(references).copied().collect();
    if all.is_empty() {
        return (0.0, 1.0);
    }
    let mut half_widths: Vec<f64> = all.iter().map(|e| 0.5 * (e.high - e.low)).collect();
    half_widths.sort_by(f64::total_cmp);
    let typical = half_widths[half_widths.len() / 2];
    let mut means: Vec<f64> = all.iter().map(|e| e.mean).collect();
    means.sort_by(f64::total_cmp);
    let (near_low, near_high) = near(&means, 2.0 * typical);
    let widest = FAR_REFERENCE * (near_high - near_low);
    let wanted = references.iter().map(|e| e.mean);
    let wanted = wanted.filter(|mean| (near_low - widest..=near_high + widest).contains(mean));
    let (first, last) = wanted.fold((near_low, near_high), |(first, last), mean| {
        (first.min(mean), last.max(mean))
    });
    let reach = (REACH * (last - first)).max(1.5 * typical);
    let held = all.iter().filter(|e| (first..=last).contains(&e.mean));
    let (low, high) = held.fold((first, last), |(low, high), e| {
        (low.min(e.low), high.max(e.high))
    });
    let (low, high) = (low.max(first - reach), high.min(last + reach));
    let spare = (HEADROOM * (high - low)).max(0.01 * low.abs().max(high.abs()));
    let spare = if spare == 0.0 { 0.1 } else { spare };
    // An interval by Student's t may reach below 0 where nothing that was measured can.
    let least = if means[0] >= 0.0 {
        0.0
    } else {
        f64::NEG_INFINITY
    };
    ((low - spare).max(least), high + spare)
}

/// The ends of the values that belong together: the shortest stretch with more than half of
/// them, grown over every gap that is not too wide for it, the smaller gap first.
fn near(ascending: &[f64], least_range: f64) -> (f64, f64) {
    let half = ascending.len() / 2;
    let span = |from: &usize| ascending[from + half] - ascending[*from];
    let shortest = (0..ascending.len() - half).min_by(|a, b| span(a).total_cmp(&span(b)));
    let mut from = shortest.unwrap_or(0);
    let mut to = from + half;
    loop {
        let (low, high) = (ascending[from], ascending[to]);
        let below = (from > 0).then(|| low - ascending[from - 1]);
        let above = ascending.get(to + 1).map(|next| next - high);
        let least = least_range.max(LEAST_RANGE * low.abs().max(high.abs()));
        let widest = FAR * (high - low).max(least);
        match (below, above) {
            (Some(below), above) if below <= widest && above.is_none_or(|a| below <= a) => {
                from -= 1;
            }
            (_, Some(above)) if above <= widest => to += 1,
            _ => return (low, high),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(means: &[f64], half: f64) -> (f64, f64) {
        let estimate = |&mean: &f64| Estimate {
            mean,
            low: mean - half,
            high: mean + half,
        };
        shown(&means.iter().map(estimate).collect::<Vec<_>>(), &[])
    }

    fn holds(means: &[f64], inside: &[f64], outside: &[f64]) {
        let (low, high) = range(means, 1e-4 * means[0].abs());
        let held = |v: &f64| (low..=high).contains(v);
        assert!(inside.iter().all(held), "{low} {high}");
        assert!(!outside.iter().any(held), "{low} {high}");
    }

    #[test]
    fn a_failure_does_not_stretch_the_axis_and_a_poor_method_stays_on_it() {
        let close = [0.28, 0.29, 0.30, 0.31, 0.33];
        holds(&[&close[..], &[0.41, 0.6]].concat(), &[0.28, 0.6], &[]);
        let failed = [&close[..], &[0.41, 0.6, 1.9, 2.0]].concat();
        holds(&failed, &[0.28, 0.6], &[1.9]);
        holds(&[&close[..], &[2.0, 50.0]].concat(), &close, &[2.0, 50.0]);
        let both = [&close[..], &[-2.0, 3.0]].concat();
        holds(&both, &close, &[-2.0, 3.0]);
        holds(&[0.3, 2.0], &[0.3, 2.0], &[]);
        holds(&[0.3, 0.3, 0.3, 2.0], &[0.3], &[2.0]);
        holds(&[0.3, 0.3, 0.3, 0.31], &[0.3, 0.31], &[]);
        holds(&[0.0, 0.0, 0.0, 1e-9], &[0.0], &[]);
        holds(&[7.0], &[7.0], &[]);
        assert_eq!(shown(&[], &[]), (0.0, 1.0));
    }

    #[test]
    fn a_reference_is_shown_from_further_off_than_an_estimate() {
        let exact = |mean: f64| Estimate {
            mean,
            low: mean,
            high: mean,
        };
        let close = [0.29, 0.30, 0.31].map(exact);
        let (_, high) = shown(&[&close[..], &[exact(0.38)]].concat(), &[]);
        assert!(high < 0.38);
        let (_, high) = shown(&close, &[exact(0.38)]);
        assert!(high > 0.38);
        let (_, high) = shown(&close, &[exact(2.0)]);
        assert!(high < 0.4);
    }

    #[test]
    fn all_intervals_are_seen_where_all_are_wide_but_one_alone_is_cut() {
        let (low, high) = range(&[0.30, 0.31, 0.32], 0.2);
        assert!(low < 0.1 && high > 0.52);
        let wide = Estimate {
            mean: 0.31,
            low: 0.2,
            high: 9.0,
        };
        let narrow = [0.30, 0.32, 0.34].map(|mean| Estimate {
            mean,
            low: mean - 0.01,
            high: mean + 0.01,
        });
        let (low, high) = shown(&[&narrow[..], &[wide]].concat(), &[]);
        assert!(low > 0.2 && (0.34..0.4).contains(&high), "{low} {high}");
    }
}
