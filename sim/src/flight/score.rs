//! Score: how well a flight followed its trajectory.

use crate::Airframe;
use crate::control::{CONTROL_PERIOD_S, Commands};
use crate::lanes::Real;
use crate::lanes::axes::{Axes, Turn};
use crate::vehicle::plant::Motion;
use crate::vehicle::rotors::{sum, taken};
use serde::{Deserialize, Serialize};
use trajectories::Reference;

/// What a flight that ended early costs, and the most that a completed one can cost [m].
pub const ACE_CAP_M: f64 = 2.0;

/// Averages over the time that was flown.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Score {
    /// Average control error: root of the time mean of |p − p_d|² [m].
    pub ace_m: f64,
    /// Time mean of |p − p_d| [m].
    pub mean_distance_m: f64,
    /// Time mean of |p − p_d|², the paper's definition; it orders flights as `ace_m` does [m²].
    pub mean_square_m2: f64,
    /// Greatest |p − p_d| [m].
    pub max_error_m: f64,
    /// Time mean of the length of position and velocity error stacked, with metres and metres per
    /// second given equal weight: the metric of Shi et al. 2021.
    pub mean_state_error: f64,
    /// Time mean over the rotors of (thrust / hover thrust − 1)²: how hard the rotors work beyond
    /// carrying the weight.
    pub effort: f64,
    /// Share of the time in which a rotor was at the end of its range.
    pub rotor_saturation: f64,
    /// How far the rotors' commands travel: their ranges a second, a mean over them.
    #[serde(default)]
    pub motor_activity_per_s: f64,
    /// Share of the time in which the position loop's thrust or tilt limit was active.
    pub force_limitation: f64,
    /// Shares of the time in which the vehicle headed more than [`HEADINGS_DEG`] from where it should.
    #[serde(default)]
    pub heading_off: [f64; 2],
}

/// Errors of heading whose share of the time is reported [deg].
pub const HEADINGS_DEG: [f64; 2] = [30.0, 90.0];

/// Sums from which a [`Score`] is made, for one flight or one in each lane.
#[derive(Debug, Clone)]
pub(crate) struct Tally<R, const N: usize> {
    /// How many rotors there are.
    rotors: usize,
    /// 1 / hover speed² [s²/rad²].
    per_hover: f64,
    /// 1 / range of a rotor's speed [s/rad].
    per_range: f64,
    /// The commands of the period before, if there was one [rad/s].
    last: Option<[R; N]>,
    travel: R,
    /// Control periods so far.
    count: u64,
    distance: R,
    square: R,
    most_square: R,
    state_error: R,
    effort: R,
    saturated: R,
    limited: R,
    heading_off: [R; 2],
}

/// What one control period contributes.
struct Instant<R: Real> {
    /// |p − p_d|² [m²].
    position_error_squared: R,
    /// |v − v_d|² [m²/s²].
    velocity_error_squared: R,
    /// Sum over the rotors of (thrust / hover thrust − 1)².
    effort: R,
    unsaturated: R::Mask,
    /// 1 or 0.
    force_limited: R,
    /// 1 or 0 for each of [`HEADINGS_DEG`].
    heading_off: [R; 2],
}

impl<R: Real, const N: usize> Tally<R, N> {
    /// Nothing yet, for flights of `airframe`; `zero` is 0 in every lane.
    pub(crate) fn new(airframe: &Airframe, zero: R) -> Tally<R, N> {
        let rotors = &airframe.rotors;
        Tally {
            rotors: rotors.count(),
            per_hover: airframe.hover_speed_rad_s().powi(-2),
            per_range: 1.0 / (rotors.max_speed_rad_s - rotors.min_speed_rad_s),
            last: None,
            travel: zero,
            count: 0,
            distance: zero,
            square: zero,
            most_square: zero,
            state_error: zero,
            effort: zero,
            saturated: zero,
            limited: zero,
            heading_off: [zero; 2],
        }
    }

    /// Takes in one control period: the vehicle and its rotors at its start, and what was due and
    /// commanded.
    #[inline(always)]
    pub(crate) fn add(
        &mut self,
        body: &Motion<R>,
        speeds: &[R; N],
        reference: &Reference,
        command: &Commands<R, N>,
    ) {
        let like = speeds[0];
        let position_error = body.position - Axes::fill(like, |_| reference.position_m);
        let velocity_error = body.velocity - Axes::fill(like, |_| reference.velocity_m_s);
        let strain = |n: R| {
            let excess = n * n * self.per_hover - 1.0;
            excess * excess
        };
        let mut strains = [like.like(0.0); N];
        for i in 0..taken::<N>(self.rotors) {
            strains[i] = strain(speeds[i]);
        }
        let now = command.speeds;
        if let Some(mut moved) = self.last.replace(now) {
            for i in 0..N {
                moved[i] = (now[i] - moved[i]).abs();
            }
            self.travel = self.travel + sum(&moved);
        }
        self.sum(&Instant {
            position_error_squared: position_error.dot(position_error),
            velocity_error_squared: velocity_error.dot(velocity_error),
            effort: sum(&strains),
            unsaturated: command.unsaturated,
            force_limited: command.force_limited,
            heading_off: heading_off(body, reference),
        });
    }

