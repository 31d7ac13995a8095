//! The composed Gaussian process: gradients, growth, warm starts, draws, and its limits.

#![allow(clippy::unwrap_used)] // helpers of tests fail by panicking

use std::sync::Arc;

use approx::{assert_abs_diff_eq, assert_relative_eq};
use dilgp::dil::evidence::Evidence;
use dilgp::dil::family::Family;
use dilgp::dil::pairs::Pairs;
use dilgp::process::{
    Believed, Columns, Covariance, Dot, FittedProcess, Lengths, Level, Linear, Matern52, Noise,
    Part, Process, Product, Radial, RationalQuadratic, Rbf, Scaled, Sum, View,
};
use dilgp::{Dataset, Error, Model, Prior, Surrogate};
use nalgebra::{DMatrix, DVector};

const DIMENSIONS: usize = 3;

fn points(n: usize) -> DMatrix<f64> {
    DMatrix::from_fn(n, DIMENSIONS, |i, j| {
        (((31 * i + 17 * j + 5) as f64) * 0.613).sin()
    })
}

fn sample(n: usize) -> Dataset {
    let x = points(n);
    let y = DVector::from_fn(n, |i, _| {
        (2.0 * x[(i, 0)]).sin() + 0.3 * x[(i, 1)] + 0.05 * (7.7 * i as f64).sin()
    });
    Dataset::new(x, y).unwrap()
}

/// Every covariance, alone and composed.
fn kernels() -> Vec<Arc<dyn Covariance>> {
    vec![
        Arc::new(Scaled(Radial::new(Rbf, Lengths::Each))),
        Arc::new(Scaled(Radial::new(Rbf, Lengths::Shared))),
        Arc::new(Scaled(Radial::new(Matern52, Lengths::Each))),
        Arc::new(Scaled(Radial::new(RationalQuadratic, Lengths::Each))),
        Arc::new(Scaled(Radial::new(RationalQuadratic, Lengths::Shared))),
        Arc::new(Scaled(Linear)),
        Family::RationalQuadratic.covariance(),
        Family::DotProduct.covariance(),
        Arc::new(Sum(
            Scaled(Radial::new(Matern52, Lengths::Each)),
            Scaled(Linear),
        )),
        Arc::new(Scaled(Product(
            Radial::new(Rbf, Lengths::Shared),
            Radial::new(RationalQuadratic, Lengths::Each),
        ))),
        Arc::new(Product(
            Sum(Radial::new(Matern52, Lengths::Shared), Linear),
            Scaled(Radial::new(Rbf, Lengths::Each)),
        )),
        // Two gains in an environment that one number describes.
        Arc::new(Sum(
            Product(
                Scaled(Part::new(Linear, 2..3)),
                Part::new(Radial::new(RationalQuadratic, Lengths::Each), 0..2),
            ),
            Believed::new(Scaled(Part::new(Linear, 2..3)), "amplitude", NARROW),
        )),
        // Two gains, and a covariate whose effect is added.
        Arc::new(Sum(
            Scaled(Part::new(Radial::new(Matern52, Lengths::Each), 0..2)),
            Scaled(Part::new(Dot, 2..3)),
        )),
        Arc::new(Sum(
            Scaled(Radial::new(Matern52, Lengths::Each)),
            Level(4.0),
        )),
    ]
}

#[test]
fn parameters_are_counted_as_they_are_named_and_one_pass_gives_what_two_give() {
    let others = Columns::from_rows(points(9));
    let x = [0.3, -0.2, 0.7];
    let view = View::all(&x, &others);
    let weight: Vec<f64> = (0..9).map(|k| (k as f64 * 0.9).cos()).collect();
    for (number, kernel) in kernels().iter().enumerate() {
        let count = kernel.count(DIMENSIONS);
        assert_eq!(count, kernel.parameters(DIMENSIONS).len(), "{number}");
        let theta: Vec<f64> = (0..count).map(|k| 0.5 + 0.3 * k as f64).collect();
        let (mut values, mut slope) = ([0.0; 9], [0.0; DIMENSIONS]);
        kernel.values(&theta, view, &mut values);
        let sum = kernel.weigh_by_input(&theta, view, &weight, &mut slope);
        let (mut both, mut along) = ([0.0; 9], [0.0; DIMENSIONS]);
        let once = kernel.values_and_weigh_by_input(&theta, view, &weight, &mut both, &mut along);
        assert_relative_eq!(once, sum, max_relative = 1e-12);
        for (one, other) in values.iter().chain(&slope).zip(both.iter().chain(&along)) {
            assert_abs_diff_eq!(one, other, epsilon = 1e-12);
        }
    }
}

const NARROW: Prior = Prior {
    centre: -1.4,
    deviation: 0.5,
};

fn with(kernel: Arc<dyn Covariance>, noise: Noise) -> Process {
    Process {
        kernel,
        noise,
        ..Process::matern()
    }
}

