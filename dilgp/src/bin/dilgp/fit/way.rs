//! Way: how a surrogate is trained, and which flags have a use for it.

use crate::args::{KernelArg, Mode, Optimizer, TrainingArgs};
use crate::error::Error;

/// The ways to train, with the flags each has a use for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// The forest.
    Forest,
    /// The network.
    Network,
    /// A Gaussian process by L-BFGS.
    Likelihood,
    /// A Gaussian process with a length for each input, by L-BFGS.
    Relevance,
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
    /// The flags it has a use for, without their dashes.
    pub fn uses(self) -> &'static [&'static str] {
        match self {
            Way::Forest => &[],
            Way::Network => &["hidden"],
            Way::Likelihood | Way::Relevance => &["kernel", "optimizer"],
            Way::Descent => &[
                "mode",
                "kernel",
                "optimizer",
                "loss",
                "epochs",
                "lr",
                "momentum",
            ],
            Way::DilDescent => &[
                "mode",
                "kernel",
                "lambda",
                "optimizer",
                "loss",
                "epochs",
                "lr",
                "momentum",
                "env-lr",
                "inner-steps",
                "environments",
            ],
            Way::DilPaper | Way::DilPerPoint => &[
                "mode",
                "kernel",
                "lambda",
                "optimizer",
                "epochs",
                "env-lr",
                "inner-steps",
                "environments",
            ],
            Way::Hierarchical => &["mode", "kernel", "lambda", "optimizer", "environments"],
        }
    }

    /// The weight of the penalty where none is given.
    pub fn default_lambda(self, mode: Option<Mode>) -> f64 {
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
            Way::Likelihood | Way::Relevance => "a Gaussian process trained by lbfgs",
            Way::Descent => "a Gaussian process trained by sgd",
            Way::DilDescent => "dil-gp trained by sgd",
            Way::DilPaper => "dil-gp in mode paper trained by lbfgs",
            Way::DilPerPoint => "dil-gp in mode per-point",
            Way::Hierarchical => "dil-gp in mode hierarchical",
        }
    }
}

/// The way that the flags ask for, each of them having a use in it.
pub fn way(name: &'static str, args: &TrainingArgs) -> Result<Way, Error> {
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
        "gp" if relevance => Way::Relevance,
        _ => Way::Likelihood,
    };
    let is_gp = name.starts_with("gp");
    if is_gp && args.mode.is_some_and(|mode| mode != Mode::Released) {
        return Err(Error::FlagUnused {
            flag: "mode",
            to: "gp, gp-rq and gp-dp, except as --mode released",
        });
    }
    if args.kernel.is_some() && is_gp && name != "gp" {
        return Err(Error::FlagUnused {
            flag: "kernel",
            to: "gp-rq and gp-dp, whose names say their kernel",
        });
    }
    if relevance && way != Way::Relevance && (is_gp || name == "dil-gp") {
        return Err(Error::OutOfRange {
            flag: "kernel",
            value: "an -ard kernel".to_owned(),
            wanted: "rbf, rq, dp or matern52, except for gp trained by lbfgs",
        });
    }
    let needs_sgd = released && args.optimizer == Some(Optimizer::Lbfgs);
    let needs_lbfgs = matches!(way, Way::Hierarchical | Way::DilPerPoint);
    if needs_sgd || (needs_lbfgs && sgd) {
        return Err(Error::OutOfRange {
            flag: "optimizer",
            value: if sgd { "sgd" } else { "lbfgs" }.to_owned(),
            wanted: if sgd {
                "lbfgs in modes hierarchical and per-point"
            } else {
                "sgd in mode released"
            },
        });
    }
    refuse_unused(args, way)?;
    Ok(way)
}

fn refuse_unused(args: &TrainingArgs, way: Way) -> Result<(), Error> {
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
    let unused = given
        .into_iter()
        .find(|(flag, given)| *given && !way.uses().contains(flag));
    match unused {
        None => Ok(()),
        Some((flag, _)) => Err(Error::FlagUnused {
            flag,
            to: way.phrase(),
        }),
    }
}
