//! Vehicle: the rigid body, what acts on it, and what it is made of.

pub mod aero;
pub mod airframe;
pub mod contact;
pub mod frame;
pub mod integrator;
pub mod multirotor;
pub mod per_rotor;
pub mod plant;
pub mod rotors;
pub mod state;
pub mod uncertainty;
