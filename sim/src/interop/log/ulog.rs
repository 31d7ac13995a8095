//! ULog, version 1: PX4's topics in its frames.
//!
//! North is world x, east −y, down −z; forward is body x, right −y, down −z. Both frames turn
//! by 180° about x, so a quaternion (w, x, y, z) becomes (w, x, −y, −z) and body rates (p, q, r)
//! become (p, −q, −r).
//!
//! | topic | fields |
//! |---|---|
//! | `vehicle_local_position` | x, y, z, vx, vy, vz, heading |
//! | `vehicle_local_position_setpoint` | x, y, z, vx, vy, vz, acceleration, yaw |
//! | `vehicle_attitude` | q, w first |
//! | `vehicle_angular_velocity` | xyz |
//! | `vehicle_rates_setpoint` | roll, pitch, yaw |
//! | `actuator_motors` | control: commanded over full thrust, of four rotors in PX4's order |
//! | `wind` | windspeed_north, windspeed_east, windspeed_down |
//!
//! Parameters are the gains under their own names, and `THR_MDL_FAC` 1: what is commanded is linear in thrust. The last record is a message that says how many
//! records came before it: without it a file was cut short.

use super::About;
use crate::vehicle::rotors::QUAD;
use crate::{Outcome, Sample};
use nalgebra::{UnitQuaternion, Vector3};
use std::io::{self, Write};

/// First bytes of every file, its version the last of them.
pub(super) const MAGIC: [u8; 8] = [0x55, 0x4c, 0x6f, 0x67, 0x01, 0x12, 0x35, 0x01];

/// Start of the message that ends a file.
pub(super) const END: &str = "end of log after ";

/// Log level of the messages: information, as in Linux.
const INFORMATION: u8 = b'6';

/// Motors of the topic.
const MOTORS: usize = 12;

/// PX4 counts front right, rear left, front left, rear right; these are ours in its order.
pub(super) const PX4_ORDER: [usize; 4] = [1, 3, 0, 2];

/// A topic: its name, its fields after the time, and what they hold of a sample; nothing where it has no part in it.
pub(super) struct Topic<S> {
    pub(super) name: &'static str,
    pub(super) fields: &'static str,
    pub(super) values: fn(&About, &S) -> Vec<f64>,
}

const TOPICS: [Topic<Sample>; 7] = [
    Topic {
        name: "vehicle_local_position",
        fields: "float x;float y;float z;float vx;float vy;float vz;float heading;",
        values: |_, sample| {
            let (_, _, yaw) = turned(&sample.state.attitude).euler_angles();
            let state = &sample.state;
            [ned(&state.position_m), ned(&state.velocity_m_s)]
                .concat()
                .into_iter()
                .chain([yaw])
                .collect()
        },
    },
    Topic {
        name: "vehicle_local_position_setpoint",
        fields: "float x;float y;float z;float vx;float vy;float vz;float[3] acceleration;float yaw;",
        values: |_, sample| {
            let r = &sample.reference;
            [
                ned(&r.position_m),
                ned(&r.velocity_m_s),
                ned(&r.acceleration_m_s2),
            ]
            .concat()
            .into_iter()
            .chain([-r.yaw_rad])
            .collect()
        },
    },
    Topic {
        name: "vehicle_attitude",
        fields: "float[4] q;",
        values: |_, sample| {
            let q = turned(&sample.state.attitude);
            vec![q.w, q.i, q.j, q.k]
        },
    },
    Topic {
        name: "vehicle_angular_velocity",
        fields: "float[3] xyz;",
        values: |_, sample| ned(&sample.state.rates_rad_s).to_vec(),
    },
    Topic {
        name: "vehicle_rates_setpoint",
        fields: "float roll;float pitch;float yaw;",
        values: |_, sample| ned(&sample.command.rate_setpoint_rad_s).to_vec(),
    },
    Topic {
        name: "actuator_motors",
        fields: "float[12] control;",
        values: |about, sample| {
            let full = about.airframe.rotors.max_speed_rad_s;
            control(&sample.command.speeds_rad_s, full)
        },
    },
    Topic {
        name: "wind",
        fields: "float windspeed_north;float windspeed_east;float windspeed_down;",
        values: |_, sample| ned(&sample.wind_m_s).to_vec(),
    },
];

/// The field of that name: shares of full thrust, those of four rotors in PX4's order.
pub(super) fn control(speeds_rad_s: &[f64], full_rad_s: f64) -> Vec<f64> {
    let mut control = vec![f64::NAN; MOTORS];
    for (motor, asked) in control.iter_mut().take(speeds_rad_s.len()).enumerate() {
        let rotor = match speeds_rad_s.len() {
            QUAD => PX4_ORDER[motor],
            _ => motor,
        };
        *asked = (speeds_rad_s[rotor] / full_rad_s).powi(2);
    }
    control
}

/// Most bytes of a text: a record's length has 16 bits, and no name or message needs more.
const MOST_TEXT_BYTES: usize = 4096;

/// A file as it grows.
struct File<'a, W> {
    out: &'a mut W,
    records: u64,
}

