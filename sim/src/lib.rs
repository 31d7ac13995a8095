//! What happens when a multirotor tries to follow a trajectory in wind.
//!
//! # Conventions
//! SI units and radians. World frame: z up, gravity (0, 0, −9.81) m/s². Body frame: x forward,
//! y left, z up. Attitude: a unit quaternion that turns body vectors into world vectors. The rotors of
//! a quadrotor: front left, front right, rear right, rear left; speeds are positive. Positions are
//! relative to the point where the flight starts, which lies [`START_ABOVE_GROUND_M`] above the
//! ground.
//!
//! # What the model ignores
//! Rotor gyroscopic torques, inflow and thrust loss in climb, ground effect,
//! battery dynamics, structural flexibility, estimator dynamics (sensors have white noise, a
//! delay and, where asked for, a constant bias, no drift), and the variation of the gusts over the size of the vehicle. The
//! wind is a function of time only, but for a mean that may grow with the height: it is the gust
//! sequence that a point moving at the domain's reference airspeed would meet. Which aerodynamic terms apply is the airframe's choice; see also
//! what the contact model assumes of the vehicle's shape ([`Hull`]).
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

pub mod autopilot;
mod control;
mod error;
pub mod flight;
mod interop;
mod lanes;
pub mod margins;
mod random;
mod vehicle;
pub mod wind;
mod world;

pub use control::sensors::{
    AUTOPILOT_DELAYS_MS, InertialMeasurement, Measurement, SensorNoise, Sensors, autopilot_delay_ms,
};
pub use control::{CONTROL_PERIOD_S, Mixer, POSITION_TICKS, RotorCommand, Wrench, limit_force};
pub use error::{Error, RecordFault};
pub use flight::manoeuvre::{Added, Manoeuvre};
pub use flight::rotor_out::{Held, RotorOut};
pub use flight::score::{ACE_CAP_M, HEADINGS_DEG, Score};
pub use flight::trust::{
    Concern, GUARDRAILS, Guarded, Guardrail, Severity, concerns, record_concerns,
};
pub use flight::{
    Collision, Flight, Loss, Outcome, STARTS, Sample, Setup, Start, fly, fly_all, fly_each,
    fly_many, step_in_flight,
};
#[cfg(feature = "program")]
pub use interop::{flight_log, identify, vehicle_file};
pub use interop::{log, replay, serve};
pub use lanes::Instructions;
pub use random::{Purpose, flight_seed, mix, stream};
pub use vehicle::aero::{BodyDrag, BodyWrench, RotorDrag, SideForce};
pub use vehicle::airframe::{
    AIRFRAME_NAMES, Airframe, AttitudeLaw, ControllerLimits, Gains, Guess, Law, Pid, VerticalLoop,
};
pub use vehicle::contact::{Block, Contact, FRICTION, Hull, Part, Surface, Touch, rest_height_m};
pub use vehicle::frame::{FRAME_NAMES, FRAMES, Frame};
pub use vehicle::integrator::Integrator;
pub use vehicle::multirotor::{Derivative, Multirotor};
pub use vehicle::per_rotor::{MOST_ROTORS, PerRotor};
pub use vehicle::rotors::Rotors;
pub use vehicle::state::State;
pub use vehicle::uncertainty::Uncertainty;
pub use wind::domain::{DOMAIN_NAMES, Domain, Form, Profile};
pub use wind::record::{Part as RecordPart, Split, WindFile, WindRecord};
pub use wind::{
    DiscreteGust, DomainWind, Dryden, GustAxis, OTHER_ROUGHNESS_M, PassingGust, Shear, Sheared,
    Steady, TERMINAL_ROUGHNESS_M, Wind, WindFeatures,
};
pub use world::{MAX_OBSTACLES, Obstacle, World};

/// Magnitude of the gravitational acceleration [m/s²].
pub const GRAVITY_M_S2: f64 = 9.81;

/// Height of the start of every flight above the ground: 10 ft, the altitude for which the two
/// wind domains are defined [m].
pub const START_ABOVE_GROUND_M: f64 = 3.048;
