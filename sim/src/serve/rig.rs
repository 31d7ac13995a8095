//! The rig: a vehicle in wind that moves when it is told to.

use super::FindFile;
use super::request::{Init, Start, Step};
use crate::flight::concerns::wind_concerns;
use crate::{
    AIRFRAME_NAMES, Airframe, CONTROL_PERIOD_S, Concern, DOMAIN_NAMES, Domain, Dryden,
    InertialMeasurement, Integrator, Measurement, Mixer, Quadrotor, SensorNoise, Sensors, State,
    Steady, Wind, Wrench,
};
use nalgebra::{Quaternion, UnitQuaternion, Vector3};
use serde_json::{Map, Value, json};

/// Longest time over which one command is held [s].
const LONGEST_DT_S: f64 = 1.0;

/// Shortest [s].
const SHORTEST_DT_S: f64 = 1e-4;

/// Greatest magnitude of a number in a start, a wind or a command.
const GREATEST: f64 = 1e6;

/// What does not change between two inits.
struct Setup {
    airframe: Airframe,
    quadrotor: Quadrotor,
    mixer: Mixer,
    start: State,
    weather: Weather,
    sensors: Option<SensorNoise>,
    dt_s: f64,
    /// Integration steps in dt_s.
    steps: u32,
    seed: u64,
}

/// The wind asked for.
enum Weather {
    Constant(Vector3<f64>),
    Gusts(Domain),
}

/// What evolves.
#[derive(Clone)]
struct Now {
    state: State,
    wind: Blowing,
    sensors: Option<Sensors>,
    /// Steps since the start.
    count: u64,
    wind_m_s: Vector3<f64>,
    /// What the sensors can see, which is old where they are slow.
    seen: State,
    measured: Option<(Measurement, InertialMeasurement)>,
}

#[derive(Clone)]
enum Blowing {
    Constant(Steady),
    Gusts(Box<Dryden>),
}

impl Blowing {
    fn step(&mut self) -> Vector3<f64> {
        match self {
            Blowing::Constant(wind) => wind.step(),
            Blowing::Gusts(wind) => wind.step(),
        }
    }
}

/// A vehicle in wind, between two commands.
pub(super) struct Rig {
    setup: Setup,
    now: Now,
}

impl Rig {
    /// What `init` asks for, or what is wrong with it.
    pub(super) fn new(init: &Init, files: &FindFile) -> Result<Rig, String> {
        let airframe = airframe(&init.airframe, files)?;
        let within = (SHORTEST_DT_S..=LONGEST_DT_S).contains(&init.dt_s);
        if !within {
            return Err(format!("dt_s is {}; it must be 1e-4 to 1 s", init.dt_s));
        }
        // A dt of a whole number of milliseconds gives steps of 1 ms whatever its rounding.
        let steps = (init.dt_s / CONTROL_PERIOD_S - 1e-6).ceil().max(1.0) as u32;
        let start = match (&init.trajectory, &init.start) {
            (Some(_), Some(_)) => return Err("give a trajectory or a start, not both".to_owned()),
            (Some(name), None) => on_trajectory(&airframe, name)?,
            (None, start) => started(&airframe, start.as_ref().unwrap_or(&Start::default()))?,
        };
        if let Some(noise) = &init.sensors {
            noise.check().map_err(|error| error.to_string())?;
            let whole = (f64::from(steps) * CONTROL_PERIOD_S - init.dt_s).abs() < 1e-9;
            if noise.delay_periods > 0 && !whole {
                return Err("a delay is counted in ms: dt_s must be a whole number of them".into());
            }
        }
        let setup = Setup {
            quadrotor: Quadrotor::new(&airframe),
            mixer: Mixer::new(&airframe.rotors).map_err(|error| error.to_string())?,
            airframe,
            start,
            weather: weather(&init.wind, files)?,
            sensors: init.sensors,
            dt_s: init.dt_s,
            steps,
            seed: init.seed,
        };
        let now = setup.beginning();
        Ok(Rig { setup, now })
    }

    pub(super) fn airframe(&self) -> &Airframe {
        &self.setup.airframe
    }

    /// What makes its states mean less than they seem to.
    pub(super) fn concerns(&self) -> Vec<Concern> {
        let airframe = &self.setup.airframe;
        match &self.setup.weather {
            Weather::Gusts(domain) => wind_concerns(airframe, &[domain]),
            Weather::Constant(wind) if *wind != Vector3::zeros() && !airframe.feels_wind() => {
                vec![Concern::WindDoesNotAct {
                    airframe: airframe.name.clone(),
                }]
            }
            Weather::Constant(_) => Vec::new(),
        }
    }

