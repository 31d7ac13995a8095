//! Convergence: the best value found so far against the number of the evaluation, from 0.
//!
//! A curve is the median over the runs of a series, as a staircase whose steps are centred on
//! their evaluation. A lost evaluation never counts as the best; it appears as a cross in the
//! strip above the axes, one row a series, and its value is not shown. Runs of one series are
//! summarised as far as all of them go. More series than there are colours get a panel each.

mod best_so_far;
mod key;
mod multiples;
mod page;

use crate::axes::{Scale, ends};
use crate::error::{Error, FINITE, present, refused, same_length, within};
use crate::page::sheet::{Page, Sheet};
use crate::page::style::SERIES_COLOURS;
use crate::picture::Picture;

/// Several searches of one objective, to be compared in one picture.
#[derive(Debug, Clone, Copy)]
pub struct ConvergencePicture<'a> {
    /// Printed above the picture; wrapped, and cut short where two lines do not hold it.
    pub title: &'a str,
    /// Name of the value with its unit, such as "ACE \[m\]".
    pub y_name: &'a str,
    /// The searches, each with its own colour and dash pattern.
    pub series: &'a [Series<'a>],
    /// Evaluations of the initial design; 0 draws no line at its end.
    pub initial: usize,
    /// A value to compare with, such as that of the default gains: its label and value \[m\].
    pub baseline: Option<(&'a str, f64)>,
    /// What the shaded band over the runs of a series shows.
    pub band: Band,
    /// How the axis of values is divided.
    pub scale: Scale,
}

/// One search method: its label in the legend and its runs.
#[derive(Debug, Clone, Copy)]
pub struct Series<'a> {
    /// Name in the legend.
    pub label: &'a str,
    /// One run for each seed.
    pub runs: &'a [Run],
}

/// One run: every evaluation of one seed, in order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Run {
    /// Value of each evaluation \[m\], finite; what a loss costs is already in it.
    pub value_m: Vec<f64>,
    /// Whether the evaluation is lost; as many as values.
    pub lost: Vec<bool>,
    /// Whether the evaluation belongs to a design rather than to what the search chose: those are
    /// rings. What the list does not reach was chosen.
    pub designed: Vec<bool>,
    /// What a page of text says of each evaluation where the pointer rests on it; empty where nothing.
    pub notes: Vec<String>,
}

/// What the shaded band over the runs of a series shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Band {
    /// From the lower to the upper quartile.
    Quartiles,
    /// From the smallest to the largest.
    Range,
}

/// Every value that the value axis must show: completed evaluations and the baseline.
fn shown(picture: &ConvergencePicture) -> Vec<f64> {
    let runs = picture.series.iter().flat_map(|series| series.runs);
    let evaluations = runs.flat_map(|run| run.value_m.iter().zip(&run.lost));
    let completed = evaluations
        .filter(|(_, lost)| !**lost)
        .map(|(&value, _)| value);
    completed
        .chain(picture.baseline.map(|(_, value)| value))
        .collect()
}

fn runs<'a>(picture: &ConvergencePicture<'a>) -> impl Iterator<Item = (usize, &'a Run)> {
    let series = picture.series.iter().enumerate();
    series.flat_map(|(index, series)| series.runs.iter().map(move |run| (index, run)))
}

/// Whether any evaluation ended that way.
fn any(picture: &ConvergencePicture, lost: bool) -> bool {
    runs(picture).any(|(_, run)| run.lost.contains(&lost))
}

impl Picture for ConvergencePicture<'_> {
    /// No series, a series without runs, a run without evaluations or with a number of flags of loss other
    /// than of values, a number that is not finite or too large, or a logarithmic scale for values that are
    /// not positive.
    fn check(&self) -> Result<(), Error> {
        present("list of series", self.series)?;
        let baseline = self.baseline.map(|(_, value_m)| value_m);
        within("baseline", baseline, FINITE)?;
        for (index, series) in self.series.iter().enumerate() {
            let part = || format!("series {index}");
            present("list of runs", series.runs).map_err(|error| error.in_part(part()))?;
            for (run, evaluations) in series.runs.iter().enumerate() {
                let part = || format!("run {run} of series {index}");
                check_run(evaluations).map_err(|error| error.in_part(part()))?;
            }
        }
        let (least, _) = ends(shown(self).into_iter());
        if self.scale == Scale::Logarithmic && least <= 0.0 {
            let expected = "positive on a logarithmic axis";
            return refused("list of values", 0, least, expected);
        }
        Ok(())
    }

    fn sheet(&self, page: Page) -> Sheet {
        if self.series.len() > SERIES_COLOURS.len() {
            multiples::sheet(page.wide(), self)
        } else {
            page::sheet(page, self)
        }
    }
}

fn check_run(run: &Run) -> Result<(), Error> {
    let evaluations = "list of evaluations";
    same_length(
        "list of losses",
        run.lost.len(),
        evaluations,
        run.value_m.len(),
    )?;
    present(evaluations, &run.value_m)?;
    within(evaluations, run.value_m.iter().copied(), FINITE)
}
