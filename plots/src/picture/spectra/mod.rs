//! Spectra: measured power spectral densities against the analytic ones, a panel for each axis.
//!
//! Both axes of a panel are logarithmic. The band about an analytic curve is where a measured
//! one may lie by chance. What is zero or below the axis lies on its lower edge.

mod page;

use crate::error::{Error, LARGEST_M, count, refused, same_length, within};
use crate::files;
use std::path::{Path, PathBuf};

/// Most axes that are drawn side by side.
pub const MOST_AXES: usize = 4;

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

/// Draws the spectra and writes `stem.svg` and `stem.png`; returns both paths, in that order.
/// The folder of `stem` must exist. The same spectra give the same bytes.
///
/// # Errors
/// No axes or more than [`MOST_AXES`], an axis without frequencies or with lists of different
/// lengths, a frequency that is not positive or descends, another number that is negative, not
/// finite or too large, or a file that cannot be written.
pub fn draw_spectra(spectra: &Spectra, stem: &Path) -> Result<[PathBuf; 2], Error> {
    count("panels", spectra.axes.len(), MOST_AXES)?;
    for axis in spectra.axes {
        check(axis)?;
    }
    files::write(&page::sheet(spectra), stem)
}

fn check(axis: &SpectrumAxis) -> Result<(), Error> {
    const FREQUENCY: &str = "frequency";
    let wanted = axis.frequency_hz.len();
    if wanted == 0 {
        let quantity = FREQUENCY;
        return Err(Error::NoValues { quantity });
    }
    for (index, &value) in axis.frequency_hz.iter().enumerate() {
        let least = if index == 0 {
            f64::MIN_POSITIVE
        } else {
            axis.frequency_hz[index - 1]
        };
        if !(least..=LARGEST_M).contains(&value) {
            let expected = "positive, no less than the one before and at most 1e12";
            return refused(FREQUENCY, index, value, expected);
        }
    }
    let lists = [
        ("measured density", axis.measured),
        ("analytic density", axis.analytic),
        ("tolerance", axis.tolerance),
    ];
    for (quantity, list) in lists {
        same_length(quantity, list.len(), FREQUENCY, wanted)?;
        check_values(quantity, list)?;
    }
    let sigmas = [axis.sigma_measured_m_s, axis.sigma_analytic_m_s];
    check_values("standard deviation", &sigmas)
}

fn check_values(quantity: &'static str, values: &[f64]) -> Result<(), Error> {
    let values = values.iter().copied();
    within(quantity, values, 0.0..=LARGEST_M, "from 0 to 1e12")
}