    #[inline(always)]
    fn sum(&mut self, now: &Instant<R>) {
        self.count += 1;
        let (zero, square) = (now.effort.like(0.0), now.position_error_squared);
        self.distance = self.distance + square.sqrt();
        self.square = self.square + square;
        self.most_square = self.most_square.greater(square);
        self.state_error = self.state_error + (square + now.velocity_error_squared).sqrt();
        self.effort = self.effort + now.effort;
        self.saturated = self.saturated + R::pick(now.unsaturated, zero, zero + 1.0);
        self.limited = self.limited + now.force_limited;
        for (sum, off) in self.heading_off.iter_mut().zip(now.heading_off) {
            *sum = *sum + off;
        }
    }

    /// The score so far of the flight in lane `k`.
    pub(crate) fn score(&self, k: usize) -> Score {
        let n = self.count.max(1) as f64;
        let mean = |sum: R| sum.lane(k) / n;
        let rotors = taken::<N>(self.rotors) as f64;
        Score {
            ace_m: mean(self.square).sqrt(),
            mean_distance_m: mean(self.distance),
            mean_square_m2: mean(self.square),
            max_error_m: self.most_square.lane(k).sqrt(),
            mean_state_error: mean(self.state_error),
            effort: mean(self.effort) / rotors,
            rotor_saturation: mean(self.saturated),
            motor_activity_per_s: mean(self.travel) * self.per_range / (rotors * CONTROL_PERIOD_S),
            force_limitation: mean(self.limited),
            heading_off: self.heading_off.map(mean),
        }
    }
}

/// Whether the body's x axis, seen from above, points further than [`HEADINGS_DEG`] from the heading
/// that is due.
#[inline(always)]
fn heading_off<R: Real>(body: &Motion<R>, reference: &Reference) -> [R; 2] {
    let Turn { w, i } = body.attitude;
    let zero = w.like(0.0);
    let (x, y) = (
        -(i.y * i.y + i.z * i.z) * 2.0 + 1.0,
        (i.x * i.y + w * i.z) * 2.0,
    );
    let (sine, cosine) = reference.yaw_rad.sin_cos();
    let along = x * cosine + y * sine;
    let length = (x * x + y * y).sqrt();
    // Cosines of 30 and of 90 degrees.
    let least = [length * (0.75f64.sqrt()), zero];
    least.map(|least| R::pick(along.below(least), zero + 1.0, zero))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::State;
    use nalgebra::{UnitQuaternion, Vector3};

    #[test]
    fn a_score_is_the_average_it_says_it_is() {
        let mut tally = Tally::<f64, 4>::new(&Airframe::omac(), 0.0);
        for (error, speed) in [(3.0, 4.0), (4.0, 3.0)] {
            tally.sum(&Instant {
                position_error_squared: error * error,
                velocity_error_squared: speed * speed,
                effort: 4.0 * error,
                unsaturated: error < 3.5,
                force_limited: 1.0,
                heading_off: [1.0, 4.0 - error],
            });
        }
        let score = tally.score(0);
        assert_eq!(score.ace_m, 12.5f64.sqrt());
        assert_eq!(score.mean_square_m2, 12.5);
        assert_eq!((score.mean_distance_m, score.max_error_m), (3.5, 4.0));
        assert_eq!((score.mean_state_error, score.effort), (5.0, 3.5));
        assert_eq!((score.rotor_saturation, score.force_limitation), (0.5, 1.0));
        assert_eq!(score.heading_off, [1.0, 0.5]);
    }

    #[test]
    fn a_heading_is_off_where_the_nose_seen_from_above_points_further_than_the_angle() {
        let reference = Reference {
            position_m: Vector3::zeros(),
            velocity_m_s: Vector3::zeros(),
            acceleration_m_s2: Vector3::zeros(),
            yaw_rad: 7.0,
        };
        let off = |degrees: f64| {
            let turned = UnitQuaternion::from_euler_angles(0.4, -0.5, 7.0 + degrees.to_radians());
            let state = State {
                attitude: turned,
                ..State::on(&reference, [1.0; 4].into())
            };
            heading_off(&Motion::of(0.0, &state), &reference)
        };
        assert_eq!([off(29.9), off(-29.9)], [[0.0, 0.0]; 2]);
        assert_eq!([off(30.1), off(-89.9)], [[1.0, 0.0]; 2]);
        assert_eq!([off(90.1), off(-179.0)], [[1.0, 1.0]; 2]);
    }
}
