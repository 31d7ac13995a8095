//! Estimate: what a log says of one property of the vehicle, with the interval in which it lies.

use super::excitation::{Excitation, RESOLVED_S};
use super::fit::Fit;
use super::fit::model::{
    BATTERY, HELD_S, IDLE, LAG, Layout, NUMBERS, PITCH, PLANE, ROLL, THRUST, WIND, YAW, YAW_SPIN_UP,
};
use crate::{Airframe, GRAVITY_M_S2};
use nalgebra::DVector;
use serde::Serialize;
use {Need::*, Width::*};

/// Deviations to each side of an interval of 90 %.
pub(super) const NINETY: f64 = 1.645;

/// Least excitation over noise of a rate, for its gain, and of a fast rate, for lag and delay; of the fast yaw rate.
const TURNED: f64 = 24.0;
const YAWED_FAST: f64 = 7.0;

/// Least deviation of the speed, for drag [m/s].
const MOVED_M_S: f64 = 0.7;
const CLIMBED_M_S: f64 = 0.2;

/// Deviation of the commands within [`RESOLVED_S`], over their mean, up to which their thrust is that of their mean, whatever the lag.
const JITTER: f64 = 0.1;

/// What no log tells more closely, as shares: between two samples of the motors much is commanded that is not logged.
const FLOOR: f64 = 0.003;
const DELAY_FLOOR_S: f64 = 0.1e-3;

/// By how much of it that grows for each millisecond beyond one between two samples of the motors.
const SPARSE: f64 = 5.0 / 3.0;

/// Least range of the voltage over its mean, for what it does to the thrust.
const DISCHARGED: f64 = 0.03;

/// Without a velocity drag along the rotors' axes is taken for thrust: deviation of the thrust, as a share, by that of
/// the specific force across them [s²/m].
const UNSEEN: f64 = 0.08;

/// Deviation of the command of hover from the mean one, as a share.
const UNFELT: f64 = 0.01;

/// Gusts along the rotors' axes look a little like thrust, their moments like rotors that are quicker, and what moves
/// with the wind like less drag: intervals of these are wider there, by what simulated flights in such gusts needed.
const GUSTY: f64 = 1.2;

/// Ratio of the inertia about z to the sum of the two others, which no log tells.
pub(super) const FLATNESS: f64 = 0.93;

/// Disagreement of quarters that chance makes in one of twenty logs.
const DISAGREE: f64 = 2.6;

/// One property.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Estimate {
    /// Its name.
    pub name: &'static str,
    /// Its unit.
    pub unit: &'static str,
    /// Its mean.
    pub mean: f64,
    /// In which it lies with a probability of 90 %.
    pub interval: [f64; 2],
    /// What the nominal airframe has.
    pub nominal: Option<f64>,
    /// Why the log cannot tell it, where it cannot.
    pub not_told: Option<String>,
}

impl Estimate {
    /// Whether the log tells it.
    pub fn is_known(&self) -> bool {
        self.not_told.is_none()
    }
}

/// The estimate of that name, if it is told.
pub(super) fn known<'a>(estimates: &'a [Estimate], name: &str) -> Option<&'a Estimate> {
    debug_assert!(
        PROPERTIES.iter().any(|property| property.0 == name),
        "{name}"
    );
    (estimates.iter()).find(|estimate| estimate.name == name && estimate.is_known())
}

/// What estimates are made of.
pub(super) struct Basis<'a> {
    pub(super) fit: &'a Fit,
    pub(super) layout: &'a Layout,
    pub(super) nominal: &'a Airframe,
    pub(super) excitation: &'a Excitation,
    /// Whether there was a velocity with an attitude.
    pub(super) moved: bool,
    /// Time between two samples of the motors beyond a millisecond [ms].
    pub(super) between_ms: f64,
    pub(super) gusty: bool,
}

/// One property before it is judged: its name, its unit, what a log must have for it, the half width of the interval
/// above which it is not told and the deviation that is added, both over the mean or in the unit, and its value for
/// given numbers.
type Property = (
    &'static str,
    &'static str,
    Need,
    [Width; 2],
    fn(&Scale, &DVector<f64>) -> f64,
);

#[derive(Clone, Copy)]
enum Width {
    Share(f64),
    Absolute(f64),
}

