//! Rotors as a log's commands move them: late by a delay, then after a first-order lag.

use super::super::part::Part;
use super::dual::Dual;

/// Speeds of the rotors over their greatest, followed through one part of a log.
pub(crate) struct Rotors<'a> {
    part: &'a Part,
    lag_s: f64,
    delay_s: f64,
    /// Speed where nothing is commanded.
    idle: f64,
    /// The next command that has not arrived.
    next: usize,
    now_s: f64,
    rotors: Vec<Rotor>,
}

/// One rotor, its commands over the greatest.
#[derive(Debug, Clone, Copy)]
struct Rotor {
    /// What it is told now.
    command: f64,
    share: f64,
    /// Slope of its speed by the logarithm of the lag.
    by_lag: f64,
}

impl<'a> Rotors<'a> {
    /// At the start of `part`, settled where the first command holds them.
    pub(crate) fn new(part: &'a Part, lag_s: f64, delay_s: f64, idle: f64) -> Rotors<'a> {
        let (first_s, first) = &part.commands[0];
        let rotor = |share: &f64| Rotor {
            command: *share,
            share: *share,
            by_lag: 0.0,
        };
        Rotors {
            part,
            lag_s,
            delay_s,
            idle,
            next: 1,
            now_s: first_s + delay_s,
            rotors: first.iter().map(rotor).collect(),
        }
    }

    /// Moves on to `time_s`.
    pub(crate) fn advance(&mut self, time_s: f64) {
        loop {
            let (from_s, from) = &self.part.commands[self.next - 1];
            let Some((until_s, until)) = self.part.commands.get(self.next) else {
                return;
            };
            let late_s = self.delay_s;
            let end_s = (until_s + late_s).min(time_s);
            if end_s > self.now_s {
                let per_s = 1.0 / (until_s - from_s);
                let past = (self.now_s - late_s - from_s) * per_s;
                self.lag(end_s - self.now_s, from, until, past, per_s);
                self.now_s = end_s;
            }
            if until_s + late_s > time_s {
                return;
            }
            self.next += 1;
        }
    }

    /// Follows commands that go straight from `from` to `until`, of which the share `past` is over.
    fn lag(&mut self, span_s: f64, from: &[f64], until: &[f64], past: f64, per_s: f64) {
        let lag_s = self.lag_s;
        let kept = (-span_s / lag_s).exp();
        for (i, rotor) in self.rotors.iter_mut().enumerate() {
            let slope = (until[i] - from[i]) * per_s;
            let begins = from[i] + (until[i] - from[i]) * past;
            // With u = b + m t: s = b + m (t - lag) + (s0 - b + m lag) exp(-t/lag).
            let off = (rotor.share - begins + slope * lag_s) * kept;
            // Slopes by the logarithm of the lag.
            rotor.by_lag =
                rotor.by_lag * kept + off * span_s / lag_s + slope * lag_s * (kept - 1.0);
            rotor.command = begins + slope * span_s;
            rotor.share = rotor.command - slope * lag_s + off;
        }
    }

    /// The speed of rotor `i`, with its slopes by the logarithm of the lag, by the delay and by the speed at no command.
    #[inline(always)]
    pub(crate) fn share(&self, i: usize) -> Dual {
        let rotor = &self.rotors[i];
        let (range, by_idle) = (1.0 - self.idle, 1.0 - rotor.share);
        let by_delay = -range * (rotor.command - rotor.share) / self.lag_s;
        let slopes = [range * rotor.by_lag, by_delay, 0.0, 0.0, by_idle, 0.0];
        Dual::new(self.idle + range * rotor.share, slopes)
    }

    /// How many rotors there are.
    pub(crate) fn count(&self) -> usize {
        self.rotors.len()
    }
}
