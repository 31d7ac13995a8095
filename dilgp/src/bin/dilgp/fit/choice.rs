//! Choice: which surrogate, with which settings, the flags ask for.

use std::path::Path;

use dilgp::{
    Dataset, DilGp, Environments, Factor, Family, GradientDescent, Hierarchical, Invariance, Loss,
    Masks, Mlp, Process, RandomForest, Surrogate, Validated, choose_lambda,
};

use crate::args::{KernelArg, Lambda, LossArg, Mode, Optimizer, TrainingArgs};
use crate::fit::data::labels;
use shell::{Failure, terminal};

/// A surrogate ready to be fitted, and what to call it.
pub struct Choice {
    /// With all its settings.
    pub surrogate: Box<dyn Surrogate>,
    /// How it is trained: `released`, `paper`, `hierarchical`, `sgd`, or `default`.
    pub mode: &'static str,
    /// The weight of the penalty, if there is one.
    pub lambda: Option<f64>,
    /// How lambda was found, if that was left to cross-validation.
    pub validated: Option<Validated>,
    /// The same without the penalty, where there is one.
    pub plain: Option<Box<dyn Surrogate>>,
    /// Whether targets are standardised inside, and inputs.
    pub standardises: (bool, bool),
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
) -> Result<Choice, Failure> {
    let name = fitted(name)?;
    let way = way(name, args)?;
    let environments = environments(args, train.len())?;
    let built = |lambda: f64| build(way, name, args, &environments, lambda);
    let (lambda, validated) = match args.lambda {
        None => (way.default_lambda(args.mode), None),
        Some(Lambda::Given(lambda)) => (lambda, None),
        Some(Lambda::CrossValidated) if !matches!(environments, Environments::Clusters(_)) => {
            let wanted = "a number where environments are given by a file";
            return Err(Failure::out_of_range("lambda", "cv", wanted));
        }
        Some(Lambda::CrossValidated) => {
            let folds = Environments::Clusters(FOLDS);
            let found = choose_lambda(built, train, &folds, &TRIED, seed)?;
            (found.lambda, Some(found))
        }
    };
    let mode = match way {
        Way::Forest | Way::Network | Way::Likelihood => "default",
        Way::Descent | Way::DilDescent if args.mode == Some(Mode::Released) => "released",
        Way::Descent | Way::DilDescent => "sgd",
        Way::DilPaper => "paper",
        Way::DilPerPoint => "per-point",
        Way::Hierarchical => "hierarchical",
    };
    let penalised = way.has_use_for("lambda");
    Ok(Choice {
        surrogate: built(lambda),
        mode,
        lambda: penalised.then_some(lambda),
        validated,
        plain: (penalised && lambda > 0.0).then(|| built(0.0)),
        standardises: (
            !matches!(way, Way::Descent | Way::DilDescent),
            way == Way::Hierarchical,
        ),
    })
}

/// The surrogates of `fit`. The objectives of DIL-GP are modes here, so that each has all flags.
const FITTED: [&str; 6] = ["rf", "mlp", "gp", "gp-rq", "gp-dp", "dil-gp"];

fn fitted(given: &str) -> Result<&'static str, Failure> {
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
    match way {
        Way::Forest => Box::new(RandomForest::default()),
        Way::Network => {
            let mut network = Mlp::default();
            if let Some(units) = &args.hidden {
                network.hidden.clone_from(&units.0);
            }
            Box::new(network)
        }
        Way::Likelihood => Box::new(match args.kernel {
            Some(KernelArg::RbfArd) => Process::rbf(),
            Some(KernelArg::RqArd) => Process::rational_quadratic(),
            Some(KernelArg::Matern52Ard) => Process::matern(),
            _ => Process::with(name, process_kernel(name, args).covariance()),
        }),
        Way::Descent => {
            let settings = GradientDescent {
                kernel: process_kernel(name, args),
                ..released_gp(name)
            };
            Box::new(with_flags(settings, args))
        }
        Way::DilDescent => Box::new(dil_descent(args, environments, lambda)),
        Way::DilPaper => Box::new(dil(DilGp::printed(), args, environments, lambda)),
        Way::DilPerPoint => Box::new(dil(DilGp::per_point(), args, environments, lambda)),
        Way::Hierarchical => Box::new(Hierarchical {
            kernel: kernel(args),
            lambda,
            environments,
        }),
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

fn environments(args: &TrainingArgs, rows: usize) -> Result<Environments, Failure> {
    let given = args.environments.as_deref().unwrap_or("kmeans");
    if given.starts_with("kmeans") && args.environments_fixed {
        let wanted = "a file of labels with --environments-fixed";
        return Err(Failure::out_of_range("environments", given, wanted));
    }
    if given == "kmeans" {
        return Ok(Environments::Clusters(2));
    }
    let Some(count) = given.strip_prefix("kmeans:") else {
        let labels = labels(Path::new(given), rows)?;
        if labels.iter().all(|label| *label == 0) {
            terminal::warn(&format!(
                "{given}: all rows have one label, so one environment"
            ));
        }
        return Ok(match args.environments_fixed {
            true => Environments::Fixed(labels),
            false => Environments::Given(labels),
        });
    };
    match count.parse::<usize>() {
        Ok(count) if (1..=rows).contains(&count) => Ok(Environments::Clusters(count)),
        _ => {
            let wanted = "kmeans, kmeans:K with K from 1 to the number of training rows, or a file";
            Err(Failure::out_of_range("environments", given, wanted))
        }
    }
}

/// The ways to train, with the flags each has a use for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// The forest.
    Forest,
    /// The network.
    Network,
    /// A Gaussian process by L-BFGS.
    Likelihood,
    /// A Gaussian process by gradient descent.
    Descent,
    /// DIL-GP by gradient descent.
    DilDescent,
    /// DIL-GP by L-BFGS, the paper's objective.
    DilPaper,
    /// DIL-GP by L-BFGS, the per-point objective.
    DilPerPoint,
    /// The hierarchical process.
    Hierarchical,
}

