use nalgebra::{DMatrix, DVector};

use super::*;
use crate::surrogate::Standardisation;

fn sample() -> (DMatrix<f64>, DVector<f64>) {
    let x = DMatrix::from_fn(24, 2, |i, j| ((7 * i + 11 * j) as f64 * 0.37).sin());
    let y = DVector::from_fn(24, |i, _| (2.0 * x[(i, 0)]).sin() + 0.3 * (i as f64).cos());
    let y = Standardisation::of(&y).apply(&y);
    (x, y)
}

/// The slopes of `value` at `at` by central differences.
pub(super) fn slopes(at: &[f64], value: impl Fn(&[f64]) -> f64) -> Vec<f64> {
    let slope = |j: usize| {
        let moved = |by: f64| {
            let mut at = at.to_vec();
            at[j] += by;
            value(&at)
        };
        (moved(1e-5) - moved(-1e-5)) / 2e-5
    };
    (0..at.len()).map(slope).collect()
}

fn assignment(settings: &DilGp, x: &DMatrix<f64>) -> Vec<f64> {
    initial_assignment(&settings.environments, x, 0).unwrap()
}

/// Where the plain process ends.
fn plain(x: &DMatrix<f64>, y: &DVector<f64>) -> Minimum {
    let data = Dataset::new(x.clone(), y.clone()).unwrap();
    let process = Process::with("gp", Family::Rbf.covariance());
    process.lowest(&Sample::of(&data), 0).unwrap()
}

#[test]
fn the_ascent_ends_where_moving_one_point_gains_less_than_a_hundredth() {
    let (x, y) = sample();
    let task = Task::new(Family::Rbf, &x, &y);
    let evidence = task.evidence(&[0.0, -0.5, -3.0]).unwrap();
    let penalty = Penalty::new(&evidence, &y);
    let settings = DilGp::per_point();
    let first = assignment(&settings, &x);
    let q = settings.ascend(&penalty, &first);
    let (before, after) = (penalty.value(&first), penalty.value(&q));
    assert!(after > before, "{after} > {before}");
    assert!(q.iter().all(|q| q.abs() <= settings.largest_assignment));
    for i in 0..q.len() {
        for step in [-0.5, 0.5] {
            let mut moved = q.clone();
            moved[i] =
                (moved[i] + step).clamp(-settings.largest_assignment, settings.largest_assignment);
            let found = penalty.value(&moved);
            assert!(
                found < after * 1.01,
                "point {i} by {step}: {found} > {after}"
            );
        }
    }
}

/// What training minimises, worked out from the slopes of both environments alone.
#[test]
fn the_objective_that_is_trained_is_the_stated_formula_and_its_gradient_is_its_slope() {
    let (x, y) = sample();
    let n = y.len() as f64;
    let task = Task::new(Family::Rbf, &x, &y);
    let settings = DilGp::printed();
    let q = assignment(&settings, &x);
    let eta = [0.2, -0.5, -2.0];
    for (settings, weight) in [(DilGp::printed(), 0.3), (DilGp::per_point(), 0.3 / n / 2.0)] {
        let settings = DilGp {
            lambda: 0.3,
            ..settings
        };
        let at = |eta: &[f64]| {
            let evidence = task.evidence(eta).unwrap();
            let penalty = Penalty::new(&evidence, &y);
            let plain = task.plain_objective(&evidence, eta);
            let [g0, g1] = penalty.slopes(&q);
            let formula = plain.value + weight * (g0 * g0 + g1 * g1);
            (settings.penalised(plain, &penalty, &q), formula)
        };
        let (found, formula) = at(&eta);
        approx::assert_relative_eq!(found.value, formula, max_relative = 1e-12);
        let expected = slopes(&eta, |eta| at(eta).0.value);
        for (found, expected) in found.gradient.iter().zip(expected) {
            approx::assert_relative_eq!(*found, expected, max_relative = 1e-6, epsilon = 1e-6);
        }
    }
}

#[test]
fn steps_of_the_ascent_shrink_linearly_from_the_rate_to_nothing() {
    let (x, y) = sample();
    let task = Task::new(Family::Rbf, &x, &y);
    let evidence = task.evidence(&[0.0, -0.5, -3.0]).unwrap();
    let penalty = Penalty::new(&evidence, &y);
    let settings = DilGp {
        inner_steps: 4,
        assignment_rate: 1e-6,
        ..DilGp::printed()
    };
    let first = assignment(&settings, &x);
    let q = settings.ascend(&penalty, &first);
    let (_, slopes) = penalty.by_assignment(&first);
    for ((q, first), slope) in q.iter().zip(&first).zip(slopes) {
        // 1 + 3/4 + 2/4 + 1/4 rates, all the same way.
        let expected = 2.5e-6 * slope.signum();
        assert!((q - first - expected).abs() < 1e-14, "{}", q - first);
    }
}

#[test]
fn rounds_count_their_evaluations_and_end_when_the_worst_case_has_settled() {
    let (x, y) = sample();
    let task = Task::new(Family::Rbf, &x, &y);
    let first = assignment(&DilGp::printed(), &x);
    let plain = plain(&x, &y);
    let rounds = |rounds: usize| {
        let settings = DilGp {
            rounds,
            ..DilGp::per_point()
        };
        let found = settings.alternate(&task, plain.clone(), first.clone());
        (settings, found.unwrap())
    };
    let (settings, one) = rounds(1);
    let effort = Effort {
        evaluations: settings.evaluations_per_round,
        ..EFFORT
    };
    let (before, q) = settings.worst_case(&task, &plain.at, &first).unwrap();
    let descent = minimise(&plain.at, effort, |eta| {
        let worst = settings.worst_case(&task, eta, &q);
        worst.ok().map(|(worst, _)| worst)
    });
    let (spent, gained) = (
        descent.unwrap().evaluations,
        before.value - one.minimum.value,
    );
    // The worst case where the round begins is an evaluation of its own.
    assert_eq!(one.minimum.evaluations, plain.evaluations + 1 + spent);
    let (reached, farthest) = settings.worst_case(&task, &one.minimum.at, &q).unwrap();
    assert_eq!((reached.value, farthest), (one.minimum.value, one.q));
    assert!(gained > SETTLED, "{gained}");
    assert_eq!(one.minimum.ending, Ending::Budget);
    let ends: Vec<Found> = (1..=60).map(|n| rounds(n).1).collect();
    let settled = ends
        .iter()
        .position(|found| found.minimum.ending != Ending::Budget)
        .expect("it settles");
    let gain = ends[settled - 1].minimum.value - ends[settled].minimum.value;
    assert!(gain.abs() < SETTLED, "{gain}");
    assert_eq!(
        ends[settled].minimum.evaluations,
        ends[59].minimum.evaluations
    );
}

#[test]
fn without_a_penalty_the_assignment_stays_where_it_started() {
    let x = DMatrix::from_fn(12, 1, |i, _| (i as f64 * 0.7).sin());
    let y = DVector::from_fn(12, |i, _| (2.0 * x[(i, 0)]).sin());
    let settings = DilGp {
        lambda: 0.0,
        ..DilGp::printed()
    };
    let model = settings.fit(&Dataset::new(x, y).unwrap(), 0).unwrap();
    for weight in model.summary().environments.as_ref().unwrap() {
        let logit = (weight / (1.0 - weight)).ln();
        assert!((logit.abs() - 1.0).abs() < 1e-12, "{logit}");
    }
}
