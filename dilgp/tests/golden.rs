//! Likelihood, invariance slopes and objective at fixed hyper-parameters, against values computed
//! by automatic differentiation in double precision on two synthetic sets of 115 points.
//!
//! The sets are read from `shared/data` beside the workspace; without them the tests say so and
//! pass.

use crate::reference::read;
use approx::assert_relative_eq;
use dilgp::dil::evidence::Evidence;
use dilgp::dil::family::Family;
use dilgp::dil::pairs::Pairs;
use dilgp::dil::penalty::Penalty;
use nalgebra::DMatrix;

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

/// +1 where the mean of a row is above the median of such means, else -1.
fn assignment(x: &DMatrix<f64>) -> Vec<f64> {
    let means: Vec<f64> = x.row_iter().map(|row| row.mean()).collect();
    let mut sorted = means.clone();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    let median = if sorted.len().is_multiple_of(2) {
        0.5 * (sorted[middle - 1] + sorted[middle])
    } else {
        sorted[middle]
    };
    means
        .iter()
        .map(|&m| if m > median { 1.0 } else { -1.0 })
        .collect()
}

fn check(golden: &Golden) {
    let Some((x, y)) = read(golden.file) else {
        return;
    };
    let q = assignment(&x);
    let pairs = Pairs::compare(Family::Rbf, &x);
    // a = l2 = s2 = 1.
    let evidence = Evidence::weigh(Family::Rbf, &pairs, &y, &[0.0; 3]).unwrap();
    assert_relative_eq!(
        evidence.negative_log(),
        golden.negative_log,
        max_relative = 1e-9
    );
    let gradient = evidence.gradient();
    for (found, expected) in gradient.iter().zip(golden.gradient) {
        assert_relative_eq!(*found, expected, max_relative = 1e-7);
    }
    let penalty = Penalty::new(&evidence, &y);
    for (found, expected) in penalty.slopes(&q).iter().zip(golden.slopes) {
        assert_relative_eq!(*found, expected, max_relative = 1e-9);
    }
    let (value, by_eta) = penalty.by_hyperparameters(&q);
    assert_relative_eq!(
        evidence.negative_log() + value,
        golden.objective,
        max_relative = 1e-9
    );
    for ((found, likelihood), expected) in
        by_eta.iter().zip(&gradient).zip(golden.objective_gradient)
    {
        assert_relative_eq!(found + likelihood, expected, max_relative = 1e-7);
    }
}

#[test]
fn line_of_115_points() {
    check(&LINE);
}

#[test]
fn plane_of_115_points() {
    check(&PLANE);
}
