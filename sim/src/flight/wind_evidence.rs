//! Wind evidence: what a flight's telemetry says of the wind that it met.
//!
//! In windows of 1 s: the acceleration that the commanded thrust does not explain,
//! d = (v_end - v_start) / 1 s - mean(R e3 T / m - g e3), horizontally. To first order
//! d = k (w - v) with a drag rate k of the vehicle, so that the wind is w = d / k + v. The rate is
//! found by regressing d on v over flights of one vehicle, with the velocity that was asked for
//! as the instrument: gusts move the vehicle, so that d and the measured v share them, but they do
//! not move the setpoint.
//!
//! Ignored: the difference between commanded and true thrust (rotor lag, saturation), drag that
//! is not linear in the airspeed or differs between axes, gusts shorter than a window.

use crate::GRAVITY_M_S2;
use crate::flight::telemetry::{TELEMETRY_PERIOD_S, TelemetrySample};
use crate::wind::WindFeatures;
use nalgebra::{Vector2, Vector3};
use serde::{Deserialize, Serialize};

/// Samples of telemetry in a window of 1 s.
const WINDOW: usize = 50;

/// A flight of fewer windows says nothing of the spread of its wind.
const FEWEST_WINDOWS: u64 = 3;

/// The drag rate where flights do not tell it, that of the `omac` vehicle [1/s].
pub const ASSUMED_DRAG_RATE_PER_S: f64 = 0.4;

/// Least covariance of velocity and its setpoint from which a drag rate is inferred [m²/s²].
const LEAST_MOTION: f64 = 0.1;

/// Drag rates that a multirotor may have [1/s]; a regression outside them failed.
const DRAG_RATES_PER_S: [f64; 2] = [0.05, 5.0];

/// What the windows of one flight say together: their number, means and mean products of
/// deviations, summed over both horizontal axes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WindEvidence {
    /// Number of windows.
    pub windows: u64,
    /// Mean of d, world x and y [m/s²].
    pub disturbance_m_s2: [f64; 2],
    /// Mean of v, world x and y [m/s].
    pub velocity_m_s: [f64; 2],
    /// Variance of d [m²/s⁴].
    pub disturbance_variance: f64,
    /// Variance of v [m²/s²].
    pub velocity_variance: f64,
    /// Covariance of d and v [m²/s³].
    pub disturbance_velocity: f64,
    /// Covariance of d and the setpoint of v [m²/s³].
    pub disturbance_setpoint: f64,
    /// Covariance of v and its setpoint [m²/s²].
    pub velocity_setpoint: f64,
}

/// One window: d, v and the setpoint of v.
type Window = [Vector2<f64>; 3];

impl WindEvidence {
    /// The evidence in the telemetry of a vehicle of `mass_kg`, or nothing where the flight was
    /// too short (3 s) or its numbers are not finite.
    pub fn of(telemetry: &[TelemetrySample], mass_kg: f64) -> Option<WindEvidence> {
        let starts = (0..telemetry.len()).step_by(WINDOW);
        let whole = starts.filter(|start| start + WINDOW < telemetry.len());
        let windows: Vec<Window> = whole
            .map(|start| window(&telemetry[start..=start + WINDOW], mass_kg))
            .collect();
        let count = windows.len() as u64;
        if count < FEWEST_WINDOWS {
            return None;
        }
        let mean_of =
            |k: usize| windows.iter().map(|window| window[k]).sum::<Vector2<f64>>() / count as f64;
        let mean: [Vector2<f64>; 3] = std::array::from_fn(mean_of);
        let covariance = |j: usize, k: usize| {
            let products = windows
                .iter()
                .map(|window| (window[j] - mean[j]).dot(&(window[k] - mean[k])));
            products.sum::<f64>() / count as f64
        };
        let evidence = WindEvidence {
            windows: count,
            disturbance_m_s2: mean[0].into(),
            velocity_m_s: mean[1].into(),
            disturbance_variance: covariance(0, 0),
            velocity_variance: covariance(1, 1),
            disturbance_velocity: covariance(0, 1),
            disturbance_setpoint: covariance(0, 2),
            velocity_setpoint: covariance(1, 2),
        };
        evidence.is_finite().then_some(evidence)
    }

    /// Whether every number is finite.
    pub fn is_finite(&self) -> bool {
        let numbers = [
            self.disturbance_variance,
            self.velocity_variance,
            self.disturbance_velocity,
            self.disturbance_setpoint,
            self.velocity_setpoint,
        ];
        let means = self.disturbance_m_s2.iter().chain(&self.velocity_m_s);
        numbers.iter().chain(means).all(|x| x.is_finite())
    }

    /// The wind where the drag rate is `rate_per_s`.
    pub fn wind(&self, rate_per_s: f64) -> WindFeatures {
        let mean: [f64; 2] = std::array::from_fn(|axis| {
            self.disturbance_m_s2[axis] / rate_per_s + self.velocity_m_s[axis]
        });
        let variance = self.disturbance_variance / (rate_per_s * rate_per_s)
            + 2.0 * self.disturbance_velocity / rate_per_s
            + self.velocity_variance;
        WindFeatures {
            mean_m_s: mean[0].hypot(mean[1]),
            spread_m_s: variance.max(0.0).sqrt(),
        }
    }
}

