//! Crossings: the margins of one loop from its frequency response.

use nalgebra::Complex;
use std::f64::consts::{PI, TAU};

/// How closely a response is looked at.
const SAMPLING: Sampling = Sampling {
    steps: 80,
    turn_rad: 0.2,
    small: 0.02,
    halvings: 12,
};

/// Greatest turn between two neighbouring samples that the delay alone makes [rad].
const DELAY_TURN_RAD: f64 = 1.0;

/// A response is less than so many times as large, or as small, between two samples as at them.
const BETWEEN: f64 = 2.0;

/// Places that are looked at for a peak between samples.
const PEAK_ROUNDS: u32 = 12;

/// The open loop: with L(jω) the closed one answers 1 / (1 + L).
pub struct Response<'a> {
    /// L at a frequency [rad/s].
    pub at: &'a dyn Fn(f64) -> Complex<f64>,
    /// How late it answers, whatever the frequency [s].
    pub delay_s: f64,
    /// Least and greatest frequency that are looked at [rad/s].
    pub range_rad_s: [f64; 2],
    /// Whether the greatest frequency is that of Nyquist, where a sampled loop is real.
    pub ends_at_nyquist: bool,
}

/// Margins of one stable loop; `None` if no gain or no delay makes it unstable.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Margins {
    /// Greatest factor below 1 at which the loop begins to oscillate.
    pub gain_down: Option<f64>,
    /// Least factor above 1 at which the loop begins to oscillate.
    pub gain_up: Option<f64>,
    /// Least turn, either way, that makes it oscillate [rad].
    pub phase_rad: Option<f64>,
    /// Least added delay that makes it oscillate [s].
    pub delay_s: Option<f64>,
    /// Balanced disk margin α: gain and phase may vary together inside a disk of this size; gains
    /// from (2 − α) / (2 + α) to (2 + α) / (2 − α), phases to 2 atan(α / 2) (Seiler, Packard,
    /// Gahinet 2020). 2 is the most there is.
    pub disk: f64,
    /// Greatest frequency at which the loop gain is 1 [rad/s].
    pub crossover_rad_s: Option<f64>,
    /// Frequency at which the loop would oscillate at `gain_up` [rad/s].
    pub gain_up_rad_s: Option<f64>,
    /// The same at `gain_down` [rad/s].
    pub gain_down_rad_s: Option<f64>,
    /// The same with the phase turned by `phase_rad` [rad/s].
    pub phase_rad_s: Option<f64>,
}

impl Margins {
    /// Reads them off a response.
    pub fn of(response: &Response) -> Margins {
        let samples = SAMPLING.of(response);
        let mut margins = Margins {
            gain_down: None,
            gain_up: None,
            phase_rad: None,
            delay_s: None,
            disk: disk(response, &samples),
            crossover_rad_s: None,
            gain_up_rad_s: None,
            gain_down_rad_s: None,
            phase_rad_s: None,
        };
        let mut real = Vec::new();
        for pair in samples.windows(2) {
            let [(low, l0), (high, l1)] = [pair[0], pair[1]];
            let size = |w: f64| (response.at)(w).norm_sqr().ln();
            if (l0.norm_sqr() < 1.0) != (l1.norm_sqr() < 1.0) {
                margins.at_crossover(root(size, low, high), response);
            }
            if (l0.im < 0.0) != (l1.im < 0.0) && l0.re.min(l1.re) < 0.0 {
                let sizes = [l0.norm(), l1.norm()];
                real.push(([low, high], sizes[0].min(sizes[1]), sizes[0].max(sizes[1])));
            }
        }
        // Those nearest to oscillating first: most of the others cannot be nearer.
        let off = |least: f64, most: f64| (least.ln().max(0.0)).max(-most.ln());
        real.sort_by(|a, b| off(a.1, a.2).total_cmp(&off(b.1, b.2)));
        for ([low, high], least, most) in real {
            let up = margins
                .gain_up
                .is_some_and(|known| known < 1.0 / (BETWEEN * most));
            let down = margins
                .gain_down
                .is_some_and(|known| known > BETWEEN / least);
            let (below, above) = (BETWEEN * most < 1.0, least > BETWEEN);
            if !(below && up || above && down) {
                let turned = |w: f64| (response.at)(w).im;
                margins.at_real(root(turned, low, high), response);
            }
        }
        if response.ends_at_nyquist {
            margins.at_real(response.range_rad_s[1], response);
        }
        margins
    }

    /// Takes in a frequency at which the gain is 1.
    fn at_crossover(&mut self, frequency: f64, response: &Response) {
        let lag_left = ((response.at)(frequency).arg() + PI).rem_euclid(TAU);
        let turn = lag_left.min(TAU - lag_left);
        if self.phase_rad.is_none_or(|known| turn < known) {
            (self.phase_rad, self.phase_rad_s) = (Some(turn), Some(frequency));
        }
        keep(&mut self.delay_s, lag_left / frequency, f64::min);
        keep(&mut self.crossover_rad_s, frequency, f64::max);
    }

    /// Takes in a frequency at which the response is real.
    fn at_real(&mut self, frequency: f64, response: &Response) {
        let real = (response.at)(frequency).re;
        if real >= -f64::EPSILON {
            return;
        }
        let factor = -1.0 / real;
        if factor < 1.0 {
            if self.gain_down.is_none_or(|known| factor > known) {
                (self.gain_down, self.gain_down_rad_s) = (Some(factor), Some(frequency));
            }
        } else if self.gain_up.is_none_or(|known| factor < known) {
            self.gain_up = Some(factor);
            self.gain_up_rad_s = Some(frequency);
        }
    }
}

