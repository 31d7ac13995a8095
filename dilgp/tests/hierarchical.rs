//! The hierarchical process: its limits, and that predictions, slopes and gate belong together.

use crate::composed::slopes;
use approx::assert_abs_diff_eq;
use dilgp::validation::synthetic::Task;
use dilgp::{Dataset, Environments, Family, Hierarchical, Model, Surrogate, by_name};
use nalgebra::{DMatrix, DVector};

/// Two groups with their own level and slope.
fn sample() -> Dataset {
    let x = DMatrix::from_fn(36, 2, |i, j| {
        let group = if i % 3 == 0 { 3.0 } else { 0.0 };
        group + ((17 * i + 29 * j + 1) as f64 * 0.731).sin()
    });
    let y = DVector::from_fn(36, |i, _| {
        let x = x.row(i);
        let noise = 0.05 * (7.3 * i as f64).sin();
        if i % 3 == 0 {
            4.0 - x[1] + noise
        } else {
            (2.0 * x[0]).sin() + noise
        }
    });
    Dataset::new(x, y).unwrap()
}

fn fit(settings: &Hierarchical, data: &Dataset) -> Box<dyn Model> {
    settings.fit(data, 5).unwrap()
}

#[test]
fn with_one_environment_it_is_the_plain_process() {
    let data = sample();
    let one = Hierarchical {
        environments: Environments::Clusters(1),
        ..Hierarchical::default()
    };
    let found = fit(&one, &data);
    let scored = DMatrix::from_fn(36, 2, |i, j| {
        let column = data.x().column(j);
        let spread = (column.map(|v| v - column.mean()).norm_squared() / 36.0).sqrt();
        (column[i] - column.mean()) / spread
    });
    let plain = Dataset::new(scored.clone(), data.y().clone()).unwrap();
    let plain = by_name("gp").unwrap().fit(&plain, 5).unwrap();
    let (a, b) = (found.predict(data.x()), plain.predict(&scored));
    assert_abs_diff_eq!(a.mean, b.mean, epsilon = 1e-3);
    assert_abs_diff_eq!(a.std.unwrap(), b.std.unwrap(), epsilon = 1e-3);
    for name in ["amplitude", "length_squared", "noise"] {
        let [a, b] = [&found, &plain].map(|m| m.summary().hyperparameter(name).unwrap());
        assert!((a / b).ln().abs() < 0.02, "{name}: {a} {b}");
    }
}

#[test]
fn the_same_label_for_every_point_is_one_environment() {
    let data = sample();
    let [labelled, clustered] =
        [Environments::Given(vec![4; 36]), Environments::Clusters(1)].map(|environments| {
            let settings = Hierarchical {
                environments,
                ..Hierarchical::default()
            };
            fit(&settings, &data).predict(data.x())
        });
    assert_eq!(labelled, clustered);
}

#[test]
fn a_vanishing_penalty_leaves_the_fit_and_a_large_one_does_not() {
    let draw = Task::Line.draw(3);
    let with = |lambda: f64| {
        let settings = Hierarchical {
            lambda,
            ..Hierarchical::default()
        };
        fit(&settings, &draw.train).predict(draw.test.x()).mean
    };
    let plain = with(0.0);
    assert_abs_diff_eq!(with(1e-9), plain, epsilon = 1e-3);
    assert!((with(1e3) - plain).amax() > 1e-4);
}

#[test]
fn given_labels_in_any_names_and_more_than_two() {
    let data = sample();
    let labels: Vec<usize> = (0..36)
        .map(|i| if i % 3 == 0 { 9 } else { 2 + i % 2 })
        .collect();
    let settings = Hierarchical {
        environments: Environments::Given(labels),
        ..Hierarchical::default()
    };
    let model = fit(&settings, &data);
    let summary = model.summary();
    let noise = |e: usize| summary.hyperparameter(&format!("noise_{e}")).unwrap();
    assert!((0..3).all(|e| noise(e) > 0.0));
    assert_eq!(summary.hyperparameters.len(), 2 + 3 * 4);
}

#[test]
fn slopes_agree_with_predictions_within_an_environment() {
    let data = sample();
    for kernel in [Family::Rbf, Family::RationalQuadratic, Family::DotProduct] {
        let settings = Hierarchical {
            kernel,
            lambda: 0.5,
            ..Hierarchical::default()
        };
        let model = fit(&settings, &data);
        for at in [[0.3, -0.2], [3.4, 2.7], [-9.0, 4.0]] {
            let slope = model.slope(&at).unwrap();
            let predicted = |x: &[f64]| model.predict(&DMatrix::from_row_slice(1, 2, x));
            let here = predicted(&at);
            assert_abs_diff_eq!(slope.mean, here.mean[0], epsilon = 1e-9);
            assert_abs_diff_eq!(slope.std.unwrap(), here.std.unwrap()[0], epsilon = 1e-7);
            let mean = slopes(&at, |x| predicted(x).mean[0]);
            let std = slopes(&at, |x| predicted(x).std.unwrap()[0]);
            let found = [slope.mean_gradient, slope.std_gradient.unwrap()].concat();
            for (found, expected) in found.iter().zip([mean, std].concat()) {
                assert_abs_diff_eq!(*found, expected, epsilon = 1e-5);
            }
        }
    }
}

#[test]
fn order_and_units_of_the_data_do_not_matter() {
    let data = sample();
    let order = |i: usize| (7 * i + 3) % 36;
    let shuffled = Dataset::new(
        DMatrix::from_fn(36, 2, |i, j| 100.0 - 1e3 * data.x()[(order(i), j)]),
        DVector::from_fn(36, |i, _| 5.0 + 1e-3 * data.y()[order(i)]),
    )
    .unwrap();
    let settings = Hierarchical::default();
    let plain = fit(&settings, &data).predict(data.x());
    let x = data.x().map(|x| 100.0 - 1e3 * x);
    let moved = fit(&settings, &shuffled).predict(&x);
    assert_abs_diff_eq!(
        moved.mean.map(|m| 1e3 * (m - 5.0)),
        plain.mean,
        epsilon = 1e-2
    );
}

#[test]
fn hard_data_are_survived() {
    for (x, y) in [
        (vec![0.5], vec![2.0]),
        (vec![0.5; 6], vec![2.0; 6]),
        (vec![0.5; 4], vec![1.0, 2.0, 3.0, 4.0]),
        (vec![0.0, 1e6], vec![-1.0, 1e9]),
    ] {
        let x = DMatrix::from_column_slice(x.len(), 1, &x);
        let data = Dataset::new(x, DVector::from_vec(y)).unwrap();
        let model = fit(&Hierarchical::default(), &data);
        let predicted = model.predict(&DMatrix::from_column_slice(3, 1, &[0.0, 0.5, 1e3]));
        assert!(predicted.mean.iter().all(|m| m.is_finite()));
        let (std, observed) = (predicted.std.unwrap(), predicted.observation_std.unwrap());
        let mut both = std.iter().zip(&observed);
        assert!(both.all(|(s, o)| *s >= 0.0 && o >= s && o.is_finite()));
    }
}
