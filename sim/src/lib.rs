//! What happens when a quadrotor tries to follow a trajectory in wind.
//!
//! # Conventions
//! SI units and radians. World frame: z up, gravity (0, 0, −9.81) m/s². Body frame: x forward,
//! y left, z up. Attitude: a unit quaternion that turns body vectors into world vectors. Rotors
//! 1..4: front left, front right, rear right, rear left; their speeds are positive. Positions are
//! relative to the point where the flight starts, which lies [`START_ABOVE_GROUND_M`] above the
//! ground.
//!
//! # What the model ignores
//! Rotor gyroscopic and acceleration torques, blade flapping, inflow and thrust loss in climb,
//! ground effect, body drag, battery sag, structural flexibility, estimator dynamics (position and
//! velocity are measured with white noise; attitude and body rates are known exactly), and the
//! variation of the gusts over the size of the vehicle. The wind is a function of time only: it is
//! the gust sequence that a point moving at the domain's reference airspeed would meet.
//!
//! ```
//! use sim::{Airframe, Domain, Dryden, Setup, fly};
//! let setup = Setup::new(Airframe::omac());
//! let hover = trajectories::by_name("hover")?;
//! let mut wind = Dryden::new(&Domain::steady(), 7);
//! let flight = fly(&setup, hover.as_ref(), &setup.airframe.gains, &mut wind, 7);
//! assert!(flight.completed());
//! println!("average control error: {:.3} m", flight.score.ace_m);
//! # Ok::<(), trajectories::UnknownTrajectory>(())
//! ```

mod aero;
mod airframe;
pub mod case;
mod control;
mod domain;
mod error;
mod flight;
mod quadrotor;
mod random;
pub mod replay;
mod score;
mod sensors;
mod wind;

pub use aero::{BodyDrag, BodyWrench, CrosswindPull, RotorDrag, RotorPull, SideForce};
pub use airframe::{AIRFRAME_NAMES, Airframe, ControllerLimits, Rotors};
pub use control::{
    CONTROL_PERIOD_S, CascadedPid, Gains, Mixer, POSITION_TICKS, Pid, RotorCommand, Wrench,
    limit_force,
};
pub use domain::{DOMAIN_NAMES, Domain, Reading};
pub use error::Error;
pub use flight::{Divergence, Flight, Outcome, Sample, Setup, fly};
pub use quadrotor::{Derivative, Quadrotor, State};
pub use random::{Purpose, mix, stream};
pub use score::{ACE_CAP_M, Score};
pub use sensors::{Measurement, SensorNoise, Sensors};
pub use wind::{Dryden, GustAxis, Steady, Wind};

/// Magnitude of the gravitational acceleration [m/s²].
pub const GRAVITY_M_S2: f64 = 9.81;

/// Height of the start of every flight above the ground: 10 ft, the altitude for which the two
/// wind domains are defined [m].
pub const START_ABOVE_GROUND_M: f64 = 3.048;
