//! Part: a stretch of a log that can be fitted, every sensor on the gyro's clock.

use crate::PerRotor;

/// One instant of a part.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Instant {
    /// Time [s].
    pub time_s: f64,
    /// Body rates [rad/s].
    pub rates_rad_s: [f64; 3],
    /// Specific force in body axes [m/s²].
    pub force_m_s2: Option<[f64; 3]>,
    /// What the estimator aboard says.
    pub motion: Option<Motion>,
    /// Voltage of the battery, over a second or so [V].
    pub battery_v: Option<f64>,
}

/// What an estimator aboard says of the vehicle's motion, in body axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Motion {
    /// Velocity over the ground [m/s].
    pub velocity_m_s: [f64; 3],
    /// The world's x and y axes.
    pub level: [[f64; 3]; 2],
}

/// A stretch of a log without gaps.
#[derive(Debug, Clone, Default)]
pub struct Part {
    /// At equal distances.
    pub instants: Vec<Instant>,
    /// Time [s] and share of each motor's full command, held until the next.
    pub commands: Vec<(f64, PerRotor)>,
}

impl Part {
    /// Distance of two instants [s].
    pub fn period_s(&self) -> f64 {
        match &self.instants[..] {
            [first, .., last] => (last.time_s - first.time_s) / (self.instants.len() - 1) as f64,
            _ => 1.0,
        }
    }

    /// How long it lasts [s].
    pub fn duration_s(&self) -> f64 {
        match &self.instants[..] {
            [first, .., last] => last.time_s - first.time_s,
            _ => 0.0,
        }
    }

    /// Mean variance of the motors' commands.
    pub(super) fn liveliness(&self) -> f64 {
        let count = self.commands.first().map_or(0, |(_, shares)| shares.len());
        let variance = |i: usize| {
            let samples = self.commands.iter().map(|(_, shares)| shares[i]);
            let (n, sum, squares) = samples.fold((0.0f64, 0.0, 0.0), |(n, sum, squares), x| {
                (n + 1.0, sum + x, squares + x * x)
            });
            (squares - sum * sum / n.max(1.0)) / n.max(1.0)
        };
        (0..count).map(variance).sum::<f64>() / count.max(1) as f64
    }

    /// Lowest, mean and highest voltage of the battery [V]; `None` where an instant of `parts` has none.
    pub(super) fn battery_v(parts: &[Part]) -> Option<[f64; 3]> {
        let (mut low, mut sum, mut high, mut count) = (f64::INFINITY, 0.0, 0.0f64, 0.0);
        for instant in parts.iter().flat_map(|part| &part.instants) {
            let volts = instant.battery_v?;
            (low, high) = (low.min(volts), high.max(volts));
            sum += volts;
            count += 1.0;
        }
        (count > 0.0).then(|| [low, sum / count, high])
    }

    /// Mean share of all motors in `parts`.
    pub(super) fn mean_command(parts: &[Part]) -> f64 {
        let commands = parts.iter().flat_map(|part| &part.commands);
        let (mut sum, mut count) = (0.0, 0.0f64);
        for share in commands.flat_map(|(_, shares)| shares.iter()) {
            sum += share;
            count += 1.0;
        }
        sum / count.max(1.0)
    }
}
