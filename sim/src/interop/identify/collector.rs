//! Collector: the parts of a log that can be fitted, found on the way through it, in bounded memory.

use super::super::flight_log::{LogReading, LogSample};
use super::part::{Instant, Motion, Part, SHORTEST_S};
use super::survey::shares;
use crate::PerRotor;
use nalgebra::{Quaternion, UnitQuaternion, Vector3};
use serde::Serialize;

/// Longest part [s].
const LONGEST_S: f64 = 30.0;

/// Time that all parts kept last at most [s].
const KEPT_S: f64 = 120.0;

/// Specific force and rate beyond which something was touched or a sensor is at its end [m/s², rad/s].
pub(super) const STRUCK_M_S2: f64 = 60.0;
pub(super) const TUMBLING_RAD_S: f64 = 30.0;

/// Time that is left out behind a blow and after a start [s].
const CALM_S: f64 = 0.5;

/// Longest gap of gyro and motors, over the distance of two samples and at least [s].
const GAP: f64 = 2.5;
const LEAST_GAP_S: f64 = 5e-3;

/// Longest gaps of the accelerometer and of the battery's voltage [s].
const FORCE_GAP_S: f64 = 0.05;
const BATTERY_GAP_S: f64 = 5.0;

/// Distance of instants [s]. Faster samples are averaged: what they hold besides is mostly vibration, which the sensors'
/// own filters have coloured.
const PERIOD_S: f64 = 4e-3;

/// Time to each side over which the velocity is averaged, and the battery's voltage [s].
const VELOCITY_S: f64 = 0.08;
const BATTERY_S: f64 = 1.0;

/// Least distance of two voltages that are kept [s].
const BATTERY_EVERY_S: f64 = 0.05;

/// Time over which the mean command is smoothed [s].
const SMOOTH_S: f64 = 0.3;

/// Why a stretch of a log is not used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unused {
    /// Motors idle, or it has just left the ground.
    Ground,
    /// Something was hit, or a sensor was at its end.
    Struck,
    /// Samples are missing.
    Gap,
    /// Too short, or less lively than others of which there was enough.
    Spare,
}

impl Unused {
    /// All reasons, in their order.
    pub const ALL: [Unused; 4] = [Unused::Ground, Unused::Struck, Unused::Gap, Unused::Spare];

    /// What is said of it.
    pub fn said(self) -> &'static str {
        match self {
            Unused::Ground => "on the ground",
            Unused::Struck => "struck or tumbling",
            Unused::Gap => "samples missing",
            Unused::Spare => "too short or spare",
        }
    }
}

/// A stretch of time of a log: used, or why not.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Stretch {
    /// When it begins and ends [s].
    pub span_s: [f64; 2],
    /// Why it is not used.
    pub unused: Option<Unused>,
}

/// A part with where it is from.
struct Found {
    part: Part,
    /// How lively its commands are.
    lively: f64,
    stretch: usize,
}

/// Samples of one kind.
type Track<T> = Vec<Timed<T>>;

/// With its time [s].
type Timed<T> = (f64, T);

/// Finds parts while a log passes by.
pub(super) struct Collector {
    airborne: f64,
    top_rad_s: f64,
    /// Longest gaps of gyro and motors [s].
    gaps_s: [f64; 2],
    smooth: Option<(f64, f64)>,
    not_before_s: f64,
    begun_s: Option<f64>,
    gyro: Track<[f64; 3]>,
    force: Track<[f64; 3]>,
    velocity: Track<[f64; 3]>,
    attitude: Track<[f64; 4]>,
    motors: Track<PerRotor>,
    battery: Track<[f64; 1]>,
    found: Vec<Found>,
    timeline: Vec<Stretch>,
}

impl Collector {
    /// For a vehicle that is in the air above a mean command of `airborne`, whose gyro and motors are logged so often.
    pub(super) fn new(airborne: f64, top_rad_s: f64, rates_hz: [f64; 2]) -> Collector {
        Collector {
            airborne,
            top_rad_s,
            gaps_s: rates_hz.map(|hz| (GAP / hz.max(1.0)).max(LEAST_GAP_S)),
            smooth: None,
            not_before_s: 0.0,
            begun_s: None,
            gyro: Vec::new(),
            force: Vec::new(),
            velocity: Vec::new(),
            attitude: Vec::new(),
            motors: Vec::new(),
            battery: Vec::new(),
            found: Vec::new(),
            timeline: Vec::new(),
        }
    }

