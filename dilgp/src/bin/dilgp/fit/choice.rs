//! Choice: which surrogate, with which settings, the flags ask for.

use std::path::Path;

use dilgp::{
    Dataset, DilGp, Environments, Factor, Family, GradientDescent, Hierarchical, Invariance, Loss,
    Masks, Mlp, Process, RandomForest, Surrogate, Validated, choose_lambda,
};

use crate::args::{KernelArg, Lambda, LossArg, Mode, TrainingArgs};
use crate::error::Error;
use crate::fit::labels;
use crate::fit::way::{Way, way};

/// A surrogate ready to be fitted, and what to call it.
pub struct Choice {
    /// With all its settings.
    pub surrogate: Box<dyn Surrogate>,
    /// How it is trained: `released`, `paper`, `hierarchical`, `sgd`, or `default`.
    pub mode: &'static str,
    /// The weight of the penalty, where there is one.
    pub lambda: Option<f64>,
    /// How lambda was found, where that was left to cross-validation.
    pub validated: Option<Validated>,
}

/// Weights that cross-validation tries.
const TRIED: [f64; 5] = [0.0, 0.01, 0.1, 1.0, 10.0];
/// Clusters of the training inputs that it leaves out in turn.
const FOLDS: usize = 4;

/// What the flags ask for. Where they leave lambda to cross-validation, that is done on `train`.
pub fn choose(
    name: &str,
    args: &TrainingArgs,
    train: &Dataset,
    seed: u64,
) -> Result<Choice, Error> {
    let name = fitted(name)?;
    let way = way(name, args)?;
    let environments = environments(args, train.len())?;
    let built = |lambda: f64| build(way, name, args, &environments, lambda);
    let (lambda, validated) = match args.lambda {
        None => (way.default_lambda(args.mode), None),
        Some(Lambda::Given(lambda)) => (lambda, None),
        Some(Lambda::CrossValidated) if matches!(environments, Environments::Given(_)) => {
            return Err(Error::OutOfRange {
                flag: "lambda",
                value: "cv".to_owned(),
                wanted: "a number where environments are given by a file",
            });
        }
        Some(Lambda::CrossValidated) => {
            let folds = Environments::Clusters(FOLDS);
            let found = choose_lambda(built, train, &folds, &TRIED, seed)?;
            (found.lambda, Some(found))
        }
    };
    let mode = match way {
        Way::Forest | Way::Network | Way::Likelihood | Way::Relevance => "default",
        Way::Descent | Way::DilDescent if args.mode == Some(Mode::Released) => "released",
        Way::Descent | Way::DilDescent => "sgd",
        Way::DilPaper => "paper",
        Way::DilPerPoint => "per-point",
        Way::Hierarchical => "hierarchical",
    };
    Ok(Choice {
        surrogate: built(lambda),
        mode,
        lambda: way.uses().contains(&"lambda").then_some(lambda),
        validated,
    })
}

/// The surrogates of `fit`. The objectives of DIL-GP are modes here, so that each has all flags.
const FITTED: [&str; 6] = ["rf", "mlp", "gp", "gp-rq", "gp-dp", "dil-gp"];

fn fitted(given: &str) -> Result<&'static str, Error> {
    let known = FITTED.into_iter().find(|name| *name == given);
    Ok(known.ok_or_else(|| dilgp::Error::unknown(given, &FITTED))?)
}

fn build(
    way: Way,
    name: &'static str,
    args: &TrainingArgs,
    environments: &Environments,
    lambda: f64,
) -> Box<dyn Surrogate> {
    let environments = environments.clone();
    match (way, name) {
        (Way::Forest, _) => Box::new(RandomForest::default()),
        (Way::Network, _) => Box::new(network(args)),
        (Way::Relevance, _) => Box::new(relevance(args)),
        (Way::Likelihood, _) => {
            let kernel = process_kernel(name, args);
            Box::new(Process::with(name, kernel.covariance()))
        }
        (Way::Descent, _) => Box::new(descent(name, args)),
        (Way::DilDescent, _) => Box::new(dil_descent(args, environments, lambda)),
        (Way::DilPaper, _) => Box::new(dil(DilGp::printed(), args, environments, lambda)),
        (Way::DilPerPoint, _) => Box::new(dil(DilGp::per_point(), args, environments, lambda)),
        (Way::Hierarchical, _) => Box::new(Hierarchical {
            kernel: kernel(args),
            lambda,
            environments,
            ..Hierarchical::default()
        }),
    }
}

fn network(args: &TrainingArgs) -> Mlp {
    let settings = Mlp::default();
    Mlp {
        hidden: match &args.hidden {
            Some(units) => units.0.clone(),
            None => settings.hidden,
        },
        ..settings
    }
}

