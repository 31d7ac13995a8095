//! Replay: fly a recorded case with our integrator and measure how far we are from the record.

pub mod case;

use crate::control::{Mixer, Wrench};
use crate::error::Error;
use crate::interop::replay::case::{
    CaseState, FlightCase, MixerTable, States, WrenchRow, WrenchTable,
};
use crate::vehicle::multirotor::Multirotor;
use crate::vehicle::state::State;
use nalgebra::{Quaternion, UnitQuaternion, Vector3};
use serde::Serialize;

/// Least size of a reference against which an error is judged relatively.
const LEAST_SIZE: f64 = 1e-12;

/// Largest errors of a replayed flight against its record.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FlightErrors {
    /// Name of the case.
    pub case: String,
    /// Largest component of the position error [m].
    pub position: f64,
    /// Largest component of the velocity error [m/s].
    pub velocity: f64,
    /// Largest angle between the attitudes [rad].
    pub attitude_rad: f64,
    /// Largest component of the rate error [rad/s].
    pub body_rates: f64,
    /// Largest rotor speed error [rad/s].
    pub rotor_speeds: f64,
}

impl FlightErrors {
    fn are_finite(&self) -> bool {
        [
            self.position,
            self.velocity,
            self.attitude_rad,
            self.body_rates,
            self.rotor_speeds,
        ]
        .into_iter()
        .all(f64::is_finite)
    }
}

/// Largest relative error of a table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TableError {
    /// Name of the case.
    pub case: String,
    /// max |ours − reference| / max(|reference|, 1e-12), over rows and quantities, by vector norm.
    pub max_relative_error: f64,
}

/// Replays `case` in steps of about `dt_s` and returns the errors and our states.
///
/// # Errors
/// [`Error::TooManySteps`]; [`Error::CaseDiverges`] where a number of the state, or an error
/// against the record, is not finite.
pub fn replay_flight(case: &FlightCase, dt_s: f64) -> Result<(FlightErrors, States), Error> {
    let steps = case.steps_per_interval(dt_s)?;
    let step_s = case.command_interval_s / f64::from(steps);
    let multirotor = Multirotor::new(&case.parameters.airframe(case.aero_enabled))
        .with_gravity(case.parameters.gravity);
    let range = [
        case.parameters.rotor_speed_min,
        case.parameters.rotor_speed_max,
    ];
    let mut state = state_of(&case.initial_state);
    let mut states = States::default();
    push(&mut states, &state);
    let inputs = case
        .inputs
        .motor_speed_commands
        .iter()
        .zip(&case.inputs.wind_world);
    for (interval, (command, wind)) in (1..).zip(inputs) {
        for _ in 0..steps {
            multirotor.step(
                &mut state,
                &(*command).into(),
                &Vector3::from(*wind),
                step_s,
            );
        }
        state.rotors_rad_s = state.rotors_rad_s.map(|n| n.clamp(range[0], range[1]));
        if !state.is_finite() {
            let of = case.n_intervals;
            return Err(Error::CaseDiverges { interval, of });
        }
        push(&mut states, &state);
    }
    let errors = FlightErrors {
        case: case.name.clone(),
        position: largest(&states.position, &case.states.position),
        velocity: largest(&states.velocity, &case.states.velocity),
        attitude_rad: largest_angle(&states.quaternion_xyzw, &case.states.quaternion_xyzw),
        body_rates: largest(&states.body_rates, &case.states.body_rates),
        rotor_speeds: largest(&states.rotor_speeds, &case.states.rotor_speeds),
    };
    if !errors.are_finite() {
        let n = case.n_intervals;
        return Err(Error::CaseDiverges { interval: n, of: n });
    }
    Ok((errors, states))
}

/// Our state derivatives against those of a table.
///
/// # Errors
/// [`Error::CaseRowDiverges`] for a row whose derivatives, or their errors, are not finite.
pub fn replay_wrenches(table: &WrenchTable) -> Result<TableError, Error> {
    let mut worst = 0.0f64;
    for (index, row) in table.rows.iter().enumerate() {
        let parameters = &table.parameters[&row.vehicle];
        let multirotor =
            Multirotor::new(&parameters.airframe(true)).with_gravity(parameters.gravity);
        worst = worst.max(finite(index, row_error(&multirotor, row))?);
    }
    Ok(TableError {
        case: table.name.clone(),
        max_relative_error: worst,
    })
}

fn finite(row: usize, error: f64) -> Result<f64, Error> {
    if error.is_finite() {
        Ok(error)
    } else {
        Err(Error::CaseRowDiverges(row))
    }
}