impl Way {
    /// Whether a flag, without its dashes, has a use in it.
    fn has_use_for(self, flag: &str) -> bool {
        let flags = match self {
            Way::Forest => "",
            Way::Network => "hidden",
            Way::Likelihood => "kernel optimizer",
            Way::Descent => "mode kernel optimizer loss epochs lr momentum",
            Way::DilDescent => {
                "mode kernel lambda optimizer loss epochs lr momentum env-lr inner-steps environments"
            }
            Way::DilPaper | Way::DilPerPoint => {
                "mode kernel lambda optimizer epochs env-lr inner-steps environments"
            }
            Way::Hierarchical => "mode kernel lambda optimizer environments",
        };
        flags.split(' ').any(|known| known == flag)
    }

    /// The weight of the penalty if none is given.
    fn default_lambda(self, mode: Option<Mode>) -> f64 {
        let of = |name| dilgp::default_lambda(name).unwrap_or_default();
        match self {
            Way::DilDescent if mode == Some(Mode::Released) => of("dil-gp-released"),
            Way::DilPaper | Way::DilDescent => of("dil-gp"),
            Way::DilPerPoint => of("dil-gp-per-point"),
            _ => 0.0,
        }
    }

    fn phrase(self) -> &'static str {
        match self {
            Way::Forest => "the forest",
            Way::Network => "the network",
            Way::Likelihood => "a Gaussian process trained by lbfgs",
            Way::Descent => "a Gaussian process trained by sgd",
            Way::DilDescent => "dil-gp trained by sgd",
            Way::DilPaper => "dil-gp in mode paper trained by lbfgs",
            Way::DilPerPoint => "dil-gp in mode per-point",
            Way::Hierarchical => "dil-gp in mode hierarchical",
        }
    }
}

/// The way that the flags ask for, each of them having a use in it.
fn way(name: &'static str, args: &TrainingArgs) -> Result<Way, Failure> {
    let sgd = args.optimizer == Some(Optimizer::Sgd);
    let released = args.mode == Some(Mode::Released);
    let relevance = args.kernel.is_some_and(KernelArg::has_relevance);
    let way = match name {
        "dil-gp" => match args.mode {
            Some(Mode::Hierarchical) => Way::Hierarchical,
            Some(Mode::PerPoint) => Way::DilPerPoint,
            Some(Mode::Released) => Way::DilDescent,
            _ if sgd => Way::DilDescent,
            _ => Way::DilPaper,
        },
        "rf" => Way::Forest,
        "mlp" => Way::Network,
        _ if released || sgd => Way::Descent,
        _ => Way::Likelihood,
    };
    let is_gp = name.starts_with("gp");
    if is_gp && args.mode.is_some_and(|mode| mode != Mode::Released) {
        let to = "gp, gp-rq and gp-dp, except as --mode released";
        return Err(useless("mode", to));
    }
    if args.kernel.is_some() && is_gp && name != "gp" {
        let to = "gp-rq and gp-dp, whose names say their kernel";
        return Err(useless("kernel", to));
    }
    if relevance && way != Way::Likelihood && (is_gp || name == "dil-gp") {
        let wanted = "rbf, rq, dp or matern52, except for gp trained by lbfgs";
        return Err(Failure::out_of_range("kernel", "an -ard kernel", wanted));
    }
    if released && args.optimizer == Some(Optimizer::Lbfgs) {
        return Err(Failure::out_of_range(
            "optimizer",
            "lbfgs",
            "sgd in mode released",
        ));
    }
    if sgd && matches!(way, Way::Hierarchical | Way::DilPerPoint) {
        let wanted = "lbfgs in modes hierarchical and per-point";
        return Err(Failure::out_of_range("optimizer", "sgd", wanted));
    }
    let given = [
        ("mode", args.mode.is_some()),
        ("kernel", args.kernel.is_some()),
        ("lambda", args.lambda.is_some()),
        ("optimizer", args.optimizer.is_some()),
        ("loss", args.loss.is_some()),
        ("epochs", args.epochs.is_some()),
        ("lr", args.lr.is_some()),
        ("momentum", args.momentum.is_some()),
        ("env-lr", args.env_lr.is_some()),
        ("inner-steps", args.inner_steps.is_some()),
        ("environments", args.environments.is_some()),
        ("hidden", args.hidden.is_some()),
    ];
    let mut unused = given
        .iter()
        .filter(|(flag, given)| *given && !way.has_use_for(flag));
    match unused.next() {
        None => Ok(way),
        Some((flag, _)) => Err(useless(flag, way.phrase())),
    }
}

/// That `flag`, given without its dashes, has no use for the surrogate and mode `to`.
fn useless(flag: &str, to: &str) -> Failure {
    Failure::usage(format!("--{flag} does not apply to {to}"))
}
