//! Intervals: what several methods achieved, each as a mean with its interval, in a grid of
//! panels: which differ, and which cannot be distinguished.
//!
//! A panel has an axis of its own. What lies far from all the rest does not stretch it: an arrow
//! points there, with the mean in numbers. Given a reference to judge against, estimates whose
//! interval overlaps that of the reference are grey. Two means whose intervals do not overlap
//! differ, but intervals of paired runs may overlap although the runs differ: to judge those, give
//! the paired differences as estimates and zero as the reference.

mod layout;
mod page;

use crate::error::{Error, FINITE, count, refused, same_length, within};
use crate::page::sheet::{Page, Sheet};
use crate::picture::Picture;

/// Most columns of an interval picture.
pub const MOST_INTERVAL_COLUMNS: usize = 4;
/// Most rows of panels of an interval picture.
pub const MOST_INTERVAL_ROWS: usize = 3;
/// Most methods of an interval picture.
pub const MOST_METHODS: usize = 20;
/// Most reference lines of an interval picture.
pub const MOST_REFERENCES: usize = 2;

/// Methods compared in a grid of panels, such as trajectories by wind domains.
#[derive(Debug, Clone, Copy)]
pub struct IntervalsPicture<'a> {
    /// Printed above the picture; wrapped, and cut short where two lines do not hold it.
    pub title: &'a str,
    /// Name of the value with its unit, such as "ACE \[m\]".
    pub x_name: &'a str,
    /// Headings of the columns, from the left: 1 to [`MOST_INTERVAL_COLUMNS`].
    pub columns: &'a [&'a str],
    /// Headings of the rows of panels, from the top: 1 to [`MOST_INTERVAL_ROWS`].
    pub rows: &'a [&'a str],
    /// Names of the methods, from the top of each panel: 1 to [`MOST_METHODS`].
    pub methods: &'a [&'a str],
    /// What the filled and the hollow marks and their bars are, such as
    /// "recommended, mean and 95 % interval".
    pub marks: [&'a str; 2],
    /// Which colours of the series the filled and the hollow marks take, from 0.
    pub colours: [usize; 2],
    /// Names of the reference lines: at most [`MOST_REFERENCES`].
    pub references: &'a [&'a str],
    /// The reference, by index, against which estimates are judged; none greys nothing.
    pub judged_against: Option<usize>,
    /// One panel for each row and column, row by row.
    pub panels: &'a [IntervalPanel<'a>],
    /// What the axis of every panel holds in full, such as all that pictures side by side show, which
    /// then have one axis. If there is nothing, each panel has an axis of its own, which a few values
    /// far from all the rest do not stretch.
    pub held: &'a [Estimate],
}

/// The estimates in one panel.
#[derive(Debug, Clone, Copy)]
pub struct IntervalPanel<'a> {
    /// For each method the estimates with the filled and with the hollow mark.
    pub estimates: &'a [[Option<Estimate>; 2]],
    /// For each reference line where it stands, with its interval as a band.
    pub references: &'a [Option<Estimate>],
}

/// A mean and its interval, in the unit of the picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The mean.
    pub mean: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval, not below the lower.
    pub high: f64,
}

impl Picture for IntervalsPicture<'_> {
    /// No columns, rows, methods or more than fit; not one panel for each row and column, one pair of
    /// estimates for each method or one value for each reference; no estimate at all; a judge that is not
    /// among the references; an interval that ends before it begins, or a number that is not finite or too
    /// large.
    fn check(&self) -> Result<(), Error> {
        count("columns", self.columns.len(), MOST_INTERVAL_COLUMNS)?;
        count("rows", self.rows.len(), MOST_INTERVAL_ROWS)?;
        count("methods", self.methods.len(), MOST_METHODS)?;
        let lines = self.references.len();
        if lines > 0 {
            count("references", lines, MOST_REFERENCES)?;
        }
        if let Some(index) = self.judged_against.filter(|&index| index >= lines) {
            let expected = "the index of a reference";
            return refused("reference to judge against", 0, index as f64, expected);
        }
        let columns = self.columns.len();
        let wanted = columns * self.rows.len();
        let panels = self.panels.len();
        same_length("list of panels", panels, "rows times columns", wanted)?;
        for (index, panel) in self.panels.iter().enumerate() {
            check_panel(self, panel)
                .map_err(|error| error.in_panel(index / columns, index % columns))?;
        }
        let estimates = self.panels.iter().flat_map(|panel| panel.estimates);
        if estimates.flatten().flatten().next().is_none() {
            let quantity = "list of estimates";
            return Err(Error::NoValues(quantity));
        }
        Ok(())
    }

    fn sheet(&self, page: Page) -> Sheet {
        page::sheet(page, self)
    }
}

fn check_panel(picture: &IntervalsPicture, panel: &IntervalPanel) -> Result<(), Error> {
    let (given, wanted) = (panel.estimates.len(), picture.methods.len());
    same_length("list of estimates", given, "methods", wanted)?;
    let (given, wanted) = (panel.references.len(), picture.references.len());
    same_length("list of references", given, "reference names", wanted)?;
    for mark in [0, 1] {
        check_estimates(panel.estimates.iter().map(|pair| pair[mark]))?;
    }
    check_estimates(panel.references.iter().copied())?;
    check_estimates(picture.held.iter().copied().map(Some))
}

fn check_estimates(estimates: impl Iterator<Item = Option<Estimate>>) -> Result<(), Error> {
    for (index, estimate) in estimates.enumerate() {
        let Some(Estimate { mean, low, high }) = estimate else {
            continue;
        };
        let finite = within("mean and interval", [mean, low, high], FINITE);
        finite.map_err(|error| error.in_part(format!("estimate {index}")))?;
        if low > high {
            let expected = "no less than the lower end";
            return refused("upper end of the interval", index, high, expected);
        }
    }
    Ok(())
}
