//! Space: the parameters that may be tuned, in natural units, and the unit cube in which the search
//! works.
//!
//! A free parameter is one coordinate of the cube, 0 at its low and 1 at its high, divided evenly
//! or by ratio (logarithmic scale). An integer parameter is evaluated at a whole number and
//! modelled at the coordinate of that number, never of the fraction it was rounded from, so that
//! the surrogate sees the steps that the objective has (Garrido-Merchán and Hernández-Lobato,
//! Neurocomputing 380, 2020). A fixed parameter has no coordinate, but is part of every point in
//! natural units.

use crate::search::Refusal;

/// Free parameters of a space; the Sobol' sequence goes no further.
pub const MOST_PARAMETERS: usize = 200;

/// A told coordinate may lie this share of the range outside it: rounding on its way through text.
const ROUNDING: f64 = 1e-9;

/// How the values of a parameter are spread.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Range {
    /// Any number of an interval.
    Real {
        /// Least value.
        low: f64,
        /// Greatest value.
        high: f64,
        /// Whether equal ratios, rather than equal differences, are equally far apart.
        log: bool,
    },
    /// Any whole number of an interval, both ends included.
    Integer {
        /// Least value.
        low: f64,
        /// Greatest value.
        high: f64,
        /// Whether equal ratios, rather than equal differences, are equally far apart.
        log: bool,
    },
    /// One value.
    Fixed(
        /// The value.
        f64,
    ),
}

/// A named parameter.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    name: String,
    range: Range,
}

