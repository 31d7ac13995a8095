//! Covariances: their gradients, their limits, and what each kind says of a function.

use std::sync::Arc;

use crate::composed::{
    DIMENSIONS, NARROW, assert_slopes, eta, kernels, points, sample, spread, with,
};
use approx::{assert_abs_diff_eq, assert_relative_eq};
use dilgp::dil::evidence::Evidence;
use dilgp::dil::family::Family;
use dilgp::dil::pairs::Pairs;
use dilgp::process::{
    Columns, Covariance, Dot, Lengths, Level, Linear, Matern52, Noise, Part, Process, Radial,
    RationalQuadratic, Rbf, Scaled, Sum, Trend, View, WithPrior,
};
use dilgp::{Dataset, Model, Prior};
use nalgebra::{DMatrix, DVector};

/// The sums are used if a covariance stands within another, so each is asked for alone too.
#[test]
fn every_covariance_has_the_sums_and_gradients_of_its_values() {
    let trend = Trend {
        level: 16.0,
        about: 0.2,
    };
    let alone: [Arc<dyn Covariance>; 8] = [
        Arc::new(Radial::new(Rbf, Lengths::Shared)),
        Arc::new(Radial::new(Matern52, Lengths::Each)),
        Arc::new(Radial::new(RationalQuadratic, Lengths::Each)),
        Arc::new(Linear),
        Arc::new(Dot),
        Arc::new(Level(4.0)),
        Arc::new(trend),
        Arc::new(Scaled(Sum(Level(0.5), Radial::new(Rbf, Lengths::Each)))),
    ];
    let others = Columns::from_rows(points(9));
    let weight: Vec<f64> = (0..9).map(|k| (k as f64 * 0.9).cos()).collect();
    let x = [0.3, -0.2, 0.7];
    let view = View::all(&x, &others).weighed(&weight);
    for kernel in kernels().iter().chain(&alone) {
        let count = kernel.count(DIMENSIONS);
        assert_eq!(count, kernel.parameters(DIMENSIONS).len(), "{kernel:?}");
        let theta: Vec<f64> = (0..count).map(|k| 0.5 + 0.3 * k as f64).collect();
        let values = |theta: &[f64], x: &[f64]| {
            let mut values = [0.0; 9];
            kernel.values(theta, View::all(x, &others), &mut values);
            values
        };
        let sum_of = |theta: &[f64], x: &[f64]| -> f64 {
            let pairs = weight.iter().zip(values(theta, x));
            pairs.map(|(w, k)| w * k).sum()
        };
        let sum = sum_of(&theta, &x);
        let mut by_parameters = vec![0.0; count];
        let weighed = kernel.weigh_by_parameters(&theta, view, &mut by_parameters);
        assert_relative_eq!(weighed, sum, max_relative = 1e-12);
        let logarithms: Vec<f64> = theta.iter().map(|theta| theta.ln()).collect();
        assert_slopes(&by_parameters, &logarithms, 1.0, |eta| {
            let theta: Vec<f64> = eta.iter().map(|eta| eta.exp()).collect();
            sum_of(&theta, &x)
        });
        let mut by_input = [f64::NAN; DIMENSIONS];
        let weighed = kernel.weigh_by_input(&theta, view, &mut by_input);
        assert_relative_eq!(weighed, sum, max_relative = 1e-12);
        assert_slopes(&by_input, &x, 1.0, |x| sum_of(&theta, x));
        // One pass gives the same as two.
        let (mut both, mut again) = ([0.0; 9], [0.0; DIMENSIONS]);
        let once = kernel.values_and_weigh_by_input(&theta, view, &mut both, &mut again);
        assert_relative_eq!(once, sum, max_relative = 1e-12);
        let two = values(&theta, &x);
        for (one, other) in two.iter().chain(&by_input).zip(both.iter().chain(&again)) {
            assert_abs_diff_eq!(one, other, epsilon = 1e-12);
        }
        // k(x, x), and how it changes with x.
        let own = |x: &[f64]| {
            let mut value = [0.0];
            let itself = Columns::from_rows(DMatrix::from_row_slice(1, DIMENSIONS, x));
            kernel.values(&theta, View::all(x, &itself), &mut value);
            value[0]
        };
        let mut by_itself = [f64::NAN; DIMENSIONS];
        let value = kernel.at_itself(&theta, &x, &mut by_itself);
        assert_relative_eq!(value, own(&x), max_relative = 1e-12);
        assert_slopes(&by_itself, &x, 1.0, own);
    }
}

