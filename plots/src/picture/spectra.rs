//! Spectra: measured power spectral densities against the analytic ones, a panel for each axis.
//!
//! Both axes of a panel are logarithmic. The band about an analytic curve is where a measured
//! one may lie by chance. What is zero or below the axis lies on its lower edge.

use crate::axes::legend::{Entry, Sample};
use crate::axes::panel::{MOST_STEPS, Panel, foot, room_left, x_name};
use crate::axes::{Axes, Axis, ends};
use crate::error::{
    Error, NOT_NEGATIVE, POSITIVE, count, never_descending, present, same_length, within,
};
use crate::page::curve::decimate;
use crate::page::letters::on_one_line;
use crate::page::sheet::{Anchor, Page, Place, Sheet};
use crate::page::style::{
    BLACK, CURVE_WIDTH, Colour, DARK_GREY, GAP, LABEL_SIZE, LEADING, MARGIN, NAME_SIZE, OVER_WIDTH,
    series_colour,
};
use crate::picture::Picture;

/// Most axes that are drawn side by side.
pub const MOST_AXES: usize = 4;
/// Space between panels \[px\].
const BETWEEN: f64 = 36.0;
/// Room for the ends of the last frequency label, which may stand beyond its panel \[px\].
const OVERHANG: f64 = 16.0;
/// The band: opaque, so that its pieces leave no seams.
const BAND: Colour = Colour::new(250, 222, 196);
/// Dash pattern of the analytic curve \[px\].
const ANALYTIC_DASH: &[f64] = &[13.0, 13.0];
/// Most decades of density below the highest that are shown.
const MOST_DECADES: f64 = 8.0;
/// Free space above and below the data, as a factor.
const HEADROOM: f64 = 1.6;

/// Spectra of several axes, to be compared in one picture.
#[derive(Debug, Clone, Copy)]
pub struct Spectra<'a> {
    /// Printed above the picture; wrapped, and cut short where two lines do not hold it.
    pub title: &'a str,
    /// The axes, from left to right: 1 to [`MOST_AXES`].
    pub axes: &'a [SpectrumAxis<'a>],
}

/// One axis: its lists are of one length.
#[derive(Debug, Clone, Copy)]
pub struct SpectrumAxis<'a> {
    /// Printed above the panel; cut short where it does not fit.
    pub label: &'a str,
    /// Frequencies, positive and never descending \[Hz\].
    pub frequency_hz: &'a [f64],
    /// Measured one-sided spectral density \[(m/s)²/Hz\], not negative.
    pub measured: &'a [f64],
    /// Analytic one-sided spectral density \[(m/s)²/Hz\], not negative.
    pub analytic: &'a [f64],
    /// Half width of the tolerance band, as a part of the analytic density; not negative.
    pub tolerance: &'a [f64],
    /// Measured standard deviation \[m/s\].
    pub sigma_measured_m_s: f64,
    /// Analytic standard deviation \[m/s\].
    pub sigma_analytic_m_s: f64,
}

impl Picture for Spectra<'_> {
    /// No axes or more than [`MOST_AXES`], an axis without frequencies or with lists of different
    /// lengths, a frequency that is not positive or descends, another number that is negative, not
    /// finite or too large.
    fn check(&self) -> Result<(), Error> {
        count("panels", self.axes.len(), MOST_AXES)?;
        self.axes.iter().try_for_each(check)
    }

    /// The page: a panel for each axis, side by side, on one scale of density.
    fn sheet(&self, page: Page) -> Sheet {
        let (mut sheet, title_end) = Sheet::on(page.wide(), self.title);
        let top = title_end + 3.0 * LEADING * LABEL_SIZE + GAP;
        let bottom = foot(&mut sheet, &entries());
        let (low, high) = density_range(self);
        let y = Axis::logarithmic((low, high), bottom, top);
        let count = self.axes.len() as f64;
        let left = MARGIN + room_left(&y, MOST_STEPS);
        let right = sheet.right() - OVERHANG;
        let width = (right - left - (count - 1.0) * BETWEEN) / count;
        for (index, axis) in self.axes.iter().enumerate() {
            let from = left + index as f64 * (width + BETWEEN);
            let x = frequency_axis(axis, from, from + width);
            let panel = Panel::new(
                Axes { x, y },
                [if count > 1.0 { 4 } else { MOST_STEPS }, MOST_STEPS],
            );
            draw(&mut sheet, axis, &panel);
            panel.frame(&mut sheet, [true, index == 0]);
            heading(&mut sheet, axis, [from, title_end], width);
        }
        x_name(&mut sheet, "frequency [Hz]", left, right, bottom);
        let at = [MARGIN + 0.9 * NAME_SIZE, 0.5 * (top + bottom)];
        let name = "power spectral density [(m/s)²/Hz]";
        sheet.upward_text(at, name, NAME_SIZE);
        sheet
    }
}

