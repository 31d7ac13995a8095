//! Summary: what a fit found and how it ended, as data that can be written down.

use std::borrow::Cow;

use serde::Serialize;

/// A named number found by fitting, in the units in which the method works (standardised
/// targets, the caller's inputs).
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Hyperparameter {
    /// Its name, unique within one summary.
    pub name: Cow<'static, str>,
    /// Its value, on its natural (not logarithmic) scale.
    pub value: f64,
}

impl Hyperparameter {
    /// A named value.
    pub fn new(name: impl Into<Cow<'static, str>>, value: f64) -> Self {
        Self {
            name: name.into(),
            value,
        }
    }
}

/// Values by their names.
pub(crate) fn named(
    names: impl IntoIterator<Item = Cow<'static, str>>,
    values: impl IntoIterator<Item = f64>,
) -> Vec<Hyperparameter> {
    let both = names.into_iter().zip(values);
    both.map(|(name, value)| Hyperparameter::new(name, value))
        .collect()
}

/// How training ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// The optimiser's tolerance was met, or the method has no loop that could fail to finish.
    Converged,
    /// The evaluation or step budget ran out first; the best point seen is used.
    Budget,
    /// The line search found no further descent; the best point seen is used.
    Stalled,
}

/// What a fit found and how it ended.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    /// Name of the surrogate that was fitted.
    pub surrogate: &'static str,
    /// What was found, in a fixed order.
    pub hyperparameters: Vec<Hyperparameter>,
    /// Final value of what training minimised (for Gaussian processes in nats, priors
    /// included; for the network the regularised mean squared error; for the forest the
    /// training mean squared error), on standardised targets.
    pub objective: f64,
    /// How training ended.
    pub ending: Ending,
    /// What had to be added to the covariance diagonal, on standardised targets; 0 if nothing.
    pub jitter: f64,
    /// Evaluations of the objective, all starts together.
    pub evaluations: u64,
    /// For a model that infers environments: each training point's weight in environment 0,
    /// in 0..1, in the order of the training rows (`1 -` it is the weight in environment 1).
    pub environments: Option<Vec<f64>>,
}

impl Summary {
    /// The hyper-parameter of that name, if the model has it.
    pub fn hyperparameter(&self, name: &str) -> Option<f64> {
        self.hyperparameters
            .iter()
            .find(|entry| entry.name == name)
            .map(|entry| entry.value)
    }
}
