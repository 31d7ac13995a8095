//! Surrogates: what a search can learn with, by name: the paper's six, and ours. A name means one
//! model wherever it is given.

pub(crate) use super::processes::LEVEL_SET;
pub use super::processes::{AUTO, CONTEXTUAL, MATERN, growing, with_context};

use super::losses::LossModel;
use super::processes::level_set;
use dilgp::Surrogate;

/// Every legal name: the paper's six, the other objectives of DIL-GP, and ours.
pub const NAMES: [&str; 11] = [
    "rf",
    "mlp",
    "gp",
    "gp-rq",
    "gp-dp",
    "dil-gp",
    "dil-gp-released",
    "dil-gp-per-point",
    LEVEL_SET,
    AUTO,
    MATERN,
];

/// Those that a comparison of `all` has: the paper's, the other objectives of DIL-GP, and those of
/// ours that were made for tuning.
pub fn compared() -> Vec<&'static str> {
    NAMES.into_iter().filter(|name| *name != MATERN).collect()
}

/// The surrogate of that name; a form of DIL-GP with its default weight of the penalty.
///
/// # Errors
/// When there is none; the message lists the names and the nearest.
pub fn by_name(name: &str) -> Result<Box<dyn Surrogate>, dilgp::Error> {
    with_lambda(name, None)
}

/// The surrogate of that name; a form of DIL-GP with `lambda`, or its default, as the weight of its
/// penalty.
///
/// # Errors
/// When there is none; the message lists the names and the nearest.
pub fn with_lambda(name: &str, lambda: Option<f64>) -> Result<Box<dyn Surrogate>, dilgp::Error> {
    Ok(match name {
        LEVEL_SET => Box::new(level_set()),
        _ if dilgp::NAMES.contains(&name) => dilgp::with_lambda(name, lambda)?,
        _ => match growing(name, true) {
            Some(process) => Box::new(process),
            None => return Err(dilgp::Error::unknown(name, &NAMES)),
        },
    })
}

/// What a surrogate has to offer an acquisition.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Abilities {
    /// Its name.
    pub surrogate: &'static str,
    /// Whether its models claim a standard deviation.
    pub has_deviation: bool,
    /// Whether they claim a noise of the observations.
    pub has_noise: bool,
    /// Whether its models have a joint posterior, whose noise and amplitude are known.
    pub has_joint: bool,
}

/// What the surrogate of that name has to offer, where objectives have noise.
pub fn abilities(surrogate: &'static str) -> Abilities {
    Abilities {
        surrogate,
        has_deviation: surrogate != "mlp",
        has_noise: !matches!(surrogate, "mlp" | "rf"),
        has_joint: !matches!(surrogate, "mlp" | "rf" | "dil-gp-released"),
    }
}

/// The name of the acquisition that the surrogate is meant for.
pub fn usual_acquisition(name: &str) -> &'static str {
    match name {
        LEVEL_SET => "level-set",
        AUTO => "by-noise",
        _ => "ucb",
    }
}

/// The surrogate that takes over from the one of that name while noise dominates.
pub fn in_noise(name: &str) -> Option<&'static str> {
    (name == AUTO).then_some(LEVEL_SET)
}

/// The surrogate that takes the place of the one of that name in noise without a baseline and
/// covariates. On twenty functions on which nothing was chosen it has the better mean rank there
/// (2.1 and 2.0, not 2.4 and 2.7).
pub fn without_baseline(name: &str) -> Option<&'static str> {
    (name == AUTO).then_some(MATERN)
}

/// How the surrogate of that name learns lost evaluations, with a `baseline` or without.
/// Without noise a point is lost each time or never; the caution of a probability would keep away from
/// optima at the edge of what finishes. A baseline is one of a vehicle, whose losses are the wind's.
pub fn usual_loss_model(name: &str, noisy: bool, baseline: bool) -> LossModel {
    match (noisy, baseline) {
        (true, _) if name == AUTO => LossModel::Apart,
        (true, false) if name == MATERN => LossModel::ByPlace,
        _ => LossModel::Worst,
    }
}

/// The legal name equal to `given`.
///
/// # Errors
/// When there is none; the message lists the names and the nearest.
pub fn legal(given: &str) -> Result<&'static str, dilgp::Error> {
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
        "dil-gp-released" => "DIL-GP, released",
        "dil-gp-per-point" => "DIL-GP, per point",
        LEVEL_SET => "GP, level set",
        AUTO => "auto",
        "matern" => "Matérn, search's",
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
        assert_eq!(NAMES[..8], dilgp::NAMES);
    }

    #[test]
    fn an_unknown_name_is_answered_with_the_nearest_of_all() {
        let message = by_name("gp-level").err().expect("unknown").to_string();
        assert!(message.contains("did you mean `gp-level-set`"), "{message}");
    }
    #[test]
    fn those_that_claim_a_joint_posterior_have_one() {
        let x = nalgebra::DMatrix::from_fn(8, 2, |i, j| (i * (j + 1)) as f64 / 16.0);
        let y = x.column(0).map(|v| (5.0 * v).sin());
        let data = dilgp::Dataset::new(x.clone(), y).expect("legal");
        for name in NAMES {
            let model = by_name(name).expect("legal").fit(&data, 3).expect("fits");
            assert_eq!(
                model.joint(&x).is_some(),
                abilities(name).has_joint,
                "{name}"
            );
        }
    }
}
