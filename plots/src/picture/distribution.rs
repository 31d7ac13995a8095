//! Distribution: how the average control error (ACE) of many flights is spread.
//!
//! The picture is the empirical cumulative distribution: at each ACE, the share of flights that
//! did at least as well. Quantiles are order statistics: the least ACE that so many of the
//! flights did not exceed. A lost flight is worse than any: the curve ends at the share that was
//! completed, and a quantile among the lost flights is not marked.

use crate::axes::legend::{Entry, Sample};
use crate::axes::panel::{MOST_STEPS, Panel, foot, room_left};
use crate::axes::ticks::reading;
use crate::axes::{Axes, Axis, HEADROOM, Scale, range, ratio_range};
use crate::error::{Error, NOT_NEGATIVE, PROBABILITY, present, same_length, within};
use crate::page::curve::decimate;
use crate::page::letters;
use crate::page::sheet::{Anchor, Page, Place, Sheet};
use crate::page::style::{
    BLACK, Colour, DARK_GREY, DOT_RADIUS, GAP, HALF_DIGIT, LABEL_SIZE, LEADING, MARGIN, RULE_WIDTH,
};
use crate::picture::Picture;

/// The scores of many flights.
#[derive(Debug, Clone, Copy)]
pub struct Distribution<'a> {
    /// Printed above the picture; wrapped, and cut short where two lines do not hold it.
    pub title: &'a str,
    /// ACE of every completed flight, in any order \[m\]; not negative.
    pub ace_m: &'a [f64],
    /// How many flights were lost besides.
    pub lost: usize,
    /// A confidence band of the distribution.
    pub band: Option<ConfidenceBand<'a>>,
}

/// Where the distribution of which the flights are a sample lies, with some confidence.
#[derive(Debug, Clone, Copy)]
pub struct ConfidenceBand<'a> {
    /// Name in the legend, such as "95 % confidence band (DKW)".
    pub label: &'a str,
    /// Lower limit of the share of flights up to the ACE of each completed flight, these in
    /// ascending order; from 0 to 1.
    pub lower: &'a [f64],
    /// Upper limit, likewise.
    pub upper: &'a [f64],
}

/// The quantiles that are marked [%].
const MARKED: [u32; 4] = [50, 90, 95, 99];
/// The band: opaque, so that its pieces leave no seams.
const BAND: Colour = Colour::new(206, 226, 240);
/// Dash pattern of the rules of a quantile \[px\].
const QUANTILE_DASH: &[f64] = &[4.0, 5.0];

impl Picture for Distribution<'_> {
    /// No flights, an ACE that is negative, not finite or too large, a band of another length or with
    /// limits outside 0 to 1.
    fn check(&self) -> Result<(), Error> {
        const ACE: &str = "ACE";
        let wanted = self.ace_m.len();
        if self.lost == 0 {
            present(ACE, self.ace_m)?;
        }
        within(ACE, self.ace_m.iter().copied(), NOT_NEGATIVE)?;
        let Some(band) = self.band else {
            return Ok(());
        };
        for (quantity, list) in [("lower band", band.lower), ("upper band", band.upper)] {
            same_length(quantity, list.len(), ACE, wanted)?;
            within(quantity, list.iter().copied(), PROBABILITY)?;
        }
        Ok(())
    }

    fn sheet(&self, page: Page) -> Sheet {
        let mut ascending_m = self.ace_m.to_vec();
        ascending_m.sort_by(f64::total_cmp);
        let ascending_m = &ascending_m[..];
        let (mut sheet, title_end) = Sheet::on(page.wide(), self.title);
        let statement = statement(self);
        let middle = [0.5 * f64::from(sheet.width), title_end + 0.8 * LABEL_SIZE];
        sheet.label(middle, statement, Anchor::Middle);
        let top = title_end + LEADING * LABEL_SIZE + GAP;
        let bottom = foot(&mut sheet, &entries(self));
        let flights = flights(self);
        let marks = MARKED.into_iter().filter_map(|percent| {
            let ace_m = quantile(ascending_m, flights, percent)?;
            let label = format!("{percent} % ≤ {} m", reading(ace_m));
            Some(([ace_m, f64::from(percent)], label))
        });
        let marks: Vec<([f64; 2], String)> = marks.collect();
        let widths = marks
            .iter()
            .map(|(_, label)| letters::text_width(label, LABEL_SIZE));
        // Without quantiles the last number of the axis needs room.
        let right = sheet.right() - widths.fold(2.0 * GAP, f64::max) - GAP;
        let panel = panel(ascending_m, [top, bottom], right);
        if let Some(confidence) = self.band {
            band(&mut sheet, &confidence, ascending_m, &panel.axes);
        }
        panel.grid(&mut sheet);
        let points = decimate(&staircase(ascending_m, flights, &panel.axes));
        sheet.series(points, 0);
        for (at, label) in marks {
            mark(&mut sheet, &panel.axes, at, label);
        }
        panel.frame(&mut sheet, [true, true]);
        let share = "flights with at most this ACE [%]";
        panel.names(&mut sheet, "average control error (ACE) [m]", share);
        sheet
    }
}

