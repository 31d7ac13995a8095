//! Hyper-parameters in units that a reader knows: lengths as lengths, and signal and noise as standard
//! deviations of the target.

use dilgp::Hyperparameter;
use serde::Serialize;

use crate::fit::choice::Choice;
use crate::fit::data::Data;

/// A hyper-parameter in a unit.
#[derive(Debug, Serialize)]
pub struct InUnit {
    /// `signal_std`, `noise_std`, `length`; of what is in no unit the name that the method has for it.
    pub name: String,
    /// In the unit.
    pub value: f64,
    /// A name of a column stands for the unit in which that is given; empty of a bare number.
    pub unit: String,
}

/// What `choice` `found` in `data` that was `scaled` before or not.
pub fn in_units(
    found: &[Hyperparameter],
    data: &Data,
    choice: &Choice,
    scaled: bool,
) -> Vec<InUnit> {
    let (of_targets, of_inputs) = choice.standardises;
    let (_, spread) = data.units(scaled || of_targets).target;
    let inputs = data.units(scaled || of_inputs).inputs;
    let each = match scaled || of_inputs {
        true => "std of each input",
        false => "unit of the inputs",
    };
    let target = &data.names[inputs.len()];
    // The amplitude of a dot product is the variance of its slopes.
    let (signal, of_signal) = match found.iter().any(|own| own.name == "constant") {
        true => ("slope_std", &format!("{target} per {each}")),
        false => ("signal_std", target),
    };
    let known = [
        ("length_squared", "length", 1.0, each),
        ("amplitude", signal, spread, of_signal),
        ("noise", "noise_std", spread, target),
        ("offset", "offset_std", spread, target),
    ];
    let converted = |Hyperparameter { name, value }: &Hyperparameter| {
        let own = known.iter().find(|(square, ..)| name.contains(square));
        let place = name
            .strip_prefix("length_")
            .and_then(|k| k.parse::<usize>().ok());
        let (name, value, unit) = match (own, place) {
            (Some((square, root, scale, unit)), _) => {
                (name.replace(square, root), value.sqrt() * scale, *unit)
            }
            // Those of one input each are counted from 1.
            (None, Some(k)) => (
                name.to_string(),
                value * inputs[k - 1].1,
                &*data.names[k - 1],
            ),
            (None, None) => (name.to_string(), *value, ""),
        };
        let unit = unit.to_owned();
        InUnit { name, value, unit }
    };
    found.iter().map(converted).collect()
}