    /// Takes in a sample.
    pub(super) fn visit(&mut self, sample: &LogSample) {
        let at_s = sample.time_s;
        if let Some(shares) = shares(&sample.reading, self.top_rad_s) {
            self.motors(at_s, shares);
        }
        match sample.reading {
            LogReading::Gyro(rates) => {
                let last = self.gyro.last().map(|(t, _)| *t);
                if let Some(last_s) = last.filter(|t| at_s > t + self.gaps_s[0]) {
                    self.end(Unused::Gap, last_s, at_s);
                }
                if rates.iter().any(|rate| rate.abs() > TUMBLING_RAD_S) {
                    self.struck(at_s);
                }
                if self.begun_s.is_some() {
                    self.gyro.push((at_s, rates));
                }
            }
            LogReading::Accelerometer(force) => {
                if force.iter().any(|force| force.abs() > STRUCK_M_S2) {
                    self.struck(at_s);
                }
                if self.begun_s.is_some() {
                    self.force.push((at_s, force));
                }
            }
            LogReading::Velocity(velocity) if self.begun_s.is_some() => {
                self.velocity.push((at_s, velocity));
            }
            LogReading::Battery(volts) if volts > 0.0 => {
                if self.begun_s.is_none() {
                    self.battery.clear();
                }
                let last = self.battery.last().map(|(t, _)| *t);
                if last.is_none_or(|t| at_s >= t + BATTERY_EVERY_S) {
                    self.battery.push((at_s, [volts]));
                }
            }
            LogReading::Attitude(mut attitude) if self.begun_s.is_some() => {
                // A quaternion and its negative are one attitude, and between them lies none.
                let last = self.attitude.last().map_or(attitude, |(_, last)| *last);
                let along: f64 = attitude.iter().zip(last).map(|(a, b)| a * b).sum();
                attitude = attitude.map(|x| x * along.signum());
                self.attitude.push((at_s, attitude));
            }
            _ => {}
        }
    }

    fn motors(&mut self, at_s: f64, shares: PerRotor) {
        let mean = shares.iter().sum::<f64>() / shares.len().max(1) as f64;
        let (before_s, smooth) = self.smooth.unwrap_or((at_s, 0.0));
        let kept = (-(at_s - before_s).max(0.0) / SMOOTH_S).exp();
        let smooth = mean + (smooth - mean) * kept;
        self.smooth = Some((at_s, smooth));
        let last = self.motors.last().map(|(t, _)| *t);
        if let Some(last_s) = last.filter(|t| at_s > t + self.gaps_s[1]) {
            self.end(Unused::Gap, last_s, at_s);
        }
        if smooth < self.airborne {
            self.end(Unused::Ground, at_s, at_s + CALM_S);
            return;
        }
        if at_s < self.not_before_s {
            return;
        }
        let begun_s = *self.begun_s.get_or_insert(at_s);
        self.motors.push((at_s, shares));
        if at_s > begun_s + LONGEST_S {
            self.finish(at_s);
        }
    }

    /// Ends the part that is under way because of what happened from `from_s` to `until_s`.
    fn end(&mut self, why: Unused, from_s: f64, until_s: f64) {
        if self.begun_s.is_some() {
            self.finish(from_s);
        }
        self.not_before_s = until_s;
        self.note([from_s, until_s], Some(why));
    }

    /// Ends it because something was touched, or a sensor was at its end.
    fn struck(&mut self, at_s: f64) {
        // What led to it is no free flight either.
        self.end(Unused::Struck, at_s - 0.2, at_s + CALM_S);
    }

    /// Writes down what became of a stretch, as one with the one before where that is alike.
    fn note(&mut self, span_s: [f64; 2], unused: Option<Unused>) {
        match self.timeline.last_mut() {
            Some(last) if last.unused == unused && span_s[0] <= last.span_s[1] + 0.5 => {
                last.span_s[1] = last.span_s[1].max(span_s[1]);
            }
            _ => self.timeline.push(Stretch { span_s, unused }),
        }
    }

    /// Makes a part of what was collected until `at_s`.
    fn finish(&mut self, at_s: f64) {
        let begun_s = self.begun_s.take().unwrap_or(at_s);
        let part = self.part(at_s);
        for track in [&mut self.gyro, &mut self.force, &mut self.velocity] {
            track.clear();
        }
        self.attitude.clear();
        self.motors.clear();
        // The last voltage holds on into the next part.
        let old = self.battery.len().saturating_sub(1);
        self.battery.drain(..old);
        let long_enough = part
            .as_ref()
            .is_some_and(|part| part.duration_s() >= SHORTEST_S);
        let Some(part) = part.filter(|_| long_enough) else {
            self.note([begun_s, at_s], Some(Unused::Spare));
            return;
        };
        self.timeline.push(Stretch {
            span_s: [begun_s, at_s],
            unused: None,
        });
        self.found.push(Found {
            lively: part.liveliness(),
            part,
            stretch: self.timeline.len() - 1,
        });
        self.keep_the_liveliest();
    }

