//! Vehicle: the rigid body, what acts on it, and what it is made of.

pub mod aero;
pub mod airframe;
pub mod contact;
pub mod integrator;
pub mod plant;
pub mod quadrotor;
pub mod rotors;
pub mod state;
pub mod uncertainty;
