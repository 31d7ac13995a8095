//! The rig: a vehicle in wind that moves by the commands it gets.

use super::request::{Fault, Step, bounded};
use super::setup::{Setup, one_each};
use crate::flight::trust;
use crate::{
    Airframe, Concern, DomainWind, InertialMeasurement, Integrator, Measurement, PerRotor,
    START_ABOVE_GROUND_M, Sensors, State, Wind, Wrench,
};
use nalgebra::{UnitQuaternion, Vector3};
use serde_json::{Map, Value, json};

/// What evolves.
#[derive(Clone)]
struct Now {
    state: State,
    wind: Option<DomainWind>,
    sensors: Option<Sensors>,
    /// Steps since the start.
    count: u64,
    wind_m_s: Vector3<f64>,
    /// What the sensors can see, which is old where they are slow.
    seen: State,
    measured: Option<(Measurement, InertialMeasurement)>,
}

/// A vehicle in wind, between two commands.
pub(super) struct Rig {
    setup: Setup,
    now: Now,
}

impl Rig {
    /// The vehicle of `setup` at its start.
    pub(super) fn new(setup: Setup) -> Rig {
        let now = Now::beginning(&setup);
        Rig { setup, now }
    }

    pub(super) fn airframe(&self) -> &Airframe {
        &self.setup.airframe
    }

    /// What makes its states mean less than they seem to.
    pub(super) fn concerns(&self) -> Vec<Concern> {
        let weather = self.setup.weather.as_ref();
        weather.map_or_else(Vec::new, |domain| trust::wind(self.airframe(), &[domain]))
    }

    /// Holds a command for dt_s.
    pub(super) fn step(&mut self, step: &Step) -> Result<Map<String, Value>, Fault> {
        let (command, saturated) = command(&self.setup, step)?;
        let mut next = self.now.clone();
        let mut integrator = Integrator::new(&self.setup.multirotor, self.setup.step_s());
        for _ in 0..self.setup.steps {
            integrator.step(&mut next.state, &command, &next.wind_m_s);
            next.blow_and_look();
        }
        next.measure();
        if !next.state.is_finite() {
            return Err(Fault::Overflow);
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
        self.now = Now::beginning(&self.setup);
        self.state()
    }

    /// The present state as a reply has it.
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

impl Now {
    /// The start, with the first wind and the first measurement.
    fn beginning(setup: &Setup) -> Now {
        let weather = setup.weather.as_ref();
        let mut now = Now {
            state: setup.start,
            // A record, which would have an end, was refused.
            wind: weather.map(|domain| domain.wind_with_step(setup.seed, 0.0, setup.step_s())),
            sensors: setup.sensors.map(|noise| Sensors::new(noise, setup.seed)),
            count: 0,
            wind_m_s: Vector3::zeros(),
            seen: setup.start,
            measured: None,
        };
        now.blow_and_look();
        now.measure();
        now
    }

    /// The wind of the next integration step, and what the sensors take in.
    fn blow_and_look(&mut self) {
        if let Some(wind) = &mut self.wind {
            self.wind_m_s = wind.step();
            if let Some(sheared) = wind.sheared() {
                // There is no ground: the start is as high above it as those of flights are.
                let height_m = self.state.position_m.z + START_ABOVE_GROUND_M;
                self.wind_m_s += sheared.at(height_m);
            }
        }
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

/// The rotor speeds that a command means, and whether they are a compromise.
fn command(setup: &Setup, step: &Step) -> Result<(PerRotor, bool), Fault> {
    match (step.rotors_rad_s, step.thrust_n, step.moment_n_m) {
        (Some(speeds), None, None) => {
            bounded("rotors_rad_s", &speeds)?;
            one_each(&speeds, &setup.airframe)?;
            let rotors = &setup.airframe.rotors;
            let range = rotors.min_speed_rad_s..=rotors.max_speed_rad_s;
            let legal = speeds.iter().all(|speed| range.contains(speed));
            let clipped = speeds.map(|speed| speed.clamp(*range.start(), *range.end()));
            Ok((clipped, !legal))
        }
        (None, Some(thrust_n), Some(moment)) => {
            bounded("thrust_n", &[thrust_n])?;
            bounded("moment_n_m", &moment)?;
            Ok(setup.mixer.speeds(&Wrench {
                thrust_n,
                moment_n_m: Vector3::from(moment),
            }))
        }
        _ => Err(Fault::NoCommand),
    }
}

fn numbers(vector: &Vector3<f64>) -> Value {
    json!([vector.x, vector.y, vector.z])
}

fn wxyz(attitude: &UnitQuaternion<f64>) -> Value {
    json!([attitude.w, attitude.i, attitude.j, attitude.k])
}