    fn keep_the_liveliest(&mut self) {
        let kept_s = |found: &[Found]| found.iter().map(|of| of.part.duration_s()).sum::<f64>();
        while kept_s(&self.found) > KEPT_S {
            let least = (0..self.found.len())
                .min_by(|a, b| self.found[*a].lively.total_cmp(&self.found[*b].lively));
            let Some(least) = least else { return };
            let gone = self.found.remove(least);
            self.timeline[gone.stretch].unused = Some(Unused::Spare);
        }
    }

    /// The collected samples until `until_s` on the gyro's clock.
    fn part(&self, until_s: f64) -> Option<Part> {
        let last = self.motors.last()?.0.min(until_s);
        let first = self.motors.first()?.0;
        let gyro: Vec<_> = (self.gyro.iter().copied())
            .filter(|(t, _)| (first..=last).contains(t))
            .collect();
        let (from, to) = (gyro.first()?.0, gyro.last()?.0);
        let period_s = (to - from) / (gyro.len() - 1).max(1) as f64;
        let every = ((PERIOD_S / period_s * 1.1).floor() as usize).max(1);
        let mut ways = [0; 4];
        let velocity = smoothed(&self.velocity, VELOCITY_S);
        let battery = smoothed(&self.battery, BATTERY_S);
        let instants = gyro.chunks_exact(every).map(|chunk| {
            let count = every as f64;
            let mean =
                |of: &dyn Fn(&Timed<[f64; 3]>) -> f64| chunk.iter().map(of).sum::<f64>() / count;
            let time_s = mean(&|(t, _)| *t);
            let velocity = between(&velocity, time_s, &mut ways[0], 0.5);
            let attitude = between(&self.attitude, time_s, &mut ways[1], 0.1);
            Instant {
                time_s,
                rates_rad_s: [0, 1, 2].map(|axis| mean(&|(_, rates)| rates[axis])),
                force_m_s2: between(&self.force, time_s, &mut ways[2], FORCE_GAP_S),
                motion: velocity.zip(attitude).map(|(v, q)| motion(v, q)),
                battery_v: between(&battery, time_s, &mut ways[3], BATTERY_GAP_S)
                    .map(|[volts]| volts),
            }
        });
        Some(Part {
            instants: instants.collect(),
            commands: self.motors.clone(),
        })
    }

    /// The parts and what became of every stretch.
    pub(super) fn collected(mut self) -> (Vec<Part>, Vec<Stretch>) {
        if let (Some((at_s, _)), Some(_)) = (self.smooth, self.begun_s) {
            self.finish(at_s);
        }
        let parts = self.found.into_iter().map(|found| found.part).collect();
        (parts, self.timeline)
    }
}

fn motion(velocity: [f64; 3], [w, x, y, z]: [f64; 4]) -> Motion {
    let body = UnitQuaternion::new_normalize(Quaternion::new(w, x, y, z)).inverse();
    Motion {
        velocity_m_s: (body * Vector3::from(velocity)).into(),
        level: [Vector3::x(), Vector3::y()].map(|axis| (body * axis).into()),
    }
}

/// Each sample as the mean of those up to `reach_s` around it: noise of the velocity would make drag look smaller than
/// it is, and a voltage that dips with the load would look like a curve of the thrust.
fn smoothed<const N: usize>(track: &Track<[f64; N]>, reach_s: f64) -> Track<[f64; N]> {
    let mean = |(k, (at_s, _)): (usize, &Timed<[f64; N]>)| {
        let from = track.partition_point(|(t, _)| *t < at_s - reach_s);
        let to = track.partition_point(|(t, _)| *t <= at_s + reach_s);
        // As many before as behind.
        let reach = (k - from).min(to - 1 - k);
        let near = &track[k - reach..=k + reach];
        let sum = |axis: usize| near.iter().map(|(_, v)| v[axis]).sum::<f64>();
        (
            *at_s,
            std::array::from_fn(|axis| sum(axis) / near.len() as f64),
        )
    };
    track.iter().enumerate().map(mean).collect()
}

/// What `track` has at `time_s`, straight between two samples that are at most `gap_s` from each other; `way` is how
/// far one has come in it.
fn between<const N: usize>(
    track: &Track<[f64; N]>,
    time_s: f64,
    way: &mut usize,
    gap_s: f64,
) -> Option<[f64; N]> {
    while track.get(*way + 1).is_some_and(|(t, _)| *t < time_s) {
        *way += 1;
    }
    let (from_s, from) = track.get(*way)?;
    let Some((to_s, to)) = track.get(*way + 1) else {
        return ((time_s - from_s).abs() <= gap_s).then_some(*from);
    };
    if time_s <= *from_s {
        return (from_s - time_s <= gap_s).then_some(*from);
    }
    if to_s - from_s > gap_s {
        return None;
    }
    let share = (time_s - from_s) / (to_s - from_s);
    Some(std::array::from_fn(|i| from[i] + (to[i] - from[i]) * share))
}