#[derive(Clone, Copy, PartialEq)]
enum Need {
    /// An accelerometer.
    Force,
    /// The same, and commands that are no speeds.
    Curve,
    /// The same, and a voltage that changes.
    Battery,
    /// Fast rates about x or y, for a lag or a delay.
    Lag,
    Delay,
    /// Rates about an axis.
    Turn(usize),
    /// Force and rates about an axis.
    ForceTurn(usize),
    /// Rates about z, for what the rotors' own turning does.
    Spin,
    /// Speeds across and along the rotors' axes.
    Across,
    Along,
    Wind,
}

/// What makes numbers of the model those of an airframe.
pub(super) struct Scale<'a> {
    mass_kg: f64,
    layout: &'a Layout,
}

impl Scale<'_> {
    pub(super) fn of<'a>(nominal: &Airframe, layout: &'a Layout) -> Scale<'a> {
        Scale {
            mass_kg: nominal.mass_kg,
            layout,
        }
    }

    /// How many rotors there are.
    fn rotors(&self) -> f64 {
        self.layout.hubs.len() as f64
    }

    /// Gain number `gain` per square of the speed, of full command [rad/s²].
    pub(super) fn full(&self, x: &DVector<f64>, gain: usize) -> f64 {
        x[gain] / self.layout.steepness(x[IDLE])
    }

    /// The same per command, in hover [rad/s²].
    fn in_hover(&self, x: &DVector<f64>, gain: usize) -> f64 {
        self.full(x, gain) * 2.0 * self.hover(x) * (1.0 - x[IDLE])
    }

    /// The rotors' speed in hover over the greatest; without a thrust that of the mean command.
    fn hover(&self, x: &DVector<f64>) -> f64 {
        if !self.layout.felt {
            return x[IDLE] + (1.0 - x[IDLE]) * self.layout.mean;
        }
        (GRAVITY_M_S2 / (self.rotors() * x[THRUST].max(1e-9))).sqrt()
    }

    /// Inertia about x or y, whose gain is number `gain` [kg m²].
    pub(super) fn inertia(&self, x: &DVector<f64>, gain: usize) -> f64 {
        x[THRUST] * self.mass_kg * self.layout.arm_m / self.full(x, gain)
    }
}

/// Names of the properties that bend the thrust over the command and move it with the battery.
pub(super) const CURVE: &str = "rotor speed at no command";
pub(super) const DISCHARGE: &str = "rotor speed by battery voltage";

/// Name of the property of rotors that turn the vehicle about z at once as they gain speed.
pub(super) const SPIN_UP: &str = "rotor spin at full over Izz";

const USUAL: [Width; 2] = [Share(0.25), Share(FLOOR)];
const DRAG: [Width; 2] = [Share(1.0), Share(FLOOR)];

#[rustfmt::skip]
const PROPERTIES: [Property; 20] = [
    ("hover command", "share of full", Force, USUAL, |s, x| {
        let idle = x[IDLE];
        (s.hover(x) - idle) / (1.0 - idle)
    }),
    ("thrust of a rotor at full command", "N", Force, USUAL, |s, x| x[THRUST] * s.mass_kg),
    (CURVE, "share of full", Curve, [Absolute(0.1), Absolute(0.003)], |_, x| x[IDLE]),
    (DISCHARGE, "power", Battery, [Absolute(0.5), Absolute(0.03)], |_, x| x[BATTERY]),
    ("rotor lag", "ms", Lag, USUAL, |_, x| 1e3 * x[LAG].exp()),
    ("delay from command to gyro", "ms", Delay, [Absolute(3.0), Absolute(1e3 * DELAY_FLOOR_S)], |_, x| {
        1e3 * (x[LAG + 1] - HELD_S)
    }),
    ("roll gain in hover", "rad/s2", Turn(0), USUAL, |s, x| s.in_hover(x, ROLL)),
    ("pitch gain in hover", "rad/s2", Turn(1), USUAL, |s, x| s.in_hover(x, PITCH)),
    ("yaw gain in hover", "rad/s2", Turn(2), USUAL, |s, x| s.in_hover(x, YAW)),
    ("inertia Ixx", "kg m2", ForceTurn(0), USUAL, |s, x| s.inertia(x, ROLL)),
    ("inertia Iyy", "kg m2", ForceTurn(1), USUAL, |s, x| s.inertia(x, PITCH)),
    (SPIN_UP, "rad/s", Spin, [Share(0.5), Share(3.0 * FLOOR)], |_, x| x[YAW_SPIN_UP]),
    ("in-plane drag at hover speed", "1/s", Across, DRAG, |s, x| x[PLANE] * s.rotors() * s.hover(x)),
    ("in-plane drag x, quadratic", "1/m", Across, DRAG, |_, x| x[PLANE + 1]),
    ("in-plane drag y, quadratic", "1/m", Across, DRAG, |_, x| x[PLANE + 2]),
    ("axial drag at hover speed", "1/s", Along, DRAG, |s, x| x[THRUST + 1] * s.rotors() * s.hover(x)),
    ("axial drag, quadratic", "1/m", Along, DRAG, |_, x| x[THRUST + 2]),
    ("mean wind x", "m/s", Wind, [Absolute(3.0), Absolute(0.0)], |_, x| x[WIND]),
    ("mean wind y", "m/s", Wind, [Absolute(3.0), Absolute(0.0)], |_, x| x[WIND + 1]),
    ("accelerometer bias z", "m/s2", Force, [Absolute(0.25), Absolute(0.0)], |_, x| x[THRUST + 4]),
];

