//! Everything that learns: the surrogates by their names, and composed processes.

use std::sync::Arc;

use dilgp::process::{
    Covariance, Lengths, Level, Linear, Matern52, Noise, Process, Radial, Rbf, Scaled, Sum, Trend,
};
use dilgp::{Dataset, Model, NAMES, Prediction, by_name};
use nalgebra::{DMatrix, DVector};

/// Something that learns from data: a surrogate or a composed process.
pub struct Learner {
    pub name: String,
    pub kind: Kind,
}

pub enum Kind {
    Named(&'static str),
    Composed(Process),
}

/// Every surrogate and every composed process.
pub fn learners() -> Vec<Learner> {
    let named = NAMES.into_iter().map(|name| Learner {
        name: name.to_owned(),
        kind: Kind::Named(name),
    });
    let composed = processes().into_iter().map(|(name, process)| Learner {
        name: format!("composed {name}"),
        kind: Kind::Composed(process),
    });
    named.chain(composed).collect()
}

/// The surrogate of that name.
pub fn learner(name: &'static str) -> Learner {
    Learner {
        name: name.to_owned(),
        kind: Kind::Named(name),
    }
}

impl Learner {
    pub fn fit(&self, data: &Dataset) -> Box<dyn Model> {
        self.fit_with(data, 11)
    }

    pub fn fit_with(&self, data: &Dataset, seed: u64) -> Box<dyn Model> {
        let fitted = match &self.kind {
            Kind::Named(name) => by_name(name).unwrap().fit(data, seed),
            Kind::Composed(process) => {
                (process.train(data, seed)).map(|model| Box::new(model) as _)
            }
        };
        fitted.unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }

    /// The one for the surrogates, the other for composed processes.
    pub fn tolerance(&self, named: f64, composed: f64) -> f64 {
        match self.kind {
            Kind::Named(_) => named,
            Kind::Composed(_) => composed,
        }
    }

    /// Fits, checks what holds of every model there and returns what it predicts.
    pub fn predict(&self, data: &Dataset, x: &DMatrix<f64>) -> Prediction {
        self.check(self.fit(data).as_ref(), x)
    }

    /// Checks what holds of every model, and returns what it predicts.
    pub fn check(&self, model: &dyn Model, x: &DMatrix<f64>) -> Prediction {
        let name = &self.name;
        let predicted = model.predict(x);
        assert_eq!(predicted.mean.len(), x.nrows(), "{name}");
        assert_eq!(predicted.mean, model.means(x), "{name}");
        assert!(predicted.mean.iter().all(|m| m.is_finite()), "{name}");
        assert_eq!(predicted.std.is_none(), name == "mlp");
        assert_eq!(predicted.observation_std.is_none(), name == "mlp");
        if let (Some(std), Some(observed)) = (&predicted.std, &predicted.observation_std) {
            for (std, observed) in std.iter().zip(observed) {
                assert!(std.is_finite() && *std >= 0.0, "{name}: std {std}");
                assert!(observed.is_finite(), "{name}: {observed}");
                assert!(observed >= std, "{name}: {observed} < {std}");
            }
        }
        let composed = matches!(self.kind, Kind::Composed(_));
        for row in x.row_iter().take(3) {
            let at: Vec<f64> = row.iter().copied().collect();
            let slope = model.slope(&at);
            assert!(slope.is_some() || !composed, "{name}");
            if let Some(slope) = slope {
                assert!(slope.mean_gradient.iter().all(|g| g.is_finite()), "{name}");
                let std_gradient = slope.std_gradient.unwrap_or_default();
                assert!(std_gradient.iter().all(|g| g.is_finite()), "{name}");
            }
        }
        let left_out = model.leave_one_out();
        assert!(left_out.is_some() || !composed, "{name}");
        if let Some(left_out) = left_out {
            assert!(left_out.mean.iter().all(|m| m.is_finite()), "{name}");
        }
        predicted
    }
}

/// Composed processes, each with inferred noise and without any.
pub fn processes() -> Vec<(String, Process)> {
    let matern = || Scaled(Radial::new(Matern52, Lengths::Each));
    let shared = Radial::new(Rbf, Lengths::Shared);
    let trend = Trend {
        level: 16.0,
        about: 0.5,
    };
    let gp = |name, kernel: Arc<dyn Covariance>| (name, Process::with("gp", kernel));
    let families = [
        ("rbf", Process::rbf()),
        ("matern", Process::matern()),
        ("rq", Process::rational_quadratic()),
        gp("shared rbf", Arc::new(Scaled(shared))),
        gp(
            "matern and a plane",
            Arc::new(Sum(matern(), Scaled(Linear))),
        ),
        gp(
            "matern of an unknown level",
            Arc::new(Sum(matern(), Level(4.0))),
        ),
        gp("matern of an unknown trend", Arc::new(Sum(matern(), trend))),
    ];
    let both = families.into_iter().flat_map(|(name, process)| {
        let fixed = Process {
            noise: Noise::DETERMINISTIC,
            ..process.clone()
        };
        [
            (name.to_owned(), process),
            (format!("{name}, no noise"), fixed),
        ]
    });
    both.collect()
}

/// Two groups of points in the unit square and a smooth response.
pub fn sample(n: usize) -> Dataset {
    let x = DMatrix::from_fn(n, 2, |i, j| {
        let group = if i % 4 == 0 { 0.75 } else { 0.25 };
        group + 0.2 * ((17 * i + 29 * j + 1) as f64 * 0.731).sin()
    });
    let y = DVector::from_fn(n, |i, _| {
        (5.0 * x[(i, 0)]).sin() + x[(i, 1)].powi(2) + 0.05 * (7.3 * i as f64).sin()
    });
    Dataset::new(x, y).unwrap()
}

pub fn grid() -> DMatrix<f64> {
    DMatrix::from_fn(
        36,
        2,
        |i, j| if j == 0 { i / 6 } else { i % 6 } as f64 / 5.0,
    )
}

/// Data at which fits break, each with its name.
pub fn hard() -> Vec<(&'static str, Dataset)> {
    let at = |x: &[f64]| DMatrix::from_row_slice(x.len() / 2, 2, x);
    let y = |y: &[f64]| DVector::from_row_slice(y);
    let outlier = DVector::from_fn(20, |i, _| if i == 7 { 1e9 } else { i as f64 });
    let growing = DMatrix::from_fn(9, 2, |i, j| (i * j) as f64 / 8.0);
    let waves = DMatrix::from_fn(20, 2, |i, j| ((i + 3 * j) as f64).sin());
    let far = at(&[-1e6, 0.0, 0.0, 1e6, 1e6, 1e6]);
    let cases = [
        ("one point", at(&[0.3, 0.6]), y(&[5.0])),
        ("two points", at(&[0.0, 0.0, 1.0, 1.0]), y(&[-1.0, 1.0])),
        ("all the same", at(&[0.5; 20]), y(&[2.0; 10])),
        ("many values", at(&[0.5; 10]), y(&[1.0, 2.0, 3.0, 4.0, 5.0])),
        (
            "a constant column",
            growing,
            y(&[1., 5., 2., 8., 3., 1., 0., 4., 7.]),
        ),
        ("far apart", far, y(&[1.0, 2.0, 3.0])),
        ("an outlier", waves, outlier),
    ];
    let data = cases
        .into_iter()
        .map(|(what, x, y)| (what, Dataset::new(x, y).unwrap()));
    data.collect()
}
