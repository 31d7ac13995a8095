//! Limits: what a study asks of the margins and of a step of position, and whether gains keep it.

use super::{Least, SOUND_DELAY_MS, SOUND_DISK, SOUND_GAIN, SOUND_PHASE_DEG, Unstable};
use serde::{Deserialize, Serialize};
use sim::margins::{LOOPS, Loop};

/// The start gains, read back from the cube, may have margins that are less by this share.
const ROUNDING: f64 = 1e-6;

/// The limits that are the most that a figure may be; the others are the least.
const UPPER: [&str; 2] = ["overshoot", "settling_s"];

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
    pub(super) fn has_steps(&self) -> bool {
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
    pub(super) fn of_loop(&self, of: Loop, start: &Least, tuned: bool) -> MarginLimits {
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

    pub(super) fn named(&self) -> impl Iterator<Item = (&'static str, Option<f64>)> {
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
