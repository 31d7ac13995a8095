//! Margins: the loops' least margins at hover and along a trajectory, what steps of position show in still air,
//! and the limits that a study puts on both. They depend on the gains alone, which are checked against them before
//! they are flown in wind.

mod limits;
mod places;
#[cfg(test)]
mod tests;

use dilgp::threads::{both, each};
pub use limits::{MARGINS_AT, MarginLimits, MarginViolation, MarginsAt, USUAL_STEP_M};
use nalgebra::Vector3;
pub use places::{JudgedMargins, MarginCheck, Places};
use serde::{Deserialize, Serialize};
use sim::margins::{Linearised, Loop, Margins, StepFigures};
use sim::{Gains, Setup, step_in_flight};

/// What `bo check` calls sound, and a study keeps unless it says otherwise: the factor of gain either way.
pub const SOUND_GAIN: f64 = 2.0;

/// The same of phase [deg].
pub const SOUND_PHASE_DEG: f64 = 30.0;

/// The same of the disk margin.
pub const SOUND_DISK: f64 = 0.5;

/// Delay of the sensors with which sound margins are asked for where none is stated [ms]: that of an
/// autopilot of which nothing is known.
pub const SOUND_DELAY_MS: u32 = 10;

/// How long the answer to a step is looked at [s].
const STEP_S: f64 = 10.0;

/// What stands for the time of one that has not settled by then [s]: the first sample after it.
const NOT_SETTLED_S: f64 = STEP_S + 0.01;

/// What stands for the overshoot of one that loses the vehicle.
const LOST_OVERSHOOT: f64 = 100.0;

/// Steps of position that are flown, of unit length.
pub const STEPS: [(&str, [f64; 3]); 4] = [
    ("step x", [1.0, 0.0, 0.0]),
    ("step y", [0.0, 1.0, 0.0]),
    ("step up", [0.0, 0.0, 1.0]),
    ("step down", [0.0, 0.0, -1.0]),
];

/// What the vehicle of `setup` makes of each of [`STEPS`], `size_m` [m] long, with `gains`; `None` where it is lost.
pub fn fly_steps(setup: &Setup, gains: &Gains, size_m: f64) -> Vec<Option<StepFigures>> {
    each(&STEPS, |(_, towards)| {
        step_in_flight(setup, gains, Vector3::from(*towards) * size_m, STEP_S)
    })
}

/// The least of each margin over all loops, and whose it is; of what a step shows, the most.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Least {
    /// Factor of gain upwards.
    pub gain_up: Option<(f64, String)>,
    /// Factor of gain downwards.
    pub gain_down: Option<(f64, String)>,
    /// Phase [deg].
    pub phase_deg: Option<(f64, String)>,
    /// Delay [ms].
    pub delay_ms: Option<(f64, String)>,
    /// Disk.
    pub disk: Option<(f64, String)>,
    /// Overshoot of a step of position that is flown in still air, as a share of it, where a limit asks; 100
    /// where that loses the vehicle.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overshoot: Option<(f64, String)>,
    /// Until when that has settled [s]; more than 10 where it has not by then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settling_s: Option<(f64, String)>,
}

/// Where the vehicle is not stable, in words.
#[derive(Debug, Clone, PartialEq)]
pub struct Unstable(pub String);

impl Least {
    fn among<'a>(all: impl Iterator<Item = &'a Found> + Clone) -> Least {
        let every = |of: &dyn Fn(&Found) -> Option<f64>| {
            let values = all.clone().map(|found| Some((of(found)?, &found.name)));
            let least = values.flatten().min_by(|a, b| a.0.total_cmp(&b.0));
            least.map(|(value, name)| (value, name.clone()))
        };
        let least = |of: &dyn Fn(&Margins) -> Option<f64>| every(&|found| of(&found.margins));
        let down = least(&|m| m.gain_down.map(|k| -k));
        Least {
            gain_up: least(&|m| m.gain_up),
            gain_down: down.map(|(k, name)| (-k, name)),
            phase_deg: least(&|m| m.phase_rad.map(f64::to_degrees)),
            delay_ms: least(&|m| m.delay_s.map(|s| 1e3 * s)),
            disk: least(&|m| Some(m.disk)),
            ..Least::default()
        }
    }

    /// With the most that steps of position by `size_m` [m] show, which the vehicle of `setup` flies with `gains`.
    fn with_steps(self, setup: &Setup, gains: &Gains, size_m: f64) -> Least {
        let flown = fly_steps(setup, gains, size_m);
        let most = |of: &dyn Fn(&StepFigures) -> f64, lost: f64| {
            let values = flown.iter().map(|step| step.as_ref().map_or(lost, of));
            let named = values.zip(STEPS.map(|(name, _)| name.to_owned()));
            named.max_by(|a, b| a.0.total_cmp(&b.0))
        };
        Least {
            overshoot: most(&|step| step.overshoot, LOST_OVERSHOOT),
            settling_s: most(
                &|step| step.settling_s.unwrap_or(NOT_SETTLED_S),
                NOT_SETTLED_S,
            ),
            ..self
        }
    }

    /// The lesser gain margin of the two directions [dB].
    pub fn gain_db(&self) -> Option<(f64, String)> {
        let db = |(k, name): &(f64, String)| (20.0 * k.log10().abs(), name.clone());
        let both = self.gain_up.iter().chain(&self.gain_down).map(db);
        both.min_by(|a, b| a.0.total_cmp(&b.0))
    }
}

