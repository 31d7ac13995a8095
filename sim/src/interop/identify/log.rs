//! Log: where one is read from, and which parts of it can be used.

use super::super::flight_log::{FlightLogError, LogAbout, LogReading, LogSample, LogVehicle};
use super::collector::{Collector, STRUCK_M_S2, Stretch, TUMBLING_RAD_S, Unused};
use super::error::IdentifyError;
use super::part::Part;
use super::survey::Survey;
use crate::{Airframe, GRAVITY_M_S2};
use nalgebra::{Matrix3, Vector3};

/// Rate of the motors from which on lag, delay and gains can be told [Hz].
pub(super) const LEAST_MOTORS_HZ: f64 = 45.0;

/// Time with power from which on it is a flight, if a short one [s].
const FLEW_S: f64 = 0.5;

/// Time over which the attitude is compared with the rates [s]: noise of the attitude over less hides them.
const TURN_S: f64 = 0.1;

/// Where a log is read from, as often as needed.
pub trait LogSource {
    /// Reads it from its beginning, sample by sample.
    ///
    /// # Errors
    /// [`FlightLogError`].
    fn read(&self, visit: &mut dyn FnMut(&LogSample)) -> Result<LogAbout, FlightLogError>;
}

/// A log by its name.
pub struct Log<'a> {
    /// What it is called.
    pub name: String,
    /// Where it is read from.
    pub source: &'a dyn LogSource,
}

/// What one log was good for.
#[derive(Debug, Clone)]
pub struct Used {
    /// Its name.
    pub name: String,
    /// What it says of itself.
    pub about: LogAbout,
    /// What became of each stretch of it.
    pub timeline: Vec<Stretch>,
    /// Mean command in flight, as a share of full.
    pub hover: f64,
    /// Between which mean commands it is for 90 % of the flight.
    pub range: [f64; 2],
    /// Rate of the motors [Hz].
    pub motors_hz: f64,
    /// Rate of the gyro [Hz].
    pub gyro_hz: f64,
}

impl Used {
    /// Time of stretches with that fate [s].
    pub fn time_s(&self, unused: Option<Unused>) -> f64 {
        let alike = self
            .timeline
            .iter()
            .filter(|stretch| stretch.unused == unused);
        // The sum of nothing is -0.
        0.0 + alike
            .map(|stretch| stretch.span_s[1] - stretch.span_s[0])
            .sum::<f64>()
    }
}

/// The parts of a log that can be fitted.
pub(super) fn usable(log: &Log, nominal: &Airframe) -> Result<(Used, Vec<Part>), IdentifyError> {
    let name = || log.name.clone();
    let read = |visit: &mut dyn FnMut(&LogSample)| {
        log.source
            .read(visit)
            .map_err(|source| IdentifyError::Read {
                name: name(),
                source,
            })
    };
    let top_rad_s = nominal.rotors.max_speed_rad_s;
    let mut survey = Survey::new();
    let about = read(&mut |sample| survey.visit(sample, top_rad_s))?;
    let kind = match about.kind {
        LogVehicle::FixedWing => Some("fixed wing"),
        LogVehicle::Vtol => Some("VTOL"),
        LogVehicle::Multirotor | LogVehicle::Unknown => None,
    };
    if let Some(kind) = kind {
        return Err(IdentifyError::Kind { name: name(), kind });
    }
    let missing = |what, how| {
        Err(IdentifyError::Missing {
            name: name(),
            what,
            how,
        })
    };
    if !about.has(LogReading::MOTORS) && !about.has(LogReading::SPEED_COMMANDS) {
        return missing(
            "motor commands",
            "log actuator_motors (PX4), RCOU (ArduPilot) or motor (Betaflight)",
        );
    }
    if !about.has(LogReading::GYRO) {
        return missing("gyro", "log the body rates, at 100 Hz or more");
    }
    let [log_rotors, rotors] = [
        about.rotors.unwrap_or(survey.rotors),
        nominal.rotors.count(),
    ];
    if log_rotors != rotors {
        return Err(IdentifyError::Rotors {
            name: name(),
            log: log_rotors,
            airframe: rotors,
        });
    }
    let (Some(hover), Some(airborne)) = (survey.hover(), survey.airborne()) else {
        let (name, flown_s) = (name(), survey.flown_s());
        return Err(match flown_s > FLEW_S {
            true => IdentifyError::TooShort { name, flown_s },
            false => IdentifyError::NeverFlies {
                name,
                most: survey.most(),
            },
        });
    };
    let motors_hz = survey.motors_hz();
    let mut used = Used {
        name: name(),
        gyro_hz: about.samples[LogReading::GYRO] as f64 / about.duration_s.max(1e-9),
        about,
        timeline: Vec::new(),
        hover,
        range: [0.05, 0.95].map(|part| survey.quantile(part)),
        motors_hz,
    };
    if motors_hz < LEAST_MOTORS_HZ {
        return Ok((used, Vec::new()));
    }
    let rates_hz = [used.gyro_hz, motors_hz];
    let mut collector = Collector::new(airborne, top_rad_s, rates_hz);
    read(&mut |sample| collector.visit(sample))?;
    let (parts, timeline) = collector.collected();
    used.timeline = timeline;
    if parts.is_empty() {
        let in_air_s = survey.flown_s();
        // What is left out around one strike may be so around another.
        let struck_s = used.time_s(Some(Unused::Struck)).min(in_air_s);
        if struck_s > 0.5 * in_air_s {
            let what = format!(
                "for {struck_s:.1} of {in_air_s:.1} s in flight the gyro shows more than {TUMBLING_RAD_S:.0} rad/s or the accelerometer more than {STRUCK_M_S2:.0} m/s2: are they in deg/s, or in g? The columns of a CSV say so, as gyro_x_deg_s and acc_x_g"
            );
            return Err(IdentifyError::Units { name: name(), what });
        }
        let why: Vec<String> = (Unused::ALL.into_iter())
            .map(|unused| (unused, used.time_s(Some(unused))))
            .filter(|(_, time_s)| *time_s > 0.0)
            .map(|(unused, time_s)| format!("{} {time_s:.1} s", unused.said()))
            .collect();
        return Err(IdentifyError::NoPart {
            name: name(),
            why: why.join(", "),
        });
    }
    check_units(&name(), &parts)?;
    Ok((used, parts))
}

