//! Kernels: every derivative against central differences, and the limits that tie them together.

#![allow(clippy::unwrap_used)] // helpers of tests fail by panicking

use approx::{assert_abs_diff_eq, assert_relative_eq};
use dilgp::dil::kernel::{DotProduct, Kernel, Mask, Matern52, RationalQuadratic, Rbf};
use proptest::prelude::*;

/// Each kernel, parameters away from any symmetry, and which of them (amplitude, length) the
/// dummy weight can scale.
fn family() -> [(&'static dyn Kernel, Vec<f64>); 4] {
    [
        (&Rbf, vec![0.4, -0.7]),
        (&Matern52, vec![0.4, -0.7]),
        (&RationalQuadratic, vec![0.4, -0.7, 0.3]),
        (&DotProduct, vec![-0.6, 0.5]),
    ]
}

fn masks() -> impl Iterator<Item = Mask> {
    (0..8).map(|bits| Mask {
        amplitude: bits & 1 != 0,
        length: bits & 2 != 0,
        noise: bits & 4 != 0,
    })
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

#[test]
fn values_and_parts_agree() {
    for (kernel, eta) in family() {
        let mut value = [0.0; 6];
        kernel.values(&eta, &COMPARED, &mut value, None);
        assert_close(&kernel.parts(&eta, &COMPARED, None).value, &value, "value");
    }
}

#[test]
fn derivatives_by_parameters_agree_with_differences() {
    for (kernel, eta) in family() {
        let parts = kernel.parts(&eta, &COMPARED, None);
        assert_eq!(parts.by_parameter.len(), kernel.parameters().len());
        for (j, by_parameter) in parts.by_parameter.iter().enumerate() {
            let expected =
                difference(|by| kernel.parts(&moved(&eta, j, by), &COMPARED, None).value);
            assert_close(by_parameter, &expected, kernel.parameters()[j]);
        }
    }
}

#[test]
fn the_radial_derivative_is_along_the_scaled_parameters() {
    for (kernel, eta) in family() {
        for mask in masks() {
            let radial = kernel.parts(&eta, &COMPARED, Some(mask)).radial.unwrap();
            // theta -> w theta adds log w to each scaled eta; d log w = d w at w = 1.
            let expected = difference(|by| {
                let mut eta = eta.clone();
                eta[0] += if mask.amplitude { by } else { 0.0 };
                eta[1] += if mask.length { by } else { 0.0 };
                kernel.parts(&eta, &COMPARED, None).value
            });
            assert_close(&radial.value, &expected, "radial");
        }
    }
}

#[test]
fn the_radial_derivatives_own_derivatives_agree_with_differences() {
    for (kernel, eta) in family() {
        for mask in masks() {
            let radial_at = |eta: &[f64]| kernel.parts(eta, &COMPARED, Some(mask)).radial.unwrap();
            for (j, by_parameter) in radial_at(&eta).by_parameter.iter().enumerate() {
                let expected = difference(|by| radial_at(&moved(&eta, j, by)).value);
                assert_close(by_parameter, &expected, kernel.parameters()[j]);
            }
        }
    }
}

#[test]
fn slopes_along_the_compared_number_agree_with_differences() {
    let compared = &COMPARED[1..];
    for (kernel, eta) in family() {
        let mut value = [0.0; 5];
        let mut slope = [0.0; 5];
        kernel.values(&eta, compared, &mut value, Some(&mut slope));
        let expected = difference(|by| {
            let compared: Vec<f64> = compared.iter().map(|c| c + by).collect();
            let mut value = vec![0.0; 5];
            kernel.values(&eta, &compared, &mut value, None);
            value
        });
        assert_close(&slope, &expected, "slope");
    }
}

#[test]
fn gradients_by_the_point_agree_with_differences() {
    let (x, y) = ([0.3, -0.8], [1.1, 0.4]);
    for (kernel, eta) in family() {
        let mut gradient = [10.0, 10.0];
        kernel.add_compare_gradient(&x, &y, 2.0, &mut gradient);
        let mut own_gradient = [0.0; 2];
        let own = kernel.at_itself(&eta, &x, &mut own_gradient);
        let mut value = [0.0];
        kernel.values(&eta, &[kernel.compare(&x, &x)], &mut value, None);
        assert_relative_eq!(own, value[0], max_relative = 1e-15);
        for j in 0..2 {
            let compared = difference(|by| vec![kernel.compare(&moved(&x, j, by), &y)]);
            assert_abs_diff_eq!(gradient[j], 10.0 + 2.0 * compared[0], epsilon = 1e-8);
            let own =
                difference(|by| vec![kernel.at_itself(&eta, &moved(&x, j, by), &mut [0.0; 2])]);
            assert_abs_diff_eq!(own_gradient[j], own[0], epsilon = 1e-8);
        }
    }
}

#[test]
fn rational_quadratic_becomes_squared_exponential_as_alpha_grows() {
    let rbf = Rbf.parts(&[0.4, -0.7], &COMPARED, Some(Mask::ALL));
    let mut last = f64::INFINITY;
    for log_alpha in [2.0, 5.0, 8.0, 11.0, 14.0] {
        let rq = RationalQuadratic.parts(&[0.4, -0.7, log_alpha], &COMPARED, Some(Mask::ALL));
        let pairs = rq.value.iter().zip(&rbf.value);
        let gap = pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(
            gap < 0.1 * last,
            "the gap must shrink like 1/alpha: {gap} after {last}"
        );
        last = gap;
    }
    let rq = RationalQuadratic.parts(&[0.4, -0.7, 25.0], &COMPARED, Some(Mask::ALL));
    assert_close(&rq.value, &rbf.value, "value");
    assert_close(&rq.by_parameter[1], &rbf.by_parameter[1], "by length");
    let (rq, rbf) = (rq.radial.unwrap(), rbf.radial.unwrap());
    assert_close(&rq.value, &rbf.value, "radial");
    assert_close(
        &rq.by_parameter[1],
        &rbf.by_parameter[1],
        "radial by length",
    );
}

#[test]
fn infinite_distances_leave_every_part_finite() {
    for (kernel, eta) in &family()[..2] {
        let parts = kernel.parts(eta, &[f64::INFINITY, 1e300], Some(Mask::ALL));
        let radial = parts.radial.unwrap();
        let all = [&parts.value, &radial.value].into_iter();
        for part in all.chain(&parts.by_parameter).chain(&radial.by_parameter) {
            assert!(part.iter().all(|v| v.is_finite()), "{part:?}");
        }
    }
}

proptest! {
    #[test]
    fn gram_matrices_are_symmetric_and_positive_semi_definite(
        flat in prop::collection::vec(-2.0..2.0f64, 12),
        eta in prop::array::uniform3(-2.0..2.0f64),
    ) {
        for (kernel, parameters) in family() {
            let eta = &eta[..parameters.len()];
            let points: Vec<&[f64]> = flat.chunks(2).collect();
            let gram = nalgebra::DMatrix::from_fn(6, 6, |i, j| {
                let mut value = [0.0];
                let compared = kernel.compare(points[i], points[j]);
                kernel.values(eta, &[compared], &mut value, None);
                value[0]
            });
            prop_assert_eq!(&gram, &gram.transpose());
            let scale = gram.diagonal().max();
            let smallest = gram.symmetric_eigenvalues().min();
            prop_assert!(smallest > -1e-12 * scale, "{:?}: {}", kernel, smallest);
        }
    }
}
