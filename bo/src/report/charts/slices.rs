//! What the surrogate believes along each gain.

use super::cost_name;
use crate::flights::space::Knob;
use crate::run::disk::record::Record;
use crate::run::partial_dependence::{PartialDependence, labels, parameters};
use plots::{Error, MOST_PARAMETERS, Moment, Scale, SlicesPicture, svg_slices};

/// Slices through the recommended gains, at most as many gains in a picture as fit side by side.
pub fn slices(
    recorded: &Record,
    knobs: &[Knob],
    along: &PartialDependence,
) -> Vec<Result<String, Error>> {
    let (labels, slices) = (labels(knobs), along.slices());
    let parameters = parameters(&labels, knobs);
    let groups = parameters
        .chunks(MOST_PARAMETERS)
        .zip(slices.chunks(MOST_PARAMETERS));
    let drawn = groups.map(|(parameters, slices)| {
        svg_slices(&SlicesPicture {
            title: &format!(
                "What {} believes along each gain, through the recommended gains",
                recorded.settings.surrogate
            ),
            y_name: cost_name(&recorded.settings),
            y_scale: Scale::Logarithmic,
            band_name: "± 2 standard deviations",
            acquisition_name: "upper confidence bound",
            parameters,
            moments: &[Moment {
                label: &format!("after {} evaluations", recorded.trials.len()),
                slices,
            }],
        })
    });
    drawn.collect()
}
