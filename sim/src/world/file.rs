//! File: a world as TOML.

use super::{MAX_OBSTACLES, Obstacle, World};
use crate::error::Error;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use toml::Spanned;

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
                .with_obstacle(entry.into_inner().into())
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
    boxes: Vec<Spanned<BoxEntry>>,
}

impl Serialize for World {
    /// As its file, with nothing left to a default.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Whole {
            ground: bool,
            #[serde(skip_serializing_if = "Option::is_none")]
            ground_z_m: Option<f64>,
            boxes: Vec<BoxEntry>,
        }
        let boxes = self.obstacles().iter().cloned().map(BoxEntry::from);
        let whole = Whole {
            ground: self.ground_z_m.is_some(),
            ground_z_m: self.ground_z_m,
            boxes: boxes.collect(),
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

/// One `[[boxes]]` of such a file.
#[derive(Deserialize, Serialize)]
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

impl From<Obstacle> for BoxEntry {
    fn from(obstacle: Obstacle) -> BoxEntry {
        BoxEntry {
            name: obstacle.name,
            centre_m: obstacle.centre_m.into(),
            size_m: obstacle.size_m.into(),
            yaw_deg: obstacle.yaw_deg,
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
