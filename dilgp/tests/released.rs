//! Training and prediction of the DIL-GP authors' code: its end points on the two synthetic sets
//! at their fixed data seed, as that code gives them in double precision.
//!
//! The sets are read from `shared/data` next to the workspace; without them the tests say so and
//! pass.

use approx::{assert_abs_diff_eq, assert_relative_eq};
use dilgp::dil::evidence::Evidence;
use dilgp::dil::pairs::Pairs;
use dilgp::dil::penalty::Penalty;
use dilgp::{
    Dataset, Environments, Factor, Family, GradientDescent, Invariance, Loss, Masks, Score,
    Surrogate,
};
use nalgebra::{DMatrix, DVector};

/// A set; `None`, and a message, if the file is not there.
fn read(file: &str) -> Option<Dataset> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/data/");
    let Ok(text) = std::fs::read_to_string(format!("{folder}{file}")) else {
        eprintln!("skipped: {file} is not next to the workspace");
        return None;
    };
    let numbers = |line: &str| -> Vec<f64> {
        let cells = line.split(',');
        cells.map(|cell| cell.parse().unwrap()).collect()
    };
    let rows: Vec<Vec<f64>> = text.lines().skip(1).map(numbers).collect();
    let d = rows[0].len() - 1;
    let x = DMatrix::from_fn(rows.len(), d, |i, j| rows[i][j]);
    let y = DVector::from_fn(rows.len(), |i, _| rows[i][d]);
    Some(Dataset::new(x, y).unwrap())
}

/// RMSE, coverage and hyper-parameters after training on one of the sets at its rate.
struct End {
    rmse: f64,
    coverage: f64,
    parameters: Vec<f64>,
}

fn train(set: &str, settings: GradientDescent) -> Option<End> {
    let train = read(&format!("ref_{set}_train.csv"))?;
    let test = read(&format!("ref_{set}_test.csv"))?;
    let rate = if set == "syn1d" { 0.005 } else { 0.01 };
    let settings = GradientDescent { rate, ..settings };
    let model = settings.fit(&train, 0).unwrap();
    let score = Score::of(&model.predict(test.x()), test.y());
    let found = model.summary().hyperparameters.iter();
    Some(End {
        rmse: score.rmse,
        coverage: score.coverage.unwrap(),
        parameters: found.map(|h| h.value).collect(),
    })
}

fn check(set: &str, settings: GradientDescent, rmse: f64, coverage: f64, parameters: &[f64]) {
    let Some(end) = train(set, settings) else {
        return;
    };
    assert_abs_diff_eq!(end.rmse, rmse, epsilon = 1e-6);
    assert_abs_diff_eq!(end.coverage, coverage, epsilon = 1e-9);
    for (found, expected) in end.parameters.iter().zip(parameters) {
        assert_abs_diff_eq!(*found, *expected, epsilon = 1e-4);
    }
}

fn gp(loss: Loss) -> GradientDescent {
    GradientDescent {
        loss,
        ..GradientDescent::released("gp", Family::Rbf)
    }
}

fn current(settings: GradientDescent) -> GradientDescent {
    GradientDescent {
        factor: Factor::Current,
        ..settings
    }
}

#[test]
fn the_plain_process_with_the_summed_loss() {
    let sum = gp(Loss::Sum);
    let line = [6.9025, 1.6113, 0.0663];
    check("syn1d", sum.clone(), 0.40015863, 0.9, &line);
    check("syn2d", sum, 0.80757527, 0.9625, &[0.5111, 0.7515, 2.0434]);
}

#[test]
fn the_plain_process_with_the_mean_loss() {
    let mean = gp(Loss::Mean);
    check("syn1d", mean.clone(), 0.36601057, 0.95, &[]);
    check("syn2d", mean, 0.73381824, 0.925, &[]);
}