fn check(axis: &SpectrumAxis) -> Result<(), Error> {
    const FREQUENCY: &str = "frequency";
    present(FREQUENCY, axis.frequency_hz)?;
    within(FREQUENCY, axis.frequency_hz.iter().copied(), POSITIVE)?;
    never_descending(FREQUENCY, axis.frequency_hz)?;
    let lists = [
        ("measured density", axis.measured),
        ("analytic density", axis.analytic),
        ("tolerance", axis.tolerance),
    ];
    for (quantity, list) in lists {
        same_length(quantity, list.len(), FREQUENCY, axis.frequency_hz.len())?;
        within(quantity, list.iter().copied(), NOT_NEGATIVE)?;
    }
    let sigmas = [axis.sigma_measured_m_s, axis.sigma_analytic_m_s];
    within("standard deviation", sigmas, NOT_NEGATIVE)
}

fn entries() -> [Entry; 3] {
    [
        Entry::line("measured", series_colour(0), OVER_WIDTH, &[]),
        Entry::line("analytic", BLACK, CURVE_WIDTH, ANALYTIC_DASH),
        Entry::new(Sample::Band { colour: BAND }, "statistical tolerance"),
    ]
}

/// The range of all positive densities, with the band as far as it does not run off to zero.
fn density_range(spectra: &Spectra) -> (f64, f64) {
    let axes = || spectra.axes.iter();
    let both = axes().flat_map(|axis| axis.measured.iter().chain(axis.analytic));
    let (least, _) = ends(both.copied().filter(|&value| value > 0.0));
    let bands = axes().flat_map(|axis| axis.analytic.iter().zip(axis.tolerance));
    let upper = bands.map(|(a, part)| a * (1.0 + part));
    let measured = axes().flat_map(|axis| axis.measured).copied();
    let (_, most) = ends(measured.chain(upper));
    if most == 0.0 {
        return (0.1, 10.0);
    }
    let least = least.min(most).max(most * 10_f64.powf(-MOST_DECADES));
    (least / HEADROOM, most * HEADROOM)
}

fn frequency_axis(axis: &SpectrumAxis, from: f64, to: f64) -> Axis {
    let (first, last) = ends(axis.frequency_hz.iter().copied());
    // A single frequency stands in the middle of two octaves.
    let (low, high) = if last > 1.01 * first {
        (first, last)
    } else {
        (0.5 * first, 2.0 * last)
    };
    Axis::logarithmic((low, high), from, to)
}

fn draw(sheet: &mut Sheet, axis: &SpectrumAxis, panel: &Panel) {
    let edge = |sign: f64| -> Vec<Place> {
        let densities = axis.analytic.iter().zip(axis.tolerance);
        let edge: Vec<f64> = densities.map(|(a, part)| a * (1.0 + sign * part)).collect();
        places(axis, &edge, panel)
    };
    let (upper, lower) = (edge(1.0), edge(-1.0));
    let mut corner = 0;
    for next in 1..upper.len() {
        // Slices thinner than a pixel are joined.
        if upper[next][0] - upper[corner][0] >= 1.0 || next == upper.len() - 1 {
            let corners = vec![upper[corner], upper[next], lower[next], lower[corner]];
            sheet.polygon(corners, BAND);
            corner = next;
        }
    }
    panel.grid(sheet);
    let measured = decimate(&places(axis, axis.measured, panel));
    sheet.line(measured, OVER_WIDTH, series_colour(0));
    // Dashed, because it would hide a measured curve that agrees with it.
    let analytic = decimate(&places(axis, axis.analytic, panel));
    sheet.dashed(analytic, ANALYTIC_DASH, CURVE_WIDTH, BLACK);
    let both = axis.measured.iter().chain(axis.analytic);
    if both.copied().fold(0.0, f64::max) == 0.0 {
        let Axes { x, y } = panel.axes;
        let middle = [0.5 * (x.from + x.to), 0.5 * (y.from + y.to)];
        let words = "zero at every frequency".to_owned();
        sheet.text(middle, words, LABEL_SIZE, Anchor::Middle, DARK_GREY);
    }
}

fn places(axis: &SpectrumAxis, densities: &[f64], panel: &Panel) -> Vec<Place> {
    let pairs = axis.frequency_hz.iter().zip(densities);
    pairs
        .map(|(&f, &density)| panel.axes.place(f, density))
        .collect()
}

/// What the axis is, and its standard deviations, above the panel.
fn heading(sheet: &mut Sheet, axis: &SpectrumAxis, [x, top]: Place, width: f64) {
    let label = on_one_line(axis.label, LABEL_SIZE, width);
    let words = [
        label,
        format!("σ measured: {:.3} m/s", axis.sigma_measured_m_s),
        format!("σ analytic: {:.3} m/s", axis.sigma_analytic_m_s),
    ];
    for (line, words) in words.into_iter().enumerate() {
        let y = top + (line as f64 + 0.8) * LEADING * LABEL_SIZE;
        sheet.label([x, y], words, Anchor::Start);
    }
}
