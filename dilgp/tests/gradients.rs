//! Likelihood, invariance penalty and slopes of fitted models against central differences.

use crate::composed::assert_slopes;
use dilgp::dil::evidence::Evidence;
use dilgp::dil::family::Family;
use dilgp::dil::pairs::Pairs;
use dilgp::dil::penalty::Penalty;
use dilgp::{Dataset, Model, NAMES, by_name};
use nalgebra::{DMatrix, DVector};

const H: f64 = 1e-5;
const FAMILIES: [Family; 4] = [
    Family::Rbf,
    Family::Matern52,
    Family::RationalQuadratic,
    Family::DotProduct,
];

fn sample(n: usize) -> (DMatrix<f64>, DVector<f64>) {
    let x = DMatrix::from_fn(n, 2, |i, j| ((13 * i + 5 * j) as f64 * 0.61).sin());
    let y = DVector::from_fn(n, |i, _| {
        (2.0 * x[(i, 0)]).sin() - x[(i, 1)] + 0.2 * (3.0 * i as f64).cos()
    });
    (x, y)
}

fn hyperparameters(family: Family) -> Vec<f64> {
    let mut eta = vec![0.3, -0.4, 0.2];
    eta.truncate(family.parameters());
    eta.push(-1.5);
    eta
}

#[test]
fn likelihood_and_penalty_by_hyperparameters_and_by_assignment_for_every_kernel() {
    let (x, y) = sample(15);
    let q: Vec<f64> = (0..15).map(|i| (1.7 * i as f64).sin() * 2.0).collect();
    for family in FAMILIES {
        let pairs = Pairs::compare(family, &x);
        let eta = hyperparameters(family);
        let weigh = |eta: &[f64]| Evidence::weigh(family, &pairs, &y, eta).unwrap();
        let evidence = weigh(&eta);
        let likelihood = |eta: &[f64]| weigh(eta).negative_log();
        assert_slopes(&evidence.gradient(), &eta, 10.0, likelihood);
        let by_eta = |eta: &[f64]| Penalty::new(&weigh(eta), &y).value(&q);
        let penalty = Penalty::new(&evidence, &y);
        let (value, gradient) = penalty.by_hyperparameters(&q);
        approx::assert_relative_eq!(value, penalty.value(&q), max_relative = 1e-12);
        assert_slopes(&gradient, &eta, 10.0, by_eta);
        let (value, gradient) = penalty.by_assignment(&q);
        approx::assert_relative_eq!(value, penalty.value(&q), max_relative = 1e-12);
        assert_slopes(&gradient, &q, 10.0, |q| penalty.value(q));
    }
}

#[test]
fn slopes_are_those_of_the_mean_of_an_environment_along_the_dummy_weight() {
    let (x, y) = sample(15);
    let pairs = Pairs::compare(Family::Rbf, &x);
    let eta = hyperparameters(Family::Rbf);
    let q: Vec<f64> = (0..15).map(|i| (1.7 * i as f64).sin() * 2.0).collect();
    let evidence = Evidence::weigh(Family::Rbf, &pairs, &y, &eta).unwrap();
    let slopes = Penalty::new(&evidence, &y).slopes(&q);
    let weights = dilgp::dil::penalty::weights_of(&q);
    for (e, slope) in slopes.iter().enumerate() {
        let masked = DVector::from_fn(15, |i, _| {
            y[i] * if e == 0 { weights[i] } else { 1.0 - weights[i] }
        });
        // L_e is the log likelihood of the masked targets; theta -> w theta shifts every eta.
        let log_likelihood = |by: f64| {
            let eta: Vec<f64> = eta.iter().map(|eta| eta + by).collect();
            -Evidence::weigh(Family::Rbf, &pairs, &masked, &eta)
                .unwrap()
                .negative_log()
        };
        let expected = (log_likelihood(H) - log_likelihood(-H)) / (2.0 * H);
        approx::assert_relative_eq!(*slope, expected, max_relative = 1e-7);
    }
}

#[test]
fn slopes_of_fitted_models_agree_with_their_predictions() {
    let (x, y) = sample(25);
    let data = Dataset::new(x, y * 40.0).unwrap();
    for name in NAMES {
        let model = by_name(name).unwrap().fit(&data, 3).unwrap();
        for at in [[0.11, -0.52], [0.7, 0.9], [-2.0, 1.4], [25.0, -30.0]] {
            let predicted = |at: &[f64]| model.predict(&DMatrix::from_row_slice(1, 2, at));
            let Some(slope) = model.slope(&at) else {
                assert_eq!(name, "rf");
                continue;
            };
            let here = predicted(&at);
            let near = |a: f64, b: f64| (a - b).abs() < 1e-9 * (40.0 + b.abs());
            assert!(near(slope.mean, here.mean[0]), "{name}");
            assert_slopes(&slope.mean_gradient, &at, 10.0, |at| predicted(at).mean[0]);
            let (Some(std), Some(gradient)) = (slope.std, slope.std_gradient) else {
                assert!(here.std.is_none() && name == "mlp");
                continue;
            };
            assert!(near(std, here.std.unwrap()[0]), "{name}");
            assert_slopes(&gradient, &at, 10.0, |at| predicted(at).std.unwrap()[0]);
        }
    }
}

