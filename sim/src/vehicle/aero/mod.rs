//! Aerodynamics: what the air does to the vehicle beyond the thrust of its rotors. An airframe
//! chooses among the models; forces add up.

mod body_drag;
mod crosswind;
mod rotor_drag;
mod side_force;

pub use body_drag::BodyDrag;
pub(crate) use crosswind::{Crosswind, RotorPull, WindAnchor};
pub use rotor_drag::RotorDrag;
pub use side_force::SideForce;

use crate::lanes::Real;
use crate::lanes::axes::Axes;
use nalgebra::Vector3;

/// A force and a moment about the centre of mass, both in body axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BodyWrench {
    /// Force [N].
    pub force_n: Vector3<f64>,
    /// Moment [N m].
    pub moment_n_m: Vector3<f64>,
}

/// The same of [`Real`] numbers: force [N] and moment [N m] in body axes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wrench<R> {
    pub(crate) force: Axes<R>,
    pub(crate) moment: Axes<R>,
}

impl<R: Real> Wrench<R> {
    /// Nothing, in as many lanes as `like` has.
    #[inline(always)]
    pub(crate) fn none(like: R) -> Wrench<R> {
        let zero = like.like(0.0);
        let none = Axes::new(zero, zero, zero);
        Wrench {
            force: none,
            moment: none,
        }
    }

    #[inline(always)]
    pub(crate) fn pick(mask: R::Mask, yes: Wrench<R>, no: Wrench<R>) -> Wrench<R> {
        Wrench {
            force: Axes::pick(mask, yes.force, no.force),
            moment: Axes::pick(mask, yes.moment, no.moment),
        }
    }
}

impl<R: Real> std::ops::Add for Wrench<R> {
    type Output = Wrench<R>;
    #[inline(always)]
    fn add(self, other: Wrench<R>) -> Wrench<R> {
        Wrench {
            force: self.force + other.force,
            moment: self.moment + other.moment,
        }
    }
}

impl From<Wrench<f64>> for BodyWrench {
    fn from(wrench: Wrench<f64>) -> BodyWrench {
        BodyWrench {
            force_n: wrench.force.into(),
            moment_n_m: wrench.moment.into(),
        }
    }
}
