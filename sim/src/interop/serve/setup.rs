//! Setup: what an `init` asks for, checked: all that does not change until the next one.

use super::FindFile;
use super::request::{Fault, Init, Start, bounded, of};
use crate::{
    AIRFRAME_NAMES, Airframe, CONTROL_PERIOD_S, DOMAIN_NAMES, Domain, Mixer, Multirotor, PerRotor,
    SensorNoise, State,
};
use nalgebra::{Quaternion, UnitQuaternion, Vector3};
use serde_json::Value;

/// Longest time over which one command is held [s].
const LONGEST_DT_S: f64 = 1.0;

/// Shortest [s].
const SHORTEST_DT_S: f64 = 1e-4;

/// What is simulated.
pub(super) struct Setup {
    pub(super) airframe: Airframe,
    pub(super) multirotor: Multirotor,
    pub(super) mixer: Mixer,
    pub(super) start: State,
    /// Nothing for still air.
    pub(super) weather: Option<Domain>,
    pub(super) sensors: Option<SensorNoise>,
    pub(super) dt_s: f64,
    /// Integration steps in dt_s.
    pub(super) steps: u32,
    pub(super) seed: u64,
}

impl Setup {
    /// What `init` asks for.
    pub(super) fn of(init: &Init, files: &FindFile) -> Result<Setup, Fault> {
        let airframe = airframe(&init.airframe, files)?;
        let steps = steps(init.dt_s)?;
        let start = start(init, &airframe)?;
        if let Some(noise) = &init.sensors {
            noise.check()?;
            let whole = (f64::from(steps) * CONTROL_PERIOD_S - init.dt_s).abs() < 1e-9;
            if noise.delay_periods > 0 && !whole {
                return Err(Fault::DelayBetweenTicks);
            }
        }
        Ok(Setup {
            multirotor: Multirotor::new(&airframe),
            mixer: Mixer::new(&airframe.rotors)?,
            airframe,
            start,
            weather: weather(&init.wind, files)?,
            sensors: init.sensors,
            dt_s: init.dt_s,
            steps,
            seed: init.seed,
        })
    }

    /// Length of an integration step [s].
    pub(super) fn step_s(&self) -> f64 {
        self.dt_s / f64::from(self.steps)
    }
}

/// Integration steps in `dt_s`, none above 1 ms.
fn steps(dt_s: f64) -> Result<u32, Fault> {
    if !(SHORTEST_DT_S..=LONGEST_DT_S).contains(&dt_s) {
        return Err(Fault::Period {
            dt_s,
            least_s: SHORTEST_DT_S,
            most_s: LONGEST_DT_S,
        });
    }
    // A dt of a whole number of milliseconds gives steps of 1 ms whatever its rounding.
    Ok((dt_s / CONTROL_PERIOD_S - 1e-6).ceil().max(1.0) as u32)
}

/// The airframe that a name, a path or an object stands for.
fn airframe(given: &Value, files: &FindFile) -> Result<Airframe, Fault> {
    const PART: &str = "airframe";
    match given {
        Value::String(word) => Ok(match files(word, &AIRFRAME_NAMES) {
            Some(text) => Airframe::from_toml(&text.map_err(Fault::file(word))?)?,
            None => Airframe::by_name(word)?,
        }),
        Value::Object(_) => {
            let airframe: Airframe = of(given.clone(), PART)?;
            airframe.check()?;
            Ok(airframe)
        }
        _ => {
            let wanted = "a name, a path or an object";
            Err(Fault::Kind { part: PART, wanted })
        }
    }
}

/// Where the vehicle starts: on a trajectory, with its velocity, or as the request says.
fn start(init: &Init, airframe: &Airframe) -> Result<State, Fault> {
    match (&init.trajectory, &init.start) {
        (Some(_), Some(_)) => Err(Fault::TwoStarts),
        (Some(name), None) => {
            let reference = trajectories::by_name(name)?.at(0.0);
            Ok(State::on(&reference, hover(airframe)))
        }
        (None, Some(start)) => stated(airframe, start),
        (None, None) => stated(airframe, &Start::default()),
    }
}

fn stated(airframe: &Airframe, start: &Start) -> Result<State, Fault> {
    bounded("position_m", &start.position_m)?;
    bounded("velocity_m_s", &start.velocity_m_s)?;
    bounded("rates_rad_s", &start.rates_rad_s)?;
    let wxyz @ [w, x, y, z] = start.attitude_wxyz.unwrap_or([1.0, 0.0, 0.0, 0.0]);
    let attitude = UnitQuaternion::try_new(Quaternion::new(w, x, y, z), 1e-6)
        .filter(|q| q.coords.iter().all(|c| c.is_finite()))
        .ok_or(Fault::NoRotation { wxyz })?;
    let rotors_rad_s = start.rotors_rad_s.unwrap_or_else(|| hover(airframe));
    one_each(&rotors_rad_s, airframe)?;
    let most = airframe.rotors.max_speed_rad_s;
    for speed in rotors_rad_s {
        if !(0.0..=most).contains(&speed) {
            return Err(Fault::StartSpeed { speed, most });
        }
    }
    Ok(State {
        position_m: Vector3::from(start.position_m),
        velocity_m_s: Vector3::from(start.velocity_m_s),
        attitude,
        rates_rad_s: Vector3::from(start.rates_rad_s),
        rotors_rad_s,
    })
}

/// The speed of each rotor in hover [rad/s].
fn hover(airframe: &Airframe) -> PerRotor {
    PerRotor::new(airframe.rotors.count(), |_| airframe.hover_speed_rad_s())
}

/// Checks that there is a speed for each rotor.
pub(super) fn one_each(speeds: &[f64], airframe: &Airframe) -> Result<(), Fault> {
    let (given, rotors) = (speeds.len(), airframe.rotors.count());
    if given == rotors {
        return Ok(());
    }
    Err(Fault::Rotors { given, rotors })
}

/// What a name, a path, three numbers or an object stand for; nothing for still air.
fn weather(given: &Value, files: &FindFile) -> Result<Option<Domain>, Fault> {
    const PART: &str = "wind";
    let domain = match given {
        Value::Null => None,
        Value::Array(_) => {
            let mean_m_s: [f64; 3] = of(given.clone(), PART)?;
            bounded(PART, &mean_m_s)?;
            let constant = Domain {
                name: "constant".to_owned(),
                mean_m_s,
                ..Domain::calm(1.0)
            };
            Some(constant).filter(Domain::blows)
        }
        Value::String(word) => {
            let names = [&DOMAIN_NAMES[..], &["still"]].concat();
            match files(word, &names) {
                Some(text) => Some(Domain::from_toml(&text.map_err(Fault::file(word))?)?),
                None => Domain::by_name_or_still(word)?,
            }
        }
        Value::Object(_) => {
            let domain: Domain = of(given.clone(), PART)?;
            domain.check()?;
            Some(domain)
        }
        _ => {
            let wanted = "a name, a path, three numbers or an object";
            return Err(Fault::Kind { part: PART, wanted });
        }
    };
    if (domain.as_ref()).is_some_and(|domain| domain.record.is_some()) {
        let wanted = "a name, a path, three numbers or an object, and no record: flights here have no set end";
        return Err(Fault::Kind { part: PART, wanted });
    }
    Ok(domain)
}
