//! Survey: what a log is good for, before any of it is fitted: how the motors were driven, and when it flew.

use super::super::flight_log::{LogReading, LogSample};
use crate::PerRotor;

/// Mean share of full below which motors idle at most.
const IDLE: f64 = 0.15;

/// Time that a log must fly [s].
const LEAST_FLOWN_S: f64 = 3.0;

/// Share of the level in flight from which on a vehicle is in the air.
const AIRBORNE: f64 = 0.5;

/// Longest time for which a command counts [s].
const HELD_S: f64 = 0.25;

const BINS: usize = 200;

/// What one passage through a log found.
#[derive(Debug, Clone)]
pub(super) struct Survey {
    /// Time at each mean share of full command [s].
    shares_s: [f64; BINS],
    last: Option<(f64, f64)>,
    commands: Option<PerRotor>,
    pub(super) rotors: usize,
    /// Changes of the commands with power, and the time that they span [s].
    motors: (u64, f64),
}

impl Survey {
    pub(super) fn new() -> Survey {
        Survey {
            shares_s: [0.0; BINS],
            last: None,
            commands: None,
            rotors: 0,
            motors: (0, 0.0),
        }
    }

    /// Takes in a sample; `top_rad_s` is the greatest speed of the nominal rotors.
    pub(super) fn visit(&mut self, sample: &LogSample, top_rad_s: f64) {
        let Some(shares) = shares(&sample.reading, top_rad_s) else {
            return;
        };
        self.rotors = self.rotors.max(shares.len());
        let mean = shares.iter().sum::<f64>() / shares.len().max(1) as f64;
        if let Some((before_s, before)) = self.last {
            let span_s = (sample.time_s - before_s).clamp(0.0, HELD_S);
            let bin = (before * BINS as f64).clamp(0.0, BINS as f64 - 1.0) as usize;
            self.shares_s[bin] += span_s;
            if before > IDLE {
                // A row that repeats the commands of the one before says nothing.
                self.motors.0 += u64::from(self.commands != Some(shares));
                self.motors.1 += span_s;
            }
        }
        self.last = Some((sample.time_s, mean));
        self.commands = Some(shares);
    }

    /// Time in which the motors do more than idle [s].
    pub(super) fn flown_s(&self) -> f64 {
        let idle = (IDLE * BINS as f64) as usize;
        self.shares_s[idle..].iter().sum()
    }

    /// Mean share of full in flight: the median of all that is more than idling. `None` where it never flies.
    pub(super) fn hover(&self) -> Option<f64> {
        (self.flown_s() >= LEAST_FLOWN_S).then(|| self.quantile(0.5))
    }

    /// Mean share of full below which the motors are for this part of the time in which they do more than idle.
    pub(super) fn quantile(&self, part: f64) -> f64 {
        let idle = (IDLE * BINS as f64) as usize;
        let flown_s = self.flown_s();
        let mut before_s = 0.0;
        let found = (idle..BINS).find(|bin| {
            before_s += self.shares_s[*bin];
            before_s >= part * flown_s
        });
        (found.unwrap_or(BINS - 1) as f64 + 0.5) / BINS as f64
    }

    /// Mean share above which the vehicle is in the air.
    pub(super) fn airborne(&self) -> Option<f64> {
        self.hover().map(|hover| AIRBORNE * hover)
    }

    /// Greatest mean share that lasted.
    pub(super) fn most(&self) -> f64 {
        let bin = self.shares_s.iter().rposition(|s| *s > 0.05);
        bin.map_or(0.0, |bin| (bin as f64 + 0.5) / BINS as f64)
    }

    /// Rate at which the motors are logged in flight [Hz].
    pub(super) fn motors_hz(&self) -> f64 {
        self.motors.0 as f64 / self.motors.1.max(1e-9)
    }
}

/// Share of full of each motor, of the reading of a command.
pub(super) fn shares(reading: &LogReading, top_rad_s: f64) -> Option<PerRotor> {
    match reading {
        LogReading::Motors(shares) => Some(*shares),
        LogReading::SpeedCommands(speeds) => Some(speeds.map(|speed| speed / top_rad_s)),
        _ => None,
    }
}