#[test]
fn likelihood_gradients_agree_with_finite_differences() {
    // 70 points: more than one block of the inner loop, and a remainder.
    let data = sample(70);
    for kernel in kernels() {
        for noise in [Noise::Inferred, Noise::Fixed(0.05)] {
            let process = with(kernel.clone(), noise);
            let eta = eta(&process);
            let found = process.objective(&data, &eta).unwrap();
            let largest = found.gradient.iter().fold(0.0_f64, |a, g| a.max(g.abs()));
            let value = |eta: &[f64]| process.objective(&data, eta).unwrap().value;
            assert_slopes(&found.gradient, &eta, largest, value);
        }
    }
}

#[test]
fn likelihood_gradients_agree_where_something_is_known_of_the_noise_of_rows() {
    let data = sample(40);
    let errors = DVector::from_fn(40, |i, _| if i % 3 == 0 { 0.0 } else { 0.02 * i as f64 });
    let counts = DVector::from_fn(40, |i, _| 1.0 + (i % 4) as f64);
    let data = data
        .with_errors(errors)
        .unwrap()
        .with_counts(counts)
        .unwrap();
    for kernel in kernels() {
        let process = with(kernel.clone(), Noise::Inferred);
        let eta = eta(&process);
        let found = process.objective(&data, &eta).unwrap();
        let largest = found.gradient.iter().fold(0.0_f64, |a, g| a.max(g.abs()));
        let value = |eta: &[f64]| process.objective(&data, eta).unwrap().value;
        assert_slopes(&found.gradient, &eta, largest, value);
    }
}

/// Standardised targets, so that units stay what they are when rows are added.
fn standardised(y: Vec<f64>) -> DVector<f64> {
    let y = DVector::from_vec(y);
    let (mean, spread) = (y.mean(), y.variance().sqrt());
    y.map(|y| (y - mean) / spread)
}

#[test]
fn a_mean_of_several_observations_predicts_as_they_do_and_a_known_error_as_its_noise() {
    let x = DMatrix::from_fn(12, 2, |i, j| ((7 * i + 5 * j) as f64 * 0.37).sin());
    let y = standardised((0..12).map(|i| (f64::from(i) * 0.9).cos()).collect());
    let process = Process::new("gp", Scaled(Radial::new(Rbf, Lengths::Each)));
    let eta = [0.1, -0.2, 0.3, 0.2f64.ln()];
    let at = DMatrix::from_row_slice(2, 2, &[0.3, -0.1, 0.9, 0.4]);
    let counts = DVector::from_fn(12, |i, _| if i == 4 { 3.0 } else { 1.0 });
    let once = Dataset::new(x.clone(), y.clone()).unwrap();
    let once = once.with_counts(counts).unwrap();
    let once = process.condition(&once, &eta).unwrap().predict(&at);
    // The same point three times, with values whose mean is that of the row; a unit of one keeps all in it.
    let first = Dataset::new(x.clone(), y.clone()).unwrap();
    let first = first.with_errors(DVector::from_element(12, 0.0)).unwrap();
    let rows = vec![[x[(4, 0)], x[(4, 1)]]; 2];
    let thrice = process.condition(&first, &eta).unwrap();
    let thrice = thrice
        .append_all(&rows, &[y[4]; 2], &[0.0; 2])
        .unwrap()
        .predict(&at);
    for k in 0..2 {
        assert_relative_eq!(once.mean[k], thrice.mean[k], max_relative = 1e-9);
        let std = |of: &dilgp::Prediction| of.std.as_ref().unwrap()[k];
        assert_relative_eq!(std(&once), std(&thrice), max_relative = 1e-9);
    }
    // Noise of 0.2 everywhere, or of 0.05 and a known variance of 0.15 beside it.
    let plain = Dataset::new(x.clone(), y.clone()).unwrap();
    let plain = process.condition(&plain, &eta).unwrap().predict(&at);
    let known = Dataset::new(x, y.clone()).unwrap();
    let unit = (y.map(|y| y * y).mean() - y.mean().powi(2)).sqrt();
    let known = known
        .with_errors(DVector::from_element(12, 0.15f64.sqrt() * unit))
        .unwrap();
    let less = [eta[0], eta[1], eta[2], 0.05f64.ln()];
    let known = process.condition(&known, &less).unwrap().predict(&at);
    assert_relative_eq!(plain.mean[0], known.mean[0], max_relative = 1e-9);
    assert_relative_eq!(
        plain.std.unwrap()[1],
        known.std.unwrap()[1],
        max_relative = 1e-9
    );
}