fn keep(known: &mut Option<f64>, found: f64, better: fn(f64, f64) -> f64) {
    *known = Some(known.map_or(found, |known| better(known, found)));
}

/// A frequency [rad/s] and what the open loop answers there.
pub(super) type Answer = (f64, Complex<f64>);

/// How closely a response is looked at.
pub(super) struct Sampling {
    /// Steps of one ratio from the least frequency to the greatest.
    pub(super) steps: usize,
    /// Greatest turn between two neighbouring samples where the response is not small [rad].
    pub(super) turn_rad: f64,
    /// Magnitude up to which it is small.
    pub(super) small: f64,
    /// Most halvings of a step.
    pub(super) halvings: u32,
}

impl Sampling {
    /// The response at frequencies so close that it does not turn far in between.
    pub(super) fn of(&self, response: &Response) -> Vec<Answer> {
        let [low, high] = response.range_rad_s;
        let mut samples = vec![(low, (response.at)(low))];
        for k in 1..=self.steps {
            let to = match k == self.steps {
                true => high,
                false => low * (high / low).powf(k as f64 / self.steps as f64),
            };
            let before = samples[samples.len() - 1];
            let to = (to, (response.at)(to));
            self.between(response, [before, to], self.halvings, &mut samples);
        }
        samples
    }

    /// Adds what lies behind the first of two samples, up to the second.
    fn between(
        &self,
        response: &Response,
        [from, to]: [Answer; 2],
        halvings: u32,
        samples: &mut Vec<Answer>,
    ) {
        let turn = (to.1 * from.1.conj()).arg().abs();
        // A whole turn between two samples does not show in them.
        let turns = turn > self.turn_rad || (to.0 - from.0) * response.delay_s > DELAY_TURN_RAD;
        let large = from.1.norm().max(to.1.norm()) > self.small;
        if halvings > 0 && large && turns {
            let middle = (from.0 * to.0).sqrt();
            let middle = (middle, (response.at)(middle));
            self.between(response, [from, middle], halvings - 1, samples);
            self.between(response, [middle, to], halvings - 1, samples);
        } else {
            samples.push(to);
        }
    }
}

/// The root of `f` between two frequencies at which its signs differ: Illinois' regula falsi.
fn root(f: impl Fn(f64) -> f64, low: f64, high: f64) -> f64 {
    let (mut a, mut b) = (low, high);
    let (mut fa, mut fb) = (f(a), f(b));
    for _ in 0..100 {
        if fb == 0.0 || (b - a).abs() <= 4.0 * f64::EPSILON * b.abs() {
            break;
        }
        let c = (a * fb - b * fa) / (fb - fa);
        let fc = f(c);
        if (fc < 0.0) == (fb < 0.0) {
            fa *= 0.5;
        } else {
            (a, fa) = (b, fb);
        }
        (b, fb) = (c, fc);
    }
    b
}

/// 1 / max |S − ½|.
fn disk(response: &Response, samples: &[Answer]) -> f64 {
    let size = |l: Complex<f64>| ((Complex::from(1.0) + l).inv() - 0.5).norm();
    let sizes: Vec<f64> = samples.iter().map(|(_, l)| size(*l)).collect();
    let mut greatest = sizes.iter().copied().fold(0.0, f64::max);
    let place = |k: usize| (samples[k].0, sizes[k]);
    for k in 1..sizes.len() - 1 {
        // Every peak that may turn out to be the greatest once it is looked at closely.
        let peak = sizes[k] >= sizes[k + 1] && sizes[k] >= sizes[k - 1];
        if peak && sizes[k] > 0.7 * greatest {
            let places = [place(k - 1), place(k), place(k + 1)];
            greatest = greatest.max(peak_within(|w| size((response.at)(w)), places));
        }
    }
    1.0 / greatest
}

/// The greatest value of `f` near the middle one of three places, of which it is the greatest: the
/// vertex of the parabola through them, again and again, and every third time the middle of the
/// longer side, so that both sides close in.
fn peak_within(f: impl Fn(f64) -> f64, places: [(f64, f64); 3]) -> f64 {
    let [mut low, mut best, mut high] = places;
    for round in 0..PEAK_ROUNDS {
        let vertex = vertex(low, best, high).filter(|_| round % 3 != 2);
        let to = vertex.unwrap_or(match high.0 - best.0 > best.0 - low.0 {
            true => 0.5 * (best.0 + high.0),
            false => 0.5 * (low.0 + best.0),
        });
        let found = (to, f(to));
        (low, best, high) = match (found.1 > best.1, to < best.0) {
            (true, true) => (low, found, best),
            (true, false) => (best, found, high),
            (false, true) => (found, best, high),
            (false, false) => (low, best, found),
        };
    }
    best.1
}

/// Where the parabola through three points has its vertex, if that is between them and none of them.
fn vertex(low: (f64, f64), best: (f64, f64), high: (f64, f64)) -> Option<f64> {
    let (before, after) = (best.0 - low.0, high.0 - best.0);
    let (rise, fall) = (before * (best.1 - high.1), after * (best.1 - low.1));
    let at = best.0 - 0.5 * (before * rise - after * fall) / (rise + fall);
    (at > low.0 && at < high.0 && at != best.0).then_some(at)
}

#[cfg(test)]
mod tests;
