//! View: a model over the cube at one context.
//!
//! If each evaluation has a context (its wind, its domain), the surrogate learns from points whose
//! coordinates are followed by it, and predicts for the context that is aimed at.

use dilgp::{Model, Prediction, Slope, Summary};
use nalgebra::{DMatrix, DVector};

/// Contexts: vectors of one length.
#[derive(Debug, Clone, PartialEq)]
pub struct Contexts {
    /// Those of each evaluation, in order.
    pub rows: Vec<Vec<f64>>,
    /// Those for which predictions are wanted.
    pub target: Vec<f64>,
}

/// The posterior means of `model` at `points`.
pub fn means<P: AsRef<[f64]>>(model: &dyn Model, points: &[P]) -> Vec<f64> {
    if points.is_empty() {
        return Vec::new();
    }
    model.means(&matrix(points)).as_slice().to_vec()
}

/// Points as the rows of a matrix; there is at least one.
pub fn matrix<P: AsRef<[f64]>>(points: &[P]) -> DMatrix<f64> {
    let columns = points[0].as_ref().len();
    DMatrix::from_fn(points.len(), columns, |row, column| {
        points[row].as_ref()[column]
    })
}

/// The rows of `x`, each with `behind` behind it.
fn joined(x: &DMatrix<f64>, behind: &[f64]) -> DMatrix<f64> {
    let d = x.ncols();
    DMatrix::from_fn(x.nrows(), d + behind.len(), |row, column| {
        if column < d {
            x[(row, column)]
        } else {
            behind[column - d]
        }
    })
}

/// A model of points and contexts, over the cube at one context.
pub struct View<'a> {
    model: &'a dyn Model,
    target: Vec<f64>,
}

impl<'a> View<'a> {
    /// `model` at the context `target`, which is empty for a model without contexts.
    pub fn new(model: &'a dyn Model, target: Vec<f64>) -> View<'a> {
        View { model, target }
    }

    fn whole(&self, x: &DMatrix<f64>) -> DMatrix<f64> {
        joined(x, &self.target)
    }
}

impl Model for View<'_> {
    fn predict(&self, x: &DMatrix<f64>) -> Prediction {
        self.model.predict(&self.whole(x))
    }

    fn means(&self, x: &DMatrix<f64>) -> DVector<f64> {
        self.model.means(&self.whole(x))
    }

    fn slope(&self, x: &[f64]) -> Option<Slope> {
        let whole: Vec<f64> = x.iter().chain(&self.target).copied().collect();
        let slope = self.model.slope(&whole)?;
        let own = |mut gradient: Vec<f64>| {
            gradient.truncate(x.len());
            gradient
        };
        Some(Slope {
            mean_gradient: own(slope.mean_gradient),
            std_gradient: slope.std_gradient.map(own),
            ..slope
        })
    }

    fn joint(&self, x: &DMatrix<f64>) -> Option<(DVector<f64>, DMatrix<f64>)> {
        self.model.joint(&self.whole(x))
    }

    fn summary(&self) -> &Summary {
        self.model.summary()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::names::with_context;
    use dilgp::{Dataset, Surrogate};

    /// A cost with its least value at .3, and 1 more for each unit of a covariate.
    #[test]
    fn a_point_is_judged_in_the_circumstances_that_are_aimed_at() {
        let covariate = |row: usize| [-1.0, 0.0, 1.0][row % 3];
        let at = |row: usize| row as f64 / 23.0;
        let x = DMatrix::from_fn(24, 2, |row, column| [at(row), covariate(row)][column]);
        let y = DVector::from_fn(24, |row, _| covariate(row) + 4.0 * (at(row) - 0.3).powi(2));
        let surrogate = with_context("gp-level-set", 1, 1).expect("it can");
        let data = Dataset::new(x, y).expect("finite");
        let model = surrogate.fit(&data, 1).expect("fits");
        for covariate in [-0.5, 0.0, 1.0] {
            let view = View::new(model.as_ref(), vec![covariate]);
            for x in [0.1f64, 0.45, 0.8] {
                let expected = covariate + 4.0 * (x - 0.3).powi(2);
                let predicted = means(&view, &[[x]])[0];
                assert!(
                    (predicted - expected).abs() < 0.15,
                    "{x}: {predicted} {expected}"
                );
                let slope = view.slope(&[x]).expect("differentiable");
                let [up, down] = [x + 1e-5, x - 1e-5].map(|x| means(&view, &[[x]])[0]);
                let numeric = (up - down) / 2e-5;
                assert!((slope.mean_gradient[0] - numeric).abs() < 1e-4 * (1.0 + numeric.abs()));
                assert_eq!(slope.mean_gradient.len(), 1);
            }
        }
    }

    #[test]
    fn without_circumstances_the_model_s_own_predictions_are_given() {
        let x = DMatrix::from_fn(9, 1, |row, _| row as f64 / 8.0);
        let y = DVector::from_fn(9, |row, _| (row as f64).sin());
        let gp = dilgp::by_name("gp").expect("legal");
        let model = gp
            .fit(&Dataset::new(x, y).expect("finite"), 1)
            .expect("fits");
        let view = View::new(model.as_ref(), Vec::new());
        let x = DMatrix::from_row_slice(2, 1, &[0.2, 0.7]);
        assert_eq!(view.predict(&x), model.predict(&x));
        assert_eq!(view.means(&x), model.predict(&x).mean);
        assert_eq!(view.slope(&[0.2]), model.slope(&[0.2]));
    }
}