/// A Gaussian process with a length for each input.
fn relevance(args: &TrainingArgs) -> Process {
    match args.kernel {
        Some(KernelArg::RqArd) => Process::rational_quadratic(),
        Some(KernelArg::Matern52Ard) => Process::matern(),
        _ => Process::rbf(),
    }
}

/// The flags that every gradient descent has, over the settings of the authors' code.
fn with_flags(settings: GradientDescent, args: &TrainingArgs) -> GradientDescent {
    GradientDescent {
        loss: match args.loss {
            Some(LossArg::Sum) => Loss::Sum,
            Some(LossArg::Mean) => Loss::Mean,
            None => settings.loss,
        },
        epochs: args.epochs.unwrap_or(settings.epochs),
        rate: args.lr.unwrap_or(settings.rate),
        momentum: args.momentum.unwrap_or(settings.momentum),
        factor: if args.mode == Some(Mode::Released) {
            Factor::Stale
        } else {
            Factor::Current
        },
        ..settings
    }
}

fn descent(name: &'static str, args: &TrainingArgs) -> GradientDescent {
    let settings = GradientDescent {
        kernel: process_kernel(name, args),
        ..released_gp(name)
    };
    with_flags(settings, args)
}

/// A Gaussian process as the authors' code trains it. The summed loss gives its printed figures
/// for the squared-exponential kernel, the mean loss those for the dot product in the plane.
pub fn released_gp(name: &'static str) -> GradientDescent {
    let (kernel, loss) = match name {
        "gp-rq" => (Family::RationalQuadratic, Loss::Mean),
        "gp-dp" => (Family::DotProduct, Loss::Mean),
        _ => (Family::Rbf, Loss::Sum),
    };
    GradientDescent {
        loss,
        ..GradientDescent::released(name, kernel)
    }
}

fn dil_descent(args: &TrainingArgs, environments: Environments, lambda: f64) -> GradientDescent {
    // A descent weighs half the sum of squares, the paper the whole.
    let (masks, lambda) = if args.mode == Some(Mode::Released) {
        (Masks::Collapsed, lambda)
    } else {
        (Masks::ElementWise, 2.0 * lambda)
    };
    GradientDescent {
        invariance: Some(Invariance {
            lambda,
            masks,
            assignment_rate: args.env_lr.unwrap_or(1e-3),
            inner_steps: args.inner_steps.unwrap_or(1),
            environments,
        }),
        ..with_flags(GradientDescent::released_dil(kernel(args)), args)
    }
}

fn dil(settings: DilGp, args: &TrainingArgs, environments: Environments, lambda: f64) -> DilGp {
    DilGp {
        kernel: kernel(args),
        lambda,
        inner_steps: args.inner_steps.unwrap_or(settings.inner_steps),
        rounds: args.epochs.unwrap_or(settings.rounds),
        assignment_rate: args.env_lr.unwrap_or(settings.assignment_rate),
        environments,
        ..settings
    }
}

/// The kernel of a Gaussian process: `gp` has the one asked for, the others that of their name.
fn process_kernel(name: &'static str, args: &TrainingArgs) -> Family {
    match name {
        "gp-rq" => Family::RationalQuadratic,
        "gp-dp" => Family::DotProduct,
        _ => kernel(args),
    }
}

fn kernel(args: &TrainingArgs) -> Family {
    match args.kernel {
        None | Some(KernelArg::Rbf | KernelArg::RbfArd) => Family::Rbf,
        Some(KernelArg::Rq | KernelArg::RqArd) => Family::RationalQuadratic,
        Some(KernelArg::Dp) => Family::DotProduct,
        Some(KernelArg::Matern52 | KernelArg::Matern52Ard) => Family::Matern52,
    }
}

fn environments(args: &TrainingArgs, rows: usize) -> Result<Environments, Error> {
    let Some(given) = args.environments.as_deref() else {
        return Ok(Environments::Clusters(2));
    };
    if given == "kmeans" {
        return Ok(Environments::Clusters(2));
    }
    if let Some(count) = given.strip_prefix("kmeans:") {
        return match count.parse::<usize>() {
            Ok(count) if (1..=rows).contains(&count) => Ok(Environments::Clusters(count)),
            _ => Err(Error::OutOfRange {
                flag: "environments",
                value: given.to_owned(),
                wanted: "kmeans, kmeans:K with K from 1 to the number of training rows, or a file",
            }),
        };
    }
    Ok(Environments::Given(labels::read(Path::new(given), rows)?))
}
