//! Margins: the loops' least margins at hover and along a trajectory, and the limits that a study puts
//! on them. They need no flight, so gains are checked against them before they are flown.

mod places;

pub use places::{JudgedMargins, MarginCheck, Places};
use serde::{Deserialize, Serialize};
use sim::margins::{LOOPS, Linearised, Loop, Margins, StepFigures};

/// What `bo check` calls sound, and a study keeps unless it says otherwise: the factor of gain either way.
pub const SOUND_GAIN: f64 = 2.0;

/// The same of phase [deg].
pub const SOUND_PHASE_DEG: f64 = 30.0;

/// The same of the disk margin.
pub const SOUND_DISK: f64 = 0.5;

/// Delay of the sensors with which sound margins are asked for where none is stated [ms]: that of an
/// autopilot of which nothing is known.
pub const SOUND_DELAY_MS: u32 = 10;

/// The start gains, read back from the cube, may have margins that are less by this share.
const ROUNDING: f64 = 1e-6;

/// How long the answer to a step is looked at [s].
const STEP_S: f64 = 10.0;

/// The limits that are the most that a figure may be; the others are the least.
const UPPER: [&str; 2] = ["overshoot", "settling_s"];

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
    /// Overshoot of a step of position at hover, as a share of it, where a limit asks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overshoot: Option<(f64, String)>,
    /// Until when that has settled [s].
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
        let most = |of: &dyn Fn(&StepFigures) -> f64| {
            let most = every(&|found| found.step.as_ref().map(|step| -of(step)));
            most.map(|(value, name)| (-value, name))
        };
        let down = least(&|m| m.gain_down.map(|k| -k));
        Least {
            gain_up: least(&|m| m.gain_up),
            gain_down: down.map(|(k, name)| (-k, name)),
            phase_deg: least(&|m| m.phase_rad.map(f64::to_degrees)),
            delay_ms: least(&|m| m.delay_s.map(|s| 1e3 * s)),
            disk: least(&|m| Some(m.disk)),
            overshoot: most(&|step| step.overshoot),
            // One that has not settled is above any limit.
            settling_s: most(&|step| step.settling_s.unwrap_or(2.0 * STEP_S)),
        }
    }

    /// The margin that a limit is on, by the limit's key.
    fn by_limit(&self, limit: &str) -> Option<(f64, String)> {
        match limit {
            "phase_margin_deg" => self.phase_deg.clone(),
            "gain_margin_db" => self.gain_db(),
            "delay_margin_ms" => self.delay_ms.clone(),
            "overshoot" => self.overshoot.clone(),
            "settling_s" => self.settling_s.clone(),
            _ => self.disk.clone(),
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
    /// Of position at hover, where a limit asks.
    step: Option<StepFigures>,
}

/// What is found of the loops `of`, with a name for each that ends in where they are.
fn found(linear: &Linearised, of: &[Loop], place: &str, with_steps: bool) -> Vec<Found> {
    let (inner, outer): (Vec<Loop>, Vec<Loop>) = of
        .iter()
        .partition(|l| matches!(l, Loop::Rate | Loop::Attitude));
    let of_the_outer = || {
        let steps = with_steps.then(|| linear.position_steps(STEP_S));
        (linear.all_margins(&outer), steps)
    };
    let (inner, (outer, steps)) = rayon::join(|| linear.all_margins(&inner), of_the_outer);
    let all = inner.into_iter().chain(outer);
    all.map(|(of, axis, margins)| Found {
        of,
        name: format!("{} {}{place}", of.name(), ["x", "y", "z"][axis]),
        margins,
        step: steps
            .filter(|_| of == Loop::Position)
            .map(|steps| steps[axis]),
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
            (Some(stated), _) => stated.to_string(),
            _ => "-".to_owned(),
        };
        let sound = |value: f64| limits.sound.then_some(value);
        let of_a_step = |limit: Option<f64>| limit.map(|limit| limit.to_string());
        let row = |name: &str, limit: String, margin: fn(&Least) -> Option<(f64, String)>| {
            let [old, new] = [&self.default, &self.recommended].map(|of| said(of, margin));
            [name.to_owned(), limit, old, new]
        };
        let phase = asked(limits.phase_margin_deg, sound(SOUND_PHASE_DEG));
        let gain = asked(limits.gain_margin_db, sound(20.0 * SOUND_GAIN.log10()));
        let delay = asked(limits.delay_margin_ms, None);
        let disk = asked(limits.disk_margin, sound(SOUND_DISK));
        let overshoot = of_a_step(limits.overshoot);
        let overshoot =
            overshoot.map(|most| row("overshoot, at most", most, |m| m.overshoot.clone()));
        let settling = of_a_step(limits.settling_s);
        let settling =
            settling.map(|most| row("settling [s], at most", most, |m| m.settling_s.clone()));
        let margins = [
            row("phase [deg]", phase, |m| m.phase_deg.clone()),
            row("gain [dB]", gain, Least::gain_db),
            row("delay [ms]", delay, |m| m.delay_ms.clone()),
            row("disk", disk, |m| m.disk.clone()),
        ];
        margins
            .into_iter()
            .chain(overshoot)
            .chain(settling)
            .collect()
    }
}

/// Where a study looks at margins.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MarginsAt {
    /// At hover.
    #[default]
    Hover,
    /// At hover and at instants of the trajectory, as if the flight continued as it does there.
    Trajectory,
}

