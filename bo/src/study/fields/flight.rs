//! Flight: the settings under which every flight of a study is flown.

use super::{count, flag, plain, put, put_number, word};
use crate::run::settings::{DELAY, SENSOR_NOISE, SETTLE_S};
use crate::study::field::{Field, Legal};
use crate::study::place::{GROUND, world};
use crate::study::{Fault, Named};
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
    plain(
        "flight.from_ground",
        "Whether each flight takes off from the ground before the trajectory and lands on it afterwards.",
        Legal::Own,
        |c| c.conditions.from_ground.into(),
        |c, v, _| {
            c.conditions.from_ground = yes_or_no("flight.from_ground", v)?;
            c.name_flight();
            Ok(())
        },
    ),
    plain(
        "flight.uncertain",
        "Whether each flight's vehicle is drawn from the uncertainty that the airframe declares.",
        Legal::Own,
        |c| c.conditions.uncertain.into(),
        |c, v, _| {
            put(
                &mut c.conditions.uncertain,
                yes_or_no("flight.uncertain", v)?,
            )
        },
    ),
    plain(
        "flight.start",
        "How a flight begins: {names}. equilibrium: tilted, with rotor speeds and integrals that hold the \
         mean wind of the flight. rest: level with empty integrals, so that the mean wind acts as a step \
         and much of the error is that of the start. A study takes equilibrium; the command that names \
         no study, vehicle or autopilot, rest.",
        Legal::Word(|| STARTS.map(|(name, _)| name).to_vec()),
        |c| c.conditions.start.name().into(),
        |c, v, _| {
            let named = STARTS.iter().find(|(name, _)| *name == word(v));
            put(
                &mut c.conditions.start,
                named.map_or_else(Default::default, |(_, start)| *start),
            )
        },
    ),
    plain(
        "flight.settle_s",
        "Time from the start that the score leaves out, {least} to {most} [s]; a loss counts at any time.",
        Legal::Number(SETTLE_S),
        |c| Value::Float(c.conditions.settle_s),
        |c, v, _| put_number(&mut c.conditions.settle_s, v),
    ),
    plain(
        "sensors.position_m",
        "Standard deviation of each component of the position [m], from {least}.",
        Legal::Number(SENSOR_NOISE),
        |c| Value::Float(c.conditions.sensors.position_m),
        |c, v, _| put_number(&mut c.conditions.sensors.position_m, v),
    ),
    plain(
        "sensors.velocity_m_s",
        "Of the velocity [m/s].",
        Legal::Number(SENSOR_NOISE),
        |c| Value::Float(c.conditions.sensors.velocity_m_s),
        |c, v, _| put_number(&mut c.conditions.sensors.velocity_m_s, v),
    ),
    plain(
        "sensors.attitude_rad",
        "Of the attitude about each body axis [rad].",
        Legal::Number(SENSOR_NOISE),
        |c| Value::Float(c.conditions.sensors.attitude_rad),
        |c, v, _| put_number(&mut c.conditions.sensors.attitude_rad, v),
    ),
    plain(
        "sensors.rates_rad_s",
        "Of each body rate [rad/s].",
        Legal::Number(SENSOR_NOISE),
        |c| Value::Float(c.conditions.sensors.rates_rad_s),
        |c, v, _| put_number(&mut c.conditions.sensors.rates_rad_s, v),
    ),
    plain(
        "sensors.delay_periods",
        "Age of every measurement [ms], {least} to {most}; with gains.exportable 0 takes that autopilot's.",
        Legal::Count(DELAY),
        |c| Value::Integer(c.conditions.sensors.delay_periods.into()),
        |c, v, _| {
            let periods = count(v).try_into().expect("checked to be within limits");
            put(&mut c.conditions.sensors.delay_periods, periods)
        },
    ),
];

fn yes_or_no(key: &'static str, given: &Value) -> Result<bool, Fault> {
    given.as_bool().ok_or(Fault::Kind {
        key,
        wanted: "true or false",
    })
}