    /// Holds a command for dt_s.
    pub(super) fn step(&mut self, step: &Step) -> Result<Map<String, Value>, String> {
        let (command, saturated) = self.setup.command(step)?;
        let mut next = self.now.clone();
        let mut integrator = Integrator::new(&self.setup.quadrotor, self.setup.step_s());
        for _ in 0..self.setup.steps {
            integrator.step(&mut next.state, &command, &next.wind_m_s);
            next.blow_and_look();
        }
        next.measure();
        if !next.state.is_finite() {
            return Err("the state would overflow; nothing has changed".to_owned());
        }
        next.count += 1;
        self.now = next;
        let mut state = self.state();
        state.insert("command_rad_s".into(), json!(command));
        state.insert("saturated".into(), json!(saturated));
        Ok(state)
    }

    /// Back to the start.
    pub(super) fn reset(&mut self, seed: Option<u64>) -> Map<String, Value> {
        self.setup.seed = seed.unwrap_or(self.setup.seed);
        self.now = self.setup.beginning();
        self.state()
    }

    /// What is told of the present.
    pub(super) fn state(&self) -> Map<String, Value> {
        let Now { state, count, .. } = &self.now;
        let mut told = Map::new();
        let time_s = *count as f64 * self.setup.dt_s;
        told.insert("type".into(), json!("state"));
        told.insert("t_s".into(), json!(time_s));
        told.insert("position_m".into(), numbers(&state.position_m));
        told.insert("velocity_m_s".into(), numbers(&state.velocity_m_s));
        told.insert("attitude_wxyz".into(), wxyz(&state.attitude));
        told.insert("rates_rad_s".into(), numbers(&state.rates_rad_s));
        told.insert("rotors_rad_s".into(), json!(state.rotors_rad_s));
        told.insert("wind_m_s".into(), numbers(&self.now.wind_m_s));
        if let Some((outer, inner)) = &self.now.measured {
            let measured = json!({
                "position_m": numbers(&outer.position_m),
                "velocity_m_s": numbers(&outer.velocity_m_s),
                "attitude_wxyz": wxyz(&inner.attitude),
                "rates_rad_s": numbers(&inner.rates_rad_s),
            });
            told.insert("measured".into(), measured);
        }
        told
    }
}

impl Setup {
    /// Length of an integration step [s].
    fn step_s(&self) -> f64 {
        self.dt_s / f64::from(self.steps)
    }

    fn beginning(&self) -> Now {
        let wind = match &self.weather {
            Weather::Constant(wind) => Blowing::Constant(Steady(*wind)),
            Weather::Gusts(domain) => Blowing::Gusts(Box::new(Dryden::with_step(
                domain,
                self.seed,
                self.step_s(),
            ))),
        };
        let mut now = Now {
            state: self.start,
            wind,
            sensors: self.sensors.map(|noise| Sensors::new(noise, self.seed)),
            count: 0,
            wind_m_s: Vector3::zeros(),
            seen: self.start,
            measured: None,
        };
        now.blow_and_look();
        now.measure();
        now
    }

    /// The rotor speeds that a command means, and whether they are a compromise.
    fn command(&self, step: &Step) -> Result<([f64; 4], bool), String> {
        match (step.rotors_rad_s, step.thrust_n, step.moment_n_m) {
            (Some(speeds), None, None) => {
                finite("rotors_rad_s", &speeds)?;
                let rotors = &self.airframe.rotors;
                let range = rotors.min_speed_rad_s..=rotors.max_speed_rad_s;
                let legal = speeds.iter().all(|speed| range.contains(speed));
                let clipped = speeds.map(|speed| speed.clamp(*range.start(), *range.end()));
                Ok((clipped, !legal))
            }
            (None, Some(thrust_n), Some(moment)) => {
                finite("thrust_n", &[thrust_n])?;
                finite("moment_n_m", &moment)?;
                Ok(self.mixer.speeds(&Wrench {
                    thrust_n,
                    moment_n_m: Vector3::from(moment),
                }))
            }
            _ => Err("a step needs rotors_rad_s, or thrust_n and moment_n_m".to_owned()),
        }
    }
}

impl Now {
    /// The wind of the next integration step, and what the sensors take in.
    fn blow_and_look(&mut self) {
        self.wind_m_s = self.wind.step();
        if let Some(sensors) = &mut self.sensors {
            self.seen = sensors.see(&self.state);
        }
    }

