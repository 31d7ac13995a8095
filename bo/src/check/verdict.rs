//! Verdict: fly, fly with care, do not fly; each reason with its number.

use super::figures::{Drawn, Figures, Side};
use super::sequential::{BAD, Finding, GOOD};
use super::{Baseline, Yardstick};
use crate::flights::margins::{Least, SOUND_DISK, SOUND_GAIN, SOUND_PHASE_DEG};
use crate::flights::trust;
use serde::Serialize;
use sim::autopilot::MOST;
use sim::autopilot::tune::Tune;
use sim::{Airframe, Concern, Guarded, HEADINGS_DEG};

/// What to do with a tune.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Nothing speaks against it.
    Fly,
    /// Something does.
    WithCare,
    /// It would be lost, or nobody can say what it is.
    DoNotFly,
}

impl Verdict {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Verdict::Fly => "fly",
            Verdict::WithCare => "fly with care",
            Verdict::DoNotFly => "do not fly",
        }
    }

    /// Name of its style in a page.
    pub fn style(self) -> &'static str {
        match self {
            Verdict::Fly => "better",
            Verdict::WithCare => "unclear",
            Verdict::DoNotFly => "worse",
        }
    }
}

/// One reason.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Reason {
    /// What it asks for.
    pub asks: Verdict,
    /// What it is about, for programs.
    pub about: &'static str,
    /// The reason with its number.
    pub said: String,
}

/// Phase margin of drawn vehicles below which is reported: half of what is sound of the nominal one [deg].
const DRAWN_PHASE_DEG: f64 = 0.5 * SOUND_PHASE_DEG;

/// ACE at 95 % that is worse than the baseline's by this factor is reported.
const WORSE: f64 = 1.1;

/// Motor travel, or saturation, that is above the baseline's by this factor is reported.
const BUSIER: f64 = 2.0;

/// Share of the time for which the heading may be off: what lies beyond 95 %.
const SELDOM: f64 = 0.05;

/// Longest time constant of an attitude error [s].
const SLOWEST_S: f64 = 5.0;

/// Rate below which an attitude error decays too slowly [deg/s].
const SLOWEST_DEG_S: f64 = 10.0;

/// Saturation below which nobody minds.
const SATURATED: f64 = 0.01;

/// All reasons against `tune` aboard `airframe`, the gravest first; what acts and was not simulated stands before all
/// others of its weight. A baseline of another vehicle is no yardstick. `concerns` are those of the task.
pub fn judge(
    tune: &Tune,
    airframe: &Airframe,
    figures: &Figures,
    baseline: &Baseline,
    concerns: &[trust::Concern],
) -> Vec<Reason> {
    let mut reasons = Vec::new();
    reasons.extend(tune.impossible.iter().map(|(name, value)| {
        let said = match value {
            large if large.is_finite() && large.abs() > MOST => {
                format!("{name} is {large:e}: a gain is from 0 to {MOST:e}")
            }
            _ => format!("{name} is {value}: a gain is finite and not negative"),
        };
        no("gain", said)
    }));
    reasons.extend(tune.forbidding.iter().map(|said| no("limit", said.clone())));
    reasons.extend(tune.foreign.iter().map(|said| no("vehicle", said.clone())));
    reasons.extend(
        tune.acting
            .iter()
            .map(|said| care("not-simulated", said.clone())),
    );
    reasons.extend(
        tune.mismatches
            .iter()
            .map(|said| care("vehicle", said.clone())),
    );
    reasons.extend(named(
        concerns,
        "vehicle or wind may be other than what was flown",
        |c| c.is_of_what_is_met(),
    ));
    reasons.extend(named(
        concerns,
        "the vehicle cannot follow the trajectory",
        |c| c.is_of_the_reference(),
    ));
    let strange = [&baseline.tune.foreign, &baseline.tune.mismatches];
    let strange = strange.into_iter().flatten();
    reasons.extend(strange.map(|said| care("baseline", format!("of the baseline: {said}"))));
    let (new, old) = (&figures.tune, &figures.baseline);
    if tune.impossible.is_empty() && tune.forbidding.is_empty() {
        reasons.extend(concerns.iter().filter_map(|concern| match concern {
            trust::Concern::Flight(flight) if flight.refuses() => {
                Some(no("trust", flight.to_string()))
            }
            _ => None,
        }));
        reasons.extend(losses(figures));
        reasons.extend(stability(new));
        reasons.extend(heading(new));
        reasons.extend(slow(tune, airframe));
        let (aboard, _) = tune.aboard(airframe);
        let out_of_trim = Concern::out_of_trim(&aboard, &tune.gains);
        reasons.extend(out_of_trim.map(|concern| care("trim", concern.said())));
        reasons.extend(worse_than_baseline(new, old, baseline.kind));
    }
    reasons.sort_by_key(|reason| std::cmp::Reverse(reason.asks));
    reasons
}