#[test]
fn dil_gp_with_the_collapsed_mask() {
    let dil = GradientDescent::released_dil(Family::Rbf);
    let line = [0.3042, 0.2073, 0.0492];
    check("syn1d", dil.clone(), 0.33803312, 0.9125, &line);
    check("syn2d", dil, 0.66020806, 0.8625, &[1.2213, 0.7954, 0.8929]);
}

#[test]
fn dil_gp_with_element_wise_masks() {
    let dil = GradientDescent::released_dil(Family::Rbf);
    let dil = GradientDescent {
        invariance: Some(Invariance {
            masks: Masks::ElementWise,
            ..dil.invariance.clone().unwrap()
        }),
        ..dil
    };
    check("syn1d", dil.clone(), 0.32344438, 0.9375, &[]);
    check("syn2d", dil.clone(), 0.72281057, 0.85, &[]);
    check("syn1d", current(dil), 0.32326434, 0.9375, &[]);
}

#[test]
fn a_prediction_with_the_current_factor() {
    check("syn1d", current(gp(Loss::Sum)), 0.39965775, 0.9125, &[]);
    let Some(end) = train("syn1d", current(gp(Loss::Mean))) else {
        return;
    };
    assert_abs_diff_eq!(end.rmse, 0.36604421, epsilon = 1e-6);
}

/// The authors' code prints four digits for this kernel.
#[test]
fn the_dot_product_kernel() {
    let dot_product = GradientDescent {
        loss: Loss::Mean,
        ..GradientDescent::released("gp-dp", Family::DotProduct)
    };
    let Some(plane) = train("syn2d", dot_product.clone()) else {
        return;
    };
    assert_abs_diff_eq!(plane.rmse, 0.7324, epsilon = 5e-5);
    // It takes k(x, x) for a: far from the origin every predicted variance is negative.
    let Some(line) = train("syn1d", dot_product.clone()) else {
        return;
    };
    assert_eq!(line.coverage, 0.0);
    let correct = train("syn1d", current(dot_product)).unwrap();
    assert!(correct.coverage > 0.0, "{}", correct.coverage);
}

#[test]
fn every_kernel_trains_with_and_without_the_penalty() {
    let x = DMatrix::from_fn(30, 2, |i, j| ((7 * i + 3 * j) as f64 * 0.53).sin());
    let y = DVector::from_fn(30, |i, _| x[(i, 0)] + 0.1 * (i as f64).cos());
    let data = Dataset::new(x, y).unwrap();
    for kernel in [Family::Rbf, Family::RationalQuadratic, Family::DotProduct] {
        let plain = GradientDescent {
            loss: Loss::Mean,
            epochs: 60,
            momentum: 0.5,
            ..GradientDescent::released("gp", kernel)
        };
        let untrained = GradientDescent {
            epochs: 0,
            ..plain.clone()
        };
        let objective = |s: &GradientDescent| s.fit(&data, 0).unwrap().summary().objective;
        assert!(objective(&plain) < objective(&untrained), "{kernel:?}");
        let dil = GradientDescent::released_dil(kernel);
        let weights = dil.fit(&data, 0).unwrap().summary().environments.clone();
        assert!(weights.unwrap().iter().all(|w| (0.2..0.8).contains(w)));
        // Without its penalty DIL-GP is the plain process under the mean loss.
        let zero = GradientDescent {
            invariance: Some(Invariance {
                lambda: 0.0,
                ..dil.invariance.clone().unwrap()
            }),
            epochs: 60,
            momentum: 0.5,
            ..dil
        };
        let [zero, plain] = [zero, plain].map(|s| s.fit(&data, 0).unwrap().predict(data.x()));
        assert_relative_eq!(zero.mean, plain.mean, epsilon = 1e-12);
    }
}