impl<W: Write> File<'_, W> {
    fn record(&mut self, kind: u8, body: &[u8]) -> io::Result<()> {
        let length = u16::try_from(body.len()).map_err(io::Error::other)?;
        self.out.write_all(&length.to_le_bytes())?;
        self.out.write_all(&[kind])?;
        self.out.write_all(body)?;
        self.records += 1;
        Ok(())
    }

    /// A named value, for information ('I') or as a parameter ('P').
    fn named(&mut self, kind: u8, key: &str, value: &[u8]) -> io::Result<()> {
        let length = u8::try_from(key.len()).map_err(io::Error::other)?;
        self.record(kind, &[&[length], key.as_bytes(), value].concat())
    }

    fn information(&mut self, name: &str, text: &str) -> io::Result<()> {
        let text = beginning(text);
        let key = format!("char[{}] {name}", text.len());
        self.named(b'I', &key, text.as_bytes())
    }

    fn message(&mut self, time_us: u64, text: &str) -> io::Result<()> {
        let text = beginning(text).as_bytes();
        let body = [&[INFORMATION], &time_us.to_le_bytes()[..], text].concat();
        self.record(b'L', &body)
    }
}

/// As much of a text as a record takes.
fn beginning(text: &str) -> &str {
    let mut end = text.len().min(MOST_TEXT_BYTES);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

pub(super) fn write(about: &About, samples: &[Sample], out: &mut impl Write) -> io::Result<()> {
    write_topics(about, &TOPICS, samples, |sample| sample.time_s, out)
}

/// Writes the topics of instants of any kind.
pub(super) fn write_topics<S>(
    about: &About,
    topics: &[Topic<S>],
    samples: &[S],
    time_s: fn(&S) -> f64,
    out: &mut impl Write,
) -> io::Result<()> {
    let mut file = File { out, records: 0 };
    file.out.write_all(&MAGIC)?;
    file.out.write_all(&0u64.to_le_bytes())?;
    define(&mut file, about, topics)?;
    for (id, topic) in (0u16..).zip(topics) {
        let body = [&[0], &id.to_le_bytes()[..], topic.name.as_bytes()].concat();
        file.record(b'A', &body)?;
    }
    let started = format!(
        "{} by {}, {} wind, seed {}, simulated",
        about.trajectory, about.airframe.name, about.domain, about.seed
    );
    file.message(0, &started)?;
    let mut time_us = 0;
    for sample in samples {
        time_us = (time_s(sample) * 1e6).round() as u64;
        for (id, topic) in (0u16..).zip(topics) {
            let values = (topic.values)(about, sample);
            if values.is_empty() {
                continue;
            }
            let mut body = [&id.to_le_bytes()[..], &time_us.to_le_bytes()].concat();
            for value in values {
                body.extend((value as f32).to_le_bytes());
            }
            file.record(b'D', &body)?;
        }
    }
    let ended = match about.outcome {
        Outcome::Completed => "completed".to_owned(),
        Outcome::Lost { at_s, why } => format!("lost after {at_s:.3} s: {why}"),
    };
    file.message(time_us, &ended)?;
    let records = file.records;
    file.message(time_us, &format!("{END}{records} records"))
}

/// The records before the data.
fn define<S>(file: &mut File<impl Write>, about: &About, topics: &[Topic<S>]) -> io::Result<()> {
    // No compatibility flags, nothing appended.
    file.record(b'B', &[0; 40])?;
    for topic in topics {
        let format = format!("{}:uint64_t timestamp;{}", topic.name, topic.fields);
        file.record(b'F', format.as_bytes())?;
    }
    file.information("sys_name", "Windhover")?;
    file.information("ver_sw", env!("CARGO_PKG_VERSION"))?;
    file.information("airframe", &about.airframe.name)?;
    file.information("trajectory", about.trajectory)?;
    file.information("wind_domain", about.domain)?;
    file.information("seed", &about.seed.to_string())?;
    let g = about.gains;
    for (name, value) in [
        ("POS_XY_KP", g.position_xy.kp),
        ("POS_XY_KI", g.position_xy.ki),
        ("POS_XY_KD", g.position_xy.kd),
        ("POS_Z_KP", g.position_z.kp),
        ("POS_Z_KI", g.position_z.ki),
        ("POS_Z_KD", g.position_z.kd),
        // Thrust is linear in what is asked of the motors.
        ("THR_MDL_FAC", 1.0),
    ] {
        file.named(
            b'P',
            &format!("float {name}"),
            &(value as f32).to_le_bytes(),
        )?;
    }
    for (what, values) in [
        ("ATT", [("KP", g.attitude_kp)].as_slice()),
        (
            "RATE",
            &[("KP", g.rate_kp), ("KI", g.rate_ki), ("KD", g.rate_kd)],
        ),
    ] {
        for (term, gains) in values {
            for (axis, value) in ["ROLL", "PITCH", "YAW"].iter().zip(gains) {
                let key = format!("float {what}_{axis}_{term}");
                file.named(b'P', &key, &(*value as f32).to_le_bytes())?;
            }
        }
    }
    Ok(())
}

/// A vector of the world or the body in PX4's frame.
pub(super) fn ned(v: &Vector3<f64>) -> [f64; 3] {
    [v.x, -v.y, -v.z]
}

/// An attitude between PX4's frames.
pub(super) fn turned(q: &UnitQuaternion<f64>) -> UnitQuaternion<f64> {
    UnitQuaternion::new_unchecked(nalgebra::Quaternion::new(q.w, q.i, -q.j, -q.k))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_turned_attitude_turns_what_is_turned() {
        // Turning a body vector and then changing frames is changing frames and then turning.
        let attitude = UnitQuaternion::from_euler_angles(0.3, -0.4, 1.1);
        let v = Vector3::new(0.2, -0.5, 0.7);
        let first = ned(&(attitude * v));
        let second = turned(&attitude) * Vector3::from(ned(&v));
        assert!((Vector3::from(first) - second).norm() < 1e-15);
        // A left turn seen from above is a negative heading.
        let left = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), 0.5);
        assert!((turned(&left).euler_angles().2 + 0.5).abs() < 1e-15);
    }
}
