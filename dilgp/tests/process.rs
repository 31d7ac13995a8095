//! The composed Gaussian process: growth, warm starts, draws, and its limits.

use crate::composed::{DIMENSIONS, eta, kernels, points, sample, spread, with};
use approx::assert_relative_eq;
use dilgp::process::{FittedProcess, Noise, Process};
use dilgp::{Dataset, Error, Model};
use nalgebra::{DMatrix, DVector};

#[test]
fn an_observation_is_never_more_certain_than_its_noise() {
    let x = DMatrix::from_fn(300, 1, |i, _| i as f64 / 3000.0);
    let y = DVector::from_fn(300, |i, _| x[(i, 0)] + 0.1 * (i as f64).sin());
    let data = Dataset::new(x.clone(), y).unwrap();
    let scale = spread(data.y());
    let mut process = Process::rbf();
    let noise = 1.2e-10;
    process.noise = Noise::Fixed(noise);
    let model = process.condition(&data, &[8.0, 8.0]).unwrap();
    assert_eq!(model.summary().jitter, 0.0);

    let predicted = model.predict(&x);
    let (std, observed) = (predicted.std.unwrap(), predicted.observation_std.unwrap());
    let rounded = std.iter().any(|std| *std == 0.0);
    assert!(rounded, "rounding reached no variance");
    for (std, observed) in std.iter().zip(&observed) {
        let expected = (std * std + scale * scale * noise).sqrt();
        assert_relative_eq!(*observed, expected, max_relative = 1e-9);
    }
}

#[test]
fn a_point_appended_is_a_point_conditioned_on() {
    let all = sample(60);
    let some = Dataset::new(
        all.x().rows(0, 50).into_owned(),
        all.y().rows(0, 50).into_owned(),
    );
    let process = with(kernels()[2].clone(), Noise::Inferred);
    let eta = eta(&process);
    let first = process.condition(&some.unwrap(), &eta).unwrap();
    let grown = (50..60).fold(first.clone(), |model, i| {
        let x: Vec<f64> = all.x().row(i).iter().copied().collect();
        model.append(&x, all.y()[i]).unwrap()
    });
    // Targets are standardised by the first 50, so the whole is given in those units.
    let whole = process.condition(&all, &eta).unwrap();
    let (a, b) = (grown.predict(&points(30)), whole.predict(&points(30)));
    let ratio = spread(all.y()) / spread(&all.y().rows(0, 50).into_owned());
    let (a_std, b_std) = (a.std.unwrap(), b.std.unwrap());
    for i in 0..30 {
        assert_relative_eq!(a_std[i] * ratio, b_std[i], max_relative = 1e-8);
    }
    // The mean shrinks towards the mean of the first 50, which is not that of all.
    assert!((a.mean - b.mean).amax() < 0.01);
    let left_out = grown.leave_one_out().unwrap();
    assert_eq!(left_out.mean.len(), 60);
}

#[test]
fn a_repetition_without_noise_is_appended_with_jitter() {
    let data = sample(20);
    let process = with(kernels()[0].clone(), Noise::Fixed(0.0));
    let model = process.condition(&data, &eta(&process)).unwrap();
    let x: Vec<f64> = data.x().row(3).iter().copied().collect();
    let mut grown = model;
    for _ in 0..5 {
        grown = grown.append(&x, data.y()[3]).unwrap();
    }
    assert!(grown.summary().jitter > 0.0);
    let predicted = grown.predict(data.x());
    assert!((predicted.mean - data.y()).amax() < 0.05);
}

#[test]
fn appended_numbers_must_be_finite() {
    let model = Process::matern().train(&sample(9), 1).unwrap();
    let refused = model.append(&[0.0, f64::NAN, 0.0], 1.0).unwrap_err();
    assert!(matches!(
        refused,
        Error::NonFiniteInput { row: 9, column: 1, value } if value.is_nan()
    ));
    let refused = model.append(&[0.0; 3], f64::INFINITY).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "target at row 9 (from 0) is inf, not a finite number"
    );
}

