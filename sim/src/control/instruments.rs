//! Instruments: what a log holds of a vehicle besides what its autopilot flies by: an accelerometer, and gaps.

use super::CONTROL_PERIOD_S;
use super::sensors::{SensorNoise, biases, normal};
use crate::random::{Purpose, stream};
use nalgebra::Vector3;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use std::f64::consts::TAU;

/// Longest gap, in control periods.
const LONGEST_GAP: u32 = 20;

/// The instruments of one flight.
#[derive(Debug, Clone)]
pub(crate) struct Instruments {
    noise: SensorNoise,
    rng: ChaCha8Rng,
    bias_m_s2: Vector3<f64>,
    /// How far rotor 1 has turned [rad].
    turned_rad: f64,
    /// Control periods that the gap goes on.
    missing: u32,
}

impl Instruments {
    /// Those whose noise belongs to `seed`.
    pub(crate) fn new(noise: SensorNoise, seed: u64) -> Instruments {
        Instruments {
            noise,
            rng: stream(seed, Purpose::Instruments),
            bias_m_s2: biases(seed)[1] * noise.accelerometer_bias_m_s2,
            turned_rad: 0.0,
            missing: 0,
        }
    }

    /// What the accelerometer shows of a specific force, while rotor 1 turns at `rotor_rad_s` for a control period:
    /// the rotor shakes each axis, one a third of a turn after the other.
    pub(crate) fn accelerometer(
        &mut self,
        force_m_s2: &Vector3<f64>,
        rotor_rad_s: f64,
    ) -> Vector3<f64> {
        self.turned_rad = (self.turned_rad + rotor_rad_s * CONTROL_PERIOD_S) % TAU;
        let shaken = |axis: usize, _| (self.turned_rad + axis as f64 * TAU / 3.0).sin();
        let tone_m_s2 = Vector3::from_fn(shaken) * self.noise.vibration_m_s2;
        let noise_m_s2 = normal(&mut self.rng) * self.noise.accelerometer_m_s2;
        force_m_s2 + self.bias_m_s2 + tone_m_s2 + noise_m_s2
    }

    /// Whether the next control period is missing in the log.
    pub(crate) fn misses(&mut self) -> bool {
        let chance = self.noise.dropouts_per_s * CONTROL_PERIOD_S;
        if self.missing > 0 {
            self.missing -= 1;
            return true;
        }
        let begins = self.rng.random_range(0.0..1.0) < chance;
        if begins {
            self.missing = self.rng.random_range(0..LONGEST_GAP);
        }
        begins
    }
}
