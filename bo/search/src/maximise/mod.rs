//! Maximise: the highest point of a criterion over a box.
//!
//! Many raw points are looked at first: Sobol' points of the box and points close to those worth
//! starting from. argmin climbs from the best of them ([`ascent`]); coordinates that end close to a
//! face of the box are then tried on it.

pub mod ascent;
pub mod points;
#[cfg(test)]
mod tests;

use crate::model::allowed::Allowed;
use crate::model::context::matrix;
use crate::model::refit::Work;
use dilgp::Model;
use dilgp::threads::each;

/// Distances of the closer raw points from a start, as shares of the box.
const CLOSE: [f64; 2] = [0.05, 0.005];

/// Coordinates this close to a face, as a share of the box, are also tried on it.
const NEAR_FACE: f64 = 1e-3;

/// A point on a face is preferred to one just off it where they differ by less than this.
const ROUNDING: f64 = 1e-7;

/// A box within the unit cube.
#[derive(Debug, Clone, PartialEq)]
pub struct Region {
    /// Least coordinates.
    pub low: Vec<f64>,
    /// Greatest coordinates.
    pub high: Vec<f64>,
}

impl Region {
    /// The whole cube.
    pub fn cube(dimensions: usize) -> Region {
        Region {
            low: vec![0.0; dimensions],
            high: vec![1.0; dimensions],
        }
    }

    /// What lies within `reach` of `x` in each coordinate and within the cube.
    pub fn about(x: &[f64], reach: f64) -> Region {
        let sides = |by: f64| x.iter().map(|x| (x + by).clamp(0.0, 1.0)).collect();
        Region {
            low: sides(-reach),
            high: sides(reach),
        }
    }

    /// The point at shares `unit` of the box.
    pub fn at(&self, unit: &[f64]) -> Vec<f64> {
        let sides = self.low.iter().zip(&self.high);
        sides
            .zip(unit)
            .map(|((low, high), u)| low + (high - low) * u)
            .collect()
    }

    fn share(&self, x: &[f64]) -> Vec<f64> {
        let sides = self.low.iter().zip(&self.high);
        sides
            .zip(x)
            .map(|((low, high), x)| ((x - low) / (high - low)).clamp(0.0, 1.0))
            .collect()
    }
}

/// A point with its value.
#[derive(Debug, Clone, PartialEq)]
pub struct Maximum {
    /// The point.
    pub x: Vec<f64>,
    /// The criterion there.
    pub value: f64,
}

/// A criterion of a model's predictions, over the points of the cube.
pub struct Surface<'a> {
    /// The model.
    pub model: &'a dyn Model,
    /// What it is worth.
    pub criterion: &'a dyn Criterion,
    /// Where points may lie, if not everywhere: what lies outside loses worth.
    pub within: Option<&'a Allowed<'a>>,
}

impl Surface<'_> {
    /// The criterion at each point, less what it loses by lying outside.
    pub fn values(&self, points: &[Vec<f64>]) -> Vec<f64> {
        self.penalised(points, self.worths(points))
    }

    /// The points of `region` that a climb looks at first ([`raw_points`]).
    pub fn look(&self, region: &Region, from: &[Vec<f64>], count: usize, seed: u64) -> Raw {
        let points = raw_points(region, from, count, seed);
        let worths = self.worths(&points);
        Raw { points, worths }
    }

    /// The criterion at each point wherever it lies.
    fn worths(&self, points: &[Vec<f64>]) -> Vec<f64> {
        if points.is_empty() {
            return Vec::new();
        }
        let believed = self.model.predict(&matrix(points));
        let worth = |row: usize| {
            let std = believed.std.as_ref().map_or(0.0, |std| std[row]);
            self.criterion.worth(believed.mean[row], std).value
        };
        (0..points.len()).map(worth).collect()
    }

    /// The `worths` of `points`, less what they lose by lying outside.
    fn penalised(&self, points: &[Vec<f64>], worths: Vec<f64>) -> Vec<f64> {
        let mut values = worths;
        if let Some(within) = self.within.filter(|_| !points.is_empty()) {
            let penalties = within.penalties(points);
            values.iter_mut().zip(penalties).for_each(|(v, p)| *v -= p);
        }
        values
    }

    /// The criterion and its gradient at `x`; `None` from a model without gradients.
    pub fn slope(&self, x: &[f64]) -> Option<(f64, Vec<f64>)> {
        let slope = self.model.slope(x)?;
        let worth = self.criterion.worth(slope.mean, slope.std.unwrap_or(0.0));
        let gradient = (0..x.len()).map(|k| {
            let by_std = slope
                .std_gradient
                .as_ref()
                .map_or(0.0, |g| worth.by_std * g[k]);
            worth.by_mean * slope.mean_gradient[k] + by_std
        });
        let mut gradient: Vec<f64> = gradient.collect();
        let mut value = worth.value;
        if let Some(within) = self.within {
            let (penalty, slope) = within.penalty(x)?;
            value -= penalty;
            gradient.iter_mut().zip(slope).for_each(|(g, s)| *g -= s);
        }
        Some((value, gradient))
    }
}

