//! Distribution: how the average control error (ACE) of many flights is spread.
//!
//! The picture is the empirical cumulative distribution: at each ACE, the share of flights that
//! did at least as well. Quantiles are order statistics: the least ACE that so many of the
//! flights did not exceed. A lost flight counts with the score it was given.

mod page;

use crate::error::{Error, LARGEST_M, refused, same_length, within};
use crate::files;
use std::path::{Path, PathBuf};

/// The scores of many flights.
#[derive(Debug, Clone, Copy)]
pub struct Distribution<'a> {
    /// Printed above the picture; wrapped, and cut short where two lines do not hold it.
    pub title: &'a str,
    /// ACE of every flight, in any order, lost flights with the score they were given
    /// \[m\]; not negative.
    pub ace_m: &'a [f64],
    /// How many of them were lost.
    pub lost: usize,
    /// A confidence band of the distribution.
    pub band: Option<ConfidenceBand<'a>>,
}

/// Where the distribution of which the flights are a sample lies, with some confidence.
#[derive(Debug, Clone, Copy)]
pub struct ConfidenceBand<'a> {
    /// Name in the legend, such as "95 % confidence band (DKW)".
    pub label: &'a str,
    /// Lower limit of the share of flights up to the ACE of each flight, these in ascending
    /// order; from 0 to 1.
    pub lower: &'a [f64],
    /// Upper limit, likewise.
    pub upper: &'a [f64],
}

/// Draws the distribution and writes `stem.svg` and `stem.png`; returns both paths, in that
/// order. The folder of `stem` must exist. The same distribution gives the same bytes.
///
/// # Errors
/// No flights, more lost flights than flights, an ACE that is negative, not finite or too large, a
/// band of another length or with limits outside 0 to 1, or a file that cannot be written.
pub fn draw_distribution(distribution: &Distribution, stem: &Path) -> Result<[PathBuf; 2], Error> {
    check(distribution)?;
    let mut ascending_m = distribution.ace_m.to_vec();
    ascending_m.sort_by(f64::total_cmp);
    files::write(&page::sheet(distribution, &ascending_m), stem)
}

fn check(distribution: &Distribution) -> Result<(), Error> {
    const ACE: &str = "ACE";
    let wanted = distribution.ace_m.len();
    if wanted == 0 {
        return Err(Error::NoValues { quantity: ACE });
    }
    let values = distribution.ace_m.iter().copied();
    within(ACE, values, 0.0..=LARGEST_M, "from 0 to 1e12")?;
    if distribution.lost > wanted {
        let (lost, expected) = (distribution.lost, "at most the number of flights");
        return refused("number of lost flights", 0, lost as f64, expected);
    }
    let Some(band) = distribution.band else {
        return Ok(());
    };
    for (quantity, list) in [("lower band", band.lower), ("upper band", band.upper)] {
        same_length(quantity, list.len(), ACE, wanted)?;
        within(quantity, list.iter().copied(), 0.0..=1.0, "from 0 to 1")?;
    }
    Ok(())
}
