//! The world: what a vehicle can hit. A ground plane and boxes, as data; nothing in it moves.

use crate::START_ABOVE_GROUND_M;
use crate::error::Error;
use nalgebra::Vector3;
use serde::Deserialize;
use toml::Spanned;

/// Most obstacles that a world may hold.
pub const MAX_OBSTACLES: usize = 1_000;

/// Greatest coordinate or edge of anything in a world [m].
const MAX_EXTENT_M: f64 = 1e5;

/// Least edge of an obstacle: thinner ones could be passed between two steps [m].
const MIN_EDGE_M: f64 = 1e-3;

/// A box that stands in the way, turned about the vertical only.
#[derive(Debug, Clone, PartialEq)]
pub struct Obstacle {
    /// The name under which a collision with it is reported.
    pub name: String,
    /// Its centre in the world frame [m].
    pub centre_m: Vector3<f64>,
    /// Lengths of its edges (full, not half) along its own x, y and z axes [m].
    pub size_m: Vector3<f64>,
    /// Angle of its x axis about world z [deg].
    pub yaw_deg: f64,
}

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

/// An obstacle as the distance formula wants it.
#[derive(Debug, Clone, PartialEq)]
struct Placed {
    centre: Vector3<f64>,
    half: Vector3<f64>,
    cos_yaw: f64,
    sin_yaw: f64,
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
        let (sin_yaw, cos_yaw) = obstacle.yaw_deg.to_radians().sin_cos();
        self.placed.push(Placed {
            centre: obstacle.centre_m,
            half: obstacle.size_m * 0.5,
            cos_yaw,
            sin_yaw,
        });
        self.obstacles.push(obstacle);
        Ok(self)
    }

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
                .with_obstacle(entry.into_inner().into())
                .map_err(|why| at_line(text, start, why))?;
        }
        Ok(world)
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

impl Obstacle {
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

/// A world as it stands in a file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WorldFile {
    #[serde(default = "yes")]
    ground: bool,
    ground_z_m: Option<Spanned<f64>>,
    #[serde(default)]
    boxes: Vec<Spanned<BoxEntry>>,
}

/// One `[[boxes]]` of such a file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BoxEntry {
    name: String,
    centre_m: [f64; 3],
    size_m: [f64; 3],
    #[serde(default)]
    yaw_deg: f64,
}

impl From<BoxEntry> for Obstacle {
    fn from(entry: BoxEntry) -> Obstacle {
        Obstacle {
            name: entry.name,
            centre_m: entry.centre_m.into(),
            size_m: entry.size_m.into(),
            yaw_deg: entry.yaw_deg,
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    const PILLAR: &str = "[[boxes]]\nname = \"pillar\"\ncentre_m = [4.0, 0.0, 0.0]\n";

    fn refused(text: &str) -> String {
        World::from_toml(text).expect_err("not legal").to_string()
    }

    #[test]
    fn a_file_says_what_the_constructors_say() {
        let text = format!("ground_z_m = -2.0\n{PILLAR}size_m = [1.0, 2.0, 3.0]\nyaw_deg = 90.0");
        let built = World::empty()
            .with_ground_at(-2.0)
            .and_then(|world| {
                world.with_obstacle(Obstacle {
                    name: "pillar".into(),
                    centre_m: Vector3::new(4.0, 0.0, 0.0),
                    size_m: Vector3::new(1.0, 2.0, 3.0),
                    yaw_deg: 90.0,
                })
            })
            .expect("legal");
        let read = World::from_toml(&text).expect("legal");
        assert_eq!(read, built);
        // Turned by a right angle, the 2 m edge lies along x: the face is at 3 m.
        assert!((read.clearance_m(&Vector3::new(1.5, 0.0, 0.0)) - 1.5).abs() < 1e-12);
        assert!((read.clearance_m(&Vector3::new(4.0, 0.0, 0.0)) + 0.5).abs() < 1e-12);
    }

    #[test]
    fn the_ground_is_there_unless_it_is_left_out() {
        assert_eq!(World::from_toml("").expect("legal"), World::ground());
        let open = World::from_toml("ground = false").expect("legal");
        assert_eq!(open, World::empty());
        assert_eq!(open.clearance_m(&Vector3::zeros()), f64::INFINITY);
        assert_eq!(World::ground().clearance_m(&Vector3::zeros()), 3.048);
    }

    #[test]
    fn every_error_names_line_number_and_range() {
        let sized = |size: &str| refused(&format!("# a comment\n{PILLAR}size_m = {size}"));
        assert_eq!(
            sized("[1.0, 0.0, 1.0]"),
            "line 2 of the world: obstacle 1 (`pillar`): size_m is 0; it must be between 1e-3 and 1e5 m"
        );
        assert!(sized("[1.0, nan, 1.0]").contains("size_m is NaN"));
        let turned = refused(&format!("{PILLAR}size_m = [1.0, 1.0, 1.0]\nyaw_deg = 1e3"));
        assert!(turned.ends_with("yaw_deg is 1000; it must be between -360 and 360"));
        let far = refused(
            "[[boxes]]\nname = \"far\"\ncentre_m = [inf, 0.0, 0.0]\nsize_m = [1.0, 1.0, 1.0]",
        );
        assert!(far.ends_with("(`far`): centre_m is inf; it must be finite, at most 1e5 m"));
        assert_eq!(
            refused("\nground_z_m = nan"),
            "line 2 of the world: ground_z_m is NaN; it must be finite, at most 1e5 m"
        );
        assert_eq!(
            refused("ground = false\nground_z_m = -1.0"),
            "line 2 of the world: the ground is at ground_z_m = -1, yet `ground = false`; it must be one or the other"
        );
        let unknown = refused("grund_z_m = 1.0");
        assert!(unknown.starts_with("the world cannot be read: line 1, column "));
        assert!(unknown.contains("ground_z_m"), "{unknown}");
    }

    #[test]
    fn the_number_of_obstacles_is_limited() {
        let one = format!("{PILLAR}size_m = [1.0, 1.0, 1.0]\n");
        let message = "the world has 1001 obstacles; it must be at most 1000";
        assert_eq!(refused(&one.repeat(1_001)), message);
        let full = World::from_toml(&one.repeat(1_000)).expect("legal");
        let more = full.obstacles()[0].clone();
        assert_eq!(
            full.with_obstacle(more).expect_err("full").to_string(),
            message
        );
    }
}