/// Hyper-parameters of ordinary size, no two alike.
fn eta(process: &Process) -> Vec<f64> {
    let count = process.kernel.parameters(DIMENSIONS).len();
    let noise = (process.noise == Noise::Inferred).then_some(-2.0);
    let kernel = (0..count).map(|i| 0.4 * ((3 * i + 1) as f64).sin());
    kernel.chain(noise).collect()
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
            for k in 0..eta.len() {
                let at = |step: f64| {
                    let mut moved = eta.clone();
                    moved[k] += step;
                    process.objective(&data, &moved).unwrap().value
                };
                // Fourth order, so that rounding is all that is left.
                let h = 1e-3;
                let difference =
                    (8.0 * (at(h) - at(-h)) - (at(2.0 * h) - at(-2.0 * h))) / (12.0 * h);
                assert_relative_eq!(
                    found.gradient[k],
                    difference,
                    max_relative = 1e-6,
                    epsilon = 1e-7 * largest
                );
            }
        }
    }
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
            for k in 0..DIMENSIONS {
                let moved = |step: f64| {
                    let mut x = at;
                    x[k] += step;
                    let slope = model.slope(&x).unwrap();
                    (slope.mean, slope.std.unwrap())
                };
                let h = 1e-3;
                let fourth = |one: f64, other: f64, two: f64, too: f64| {
                    (8.0 * (one - other) - (two - too)) / (12.0 * h)
                };
                let (p, m, pp, mm) = (moved(h), moved(-h), moved(2.0 * h), moved(-2.0 * h));
                assert_relative_eq!(
                    slope.mean_gradient[k],
                    fourth(p.0, m.0, pp.0, mm.0),
                    max_relative = 1e-6,
                    epsilon = 1e-8
                );
                assert_relative_eq!(
                    slope.std_gradient.as_ref().unwrap()[k],
                    fourth(p.1, m.1, pp.1, mm.1),
                    max_relative = 1e-6,
                    epsilon = 1e-8
                );
            }
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
        let evidence = Evidence::weigh(family, &pairs, &residuals, &eta, None).unwrap();
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

/// So many points of a function that is all but constant that what they leave of its variance is
/// below rounding.
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
    assert!(
        std.iter().any(|std| *std == 0.0),
        "rounding reached no variance"
    );
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
    assert_eq!((first.points(), grown.points()), (50, 60));
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

fn spread(y: &DVector<f64>) -> f64 {
    y.map(|v| (v - y.mean()).powi(2)).mean().sqrt()
}

