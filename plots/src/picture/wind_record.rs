//! Wind record: the wind that was measured or simulated at a point, over time, and which stretches
//! of it are for what.

use crate::axes::legend::{Entry, Sample};
use crate::axes::panel::{MOST_STEPS, Panel, foot, stack, x_name};
use crate::axes::{HEADROOM, range};
use crate::error::{Error, FINITE, never_descending, present, same_length, within};
use crate::page::curve::decimate;
use crate::page::sheet::{Page, Sheet};
use crate::page::style::{
    BLACK, CURVE_WIDTH, Colour, MARGIN, NAME_SIZE, OVER_WIDTH, RULE_WIDTH, series_colour,
};
use crate::picture::Picture;

/// The stretches, in the order of [`WindRecordPicture::stretches`]: opaque, so that neighbours
/// leave no seams.
const BANDS: [Colour; 2] = [Colour::new(219, 234, 244), Colour::new(250, 228, 208)];
/// Room for the half of the last label that may stand beyond its panel \[px\].
const OVERHANG: f64 = 24.0;
/// Dash pattern of the mean \[px\].
const MEAN_DASH: &[f64] = &[10.0, 6.0];

/// A record of wind.
#[derive(Debug, Clone, Copy)]
pub struct WindRecordPicture<'a> {
    /// Printed above the picture; wrapped, and cut short where two lines do not hold it.
    pub title: &'a str,
    /// Times of the rows, never descending \[s\].
    pub time_s: &'a [f64],
    /// What each component is called, with its values, as many as there are times \[m/s\].
    pub components: [(&'a str, &'a [f64]); 3],
    /// Two kinds of stretches: what they are for, and from when to when they go \[s\]. A kind
    /// without a stretch is not shown.
    pub stretches: [(&'a str, &'a [[f64; 2]]); 2],
}

impl Picture for WindRecordPicture<'_> {
    /// No rows, lists of different lengths, times that descend, a number that is not finite or too
    /// large.
    fn check(&self) -> Result<(), Error> {
        let times = self.time_s;
        present("time", times)?;
        within("time", times.iter().copied(), FINITE)?;
        for (_, values) in self.components {
            same_length("wind", values.len(), "time", times.len())?;
            within("wind", values.iter().copied(), FINITE)?;
        }
        let ends = self.stretches.iter().flat_map(|(_, list)| *list);
        within("stretch", ends.flatten().copied(), FINITE)?;
        never_descending("time", times)
    }

    fn sheet(&self, page: Page) -> Sheet {
        let (mut sheet, top) = Sheet::on(page.wide(), self.title);
        let (left_end, right) = (MARGIN, sheet.right() - OVERHANG);
        let entries = entries(self);
        let bottom = foot(&mut sheet, &entries);
        let first = self.time_s[0];
        // A single row stands in the middle.
        let last = self.time_s[self.time_s.len() - 1].max(first + 1e-9 * (1.0 + first.abs()));
        let components = self.components;
        let ranges = components.map(|(_, values)| range(values.iter().copied(), HEADROOM));
        let corner = [left_end + 1.7 * NAME_SIZE, top];
        let panels = stack((first, last), &ranges, corner, [right, bottom], MOST_STEPS);
        for (index, panel) in panels.iter().enumerate() {
            let (name, values) = components[index];
            draw(&mut sheet, self, values, panel);
            panel.frame(&mut sheet, [index + 1 == panels.len(), true]);
            let y = panel.axes.y;
            let at = [left_end + 0.9 * NAME_SIZE, 0.5 * (y.from + y.to)];
            sheet.upward_text(at, name, NAME_SIZE);
        }
        let x = panels[0].axes.x;
        x_name(
            &mut sheet,
            "time since the first row [s]",
            x.from,
            x.to,
            bottom,
        );
        sheet
    }
}

fn entries(picture: &WindRecordPicture) -> Vec<Entry> {
    let mut entries = vec![
        Entry::line("wind", series_colour(0), OVER_WIDTH, &[]),
        Entry::line("mean", BLACK, CURVE_WIDTH, MEAN_DASH),
    ];
    for ((label, stretches), colour) in picture.stretches.iter().zip(BANDS) {
        if !stretches.is_empty() {
            entries.push(Entry::new(Sample::Band { colour }, *label));
        }
    }
    entries
}

fn draw(sheet: &mut Sheet, picture: &WindRecordPicture, values: &[f64], panel: &Panel) {
    let axes = &panel.axes;
    for ((_, stretches), colour) in picture.stretches.iter().zip(BANDS) {
        for stretch in *stretches {
            let [from, to] = stretch.map(|time_s| axes.x.place(time_s));
            sheet.rectangle([from, axes.y.to], [to, axes.y.from], colour);
        }
    }
    panel.grid(sheet);
    let rows = picture.time_s.iter().zip(values);
    let places: Vec<_> = rows.map(|(t, value)| axes.place(*t, *value)).collect();
    sheet.line(decimate(&places), RULE_WIDTH, series_colour(0));
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    sheet.dashed(axes.level(mean), MEAN_DASH, CURVE_WIDTH, BLACK);
}
