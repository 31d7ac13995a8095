//! Surrogates: what `--surrogate` may name: the paper's six, and ours.

use crate::Error;
use crate::flights::environments::Environments;
pub use crate::search::{claims_deviation, claims_noise};
use dilgp::Prior;
use dilgp::Process;
use dilgp::Surrogate;
use dilgp::process::{
    Believed, Covariance, Lengths, Linear, Matern52, Noise, Part, Product, Radial,
    RationalQuadratic, Scaled, Sum,
};

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
    INFORMED,
    MATERN,
    LEVEL_SET,
];

/// Those that a comparison of `all` has: all but `gp-matern`.
pub fn compared() -> Vec<&'static str> {
    NAMES.into_iter().filter(|name| *name != MATERN).collect()
}

/// Those that can be told of environments; they can also draw functions.
pub const PROCESSES: [&str; 3] = [INFORMED, MATERN, LEVEL_SET];

/// [`PROCESSES`] in a sentence.
pub fn processes_in_words() -> String {
    let [first @ .., last] = PROCESSES;
    format!("{} or {last}", first.join(", "))
}

/// The field's usual one: a Matern-5/2 process with a length for each gain, and the weak beliefs
/// of [`Process::matern`]. The `matern` of the engine ([`crate::search::PROCESSES`]) is another
/// model: it expects shorter lengths and learns warped values.
const MATERN: &str = "gp-matern";

/// Ours for costs that one flight tells little of: a process with a length for each gain, searched
/// and recommended by level sets unless another acquisition is asked for.
const LEVEL_SET: &str = "gp-level-set";

/// Ours: a process that knows what tuning flights look like.
const INFORMED: &str = "gp-informed";

/// Belief about the logarithm of its length in the unit cube: about 0.4 of an edge. A length of an
/// edge or more explains the flights as a slope and noise, and sends the search into a corner.
const LENGTH: Prior = Prior {
    centre: -0.9,
    deviation: 0.4,
};

/// Belief about the logarithm of each length where every gain has its own: about 0.7 of an edge,
/// give or take a factor of two.
const OWN_LENGTH: Prior = Prior {
    centre: -0.3,
    deviation: 0.7,
};

/// Belief about the logarithm of a flight's noise variance where nothing is known of the winds: a
/// third of the targets' variance, give or take a factor of e.
const LOUD_NOISE: Prior = Prior {
    centre: -1.0,
    deviation: 1.0,
};

/// Belief about the logarithm of the noise variance of a flight on standardised targets: one wind
/// differs from the next by about a third of the targets' spread.
const FLIGHT_NOISE: Prior = Prior {
    centre: -2.0,
    deviation: 1.0,
};

/// Belief about the logarithm of the variance that environments have of their own, of standardised
/// targets: about a quarter, give or take a factor of three.
const OWN: Prior = Prior {
    centre: -1.4,
    deviation: 1.2,
};

/// The surrogate of that name; a form of DIL-GP with its default weight of the penalty.
///
/// # Errors
/// When there is none; the message lists the names and the nearest.
pub fn by_name(name: &str) -> Result<Box<dyn Surrogate>, Error> {
    with_lambda(name, None)
}

/// The surrogate of that name; a form of DIL-GP with `lambda`, or its default, as the weight of its
/// penalty.
///
/// # Errors
/// When there is none; the message lists the names and the nearest.
pub fn with_lambda(name: &str, lambda: Option<f64>) -> Result<Box<dyn Surrogate>, Error> {
    if name == INFORMED {
        return Ok(Box::new(informed()));
    }
    if name == MATERN {
        return Ok(Box::new(matern()));
    }
    if name == LEVEL_SET {
        return Ok(Box::new(level_set()));
    }
    if dilgp::NAMES.contains(&name) {
        return Ok(dilgp::with_lambda(name, lambda)?);
    }
    Err(dilgp::Error::unknown(name, &NAMES).into())
}

/// A rational-quadratic process with one length, and beliefs about length and noise that fit
/// tuning flights rather than any data.
fn informed() -> Process {
    Process {
        noise: Noise::Believed(FLIGHT_NOISE),
        ..Process::new(INFORMED, Scaled(informed_profile()))
    }
}

