//! Where the vehicle should be at time t.
//!
//! A trajectory is a pure function of time: position, velocity, acceleration and yaw in a world
//! frame with z up, in SI units and radians. Positions are relative to the point where the flight
//! starts. The derivatives are analytic, so a controller may feed them forward.
//!
//! ```
//! let fig8 = trajectories::by_name("fig8")?;
//! let start = fig8.at(0.0);
//! assert_eq!(start.position_m.norm(), 0.0);
//! assert!(start.velocity_m_s.norm() > 4.0, "the curve is already moving at t = 0");
//! # Ok::<(), trajectories::UnknownTrajectory>(())
//! ```

mod fig8;
mod from_ground;
mod hover;
mod remark;
mod sin_forward;
mod spiral_up;
pub mod waypoints;

pub use fig8::Fig8;
pub use from_ground::{FROM_GROUND, FromGround, FromGroundError, Phase};
pub use hover::Hover;
pub use remark::Remark;
pub use sin_forward::SinForward;
pub use spiral_up::SpiralUp;
pub use waypoints::{WaypointError, Waypoints};

use nalgebra::Vector3;

/// What a vehicle that follows a trajectory perfectly does at one instant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reference {
    /// Position in the world frame, z up, relative to the start of the flight [m].
    pub position_m: Vector3<f64>,
    /// Time derivative of the position [m/s].
    pub velocity_m_s: Vector3<f64>,
    /// Time derivative of the velocity [m/s²].
    pub acceleration_m_s2: Vector3<f64>,
    /// Heading: angle of the body x axis about world z [rad].
    pub yaw_rad: f64,
}

/// What a trajectory means the vehicle to have under it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Footing {
    /// Air: whatever it touches is a collision.
    Air,
    /// Air, after the ground: the landing gear may still touch it.
    TakeOff,
    /// Air, until the ground is felt: the rotors stop at the first touch.
    Landing,
    /// It stands on the ground with its rotors stopped.
    Ground,
}

/// A curve to be flown, as a pure function of time.
pub trait Trajectory: Send + Sync {
    /// The name by which a user asks for it.
    fn name(&self) -> &str;

    /// How long a flight along it lasts [s].
    fn duration_s(&self) -> f64 {
        DURATION_S
    }

    /// Where the vehicle should be `t_s` seconds after the start.
    fn at(&self, t_s: f64) -> Reference;

    /// What a user may not expect of it.
    fn remarks(&self) -> &[Remark] {
        &[]
    }

    /// What the vehicle is meant to have under it `t_s` seconds after the start.
    fn footing(&self, _t_s: f64) -> Footing {
        Footing::Air
    }
}

/// Every name that [`by_name`] knows.
pub const NAMES: [&str; 4] = ["hover", "fig8", "sin-forward", "spiral-up"];

/// How long the named trajectories last [s].
pub const DURATION_S: f64 = 20.0;

/// The named trajectory.
///
/// # Errors
/// [`UnknownTrajectory`] when `name` is none of [`NAMES`].
pub fn by_name(name: &str) -> Result<Box<dyn Trajectory>, UnknownTrajectory> {
    match name {
        "hover" => Ok(Box::new(Hover::default())),
        "fig8" => Ok(Box::new(Fig8)),
        "sin-forward" => Ok(Box::new(SinForward)),
        "spiral-up" => Ok(Box::new(SpiralUp)),
        _ => Err(UnknownTrajectory {
            given: name.to_owned(),
            nearest: shell::names::nearest(name, &NAMES),
        }),
    }
}

/// A name that is none of [`NAMES`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown trajectory `{given}`: did you mean `{nearest}`? Known: {}", NAMES.join(", "))]
pub struct UnknownTrajectory {
    /// What was asked for.
    pub given: String,
    /// The known name with the least edit distance.
    pub nearest: &'static str,
}

impl shell::exit::Coded for UnknownTrajectory {
    fn exit_code(&self) -> u8 {
        shell::exit::USAGE
    }
}
