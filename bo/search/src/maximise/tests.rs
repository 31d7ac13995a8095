use super::*;
use crate::acquisition::{Bound, LeastMean, LogImprovement};
use dilgp::{Dataset, Process, Surrogate, by_name};
use nalgebra::{DMatrix, DVector};

const WORK: Work = Work {
    raw: 128,
    starts: 4,
    evaluations: 60,
};

fn data(value: impl Fn(&[f64]) -> f64) -> Dataset {
    let points = crate::maximise::points::sobol(3, 0, 25, 4);
    let x = DMatrix::from_fn(25, 3, |row, column| points[row][column]);
    let y = DVector::from_fn(25, |row, _| value(&points[row]));
    Dataset::new(x, y).expect("finite")
}

fn bowl(x: &[f64]) -> f64 {
    x.iter().map(|x| (x - 0.3) * (x - 0.3)).sum()
}

#[test]
fn gradients_agree_with_differences() {
    let model = Process::matern().fit(&data(bowl), 1).expect("fits");
    for criterion in [
        &Bound { kappa: 2.0 } as &dyn Criterion,
        &LogImprovement { best: 0.2 },
    ] {
        let surface = Surface {
            model: model.as_ref(),
            criterion,
            within: None,
        };
        let x = [0.45, 0.2, 0.71];
        let (_, gradient) = surface.slope(&x).expect("differentiable");
        for k in 0..3 {
            let shifted = |h: f64| {
                let mut x = x;
                x[k] += h;
                surface.slope(&x).expect("differentiable").0
            };
            let h = 1e-4;
            let numeric = (shifted(h) - shifted(-h)) / (2.0 * h);
            let slack = 1e-4 + 2e-3 * numeric.abs();
            assert!(
                (numeric - gradient[k]).abs() < slack,
                "{numeric} {}",
                gradient[k]
            );
        }
    }
}

#[test]
fn the_peak_beats_thousands_of_raw_points_with_and_without_gradients() {
    for surrogate in [
        Box::new(Process::matern()) as Box<dyn Surrogate>,
        by_name("rf").expect("legal"),
    ] {
        let model = surrogate.fit(&data(bowl), 1).expect("fits");
        let criterion = Bound { kappa: 2.0 };
        let surface = Surface {
            model: model.as_ref(),
            criterion: &criterion,
            within: None,
        };
        let maximum =
            maximise(&surface, &Region::cube(3), &[vec![0.3; 3]], WORK, 7).expect("finite");
        let raw = surface.values(&crate::maximise::points::sobol(3, 0, 4000, 99));
        let best = raw.into_iter().fold(f64::NEG_INFINITY, f64::max);
        assert!(maximum.value >= best - 0.02, "{maximum:?} {best}");
        assert!(maximum.x.iter().all(|x| (0.0..=1.0).contains(x)));
    }
}

#[test]
fn a_peak_in_a_corner_of_a_box_is_reached_exactly() {
    let model = Process::rbf()
        .fit(&data(|x| x[0] - x[1] + 2.0 * x[2]), 1)
        .expect("fits");
    let surface = Surface {
        model: model.as_ref(),
        criterion: &LeastMean,
        within: None,
    };
    let region = Region {
        low: vec![0.2, 0.3, 0.5],
        high: vec![0.6, 0.8, 0.9],
    };
    let maximum = maximise(&surface, &region, &[], WORK, 3).expect("finite");
    assert_eq!(maximum.x, [0.2, 0.8, 0.5]);
}

#[test]
fn the_same_seed_gives_the_same_peak() {
    let model = Process::matern().fit(&data(bowl), 1).expect("fits");
    let surface = Surface {
        model: model.as_ref(),
        criterion: &LeastMean,
        within: None,
    };
    let once = || maximise(&surface, &Region::cube(3), &[], WORK, 7);
    assert_eq!(once(), once());
}
