//! Measured: a flight as the sensors of a real vehicle show it, without the truth.
//!
//! * CSV: command, gyro, accelerometer, attitude and, where it was measured, velocity
//! * MCAP: `/measured/motors`, `/measured/imu`, `/measured/attitude`, `/measured/velocity`
//! * ULog: `actuator_motors`, `sensor_combined`, `vehicle_attitude`, and `vehicle_local_position` with the velocity alone

use super::mcap::{self, NUMBERS, xyz, xyzw};
use super::ulog::{self, Topic, control, ned, turned};
use super::{About, Format, LogError};
use crate::control::CONTROL_PERIOD_S;
use crate::control::instruments::Instruments;
use crate::control::sensors::SensorNoise;
use crate::{GRAVITY_M_S2, PerRotor, Sample};
use nalgebra::{UnitQuaternion, Vector3};
use serde_json::{Value, json};
use std::io::{Seek, Write};

/// What sensors show of one instant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measured {
    /// Time since the start [s].
    pub time_s: f64,
    /// Commanded speed of each rotor [rad/s].
    pub command_rad_s: PerRotor,
    /// Body rates, as the rate loop got them [rad/s].
    pub gyro_rad_s: Vector3<f64>,
    /// Specific force at the centre of mass in body axes [m/s²].
    pub accelerometer_m_s2: Vector3<f64>,
    /// Turns body vectors into world vectors, as the attitude loop got it.
    pub attitude: UnitQuaternion<f64>,
    /// Velocity in the world, where the position loop got one [m/s].
    pub velocity_m_s: Option<Vector3<f64>>,
}

impl Measured {
    /// What the sensors of the flight of that seed showed, from a sample of each control period; gaps are left out.
    pub fn of(samples: &[Sample], noise: &SensorNoise, seed: u64) -> Vec<Measured> {
        let mut instruments = Instruments::new(*noise, seed);
        let late = noise.delay_periods as usize;
        let mut shown = Vec::with_capacity(samples.len());
        for (tick, sample) in samples.iter().enumerate() {
            let seen = tick.saturating_sub(late);
            let rotor_rad_s = samples[seen].state.rotors_rad_s[0];
            let force_m_s2 = specific_force(samples, seen);
            let accelerometer_m_s2 = instruments.accelerometer(&force_m_s2, rotor_rad_s);
            if instruments.misses() {
                continue;
            }
            shown.push(Measured {
                time_s: sample.time_s,
                command_rad_s: sample.command.speeds_rad_s,
                gyro_rad_s: sample.felt.rates_rad_s,
                accelerometer_m_s2,
                attitude: sample.felt.attitude,
                velocity_m_s: sample.measured.map(|measured| measured.velocity_m_s),
            });
        }
        shown
    }
}

/// Mean specific force over the control period before a sample, in body axes: of all that acts, the ground too.
fn specific_force(samples: &[Sample], tick: usize) -> Vector3<f64> {
    let from = tick.saturating_sub(1);
    let to = (from + 1).min(samples.len() - 1);
    let [before, after] = [from, to].map(|at| &samples[at].state);
    let gained_m_s2 = (after.velocity_m_s - before.velocity_m_s) / CONTROL_PERIOD_S;
    let between = before.attitude.nlerp(&after.attitude, 0.5);
    between.inverse() * (gained_m_s2 + Vector3::z() * GRAVITY_M_S2)
}

impl Format {
    /// Name of the file of what was measured in a flight's folder.
    pub fn measured_file_name(self) -> &'static str {
        match self {
            Format::Csv => "measured.csv",
            Format::Mcap => "measured.mcap",
            Format::Ulog => "measured.ulg",
        }
    }

    /// Writes the log of what was measured.
    ///
    /// # Errors
    /// As [`Format::write`].
    pub fn write_measured(
        self,
        about: &About,
        measured: &[Measured],
        out: &mut (impl Write + Seek),
    ) -> Result<(), LogError> {
        let time_s = |measured: &Measured| measured.time_s;
        match self {
            Format::Csv => Ok(write(measured, out)?),
            Format::Mcap => {
                let topics = (&*schemas(), &CHANNELS[..]);
                mcap::write_topics(about, topics, measured, time_s, out)
            }
            Format::Ulog => Ok(ulog::write_topics(about, &TOPICS, measured, time_s, out)?),
        }
    }
}

