//! Identification: a vehicle's numbers from logs of its flights, with what the logs can tell of each.
//!
//! A log is read twice: once to see whether and when it flies (`survey`), once for the parts that can be fitted
//! (`collector`). Commands go through delay, lag and a model of what rotors and air do (`fit::model`); its numbers are
//! those of greatest likelihood, with noise as jitter of the rotors, gusts and white noise of the sensors (`fit`): a
//! direct prediction error method, which holds in closed loop (Forssell and Ljung 1999). Intervals come from how much
//! the numbers change where stretches of the log are left out; what was not moved is not told (`estimate`).

mod airframe;
mod collector;
mod error;
mod estimate;
mod excitation;
mod fit;
mod holdout;
mod log;
mod order;
mod part;
mod survey;

pub use collector::{Stretch, Unused};
pub use error::IdentifyError;
pub use estimate::Estimate;
pub use excitation::Excitation;
pub use fit::Residual;
pub use holdout::Predicted;
pub use log::{Log, LogSource, Used};
pub use order::Order;

use super::flight_log::LogReading;
use crate::Airframe;
use estimate::Basis;
use fit::model::{self, Layout};
use log::{LEAST_MOTORS_HZ, same_vehicle, usable};
use part::Part;

/// Deviation of the specific force by gusts from which on drag is harder to tell [m/s²].
const GUSTS_M_S2: f64 = 0.06;

/// Speed of the rotors at no command, over the greatest, from which on the curve of the thrust is worth a word.
const BENT: f64 = 0.03;

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
    /// What the model cannot predict of each sensor; empty where motors are logged too slowly.
    pub residuals: Vec<Residual>,
    /// How well the log that was held out is predicted; empty without one.
    pub predicted: Vec<Predicted>,
    /// What acts and is not in the model, a sentence each.
    pub left_out: Vec<String>,
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
    let rotors = &nominal.rotors;
    if !rotors.are_alike() {
        return Err(IdentifyError::Unlike {
            airframe: nominal.name.clone(),
        });
    }
    let (mut used, mut parts) = (Vec::<Used>::new(), Vec::new());
    for log in logs {
        let (about, found) = usable(log, nominal)?;
        if let Some(first) = used.first() {
            same_vehicle(first, &about)?;
        }
        used.push(about);
        parts.extend(found);
    }
    let held = held_out.map(|log| usable(log, nominal)).transpose()?;
    if let Some((about, _)) = &held {
        same_vehicle(&used[0], about)?;
    }
    let (parts, mut left) = Part::alike(parts);
    let slow = used.iter().all(|log| log.motors_hz < LEAST_MOTORS_HZ);
    if slow || parts.is_empty() {
        return Ok(hover_alone(used, nominal));
    }
    let order = Order::of(&parts, used[0].about.format, &nominal.rotors);
    let shares = used.iter().any(|log| log.about.has(LogReading::MOTORS));
    let layout = Layout::new(&nominal.rotors, &order.rotors, shares, &parts);
    let nothing = |why: &str| IdentifyError::Fit {
        name: used[0].name.clone(),
        why: why.to_owned(),
    };
    let fit = fit::fit(&parts, &layout).ok_or_else(|| nothing("the flight says too little"))?;
    let excitation = Excitation::of(&parts, &fit);
    let basis = Basis {
        fit: &fit,
        layout: &layout,
        nominal,
        excitation: &excitation,
        moved: Part::all(&parts, |instant| instant.motion.is_some()),
        between_ms: used
            .iter()
            .map(|log| 1e3 / log.motors_hz - 1.0)
            .fold(0.0, f64::max),
        gusty: fit.gusts[3].hypot(fit.gusts[4]) > GUSTS_M_S2,
    };
    let estimates = basis.estimates();
    let known = |name: &str| estimate::known(&estimates, name);
    if !estimates.iter().any(Estimate::is_known) {
        let Estimate { name, not_told, .. } = &estimates[0];
        let why = not_told.as_deref().unwrap_or_default();
        return Err(nothing(&format!("{name}: {why}")));
    }
    for (axis, name, gain) in [
        ("roll", "roll gain in hover", model::ROLL),
        ("pitch", "pitch gain in hover", model::PITCH),
    ] {
        if known(name).is_some() && fit.numbers[gain] < 0.0 {
            return Err(IdentifyError::Units {
                name: used[0].name.clone(),
                what: format!("the {axis} rate has the wrong sign against what the motors do"),
            });
        }
    }
    let spins_reversed = known("yaw gain in hover").is_some() && fit.numbers[model::YAW] < 0.0;
    let airframe = airframe::identified(nominal, &fit, &layout, &estimates)?;
    let mut predicted = Vec::new();
    if let Some((_, held)) = held {
        let (held, _) = Part::alike(held);
        let nominal = layout.numbers(nominal);
        predicted = holdout::predicted(&parts, &held, &layout, &fit.numbers, nominal.as_ref());
    }
    left.extend(left_out(nominal, &layout, &estimates, &fit));
    Ok(Identified {
        left_out: left,
        predicted,
        residuals: fit.residuals,
        logs: used,
        order: Some(order),
        excitation: Some(excitation),
        estimates,
        airframe,
        spins_reversed,
    })
}

