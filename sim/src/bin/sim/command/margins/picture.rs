//! The open loops as pictures.

use super::{AXES, drawn};
use nalgebra::Complex;
use plots::{OpenLoop, OpenLoopPoint, OpenLoopsPicture};
use shell::Failure;
use sim::margins::{Linearised, Loop};
use std::path::Path;

/// Frequencies of a curve where nothing turns quickly.
const FREQUENCIES: usize = 300;

/// A curve turns by at most this between two points [rad]: a resonance is a bend and not a corner, and
/// which way round it goes is known.
const TURN_RAD: f64 = 0.07;

/// Most halvings of the way between two frequencies.
const HALVINGS: u32 = 8;

/// A frequency [rad/s] and what the open loop answers there.
type Answer = (f64, Complex<f64>);

/// A picture of the inner loops and one of the outer.
pub(super) fn draw(linear: &Linearised, airframe: &str, folder: &Path) -> Result<(), Failure> {
    let pictures = [
        (
            "inner-loops",
            "rate and attitude loops",
            [Loop::Rate, Loop::Attitude],
        ),
        (
            "outer-loops",
            "velocity and position loops",
            [Loop::Velocity, Loop::Position],
        ),
    ];
    for (file, what, pair) in pictures {
        let curves: Vec<(String, Vec<OpenLoopPoint>)> = pair
            .into_iter()
            .flat_map(|l| [0, 1, 2].map(|axis| (l, axis)))
            .map(|(l, axis)| {
                (
                    format!("{} {}", l.name(), AXES[axis]),
                    curve(linear, l, axis),
                )
            })
            .filter(|(_, points)| points.len() > 1)
            .collect();
        let loops: Vec<OpenLoop> = curves
            .iter()
            .map(|(label, points)| OpenLoop { label, points })
            .collect();
        if loops.is_empty() {
            continue;
        }
        let title = format!("{airframe} at hover: {what}, each opened by itself");
        let picture = OpenLoopsPicture {
            title: &title,
            loops: &loops,
        };
        drawn(folder, file, |stem| plots::draw(&picture, stem))?;
    }
    Ok(())
}

/// The open loop up to its Nyquist frequency; empty for one without gains.
fn curve(linear: &Linearised, which: Loop, axis: usize) -> Vec<OpenLoopPoint> {
    let mut before: Option<Complex<f64>> = None;
    let mut phase = 0.0;
    let mut points = Vec::new();
    for (frequency_rad_s, value) in answers(linear, which, axis) {
        let magnitude = value.norm();
        if magnitude <= 1e-12 || !magnitude.is_finite() {
            continue;
        }
        phase = match before {
            Some(before) => phase + (value * before.conj()).arg(),
            // Loops begin behind an integrator or two.
            None if value.arg() > 0.0 => value.arg() - std::f64::consts::TAU,
            None => value.arg(),
        };
        before = Some(value);
        points.push(OpenLoopPoint {
            frequency_rad_s,
            magnitude,
            phase_deg: phase.to_degrees(),
        });
    }
    points
}

/// The open loop at frequencies so close that it turns little from one to the next.
fn answers(linear: &Linearised, which: Loop, axis: usize) -> Vec<Answer> {
    let [low, high] = Linearised::range_rad_s(which);
    let at = |frequency: f64| (frequency, linear.response(which, axis, frequency));
    let mut answers = vec![at(low)];
    for k in 1..=FREQUENCIES {
        let next = at(low * (high / low).powf(k as f64 / FREQUENCIES as f64));
        between(
            &at,
            answers[answers.len() - 1],
            next,
            HALVINGS,
            &mut answers,
        );
        answers.push(next);
    }
    answers
}

/// Adds what lies between two answers, in order, where the way from one to the other turns much.
fn between(
    at: &dyn Fn(f64) -> Answer,
    from: Answer,
    to: Answer,
    halvings: u32,
    answers: &mut Vec<Answer>,
) {
    let turn = (to.1 * from.1.conj()).arg().abs();
    if halvings == 0 || turn <= TURN_RAD || turn.is_nan() {
        return;
    }
    let middle = at((from.0 * to.0).sqrt());
    between(at, from, middle, halvings - 1, answers);
    answers.push(middle);
    between(at, middle, to, halvings - 1, answers);
}
