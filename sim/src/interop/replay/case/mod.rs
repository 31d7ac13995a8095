//! A reference case: inputs and states recorded with another simulator, to be replayed with ours.
//!
//! Three schemas, as JSON: `quad-case/1` (motor commands and wind held over intervals, states in
//! between), `quad-wrench-table/1` (state derivatives at single instants) and `quad-mixer-table/1`
//! (allocation of thrust and moments). Keys that a schema does not need are ignored.

use crate::error::{Error, POSITIVE, Range};
use crate::vehicle::airframe::Airframe;
use crate::vehicle::rotors::Rotors;
use crate::{BodyDrag, RotorDrag};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;

/// Most integration steps that one case may ask for.
const MOST_STEPS: u64 = 200_000_000;

/// A case of any schema.
#[derive(Debug, Clone, PartialEq)]
pub enum Case {
    /// `quad-case/1`.
    Flight(Box<FlightCase>),
    /// `quad-wrench-table/1`.
    Wrenches(WrenchTable),
    /// `quad-mixer-table/1`.
    Mixer(MixerTable),
}

/// A recorded flight.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct FlightCase {
    /// Its name.
    pub name: String,
    /// The vehicle.
    pub parameters: Parameters,
    /// Whether the aerodynamic terms apply.
    pub aero_enabled: bool,
    /// State at time 0.
    pub initial_state: CaseState,
    /// Length of each interval [s].
    pub command_interval_s: f64,
    /// Number of intervals.
    pub n_intervals: u64,
    /// What is held over each interval.
    pub inputs: Inputs,
    /// States at the ends of the intervals, the initial one first.
    pub states: States,
}

/// One state, in the names of the schemas.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct CaseState {
    /// World frame [m].
    pub position: [f64; 3],
    /// World frame [m/s].
    pub velocity: [f64; 3],
    /// Turns body vectors into world vectors; scalar last.
    pub quaternion_xyzw: [f64; 4],
    /// Body axes [rad/s].
    pub body_rates: [f64; 3],
    /// [rad/s].
    pub rotor_speeds: [f64; 4],
}

/// Inputs, one entry for each interval.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Inputs {
    /// Commanded rotor speeds [rad/s].
    pub motor_speed_commands: Vec<[f64; 4]>,
    /// Wind velocity in the world frame [m/s].
    pub wind_world: Vec<[f64; 3]>,
}

/// States, one entry more than there are intervals.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, serde::Serialize)]
pub struct States {
    /// World frame [m].
    pub position: Vec<[f64; 3]>,
    /// World frame [m/s].
    pub velocity: Vec<[f64; 3]>,
    /// Scalar last.
    pub quaternion_xyzw: Vec<[f64; 4]>,
    /// Body axes [rad/s].
    pub body_rates: Vec<[f64; 3]>,
    /// [rad/s].
    pub rotor_speeds: Vec<[f64; 4]>,
}

/// Rows that another simulator worked out, each for a vehicle.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Table<R> {
    /// Its name.
    pub name: String,
    /// Vehicles by name.
    pub parameters: BTreeMap<String, Parameters>,
    /// The rows.
    pub rows: Vec<R>,
}

/// State derivatives at single instants.
pub type WrenchTable = Table<WrenchRow>;

/// Allocations of thrust and moments.
pub type MixerTable = Table<MixerRow>;

/// One instant: a state, its inputs, and the derivative that another simulator found.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct WrenchRow {
    /// Key of the vehicle.
    pub vehicle: String,
    /// World frame [m/s].
    pub velocity: [f64; 3],
    /// Scalar last.
    pub quaternion_xyzw: [f64; 4],
    /// Body axes [rad/s].
    pub body_rates: [f64; 3],
    /// World frame [m/s].
    pub wind: [f64; 3],
    /// [rad/s].
    pub rotor_speeds: [f64; 4],
    /// [rad/s].
    pub motor_speed_command: [f64; 4],
    /// Everything but gravity, body axes [N].
    pub force_body: [f64; 3],
    /// Body axes [N m].
    pub moment_body: [f64; 3],
    /// World frame [m/s²].
    pub velocity_dot: [f64; 3],
    /// Scalar last [1/s].
    pub quaternion_dot_xyzw: [f64; 4],
    /// Body axes [rad/s²].
    pub body_rates_dot: [f64; 3],
    /// [rad/s²].
    pub rotor_speed_dot: [f64; 4],
}

