//! Part: a stretch of a log that can be fitted, every sensor on the gyro's clock.

use crate::{GRAVITY_M_S2, PerRotor};
use nalgebra::{Matrix3, Vector3};

/// Shortest part [s].
pub(super) const SHORTEST_S: f64 = 3.0;

/// Time in which the velocity follows what was measured [s].
const FOLLOWS_S: f64 = 0.5;

/// For how long a command acts on [s].
const BEFORE_S: f64 = 1.0;

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

    /// Whether all instants of `parts` are so.
    pub(super) fn all(parts: &[Part], so: impl Fn(&Instant) -> bool) -> bool {
        parts.iter().flat_map(|part| &part.instants).all(so)
    }

    /// `parts` in which every instant has what most have, and no instant what few have: first the accelerometer, then
    /// the estimator's motion, without its noise, then the battery's voltage. What is left out of each of them for that is
    /// said.
    pub(super) fn alike(parts: Vec<Part>) -> (Vec<Part>, Vec<String>) {
        type Has = fn(&Instant) -> bool;
        type Strip = fn(&mut Instant);
        let kinds: [(&str, Has, Strip); 3] = [
            (
                "accelerometer",
                |i| i.force_m_s2.is_some(),
                |i| i.force_m_s2 = None,
            ),
            (
                "velocity with an attitude",
                |i| i.motion.is_some(),
                |i| i.motion = None,
            ),
            (
                "battery voltage",
                |i| i.battery_v.is_some(),
                |i| i.battery_v = None,
            ),
        ];
        let lasts_s = |parts: &[Part]| parts.iter().map(Part::duration_s).sum::<f64>();
        let (mut parts, mut said) = (parts, Vec::new());
        for (what, has, strip) in kinds {
            if Part::all(&parts, has) || !parts.iter().any(|part| part.instants.iter().any(has)) {
                continue;
            }
            let with: Vec<Part> = parts.iter().flat_map(|part| part.runs(has)).collect();
            let [all_s, with_s] = [&parts, &with].map(|of| lasts_s(of));
            if with_s >= 0.5 * all_s {
                let out_s = all_s - with_s;
                said.push(format!(
                    "{out_s:.1} s in or about which the log has no {what} are left out"
                ));
                parts = with;
            } else {
                said.push(format!(
                    "the {what} is left out: the log has it for {with_s:.1} of {all_s:.1} s"
                ));
                parts
                    .iter_mut()
                    .flat_map(|part| &mut part.instants)
                    .for_each(strip);
            }
        }
        parts.iter_mut().for_each(Part::settle_velocity);
        (parts, said)
    }

    /// Takes the noise out of the velocity: from one instant to the next the accelerometer says how it changes, and within
    /// [`FOLLOWS_S`] it follows what was measured. Drag is told by quick changes of velocity where slow ones are the
    /// gusts', and noise among them would make it look small.
    fn settle_velocity(&mut self) {
        let mut last: Option<(f64, Vector3<f64>, Vector3<f64>)> = None;
        for now in &mut self.instants {
            let (Some(motion), Some(force)) = (&mut now.motion, now.force_m_s2) else {
                last = None;
                continue;
            };
            let [x, y] = motion.level.map(Vector3::from);
            let world = Matrix3::from_columns(&[x, y, x.cross(&y)]).transpose();
            let measured = world * Vector3::from(motion.velocity_m_s);
            let settled = last.map_or(measured, |(time_s, velocity, gained)| {
                let span_s = now.time_s - time_s;
                let moved = velocity + gained * span_s;
                moved + (measured - moved) * (1.0 - (-span_s / FOLLOWS_S).exp())
            });
            motion.velocity_m_s = (world.transpose() * settled).into();
            let gained = world * Vector3::from(force) - Vector3::z() * GRAVITY_M_S2;
            last = Some((now.time_s, settled, gained));
        }
    }

    /// The runs of its instants that are so and last long enough.
    fn runs(&self, so: impl Fn(&Instant) -> bool) -> Vec<Part> {
        let runs = self.instants.chunk_by(|a, b| so(a) == so(b));
        let runs = runs.filter(|run| run.first().is_some_and(&so));
        let runs = runs.map(|run| {
            // Commands that act in it were given before it.
            let from = self
                .commands
                .partition_point(|(time_s, _)| *time_s < run[0].time_s - BEFORE_S);
            Part {
                instants: run.to_vec(),
                commands: self.commands[from.saturating_sub(1)..].to_vec(),
            }
        });
        runs.filter(|run| run.duration_s() >= SHORTEST_S).collect()
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

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// A vehicle that is pitched by .2 rad and swings along the world's x, with a velocity in white noise of .1 m/s.
    #[test]
    fn noise_leaves_the_velocity_and_changes_stay() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let (sine, cosine) = 0.2f64.sin_cos();
        let true_m_s = |time_s: f64| 2.0 * (3.0 * time_s).sin();
        let instant = |k: u32| {
            let time_s = 0.004 * f64::from(k);
            let noise: f64 = (0..12).map(|_| rng.random_range(-0.5..0.5)).sum();
            let along = true_m_s(time_s) + 0.1 * noise;
            let gained = 6.0 * (3.0 * time_s).cos();
            let body = |x: f64, z: f64| [cosine * x - sine * z, 0.0, sine * x + cosine * z];
            Instant {
                time_s,
                rates_rad_s: [0.0; 3],
                force_m_s2: Some(body(gained, GRAVITY_M_S2)),
                motion: Some(Motion {
                    velocity_m_s: body(along, 0.0),
                    level: [body(1.0, 0.0), [0.0, 1.0, 0.0]],
                }),
                battery_v: None,
            }
        };
        let part = Part {
            instants: (0..5000).map(instant).collect(),
            commands: Vec::new(),
        };
        let (parts, said) = Part::alike(vec![part]);
        assert!(said.is_empty(), "{said:?}");
        let off = parts[0].instants[500..].iter().map(|now| {
            let [x, y, z] = now.motion.expect("kept").velocity_m_s;
            let error = cosine * x + sine * z - true_m_s(now.time_s);
            error * error + y * y + (cosine * z - sine * x).powi(2)
        });
        let rms_m_s = (off.sum::<f64>() / 4500.0).sqrt();
        // Steps of 4 ms within half a second leave 1/16 of it, and the held acceleration a little.
        assert!(rms_m_s < 0.02, "{rms_m_s}");
    }
}
