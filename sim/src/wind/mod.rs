//! Wind: a velocity that changes with time, the same for every vehicle that flies in it, and a mean
//! that may change with the height at which it does.

mod axis;
pub(crate) mod domain;
mod dryden;
mod features;
mod filter;
mod gust;
pub mod gust_statistics;
pub mod record;
pub(crate) mod shear;
mod weather;

pub use axis::GustAxis;
pub use dryden::Dryden;
pub use features::WindFeatures;
pub use gust::{DiscreteGust, PassingGust};
pub use shear::{OTHER_ROUGHNESS_M, Shear, Sheared, TERMINAL_ROUGHNESS_M};
pub use weather::DomainWind;

use nalgebra::Vector3;

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

    /// What the height of the vehicle adds to it; nothing where all heights have the same wind.
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
}
