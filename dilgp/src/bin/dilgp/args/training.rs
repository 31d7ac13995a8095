//! Training: the flags of `fit` that say how a surrogate is trained.

use clap::{Args, ValueEnum, ValueHint};
use shell::usage::TUNED;

/// Flags that shape training. Each applies to some surrogates only.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = TUNED)]
pub struct TrainingArgs {
    /// What dil-gp minimises: paper, released, per-point or hierarchical [default: paper]
    ///
    /// With L = --lambda and g0, g1 the likelihood's slopes in two environments of n rows in all.
    /// paper: -log p + L (g0^2 + g1^2), its Algorithm 1; released:
    /// (-log p + L/2 (g0^2 + g1^2)) / n, the authors' code to the letter; per-point: -log p + L/n
    /// * 1/2 (g0^2 + g1^2), ours; hierarchical: ours. gp, gp-rq, gp-dp: released.
    #[arg(long, value_enum, value_name = "MODE", hide_possible_values = true)]
    pub mode: Option<Mode>,
    /// Kernel of gp or dil-gp: rbf, rq, dp, matern52; for gp alone, with a length for each input,
    /// rbf-ard, rq-ard, matern52-ard [default: rbf]
    #[arg(
        long,
        value_enum,
        value_name = "KERNEL",
        hide_possible_values = true,
        hide_short_help = true
    )]
    pub kernel: Option<KernelArg>,
    /// Weight L of the invariance penalty, or cv [default: 1; hierarchical: 0]
    ///
    /// cv: the best of 0, 0.01, 0.1, 1 and 10 by
    /// cross-validation over four clusters of the training inputs.
    #[arg(long, value_name = "L|cv", allow_negative_numbers = true, value_parser = lambda, hide_short_help = true)]
    pub lambda: Option<Lambda>,
    /// Optimiser: sgd or lbfgs [default: sgd in mode released, else lbfgs]
    #[arg(
        long,
        value_enum,
        value_name = "NAME",
        hide_possible_values = true,
        hide_short_help = true
    )]
    pub optimizer: Option<Optimizer>,
    /// Loss of gradient descent: sum or mean [default: sum for gp, else mean]
    #[arg(
        long,
        value_enum,
        value_name = "LOSS",
        hide_possible_values = true,
        hide_short_help = true
    )]
    pub loss: Option<LossArg>,
    /// Epochs of gradient descent [default: 200], or rounds of L-BFGS in modes paper and
    /// per-point, the paper's T2 [default: 6]
    #[arg(long, value_name = "E", hide_short_help = true)]
    pub epochs: Option<usize>,
    /// Learning rate of gradient descent [default: 0.005]
    #[arg(
        long,
        value_name = "R",
        allow_negative_numbers = true,
        hide_short_help = true
    )]
    pub lr: Option<f64>,
    /// Momentum of gradient descent [default: 0]
    #[arg(
        long,
        value_name = "M",
        allow_negative_numbers = true,
        hide_short_help = true
    )]
    pub momentum: Option<f64>,
    /// Step of the environment assignment [default: 0.001; with lbfgs 0.7, shrinking]
    #[arg(
        long,
        value_name = "R",
        allow_negative_numbers = true,
        hide_short_help = true
    )]
    pub env_lr: Option<f64>,
    /// Steps of the assignment for each of the hyper-parameters, the paper's T1 [default: 1;
    /// with lbfgs 24]
    #[arg(long, value_name = "T1", hide_short_help = true)]
    pub inner_steps: Option<usize>,
    /// Environments: kmeans (two clusters), kmeans:K, or a CSV file with one label for each
    /// training row [default: kmeans]
    #[arg(long, value_name = "kmeans|FILE", value_hint = ValueHint::FilePath, hide_short_help = true)]
    pub environments: Option<String>,
    /// Units of each hidden layer of mlp, for example 64-64-64 [default: 100]
    #[arg(long, value_name = "UNITS", value_parser = units, hide_short_help = true)]
    pub hidden: Option<Units>,
}

/// The hidden layers of a network.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Units(pub Vec<usize>);

/// Most units of one layer: beyond it a step of training takes seconds.
const MOST_UNITS: usize = 4096;

fn units(text: &str) -> Result<Units, String> {
    let layer = |word: &str| match word.parse() {
        Ok(count) if (1..=MOST_UNITS).contains(&count) => Ok(count),
        _ => Err(format!(
            "`{word}` is no number of units from 1 to {MOST_UNITS}; layers are joined by hyphens"
        )),
    };
    let layers: Result<Vec<usize>, String> = text.split('-').map(layer).collect();
    layers.map(Units)
}

/// How DIL-GP (or a Gaussian process) is trained.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Mode {
    /// The authors' code: (-log p + L/2 (g0^2 + g1^2)) / n, masks collapsed
    Released,
    /// The paper's Algorithm 1: -log p + L (g0^2 + g1^2)
    Paper,
    /// Ours, 2 n times milder on n rows: -log p + L/n * 1/2 (g0^2 + g1^2)
    PerPoint,
    /// Our hierarchical process over environments
    Hierarchical,
}

/// What moves the hyper-parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Optimizer {
    /// Gradient descent for a fixed number of epochs
    Sgd,
    /// L-BFGS to convergence, with weak priors
    Lbfgs,
}

/// Whether the objective of gradient descent is divided by the number of points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LossArg {
    /// The sum over the points
    Sum,
    /// The mean over the points
    Mean,
}

/// The kernel of gp or dil-gp.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum KernelArg {
    /// Squared exponential
    Rbf,
    /// Rational quadratic
    Rq,
    /// Dot product
    Dp,
    /// Matérn of smoothness 5/2
    Matern52,
    /// Squared exponential, a length for each input
    RbfArd,
    /// Rational quadratic, a length for each input
    RqArd,
    /// Matérn of smoothness 5/2, a length for each input
    Matern52Ard,
}

impl KernelArg {
    /// Whether it has a length for each input (automatic relevance determination).
    pub fn has_relevance(self) -> bool {
        matches!(self, Self::RbfArd | Self::RqArd | Self::Matern52Ard)
    }
}

/// The weight of the penalty.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Lambda {
    /// As given.
    Given(f64),
    /// Chosen by cross-validation.
    CrossValidated,
}

fn lambda(text: &str) -> Result<Lambda, std::num::ParseFloatError> {
    if text == "cv" {
        return Ok(Lambda::CrossValidated);
    }
    text.parse().map(Lambda::Given)
}
