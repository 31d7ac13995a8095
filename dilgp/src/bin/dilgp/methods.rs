//! Methods: the rows of the tables. The paper's six are trained as the authors' code trains them;
//! beside them stand what a reader needs to judge them.

use std::sync::Arc;

use dilgp::kernel::{RationalQuadratic, Rbf};
use dilgp::{
    ClusterMean, Dataset, DilGp, Factor, GradientDescent, Hierarchical, Invariance, Loss, Masks,
    Prediction, Surrogate, by_name,
};
use nalgebra::DMatrix;

use crate::choice::released_gp;
use crate::error::Error;
use crate::units::Units;

/// A row of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Method {
    /// What it is called in the JSON copy.
    pub key: &'static str,
    /// What it is called in the table.
    pub label: &'static str,
    /// Whether inputs and targets are z-scored on the training set first.
    pub scaled: bool,
}

const fn row(key: &'static str, label: &'static str, scaled: bool) -> Method {
    Method { key, label, scaled }
}

/// The row against which every other is paired.
pub const REFERENCE: &str = "gp-ml2";
/// The paper's own reference.
pub const RELEASED_GP: &str = "gp";

/// All rows: the paper's six in its order, then the others.
pub const METHODS: [Method; 17] = [
    row("rf", "RF", true),
    row("mlp", "MLP", true),
    row(RELEASED_GP, "GP", false),
    row("gp-rq", "GP-RQ", false),
    row("gp-dp", "GP-DP", false),
    row("dil-gp", "DIL-GP", false),
    row("dil-gp-lambda0", "DIL-GP, lambda 0", false),
    row("dil-gp-masks", "DIL-GP, element-wise masks", false),
    row("dil-gp-worst", "DIL-GP, worst case by L-BFGS", true),
    row(REFERENCE, "GP, ML-II", true),
    row("gp-rq-ml2", "GP-RQ, ML-II", true),
    row("gp-dp-ml2", "GP-DP, ML-II", true),
    row("gp-untrained", "GP, untrained", false),
    row("cluster-mean", "nearest-cluster mean", true),
    row("hierarchical", "hierarchical", true),
    row("hierarchical-lambda1", "hierarchical, lambda 1", true),
    row("hierarchical-rq", "hierarchical, RQ kernels", true),
];

/// A fitted row, in the user's units.
pub struct Fitted {
    model: Box<dyn dilgp::Model>,
    units: Units,
}

impl Fitted {
    /// Predictions at the rows of `x`.
    pub fn predict(&self, x: &DMatrix<f64>) -> Prediction {
        self.units.predict(self.model.as_ref(), x)
    }
}

impl Method {
    /// The method of that key.
    ///
    /// # Panics
    /// If there is none.
    pub fn of(key: &str) -> Self {
        let found = METHODS.into_iter().find(|method| method.key == key);
        found.expect("the keys asked for are those of the list")
    }

    /// Fits `train`; gradient descent takes steps of `rate`.
    pub fn fit(self, train: &Dataset, rate: f64, seed: u64) -> Result<Fitted, Error> {
        let units = Units::of(train, self.scaled);
        let model = self.surrogate(rate)?.fit(&units.scale(train)?, seed)?;
        Ok(Fitted { model, units })
    }

    fn surrogate(self, rate: f64) -> Result<Box<dyn Surrogate>, Error> {
        let dil = || GradientDescent {
            rate,
            ..GradientDescent::released_dil(Arc::new(Rbf))
        };
        let with = |change: fn(&mut Invariance)| {
            let mut settings = dil();
            settings.invariance.iter_mut().for_each(change);
            settings
        };
        Ok(match self.key {
            "gp" | "gp-rq" | "gp-dp" => Box::new(GradientDescent {
                rate,
                ..released_gp(self.key)
            }),
            "dil-gp" => Box::new(dil()),
            "dil-gp-lambda0" => Box::new(with(|invariance| invariance.lambda = 0.0)),
            "dil-gp-masks" => Box::new(GradientDescent {
                factor: Factor::Current,
                ..with(|invariance| invariance.masks = Masks::ElementWise)
            }),
            "dil-gp-worst" => Box::new(DilGp::default()),
            "gp-ml2" => by_name("gp")?,
            "gp-rq-ml2" => by_name("gp-rq")?,
            "gp-dp-ml2" => by_name("gp-dp")?,
            "gp-untrained" => Box::new(GradientDescent {
                epochs: 0,
                loss: Loss::Sum,
                ..released_gp("gp")
            }),
            "cluster-mean" => Box::new(ClusterMean::default()),
            "hierarchical" => Box::new(Hierarchical::default()),
            "hierarchical-lambda1" => Box::new(Hierarchical {
                lambda: 1.0,
                ..Hierarchical::default()
            }),
            "hierarchical-rq" => Box::new(Hierarchical {
                kernel: Arc::new(RationalQuadratic),
                ..Hierarchical::default()
            }),
            name => by_name(name)?,
        })
    }
}

/// What each row is, for the notes under a table.
pub const NOTES: &str = "\
GP, GP-RQ, GP-DP and DIL-GP are trained and predict as the authors' code does (mode `released`): \
200 epochs of gradient descent from parameters of 1 on the data as they are. RF and MLP are ours. \
`lambda 0` is DIL-GP without its penalty: what is left is the plain process under the mean loss. \
`element-wise masks` is the same descent on the paper's equation. `worst case by L-BFGS` is the \
paper's objective with its inner maximisation, to convergence. ML-II rows have hyper-parameters of \
highest marginal likelihood under weak priors, on z-scored data. `untrained` has all parameters 1. \
`nearest-cluster mean` predicts the mean training target of the nearest of two clusters. \
`hierarchical` is ours: shared and own kernels for two clusters of the inputs; it uses which \
cluster a training point is in, as the nearest-cluster mean does.
";