    /// Measures what can be seen, with fresh noise.
    fn measure(&mut self) {
        if let Some(sensors) = &mut self.sensors {
            let outer = sensors.measure(&self.seen);
            self.measured = Some((outer, sensors.measure_inertial(&self.seen)));
        }
    }
}

fn numbers(vector: &Vector3<f64>) -> Value {
    json!([vector.x, vector.y, vector.z])
}

fn wxyz(attitude: &UnitQuaternion<f64>) -> Value {
    json!([attitude.w, attitude.i, attitude.j, attitude.k])
}

fn finite(name: &str, values: &[f64]) -> Result<(), String> {
    match values.iter().find(|x| x.is_nan() || x.abs() > GREATEST) {
        None => Ok(()),
        Some(x) => Err(format!(
            "{name} holds {x}; at most {GREATEST:e} is simulated"
        )),
    }
}

/// The airframe that a name, a path or an object stands for.
fn airframe(given: &Value, files: &FindFile) -> Result<Airframe, String> {
    let said = |error: crate::Error| error.to_string();
    match given {
        Value::String(word) => match files(word, &AIRFRAME_NAMES) {
            Some(text) => Airframe::from_toml(&text?).map_err(said),
            None => Airframe::by_name(word).map_err(said),
        },
        Value::Object(_) => {
            let airframe: Airframe = serde_json::from_value(given.clone())
                .map_err(|error| format!("airframe: {error}"))?;
            airframe.check().map_err(said)?;
            Ok(airframe)
        }
        _ => Err("airframe is a name, a path or an object".to_owned()),
    }
}

/// The wind that a name, a path, three numbers or an object stand for.
fn weather(given: &Value, files: &FindFile) -> Result<Weather, String> {
    let said = |error: crate::Error| error.to_string();
    let names = [&DOMAIN_NAMES[..], &["still"]].concat();
    let domain = match given {
        Value::Null => return Ok(Weather::Constant(Vector3::zeros())),
        Value::Array(_) => {
            let wind: [f64; 3] =
                serde_json::from_value(given.clone()).map_err(|error| format!("wind: {error}"))?;
            finite("wind", &wind)?;
            return Ok(Weather::Constant(Vector3::from(wind)));
        }
        Value::String(word) => match files(word, &names) {
            Some(text) => Domain::from_toml(&text?).map_err(said)?,
            None => match Domain::by_name_or_still(word).map_err(said)? {
                Some(domain) => domain,
                None => return Ok(Weather::Constant(Vector3::zeros())),
            },
        },
        Value::Object(_) => {
            let domain: Domain =
                serde_json::from_value(given.clone()).map_err(|error| format!("wind: {error}"))?;
            domain.check().map_err(said)?;
            domain
        }
        _ => return Err("wind is a name, a path, three numbers or an object".to_owned()),
    };
    Ok(Weather::Gusts(domain))
}

fn on_trajectory(airframe: &Airframe, name: &str) -> Result<State, String> {
    let trajectory = trajectories::by_name(name).map_err(|error| error.to_string())?;
    let reference = trajectory.at(0.0);
    Ok(State {
        position_m: reference.position_m,
        velocity_m_s: reference.velocity_m_s,
        attitude: UnitQuaternion::from_axis_angle(&Vector3::z_axis(), reference.yaw_rad),
        rates_rad_s: Vector3::zeros(),
        rotors_rad_s: [airframe.hover_speed_rad_s(); 4],
    })
}

fn started(airframe: &Airframe, start: &Start) -> Result<State, String> {
    finite("position_m", &start.position_m)?;
    finite("velocity_m_s", &start.velocity_m_s)?;
    finite("rates_rad_s", &start.rates_rad_s)?;
    let [w, x, y, z] = start.attitude_wxyz.unwrap_or([1.0, 0.0, 0.0, 0.0]);
    let attitude = UnitQuaternion::try_new(Quaternion::new(w, x, y, z), 1e-6)
        .filter(|q| q.coords.iter().all(|c| c.is_finite()))
        .ok_or("attitude_wxyz is no rotation")?;
    let rotors = &airframe.rotors;
    let hover = [airframe.hover_speed_rad_s(); 4];
    let rotors_rad_s = start.rotors_rad_s.unwrap_or(hover);
    for speed in rotors_rad_s {
        if !(0.0..=rotors.max_speed_rad_s).contains(&speed) {
            return Err(format!(
                "rotors_rad_s holds {speed}; the range is 0 to {}",
                rotors.max_speed_rad_s
            ));
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
