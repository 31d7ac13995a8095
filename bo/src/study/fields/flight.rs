//! Flight: the settings under which every flight of a study is flown.

use super::{count, flag, put, put_number, word};
use crate::run::settings::{DELAY, SENSOR_NOISE, SETTLE_S};
use crate::study::field::{Field, Legal};
use crate::study::place::{GROUND, world};
use crate::study::{Config, Fault, Named};
use sim::STARTS;
use toml::Value;

pub(super) static FIELDS: [Field; 10] = [
    Field {
        key: "flight.world",
        meaning: "What can be hit: ground (level, 10 ft below the start); a world file beside this one, or its keys \
                  in a table (sim template world).",
        flag: flag("world", "FILE"),
        help: "Ground and obstacles: ground, or a world file",
        legal: Legal::Own,
        get: |c| match &c.conditions.world {
            Named::Shipped(_) => GROUND.into(),
            Named::Given(own) => Value::try_from(own).expect("its numbers were read from TOML"),
        },
        set: Some(|c, v, folder| put(&mut c.conditions.world, world(folder, v)?)),
    },
    Field {
        key: "flight.from_ground",
        meaning: "Whether each flight takes off from the ground before the trajectory and lands on it afterwards.",
        flag: None,
        help: "",
        legal: Legal::Own,
        get: |c| c.conditions.from_ground.into(),
        set: Some(|c, v, _| {
            c.conditions.from_ground = yes_or_no("flight.from_ground", v)?;
            c.name_flight();
            Ok(())
        }),
    },
    Field {
        key: "flight.uncertain",
        meaning: "Whether each flight's vehicle is drawn from the uncertainty that the airframe declares.",
        flag: None,
        help: "",
        legal: Legal::Own,
        get: |c| c.conditions.uncertain.into(),
        set: Some(|c, v, _| {
            put(
                &mut c.conditions.uncertain,
                yes_or_no("flight.uncertain", v)?,
            )
        }),
    },
    Field {
        key: "flight.start",
        meaning: "How a flight begins: {names}. equilibrium: tilted, with rotor speeds and integrals that hold the \
                  mean wind of the flight. rest: level with empty integrals, so that the mean wind acts as a step \
                  and much of the error is that of the start. A study takes equilibrium; the command that names \
                  no study, vehicle or autopilot, rest.",
        flag: None,
        help: "",
        legal: Legal::Word(|| STARTS.map(|(name, _)| name).to_vec()),
        get: |c| c.conditions.start.name().into(),
        set: Some(|c, v, _| {
            let named = STARTS.iter().find(|(name, _)| *name == word(v));
            put(
                &mut c.conditions.start,
                named.map_or_else(Default::default, |(_, start)| *start),
            )
        }),
    },
    Field {
        key: "flight.settle_s",
        meaning: "Time from the start that the score leaves out, {least} to {most} [s]; a loss counts at any time.",
        flag: None,
        help: "",
        legal: Legal::Number(SETTLE_S),
        get: |c| Value::Float(c.conditions.settle_s),
        set: Some(|c, v, _| put_number(&mut c.conditions.settle_s, v)),
    },
    noise(
        "sensors.position_m",
        "Standard deviation of each component of the position [m], from {least}.",
        |c| Value::Float(c.conditions.sensors.position_m),
        |c, v, _| put_number(&mut c.conditions.sensors.position_m, v),
    ),
    noise(
        "sensors.velocity_m_s",
        "Of the velocity [m/s].",
        |c| Value::Float(c.conditions.sensors.velocity_m_s),
        |c, v, _| put_number(&mut c.conditions.sensors.velocity_m_s, v),
    ),
    noise(
        "sensors.attitude_rad",
        "Of the attitude about each body axis [rad].",
        |c| Value::Float(c.conditions.sensors.attitude_rad),
        |c, v, _| put_number(&mut c.conditions.sensors.attitude_rad, v),
    ),
    noise(
        "sensors.rates_rad_s",
        "Of each body rate [rad/s].",
        |c| Value::Float(c.conditions.sensors.rates_rad_s),
        |c, v, _| put_number(&mut c.conditions.sensors.rates_rad_s, v),
    ),
    Field {
        key: "sensors.delay_periods",
        meaning: "Age of every measurement [ms], {least} to {most}; with gains.exportable 0 takes that autopilot's.",
        flag: None,
        help: "",
        legal: Legal::Count(DELAY),
        get: |c| Value::Integer(c.conditions.sensors.delay_periods.into()),
        set: Some(|c, v, _| {
            let periods = count(v).try_into().expect("checked to be within limits");
            put(&mut c.conditions.sensors.delay_periods, periods)
        }),
    },
];

/// A standard deviation of the sensors.
const fn noise(
    key: &'static str,
    meaning: &'static str,
    get: fn(&Config) -> Value,
    set: crate::study::Set,
) -> Field {
    Field {
        key,
        meaning,
        flag: None,
        help: "",
        legal: Legal::Number(SENSOR_NOISE),
        get,
        set: Some(set),
    }
}

fn yes_or_no(key: &'static str, given: &Value) -> Result<bool, Fault> {
    given.as_bool().ok_or(Fault::Kind {
        key,
        wanted: "true or false",
    })
}