impl Basis<'_> {
    /// All properties, each with its interval and whether it is told.
    pub(super) fn estimates(&self) -> Vec<Estimate> {
        let scale = Scale::of(self.nominal, self.layout);
        let nominal = self.layout.numbers(self.nominal);
        let known = |need: &Need| matches!(need, Curve | Battery) && !self.layout.shares;
        let wanted = PROPERTIES.iter().filter(|(_, _, need, ..)| !known(need));
        let each = wanted.map(|(name, unit, need, [most, floor], of)| {
            let value = |x: &DVector<f64>| of(&scale, x);
            let mean = value(&self.fit.numbers);
            let slope = slope(&value, &self.fit.numbers);
            let mut deviation = spread(&slope, &self.fit.covariance);
            deviation *= self.disagreement(&slope).max(1.0);
            if self.gusty
                && matches!(
                    need,
                    Across | Along | Wind | Force | Curve | Battery | Lag | Spin
                )
            {
                deviation *= GUSTY;
            }
            let mut floor = floor.of(mean);
            if matches!(need, Lag | Delay | Spin | Turn(_) | ForceTurn(_)) {
                floor *= 1.0 + SPARSE * self.between_ms;
            }
            if !self.moved && matches!(need, Force | ForceTurn(_)) {
                floor = floor.hypot(UNSEEN * self.excitation.drag_m_s2 * mean);
            }
            if !self.layout.felt && matches!(need, Turn(_)) {
                // The mean command is not that of hover.
                floor = floor.hypot(UNFELT * mean);
            }
            let deviation = deviation.hypot(floor);
            let half = NINETY * deviation;
            let told = match self.missing(*need) {
                Some(why) => Some(why),
                None if half > most.of(mean) => Some(format!(
                    "the log holds it only to {}",
                    match most {
                        Share(_) => format!("± {:.0} %", 100.0 * half / mean.abs()),
                        Absolute(_) => format!("± {half:.2} {unit}"),
                    }
                )),
                None => None,
            };
            Estimate {
                name,
                unit,
                mean,
                interval: [mean - half, mean + half],
                nominal: nominal.as_ref().map(value).filter(|x| x.is_finite()),
                not_told: told,
            }
        });
        each.collect()
    }

    /// What the log lacks for that.
    fn missing(&self, need: Need) -> Option<String> {
        let turned = |axis: usize| {
            let (name, seen, wanted) = match axis {
                2 => ("yaw", self.excitation.fast_rates[2], YAWED_FAST),
                0 => ("roll", self.excitation.rates[0], TURNED),
                _ => ("pitch", self.excitation.rates[1], TURNED),
            };
            (seen < wanted).then(|| {
                format!("the {name} rate is {seen:.0} times its noise, and {wanted:.0} are needed")
            })
        };
        let quick = || {
            let lag_s = self.fit.numbers[LAG].exp();
            (lag_s < RESOLVED_S).then(|| {
                format!(
                    "the rotors seem to lag by {:.1} ms, and less than {:.0} ms are not resolved",
                    1e3 * lag_s,
                    1e3 * RESOLVED_S
                )
            })
        };
        let felt = || match self.layout.felt {
            false => Some("the log has no accelerometer".to_owned()),
            // The thrust of commands that jitter is that of their mean square, as far as the rotors follow.
            true if self.excitation.jitter > JITTER => self.missing(Lag).map(|why| {
                let jitter = 100.0 * self.excitation.jitter;
                format!(
                    "the motors jitter by {jitter:.0} %, and the log does not show their lag: {why}"
                )
            }),
            true => None,
        };
        let moved = |which: usize, least: f64| {
            let seen = self.excitation.speeds_m_s[which];
            match self.moved {
                false => Some("the log has no velocity with an attitude".to_owned()),
                true if seen < least => Some(format!(
                    "speeds deviate by {seen:.2} m/s, and {least:.2} are needed"
                )),
                true => None,
            }
        };
        match need {
            Force | Curve => felt(),
            Battery => felt().or_else(|| self.discharged()),
            Lag | Delay => {
                let seen = self.excitation.fast_rates[0].max(self.excitation.fast_rates[1]);
                let still = (seen < TURNED).then(|| {
                    format!(
                        "quick turns are {seen:.0} times the gyro's noise, and {TURNED:.0} are needed"
                    )
                });
                still.or_else(quick)
            }
            Turn(axis) => turned(axis).or_else(quick),
            Spin => turned(2).or_else(quick),
            ForceTurn(axis) => felt().or_else(|| turned(axis)).or_else(quick),
            Across | Wind => felt().or_else(|| moved(0, MOVED_M_S)),
            Along => felt().or_else(|| moved(1, CLIMBED_M_S)),
        }
    }

    /// Why the voltage does not tell what it does.
    fn discharged(&self) -> Option<String> {
        let Some([low, _, high]) = self.layout.battery_v else {
            return Some("the log has no voltage of the battery throughout".to_owned());
        };
        (high < (1.0 + DISCHARGED) * low).then(|| {
            format!(
                "the battery goes from {low:.2} to {high:.2} V, and {:.0} % are needed",
                100.0 * DISCHARGED
            )
        })
    }

    /// How much further the quarters of the log are from each other than their own deviations say, as a factor.
    fn disagreement(&self, slope: &DVector<f64>) -> f64 {
        let quarters = &self.fit.quarters;
        if quarters.len() < 2 {
            return 1.0;
        }
        let each: Vec<[f64; 2]> = (quarters.iter())
            .map(|(numbers, covariance)| [slope.dot(numbers), spread(slope, covariance)])
            .collect();
        let weight = |[_, deviation]: &[f64; 2]| deviation.powi(-2);
        let total: f64 = each.iter().map(weight).sum();
        let mean = each.iter().map(|q| q[0] * weight(q)).sum::<f64>() / total;
        let squares: f64 = each.iter().map(|q| (q[0] - mean).powi(2) * weight(q)).sum();
        let disagreement = squares / (each.len() - 1) as f64;
        if disagreement > DISAGREE {
            disagreement.sqrt()
        } else {
            1.0
        }
    }
}

impl Width {
    fn of(self, mean: f64) -> f64 {
        match self {
            Share(share) => share * mean.abs(),
            Absolute(width) => width,
        }
    }
}

pub(super) fn spread(slope: &DVector<f64>, covariance: &nalgebra::DMatrix<f64>) -> f64 {
    slope.dot(&(covariance * slope)).max(0.0).sqrt()
}

/// By differences, which are exact enough for what is nearly linear within an interval.
pub(super) fn slope(value: &impl Fn(&DVector<f64>) -> f64, at: &DVector<f64>) -> DVector<f64> {
    DVector::from_fn(NUMBERS, |i, _| {
        let step = 1e-6 * at[i].abs().max(1e-3);
        let [mut low, mut high] = [at.clone(), at.clone()];
        low[i] -= step;
        high[i] += step;
        (value(&high) - value(&low)) / (2.0 * step)
    })
}
