//! Families: every derivative against central differences, that what trains is what predicts, and
//! the limits that tie the families together.

use dilgp::dil::family::Family;
use dilgp::process::{Columns, View};
use nalgebra::DMatrix;

/// Each family, and parameters away from any symmetry.
fn families() -> [(Family, Vec<f64>); 4] {
    [
        (Family::Rbf, vec![0.4, -0.7]),
        (Family::Matern52, vec![0.4, -0.7]),
        (Family::RationalQuadratic, vec![0.4, -0.7, 0.3]),
        (Family::DotProduct, vec![-0.6, 0.5]),
    ]
}

const COMPARED: [f64; 6] = [0.0, 1e-3, 0.2, 0.9, 3.0, 11.0];
const H: f64 = 1e-5;

fn difference(f: impl Fn(f64) -> Vec<f64>) -> Vec<f64> {
    let (above, below) = (f(H), f(-H));
    let pairs = above.iter().zip(below);
    pairs.map(|(a, b)| (a - b) / (2.0 * H)).collect()
}

fn moved(eta: &[f64], j: usize, by: f64) -> Vec<f64> {
    let mut eta = eta.to_vec();
    eta[j] += by;
    eta
}

fn assert_close(found: &[f64], expected: &[f64], what: &str) {
    for (a, b) in found.iter().zip(expected) {
        assert!(
            (a - b).abs() < 1e-8 * (1.0 + b.abs()),
            "{what}: {a} but {b}"
        );
    }
}

/// Some points of two coordinates.
fn points() -> DMatrix<f64> {
    DMatrix::from_fn(9, 2, |i, j| ((5 * i + 3 * j) as f64 * 0.71).sin() * 2.0)
}

#[test]
fn what_trains_is_what_predicts() {
    let x = points();
    let columns = Columns::from_rows(x.clone());
    let row = |i: usize| [x[(i, 0)], x[(i, 1)]];
    for (family, eta) in families() {
        let covariance = family.covariance();
        let parameters = covariance.parameters(2);
        assert_eq!(parameters.len(), family.parameters());
        let theta: Vec<f64> = eta.iter().map(|eta| eta.exp()).collect();
        for i in 0..9 {
            let compared: Vec<f64> = (0..9).map(|j| family.compare(&row(i), &row(j))).collect();
            let parts = family.parts(&eta, &compared);
            let at = row(i);
            let view = View::all(&at, &columns);
            let mut value = [0.0; 9];
            covariance.values(&theta, view, &mut value);
            assert_close(&parts.value, &value, "value");
            let own = covariance.at_itself(&theta, &row(i), &mut [0.0; 2]);
            assert_close(&[own], &[parts.value[i]], "of a point with itself");
            // The derivatives by the parameters, weighed by an arbitrary row.
            let weight: Vec<f64> = (0..9).map(|j| ((i + 2 * j) as f64).cos()).collect();
            let mut weighed = vec![0.0; family.parameters()];
            covariance.weigh_by_parameters(&theta, view.weighed(&weight), &mut weighed);
            let expected = parts.by_parameter.iter().map(|part| {
                let pairs = part.iter().zip(&weight);
                pairs.map(|(part, weight)| part * weight).sum()
            });
            assert_close(&weighed, &expected.collect::<Vec<f64>>(), "by parameters");
        }
    }
}

#[test]
fn every_derivative_agrees_with_differences() {
    for (family, eta) in families() {
        let what = format!("{family:?}");
        let parts = |eta: &[f64]| family.parts(eta, &COMPARED);
        let here = parts(&eta);
        assert_eq!(here.by_parameter.len(), family.parameters());
        for j in 0..family.parameters() {
            let expected = difference(|by| parts(&moved(&eta, j, by)).value);
            assert_close(&here.by_parameter[j], &expected, &what);
            let expected = difference(|by| parts(&moved(&eta, j, by)).along_weight.value);
            assert_close(&here.along_weight.by_parameter[j], &expected, &what);
        }
        // theta -> w theta adds log w to each scaled eta; d log w = d w at w = 1.
        let expected = difference(|by| parts(&moved(&moved(&eta, 0, by), 1, by)).value);
        assert_close(&here.along_weight.value, &expected, &what);
    }
}

#[test]
fn rational_quadratic_becomes_squared_exponential_as_alpha_grows() {
    let rbf = Family::Rbf.parts(&[0.4, -0.7], &COMPARED);
    let mut last = f64::INFINITY;
    for log_alpha in [2.0, 5.0, 8.0, 11.0, 14.0] {
        let rq = Family::RationalQuadratic.parts(&[0.4, -0.7, log_alpha], &COMPARED);
        let pairs = rq.value.iter().zip(&rbf.value);
        let gap = pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(
            gap < 0.1 * last,
            "the gap must shrink like 1/alpha: {gap} after {last}"
        );
        last = gap;
    }
    let rq = Family::RationalQuadratic.parts(&[0.4, -0.7, 25.0], &COMPARED);
    assert_close(&rq.value, &rbf.value, "value");
    assert_close(&rq.by_parameter[1], &rbf.by_parameter[1], "by length");
    let (rq, rbf) = (rq.along_weight, rbf.along_weight);
    assert_close(&rq.value, &rbf.value, "along the weight");
    assert_close(
        &rq.by_parameter[1],
        &rbf.by_parameter[1],
        "along the weight, by length",
    );
}

#[test]
fn infinite_distances_leave_every_part_finite() {
    for (family, eta) in &families()[..3] {
        let parts = family.parts(eta, &[f64::INFINITY, 1e300]);
        let along = parts.along_weight;
        let all = [&parts.value, &along.value].into_iter();
        for part in all.chain(&parts.by_parameter).chain(&along.by_parameter) {
            assert!(part.iter().all(|v| v.is_finite()), "{part:?}");
        }
    }
}
