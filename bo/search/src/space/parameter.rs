//! Parameter: one number that may be tuned, and how its range maps onto the unit interval.

use crate::Refusal;
use serde::{Deserialize, Serialize};

/// A given value may lie this share of the range outside it: rounding on its way through text.
const ROUNDING: f64 = 1e-9;

/// How the coordinate runs from the least to the greatest value of a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scale {
    /// By equal ratios.
    Log,
    /// By equal differences.
    Linear,
}

/// Two bounds and what lies between them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Span {
    /// Least value, at coordinate 0.
    pub low: f64,
    /// Greatest value, at coordinate 1.
    pub high: f64,
    /// What lies between them.
    pub scale: Scale,
}

/// How the values of a parameter are spread.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Range {
    /// Any number of a span.
    Real(Span),
    /// Any whole number of a span, both ends included.
    Integer(Span),
    /// One value.
    Fixed(f64),
}

impl Scale {
    /// "log" or "linear", as in a study file.
    pub fn name(self) -> &'static str {
        match self {
            Scale::Log => "log",
            Scale::Linear => "linear",
        }
    }
}

impl Range {
    /// Its bounds; of one value, that value twice.
    pub fn span(self) -> Span {
        match self {
            Range::Real(span) | Range::Integer(span) => span,
            Range::Fixed(value) => Span::linear(value, value),
        }
    }
}

impl Span {
    /// From `low` to `high` by equal ratios.
    pub const fn log(low: f64, high: f64) -> Span {
        let scale = Scale::Log;
        Span { low, high, scale }
    }

    /// From `low` to `high` by equal differences.
    pub const fn linear(low: f64, high: f64) -> Span {
        let scale = Scale::Linear;
        Span { low, high, scale }
    }

    /// Whether `value` lies between the bounds or on one.
    pub fn contains(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }

    /// The value at coordinate `unit`, clamped to the bounds and exact at both.
    fn natural(&self, unit: f64) -> f64 {
        let Span { low, high, scale } = *self;
        let value = match (unit.clamp(0.0, 1.0), scale) {
            (0.0, _) => low,
            (1.0, _) => high,
            (unit, Scale::Log) => low * (high / low).powf(unit),
            (unit, Scale::Linear) => low + (high - low) * unit,
        };
        value.clamp(low, high)
    }

    /// The coordinate of `value`, clamped to the bounds.
    fn unit(&self, value: f64) -> f64 {
        let Span { low, high, scale } = *self;
        let value = value.clamp(low, high);
        let unit = match scale {
            Scale::Log => (value / low).ln() / (high / low).ln(),
            Scale::Linear => (value - low) / (high - low),
        };
        unit.clamp(0.0, 1.0)
    }

    fn check(&self, name: &str) -> Result<(), Refusal> {
        let Span { low, high, scale } = *self;
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
        if scale == Scale::Log && low <= 0.0 {
            return Err(Refusal::LogOfNonPositive { name: name(), low });
        }
        let width = match scale {
            Scale::Log => high / low,
            Scale::Linear => high - low,
        };
        if !width.is_finite() {
            return Err(Refusal::TooWide {
                name: name(),
                low,
                high,
            });
        }
        Ok(())
    }
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
            Range::Real(span) => span.check(&name)?,
            Range::Integer(span) => {
                span.check(&name)?;
                for value in [span.low, span.high] {
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

    pub(super) fn is_fixed(&self) -> bool {
        matches!(self.range, Range::Fixed(_))
    }

    /// The value at coordinate `unit`, clamped to the bounds.
    pub fn natural(&self, unit: f64) -> f64 {
        match self.range {
            Range::Fixed(value) => value,
            Range::Real(span) => span.natural(unit),
            Range::Integer(span) => span.natural(unit).round().clamp(span.low, span.high),
        }
    }

    /// The coordinate of `value`, clamped to the bounds; 0 of a fixed parameter.
    pub fn unit(&self, value: f64) -> f64 {
        match self.range {
            Range::Fixed(_) => 0.0,
            Range::Real(span) | Range::Integer(span) => span.unit(value),
        }
    }

    /// Refuses a value that is not of this parameter.
    pub(super) fn check(&self, index: usize, value: f64) -> Result<(), Refusal> {
        let name = || self.name.clone();
        if !value.is_finite() {
            return Err(Refusal::NotFinite {
                index,
                name: name(),
                value,
            });
        }
        let Span { low, high, .. } = self.range.span();
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
        let whole = matches!(self.range, Range::Integer(_));
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