/// Names of the columns after those of the commands.
const HEADER: &str = "gyro_x_rad_s,gyro_y_rad_s,gyro_z_rad_s,acc_x_m_s2,acc_y_m_s2,acc_z_m_s2,\
     qw,qx,qy,qz,vx_m_s,vy_m_s,vz_m_s\n";

fn write(measured: &[Measured], out: &mut impl Write) -> std::io::Result<()> {
    let rotors = measured
        .first()
        .map_or(0, |first| first.command_rad_s.len());
    let commands: String = (1..=rotors).map(|i| format!("command{i}_rad_s,")).collect();
    write!(out, "t_s,{commands}{HEADER}")?;
    for shown in measured {
        let q = shown.attitude.quaternion();
        let numbers = shown.command_rad_s.into_iter();
        let numbers = numbers
            .chain(shown.gyro_rad_s.iter().copied())
            .chain(shown.accelerometer_m_s2.iter().copied())
            .chain([q.w, q.i, q.j, q.k]);
        write!(out, "{}", shown.time_s)?;
        for number in numbers {
            write!(out, ",{number}")?;
        }
        match shown.velocity_m_s {
            Some(v) => writeln!(out, ",{},{},{}", v.x, v.y, v.z)?,
            None => writeln!(out, ",,,")?,
        }
    }
    Ok(())
}

fn schemas() -> Vec<mcap::Schema> {
    let (vector, rotation) = (mcap::vector(), mcap::rotation());
    let schemas = [
        ("windhover.Commands", vec![("command_rad_s", NUMBERS)]),
        (
            "windhover.Imu",
            vec![("gyro", &*vector), ("accelerometer", &vector)],
        ),
        ("windhover.Attitude", vec![("orientation", &*rotation)]),
        ("windhover.Velocity", vec![("velocity", &*vector)]),
    ];
    let schema = |(name, fields): (&'static str, Vec<_>)| (name, mcap::schema(name, &fields));
    schemas.map(schema).into()
}

const CHANNELS: [mcap::Topic<Measured>; 4] = [
    (
        "/measured/motors",
        "windhover.Commands",
        |shown| json!({"command_rad_s": shown.command_rad_s}),
    ),
    ("/measured/imu", "windhover.Imu", |shown| {
        let (gyro, accelerometer) = (&shown.gyro_rad_s, &shown.accelerometer_m_s2);
        json!({"gyro": xyz(gyro), "accelerometer": xyz(accelerometer)})
    }),
    (
        "/measured/attitude",
        "windhover.Attitude",
        |shown| json!({"orientation": xyzw(&shown.attitude)}),
    ),
    ("/measured/velocity", "windhover.Velocity", |shown| {
        let velocity = shown.velocity_m_s.as_ref();
        velocity.map_or(Value::Null, |v| json!({"velocity": xyz(v)}))
    }),
];

const TOPICS: [Topic<Measured>; 4] = [
    Topic {
        name: "actuator_motors",
        fields: "float[12] control;",
        values: |about, shown| {
            let full = about.airframe.rotors.max_speed_rad_s;
            control(&shown.command_rad_s, full)
        },
    },
    Topic {
        name: "sensor_combined",
        fields: "float[3] gyro_rad;float[3] accelerometer_m_s2;",
        values: |_, shown| [ned(&shown.gyro_rad_s), ned(&shown.accelerometer_m_s2)].concat(),
    },
    Topic {
        name: "vehicle_attitude",
        fields: "float[4] q;",
        values: |_, shown| {
            let q = turned(&shown.attitude);
            vec![q.w, q.i, q.j, q.k]
        },
    },
    Topic {
        name: "vehicle_local_position",
        fields: "float vx;float vy;float vz;",
        values: |_, shown| {
            let velocity = shown.velocity_m_s.as_ref();
            velocity.map_or(Vec::new(), |v| ned(v).to_vec())
        },
    },
];