#[test]
fn what_cannot_be_known_of_rows_is_refused() {
    let data = || sample(3);
    let refused = |made: Result<Dataset, dilgp::Error>| made.unwrap_err().to_string();
    let negative = data().with_errors(DVector::from_vec(vec![0.1, -0.1, 0.0]));
    assert_eq!(
        refused(negative),
        "what is said of the target at row 1 (from 0) is -0.1, not a finite number of at least 0"
    );
    let none = data().with_counts(DVector::from_vec(vec![1.0, 1.0, 0.5]));
    assert!(refused(none).contains("at row 2 (from 0) is 0.5, not a finite number of at least 1"));
    assert!(data().with_errors(DVector::from_vec(vec![0.1])).is_err());
}

#[test]
fn input_gradients_agree_with_finite_differences() {
    let data = sample(80);
    for kernel in kernels() {
        let process = with(kernel, Noise::Inferred);
        let model = process.condition(&data, &eta(&process)).unwrap();
        for at in [[0.31, -0.42, 0.77], [2.5, 0.1, -1.9]] {
            let slope = model.slope(&at).unwrap();
            let predicted = model.predict(&DMatrix::from_row_slice(1, 3, &at));
            assert_relative_eq!(slope.mean, predicted.mean[0], max_relative = 1e-12);
            let std = predicted.std.unwrap()[0];
            assert_relative_eq!(slope.std.unwrap(), std, max_relative = 1e-9);
            let there = |x: &[f64]| model.slope(x).unwrap();
            assert_slopes(&slope.mean_gradient, &at, 0.1, |x| there(x).mean);
            let std_gradient = slope.std_gradient.unwrap();
            assert_slopes(&std_gradient, &at, 0.1, |x| there(x).std.unwrap());
        }
    }
}

#[test]
fn the_square_of_a_shared_length_is_the_same_process_with_twice_the_logarithm() {
    let data = sample(40);
    let with = |lengths| {
        let kernel = Scaled(Radial::new(RationalQuadratic, lengths));
        Process::new("gp", kernel)
    };
    let of_length = with(Lengths::Shared);
    let of_square = with(Lengths::SharedSquare);
    let (eta, squared) = ([0.3, -0.2, 0.5, -2.0], [0.3, -0.4, 0.5, -2.0]);
    let one = of_length.objective(&data, &eta).unwrap();
    let other = of_square.objective(&data, &squared).unwrap();
    assert_relative_eq!(one.value, other.value, max_relative = 1e-14);
    for (j, (a, b)) in one.gradient.iter().zip(&other.gradient).enumerate() {
        let twice = if j == 1 { 2.0 } else { 1.0 };
        assert_relative_eq!(*a, twice * b, max_relative = 1e-12);
    }
    assert_eq!(of_square.kernel.parameters(3)[1].name, "length_squared");
}

