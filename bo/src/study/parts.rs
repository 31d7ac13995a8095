//! Parts: what a study file is made of.

use super::ConfigError;
use crate::Error;
use crate::flights::space::Gain;
use search::Span;
use sim::{Domain, Gains, SensorNoise, Start, World};
use trajectories::{Trajectory, Waypoints};

/// What every flight of a study has in common besides vehicle, trajectory and wind.
#[derive(Debug, Clone, PartialEq)]
pub struct Conditions {
    /// What can be hit.
    pub world: Named<World>,
    /// Whether a flight takes off from the ground and lands on it.
    pub from_ground: bool,
    /// Whether each flight's vehicle is drawn from the airframe's uncertainty.
    pub uncertain: bool,
    /// Noise and delay of the sensors.
    pub sensors: SensorNoise,
    /// How a flight begins.
    pub start: Start,
    /// What the score leaves out from the start of a flight [s].
    pub settle_s: f64,
}

/// Something that is shipped under a name, or given in full.
#[derive(Debug, Clone, PartialEq)]
pub enum Named<T> {
    /// Shipped.
    Shipped(T),
    /// Given in the study file, or in a file that it names.
    Given(T),
}

impl<T> Named<T> {
    /// The thing itself.
    pub fn get(&self) -> &T {
        match self {
            Named::Shipped(thing) | Named::Given(thing) => thing,
        }
    }
}

/// What is flown.
#[derive(Debug, Clone, PartialEq)]
pub enum Route {
    /// A trajectory of that name.
    Shipped(&'static str),
    /// A flight through waypoints.
    Given {
        /// What it is called.
        name: String,
        /// The text of its waypoint file: `t,x,y,z[,yaw]`.
        csv: String,
    },
}

/// A gain that is tuned, as the study file has it.
#[derive(Debug, Clone, PartialEq)]
pub struct Bounds {
    /// Its name.
    pub name: &'static str,
    /// Its bounds.
    pub span: Span,
    /// Where the run starts from.
    pub start: f64,
}

/// What tuned gains are compared with, and what a rollback restores.
#[derive(Debug, Clone, PartialEq)]
pub enum Baseline {
    /// The airframe's gains.
    Airframe,
    /// The gains that the run starts from; what earlier versions took.
    Start,
    /// Those of a file.
    Given {
        /// Its name.
        from: String,
        /// The gains.
        gains: Gains,
    },
}

/// A wind domain of the training flights.
#[derive(Debug, Clone, PartialEq)]
pub struct Share {
    /// The domain.
    pub domain: Named<Domain>,
    /// How many flights it gets in proportion to the others.
    pub share: f64,
}

/// What a run may take. Its result depends on none of these.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// Threads; 0 for one a core.
    pub threads: u64,
    /// Longest flight: a trajectory that takes longer is refused [s].
    pub flight_s: f64,
}

impl Route {
    /// What it is called.
    pub fn name(&self) -> &str {
        match self {
            Route::Shipped(name) => name,
            Route::Given { name, .. } => name,
        }
    }

    pub(super) fn trajectory(&self) -> Result<Box<dyn Trajectory>, Error> {
        match self {
            Route::Shipped(name) => Ok(trajectories::by_name(name)?),
            Route::Given { name, csv } => Ok(Box::new(
                Waypoints::from_csv(name, csv).map_err(ConfigError::Waypoints)?,
            )),
        }
    }
}

impl Bounds {
    pub(super) fn gain(&self) -> &'static Gain {
        Gain::by_name(self.name).expect("reading checked the name")
    }
}

/// The usual bounds of the gains of these names, from the vehicle's own.
pub(super) fn usual_bounds(names: &[&str], base: &Gains) -> Vec<Bounds> {
    let gains = names.iter().filter_map(|name| Gain::by_name(name));
    let bounds = gains.map(|gain| Bounds {
        name: gain.name,
        span: gain.usual(base),
        start: gain.value(base),
    });
    bounds.collect()
}
