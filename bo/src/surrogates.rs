//! Surrogates: what `--surrogate` may name. The paper's six come first.

use crate::Error;
use dilgp::Surrogate;

/// Every legal name, the paper's six first.
pub const NAMES: [&str; 6] = dilgp::NAMES;

/// The surrogate of that name.
///
/// # Errors
/// When there is none; the message lists the names and the nearest.
pub fn by_name(name: &str) -> Result<Box<dyn Surrogate>, Error> {
    Ok(dilgp::by_name(name)?)
}

/// The legal name equal to `given`.
///
/// # Errors
/// When there is none; the message lists the names and the nearest.
pub fn legal(given: &str) -> Result<&'static str, Error> {
    Ok(by_name(given)?.name())
}

/// The name as the paper prints it.
pub fn label(name: &'static str) -> &'static str {
    match name {
        "rf" => "RF",
        "mlp" => "MLP",
        "gp" => "GP",
        "gp-rq" => "GP-RQ",
        "gp-dp" => "GP-DP",
        "dil-gp" => "DIL-GP",
        other => other,
    }
}