/// The names of those of the `concerns` that are so.
fn named(
    concerns: &[trust::Concern],
    what: &str,
    is_so: impl Fn(&Concern) -> bool,
) -> Option<Reason> {
    let names = concerns.iter().filter_map(|concern| match concern {
        trust::Concern::Flight(flight) if is_so(flight) && !flight.refuses() => {
            Some(flight.guardrail().name)
        }
        _ => None,
    });
    let names: Vec<&str> = names.collect();
    (!names.is_empty()).then(|| care("trust", format!("{what}: {}", names.join(", "))))
}

/// The error of heading, at 95 % of all instants of all flights.
fn heading(side: &Side) -> Option<Reason> {
    let [far, turned] = side.heading_off;
    let off = |deg: f64, share: f64| {
        let percent = 100.0 * share;
        format!(
            "the heading is more than {deg:.0} degrees off for {percent:.0} % of the time in simulation"
        )
    };
    let [care_deg, no_deg] = HEADINGS_DEG;
    match () {
        () if turned > SELDOM => Some(no("heading", off(no_deg, turned))),
        () if far > SELDOM => Some(care("heading", off(care_deg, far))),
        () => None,
    }
}

/// Attitude errors that decay too slowly to count as held, integrals that can hold nothing, and axes without torque.
fn slow(tune: &Tune, airframe: &Airframe) -> Vec<Reason> {
    let mut reasons = Vec::new();
    let (gains, limits) = (&tune.gains, &tune.controller);
    for (k, axis) in ["roll", "pitch", "yaw"].into_iter().enumerate() {
        let kp = gains.attitude_kp[k];
        let most_deg_s = limits.rate_setpoint_limit_rad_s[k].to_degrees();
        // Of an attitude error whose rate follows with a time constant of its own.
        let follows = gains.rate_kp[k] / airframe.inertia()[(k, k)];
        let swings = (0.25 * follows * follows - kp * follows).max(0.0).sqrt();
        let decay = 0.5 * follows - swings;
        let never = decay == 0.0 || most_deg_s == 0.0 || limits.torque_setpoint_limit_n_m[k] == 0.0;
        if never {
            let said = format!("attitude {axis}: an error never decays");
            reasons.push(care("slow", said));
        } else if decay < 1.0 / SLOWEST_S {
            let time_s = 1.0 / decay;
            reasons.push(care("slow", format!(
                "attitude {axis}: an error decays with a time constant of {time_s:.0} s, longer than {SLOWEST_S} s"
            )));
        } else if most_deg_s < SLOWEST_DEG_S {
            reasons.push(care(
                "slow",
                format!("attitude {axis}: an error decays at {most_deg_s:.1} deg/s at most"),
            ));
        }
        if gains.rate_ki[k] > 0.0 && limits.rate_integral_limit_rad[k] == 0.0 {
            let said =
                format!("rate {axis}: the integral is limited to nothing, and holds no trim");
            reasons.push(care("limit", said));
        } else if gains.rate_ki[k] == 0.0 && k < 2 {
            let said = format!("rate {axis}: without an integral gain nothing holds a trim");
            reasons.push(care("limit", said));
        }
    }
    reasons
}

fn no(about: &'static str, said: String) -> Reason {
    let asks = Verdict::DoNotFly;
    Reason { asks, about, said }
}

fn care(about: &'static str, said: String) -> Reason {
    let asks = Verdict::WithCare;
    Reason { asks, about, said }
}

fn losses(figures: &Figures) -> Option<Reason> {
    let side = &figures.tune;
    let counted = format!(
        "{} of {} flights lost in simulation: probability of a loss {}",
        side.lost,
        side.flights,
        side.loss_percent()
    );
    let (bad, good) = (100.0 * BAD, 100.0 * GOOD);
    match figures.finding {
        Finding::Often => Some(no(
            "loss",
            format!("{counted}; nearer to {bad} % than to {good} %"),
        )),
        Finding::Open => Some(care(
            "loss",
            format!("{counted}; too few flights to tell {bad} % from {good} %"),
        )),
        Finding::Rare if side.lost > 0 => Some(care("loss", counted)),
        Finding::Rare => None,
    }
}

