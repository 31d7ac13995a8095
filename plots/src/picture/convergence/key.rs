//! The legend of a convergence picture: what its curves, bands, marks and rules mean.

use super::{Band, ConvergencePicture, any, runs};
use crate::axes::legend::{Entry, Sample};
use crate::axes::ticks::reading;
use crate::page::sheet::Page;
use crate::page::style::{
    BASELINE_DASH, BLACK, CURVE_WIDTH, Colour, DARK_GREY, INITIAL_DASH, LOSS, LOSS_ALPHA,
    RULE_WIDTH, band_alpha, series_colour, series_dash,
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
        entries.push(Entry::new(
            Sample::Band {
                colour: colour.faded(alpha),
            },
            band,
        ));
    }
    if completed {
        let colour = colour.faded(0.5);
        let sample = match page {
            Page::File => Sample::Dot { colour },
            Page::Figure => Sample::LargeDot { colour },
        };
        entries.push(Entry::new(sample, "one evaluation"));
    }
    if runs(picture).any(|(_, run)| run.designed.contains(&true)) {
        let sample = Sample::Ring { colour: DARK_GREY };
        entries.push(Entry::new(sample, "one of the design"));
    }
    if any(picture, true) {
        let colour = match picture.series {
            [_] => loss_colour(picture, 0),
            _ => colour.faded(LOSS_ALPHA),
        };
        entries.push(Entry::new(Sample::Cross { colour }, "lost evaluation"));
    }
    entries.push(Entry::gap());
    if picture.initial > 0 {
        let label = format!("end of the initial design ({})", picture.initial);
        entries.push(Entry::new(
            Sample::line(DARK_GREY, RULE_WIDTH, INITIAL_DASH),
            label,
        ));
    }
    if let Some((label, value)) = picture.baseline {
        let label = format!("{label}: {} m", reading(value));
        entries.push(Entry::new(
            Sample::line(BLACK, RULE_WIDTH, BASELINE_DASH),
            label,
        ));
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
    let curve = |index| Sample::line(series_colour(index), CURVE_WIDTH, series_dash(index));
    if let [only] = picture.series {
        return vec![Entry::new(curve(0), format!("{}: {best}", only.label))];
    }
    let labels = picture.series.iter().map(|series| series.label).enumerate();
    let mut entries: Vec<_> = labels
        .map(|(index, label)| Entry::new(curve(index), label))
        .collect();
    entries.push(Entry::gap());
    entries.push(Entry::new(Sample::line(DARK_GREY, CURVE_WIDTH, &[]), best));
    entries
}

/// The fewest and the most runs that a series has.
fn runs_of_series(picture: &ConvergencePicture) -> (usize, usize) {
    let counts = picture.series.iter().map(|series| series.runs.len());
    counts.fold((usize::MAX, 0), |(fewest, most), count| {
        (fewest.min(count), most.max(count))
    })
}

/// Colour of the lost evaluations of a series: its own, where there are several to be told apart.
pub fn loss_colour(picture: &ConvergencePicture, series: usize) -> Colour {
    let colour = match picture.series {
        [_] => LOSS,
        _ => series_colour(series),
    };
    colour.faded(LOSS_ALPHA)
}