/// Each of them by its name.
pub const MARGINS_AT: [(&str, MarginsAt); 2] = [
    ("hover", MarginsAt::Hover),
    ("trajectory", MarginsAt::Trajectory),
];

/// What a study asks of the margins.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MarginLimits {
    /// Least phase margin [deg].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phase_margin_deg: Option<f64>,
    /// Least gain margin, up or down [dB].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gain_margin_db: Option<f64>,
    /// Least delay margin [ms].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delay_margin_ms: Option<f64>,
    /// Least disk margin.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disk_margin: Option<f64>,
    /// Most overshoot of a step of position at hover, along any axis, as a share of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub overshoot: Option<f64>,
    /// Longest time until that stays within [`sim::margins::SETTLED`] of the step [s].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub settling_s: Option<f64>,
    /// Whether each loop also keeps the margins that `bo check` calls sound, or those that it has with the
    /// start gains where they are less, with sensors [`SOUND_DELAY_MS`] late unless another delay is stated.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub sound: bool,
    /// The loops that are checked against them; all of them if none is named.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub loops: Vec<Loop>,
    /// Where.
    #[serde(skip_serializing_if = "MarginsAt::is_usual")]
    pub at: MarginsAt,
}

/// A limit that gains do not keep.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MarginViolation {
    /// Its key in the study file.
    pub limit: String,
    /// The limit: the least margin, or the most that a step may show.
    pub least: f64,
    /// The margin; `None` if the vehicle is not stable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// Whose margin it is, or where the vehicle is not stable.
    pub of: String,
}

impl std::fmt::Display for MarginViolation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.value {
            Some(value) => write!(
                f,
                "{} = {}, and {} has {value:.3}",
                self.limit, self.least, self.of
            ),
            None => write!(
                f,
                "{} = {}, and the vehicle is not stable {}",
                self.limit, self.least, self.of
            ),
        }
    }
}

/// Which share of a limit is reached by a figure: at least 1 where it is kept.
fn share(limit: &str, wanted: f64, value: f64) -> f64 {
    match UPPER.contains(&limit) {
        true => wanted / value,
        false => value / wanted,
    }
}

fn breaks(limit: &str, wanted: f64, value: f64) -> bool {
    match UPPER.contains(&limit) {
        true => value > wanted,
        false => value < wanted,
    }
}

impl MarginViolation {
    /// Which share of the limit is reached: below 1.
    pub fn share(&self) -> f64 {
        self.value
            .map_or(0.0, |value| share(&self.limit, self.least, value))
    }
}

impl MarginLimits {
    /// Sound margins, and nothing else.
    pub fn sound() -> MarginLimits {
        MarginLimits {
            sound: true,
            ..MarginLimits::default()
        }
    }

    /// Whether there is none.
    pub fn is_none(&self) -> bool {
        !self.sound && self.named().all(|(_, least)| least.is_none())
    }

    /// The loops that are checked.
    pub fn loops(&self) -> Vec<Loop> {
        let named = |l: &Loop| self.loops.is_empty() || self.loops.contains(l);
        let checked = |l: &Loop| named(l) || *l == Loop::Position && self.has_steps();
        LOOPS.into_iter().filter(checked).collect()
    }

    /// Whether a step is to be looked at.
    fn has_steps(&self) -> bool {
        self.overshoot.is_some() || self.settling_s.is_some()
    }

    /// The delay of sensors with which margins are computed, of sensors that are `delay_periods` late [ms].
    pub fn delay_ms(&self, delay_periods: u32) -> u32 {
        match delay_periods {
            0 if self.sound => SOUND_DELAY_MS,
            stated => stated,
        }
    }

    /// Where margins are computed, and with which delay of sensors that are `delay_periods` late, in words.
    pub fn conditions(&self, delay_periods: u32) -> String {
        let late = match self.delay_ms(delay_periods) {
            0 => String::new(),
            delay_ms => format!(", with sensors {delay_ms} ms late"),
        };
        format!("{}{late}", self.at.words())
    }