/// Mean and variance of the function of a fitted `gp` at `at`, by the textbook's formula from some of the
/// training points; and the variance of the noise. On the targets' own scale.
fn textbook(
    model: &dyn Model,
    (x, y): (&DMatrix<f64>, &DVector<f64>),
    used: &[usize],
    at: &[f64],
) -> (f64, f64, f64) {
    let parameter = |name| model.summary().hyperparameter(name).unwrap();
    let (a, s2) = (parameter("amplitude"), parameter("noise"));
    let row = |i: usize| DVector::from_fn(x.ncols(), |j, _| x[(used[i], j)]);
    let k = |p: &DVector<f64>, q: &DVector<f64>| {
        a * (-(p - q).norm_squared() / (2.0 * parameter("length_squared"))).exp()
    };
    let n = used.len();
    let noise = DMatrix::identity(n, n) * s2;
    let covariance = DMatrix::from_fn(n, n, |i, j| k(&row(i), &row(j))) + noise;
    let inverse = covariance.try_inverse().unwrap();
    let at = DVector::from_row_slice(at);
    let cross = DVector::from_fn(n, |i, _| k(&row(i), &at));
    let scale = y.map(|v| (v - y.mean()).powi(2)).mean().sqrt();
    let targets = DVector::from_fn(n, |i, _| y[used[i]] - y.mean());
    let mean = y.mean() + cross.dot(&(&inverse * targets));
    let square = scale * scale;
    (
        mean,
        square * (a - cross.dot(&(&inverse * &cross))),
        square * s2,
    )
}

#[test]
fn predictions_agree_with_the_textbook_formula_computed_another_way() {
    let (x, y) = sample(20);
    let data = Dataset::new(x.clone(), y.clone()).unwrap();
    let model = by_name("gp").unwrap().fit(&data, 0).unwrap();
    let all: Vec<usize> = (0..20).collect();
    for at in [[0.2, 0.1], [1.5, -0.7]] {
        let (mean, variance, noise) = textbook(model.as_ref(), (&x, &y), &all, &at);
        let predicted = model.predict(&DMatrix::from_row_slice(1, 2, &at));
        approx::assert_relative_eq!(predicted.mean[0], mean, max_relative = 1e-7);
        let std = predicted.std.unwrap()[0];
        approx::assert_relative_eq!(std, variance.sqrt(), max_relative = 1e-5);
        let observed = predicted.observation_std.unwrap()[0];
        approx::assert_relative_eq!(observed, (variance + noise).sqrt(), max_relative = 1e-5);
    }
}

#[test]
fn leaving_one_out_is_the_prediction_without_the_point() {
    let n = 18;
    let (x, _) = sample(n);
    let y = DVector::from_fn(n, |i, _| {
        7.0 + 3.0 * (2.0 * x[(i, 0)]).sin() - x[(i, 1)] + 0.5 * (7.0 * i as f64).cos()
    });
    let data = Dataset::new(x.clone(), y.clone()).unwrap();
    let model = by_name("gp").unwrap().fit(&data, 0).unwrap();
    let found = model.leave_one_out().unwrap();
    let (stds, observed) = (found.std.unwrap(), found.observation_std.unwrap());
    for i in 0..n {
        let others: Vec<usize> = (0..n).filter(|&j| j != i).collect();
        let at = [x[(i, 0)], x[(i, 1)]];
        let (mean, variance, noise) = textbook(model.as_ref(), (&x, &y), &others, &at);
        approx::assert_relative_eq!(found.mean[i], mean, epsilon = 1e-4, max_relative = 1e-5);
        approx::assert_relative_eq!(stds[i], variance.sqrt(), max_relative = 1e-3);
        let expected = (variance + noise).sqrt();
        approx::assert_relative_eq!(observed[i], expected, max_relative = 1e-4);
    }
    for name in ["rf", "mlp"] {
        let model = by_name(name).unwrap().fit(&data, 0).unwrap();
        assert!(model.leave_one_out().is_none());
    }
}