/// The highest point found of `surface` over `region`, or `None` if no value was finite.
/// `from` are points worth starting from besides the Sobol' points of `seed`.
pub fn maximise(
    surface: &Surface,
    region: &Region,
    from: &[Vec<f64>],
    work: Work,
    seed: u64,
) -> Option<Maximum> {
    let raw = surface.look(region, from, work.raw, seed);
    climb(surface, region, from, work, &raw)
}

/// Points looked at, and the criterion at each of them wherever it lies.
pub struct Raw {
    points: Vec<Vec<f64>>,
    worths: Vec<f64>,
}

/// The highest point found by climbing from the best of `raw` and from `from`.
pub fn climb(
    surface: &Surface,
    region: &Region,
    from: &[Vec<f64>],
    work: Work,
    raw: &Raw,
) -> Option<Maximum> {
    let ranked = ranked(surface, raw);
    let starts = ranked.iter().take(work.starts).map(|maximum| &maximum.x);
    let starts: Vec<&Vec<f64>> = starts.chain(from).collect();
    let ascended = each(&starts, |start| {
        ascent::ascend(surface, region, start, work.evaluations)
    });
    let best = ranked.first()?.clone();
    let ascended = ascended.into_iter().flatten();
    let best = ascended.fold(best, |best, maximum| match maximum.value > best.value {
        true => maximum,
        false => best,
    });
    Some(on_the_faces(surface, region, best))
}

/// Points of `region` to look at: Sobol' points, those worth starting from, and some close to them.
pub fn raw_points(region: &Region, from: &[Vec<f64>], count: usize, seed: u64) -> Vec<Vec<f64>> {
    let spread = crate::maximise::points::sobol(region.low.len(), 0, count, seed);
    let mut points: Vec<Vec<f64>> = spread.iter().map(|unit| region.at(unit)).collect();
    for (index, x) in from.iter().enumerate() {
        points.extend(closer_points(
            region,
            x,
            count / 8,
            shell::seeds::mix(&[seed, index as u64]),
        ));
        points.push(x.clone());
    }
    points
}

fn closer_points(region: &Region, x: &[f64], count: usize, seed: u64) -> Vec<Vec<f64>> {
    let centre = region.share(x);
    let offsets = crate::maximise::points::sobol(centre.len(), 0, count, seed);
    CLOSE
        .iter()
        .flat_map(|distance| offsets.iter().map(move |offset| (distance, offset)))
        .map(|(distance, offset)| {
            let moved = centre.iter().zip(offset);
            let shares: Vec<f64> = moved
                .map(|(c, u)| (c + distance * (2.0 * u - 1.0)).clamp(0.0, 1.0))
                .collect();
            region.at(&shares)
        })
        .collect()
}

/// The points with a finite value, best first; of equals the earlier.
fn ranked(surface: &Surface, raw: &Raw) -> Vec<Maximum> {
    let values = surface.penalised(&raw.points, raw.worths.clone());
    let mut peaks: Vec<Maximum> = raw
        .points
        .iter()
        .zip(values)
        .filter(|(_, value)| value.is_finite())
        .map(|(x, value)| Maximum {
            x: x.clone(),
            value,
        })
        .collect();
    peaks.sort_by(|a, b| b.value.total_cmp(&a.value));
    peaks
}

/// The peak, or where that is no worse the same with the coordinates that are close to a face on
/// it.
fn on_the_faces(surface: &Surface, region: &Region, maximum: Maximum) -> Maximum {
    let shares = region.share(&maximum.x);
    let snapped: Vec<f64> = shares
        .iter()
        .map(|u| match *u {
            u if u < NEAR_FACE => 0.0,
            u if u > 1.0 - NEAR_FACE => 1.0,
            u => u,
        })
        .collect();
    if snapped == shares {
        return maximum;
    }
    let x = region.at(&snapped);
    // Both from one batch: a slope's value differs from a batch's by rounding.
    let values = surface.values(&[x.clone(), maximum.x.clone()]);
    if values[0] >= values[1] - ROUNDING * (1.0 + values[1].abs()) {
        return Maximum {
            x,
            value: values[0],
        };
    }
    maximum
}

/// A criterion's value at a point and its derivatives by mean and standard deviation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Worth {
    /// The value; greater is better.
    pub value: f64,
    /// d value / d mean.
    pub by_mean: f64,
    /// d value / d std.
    pub by_std: f64,
}

/// A function of the posterior mean and standard deviation.
pub trait Criterion: Sync {
    /// The worth of a point with this posterior mean and standard deviation (at least 0).
    fn worth(&self, mean: f64, std: f64) -> Worth;
}