/// A margin with its loop, "36.2 deg (rate x)".
pub fn margin((value, of): &(f64, String), unit: &str) -> String {
    let digits = if unit.is_empty() { 2 } else { 1 };
    format!("{value:.digits$}{unit} ({of})")
}

/// What is found of one axis of a loop.
#[derive(Debug, Clone)]
struct Found {
    of: Loop,
    /// "rate x at 4.30 s".
    name: String,
    margins: Margins,
}

/// What is found of the loops `of`, with a name for each that ends in where they are.
fn found(linear: &Linearised, of: &[Loop], place: &str) -> Vec<Found> {
    let (inner, outer): (Vec<Loop>, Vec<Loop>) = of
        .iter()
        .partition(|l| matches!(l, Loop::Rate | Loop::Attitude | Loop::Thrust));
    let (inner, outer) = both(|| linear.all_margins(&inner), || linear.all_margins(&outer));
    let all = inner.into_iter().chain(outer);
    let all = all.filter(|(of, axis, _)| linear.has(*of, *axis));
    all.map(|(of, axis, margins)| Found {
        of,
        name: format!("{} {}{place}", of.name(), ["x", "y", "z"][axis]),
        margins,
    })
    .collect()
}

/// The least margins of the gains that a run tested, where the study looks at them; nothing where the
/// vehicle is not stable.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Tested {
    /// Of the default gains.
    pub default: Option<Least>,
    /// Of the recommended ones.
    pub recommended: Option<Least>,
}

impl Tested {
    /// A row for each margin: its name, the limit, and what default and recommended gains have.
    pub fn rows(&self, limits: &MarginLimits) -> Vec<[String; 4]> {
        let said = |of: &Option<Least>, margin: fn(&Least) -> Option<(f64, String)>| match of {
            None => "not stable".to_owned(),
            Some(least) => margin(least).map_or("no end".to_owned(), |(value, of)| {
                format!("{value:.2} ({of})")
            }),
        };
        let asked = |stated: Option<f64>, sound: Option<f64>| match (stated, sound) {
            (stated, Some(sound)) if stated.is_none_or(|stated| stated < sound) => {
                format!("{sound:.1}, or as the start gains")
            }
            // The least is that of all loops.
            (Some(stated), _) if limits.loops.is_empty() => format!("{stated}, tuned loops"),
            (Some(stated), _) => stated.to_string(),
            _ => "-".to_owned(),
        };
        let sound = |value: f64| limits.sound.then_some(value);
        let row = |name: &str, limit: String, margin: fn(&Least) -> Option<(f64, String)>| {
            let [old, new] = [&self.default, &self.recommended].map(|of| said(of, margin));
            [name.to_owned(), limit, old, new]
        };
        let phase = asked(limits.phase_margin_deg, sound(SOUND_PHASE_DEG));
        let gain = asked(limits.gain_margin_db, sound(20.0 * SOUND_GAIN.log10()));
        let delay = asked(limits.delay_margin_ms, None);
        let disk = asked(limits.disk_margin, sound(SOUND_DISK));
        let margins = [
            row("phase [deg]", phase, |m| m.phase_deg.clone()),
            row("gain [dB]", gain, Least::gain_db),
            row("delay [ms]", delay, |m| m.delay_ms.clone()),
            row("disk", disk, |m| m.disk.clone()),
        ];
        let size = format!("step of {} m", limits.step_m());
        let steps = |figure: fn(&Least) -> Option<(f64, String)>, end: f64, beyond: &str| {
            [&self.default, &self.recommended].map(|of| match of.as_ref().and_then(figure) {
                Some((value, of)) if value > end => format!("{beyond} ({of})"),
                _ => said(of, figure),
            })
        };
        let overshoot = limits.overshoot.map(|most| {
            let [old, new] = steps(|m| m.overshoot.clone(), 0.99 * LOST_OVERSHOOT, "lost");
            [
                format!("{size}, overshoot, at most"),
                most.to_string(),
                old,
                new,
            ]
        });
        let settling = limits.settling_s.map(|most| {
            let beyond = format!("not in {STEP_S} s");
            let [old, new] = steps(|m| m.settling_s.clone(), STEP_S, &beyond);
            [
                format!("{size}, settled, at most [s]"),
                most.to_string(),
                old,
                new,
            ]
        });
        let of_steps = overshoot.into_iter().chain(settling);
        margins.into_iter().chain(of_steps).collect()
    }
}
