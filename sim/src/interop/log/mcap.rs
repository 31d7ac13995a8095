//! MCAP: JSON messages, each topic with a JSON schema; numbers to the last bit.
//!
//! | topic | schema |
//! |---|---|
//! | `/vehicle/pose`, `/reference/pose` | `foxglove.PoseInFrame` |
//! | `/tf` | `foxglove.FrameTransform`, world to vehicle |
//! | `/vehicle/motion` | `windhover.Motion`: velocity and body rates |
//! | `/reference/motion` | `windhover.Motion`, without rates |
//! | `/wind` | `windhover.Vector` in m/s |
//! | `/error` | `windhover.Vector`, position minus reference in m |
//! | `/motors` | `windhover.Motors` |
//!
//! Chunks are small and not compressed: of a file that was cut short, all whole chunks are still
//! there to be read.

use super::{About, LogError};
use crate::Sample;
use mcap::records::MessageHeader;
use mcap::{WriteOptions, Writer};
use nalgebra::{UnitQuaternion, Vector3};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{Seek, Write};

/// Target size of a chunk [bytes].
const CHUNK_BYTES: u64 = 32 << 10;

/// What a topic says of a sample, its time aside; null where it says nothing.
pub(super) type Message<S> = fn(&S) -> Value;

/// A topic: its name, that of its schema, and what it says.
pub(super) type Topic<S> = (&'static str, &'static str, Message<S>);