#[test]
fn the_evidence_of_a_family_is_the_likelihood_of_its_covariance() {
    let data = sample(40);
    let mean = data.y().mean();
    let residuals = data.y().map(|y| (y - mean) / spread(data.y()));
    for family in [
        Family::Rbf,
        Family::Matern52,
        Family::RationalQuadratic,
        Family::DotProduct,
    ] {
        let process = Process::with("gp", family.covariance());
        let mut eta = vec![0.3, -0.4, 0.5][..family.parameters()].to_vec();
        eta.push(-2.0);
        let pairs = Pairs::compare(family, data.x());
        let evidence = Evidence::weigh(family, &pairs, &residuals, &eta).unwrap();
        let ours = process.objective(&data, &eta).unwrap();
        let parameters = process.kernel.parameters(DIMENSIONS).into_iter();
        let noise = Prior {
            centre: 0.01_f64.ln(),
            deviation: 3.0,
        };
        let priors = parameters.map(|parameter| parameter.prior).chain([noise]);
        let mut value = evidence.negative_log();
        let mut gradient = evidence.gradient();
        for ((prior, eta), entry) in priors.zip(&eta).zip(&mut gradient) {
            let (cost, slope) = prior.penalty(*eta);
            value += cost;
            *entry += slope;
        }
        assert_relative_eq!(ours.value, value, max_relative = 1e-12);
        for (a, b) in ours.gradient.iter().zip(&gradient) {
            assert_relative_eq!(*a, *b, max_relative = 1e-9, epsilon = 1e-9);
        }
        let model = process.condition(&data, &eta).unwrap();
        assert_relative_eq!(model.summary().objective, ours.value, max_relative = 1e-14);
    }
}

#[test]
fn coordinates_outside_a_part_do_not_matter() {
    let data = sample(20);
    let seen = Dataset::new(data.x().columns(1, 2).into_owned(), data.y().clone()).unwrap();
    let radial = Radial::new(Rbf, Lengths::Each);
    let of_part = Process::new("gp", Scaled(Part::new(radial, 1..3)));
    let alone = Process::new("gp", Scaled(radial));
    let eta = [0.2, -0.5, -0.1, -3.0];
    let of_part = of_part.condition(&data, &eta).unwrap();
    let alone = alone.condition(&seen, &eta).unwrap();
    let mut x = points(5).map(|x| 0.7 * x);
    let expected = alone.predict(&x.columns(1, 2).into_owned());
    assert_eq!(of_part.predict(&x), expected);
    x.column_mut(0).fill(9.0);
    assert_eq!(of_part.predict(&x), expected);
    let slope = of_part.slope(&[9.0, 0.2, 0.3]).unwrap();
    assert_eq!(slope.mean_gradient[0], 0.0);
    assert_eq!(slope.mean, alone.slope(&[0.2, 0.3]).unwrap().mean);
}

