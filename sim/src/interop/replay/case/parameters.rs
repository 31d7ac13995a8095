//! Parameters: the vehicle of a case, in the names of the schemas.

use crate::vehicle::airframe::Airframe;
use crate::vehicle::rotors::Rotors;
use crate::{BodyDrag, RotorDrag};
use serde::Deserialize;

/// Physical parameters of a vehicle, in the names of the schemas.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Parameters {
    /// Mass [kg].
    pub mass: f64,
    /// Gravitational acceleration [m/s²].
    pub gravity: f64,
    /// Inertia about the centre of mass, by rows [kg m²].
    pub inertia: [[f64; 3]; 3],
    /// Hubs from the centre of mass [m].
    pub rotor_positions: [[f64; 3]; 4],
    /// Sign of the reaction torque about +z.
    pub rotor_yaw_torque_sign: [f64; 4],
    /// Thrust over speed squared [N s²/rad²].
    pub k_eta: f64,
    /// Reaction torque over speed squared [N m s²/rad²].
    pub k_m: f64,
    /// Drag within the disc [N s²/(rad m)].
    #[serde(default)]
    pub k_d: f64,
    /// Drag across the disc [N s²/(rad m)].
    #[serde(default)]
    pub k_z: f64,
    /// Translational lift [N s²/m²].
    #[serde(default)]
    pub k_h: f64,
    /// Flapping moment [N s²/rad].
    #[serde(default)]
    pub k_flap: f64,
    /// Body drag [N s²/m²].
    #[serde(default)]
    pub body_drag_quadratic: [f64; 3],
    /// Time constant of the rotors [s].
    pub tau_m: f64,
    /// Least rotor speed [rad/s].
    pub rotor_speed_min: f64,
    /// Greatest rotor speed [rad/s].
    pub rotor_speed_max: f64,
}

impl Parameters {
    /// The vehicle as an airframe. Cases fly without an autopilot; its part is the default
    /// airframe's and plays no role.
    pub fn airframe(&self, aero_enabled: bool) -> Airframe {
        let default = Airframe::omac();
        Airframe {
            name: "case".to_owned(),
            mass_kg: self.mass,
            inertia_kg_m2: self.inertia,
            rotors: Rotors {
                positions_m: self.rotor_positions,
                yaw_torque_signs: self.rotor_yaw_torque_sign,
                thrust_n_s2_per_rad2: self.k_eta,
                torque_n_m_s2_per_rad2: self.k_m,
                lag_s: self.tau_m,
                min_speed_rad_s: self.rotor_speed_min,
                max_speed_rad_s: self.rotor_speed_max,
                rotor_inertia_kg_m2: 0.0,
            },
            side_force: None,
            rotor_drag: aero_enabled.then_some(RotorDrag {
                in_plane_n_s2_per_rad_m: self.k_d,
                axial_n_s2_per_rad_m: self.k_z,
                translational_lift_n_s2_per_m2: self.k_h,
                flapping_n_s2_per_rad: self.k_flap,
            }),
            body_drag: aero_enabled.then_some(BodyDrag {
                quadratic_n_s2_per_m2: self.body_drag_quadratic,
            }),
            ..default
        }
    }
}