/// A schema by its name.
pub(super) type Schema = (&'static str, String);

/// A topic that is being written.
struct Channel<S> {
    id: u16,
    message: Message<S>,
}

const TOPICS: [Topic<Sample>; 8] = [
    ("/vehicle/pose", "foxglove.PoseInFrame", vehicle_pose),
    ("/reference/pose", "foxglove.PoseInFrame", reference_pose),
    ("/tf", "foxglove.FrameTransform", transform),
    ("/vehicle/motion", "windhover.Motion", vehicle_motion),
    ("/reference/motion", "windhover.Motion", reference_motion),
    ("/wind", "windhover.Vector", wind),
    ("/error", "windhover.Vector", error),
    ("/motors", "windhover.Motors", motors),
];

pub(super) fn write(
    about: &About,
    samples: &[Sample],
    out: &mut (impl Write + Seek),
) -> Result<(), LogError> {
    let time_s = |sample: &Sample| sample.time_s;
    write_topics(about, (&schemas(), &TOPICS), samples, time_s, out)
}

/// Writes the topics of instants of any kind.
pub(super) fn write_topics<S>(
    about: &About,
    (schemas, topics): (&[Schema], &[Topic<S>]),
    samples: &[S],
    time_s: fn(&S) -> f64,
    out: &mut (impl Write + Seek),
) -> Result<(), LogError> {
    let options = WriteOptions::new()
        .profile("")
        .library(concat!("windhover ", env!("CARGO_PKG_VERSION")))
        .compression(None)
        .chunk_size(Some(CHUNK_BYTES));
    let mut file = options.create(out)?;
    file.write_metadata(&metadata(about))?;
    let channels = channels(&mut file, schemas, topics)?;
    for (sequence, sample) in (0u32..).zip(samples) {
        let time_ns = (time_s(sample) * 1e9).round() as u64;
        for channel in &channels {
            let header = MessageHeader {
                channel_id: channel.id,
                sequence,
                log_time: time_ns,
                publish_time: time_ns,
            };
            let mut message = (channel.message)(sample);
            if message.is_null() {
                continue;
            }
            message["timestamp"] = timestamp(time_ns);
            file.write_to_known_channel(&header, message.to_string().as_bytes())?;
        }
    }
    file.finish()?;
    Ok(())
}

impl From<mcap::McapError> for LogError {
    fn from(error: mcap::McapError) -> LogError {
        match error {
            mcap::McapError::Io(source) => LogError::Write(source),
            other => LogError::Mcap(other.into()),
        }
    }
}

fn metadata(about: &About) -> mcap::records::Metadata {
    let outcome = serde_json::to_string(&about.outcome).unwrap_or_default();
    let entries = [
        ("airframe", about.airframe.name.clone()),
        ("trajectory", about.trajectory.to_owned()),
        ("domain", about.domain.to_owned()),
        ("seed", about.seed.to_string()),
        ("outcome", outcome),
        ("origin", "simulation".to_owned()),
    ];
    mcap::records::Metadata {
        name: "flight".to_owned(),
        metadata: entries.map(|(key, value)| (key.to_owned(), value)).into(),
    }
}

fn schemas() -> Vec<Schema> {
    let (vector, rotation) = (vector(), rotation());
    let pose = object(&[("position", &vector), ("orientation", &rotation)]);
    let schemas = [
        (
            "foxglove.PoseInFrame",
            vec![("frame_id", STRING), ("pose", &pose)],
        ),
        (
            "foxglove.FrameTransform",
            vec![
                ("parent_frame_id", STRING),
                ("child_frame_id", STRING),
                ("translation", &vector),
                ("rotation", &rotation),
            ],
        ),
        (
            "windhover.Motion",
            vec![("velocity", &*vector), ("rates", &vector)],
        ),
        (
            "windhover.Vector",
            vec![("x", NUMBER), ("y", NUMBER), ("z", NUMBER)],
        ),
        (
            "windhover.Motors",
            vec![("speed_rad_s", NUMBERS), ("command_rad_s", NUMBERS)],
        ),
    ];
    let schema = |(name, fields): (&'static str, Vec<_>)| (name, schema(name, &fields));
    schemas.map(schema).into()
}

fn channels<S>(
    file: &mut Writer<impl Write + Seek>,
    schemas: &[Schema],
    topics: &[Topic<S>],
) -> Result<Vec<Channel<S>>, LogError> {
    let mut ids = BTreeMap::new();
    for (name, schema) in schemas {
        ids.insert(
            *name,
            file.add_schema(name, "jsonschema", schema.as_bytes())?,
        );
    }
    let none = BTreeMap::new();
    let channel = |(topic, schema, message): &Topic<S>| {
        let id = file.add_channel(ids[schema], topic, "json", &none)?;
        let message = *message;
        Ok(Channel { id, message })
    };
    topics.iter().map(channel).collect()
}

const NUMBER: &str = r#"{"type":"number"}"#;
pub(super) const NUMBERS: &str = r#"{"type":"array","items":{"type":"number"}}"#;
const STRING: &str = r#"{"type":"string"}"#;
const TIME: &str = r#"{"type":"object","title":"time","properties":{"sec":{"type":"integer","minimum":0},"nsec":{"type":"integer","minimum":0,"maximum":999999999}}}"#;

/// The JSON schema of a vector.
pub(super) fn vector() -> String {
    object(&[("x", NUMBER), ("y", NUMBER), ("z", NUMBER)])
}

/// The JSON schema of a rotation.
pub(super) fn rotation() -> String {
    object(&[("x", NUMBER), ("y", NUMBER), ("z", NUMBER), ("w", NUMBER)])
}

/// The JSON schema of an object with these fields.
fn object(fields: &[(&str, &str)]) -> String {
    let fields: Vec<String> = fields
        .iter()
        .map(|(name, schema)| format!("\"{name}\":{schema}"))
        .collect();
    format!(
        r#"{{"type":"object","properties":{{{}}}}}"#,
        fields.join(",")
    )
}

/// The JSON schema of a message with these fields and its time.
pub(super) fn schema(name: &str, fields: &[(&str, &str)]) -> String {
    let all = [&[("timestamp", TIME)], fields].concat();
    let body = object(&all);
    format!(r#"{{"title":"{name}",{}"#, &body[1..])
}

fn timestamp(time_ns: u64) -> Value {
    json!({"sec": time_ns / 1_000_000_000, "nsec": time_ns % 1_000_000_000})
}

pub(super) fn xyz(v: &Vector3<f64>) -> Value {
    json!({"x": v.x, "y": v.y, "z": v.z})
}

pub(super) fn xyzw(q: &UnitQuaternion<f64>) -> Value {
    json!({"x": q.i, "y": q.j, "z": q.k, "w": q.w})
}

fn pose(position: &Vector3<f64>, attitude: &UnitQuaternion<f64>) -> Value {
    json!({
        "frame_id": "world",
        "pose": {"position": xyz(position), "orientation": xyzw(attitude)},
    })
}

fn vehicle_pose(sample: &Sample) -> Value {
    pose(&sample.state.position_m, &sample.state.attitude)
}

fn reference_pose(sample: &Sample) -> Value {
    let yaw = sample.reference.yaw_rad;
    let heading = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), yaw);
    pose(&sample.reference.position_m, &heading)
}

fn transform(sample: &Sample) -> Value {
    json!({
        "parent_frame_id": "world",
        "child_frame_id": "vehicle",
        "translation": xyz(&sample.state.position_m),
        "rotation": xyzw(&sample.state.attitude),
    })
}

fn vehicle_motion(sample: &Sample) -> Value {
    let state = &sample.state;
    json!({"velocity": xyz(&state.velocity_m_s), "rates": xyz(&state.rates_rad_s)})
}

fn reference_motion(sample: &Sample) -> Value {
    json!({"velocity": xyz(&sample.reference.velocity_m_s)})
}

fn wind(sample: &Sample) -> Value {
    xyz(&sample.wind_m_s)
}

fn error(sample: &Sample) -> Value {
    xyz(&(sample.state.position_m - sample.reference.position_m))
}

fn motors(sample: &Sample) -> Value {
    json!({
        "speed_rad_s": sample.state.rotors_rad_s,
        "command_rad_s": sample.command.speeds_rad_s,
    })
}