/// All flights, completed and lost.
fn flights(distribution: &Distribution) -> usize {
    distribution.ace_m.len() + distribution.lost
}

/// How many flights were lost, in words.
fn statement(distribution: &Distribution) -> String {
    let (lost, flights) = (distribution.lost, flights(distribution));
    let share = reading(100.0 * lost as f64 / flights as f64);
    format!("lost: {lost} of {} ({share} %)", counted(flights))
}

fn counted(flights: usize) -> String {
    format!(
        "{flights} {}",
        if flights == 1 { "flight" } else { "flights" }
    )
}

fn entries(distribution: &Distribution) -> Vec<Entry> {
    let mut entries = vec![Entry::series(counted(flights(distribution)), 0)];
    if distribution.ace_m.is_empty() {
        return entries;
    }
    if let Some(band) = distribution.band {
        entries.push(Entry::new(Sample::Band { colour: BAND }, band.label));
    }
    let quantiles = Entry::line("quantiles", DARK_GREY, RULE_WIDTH, QUANTILE_DASH);
    entries.push(quantiles);
    entries
}

fn panel(ascending_m: &[f64], [top, bottom]: [f64; 2], right: f64) -> Panel {
    let (least, most) = match ascending_m {
        [least, .., most] => (*least, *most),
        [only] => (*only, *only),
        // None was completed: any axis will do.
        [] => (0.0, 1.0),
    };
    let logarithmic = Scale::Automatic.is_logarithmic(least, most);
    let shown = if logarithmic {
        ratio_range([least, most].into_iter(), HEADROOM)
    } else {
        let (low, high) = range([least, most].into_iter(), HEADROOM);
        (low.max(0.0), high)
    };
    let y = Axis::linear((0.0, 102.0), bottom, top);
    let x = Axis::unplaced(shown, logarithmic).over(MARGIN + room_left(&y, MOST_STEPS), right);
    Panel::new(Axes { x, y }, [9, 10])
}

/// The least ACE that `percent` of the flights do not exceed; none where a lost one is among these.
fn quantile(ascending_m: &[f64], flights: usize, percent: u32) -> Option<f64> {
    let rank = (flights * percent as usize).div_ceil(100);
    ascending_m.get(rank.max(1) - 1).copied()
}

/// The share of flights \[%\] up to each ACE, as a line of steps across the whole axis.
fn staircase(ascending_m: &[f64], flights: usize, axes: &Axes) -> Vec<Place> {
    let share = |index: usize| 100.0 * index as f64 / flights as f64;
    let mut points = vec![axes.place(axes.x.low, 0.0)];
    for (index, &ace_m) in ascending_m.iter().enumerate() {
        points.push(axes.place(ace_m, share(index)));
        points.push(axes.place(ace_m, share(index + 1)));
    }
    points.push(axes.place(axes.x.high, share(ascending_m.len())));
    points
}