impl Parameter {
    /// Checks and keeps a parameter.
    ///
    /// # Errors
    /// Bounds that are not finite, equal, reversed, too wide, not positive on a logarithmic scale,
    /// or not whole for an integer.
    pub fn new(name: impl Into<String>, range: Range) -> Result<Parameter, Refusal> {
        let name = name.into();
        match range {
            Range::Fixed(value) => finite(&name, value)?,
            Range::Real { low, high, log } => check_bounds(&name, low, high, log)?,
            Range::Integer { low, high, log } => {
                check_bounds(&name, low, high, log)?;
                for value in [low, high] {
                    if value.fract() != 0.0 || value.abs() > 2f64.powi(53) {
                        return Err(Refusal::BoundNotInteger { name, value });
                    }
                }
            }
        }
        Ok(Parameter { name, range })
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its range.
    pub fn range(&self) -> Range {
        self.range
    }

    fn is_fixed(&self) -> bool {
        matches!(self.range, Range::Fixed(_))
    }

    /// The value at coordinate `unit`, clamped to the cube.
    fn natural(&self, unit: f64) -> f64 {
        let unit = unit.clamp(0.0, 1.0);
        match self.range {
            Range::Fixed(value) => value,
            Range::Real { low, high, log } => spread(low, high, log, unit),
            Range::Integer { low, high, log } => {
                spread(low, high, log, unit).round().clamp(low, high)
            }
        }
    }

    /// The coordinate of `value`.
    fn unit(&self, value: f64) -> f64 {
        let (low, high, log) = match self.range {
            Range::Fixed(_) => return 0.0,
            Range::Real { low, high, log } | Range::Integer { low, high, log } => (low, high, log),
        };
        let value = value.clamp(low, high);
        let unit = if log {
            (value / low).ln() / (high / low).ln()
        } else {
            (value - low) / (high - low)
        };
        unit.clamp(0.0, 1.0)
    }

    /// Refuses a value that is not of this parameter.
    fn check(&self, index: usize, value: f64) -> Result<(), Refusal> {
        let name = || self.name.clone();
        if !value.is_finite() {
            return Err(Refusal::NotFinite {
                index,
                name: name(),
                value,
            });
        }
        let (low, high) = match self.range {
            Range::Fixed(fixed) => (fixed, fixed),
            Range::Real { low, high, .. } | Range::Integer { low, high, .. } => (low, high),
        };
        let slack = ROUNDING * (high - low).max(low.abs().min(high.abs()));
        if value < low - slack || value > high + slack {
            return Err(Refusal::OutOfBounds {
                index,
                name: name(),
                value,
                low,
                high,
            });
        }
        let whole = matches!(self.range, Range::Integer { .. });
        if whole && (value - value.round()).abs() > 1e-6 {
            return Err(Refusal::NotInteger {
                index,
                name: name(),
                value,
            });
        }
        Ok(())
    }
}

fn finite(name: &str, value: f64) -> Result<(), Refusal> {
    if value.is_finite() {
        return Ok(());
    }
    Err(Refusal::BoundNotFinite {
        name: name.to_owned(),
        value,
    })
}

fn check_bounds(name: &str, low: f64, high: f64, log: bool) -> Result<(), Refusal> {
    finite(name, low)?;
    finite(name, high)?;
    let name = || name.to_owned();
    if low >= high {
        return Err(Refusal::BoundsNotAscending {
            name: name(),
            low,
            high,
        });
    }
    if log && low <= 0.0 {
        return Err(Refusal::LogOfNonPositive { name: name(), low });
    }
    let width = if log { high / low } else { high - low };
    if !width.is_finite() {
        return Err(Refusal::TooWide {
            name: name(),
            low,
            high,
        });
    }
    Ok(())
}

/// The value at `unit` of the way from `low` to `high`; exact at both ends.
fn spread(low: f64, high: f64, log: bool, unit: f64) -> f64 {
    let value = match unit {
        0.0 => low,
        1.0 => high,
        _ if log => low * (high / low).powf(unit),
        _ => low + (high - low) * unit,
    };
    value.clamp(low, high)
}

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
            if parameters[..index].iter().any(|p| p.name == parameter.name) {
                let name = parameter.name.clone();
                return Err(Refusal::NamedTwice { name });
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
        let range = Range::Real {
            low: 0.0,
            high: 1.0,
            log: false,
        };
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
            .map(|parameter| match parameter.range {
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
        let snapped = free.map(|(parameter, value)| match parameter.range {
            Range::Integer { .. } => parameter.unit(value.round()),
            _ => parameter.unit(*value),
        });
        Ok(snapped.collect())
    }

    /// The point of the cube that is really evaluated for `unit`: integer coordinates moved to
    /// those of the nearest whole number, the others clamped to the cube.
    pub fn snapped(&self, unit: &[f64]) -> Vec<f64> {
        self.free()
            .zip(unit)
            .map(|(parameter, unit)| match parameter.range {
                Range::Integer { .. } => parameter.unit(parameter.natural(*unit)),
                _ => unit.clamp(0.0, 1.0),
            })
            .collect()
    }

    /// The snapped neighbours of a snapped point, one whole number up or down along each integer
    /// coordinate; none where no parameter is an integer.
    pub fn neighbours(&self, unit: &[f64]) -> Vec<Vec<f64>> {
        let mut out = Vec::new();
        for (k, parameter) in self.free().enumerate() {
            let Range::Integer { low, high, .. } = parameter.range else {
                continue;
            };
            let here = parameter.natural(unit[k]);
            for value in [here - 1.0, here + 1.0] {
                if (low..=high).contains(&value) {
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
            .all(|parameter| matches!(parameter.range, Range::Real { .. }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn real(name: &str, low: f64, high: f64, log: bool) -> Result<Parameter, Refusal> {
        Parameter::new(name, Range::Real { low, high, log })
    }

    fn mixed() -> Space {
        let integer = Range::Integer {
            low: 2.0,
            high: 9.0,
            log: false,
        };
        let ratio = Range::Integer {
            low: 1.0,
            high: 1024.0,
            log: true,
        };
        Space::new(vec![
            real("kp", 0.02, 2.0, true).expect("legal"),
            Parameter::new("mass", Range::Fixed(1.5)).expect("legal"),
            Parameter::new("poles", integer).expect("legal"),
            real("offset", -3.0, 4.0, false).expect("legal"),
            Parameter::new("size", ratio).expect("legal"),
        ])
        .expect("legal")
    }

    proptest! {
        #[test]
        fn the_cube_and_natural_units_map_onto_each_other(
            unit in prop::array::uniform4(0.0f64..=1.0),
        ) {
            let space = mixed();
            let snapped = space.snapped(&unit);
            let natural = space.natural(&unit);
            prop_assert_eq!(&natural, &space.natural(&snapped));
            prop_assert_eq!(natural[1], 1.5);
            prop_assert_eq!(natural[2].fract(), 0.0);
            let back = space.unit(&natural).expect("inside");
            for (a, b) in back.iter().zip(&snapped) {
                prop_assert!((a - b).abs() < 1e-12);
            }
        }

        #[test]
        fn any_bounds_are_taken_or_refused_and_never_panic(
            low in prop::num::f64::ANY, high in prop::num::f64::ANY,
            log: bool, integer: bool, unit in 0.0f64..=1.0,
        ) {
            let range = if integer {
                Range::Integer { low, high, log }
            } else {
                Range::Real { low, high, log }
            };
            if let Ok(parameter) = Parameter::new("x", range) {
                let value = parameter.natural(unit);
                prop_assert!((low..=high).contains(&value), "{value}");
                prop_assert!((0.0..=1.0).contains(&parameter.unit(value)));
            }
        }
    }

    #[test]
    fn the_corners_are_the_bounds_exactly() {
        let space = mixed();
        assert_eq!(space.natural(&[0.0; 4]), [0.02, 1.5, 2.0, -3.0, 1.0]);
        assert_eq!(space.natural(&[1.0; 4]), [2.0, 1.5, 9.0, 4.0, 1024.0]);
        assert_eq!(space.dimensions(), 4);
        assert!(!space.is_continuous());
    }

    #[test]
    fn neighbours_differ_by_one_along_one_integer_and_stay_inside() {
        let space = mixed();
        let corner = space.unit(&[1.0, 1.5, 2.0, 0.0, 7.0]).expect("inside");
        let around: Vec<Vec<f64>> = space
            .neighbours(&corner)
            .iter()
            .map(|unit| space.natural(unit))
            .collect();
        let integers: Vec<(f64, f64)> = around.iter().map(|x| (x[2], x[4])).collect();
        assert_eq!(integers, [(3.0, 7.0), (2.0, 6.0), (2.0, 8.0)]);
    }

    #[test]
    fn each_bad_bound_has_its_line() {
        let line = |low, high, log| real("k", low, high, log).expect_err("bad").to_string();
        assert_eq!(
            line(2.0, 1.0, false),
            "`k` runs from 2 to 1; low must be below high"
        );
        assert_eq!(
            line(1.0, 1.0, true),
            "`k` runs from 1 to 1; low must be below high"
        );
        assert_eq!(
            line(0.0, 1.0, true),
            "`k` is on a logarithmic scale from 0; its low must be above 0"
        );
        assert_eq!(
            line(f64::NAN, 1.0, false),
            "a bound of `k` is NaN, not a finite number"
        );
        assert!(line(-1e308, 1e308, false).contains("too wide a range"));
        let half = Range::Integer {
            low: 0.5,
            high: 3.0,
            log: false,
        };
        let error = Parameter::new("n", half).expect_err("half").to_string();
        assert_eq!(error, "`n` is an integer, but a bound is 0.5");
    }

    #[test]
    fn each_bad_space_has_its_line() {
        let line = |parameters| Space::new(parameters).expect_err("bad").to_string();
        assert_eq!(line(vec![]), "the space has no parameter to tune");
        let fixed = Parameter::new("a", Range::Fixed(1.0)).expect("legal");
        assert_eq!(line(vec![fixed]), "the space has no parameter to tune");
        let a = real("a", 0.0, 1.0, false).expect("legal");
        assert_eq!(line(vec![a.clone(), a]), "parameter `a` stands twice");
        let many = (0..201).map(|i| real(&i.to_string(), 0.0, 1.0, false).expect("legal"));
        assert_eq!(
            line(many.collect()),
            "the space has 201 parameters to tune; the limit is 200"
        );
    }

    #[test]
    fn each_bad_point_has_its_line() {
        let line = |x: &[f64]| mixed().unit(x).expect_err("bad").to_string();
        assert_eq!(line(&[1.0]), "x has 1 numbers; the space has 5");
        assert_eq!(
            line(&[3.0, 1.5, 2.0, 0.0, 1.0]),
            "x[0] (`kp`) is 3, outside 0.02 to 2"
        );
        assert_eq!(
            line(&[1.0, 1.5, 2.0, f64::NAN, 1.0]),
            "x[3] (`offset`) is NaN, not a finite number"
        );
        assert_eq!(
            line(&[1.0, 1.5, 2.5, 0.0, 1.0]),
            "x[2] (`poles`) is 2.5, not an integer"
        );
        assert_eq!(
            line(&[1.0, 1.6, 2.0, 0.0, 1.0]),
            "x[1] (`mass`) is 1.6, outside 1.5 to 1.5"
        );
    }
}