    /// What the loop `of` must keep that has the margins `start` with the start gains: if it is `tuned`, or named,
    /// the limits that are stated. No gains that are tuned would bring another one there, so it keeps what is
    /// sound, or what it has. A step is that of position, whatever is tuned.
    fn of_loop(&self, of: Loop, start: &Least, tuned: bool) -> MarginLimits {
        let of_a_step = |limit: Option<f64>| limit.filter(|_| of == Loop::Position);
        let (overshoot, settling_s) = (of_a_step(self.overshoot), of_a_step(self.settling_s));
        if !self.loops.is_empty() && !self.loops.contains(&of) {
            return MarginLimits {
                overshoot,
                settling_s,
                ..MarginLimits::default()
            };
        }
        let strict = tuned || !self.loops.is_empty();
        let most = |stated: Option<f64>, sound: f64, limit: &str| {
            // A loop without a margin to lose has more than any number.
            let own = start.by_limit(limit).map(|(own, _)| own * (1.0 - ROUNDING));
            let own = own.map_or(sound, |own| own.min(sound));
            let stated = stated.map(|stated| if strict { stated } else { stated.min(own) });
            let own = self.sound.then_some(own);
            stated.into_iter().chain(own).reduce(f64::max)
        };
        let gain_db = 20.0 * SOUND_GAIN.log10();
        MarginLimits {
            phase_margin_deg: most(self.phase_margin_deg, SOUND_PHASE_DEG, "phase_margin_deg"),
            gain_margin_db: most(self.gain_margin_db, gain_db, "gain_margin_db"),
            delay_margin_ms: self.delay_margin_ms.filter(|_| strict),
            disk_margin: most(self.disk_margin, SOUND_DISK, "disk_margin"),
            overshoot,
            settling_s,
            ..self.clone()
        }
    }

    fn named(&self) -> impl Iterator<Item = (&'static str, Option<f64>)> {
        let all = [
            ("phase_margin_deg", self.phase_margin_deg),
            ("gain_margin_db", self.gain_margin_db),
            ("delay_margin_ms", self.delay_margin_ms),
            ("disk_margin", self.disk_margin),
            ("overshoot", self.overshoot),
            ("settling_s", self.settling_s),
        ];
        all.into_iter()
    }

    /// How much room the limits leave, as a share of the limit of which the least share is reached: from
    /// -1 to 1, at least 0 where all are kept, and a smooth function of the gains in between.
    pub fn slack(&self, least: &Least) -> f64 {
        let slack = |(limit, wanted): (&str, Option<f64>)| {
            let (wanted, (value, _)) = (wanted?, least.by_limit(limit)?);
            let slack = share(limit, wanted, value) - 1.0;
            // A quotient may round to 1.
            Some(match breaks(limit, wanted, value) {
                true => slack.min(-f64::EPSILON),
                false => slack,
            })
        };
        // A margin that is not there is without end.
        let least = self.named().filter_map(slack).fold(1.0, f64::min);
        least.max(-1.0)
    }

    /// The limit of which the least share is reached among those that are not kept.
    pub fn violation(&self, least: Result<&Least, &Unstable>) -> Option<MarginViolation> {
        let violation = self.named().filter_map(|(limit, wanted)| {
            let wanted = wanted?;
            let (value, of) = match least {
                // A margin that is not there is without end.
                Ok(least) => least.by_limit(limit).map(|(value, of)| (Some(value), of))?,
                Err(Unstable(place)) => (None, place.clone()),
            };
            value
                .is_none_or(|value| breaks(limit, wanted, value))
                .then(|| MarginViolation {
                    limit: limit.to_owned(),
                    least: wanted,
                    value,
                    of,
                })
        });
        violation.min_by(|a, b| a.share().total_cmp(&b.share()))
    }
}

