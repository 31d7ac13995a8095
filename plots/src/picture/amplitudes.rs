//! Amplitudes: how strong something is at each frequency or time, under several conditions, on two
//! logarithmic axes; where each is strongest is marked.

use crate::axes::legend::Entry;
use crate::axes::panel::{MOST_STEPS, Panel, plane};
use crate::axes::symbols::Symbol;
use crate::axes::{Axis, HEADROOM, ratio_range};
use crate::error::{Error, POSITIVE, within};
use crate::page::sheet::{Page, Place, Sheet};
use crate::page::style::{DARK_GREY, series_colour};
use crate::picture::Picture;

/// From a point to the middle of the wedge that marks it \[px\].
const APART: f64 = 11.0;

/// Amplitude spectra in one panel.
#[derive(Debug, Clone, Copy)]
pub struct AmplitudesPicture<'a> {
    /// What the picture shows, for those who cannot see it.
    pub title: &'a str,
    /// Names of the frequency and of the amplitude, with their units.
    pub names: [&'a str; 2],
    /// What the marks are, such as "largest peak".
    pub peak_name: &'a str,
    /// The conditions, each with its own colour and dash pattern.
    pub curves: &'a [AmplitudeCurve<'a>],
}

/// The spectrum under one condition.
#[derive(Debug, Clone, Copy)]
pub struct AmplitudeCurve<'a> {
    /// Name in the legend.
    pub label: &'a str,
    /// Frequencies and amplitudes, all positive.
    pub points: &'a [[f64; 2]],
    /// Frequency and amplitude that are marked.
    pub peak: Option<[f64; 2]>,
}

impl Picture for AmplitudesPicture<'_> {
    /// No curve, no point at all, or a number that is not positive, not finite or too large.
    fn check(&self) -> Result<(), Error> {
        let quantity = "spectrum";
        if self.curves.iter().all(|curve| curve.points.is_empty()) {
            return Err(Error::NoValues(quantity));
        }
        for curve in self.curves {
            let points = curve.points.iter().copied().chain(curve.peak);
            for axis in [0, 1] {
                let values = points.clone().map(|point| point[axis]);
                within(quantity, values, POSITIVE)?;
            }
        }
        Ok(())
    }

    fn sheet(&self, page: Page) -> Sheet {
        let (mut sheet, top) = Sheet::on(page, self.title);
        let along = |axis: usize| {
            let points = self.curves.iter().flat_map(|curve| curve.points);
            let peaks = self.curves.iter().filter_map(|curve| curve.peak);
            ratio_range(
                points.copied().chain(peaks).map(|point| point[axis]),
                HEADROOM,
            )
        };
        let axes = [0, 1].map(|axis| Axis::unplaced(along(axis), true));
        let axes = plane(&mut sheet, &entries(self), axes, [top, 0.0]);
        let panel = Panel::new(axes, [MOST_STEPS; 2]);
        panel.grid(&mut sheet);
        for (index, curve) in self.curves.iter().enumerate() {
            let points = curve.points.iter();
            let places: Vec<Place> = points.map(|[f, value]| axes.place(*f, *value)).collect();
            sheet.series(places, index);
        }
        for (index, curve) in self.curves.iter().enumerate() {
            if let Some([frequency_hz, value]) = curve.peak {
                let [x, y] = axes.place(frequency_hz, value);
                let colour = series_colour(index);
                // Peaks of two conditions at one place are both seen.
                if index.is_multiple_of(2) {
                    Symbol::Peak.draw(&mut sheet, [x, y - APART], colour);
                } else {
                    Symbol::PeakBelow.draw(&mut sheet, [x, y + APART], colour);
                }
            }
        }
        panel.frame(&mut sheet, [true, true]);
        panel.names(&mut sheet, self.names[0], self.names[1]);
        sheet
    }
}

fn entries(picture: &AmplitudesPicture) -> Vec<Entry> {
    let curves = picture.curves.iter().enumerate();
    let series = curves.map(|(index, curve)| Entry::series(curve.label, index));
    let mut entries: Vec<Entry> = series.collect();
    if picture.curves.iter().any(|curve| curve.peak.is_some()) {
        entries.push(Entry::symbol(picture.peak_name, Symbol::Peak, DARK_GREY));
    }
    entries
}