fn row_error(multirotor: &Multirotor, row: &WrenchRow) -> f64 {
    let state = State {
        position_m: Vector3::zeros(),
        velocity_m_s: Vector3::from(row.velocity),
        attitude: attitude_of(row.quaternion_xyzw),
        rates_rad_s: Vector3::from(row.body_rates),
        rotors_rad_s: row.rotor_speeds.into(),
    };
    let wind = Vector3::from(row.wind);
    let wrench = multirotor.wrench(&state, &wind);
    let rate = multirotor.derivative(&state, &row.motor_speed_command.into(), &wind);
    let q = rate.attitude_per_s;
    [
        relative(wrench.force_n.as_slice(), &row.force_body),
        relative(wrench.moment_n_m.as_slice(), &row.moment_body),
        relative(rate.acceleration_m_s2.as_slice(), &row.velocity_dot),
        relative(&[q.i, q.j, q.k, q.w], &row.quaternion_dot_xyzw),
        relative(
            rate.angular_acceleration_rad_s2.as_slice(),
            &row.body_rates_dot,
        ),
        relative(&rate.rotors_rad_s2, &row.rotor_speed_dot),
    ]
    .into_iter()
    .fold(0.0, worse)
}

/// Our allocation against that of a table; nothing is clipped.
///
/// # Errors
/// [`Error::Geometry`] for a vehicle whose rotors cannot be mixed, [`Error::CaseRowDiverges`] for
/// a row whose thrusts, or their errors, are not finite.
pub fn replay_mixer(table: &MixerTable) -> Result<TableError, Error> {
    let mut worst = 0.0f64;
    for (index, row) in table.rows.iter().enumerate() {
        let mixer = Mixer::new(&table.parameters[&row.vehicle].airframe(false).rotors)?;
        let [thrust_n, x, y, z] = row.thrust_moment;
        let wanted = Wrench {
            thrust_n,
            moment_n_m: Vector3::new(x, y, z),
        };
        let error = relative(&mixer.allocate(&wanted), &row.rotor_thrusts);
        worst = worst.max(finite(index, error)?);
    }
    Ok(TableError {
        case: table.name.clone(),
        max_relative_error: worst,
    })
}

fn attitude_of([x, y, z, w]: [f64; 4]) -> UnitQuaternion<f64> {
    UnitQuaternion::new_unchecked(Quaternion::new(w, x, y, z))
}

fn state_of(state: &CaseState) -> State {
    State {
        position_m: Vector3::from(state.position),
        velocity_m_s: Vector3::from(state.velocity),
        attitude: attitude_of(state.quaternion_xyzw),
        rates_rad_s: Vector3::from(state.body_rates),
        rotors_rad_s: state.rotor_speeds.into(),
    }
}

fn push(states: &mut States, state: &State) {
    let q = state.attitude.quaternion();
    states.position.push(state.position_m.into());
    states.velocity.push(state.velocity_m_s.into());
    states.quaternion_xyzw.push([q.i, q.j, q.k, q.w]);
    states.body_rates.push(state.rates_rad_s.into());
    states.rotor_speeds.push(state.rotors_rad_s.padded());
}

/// The larger of two errors; an error that is no number is the largest of all.
fn worse(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() {
        f64::NAN
    } else {
        a.max(b)
    }
}

fn largest<const N: usize>(ours: &[[f64; N]], reference: &[[f64; N]]) -> f64 {
    let rows = ours.iter().zip(reference);
    let errors = rows.flat_map(|(a, b)| a.iter().zip(b).map(|(a, b)| (a - b).abs()));
    errors.fold(0.0, worse)
}

/// Largest angle between two lists of attitudes; q and −q are the same attitude. The vector part
/// of the difference keeps its digits where an arc cosine would lose half of them.
fn largest_angle(ours: &[[f64; 4]], reference: &[[f64; 4]]) -> f64 {
    let angle = |(a, b): (&[f64; 4], &[f64; 4])| {
        let difference = attitude_of(*a).inverse() * attitude_of(*b);
        2.0 * difference.imag().norm().atan2(difference.w.abs())
    };
    ours.iter().zip(reference).map(angle).fold(0.0, worse)
}

fn relative<const N: usize>(ours: &[f64], reference: &[f64; N]) -> f64 {
    let norm = |values: &mut dyn Iterator<Item = f64>| values.map(|x| x * x).sum::<f64>().sqrt();
    let error = norm(&mut ours.iter().zip(reference).map(|(a, b)| a - b));
    error / norm(&mut reference.iter().copied()).max(LEAST_SIZE)
}
