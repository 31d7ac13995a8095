//! Limits: what a study asks of the margins and of steps of position, and whether gains keep it.

use super::{
    LOST_OVERSHOOT, Least, SOUND_DELAY_MS, SOUND_DISK, SOUND_GAIN, SOUND_PHASE_DEG, STEP_S,
    Unstable,
};
use serde::{Deserialize, Serialize};
use sim::margins::{LOOPS, Loop};

/// The start gains, read back from the cube, may have margins that are less by this share.
const ROUNDING: f64 = 1e-6;

/// How far a step of position goes where it is not stated [m].
pub const USUAL_STEP_M: f64 = 1.0;

/// What a limit may be on.
struct Figure {
    /// The limit's key in the study file.
    key: &'static str,
    /// Whether the limit is the most that the figure may be; else the least.
    is_upper: bool,
    limit: fn(&MarginLimits) -> Option<f64>,
    found: fn(&Least) -> Option<(f64, String)>,
}

const FIGURES: [Figure; 6] = [
    Figure {
        key: "phase_margin_deg",
        is_upper: false,
        limit: |limits| limits.phase_margin_deg,
        found: |least| least.phase_deg.clone(),
    },
    Figure {
        key: "gain_margin_db",
        is_upper: false,
        limit: |limits| limits.gain_margin_db,
        found: Least::gain_db,
    },
    Figure {
        key: "delay_margin_ms",
        is_upper: false,
        limit: |limits| limits.delay_margin_ms,
        found: |least| least.delay_ms.clone(),
    },
    Figure {
        key: "disk_margin",
        is_upper: false,
        limit: |limits| limits.disk_margin,
        found: |least| least.disk.clone(),
    },
    Figure {
        key: "overshoot",
        is_upper: true,
        limit: |limits| limits.overshoot,
        found: |least| least.overshoot.clone(),
    },
    Figure {
        key: "settling_s",
        is_upper: true,
        limit: |limits| limits.settling_s,
        found: |least| least.settling_s.clone(),
    },
];

impl Figure {
    fn by_key(key: &str) -> Option<&'static Figure> {
        FIGURES.iter().find(|figure| figure.key == key)
    }

    /// Which share of the limit `wanted` is reached: at least 1 where it is kept.
    fn share(&self, wanted: f64, value: f64) -> f64 {
        match self.is_upper {
            true => wanted / value,
            false => value / wanted,
        }
    }

    fn breaks(&self, wanted: f64, value: f64) -> bool {
        match self.is_upper {
            true => value > wanted,
            false => value < wanted,
        }
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
    /// Most overshoot of a step of position that is flown in still air, as a share of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub overshoot: Option<f64>,
    /// Longest time until that stays within [`sim::margins::SETTLED`] of the step [s].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub settling_s: Option<f64>,
    /// How far it goes, along x, y, up and down [m]; [`USUAL_STEP_M`] unless stated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step_m: Option<f64>,
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
            Some(value) if self.limit == "settling_s" && value > STEP_S => write!(
                f,
                "{} = {}, and {} has not settled after {STEP_S} s",
                self.limit, self.least, self.of
            ),
            Some(LOST_OVERSHOOT) if self.limit == "overshoot" => write!(
                f,
                "{} = {}, and {} loses the vehicle",
                self.limit, self.least, self.of
            ),
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

impl MarginViolation {
    /// Which share of the limit is reached: below 1.
    pub fn share(&self) -> f64 {
        let figure = Figure::by_key(&self.limit);
        let reached = figure.zip(self.value);
        reached.map_or(0.0, |(figure, value)| figure.share(self.least, value))
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
        !self.sound && self.states_none()
    }

    /// Whether no limit is stated.
    pub(super) fn states_none(&self) -> bool {
        FIGURES.iter().all(|figure| (figure.limit)(self).is_none())
    }

    /// The loops that are checked.
    pub fn loops(&self) -> Vec<Loop> {
        let named = |l: &Loop| self.loops.is_empty() || self.loops.contains(l);
        LOOPS.into_iter().filter(named).collect()
    }

    /// What is asked of steps alone, where anything is.
    pub(super) fn of_steps(&self) -> Option<MarginLimits> {
        let (overshoot, settling_s) = (self.overshoot, self.settling_s);
        (overshoot.is_some() || settling_s.is_some()).then(|| MarginLimits {
            overshoot,
            settling_s,
            ..MarginLimits::default()
        })
    }

    /// What is asked besides.
    pub fn without_steps(&self) -> MarginLimits {
        MarginLimits {
            overshoot: None,
            settling_s: None,
            ..self.clone()
        }
    }

    /// How far a step goes [m].
    pub fn step_m(&self) -> f64 {
        self.step_m.unwrap_or(USUAL_STEP_M)
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
    /// sound, or what it has. Steps are not of a loop.
    pub(super) fn of_loop(&self, start: &Least, tuned: bool) -> MarginLimits {
        let strict = tuned || !self.loops.is_empty();
        let most = |stated: Option<f64>, sound: f64, own: &Option<(f64, String)>| {
            // A loop without a margin to lose has more than any number.
            let own = own.as_ref().map(|(own, _)| own * (1.0 - ROUNDING));
            let own = own.map_or(sound, |own| own.min(sound));
            let stated = stated.map(|stated| if strict { stated } else { stated.min(own) });
            let own = self.sound.then_some(own);
            stated.into_iter().chain(own).reduce(f64::max)
        };
        let gain_db = 20.0 * SOUND_GAIN.log10();
        MarginLimits {
            phase_margin_deg: most(self.phase_margin_deg, SOUND_PHASE_DEG, &start.phase_deg),
            gain_margin_db: most(self.gain_margin_db, gain_db, &start.gain_db()),
            delay_margin_ms: self.delay_margin_ms.filter(|_| strict),
            disk_margin: most(self.disk_margin, SOUND_DISK, &start.disk),
            ..self.without_steps()
        }
    }

    /// How much room the limits leave, as a share of the limit of which the least share is reached: from
    /// -1 to 1, at least 0 where all are kept, and a smooth function of the gains in between.
    pub fn slack(&self, least: &Least) -> f64 {
        let slack = |figure: &Figure| {
            let (wanted, (value, _)) = ((figure.limit)(self)?, (figure.found)(least)?);
            let slack = figure.share(wanted, value) - 1.0;
            // A quotient may round to 1.
            Some(match figure.breaks(wanted, value) {
                true => slack.min(-f64::EPSILON),
                false => slack,
            })
        };
        // A margin that is not there is without end.
        let least = FIGURES.iter().filter_map(slack).fold(1.0, f64::min);
        least.max(-1.0)
    }

    /// The limit of which the least share is reached among those that are not kept.
    pub fn violation(&self, least: Result<&Least, &Unstable>) -> Option<MarginViolation> {
        let violation = FIGURES.iter().filter_map(|figure| {
            let wanted = (figure.limit)(self)?;
            let (value, of) = match least {
                // A margin that is not there is without end.
                Ok(least) => (figure.found)(least).map(|(value, of)| (Some(value), of))?,
                Err(Unstable(place)) => (None, place.clone()),
            };
            value
                .is_none_or(|value| figure.breaks(wanted, value))
                .then(|| MarginViolation {
                    limit: figure.key.to_owned(),
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
