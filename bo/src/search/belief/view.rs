//! View: what a model believes over the cube.
//!
//! Where the circumstances of each evaluation are known (its wind's environment, its domain), the
//! surrogate learns from points that hold them behind the cube's coordinates, and is asked for the
//! circumstances that are aimed at: at each point the ones of greatest mean, where there are
//! several. The cost of a point is then judged there, whatever it was observed in.

use dilgp::{Model, Prediction, Slope, Summary};
use nalgebra::{DMatrix, DVector};

/// Circumstances: vectors of one length.
#[derive(Debug, Clone, PartialEq)]
pub struct Circumstances {
    /// Those of each evaluation, in the order in which they were told.
    pub rows: Vec<Vec<f64>>,
    /// Those for which predictions are wanted, at least one.
    pub targets: Vec<Vec<f64>>,
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

/// The rows of `x`, each with what `behind` says behind it.
fn joined<'a>(x: &DMatrix<f64>, behind: impl Fn(usize) -> &'a Vec<f64>) -> DMatrix<f64> {
    let more = if x.nrows() > 0 { behind(0).len() } else { 0 };
    let d = x.ncols();
    DMatrix::from_fn(x.nrows(), d + more, |row, column| {
        if column < d {
            x[(row, column)]
        } else {
            behind(row)[column - d]
        }
    })
}

/// A model of points and circumstances, seen over the cube in the circumstances that are aimed at.
pub struct View<'a> {
    model: &'a dyn Model,
    targets: Vec<Vec<f64>>,
}

impl<'a> View<'a> {
    /// `model` in each of `targets`, of which there is at least one: one of no numbers where the
    /// model knows no circumstances.
    pub fn new(model: &'a dyn Model, targets: Vec<Vec<f64>>) -> View<'a> {
        View { model, targets }
    }

    /// For each row of `x` the target of greatest mean, with the predictions of all.
    fn worst(&self, x: &DMatrix<f64>) -> (Vec<usize>, Vec<Prediction>) {
        let predict = |target| self.model.predict(&joined(x, |_| target));
        let all: Vec<Prediction> = self.targets.iter().map(predict).collect();
        let worst = |row: usize| {
            let by_mean = |a: &usize, b: &usize| all[*a].mean[row].total_cmp(&all[*b].mean[row]);
            (0..all.len()).max_by(by_mean).unwrap_or(0)
        };
        ((0..x.nrows()).map(worst).collect(), all)
    }
}

impl Model for View<'_> {
    fn predict(&self, x: &DMatrix<f64>) -> Prediction {
        if let [only] = self.targets.as_slice() {
            return self.model.predict(&joined(x, |_| only));
        }
        let (worst, all) = self.worst(x);
        let pick = |of: &dyn Fn(&Prediction) -> Option<&DVector<f64>>| {
            all.iter().all(|p| of(p).is_some()).then(|| {
                let entry = |row: usize| of(&all[worst[row]]).map_or(f64::NAN, |v| v[row]);
                DVector::from_fn(x.nrows(), |row, _| entry(row))
            })
        };
        Prediction {
            mean: DVector::from_fn(x.nrows(), |row, _| all[worst[row]].mean[row]),
            std: pick(&|p| p.std.as_ref()),
            observation_std: pick(&|p| p.observation_std.as_ref()),
        }
    }

    fn means(&self, x: &DMatrix<f64>) -> DVector<f64> {
        match self.targets.as_slice() {
            [only] => self.model.means(&joined(x, |_| only)),
            _ => self.predict(x).mean,
        }
    }

    fn slope(&self, x: &[f64]) -> Option<Slope> {
        let at = |target: &Vec<f64>| {
            let whole: Vec<f64> = x.iter().chain(target).copied().collect();
            self.model.slope(&whole)
        };
        let slopes: Option<Vec<Slope>> = self.targets.iter().map(at).collect();
        let worst = slopes?
            .into_iter()
            .max_by(|a, b| a.mean.total_cmp(&b.mean))?;
        let own = |mut gradient: Vec<f64>| {
            gradient.truncate(x.len());
            gradient
        };
        Some(Slope {
            mean_gradient: own(worst.mean_gradient),
            std_gradient: worst.std_gradient.map(own),
            ..worst
        })
    }

    /// The greatest of the values of one function in all targets.
    fn draw(&self, x: &DMatrix<f64>, seed: u64) -> Option<DVector<f64>> {
        let blocks: Vec<DMatrix<f64>> = self.targets.iter().map(|t| joined(x, |_| t)).collect();
        let count = x.nrows();
        let columns = blocks.first()?.ncols();
        let all = DMatrix::from_fn(count * blocks.len(), columns, |row, column| {
            blocks[row / count][(row % count, column)]
        });
        let drawn = self.model.draw(&all, seed)?;
        let greatest = |row: usize| {
            let values = (0..blocks.len()).map(|block| drawn[block * count + row]);
            values.fold(f64::NEG_INFINITY, f64::max)
        };
        Some(DVector::from_fn(count, |row, _| greatest(row)))
    }

