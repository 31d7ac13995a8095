//! The world: what a vehicle can hit. A ground plane and boxes, as data; nothing in it moves.

use crate::START_ABOVE_GROUND_M;
use crate::error::Error;
use nalgebra::Vector3;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use toml::Spanned;

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

// File: a world as TOML.

impl World {
    /// Reads and checks a world.
    ///
    /// # Errors
    /// [`Error::WorldSyntax`] with line and column when the text is not a world's TOML,
    /// [`Error::WorldLine`] around whatever number is out of range, [`Error::ObstacleCount`], and
    /// [`Error::GroundContradiction`] when the ground is both placed and left out.
    pub fn from_toml(text: &str) -> Result<World, Error> {
        let file: WorldFile = toml::from_str(text).map_err(Error::WorldSyntax)?;
        if file.boxes.len() > MAX_OBSTACLES {
            return Err(Error::ObstacleCount {
                count: file.boxes.len(),
                limit: MAX_OBSTACLES,
            });
        }
        let mut world = match (file.ground, file.ground_z_m) {
            (true, None) => World::ground(),
            (true, Some(z)) => World::empty()
                .with_ground_at(*z.get_ref())
                .map_err(|why| at_line(text, z.span().start, why))?,
            (false, None) => World::empty(),
            (false, Some(z)) => {
                return Err(Error::GroundContradiction {
                    line: line_of(text, z.span().start),
                    z_m: z.into_inner(),
                });
            }
        };
        for entry in file.boxes {
            let start = entry.span().start;
            world = world
                .with_obstacle(entry.into_inner())
                .map_err(|why| at_line(text, start, why))?;
        }
        Ok(world)
    }
}

/// A world as it stands in a file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WorldFile {
    #[serde(default = "yes")]
    ground: bool,
    ground_z_m: Option<Spanned<f64>>,
    #[serde(default)]
    boxes: Vec<Spanned<Obstacle>>,
}

impl Serialize for World {
    /// As its file, with nothing left to a default.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Whole<'a> {
            ground: bool,
            #[serde(skip_serializing_if = "Option::is_none")]
            ground_z_m: Option<f64>,
            boxes: &'a [Obstacle],
        }
        let whole = Whole {
            ground: self.ground_z_m.is_some(),
            ground_z_m: self.ground_z_m,
            boxes: self.obstacles(),
        };
        whole.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for World {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<World, D::Error> {
        let table = toml::Table::deserialize(deserializer)?;
        World::from_toml(&table.to_string()).map_err(D::Error::custom)
    }
}

fn yes() -> bool {
    true
}

fn at_line(text: &str, offset: usize, why: Error) -> Error {
    Error::WorldLine {
        line: line_of(text, offset),
        why: Box::new(why),
    }
}

/// Line of the byte at `offset`, from 1.
fn line_of(text: &str, offset: usize) -> usize {
    1 + text.bytes().take(offset).filter(|&b| b == b'\n').count()
}

// Obstacle: a box in the way, and how far a point is from it.

/// Least edge of an obstacle: thinner ones could be passed between two steps [m].
const MIN_EDGE_M: f64 = 1e-3;

/// A box that stands in the way, turned about the vertical only.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Obstacle {
    /// A name for people; a collision is reported by its place in the list.
    pub name: String,
    /// Its centre in the world frame [m].
    pub centre_m: Vector3<f64>,
    /// Lengths of its edges (full, not half) along its own x, y and z axes [m].
    pub size_m: Vector3<f64>,
    /// Angle of its x axis about world z [deg].
    #[serde(default)]
    pub yaw_deg: f64,
}

/// An obstacle as the distance formula wants it.
#[derive(Debug, Clone, PartialEq)]
struct Placed {
    centre: Vector3<f64>,
    half: Vector3<f64>,
    cos_yaw: f64,
    sin_yaw: f64,
}

impl Obstacle {
    /// Checks its numbers; `number` counts the obstacles from 1.
    fn check(&self, number: usize) -> Result<(), Error> {
        let refuse = |quantity, value, wanted| {
            Err(Error::Obstacle {
                number,
                name: self.name.clone(),
                quantity,
                value,
                wanted,
            })
        };
        for &x in self.centre_m.iter() {
            if !(-MAX_EXTENT_M..=MAX_EXTENT_M).contains(&x) {
                return refuse("centre_m", x, "finite, at most 1e5 m");
            }
        }
        for &edge in self.size_m.iter() {
            if !(MIN_EDGE_M..=MAX_EXTENT_M).contains(&edge) {
                return refuse("size_m", edge, "between 1e-3 and 1e5 m");
            }
        }
        if !(-360.0..=360.0).contains(&self.yaw_deg) {
            return refuse("yaw_deg", self.yaw_deg, "between -360 and 360");
        }
        Ok(())
    }
}

impl Placed {
    fn of(obstacle: &Obstacle) -> Placed {
        let (sin_yaw, cos_yaw) = obstacle.yaw_deg.to_radians().sin_cos();
        Placed {
            centre: obstacle.centre_m,
            half: obstacle.size_m * 0.5,
            cos_yaw,
            sin_yaw,
        }
    }

    /// Signed distance to the surface of the box [m].
    fn distance_m(&self, position_m: &Vector3<f64>) -> f64 {
        let d = position_m - self.centre;
        let local = Vector3::new(
            self.cos_yaw * d.x + self.sin_yaw * d.y,
            self.cos_yaw * d.y - self.sin_yaw * d.x,
            d.z,
        );
        let beyond = local.abs() - self.half;
        let outside = beyond.map(|x| x.max(0.0)).norm();
        let inside = beyond.x.max(beyond.y).max(beyond.z).min(0.0);
        outside + inside
    }
}

#[cfg(test)]
mod tests;
