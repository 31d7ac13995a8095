//! Aerodynamics: what the air does to the vehicle beyond the thrust of its rotors. An airframe
//! chooses among the models; forces add up.

mod body_drag;
mod rotor_drag;
mod side_force;

pub use body_drag::BodyDrag;
pub use rotor_drag::RotorDrag;
pub use side_force::{CrosswindPull, RotorPull, SideForce};

use nalgebra::Vector3;

/// A force and a moment about the centre of mass, both in body axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BodyWrench {
    /// Force [N].
    pub force_n: Vector3<f64>,
    /// Moment [N m].
    pub moment_n_m: Vector3<f64>,
}

impl BodyWrench {
    /// Nothing.
    pub fn zero() -> BodyWrench {
        BodyWrench {
            force_n: Vector3::zeros(),
            moment_n_m: Vector3::zeros(),
        }
    }
}

impl std::ops::AddAssign for BodyWrench {
    fn add_assign(&mut self, other: BodyWrench) {
        self.force_n += other.force_n;
        self.moment_n_m += other.moment_n_m;
    }
}