    /// In one target's circumstances; which of several is the greatest has no joint distribution in
    /// closed form.
    fn joint(&self, x: &DMatrix<f64>) -> Option<(DVector<f64>, DMatrix<f64>)> {
        match self.targets.as_slice() {
            [only] => self.model.joint(&joined(x, |_| only)),
            _ => None,
        }
    }

    fn summary(&self) -> &Summary {
        self.model.summary()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::belief::surrogates::in_environments;
    use dilgp::{Dataset, Surrogate};

    /// Values on a line, every other one in the second environment, where all is worse by 1 and
    /// best elsewhere.
    fn learnt() -> Box<dyn Model> {
        let even = |row: usize| f64::from(row.is_multiple_of(2));
        let at = |row: usize| row as f64 / 23.0;
        let x = DMatrix::from_fn(24, 3, |row, column| {
            [at(row), even(row), 1.0 - even(row)][column]
        });
        let y = DVector::from_fn(24, |row, _| {
            let (bottom, level) = if row % 2 == 0 { (0.3, 0.0) } else { (0.6, 1.0) };
            level + 4.0 * (at(row) - bottom).powi(2)
        });
        let surrogate = in_environments("gp-informed", 1, 2).expect("it can");
        let data = Dataset::new(x, y).expect("finite");
        surrogate.fit(&data, 1).expect("fits")
    }

    fn aimed<'a>(model: &'a dyn Model, targets: &[[f64; 2]]) -> View<'a> {
        View::new(model, targets.iter().map(|t| t.to_vec()).collect())
    }

    fn at(model: &dyn Model, x: f64) -> f64 {
        means(model, &[[x]])[0]
    }

    #[test]
    fn each_target_is_predicted_as_it_is_and_their_mean_as_the_mean() {
        let model = learnt();
        let model = model.as_ref();
        let [first, second] = [[1.0, 0.0], [0.0, 1.0]].map(|target| aimed(model, &[target]));
        let mean = aimed(model, &[[0.5, 0.5]]);
        for x in [0.1, 0.45, 0.8] {
            let expected = [4.0 * (x - 0.3f64).powi(2), 1.0 + 4.0 * (x - 0.6f64).powi(2)];
            for (view, expected) in [(&first, expected[0]), (&second, expected[1])] {
                let predicted = at(view, x);
                assert!(
                    (predicted - expected).abs() < 0.15,
                    "{x}: {predicted} {expected}"
                );
            }
            // The covariance is linear in the circumstances, and so is the mean.
            let both = 0.5 * (at(&first, x) + at(&second, x));
            assert!((at(&mean, x) - both).abs() < 1e-9);
        }
    }

    #[test]
    fn the_worst_is_the_greater_of_both_with_its_slope() {
        let model = learnt();
        let model = model.as_ref();
        let [first, second] = [[1.0, 0.0], [0.0, 1.0]].map(|target| aimed(model, &[target]));
        let worst = aimed(model, &[[1.0, 0.0], [0.0, 1.0]]);
        for x in [0.05, 0.5, 0.95] {
            let greater = at(&first, x).max(at(&second, x));
            assert_eq!(at(&worst, x), greater);
            assert_eq!(worst.predict(&matrix(&[[x]])).mean[0], greater);
            let slope = worst.slope(&[x]).expect("differentiable");
            assert!((slope.mean - greater).abs() < 1e-9);
            let numeric = (at(&worst, x + 1e-5) - at(&worst, x - 1e-5)) / 2e-5;
            assert!((slope.mean_gradient[0] - numeric).abs() < 1e-4 * (1.0 + numeric.abs()));
            assert_eq!(slope.mean_gradient.len(), 1);
        }
        let x = DMatrix::from_row_slice(3, 1, &[0.1, 0.5, 0.9]);
        let drawn = worst.draw(&x, 5).expect("a process draws");
        assert_eq!(drawn, worst.draw(&x, 5).expect("a process draws"));
        let band = worst.predict(&x);
        let std = band.std.expect("a process claims one");
        for row in 0..3 {
            // The greater of two draws lies above the worse mean less five deviations.
            assert!(drawn[row] > band.mean[row] - 5.0 * std[row] - 1e-6);
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
        let view = View::new(model.as_ref(), vec![Vec::new()]);
        let x = DMatrix::from_row_slice(2, 1, &[0.2, 0.7]);
        assert_eq!(view.predict(&x), model.predict(&x));
        assert_eq!(view.means(&x), model.predict(&x).mean);
        assert_eq!(view.slope(&[0.2]), model.slope(&[0.2]));
    }
}