/// What acts on the vehicle and is not in the model, or not in an airframe.
fn left_out(
    nominal: &Airframe,
    layout: &Layout,
    estimates: &[Estimate],
    fit: &fit::Fit,
) -> Vec<String> {
    let mut said = Vec::new();
    if nominal.side_force.is_some() {
        let name = &nominal.name;
        said.push(format!(
            "the side force of {name} is not in the model: what was fitted as drag is some of it, and both would act"
        ));
    }
    if let Some(&Estimate {
        mean: idle,
        interval: [low, high],
        ..
    }) = estimate::known(estimates, estimate::CURVE)
        && idle.abs() > BENT
        && (low > 0.0 || high < 0.0)
    {
        let range = 1.0 - idle;
        said.push(format!(
            "a command c gives ({idle:.2} + {range:.2} c)^2 of full thrust, and the airframe file has c^2: a change of command moves the thrust {range:.2} times as far as there"
        ));
    }
    let discharge = estimate::known(estimates, estimate::DISCHARGE);
    let thrust = layout.discharged(&fit.numbers);
    if let Some(((power, [low, high]), [empty_v, mean_v, full_v])) =
        discharge.zip(thrust).zip(layout.battery_v)
        && power.interval[0] > 0.0
    {
        said.push(format!(
            "a command gives {low:.2} times the thrust at {empty_v:.2} V and {high:.2} times at {full_v:.2} V: the airframe is that at {mean_v:.2} V, and its range of thrust holds both"
        ));
    }
    said.extend(fit.residuals.iter().filter_map(|residual| {
        let [frequency_hz, power, _] = residual.coloured()?;
        let sensor = residual.sensor;
        Some(format!(
            "something acts at {frequency_hz:.0} Hz that is not in the model: what is left of the {sensor} is there {power:.1} times white noise"
        ))
    }));
    said
}

/// What motors that are logged slowly tell.
fn hover_alone(logs: Vec<Used>, nominal: &Airframe) -> Identified {
    let hover = logs.iter().map(|log| log.hover).sum::<f64>() / logs.len().max(1) as f64;
    let edges = |which: usize| logs.iter().map(move |log| log.range[which]);
    let interval = [
        edges(0).fold(f64::INFINITY, f64::min),
        edges(1).fold(0.0, f64::max),
    ];
    let nominal_hover = nominal.hover_speed_rad_s() / nominal.rotors.max_speed_rad_s;
    let hz = logs.iter().map(|log| log.motors_hz).fold(0.0, f64::max);
    let hover = Estimate {
        name: "median command, and where it was for 90 % of the flight",
        unit: "share of full",
        mean: hover,
        interval,
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
        residuals: Vec::new(),
        left_out: Vec::new(),
        spins_reversed: false,
    }
}