/// The drag rate that flights of one vehicle show together [1/s], or nothing where they do not
/// move enough to show one.
pub fn drag_rate<'a>(flights: impl IntoIterator<Item = &'a WindEvidence>) -> Option<f64> {
    let (mut windows, mut disturbance, mut velocity) = (0.0, 0.0, 0.0);
    for flight in flights {
        let count = flight.windows as f64;
        windows += count;
        disturbance += count * flight.disturbance_setpoint;
        velocity += count * flight.velocity_setpoint;
    }
    let rate = -disturbance / velocity;
    let [least, most] = DRAG_RATES_PER_S;
    let moved = windows > 0.0 && velocity / windows >= LEAST_MOTION;
    (moved && rate >= least && rate <= most).then_some(rate)
}

/// One window from its samples and the first of the next.
fn window(samples: &[TelemetrySample], mass_kg: f64) -> Window {
    let (within, next) = (&samples[..WINDOW], &samples[WINDOW]);
    let thrust = within
        .iter()
        .map(|s| s.attitude * Vector3::z() * (s.thrust_n / mass_kg) - gravity())
        .sum::<Vector3<f64>>()
        / WINDOW as f64;
    let seconds = WINDOW as f64 * TELEMETRY_PERIOD_S;
    let gained = (next.velocity_m_s - within[0].velocity_m_s) / seconds;
    let mean = |of: fn(&TelemetrySample) -> Vector3<f64>| {
        within.iter().map(of).sum::<Vector3<f64>>().xy() / WINDOW as f64
    };
    [
        (gained - thrust).xy(),
        mean(|s| s.velocity_m_s),
        mean(|s| s.setpoint_m_s),
    ]
}

fn gravity() -> Vector3<f64> {
    Vector3::new(0.0, 0.0, GRAVITY_M_S2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_relative_eq;
    use nalgebra::UnitQuaternion;

    const MASS_KG: f64 = 1.7;

    /// Telemetry without noise of a point mass with linear drag in a given wind, whose velocity
    /// along x and y is prescribed window by window (constant within each, so that means are
    /// exact), and whose thrust does the rest.
    fn flown(rate: f64, wind: impl Fn(usize) -> [f64; 2], windows: usize) -> Vec<TelemetrySample> {
        let velocity = |window: usize| {
            let phase = window as f64 * 1.3;
            Vector3::new(2.0 * phase.sin(), 1.5 * (0.7 * phase).cos(), 0.0)
        };
        (0..=windows * WINDOW)
            .map(|k| {
                let window = k / WINDOW;
                let [x, y] = wind(window);
                let drag = (Vector3::new(x, y, 0.0) - velocity(window)) * rate;
                let gained = velocity(window + 1) - velocity(window);
                let force = (gained - drag + gravity()) * MASS_KG;
                let attitude = UnitQuaternion::rotation_between(&Vector3::z(), &force);
                TelemetrySample {
                    time_s: k as f64 * TELEMETRY_PERIOD_S,
                    velocity_m_s: velocity(window),
                    setpoint_m_s: velocity(window),
                    attitude: attitude.expect("upwards"),
                    thrust_n: force.norm(),
                }
            })
            .collect()
    }

    #[test]
    fn a_window_is_a_second() {
        assert_relative_eq!(WINDOW as f64 * TELEMETRY_PERIOD_S, 1.0);
    }

    #[test]
    fn a_constant_wind_and_the_drag_are_recovered() {
        let telemetry = flown(0.37, |_| [3.0, -1.0], 12);
        let evidence = WindEvidence::of(&telemetry, MASS_KG).expect("twelve windows");
        assert_eq!(evidence.windows, 12);
        let rate = drag_rate([&evidence]).expect("it moves");
        assert_relative_eq!(rate, 0.37, max_relative = 1e-12);
        let wind = evidence.wind(rate);
        assert_relative_eq!(wind.mean_m_s, 10f64.sqrt(), max_relative = 1e-12);
        assert!(wind.spread_m_s < 1e-6, "{wind:?}");
    }

    #[test]
    fn a_known_drag_recovers_a_wind_that_changes() {
        // Along x it alternates between 1 and 5 m/s: mean 3, deviation 2; along y it is still.
        let wind = |window: usize| [if window.is_multiple_of(2) { 1.0 } else { 5.0 }, 0.0];
        let evidence = WindEvidence::of(&flown(0.6, wind, 10), MASS_KG).expect("ten windows");
        let wind = evidence.wind(0.6);
        assert_relative_eq!(wind.mean_m_s, 3.0, max_relative = 1e-12);
        assert_relative_eq!(wind.spread_m_s, 2.0, max_relative = 1e-9);
    }

    #[test]
    fn flights_that_stand_still_or_end_at_once_tell_no_drag() {
        let mut telemetry = flown(0.4, |_| [2.0, 0.0], 10);
        for sample in &mut telemetry {
            sample.setpoint_m_s = Vector3::zeros();
        }
        let evidence = WindEvidence::of(&telemetry, MASS_KG).expect("ten windows");
        assert_eq!(drag_rate([&evidence]), None);
        assert_eq!(drag_rate([]), None);
        assert_eq!(WindEvidence::of(&telemetry[..101], MASS_KG), None);
        assert_eq!(WindEvidence::of(&[], MASS_KG), None);
    }
}