/// Draws the band as one rectangle for each pixel column in which it changes.
fn band(sheet: &mut Sheet, band: &ConfidenceBand, ascending_m: &[f64], axes: &Axes) {
    let mut rectangle = |from: f64, to: f64, index: usize| {
        let high = axes.y.place(100.0 * band.upper[index]);
        let low = axes.y.place(100.0 * band.lower[index]);
        sheet.rectangle([from, high.min(low)], [to, high.max(low)], BAND);
    };
    let Some(&first) = ascending_m.first() else {
        return;
    };
    let (mut from, mut index) = (axes.x.place(first), 0);
    for (next, &ace_m) in ascending_m.iter().enumerate() {
        let to = axes.x.place(ace_m);
        if to - from >= 1.0 {
            rectangle(from, to, index);
            from = to;
        }
        index = next;
    }
    rectangle(from, axes.x.to, index);
}

/// Marks a quantile on the curve and leads to both axes, and to its label at the right.
fn mark(sheet: &mut Sheet, axes: &Axes, [ace_m, percent]: [f64; 2], label: String) {
    let [x, y] = axes.place(ace_m, percent);
    let rule = vec![[axes.x.to, y], [x, y], [x, axes.y.from]];
    sheet.dashed(rule, QUANTILE_DASH, RULE_WIDTH, DARK_GREY);
    sheet.disc([x, y], 2.0 * DOT_RADIUS, BLACK);
    let at = [axes.x.to + GAP, y + HALF_DIGIT * LABEL_SIZE];
    sheet.label(at, label, Anchor::Start);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_the_least_values_that_so_many_do_not_exceed() {
        let hundred: Vec<f64> = (1..=100).map(f64::from).collect();
        let marked = |ascending_m: &[f64], lost| {
            MARKED.map(|percent| quantile(ascending_m, ascending_m.len() + lost, percent))
        };
        let all = [50.0, 90.0, 95.0, 99.0].map(Some);
        assert_eq!(marked(&hundred, 0), all);
        let ten: Vec<f64> = (1..=10).map(f64::from).collect();
        assert_eq!(marked(&ten, 0), [5.0, 9.0, 10.0, 10.0].map(Some));
        assert_eq!(marked(&[7.0], 0), [Some(7.0); 4]);
        // Six of a hundred flights are lost: 95 % did not complete.
        let some = [Some(50.0), Some(90.0), None, None];
        assert_eq!(marked(&hundred[..94], 6), some);
        assert_eq!(marked(&[], 5), [None; 4]);
        for count in 1..60 {
            let values: Vec<f64> = (0..count).map(f64::from).collect();
            for percent in MARKED {
                let found = quantile(&values, values.len(), percent).expect("none is lost");
                let up_to = |most: f64| values.iter().filter(|&&v| v <= most).count() as u32;
                assert!(100 * up_to(found) >= percent * count as u32);
                assert!(100 * up_to(found - 1.0) < percent * count as u32);
            }
        }
    }

    #[test]
    fn the_staircase_rises_by_one_flight_at_each_ace() {
        let y = Axis::linear((0.0, 100.0), 100.0, 0.0);
        let x = Axis::linear((0.0, 4.0), 0.0, 4.0);
        let axes = Axes { x, y };
        let expected = [
            [0.0, 100.0],
            [1.0, 100.0],
            [1.0, 50.0],
            [3.0, 50.0],
            [3.0, 0.0],
            [4.0, 0.0],
        ];
        assert_eq!(staircase(&[1.0, 3.0], 2, &axes), expected);
        let half = [[0.0, 100.0], [1.0, 100.0], [1.0, 50.0], [4.0, 50.0]];
        assert_eq!(staircase(&[1.0], 2, &axes), half, "the other is lost");
    }
}