fn informed_profile() -> Radial<RationalQuadratic> {
    Radial::new(RationalQuadratic, Lengths::Shared).with_length_prior(LENGTH)
}

/// A Matern-5/2 process with a length for each gain and the weak beliefs of any data.
fn matern() -> Process {
    Process {
        name: MATERN,
        ..Process::matern()
    }
}

/// A Matern-5/2 process with a length for each gain and beliefs about lengths and noise.
fn level_set() -> Process {
    Process {
        noise: Noise::Believed(LOUD_NOISE),
        ..Process::new(LEVEL_SET, Scaled(level_set_profile()))
    }
}

fn level_set_profile() -> Radial<Matern52> {
    Radial::new(Matern52, Lengths::Each).with_length_prior(OWN_LENGTH)
}

/// The name of the acquisition that the surrogate is meant for.
pub fn usual_acquisition(name: &str) -> &'static str {
    if name == LEVEL_SET {
        "level-set"
    } else {
        "ucb"
    }
}

/// The process of that name for points of `dimensions` gains followed by the `contexts` numbers
/// that describe an environment (a vector q of probabilities that sum to 1), or nothing where the
/// surrogate takes none. With C = q.q' and R the process' own correlation of gains,
///
/// k = a (o + C) R + b (p + C):
///
/// a part of the function that all environments share, a part of its own for each, and a level for
/// each. The noise is the same in all.
pub fn in_environments(name: &str, dimensions: usize, contexts: usize) -> Option<Process> {
    let (gains, environment) = (0..dimensions, dimensions..dimensions + contexts);
    let agreement = Part::new(Linear, environment);
    match name {
        INFORMED => Some(Process {
            noise: Noise::Believed(FLIGHT_NOISE),
            ..Process::new(
                INFORMED,
                shared_and_own(agreement, Part::new(informed_profile(), gains)),
            )
        }),
        LEVEL_SET => Some(Process {
            noise: Noise::Believed(LOUD_NOISE),
            ..Process::new(
                LEVEL_SET,
                shared_and_own(agreement, Part::new(level_set_profile(), gains)),
            )
        }),
        MATERN => Some(Process::new(
            MATERN,
            shared_and_own(
                agreement,
                Part::new(Radial::new(Matern52, Lengths::Each), gains),
            ),
        )),
        _ => None,
    }
}

/// The surrogate of that name for `dimensions` gains, with `lambda` as in [`with_lambda`], told of
/// `environments`; labels are of `domains` domains.
///
/// # Errors
/// When there is none of that name, or it takes no environments.
pub fn in_surroundings(
    (name, lambda): (&'static str, Option<f64>),
    environments: Environments,
    [dimensions, domains]: [usize; 2],
) -> Result<Box<dyn Surrogate>, Error> {
    let contexts = match environments {
        Environments::None => return with_lambda(name, lambda),
        Environments::Telemetry => 2,
        Environments::Labels => domains,
    };
    let process = in_environments(name, dimensions, contexts);
    let process = process.ok_or_else(|| Error::NoEnvironments {
        surrogate: name,
        able: processes_in_words(),
    })?;
    Ok(Box::new(process))
}

/// a (o + C) R + b (p + C).
fn shared_and_own(
    agreement: Part<Linear>,
    gains: impl Covariance + Clone + 'static,
) -> impl Covariance + 'static {
    let scaled = |agreement| Believed::new(Scaled(agreement), "amplitude", OWN);
    Sum(Product(scaled(agreement.clone()), gains), scaled(agreement))
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
        "dil-gp-released" => "DIL-GP, released",
        "dil-gp-per-point" => "DIL-GP, per point",
        INFORMED => "GP, informed",
        MATERN => "GP-Matérn",
        LEVEL_SET => "GP, level set",
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
        let message = by_name("gp-inform").err().expect("unknown").to_string();
        assert!(message.contains("did you mean `gp-informed`"), "{message}");
    }
}
