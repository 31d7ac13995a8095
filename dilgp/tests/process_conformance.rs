//! What every composed Gaussian process must survive and keep, whatever its covariance.

use dilgp::process::{
    FittedProcess, Lengths, Level, Linear, Matern52, Noise, Process, Product, Radial,
    RationalQuadratic, Rbf, Scaled, Sum,
};
use dilgp::{Dataset, Model, Prediction};
use nalgebra::{DMatrix, DVector};
use proptest::prelude::*;

/// Every family, with inferred noise and (by name) without any.
fn processes() -> Vec<(String, Process)> {
    let ard = Lengths::Each;
    let families = [
        ("rbf", Process::rbf()),
        ("matern", Process::matern()),
        ("rq", Process::rational_quadratic()),
        (
            "shared rbf",
            Process::new("gp", Scaled(Radial::new(Rbf, Lengths::Shared))),
        ),
        (
            "matern and a plane",
            Process::new(
                "gp",
                Sum(Scaled(Radial::new(Matern52, ard)), Scaled(Linear)),
            ),
        ),
        (
            "matern of an unknown level",
            Process::new("gp", Sum(Scaled(Radial::new(Matern52, ard)), Level(4.0))),
        ),
        (
            "product",
            Process::new(
                "gp",
                Scaled(Product(
                    Radial::new(Rbf, Lengths::Shared),
                    Radial::new(RationalQuadratic, Lengths::Shared),
                )),
            ),
        ),
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

fn sample(n: usize) -> Dataset {
    let x = DMatrix::from_fn(n, 2, |i, j| {
        let group = if i % 4 == 0 { 0.75 } else { 0.25 };
        group + 0.2 * ((17 * i + 29 * j + 1) as f64 * 0.731).sin()
    });
    let y = DVector::from_fn(n, |i, _| {
        (5.0 * x[(i, 0)]).sin() + x[(i, 1)].powi(2) + 0.05 * (7.3 * i as f64).sin()
    });
    Dataset::new(x, y).unwrap()
}

fn grid() -> DMatrix<f64> {
    DMatrix::from_fn(36, 2, |i, j| {
        (if j == 0 { i / 6 } else { i % 6 }) as f64 / 5.0
    })
}

fn fit(name: &str, process: &Process, data: &Dataset) -> FittedProcess {
    let fitted = process.train(data, 11);
    fitted.unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn check(name: &str, model: &FittedProcess, x: &DMatrix<f64>) -> Prediction {
    let predicted = model.predict(x);
    assert!(predicted.mean.iter().all(|m| m.is_finite()), "{name}");
    let std = predicted.std.as_ref().unwrap();
    let observed = predicted.observation_std.as_ref().unwrap();
    for (std, observed) in std.iter().zip(observed) {
        assert!(std.is_finite() && *std >= 0.0, "{name}: std {std}");
        assert!(observed.is_finite() && observed >= std, "{name}");
    }
    for row in x.row_iter().take(3) {
        let at: Vec<f64> = row.iter().copied().collect();
        let slope = model.slope(&at).unwrap();
        let all = slope
            .mean_gradient
            .iter()
            .chain(slope.std_gradient.iter().flatten());
        assert!(all.clone().all(|g| g.is_finite()), "{name}");
    }
    let left_out = model.leave_one_out().unwrap();
    assert!(left_out.mean.iter().all(|m| m.is_finite()), "{name}");
    predicted
}

fn gap(a: &DVector<f64>, b: &DVector<f64>) -> f64 {
    (a - b).amax()
}

#[test]
fn hard_data_are_survived_and_can_still_grow() {
    let at = |x: &[f64]| DMatrix::from_row_slice(x.len() / 2, 2, x);
    let y = |y: &[f64]| DVector::from_row_slice(y);
    let cases = [
        ("one point", at(&[0.3, 0.6]), y(&[5.0])),
        ("two points", at(&[0.0, 0.0, 1.0, 1.0]), y(&[-1.0, 1.0])),
        ("all the same", at(&[0.5; 20]), y(&[2.0; 10])),
        (
            "one place, many values",
            at(&[0.5; 10]),
            y(&[1.0, 2.0, 3.0, 4.0, 5.0]),
        ),
        (
            "a constant column",
            DMatrix::from_fn(9, 2, |i, j| (i * j) as f64 / 8.0),
            y(&[1., 5., 2., 8., 3., 1., 0., 4., 7.]),
        ),
        (
            "far apart",
            at(&[-1e6, 0.0, 0.0, 1e6, 1e6, 1e6]),
            y(&[1.0, 2.0, 3.0]),
        ),
        (
            "an outlier",
            DMatrix::from_fn(20, 2, |i, j| ((i + 3 * j) as f64).sin()),
            DVector::from_fn(20, |i, _| if i == 7 { 1e9 } else { i as f64 }),
        ),
    ];
    for (what, x, y) in cases {
        let data = Dataset::new(x, y).unwrap();
        for (name, process) in processes() {
            eprintln!("{what}, {name}"); // shown where the case fails
            let model = fit(&name, &process, &data);
            check(&name, &model, &grid());
            check(&name, &model, data.x());
            let first: Vec<f64> = data.x().row(0).iter().copied().collect();
            let again = model.append(&first, data.y()[0]).unwrap();
            check(&name, &again, &grid());
            let warm = process.fit_from(&data, model.eta(), true, 3).unwrap();
            check(&name, &warm, &grid());
            let drawn = model.sample(data.x(), 2, 3).unwrap();
            assert!(drawn.iter().all(|f| f.is_finite()), "{name}");
        }
    }
}

#[test]
fn constant_targets_are_predicted_as_that_constant() {
    let data = Dataset::new(grid(), DVector::from_element(36, 42.5)).unwrap();
    for (name, process) in processes() {
        let predicted = check(&name, &fit(&name, &process, &data), &grid());
        assert!(gap(&predicted.mean, data.y()) < 0.02, "{name}");
    }
}

#[test]
fn duplicated_rows_are_survived_and_agree_with_themselves() {
    let once = sample(15);
    let x = DMatrix::from_fn(45, 2, |i, j| once.x()[(i % 15, j)]);
    let y = DVector::from_fn(45, |i, _| once.y()[i % 15]);
    let data = Dataset::new(x, y).unwrap();
    for (name, process) in processes() {
        let predicted = check(&name, &fit(&name, &process, &data), once.x());
        assert!(gap(&predicted.mean, once.y()) < 0.05, "{name}");
    }
}

#[test]
fn far_from_the_data_radial_processes_return_to_the_mean_and_the_prior() {
    let data = sample(30);
    let far = DMatrix::from_row_slice(2, 2, &[1e4, -1e4, 1e6, 1e6]);
    let mean = data.y().mean();
    let scale = (data.y().map(|y| (y - mean).powi(2)).mean()).sqrt();
    for (name, process) in processes() {
        let model = fit(&name, &process, &data);
        let predicted = check(&name, &model, &far);
        let stays = ["rbf", "matern", "shared rbf"].contains(&name.as_str());
        if stays {
            let amplitude = model.summary().hyperparameter("amplitude").unwrap();
            let std = predicted.std.unwrap();
            assert!((predicted.mean[1] - mean).abs() < 1e-9, "{name}");
            approx::assert_relative_eq!(std[1], scale * amplitude.sqrt(), max_relative = 1e-9);
        }
    }
}

#[test]
fn predictions_follow_the_units_of_the_targets() {
    let data = sample(30);
    for (name, process) in processes() {
        let plain = fit(&name, &process, &data).predict(&grid());
        for unit in [1e-12, 1e-3, 1e12] {
            let shift = 3.0 * unit;
            let scaled = Dataset::new(data.x().clone(), data.y().map(|y| y * unit + shift));
            let predicted = check(&name, &fit(&name, &process, &scaled.unwrap()), &grid());
            let back = predicted.mean.map(|m| (m - shift) / unit);
            assert!(gap(&back, &plain.mean) < 2e-3, "{name} at {unit}");
            let std = predicted.std.unwrap() / unit;
            assert!(
                gap(&std, plain.std.as_ref().unwrap()) < 2e-3,
                "{name} at {unit}"
            );
        }
    }
}

#[test]
fn the_order_of_rows_does_not_matter() {
    let data = sample(30);
    let order = |i: usize| (7 * i + 3) % 30;
    let shuffled = Dataset::new(
        DMatrix::from_fn(30, 2, |i, j| data.x()[(order(i), j)]),
        DVector::from_fn(30, |i, _| data.y()[order(i)]),
    )
    .unwrap();
    for (name, process) in processes() {
        let [a, b] = [&data, &shuffled].map(|data| fit(&name, &process, data).predict(&grid()));
        assert!(
            gap(&a.mean, &b.mean) < 2e-3,
            "{name}: {}",
            gap(&a.mean, &b.mean)
        );
    }
}

#[test]
fn the_same_seed_gives_the_same_bits_together_or_alone() {
    let data = sample(40);
    let many = DMatrix::from_fn(1030, 2, |i, j| ((3 * i + j) as f64 * 0.37).sin());
    for (name, process) in processes() {
        let (one, other) = (fit(&name, &process, &data), fit(&name, &process, &data));
        let together = one.predict(&many);
        assert_eq!(together, other.predict(&many), "{name}");
        assert_eq!(one.slope(&[0.4, 0.6]), other.slope(&[0.4, 0.6]), "{name}");
        assert_eq!(one.summary(), other.summary(), "{name}");
        for i in [0, 1023, 1024, 1029] {
            let alone = one.predict(&many.rows(i, 1).into_owned());
            approx::assert_abs_diff_eq!(alone.mean[0], together.mean[i], epsilon = 1e-9);
        }
        assert_eq!(one.predict(&DMatrix::zeros(0, 2)).mean.len(), 0, "{name}");
    }
}

#[test]
fn thirty_inputs_and_a_hundred_and_fifteen_points_are_fitted() {
    let x = DMatrix::from_fn(115, 30, |i, j| ((31 * i + 7 * j) as f64 * 0.517).sin());
    let y = DVector::from_fn(115, |i, _| {
        x[(i, 0)] - 2.0 * x[(i, 1)] + x[(i, 2)] * x[(i, 3)]
    });
    let data = Dataset::new(x, y).unwrap();
    for (name, process) in processes() {
        let model = fit(&name, &process, &data);
        let predicted = check(&name, &model, data.x());
        let error = (predicted.mean - data.y()).norm() / 115f64.sqrt();
        assert!(error < 1.0, "{name}: {error}");
    }
}

#[test]
#[should_panic(expected = "the model was fitted to points of 2 coordinates, not 3")]
fn points_of_another_dimension_are_refused() {
    fit("rbf", &Process::rbf(), &sample(5)).predict(&DMatrix::zeros(1, 3));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    #[test]
    fn any_finite_data_give_finite_predictions(
        flat in prop::collection::vec(-3.0..3.0f64, 2..40),
        magnitude in -12..12i32,
        seed in any::<u64>(),
    ) {
        let n = flat.len() / 2;
        let x = DMatrix::from_fn(n, 1, |i, _| flat[2 * i]);
        let y = DVector::from_fn(n, |i, _| flat[2 * i + 1] * 10f64.powi(magnitude));
        let data = Dataset::new(x.clone(), y).unwrap();
        for (name, process) in processes() {
            let model = process.train(&data, seed);
            prop_assert!(model.is_ok(), "{}", name);
            check(&name, &model.unwrap(), &x);
        }
    }

    /// Covariances are symmetric, and the sum over any weights is not negative.
    #[test]
    fn covariances_are_symmetric_and_positive_semi_definite(
        flat in prop::collection::vec(-4.0..4.0f64, 12),
        weights in prop::collection::vec(-1.0..1.0f64, 6),
        scale in -2.0..2.0f64,
    ) {
        use dilgp::process::{Columns, View};
        let x = DMatrix::from_row_slice(6, 2, &flat);
        let points = Columns::from_rows(x.clone());
        for (name, process) in processes() {
            let count = process.kernel.parameters(2).len();
            let theta = vec![scale.exp(); count];
            let matrix = DMatrix::from_fn(6, 6, |_, _| 0.0);
            let matrix = (0..6).fold(matrix, |mut matrix, i| {
                let at = [x[(i, 0)], x[(i, 1)]];
                let mut row = [0.0; 6];
                process.kernel.values(&theta, View::all(&at, &points), &mut row);
                let own = process.kernel.at_itself(&theta, &at, &mut [0.0; 2]);
                assert!((own - row[i]).abs() <= 1e-12 * own);
                matrix.set_row(i, &nalgebra::RowDVector::from_row_slice(&row));
                matrix
            });
            let asymmetry = (&matrix - matrix.transpose()).amax();
            prop_assert!(asymmetry <= 1e-12 * matrix.amax(), "{}", name);
            let w = DVector::from_row_slice(&weights);
            prop_assert!(w.dot(&(&matrix * &w)) >= -1e-10 * matrix.amax(), "{}", name);
        }
    }
}

#[test]
fn means_alone_are_those_of_a_prediction_where_it_takes_several_blocks_too() {
    let x = DMatrix::from_fn(1100, 2, |i, j| ((13 * i + 7 * j) as f64 * 0.377).sin());
    for (name, process) in processes() {
        let model = process.train(&sample(25), 3).unwrap();
        assert_eq!(model.means(&x), model.predict(&x).mean, "{name}");
    }
}