impl MarginsAt {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            MarginsAt::Hover => "at hover",
            MarginsAt::Trajectory => "at hover and along the trajectory",
        }
    }

    fn is_usual(&self) -> bool {
        *self == MarginsAt::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn least() -> Least {
        let one = |value: f64| Some((value, "rate x".to_owned()));
        Least {
            gain_up: one(4.0),
            gain_down: one(0.5),
            phase_deg: one(40.0),
            delay_ms: None,
            disk: one(0.8),
            ..Least::default()
        }
    }

    #[test]
    fn gains_are_judged_by_what_is_sound_and_not_by_limits_that_are_for_some_loops() {
        let hover = trajectories::by_name("hover").expect("shipped");
        let mut tuning = crate::flights::tuning::Tuning::of_paper(hover, 1);
        tuning.setup.sensors.delay_periods = 2;
        let gains = tuning.setup.airframe.gains;
        let asked = MarginLimits {
            phase_margin_deg: Some(89.0),
            ..MarginLimits::default()
        };
        let judged = asked.judge(&tuning, [&gains, &gains]);
        assert!(judged.sides.iter().all(Result::is_ok));
        assert_eq!(judged.violation, None);
        // Three times the rate gains leave less than is sound and less than before.
        let mut wild = gains;
        wild.rate_kp = wild.rate_kp.map(|kp| 3.0 * kp);
        let judged = asked.judge(&tuning, [&gains, &wild]);
        assert!(judged.violation.is_some());
    }

    #[test]
    fn a_loop_that_is_not_tuned_keeps_what_is_sound_or_what_it_has() {
        let stated = MarginLimits {
            phase_margin_deg: Some(45.0),
            delay_margin_ms: Some(20.0),
            ..MarginLimits::default()
        };
        let limits = |limits: &MarginLimits| (limits.phase_margin_deg, limits.delay_margin_ms);
        let start = least();
        let of_loop =
            |asked: &MarginLimits, tuned| limits(&asked.of_loop(Loop::Velocity, &start, tuned));
        // It has 40 degrees: sound are 30.
        assert_eq!(of_loop(&stated, true), (Some(45.0), Some(20.0)));
        assert_eq!(of_loop(&stated, false), (Some(SOUND_PHASE_DEG), None));
        let less = MarginLimits {
            phase_margin_deg: Some(20.0),
            ..stated.clone()
        };
        assert_eq!(of_loop(&less, false).0, Some(20.0));
        // A loop that is named is meant.
        let named = MarginLimits {
            loops: vec![Loop::Velocity],
            ..stated
        };
        assert_eq!(of_loop(&named, false), (Some(45.0), Some(20.0)));
    }

    #[test]
    fn a_limit_is_broken_by_less_and_by_a_vehicle_that_is_not_stable() {
        let ask = |phase, gain, delay| MarginLimits {
            phase_margin_deg: phase,
            gain_margin_db: gain,
            delay_margin_ms: delay,
            ..MarginLimits::default()
        };
        let violation = |limits: &MarginLimits| limits.violation(Ok(&least()));
        assert_eq!(violation(&ask(None, None, None)), None);
        assert_eq!(violation(&ask(Some(40.0), Some(6.0), None)), None);
        let phase = violation(&ask(Some(45.0), None, None)).expect("below");
        assert_eq!(
            phase.to_string(),
            "phase_margin_deg = 45, and rate x has 40.000"
        );
        // A factor of 1/2 is nearer than one of 4: 6.02 dB.
        let gain = violation(&ask(Some(45.0), Some(8.0), None)).expect("below");
        assert_eq!(gain.limit, "gain_margin_db");
        assert!((gain.value.expect("stable") - 20.0 * 2f64.log10()).abs() < 1e-12);
        // No delay makes it oscillate.
        assert_eq!(violation(&ask(None, None, Some(1e3))), None);
        // The room is the least share of a limit, and nowhere above 1.
        assert!((ask(Some(45.0), Some(6.0), None).slack(&least()) + 5.0 / 45.0).abs() < 1e-12);
        assert!((ask(Some(32.0), None, Some(1e3)).slack(&least()) - 0.25).abs() < 1e-12);
        assert_eq!(ask(None, None, Some(1e3)).slack(&least()), 1.0);
        // What is the most that a figure may be is broken by more, and its share falls with it.
        let step = Least {
            overshoot: Some((0.4, "position z".to_owned())),
            settling_s: Some((2.0, "position x".to_owned())),
            ..Least::default()
        };
        let most = |overshoot: f64| MarginLimits {
            overshoot: Some(overshoot),
            settling_s: Some(2.0),
            ..MarginLimits::default()
        };
        assert_eq!(most(0.4).violation(Ok(&step)), None);
        let over = most(0.1).violation(Ok(&step)).expect("above");
        assert_eq!((&over.of[..], over.share()), ("position z", 0.25));
        assert!((most(0.3).slack(&step) + 0.25).abs() < 1e-12);
        assert_eq!(most(0.8).slack(&step), 0.0);
        let wild = ask(None, None, Some(1.0)).violation(Err(&Unstable("at 4.3 s".to_owned())));
        let wild = wild.expect("not stable");
        assert_eq!((wild.value, wild.share()), (None, 0.0));
        assert_eq!(
            wild.to_string(),
            "delay_margin_ms = 1, and the vehicle is not stable at 4.3 s"
        );
    }
}
