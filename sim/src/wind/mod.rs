//! Wind: a velocity that changes with time, the same for every vehicle that flies in it, and a mean
//! that may change with the height at which it does.

pub(crate) mod domain;
mod dryden;
mod gust;
pub mod gust_statistics;
pub mod record;
mod shear;
mod weather;

pub use dryden::Dryden;
pub use gust::{DiscreteGust, GustAxis, PassingGust};
pub use shear::{OTHER_ROUGHNESS_M, Shear, Sheared, TERMINAL_ROUGHNESS_M};
pub use weather::DomainWind;

use nalgebra::{Vector2, Vector3};
use serde::{Deserialize, Serialize};

/// A wind, sampled at a fixed step.
pub trait Wind {
    /// Wind velocity in the world frame over the next step [m/s].
    fn step(&mut self) -> Vector3<f64>;

    /// The velocities over as many next steps as `winds` has room for: those that `step` would
    /// give, faster where there are many.
    fn steps(&mut self, winds: &mut [Vector3<f64>]) {
        for wind in winds {
            *wind = self.step();
        }
    }

    /// Its mean over the flight, before the first step, at the height of [`crate::START_ABOVE_GROUND_M`]
    /// [m/s].
    fn mean_m_s(&self) -> Vector3<f64>;

    /// What the height of the vehicle adds to it; `None` if all heights have the same wind.
    fn sheared(&self) -> Option<Sheared> {
        None
    }
}

/// The same wind at all times.
#[derive(Debug, Clone, Copy)]
pub struct Steady(
    /// Wind velocity in the world frame [m/s].
    pub Vector3<f64>,
);

impl Wind for Steady {
    fn step(&mut self) -> Vector3<f64> {
        self.0
    }

    fn mean_m_s(&self) -> Vector3<f64> {
        self.0
    }
}

// Features: a flight's horizontal wind in two numbers.

/// The horizontal wind of a flight.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct WindFeatures {
    /// M: length of the mean wind vector [m/s].
    pub mean_m_s: f64,
    /// S: root of the summed variances of its components [m/s].
    pub spread_m_s: f64,
}

impl WindFeatures {
    /// Those of the air itself over so many steps.
    pub fn met(wind: &mut dyn Wind, steps: usize) -> WindFeatures {
        let mut winds = vec![Vector3::zeros(); steps];
        wind.steps(&mut winds);
        let count = steps.max(1) as f64;
        let mean = winds.iter().map(|wind| wind.xy()).sum::<Vector2<f64>>() / count;
        let squares = winds.iter().map(|wind| (wind.xy() - mean).norm_squared());
        WindFeatures {
            mean_m_s: mean.norm(),
            spread_m_s: (squares.sum::<f64>() / count).sqrt(),
        }
    }

    /// Root mean square of the horizontal wind's speed [m/s].
    pub fn rms_m_s(&self) -> f64 {
        self.mean_m_s.hypot(self.spread_m_s)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_relative_eq;

    #[test]
    fn a_wind_is_summed_up_by_the_length_of_its_mean_and_the_root_of_its_variances() {
        /// 3 m/s along x, and along y -4 and 4 m/s in turn; vertically anything.
        struct InTurn(f64);
        impl Wind for InTurn {
            fn step(&mut self) -> Vector3<f64> {
                self.0 = -self.0;
                Vector3::new(3.0, self.0, 9.0)
            }

            fn mean_m_s(&self) -> Vector3<f64> {
                Vector3::new(3.0, 0.0, 9.0)
            }
        }
        let met = WindFeatures::met(&mut InTurn(4.0), 200);
        assert_relative_eq!(met.mean_m_s, 3.0, max_relative = 1e-12);
        assert_relative_eq!(met.spread_m_s, 4.0, max_relative = 1e-12);
        assert_relative_eq!(met.rms_m_s(), 5.0, max_relative = 1e-12);
    }
}
