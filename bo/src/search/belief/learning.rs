//! Learning: from the history of a study to what is believed of the cost at points of the cube.
//!
//! Where the circumstances of each evaluation are known (its wind's environment), the surrogate
//! learns from points that hold them behind the cube's coordinates, and is asked for the
//! circumstances that are aimed at: at each point the ones of greatest mean, where there are
//! several. The cost of a gain is then judged there, whatever wind it was flown in.

use crate::search::history::History;
use dilgp::Dataset;
use dilgp::Error;
use dilgp::Model;
use dilgp::Prediction;
use dilgp::Slope;
use dilgp::Summary;
use dilgp::Surrogate;
use nalgebra::{DMatrix, DVector};

/// What is known of evaluations beside their points.
pub trait Surroundings: Sync {
    /// The circumstances of the first `rows` evaluations, in the order of [`History::rows`], and
    /// those that are aimed at.
    fn circumstances(&self, rows: usize) -> Circumstances;
}

/// Circumstances: vectors of one length.
#[derive(Debug, Clone, PartialEq)]
pub struct Circumstances {
    /// Those of each evaluation.
    pub rows: Vec<Vec<f64>>,
    /// Those for which predictions are wanted, at least one.
    pub targets: Vec<Vec<f64>>,
}

/// How a study learns.
#[derive(Clone, Copy)]
pub struct Learner<'a> {
    /// Learns cost from position, and from the circumstances behind it where there are any.
    pub surrogate: &'a dyn Surrogate,
    /// The circumstances, where the surrogate is told of any.
    pub surroundings: Option<&'a dyn Surroundings>,
}

impl<'a> From<&'a dyn Surrogate> for Learner<'a> {
    fn from(surrogate: &'a dyn Surrogate) -> Learner<'a> {
        Learner {
            surrogate,
            surroundings: None,
        }
    }
}

impl Learner<'_> {
    /// A model of the logarithm of the cost over the cube.
    ///
    /// # Errors
    /// Nothing evaluated yet, or numbers that defeat the surrogate.
    pub fn learn(&self, history: &History, seed: u64) -> Result<Box<dyn Model>, Error> {
        let data = history.dataset()?;
        let Some(surroundings) = self.surroundings else {
            return self.surrogate.fit(&data, seed);
        };
        let Circumstances { rows, targets } = surroundings.circumstances(data.len());
        let x = joined(data.x(), |row| &rows[row]);
        let data = Dataset::new(x, data.y().clone())?;
        Ok(Box::new(Aimed {
            model: self.surrogate.fit(&data, seed)?,
            targets,
        }))
    }
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

/// A model of points and circumstances, asked for the circumstances that are aimed at.
struct Aimed {
    model: Box<dyn Model>,
    targets: Vec<Vec<f64>>,
}

impl Aimed {
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

impl Model for Aimed {
    fn predict(&self, x: &DMatrix<f64>) -> Prediction {
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

    fn summary(&self) -> &Summary {
        self.model.summary()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::history::{Observation, Origin, Trial};

    /// Evaluations on a line, every other one in the second environment, where all is worse by a
    /// factor of e and best elsewhere.
    fn history() -> History {
        let trials = (0..24u64).map(|number| {
            let x = number as f64 / 23.0;
            let bottom = if number % 2 == 0 { 0.3 } else { 0.6 };
            let level = if number % 2 == 0 { 0.0 } else { 1.0 };
            Trial {
                number,
                x: vec![x],
                origin: Origin::Initial,
                observation: Observation {
                    cost: (level + 4.0 * (x - bottom).powi(2)).exp(),
                    crashed: false,
                },
            }
        });
        History {
            trials: trials.collect(),
            ..History::default()
        }
    }

    struct Alternating(Vec<Vec<f64>>);

    impl Surroundings for Alternating {
        fn circumstances(&self, rows: usize) -> Circumstances {
            let row = |k: usize| {
                let even = f64::from(k.is_multiple_of(2));
                vec![even, 1.0 - even]
            };
            Circumstances {
                rows: (0..rows).map(row).collect(),
                targets: self.0.clone(),
            }
        }
    }

    fn aimed(targets: &[[f64; 2]]) -> Box<dyn Model> {
        let surrogate = crate::search::belief::surrogates::in_environments("gp-informed", 1, 2)
            .expect("it can");
        let surroundings = Alternating(targets.iter().map(|t| t.to_vec()).collect());
        let learner = Learner {
            surrogate: &surrogate,
            surroundings: Some(&surroundings),
        };
        learner.learn(&history(), 1).expect("fits")
    }

    fn at(model: &dyn Model, x: f64) -> f64 {
        model.predict(&DMatrix::from_element(1, 1, x)).mean[0]
    }

    #[test]
    fn each_target_is_predicted_as_it_is_and_their_mean_as_the_mean() {
        let (first, second) = (aimed(&[[1.0, 0.0]]), aimed(&[[0.0, 1.0]]));
        let mean = aimed(&[[0.5, 0.5]]);
        for x in [0.1, 0.45, 0.8] {
            let expected = [4.0 * (x - 0.3f64).powi(2), 1.0 + 4.0 * (x - 0.6f64).powi(2)];
            for (model, expected) in [(&first, expected[0]), (&second, expected[1])] {
                let predicted = at(model.as_ref(), x);
                assert!(
                    (predicted - expected).abs() < 0.15,
                    "{x}: {predicted} {expected}"
                );
            }
            // The covariance is linear in the circumstances, and so is the mean.
            let both = 0.5 * (at(first.as_ref(), x) + at(second.as_ref(), x));
            assert!((at(mean.as_ref(), x) - both).abs() < 1e-9);
        }
    }

    #[test]
    fn the_worst_is_the_greater_of_both_with_its_slope() {
        let (first, second) = (aimed(&[[1.0, 0.0]]), aimed(&[[0.0, 1.0]]));
        let worst = aimed(&[[1.0, 0.0], [0.0, 1.0]]);
        for x in [0.05, 0.5, 0.95] {
            let greater = at(first.as_ref(), x).max(at(second.as_ref(), x));
            assert_eq!(at(worst.as_ref(), x), greater);
            let slope = worst.slope(&[x]).expect("differentiable");
            assert!((slope.mean - greater).abs() < 1e-9);
            let numeric = (at(worst.as_ref(), x + 1e-5) - at(worst.as_ref(), x - 1e-5)) / 2e-5;
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
    fn without_surroundings_the_surrogate_s_own_model_is_given() {
        let gp = dilgp::by_name("gp").expect("legal");
        let learner = Learner::from(gp.as_ref());
        let model = learner.learn(&history(), 1).expect("fits");
        let own = gp
            .fit(&history().dataset().expect("trials"), 1)
            .expect("fits");
        let x = DMatrix::from_row_slice(2, 1, &[0.2, 0.7]);
        assert_eq!(model.predict(&x), own.predict(&x));
    }
}