#[test]
fn far_from_a_crowd_an_unknown_level_is_the_generalised_least_squares_mean() {
    // Thirty low values in one place and three others, each alone.
    let x = DMatrix::from_fn(33, 1, |i, _| match i {
        0..30 => 0.001 * i as f64,
        _ => 10.0 * (i - 29) as f64,
    });
    let y = DVector::from_fn(33, |i, _| if i < 30 { 0.0 } else { (i - 27) as f64 });
    let data = Dataset::new(x.clone(), y.clone()).unwrap();
    let eta = [0.0, 0.0, -2.0];
    let radial = || Scaled(Radial::new(Matern52, Lengths::Shared));
    let fitted = |process: Process| process.condition(&data, &eta).unwrap();
    let far = DMatrix::from_element(1, 1, 1e3);
    let known = fitted(Process::new("gp", radial())).predict(&far);
    assert_abs_diff_eq!(known.mean[0], y.mean(), epsilon = 1e-9);
    let unknown = fitted(Process::new("gp", Sum(radial(), Level(1e6)))).predict(&far);
    // 1'K^-1 y / 1'K^-1 1, by solving for both.
    let mut k = DMatrix::from_fn(33, 33, |i, j| {
        let z = 5f64.sqrt() * (x[i] - x[j]).abs();
        (1.0 + z + z * z / 3.0) * (-z).exp()
    });
    k.fill_diagonal(1.0 + (-2f64).exp());
    let ones = DVector::from_element(33, 1.0);
    let weights = k.lu().solve(&ones).unwrap();
    let level = weights.dot(&y) / weights.sum();
    assert_abs_diff_eq!(unknown.mean[0], level, epsilon = 1e-4);
    assert!(level > 5.0 * y.mean(), "{level}");
    // The level's variance comes on top of the function's own.
    let scale = y.variance().sqrt();
    let own = known.std.unwrap()[0] / scale;
    assert_abs_diff_eq!(own, 1.0, epsilon = 1e-9);
    let whole = unknown.std.unwrap()[0] / scale;
    assert_abs_diff_eq!(whole.powi(2), 1.0 + 1.0 / weights.sum(), epsilon = 1e-4);
}

#[test]
fn a_trend_continues_a_quadratic_function_beyond_the_observations() {
    let parabola = |a: f64, b: f64| 3.0 + 2.0 * a - b + 4.0 * a * a - 3.0 * a * b + 0.5 * b * b;
    // Thirty points in the middle ninth of a square, asked of at its corners.
    let x = DMatrix::from_fn(30, 2, |i, j| {
        0.33 + 0.34 * ((i * (5 + 8 * j)) % 31) as f64 / 31.0
    });
    let y = DVector::from_fn(30, |i, _| parabola(x[(i, 0)], x[(i, 1)]));
    let data = Dataset::new(x, y).unwrap();
    let radial = || Scaled(Radial::new(Matern52, Lengths::Shared));
    let trend = Trend {
        level: 1e4,
        about: 0.5,
    };
    let corners = DMatrix::from_row_slice(4, 2, &[0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0]);
    let true_values = [(0.0, 0.0), (0.0, 1.0), (1.0, 0.0), (1.0, 1.0)].map(|(a, b)| parabola(a, b));
    let farthest = |process: Process, eta: &[f64]| {
        let found = process.condition(&data, eta).unwrap().predict(&corners);
        (found.mean - DVector::from_row_slice(&true_values)).amax()
    };
    let with = Process::new("gp", Sum(radial(), trend));
    assert!(farthest(with, &[-8.0, 0.0, 8.0, 8.0, -16.0]) < 0.05);
    let without = Process::new("gp", Sum(radial(), Level(1e4)));
    assert!(farthest(without, &[0.0, 0.0, -16.0]) > 0.5);
}

#[test]
fn another_prior_changes_one_parameter() {
    let believed = WithPrior::new(Scaled(Linear), "amplitude", NARROW);
    let [amplitude, offset] = &believed.parameters(2)[..] else {
        panic!("two parameters");
    };
    assert_eq!(amplitude.prior, NARROW);
    assert_eq!(offset.prior, Linear.parameters(2)[0].prior);
}

#[test]
fn equal_lengths_are_one_shared_length() {
    let data = sample(40);
    let each = with(kernels()[2].clone(), Noise::Inferred);
    let shared = Scaled(Radial::new(Matern52, Lengths::Shared));
    let shared = with(Arc::new(shared), Noise::Inferred);
    let one = each.condition(&data, &[0.1, -0.3, -0.3, -0.3, -2.0]);
    let other = shared.condition(&data, &[0.1, -0.3, -2.0]);
    let [one, other] = [one, other].map(|model| model.unwrap().predict(&points(20)));
    assert_eq!(one, other);
}
