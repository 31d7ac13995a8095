//! Telemetry: what an autopilot could have logged of a flight at 50 Hz, whenever its position loop
//! ran: velocity and attitude as its sensors gave them, and the thrust that it commanded. Nothing
//! in it knows the wind or the true state.

use super::mission::time_s;
use crate::control::sensors::Sensors;
use crate::control::{CONTROL_PERIOD_S, POSITION_TICKS};
use crate::flight::{Sample, Setup};
use nalgebra::{UnitQuaternion, Vector3};

/// Time between two samples of telemetry [s].
pub const TELEMETRY_PERIOD_S: f64 = POSITION_TICKS as f64 * CONTROL_PERIOD_S;

/// One logged instant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TelemetrySample {
    /// Time since the start [s].
    pub time_s: f64,
    /// Velocity in the world frame, as measured [m/s].
    pub velocity_m_s: Vector3<f64>,
    /// Velocity that was asked for, in the world frame [m/s].
    pub setpoint_m_s: Vector3<f64>,
    /// Attitude as measured: turns body vectors into world vectors.
    pub attitude: UnitQuaternion<f64>,
    /// Commanded thrust of all rotors together [N].
    pub thrust_n: f64,
}

/// The telemetry of a flight that was recorded at every control period (`record_every` = 1) with
/// `setup` and `seed`, or nothing where the samples are not these. The sensors' noise belongs to
/// the seed, so what they gave during the flight is found again to the last bit.
pub fn telemetry(setup: &Setup, samples: &[Sample], seed: u64) -> Option<Vec<TelemetrySample>> {
    let airframe = &setup.airframe;
    let mut sensors = Sensors::new(setup.sensors, seed);
    let mut logged = Vec::with_capacity(samples.len() / POSITION_TICKS as usize + 1);
    for (tick, sample) in samples.iter().enumerate() {
        if sample.time_s != time_s(tick as u64) {
            return None;
        }
        let (measured, felt) = sensors.sense(tick as u64, &sample.state);
        if let Some(measured) = measured {
            let speeds = sample.command.speeds_rad_s.iter();
            let square_sum: f64 = speeds.map(|speed| speed * speed).sum();
            logged.push(TelemetrySample {
                time_s: sample.time_s,
                velocity_m_s: measured.velocity_m_s,
                setpoint_m_s: sample.reference.velocity_m_s,
                attitude: felt.attitude,
                thrust_n: airframe.rotors.thrust_n_s2_per_rad2 * square_sum,
            });
        }
    }
    Some(logged)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CascadedPid;
    use crate::{Airframe, Domain, Dryden, Measurement, SensorNoise, fly};

    /// The measurements are those of the flight: the autopilot, given them again, commands what it
    /// commanded, to the rounding in which two builds of its arithmetic may differ.
    #[test]
    fn the_autopilot_given_its_telemetry_again_commands_the_same() {
        let noise = SensorNoise {
            attitude_rad: 0.003,
            rates_rad_s: 0.01,
            delay_periods: 3,
            ..SensorNoise::default()
        };
        let setup = Setup {
            record_every: 1,
            sensors: noise,
            ..Setup::new(Airframe::omac())
        };
        let path = trajectories::by_name("hover").expect("shipped");
        let mut wind = Dryden::new(&Domain::gusty(), 4);
        let gains = setup.airframe.gains;
        let flight = fly(&setup, path.as_ref(), &gains, &mut wind, 4);
        let logged = telemetry(&setup, &flight.samples, 4).expect("recorded at every period");
        assert_eq!(logged.len(), flight.samples.len() / 20);

        let mut sensors = Sensors::new(noise, 4);
        let mut pid = CascadedPid::new(&setup.airframe, &gains);
        for (tick, sample) in flight.samples.iter().enumerate() {
            let seen = sensors.see(&sample.state);
            if tick.is_multiple_of(20) {
                let entry = &logged[tick / 20];
                let Measurement { position_m, .. } = sensors.measure(&seen);
                let measured = Measurement {
                    position_m,
                    velocity_m_s: entry.velocity_m_s,
                };
                pid.aim(&sample.reference, &measured);
            }
            let mut felt = sensors.measure_inertial(&seen);
            if tick.is_multiple_of(20) {
                felt.attitude = logged[tick / 20].attitude;
            }
            let commanded = pid.command(&felt).speeds_rad_s;
            for (again, then) in commanded.iter().zip(sample.command.speeds_rad_s) {
                assert!(
                    (again - then).abs() < 1e-6 * (1.0 + then),
                    "{tick}: {again} {then}"
                );
            }
        }
    }

    #[test]
    fn a_flight_recorded_more_coarsely_has_no_telemetry() {
        let setup = Setup {
            record_every: 10,
            ..Setup::new(Airframe::omac())
        };
        let path = trajectories::by_name("hover").expect("shipped");
        let mut wind = Dryden::new(&Domain::steady(), 1);
        let flight = fly(&setup, path.as_ref(), &setup.airframe.gains, &mut wind, 1);
        assert!(telemetry(&setup, &flight.samples, 1).is_none());
        assert_eq!(telemetry(&setup, &[], 1), Some(Vec::new()));
    }
}
