//! Identification: a vehicle's numbers from logs of its flights, with what the logs can tell of each.
//!
//! A log is read twice: once to see whether and when it flies (`survey`), once for the parts that can be fitted
//! (`collector`). Commands go through delay, lag and a model of what rotors and air do (`fit::model`); its numbers are
//! those of greatest likelihood, with noise as jitter of the rotors, gusts and white noise of the sensors (`fit`): a
//! direct prediction error method, which holds in closed loop (Forssell and Ljung 1999). Intervals come from how much
//! the numbers change where stretches of the log are left out; what was not moved is not told (`estimate`).

mod airframe;
mod collector;
mod estimate;
mod excitation;
mod fit;
mod holdout;
mod order;
mod part;
mod survey;

pub use collector::{Stretch, Unused};
pub use estimate::Estimate;
pub use excitation::Excitation;
pub use holdout::Predicted;
pub use order::Order;

use super::flight_log::{FlightLogError, LogAbout, LogSample, LogVehicle};
use crate::{Airframe, Error, GRAVITY_M_S2};
use collector::Collector;
use estimate::Basis;
use fit::model::{self, Layout};
use nalgebra::{Matrix3, Vector3};
use part::{Instant, Part};
use shell::exit::{self, Coded};
use survey::Survey;

/// Rate of the motors from which on lag, delay and gains can be told [Hz].
const LEAST_MOTORS_HZ: f64 = 45.0;

/// Deviation of the specific force by gusts from which on drag is harder to tell [m/s²].
const GUSTS_M_S2: f64 = 0.06;

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

/// Why nothing can be told.
#[derive(Debug, thiserror::Error)]
pub enum IdentifyError {
    /// The log cannot be read.
    #[error("{name}: {source}")]
    Read {
        /// Which log.
        name: String,
        /// Why.
        source: FlightLogError,
    },

    /// The log is of another kind of vehicle.
    #[error("{name} is of a {kind}; only multirotors can be identified")]
    Kind {
        /// Which log.
        name: String,
        /// Of which kind.
        kind: &'static str,
    },

    /// The log has another number of rotors.
    #[error(
        "{name} has {log} motors and the airframe {airframe}; name the airframe with --airframe"
    )]
    Rotors {
        /// Which log.
        name: String,
        /// How many the log has.
        log: usize,
        /// How many the airframe has.
        airframe: usize,
    },

    /// Something that is needed is not in the log.
    #[error("{name} has no {what}: {how}")]
    Missing {
        /// Which log.
        name: String,
        /// What.
        what: &'static str,
        /// What would log it.
        how: &'static str,
    },

    /// The motors never do more than idle.
    #[error(
        "{name} never flies: the motors' mean command is at most {:.0} % of full", 100.0 * most
    )]
    NeverFlies {
        /// Which log.
        name: String,
        /// Greatest mean share of full.
        most: f64,
    },

    /// No part of the log is long enough.
    #[error("{name} has no 3 s in a row that can be used: {why}")]
    NoPart {
        /// Which log.
        name: String,
        /// What became of its time.
        why: String,
    },

    /// Numbers that cannot be in the unit or about the axis that they should be.
    #[error("{name}: {what}")]
    Units {
        /// Which log.
        name: String,
        /// What is wrong.
        what: String,
    },

    /// The logs are of different vehicles.
    #[error("{a} and {b} are of different vehicles: {what}; identify them one by one")]
    Different {
        /// One log.
        a: String,
        /// Another.
        b: String,
        /// What differs.
        what: String,
    },

    /// The fit went nowhere.
    #[error("{name}: the flight says too little for any number to be fitted")]
    Fit {
        /// Which log.
        name: String,
    },

    /// What was identified cannot fly.
    #[error("the identified airframe is not legal: {0}")]
    Airframe(#[from] Error),
}

impl Coded for IdentifyError {
    fn exit_code(&self) -> u8 {
        match self {
            IdentifyError::Read { source, .. } => source.exit_code(),
            _ => exit::DATA,
        }
    }
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
        alike
            .map(|stretch| stretch.span_s[1] - stretch.span_s[0])
            .sum()
    }
}

/// A vehicle as its logs show it.
#[derive(Debug, Clone)]
pub struct Identified {
    /// The logs.
    pub logs: Vec<Used>,
    /// How the motors are ordered; absent where motors are logged too slowly.
    pub order: Option<Order>,
    /// What was moved; absent where motors are logged too slowly.
    pub excitation: Option<Excitation>,
    /// Its properties.
    pub estimates: Vec<Estimate>,
    /// The nominal airframe with what was told.
    pub airframe: Airframe,
    /// How well the log that was held out is predicted; empty without one.
    pub predicted: Vec<Predicted>,
    /// Whether the yaw gain is of the other sign: the rotors turn against the airframe's.
    pub spins_reversed: bool,
}

