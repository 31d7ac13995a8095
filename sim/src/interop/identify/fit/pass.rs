//! Pass: once through the log with given numbers: how likely it is, and how that changes with each number.

use super::super::part::{Instant, Part};
use super::dual::{Dual, SLOPES};
use super::model::{
    FACTORS, IDLE, LAG, Layout, NUMBERS, SENSORS, SHAPE, Terms, YAW, YAW_SPIN_UP, banks,
    integrated, shape,
};
use super::noise::{Memory, Ratios, Sensor, Whitener, warm_up};
use nalgebra::{DMatrix, DVector};

/// Innovations beyond so many deviations pull no harder than one of so many.
const TAME: f64 = 3.0;

/// Length of the blocks whose scores and curvatures are kept [s].
pub(crate) const BLOCK_S: f64 = 2.0;

/// Most terms of one sensor.
const MOST_TERMS: usize = 8;

/// Most numbers that one sensor depends on.
const MOST_COLUMNS: usize = MOST_TERMS + SHAPE;

/// Noise of one sensor.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Noise {
    pub(crate) ratios: Ratios,
    /// Deviation of the innovations.
    pub(crate) deviation: f64,
}

/// What a stretch of the log says of the numbers.
#[derive(Debug, Clone)]
pub(crate) struct Block {
    /// Slope of the log likelihood.
    pub(crate) score: DVector<f64>,
    /// Its negative curvature.
    pub(crate) curvature: DMatrix<f64>,
}

impl Block {
    pub(crate) fn empty() -> Block {
        Block {
            score: DVector::zeros(NUMBERS),
            curvature: DMatrix::zeros(NUMBERS, NUMBERS),
        }
    }

    /// What all of `blocks` say together.
    pub(crate) fn sum<'a>(blocks: impl IntoIterator<Item = &'a Block>) -> Block {
        let mut sum = Block::empty();
        for block in blocks {
            sum.score += &block.score;
            sum.curvature += &block.curvature;
        }
        sum
    }
}

/// What a pass gives.
pub(crate) struct Pass {
    pub(crate) blocks: Vec<Block>,
    /// What the model leaves, by sensor and part.
    pub(crate) residuals: [Vec<Vec<f64>>; SENSORS],
}

/// Of which kind sensor `c` is.
pub(crate) fn kind(c: usize) -> Sensor {
    if c < 3 { Sensor::Rate } else { Sensor::Force }
}

/// What sensor `c` shows at `now`.
fn shown(c: usize, now: &Instant) -> Option<f64> {
    match c {
        0..3 => Some(now.rates_rad_s[c]),
        _ => now.force_m_s2.map(|force| force[c - 3]),
    }
}

/// The filter of sensor `c`. A rotor that gains speed turns the vehicle about z at once, so the yaw rate shows
/// jitter also before its drag has turned anything.
pub(crate) fn whitener(
    c: usize,
    ratios: Ratios,
    numbers: &DVector<f64>,
    period_s: f64,
) -> Whitener {
    let gain = numbers[YAW];
    let direct = match c {
        2 if gain != 0.0 => numbers[YAW_SPIN_UP] * (1.0 - numbers[IDLE]) / (gain * period_s),
        _ => 0.0,
    };
    let lag_s = numbers[LAG].exp();
    Whitener::new(kind(c), ratios, direct.clamp(-1e4, 1e4), lag_s, period_s)
}

/// One sensor on its way through a part.
struct Channel {
    filter: Whitener,
    deviation: f64,
    /// Integral of each term, and its last value.
    sums: [[Dual; 2]; MOST_TERMS],
    /// Of the residual, then of each column.
    memories: [Memory; MOST_COLUMNS + 1],
    first: f64,
    /// What each column is the slope by.
    columns: Vec<usize>,
    row: [f64; MOST_COLUMNS],
    curvature: [[f64; MOST_COLUMNS]; MOST_COLUMNS],
}

impl Channel {
    fn new(filter: Whitener, deviation: f64) -> Channel {
        Channel {
            filter,
            deviation,
            sums: Default::default(),
            memories: [Memory::default(); MOST_COLUMNS + 1],
            first: 0.0,
            columns: Vec::new(),
            row: [0.0; MOST_COLUMNS],
            curvature: [[0.0; MOST_COLUMNS]; MOST_COLUMNS],
        }
    }

    /// What the model predicts; the terms of which the sensor shows the integral become that.
    #[inline(always)]
    fn predicted(
        &mut self,
        c: usize,
        terms: &mut Terms,
        span_s: Option<f64>,
        numbers: &DVector<f64>,
    ) -> Dual {
        let mut predicted = Dual::default();
        for ((factor, term), [sum, last]) in terms.iter_mut().zip(&mut self.sums) {
            if integrated(c, *factor) {
                if let Some(span_s) = span_s {
                    *sum = *sum + (*term + *last) * (0.5 * span_s);
                }
                *last = *term;
                *term = *sum;
            } else if c < 3 {
                // Rates are counted from where they begin.
                if span_s.is_none() {
                    *sum = *term;
                }
                *term = *term - *sum;
            }
            predicted = predicted + *term * numbers[*factor];
        }
        predicted
    }

