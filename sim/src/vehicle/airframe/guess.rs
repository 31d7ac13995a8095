//! Guess: a property of an airframe that nobody measured.

use serde::{Deserialize, Serialize};

/// What an airframe may have taken from a usual vehicle of its size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Guess {
    /// Thrust by rotor speed.
    Thrust,
    /// Time constant of the rotors.
    RotorLag,
    /// Inertia of the vehicle.
    Inertia,
    /// Torque by rotor speed.
    YawTorque,
    /// Inertia of a rotor.
    RotorInertia,
    /// Drag of rotors and body.
    Drag,
}

impl Guess {
    /// All of them.
    pub const ALL: [Guess; 6] = [
        Guess::Thrust,
        Guess::RotorLag,
        Guess::Inertia,
        Guess::YawTorque,
        Guess::RotorInertia,
        Guess::Drag,
    ];
}

impl std::fmt::Display for Guess {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Guess::Thrust => "thrust",
            Guess::RotorLag => "rotor lag",
            Guess::Inertia => "inertia",
            Guess::YawTorque => "yaw torque of the rotors",
            Guess::RotorInertia => "inertia of a rotor",
            Guess::Drag => "drag",
        })
    }
}