/// One allocation.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct MixerRow {
    /// Key of the vehicle.
    pub vehicle: String,
    /// Thrust [N] and moments [N m].
    pub thrust_moment: [f64; 4],
    /// Thrust of each rotor [N].
    pub rotor_thrusts: [f64; 4],
}

#[derive(Deserialize)]
struct Header {
    schema: String,
}

impl Case {
    /// Reads and checks a case.
    ///
    /// # Errors
    /// [`Error::CaseSyntax`] with line and column, [`Error::CaseSchema`], or what is wrong with the
    /// numbers.
    pub fn from_json(text: &str) -> Result<Case, Error> {
        let header: Header = serde_json::from_str(text)?;
        match header.schema.as_str() {
            "quad-case/1" => {
                let case: FlightCase = serde_json::from_str(text)?;
                case.check()?;
                Ok(Case::Flight(Box::new(case)))
            }
            "quad-wrench-table/1" => {
                let vehicle = |row: &WrenchRow| row.vehicle.clone();
                Table::from_json(text, vehicle).map(Case::Wrenches)
            }
            "quad-mixer-table/1" => {
                let vehicle = |row: &MixerRow| row.vehicle.clone();
                Table::from_json(text, vehicle).map(Case::Mixer)
            }
            _ => Err(Error::CaseSchema(header.schema)),
        }
    }
}

impl<R: DeserializeOwned> Table<R> {
    /// Reads a table and checks that each row has a vehicle.
    fn from_json(text: &str, vehicle: impl Fn(&R) -> String) -> Result<Table<R>, Error> {
        let table: Table<R> = serde_json::from_str(text)?;
        POSITIVE.check("number of rows", table.rows.len() as f64)?;
        for parameters in table.parameters.values() {
            parameters.airframe(true).check_vehicle()?;
        }
        for (row, vehicle) in table.rows.iter().map(vehicle).enumerate() {
            if !table.parameters.contains_key(&vehicle) {
                return Err(Error::CaseVehicle { row, vehicle });
            }
        }
        Ok(table)
    }
}

impl FlightCase {
    /// Integration steps of about `dt_s` in each interval, so that they fill it exactly.
    ///
    /// # Errors
    /// [`Error::TooManySteps`] where the whole case would take more than 200 million.
    pub fn steps_per_interval(&self, dt_s: f64) -> Result<u32, Error> {
        // 1e-9 forgives the rounding of 0.01 / 0.001.
        let steps = (self.command_interval_s / dt_s - 1e-9).ceil().max(1.0);
        let total = steps * self.n_intervals as f64;
        if total > MOST_STEPS as f64 {
            return Err(Error::TooManySteps {
                steps: total,
                most: MOST_STEPS,
            });
        }
        Ok(steps as u32)
    }

