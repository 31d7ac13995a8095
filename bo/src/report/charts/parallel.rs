//! Every evaluation across the tuned gains.

use crate::flights::evaluation::Evaluation;
use crate::flights::space::Knob;
use crate::run::along::labels;
use crate::run::settings::Settings;
use crate::search::{Scale, Span};
use plots::{Error, ParallelAxis, ParallelLine, ParallelPicture, svg_parallel};

/// One line an evaluation, one axis a gain, from bound to bound.
pub fn parallel(settings: &Settings, made: &[Evaluation], knobs: &[Knob]) -> Result<String, Error> {
    let labels = labels(knobs);
    let axes = labels.iter().zip(knobs).map(|(label, knob)| {
        let Span { low, high, scale } = knob.span();
        ParallelAxis {
            label,
            low,
            high,
            logarithmic: scale == Scale::Log,
        }
    });
    let of = |one: &Evaluation| -> Vec<f64> {
        let gains = knobs.iter().map(|knob| one.gains[knob.gain.name]);
        gains.collect()
    };
    let values: Vec<Vec<f64>> = made.iter().map(of).collect();
    let lines = made.iter().zip(&values);
    let lines = lines.map(|(one, values)| ParallelLine {
        values,
        value: one.value(),
    });
    let axes: Vec<ParallelAxis> = axes.collect();
    let lines: Vec<ParallelLine> = lines.collect();
    svg_parallel(&ParallelPicture {
        title: "Every evaluation across the tuned gains, coloured by its cost",
        axes: &axes,
        lines: &lines,
        value_name: cost_name(settings),
    })
}

/// What an evaluation costs, with its unit.
pub fn cost_name(settings: &Settings) -> &'static str {
    if settings.cost.is_weighted() {
        "cost J [m]"
    } else {
        "ACE [m]"
    }
}
