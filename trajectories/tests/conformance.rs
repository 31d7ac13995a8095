//! What every trajectory must be: on its curve at t = 0, with derivatives that belong to its
//! positions, and a pure function of time.

use nalgebra::Vector3;
use proptest::prelude::*;
use trajectories::{NAMES, Trajectory, by_name};

fn all() -> Vec<Box<dyn Trajectory>> {
    NAMES
        .iter()
        .map(|n| by_name(n).expect("NAMES are legal"))
        .collect()
}

/// Fourth-order central difference; its error for these curves (|p⁽⁵⁾| < 200) is below
/// h⁴ · 200 / 30 = 7e-12 plus rounding of about 1e-15 · 20 / h = 2e-11.
fn derivative(f: impl Fn(f64) -> Vector3<f64>, t: f64) -> Vector3<f64> {
    let h = 1e-3;
    (f(t - 2.0 * h) - f(t + 2.0 * h) + (f(t + h) - f(t - h)) * 8.0) / (12.0 * h)
}

proptest! {
    #[test]
    fn derivatives_belong_to_the_positions(t in 0.01f64..20.0) {
        for trajectory in all() {
            let here = trajectory.at(t);
            let velocity = derivative(|t| trajectory.at(t).position_m, t);
            let acceleration = derivative(|t| trajectory.at(t).velocity_m_s, t);
            prop_assert!((velocity - here.velocity_m_s).norm() < 1e-9, "{}", trajectory.name());
            prop_assert!((acceleration - here.acceleration_m_s2).norm() < 1e-9, "{}", trajectory.name());
        }
    }

    #[test]
    fn the_same_time_gives_the_same_bits(t in 0.0f64..20.0) {
        for trajectory in all() {
            prop_assert_eq!(trajectory.at(t), trajectory.at(t));
        }
    }
}

#[test]
fn every_flight_starts_at_the_origin_and_lasts_20_s() {
    for trajectory in all() {
        assert_eq!(
            trajectory.at(0.0).position_m.norm(),
            0.0,
            "{}",
            trajectory.name()
        );
        assert_eq!(trajectory.duration_s(), 20.0);
    }
}

#[test]
fn a_trajectory_answers_to_the_name_that_finds_it() {
    for name in NAMES {
        assert_eq!(by_name(name).expect("legal").name(), name);
    }
}

#[test]
fn the_figure_8_is_the_published_one() {
    let fig8 = by_name("fig8").expect("legal");
    // A quarter of T = 1.5π s: sin ωt = 1, sin 2ωt = 0.
    let quarter = fig8.at(1.5 * std::f64::consts::PI / 4.0);
    assert!((quarter.position_m - Vector3::new(2.0, 2.0, 0.0)).norm() < 1e-12);
    let lowest = (0..20_000)
        .map(|k| fig8.at(f64::from(k) * 1e-3).position_m.z)
        .fold(f64::INFINITY, f64::min);
    assert!((lowest + 1.0).abs() < 1e-6);
}

#[test]
fn a_typo_is_answered_with_the_nearest_name_and_all_names() {
    let message = by_name("fig-8")
        .err()
        .expect("not a legal name")
        .to_string();
    assert_eq!(
        message,
        "unknown trajectory `fig-8`: did you mean `fig8`? Known: hover, fig8, sin-forward, spiral-up"
    );
}