    fn check(&self) -> Result<(), Error> {
        self.parameters
            .airframe(self.aero_enabled)
            .check_vehicle()?;
        POSITIVE.check("command_interval_s", self.command_interval_s)?;
        let (given, states) = (&self.inputs, &self.states);
        let (during, ends) = (self.n_intervals, self.n_intervals.saturating_add(1));
        for (array, length, wanted) in [
            (
                "inputs.motor_speed_commands",
                given.motor_speed_commands.len(),
                during,
            ),
            ("inputs.wind_world", given.wind_world.len(), during),
            ("states.position", states.position.len(), ends),
            ("states.velocity", states.velocity.len(), ends),
            ("states.quaternion_xyzw", states.quaternion_xyzw.len(), ends),
            ("states.body_rates", states.body_rates.len(), ends),
            ("states.rotor_speeds", states.rotor_speeds.len(), ends),
        ] {
            let length = length as u64;
            if length != wanted {
                return Err(Error::CaseLength {
                    array,
                    length,
                    wanted,
                });
            }
        }
        let norm = |q: &[f64; 4]| q.iter().map(|x| x * x).sum::<f64>().sqrt();
        let unit = Range("1 within 1e-3", |x| (x - 1.0).abs() < 1e-3);
        let initial = norm(&self.initial_state.quaternion_xyzw);
        unit.check("length of initial_state.quaternion_xyzw", initial)?;
        let lengths: Vec<f64> = states.quaternion_xyzw.iter().map(norm).collect();
        unit.all("length of states.quaternion_xyzw", &lengths)
    }
}

// Parameters: the vehicle of a case, in the names of the schemas.

/// Physical parameters of a vehicle, in the names of the schemas.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Parameters {
    /// Mass [kg].
    pub mass: f64,
    /// Gravitational acceleration [m/s²].
    pub gravity: f64,
    /// Inertia about the centre of mass, by rows [kg m²].
    pub inertia: [[f64; 3]; 3],
    /// Hubs from the centre of mass [m].
    pub rotor_positions: [[f64; 3]; 4],
    /// Sign of the reaction torque about +z.
    pub rotor_yaw_torque_sign: [f64; 4],
    /// Thrust over speed squared [N s²/rad²].
    pub k_eta: f64,
    /// Reaction torque over speed squared [N m s²/rad²].
    pub k_m: f64,
    /// Drag within the disc [N s²/(rad m)].
    #[serde(default)]
    pub k_d: f64,
    /// Drag across the disc [N s²/(rad m)].
    #[serde(default)]
    pub k_z: f64,
    /// Translational lift [N s²/m²].
    #[serde(default)]
    pub k_h: f64,
    /// Flapping moment [N s²/rad].
    #[serde(default)]
    pub k_flap: f64,
    /// Body drag [N s²/m²].
    #[serde(default)]
    pub body_drag_quadratic: [f64; 3],
    /// Time constant of the rotors [s].
    pub tau_m: f64,
    /// Least rotor speed [rad/s].
    pub rotor_speed_min: f64,
    /// Greatest rotor speed [rad/s].
    pub rotor_speed_max: f64,
}

impl Parameters {
    /// The vehicle as an airframe. Cases fly without an autopilot; its part is the default
    /// airframe's and plays no role.
    pub fn airframe(&self, aero_enabled: bool) -> Airframe {
        let default = Airframe::omac();
        Airframe {
            name: "case".to_owned(),
            mass_kg: self.mass,
            inertia_kg_m2: self.inertia,
            rotors: Rotors {
                positions_m: self.rotor_positions.to_vec(),
                yaw_torque_signs: self.rotor_yaw_torque_sign.to_vec(),
                thrust_n_s2_per_rad2: self.k_eta,
                torque_n_m_s2_per_rad2: self.k_m,
                lag_s: self.tau_m,
                min_speed_rad_s: self.rotor_speed_min,
                max_speed_rad_s: self.rotor_speed_max,
                ..default.rotors
            },
            side_force: None,
            rotor_drag: aero_enabled.then_some(RotorDrag {
                in_plane_n_s2_per_rad_m: self.k_d,
                axial_n_s2_per_rad_m: self.k_z,
                translational_lift_n_s2_per_m2: self.k_h,
                flapping_n_s2_per_rad: self.k_flap,
            }),
            body_drag: aero_enabled.then_some(BodyDrag {
                quadratic_n_s2_per_m2: self.body_drag_quadratic,
            }),
            ..default
        }
    }
}
