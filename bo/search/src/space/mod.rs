//! Space: the parameters that may be tuned, in natural units, and the unit cube in which the search
//! works.
//!
//! A free parameter is one coordinate of the cube, 0 at its low and 1 at its high, divided evenly
//! or by ratio (logarithmic scale). An integer parameter is evaluated at a whole number and
//! modelled at the coordinate of that number, never of the fraction it was rounded from, so that
//! the surrogate sees the steps that the objective has (Garrido-Merchán and Hernández-Lobato,
//! Neurocomputing 380, 2020); one with steps likewise. A choice has a coordinate for each of its values, 1 for
//! the chosen one and 0 for the others, so that the lengths of a kernel say how much the values have in common.
//! A fixed parameter has no coordinate, but is part of every point in natural units.

mod parameter;
#[cfg(test)]
mod tests;

pub use parameter::{Parameter, Range, Scale, Span};

use crate::Refusal;

/// Free parameters of a space; the Sobol' sequence goes no further.
pub const MOST_PARAMETERS: usize = 200;

/// The parameters of a problem, in the order of a point's numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct Space {
    parameters: Vec<Parameter>,
}

impl Space {
    /// Checks and keeps the parameters.
    ///
    /// # Errors
    /// No free parameter, more than [`MOST_PARAMETERS`], or a name that stands twice.
    pub fn new(parameters: Vec<Parameter>) -> Result<Space, Refusal> {
        for (index, parameter) in parameters.iter().enumerate() {
            if parameters[..index]
                .iter()
                .any(|p| p.name() == parameter.name())
            {
                let name = parameter.name().to_owned();
                return Err(Refusal::NamedTwice(name));
            }
        }
        let space = Space { parameters };
        match space.dimensions() {
            0 => Err(Refusal::EmptySpace),
            1..=MOST_PARAMETERS => Ok(space),
            given => Err(Refusal::TooManyParameters {
                given,
                most: MOST_PARAMETERS,
            }),
        }
    }

    /// The unit cube itself: its points are their own natural units.
    ///
    /// # Errors
    /// No dimension, or more than [`MOST_PARAMETERS`].
    pub fn cube(dimensions: usize) -> Result<Space, Refusal> {
        let range = Range::Real(Span::linear(0.0, 1.0));
        let parameter = |k| Parameter::new(format!("x{k}"), range);
        Space::new((0..dimensions).map(parameter).collect::<Result<_, _>>()?)
    }

    /// The parameters, fixed ones included.
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// Coordinates of the unit cube: those of the parameters that are not fixed.
    pub fn dimensions(&self) -> usize {
        self.parameters.iter().map(Parameter::width).sum()
    }

    /// The parameters, each with the numbers of its coordinates.
    pub(crate) fn placed(&self) -> impl Iterator<Item = (&Parameter, std::ops::Range<usize>)> {
        let mut next = 0;
        self.parameters.iter().map(move |parameter| {
            let first = next;
            next += parameter.width();
            (parameter, first..next)
        })
    }

    /// The point in natural units, fixed parameters included, at a point of the cube; of choices the number of
    /// that with the greatest coordinate.
    pub fn natural(&self, unit: &[f64]) -> Vec<f64> {
        let of = |(parameter, at): (&Parameter, std::ops::Range<usize>)| match parameter.range() {
            Range::Choice(_) => greatest(&unit[at]) as f64,
            _ => parameter.natural(unit.get(at.start).copied().unwrap_or(0.0)),
        };
        self.placed().map(of).collect()
    }

    /// The point of the cube that stands for a point in natural units.
    ///
    /// # Errors
    /// A wrong number of coordinates, or one that is not finite, out of bounds or between those counted.
    pub fn unit(&self, natural: &[f64]) -> Result<Vec<f64>, Refusal> {
        self.check_length(natural)?;
        for (index, (parameter, value)) in self.parameters.iter().zip(natural).enumerate() {
            parameter.check(index, *value)?;
        }
        self.coordinates(natural)
    }

