//! The legend of a convergence picture: what its curves, bands, marks and rules mean.

use super::{Band, ConvergencePicture, any, runs};
use crate::axes::legend::{Entry, Sample};
use crate::axes::symbols::Symbol;
use crate::axes::ticks::reading;
use crate::page::sheet::Page;
use crate::page::style::{
    BASELINE_DASH, BLACK, CURVE_WIDTH, Colour, DARK_GREY, INITIAL_DASH, LOSS, LOSS_ALPHA,
    RULE_WIDTH, band_alpha, series_colour,
};

/// Everything that needs a name, in the order of the legend.
pub fn entries(page: Page, picture: &ConvergencePicture) -> Vec<Entry> {
    let completed = any(picture, false);
    let mut entries = if completed {
        curve_entries(picture)
    } else {
        Vec::new()
    };
    // One series shows its own colour, several a grey that stands for all.
    let colour = if picture.series.len() == 1 {
        series_colour(0)
    } else {
        DARK_GREY
    };
    if completed && runs_of_series(picture).1 > 1 {
        let band = match picture.band {
            Band::Quartiles => "from lower to upper quartile",
            Band::Range => "from best to worst run",
        };
        let alpha = band_alpha(picture.series.len());
        let colour = colour.faded(alpha);
        entries.push(Entry::new(Sample::Band { colour }, band));
    }
    if completed {
        let symbol = match page.is_narrow() {
            true => Symbol::LargeDot,
            false => Symbol::Dot,
        };
        entries.push(Entry::symbol("one evaluation", symbol, colour.faded(0.5)));
    }
    if runs(picture).any(|(_, run)| run.designed.contains(&true)) {
        entries.push(Entry::symbol("one of the design", Symbol::Ring, DARK_GREY));
    }
    if any(picture, true) {
        let colour = match picture.series {
            [_] => loss_colour(picture, 0),
            _ => colour.faded(LOSS_ALPHA),
        };
        entries.push(Entry::symbol("lost evaluation", Symbol::Cross, colour));
    }
    entries.push(Entry::gap());
    if picture.initial > 0 {
        let label = format!("end of the initial design ({})", picture.initial);
        entries.push(Entry::line(label, DARK_GREY, RULE_WIDTH, INITIAL_DASH));
    }
    if let Some((label, value)) = picture.baseline {
        let label = format!("{label}: {} m", reading(value));
        entries.push(Entry::line(label, BLACK, RULE_WIDTH, BASELINE_DASH));
    }
    entries
}

/// The curves and what they are; a single series says both in one entry.
fn curve_entries(picture: &ConvergencePicture) -> Vec<Entry> {
    let (fewest, most) = runs_of_series(picture);
    let best = match (fewest, most) {
        (1, 1) => "best so far".to_owned(),
        (fewest, most) if fewest == most => format!("best so far, median of {most} runs"),
        (fewest, most) => format!("best so far, median of {fewest} to {most} runs"),
    };
    if let [only] = picture.series {
        return vec![Entry::series(format!("{}: {best}", only.label), 0)];
    }
    let labels = picture.series.iter().map(|series| series.label).enumerate();
    let series = labels.map(|(index, label)| Entry::series(label, index));
    let mut entries: Vec<Entry> = series.collect();
    entries.push(Entry::gap());
    entries.push(Entry::line(best, DARK_GREY, CURVE_WIDTH, &[]));
    entries
}

/// The fewest and the most runs that a series has.
fn runs_of_series(picture: &ConvergencePicture) -> (usize, usize) {
    let counts = picture.series.iter().map(|series| series.runs.len());
    counts.fold((usize::MAX, 0), |(fewest, most), count| {
        (fewest.min(count), most.max(count))
    })
}

/// Colour of the lost evaluations of a series: its own, where there are several to be distinguished.
pub fn loss_colour(picture: &ConvergencePicture, series: usize) -> Colour {
    let colour = match picture.series {
        [_] => LOSS,
        _ => series_colour(series),
    };
    colour.faded(LOSS_ALPHA)
}
