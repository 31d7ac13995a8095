//! The world: what a vehicle can hit. A ground plane and boxes, as data; nothing in it moves.

mod file;
mod obstacle;

pub use obstacle::Obstacle;

use crate::START_ABOVE_GROUND_M;
use crate::error::Error;
use nalgebra::Vector3;
use obstacle::Placed;

/// Most obstacles that a world may hold.
pub const MAX_OBSTACLES: usize = 1_000;

/// Greatest coordinate or edge of anything in a world [m].
const MAX_EXTENT_M: f64 = 1e5;

/// Ground and obstacles. World frame: z up, relative to the start of the flight.
///
/// As TOML, with every key but those of a box optional:
///
/// ```
/// let world = sim::World::from_toml(r#"
///     ground_z_m = -2.0      # default -3.048, 10 ft below the start; `ground = false`: none
///
///     [[boxes]]
///     name = "pillar"
///     centre_m = [4.0, 0.0, 0.0]
///     size_m = [0.5, 0.5, 4.0]
///     yaw_deg = 30.0         # default 0
/// "#)?;
/// assert_eq!(world.clearance_m(&nalgebra::Vector3::new(0.0, 0.0, 0.0)), 2.0);
/// # Ok::<(), sim::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct World {
    ground_z_m: Option<f64>,
    obstacles: Vec<Obstacle>,
    placed: Vec<Placed>,
}

impl World {
    /// The default: level ground [`START_ABOVE_GROUND_M`] below the start, and nothing else.
    pub fn ground() -> World {
        World {
            ground_z_m: Some(-START_ABOVE_GROUND_M),
            ..World::empty()
        }
    }

    /// Open air without a ground.
    pub fn empty() -> World {
        World {
            ground_z_m: None,
            obstacles: Vec::new(),
            placed: Vec::new(),
        }
    }

    /// This world with its ground at the height `z_m` [m].
    ///
    /// # Errors
    /// [`Error::OutOfRange`] when the height is not finite or beyond 10⁵ m.
    pub fn with_ground_at(mut self, z_m: f64) -> Result<World, Error> {
        crate::error::check("ground_z_m", z_m, "finite, at most 1e5 m", |z| {
            z.abs() <= MAX_EXTENT_M
        })?;
        self.ground_z_m = Some(z_m);
        Ok(self)
    }

    /// This world with one more obstacle, which gets the next index from 0.
    ///
    /// # Errors
    /// [`Error::Obstacle`] for a number out of range, [`Error::ObstacleCount`] beyond
    /// [`MAX_OBSTACLES`].
    pub fn with_obstacle(mut self, obstacle: Obstacle) -> Result<World, Error> {
        let number = self.obstacles.len() + 1;
        if number > MAX_OBSTACLES {
            return Err(Error::ObstacleCount {
                count: number,
                limit: MAX_OBSTACLES,
            });
        }
        obstacle.check(number)?;
        self.placed.push(Placed::of(&obstacle));
        self.obstacles.push(obstacle);
        Ok(self)
    }

    /// Height of the ground plane in the world frame, if there is one [m].
    pub fn ground_z_m(&self) -> Option<f64> {
        self.ground_z_m
    }

    /// The obstacles, in the order of their indices.
    pub fn obstacles(&self) -> &[Obstacle] {
        &self.obstacles
    }

    /// Distance from a point to the nearest surface [m]: negative inside an obstacle or below the
    /// ground, infinite in empty air. It allocates nothing and takes a few nanoseconds an obstacle.
    /// Meaningless for a point that is not finite.
    pub fn clearance_m(&self, position_m: &Vector3<f64>) -> f64 {
        let ground = self
            .ground_z_m
            .map_or(f64::INFINITY, |z_m| position_m.z - z_m);
        self.placed
            .iter()
            .map(|obstacle| obstacle.distance_m(position_m))
            .fold(ground, f64::min)
    }
}

impl World {
    /// Whether nothing is within `distance_m` of a point; false also where that takes longer to
    /// find out than [`World::clearance_m`] does.
    #[inline(always)]
    pub(crate) fn is_clear_by(&self, position_m: &Vector3<f64>, distance_m: f64) -> bool {
        let ground_z_m = self.ground_z_m.unwrap_or(f64::NEG_INFINITY);
        self.placed.is_empty() && position_m.z - ground_z_m > distance_m
    }
}

#[cfg(test)]
mod tests;
