//! Surrogates: what `--surrogate` may name: the paper's six, and ours.

use crate::Error;
use dilgp::process::{Lengths, Noise, Radial, RationalQuadratic, Scaled};
use dilgp::{Prior, Process, Surrogate};

/// Every legal name, the paper's six first.
pub const NAMES: [&str; 7] = ["rf", "mlp", "gp", "gp-rq", "gp-dp", "dil-gp", INFORMED];

/// Ours: a process that knows what tuning flights look like.
const INFORMED: &str = "gp-informed";

/// Belief about the logarithm of its length in the unit cube: about 0.4 of an edge. A length of an
/// edge or more explains the flights as a slope and noise, and sends the search into a corner.
const LENGTH: Prior = Prior {
    centre: -0.9,
    deviation: 0.4,
};

/// Belief about the logarithm of the noise variance of a flight on standardised targets: one wind
/// differs from the next by about a third of the targets' spread.
const FLIGHT_NOISE: Prior = Prior {
    centre: -2.0,
    deviation: 1.0,
};

/// The surrogate of that name.
///
/// # Errors
/// When there is none; the message lists the names and the nearest.
pub fn by_name(name: &str) -> Result<Box<dyn Surrogate>, Error> {
    if name == INFORMED {
        return Ok(Box::new(informed()));
    }
    if dilgp::NAMES.contains(&name) {
        return Ok(dilgp::by_name(name)?);
    }
    let distance = |known: &&&str| strsim::damerau_levenshtein(name, known);
    Err(dilgp::Error::UnknownSurrogate {
        given: name.to_owned(),
        nearest: NAMES.iter().min_by_key(distance).unwrap_or(&NAMES[0]),
        known: &NAMES,
    }
    .into())
}

/// A rational-quadratic process with one length, and beliefs about length and noise that fit
/// tuning flights rather than any data.
fn informed() -> Process {
    let radial = Radial::new(RationalQuadratic, Lengths::Shared).with_length_prior(LENGTH);
    Process {
        noise: Noise::Believed(FLIGHT_NOISE),
        ..Process::new(INFORMED, Scaled(radial))
    }
}

/// The legal name equal to `given`.
///
/// # Errors
/// When there is none; the message lists the names and the nearest.
pub fn legal(given: &str) -> Result<&'static str, Error> {
    by_name(given)?;
    let legal = NAMES.into_iter().find(|name| *name == given);
    Ok(legal.expect("by_name knows exactly these names"))
}

/// The name as tables print it; the paper's six as the paper does.
pub fn label(name: &'static str) -> &'static str {
    match name {
        "rf" => "RF",
        "mlp" => "MLP",
        "gp" => "GP",
        "gp-rq" => "GP-RQ",
        "gp-dp" => "GP-DP",
        "dil-gp" => "DIL-GP",
        INFORMED => "GP, informed",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_legal_and_has_a_label_of_its_own() {
        let mut labels: Vec<&str> = NAMES.map(label).to_vec();
        for name in NAMES {
            assert_eq!(legal(name).expect("legal"), name);
        }
        labels.sort_unstable();
        labels.dedup();
        assert_eq!(labels.len(), NAMES.len());
        assert_eq!(NAMES[..6], dilgp::NAMES);
    }

    #[test]
    fn an_unknown_name_is_answered_with_the_nearest_of_all() {
        let message = by_name("gp-inform").err().expect("unknown").to_string();
        assert!(message.contains("did you mean `gp-informed`"), "{message}");
    }
}