/// Looks for numbers in other units or of the other sign.
fn check_units(name: &str, parts: &[Part]) -> Result<(), IdentifyError> {
    let wrong = |what: String| {
        Err(IdentifyError::Units {
            name: name.to_owned(),
            what,
        })
    };
    let instants = || parts.iter().flat_map(|part| &part.instants);
    let forces: Vec<f64> = instants()
        .filter_map(|i| i.force_m_s2)
        .map(|f| f[2])
        .collect();
    if !forces.is_empty() {
        let mean = forces.iter().sum::<f64>() / forces.len() as f64;
        if mean < -0.5 {
            return wrong(format!(
                "the accelerometer shows {mean:.1} along z in flight: its z axis points down"
            ));
        }
        if (0.5..=2.0).contains(&mean) {
            return wrong(format!(
                "the accelerometer shows {mean:.2} along z in flight, which is g and not m/s2"
            ));
        }
        if !(0.4 * GRAVITY_M_S2..2.5 * GRAVITY_M_S2).contains(&mean) {
            return wrong(format!(
                "the accelerometer shows {mean:.1} along z in flight, and gravity is {GRAVITY_M_S2} m/s2"
            ));
        }
    }
    // A body that turns at ω sees the world's axes turn at −ω: d/dt e = e × ω.
    let names = ["roll", "pitch", "yaw"];
    let (mut products, mut squares, mut own) = ([0.0; 3], [0.0; 3], [0.0; 3]);
    let turns = parts.iter().flat_map(|part| {
        let count = (TURN_S / part.period_s()).round() as usize;
        part.instants
            .windows(count + 1)
            .step_by(count.div_ceil(4).max(1))
    });
    for turn in turns {
        let [first, .., last] = turn else {
            continue;
        };
        let (Some(before), Some(after)) = (first.motion, last.motion) else {
            continue;
        };
        let span_s = last.time_s - first.time_s;
        let rates = [0, 1, 2].map(|axis| {
            let sum: f64 = turn.iter().map(|instant| instant.rates_rad_s[axis]).sum();
            sum / turn.len() as f64
        });
        let [from, to] = [before, after].map(|motion| {
            let [x, y] = motion.level.map(Vector3::from);
            Matrix3::from_columns(&[x, y, x.cross(&y)])
        });
        // Of the turn from one to the other the skew part.
        let by = to * from.transpose();
        let turned = [
            by[(1, 2)] - by[(2, 1)],
            by[(2, 0)] - by[(0, 2)],
            by[(0, 1)] - by[(1, 0)],
        ];
        for axis in 0..3 {
            let (seen, rate) = (0.5 * turned[axis] / span_s, rates[axis]);
            products[axis] += seen * rate;
            squares[axis] += seen * seen;
            own[axis] += rate * rate;
        }
    }
    for (axis, name) in names.into_iter().enumerate() {
        let slope = products[axis] / squares[axis];
        let correlation = products[axis] / (squares[axis] * own[axis]).sqrt();
        if correlation < -0.6 {
            return wrong(format!(
                "the {name} rate has the wrong sign against the attitude"
            ));
        }
        if correlation > 0.6 && slope > 20.0 {
            return wrong(format!(
                "the {name} rate is {slope:.0} times what the attitude turns, which is deg/s and not rad/s"
            ));
        }
    }
    Ok(())
}

/// Logs of one vehicle only.
pub(super) fn same_vehicle(first: &Used, other: &Used) -> Result<(), IdentifyError> {
    let different = |what: String| {
        Err(IdentifyError::Different {
            a: first.name.clone(),
            b: other.name.clone(),
            what,
        })
    };
    if first.about.format != other.about.format {
        return different(format!("{} and {}", first.about.format, other.about.format));
    }
    if first.about.vehicle != other.about.vehicle {
        let name = |of: &Used| {
            of.about
                .vehicle
                .clone()
                .unwrap_or_else(|| "unnamed".to_owned())
        };
        return different(format!("{} and {}", name(first), name(other)));
    }
    let ratio = other.hover / first.hover;
    if !(0.7..1.4).contains(&ratio) {
        return different(format!(
            "they hover at {:.0} and {:.0} % of full",
            100.0 * first.hover,
            100.0 * other.hover
        ));
    }
    Ok(())
}