    /// Filters the slopes of the prediction like its residual.
    #[inline(always)]
    fn differentiate(&mut self, c: usize, terms: &Terms, predicted: &Dual) {
        let scale = 1.0 / self.deviation;
        for (j, (_, term)) in terms.iter().enumerate() {
            self.row[j] = scale * self.filter.step(&mut self.memories[1 + j], term.value);
        }
        for (j, slope) in predicted.slopes.iter().enumerate() {
            let at = terms.len() + j;
            // What the air does to the rates is too little to tell the wind from it; the curve of the thrust and
            // what the battery does are told by the specific force alone.
            let slope = if c < 3 && j >= 2 { 0.0 } else { *slope };
            self.row[at] = scale * self.filter.step(&mut self.memories[1 + at], slope);
        }
        let last = terms.len() + SLOPES;
        if c >= 3 {
            // The accelerometer's own delay has the slope of the delay.
            self.row[last] = self.row[terms.len() + 1];
        }
        if self.columns.is_empty() {
            let shape = [0, 1, 3, 4, 5, 6].map(|of| FACTORS + of);
            let own_delay = (c >= 3).then_some(FACTORS + 2);
            self.columns = (terms.iter().map(|(factor, _)| *factor))
                .chain(shape)
                .chain(own_delay)
                .collect();
        }
    }

    /// Adds the instant to score and curvature.
    #[inline(always)]
    fn add(&mut self, innovation: f64, score: &mut DVector<f64>) {
        let size = innovation.abs();
        let weight = if size > TAME { TAME / size } else { 1.0 };
        let count = self.columns.len();
        for (a, of) in self.columns.iter().enumerate() {
            let weighted = weight * self.row[a];
            score[*of] += weighted * innovation;
            for (sum, x) in self.curvature[a][..=a].iter_mut().zip(&self.row[..count]) {
                *sum += weighted * x;
            }
        }
    }

    /// Moves the curvature to that of all numbers.
    fn pour(&mut self, into: &mut DMatrix<f64>) {
        for (a, i) in self.columns.iter().enumerate() {
            for (b, j) in self.columns[..=a].iter().enumerate() {
                let x = std::mem::take(&mut self.curvature[a][b]);
                into[(*i, *j)] += x;
                if i != j {
                    into[(*j, *i)] += x;
                }
            }
        }
    }
}

/// Goes through `parts`; without `slopes` only residuals are made.
pub(crate) fn pass(
    parts: &[Part],
    layout: &Layout,
    numbers: &DVector<f64>,
    noise: &[Noise; SENSORS],
    slopes: bool,
) -> Pass {
    let shape = shape(numbers.as_slice());
    let mut pass = Pass {
        blocks: Vec::new(),
        residuals: Default::default(),
    };
    let mut terms: [Terms; SENSORS] = Default::default();
    for part in parts {
        let period_s = part.period_s();
        let settle = warm_up(period_s);
        let per_block = ((BLOCK_S / period_s).round() as usize).max(1);
        let mut banks = banks(part, &shape);
        let mut channels: [Channel; SENSORS] = std::array::from_fn(|c| {
            let filter = whitener(c, noise[c].ratios, numbers, period_s);
            pass.residuals[c].push(Vec::with_capacity(part.instants.len()));
            Channel::new(filter, noise[c].deviation)
        });
        for (k, now) in part.instants.iter().enumerate() {
            let before = &part.instants[k.saturating_sub(1)];
            banks.iter_mut().for_each(|bank| bank.advance(now.time_s));
            layout.terms(&banks, now, &shape, &mut terms);
            let span_s = (k > 0).then_some(now.time_s - before.time_s);
            if slopes && k >= settle && (k - settle).is_multiple_of(per_block) {
                pour(&mut channels, pass.blocks.last_mut().filter(|_| k > settle));
                pass.blocks.push(Block::empty());
            }
            for (c, channel) in channels.iter_mut().enumerate() {
                let Some(shown) = shown(c, now) else {
                    continue;
                };
                let predicted = channel.predicted(c, &mut terms[c], span_s, numbers);
                if k == 0 && c < 3 {
                    channel.first = shown - predicted.value;
                }
                let residual = shown - predicted.value - channel.first;
                if let Some(residuals) = pass.residuals[c].last_mut() {
                    residuals.push(residual);
                }
                if !slopes {
                    continue;
                }
                let innovation = channel.filter.step(&mut channel.memories[0], residual);
                channel.differentiate(c, &terms[c], &predicted);
                if let (true, Some(block)) = (k >= settle, pass.blocks.last_mut()) {
                    channel.add(innovation / channel.deviation, &mut block.score);
                }
            }
        }
        pour(&mut channels, pass.blocks.last_mut());
    }
    pass
}

/// Moves the curvature of all `channels` to the block that ends.
fn pour(channels: &mut [Channel; SENSORS], block: Option<&mut Block>) {
    if let Some(block) = block {
        channels
            .iter_mut()
            .for_each(|channel| channel.pour(&mut block.curvature));
    }
}
