//! Surrogates: what a search can learn with, by name: the paper's six, and ours. A name means one
//! model wherever it is given.

use super::risk::LossModel;
use crate::search::abilities::Abilities;
use dilgp::process::{
    Believed, Covariance, Lengths, Linear, Matern52, Noise, Part, Product, Profile, Radial,
    RationalQuadratic, Rbf, Scaled, Sum,
};
use dilgp::{Prior, Process, Surrogate};

/// Every legal name: the paper's six, the other objectives of DIL-GP, and ours.
pub const NAMES: [&str; 15] = [
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
    AUTO,
    GROWING[0],
    GROWING[1],
    GROWING[2],
];

/// Processes for any costly function, `matern` the default of `bo serve`: a length for each
/// parameter, refitted from where it was, and grown by a row between refits. They expect lengths of
/// about half the cube; a length that `gp-matern` expects grows with the number of parameters.
pub const GROWING: [&str; 3] = ["matern", "rbf", "rq"];

/// Those that a comparison of `all` has: the paper's, the other objectives of DIL-GP, and those of
/// ours that were made for tuning.
pub fn compared() -> Vec<&'static str> {
    let left_out = |name: &&str| *name == MATERN || GROWING.contains(name);
    NAMES.into_iter().filter(|name| !left_out(name)).collect()
}

/// Those that can be told of environments.
pub const TOLD_OF_ENVIRONMENTS: [&str; 3] = [INFORMED, MATERN, LEVEL_SET];

/// [`TOLD_OF_ENVIRONMENTS`] in a sentence.
pub fn told_of_environments_in_words() -> String {
    let [first @ .., last] = TOLD_OF_ENVIRONMENTS;
    format!("{} or {last}", first.join(", "))
}

/// The field's usual one: a Matern-5/2 process with a length for each gain, and the weak beliefs
/// of [`Process::matern`].
const MATERN: &str = "gp-matern";

/// Ours for costs that one flight tells little of: a process with a length for each gain, searched
/// and recommended by level sets unless another acquisition is asked for.
const LEVEL_SET: &str = "gp-level-set";

/// Ours for any noise: a process that values are learnt with, a model of its own for losses, searched
/// by the knowledge gradient and recommended as close to the middle of the good points as the
/// evaluations cannot tell from the best, unless something else is asked for.
pub const AUTO: &str = "auto";

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

/// The same of [`AUTO`]: a little less than half an edge, give or take a factor of two. Shorter
/// lengths trust the model less far from the evaluations.
const HALF_AN_EDGE: Prior = Prior {
    centre: -0.8,
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

/// Belief about the length of a parameter in the unit cube: log N(-0.7, 1), half the cube give or
/// take a factor of e. Longer ones smooth a search's few points into a plane.
const HALF_THE_CUBE: Prior = Prior {
    centre: -0.7,
    deviation: 1.0,
};

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
        INFORMED => Box::new(informed()),
        MATERN => Box::new(matern()),
        LEVEL_SET => Box::new(level_set()),
        _ if dilgp::NAMES.contains(&name) => dilgp::with_lambda(name, lambda)?,
        _ => match growing(name) {
            Some(process) => Box::new(process),
            None => return Err(dilgp::Error::unknown(name, &NAMES)),
        },
    })
}

/// The process of that name, [`AUTO`] or among [`GROWING`], for an objective with noise.
pub fn growing(name: &str) -> Option<Process> {
    if name == AUTO {
        return Some(auto());
    }
    let place = GROWING.iter().position(|own| *own == name)?;
    let process = match place {
        0 => Process::new(GROWING[0], half_the_cube(Matern52)),
        1 => Process::new(GROWING[1], half_the_cube(Rbf)),
        _ => Process::new(GROWING[2], half_the_cube(RationalQuadratic)),
    };
    Some(Process {
        noise: Noise::Inferred,
        ..process
    })
}

fn half_the_cube<P: Profile + 'static>(profile: P) -> Scaled<Radial<P>> {
    Scaled(Radial::new(profile, Lengths::Each).with_length_prior(HALF_THE_CUBE))
}

/// What the surrogate of that name has to offer, where objectives have noise.
pub fn abilities(surrogate: &'static str) -> Abilities {
    Abilities {
        surrogate,
        claims_deviation: claims_deviation(surrogate),
        claims_noise: claims_noise(surrogate),
        draws: draws(surrogate),
    }
}

/// Whether the models of the surrogate of that name claim a standard deviation. The network's do
/// not.
pub fn claims_deviation(name: &str) -> bool {
    name != "mlp"
}

/// Whether they claim that observations are noisy, and by how much. The network claims nothing; a
/// forest's leaves are pure, so that it takes each observation for the truth.
pub fn claims_noise(name: &str) -> bool {
    !matches!(name, "mlp" | "rf")
}

/// Whether what they learn is a Gaussian process, of which whole functions can be drawn. The
/// authors' code keeps the factor of another covariance than it predicts with, so that its
/// prediction is no process's.
pub fn draws(name: &str) -> bool {
    !matches!(name, "mlp" | "rf" | "dil-gp-released")
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

/// A Matern-5/2 process with a length for each parameter, of what finished.
fn auto() -> Process {
    let profile = Radial::new(Matern52, Lengths::Each).with_length_prior(HALF_AN_EDGE);
    Process {
        noise: Noise::Believed(FLIGHT_NOISE),
        ..Process::new(AUTO, Scaled(profile))
    }
}

fn level_set_profile() -> Radial<Matern52> {
    Radial::new(Matern52, Lengths::Each).with_length_prior(OWN_LENGTH)
}

/// The name of the acquisition that the surrogate is meant for.
pub fn usual_acquisition(name: &str) -> &'static str {
    match name {
        LEVEL_SET => "level-set",
        AUTO => "kg",
        _ => "ucb",
    }
}

/// What becomes of lost evaluations with the surrogate of that name. Without noise a point is lost
/// each time or never; the caution of a probability would keep away from optima at the edge of what
/// finishes.
pub fn usual_loss_model(name: &str, noisy: bool) -> LossModel {
    match (name, noisy) {
        (AUTO, true) => LossModel::Apart,
        _ => LossModel::Worst,
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
        INFORMED => "GP, informed",
        MATERN => "GP-Matérn",
        LEVEL_SET => "GP, level set",
        AUTO => "auto",
        "matern" => "Matérn, search's",
        "rbf" => "RBF, search's",
        "rq" => "RQ, search's",
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
    #[test]
    fn those_of_which_functions_are_drawn_are_those_that_draw() {
        let x = nalgebra::DMatrix::from_fn(8, 2, |i, j| (i * (j + 1)) as f64 / 16.0);
        let y = x.column(0).map(|v| (5.0 * v).sin());
        let data = dilgp::Dataset::new(x.clone(), y).expect("legal");
        for name in NAMES {
            let model = by_name(name).expect("legal").fit(&data, 3).expect("fits");
            assert_eq!(model.draw(&x, 5).is_some(), draws(name), "{name}");
            assert_eq!(model.joint(&x).is_some(), draws(name), "{name}");
        }
    }
}
