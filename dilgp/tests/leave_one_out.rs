//! Leave-one-out predictions in closed form against fits that leave the point out.

use dilgp::{Dataset, by_name};
use nalgebra::{DMatrix, DVector};

#[test]
fn the_closed_form_is_the_prediction_without_the_point() {
    let n = 18;
    let x = DMatrix::from_fn(n, 2, |i, j| ((13 * i + 5 * j) as f64 * 0.61).sin());
    let y = DVector::from_fn(n, |i, _| {
        7.0 + 3.0 * (2.0 * x[(i, 0)]).sin() - x[(i, 1)] + 0.5 * (7.0 * i as f64).cos()
    });
    let model = by_name("gp").unwrap();
    let model = model
        .fit(&Dataset::new(x.clone(), y.clone()).unwrap(), 0)
        .unwrap();
    let found = model.leave_one_out().unwrap();
    let parameter = |name| model.summary().hyperparameter(name).unwrap();
    let (a, l2, s2) = (
        parameter("amplitude"),
        parameter("length_squared"),
        parameter("noise"),
    );
    let k = |i: usize, j: usize| a * (-(x.row(i) - x.row(j)).norm_squared() / (2.0 * l2)).exp();
    let mean = y.mean();
    let scale = (y.map(|y| y - mean).norm_squared() / n as f64).sqrt();
    for i in 0..n {
        let others: Vec<usize> = (0..n).filter(|&j| j != i).collect();
        let covariance = DMatrix::from_fn(n - 1, n - 1, |p, q| {
            k(others[p], others[q]) + if p == q { s2 } else { 0.0 }
        });
        let inverse = covariance.try_inverse().unwrap();
        let cross = DVector::from_fn(n - 1, |p, _| k(others[p], i));
        let targets = DVector::from_fn(n - 1, |p, _| (y[others[p]] - mean) / scale);
        let expected = mean + scale * cross.dot(&(&inverse * targets));
        let variance = a - cross.dot(&(&inverse * &cross));
        approx::assert_relative_eq!(found.mean[i], expected, epsilon = 1e-4, max_relative = 1e-5);
        let std = found.observation_std.as_ref().unwrap()[i];
        approx::assert_relative_eq!(std, scale * (variance + s2).sqrt(), max_relative = 1e-4);
    }
}

#[test]
fn families_without_a_closed_form_say_so() {
    let x = DMatrix::from_fn(9, 1, |i, _| i as f64);
    let data = Dataset::new(x.clone(), x.column(0).into_owned()).unwrap();
    for name in ["rf", "mlp"] {
        let model = by_name(name).unwrap().fit(&data, 0).unwrap();
        assert!(model.leave_one_out().is_none());
    }
}