#[test]
fn a_warm_start_ends_where_the_cold_one_did_with_fewer_evaluations() {
    let data = sample(60);
    let process = Process::matern();
    let cold = process.train(&data, 3).unwrap();
    let warm = process.fit_from(&data, cold.eta(), false, 4).unwrap();
    let guarded = process.fit_from(&data, cold.eta(), true, 4).unwrap();
    let objective = |model: &FittedProcess| model.summary().objective;
    assert!(objective(&warm) <= objective(&cold) + 1e-9);
    assert!(objective(&guarded) <= objective(&warm));
    assert!(warm.summary().evaluations < cold.summary().evaluations / 3);
    assert!(guarded.summary().evaluations > warm.summary().evaluations);
    // A warm start in a bad place is what the guard is for.
    let lost: Vec<f64> = cold.eta().iter().map(|_| -5.0).collect();
    let rescued = process.fit_from(&data, &lost, true, 4).unwrap();
    assert!(objective(&rescued) <= objective(&cold) + 1.0);
}

#[test]
fn hyper_parameters_of_the_wrong_number_are_refused() {
    let data = sample(10);
    let process = Process::matern();
    let negative = with(kernels()[0].clone(), Noise::Fixed(-1.0));
    for (refused, message) in [
        (
            process.fit_from(&data, &[0.0; 4], true, 1),
            "entries of eta of a Gaussian process is 4; it must be as many as there are \
             hyper-parameters",
        ),
        (
            process.condition(&data, &[f64::NAN; 5]),
            "an entry of eta of a Gaussian process is NaN; it must be a finite number",
        ),
        (
            negative.train(&data, 1),
            "fixed noise of gp is -1; it must be a finite number of at least 0",
        ),
    ] {
        assert_eq!(refused.unwrap_err().to_string(), message);
    }
}

#[test]
fn an_input_that_does_not_matter_gets_a_long_length() {
    let data = sample(80);
    let model = Process::rbf().train(&data, 1).unwrap();
    let length = |k: usize| {
        let name = format!("length_{k}");
        model.summary().hyperparameter(&name).unwrap()
    };
    assert!(length(3) > 3.0 * length(1), "{} {}", length(1), length(3));
}

#[test]
fn a_deterministic_objective_is_interpolated() {
    let x = DMatrix::from_fn(25, 1, |i, _| i as f64 / 24.0);
    let y = x.column(0).map(|x| (6.0 * x).sin());
    let process = Process {
        noise: Noise::DETERMINISTIC,
        ..Process::matern()
    };
    let data = Dataset::new(x.clone(), y.clone()).unwrap();
    let model = process.train(&data, 1).unwrap();
    let there = model.predict(&x);
    assert!((there.mean - y).amax() < 1e-6);
    assert!(there.std.unwrap().amax() < 2e-4);
}

#[test]
fn points_together_have_the_mean_and_the_deviations_of_each_alone() {
    let model = Process::matern().train(&sample(15), 1).unwrap();
    let x = points(40).rows(20, 6).into_owned();
    let (mean, covariance) = model.joint(&x).unwrap();
    let alone = model.predict(&x);
    for i in 0..6 {
        assert_relative_eq!(mean[i], alone.mean[i], max_relative = 1e-9, epsilon = 1e-12);
        let std = alone.std.as_ref().unwrap()[i];
        assert_relative_eq!(covariance[(i, i)].sqrt(), std, max_relative = 1e-7);
    }
    let [one, other] = [0, 1].map(|i| x.rows(i, 1).into_owned());
    let at = |x: &DMatrix<f64>| model.joint(x).unwrap().1[(0, 0)];
    let both = DMatrix::from_fn(2, DIMENSIONS, |i, j| [&one, &other][i][j]);
    let (_, of_both) = model.joint(&both).unwrap();
    assert_relative_eq!(of_both[(0, 0)], at(&one), max_relative = 1e-12);
    assert_eq!(of_both[(0, 1)], of_both[(1, 0)]);
}