fn stability(side: &Side) -> Vec<Reason> {
    let Some(mode) = side.mode.filter(|mode| !mode.is_stable()) else {
        let along = side.unstable.iter().map(|place| {
            let said = "a small disturbance would grow if the flight went on as it does there";
            care("stability", format!("{place}: {said}, in simulation"))
        });
        let of_drawn = side.drawn.iter().flat_map(drawn);
        let reasons = along.chain(side.margins.iter().flat_map(margins));
        return reasons.chain(of_drawn).collect();
    };
    vec![no(
        "stability",
        format!(
            "at hover a small disturbance grows by {:.2} 1/s at {:.1} Hz in simulation",
            mode.growth_per_s, mode.frequency_hz
        ),
    )]
}

fn drawn(drawn: &Drawn) -> Option<Reason> {
    let of = format!(
        "of {} vehicles drawn from the airframe's uncertainty",
        drawn.vehicles
    );
    let unstable = format!(
        "not stable at hover: {} {of}, in simulation",
        drawn.unstable
    );
    match &drawn.phase_deg {
        _ if 2 * drawn.unstable >= drawn.vehicles => Some(no("drawn-vehicles", unstable)),
        _ if drawn.unstable > 0 => Some(care("drawn-vehicles", unstable)),
        Some((degrees, place)) if *degrees < DRAWN_PHASE_DEG => {
            let said = format!(
                "{of} one has a phase margin of {degrees:.1} degrees ({place}) in simulation"
            );
            Some(care("drawn-vehicles", said))
        }
        _ => None,
    }
}

fn margins(least: &Least) -> Vec<Reason> {
    let small = |found: &Option<(f64, String)>, small: &dyn Fn(f64) -> bool| {
        found.clone().filter(|(value, _)| small(*value))
    };
    let mut reasons = Vec::new();
    let oscillates = |(k, of): (f64, String)| {
        let db = 20.0 * k.log10().abs();
        let said = format!(
            "{of}: gain margin {db:.1} dB, oscillates with {k:.2} times its gains, in simulation"
        );
        care("gain-margin", said)
    };
    reasons.extend(small(&least.gain_up, &|k| k < SOUND_GAIN).map(oscillates));
    reasons.extend(small(&least.gain_down, &|k| k > 1.0 / SOUND_GAIN).map(oscillates));
    if let Some((degrees, of)) = small(&least.phase_deg, &|d| d < SOUND_PHASE_DEG) {
        let said = format!("{of}: phase margin {degrees:.1} degrees in simulation");
        reasons.push(care("phase-margin", said));
    }
    if let Some((disk, of)) = small(&least.disk, &|d| d < SOUND_DISK) {
        reasons.push(care(
            "disk-margin",
            format!("{of}: disk margin {disk:.2} in simulation"),
        ));
    }
    reasons
}

fn worse_than_baseline(new: &Side, old: &Side, yardstick: Yardstick) -> Vec<Reason> {
    let mut reasons = Vec::new();
    if yardstick == Yardstick::Airframe {
        // Nobody said that what flies now does so too.
        let percent = 100.0 * new.rotor_saturation;
        return Vec::from_iter((new.rotor_saturation > SATURATED).then(|| {
            let said = format!("a rotor is saturated {percent:.1} % of the time in simulation");
            care("saturation", said)
        }));
    }
    if let (Some(after), Some(before)) = (new.ace_m[2], old.ace_m[2])
        && after > WORSE * before
    {
        let said = format!("ACE at 95 % {after:.3} m in simulation, the baseline's {before:.3} m");
        reasons.push(care("ace", said));
    }
    let (after, before) = (new.motor_activity_per_s, old.motor_activity_per_s);
    if yardstick == Yardstick::Defaults && after > BUSIER * before {
        let said = format!(
            "motors travel {after:.1} ranges a second in simulation, the baseline's {before:.1}"
        );
        reasons.push(care("motor-travel", said));
    }
    let (after, before) = (new.rotor_saturation, old.rotor_saturation);
    if after > SATURATED && after > BUSIER * before {
        let [after, before] = [after, before].map(|x| 100.0 * x);
        let said = format!(
            "a rotor is saturated {after:.1} % of the time in simulation, the baseline's {before:.1} %"
        );
        reasons.push(care("saturation", said));
    }
    reasons
}