    /// The coordinates of a point that was met, which may lie outside the cube ([`Space::holds`]).
    ///
    /// # Errors
    /// As [`Space::unit`], but out of bounds only far outside, or where a parameter is fixed or a choice.
    pub fn coordinates(&self, natural: &[f64]) -> Result<Vec<f64>, Refusal> {
        self.check_length(natural)?;
        let mut all = Vec::with_capacity(self.dimensions());
        for (index, (parameter, value)) in self.parameters.iter().zip(natural).enumerate() {
            let coordinate = parameter.coordinate(index, *value)?;
            match parameter.range() {
                Range::Fixed(_) => {}
                Range::Choice(choices) => {
                    let chosen = value.round() as usize;
                    all.extend((0..choices).map(|choice| f64::from(choice == chosen)));
                }
                _ => all.push(coordinate),
            }
        }
        Ok(all)
    }

    fn check_length(&self, natural: &[f64]) -> Result<(), Refusal> {
        let (given, wanted) = (natural.len(), self.parameters.len());
        match given == wanted {
            true => Ok(()),
            false => Err(Refusal::WrongLength { given, wanted }),
        }
    }

    /// Whether coordinates are those of a point of the cube, which may be asked.
    pub fn holds(&self, coordinates: &[f64]) -> bool {
        coordinates.iter().all(|x| (0.0..=1.0).contains(x))
    }

    /// The point of the cube that is really evaluated for `unit`: coordinates of counted values moved to
    /// the nearest, the others clamped to the cube.
    pub fn snapped(&self, unit: &[f64]) -> Vec<f64> {
        let mut out = unit.to_vec();
        for (parameter, at) in self.placed() {
            match parameter.range() {
                Range::Choice(_) => {
                    let chosen = greatest(&unit[at.clone()]);
                    (out[at].iter_mut().enumerate()).for_each(|(k, x)| *x = f64::from(k == chosen));
                }
                Range::Fixed(_) => {}
                range => {
                    let x = &mut out[at.start];
                    *x = match range.step() {
                        Some(_) => parameter.unit(parameter.natural(*x)),
                        None => x.clamp(0.0, 1.0),
                    };
                }
            }
        }
        out
    }

    /// The snapped neighbours of a snapped point, one step up or down along each coordinate of counted values,
    /// and each other choice; none where all parameters are real.
    pub fn neighbours(&self, unit: &[f64]) -> Vec<Vec<f64>> {
        let mut out = Vec::new();
        for (parameter, at) in self.placed() {
            let range = parameter.range();
            if let Range::Choice(choices) = range {
                let chosen = greatest(&unit[at.clone()]);
                for other in (0..choices).filter(|other| *other != chosen) {
                    let mut neighbour = unit.to_vec();
                    neighbour.swap(at.start + chosen, at.start + other);
                    out.push(neighbour);
                }
                continue;
            }
            let Some(step) = range.step() else { continue };
            let here = parameter.natural(unit[at.start]);
            for value in [here - step, here + step] {
                // Half a step of room for rounding.
                if (range.span().low - 0.5 * step..range.span().high + 0.5 * step).contains(&value)
                {
                    let mut neighbour = unit.to_vec();
                    neighbour[at.start] = parameter.unit(value);
                    out.push(neighbour);
                }
            }
        }
        out
    }

    /// Whether every free parameter is real.
    pub fn is_continuous(&self) -> bool {
        let real = |p: &Parameter| matches!(p.range(), Range::Real(_) | Range::Fixed(_));
        self.parameters.iter().all(real)
    }

    /// How many points there are, if all parameters are counted and the number is not beyond `u64`.
    pub fn points(&self) -> Option<u64> {
        self.parameters.iter().try_fold(1u64, |points, parameter| {
            let Span { low, high, .. } = parameter.range().span();
            let values = match parameter.range() {
                Range::Fixed(_) => 1.0,
                range => ((high - low) / range.step()?).round() + 1.0,
            };
            points.checked_mul(values as u64)
        })
    }
}

/// The place of the greatest; of equals, the first.
fn greatest(of: &[f64]) -> usize {
    (1..of.len()).fold(0, |best, k| if of[k] > of[best] { k } else { best })
}
