//! Curve: an open loop over all frequencies, as a picture has it, and where its margins are read off.

use super::crossings::{Margins, Sampling};
use super::loops::{Linearised, Loop};
use nalgebra::Complex;
use std::f64::consts::TAU;

/// A curve turns so little between two points that a resonance is a bend and not a corner, and that which
/// way round it goes is known.
const SAMPLING: Sampling = Sampling {
    steps: 300,
    turn_rad: 0.07,
    small: 0.0,
    halvings: 8,
};

/// The open loop at one frequency.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CurvePoint {
    /// Frequency [rad/s].
    pub frequency_rad_s: f64,
    /// Magnitude.
    pub magnitude: f64,
    /// Phase, not wrapped [rad].
    pub phase_rad: f64,
}

/// An open loop.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// By frequency, up to that of Nyquist; none for a loop without gains.
    pub points: Vec<CurvePoint>,
    /// Where the gain margins are read off, up and down.
    pub gain_margins: Vec<CurvePoint>,
    /// Where the phase margin is read off.
    pub phase_margin: Option<CurvePoint>,
}

impl Linearised {
    /// The open loop with its margins, its phase within half a turn of minus a half where the phase margin
    /// is read off.
    pub fn curve(&self, which: Loop, axis: usize, margins: &Margins) -> Curve {
        let mut points = points(self, which, axis);
        let mark = |frequency: Option<f64>| {
            let frequency_rad_s = frequency?;
            let after = points.partition_point(|point| point.frequency_rad_s < frequency_rad_s);
            let near = points.get(after).or(points.last())?.phase_rad;
            let value = self.response(which, axis, frequency_rad_s);
            let turned = value.arg() - near;
            Some(CurvePoint {
                frequency_rad_s,
                magnitude: value.norm(),
                phase_rad: near + turned - TAU * (turned / TAU).round(),
            })
        };
        let mut phase_margin = mark(margins.phase_rad_s);
        let up = mark(margins.gain_up_rad_s);
        let mut gain_margins: Vec<CurvePoint> = up
            .into_iter()
            .chain(mark(margins.gain_down_rad_s))
            .collect();
        let turns = phase_margin.map_or(0.0, |mark| (mark.phase_rad / TAU + 0.5).round());
        let all = points.iter_mut().chain(&mut gain_margins);
        all.chain(&mut phase_margin)
            .for_each(|point| point.phase_rad -= TAU * turns);
        Curve {
            points,
            gain_margins,
            phase_margin,
        }
    }
}

fn points(linear: &Linearised, which: Loop, axis: usize) -> Vec<CurvePoint> {
    let mut before: Option<Complex<f64>> = None;
    let mut phase_rad = 0.0;
    let mut points = Vec::new();
    let at = |frequency: f64| linear.response(which, axis, frequency);
    let response = linear.as_response(which, &at);
    for (frequency_rad_s, value) in SAMPLING.of(&response) {
        let magnitude = value.norm();
        if magnitude <= 1e-12 || !magnitude.is_finite() {
            continue;
        }
        phase_rad = match before {
            Some(before) => phase_rad + (value * before.conj()).arg(),
            // Loops begin behind an integrator or two.
            None if value.arg() > 0.0 => value.arg() - TAU,
            None => value.arg(),
        };
        before = Some(value);
        points.push(CurvePoint {
            frequency_rad_s,
            magnitude,
            phase_rad,
        });
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Airframe;
    use crate::margins::LOOPS;
    use nalgebra::Vector3;

    #[test]
    fn margins_are_read_off_the_curve_where_it_crosses() {
        let airframe = Airframe::by_name("hummingbird").expect("shipped");
        let linear = Linearised::hover(&airframe, &airframe.gains, 10, Vector3::x() * 3.0);
        // How far from half a turn, and how many whole ones; in turns.
        let half_turns = |rad: f64| (rad / TAU - 0.5 - (rad / TAU - 0.5).round()).abs();
        for which in LOOPS {
            for axis in 0..3 {
                let margins = linear.margins(which, axis);
                let curve = linear.curve(which, axis, &margins);
                let factors = margins.gain_up.into_iter().chain(margins.gain_down);
                let factors: Vec<f64> = factors.collect();
                assert_eq!(factors.len(), curve.gain_margins.len());
                for (mark, factor) in curve.gain_margins.iter().zip(factors) {
                    assert!(
                        (mark.magnitude * factor - 1.0).abs() < 1e-6,
                        "{which:?} {axis}"
                    );
                    assert!(
                        half_turns(mark.phase_rad) < 1e-6,
                        "{which:?} {axis} {mark:?}"
                    );
                }
                let (Some(mark), Some(rad)) = (curve.phase_margin, margins.phase_rad) else {
                    continue;
                };
                assert!((mark.magnitude - 1.0).abs() < 1e-6);
                assert!(
                    ((mark.phase_rad + TAU / 2.0).abs() - rad).abs() < 1e-6,
                    "{mark:?}"
                );
            }
        }
    }
}