#[test]
fn leaving_one_out_is_fitting_without_it() {
    let data = sample(25);
    let process = with(kernels()[0].clone(), Noise::Inferred);
    let eta = eta(&process);
    let whole = process
        .condition(&data, &eta)
        .unwrap()
        .leave_one_out()
        .unwrap();
    let (mean, scale) = (data.y().mean(), spread(data.y()));
    for i in [0, 11, 24] {
        let rest = Dataset::new(
            data.x().clone().remove_row(i),
            data.y().clone().remove_row(i),
        );
        let rest = rest.unwrap();
        let x = data.x().row(i).into_owned();
        let x = DMatrix::from_row_slice(1, DIMENSIONS, x.as_slice());
        // Predicted from the rest, in the units of all: linear in the residuals.
        let model = process.condition(&rest, &eta).unwrap();
        let ones = Dataset::new(rest.x().clone(), rest.y().map(|_| 0.0)).unwrap();
        let weights = process.condition(&ones, &eta).unwrap();
        let ratio = weights.predict(&x).std.unwrap()[0] * scale;
        assert_relative_eq!(whole.std.as_ref().unwrap()[i], ratio, max_relative = 1e-9);
        // The two standardisations differ by one point of 25; the prediction by little.
        assert_abs_diff_eq!(whole.mean[i], model.predict(&x).mean[0], epsilon = 0.1);
        assert!((whole.mean[i] - mean).abs() < 5.0 * scale);
    }
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
    let message = process.fit_from(&data, &[0.0; 4], true, 1).unwrap_err();
    assert_eq!(
        message.to_string(),
        "entries of eta of a Gaussian process is 4; it must be as many as there are \
         hyper-parameters"
    );
    let broken = process.condition(&data, &[f64::NAN; 5]).unwrap_err();
    assert!(
        broken
            .to_string()
            .contains("an entry of eta of a Gaussian process is NaN")
    );
    let negative = with(kernels()[0].clone(), Noise::Fixed(-1.0));
    assert_eq!(
        negative.train(&data, 1).unwrap_err().to_string(),
        "fixed noise of gp is -1; it must be a finite number of at least 0"
    );
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
fn what_a_part_does_not_see_does_not_matter() {
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
fn another_belief_changes_one_prior_and_no_value() {
    let believed = Believed::new(Scaled(Linear), "amplitude", NARROW);
    let [amplitude, offset] = &believed.parameters(2)[..] else {
        panic!("two parameters");
    };
    assert_eq!(amplitude.prior, NARROW);
    assert_eq!(offset.prior, Linear.parameters(2)[0].prior);
}

#[test]
fn a_model_that_can_draw_draws_its_sample() {
    let model = Process::rbf().train(&sample(15), 1).unwrap();
    let x = points(6);
    let drawn = Model::draw(&model, &x, 7).unwrap();
    assert_eq!(drawn, model.sample(&x, 1, 7).unwrap().column(0));
    assert_eq!(
        dilgp::by_name("rf")
            .unwrap()
            .fit(&sample(9), 1)
            .unwrap()
            .draw(&x, 7),
        None
    );
}

#[test]
fn a_deterministic_objective_is_interpolated() {
    let x = DMatrix::from_fn(25, 1, |i, _| i as f64 / 24.0);
    let y = x.column(0).map(|x| (6.0 * x).sin());
    let process = Process {
        noise: Noise::DETERMINISTIC,
        ..Process::matern()
    };
    let model = process
        .train(&Dataset::new(x.clone(), y.clone()).unwrap(), 1)
        .unwrap();
    let there = model.predict(&x);
    assert!((there.mean - y).amax() < 1e-6);
    assert!(there.std.unwrap().amax() < 2e-4);
}

#[test]
fn draws_have_the_posterior_mean_and_covariance() {
    let data = sample(15);
    let model = Process::matern().train(&data, 1).unwrap();
    let x = points(40).rows(20, 6).into_owned();
    let (mean, covariance) = model.joint(&x).unwrap();
    let alone = model.predict(&x);
    let draws = 20_000;
    let drawn = model.sample(&x, draws, 7).unwrap();
    for i in 0..6 {
        assert_relative_eq!(mean[i], alone.mean[i], max_relative = 1e-9, epsilon = 1e-12);
        let std = alone.std.as_ref().unwrap()[i];
        assert_relative_eq!(covariance[(i, i)].sqrt(), std, max_relative = 1e-7);
        // Five standard errors of the mean.
        let tolerance = 5.0 * std / (draws as f64).sqrt();
        assert_abs_diff_eq!(drawn.row(i).mean(), mean[i], epsilon = tolerance);
        for j in 0..=i {
            let product = drawn
                .row(i)
                .iter()
                .zip(drawn.row(j).iter())
                .map(|(a, b)| (a - mean[i]) * (b - mean[j]))
                .sum::<f64>()
                / draws as f64;
            let size = (covariance[(i, i)] * covariance[(j, j)]).sqrt();
            assert_abs_diff_eq!(product, covariance[(i, j)], epsilon = 0.06 * size);
        }
    }
    assert_eq!(drawn, model.sample(&x, draws, 7).unwrap());
    assert!(drawn != model.sample(&x, draws, 8).unwrap());
    // Points the data settle, some of them twice: no variance, and no failure.
    let known = data.x().rows(0, 3).into_owned();
    let twice = DMatrix::from_fn(6, DIMENSIONS, |i, j| known[(i % 3, j)]);
    assert!(
        model
            .sample(&twice, 2, 1)
            .unwrap()
            .iter()
            .all(|f| f.is_finite())
    );
}

#[test]
fn the_rational_quadratic_tends_to_the_squared_exponential() {
    let data = sample(40);
    let rbf = with(kernels()[0].clone(), Noise::Inferred);
    let rq = with(kernels()[3].clone(), Noise::Inferred);
    let base = vec![0.1, -0.3, 0.2, 0.4, -2.0];
    let mut with_alpha = base.clone();
    with_alpha.insert(4, 1e7_f64.ln());
    let one = rbf.condition(&data, &base).unwrap().predict(&points(20));
    let other = rq
        .condition(&data, &with_alpha)
        .unwrap()
        .predict(&points(20));
    assert!((one.mean - other.mean).amax() < 1e-6);
    assert!((one.std.unwrap() - other.std.unwrap()).amax() < 1e-6);
}

#[test]
fn equal_lengths_are_one_shared_length() {
    let data = sample(40);
    let each = with(kernels()[2].clone(), Noise::Inferred);
    let shared = with(
        Arc::new(Scaled(Radial::new(Matern52, Lengths::Shared))),
        Noise::Inferred,
    );
    let one = each
        .condition(&data, &[0.1, -0.3, -0.3, -0.3, -2.0])
        .unwrap();
    let other = shared.condition(&data, &[0.1, -0.3, -2.0]).unwrap();
    assert_eq!(one.predict(&points(20)), other.predict(&points(20)));
}

#[test]
fn more_points_than_memory_holds_are_refused() {
    let n = dilgp::MOST_POINTS + 1;
    let data = Dataset::new(DMatrix::zeros(n, 1), DVector::zeros(n)).unwrap();
    let error = Process::matern().fit(&data, 0).err().unwrap();
    assert!(matches!(error, Error::TooManyPoints { points, .. } if points == n));
}