#[test]
fn settings_and_divergence_are_named() {
    let data = Dataset::new(
        DMatrix::from_column_slice(3, 1, &[0.0, 1.0, 2.0]),
        DVector::from_row_slice(&[0.0, 1e3, -1e3]),
    )
    .unwrap();
    let message = |s: GradientDescent| s.fit(&data, 0).err().unwrap().to_string();
    assert_eq!(
        message(GradientDescent {
            momentum: 1.0,
            ..gp(Loss::Sum)
        }),
        "momentum of gp is 1; it must be from 0 to below 1"
    );
    let lost = message(GradientDescent {
        rate: 1e3,
        ..gp(Loss::Sum)
    });
    assert!(
        lost.starts_with("training of gp left the finite numbers after"),
        "{lost}"
    );
    let three = GradientDescent::released_dil(Family::Rbf);
    let three = GradientDescent {
        invariance: Some(Invariance {
            environments: Environments::Given(vec![0, 1, 2]),
            ..three.invariance.clone().unwrap()
        }),
        ..three
    };
    assert_eq!(
        message(three),
        "this mode weighs two environments against each other, not 3"
    );
}

/// Likelihood, invariance slopes and objective at fixed hyper-parameters, by automatic differentiation in
/// double precision.
struct Golden {
    file: &'static str,
    negative_log: f64,
    gradient: [f64; 3],
    slopes: [f64; 2],
    objective: f64,
    objective_gradient: [f64; 3],
}

const LINE: Golden = Golden {
    file: "ref_syn1d_train.csv",
    negative_log: 136.49539907,
    gradient: [-10.83658506, 9.39136782, 46.65674042],
    slopes: [-51.15243362, -52.15394066],
    objective: 2804.797895,
    objective_gradient: [96.291305, 416.060886, 301.401573],
};

const PLANE: Golden = Golden {
    file: "ref_syn2d_train.csv",
    negative_log: 224.86405569,
    gradient: [0.05097538, 0.73481916, -58.09896216],
    slopes: [-25.0972851, -20.07397708],
    objective: 741.283193,
    objective_gradient: [9.026212, -18.226128, 1465.238399],
};

/// +1 if the mean of a row is above the median of such means, else -1; of an odd number of rows.
fn assignment(x: &DMatrix<f64>) -> Vec<f64> {
    let means: Vec<f64> = x.row_iter().map(|row| row.mean()).collect();
    let mut sorted = means.clone();
    sorted.sort_by(f64::total_cmp);
    let median = sorted[sorted.len() / 2];
    let sign = |mean: &f64| if *mean > median { 1.0 } else { -1.0 };
    means.iter().map(sign).collect()
}

fn assert_close(found: &[f64], expected: &[f64], tolerance: f64) {
    for (found, expected) in found.iter().zip(expected) {
        assert_relative_eq!(*found, *expected, max_relative = tolerance);
    }
}

fn check_golden(golden: &Golden) {
    let Some(data) = read(golden.file) else {
        return;
    };
    let q = assignment(data.x());
    let pairs = Pairs::compare(Family::Rbf, data.x());
    // a = l2 = s2 = 1.
    let evidence = Evidence::weigh(Family::Rbf, &pairs, data.y(), &[0.0; 3]).unwrap();
    let penalty = Penalty::new(&evidence, data.y());
    let (cost, slope) = penalty.by_hyperparameters(&q);
    let values = [evidence.negative_log(), evidence.negative_log() + cost];
    assert_close(&values, &[golden.negative_log, golden.objective], 1e-9);
    assert_close(&penalty.slopes(&q), &golden.slopes, 1e-9);
    let gradient = evidence.gradient();
    assert_close(&gradient, &golden.gradient, 1e-7);
    let whole: Vec<f64> = gradient.iter().zip(slope).map(|(a, b)| a + b).collect();
    assert_close(&whole, &golden.objective_gradient, 1e-7);
}

#[test]
fn the_objective_on_both_sets_is_that_of_automatic_differentiation() {
    check_golden(&LINE);
    check_golden(&PLANE);
}
