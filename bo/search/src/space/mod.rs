//! Space: the parameters that may be tuned, in natural units, and the unit cube in which the search
//! works.
//!
//! A free parameter is one coordinate of the cube, 0 at its low and 1 at its high, divided evenly
//! or by ratio (logarithmic scale). An integer parameter is evaluated at a whole number and
//! modelled at the coordinate of that number, never of the fraction it was rounded from, so that
//! the surrogate sees the steps that the objective has (Garrido-Merchán and Hernández-Lobato,
//! Neurocomputing 380, 2020). A fixed parameter has no coordinate, but is part of every point in
//! natural units.

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

    /// Coordinates of the unit cube: the parameters that are not fixed.
    pub fn dimensions(&self) -> usize {
        self.free().count()
    }

    fn free(&self) -> impl Iterator<Item = &Parameter> {
        self.parameters
            .iter()
            .filter(|parameter| !parameter.is_fixed())
    }

    /// The point in natural units, fixed parameters included, at a point of the cube.
    pub fn natural(&self, unit: &[f64]) -> Vec<f64> {
        let mut units = unit.iter();
        self.parameters
            .iter()
            .map(|parameter| match parameter.range() {
                Range::Fixed(value) => value,
                _ => parameter.natural(units.next().copied().unwrap_or(0.0)),
            })
            .collect()
    }

    /// The point of the cube that stands for a point in natural units.
    ///
    /// # Errors
    /// A wrong number of coordinates, or one that is not finite, out of bounds or not whole.
    pub fn unit(&self, natural: &[f64]) -> Result<Vec<f64>, Refusal> {
        let wanted = self.parameters.len();
        if natural.len() != wanted {
            return Err(Refusal::WrongLength {
                given: natural.len(),
                wanted,
            });
        }
        let both = self.parameters.iter().zip(natural);
        for (index, (parameter, value)) in both.clone().enumerate() {
            parameter.check(index, *value)?;
        }
        let free = both.filter(|(parameter, _)| !parameter.is_fixed());
        let snapped = free.map(|(parameter, value)| match parameter.range() {
            Range::Integer(_) => parameter.unit(value.round()),
            _ => parameter.unit(*value),
        });
        Ok(snapped.collect())
    }

    /// The point of the cube that is really evaluated for `unit`: integer coordinates moved to
    /// those of the nearest whole number, the others clamped to the cube.
    pub fn snapped(&self, unit: &[f64]) -> Vec<f64> {
        self.free()
            .zip(unit)
            .map(|(parameter, unit)| match parameter.range() {
                Range::Integer(_) => parameter.unit(parameter.natural(*unit)),
                _ => unit.clamp(0.0, 1.0),
            })
            .collect()
    }

    /// The snapped neighbours of a snapped point, one whole number up or down along each integer
    /// coordinate; none where no parameter is an integer.
    pub fn neighbours(&self, unit: &[f64]) -> Vec<Vec<f64>> {
        let mut out = Vec::new();
        for (k, parameter) in self.free().enumerate() {
            let Range::Integer(span) = parameter.range() else {
                continue;
            };
            let here = parameter.natural(unit[k]);
            for value in [here - 1.0, here + 1.0] {
                if span.contains(value) {
                    let mut neighbour = unit.to_vec();
                    neighbour[k] = parameter.unit(value);
                    out.push(neighbour);
                }
            }
        }
        out
    }

    /// Whether every free parameter is real.
    pub fn is_continuous(&self) -> bool {
        self.free()
            .all(|parameter| matches!(parameter.range(), Range::Real(_)))
    }
}