/// Identifies the vehicle of `logs`, of which `nominal` says how the rotors are placed and what mass it has, and predicts
/// `held_out`, a log that is not fitted.
///
/// # Errors
/// [`IdentifyError`].
pub fn identify(
    logs: &[Log],
    held_out: Option<&Log>,
    nominal: &Airframe,
) -> Result<Identified, IdentifyError> {
    let (mut used, mut parts) = (Vec::<Used>::new(), Vec::new());
    for log in logs {
        let (about, found) = usable(log, nominal)?;
        if let Some(first) = used.first() {
            same_vehicle(first, &about)?;
        }
        used.push(about);
        parts.extend(found);
    }
    let slow = used.iter().all(|log| log.motors_hz < LEAST_MOTORS_HZ);
    if slow || parts.is_empty() {
        return Ok(hover_alone(used, nominal));
    }
    let order = Order::of(&parts, used[0].about.format, &nominal.rotors);
    let layout = Layout::new(&nominal.rotors, &order.rotors);
    let nothing = || IdentifyError::Fit {
        name: used[0].name.clone(),
    };
    let fit = fit::fit(&parts, &layout).ok_or_else(nothing)?;
    let excitation = Excitation::of(&parts, &fit);
    let all = |of: &dyn Fn(&Instant) -> bool| parts.iter().flat_map(|part| &part.instants).all(of);
    let basis = Basis {
        fit: &fit,
        layout: &layout,
        nominal,
        excitation: &excitation,
        felt: all(&|instant| instant.force_m_s2.is_some()),
        moved: all(&|instant| instant.motion.is_some()),
        gusty: fit.gusts[3].hypot(fit.gusts[4]) > GUSTS_M_S2,
    };
    let estimates = basis.estimates();
    let told = |name: &str| {
        let mut alike = estimates.iter().filter(|estimate| estimate.name == name);
        alike.any(|estimate| estimate.not_told.is_none())
    };
    for (axis, gain) in [("roll gain", model::ROLL), ("pitch gain", model::PITCH)] {
        if told(axis) && fit.numbers[gain] < 0.0 {
            let axis = axis.trim_end_matches(" gain");
            return Err(IdentifyError::Units {
                name: used[0].name.clone(),
                what: format!("the {axis} rate has the wrong sign against what the motors do"),
            });
        }
    }
    let spins_reversed = told("yaw gain") && fit.numbers[model::YAW] < 0.0;
    let airframe = airframe::identified(nominal, &fit, &layout, &estimates)?;
    let mut predicted = Vec::new();
    if let Some(log) = held_out {
        let (about, held) = usable(log, nominal)?;
        same_vehicle(&used[0], &about)?;
        let nominal = layout.numbers(nominal);
        predicted = holdout::predicted(&parts, &held, &layout, &fit.numbers, nominal.as_ref());
    }
    Ok(Identified {
        predicted,
        logs: used,
        order: Some(order),
        excitation: Some(excitation),
        estimates,
        airframe,
        spins_reversed,
    })
}

/// The parts of a log that can be fitted.
fn usable(log: &Log, nominal: &Airframe) -> Result<(Used, Vec<Part>), IdentifyError> {
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
    let kinds = |which: usize| about.samples[which];
    let missing = |what, how| {
        Err(IdentifyError::Missing {
            name: name(),
            what,
            how,
        })
    };
    if kinds(0) + kinds(1) == 0 {
        return missing(
            "motor commands",
            "log actuator_motors (PX4), RCOU (ArduPilot) or motor (Betaflight)",
        );
    }
    if kinds(3) == 0 {
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
        return Err(IdentifyError::NeverFlies {
            name: name(),
            most: survey.most(),
        });
    };
    let motors_hz = survey.motors_hz();
    let mut used = Used {
        name: name(),
        gyro_hz: kinds(3) as f64 / about.duration_s.max(1e-9),
        about,
        timeline: Vec::new(),
        hover,
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
    for pair in parts.iter().flat_map(|part| part.instants.windows(2)) {
        let (Some(before), Some(after)) = (pair[0].motion, pair[1].motion) else {
            continue;
        };
        let span_s = pair[1].time_s - pair[0].time_s;
        let [from, to] = [before, after].map(|motion| {
            let [x, y] = motion.level.map(Vector3::from);
            Matrix3::from_columns(&[x, y, x.cross(&y)])
        });
        // Of the turn from one to the other the skew part.
        let turn = to * from.transpose();
        let turned = [
            turn[(1, 2)] - turn[(2, 1)],
            turn[(2, 0)] - turn[(0, 2)],
            turn[(0, 1)] - turn[(1, 0)],
        ];
        for axis in 0..3 {
            let (seen, rate) = (0.5 * turned[axis] / span_s, pair[0].rates_rad_s[axis]);
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
fn same_vehicle(first: &Used, other: &Used) -> Result<(), IdentifyError> {
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

/// What motors that are logged slowly tell.
fn hover_alone(logs: Vec<Used>, nominal: &Airframe) -> Identified {
    let hover = logs.iter().map(|log| log.hover).sum::<f64>() / logs.len().max(1) as f64;
    let nominal_hover = nominal.hover_speed_rad_s() / nominal.rotors.max_speed_rad_s;
    let hz = logs.iter().map(|log| log.motors_hz).fold(0.0, f64::max);
    let hover = Estimate {
        name: "hover command",
        unit: "share of full",
        mean: hover,
        // The median of a flight that need not have been a hover.
        interval: [0.95 * hover, 1.05 * hover],
        nominal: Some(nominal_hover),
        not_told: None,
    };
    let rest = Estimate {
        name: "all else",
        unit: "",
        mean: f64::NAN,
        interval: [f64::NAN; 2],
        nominal: None,
        not_told: Some(format!("motors at {hz:.0} Hz")),
    };
    Identified {
        logs,
        order: None,
        excitation: None,
        estimates: vec![hover, rest],
        airframe: nominal.clone(),
        predicted: Vec::new(),
        spins_reversed: false,
    }
}
