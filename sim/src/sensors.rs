//! Sensors: what the position loop believes about position and velocity.

use crate::quadrotor::State;
use crate::random::{Purpose, stream};
use nalgebra::Vector3;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};
use serde::{Deserialize, Serialize};

/// White noise of the position loop's measurements; zero gives the true state.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SensorNoise {
    /// Standard deviation of each position component [m].
    pub position_m: f64,
    /// Standard deviation of each velocity component [m/s].
    pub velocity_m_s: f64,
}

impl SensorNoise {
    /// No noise at all. Tuning then degenerates: every gain runs to its upper bound.
    pub const NONE: SensorNoise = SensorNoise {
        position_m: 0.0,
        velocity_m_s: 0.0,
    };
}

impl Default for SensorNoise {
    fn default() -> Self {
        SensorNoise {
            position_m: 0.02,
            velocity_m_s: 0.1,
        }
    }
}

/// Position and velocity as measured, in the world frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measurement {
    /// Position [m].
    pub position_m: Vector3<f64>,
    /// Velocity [m/s].
    pub velocity_m_s: Vector3<f64>,
}

/// The sensors of one flight.
#[derive(Debug, Clone)]
pub struct Sensors {
    noise: SensorNoise,
    rng: ChaCha8Rng,
}

impl Sensors {
    /// Sensors whose noise belongs to `seed`.
    pub fn new(noise: SensorNoise, seed: u64) -> Sensors {
        Sensors {
            noise,
            rng: stream(seed, Purpose::Sensors),
        }
    }

    /// A fresh measurement of `state`.
    pub fn measure(&mut self, state: &State) -> Measurement {
        let position_m = state.position_m + self.noise_vector() * self.noise.position_m;
        let velocity_m_s = state.velocity_m_s + self.noise_vector() * self.noise.velocity_m_s;
        Measurement {
            position_m,
            velocity_m_s,
        }
    }

    fn noise_vector(&mut self) -> Vector3<f64> {
        Vector3::from_fn(|_, _| StandardNormal.sample(&mut self.rng))
    }
}
